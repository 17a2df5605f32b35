"""Eigenvalues and eigenvectors of small symmetric matrices, and singular values and vectors of square ones, by Jacobi's
rotations, many matrices side by side.

A rotation makes one element beside the diagonal zero. Sweeps over all of them go on until nothing is left to turn.
Matrices are scaled by a power of two first, so that squares neither overflow nor vanish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

import numpy as np

from .assembler import JUMP_EQUAL, JUMP_NOT_EQUAL, R13, R14, RAX, RCX, RDX, RSI, Memory, Pooled
from .elimination_sizes import EliminationSizes
from .stack_code import AND, GREATER, NOT_GREATER, PLACES, SWAPPED, StackCode
from .wide_assembler import (
    ADD,
    COMPARE,
    DIVIDE,
    EXCLUSIVE_OR,
    LOAD,
    MAXIMUM,
    MULTIPLY,
    MULTIPLY_ADD,
    ROOT,
    STORE,
    SUBTRACT,
    SUBTRACT_PRODUCT,
    UNORDERED,
)

SWEEPS = 15
"""At most; about five are usual."""
LEAST = 7  # the register of the smallest number that is turned away


class EigenCode(StackCode):
    """Writes the code of one function: eigenvalues rise, and eigenvectors are columns."""

    def _eliminate(self) -> None:
        """Turn the matrices until they are diagonal, and the identities with them; then sort."""
        self._sweep(lambda eps: eps / 64)
        for last in range(self.rows - 1, 0, -1):
            for i in range(last):
                self._sort(i, i + 1)

    def _sweep(self, least: Callable[[float], float]) -> None:
        """Scale the matrices, and turn until nothing is left. `least` gives what is turned away by the precision."""
        code, again, done = self.code, self.code.new_label(), self.code.new_label()
        kind = np.dtype(f"f{self.size}")
        for register, number in ((self.tiny, np.finfo(kind).tiny), (LEAST, least(float(np.finfo(kind).eps)))):
            if isinstance(register, int):
                code.vector(LOAD[self.size], register, 0, Pooled(np.full(self.lanes, number, kind).tobytes()))
        self._scale(np.full(self.lanes, np.inf, kind).tobytes())
        code.constant(RDX, SWEEPS)
        code.place(again)
        code.constant(RCX, 0)
        for p, q in combinations(range(self.rows), 2):
            self._rotate(p, q)
        code.compare(RCX, 0)
        code.jump(done, JUMP_EQUAL)
        code.add(RDX, -1)
        code.jump(again, JUMP_NOT_EQUAL)
        code.place(done)

    def _elements(self) -> list[Memory]:
        """Where the elements are that count."""
        return [self._a(i, j) for i in range(self.rows) for j in range(i + 1)]

    def _half(self, i: int, j: int) -> Memory:
        """Where an element of the lower triangle is."""
        return self._a(max(i, j), min(i, j))

    def _columns(self, i: int, j: int) -> list[tuple[Memory, Memory]]:
        """Where the elements of two eigenvectors are, if any are asked for."""
        return [(self._b(k, i), self._b(k, j)) for k in range(self.rows if self.columns else 0)]

    def _value(self, row: int) -> Memory:
        """Where values are, behind the matrices."""
        return Memory(self.base, (self.rows * (self.rows + self.columns) + row) * self.width)

    def _mark(self, first: int, second: int) -> None:
        """Mark the lanes in which a number is larger than another."""
        self._do(COMPARE, SWAPPED, first, second, immediate=GREATER)

    def _see_marked(self) -> None:
        """Compare the marks with none."""
        self.code.get_mask(RAX, SWAPPED)
        self.code.compare(RAX, 0)

    def _divide_marked(self, register: int, divisor: int) -> None:
        """Divide in the lanes marked; 0 in the others."""
        self._do(DIVIDE, register, register, divisor, mask=SWAPPED)

    def _scale(self, exponents: bytes) -> None:
        """Divide by the power of two in the largest number, which is kept."""
        places = self._elements()
        self._do(LOAD, self.largest, 0, self.tiny)
        for place in places:
            self._do(LOAD, 0, 0, place)
            self.code.wide(AND, 0, 0, self.signless)
            self._do(MAXIMUM, self.largest, 0, self.largest)
        self.code.vector(LOAD[self.size], 0, 0, Pooled(exponents))
        self.code.wide(AND, self.largest, self.largest, 0)
        self._do(DIVIDE, 1, self.ones, self.largest)
        for place in places:
            self._do(MULTIPLY, 0, 1, place)
            self._do(STORE, 0, 0, place)

    def _rotate(self, p: int, q: int) -> None:
        """Turn rows and columns p and q, unless their element is tiny in all matrices."""
        code, do, skip = self.code, self._do, self.code.new_label()
        do(LOAD, 0, 0, self._half(p, q))
        code.wide(AND, 1, 0, self.signless)
        self._mark(1, LEAST)
        self._see_marked()
        code.jump(skip, JUMP_EQUAL)
        do(LOAD, 2, 0, self._a(p, p))
        do(LOAD, 3, 0, self._a(q, q))
        self._angle()
        do(SUBTRACT_PRODUCT, 2, 1, 0)
        do(MULTIPLY_ADD, 3, 1, 0)
        do(STORE, 2, 0, self._a(p, p))
        do(STORE, 3, 0, self._a(q, q))
        do(STORE, self.zeros, 0, self._half(p, q))
        pairs = [(self._half(k, p), self._half(k, q)) for k in range(self.rows) if k not in (p, q)]
        self._turn(pairs + self._columns(p, q))
        code.place(skip)

    def _angle(self) -> None:
        """For the elements a in register 0, and those on the diagonal in 2 and 3: the tangent in 1, cosine 4, sine 5.

        The tangent is 2 a / (d ± sqrt(d² + 4 a²)), where d is the difference of the numbers on the diagonal.
        """
        code, do = self.code, self._do
        code.constant(RCX, 1)
        do(SUBTRACT, 4, 3, 2)
        code.wide(AND, 5, 4, self.sign_bits)
        code.wide(AND, 6, 4, self.signless)
        do(MULTIPLY, 4, 4, 4)
        do(ADD, 1, 0, 0)
        do(MULTIPLY_ADD, 4, 1, 1)
        do(ROOT, 4, 0, 4)
        do(ADD, 4, 4, 6)
        do(MAXIMUM, 4, 4, self.tiny)
        code.wide(EXCLUSIVE_OR, 1, 1, 5)
        self._divide_marked(1, 4)  # the tangent
        do(LOAD, 4, 0, self.ones)
        do(MULTIPLY_ADD, 4, 1, 1)
        do(ROOT, 4, 0, 4)
        do(DIVIDE, 4, self.ones, 4)  # the cosine
        do(MULTIPLY, 5, 1, 4)  # the sine

    def _turn(self, pairs: Iterable[tuple[Memory, Memory]]) -> None:
        do = self._do
        for first, second in pairs:
            do(LOAD, 0, 0, first)
            do(LOAD, 1, 0, second)
            do(MULTIPLY, 2, 4, 0)
            do(SUBTRACT_PRODUCT, 2, 5, 1)
            do(MULTIPLY, 3, 4, 1)
            do(MULTIPLY_ADD, 3, 5, 0)
            do(STORE, 2, 0, first)
            do(STORE, 3, 0, second)

    def _sort(self, i: int, j: int) -> None:
        """Exchange two eigenvalues and their eigenvectors where the first one is larger."""
        for first, second in [(self._a(i, i), self._a(j, j)), *self._columns(i, j)]:
            self._do(LOAD, self.value, 0, first)
            self._do(LOAD, self.other, 0, second)
            if first == self._a(i, i):
                self._mark(self.value, self.other)
            self._swap_to(first, second)

    def _swap_to(self, first: Memory, second: Memory) -> None:
        """Exchange two vectors that are loaded, in the lanes chosen, and store them."""
        self._swap(self.value)
        self._do(STORE, self.moved, 0, second)
        self._do(STORE, self.value, 0, first)

    def _deliver(self) -> None:
        """Scatter the eigenvalues, and the eigenvectors."""
        for i in range(self.rows):
            self._do(LOAD, self.value, 0, self._a(i, i))
            self._deliver_value(i)
        super()._deliver()

    def _deliver_value(self, row: int) -> None:
        self._do(MULTIPLY, self.value, self.value, self.largest)
        self._see(self.value)
        self._scatter_value(row)

    def _scatter_value(self, row: int) -> None:
        self._scatter_to(Memory(R13, row * self.size, PLACES[1], self.size), self.value)


class SingularCode(EigenCode):
    """The same for singular values, which fall, and the matrices beside them: columns are turned until they are
    orthogonal (after Hestenes, 1958). It gives up where one is tiny."""

    left = RSI  # points to U

    def __init__(self, kind: str, transposed: bool, sizes: EliminationSizes) -> None:
        super().__init__(kind, transposed, sizes)
        if sizes.columns:
            self.pointers.append((self.left, 2))

    def _elements(self) -> list[Memory]:
        return [self._a(i, j) for i in range(self.rows) for j in range(self.rows)]

    def _columns(self, i: int, j: int) -> list[tuple[Memory, Memory]]:
        return [(self._a(k, i), self._a(k, j)) for k in range(self.rows)] + super()._columns(i, j)

    def _eliminate(self) -> None:
        code, do, rows = self.code, self._do, self.rows
        self._sweep(lambda eps: 4 * rows * eps**2)
        code.compare(RCX, 0)
        code.jump(self.failed, JUMP_NOT_EQUAL)
        kind = np.dtype(f"f{self.size}")
        code.vector(LOAD[self.size], LEAST, 0, Pooled(np.full(self.lanes, np.finfo(kind).eps ** 2.5, kind).tobytes()))
        for j in range(rows):
            code.clear(2)
            for k in range(rows):
                do(LOAD, 0, 0, self._a(k, j))
                do(MULTIPLY_ADD, 2, 0, 0)
            self._refuse(2, LEAST, NOT_GREATER)
            do(ROOT, 2, 0, 2)
            do(STORE, 2, 0, self._value(j))
            do(DIVIDE, 1, self.ones, 2)
            for k in range(rows):
                do(MULTIPLY, 0, 1, self._a(k, j))
                do(STORE, 0, 0, self._a(k, j))
        for last in range(rows - 1, 0, -1):
            for i in range(last):
                values = self._value(i), self._value(i + 1)
                for first, second in [values, *self._columns(i, i + 1)]:
                    do(LOAD, self.value, 0, first)
                    do(LOAD, self.other, 0, second)
                    if first == values[0]:
                        self._mark(self.other, self.value)
                    self._swap_to(first, second)

    def _rotate(self, p: int, q: int) -> None:
        """Turn columns p and q, unless they are orthogonal in all matrices."""
        code, do, skip = self.code, self._do, self.code.new_label()
        for register in (0, 2, 3):
            code.clear(register)
        for k in range(self.rows):
            do(LOAD, 4, 0, self._a(k, p))
            do(LOAD, 5, 0, self._a(k, q))
            for register, one, other in ((0, 4, 5), (2, 4, 4), (3, 5, 5)):
                do(MULTIPLY_ADD, register, one, other)
        do(MULTIPLY, 1, 0, 0)
        do(MULTIPLY, 4, 2, 3)
        do(MULTIPLY, 4, 4, LEAST)
        self._mark(1, 4)
        self._see_marked()
        code.jump(skip, JUMP_EQUAL)
        self._angle()
        self._turn(self._columns(p, q))
        code.place(skip)

    def _deliver(self) -> None:
        """Scatter the singular values, U, and V transposed."""
        for j in range(self.rows):
            self._do(LOAD, self.value, 0, self._value(j))
            self._deliver_value(j)
        self._scatter_vectors()
        self._refuse(self.seen, self.seen, UNORDERED)

    def _scatter_vectors(self) -> None:
        for j in range(self.columns):
            for i in range(self.rows):
                for pointer, place, element in (
                    (self.left, self._a(i, j), i * self.rows + j),
                    (R14, self._b(i, j), j * self.rows + i),
                ):
                    self._do(LOAD, self.value, 0, place)
                    self._scatter_to(Memory(pointer, element * self.size, PLACES[2], self.size), self.value)
