"""The code of solutions, inverses, factors and determinants of many small matrices: a vector holds one element of each
of them, so that all are computed side by side.

Elements are gathered from the matrices and scattered to the results. Rows are exchanged where a mask says so: each row
below the pivot's in turn, so that the largest number comes up. Lanes without a matrix hold the identity.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .assembler import (
    JUMP_NOT_EQUAL,
    MAP_0F,
    MAP_0F38,
    P66,
    R12,
    R13,
    R14,
    R15,
    RAX,
    RBX,
    RCX,
    Form,
    Memory,
    Pooled,
)
from .elimination_sizes import INVERSES, SYMMETRIC, EliminationSizes
from .fixed_boundary import COUNT, FixedBoundary
from .frame_words import FrameWords
from .vector_assembler import VectorAssembler
from .wide_assembler import (
    ADD,
    COMPARE,
    DIVIDE,
    EXCLUSIVE_OR,
    JUMP_GREATER,
    JUMP_GREATER_OR_EQUAL,
    LOAD,
    MAXIMUM,
    MULTIPLY,
    MULTIPLY_ADD,
    ROOT,
    STORE,
    SUBTRACT_PRODUCT,
    UNORDERED,
    WideAssembler,
)

GATHER = {4: Form(P66, MAP_0F38, 0x92), 8: Form(P66, MAP_0F38, 0x92, 1)}
SCATTER = {4: Form(P66, MAP_0F38, 0xA2), 8: Form(P66, MAP_0F38, 0xA2, 1)}
AND = Form(P66, MAP_0F, 0xDB)
GREATER, NOT_GREATER, EQUAL_OR_UNORDERED = 0x1E, 0x1A, 0x08
THERE, TAKEN, SWAPPED = (
    1,
    2,
    3,
)  # masks: lanes with a matrix; a copy, which gathers clear; lanes whose rows change places
PLACES = (29, 30, 31)  # registers: the distances of the lanes' matrices, right-hand sides and results, in elements


class StackCode:
    """Writes the code of one function, as `array_functions.py` says, for matrices of at most eight rows and columns."""

    assembler: type[WideAssembler] = VectorAssembler
    base = RBX  # points to working memory
    # Registers. The first ones hold a row and its right-hand sides, as many as there are.
    held = 16
    other, moved, factor, value = 16, 17, 18, 19
    ones, zeros, halves, signless, sign_bits, largest, sign, seen, tiny = range(20, 29)

    def __init__(self, kind: str, transposed: bool, sizes: EliminationSizes) -> None:
        shapes, lead = sizes.shapes(kind), len(sizes.lead)
        self.code: Any = self.assembler()
        self.kind, self.transposed, self.rows, self.columns = kind, transposed, sizes.rows, sizes.columns
        self.size = sizes.size
        self.width = self.code.width
        self.lanes = self.width // self.size
        self.out = len(shapes) - 1
        work = sizes.rows**2 * (sizes.rows + sizes.columns)
        dtype, written = np.dtype(sizes.dtype), set(range(1 if sizes.stacked else self.out, self.out + 2))
        self.boundary = FixedBoundary(self.code, dtype, [*shapes, (sizes.room,)], written, work)
        self.boundary.failed_word = FrameWords.PLACE
        self.elements = [math.prod(shape[lead:]) for shape in shapes]  # type: ignore[arg-type]
        self.pointers = [(R12, 0), (R13, 1), (R14, self.out)]
        self.failed = self.code.new_label()

    def assemble(self) -> bytes:
        """The function's code."""
        code, at = self.code, FrameWords.at
        again, done = code.new_label(), code.new_label()
        self.boundary.enter()
        code.load(self.base, at(self.out + 1))
        code.add(self.base, self.width - 1)
        code.bit_and(self.base, -self.width)
        for pointer, position in self.pointers:
            code.load(pointer, at(position))
        code.load(R15, at(COUNT))
        self._constants()
        code.place(again)
        self._begin_group()
        self._load()
        compute = {"cholesky": self._factor, "lower": self._substitute, "upper": self._substitute}
        if self.rows <= 3:
            compute["adjugate"] = self._cofactors
        compute.get(self.kind, self._eliminate)()
        self._deliver()
        for pointer, position in self.pointers:
            code.add(pointer, self.elements[position] * self.lanes * self.size)
        code.add(R15, -self.lanes)
        code.jump(again, JUMP_GREATER)
        code.store_number(at(FrameWords.PLACE), 0)
        code.jump(done)
        code.place(self.failed)
        code.store_number(at(FrameWords.PLACE), 1)
        code.place(done)
        self.boundary.leave()
        return code.finish()

    def _begin_group(self) -> None:
        """Set the mask of the lanes with a matrix."""
        code, whole = self.code, self.code.new_label()
        code.constant(RAX, -1)
        code.compare(R15, self.lanes)
        code.jump(whole, JUMP_GREATER_OR_EQUAL)
        code.load(RCX, R15)
        code.constant(RAX, 1)
        code.shift_left_by_rcx(RAX)
        code.add(RAX, -1)
        code.place(whole)
        code.set_mask(THERE, RAX)

    # Elements

    def _a(self, row: int, column: int) -> Memory:
        """Where an element of all matrices is."""
        return Memory(self.base, (row * self.rows + column) * self.width)

    def _b(self, row: int, column: int) -> Memory:
        """Where an element of the right-hand sides is."""
        return Memory(self.base, (self.rows**2 + row * self.columns + column) * self.width)

    def _do(self, forms: dict[int, Form], register: int, first: int, second: int | Memory, **how: int) -> None:
        self.code.wide(forms[self.size], register, first, second, **how)

    def _constants(self) -> None:
        """Load what all rounds need."""
        code, dtype = self.code, np.float32 if self.size == 4 else np.float64
        signs = np.full(self.lanes, -0.0, dtype).tobytes()
        for register, content in (
            (self.ones, np.ones(self.lanes, dtype).tobytes()), (self.halves, np.full(self.lanes, 0.5, dtype).tobytes()),
            (self.tiny, np.full(self.lanes, 64 * np.finfo(dtype).eps, dtype).tobytes()), (self.sign_bits, signs),
            (self.signless, bytes(byte ^ 255 for byte in signs)),
            *(
                (register, (np.arange(16, dtype=np.int32) * self.elements[position]).astype(np.int32).tobytes())
                for register, position in zip(PLACES, (0, 1, self.out), strict=True)
            ),
        ):  # fmt: skip
            code.vector(LOAD[self.size], register, 0, Pooled(content))
        for register in (self.zeros, self.seen):
            code.clear(register)

    def _gather(self, register: int, base: int, places: int, element: int, absent: int) -> None:
        """Load an element of each matrix; lanes without one get what another register has."""
        code = self.code
        self._do(LOAD, register, 0, absent)
        code.copy_mask(TAKEN, THERE)
        place = Memory(base, element * self.size, places, self.size)
        code.vector(GATHER[self.size], register, 0, place, mask=TAKEN, keep=True)

    def _load(self) -> None:
        """Gather the matrices and the right-hand sides."""
        rows, columns, symmetric = self.rows, self.columns, self.kind in SYMMETRIC
        for i in range(rows):
            for j in range(i + 1) if symmetric else range(rows):
                row, column = (j, i) if self.transposed else (i, j)
                if (self.kind == "lower" and column > row) or (self.kind == "upper" and column < row):
                    continue
                self._gather(self.value, R12, PLACES[0], row * rows + column, self.ones if i == j else self.zeros)
                if symmetric and i != j:
                    self._gather(self.other, R12, PLACES[0], column * rows + row, self.zeros)
                    self._do(ADD, self.value, self.value, self.other)
                    self._do(MULTIPLY, self.value, self.value, self.halves)
                self._do(STORE, self.value, 0, self._a(i, j))
        for i in range(rows):
            for j in range(columns):
                value = self.value
                if self.kind in INVERSES:
                    value = self.ones if i == j else self.zeros
                else:
                    self._gather(self.value, R13, PLACES[1], i * columns + j, self.zeros)
                self._do(STORE, value, 0, self._b(i, j))

    def _refuse(self, first: int, second: int, condition: int) -> None:
        """Give up if the condition holds in a lane."""
        self._do(COMPARE, SWAPPED, first, second, immediate=condition)
        self.code.get_mask(RAX, SWAPPED)
        self.code.compare(RAX, 0)
        self.code.jump(self.failed, JUMP_NOT_EQUAL)

    def _refuse_tiny(self, register: int) -> None:
        """Give up if a number is not positive, or tiny beside the largest of its matrix so far."""
        self._do(MAXIMUM, self.largest, self.largest, register)
        self._do(MULTIPLY, self.value, self.largest, self.tiny)
        self._refuse(register, self.value, NOT_GREATER)

    # Elimination

    def _eliminate(self) -> None:
        """Gauss and Jordan's elimination with partial pivoting; for determinants, of the rows below alone."""
        code, rows = self.code, self.rows
        below = self.kind in ("determinant", "pivots")
        code.clear(self.largest)
        self._do(LOAD, self.sign, 0, self.ones)
        for k in range(rows):
            row = self._row(k, k)
            held = [number if number < self.held else place for number, place in enumerate(row)]
            registers = list(zip(range(self.held), row, strict=False))
            for register, place in registers:
                self._do(LOAD, register, 0, place)
            for i in range(k + 1, rows):
                self._exchange(held, self._row(i, k))
            code.wide(AND, self.factor, 0, self.signless)
            self._refuse_tiny(self.factor)
            if below or self.kind == "adjugate":
                self._do(MULTIPLY, self.sign, self.sign, 0)  # becomes the determinant
            if below:
                self._do(STORE, 0, 0, row[0])
            self._do(DIVIDE, self.factor, self.ones, 0)
            for register, _ in registers[1:]:
                self._do(MULTIPLY, register, register, self.factor)
            for place in row[self.held :]:
                self._do(MULTIPLY, self.value, self.factor, place)
                self._do(STORE, self.value, 0, place)
            for i in range(k + 1 if below else 0, rows):
                if i == k:
                    continue
                first, *places = self._row(i, k)
                self._do(LOAD, self.factor, 0, first)
                for operand, place in zip(held[1:], places, strict=True):
                    self._do(LOAD, self.other, 0, place)
                    self._do(SUBTRACT_PRODUCT, self.other, self.factor, operand)
                    self._do(STORE, self.other, 0, place)
            if not below:
                for register, place in registers[1:]:
                    self._do(STORE, register, 0, place)

    def _row(self, i: int, first: int) -> list[Memory]:
        """Where a row is, from a column on, and its right-hand sides."""
        return [
            *(self._a(i, j) for j in range(first, self.rows)), *(self._b(i, j) for j in range(self.columns))
        ]  # fmt: skip

    def _exchange(self, held: list[int | Memory], places: list[Memory]) -> None:
        """Exchange the pivot's row, which is in registers or memory, and another where its first number is larger."""
        self.code.wide(AND, self.value, 0, self.signless)
        self._do(LOAD, self.other, 0, places[0])
        self.code.wide(AND, self.other, self.other, self.signless)
        self._choose()
        for operand, place in zip(held, places, strict=True):
            register = operand if isinstance(operand, int) else self.value
            if register != operand:
                self._do(LOAD, register, 0, operand)
            self._do(LOAD, self.other, 0, place)
            self._swap(register)
            self._do(STORE, self.moved, 0, place)
            if register != operand:
                self._do(STORE, register, 0, operand)

    def _choose(self) -> None:
        """Choose the lanes where a number is larger than the pivot; their determinant changes its sign."""
        self._do(COMPARE, SWAPPED, self.other, self.value, immediate=GREATER)
        flip = EXCLUSIVE_OR._replace(wide=int(self.size == 8))
        self.code.wide(flip, self.sign, self.sign, self.sign_bits, mask=SWAPPED, keep=True)

    def _swap(self, register: int) -> None:
        """Exchange two vectors in these lanes; one of them moves to another register."""
        self._do(LOAD, self.moved, 0, self.other)
        self._do(LOAD, self.moved, 0, register, mask=SWAPPED, keep=True)
        self._do(LOAD, register, 0, self.other, mask=SWAPPED, keep=True)

    def _cofactors(self) -> None:
        """The transposed cofactors of up to three rows, also of singular matrices."""
        size, value = self.rows, self.value
        self._do(LOAD, self.sign, 0, self.ones)  # what they are multiplied with
        for i in range(size):
            for j in range(size):
                if size == 1:
                    self._do(LOAD, value, 0, self.ones)
                elif size == 2:
                    self._do(LOAD, value, 0, self._a(1 - j, 1 - i))
                    if i != j:
                        self.code.wide(EXCLUSIVE_OR, value, value, self.sign_bits)
                else:
                    (a, b), (c, d) = [[self._a((j + m) % 3, (i + n) % 3) for n in (1, 2)] for m in (1, 2)]
                    self._do(LOAD, value, 0, a)
                    self._do(MULTIPLY, value, value, d)
                    self._do(LOAD, self.other, 0, b)
                    self._do(SUBTRACT_PRODUCT, value, self.other, c)
                self._do(STORE, value, 0, self._b(i, j))

    # Triangles

    def _substitute(self) -> None:
        """The solution of triangular equations, row by row."""
        rows, columns = self.rows, self.columns
        downwards = (self.kind == "lower") != self.transposed
        order = list(range(rows))[:: 1 if downwards else -1]
        for number, i in enumerate(order):
            self._do(LOAD, self.factor, 0, self._a(i, i))
            self._refuse(self.factor, self.zeros, EQUAL_OR_UNORDERED)
            self._do(DIVIDE, self.factor, self.ones, self.factor)
            for j in range(columns):
                self._do(LOAD, j, 0, self._b(i, j))
            for k in order[:number]:
                self._do(LOAD, self.other, 0, self._a(i, k))
                for j in range(columns):
                    self._do(SUBTRACT_PRODUCT, j, self.other, self._b(k, j))
            for j in range(columns):
                self._do(MULTIPLY, j, j, self.factor)
                self._do(STORE, j, 0, self._b(i, j))

    def _factor(self) -> None:
        """The Cholesky factor, in place of the lower triangle."""
        self.code.clear(self.largest)
        for j in range(self.rows):
            for i in range(j, self.rows):
                self._do(LOAD, 0, 0, self._a(i, j))
                for k in range(j):
                    self._do(LOAD, 1, 0, self._a(j, k))
                    self._do(SUBTRACT_PRODUCT, 0, 1, self._a(i, k))
                if i == j:
                    self._refuse_tiny(0)
                    self._do(ROOT, 0, 0, 0)
                    self._do(DIVIDE, self.factor, self.ones, 0)
                else:
                    self._do(MULTIPLY, 0, 0, self.factor)
                self._do(STORE, 0, 0, self._a(i, j))

    # Results

    def _deliver(self) -> None:
        """Scatter the results; give up if some are not finite."""
        rows, columns = self.rows, self.columns
        if self.kind == "determinant":
            self._see(self.sign)
            self._do(STORE, self.sign, 0, Memory(R14), mask=THERE)
        elif self.kind == "pivots":  # all positive ones first have the determinant's sign
            self._sign()
        else:
            wide = rows if self.kind == "cholesky" else columns
            for i in range(rows):
                for j in range(wide):
                    register = self.value
                    if self.kind == "cholesky" and j > i:
                        register = self.zeros
                    else:
                        self._do(LOAD, self.value, 0, (self._a if self.kind == "cholesky" else self._b)(i, j))
                        if self.kind == "adjugate":
                            self._do(MULTIPLY, self.value, self.value, self.sign)
                        self._see(self.value)
                    self._scatter(register, i * wide + j)
        self._refuse(self.seen, self.seen, UNORDERED)

    def _sign(self) -> None:
        """Scatter the absolute values of the pivots, but the first one with the determinant's sign."""
        code = self.code
        for k in range(self.rows):
            self._do(LOAD, self.value, 0, self._a(k, k))
            self._see(self.value)
            code.wide(AND, self.value, self.value, self.signless)
            if k == 0:
                code.wide(AND, self.other, self.sign, self.sign_bits)
                code.wide(EXCLUSIVE_OR, self.value, self.value, self.other)
            self._scatter(self.value, k)

    def _see(self, register: int) -> None:
        self._do(MULTIPLY_ADD, self.seen, register, self.zeros)

    def _scatter(self, register: int, element: int) -> None:
        """Store an element of each result."""
        self._scatter_to(Memory(R14, element * self.size, PLACES[2], self.size), register)

    def _scatter_to(self, place: Memory, register: int) -> None:
        self.code.copy_mask(TAKEN, THERE)
        self.code.vector(SCATTER[self.size], register, 0, place, mask=TAKEN, keep=True)
