"""The inner parts of eliminations (`elimination_code.py`): diagonal squares, blocks of rows, and the rows below."""

from __future__ import annotations

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
    R11,
    R12,
    R14,
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
from .elimination_sizes import NUMBER, EliminationSizes
from .frame_words import FrameWords
from .product_blocks import (
    FIRST_ROWS,
    MOST_VECTORS,
    RESULT_ROWS,
    TAIL,
    add_block,
    block_rows,
    load_steps,
)
from .vector_assembler import VectorAssembler
from .wide_assembler import BROADCAST, LOAD, MULTIPLY, STORE, SUBTRACT_PRODUCT, WideAssembler

LOADED, STORED, SPREAD = LOAD[NUMBER], STORE[NUMBER], BROADCAST[NUMBER]
LOAD_ONE, STORE_ONE, LARGER, SMALLER, DIVIDE_ONE, ROOT_ONE = (
    Form(PF2, MAP_0F, each) for each in (0x10, 0x11, 0x5F, 0x5D, 0x5E, 0x51)
)
"""Instructions on the first number of vectors, as is the next one."""
COMPARE_ONE = Form(P66, MAP_0F, 0x2E)
AND = Form(NONE, MAP_0F, 0x54)
BELOW_OR_EQUAL = 0x86  # also where numbers do not compare
TINY = 2.0**-48
"""A pivot so small beside the largest one is left to NumPy: rounding would decide whether it is zero."""
LARGEST, ABSOLUTE = 12, 14  # registers: the largest pivot, and all bits but the sign
BEYOND, HERE = 4, 5  # masks: columns of a square behind the pivot's, and its own


class EliminationWords(FrameWords):
    """Names for words of the frame: pointers, and what is left.

    SQUARE is the address of the diagonal square, BELOW the number of rows from there on, and RIGHT that of vectors
    beside it. Of the square's group, BEHIND blocks come before it, and INSIDE after it. Multiples of DEPTH_HERE rows at
    SOURCE are subtracted from HEIGHT rows and VECTORS_HERE vectors at RESULT; the factors begin at FACTORS. HEIGHT
    grows by GROWTH with each vector. Then the code goes on at RETURN. LARGEST is the largest pivot so far, INVERTED the
    address of the reciprocals of the square's diagonal, and SIDES that of the block's right-hand sides. SIGN is 1.0, or
    -1.0 after an odd number of exchanges.
    """

    BASE, SQUARE, BELOW, RIGHT, ROW_STEP = range(11, 16)
    RESULT, SOURCE, FACTORS, HEIGHT, VECTORS_HERE, RETURN = range(16, 22)
    HEIGHT_LEFT, RESULT_HERE, FACTORS_HERE, LARGEST, INVERTED, SIDES = range(22, 28)
    BEHIND, INSIDE, DEPTH_HERE, GROWTH = range(FrameWords.PACKING, FrameWords.PACKING + 4)
    assert GROWTH < FrameWords.WORK
    SIGN, FAILED = FrameWords.A_ROWS + 1, FrameWords.A_ROWS + 2
    assert FAILED < FrameWords.PACKING


Words = EliminationWords


