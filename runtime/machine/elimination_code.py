"""The code of solutions of square matrices' equations, inverses and Cholesky factors, in loops over blocks.

A matrix is copied to working memory, each row followed by its right-hand sides. A block is as many rows as a vector has
elements; so its square on the diagonal is one vector wide. Block by block, elimination with partial pivoting makes the
square triangular, and then the columns beside it, and subtracts multiples of the block from the rows below:

    rows below -= their columns under the square @ the block's rows

Right-hand sides go along. From the last block up, the same with upper triangles and right-hand sides alone gives the
solution. Cholesky's factorization does the first of these for the upper triangle of a symmetric matrix.
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
    R12,
    RAX,
    RCX,
    RDI,
    RDX,
    RSI,
    Form,
    Memory,
)
from .elimination_panels import (
    COMPARE_ONE,
    DIVIDE_ONE,
    LOAD_ONE,
    LOADED,
    SPREAD,
    STORE_ONE,
    STORED,
    EliminationPanels,
    Words,
)
from .elimination_sizes import FACTOR, INVERSES, NUMBER, REFLECTIONS, RESULTS, EliminationSizes
from .fixed_boundary import COUNT, FixedBoundary
from .product_blocks import exchanged
from .reflections import Reflections
from .wide_assembler import ADD, COMPARE, JUMP_GREATER_OR_EQUAL, LOAD, MULTIPLY, MULTIPLY_ADD, STORE, UNORDERED

MULTIPLY_ONE = Form(PF2, MAP_0F, 0x59)
GROUP = 8
"""Blocks of rows whose multiples are subtracted together."""
TO_DOUBLE, TO_SINGLE = Form(NONE, MAP_0F, 0x5A), Form(P66, MAP_0F, 0x5A, 1)
CUT, WHOLE, FIRST = 6, 7, 4  # masks: the columns of a row's last vector, and of the others; one element
ZERO, SEEN = 2, 3  # registers of few instructions
ONE = 0x3FF0000000000000  # the bits of 1.0


class EliminationCode(EliminationPanels):
    """Writes the code of one function (`compile_elimination`) for AVX-512. `transposed`: of transposed matrices."""

    def __init__(self, kind: str, transposed: bool, sizes: EliminationSizes) -> None:
        triangle = kind in ("lower", "upper")
        symmetric = kind == "cholesky"
        inverts = kind in INVERSES
        super().__init__(sizes, symmetric, symmetric or (triangle and transposed), kind == FACTOR, inverts)
        self.kind, self.transposed, self.triangle = kind, transposed, triangle
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
        self.beside = sizes.blocks * self.width  # bytes from a row to its right-hand sides
        self.subtraction = self.code.new_label()
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
            self._downwards()
        if self.upwards:
            self._upwards()
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

    # Blocks

    def _downwards(self) -> None:
        """From the first block to the last: factor, and reduce the rows below.

        The rows below have other columns than the group's reduced once for the whole group, and a block its own before
        they are solved for: so working memory is read and written once for a group, not for each block.
        """
        code, at = self.code, Words.at
        again, last, inside, reduced = (code.new_label() for _ in range(4))
        lower, sizes = self.triangle, self.sizes
        self._begin(0)
        code.store_number(at(Words.BELOW), self.padded)
        beside = 0 if self.factored else sizes.vectors
        fixed = lower or self.inverts  # an inverse has a block of columns less and one of right-hand sides more
        code.store_number(at(Words.RIGHT), beside if lower else sizes.blocks + (0 if fixed else beside - 1))
        self._begin_group()
        code.place(again)
        code.load(R12, at(Words.INVERTED))
        if self.symmetric:
            self.root()
        elif not lower:
            self.pivots()
        if self.inverts:
            self._begin_sides()
        self._reduce_block()
        code.load(R12, at(Words.INVERTED))
        code.load(RSI, at(Words.SIDES if lower else Words.SQUARE))
        code.add(RSI, 0 if lower else self.width)
        code.store(at(Words.SOURCE), RSI)
        code.load(RCX, at(Words.RIGHT))
        self.substitute(RCX, upwards=False, scaled=self.symmetric or lower)
        code.add(at(Words.BELOW), -self.lanes)
        code.jump(last, JUMP_EQUAL)
        code.compare(at(Words.INSIDE), 0)
        code.jump(inside, JUMP_NOT_EQUAL)
        code.load(RAX, at(Words.RIGHT))
        self._reduce_below(Words.BEHIND)
        self._begin_group()
        code.jump(reduced)
        code.place(inside)
        if not lower:
            code.load(RAX, at(Words.INSIDE))
            self._reduce_below(None)
        code.add(at(Words.BEHIND), 1)
        code.add(at(Words.INSIDE), -1)
        code.place(reduced)
        self._move(1)
        if not fixed:
            code.add(at(Words.RIGHT), -1)
        code.jump(again)
        code.place(last)

    def _begin_sides(self) -> None:
        """Store ones in the diagonal of a block's right-hand sides."""
        code = self.code
        code.load(RSI, Words.at(Words.SQUARE))
        code.vector(LOADED, 1, 0, self.all_of(1))
        for row in range(self.lanes):
            self.one(STORE_ONE, 1, 0, Memory(RSI, self.beside + row * (self.stride + NUMBER)))

    def _begin_group(self) -> None:
        """Begin a group with the next block: of as many blocks as one has, or as there are below."""
        code, at, chosen = self.code, Words.at, self.code.new_label()
        code.store_number(at(Words.BEHIND), 0)
        code.store_number(at(Words.INSIDE), GROUP - 1)
        code.load(RAX, at(Words.BELOW))
        code.compare(RAX, GROUP * self.lanes)
        code.jump(chosen, JUMP_GREATER_OR_EQUAL)
        code.constant(RDX, 0)
        code.constant(RCX, self.lanes)
        code.divide_by(RCX)
        code.add(RAX, -1)
        code.store(at(Words.INSIDE), RAX)
        code.place(chosen)

    def _reduce_block(self) -> None:
        """Subtract multiples of the group's blocks before from what a block has right of the group."""
        code, at, done = self.code, Words.at, self.code.new_label()
        code.load(RDX, at(Words.BEHIND))
        code.compare(RDX, 0)
        code.jump(done, JUMP_EQUAL)
        code.load(RAX, at(Words.RIGHT))
        if not self.triangle:
            code.subtract_register(RAX, at(Words.INSIDE))
        code.store(at(Words.VECTORS_HERE), RAX)
        if self.triangle:
            code.load(RSI, at(Words.SIDES))
        else:
            code.multiply(RSI, at(Words.INSIDE), self.width)
            code.add_register(RSI, at(Words.SQUARE))
            code.add(RSI, self.width)
        code.store(at(Words.RESULT), RSI)
        code.load(RDI, at(Words.SQUARE))
        self._go_back(RDX)
        code.store_number(at(Words.HEIGHT), self.lanes)
        if self.symmetric:
            code.store_number(at(Words.GROWTH), 0)
        self._subtract()
        code.place(done)

    def _go_back(self, blocks: int) -> None:
        """Set what is subtracted to so many blocks as a register says, before the row in RSI and the factors in RDI."""
        code, at = self.code, Words.at
        code.multiply(RAX, blocks, self.lanes)
        code.store(at(Words.DEPTH_HERE), RAX)
        for register, word, step in (
            (RSI, Words.SOURCE, self.block),
            (RDI, Words.FACTORS, self.lanes * self.factor_step),
        ):
            code.multiply(RAX, blocks, step)
            code.subtract_register(register, RAX)
            code.store(at(word), register)

    def _reduce_below(self, behind: int | None) -> None:
        """Subtract multiples of a block, or with it of those behind it in the group, from the rows below.

        RAX: the vectors, from SOURCE on. `behind`: the word with the number of blocks, or None.
        """
        code, at = self.code, Words.at
        code.store(at(Words.VECTORS_HERE), RAX)
        code.constant(RDX, 1)
        if behind is not None:
            code.add_register(RDX, at(behind))
        code.load(RSI, at(Words.SOURCE))
        code.add(RSI, self.block)
        code.store(at(Words.RESULT), RSI)
        code.load(RDI, at(Words.SQUARE))
        code.add(RDI, self.lanes * (self.step + self.factor_step))
        self._go_back(RDX)
        if self.symmetric:
            code.store_number(at(Words.HEIGHT), 0)
            code.store_number(at(Words.GROWTH), self.lanes)
        else:
            code.load(RAX, at(Words.BELOW))
            code.store(at(Words.HEIGHT), RAX)
        self._subtract()

    def _upwards(self) -> None:
        """From the last block to the first: solve for its right-hand sides, and take them from those above."""
        code, at = self.code, Words.at
        again, last, reduced, inside = (code.new_label() for _ in range(4))
        self._begin(self.sizes.blocks - 1)
        code.store_number(at(Words.BELOW), self.padded)
        code.store_number(at(Words.BEHIND), 0)
        code.place(again)
        code.load(RDX, at(Words.BEHIND))
        code.compare(RDX, 0)
        code.jump(reduced, JUMP_EQUAL)
        code.load(RSI, at(Words.SIDES))
        code.store(at(Words.RESULT), RSI)
        code.add(RSI, self.block)
        code.load(RDI, at(Words.SQUARE))
        code.add(RDI, self.lanes * self.factor_step)
        code.store_number(at(Words.HEIGHT), self.lanes)
        self._subtract_upwards()
        code.place(reduced)
        code.load(R12, at(Words.INVERTED))
        code.load(RSI, at(Words.SIDES))
        code.constant(RCX, self.sizes.vectors)
        self.substitute(RCX, upwards=True, scaled=True)
        code.add(at(Words.BELOW), -self.lanes)
        code.jump(last, JUMP_EQUAL)
        code.add(at(Words.BEHIND), 1)
        code.compare(at(Words.BEHIND), GROUP)
        code.jump(inside, JUMP_NOT_EQUAL)
        code.load(RDX, at(Words.BEHIND))
        code.load(RAX, at(Words.BELOW))
        code.store(at(Words.HEIGHT), RAX)
        code.multiply(RDI, RAX, self.factor_step)  # the rows above are as many as the columns before
        code.load(RAX, at(Words.BASE))
        code.add_register(RDI, RAX)
        code.add(RAX, self.beside)
        code.store(at(Words.RESULT), RAX)
        code.load(RSI, at(Words.SIDES))
        self._subtract_upwards()
        code.store_number(at(Words.BEHIND), 0)
        code.place(inside)
        self._move(-1)
        code.jump(again)
        code.place(last)

    def _subtract_upwards(self) -> None:
        """Subtract multiples of so many blocks as RDX says, from RSI on, with the factors from RDI on."""
        code, at = self.code, Words.at
        code.store(at(Words.SOURCE), RSI)
        code.store(at(Words.FACTORS), RDI)
        code.multiply(RDX, RDX, self.lanes)
        code.store(at(Words.DEPTH_HERE), RDX)
        code.store_number(at(Words.VECTORS_HERE), self.sizes.vectors)
        self._subtract()

    def _begin(self, block: int) -> None:
        """Go to a block."""
        self.set_masks()
        for word, offset in (
            (Words.SQUARE, block * (self.block + self.width)), (Words.SIDES, block * self.block + self.beside),
            (Words.INVERTED, self.reciprocals + block * self.lanes * NUMBER),
        ):  # fmt: skip
            self.at_base(RAX, offset)
            self.code.store(Words.at(word), RAX)

    def _move(self, blocks: int) -> None:
        """Go to another block."""
        for word, step in (
            (Words.SQUARE, self.block + self.width), (Words.SIDES, self.block), (Words.INVERTED, self.lanes * NUMBER)
        ):  # fmt: skip
            self.code.add(Words.at(word), blocks * step)

    def _subtract(self) -> None:
        """Call the code that subtracts."""
        code, back = self.code, self.code.new_label()
        code.address_of(RAX, back)
        code.store(Words.at(Words.RETURN), RAX)
        code.jump(self.subtraction)
        code.place(back)

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
        self._identity(sizes.rows, self.padded, range(vectors), 0)

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

    def _identity(self, first: int, stop: int, vectors: range, offset: int) -> None:
        """Fill these rows with zeros and ones: the diagonal of columns that begin at the offset."""
        self._zeros(first, stop, vectors)
        self._ones(first, stop, offset)

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

        What is to be multiplied with this product gets it in the register of halves.
        """
        code, size, copies = self.code, self.sizes.size, self.kind == "pivots"
        code.set_bits(FIRST, 1)
        self.at_base(RSI, 0)
        code.load(RDI, Words.at(self.out))
        self.one(LOAD_ONE, 1, 0, Words.at(Words.SIGN))
        for register in (ZERO, SEEN):
            code.clear(register)
        code.constant(RDX, self.sizes.rows)

        def store() -> None:
            if size != NUMBER:
                self.one(TO_SINGLE, 1, 0, 1)
            code.wide(STORE[size], 1, 0, Memory(RDI), mask=FIRST)

        def multiply() -> None:
            self.one(LOAD_ONE, 0, 0, Memory(RSI))
            self.one(MULTIPLY_ONE, 1, 1, 0)
            self.one(MULTIPLY_ADD[NUMBER], SEEN, 0, ZERO)
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
            self._refuse_infinite(SEEN)  # the product itself may overflow

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
