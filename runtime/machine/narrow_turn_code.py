"""Transposes in squares as wide as a vector of AVX2, and of elements of one or two bytes."""

from __future__ import annotations

from collections.abc import Callable

from .assembler import (
    JUMP_NOT_EQUAL,
    MAP_0F,
    NONE,
    P66,
    PF2,
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
from .frame_words import FrameWords
from .narrow_assembler import NarrowAssembler
from .product_blocks import exchanged
from .sizes import Shape
from .turn_code import TurnCode

LOAD_ONE, STORE = Form(PF2, MAP_0F, 0x10), Form(NONE, MAP_0F, 0x11)
UNPACK = {
    1: (Form(P66, MAP_0F, 0x60), Form(P66, MAP_0F, 0x68)),
    2: (Form(P66, MAP_0F, 0x61), Form(P66, MAP_0F, 0x69)),
}
"""By the bytes of an element: the first, or the last, ones of two vectors in turn."""


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