class EliminationPanels:
    """Writes the inner parts, for AVX-512.

    Args:
        sizes: the sizes.
        symmetric: whether only the upper triangle counts.
        factored: whether factors and the order of rows are results.
        turned: whether the factor of row i and column k stands in row k and column i.
        inverts: whether right-hand sides are the identity, of which each block begins its own part when it has its
            pivots. So they stay a lower triangle, in the order of the pivots; a number behind each row says which row
            it was.
    """

    assembler: type[WideAssembler] = VectorAssembler

    def __init__(self, sizes: EliminationSizes, symmetric: bool, turned: bool, factored: bool, inverts: bool) -> None:
        self.code: WideAssembler = self.assembler()
        self.lanes, self.width = sizes.lanes, sizes.width
        self.sizes, self.symmetric, self.turned, self.factored = sizes, symmetric, turned, factored
        self.inverts = inverts
        self.stride = sizes.stride
        self.block = self.lanes * self.stride  # the bytes of a block of rows
        self.padded = sizes.padded  # rows
        self.reciprocals = self.padded * self.stride  # where they are, from the base
        self.singular = self.code.new_label()
        self.step, self.factor_step = (NUMBER, self.stride) if turned else (self.stride, NUMBER)

    # Loops

    def loop(self, register: int, body: Callable[[], None]) -> None:
        """Run the body as often as a register says, or not at all; it counts down."""
        code = self.code
        again, done = code.new_label(), code.new_label()
        code.compare(register, 0)
        code.jump(done, JUMP_EQUAL)
        code.place(again)
        body()
        code.decrement(register)
        code.jump(again, JUMP_NOT_EQUAL)
        code.place(done)

    def one(self, form: Form, register: int, first: int, second: int | Memory | Pooled) -> None:
        """An instruction on the first number of vectors."""
        self.code.vector(form, register, first, second, bits=128)

    def all_of(self, number: float) -> Pooled:
        """A vector of equal numbers."""
        return Pooled(np.full(self.lanes, number, np.float64).tobytes())

    def words(self, numbers: list[int]) -> Pooled:
        """A vector of integers of 8 bytes."""
        return Pooled(np.array(numbers, np.int64).tobytes())

    def all_bits_but_signs(self) -> Pooled:
        """A vector whose elements have all bits but the sign."""
        return self.words([(1 << 63) - 1] * self.lanes)

    def at_base(self, register: int, offset: int) -> None:
        """Load an address in working memory."""
        self.code.load(register, Words.at(Words.BASE))
        self.code.add(register, offset)

    def set_masks(self) -> None:
        """The mask of blocks, which are whole vectors."""
        code = self.code
        code.constant(RAX, (1 << self.lanes) - 1)
        code.set_mask(TAIL, RAX)

    def refuse_tiny(self) -> None:
        """Give up if the number in register 0 is not positive, or tiny beside the largest pivot.

        Then a matrix is singular, or so close to it that rounding decides what is found.
        """
        self.one(LARGER, LARGEST, LARGEST, 0)
        self.one(MULTIPLY[NUMBER], 1, LARGEST, self.all_of(TINY))
        self.one(COMPARE_ONE, 0, 0, 1)
        self.code.jump(self.singular, BELOW_OR_EQUAL)

    # Squares

    def pivots(self) -> None:
        """Make the square triangular, with the factors of all rows below in its columns. R12: its reciprocals.

        Rows that are exchanged are so from the group's first column on, as factors left of it count no more, or as a
        whole.
        """
        code, at = self.code, Words.at
        code.load(R9, at(Words.SQUARE))  # the pivot's row, from the square's first column on
        code.load(R8, R9)  # the pivot
        code.load(R10, at(Words.BELOW))
        code.constant(RDI, 1)  # the bit of its column
        code.constant(RBX, 0)  # the bytes before it

        def pivot() -> None:
            code.add(R10, -1)
            self._choose()
            self.exchange()
            code.vector(LOADED, 1, 0, self.all_of(1))
            self.one(DIVIDE_ONE, 1, 1, Memory(R8))
            self.one(STORE_ONE, 1, 0, Memory(R12))
            code.wide(SPREAD, 1, 0, Memory(R12), spread=NUMBER)
            self._load_beyond()
            code.load(R11, R9)
            code.load(RDX, R10)
            self.loop(RDX, self._reduce)
            code.add(R8, self.stride + NUMBER)
            code.add(R9, self.stride)
            code.add(R12, NUMBER)
            code.add(RBX, NUMBER)

        self.with_largest(lambda: self._each_pivot(pivot))

    def _each_pivot(self, body: Callable[[], None]) -> None:
        """Run the body for each row of the square."""
        self.code.constant(R14, self.lanes)
        self.loop(R14, body)

    def _load_beyond(self) -> None:
        """Load the columns behind the pivot's, with zeros before them, to register 2."""
        code = self.code
        code.set_mask(HERE, RDI)
        code.add_register(RDI, RDI)
        code.constant(RAX, 0)
        code.subtract_register(RAX, RDI)
        code.set_mask(BEYOND, RAX)
        code.wide(LOADED, 2, 0, Memory(R9), mask=BEYOND)

    def _keep_factor(self) -> None:
        """Move a factor from register 4 to the pivot's column, in register 3."""
        self.code.wide(LOADED, 3, 0, 4, mask=HERE, keep=True)

    def with_largest(self, body: Callable[[], None]) -> None:
        """Run the body, which chooses pivots and compares them with the largest one so far."""
        code, word = self.code, Words.at(Words.LARGEST)
        code.vector(LOADED, ABSOLUTE, 0, self.all_bits_but_signs())
        self.one(LOAD_ONE, LARGEST, 0, word)
        body()
        self.one(STORE_ONE, LARGEST, 0, word)

    def _choose(self) -> None:
        """Choose the row with the largest number in the pivot's column: its address goes to RCX."""
        code = self.code
        code.load(RCX, R8)
        code.load(R11, R8)
        code.load(RDX, R10)
        self.one(LOAD_ONE, 0, 0, Memory(R8))
        self.one(AND, 0, 0, ABSOLUTE)

        def compare() -> None:
            code.add(R11, self.stride)
            self.one(LOAD_ONE, 1, 0, Memory(R11))
            self.one(AND, 1, 1, ABSOLUTE)
            self.one(COMPARE_ONE, 1, 0, 0)
            code.move_if_above(RCX, R11)
            self.one(LARGER, 0, 1, 0)

        self.loop(RDX, compare)
        self.refuse_tiny()

    def exchange(self) -> None:
        """Exchange the chosen row and the pivot's: RCX and R8 are their addresses, RBX bytes behind the square's first
        column, where R9 has the pivot's row."""
        code, same = self.code, self.code.new_label()
        code.compare_registers(RCX, R8)
        code.jump(same, JUMP_EQUAL)
        code.subtract_register(RCX, RBX)
        code.load(R11, R9)
        code.constant(RDX, 1 << 63)
        code.add_to_memory(Words.at(Words.SIGN), RDX)
        if self.factored:  # go back to the first column
            code.load(RDX, Words.at(Words.RIGHT))
            code.add(RDX, 1 - self.sizes.blocks)
        else:
            code.constant(RDX, 0)
            code.subtract_register(RDX, Words.at(Words.BEHIND))
        code.multiply(RDX, RDX, self.width)
        code.add_register(R11, RDX)
        code.add_register(RCX, RDX)
        if self.factored:
            code.constant(RDX, self.sizes.blocks + self.sizes.vectors)
        elif self.inverts:  # with the right-hand sides of the groups before
            code.constant(RDX, self.sizes.blocks)
        else:
            code.load(RDX, Words.at(Words.RIGHT))
            code.add_register(RDX, Words.at(Words.BEHIND))
            code.add(RDX, 1)

        def swap() -> None:
            for register, row in ((1, R11), (2, RCX)):
                code.wide(LOADED, register, 0, Memory(row))
            for register, row in ((2, R11), (1, RCX)):
                code.wide(STORED, register, 0, Memory(row))
            code.add(R11, self.width)
            code.add(RCX, self.width)

        self.loop(RDX, swap)
        if self.inverts:
            self._exchange_numbers()
        code.place(same)

    def _exchange_numbers(self) -> None:
        """Exchange the numbers of two rows: R11 and RCX are the addresses of the current group's right-hand sides."""
        code, at = self.code, Words.at
        code.multiply(RDX, at(Words.BEHIND), self.width)
        code.add_register(RDX, at(Words.SIDES))
        code.subtract_register(RDX, at(Words.SQUARE))
        code.add_register(R11, RDX)
        code.add_register(RCX, RDX)
        code.load(RAX, Memory(R11))
        code.load(RDX, Memory(RCX))
        code.store(Memory(R11), RDX)
        code.store(Memory(RCX), RAX)

    def _reduce(self) -> None:
        """Subtract the pivot's row from a row of the square's columns, and keep the factor."""
        code = self.code
        code.add(R11, self.stride)
        code.wide(LOADED, 3, 0, Memory(R11))
        code.wide(MULTIPLY[NUMBER], 4, 1, Memory(R11, 0, RBX), spread=NUMBER)
        code.wide(SUBTRACT_PRODUCT[NUMBER], 3, 4, 2)
        self._keep_factor()
        code.wide(STORED, 3, 0, Memory(R11))

    def root(self) -> None:
        """The Cholesky factor of the square: an upper triangle, with zeros below. R12: its reciprocals."""
        self.code.load(RDI, Words.at(Words.SQUARE))
        self.with_largest(self._roots)

    def _roots(self) -> None:
        """The rows of the factor. RDI points to the first one."""
        code = self.code
        squares = range(code.registers // 2, code.registers // 2 + self.lanes)
        for row, register in enumerate(squares):
            code.wide(LOADED, register, 0, Memory(RDI, row * self.stride))
        for row, register in enumerate(squares):
            place = Memory(RDI, row * self.stride)
            self._begin_row(row)
            code.wide(STORED, register, 0, place)
            self.one(LOAD_ONE, 0, 0, place._replace(offset=place.offset + row * NUMBER))
            self.refuse_tiny()
            self.one(ROOT_ONE, 0, 0, 0)
            code.vector(LOADED, 1, 0, self.all_of(1))
            self.one(DIVIDE_ONE, 1, 1, 0)
            self.one(STORE_ONE, 1, 0, Memory(R12, row * NUMBER))
            self._scale(register, Memory(R12, row * NUMBER), row)
            code.wide(STORED, register, 0, place)
            for other in range(row + 1, self.lanes):
                factor = place._replace(offset=place.offset + other * NUMBER)
                code.wide(SUBTRACT_PRODUCT[NUMBER], squares[other], register, factor, spread=NUMBER)

    def _begin_row(self, row: int) -> None:
        self.code.constant(RAX, -1 << row)
        self.code.set_mask(HERE, RAX)

    def _scale(self, register: int, factor: Memory, row: int) -> None:
        """Multiply what a row has from the diagonal on, and clear what is before."""
        self.code.wide(MULTIPLY[NUMBER], register, register, factor, mask=HERE, spread=NUMBER)

    # Blocks

    def substitute(self, vectors: int, upwards: bool, scaled: bool) -> None:
        """Solve the square's triangular equations, for as many vectors as a register says, from the address in RSI on.

        Args:
            vectors: the register.
            upwards: whether the square is an upper triangle.
            scaled: whether the diagonal has numbers other than one; R12 points to their reciprocals.
        """
        code = self.code
        code.load(RDI, Words.at(Words.SQUARE))

        def solve() -> None:
            for row in range(self.lanes):
                code.wide(LOADED, row, 0, Memory(RSI, row * self.stride))
            for row in range(self.lanes)[:: -1 if upwards else 1]:
                if scaled:
                    code.wide(MULTIPLY[NUMBER], row, row, Memory(R12, row * NUMBER), spread=NUMBER)
                for other in range(row) if upwards else range(row + 1, self.lanes):
                    factor = Memory(RDI, other * self.step + row * self.factor_step)
                    code.wide(SUBTRACT_PRODUCT[NUMBER], other, row, factor, spread=NUMBER)
            for row in range(self.lanes):
                code.wide(STORED, row, 0, Memory(RSI, row * self.stride))
            code.add(RSI, self.width)

        self.loop(vectors, solve)

    def subtract(self, begin: int) -> None:
        """Subtract multiples of rows from other rows, as `EliminationWords` says. `begin`: the label to jump to."""
        code, at = self.code, Words.at
        again, done = code.new_label(), code.new_label()
        fewer = {vectors: code.new_label() for vectors in range(1, MOST_VECTORS)}
        code.place(begin)
        load_steps(code, FIRST_ROWS, at(Words.ROW_STEP))
        code.constant(RAX, self.stride)
        code.store(at(Words.HEIGHT_LEFT), RAX)
        load_steps(code, RESULT_ROWS, at(Words.HEIGHT_LEFT))
        code.place(again)
        for vectors, label in fewer.items():
            code.compare(at(Words.VECTORS_HERE), vectors)
            code.jump(label, JUMP_EQUAL)
        code.compare(at(Words.VECTORS_HERE), 0)
        code.jump(done, JUMP_EQUAL)
        self._columns(MOST_VECTORS)
        code.jump(again)
        for vectors, label in fewer.items():
            code.place(label)
            self._columns(vectors)
            if vectors < MOST_VECTORS - 1:
                code.jump(done)
        code.place(done)
        code.load(RAX, at(Words.RETURN))
        code.jump_to(RAX)

    def _columns(self, vectors: int) -> None:
        """Subtract from so many vectors of all rows."""
        code, at, again = self.code, Words.at, self.code.new_label()
        if self.symmetric:  # columns of the lower triangle do not count
            code.multiply(RAX, at(Words.GROWTH), vectors)
            code.add_to_memory(at(Words.HEIGHT), RAX)
        for source, target in (
            (Words.HEIGHT, Words.HEIGHT_LEFT), (Words.RESULT, Words.RESULT_HERE), (Words.FACTORS, Words.FACTORS_HERE)
        ):  # fmt: skip
            code.load(RAX, at(source))
            code.store(at(target), RAX)
        code.constant(RBX, self.stride)
        code.place(again)
        code.load(RDI, at(Words.FACTORS_HERE))
        code.load(RSI, at(Words.SOURCE))
        code.load(RDX, at(Words.RESULT_HERE))
        code.load(RCX, at(Words.DEPTH_HERE))
        code.constant(RAX, self.factor_step)
        self._add_block(vectors)
        code.add(at(Words.FACTORS_HERE), self.lanes * self.step)
        code.add(at(Words.RESULT_HERE), self.lanes * self.stride)
        code.add(at(Words.HEIGHT_LEFT), -self.lanes)
        code.jump(again, JUMP_NOT_EQUAL)
        for word in (Words.RESULT, Words.SOURCE):
            code.add(at(word), vectors * self.width)
        code.add(at(Words.VECTORS_HERE), -vectors)

    def _add_block(self, vectors: int) -> None:
        """Subtract from so many vectors of a block of rows."""
        add_block(self.code, NUMBER, vectors, block_rows(NUMBER, vectors, SUBTRACT_PRODUCT[NUMBER]))
