"""The code that takes images apart into tiles, and puts them together: Winograd's transforms for kernels of 3 by 3, and
for kernels of one row of 3 or 5.

A tile is 4 by 4 pixels of the input, or 2 by 2 of the result; tiles of inputs overlap. Sixteen neighbouring tiles are
computed at once, each in an element of a vector. For kernels of one row a tile is 1 by 4, or 1 by 6, and 1 by 2 of the
result. Pixels outside of an image are zero, and are never read or written.

With a spread of d, neighbouring columns of a tile are d pixels apart, and d tiles lie side by side between each other's
columns: the first of them begin at the columns 0 to d - 1, the next ones at 2 d and so on.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from .assembler import (
    JUMP_ABOVE_EQUAL,
    JUMP_LESS,
    JUMP_NOT_EQUAL,
    R8,
    R10,
    R11,
    R12,
    R13,
    R14,
    R15,
    RAX,
    RBX,
    RCX,
    RDI,
    RDX,
    RSI,
    RSP,
    Form,
    Memory,
)
from .product_blocks import load_steps, row_address
from .tile_boundary import TileBoundary, TileWords
from .vector_assembler import FROM_TWO
from .wide_assembler import (
    ADD,
    BROADCAST,
    COMPARE,
    JUMP_GREATER,
    LOAD,
    MULTIPLY_ADD,
    STORE,
    SUBTRACT,
    UNORDERED,
    WIDTH,
    WideAssembler,
)

KINDS = ("input", "output", "gradient")
"""Tiles of inputs; results of tiles; tiles of the results' gradients, by the transpose of what gives results."""

TILES = 16
"""The most tiles that are computed at once."""
NUMBERS_OF = {9: 16, 3: 4, 5: 6}
"""The numbers of a tile, by the taps of the kernel."""
EVEN, ODD, ZERO = 28, 29, 30  # registers that hold which elements are chosen, and zeros
FINITE = 31  # zeros, unless some result is infinite or nan
LOWER, UPPER = EVEN, ODD  # to put even and odd elements together
HERE, THERE = RSI, RDI  # addresses in the image, and in the tiles
UPPER_HALF = RDX  # the address of the tile's ninth number
ROW, ROWS, ROWS_LEFT, IMAGE_STEP, TILE_STEP = RCX, R10, R11, R8, RBX
NUMBERS = (R12, R13, R14, R15)  # 1, 3, 5 and 7 times the distance of a tile's numbers
LOADS = (1, 2, 3, 4, 5, 6)  # masks of the columns of an image
WHOLE = 7  # mask of the tiles
FACTORS = {-5.0: 24, -4.0: 25, 4.0: 26}
"""Registers of constants, for inputs of kernels of five."""


def tiles_at_once(spread: int) -> int:
    """How many tiles are computed at once: 16, or less if neighbours would be cut off."""
    return TILES - TILES % spread


