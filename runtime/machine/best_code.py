"""Selection by insertion, and sorting by ranks in machine code.

Insertion: a key orders elements as they are wanted: the upper half of its 64 bits is the number, the lower half the
position. The best keys of a row so far stand in order on the stack. A vector of the row is compared with the worst of
them, and only elements that are no worse are inserted: of keys k in order, and a new one, the next ones are
min(k[i], max(k[i - 1], new)).

Ranks, for short rows: the rank of an element is the number of those that come before it. Each one is compared with a
vector of others at once, as integers in the wanted order. Equal ones are counted if they stand before it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np

from .assembler import (
    JUMP_EQUAL,
    JUMP_LESS,
    JUMP_NOT_EQUAL,
    MAP_0F,
    MAP_0F3A,
    MAP_0F38,
    P66,
    R8,
    R9,
    R10,
    R12,
    R13,
    R14,
    R15,
    RAX,
    RBX,
    RCX,
    RDI,
    RDX,
    RSI,
    RSP,
    Form,
    Memory,
    Pooled,
)
from .fixed_boundary import COUNT, FixedBoundary
from .frame_words import FrameWords
from .narrow_assembler import COMPARE, SIGNS, NarrowAssembler
from .wide_assembler import (
    BROADCAST,
    EXCLUSIVE_OR,
    JUMP_GREATER,
    JUMP_GREATER_OR_EQUAL,
    JUMP_LESS_OR_EQUAL,
    LOAD,
    STORE,
)

LANES, KEYS = 8, 4  # elements and keys of a vector
NOT_LESS, NOT_GREATER = 0x15, 0x1A  # comparisons that hold for nan
ALL = (1 << LANES) - 1
STEP, MANY_STEPS = 16, 4
"""Of many vectors every sixteenth one comes first: fewer elements of a row that is in order are inserted."""
GREATER, GREATER_KEY, CHOOSE = Form(P66, MAP_0F, 0x66), Form(P66, MAP_0F38, 0x37), Form(P66, MAP_0F3A, 0x4B)
SPREAD_KEY, TO_VECTOR = Form(P66, MAP_0F38, 0x59), Form(P66, MAP_0F, 0x6E, 1)
INFINITY, NEGATIVE_INFINITY = 0x7F800000, -0x800000  # as integers
X, THRESHOLD, KEY, HERE, BEFORE, MASK = range(6)
ROW, VALUES, PLACES, LEFT, INDEX, BEST, FOUND, LANE, PHASE = RSI, RDI, RBX, R12, R13, R14, R8, R9, R15


class BestCode:
    """Writes the function."""

    def __init__(self, dtype: str, positions: str, length: int, count: int, largest: bool, lead: int = 1) -> None:
        self.code = NarrowAssembler()
        self.is_float, self.largest = dtype == "f", largest
        self.length, self.count, self.position_bytes = length, count, np.dtype(positions).itemsize
        number = np.dtype(dtype)
        shapes = [((None,) * lead + (size,)) for size in (length, count, count)]
        self.boundary = FixedBoundary(self.code, [number, number, np.dtype(positions)], shapes, {1, 2}, length)
        self.keys = -(-count // KEYS) * KEYS
        self.offset = self.boundary.frame
        self.boundary.frame += 8 * self.words

    @property
    def words(self) -> int:
        """The 8-byte words on the stack: the best keys, and one before them."""
        return self.keys + KEYS

    def assemble(self) -> bytes:
        """The function's code."""
        code, at, row = self.code, FrameWords.at, self.code.new_label()
        self.boundary.enter()
        for register, place in ((ROW, 0), (VALUES, 1), (PLACES, 2), (LEFT, COUNT)):
            code.load(register, at(place))
        code.address(BEST, Memory(RSP, self.offset))
        code.place(row)
        self.seek()
        self.write()
        code.add(ROW, 4 * self.length)
        code.add(VALUES, 4 * self.count)
        code.add(PLACES, self.position_bytes * self.count)
        code.decrement(LEFT)
        code.jump(row, JUMP_NOT_EQUAL)
        self.boundary.leave()
        return code.finish()

    def seek(self) -> None:
        """Find the best keys of a row."""
        code, again, after = self.code, self.code.new_label(), self.code.new_label()
        for key in range(-1, self.keys):
            if key < 1:
                code.constant(RAX, (1 << 63) - 1 if key == 0 else -(1 << 63))
            code.store(self._key(key), RAX)
        code.constant(INDEX, 0)
        self._each(self.count)
        vectors = (self.length - self.count) // LANES
        step, phase = STEP if vectors >= MANY_STEPS * STEP else 1, code.new_label()
        if vectors:
            self._load_threshold()
            code.constant(PHASE, self.count)
            code.place(phase)
            code.load(INDEX, PHASE)
            code.place(again)
            code.vector(LOAD[4], X, 0, Memory(ROW, 0, INDEX, 4))
            if self.is_float:
                code.vector(COMPARE[4], X, X, THRESHOLD, NOT_LESS if self.largest else NOT_GREATER)
                code.vector(SIGNS[4], FOUND, 0, X)
                code.compare(FOUND, 0)
                code.jump(after, JUMP_EQUAL)
            else:
                code.vector(GREATER, X, *((THRESHOLD, X) if self.largest else (X, THRESHOLD)))
                code.vector(SIGNS[4], FOUND, 0, X)
                code.add(FOUND, -ALL)
                code.jump(after, JUMP_EQUAL)
                code.multiply(FOUND, FOUND, -1)
            lane = code.new_label()
            code.place(lane)
            code.first_bit(LANE, FOUND)
            code.add_register(LANE, INDEX)
            self._insert(LANE)
            code.load(R10, FOUND)
            code.add(R10, -1)
            code.and_word(FOUND, R10)
            code.jump(lane, JUMP_NOT_EQUAL)
            self._load_threshold()
            code.place(after)
            code.add(INDEX, step * LANES)
            code.compare(INDEX, self.count + vectors * LANES)
            code.jump(again, JUMP_LESS)
            if step > 1:
                code.add(PHASE, LANES)
                code.compare(PHASE, self.count + step * LANES)
                code.jump(phase, JUMP_LESS)
                code.constant(INDEX, self.count + vectors * LANES)
        if self.length > self.count + vectors * LANES:
            self._each(self.length)

    def _each(self, end: int) -> None:
        """Insert elements one by one, up to an index."""
        code, again = self.code, self.code.new_label()
        code.place(again)
        self._insert(INDEX)
        code.add(INDEX, 1)
        code.compare(INDEX, end)
        code.jump(again, JUMP_LESS)

    def _load_threshold(self) -> None:
        self.code.load_word(RDX, self._key(self.count - 1))
        self.code.vector(BROADCAST[4], THRESHOLD, 0, Memory(ROW, 0, RDX, 4))

    def _insert(self, index: int) -> None:
        """Insert the element at an index, if it is better than the worst one."""
        code, again, worse = self.code, self.code.new_label(), self.code.new_label()
        code.load_signed(RAX, Memory(ROW, 0, index, 4))
        if self.is_float:
            self._order()
        if self.largest:
            self._subtract_from(-1)
        code.shift_left(RAX, 32)
        code.add_register(RAX, index)
        code.compare_registers(RAX, self._key(self.count - 1))
        code.jump(worse, JUMP_GREATER_OR_EQUAL)
        code.vector(TO_VECTOR, KEY, 0, RAX, bits=128)
        code.vector(SPREAD_KEY, KEY, 0, KEY)
        code.constant(RCX, self.keys - KEYS)
        code.place(again)
        code.vector(LOAD[4], BEFORE, 0, self._key(-1, RCX))
        code.vector(LOAD[4], HERE, 0, self._key(0, RCX))
        for smaller, larger, target, chosen in ((BEFORE, KEY, BEFORE, KEY), (BEFORE, HERE, HERE, BEFORE)):
            code.vector(GREATER_KEY, MASK, larger, smaller)
            code.vector(CHOOSE, target, target, chosen, MASK << 4)
        code.vector(STORE[4], HERE, 0, self._key(0, RCX))
        code.add(RCX, -KEYS)
        code.jump(again, JUMP_GREATER_OR_EQUAL)
        code.place(worse)

    def _order(self) -> None:
        """The integer in RAX that is ordered as the float there: both zeros are 0, and all nan are one, the largest."""
        code, unknown, positive, done = self.code, *[self.code.new_label() for _ in range(3)]
        code.compare(RAX, 0)
        code.jump(positive, JUMP_GREATER_OR_EQUAL)
        code.compare(RAX, NEGATIVE_INFINITY)
        code.jump(unknown, JUMP_GREATER)
        self._subtract_from(-(1 << 31))
        code.jump(done)
        code.place(positive)
        code.compare(RAX, INFINITY)
        code.jump(done, JUMP_LESS_OR_EQUAL)
        code.place(unknown)
        code.constant(RAX, INFINITY + 1)
        code.place(done)

    def _subtract_from(self, number: int) -> None:
        self.code.constant(RDX, number)
        self.code.subtract_register(RDX, RAX)
        self.code.load(RAX, RDX)

    def write(self) -> None:
        """Write the elements of the best keys, and their positions."""
        code, again = self.code, self.code.new_label()
        code.constant(RCX, 0)
        code.place(again)
        code.load_word(RDX, self._key(0, RCX))
        self.write_one(RCX, RDX)
        code.add(RCX, 1)
        code.compare(RCX, self.count)
        code.jump(again, JUMP_LESS)

    def write_one(self, place: int, position: int) -> None:
        """Write the element at a position of the row to a place, both in registers."""
        code, size = self.code, self.position_bytes
        code.load_word(RAX, Memory(ROW, 0, position, 4))
        code.store_word(Memory(VALUES, 0, place, 4), RAX)
        (code.store if size == 8 else code.store_word)(Memory(PLACES, 0, place, size), position)

    @staticmethod
    def _key(number: int, index: int | None = None) -> Memory:
        """One of the best keys, or one as many behind it as a register says."""
        return Memory(BEST, 8 * number + 8, index, 1 if index is None else 8)


