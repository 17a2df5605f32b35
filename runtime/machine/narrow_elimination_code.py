"""Solutions, inverses and Cholesky factors, as in `elimination_code.py`, on the 16 registers of AVX2.

A block has four rows. Masks are constants, so the code for the pivots of a square is written row by row.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .assembler import JUMP_NOT_EQUAL, MAP_0F3A, P66, R9, RAX, RCX, RDI, RDX, RSI, Form, Memory, Pooled
from .elimination_code import EliminationCode
from .elimination_panels import AND, LOADED, SPREAD, STORED
from .elimination_sizes import NUMBER
from .narrow_assembler import COMPARE, SIGNS, UNORDERED, NarrowAssembler
from .wide_assembler import ADD, MULTIPLY, SUBTRACT_PRODUCT

BLEND = Form(P66, MAP_0F3A, 0x0D)
FACTORS, ELEMENT = 12, 15  # registers: vectors of the block's rows, and an element of a factor


class NarrowEliminationCode(EliminationCode):
    """Writes the code of one function."""

    assembler = NarrowAssembler

    def set_masks(self) -> None:
        """Blocks need none."""

    def _each_pivot(self, body: Callable[[], None]) -> None:
        for row in range(self.lanes):
            self.row = row
            body()

    def _load_beyond(self) -> None:
        self.code.vector(LOADED, 2, 0, Memory(R9))
        self._clear_before(2, self.row + 1)

    def _keep_factor(self) -> None:
        self.code.vector(BLEND, 3, 3, 4, 1 << self.row)

    def _clear_before(self, register: int, column: int) -> None:
        kept = np.arange(self.lanes) >= column
        self.code.vector(AND, register, register, Pooled((-kept.astype(np.int64)).tobytes()))

    def _begin_row(self, row: int) -> None:
        """There is no mask."""

    def _scale(self, register: int, factor: Memory, row: int) -> None:
        self.code.wide(MULTIPLY[NUMBER], register, register, factor, spread=NUMBER)
        self._clear_before(register, row)

    def _add_block(self, vectors: int) -> None:
        code, again = self.code, self.code.new_label()
        places = [Memory(RDX, row * self.stride + v * self.width) for row in range(self.lanes) for v in range(vectors)]
        for register in range(len(places)):
            code.clear(register)
        code.place(again)
        for k in range(self.lanes):
            for v in range(vectors):
                code.vector(LOADED, FACTORS + v, 0, Memory(RSI, k * self.stride + v * self.width))
            for row in range(self.lanes):
                code.wide(SPREAD, ELEMENT, 0, Memory(RDI, row * self.step + k * self.factor_step), spread=NUMBER)
                for v in range(vectors):
                    code.vector(SUBTRACT_PRODUCT[NUMBER], row * vectors + v, FACTORS + v, ELEMENT)
        code.add(RSI, self.block)
        code.add(RDI, self.lanes * self.factor_step)
        code.add(RCX, -self.lanes)
        code.jump(again, JUMP_NOT_EQUAL)
        for register, place in enumerate(places):
            code.vector(ADD[NUMBER], register, register, place)
            code.vector(STORED, register, 0, place)

    def _refuse_infinite(self, register: int) -> None:
        code = self.code
        code.vector(COMPARE[NUMBER], register, register, register, UNORDERED)
        code.vector(SIGNS[NUMBER], RAX, 0, register)
        code.compare(RAX, 0)
        code.jump(self.singular, JUMP_NOT_EQUAL)
