"""Products whose second operand is a transposed matrix, as turned products: `out.T = b.T @ a.T`.

A transposed `b` is packed before it is multiplied. That pays if many rows of `a` use it; few rows are packed sooner
themselves. So both operands change places, and blocks of the result are stored with rows and columns exchanged.
"""

from __future__ import annotations

from functools import cache

from .assembler import JUMP_EQUAL, JUMP_LESS, JUMP_NOT_EQUAL, MAP_0F3A, P66, RAX, RCX, RDX, RSP, Form, Memory
from .frame_words import FrameWords
from .product_blocks import DEPTH, MOST_VECTORS, RESULT, RESULT_ROWS, ROWS, TAIL, row_address
from .product_boundary import ProductBoundary
from .sizes import LEADING
from .wide_assembler import (
    ADD,
    JUMP_GREATER,
    JUMP_LESS_OR_EQUAL,
    STORE,
    UNPACK_HIGH,
    UNPACK_LOW,
    WIDTH,
    WideAssembler,
    wide_instruction,
)

FEWEST_ROWS, MOST_ROWS = 12, 128
"""The rows of `a`: they are a vector's elements, and packing `b` pays for more."""
SIDE = 4
"""Rows and columns of a block of dot products (`dot_products.py`)."""
FEWEST_DOTS, FEWEST_TERMS, FEWEST_UNUSED = 2, 64, 3
"""The rows and the terms of dot products, of up to two vectors of rows, whose last elements are no rows."""
FEWEST_DEPTHS = 32
"""The columns of `a`."""
PACKED, STORED = 7, 9
"""The multiplications that take as long as packing an element, or storing one with rows and columns exchanged."""
MOST_PACKED = 1 << 17
"""Elements of `a`, which has to stay in the second-level cache."""
STORE_LANE = Form(P66, MAP_0F3A, 0x19)
"""Stores 16 of the 64 bytes of a vector."""
DEPTH_AT_ONCE = 800
"""Terms that are added one after the other. Blocks add up such parts of their sums, whose errors would grow."""
LANE = 16
LANES = 16  # elements of a vector
FREE = 24  # the first of eight registers that hold nothing when a block is stored
TOGETHER = 4  # rows of a block whose elements are stored in one piece


