"""Sorting by ranks: the code of `best.py` for short rows.

The rank of an element is the number of those that come before it. Each one is compared with a vector of others at once,
as integers in the wanted order. Equal ones are counted if they stand before it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from .assembler import (
    JUMP_LESS,
    MAP_0F,
    MAP_0F3A,
    MAP_0F38,
    P66,
    RCX,
    RDX,
    Form,
    Memory,
    Pooled,
)
from .best_code import BEST, GREATER, INDEX, INFINITY, LANES, ROW, BestCode
from .wide_assembler import EXCLUSIVE_OR, JUMP_GREATER_OR_EQUAL, LOAD, STORE

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
