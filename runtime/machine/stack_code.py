"""The code of solutions, inverses, factors and determinants of many small matrices: a vector holds one element of each
of them, so that all are computed side by side.

Elements are gathered from the matrices and scattered to the results. Rows are exchanged where a mask says so: each row
below the pivot's in turn, so that the largest number comes up. Lanes without a matrix hold the identity.
"""

from __future__ import annotations

import math

import numpy as np

from .assembler import (
    JUMP_NOT_EQUAL,
    MAP_0F,
    MAP_0F38,
    NONE,
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
from .elimination_sizes import EliminationSizes
from .fixed_boundary import COUNT, FixedBoundary
from .product_boundary import FrameWords
from .vector_assembler import VectorAssembler
from .wide_assembler import (
    EXCLUSIVE_OR,
    JUMP_GREATER,
    JUMP_GREATER_OR_EQUAL,
    LOAD,
    MULTIPLY_ADD,
    STORE,
    WIDTH,
)

GATHER = {4: Form(P66, MAP_0F38, 0x92), 8: Form(P66, MAP_0F38, 0x92, 1)}
SCATTER = {4: Form(P66, MAP_0F38, 0xA2), 8: Form(P66, MAP_0F38, 0xA2, 1)}
SUBTRACT_PRODUCT = {4: Form(P66, MAP_0F38, 0xBC), 8: Form(P66, MAP_0F38, 0xBC, 1)}
ADD, MULTIPLY, DIVIDE, MAXIMUM, ROOT, COMPARE = (
    {4: Form(NONE, MAP_0F, number), 8: Form(P66, MAP_0F, number, 1)} for number in (0x58, 0x59, 0x5E, 0x5F, 0x51, 0xC2)
)
AND = Form(P66, MAP_0F, 0xDB)
GREATER, NOT_GREATER, UNORDERED, EQUAL_OR_UNORDERED = 0x1E, 0x1A, 0x03, 0x08
THERE, TAKEN, SWAPPED = (
    1,
    2,
    3,
)  # masks: lanes with a matrix; a copy, which gathers clear; lanes whose rows change places
# Registers beside those of a row and its right-hand sides, which are 0 to 15:
OTHER, MOVED, FACTOR, VALUE = 16, 17, 18, 19
ONES, ZEROS, HALVES, SIGNLESS, SIGN_BITS, LARGEST, SIGN, SEEN, TINY = range(20, 29)
PLACES = (29, 30, 31)  # the distances of the lanes' matrices, right-hand sides and results, in elements


class StackCode:
    """Writes the code of one function, as `elimination.py` says, for matrices of at most eight rows and columns."""

    def __init__(self, kind: str, transposed: bool, sizes: EliminationSizes) -> None:
        shapes, lead = sizes.shapes(kind), len(sizes.lead)
        self.code = VectorAssembler()
        self.kind, self.transposed, self.rows, self.columns = kind, transposed, sizes.rows, sizes.columns
        self.size = sizes.size
        self.lanes = WIDTH // self.size
        self.out = len(shapes) - 1
        work = sizes.rows**2 * (sizes.rows + sizes.columns)
        dtype, written = np.dtype(sizes.dtype), {self.out, self.out + 1}
        self.boundary = FixedBoundary(self.code, dtype, [*shapes, (sizes.room,)], written, work)
        self.boundary.failed_word = FrameWords.PLACE
        self.elements = [math.prod(shape[lead:]) for shape in shapes]  # type: ignore[arg-type]
        self.failed = self.code.new_label()

    def assemble(self) -> bytes:
        """The function's code."""
        code, at = self.code, FrameWords.at
        again, whole, done = (code.new_label() for _ in range(3))
        self.boundary.enter()
        code.load(RBX, at(self.out + 1))
        code.add(RBX, WIDTH - 1)
        code.bit_and(RBX, -WIDTH)
        pointers = (R12, R13, R14)
        for pointer, position in zip(pointers, (0, 1, self.out), strict=True):
            code.load(pointer, at(position))
        code.load(R15, at(COUNT))
        self._constants()
        code.place(again)
        code.constant(RAX, -1)
        code.compare(R15, self.lanes)
        code.jump(whole, JUMP_GREATER_OR_EQUAL)
        code.load(RCX, R15)
        code.constant(RAX, 1)
        code.shift_left_by_rcx(RAX)
        code.add(RAX, -1)
        code.place(whole)
        code.set_mask(THERE, RAX)
        self._load()
        {"cholesky": self._factor, "lower": self._substitute, "upper": self._substitute}.get(
            self.kind, self._eliminate
        )()
        self._deliver()
        for pointer, position in zip(pointers, (0, 1, self.out), strict=True):
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

    # Elements

    def _a(self, row: int, column: int) -> Memory:
        """Where an element of all matrices is."""
        return Memory(RBX, (row * self.rows + column) * WIDTH)

    def _b(self, row: int, column: int) -> Memory:
        """Where an element of the right-hand sides is."""
        return Memory(RBX, (self.rows**2 + row * self.columns + column) * WIDTH)

    def _do(self, forms: dict[int, Form], register: int, first: int, second: int | Memory, **how: int) -> None:
        self.code.wide(forms[self.size], register, first, second, **how)  # type: ignore[arg-type]

    def _constants(self) -> None:
        """Load what all rounds need."""
        code, dtype = self.code, np.float32 if self.size == 4 else np.float64
        signs = np.full(self.lanes, -0.0, dtype).tobytes()
        for register, content in (
            (ONES, np.ones(self.lanes, dtype).tobytes()), (HALVES, np.full(self.lanes, 0.5, dtype).tobytes()),
            (TINY, np.full(self.lanes, 64 * np.finfo(dtype).eps, dtype).tobytes()), (SIGN_BITS, signs),
            (SIGNLESS, bytes(byte ^ 255 for byte in signs)),
            *(
                (register, (np.arange(16, dtype=np.int32) * self.elements[position]).astype(np.int32).tobytes())
                for register, position in zip(PLACES, (0, 1, self.out), strict=True)
            ),
        ):  # fmt: skip
            code.vector(LOAD[self.size], register, 0, Pooled(content))
        for register in (ZEROS, SEEN):
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
        rows, columns, symmetric = self.rows, self.columns, self.kind == "cholesky"
        for i in range(rows):
            for j in range(i + 1) if symmetric else range(rows):
                row, column = (j, i) if self.transposed else (i, j)
                if (self.kind == "lower" and column > row) or (self.kind == "upper" and column < row):
                    continue
                self._gather(VALUE, R12, PLACES[0], row * rows + column, ONES if i == j else ZEROS)
                if symmetric and i != j:
                    self._gather(OTHER, R12, PLACES[0], column * rows + row, ZEROS)
                    self._do(ADD, VALUE, VALUE, OTHER)
                    self._do(MULTIPLY, VALUE, VALUE, HALVES)
                self._do(STORE, VALUE, 0, self._a(i, j))
        for i in range(rows):
            for j in range(columns):
                value = VALUE
                if self.kind == "inverse":
                    value = ONES if i == j else ZEROS
                else:
                    self._gather(VALUE, R13, PLACES[1], i * columns + j, ZEROS)
                self._do(STORE, value, 0, self._b(i, j))

    def _refuse(self, mask: int) -> None:
        """Give up if a lane of the mask is set."""
        self.code.get_mask(RAX, mask)
        self.code.compare(RAX, 0)
        self.code.jump(self.failed, JUMP_NOT_EQUAL)

    def _refuse_tiny(self, register: int) -> None:
        """Give up if a number is not positive, or tiny beside the largest of its matrix so far."""
        self._do(MAXIMUM, LARGEST, LARGEST, register)
        self._do(MULTIPLY, VALUE, LARGEST, TINY)
        self._do(COMPARE, SWAPPED, register, VALUE, immediate=NOT_GREATER)
        self._refuse(SWAPPED)

    # Elimination

    def _eliminate(self) -> None:
        """Gauss and Jordan's elimination with partial pivoting; for determinants, of the rows below alone."""
        code, rows, columns = self.code, self.rows, self.columns
        below = self.kind in ("determinant", "pivots")
        code.clear(LARGEST)
        self._do(LOAD, SIGN, 0, ONES)
        for k in range(rows):
            row = [(register, j) for register, j in enumerate(range(k, rows))]
            sides = [(len(row) + j, j) for j in range(columns)]
            for register, j in row:
                self._do(LOAD, register, 0, self._a(k, j))
            for register, j in sides:
                self._do(LOAD, register, 0, self._b(k, j))
            for i in range(k + 1, rows):
                self._exchange(i, row, sides)
            code.wide(AND, FACTOR, 0, SIGNLESS)
            self._refuse_tiny(FACTOR)
            if below:
                self._do(MULTIPLY, SIGN, SIGN, 0)  # becomes the determinant
                self._do(STORE, 0, 0, self._a(k, k))
            self._do(DIVIDE, FACTOR, ONES, 0)
            for register, _ in [*row[1:], *sides]:
                self._do(MULTIPLY, register, register, FACTOR)
            for i in range(k + 1 if below else 0, rows):
                if i == k:
                    continue
                self._do(LOAD, FACTOR, 0, self._a(i, k))
                places = [(register, self._a(i, j)) for register, j in row[1:]]
                for register, place in [*places, *((register, self._b(i, j)) for register, j in sides)]:
                    self._do(LOAD, OTHER, 0, place)
                    self._do(SUBTRACT_PRODUCT, OTHER, FACTOR, register)
                    self._do(STORE, OTHER, 0, place)
            if not below:
                for register, place in [
                    *((register, self._a(k, j)) for register, j in row[1:]),
                    *((register, self._b(k, j)) for register, j in sides),
                ]:
                    self._do(STORE, register, 0, place)

    def _exchange(self, i: int, row: list[tuple[int, int]], sides: list[tuple[int, int]]) -> None:
        """Exchange the pivot's row, which is in registers, and row i where its first number is larger."""
        code = self.code
        first = row[0][1]
        code.wide(AND, VALUE, 0, SIGNLESS)
        self._do(LOAD, OTHER, 0, self._a(i, first))
        code.wide(AND, OTHER, OTHER, SIGNLESS)
        self._do(COMPARE, SWAPPED, OTHER, VALUE, immediate=GREATER)
        flip = EXCLUSIVE_OR._replace(wide=int(self.size == 8))
        code.wide(flip, SIGN, SIGN, SIGN_BITS, mask=SWAPPED, keep=True)
        places = [(register, self._a(i, j)) for register, j in row]
        for register, place in [*places, *((register, self._b(i, j)) for register, j in sides)]:
            self._do(LOAD, OTHER, 0, place)
            self._do(LOAD, MOVED, 0, OTHER)
            self._do(LOAD, MOVED, 0, register, mask=SWAPPED, keep=True)
            self._do(LOAD, register, 0, OTHER, mask=SWAPPED, keep=True)
            self._do(STORE, MOVED, 0, place)

    # Triangles

    def _substitute(self) -> None:
        """The solution of triangular equations, row by row."""
        rows, columns = self.rows, self.columns
        downwards = (self.kind == "lower") != self.transposed
        order = list(range(rows))[:: 1 if downwards else -1]
        for number, i in enumerate(order):
            self._do(LOAD, FACTOR, 0, self._a(i, i))
            self._do(COMPARE, SWAPPED, FACTOR, ZEROS, immediate=EQUAL_OR_UNORDERED)
            self._refuse(SWAPPED)
            self._do(DIVIDE, FACTOR, ONES, FACTOR)
            for j in range(columns):
                self._do(LOAD, j, 0, self._b(i, j))
            for k in order[:number]:
                self._do(LOAD, OTHER, 0, self._a(i, k))
                for j in range(columns):
                    self._do(SUBTRACT_PRODUCT, j, OTHER, self._b(k, j))
            for j in range(columns):
                self._do(MULTIPLY, j, j, FACTOR)
                self._do(STORE, j, 0, self._b(i, j))

    def _factor(self) -> None:
        """The Cholesky factor, in place of the lower triangle."""
        self.code.clear(LARGEST)
        for j in range(self.rows):
            for i in range(j, self.rows):
                self._do(LOAD, 0, 0, self._a(i, j))
                for k in range(j):
                    self._do(LOAD, 1, 0, self._a(j, k))
                    self._do(SUBTRACT_PRODUCT, 0, 1, self._a(i, k))
                if i == j:
                    self._refuse_tiny(0)
                    self._do(ROOT, 0, 0, 0)
                    self._do(DIVIDE, FACTOR, ONES, 0)
                else:
                    self._do(MULTIPLY, 0, 0, FACTOR)
                self._do(STORE, 0, 0, self._a(i, j))

    # Results

    def _deliver(self) -> None:
        """Scatter the results; give up if some are not finite."""
        rows, columns = self.rows, self.columns
        if self.kind == "determinant":
            self._see(SIGN)
            self._do(STORE, SIGN, 0, Memory(R14), mask=THERE)
        elif self.kind == "pivots":  # all positive ones first have the determinant's sign
            self._sign()
        else:
            wide = rows if self.kind == "cholesky" else columns
            for i in range(rows):
                for j in range(wide):
                    register = VALUE
                    if self.kind == "cholesky" and j > i:
                        register = ZEROS
                    else:
                        self._do(LOAD, VALUE, 0, (self._a if self.kind == "cholesky" else self._b)(i, j))
                        self._see(VALUE)
                    self._scatter(register, i * wide + j)
        self._do(COMPARE, SWAPPED, SEEN, SEEN, immediate=UNORDERED)
        self._refuse(SWAPPED)

    def _sign(self) -> None:
        """Scatter the absolute values of the pivots, but the first one with the determinant's sign."""
        code = self.code
        for k in range(self.rows):
            self._do(LOAD, VALUE, 0, self._a(k, k))
            self._see(VALUE)
            code.wide(AND, VALUE, VALUE, SIGNLESS)
            if k == 0:
                code.wide(AND, OTHER, SIGN, SIGN_BITS)
                code.wide(EXCLUSIVE_OR, VALUE, VALUE, OTHER)
            self._scatter(VALUE, k)

    def _see(self, register: int) -> None:
        self._do(MULTIPLY_ADD, SEEN, register, ZEROS)

    def _scatter(self, register: int, element: int) -> None:
        """Store an element of each result."""
        self.code.copy_mask(TAKEN, THERE)
        place = Memory(R14, element * self.size, PLACES[2], self.size)
        self.code.vector(SCATTER[self.size], register, 0, place, mask=TAKEN, keep=True)
