"""Many small matrices side by side, as in `stack_code.py`, on the 16 registers of AVX2.

Matrices are moved to working memory and back in squares of rows and columns that are exchanged. The last group of
matrices begins earlier where the matrices do not fill it; there are as many as a vector has elements, or more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .assembler import (
    JUMP_LESS,
    JUMP_NOT_EQUAL,
    MAP_0F3A,
    P66,
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
    Form,
    Memory,
    Pooled,
)
from .elimination_sizes import INVERSES, SYMMETRIC
from .narrow_assembler import COMPARE, SIGNS, NarrowAssembler
from .narrow_turn_code import exchange_square
from .stack_code import AND, GREATER, THERE, StackCode
from .wide_assembler import ADD, EXCLUSIVE_OR, JUMP_GREATER_OR_EQUAL, LOAD, MULTIPLY, STORE

CHOOSE = {4: Form(P66, MAP_0F3A, 0x4A), 8: Form(P66, MAP_0F3A, 0x4B)}
"""Elements of the first vector, or of the second one where a third one is negative."""


class NarrowStackCode(StackCode):
    """Writes the code of one function."""

    assembler = NarrowAssembler
    base = R11
    held = 8
    moved, other, factor, value, zeros, sign, largest, ones = range(8, 16)
    seen, swapped = largest, factor

    def _constants(self) -> None:
        """Most are operands in memory. Groups are as large as a vector."""
        code, dtype = self.code, np.dtype(f"f{self.size}")
        signs = np.full(self.lanes, -0.0, dtype).tobytes()
        constants: dict[str, Any] = {
            "sign_bits": signs, "signless": bytes(byte ^ 255 for byte in signs),
            "halves": np.full(self.lanes, 0.5, dtype).tobytes(),
            "tiny": np.full(self.lanes, 64 * np.finfo(dtype).eps, dtype).tobytes(),
        }  # fmt: skip
        for name, content in constants.items():
            setattr(self, name, Pooled(content))
        code.set_bits(THERE, (1 << self.lanes) - 1)
        code.compare(R15, self.lanes)
        code.jump(self.failed, JUMP_LESS)

    def _begin_group(self) -> None:
        code, whole = self.code, self.code.new_label()
        code.compare(R15, self.lanes)
        code.jump(whole, JUMP_GREATER_OR_EQUAL)
        code.load(RCX, R15)
        code.add(RCX, -self.lanes)
        for pointer, position in self.pointers:
            code.multiply(RAX, RCX, self.elements[position] * self.size)
            code.add_register(pointer, RAX)
        code.place(whole)

    def _a(self, row: int, column: int) -> Memory:
        return super()._a(*((column, row) if self.transposed else (row, column)))

    def _move(self, pointer: int, elements: int, first: int, inwards: bool) -> None:
        """Move so many elements of each matrix to working memory, from a number of vectors on, or back."""
        code, size, count = self.code, self.size, min(elements, self.lanes)
        for start in [*range(0, elements - self.lanes, self.lanes), elements - count]:
            there, here = Memory(pointer, start * size), Memory(self.base, (first + start) * self.width)
            ends = [(there, elements * size), (here, self.width)]
            for (address, step), (place, apart) in zip(
                ((RSI, RBX), (RDI, RDX)), ends if inwards else ends[::-1], strict=True
            ):
                code.address(address, place)
                code.constant(step, apart)
            exchange_square(code, size, *((self.lanes, count, self.lanes) if inwards else (count, self.lanes, count)))

    def _load(self) -> None:
        code, rows, columns = self.code, self.rows, self.columns
        self._move(R12, rows * rows, 0, inwards=True)
        if columns and self.kind not in INVERSES:
            self._move(R13, rows * columns, rows * rows, inwards=True)
        code.clear(self.zeros)
        code.vector(LOAD[4], self.ones, 0, Pooled(np.ones(self.lanes, f"f{self.size}").tobytes()))
        for i in range(rows):
            for j in range(columns if self.kind in INVERSES else 0):
                self._do(STORE, self.ones if i == j else self.zeros, 0, self._b(i, j))
            for j in range(i if self.kind in SYMMETRIC else 0):
                self._do(LOAD, self.value, 0, self._a(i, j))
                self._do(ADD, self.value, self.value, self._a(j, i))
                self._do(MULTIPLY, self.value, self.value, self.halves)
                self._do(STORE, self.value, 0, self._a(i, j))

    def _refuse(self, first: int, second: int, condition: int) -> None:
        self._do(COMPARE, self.value, first, second, immediate=condition)
        self._do(SIGNS, RAX, 0, self.value)
        self.code.compare(RAX, 0)
        self.code.jump(self.failed, JUMP_NOT_EQUAL)

    def _choose(self) -> None:
        self._do(COMPARE, self.swapped, self.other, self.value, immediate=GREATER)
        self.code.wide(AND, self.value, self.swapped, self.sign_bits)
        self.code.wide(EXCLUSIVE_OR, self.sign, self.sign, self.value)

    def _swap(self, register: int) -> None:
        for target, first, second in ((self.moved, self.other, register), (register, register, self.other)):
            self._do(CHOOSE, target, first, second, immediate=self.swapped << 4)

    def _deliver(self) -> None:
        self.code.clear(self.seen)
        super()._deliver()
        if self.kind != "determinant":
            self._move(R14, self.elements[self.out], self._first(), inwards=False)

    def _first(self) -> int:
        """The vectors before results in working memory."""
        return 0 if self.kind in ("cholesky", "pivots") else self.rows**2

    def _scatter(self, register: int, element: int) -> None:
        self._do(STORE, register, 0, Memory(self.base, (self._first() + element) * self.width))
