"""The code of pooling: `array_functions.py` says what it computes, and where. `narrow_pool_code.py` does so for AVX2.

The gradient of maxima first finds, for each window, the number of its first element that equals the maximum. Then each
element of a frame adds up the gradients of the windows whose number is its own there: nothing is written twice.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

import numpy as np

from .assembler import (
    JUMP_NOT_EQUAL,
    R8,
    R9,
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
    Memory,
)
from .fixed_boundary import COUNT, FixedBoundary
from .frame_words import FrameWords
from .pool_sizes import PoolSizes
from .vector_assembler import BLEND, FROM_TWO
from .wide_assembler import (
    ADD,
    BROADCAST,
    COMPARE,
    JUMP_GREATER,
    JUMP_GREATER_OR_EQUAL,
    LOAD,
    MAXIMUM,
    STORE,
    WIDTH,
    WideAssembler,
)

EQUAL, ORDERED = 0, 7
"""Last bytes of COMPARE; ORDERED: neither is nan."""
INSIDE, CHOSEN, NUMBERS = 1, 2, 3  # masks: of the columns there are, of those chosen, of those that are no nan
TAILS = (4, 5, 6, 7)  # masks of an image's last columns: of two vectors, and of those of two phases
NAN, EVEN, ODD, LOWER, UPPER = 31, 30, 29, 28, 27
MOST_ASKED = 8  # lines of the next image that are asked for with a vector of windows
LINE = 64  # bytes of memory that come together
PADDING = {"maximum": -math.inf, "add": 0.0, "gradient": math.nan, "spread": 0.0}


def _apart(lanes: int) -> tuple[range, range]:
    """The order of elements of two vectors that brings the even ones together, and the odd ones."""
    return range(0, 2 * lanes, 2), range(1, 2 * lanes, 2)


def _together(lanes: int) -> tuple[list[int], list[int]]:
    """The order that puts them back."""
    lower = [number // 2 + number % 2 * lanes for number in range(lanes)]
    return lower, [number + lanes // 2 for number in lower]


class PoolCode:
    """Writes the code of one function."""

    assembler: type[WideAssembler] = WideAssembler

    def __init__(self, kind: str, sizes: PoolSizes) -> None:
        self.kind, self.sizes, self.size = kind, sizes, sizes.size
        self.code = self.assembler()
        images, results, room = (None, None, *sizes.image), (None, None, *sizes.windows), (sizes.room(kind),)
        shapes: list[tuple[int | None, ...]] = [images, results, room]
        self.frame = 0  # where it begins in the room
        self.routes = kind in ("gradient", "spread")  # to elements, from windows
        self.behind = sizes.frame * self.size if kind == "gradient" else 0  # from one frame to that of the target
        if self.routes:
            shapes = [results, *[results, images] * (kind == "gradient"), images, room]
            self.frame = sizes.places * self.size
        written = {len(shapes) - 2, len(shapes) - 1}
        work = math.prod(sizes.windows) * math.prod(sizes.kernel)
        self.boundary = FixedBoundary(self.code, np.dtype(sizes.dtype), shapes, written, work)
        (tall, wide), (far, apart), along = sizes.kernel, sizes.dilation, sizes.stride[1]
        # Of each tap: its row and column, and where in the frame its first window sees an element.
        self.taps = [(i * far, j * apart) for i in range(tall) for j in range(wide)]
        self.places = [self._frame_bytes(j % along, i, j // along) for i, j in self.taps]

    def _frame_bytes(self, phase: int, row: int, column: int) -> int:
        return self.frame + ((phase * self.sizes.rows + row) * self.sizes.pitch + column) * self.size

    def _column_bytes(self, column: int) -> int:
        """Where a column of the image is in the frame."""
        column += self.sizes.low[1]
        return self._frame_bytes(column % self.sizes.stride[1], self.sizes.low[0], column // self.sizes.stride[1])

    def assemble(self) -> bytes:
        """The function's code."""
        code, at, sizes = self.code, FrameWords.at, self.sizes
        self.boundary.enter()
        self._prepare()
        code.load(R11, at(COUNT))
        images = code.new_label()
        registers = {"gradient": (R13, R14, R12, R15, RBX), "spread": (R13, R15, RBX)}.get(self.kind, (R12, R13, RBX))
        for position, register in enumerate(registers):
            code.load(register, at(position))
        self._fill_room()
        code.place(images)
        if self.kind == "spread":
            code.load(R12, R13)
        else:
            self._copy(R12, out=False)
        if self.routes:
            self._each_window(self._find_maximum if self.kind == "gradient" else self._keep)
            for row in range(sizes.stride[0]):
                for phase in range(sizes.stride[1]):
                    self._add_gradients(row, phase)
            self._copy(R15, out=True)
            code.add(R14, math.prod(sizes.windows) * self.size)
        else:
            self._each_window(self._combine)
        code.decrement(R11)
        code.jump(images, JUMP_NOT_EQUAL)
        self.boundary.leave()
        return code.finish()

    def _prepare(self) -> None:
        """Set what does not change: nan, the order of elements, and the masks of the last columns of an image."""
        code, at, size, lanes = self.code, FrameWords.at, self.size, self.sizes.lanes
        code.store_number(at(FrameWords.PLACE), self._bits(math.nan, math.nan))
        code.wide(BROADCAST[size], NAN, 0, at(FrameWords.PLACE), spread=size)
        if self.sizes.stride[1] == 2:
            for registers, orders in (((EVEN, ODD), _apart), ((LOWER, UPPER), _together)):
                for register, order in zip(registers, orders(lanes), strict=True):
                    numbers = struct.pack(f"<{lanes}{'i' if size == 4 else 'q'}", *order)
                    for number, pair in enumerate(struct.unpack("<8q", numbers)):
                        code.store_number(at(FrameWords.COLUMN + number), pair)
                    code.wide(LOAD[size], register, 0, at(FrameWords.COLUMN))
        tail = self.sizes.image[1] % (lanes * self.sizes.stride[1])
        for mask, count in zip(TAILS, (tail, tail - lanes, (tail + 1) // 2, tail // 2), strict=True):
            code.constant(RAX, (1 << min(max(count, 0), lanes)) - 1)
            code.set_mask(mask, RAX)

    def _fill_room(self) -> None:
        """Fill the frame with what padding has; of a gradient, the places with numbers, and -1 for none."""
        code, sizes, size = self.code, self.sizes, self.size
        code.load(RDI, RBX)
        parts = [(PADDING[self.kind], sizes.frame)]
        if self.routes:
            parts.insert(0, (-1.0 if self.behind else 0.0, sizes.places))
        for number, elements in parts:
            again = code.new_label()
            code.store_number(FrameWords.at(FrameWords.PLACE), self._bits(number, number))
            code.wide(BROADCAST[size], 0, 0, FrameWords.at(FrameWords.PLACE), spread=size)
            code.constant(R9, -(-elements // sizes.lanes))
            code.place(again)
            code.wide(STORE[size], 0, 0, Memory(RDI))
            code.add(RDI, sizes.vector)
            code.decrement(R9)
            code.jump(again, JUMP_NOT_EQUAL)
        if self.kind == "gradient":
            for number in range(0, sizes.numbers, 8 // size):
                code.store_number(Memory(RBX, number * size), self._bits(number, number + 1))

    def _bits(self, *numbers: float) -> int:
        """Numbers side by side, in 8 bytes."""
        if self.size == 8:
            return int.from_bytes(struct.pack("<d", numbers[0]), "little", signed=True)
        return int.from_bytes(struct.pack("<2f", *numbers), "little", signed=True)

    # Between images and frames

    def _copy(self, image: int, out: bool) -> None:
        """Copy an image, at an address in a register that is moved on, to the frame; or from what is behind it."""
        code, sizes, size, rows = self.code, self.sizes, self.size, self.code.new_label()
        code.load(RSI, RBX)
        if out:
            code.add(RSI, self.behind)
        code.constant(R9, sizes.image[0])
        code.place(rows)
        code.load(RCX, image)
        code.load(R8, RSI)
        self._copy_row(out)
        code.add(image, sizes.image[1] * size)
        code.add(RSI, sizes.pitch * size)
        code.decrement(R9)
        code.jump(rows, JUMP_NOT_EQUAL)

    def _copy_row(self, out: bool) -> None:
        """Copy a row of an image, at RCX, and that of a frame, at R8. Overwrites R10."""
        code, sizes, size, vectors = self.code, self.sizes, self.size, self.code.new_label()
        columns = {1: sizes.lanes, 2: 2 * sizes.lanes}.get(sizes.stride[1], sizes.stride[1])
        body = {1: self._copy_vector, 2: self._copy_vectors}.get(sizes.stride[1], self._copy_elements)
        whole, tail = divmod(sizes.image[1], columns)
        if whole:
            code.constant(R10, whole)
            code.place(vectors)
            body(out, 0)
            code.add(RCX, columns * size)
            code.add(R8, columns // sizes.stride[1] * size)
            code.decrement(R10)
            code.jump(vectors, JUMP_NOT_EQUAL)
        if tail:
            body(out, tail)

    def _copy_vector(self, out: bool, tail: int) -> None:
        places = [Memory(RCX), Memory(R8, self._column_bytes(0))]
        source, target = reversed(places) if out else places
        for form, place in ((LOAD, source), (STORE, target)):
            self.code.wide(form[self.size], 0, 0, place, mask=TAILS[0] if tail else 0)

    def _copy_vectors(self, out: bool, tail: int) -> None:
        """Two vectors of an image, and one of each phase."""
        whole = (Memory(RCX), Memory(RCX, WIDTH))
        phases = Memory(R8, self._column_bytes(0)), Memory(R8, self._column_bytes(1))
        first, second = zip(TAILS[:2], whole, strict=True), zip(TAILS[2:], phases, strict=True)
        (sources, targets), orders = ((second, first), (LOWER, UPPER)) if out else ((first, second), (EVEN, ODD))
        code, size = self.code, self.size
        for number, (mask, place) in enumerate(sources):
            code.wide(LOAD[size], number, 0, place, mask=mask if tail else 0)
        for order, (mask, place) in zip(orders, targets, strict=True):
            code.wide(LOAD[size], 2, 0, order)
            code.wide(FROM_TWO[size], 2, 0, 1)
            code.wide(STORE[size], 2, 0, place, mask=mask if tail else 0)

    def _copy_elements(self, out: bool, tail: int) -> None:
        """An element of each phase."""
        load, store = (
            (self.code.load, self.code.store) if self.size == 8 else (self.code.load_word, self.code.store_word)
        )
        for column in range(tail or self.sizes.stride[1]):
            places = Memory(RCX, column * self.size), Memory(R8, self._column_bytes(column))
            source, target = reversed(places) if out else places
            load(RAX, source)
            store(target, RAX)

    # Windows

    def _each_window(self, body: Callable[[], None]) -> None:
        """Run the body for each vector of windows: they are at R13, their places at R8, and RCX is for the frame."""
        code, sizes, rows = self.code, self.sizes, self.code.new_label()
        code.load(RSI, RBX)
        if self.routes:
            first = sizes.numbers + sizes.reach[0] * sizes.place_pitch + sizes.reach[1]
            code.address(RDI, Memory(RBX, first * self.size))
        code.constant(R9, sizes.windows[0])
        code.load(RDX, R12)  # the next image
        code.place(rows)
        moved = self._window_row(body)
        code.add(R13, (sizes.windows[1] - moved) * self.size)
        code.add(RSI, sizes.stride[0] * sizes.pitch * self.size)
        code.add(RDI, sizes.place_pitch * self.size)
        code.decrement(R9)
        code.jump(rows, JUMP_NOT_EQUAL)

    def _asked(self, vectors: int) -> int:
        """The lines of the next image to ask for with each of so many vectors of a row of windows."""
        lines = math.prod(self.sizes.image) * self.size // LINE
        return min(MOST_ASKED, -(-lines // (self.sizes.windows[0] * vectors)))

    def _window_row(self, body: Callable[[], None]) -> int:
        """Run the body for a row, with the addresses of its frame and its places in RSI and RDI. Returns how many
        windows R13 moves on."""
        code, sizes = self.code, self.sizes
        whole, vectors, full = sizes.whole(sizes.windows[1]), code.new_label(), code.new_label()
        asked = self._asked(whole // sizes.lanes)
        code.constant(R10, sizes.windows[1])
        code.load(RCX, RSI)
        code.load(R8, RDI)
        code.place(vectors)
        code.constant(RAX, (1 << sizes.lanes) - 1)
        code.compare(R10, sizes.lanes)
        code.jump(full, JUMP_GREATER_OR_EQUAL)
        code.constant(RAX, (1 << sizes.windows[1] % sizes.lanes) - 1)
        code.place(full)
        code.set_mask(INSIDE, RAX)
        body()
        for line in range(asked):
            code.prefetch(Memory(RDX, line * LINE))
        code.add(RDX, asked * LINE)
        for pointer in (RCX, R8, R13):
            code.add(pointer, WIDTH)
        code.add(R10, -sizes.lanes)
        code.compare(R10, 0)
        code.jump(vectors, JUMP_GREATER)
        return whole

    def _combine(self) -> None:
        """A vector of maxima or sums. A maximum instruction forgets nan, so pairs of elements are looked at."""
        code, size = self.code, self.size
        form = (ADD if self.kind == "add" else MAXIMUM)[size]
        code.constant(RAX, (1 << self.sizes.lanes) - 1)
        code.set_mask(NUMBERS, RAX)
        code.wide(LOAD[size], 0, 0, Memory(RCX, self.places[0]))
        code.wide(LOAD[size], 1, 0, 0)
        for number, place in enumerate(self.places[1:], 1):
            code.wide(LOAD[size], 1 + number % 2, 0, Memory(RCX, place))
            code.wide(form, 0, 0, 1 + number % 2)
            if self.kind == "maximum" and (number % 2 or number == len(self.places) - 1):
                code.wide(COMPARE[size], NUMBERS, 1, 2 - (number % 2 == 0), mask=NUMBERS, immediate=ORDERED, keep=True)
        if self.kind == "maximum":
            code.wide(BLEND[size], 0, NAN, 0, mask=NUMBERS, keep=True)
        code.wide(STORE[size], 0, 0, Memory(R13), mask=INSIDE)

    def _find_maximum(self) -> None:
        """The number of the first tap of each of a vector of windows that is its maximum."""
        code, size = self.code, self.size
        code.wide(LOAD[size], 0, 0, Memory(R13), mask=INSIDE)
        last = len(self.taps) - self.sizes.covering
        code.wide(BROADCAST[size], 1, 0, Memory(RBX, last * size), spread=size)
        for number in reversed(range(last)):
            code.wide(COMPARE[size], CHOSEN, 0, Memory(RCX, self.places[number]), immediate=EQUAL)
            code.wide(BROADCAST[size], 1, 0, Memory(RBX, number * size), mask=CHOSEN, spread=size, keep=True)
        code.wide(STORE[size], 1, 0, Memory(R8), mask=INSIDE)

    def _keep(self) -> None:
        """A vector of gradients of sums, among zeros."""
        self.code.wide(LOAD[self.size], 0, 0, Memory(R13), mask=INSIDE)
        self.code.wide(STORE[self.size], 0, 0, Memory(R8), mask=INSIDE)

    def _add_gradients(self, row: int, phase: int) -> None:
        """The gradient of every row from one on whose distance is the stride, in one phase."""
        code, sizes, size = self.code, self.sizes, self.size
        (down, along), (above, before) = sizes.stride, sizes.reach
        taps = [
            (number, i // down, j // along)
            for number, (i, j) in enumerate(self.taps)
            if i % down == row and j % along == phase
        ]
        rows = code.new_label()
        code.address(RDI, Memory(RBX, self.behind + self._frame_bytes(phase, row, 0)))
        code.address(RSI, Memory(RBX, (sizes.numbers + above * sizes.place_pitch + before) * size))
        code.load(RCX, R14)
        code.constant(R9, sizes.rows // down)
        code.place(rows)
        moved = self._gradient_row(taps)
        code.add(RSI, (sizes.place_pitch - moved) * size)
        code.add(RCX, (sizes.windows[1] - moved) * size)
        code.add(RDI, (down * sizes.pitch - moved) * size)
        code.decrement(R9)
        code.jump(rows, JUMP_NOT_EQUAL)

    def _gradient_row(self, taps: list[tuple[int, int, int]]) -> int:
        """A row of gradients at RDI, from the places of windows at RSI and their gradients at RCX. Returns how many
        elements these move on. Overwrites R10.

        `taps`: the number of each, and the rows and columns of windows back to the one that it belongs to.
        """
        code, sizes, vectors = self.code, self.sizes, self.code.new_label()
        code.constant(R10, sizes.pitch // sizes.lanes)
        code.place(vectors)
        self._sum_gradients(taps)
        for pointer in (RSI, RCX, RDI):
            code.add(pointer, WIDTH)
        code.decrement(R10)
        code.jump(vectors, JUMP_NOT_EQUAL)
        return sizes.pitch

    def _sum_gradients(self, taps: list[tuple[int, int, int]]) -> None:
        """A vector of gradients."""
        code, sizes, size = self.code, self.sizes, self.size
        code.clear(0)
        for number, above, before in taps:
            places = Memory(RSI, -(above * sizes.place_pitch + before) * size)
            if self.kind == "spread":
                code.wide(ADD[size], 0, 0, places)
                continue
            gradients = Memory(RCX, -(above * sizes.windows[1] + before) * size)
            code.wide(LOAD[size], 1, 0, places)
            code.wide(COMPARE[size], CHOSEN, 1, Memory(RBX, number * size), spread=size, immediate=EQUAL, keep=True)
            code.wide(ADD[size], 0, 0, gradients, mask=CHOSEN, keep=True)
        code.wide(STORE[size], 0, 0, Memory(RDI))