class TurningBoundary(ProductBoundary):
    """Entry and exits, which exchange the operands of float32 where that pays."""

    beside = (ROWS[0] * MOST_VECTORS + 1) * WIDTH

    def _find_steps(self) -> None:
        super()._find_steps()
        code, at, size = self.code, FrameWords.at, self.size
        stays, suits, many = code.new_label(), code.new_label(), code.new_label()
        code.store_number(at(FrameWords.DOTS), 0)
        code.compare(at(FrameWords.B_ROWS), size)
        code.jump(stays, JUMP_NOT_EQUAL)
        for word, number, condition in (
            (FrameWords.M, 2 * LANES, JUMP_GREATER), (FrameWords.M, FEWEST_DOTS, JUMP_LESS),
            (FrameWords.K, FEWEST_TERMS, JUMP_LESS), (FrameWords.K, LANES * DEPTH_AT_ONCE, JUMP_GREATER),
            (FrameWords.A_COLUMNS, size, JUMP_NOT_EQUAL),
            (FrameWords.N, SIDE, JUMP_LESS), (FrameWords.ADDS, 0, JUMP_NOT_EQUAL),
        ):  # fmt: skip
            code.compare(at(word), number)
            code.jump(many, condition)
        code.load(RAX, at(FrameWords.M))
        code.multiply(RAX, RAX, -1)
        code.bit_and(RAX, LANES - 1)
        code.compare(RAX, FEWEST_UNUSED)
        code.jump(many, JUMP_LESS)
        code.store_number(at(FrameWords.DOTS), 1)
        code.jump(stays)
        code.place(many)
        for word, number, condition in (
            (FrameWords.B_COLUMNS, size, JUMP_EQUAL), (FrameWords.ADDS, 0, JUMP_NOT_EQUAL),
            (FrameWords.M, FEWEST_ROWS, JUMP_LESS), (FrameWords.M, MOST_ROWS, JUMP_GREATER),
            (FrameWords.K, FEWEST_DEPTHS, JUMP_LESS),
        ):  # fmt: skip
            code.compare(at(word), number)
            code.jump(stays, condition)
        code.load(RAX, at(FrameWords.N))
        code.bit_and(RAX, TOGETHER - 1)
        code.compare(RAX, 0)
        code.jump(stays, JUMP_NOT_EQUAL)
        self._compare_times()
        code.jump(stays, JUMP_LESS_OR_EQUAL)
        code.load(RAX, at(FrameWords.M))
        code.multiply_registers(RAX, at(FrameWords.K))
        code.compare(RAX, MOST_PACKED)
        code.jump(stays, JUMP_GREATER)
        code.compare(at(FrameWords.A_COLUMNS), size)
        code.jump(suits, JUMP_EQUAL)
        code.compare(at(FrameWords.A_ROWS), size)
        code.jump(stays, JUMP_NOT_EQUAL)
        code.place(suits)
        self._exchange()
        code.place(stays)

    def _compare_times(self) -> None:
        """Compare what packing and multiplying take less, in multiplications, with what storing takes more. Vectors may
        have elements that are no columns, or turned no rows."""
        code, at = self.code, FrameWords.at
        code.load(RDX, at(FrameWords.N))
        code.subtract_register(RDX, at(FrameWords.M))
        code.multiply(RDX, RDX, PACKED)
        for across, other in ((FrameWords.N, FrameWords.M), (FrameWords.M, FrameWords.N)):
            code.load(RAX, at(across))
            code.add(RAX, LANES - 1)
            code.bit_and(RAX, -LANES)
            code.multiply_registers(RAX, at(other))
            if across == FrameWords.N:
                code.add_register(RDX, RAX)
            else:
                code.subtract_register(RDX, RAX)
        code.multiply_registers(RDX, at(FrameWords.K))
        code.load(RAX, at(FrameWords.M))
        code.multiply_registers(RAX, at(FrameWords.N))
        code.multiply(RAX, RAX, STORED)
        code.compare_registers(RDX, RAX)

    def _exchange(self) -> None:
        """Exchange the operands, and rows and columns of the result."""
        code, at = self.code, FrameWords.at
        pairs = [
            (FrameWords.A, FrameWords.B), (FrameWords.A_ROWS, FrameWords.B_COLUMNS),
            (FrameWords.A_COLUMNS, FrameWords.B_ROWS), (FrameWords.M, FrameWords.N),
        ]  # fmt: skip
        pairs += [(FrameWords.A_LEAD + axis, FrameWords.B_LEAD + axis) for axis in range(LEADING)]
        for first, second in pairs:
            code.load(RAX, at(first))
            code.load(RCX, at(second))
            code.store(at(first), RCX)
            code.store(at(second), RAX)
        code.load(RAX, at(FrameWords.C_ROWS))
        code.store(at(FrameWords.COLUMN_STEP), RAX)
        code.store_number(at(FrameWords.C_ROWS), self.size)

    def _choose_packing(self) -> None:
        """A turned product is not divided along the sums: it is stored once."""
        super()._choose_packing()
        code, at = self.code, FrameWords.at
        stays, packs = code.new_label(), code.new_label()
        code.compare(at(FrameWords.DOTS), 0)
        code.jump(packs, JUMP_EQUAL)
        code.store_number(at(FrameWords.PACKING), 0)
        code.place(packs)
        code.compare(at(FrameWords.COLUMN_STEP), self.size)
        code.jump(stays, JUMP_EQUAL)
        code.load(RAX, at(FrameWords.K))
        code.store(at(FrameWords.MOST_DEPTHS), RAX)
        code.place(stays)


