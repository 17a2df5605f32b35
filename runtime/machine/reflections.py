"""QR factorization by Householder reflections, of a matrix in working memory (`elimination_code.py`).

The reflection I - c v vT makes a column zero below the diagonal. v has what the column had there, and stays in its
place; the diagonal of R is kept apart. The reflections, the last one first, turn columns of the identity into Q. They
stand beside the matrix. Three rows of zeros follow, so that loops take four rows at once.
"""

from __future__ import annotations

from collections.abc import Callable

from .assembler import (
    JUMP_ABOVE_EQUAL,
    JUMP_BELOW,
    JUMP_EQUAL,
    JUMP_NOT_EQUAL,
    MAP_0F,
    P66,
    R8,
    R9,
    R10,
    R11,
    R12,
    R13,
    R14,
    RAX,
    RBX,
    RCX,
    RDI,
    RSI,
    Form,
    Memory,
)
from .elimination_panels import (
    COMPARE_ONE,
    DIVIDE_ONE,
    LOAD_ONE,
    LOADED,
    ROOT_ONE,
    SPREAD,
    STORE_ONE,
    STORED,
    EliminationPanels,
    Words,
)  # fmt: skip
from .elimination_sizes import NUMBER
from .wide_assembler import ADD, MULTIPLY, MULTIPLY_ADD, SUBTRACT, SUBTRACT_PRODUCT

OR, AND_NOT = Form(P66, MAP_0F, 0xEB), Form(P66, MAP_0F, 0xDF)
LEAST, LARGEST = 1e-140, 1e280
"""Squares of lengths between which no product underflows or overflows. LAPACK scales what has others."""
UNROLLED = 4  # rows
FACTOR, TURNED = 8, 9  # registers: c, and c vT times some columns


