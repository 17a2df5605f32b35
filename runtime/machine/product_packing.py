"""How matrix products pack a part of the second operand, and find the part that follows.

A part of `b` is packed panel by panel. A panel has the vectors of a block of the result, one row behind the other.
"""

from __future__ import annotations

import numpy as np

from .assembler import (
    JUMP_EQUAL,
    JUMP_LESS,
    JUMP_NOT_EQUAL,
    R8,
    R9,
    R10,
    R11,
    RAX,
    RBX,
    RCX,
    RDI,
    RDX,
    RSI,
)
from .frame_words import FrameWords
from .product_blocks import MOST_VECTORS, TAIL, pack_columns
from .sizes import LEADING
from .wide_assembler import JUMP_GREATER, JUMP_GREATER_OR_EQUAL, JUMP_LESS_OR_EQUAL, WIDTH, WideAssembler

PANELS = ((5, JUMP_GREATER_OR_EQUAL, 3), (3, JUMP_EQUAL, 3), (1, JUMP_EQUAL, 1), (0, JUMP_GREATER, 2))
"""How many vectors the next panel has, by those that are left: the first row whose comparison with its number holds.
Four vectors are two panels of two: a panel of one reads as many elements of `a` as a panel of three."""


class ProductPacking:
    """Writes the code that packs, for one dtype."""

    assembler = WideAssembler
    most_vectors = MOST_VECTORS
    panels: tuple[tuple[int, int, int], ...] = PANELS

    def __init__(self, dtype: str) -> None:
        self.dtype = np.dtype(dtype)
        self.size = self.dtype.itemsize
        self.code = self.assembler()
        self.width = self.code.width
        self.lanes = self.width // self.size

    def _pack(self) -> None:
        """Pack a part of a transposed `b`. The first rows of `a` pack another one while they are multiplied: to them it
        is not packed."""
        code, at = self.code, FrameWords.at
        columns, packed = code.new_label(), code.new_label()
        code.store_number(at(FrameWords.PACKED), 0)
        code.load(RAX, at(FrameWords.SCRATCH))
        code.compare(at(FrameWords.PACKING), 1)
        code.jump(packed, JUMP_LESS)
        code.jump(columns, JUMP_NOT_EQUAL)
        code.store(at(FrameWords.PACKED), RAX)
        code.store_number(at(FrameWords.PACKING), 0)
        code.jump(packed)
        code.place(columns)
        code.store(at(FrameWords.TARGET), RAX)
        self._pack_transposed()
        code.place(packed)
        self._look_ahead()

    def _look_ahead(self) -> None:
        """Find the part of `b` that is read next, in this matrix or the next one: blocks prefetch it."""
        code, at = self.code, FrameWords.at
        found, done = code.new_label(), code.new_label()
        code.store_number(at(FrameWords.AHEAD_LEFT), 0)
        code.load(RSI, at(FrameWords.B))
        code.load(RDI, at(FrameWords.DEPTH))
        code.load(RBX, at(FrameWords.COLUMN))
        code.add_register(RDI, at(FrameWords.DEPTHS))
        code.compare_registers(RDI, at(FrameWords.K))
        code.jump(found, JUMP_LESS)
        code.constant(RDI, 0)
        code.add_register(RBX, at(FrameWords.COLUMNS))
        code.compare_registers(RBX, at(FrameWords.N))
        code.jump(found, JUMP_LESS)
        code.constant(RBX, 0)
        code.compare(at(FrameWords.LEAD + LEADING - 1), 1)
        code.jump(done, JUMP_EQUAL)
        code.add_register(RSI, at(FrameWords.B_LEAD + LEADING - 1))
        code.place(found)
        for position, step in ((RDI, FrameWords.B_ROWS), (RBX, FrameWords.B_COLUMNS)):
            code.load(RAX, position)
            code.multiply_registers(RAX, at(step))
            code.add_register(RSI, RAX)
        code.store(at(FrameWords.AHEAD), RSI)
        self._count_ahead(done)
        code.place(done)

    def _count_ahead(self, done: int) -> None:
        """Set how often a part is prefetched: each row of blocks but the first, which reads `b`, prefetches a vector of
        each panel's rows. Jump to `done` if it is transposed. RDI and RBX are its first row and column."""
        code, at = self.code, FrameWords.at
        code.compare(at(FrameWords.B_COLUMNS), self.size)
        code.jump(done, JUMP_NOT_EQUAL)
        code.store_number(at(FrameWords.AHEAD_LEFT), self.most_vectors + 1)

    def _start_of_part(self, word: int) -> None:
        """Set a word to the address of the part's first element of `b`."""
        code, at = self.code, FrameWords.at
        code.load(RSI, at(FrameWords.B))
        for position, step in ((FrameWords.DEPTH, FrameWords.B_ROWS), (FrameWords.COLUMN, FrameWords.B_COLUMNS)):
            code.load(RAX, at(position))
            code.multiply_registers(RAX, at(step))
            code.add_register(RSI, RAX)
        code.store(at(word), RSI)

    def _pack_transposed(self) -> None:
        """Pack a part of a `b` whose columns lie in one piece: squares, one below the other, vector by vector."""
        code, at = self.code, FrameWords.at
        panels, vectors, done = code.new_label(), code.new_label(), code.new_label()
        self._start_of_part(FrameWords.SOURCE)
        code.load(RAX, at(FrameWords.COLUMNS))
        code.store(at(FrameWords.COLUMNS_LEFT), RAX)
        code.load(RBX, at(FrameWords.B_COLUMNS))
        code.load(RAX, at(FrameWords.VECTORS))
        code.store(at(FrameWords.VECTORS_LEFT), RAX)
        code.place(panels)
        code.load(RAX, at(FrameWords.VECTORS_LEFT))
        code.compare(RAX, 0)
        code.jump(done, JUMP_EQUAL)
        self._vectors_of_a_panel()
        code.subtract_register(RAX, RDX)
        code.store(at(FrameWords.VECTORS_LEFT), RAX)
        code.store(at(FrameWords.PANEL_LEFT), RDX)
        code.multiply(RDX, RDX, self.width)
        code.load(RDI, at(FrameWords.TARGET))
        code.store(at(FrameWords.PLACE), RDI)
        code.place(vectors)
        self._squares()
        code.add(at(FrameWords.PLACE), self.width)
        code.add(at(FrameWords.PANEL_LEFT), -1)
        code.jump(vectors, JUMP_NOT_EQUAL)
        code.load(RAX, at(FrameWords.DEPTHS))
        code.multiply_registers(RAX, RDX)
        code.add_register(RAX, at(FrameWords.TARGET))
        code.store(at(FrameWords.TARGET), RAX)
        code.jump(panels)
        code.place(done)

    def _vectors_of_a_panel(self) -> None:
        """Set RDX to the vectors of the next panel, if RAX are left and not zero."""
        code, chosen = self.code, self.code.new_label()
        for number, condition, vectors in self.panels:
            code.constant(RDX, vectors)
            code.compare(RAX, number)
            code.jump(chosen, condition)
        code.place(chosen)

    def _squares(self) -> None:
        """Pack a vector of columns; RDX is the distance of rows in the panel, RBX that of columns of `b`."""
        code, at = self.code, FrameWords.at
        again, fits = code.new_label(), code.new_label()
        code.load(RSI, at(FrameWords.SOURCE))
        code.load(RDI, at(FrameWords.PLACE))
        code.load(R10, at(FrameWords.DEPTHS))
        code.multiply(R11, RBX, self.lanes)
        code.add_register(R11, RSI)  # what is packed next
        code.place(again)
        code.load(R8, at(FrameWords.COLUMNS_LEFT))
        code.load(R9, R10)
        code.compare(R9, self.lanes)
        code.jump(fits, JUMP_LESS_OR_EQUAL)
        code.constant(R9, self.lanes)
        code.place(fits)
        code.load(RCX, R9)
        code.constant(RAX, 1)
        code.shift_left_by_rcx(RAX)
        code.add(RAX, -1)
        code.set_mask(TAIL, RAX)
        pack_columns(code, self.size, ahead=R11)
        code.add(RSI, WIDTH)
        code.add(R11, self.lanes * WIDTH)
        code.multiply(RAX, RDX, self.lanes)
        code.add_register(RDI, RAX)
        code.add(R10, -self.lanes)
        code.compare(R10, 0)
        code.jump(again, JUMP_GREATER)
        code.multiply(RAX, RBX, self.lanes)
        code.add_register(RAX, at(FrameWords.SOURCE))
        code.store(at(FrameWords.SOURCE), RAX)
        code.add(at(FrameWords.COLUMNS_LEFT), -self.lanes)
