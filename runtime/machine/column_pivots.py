"""The pivots of a block of columns, whose elements are copied column by column: so that vectors have the elements of
one column, and one instruction computes eight rows.

A pass over the rows divides a column by its pivot, subtracts its multiples from the columns behind it, and finds the
largest element of the next one.
"""

from __future__ import annotations

from collections.abc import Callable

from .assembler import (
    JUMP_EQUAL,
    JUMP_LESS,
    JUMP_NOT_EQUAL,
    MAP_0F,
    P66,
    R8,
    R9,
    R10,
    R12,
    R13,
    R14,
    RAX,
    RBX,
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
    HERE,
    LARGER,
    LOAD_ONE,
    LOADED,
    SPREAD,
    STORE_ONE,
    STORED,
    EliminationPanels,
    Words,
)
from .elimination_sizes import NUMBER
from .product_blocks import exchanged
from .wide_assembler import COMPARE, MULTIPLY, SUBTRACT_PRODUCT

AND_WORDS, ADD_WORDS = Form(P66, MAP_0F, 0xDB, 1), Form(P66, MAP_0F, 0xD4, 1)
GREATER = 0x1E  # of numbers that compare
LARGER_HERE = 6  # mask: elements larger than the largest one
INVERSE, COLUMN, OTHER, MOST, PLACES, ROWS, NEXT = 2, 3, 4, 5, 6, 7, 8
"""Registers: the pivot's reciprocal, the factors, another column, the largest elements of a column so far with their
places, the places of the rows, and a vector of what is added to them. A place is the distance from a column's start."""
FIRST_FACTOR = 16  # the first of eight registers with the pivot's row


