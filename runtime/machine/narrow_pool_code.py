"""The code of pooling, as in `pool_code.py`, on the 16 registers of AVX2.

Rows of images and of windows have known lengths. Their last vectors begin before the others end, so that they need no
masks: what is computed twice is the same both times.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from .assembler import (
    JUMP_NOT_EQUAL,
    MAP_0F,
    MAP_0F3A,
    MAP_0F38,
    P66,
    R8,
    R10,
    R13,
    RCX,
    RDI,
    RDX,
    RSI,
    Form,
    Memory,
    Operand,
    Pooled,
)
from .narrow_assembler import (
    COMPARE,
    EVENS,
    EXTRACT_HALF,
    HALF,
    INSERT_HALF,
    ODDS,
    SHUFFLE,
    UNORDERED,
    NarrowAssembler,
    spans,
)
from .pool_code import EQUAL, LINE, PoolCode
from .sizes import NARROW
from .wide_assembler import ADD, LOAD, MAXIMUM, STORE, UNPACK_HIGH, UNPACK_LOW

BLEND = {4: Form(P66, MAP_0F3A, 0x4A), 8: Form(P66, MAP_0F3A, 0x4B)}
MASKED_LOAD = {4: Form(P66, MAP_0F38, 0x2C), 8: Form(P66, MAP_0F38, 0x2D)}
"""The first source is the mask."""
OR = Form(P66, MAP_0F, 0xEB)
NANS = 3  # the register that marks windows with nan
NUMBERS, MOST_NUMBERS = 4, 11  # registers with the numbers of taps, and how many there are
COPIED = 8  # vectors of a row that are copied without a loop
COMPUTED = 64  # taps of the vectors of a row that are computed without a loop


class NarrowPoolCode(PoolCode):
    """Writes the code of one function."""

    code: NarrowAssembler
    assembler = NarrowAssembler
    first = count = 0
    """The elements of a row that are computed at present, from where pointers are."""

    # Instructions

    @property
    def _half(self) -> int:
        """The elements of half a vector."""
        return HALF // self.size

    def _op(self, form: Form, target: int, first: int, second: Operand, immediate: int | None = None) -> None:
        bits = 256 if self.count > self._half else 128
        self.code.vector(form, target, first, second, immediate, bits=bits)

    def _all(self, number: float) -> Pooled:
        """A vector of a number."""
        return Pooled(struct.pack("<f" if self.size == 4 else "<d", number) * (NARROW // self.size))

    def _here(self, pointer: int, offset: int = 0) -> Memory:
        return Memory(pointer, offset + self.first * self.size)

    def _load(self, target: int, place: Memory) -> None:
        """Load elements of an array, and nothing behind them."""
        self.code.load_first(target, place, self.count * self.size)

    def _store(self, source: int, place: Memory) -> None:
        self.code.store_first(source, place, self.count * self.size)

    def _each_span(self, count: int, lanes: int, steps: dict[int, int], body: Callable[[], None], unrolled: int) -> int:
        """Run the body for all spans of so many elements, in a loop if there are many. Returns how many elements
        pointers move on.

        `steps`: for each pointer the bytes of `lanes` elements.
        """
        code, found, again = self.code, spans(count, lanes), self.code.new_label()
        turns = count // lanes // unrolled
        if turns > 1:
            code.constant(R10, turns)
            code.place(again)
            for self.first, self.count in found[:unrolled]:
                body()
            for pointer, step in steps.items():
                code.add(pointer, step * unrolled)
            code.decrement(R10)
            code.jump(again, JUMP_NOT_EQUAL)
            found = found[turns * unrolled :]
        moved = turns * unrolled * lanes if turns > 1 else 0
        for first, self.count in found:
            self.first = first - moved
            body()
        return moved

    def _prepare(self) -> None:
        """Set registers to the numbers of taps, if there are enough of them."""
        if self.kind == "gradient" and len(self.taps) <= MOST_NUMBERS:
            for number in range(len(self.taps)):
                self.code.vector(LOAD[self.size], NUMBERS + number, 0, self._all(number))

    def _number(self, number: int) -> int | Pooled:
        """The number of a tap in all elements."""
        return NUMBERS + number if len(self.taps) <= MOST_NUMBERS else self._all(number)

    # Between images and frames

    def _copy_row(self, out: bool) -> None:
        along, width = self.sizes.stride[1], self.sizes.image[1]
        lanes = along * self.sizes.lanes
        if along > 2:
            super()._copy_row(out)
        elif width < lanes // 2:
            self._copy_elements(out, width)
        else:
            steps = {RCX: along * NARROW, R8: NARROW}
            copy_phases = self._join_phases if out else self._part_phases
            copy = copy_phases if along == 2 else lambda: self._copy_span(out)
            self._each_span(width, lanes, steps, copy, COPIED)

    def _copy_span(self, out: bool) -> None:
        places = self._here(RCX), Memory(R8, self._column_bytes(self.first))
        source, target = reversed(places) if out else places
        self._op(LOAD[self.size], 0, 0, source)
        self._op(STORE[self.size], 0, 0, target)

    def _places_of_phases(self) -> tuple[list[Memory], list[Memory]]:
        """The places of halves of vectors of an image, and of a vector of each phase; `count` is then its elements."""
        self.count //= 2
        halves = [self._here(RCX, HALF * number) for number in range(4 if self.count > self._half else 2)]
        return halves, [Memory(R8, self._column_bytes(self.first + number)) for number in (0, 1)]

    def _part_phases(self) -> None:
        """Copy two vectors of an image, one to each phase."""
        code, size = self.code, self.size
        halves, phases = self._places_of_phases()
        for number, place in enumerate(halves):
            if number < 2:
                code.vector(LOAD[size], number, 0, place, bits=128)
            else:
                code.vector(INSERT_HALF, number - 2, number - 2, place, 1)
        for number, place in enumerate(phases):
            if size == 4:
                self._op(SHUFFLE, 2, 0, 1, (EVENS, ODDS)[number])
            else:
                self._op((UNPACK_LOW, UNPACK_HIGH)[number][size], 2, 0, 1)
            self._op(STORE[size], 2, 0, place)

    def _join_phases(self) -> None:
        """Copy a vector of each phase to an image."""
        code, size = self.code, self.size
        halves, phases = self._places_of_phases()
        for number, place in enumerate(phases):
            self._op(LOAD[size], number, 0, place)
        for number, form in enumerate((UNPACK_LOW, UNPACK_HIGH), 2):
            self._op(form[size], number, 0, 1)
        for number, place in enumerate(halves):
            if number < 2:
                code.vector(STORE[size], 2 + number, 0, place, bits=128)
            else:
                code.vector(EXTRACT_HALF, number, 0, place, 1)

    # Windows

    def _unrolled(self, taps: int) -> int:
        return max(1, COMPUTED // max(taps, 8))

    def _window_row(self, body: Callable[[], None]) -> int:
        code, windows, lanes = self.code, self.sizes.windows[1], self.sizes.lanes
        asked = self._asked(len(spans(windows, lanes)))
        code.load(RCX, RSI)
        code.load(R8, RDI)

        def vector() -> None:
            body()
            for line in range(asked):
                code.prefetch(Memory(RDX, line * LINE))
            code.add(RDX, asked * LINE)

        steps = dict.fromkeys((RCX, R8, R13), NARROW)
        return self._each_span(windows, lanes, steps, vector, self._unrolled(len(self.taps)))

    def _combine(self) -> None:
        size = self.size
        self._op(LOAD[size], 0, 0, self._here(RCX, self.places[0]))
        if len(self.places) > 1 and self.kind == "maximum":
            self._op(LOAD[size], 1, 0, 0)
        for number, place in enumerate(self.places[1:], 1):
            if self.kind == "add":
                self._op(ADD[size], 0, 0, self._here(RCX, place))
                continue
            self._op(LOAD[size], 1 + number % 2, 0, self._here(RCX, place))
            self._op(MAXIMUM[size], 0, 0, 1 + number % 2)
            if number % 2 or number == len(self.places) - 1:
                marked = NANS if number == 1 else NANS + 1
                self._op(COMPARE[size], marked, 1, 2 - (number % 2 == 0), UNORDERED)
                if marked != NANS:
                    self._op(OR, NANS, NANS, marked)
        if len(self.places) > 1 and self.kind == "maximum":
            self._op(BLEND[size], 0, 0, self._all(float("nan")), NANS << 4)
        self._store(0, self._here(R13))

    def _find_maximum(self) -> None:
        size, last = self.size, len(self.taps) - self.sizes.covering
        self._load(0, self._here(R13))
        self._op(LOAD[size], 1, 0, self._all(last))
        for number in reversed(range(last)):
            self._op(COMPARE[size], 2, 0, self._here(RCX, self.places[number]), EQUAL)
            self._op(BLEND[size], 1, 1, self._number(number), 2 << 4)
        self._store(1, self._here(R8))

    def _keep(self) -> None:
        self._load(0, self._here(R13))
        self._store(0, self._here(R8))

    def _gradient_row(self, taps: list[tuple[int, int, int]]) -> int:
        steps, unrolled = dict.fromkeys((RSI, RCX, RDI), NARROW), self._unrolled(len(taps))
        return self._each_span(self.sizes.pitch, self.sizes.lanes, steps, lambda: self._sum_gradients(taps), unrolled)

    def _sum_gradients(self, taps: list[tuple[int, int, int]]) -> None:
        sizes, size = self.sizes, self.size
        self.code.clear(0)
        for number, above, before in taps:
            places = self._here(RSI, -(above * sizes.place_pitch + before) * size)
            if self.kind == "spread":
                self._op(ADD[size], 0, 0, places)
                continue
            gradients = self._here(RCX, -(above * sizes.windows[1] + before) * size)
            self._op(LOAD[size], 1, 0, places)
            self._op(COMPARE[size], 1, 1, self._number(number), EQUAL)
            self._op(MASKED_LOAD[size], 2, 1, gradients)  # what is not chosen may lie outside of the array
            self._op(ADD[size], 0, 0, 2)
        self._op(STORE[size], 0, 0, self._here(RDI))