class Reflections:
    """Writes the code. R8 points to the diagonal, R12 to that of R; R13: bytes left of it, R14: rows from there on."""

    def __init__(self, owner: EliminationPanels) -> None:
        self.owner, self.code, self.sizes = owner, owner.code, owner.sizes
        self.kept = owner.reciprocals + (self.sizes.padded + self.sizes.lanes) * NUMBER  # a vector

    def write(self) -> None:
        """The matrix becomes reflections, and the identity beside it Q."""

        def factor() -> None:
            self._choose()
            self._reflect(0, self.sizes.blocks, True)

        self._each(1, factor)
        self._each(-1, lambda: self._reflect(self.sizes.blocks * self.owner.width, self.sizes.vectors, False))

    def clear_below(self) -> None:
        """The matrix becomes R. What is before its rows is lost."""

        def clear() -> None:
            code.load(RSI, R8)
            code.load(RCX, R13)
            self._count(RCX, self.owner.width, NUMBER)
            self.owner.loop(RCX, before)
            code.load(RAX, Memory(R12))
            code.store(Memory(R8), RAX)

        def before() -> None:
            code.add(RSI, -self.owner.width)
            code.wide(STORED, 0, 0, Memory(RSI))

        code = self.code
        code.clear(0)
        self._each(1, clear)

    def _each(self, direction: int, body: Callable[[], None]) -> None:
        """Run the body for each reflection, with the registers above."""
        code, last = self.code, min(self.sizes.rows, self.sizes.across) - 1
        first = 0 if direction > 0 else last
        self.owner.at_base(R8, first * (self.owner.stride + NUMBER))
        self.owner.at_base(R12, self.owner.reciprocals + first * NUMBER)
        for register, number in ((R13, first * NUMBER), (R14, self.sizes.rows - first), (R11, last + 1)):
            code.constant(register, number)

        def step() -> None:
            body()
            for register, by in ((R8, self.owner.stride + NUMBER), (R12, NUMBER), (R13, NUMBER), (R14, -1)):
                code.add(register, direction * by)

        self.owner.loop(R11, step)

    def _count(self, register: int, size: int, unit: int = 1) -> None:
        """Divide a number by a power of two, and round up."""
        self.code.add(register, size - unit)
        self.code.shift_right(register, size.bit_length() - 1)

    def _choose(self) -> None:
        """The first number of v, in place of the diagonal's, which is kept. It is zero if those below it are."""
        code, one = self.code, self.owner.one
        known, done = code.new_label(), code.new_label()
        for register in range(UNROLLED + 1):
            code.clear(register)
        code.load(R10, R14)
        code.add(R10, -1)
        self._count(R10, UNROLLED)
        code.load(RBX, R8)

        def square() -> None:
            for row in range(UNROLLED):
                one(LOAD_ONE, UNROLLED + 1, 0, Memory(RBX, (row + 1) * self.owner.stride))
                one(MULTIPLY_ADD[NUMBER], row, UNROLLED + 1, UNROLLED + 1)
                one(OR, UNROLLED, UNROLLED, UNROLLED + 1)
            code.add(RBX, UNROLLED * self.owner.stride)

        self.owner.loop(R10, square)
        self._add_up()
        code.vector(LOADED, 2, 0, self.owner.all_of(LEAST))
        one(COMPARE_ONE, 0, 0, 2)
        one(LOAD_ONE, 1, 0, Memory(R8))
        code.jump(known, JUMP_ABOVE_EQUAL)
        one(STORE_ONE, UNROLLED, 0, Words.at(Words.RESULT))
        code.load(RAX, Words.at(Words.RESULT))
        code.add_register(RAX, RAX)  # without the sign
        code.compare(RAX, 0)
        code.jump(self.owner.singular, JUMP_NOT_EQUAL)
        one(STORE_ONE, 1, 0, Memory(R12))
        code.clear(1)
        code.jump(done)
        code.place(known)
        one(MULTIPLY_ADD[NUMBER], 0, 1, 1)
        code.vector(LOADED, 2, 0, self.owner.all_of(LARGEST))
        one(COMPARE_ONE, 2, 0, 0)
        code.jump(self.owner.singular, JUMP_BELOW)  # also where it is nan
        one(ROOT_ONE, 0, 0, 0)
        code.vector(LOADED, 2, 0, self.owner.all_of(-0.0))
        one(AND_NOT, 2, 1, 2)
        one(OR, 0, 0, 2)
        one(SUBTRACT[NUMBER], 1, 1, 0)
        one(STORE_ONE, 0, 0, Memory(R12))
        code.place(done)
        one(STORE_ONE, 1, 0, Memory(R8))

    def _add_up(self) -> None:
        """The sum of the first registers."""
        for register, other in ((0, 1), (2, 3), (0, 2)):
            self.code.wide(ADD[NUMBER], register, register, other)

    def _reflect(self, offset: int, vectors: int, masked: bool) -> None:
        """Reflect columns, which begin at the offset. Masked: those right of v alone."""
        code, one, width = self.code, self.owner.one, self.owner.width
        idle = code.new_label()
        one(LOAD_ONE, 0, 0, Memory(R8))
        one(LOAD_ONE, 1, 0, Memory(R12))
        code.clear(2)
        one(COMPARE_ONE, 0, 0, 2)
        code.jump(idle, JUMP_EQUAL)
        one(MULTIPLY[NUMBER], 0, 0, 1)
        code.vector(LOADED, 1, 0, self.owner.all_of(-1))
        one(DIVIDE_ONE, 1, 1, 0)
        one(STORE_ONE, 1, 0, Words.at(Words.RESULT))
        code.wide(SPREAD, FACTOR, 0, Words.at(Words.RESULT), spread=NUMBER)
        code.address(RSI, Memory(R8, offset))
        code.subtract_register(RSI, R13)
        code.constant(R9, vectors)
        if masked or not self.sizes.beyond:  # columns before are none of these, or zero
            code.load(RCX, R13)
            code.bit_and(RCX, -width)
            code.add_register(RSI, RCX)
            code.shift_right(RCX, width.bit_length() - 1)
            code.subtract_register(R9, RCX)
        code.load(R10, R14)
        self._count(R10, UNROLLED)
        if masked:
            self._columns(True)
            code.add(R9, -1)
        self.owner.loop(R9, lambda: self._columns(False))
        code.place(idle)

    def _columns(self, masked: bool) -> None:
        """Reflect a vector of columns, whose first row is at RSI."""
        code, owner = self.code, self.owner
        for register in range(UNROLLED):
            code.clear(register)
        self._rows(lambda row, there, v: code.wide(MULTIPLY_ADD[NUMBER], row, row + UNROLLED, v, spread=NUMBER))
        self._add_up()
        code.wide(MULTIPLY[NUMBER], TURNED, 0, FACTOR)
        if masked:
            owner.at_base(RCX, self.kept)
            code.load(RAX, R13)
            code.bit_and(RAX, owner.width - 1)
            code.clear(0)
            code.wide(STORED, TURNED, 0, Memory(RCX))
            code.wide(STORED, 0, 0, Memory(RCX, NUMBER - owner.width, RAX))
            code.wide(LOADED, TURNED, 0, Memory(RCX))

        def subtract(row: int, there: Memory, v: Memory) -> None:
            code.wide(SUBTRACT_PRODUCT[NUMBER], row + UNROLLED, TURNED, v, spread=NUMBER)
            code.wide(STORED, row + UNROLLED, 0, there)

        self._rows(subtract)
        code.add(RSI, owner.width)

    def _rows(self, body: Callable[[int, Memory, Memory], None]) -> None:
        """Run the body for each row, with its place, and that of v's number; they are in registers from four on."""
        code, stride = self.code, self.owner.stride
        for register, start in ((RDI, RSI), (RBX, R8), (RCX, R10)):
            code.load(register, start)

        def rows() -> None:
            for row in range(UNROLLED):
                code.wide(LOADED, row + UNROLLED, 0, Memory(RDI, row * stride))
            for row in range(UNROLLED):
                body(row, Memory(RDI, row * stride), Memory(RBX, row * stride))
            code.add(RDI, UNROLLED * stride)
            code.add(RBX, UNROLLED * stride)

        self.owner.loop(RCX, rows)
