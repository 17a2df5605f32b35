"""Transposes: squares as wide as a vector of AVX-512 change rows and columns in registers."""

from __future__ import annotations

import math

import numpy as np

from .assembler import (
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
)
from .fixed_boundary import FixedBoundary
from .frame_words import FrameWords
from .product_blocks import TAIL, pack_columns
from .sizes import WIDTH, Shape, as_matrices
from .wide_assembler import JUMP_GREATER, JUMP_GREATER_OR_EQUAL, WideAssembler

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