def lanes(kind: str, spread: int) -> tuple[list[int], list[int]]:
    """Which of 32 columns are the first ones of the tiles, and which the second ones.

    To put results together: where the columns of two vectors are, if first columns are at 0, the others at 16.
    """
    count = tiles_at_once(spread)
    first = [tile + tile // spread * spread for tile in range(count)]
    if kind != "output":
        return [*first, *[0] * (TILES - count)], [*(column + spread for column in first), *[0] * (TILES - count)]
    places = {column + other: tile + TILES * (other > 0) for tile, column in enumerate(first) for other in (0, spread)}
    return [places.get(column, 0) for column in range(16)], [places.get(column, 0) for column in range(16, 32)]


class TileCode:
    """Writes the code of one kind of transform, for tiles whose columns are `spread` pixels apart, at most 8.

    `taps`: of the kernel, 9 for 3 by 3, or 3 or 5 for one row.
    """

    assembler: type[WideAssembler] = WideAssembler
    spare: tuple[int, int, int] = (16, 17, 18)
    """Registers for what is needed for a moment."""
    zero = ZERO

    def __init__(self, kind: str, spread: int = 1, taps: int = 9) -> None:
        self.kind, self.spread, self.at_once = kind, spread, tiles_at_once(spread)
        self.one_row, self.numbers, self.pairs = taps < 9, NUMBERS_OF[taps], 3 if taps == 5 else 2
        self.code = self.assembler()
        self.boundary = TileBoundary(self.code, kind, spread, self.numbers)

    def assemble(self) -> bytes:
        """The function's code."""
        code, at = self.code, TileWords.at
        self.boundary.enter()
        self._choose_lanes()
        load_steps(code, NUMBERS, at(TileWords.NUMBER_STEP))
        code.load(IMAGE_STEP, at(TileWords.ROW_STEP))
        code.load(TILE_STEP, at(TileWords.TILE_ROW))
        code.load(ROWS, at(TileWords.HEIGHT))
        images, channels = code.new_label(), code.new_label()
        self._copy(TileWords.IMAGES_LEFT, TileWords.IMAGES)
        code.place(images)
        self._copy(TileWords.CHANNELS_LEFT, TileWords.CHANNELS)
        self._copy(TileWords.PLANE, TileWords.IMAGE)
        self._copy(TileWords.PLANE_TILES, TileWords.TILES)
        code.place(channels)
        self._all_columns()
        self._step(TileWords.PLANE, TileWords.CHANNEL_STEP)
        self._step(TileWords.PLANE_TILES, TileWords.TILE_CHANNEL)
        code.add(at(TileWords.CHANNELS_LEFT), -1)
        code.jump(channels, JUMP_NOT_EQUAL)
        self._step(TileWords.IMAGE, TileWords.IMAGE_STEP)
        self._step(TileWords.TILES, TileWords.TILE_IMAGE)
        code.add(at(TileWords.IMAGES_LEFT), -1)
        code.jump(images, JUMP_NOT_EQUAL)
        self._report()
        self.boundary.leave()
        return code.finish()

    def _report(self) -> None:
        """Leave in the word DONE whether some result is infinite or nan."""
        self.code.wide(COMPARE[4], LOADS[0], FINITE, FINITE, immediate=UNORDERED)
        self.code.get_mask(RAX, LOADS[0])
        self.code.store(TileWords.at(TileWords.DONE), RAX)

    def _copy(self, target: int, source: int) -> None:
        self.code.load(RAX, TileWords.at(source))
        self.code.store(TileWords.at(target), RAX)

    def _step(self, place: int, step: int) -> None:
        self.code.load(RAX, TileWords.at(place))
        self.code.add_register(RAX, TileWords.at(step))
        self.code.store(TileWords.at(place), RAX)

    def _choose_lanes(self) -> None:
        """Fill the registers that choose elements, and those of constants."""
        code, at = self.code, TileWords.at
        for register, chosen in zip((EVEN, ODD), lanes(self.kind, self.spread), strict=True):
            for number, pair in enumerate(struct.unpack("<8q", struct.pack("<16i", *chosen))):
                code.store_number(at(TileWords.SELECT + number), pair)
            code.wide(LOAD[4], register, 0, Memory(RSP, 8 * TileWords.SELECT))
        code.clear(ZERO)
        code.clear(FINITE)
        for factor, register in FACTORS.items():
            code.store_number(at(TileWords.SELECT), int.from_bytes(struct.pack("<f", factor), "little"))
            code.wide(BROADCAST[4], register, 0, at(TileWords.SELECT), spread=4)

    def _all_columns(self) -> None:
        """All tiles of a channel of an image."""
        code, at, columns = self.code, TileWords.at, self.code.new_label()
        code.store_number(at(TileWords.DONE), 0)
        code.place(columns)
        self._set_masks()
        self._columns()
        code.add(at(TileWords.DONE), self.at_once)
        code.load(RAX, at(TileWords.DONE))
        code.compare_registers(RAX, at(TileWords.WIDE))
        code.jump(columns, JUMP_LESS)

    def _columns(self) -> None:
        """All rows of as many columns of tiles as are computed at once."""
        code, at = self.code, TileWords.at
        code.load(ROW, at(TileWords.FIRST))
        if not self.one_row:
            code.address(ROW, Memory(ROW, 0, ROW))
        code.subtract_register(ROW, at(TileWords.TOP))
        code.load(HERE, at(TileWords.DONE))
        code.address(HERE, Memory(HERE, 0, HERE))
        code.subtract_register(HERE, at(TileWords.LEFT))
        code.multiply(HERE, HERE, 4)
        code.add_register(HERE, at(TileWords.PLANE))
        code.load(RAX, ROW)
        code.multiply_registers(RAX, IMAGE_STEP)
        code.add_register(HERE, RAX)
        code.load(THERE, at(TileWords.DONE))
        code.multiply(THERE, THERE, 4)
        code.add_register(THERE, at(TileWords.PLANE_TILES))
        code.load(ROWS_LEFT, at(TileWords.TALL))
        again = code.new_label()
        if self.kind == "input" and not self.one_row:
            self._load_inputs(0)
            self._load_inputs(4)
        code.place(again)
        code.address(UPPER_HALF, Memory(THERE, 0, NUMBERS[0], 8))
        if self.one_row:
            {"input": self._input_row, "output": self._results_of_row, "gradient": self._gradients_of_row}[self.kind]()
        else:
            {"input": self._input_tiles, "output": self._results, "gradient": self._gradient_tiles}[self.kind]()
        code.add_register(THERE, TILE_STEP)
        code.decrement(ROWS_LEFT)
        code.jump(again, JUMP_NOT_EQUAL)

    def _set_masks(self) -> None:
        """Set the masks of the columns that are inside the image, and of the tiles that there are."""
        code, at = self.code, TileWords.at
        code.load(RAX, at(TileWords.LEFT))
        code.load(RDX, at(TileWords.DONE))
        code.address(RDX, Memory(RDX, 0, RDX))
        code.subtract_register(RAX, RDX)  # columns before the image
        code.load(RDX, RAX)
        code.add_register(RDX, at(TileWords.WIDTH))  # and columns before its end
        step = 2 * self.spread  # from a tile's first column to its third
        most = 2 * self.at_once if self.kind == "output" else 32 + step * (self.pairs - 1)
        self._prefix(RDX, most)
        code.load(RDI, RSI)
        self._prefix(RAX, most)
        code.constant(RAX, 0)
        code.compare_registers(RDI, RSI)
        empty = code.new_label()
        code.jump(empty, JUMP_LESS)
        code.load(RAX, RDI)
        code.subtract_register(RAX, RSI)
        code.place(empty)
        shifted = 0
        for column in sorted({*range(0, step * self.pairs, step), *range(16, 16 + step * self.pairs, step)}):
            code.shift_right(RAX, column - shifted)
            shifted = column
            for vector in range(2 * self.pairs):
                if column == self._column(vector):
                    code.set_mask(LOADS[vector], RAX)
        code.load(RDX, at(TileWords.WIDE))
        code.subtract_register(RDX, at(TileWords.DONE))
        self._prefix(RDX, self.at_once)
        code.set_mask(WHOLE, RSI)

    def _prefix(self, count: int, most: int) -> None:
        """Set so many of the lowest bits of RSI, at most `most`."""
        code = self.code
        code.load(RCX, count)
        for limit, condition in ((0, JUMP_GREATER), (most, JUMP_LESS)):
            inside = code.new_label()
            code.compare(RCX, limit)
            code.jump(inside, condition)
            code.constant(RCX, limit)
            code.place(inside)
        code.constant(RSI, 1)
        code.shift_left_by_rcx(RSI)
        code.add(RSI, -1)

    def _op(self, form: Form, target: int, first: int, second: int) -> None:
        self.code.wide(form, target, first, second)

    def _clear(self, register: int) -> None:
        self.code.clear(register)

    def _add_multiple(self, target: int, factor: float, register: int) -> None:
        self._op(MULTIPLY_ADD[4], target, FACTORS[factor], register)

    def _mixed(self, target: int, lanes: int, first: int, second: int) -> None:
        """Elements of two vectors, chosen by a register."""
        self._op(LOAD[4], target, 0, lanes)
        self._op(FROM_TWO[4], target, first, second)

    def _number(self, number: int) -> Memory:
        """The memory of a number of the tiles."""
        return row_address(THERE if number < 8 else UPPER_HALF, NUMBERS, number % 8)

    def _put(self, number: int, register: int) -> None:
        self.code.wide(STORE[4], register, 0, self._number(number), mask=WHOLE)

    def _next_row(self, outside: int) -> None:
        """Jump if the row is outside the image."""
        self.code.compare_registers(ROW, ROWS)
        self.code.jump(outside, JUMP_ABOVE_EQUAL)

    def _advance(self) -> None:
        self.code.add_register(HERE, IMAGE_STEP)
        self.code.add(ROW, 1)

    def _column(self, vector: int) -> int:
        """The first column of one of the vectors that a row is read by: two for each pair of a tile's columns."""
        return 2 * self.spread * (vector // 2) + vector % 2 * 16

    def _load_columns(self, target: int) -> None:
        """Load a row of pixels, each column of the tiles to a register."""
        vectors = range(2 * self.pairs)
        for vector in vectors:
            self.code.wide(LOAD[4], 16 + vector, 0, Memory(HERE, 4 * self._column(vector)), mask=LOADS[vector])
        for vector in vectors:
            self._mixed(target + vector, ODD if vector % 2 else EVEN, 16 + vector // 2 * 2, 17 + vector // 2 * 2)

    def _row_or_zeros(self, load: Callable[[], None], registers: range) -> None:
        """Load a row to registers, or zeros if the row is outside the image, and go on to the next row."""
        outside, done = self.code.new_label(), self.code.new_label()
        self._next_row(outside)
        load()
        self.code.jump(done)
        self.code.place(outside)
        for register in registers:
            self._clear(register)
        self.code.place(done)
        self._advance()

    def _load_inputs(self, target: int) -> None:
        """Load a row of pixels, combined along the row, to four registers."""

        def load() -> None:
            self._load_columns(20)
            self._four_of_columns(target, 20)

        self._row_or_zeros(load, range(target, target + 4))

    def _four_of_columns(self, target: int, first: int) -> None:
        """The four numbers of a row of inputs, from its columns."""
        second, third, fourth = range(first + 1, first + 4)
        self._op(SUBTRACT[4], target, first, third)
        self._op(ADD[4], target + 1, second, third)
        self._op(SUBTRACT[4], target + 2, third, second)
        self._op(SUBTRACT[4], target + 3, second, fourth)

    def _six_of_columns(self, target: int, first: int) -> None:
        """The six numbers of a row of inputs, from its columns."""
        one, other = self.spare[:2]
        for number, column in ((0, first), (5, first + 1)):
            self._op(LOAD[4], target + number, 0, column + 4)
            self._add_multiple(target + number, -5.0, column + 2)
            self._add_multiple(target + number, 4.0, column)
        for register, column in ((one, first + 2), (other, first + 1)):
            self._op(LOAD[4], register, 0, column + 2)
            self._add_multiple(register, -4.0, column)
        self._op(ADD[4], target + 1, one, other)
        self._op(SUBTRACT[4], target + 2, one, other)
        self._op(SUBTRACT[4], one, first + 4, first + 2)
        self._op(SUBTRACT[4], other, first + 3, first + 1)
        self._op(ADD[4], other, other, other)
        self._op(ADD[4], target + 3, one, other)
        self._op(SUBTRACT[4], target + 4, one, other)

    def _input_row(self) -> None:
        """Tiles of a row of inputs."""

        def load() -> None:
            self._load_columns(8)
            (self._six_of_columns if self.pairs == 3 else self._four_of_columns)(0, 8)

        self._put_row(load)

    def _put_row(self, load: Callable[[], None]) -> None:
        self._row_or_zeros(load, range(self.numbers))
        for number in range(self.numbers):
            self._put(number, number)

    def _input_tiles(self) -> None:
        """A row of tiles of inputs: two rows of pixels are new, two come from the tiles above."""
        self._load_inputs(8)
        self._load_inputs(12)
        for column in range(4):
            first, second, third, fourth = (column + 4 * row for row in range(4))
            for row, (form, a, b) in enumerate(
                ((SUBTRACT, first, third), (ADD, second, third), (SUBTRACT, third, second), (SUBTRACT, second, fourth))
            ):
                self._op(form[4], 16 + row, a, b)
                self._put(4 * row + column, 16 + row)
        for register in range(8):
            self._op(LOAD[4], register, 0, register + 8)

    def _results(self) -> None:
        """Two rows of results from a row of tiles."""
        self._load_numbers()
        for column in range(4):
            self._two_of_four(column, column + 4, column + 8, column + 12)
        for first in (0, 12):
            self._two_of_four(first, first + 1, first + 2, first + 3)
            self._store_results(first, first + 3)

    def _load_numbers(self) -> None:
        for number in range(self.numbers):
            self.code.wide(LOAD[4], number, 0, self._number(number), mask=WHOLE)

    def _results_of_row(self) -> None:
        """A row of results from a row of tiles."""
        self._load_numbers()
        if self.pairs == 3:
            one, other = self.spare[:2]
            self._op(ADD[4], one, 3, 4)
            self._op(SUBTRACT[4], other, 3, 4)
            self._op(ADD[4], 0, 0, one)
            self._op(ADD[4], other, other, other)
            self._op(SUBTRACT[4], 3, self.zero, 5)  # as is the last number of four
            self._op(SUBTRACT[4], 3, 3, other)
        self._two_of_four(0, 1, 2, 3)
        self._store_results(0, 3)

    def _store_results(self, first: int, second: int) -> None:
        """Store a row of results: the first and second columns of tiles."""
        code = self.code
        for register, chosen in ((18, LOWER), (19, UPPER)):
            self._mixed(register, chosen, first, second)
            self._op(MULTIPLY_ADD[4], FINITE, register, ZERO)
        outside = code.new_label()
        self._next_row(outside)
        code.wide(STORE[4], 18, 0, Memory(HERE), mask=LOADS[0])
        code.wide(STORE[4], 19, 0, Memory(HERE, WIDTH), mask=LOADS[1])
        code.place(outside)
        self._advance()

    def _two_of_four(self, first: int, second: int, third: int, fourth: int) -> None:
        """Set `first` and `fourth` to the two sums of four vectors."""
        one, other = self.spare[:2]
        self._op(ADD[4], one, second, third)
        self._op(SUBTRACT[4], other, second, third)
        self._op(ADD[4], first, first, one)
        self._op(SUBTRACT[4], fourth, other, fourth)

    def _load_gradients(self, first: int, second: int) -> None:
        """Load a row of gradients, each of the two columns of tiles to a register."""
        for vector in (0, 1):
            self.code.wide(LOAD[4], 16 + vector, 0, Memory(HERE, WIDTH * vector), mask=LOADS[vector])
        self._mixed(first, EVEN, 16, 17)
        self._mixed(second, ODD, 16, 17)

    def _gradient_row(self, target: int) -> None:
        """Load a row of gradients, spread to four columns."""
        second = self.spare[2]

        def load() -> None:
            self._load_gradients(target, second)
            self._op(ADD[4], target + 1, target, second)
            self._op(SUBTRACT[4], target + 2, target, second)
            self._op(SUBTRACT[4], target + 3, self.zero, second)

        self._row_or_zeros(load, range(target, target + 4))

    def _gradients_of_row(self) -> None:
        """Tiles from a row of gradients."""

        def load() -> None:
            last = self.numbers - 1
            self._load_gradients(0, last)
            self._op(ADD[4], 1, 0, last)
            self._op(SUBTRACT[4], 2, 0, last)
            if self.pairs == 3:
                twice = self.spare[0]
                self._op(ADD[4], twice, last, last)
                self._op(ADD[4], 3, 0, twice)
                self._op(SUBTRACT[4], 4, 0, twice)
            else:
                self._op(SUBTRACT[4], 3, self.zero, 3)

        self._put_row(load)

    def _gradient_tiles(self) -> None:
        """A row of tiles from two rows of gradients."""
        self._gradient_row(0)
        self._gradient_row(4)
        for column in range(4):
            above, below = column, column + 4
            total, difference, negative = self.spare
            self._op(ADD[4], total, above, below)
            self._op(SUBTRACT[4], difference, above, below)
            self._op(SUBTRACT[4], negative, self.zero, below)
            for row, register in enumerate((above, *self.spare)):
                self._put(4 * row + column, register)
