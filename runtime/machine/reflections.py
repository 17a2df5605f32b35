"""QR factorization by blocked Householder reflections, of a matrix in working memory (`elimination_code.py`).

The reflection I - c v vT makes a column zero below the diagonal. A panel has as many columns as a vector has elements:
its reflections are found one after the other, in its own columns alone. Their vectors v go to columns of a matrix V
beside the matrix, which becomes R. Then all of them at once change the columns right of the panel, with D = VT C:

    w[j] = c[j] (D[j] - sum of (VT V)[j, k] w[k] for k < j)        C -= V w

The same from the last panel and reflection to the first one (k > j) turns columns of the identity into Q. Rows of zeros
follow, so that loops take four rows at once.
"""

from __future__ import annotations

from collections.abc import Callable

from .assembler import (
    JUMP_ABOVE_EQUAL,
    JUMP_BELOW,
    JUMP_EQUAL,
    JUMP_LESS,
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
from .wide_assembler import ADD, JUMP_LESS_OR_EQUAL, MULTIPLY, MULTIPLY_ADD, SUBTRACT, SUBTRACT_PRODUCT

OR, AND_NOT = Form(P66, MAP_0F, 0xEB), Form(P66, MAP_0F, 0xDF)
LEAST, LARGEST = 1e-140, 1e280
"""Squares of lengths between which no product underflows or overflows. LAPACK scales what has others."""
UNROLLED = 4  # rows
TURNED = 9  # register: c, and c vT times the panel's columns
FIRST = 1  # mask: the first elements


class Reflections:
    """Writes the code.

    The words SQUARE, BELOW and RIGHT are for a panel as for a block of rows. FACTORS is the address of its V, INVERTED
    that of VT V, with c in a row more, and HEIGHT the number of reflections from there on.
    """

    def __init__(self, owner: EliminationPanels) -> None:
        self.owner, self.code, self.sizes = owner, owner.code, owner.sizes
        self.lanes, self.width, self.stride = owner.lanes, owner.width, owner.stride
        self.vectors = owner.padded * self.stride  # where V is, from the base
        self.inner = self.vectors + self.sizes.panels * owner.padded * self.width  # where VT V is
        self.diagonal = self.inner + self.sizes.panels * (self.lanes + 1) * self.width  # the panel's part of R's
        self.kept = self.diagonal + 2 * self.width  # a vector
        self.together = 3 if self.code.registers > 16 else 2  # vectors of columns

    def factor(self, begin: int) -> None:
        """The matrix becomes R. `begin`: the label of `apply`."""
        code, at, last = self.code, Words.at, self.code.new_label()
        self._panel(0)
        again = self._again(self.sizes.panels)
        code.load(R12, at(Words.INVERTED))
        code.clear(0)
        code.wide(STORED, 0, 0, Memory(R12, self.lanes * self.width))
        self.owner.at_base(RAX, self.diagonal)
        code.wide(STORED, 0, 0, Memory(RAX))
        self._reflections()
        self._move_out()
        if not self.sizes.columns:
            code.compare(at(Words.RIGHT), 0)
            code.jump(last, JUMP_EQUAL)
        self._inner_products()
        code.load(RSI, at(Words.SQUARE))
        code.add(RSI, self.width)
        code.load(R9, at(Words.RIGHT))
        self._call(begin, 0)
        code.place(last)
        self._next(1, again)

    def form(self, begin: int) -> None:
        """Columns of the identity, in place of R, become Q, or what completes it."""
        code, at = self.code, Words.at
        self._panel(self.sizes.panels - 1)
        again = self._again(self.sizes.panels)
        if self.sizes.beyond:  # all columns
            self.owner.at_base(RSI, self.owner.padded * self.stride)
            code.load(R9, at(Words.BELOW))
            code.add(R9, self.owner.padded - self.sizes.rows)
            code.multiply(R9, R9, self.stride)
            code.subtract_register(RSI, R9)
            code.constant(R9, self.sizes.vectors)
        else:  # those before are zero
            code.load(RSI, at(Words.SQUARE))
            code.load(R9, at(Words.RIGHT))
            code.add(R9, 1 + self.sizes.panels - self.sizes.blocks)
        self._call(begin, 1)
        self._next(-1, again)

    # Panels

    def _panel(self, panel: int) -> None:
        """Go to a panel."""
        lanes, first = self.lanes, panel * self.lanes
        for word, offset in (
            (Words.SQUARE, first * self.stride + panel * self.width),
            (Words.FACTORS, self.vectors + panel * self.owner.padded * self.width),
            (Words.INVERTED, self.inner + panel * (lanes + 1) * self.width),
        ):
            self.owner.at_base(RAX, offset)
            self.code.store(Words.at(word), RAX)
        for word, number in (
            (Words.BELOW, self.sizes.rows - first), (Words.RIGHT, self.sizes.blocks - 1 - panel),
            (Words.HEIGHT, min(self.sizes.rows, self.sizes.across) - first),
        ):  # fmt: skip
            self.code.store_number(Words.at(word), number)

    def _again(self, panels: int) -> int:
        """Begin a loop over panels: its label."""
        label = self.code.new_label()
        self.code.store_number(Words.at(Words.HEIGHT_LEFT), panels)
        self.code.place(label)
        return label

    def _next(self, direction: int, again: int) -> None:
        """Go to the next panel, or the one before, and to the label; on after the last one."""
        for word, step in (
            (Words.SQUARE, self.lanes * self.stride + self.width), (Words.FACTORS, self.owner.padded * self.width),
            (Words.INVERTED, (self.lanes + 1) * self.width), (Words.BELOW, -self.lanes), (Words.RIGHT, -1),
            (Words.HEIGHT, -self.lanes),
        ):  # fmt: skip
            self.code.add(Words.at(word), direction * step)
        self.code.add(Words.at(Words.HEIGHT_LEFT), -1)
        self.code.jump(again, JUMP_NOT_EQUAL)

    def _reflections(self) -> None:
        """Find a panel's reflections. Their vectors are in its columns, the diagonal of R is kept apart.

        R8 points to the diagonal, R9 to the row's part in the panel, R12 to c. R13: bytes left of the diagonal, R14:
        rows from there on.
        """
        code, at, whole = self.code, Words.at, self.code.new_label()
        for register in (R8, R9):
            code.load(register, at(Words.SQUARE))
        code.add(R12, self.lanes * self.width)
        code.constant(R13, 0)
        code.load(R14, at(Words.BELOW))
        code.load(R11, at(Words.HEIGHT))
        code.compare(R11, self.lanes)
        code.jump(whole, JUMP_LESS)
        code.constant(R11, self.lanes)
        code.place(whole)

        def step() -> None:
            self._reflection()
            for register, by in (
                (R8, self.stride + NUMBER), (R9, self.stride), (R12, NUMBER), (R13, NUMBER), (R14, -1)
            ):  # fmt: skip
                code.add(register, by)

        self.owner.loop(R11, step)

    def _fours(self, rows: int, less: int) -> None:
        """R10: how often four rows are taken for these in a register, or fewer."""
        self.code.load(R10, rows)
        self.code.add(R10, UNROLLED - 1 - less)
        self.code.shift_right(R10, 2)

    def _each_four(self, first: int, body: Callable[[int, Memory, Memory], None]) -> None:
        """Run the body for each row from the first one on, with the places of its vector and of v's number."""
        code = self.code
        code.load(RBX, R8)
        code.load(RDI, R9)

        def rows() -> None:
            for row in range(UNROLLED):
                offset = (row + first) * self.stride
                body(row, Memory(RDI, offset), Memory(RBX, offset))
            code.add(RBX, UNROLLED * self.stride)
            code.add(RDI, UNROLLED * self.stride)

        self.owner.loop(R10, rows)

    def _reflection(self) -> None:
        """Find one reflection, and reflect the panel's columns right of it."""
        done = self.code.new_label()
        self._multiply_column()
        self._find_reflection(done)
        self._reflect_columns(done)
        self.code.place(done)

    def _multiply_column(self) -> None:
        """Store the products of the column below the diagonal with all columns at RCX. The register UNROLLED gets the
        bits of all numbers of the column."""
        code = self.code
        for register in range(UNROLLED + 1):
            code.clear(register)
        self._fours(R14, 1)

        def multiply(row: int, there: Memory, x: Memory) -> None:
            code.wide(SPREAD, row + UNROLLED + 1, 0, x, spread=NUMBER)
            code.wide(MULTIPLY_ADD[NUMBER], row, row + UNROLLED + 1, there)
            code.wide(OR, UNROLLED, UNROLLED, row + UNROLLED + 1)

        self._each_four(1, multiply)
        for register, other in ((0, 1), (2, 3), (0, 2)):
            code.wide(ADD[NUMBER], register, register, other)
        self.owner.at_base(RCX, self.kept)
        code.wide(STORED, 0, 0, Memory(RCX))

    def _find_reflection(self, done: int) -> None:
        """Store the number of R on the diagonal, that of V, and the factor of the reflection. There is none, and all is
        `done`, where the numbers below the diagonal are 0."""
        code, one = self.code, self.owner.one
        known = code.new_label()
        one(LOAD_ONE, 1, 0, Memory(RCX, 0, R13))  # the square of the length of what is below the diagonal
        one(LOAD_ONE, 3, 0, Memory(R8))
        code.vector(LOADED, 2, 0, self.owner.all_of(LEAST))
        one(COMPARE_ONE, 1, 0, 2)
        code.jump(known, JUMP_ABOVE_EQUAL)
        one(STORE_ONE, UNROLLED, 0, Words.at(Words.RESULT))
        code.load(RAX, Words.at(Words.RESULT))
        code.add_register(RAX, RAX)  # without the sign
        code.compare(RAX, 0)
        code.jump(self.owner.singular, JUMP_NOT_EQUAL)
        code.store_number(Memory(R8), 0)
        one(STORE_ONE, 3, 0, Memory(RCX, -2 * self.width, R13))
        code.jump(done)
        code.place(known)
        one(MULTIPLY_ADD[NUMBER], 1, 3, 3)
        code.vector(LOADED, 2, 0, self.owner.all_of(LARGEST))
        one(COMPARE_ONE, 2, 0, 1)
        code.jump(self.owner.singular, JUMP_BELOW)  # also where it is nan
        one(ROOT_ONE, 1, 1, 1)
        code.vector(LOADED, 2, 0, self.owner.all_of(-0.0))
        one(AND_NOT, 2, 3, 2)
        one(OR, 1, 1, 2)
        one(STORE_ONE, 1, 0, Memory(RCX, -2 * self.width, R13))
        one(SUBTRACT[NUMBER], 3, 3, 1)
        one(STORE_ONE, 3, 0, Memory(R8))
        one(MULTIPLY[NUMBER], 1, 1, 3)
        code.vector(LOADED, 2, 0, self.owner.all_of(-1))
        one(DIVIDE_ONE, 2, 2, 1)
        one(STORE_ONE, 2, 0, Memory(R12))

    def _reflect_columns(self, done: int) -> None:
        """Subtract multiples of the reflection's vector from the columns right of it; `done` if there are none."""
        code = self.code
        code.compare(R13, self.width - NUMBER)
        code.jump(done, JUMP_EQUAL)
        code.wide(SPREAD, TURNED, 0, Memory(R8), spread=NUMBER)
        code.wide(MULTIPLY_ADD[NUMBER], 0, TURNED, Memory(R9))
        code.wide(SPREAD, TURNED, 0, Memory(R12), spread=NUMBER)
        code.wide(MULTIPLY[NUMBER], TURNED, TURNED, 0)
        code.clear(0)
        code.wide(STORED, TURNED, 0, Memory(RCX))
        code.wide(STORED, 0, 0, Memory(RCX, NUMBER - self.width, R13))
        code.wide(LOADED, TURNED, 0, Memory(RCX))
        self._fours(R14, 0)

        def subtract(row: int, there: Memory, v: Memory) -> None:
            code.wide(LOADED, row, 0, there)
            code.wide(SUBTRACT_PRODUCT[NUMBER], row, TURNED, v, spread=NUMBER)
            code.wide(STORED, row, 0, there)

        self._each_four(0, subtract)

    def _move_out(self) -> None:
        """Move a panel's vectors to V. The panel gets the diagonal of R, and zeros below."""
        code, done = self.code, self.code.new_label()
        code.load(R8, Words.at(Words.SQUARE))
        code.load(RDI, Words.at(Words.FACTORS))
        self.owner.at_base(RSI, self.diagonal)
        for row in range(self.lanes):
            here = Memory(R8, row * self.stride)
            code.set_bits(FIRST, (2 << row) - 1)
            code.wide(LOADED, 0, 0, here, mask=FIRST)
            code.wide(STORED, 0, 0, Memory(RDI, row * self.width))
            code.clear(0)
            code.wide(STORED, 0, 0, here, mask=FIRST)
            code.load(RAX, Memory(RSI, row * NUMBER))
            code.store(Memory(R8, row * (self.stride + NUMBER)), RAX)
        code.load(R10, Words.at(Words.BELOW))
        code.add(R10, UNROLLED - 1 - self.lanes)
        code.compare(R10, 0)
        code.jump(done, JUMP_LESS_OR_EQUAL)
        code.shift_right(R10, 2)
        code.clear(0)

        def move() -> None:
            for row in range(self.lanes, self.lanes + UNROLLED):
                here = Memory(R8, row * self.stride)
                code.wide(LOADED, 1, 0, here)
                code.wide(STORED, 1, 0, Memory(RDI, row * self.width))
                code.wide(STORED, 0, 0, here)
            code.add(R8, UNROLLED * self.stride)
            code.add(RDI, UNROLLED * self.width)

        self.owner.loop(R10, move)
        code.place(done)

    def _inner_products(self) -> None:
        """VT V."""
        code, column = self.code, self.lanes
        code.load(RDI, Words.at(Words.FACTORS))
        code.load(RCX, Words.at(Words.BELOW))
        for register in range(self.lanes):
            code.clear(register)

        def row() -> None:
            code.wide(LOADED, column, 0, Memory(RDI))
            for register in range(self.lanes):
                place = Memory(RDI, register * NUMBER)
                code.wide(MULTIPLY_ADD[NUMBER], register, column, place, spread=NUMBER)
            code.add(RDI, self.width)

        self.owner.loop(RCX, row)
        code.load(R12, Words.at(Words.INVERTED))
        for register in range(self.lanes):
            code.wide(STORED, register, 0, Memory(R12, register * self.width))

    # Columns

    def _call(self, begin: int, backwards: int) -> None:
        """Call `apply` for the panel."""
        code, back = self.code, self.code.new_label()
        code.load(R8, Words.at(Words.FACTORS))
        code.load(R12, Words.at(Words.INVERTED))
        code.constant(R11, backwards)
        code.address_of(RAX, back)
        code.store(Words.at(Words.RETURN), RAX)
        code.jump(begin)
        code.place(back)

    def apply(self, begin: int) -> None:
        """Reflect as many vectors of columns as R9 says, from RSI on. R8: V, R12: VT V, R11: whether backwards."""
        code, few, again = self.code, self.code.new_label(), self.code.new_label()
        code.place(begin)
        code.load(R10, Words.at(Words.BELOW))
        code.place(again)
        code.compare(R9, self.together)
        code.jump(few, JUMP_LESS)
        self._reflect(self.together)
        code.add(R9, -self.together)
        code.jump(again)
        code.place(few)
        self.owner.loop(R9, lambda: self._reflect(1))
        code.load(RAX, Words.at(Words.RETURN))
        code.jump_to(RAX)

    def _reflect(self, vectors: int) -> None:
        """Reflect so many vectors of columns."""
        code, lanes = self.code, self.lanes
        first = lanes * vectors  # of the registers after those of D, which become w
        for register in range(first):
            code.clear(register)
        self._rows(vectors, lambda k, v: code.wide(MULTIPLY_ADD[NUMBER], k * vectors + v, first + v, self.number))
        if self.sizes.columns:
            backwards, solved = code.new_label(), code.new_label()
            code.compare(R11, 0)
            code.jump(backwards, JUMP_NOT_EQUAL)
            self._solve(vectors, 1)
            code.jump(solved)
            code.place(backwards)
            self._solve(vectors, -1)
            code.place(solved)
        else:
            self._solve(vectors, 1)

        def subtract(k: int, v: int) -> None:
            code.wide(SUBTRACT_PRODUCT[NUMBER], first + v, k * vectors + v, self.number)
            if k == lanes - 1:
                code.wide(STORED, first + v, 0, Memory(RDI, v * self.width))

        self._rows(vectors, subtract)
        code.add(RSI, vectors * self.width)

    def _rows(self, vectors: int, body: Callable[[int, int], None]) -> None:
        """Run the body for each reflection and vector of each row. The vectors are in registers, and v's number."""
        code, first = self.code, self.lanes * vectors
        for register, start in ((RDI, RSI), (RBX, R8), (RCX, R10)):
            code.load(register, start)

        def row() -> None:
            for v in range(vectors):
                code.wide(LOADED, first + v, 0, Memory(RDI, v * self.width))
            for k in range(self.lanes):
                self.number = first + vectors + k % 2
                code.wide(SPREAD, self.number, 0, Memory(RBX, k * NUMBER), spread=NUMBER)
                for v in range(vectors):
                    body(k, v)
            code.add(RDI, self.stride)
            code.add(RBX, self.width)

        self.owner.loop(RCX, row)

    def _solve(self, vectors: int, direction: int) -> None:
        """D becomes w, from the first reflection to the last, or the other way round."""
        code, number = self.code, self.lanes * vectors
        order = range(self.lanes)[::direction]
        for position, k in enumerate(order):
            code.wide(SPREAD, number, 0, Memory(R12, self.lanes * self.width + k * NUMBER), spread=NUMBER)
            for v in range(vectors):
                code.wide(MULTIPLY[NUMBER], k * vectors + v, k * vectors + v, number)
            for j in order[position + 1 :]:
                code.wide(SPREAD, number, 0, Memory(R12, j * self.width + k * NUMBER), spread=NUMBER)
                for v in range(vectors):
                    code.wide(SUBTRACT_PRODUCT[NUMBER], j * vectors + v, k * vectors + v, number)