class ColumnPivots:
    """Writes the code, for AVX-512. Columns begin at R13, one behind the other."""

    def __init__(self, owner: EliminationPanels) -> None:
        self.owner, self.code, self.lanes, self.width = owner, owner.code, owner.lanes, owner.width
        self.columns = owner.sizes.columns_at  # from the base
        self.column = owner.sizes.column
        self.largest = self.lanes * self.column  # where two vectors are stored, from the columns on
        self.absolute = owner.all_bits_but_signs()

    def find(self) -> None:
        """As `EliminationPanels.pivots`."""
        code, owner = self.code, self.owner
        owner.at_base(R13, self.columns)
        self._turn_in()
        self._begin_search(0)
        self._each_vector(-1)
        for pivot in range(self.lanes):
            self._choose()
            self._exchange(pivot)
            code.vector(LOADED, INVERSE, 0, owner.all_of(1))
            owner.one(DIVIDE_ONE, INVERSE, INVERSE, Memory(R13, pivot * (self.column + NUMBER)))
            owner.one(STORE_ONE, INVERSE, 0, Memory(R12, pivot * NUMBER))
            code.wide(SPREAD, INVERSE, 0, Memory(R12, pivot * NUMBER), spread=NUMBER)
            for other in range(pivot + 1, self.lanes):
                place = Memory(R13, other * self.column + pivot * NUMBER)
                code.wide(SPREAD, FIRST_FACTOR + other, 0, place, spread=NUMBER)
            self._begin_search(pivot + 1)
            self._each_vector(pivot)
        self._turn_back()

    # Rows and columns

    def _turn_in(self) -> None:
        """Copy the columns, from the square on down."""
        code = self.code

        def turn() -> None:
            for row in range(self.lanes):
                code.wide(LOADED, row, 0, Memory(RSI, row * self.owner.stride))
            for column, register in enumerate(exchanged(code, NUMBER)):
                code.wide(STORED, register, 0, Memory(RDI, column * self.column))

        self._each_block(turn)

    def _turn_back(self) -> None:
        """Copy them back."""
        code = self.code

        def turn() -> None:
            for column in range(self.lanes):
                code.wide(LOADED, column, 0, Memory(RDI, column * self.column))
            for row, register in enumerate(exchanged(code, NUMBER)):
                code.wide(STORED, register, 0, Memory(RSI, row * self.owner.stride))

        self._each_block(turn)

    def _each_block(self, body: Callable[[], None]) -> None:
        """Run the body for each square from the diagonal on down: RSI points to it, RDI to its rows of the columns."""
        code, again = self.code, self.code.new_label()
        code.load(RSI, Words.at(Words.SQUARE))
        code.load(RDI, R13)
        code.load(RDX, Words.at(Words.BELOW))
        code.place(again)
        body()
        code.add(RSI, self.owner.block)
        code.add(RDI, self.width)
        code.add(RDX, -self.lanes)
        code.jump(again, JUMP_NOT_EQUAL)

    def _each_vector(self, pivot: int) -> None:
        """Go through the rows below the pivot, eight at once; -1: through all, before the first pivot."""
        code, again, done = self.code, self.code.new_label(), self.code.new_label()
        code.load(RDI, R13)
        code.load(RDX, Words.at(Words.BELOW))
        if pivot < self.lanes - 1:
            code.set_bits(HERE, (-1 << pivot + 1) & (1 << self.lanes) - 1)
            self._reduce(pivot, HERE)
        code.add(RDX, -self.lanes)
        code.jump(done, JUMP_EQUAL)
        code.place(again)
        code.add(RDI, self.width)
        self._reduce(pivot, 0)
        code.add(RDX, -self.lanes)
        code.jump(again, JUMP_NOT_EQUAL)
        code.place(done)

    def _reduce(self, pivot: int, mask: int) -> None:
        """Of eight rows keep the factors, reduce the columns behind the pivot's, and look at the next one."""
        code = self.code
        if pivot < 0:
            code.wide(LOADED, OTHER, 0, Memory(RDI))
        else:
            place = Memory(RDI, pivot * self.column)
            code.wide(MULTIPLY[NUMBER], COLUMN, INVERSE, place)
            code.wide(STORED, COLUMN, 0, place, mask=mask)
            for other in range(self.lanes - 1, pivot, -1):  # the next column last
                place = Memory(RDI, other * self.column)
                code.wide(LOADED, OTHER, 0, place)
                code.wide(SUBTRACT_PRODUCT[NUMBER], OTHER, COLUMN, FIRST_FACTOR + other)
                code.wide(STORED, OTHER, 0, place, mask=mask)
        if pivot == self.lanes - 1:
            return
        code.vector(AND_WORDS, OTHER, OTHER, self.absolute)
        code.wide(COMPARE[NUMBER], LARGER_HERE, OTHER, MOST, mask=mask, keep=bool(mask), immediate=GREATER)
        for register, found in ((MOST, OTHER), (PLACES, ROWS)):
            code.wide(LOADED, register, 0, found, mask=LARGER_HERE, keep=True)
        code.vector(ADD_WORDS, ROWS, ROWS, NEXT)

    # Pivots

    def _begin_search(self, pivot: int) -> None:
        """Begin to look for the largest element of a column, from a row of the square on."""
        if pivot == self.lanes:
            return
        code, owner = self.code, self.owner
        places = [NUMBER * row for row in range(self.lanes)]
        for register, words in (
            (ROWS, places), (PLACES, [NUMBER * pivot] * self.lanes), (NEXT, [self.width] * self.lanes),
        ):  # fmt: skip
            code.vector(LOADED, register, 0, owner.words(words))
        code.vector(LOADED, MOST, 0, owner.all_of(-1))  # no element is less, but nan

    def _choose(self) -> None:
        """Choose the first of the largest elements: its place goes to R14. Gives up if it is tiny."""
        code, owner = self.code, self.owner
        for number, register in enumerate((MOST, PLACES)):
            code.wide(STORED, register, 0, Memory(R13, self.largest + number * self.width))
        for lane in range(self.lanes):
            value, place = (Memory(R13, self.largest + NUMBER * lane + number * self.width) for number in range(2))
            if not lane:
                owner.one(LOAD_ONE, 0, 0, value)
                code.load(R14, place)
                continue
            other, done = code.new_label(), code.new_label()
            owner.one(LOAD_ONE, 1, 0, value)
            code.load(RAX, place)
            owner.one(COMPARE_ONE, 1, 0, 0)
            code.jump(other, JUMP_NOT_EQUAL)
            code.compare_registers(R14, RAX)
            code.jump(done, JUMP_LESS)
            code.load(R14, RAX)
            code.jump(done)
            code.place(other)
            code.move_if_above(R14, RAX)
            owner.one(LARGER, 0, 1, 0)
            code.place(done)
        owner.refuse_tiny()

    def _exchange(self, pivot: int) -> None:
        """Exchange the chosen row and the pivot's, in the columns and in the matrix."""
        code, owner = self.code, self.owner
        code.load(RBX, R13)
        code.add_register(RBX, R14)
        for column in range(self.lanes):
            here, there = Memory(R13, column * self.column + pivot * NUMBER), Memory(RBX, column * self.column)
            code.load(RAX, here)
            code.load(RDX, there)
            code.store(here, RDX)
            code.store(there, RAX)
        code.load(R10, Words.at(Words.SQUARE))
        code.load(R8, R10)
        code.add(R8, pivot * owner.stride)
        code.load(R9, R8)
        code.multiply(RCX, R14, owner.stride // NUMBER)
        code.add_register(RCX, R10)
        code.constant(RBX, 0)
        owner.exchange()
