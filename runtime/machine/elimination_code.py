"""The code of solutions of square matrices' equations, inverses and Cholesky factors, in loops over blocks.

A matrix is copied to working memory, each row followed by its right-hand sides. A block is as many rows as a vector has
elements; so its square on the diagonal is one vector wide. Block by block, elimination with partial pivoting makes the
square triangular, and then the columns beside it, and subtracts multiples of the block from the rows below:

    rows below -= their columns under the square @ the block's rows

Right-hand sides go along (`elimination_blocks.py`). From the last block up, the same with upper triangles and
right-hand sides alone gives the solution. Cholesky's factorization does the first of these for the upper triangle of a
symmetric matrix.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .assembler import (
    JUMP_EQUAL,
    JUMP_NOT_EQUAL,
    MAP_0F,
    NONE,
    P66,
    PF2,
    R8,
    R9,
    R10,
    RAX,
    RCX,
    RDI,
    RDX,
    RSI,
    Form,
    Memory,
)
from .elimination_blocks import EliminationBlocks
from .elimination_panels import (
    AND,
    BELOW_OR_EQUAL,
    COMPARE_ONE,
    DIVIDE_ONE,
    LOAD_ONE,
    LOADED,
    SMALLER,
    SPREAD,
    STORE_ONE,
    STORED,
    Words,
)
from .elimination_sizes import FACTOR, INVERSES, NUMBER, REFLECTIONS, RESULTS, EliminationSizes
from .fixed_boundary import COUNT, FixedBoundary
from .product_blocks import exchanged
from .reflections import Reflections
from .wide_assembler import ADD, COMPARE, LOAD, MULTIPLY, MULTIPLY_ADD, STORE, UNORDERED

MULTIPLY_ONE = Form(PF2, MAP_0F, 0x59)
TO_DOUBLE, TO_SINGLE = Form(NONE, MAP_0F, 0x5A), Form(P66, MAP_0F, 0x5A, 1)
CUT, WHOLE, FIRST = 6, 7, 4  # masks: the columns of a row's last vector, and of the others; one element
ZERO, SEEN, LEAST = 2, 3, 4  # registers of few instructions
ONE = 0x3FF0000000000000  # the bits of 1.0


class EliminationCode(EliminationBlocks):
    """Writes the code of one function (`compile_elimination`) for AVX-512. `transposed`: of transposed matrices."""

    def __init__(self, kind: str, transposed: bool, sizes: EliminationSizes) -> None:
        triangle = kind in ("lower", "upper")
        symmetric = kind == "cholesky"
        inverts = kind in INVERSES
        turned = symmetric or (triangle and transposed)
        super().__init__(sizes, symmetric, turned, kind == FACTOR, inverts, triangle)
        self.kind, self.transposed = kind, transposed
        self.downwards, self.upwards = kind != "upper", kind not in ("lower", "cholesky", FACTOR, *RESULTS)
        if triangle and transposed:
            self.downwards, self.upwards = self.upwards, self.downwards
        shapes, lead = sizes.shapes(kind), len(sizes.lead)
        self.out, self.room = len(shapes) - 1, len(shapes)  # positions
        work = sizes.rows**2 * (sizes.rows // 3 + sizes.columns)
        dtype, written = np.dtype(sizes.dtype), {self.out, self.room}
        if kind in (*REFLECTIONS, FACTOR):
            written.add(1)
        if kind in REFLECTIONS:
            work = 2 * sizes.rows * min(sizes.rows, sizes.across) * (sizes.columns + sizes.across)
            self.reflections = Reflections(self)
        self.boundary = FixedBoundary(self.code, dtype, [*shapes, (sizes.room,)], written, work)
        self.boundary.failed_word = Words.FAILED
        self.steps = [math.prod(shape[lead:]) * sizes.size for shape in shapes]  # type: ignore[arg-type]
        # Registers: zeros, zeros or nan where results are no numbers, and halves.
        self.zero, self.seen, self.half = range(self.code.registers - 3, self.code.registers)

    def assemble(self) -> bytes:
        """The function's code."""
        code, at = self.code, Words.at
        again, done = code.new_label(), code.new_label()
        self.boundary.enter()
        code.load(RAX, at(self.room))
        code.add(RAX, self.width - 1)
        code.bit_and(RAX, -self.width)
        code.store(at(Words.BASE), RAX)
        code.store_number(at(Words.ROW_STEP), self.step)
        code.place(again)
        code.store_number(at(Words.LARGEST), 0)
        code.store_number(at(Words.SIGN), ONE)
        self._matrix()
        for position, step in enumerate(self.steps):
            code.add(at(position), step)
        code.add(at(COUNT), -1)
        code.jump(again, JUMP_NOT_EQUAL)
        code.store_number(at(Words.FAILED), 0)
        code.jump(done)
        code.place(self.singular)
        code.store_number(at(Words.FAILED), 1)
        code.place(done)
        self.boundary.leave()
        if self.kind in REFLECTIONS:
            self.reflections.apply(self.subtraction)
        else:
            self.subtract(self.subtraction)
        return code.finish()

    def _matrix(self) -> None:
        """What is done for each matrix."""
        if self.kind in REFLECTIONS:
            self._factor()
            return
        self._copy()
        if self.symmetric:
            self._symmetrize()
        if self.triangle:
            self._invert_diagonal()
        elif self.transposed:
            self._transpose()
        if self.downwards:
            self.run_down()
        if self.upwards:
            self.run_up()
        if self.symmetric:
            self._turn_upper()
        if self.kind in (*RESULTS, "adjugate"):
            self._multiply_pivots()
        if self.kind not in RESULTS:
            self._deliver()

    def _factor(self) -> None:
        """The triangular matrix, and the orthogonal one, or what completes it."""
        sizes, reflections, begin = self.sizes, self.reflections, self.subtraction
        rows, columns, vectors = sizes.rows, sizes.columns, range(max(sizes.blocks, sizes.vectors))
        before = rows - columns if sizes.beyond else 0
        self._each_row(rows, sizes.across, 0, 0, self._copy_in)
        self._zeros(rows, self.padded, vectors)
        reflections.factor(begin)
        self._begin_results()
        if not sizes.beyond:
            self._each_row(min(rows, sizes.across), sizes.across, 1, 0, self._copy_out)
        if columns:
            self._zeros(0, self.padded, vectors)
            self._ones(before, before + columns, -before * NUMBER)
            reflections.form(begin)
            self._each_row(rows, columns, self.out, 0, self._copy_out)
        self._refuse_infinite(self.seen)

    # Copies

    def _each_row(
        self, rows: int, columns: int, word: int | None, offset: int, body: Callable[[Memory, Memory, int], None]
    ) -> None:
        """Run the body for each vector of the rows of an array, whose address is in a word, and of working memory.

        It gets both places, and the mask of what the array has.
        """
        code, vectors = self.code, -(-columns // self.lanes)
        for mask, count in ((CUT, (columns - 1) % self.lanes + 1), (WHOLE, self.lanes)):
            code.set_bits(mask, (1 << count) - 1)
        if word is not None:
            code.load(RSI, Words.at(word))
        self.at_base(RDI, offset)
        code.constant(RDX, rows)

        def row() -> None:
            for vector in range(vectors):
                there, here = Memory(RSI, vector * self.lanes * self.sizes.size), Memory(RDI, vector * self.width)
                body(there, here, CUT if vector == vectors - 1 else WHOLE)
            code.add(RSI, columns * self.sizes.size)
            code.add(RDI, self.stride)

        self.loop(RDX, row)

    def _copy(self) -> None:
        """Copy the matrix and the right-hand sides, or the identity, and fill them up with rows of the identity."""
        sizes, vectors = self.sizes, self.sizes.blocks + self.sizes.vectors
        self._each_row(sizes.rows, sizes.rows, 0, 0, self._copy_in)
        if self.inverts:
            self._zeros(0, sizes.rows, range(sizes.blocks, vectors))
            self._number_rows()
        elif self.factored:
            self._number()
        elif sizes.columns:
            self._each_row(sizes.rows, sizes.columns, 1, self.beside, self._copy_in)
        self._zeros(sizes.rows, self.padded, range(vectors))
        self._ones(sizes.rows, self.padded, 0)

    def _copy_in(self, there: Memory, here: Memory, mask: int) -> None:
        code, size = self.code, self.sizes.size
        code.wide(LOAD[size], 0, 0, there, mask=mask)
        if size != NUMBER:
            code.wide(TO_DOUBLE, 0, 0, 0)
        code.wide(STORED, 0, 0, here)

    def _copy_out(self, there: Memory, here: Memory, mask: int) -> None:
        code, size = self.code, self.sizes.size
        code.wide(LOADED, 0, 0, here)
        code.wide(MULTIPLY_ADD[NUMBER], self.seen, 0, self.zero)  # determinants, and float32, may overflow
        if self.kind == "adjugate":
            code.wide(MULTIPLY[NUMBER], 0, 0, self.half)
        if size != NUMBER:
            code.wide(TO_SINGLE, 0, 0, 0)
        code.wide(STORE[size], 0, 0, there, mask=mask)

    def _zeros(self, first: int, stop: int, vectors: range) -> None:
        """Fill these rows with zeros."""
        code = self.code
        code.clear(0)
        self.at_base(RDI, first * self.stride)
        code.constant(RDX, stop - first)

        def row() -> None:
            for vector in vectors:
                code.wide(STORED, 0, 0, Memory(RDI, vector * self.width))
            code.add(RDI, self.stride)

        self.loop(RDX, row)

    def _ones(self, first: int, stop: int, offset: int) -> None:
        """Store ones in the diagonal of columns that begin at the offset."""
        code = self.code
        code.vector(LOADED, 1, 0, self.all_of(1))
        self.at_base(RSI, first * (self.stride + NUMBER) + offset)
        code.constant(RDX, stop - first)

        def store() -> None:
            self.one(STORE_ONE, 1, 0, Memory(RSI))
            code.add(RSI, self.stride + NUMBER)

        self.loop(RDX, store)

    def _number(self) -> None:
        """Store the numbers of the rows as their right-hand sides."""
        code = self.code
        self._zeros(0, self.sizes.rows, range(self.sizes.blocks, self.sizes.blocks + 1))
        code.clear(0)
        code.vector(LOADED, 1, 0, self.all_of(1))
        self.at_base(RSI, self.beside)
        code.constant(RDX, self.sizes.rows)

        def store() -> None:
            self.one(STORE_ONE, 0, 0, Memory(RSI))
            self.one(ADD[NUMBER], 0, 0, 1)
            code.add(RSI, self.stride)

        self.loop(RDX, store)

    def _invert_diagonal(self) -> None:
        """The reciprocals of a triangular matrix."""
        code = self.code
        self.at_base(RSI, 0)
        self.at_base(RDI, self.reciprocals)
        code.clear(0)
        code.vector(LOADED, 1, 0, self.all_of(1))
        code.constant(RDX, self.padded)

        def invert() -> None:
            self.one(COMPARE_ONE, 0, 0, Memory(RSI))
            code.jump(self.singular, JUMP_EQUAL)  # also where it is nan
            self.one(DIVIDE_ONE, 2, 1, Memory(RSI))
            self.one(STORE_ONE, 2, 0, Memory(RDI))
            code.add(RSI, self.stride + NUMBER)
            code.add(RDI, NUMBER)

        self.loop(RDX, invert)

    def _deliver(self) -> None:
        """Copy the result; give up if it has numbers that are not finite."""
        sizes = self.sizes
        self._begin_results()
        if self.symmetric or self.factored:
            self._each_row(sizes.rows, sizes.rows, 1, 0, self._copy_out)
        if self.inverts:
            self._order_columns()
        if not self.symmetric:
            offset = 0 if self.inverts else self.beside
            self._each_row(sizes.rows, sizes.columns, self.out, offset, self._copy_out)
        self._refuse_infinite(self.seen)

    def _number_rows(self) -> None:
        """Store numbers behind the rows: eight times those of the rows."""
        code = self.code
        self.at_base(RSI, 2 * self.beside)
        code.constant(RAX, 0)
        code.constant(RDX, self.padded)

        def store() -> None:
            code.store(Memory(RSI), RAX)
            code.add(RAX, NUMBER)
            code.add(RSI, self.stride)

        self.loop(RDX, store)

    def _order_columns(self) -> None:
        """Move the right-hand sides to the columns that the numbers behind the rows say."""
        code = self.code
        self.at_base(RSI, 2 * self.beside)
        self.at_base(RDI, self.reciprocals)
        code.constant(RDX, self.padded)

        def collect() -> None:
            code.load(RAX, Memory(RSI))
            code.store(Memory(RDI), RAX)
            code.add(RSI, self.stride)
            code.add(RDI, NUMBER)

        self.loop(RDX, collect)
        self.at_base(RDI, 0)
        code.constant(R8, self.sizes.rows)

        def block() -> None:
            for lane in range(self.lanes):
                code.load(RAX, Memory(RSI, NUMBER * lane))
                code.load(RCX, Memory(R9, NUMBER * lane))
                code.store(Memory(RDI, 0, RAX), RCX)
            code.add(RSI, self.width)
            code.add(R9, self.width)

        def row() -> None:
            self.at_base(RSI, self.reciprocals)
            code.load(R9, RDI)
            code.add(R9, self.beside)
            code.constant(RDX, self.sizes.blocks)
            self.loop(RDX, block)
            code.add(RDI, self.stride)

        self.loop(R8, row)

    def _begin_results(self) -> None:
        for register in (self.zero, self.seen):
            self.code.clear(register)

    def _refuse_infinite(self, register: int) -> None:
        """Give up if there is nan in a register, to which zero times each result was added."""
        code = self.code
        code.wide(COMPARE[NUMBER], 0, register, register, immediate=UNORDERED)
        code.get_mask(RAX, 0)
        code.compare(RAX, 0)
        code.jump(self.singular, JUMP_NOT_EQUAL)

    def _multiply_pivots(self) -> None:
        """Copy the pivots, the first one with the sign of all exchanges; or the product of them all.

        What is to be multiplied with this product gets it in the register of halves. Gives up if a part of a
        determinant overflows or underflows: the rest may bring it back.
        """
        code, size, copies = self.code, self.sizes.size, self.kind == "pivots"
        code.set_bits(FIRST, 1)
        self.at_base(RSI, 0)
        code.load(RDI, Words.at(self.out))
        self.one(LOAD_ONE, 1, 0, Words.at(Words.SIGN))
        for register in (ZERO, SEEN):
            code.clear(register)
        code.vector(LOADED, LEAST, 0, self.all_of(1))
        code.constant(RDX, self.sizes.rows)

        def store() -> None:
            if size != NUMBER:
                self.one(TO_SINGLE, 1, 0, 1)
            code.wide(STORE[size], 1, 0, Memory(RDI), mask=FIRST)

        def multiply() -> None:
            self.one(LOAD_ONE, 0, 0, Memory(RSI))
            self.one(MULTIPLY_ONE, 1, 1, 0)
            self.one(MULTIPLY_ADD[NUMBER], SEEN, 1, ZERO)
            self.one(AND, 0, 1, self.all_bits_but_signs())
            self.one(SMALLER, LEAST, LEAST, 0)
            code.add(RSI, self.stride + NUMBER)
            if copies:
                store()
                code.vector(LOADED, 1, 0, self.all_of(1))
                code.add(RDI, size)

        self.loop(RDX, multiply)
        if self.kind == "adjugate":
            self.one(STORE_ONE, 1, 0, Words.at(Words.SIGN))
            code.wide(SPREAD, self.half, 0, Words.at(Words.SIGN), spread=NUMBER)
        elif not copies:
            store()
            self._refuse_infinite(SEEN)
            code.vector(LOADED, 0, 0, self.all_of(np.finfo(np.float64).tiny))
            self.one(COMPARE_ONE, LEAST, 0, 0)
            code.jump(self.singular, BELOW_OR_EQUAL)  # NumPy's sum of logarithms has the digits, if there are any

    # Triangles, in whole squares

    def _symmetrize(self) -> None:
        """Replace the upper triangle, in whole squares, by that of the symmetric part."""
        code = self.code
        code.vector(LOADED, self.half, 0, self.all_of(0.5))

        def mean() -> None:
            for row, register in enumerate(self._turned(RDI)):
                code.wide(ADD[NUMBER], register, register, Memory(RSI, row * self.stride))
                code.wide(MULTIPLY[NUMBER], register, register, self.half)
                code.wide(STORED, register, 0, Memory(RSI, row * self.stride))

        self._squares(mean)

    def _turn_upper(self) -> None:
        """Move the upper triangle to the lower one, and zeros to the upper one."""
        code = self.code
        code.clear(self.half)

        def move() -> None:
            for row, register in enumerate(self._turned(RSI)):
                code.wide(STORED, self.half, 0, Memory(RSI, row * self.stride))
                code.wide(STORED, register, 0, Memory(RDI, row * self.stride))

        self._squares(move)

    def _transpose(self) -> None:
        """Exchange both triangles."""
        code = self.code
        kept = code.registers - self.lanes

        def swap() -> None:
            for row, register in enumerate(self._turned(RDI)):
                code.wide(LOADED, kept + row, 0, register)
            for row, register in enumerate(self._turned(RSI)):
                code.wide(STORED, register, 0, Memory(RDI, row * self.stride))
                code.wide(STORED, kept + row, 0, Memory(RSI, row * self.stride))

        self._squares(swap)

    def _turned(self, source: int) -> list[int]:
        """Load the columns of a square; their registers are before the last ones, of which as many are left."""
        for row in range(self.lanes):
            self.code.wide(LOADED, row, 0, Memory(source, row * self.stride))
        return exchanged(self.code, NUMBER)

    def _squares(self, body: Callable[[], None]) -> None:
        """Run the body for each square of the upper triangle: RSI points to it, RDI to its place in the lower one."""
        code = self.code
        rows, squares = code.new_label(), code.new_label()
        self.at_base(R8, 0)
        code.constant(R9, self.sizes.blocks)
        code.place(rows)
        code.load(RSI, R8)
        code.load(RDI, R8)
        code.load(R10, R9)
        code.place(squares)
        body()
        code.add(RSI, self.width)
        code.add(RDI, self.block)
        code.decrement(R10)
        code.jump(squares, JUMP_NOT_EQUAL)
        code.add(R8, self.block + self.width)
        code.decrement(R9)
        code.jump(rows, JUMP_NOT_EQUAL)
