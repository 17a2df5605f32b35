"""Winograd's transforms, as in `tile_code.py`, on the 16 registers of AVX2: up to eight tiles at once.

A function is written for one width of images and one number of tiles in a row. So it is known which columns of a tile
lie outside of the image. Tiles at the end of a row are computed twice, if fewer than a vector are left there.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from ..records import NamedTuple
from .assembler import JUMP_LESS, JUMP_NOT_EQUAL, RAX, RSP, Form, Memory, Pooled
from .frame_words import FrameWords
from .narrow_assembler import (
    COMPARE,
    EVENS,
    EXTRACT_HALF,
    INSERT_HALF,
    MASKED_LOAD,
    ODDS,
    SHUFFLE,
    SIGNS,
    UNORDERED,
    NarrowAssembler,
    spans,
)
from .tile_boundary import TileBoundary, TileWords
from .tile_code import HERE, TileCode
from .wide_assembler import ADD, LOAD, MULTIPLY_ADD, STORE, SUBTRACT, UNPACK_HIGH, UNPACK_LOW, WideAssembler

SLOTS = FrameWords.NBYTES
"""Where four vectors are kept, in bytes from the stack pointer."""
LANES = 8  # elements of a vector
QUARTER = 4  # columns that are loaded and stored together: 16 bytes

COLUMNS = 8  # the first register of the columns of inputs
SECOND_ROW = 12  # the first of four registers of a new row
FINITE, ZERO, HALF = 11, 12, 13


class NarrowTileBoundary(TileBoundary):
    """Writes entry and exit of `transform(images, tiles, top, left, first)` for sizes that are known."""

    def __init__(self, code: WideAssembler, kind: str, numbers: int, width: int, left: int, wide: int) -> None:
        super().__init__(code, kind, 1, numbers)
        self.frame += 4 * 32
        self.expected = ((TileWords.WIDTH, width), (TileWords.LEFT, left), (TileWords.WIDE, wide))

    def look(self) -> None:
        """As for all sizes, and refuse others than the known ones."""
        super().look()
        for word, expected in self.expected:
            self.code.compare(TileWords.at(word), expected)
            self._refuse(JUMP_NOT_EQUAL)


class TileGroup(NamedTuple):
    """Neighbouring tiles that are computed at once."""

    first: int
    tiles: int
    inside: tuple[tuple[bool, ...], ...]  # for every four columns that are read or written, which the image has

    @property
    def bits(self) -> int:
        """The size of the vectors."""
        return 256 if self.tiles > QUARTER else 128


class NarrowTileCode(TileCode):
    """Writes the code of one kind of transform, for images of `width` columns, of which the first comes `left` columns
    after that of the tiles, and `wide` tiles in a row."""

    code: NarrowAssembler
    assembler = NarrowAssembler
    spare = (14, 15, HALF)  # a load of three elements overwrites the register 15, too
    zero = ZERO

    def __init__(self, kind: str, taps: int, width: int, left: int, wide: int) -> None:
        super().__init__(kind, 1, taps)
        self.width, self.left, self.wide = width, left, wide
        self.boundary = NarrowTileBoundary(self.code, kind, self.numbers, width, left, wide)
        self.group = TileGroup(0, 0, ())

    # Groups of tiles

    def _groups(self) -> list[TileGroup]:
        """The groups of a row: whole vectors, and half of one, or less than that only if there are not more tiles."""
        return [TileGroup(first, count, self._inside(first, count)) for first, count in spans(self.wide, LANES)]

    def _inside(self, first: int, count: int) -> tuple[tuple[bool, ...], ...]:
        begin, pairs = 2 * first - self.left, self.pairs if self.kind == "input" else 1
        return tuple(
            tuple(0 <= begin + start + at < self.width and at + start < 2 * (count + pair) for at in range(QUARTER))
            for pair in range(pairs)
            for start in range(2 * pair, 2 * pair + 2 * max(count, QUARTER), QUARTER)
        )

    def _all_columns(self) -> None:
        """All tiles of a channel of an image; groups that differ in their place only share their code."""
        code, done = self.code, TileWords.at(TileWords.DONE)
        runs: list[list[TileGroup]] = []
        for group in self._groups():
            if runs and group._replace(first=group.first - LANES) == runs[-1][-1]:
                runs[-1].append(group)
            else:
                runs.append([group])
        for run in runs:
            self.group, again = run[0], code.new_label()
            code.store_number(done, run[0].first)
            code.place(again)
            self._columns()
            if len(run) > 1:
                code.add(done, LANES)
                code.compare(done, run[-1].first + LANES)
                code.jump(again, JUMP_LESS)

    # Instructions

    def _choose_lanes(self) -> None:
        if self.kind != "input":
            self._clear(ZERO)
        if self.kind == "output":
            self._clear(FINITE)

    def _op(self, form: Form, target: int, first: int, second: int | Memory | Pooled) -> None:
        self.code.vector(form, target, first, second, bits=self.group.bits)

    def _add_multiple(self, target: int, factor: float, register: int) -> None:
        self._op(MULTIPLY_ADD[4], target, register, Pooled(struct.pack("<f", factor) * (self.group.bits // 32)))

    def _report(self) -> None:
        code = self.code
        code.constant(RAX, 0)
        if self.kind == "output":
            code.vector(COMPARE[4], FINITE, FINITE, FINITE, UNORDERED)
            code.vector(SIGNS[4], RAX, 0, FINITE)
        code.store(TileWords.at(TileWords.DONE), RAX)

    def _load_part(self, target: int, place: Memory, inside: Sequence[bool]) -> None:
        """Load four columns: those that the image has, and zeros."""
        if all(inside):
            self.code.vector(LOAD[4], target, 0, place, bits=128)
        elif any(inside):
            mask = Pooled(struct.pack("<4i", *(-value for value in inside)))
            self.code.vector(LOAD[4], target, 0, mask, bits=128)
            self.code.vector(MASKED_LOAD, target, target, place, bits=128)
        else:
            self._clear(target)

    def _load_pair(self, pair: int, even: int, odd: int) -> None:
        """Load a row of pixels, the first and the second columns of two to registers."""
        quarters = len(self.group.inside) // (self.pairs if self.kind == "input" else 1)
        inside = self.group.inside[pair * quarters : (pair + 1) * quarters]
        places = [Memory(HERE, 4 * (2 * pair + QUARTER * number)) for number in range(quarters)]
        spare = self.spare[0]
        for target, number in ((even, 0), (odd, 1)):
            self._load_part(target, places[number], inside[number])
            if quarters == 4 and any(inside[number + 2]):
                upper: int | Memory = places[number + 2]
                if not all(inside[number + 2]):
                    self._load_part(spare, places[number + 2], inside[number + 2])
                    upper = spare
                self.code.vector(INSERT_HALF, target, target, upper, 1)
        for target, chosen in ((spare, EVENS), (odd, ODDS)):
            self.code.vector(SHUFFLE, target, even, odd, chosen, bits=self.group.bits)
        self._op(LOAD[4], even, 0, spare)

    def _load_columns(self, target: int) -> None:
        for pair in range(self.pairs):
            self._load_pair(pair, target + 2 * pair, target + 2 * pair + 1)

    def _load_gradients(self, first: int, second: int) -> None:
        self._load_pair(0, first, second)

    def _put(self, number: int, register: int) -> None:
        if self.group.tiles < QUARTER:
            self.code.store_first(register, self._number(number), 4 * self.group.tiles)
        else:
            self._op(STORE[4], register, 0, self._number(number))

    def _get(self, register: int, number: int) -> None:
        """Load a number of the tiles."""
        self.code.load_first(register, self._number(number), 4 * self.group.tiles)

    def _load_numbers(self) -> None:
        for number in range(self.numbers):
            self._get(number, number)

    # Tiles of 4 by 4: not all numbers stay in registers

    def _load_inputs(self, target: int) -> None:
        def load() -> None:
            self._load_columns(COLUMNS)
            self._four_of_columns(target, COLUMNS)

        self._row_or_zeros(load, range(target, target + 4))

    def _input_tiles(self) -> None:
        self._load_inputs(SECOND_ROW)
        slots = [Memory(RSP, SLOTS + 32 * column) for column in range(4)]
        for column, slot in enumerate(slots):
            self._op(STORE[4], SECOND_ROW + column, 0, slot)
        self._load_inputs(SECOND_ROW)
        third = COLUMNS + 3
        for column, slot in enumerate(slots):
            first, second, fourth = column, column + 4, SECOND_ROW + column
            self._op(LOAD[4], third, 0, slot)
            for row, (form, a, b) in enumerate(
                ((SUBTRACT, first, third), (ADD, second, third), (SUBTRACT, third, second), (SUBTRACT, second, fourth))
            ):
                self._op(form[4], COLUMNS + row % 3, a, b)
                self._put(4 * row + column, COLUMNS + row % 3)
            self._op(LOAD[4], first, 0, third)
            self._op(LOAD[4], second, 0, fourth)

    def _results(self) -> None:
        for column in range(4):
            for row, register in enumerate((column, 8, 9, column + 4)):
                self._get(register, 4 * row + column)
            self._two_of_four(column, 8, 9, column + 4)
        for first in (0, 4):
            self._two_of_four(first, first + 1, first + 2, first + 3)
            self._store_results(first, first + 3)

    def _store_results(self, first: int, second: int) -> None:
        low, high, _ = self.spare
        for register in (first, second):
            self._op(MULTIPLY_ADD[4], FINITE, register, ZERO)
        self._op(UNPACK_LOW[4], low, first, second)
        self._op(UNPACK_HIGH[4], high, first, second)
        outside = self.code.new_label()
        self._next_row(outside)
        for number, inside in enumerate(self.group.inside):
            place, source = Memory(HERE, 4 * QUARTER * number), (low, high)[number % 2]
            if number >= 2 and any(inside):
                whole = all(inside)
                self.code.vector(EXTRACT_HALF, source, 0, place if whole else HALF, 1)
                if whole:
                    continue
                source = HALF
            self.code.store_first(source, place, 4 * sum(inside))
        self.code.place(outside)
        self._advance()
