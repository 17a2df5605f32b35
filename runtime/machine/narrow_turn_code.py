"""Copies of transposed arrays, as in `turn_code.py`, by vectors of AVX2; and the squares that they consist of."""

from __future__ import annotations

from collections.abc import Callable

from .assembler import JUMP_NOT_EQUAL, R12, R13, R14, R15, RAX, RBX, RDI, RDX, RSI, Memory
from .frame_words import FrameWords
from .narrow_assembler import NarrowAssembler
from .product_blocks import exchanged
from .turn_code import TurnCode


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