AND, OR = Form(P66, MAP_0F, 0xDB), Form(P66, MAP_0F, 0xEB)
ADD, SUBTRACT, EQUAL = Form(P66, MAP_0F, 0xFE), Form(P66, MAP_0F, 0xFA), Form(P66, MAP_0F, 0x76)
SIGNED, BLEND, CHOOSE = Form(P66, MAP_0F38, 0x0A), Form(P66, MAP_0F3A, 0x0C), Form(P66, MAP_0F3A, 0x4A)
SPREAD = Form(P66, MAP_0F38, 0x58)
RANK, HERE, OTHER, HIGHER, SAME, START = range(6)


def pooled(*numbers: int) -> Pooled:
    """A vector of eight integers, or of one."""
    return Pooled(struct.pack("<8i", *(numbers * LANES)[:LANES]))


class RankCode(BestCode):
    """Writes the function for rows of at most `MOST_RANKED` elements."""

    @property
    def words(self) -> int:
        """The 8-byte words on the stack: for each element, and for those that fill a vector, its integer and rank."""
        return self.whole

    @property
    def whole(self) -> int:
        """The elements of whole vectors."""
        return -(-self.length // LANES) * LANES

    def seek(self) -> None:
        """Write a row in order."""
        code, block = self.code, self.code.new_label()
        for first in range(0, self.length, LANES):
            self._order_vector(first)
        code.clear(START)
        code.constant(INDEX, 0)
        code.place(block)
        code.vector(LOAD[4], RANK, 0, START)
        code.vector(LOAD[4], HERE, 0, Memory(BEST, 0, INDEX, 4))
        code.constant(RCX, 0)
        before, inside = code.new_label(), code.new_label()
        code.place(before)
        code.compare_registers(RCX, INDEX)
        code.jump(inside, JUMP_GREATER_OR_EQUAL)
        self._compare(lambda lane: code.vector(GREATER, HIGHER, OTHER, HERE), ADD)
        code.jump(before)
        code.place(inside)

        def among(lane: int) -> None:
            code.vector(EQUAL, SAME, HERE, OTHER)
            code.vector(AND, SAME, SAME, pooled(*[-(lane < other) for other in range(LANES)]))
            code.vector(GREATER, HIGHER, HERE, OTHER)
            code.vector(OR, HIGHER, HIGHER, SAME)

        self._compare(among, SUBTRACT)
        behind, done = code.new_label(), code.new_label()
        code.place(behind)
        code.compare(RCX, self.whole)
        code.jump(done, JUMP_GREATER_OR_EQUAL)
        self._compare(lambda lane: code.vector(GREATER, HIGHER, HERE, OTHER), SUBTRACT)
        code.jump(behind)
        code.place(done)
        code.vector(STORE[4], RANK, 0, Memory(BEST, 4 * self.whole, INDEX, 4))
        code.vector(ADD, START, START, pooled(LANES))
        code.add(INDEX, LANES)
        code.compare(INDEX, self.length)
        code.jump(block, JUMP_LESS)

    def _order_vector(self, first: int) -> None:
        """Keep a vector's integers: both zeros are 0, and all nan are one number; others behind the row come last."""
        code, count = self.code, min(LANES, self.length - first)
        code.load_first(OTHER, Memory(ROW, 4 * first), 4 * count)
        if self.is_float:
            code.vector(LOAD[4], SAME, 0, pooled(0x7FFFFFFF))
            code.vector(AND, HERE, OTHER, SAME)
            code.vector(SIGNED, OTHER, HERE, OTHER)
            code.vector(GREATER, HIGHER, HERE, pooled(INFINITY))
            code.vector(CHOOSE, OTHER, OTHER, SAME, HIGHER << 4)
        if self.largest:
            code.vector(EXCLUSIVE_OR, OTHER, OTHER, pooled(-1))
        if count < LANES:
            code.vector(BLEND, OTHER, OTHER, pooled(0x7FFFFFFF), 0xFF << count & 0xFF)
        code.vector(STORE[4], OTHER, 0, Memory(BEST, 4 * first))

    def _compare(self, compare: Callable[[int], None], count: Form) -> None:
        """Compare a vector with the next elements, one after the other, and count."""
        code = self.code
        for lane in range(LANES):
            code.vector(SPREAD, OTHER, 0, Memory(BEST, 4 * lane, RCX, 4))
            compare(lane)
            code.vector(count, RANK, RANK, HIGHER)
        code.add(RCX, LANES)

    def write(self) -> None:
        """Write each element, and its position, at its rank."""
        code, again, worse = self.code, self.code.new_label(), self.code.new_label()
        code.constant(RCX, 0)
        code.place(again)
        code.load_word(RDX, Memory(BEST, 4 * self.whole, RCX, 4))
        if self.count < self.length:
            code.compare(RDX, self.count)
            code.jump(worse, JUMP_GREATER_OR_EQUAL)
        self.write_one(RDX, RCX)
        code.place(worse)
        code.add(RCX, 1)
        code.compare(RCX, self.length)
        code.jump(again, JUMP_LESS)
