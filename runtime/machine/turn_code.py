"""Transposes: squares as wide as a vector, of AVX-512 or AVX2, change rows and columns in registers."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .assembler import (
    JUMP_NOT_EQUAL,
    MAP_0F,
    NONE,
    P66,
    PF2,
    R8,
    R9,
    R10,
    R12,
    R13,
    R14,
    R15,
    RAX,
    RBX,
    RDI,
    RDX,
    RSI,
    Form,
    Memory,
)
from .fixed_boundary import FixedBoundary
from .frame_words import FrameWords
from .narrow_assembler import NarrowAssembler
from .product_blocks import TAIL, exchanged, pack_columns
from .sizes import WIDTH, Shape, as_matrices
from .wide_assembler import JUMP_GREATER, JUMP_GREATER_OR_EQUAL, WideAssembler

LOAD_ONE, STORE = Form(PF2, MAP_0F, 0x10), Form(NONE, MAP_0F, 0x11)
UNPACK = {
    1: (Form(P66, MAP_0F, 0x60), Form(P66, MAP_0F, 0x68)),
    2: (Form(P66, MAP_0F, 0x61), Form(P66, MAP_0F, 0x69)),
}
"""By the bytes of an element: the first, or the last, ones of two vectors in turn."""
WHOLE = 4  # mask: the columns of a square of the target


class TurnCode:
    """Writes the function for one shape and permutation.

    R12 and R13 point to the first square of a column of squares, there and here; R14 counts the columns that are left.
    """

    assembler = WideAssembler

    def __init__(self, dtype: str, shape: Shape, axes: Shape) -> None:
        self.code = self.assembler()
        matrices = as_matrices(shape, axes)
        assert matrices is not None
        self.count, self.rows, self.columns = matrices
        self.size = np.dtype(dtype).itemsize
        self.lanes = self.code.width // self.size
        shapes = [shape, tuple(shape[axis] for axis in axes)]
        self.boundary = FixedBoundary(self.code, np.dtype(dtype), shapes, {1}, math.prod(shape))

    def assemble(self) -> bytes:
        """The function's code."""
        code, at = self.code, FrameWords.at
        matrices, columns = code.new_label(), code.new_label()
        self.boundary.enter()
        code.load(R12, at(0))
        code.load(R13, at(1))
        code.store_number(at(FrameWords.PLACE), self.count)
        code.place(matrices)
        code.constant(R14, self.columns)
        code.place(columns)
        self._column()
        code.add(R12, WIDTH)
        code.add(R13, self.lanes * self.rows * self.size)
        code.add(R14, -self.lanes)
        code.jump(columns, JUMP_GREATER)
        here, there = -(-self.columns // self.lanes) * self.lanes, self.columns
        code.add(R12, (self.rows * self.columns - here) * self.size)
        code.add(R13, (there - here) * self.rows * self.size)
        code.add(at(FrameWords.PLACE), -1)
        code.jump(matrices, JUMP_GREATER)
        self.boundary.leave()
        return code.finish()

    def _column(self) -> None:
        """All squares of some columns of the source."""
        code, again = self.code, self.code.new_label()
        self._cut(TAIL, R14, self.columns)
        code.load(RSI, R12)
        code.load(RDI, R13)
        code.constant(R15, self.rows)
        code.constant(RBX, self.columns * self.size)
        code.constant(RDX, self.rows * self.size)
        code.place(again)
        self._cut(WHOLE, R15, self.rows)
        code.load(R8, R15)
        code.load(R9, R14)
        pack_columns(code, self.size, WHOLE)
        code.add(RSI, self.lanes * self.columns * self.size)
        code.add(RDI, WIDTH)
        code.add(R15, -self.lanes)
        code.jump(again, JUMP_GREATER)

    def _cut(self, mask: int, left: int, extent: int) -> None:
        """Set a mask to as many of a vector's elements as are left."""
        code, whole = self.code, self.code.new_label()
        code.constant(RAX, (1 << self.lanes) - 1)
        code.compare(left, self.lanes, scratch=R10)
        code.jump(whole, JUMP_GREATER_OR_EQUAL)
        code.constant(RAX, (1 << extent % self.lanes) - 1)
        code.place(whole)
        code.set_mask(mask, RAX)


def exchange_square(code: NarrowAssembler, size: int, rows: int, columns: int, written: int) -> None:
    """Copy a part of a matrix with rows and columns exchanged.

    RSI and RDI are where it begins, there and here; RBX and RDX are the distances of rows. It has at most as many rows
    and columns as a vector has elements. Of each row here so many elements are written, with zeros behind the rows.
    """
    code.load(RAX, RSI)
    for row in range(code.width // size):
        if row < rows:
            code.load_first(row, Memory(RAX), size * columns)
            code.add_register(RAX, RBX)
        else:
            code.clear(row)
    code.load(RAX, RDI)
    for register in exchanged(code, size)[:columns]:
        code.store_first(register, Memory(RAX), size * written)
        code.add_register(RAX, RDX)


class NarrowTurnCode(TurnCode):
    """Writes the function for one shape and permutation."""

    assembler = NarrowAssembler
    code: NarrowAssembler

    def assemble(self) -> bytes:
        """The function's code."""
        code, at, size = self.code, FrameWords.at, self.size
        matrices = code.new_label()
        self.boundary.enter()
        code.load(R12, at(0))
        code.load(R13, at(1))
        code.constant(RBX, self.columns * size)
        code.constant(RDX, self.rows * size)
        code.store_number(at(FrameWords.PLACE), self.count)
        code.place(matrices)
        whole, tail = divmod(self.columns, self.lanes)
        self._repeated(R14, whole, lambda: self._strip(self.lanes))
        if tail:
            self._strip(tail)
        code.add(R12, (self.rows - 1) * self.columns * size)
        code.add(at(FrameWords.PLACE), -1)
        code.jump(matrices, JUMP_NOT_EQUAL)
        self.boundary.leave()
        return code.finish()

    def _strip(self, columns: int) -> None:
        """All squares of some columns of the source."""
        code, size = self.code, self.size
        code.load(RSI, R12)
        code.load(RDI, R13)

        def square(rows: int) -> None:
            exchange_square(code, size, rows, columns, rows)
            code.add(RSI, rows * self.columns * size)
            code.add(RDI, rows * size)

        whole, tail = divmod(self.rows, self.lanes)
        self._repeated(R15, whole, lambda: square(self.lanes))
        if tail:
            square(tail)
        code.add(R12, columns * size)
        code.add(R13, columns * self.rows * size)

    def _repeated(self, register: int, count: int, body: Callable[[], None]) -> None:
        code, again = self.code, self.code.new_label()
        if count:
            code.constant(register, count)
            code.place(again)
            body()
            code.decrement(register)
            code.jump(again, JUMP_NOT_EQUAL)


class ByteTurnCode(NarrowTurnCode):
    """Writes the function for elements of 1 or 2 bytes: each step exchanges 8 bytes of as many rows as elements fill
    16 bytes. The last steps begin before those before them end."""

    def __init__(self, dtype: str, shape: Shape, axes: Shape) -> None:
        super().__init__(dtype, shape, axes)
        self.lanes = 8 // self.size

    def _strip(self, columns: int) -> None:
        """All squares of some columns of the source."""
        code, size, high = self.code, self.size, 16 // self.size
        code.add(R12, (columns - self.lanes) * size)
        code.add(R13, (columns - self.lanes) * self.rows * size)
        code.load(RSI, R12)
        code.load(RDI, R13)
        whole, tail = divmod(self.rows, high)
        self._repeated(R15, whole, self._exchange)
        if tail:
            code.add(RSI, (tail - high) * self.columns * size)
            code.add(RDI, (tail - high) * size)
            self._exchange()
        code.add(R12, self.lanes * size)
        code.add(R13, self.lanes * self.rows * size)

    def _exchange(self) -> None:
        """Copy 8 bytes of each of some rows, with rows and columns exchanged, and move on to the next ones."""
        code, half, spare = self.code, self.lanes, 2 * self.lanes
        code.load(RAX, RSI)
        for row in range(2 * half):
            code.vector(LOAD_ONE, row, 0, Memory(RAX), bits=128)
            code.add_register(RAX, RBX)
        code.load(RSI, RAX)
        low, high = UNPACK[self.size]
        for row in range(half):
            code.vector(low, row, row, row + half, bits=128)
        found, free = [*range(half)], [*range(half, spare)]
        for _ in range(half.bit_length() - 1):
            made = []
            for row in range(half // 2):
                for form in (low, high):
                    made.append(free.pop(0))
                    code.vector(form, made[-1], found[row], found[row + half // 2], bits=128)
                free += [found[row], found[row + half // 2]]
            found = made
        code.load(RAX, RDI)
        for register in found:
            code.vector(STORE, register, 0, Memory(RAX), bits=128)
            code.add_register(RAX, RDX)
        code.add(RDI, 16)
