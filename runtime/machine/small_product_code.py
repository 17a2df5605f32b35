"""The code of products of a few small matrices, for one list of shapes each, with all loops unrolled (`small.py`).

An operand may be a transposed view, also each matrix of a stack. The function looks at its strides and goes on with the
code for that layout:

- Rows of the right matrix lie together: the rows of the result stay in registers, to which products of a broadcast
  element of the left matrix and a row of the right one are added.
- Columns of the right matrix lie together: each element of the result is the sum of a vector's lanes.
- Nothing lies together: the right matrix is copied to the stack, row by row.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..records import NamedTuple
from .assembler import R8, R9, RSP, Memory
from .sizes import Shape, product_sizes
from .small_code import LOAD, POINTERS, Code

OUT = POINTERS[2]


class _Sides(NamedTuple):
    """The registers with the addresses of the left and the right operand, and which of them is transposed."""

    left: int
    right: int
    left_transposed: bool
    right_transposed: bool


class SmallProductCode(Code):
    """Writes the function of a product."""

    products = True

    def body(self, what: str) -> int:
        """out = a @ b. Returns the bytes on the stack."""
        a, b, _ = self.shapes
        self.sizes = product_sizes(a[-2:], b[-2:])
        self.layouts([number for number in (0, 1) if self.transposable(number)], set())
        return self.sizes[1] * self.sizes[2] * self.size

    def layouts(self, undecided: Sequence[int], transposed: set[int]) -> None:
        """Write the code for each layout of the operands that are not decided yet, and for these layouts of others."""
        if not undecided:
            self.every(transposed)
            return
        number, *others = undecided
        self.by_layout(number, lambda turned: self.layouts(others, transposed | {number} if turned else transposed))

    def every(self, transposed: set[int]) -> None:
        """The product of each two matrices of stacks, one of which may be a single matrix, for one layout of each."""
        swapped = len(self.shapes[1]) == 1 or self.shapes[1][-1] == 1  # a column is computed as a row
        sides = _Sides(R8, R9, 0 in transposed, 1 in transposed)
        if swapped:
            sides = _Sides(R9, R8, False, 0 not in transposed)
        self.point(*POINTERS)
        stacks = [pair for pair in zip(POINTERS, self.shapes, strict=True) if len(pair[1]) > 2]
        steps = [(register, shape[-2] * shape[-1] * self.size) for register, shape in stacks]
        self.each(steps, lambda: self.multiply(sides))

    def multiply(self, sides: _Sides) -> None:
        """The product of two matrices."""
        _, depth, columns = self.sizes
        if not sides.right_transposed or columns == 1:
            self.add_rows(sides)
        elif not sides.left_transposed and self.sums_are_faster():
            self.sum_lanes(sides)
        else:
            for k in range(depth):
                for column in range(columns):
                    target = Memory(RSP, (k * columns + column) * self.size)
                    self.move(target, Memory(sides.right, (column * depth + k) * self.size))
            self.add_rows(sides._replace(right=RSP))

    def sums_are_faster(self) -> bool:
        """Whether sums of lanes take fewer instructions than a copy of the right matrix, from which rows are added."""
        rows, depth, columns = self.sizes
        vectors = -(-depth // self.lanes)
        sums = rows * (columns * (vectors + 1) + 2 * -(-columns * self.size // 16))
        return sums <= 2 * depth * columns + rows * depth * (1 + -(-columns // self.lanes))

    def add_rows(self, sides: _Sides) -> None:
        """The product, from rows of the right matrix."""
        rows, depth, columns = self.sizes
        size, vectors = self.size, -(-columns // self.lanes)
        by_row, by_depth = (1, rows) if sides.left_transposed else (depth, 1)
        if columns % self.lanes:
            self.code.vector(LOAD, 15, 0, self.mask(columns))
        together = 12 // vectors - 1
        for start in range(0, rows, together):
            block = range(start, min(start + together, rows))
            totals = {row: [(row - start) * vectors + each for each in range(vectors)] for row in block}
            for k in range(depth):
                for vector, place, whole in self.row(sides.right, k * columns * size, columns):
                    self.load(12 + vector, place, whole, 15)
                for row in block:
                    element = Memory(sides.left, (row * by_row + k * by_depth) * size)
                    self.code.vector(self.forms.broadcast, 14, 0, element)
                    for vector, register in enumerate(totals[row]):
                        form = self.forms.add_product if k else self.forms.multiply
                        self.code.vector(form, register, 14, 12 + vector)
            for row, registers in totals.items():
                self.store_row(registers, OUT, row, rows, columns)

    def sum_lanes(self, sides: _Sides) -> None:
        """The product, from rows of the left matrix and columns of the right one: 16 bytes of the result at a time."""
        rows, depth, columns = self.sizes
        code, size, group = self.code, self.size, 16 // self.size
        bits = 128 if depth <= group else 256
        lanes = bits // 8 // size
        if depth % lanes:
            code.vector(LOAD, 15, 0, self.mask(depth % lanes))
        for row in range(rows):
            for first in range(0, columns, group):
                count = min(group, columns - first)
                for k in range(0, depth, lanes):
                    whole = k + lanes <= depth
                    self.load_lanes(group, Memory(sides.left, (row * depth + k) * size), whole, bits)
                    for each in range(count):
                        place = Memory(sides.right, ((first + each) * depth + k) * size)
                        other: int | Memory = place
                        if not whole:
                            self.load_lanes(group + 1, place, whole, bits)
                            other = group + 1
                        code.vector(self.forms.add_product if k else self.forms.multiply, each, group, other, bits=bits)
                self.add_lanes(0, count, bits)
                at = row * columns + first
                self.store(0, Memory(OUT, at * size), 16 if at + group <= rows * columns else count * size)

    def load_lanes(self, register: int, place: Memory, whole: bool, bits: int) -> None:
        """Load a vector of so many bits, or the lanes of the mask."""
        form, mask = (LOAD, 0) if whole else (self.forms.load_masked, 15)
        self.code.vector(form, register, mask, place, bits=bits)


def assemble(dtype: str, shapes: Sequence[Shape], general: int | None) -> bytes:
    """The code of a function. `general` is where the address of one for all shapes stands, which gets what this one
    refuses."""
    return SmallProductCode(np.dtype(dtype), shapes).function("matmul", general)
