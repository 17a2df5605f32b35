"""The code of functions that multiply a matrix and a vector of given sizes (`small.py`).

    out[i] = sum over k of m[i, k] * v[k]

Where the terms of an element lie one after the other in memory, four elements are summed at a time, each in the lanes
of vectors (dot products). Where the elements do, up to eight vectors of them are kept in registers while each number of
v is multiplied with its row (a sum of rows).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .assembler import JUMP_NOT_EQUAL, R8, R9, R10, R11, RAX, RCX, RDX, Memory
from .sizes import Shape
from .small_code import LOAD, VECTOR, XOR, Code

ROWS = 4  # dot products at a time
TOTALS = 8  # registers with sums
GIVEN, NUMBERS, MASK = 13, 14, 15  # registers: a part of the matrix, numbers of the vector, the last lanes


class VectorCode(Code):
    """Writes one function."""

    products = True

    def body(self, what: str) -> int:
        """out = a @ b. Returns the bytes on the stack."""
        a, b, _ = self.shapes
        rows, depth, columns = self.sizes(a, b)
        matrix, vector = (R8, R9) if columns == 1 else (R9, R8)
        ways = [self.dots, self.sums] if columns == 1 else [self.sums, self.dots]

        def multiply(transposed: bool) -> None:
            self.point(R8, R9, R10)
            ways[transposed](matrix, vector, rows * columns, depth)

        self.by_layout(0 if columns == 1 else 1, multiply)
        return 0

    @staticmethod
    def sizes(a: Shape, b: Shape) -> tuple[int, int, int]:
        """Rows, depth and columns, of which the first or the last are one."""
        return a[0] if len(a) == 2 else 1, a[-1], b[1] if len(b) == 2 else 1

    def repeated(self, register: int, count: int, body: Callable[[], None]) -> None:
        """Run the body some times."""
        if count > 1:
            again = self.code.new_label()
            self.code.constant(register, count)
            self.code.place(again)
        if count:
            body()
        if count > 1:
            self.code.add(register, -1)
            self.code.jump(again, JUMP_NOT_EQUAL)

    def clear(self, registers: Sequence[int]) -> None:
        """Zeros."""
        for register in registers:
            self.code.vector(XOR, register, register, register)

    def together(self, sets: int, count: int) -> None:
        """Add the sums of all sets to those of the first one."""
        for number in range(count, sets * count):
            self.code.vector(self.forms.add, number % count, number % count, number)

    # A sum of rows

    def sums(self, matrix: int, vector: int, size: int, depth: int) -> None:
        """The elements of the result lie side by side in the matrix."""
        vectors = -(-size // self.lanes)
        if size % self.lanes:
            self.code.vector(LOAD, MASK, 0, self.mask(size))
        for start in range(0, vectors, TOTALS):
            self.sum_block(matrix, vector, size, depth, range(start, min(start + TOTALS, vectors)))

    def sum_block(self, matrix: int, vector: int, size: int, depth: int, block: range) -> None:
        """Some vectors of the result."""
        code, count, row = self.code, len(block), size * self.size
        sets = min(TOTALS // (1 << (count - 1).bit_length()), depth)

        def step(each: int) -> None:
            code.vector(self.forms.broadcast, NUMBERS, 0, Memory(RAX, each * self.size))
            for number, at in enumerate(block):
                place: int | Memory = Memory(R11, each * row + number * VECTOR)
                if (at + 1) * self.lanes > size:
                    code.vector(self.forms.load_masked, GIVEN, MASK, place)
                    place = GIVEN
                code.vector(self.forms.add_product, each * count + number, NUMBERS, place)

        def steps() -> None:
            for each in range(sets):
                step(each)
            code.add(RAX, sets * self.size)
            code.add(R11, sets * row)

        self.clear(range(sets * count))
        code.load(RAX, vector)
        code.address(R11, Memory(matrix, block.start * VECTOR))
        self.repeated(RCX, depth // sets, steps)
        for each in range(depth % sets):
            step(each)
        self.together(sets, count)
        for number, at in enumerate(block):
            left = min(size - at * self.lanes, self.lanes) * self.size
            self.store(number, Memory(R10, at * VECTOR), left)

    # Dot products

    def dots(self, matrix: int, vector: int, size: int, depth: int) -> None:
        """The terms of an element of the result lie side by side in the matrix."""
        if depth % self.lanes:
            self.code.vector(LOAD, MASK, 0, self.mask(depth))

        def rows() -> None:
            self.dot_block(matrix, vector, depth, ROWS)
            self.code.add(matrix, ROWS * depth * self.size)
            self.code.add(R10, ROWS * self.size)

        self.repeated(RDX, size // ROWS, rows)
        if size % ROWS:
            self.dot_block(matrix, vector, depth, size % ROWS)

    def dot_block(self, matrix: int, vector: int, depth: int, rows: int) -> None:
        """Up to four elements of the result."""
        code, chunks = self.code, depth // self.lanes
        sets = min(2, chunks) or 1

        def step(each: int, masked: bool = False) -> None:
            self.load(NUMBERS, Memory(RAX, each * VECTOR), not masked, MASK)
            for row in range(rows):
                place: int | Memory = Memory(R11, row * depth * self.size + each * VECTOR)
                if masked:
                    code.vector(self.forms.load_masked, GIVEN, MASK, place)
                    place = GIVEN
                code.vector(self.forms.add_product, each % sets * ROWS + row, NUMBERS, place)

        def steps() -> None:
            for each in range(sets):
                step(each)
            code.add(RAX, sets * VECTOR)
            code.add(R11, sets * VECTOR)

        self.clear(range(sets * ROWS))
        code.load(RAX, vector)
        code.load(R11, matrix)
        self.repeated(RCX, chunks // sets, steps)
        for each in range(chunks % sets):
            step(each)
        if depth % self.lanes:
            step(chunks % sets, masked=True)
        self.together(sets, ROWS)
        self.store_totals(rows)

    def store_totals(self, rows: int) -> None:
        """Add up the lanes of each total, and store the sums."""
        pair = 16 // self.size
        for first in range(0, rows, pair):
            count = min(rows - first, pair)
            self.add_lanes(first, count, VECTOR * 8)
            self.store(first, Memory(R10, first * self.size), count * self.size)


def assemble(dtype: str, shapes: Sequence[Shape]) -> bytes:
    """The code of a function for operands and a result of these shapes."""
    return VectorCode(np.dtype(dtype), shapes).function("vector", None)
