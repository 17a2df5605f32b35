"""The code that copies arrays of float32, or adds them, whose rows are short: a row takes a few cycles.

Elements of a row are neighbours in memory. Or every second one is read, or written. `narrow_copy_code.py` does so with
AVX2.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np

from .assembler import (
    JUMP_EQUAL,
    JUMP_LESS,
    JUMP_NOT_EQUAL,
    R8,
    R9,
    R10,
    R11,
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
    Memory,
)
from .executable import DATA, DIMENSIONS, RANK, STRIDES
from .frame_words import FrameWords
from .product_boundary import ProductBoundary
from .vector_assembler import FROM_TWO, PERMUTE
from .wide_assembler import ADD, JUMP_LESS_OR_EQUAL, LOAD, STORE, WIDTH, WideAssembler

AXES = 6
SOURCE, TARGET = RSI, RDI  # where a vector is read and written
SOURCE_ROW, TARGET_ROW, VECTORS, TAIL = R13, R14, R12, R15
SOURCE_STEP, TARGET_STEP = RBX, RDX  # from one vector to the next
COLUMNS, FIRST, SECOND, SECOND_WHOLE, EVERY_OTHER = 1, 2, 3, 4, 5
"""Masks: of the last columns, and of the memory that they are in, of two vectors; of whole vectors."""
LOWER, UPPER = 29, 30  # registers of element numbers


class CopyWords(FrameWords):
    """Names for words of the frame; lists have a word for each axis, the last axis first."""

    EXTENTS, SOURCE_STEPS, TARGET_STEPS = 0, AXES, 2 * AXES
    SOURCES, TARGETS, COUNTS = 3 * AXES, 4 * AXES - 2, FrameWords.COLUMN  # of all axes but the last two
    SELECT = FrameWords.COLUMN + 4
    assert TARGETS + 4 <= FrameWords.PACKING
    assert SELECT + 8 <= FrameWords.WORK


class CopyBoundary(ProductBoundary):
    """Writes entry and exit of `copy(source, target)` and `copy(source, target, target)`, which adds."""

    arrays = 2

    def look(self) -> None:
        """Refuse all but two arrays of one shape."""
        code, at = self.code, CopyWords.at
        self._load_arrays(R8, R9, written=1)
        code.load_word(RCX, Memory(R8, RANK))
        code.load_word(RAX, Memory(R9, RANK))
        code.compare_registers(RAX, RCX)
        self._refuse(JUMP_NOT_EQUAL)
        for array, dims, steps in ((R8, R10, R11), (R9, R12, R13)):
            for register, offset in ((dims, DIMENSIONS), (steps, STRIDES)):
                code.load(register, Memory(array, offset))
                code.address(register, Memory(register, 0, RCX, 8))
        code.constant(RDX, 16)  # the work, in which a kernel counts products
        for axis in range(AXES):
            missing, done = code.new_label(), code.new_label()
            code.compare(RCX, 1 + axis)
            code.jump(missing, JUMP_LESS)
            offset = -8 * (axis + 1)
            code.load(RAX, Memory(R10, offset))
            code.compare_registers(RAX, Memory(R12, offset))
            self._refuse(JUMP_NOT_EQUAL)
            code.compare(RAX, 0)
            self._refuse(JUMP_LESS_OR_EQUAL)
            code.store(at(CopyWords.EXTENTS + axis), RAX)
            code.multiply_registers(RDX, RAX)
            for word, steps in ((CopyWords.SOURCE_STEPS, R11), (CopyWords.TARGET_STEPS, R13)):
                code.load(RAX, Memory(steps, offset))
                code.store(at(word + axis), RAX)
            code.jump(done)
            code.place(missing)
            code.store_number(at(CopyWords.EXTENTS + axis), 1)
            for word in (CopyWords.SOURCE_STEPS, CopyWords.TARGET_STEPS):
                code.store_number(at(word + axis), 0)
            code.place(done)
        code.store(at(FrameWords.WORK), RDX)
        for word, array in ((CopyWords.SOURCES, R8), (CopyWords.TARGETS, R9)):
            code.load(RAX, Memory(array, DATA))
            code.store(at(word + AXES - 3), RAX)
        self._look_at_rows()

    def _look_at_rows(self) -> None:
        """Refuse rows that no loop takes. The distances along a single column mean nothing."""
        code, at = self.code, CopyWords.at
        several, source, done = code.new_label(), code.new_label(), code.new_label()
        code.compare(at(CopyWords.EXTENTS), 1)
        code.jump(several, JUMP_NOT_EQUAL)
        for word in (CopyWords.SOURCE_STEPS, CopyWords.TARGET_STEPS):
            code.store_number(at(word), 4)
        code.place(several)
        code.compare(at(CopyWords.TARGET_STEPS), 4)
        code.jump(source, JUMP_EQUAL)
        for word, wanted in ((CopyWords.TARGET_STEPS, 8), (CopyWords.SOURCE_STEPS, 4)):
            code.compare(at(word), wanted)
            self._refuse(JUMP_NOT_EQUAL)
        code.jump(done)
        code.place(source)
        code.load(RAX, at(CopyWords.SOURCE_STEPS))
        code.compare(RAX, 4)
        code.jump(done, JUMP_EQUAL)
        code.compare(RAX, 8)
        self._refuse(JUMP_NOT_EQUAL)
        code.compare(at(FrameWords.ADDS), 0)
        self._refuse(JUMP_NOT_EQUAL)
        code.place(done)


class CopyCode:
    """Writes the code of the function: one nest of loops for each kind of rows."""

    assembler: type[WideAssembler] = WideAssembler
    distances = (4, 4)
    """From one element of a row to the next, in the source and in the target."""

    def __init__(self) -> None:
        self.code = self.assembler()
        self.boundary = CopyBoundary(self.code, np.dtype(np.float32))

    def assemble(self) -> bytes:
        """The function's code."""
        code, at = self.code, CopyWords.at
        self.boundary.enter()
        self._divide_row()
        done = code.new_label()
        for adds, target, source, row, prepare in (
            (1, 8, 4, lambda count: self._write_apart(count, adds=True), self._choose_apart),
            (0, 8, 4, lambda count: self._write_apart(count, adds=False), self._choose_apart),
            (1, 4, 4, self._add, None),
            (0, 4, 4, self._copy, None),
            (0, 4, 8, self._copy_every_other, self._choose_every_other),
        ):
            other = code.new_label()
            for word, wanted in (
                (FrameWords.ADDS, adds), (CopyWords.TARGET_STEPS, target), (CopyWords.SOURCE_STEPS, source)
            ):  # fmt: skip
                code.compare(at(word), wanted)
                code.jump(other, JUMP_NOT_EQUAL)
            if prepare is not None:
                prepare()
            self.distances = source, target
            self._loop(AXES - 1, row)
            code.jump(done)
            code.place(other)
        code.place(done)
        self.boundary.leave()
        return code.finish()

    def _divide_row(self) -> None:
        """Set the number of whole vectors of a row, its last columns, the masks of these, and distances of vectors."""
        code, at = self.code, CopyWords.at
        code.load(RAX, at(CopyWords.EXTENTS))
        code.load(TAIL, RAX)
        code.bit_and(TAIL, 15)
        code.load(VECTORS, RAX)
        code.shift_right(VECTORS, 4)
        code.load(RCX, TAIL)
        code.constant(RAX, 1)
        code.shift_left_by_rcx(RAX)
        code.add(RAX, -1)
        code.set_mask(COLUMNS, RAX)
        for step, word in ((SOURCE_STEP, CopyWords.SOURCE_STEPS), (TARGET_STEP, CopyWords.TARGET_STEPS)):
            code.multiply(step, at(word), 16)

    def _wide_masks(self, bits: int) -> None:
        """Set masks for rows of which every second element counts: these bits, up to the last one that does."""
        code = self.code
        code.address(RCX, Memory(TAIL, -1, TAIL))
        code.constant(RAX, 1)
        code.shift_left_by_rcx(RAX)  # of an empty tail nothing is used
        code.add(RAX, -1)
        code.bit_and(RAX, bits)
        code.set_mask(FIRST, RAX)
        code.shift_right(RAX, 16)
        code.set_mask(SECOND, RAX)

    def _choose(self, register: int, lanes: list[int]) -> None:
        """Fill a register with numbers."""
        for number, pair in enumerate(struct.unpack("<8q", struct.pack("<16i", *lanes))):
            self.code.store_number(CopyWords.at(CopyWords.SELECT + number), pair)
        self.code.wide(LOAD[4], register, 0, Memory(RSP, 8 * CopyWords.SELECT))

    def _choose_every_other(self) -> None:
        self._choose(LOWER, list(range(0, 32, 2)))
        self._wide_masks(0x7FFFFFFF)
        self.code.constant(RAX, 0x7FFF)
        self.code.set_mask(SECOND_WHOLE, RAX)

    def _choose_apart(self) -> None:
        self._choose(LOWER, [lane // 2 for lane in range(16)])
        self._choose(UPPER, [8 + lane // 2 for lane in range(16)])
        self._wide_masks(0x55555555)
        self.code.constant(RAX, 0x5555)
        self.code.set_mask(EVERY_OTHER, RAX)

    def _loop(self, axis: int, row: Callable[[int], None]) -> None:
        """The loops over an axis and all behind it."""
        code, at = self.code, CopyWords.at
        again = code.new_label()
        if axis == 1:
            self._rows(row)
            return
        count = at(CopyWords.COUNTS + axis - 2)
        code.load(RAX, at(CopyWords.EXTENTS + axis))
        code.store(count, RAX)
        code.place(again)
        for place, steps in ((CopyWords.SOURCES, CopyWords.SOURCE_STEPS), (CopyWords.TARGETS, CopyWords.TARGET_STEPS)):
            code.load(RAX, at(place + axis - 2))
            if axis > 2:
                code.store(at(place + axis - 3), RAX)
            else:
                code.load(SOURCE_ROW if place == CopyWords.SOURCES else TARGET_ROW, RAX)
            code.add_register(RAX, at(steps + axis))
            code.store(at(place + axis - 2), RAX)
        self._loop(axis - 1, row)
        code.add(count, -1)
        code.jump(again, JUMP_NOT_EQUAL)

    def _rows(self, row: Callable[[int], None]) -> None:
        """The loop over rows, of whole vectors and last columns."""
        code, at = self.code, CopyWords.at
        rows, vectors, last = (code.new_label() for _ in range(3))
        code.load(R8, at(CopyWords.SOURCE_STEPS + 1))
        code.load(R9, at(CopyWords.TARGET_STEPS + 1))
        code.load(R10, at(CopyWords.EXTENTS + 1))
        code.place(rows)
        code.load(SOURCE, SOURCE_ROW)
        code.load(TARGET, TARGET_ROW)
        code.load(R11, VECTORS)
        code.compare(R11, 0)
        code.jump(last, JUMP_EQUAL)
        code.place(vectors)
        row(code.width // 4)
        code.add_register(SOURCE, SOURCE_STEP)
        code.add_register(TARGET, TARGET_STEP)
        code.decrement(R11)
        code.jump(vectors, JUMP_NOT_EQUAL)
        code.place(last)
        self._last_columns(row)
        code.add_register(SOURCE_ROW, R8)
        code.add_register(TARGET_ROW, R9)
        code.decrement(R10)
        code.jump(rows, JUMP_NOT_EQUAL)

    def _last_columns(self, row: Callable[[int], None]) -> None:
        """What is left of a row, fewer elements than a vector has."""
        done = self.code.new_label()
        self.code.compare(TAIL, 0)
        self.code.jump(done, JUMP_EQUAL)
        row(0)
        self.code.place(done)

    # Elements of each kind: so many, or with 0 the last ones of a row

    def _copy(self, count: int) -> None:
        mask = 0 if count else COLUMNS
        self.code.wide(LOAD[4], 0, 0, Memory(SOURCE), mask=mask)
        self.code.wide(STORE[4], 0, 0, Memory(TARGET), mask=mask)

    def _add(self, count: int) -> None:
        mask = 0 if count else COLUMNS
        self.code.wide(LOAD[4], 0, 0, Memory(SOURCE), mask=mask)
        self.code.wide(ADD[4], 0, 0, Memory(TARGET), mask=mask)
        self.code.wide(STORE[4], 0, 0, Memory(TARGET), mask=mask)

    def _copy_every_other(self, count: int) -> None:
        code = self.code
        code.wide(LOAD[4], 0, 0, Memory(SOURCE), mask=0 if count else FIRST)
        code.wide(LOAD[4], 1, 0, Memory(SOURCE, WIDTH), mask=SECOND_WHOLE if count else SECOND)
        code.wide(LOAD[4], 2, 0, LOWER)
        code.wide(FROM_TWO[4], 2, 0, 1)
        code.wide(STORE[4], 2, 0, Memory(TARGET), mask=0 if count else COLUMNS)

    def _write_apart(self, count: int, *, adds: bool) -> None:
        code = self.code
        code.wide(LOAD[4], 0, 0, Memory(SOURCE), mask=0 if count else COLUMNS)
        for number, lanes in enumerate((LOWER, UPPER)):
            mask, place = EVERY_OTHER if count else (FIRST, SECOND)[number], Memory(TARGET, number * WIDTH)
            code.wide(PERMUTE[4], 1, lanes, 0)
            if adds:
                code.wide(ADD[4], 1, 1, place, mask=mask)
            code.wide(STORE[4], 1, 0, place, mask=mask)