def next_part(code: WideAssembler) -> None:
    """Set DEPTH to the terms of the next part of a block's sums. Overwrites RESULT."""
    left, fits = FrameWords.at(FrameWords.DEPTHS_LEFT), code.new_label()
    code.load(DEPTH, left)
    code.compare(DEPTH, DEPTH_AT_ONCE)
    code.jump(fits, JUMP_LESS_OR_EQUAL)
    code.constant(DEPTH, DEPTH_AT_ONCE)
    code.place(fits)
    code.load(RESULT, left)
    code.subtract_register(RESULT, DEPTH)
    code.store(left, RESULT)


def add_parts(code: WideAssembler, rows: int, vectors: int, again: int) -> None:
    """Add the parts before it to a part of a block's sums; jump to `again` unless it is the last one."""
    at, first, last = FrameWords.at, code.new_label(), code.new_label()
    sums = [row * MOST_VECTORS + vector for row in range(rows) for vector in range(vectors)]
    code.address(RESULT, Memory(RSP, FrameWords.NBYTES + WIDTH - 1))
    code.bit_and(RESULT, -WIDTH)
    code.compare(at(FrameWords.LATER), 0)
    code.jump(first, JUMP_EQUAL)
    for register in sums:
        code.wide(ADD[4], register, register, Memory(RESULT, register * WIDTH))
    code.place(first)
    code.compare(at(FrameWords.DEPTHS_LEFT), 0)
    code.jump(last, JUMP_EQUAL)
    for register in sums:
        code.wide(STORE[4], register, 0, Memory(RESULT, register * WIDTH))
    code.store_number(at(FrameWords.LATER), 1)
    next_part(code)
    code.load(RESULT, at(FrameWords.TARGET))
    code.jump(again)
    code.place(last)
    code.load(RESULT, at(FrameWords.TARGET))


def store_turned(code: WideAssembler, rows: int, vectors: int) -> None:
    """Store a block of 4 or 8 rows of float32 with rows and columns exchanged.

    RESULT is the address of its first column, RESULT_ROWS the distances of columns. The mask TAIL has the columns of
    the last vector. Overwrites RCX and RESULT.
    """
    assert rows % TOGETHER == 0
    assert RESULT == RDX
    code.get_mask(RCX, TAIL)
    done = code.new_label()
    for vector in range(vectors):
        columns = [
            _exchanged_quarters(code, [row * MOST_VECTORS + vector for row in range(first, first + TOGETHER)], first)
            for first in range(0, rows, TOGETHER)
        ]
        for column in range(LANES):
            for position, registers in enumerate(columns):
                code.append(_store(registers[column % 4], column, position))
            if vector == vectors - 1 and column < LANES - 1:
                code.compare(RCX, (2 << column) - 1)
                code.jump(done, JUMP_LESS_OR_EQUAL)
            if column % 8 == 7:
                code.address(RESULT, Memory(RESULT, 0, RESULT_ROWS[0], 8))
    code.place(done)


@cache
def _store(register: int, column: int, position: int) -> bytes:
    """Store a quarter of a register in a column. Blocks of all sizes have the same."""
    place = row_address(RESULT, RESULT_ROWS, column % 8, LANE * position)
    return wide_instruction(STORE_LANE, register, 0, place, spread=LANE) + bytes((column // 4,))


def _exchanged_quarters(code: WideAssembler, rows: list[int], first: int) -> list[int]:
    """Exchange four rows of a vector each: lane `l` of register `j` has the elements of column `4 * l + j`."""
    free = range(FREE + first, FREE + first + TOGETHER)
    for position, form in enumerate((UNPACK_LOW[4], UNPACK_HIGH[4])):
        code.wide(form, free[position], rows[0], rows[1])
        code.wide(form, free[2 + position], rows[2], rows[3])
    for position in range(2):
        code.wide(UNPACK_LOW[8], rows[2 * position], free[position], free[2 + position])
        code.wide(UNPACK_HIGH[8], rows[2 * position + 1], free[position], free[2 + position])
    return rows
