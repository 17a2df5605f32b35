"""The code of convolutions by direct sums.

Vectors hold the channels of the result side by side, and each pixel of what is convolved is a factor of them all: so
pixels may lie anywhere, and no image is copied but into a frame of zeros. Up to 28 vectors of sums stay in registers,
over all channels and taps. Then channels and pixels change places, and the sums are written.

    sums[pixel] += frame[channel, where the tap sees it] * weights[channel, tap]       results; gradients by input
    sums[channel, tap] += frame[channel, where the tap sees it] * columns[pixel]       gradients by weight
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from .assembler import (
    JUMP_NOT_EQUAL,
    MAP_0F,
    MAP_0F38,
    NONE,
    P66,
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
    Form,
    Memory,
)
from .direct_sizes import LANES, MOST_SUMS, DirectSizes
from .fixed_boundary import COUNT, FixedBoundary
from .product_blocks import TAIL, exchanged, pack_columns
from .product_boundary import FrameWords
from .wide_assembler import BROADCAST, LOAD, MULTIPLY_ADD, STORE, WIDTH, WideAssembler

ADD, UNORDERED = Form(NONE, MAP_0F, 0x58), Form(NONE, MAP_0F, 0xC2)
PERMUTE = Form(P66, MAP_0F38, 0x16)
UNROLLED = 300  # products that are written out, at most
STORED = 2  # mask of what is written


class DirectWords(FrameWords):
    """Names for words of the frame, which count what is left, and keep pointers."""

    IMAGES, PANELS, ROWS_HERE, PIECES, OUTER, CHUNKS, GROUPS = range(11, 18)
    SOURCE_HERE, TARGET_HERE, ROOM, X_PANEL, FAILED = range(18, 23)
    assert FAILED < FrameWords.PACKING


Words = DirectWords
Offsets = list[tuple[int, int]]  # of an axis: the number of a tap, and where it sees, in elements of the axis


class DirectCode:
    """Writes the code of one function."""

    def __init__(self, kind: str, sizes: DirectSizes) -> None:
        self.kind, self.sizes = kind, sizes
        self.code = WideAssembler()
        self.at = {name: 4 * offset for name, offset in sizes.offsets(kind).items()}
        self.lanes, self.seen = sizes.lanes(kind), sizes.seen(kind)
        self.margins, (self.tall, self.wide) = sizes.margins(kind), sizes.frame(kind)
        self.framed = any(map(any, self.margins))
        self.orders: dict[int, list[int]] = {}  # of elements, that some code needs
        images, results = (None, sizes.channels, *sizes.image), (None, sizes.outputs, *sizes.made)
        weight, room = (sizes.outputs, sizes.channels, *sizes.kernel), (sizes.room(kind),)
        shapes: list[tuple[int | None, ...]] = {
            "forward": [images, weight, results, room],
            "input": [results, weight, images, room],
            "weight": [images, results, weight, room],
        }[kind]  # type: ignore[assignment]
        work = math.prod(weight) * math.prod(sizes.made)
        self.boundary = FixedBoundary(self.code, np.dtype(np.float32), shapes, {2, 3}, work)
        self.checks = kind == "input" and self.framed  # zeros times infinity would be nan, where no window is
        if self.checks:
            self.boundary.failed_word = Words.FAILED

    def assemble(self) -> bytes:
        """The function's code."""
        code, at = self.code, Words.at
        self.boundary.enter()
        code.load(RBX, at(3))
        code.add(RBX, WIDTH - 1)
        code.bit_and(RBX, -WIDTH)
        code.load(R12, at(0))
        code.load(R13, at(1 if self.kind == "weight" else 2))
        code.load(RAX, at(COUNT))
        code.store(at(Words.IMAGES), RAX)
        images, begin, prepare, done = (code.new_label() for _ in range(4))
        if self.kind == "input":
            code.jump(prepare)
            code.place(begin)
        self._clear()
        if self.kind != "weight":
            self._pack_weights()
        if self.checks:
            self._check_weights()
            code.jump(done, JUMP_NOT_EQUAL)
        code.place(images)
        self._frame()
        if self.kind == "weight":
            self._pack_columns()
            self._panels(self._weight_sums, self.sizes.taps * self.seen, math.prod(self.sizes.made))
        else:
            self._panels(self._planes, self.sizes.taps * self.seen, 0)
        size, made = (4 * math.prod(pair) for pair in (self.sizes.image, self.sizes.made))
        code.add(R12, self.seen * (made if self.kind == "input" else size))
        code.add(R13, self.lanes * (size if self.kind == "input" else made))
        code.add(at(Words.IMAGES), -1)
        code.jump(images, JUMP_NOT_EQUAL)
        if self.kind == "weight":
            self._deliver_weight()
        code.place(done)
        self.boundary.leave()
        if self.kind == "input":
            code.place(prepare)
            for lane, numbers in self.orders.items():
                for position in range(0, LANES, 2):
                    place = Memory(RBX, self.at["orders"] + lane * WIDTH + 4 * position)
                    code.store_number(place, numbers[position] | numbers[position + 1] << 32)
            code.jump(begin)
        return code.finish()

    def _loop(self, word: int, count: int, body: Callable[[], None]) -> None:
        """Run the body so many times, known here."""
        if count == 1:
            body()
        elif count:
            code, again = self.code, self.code.new_label()
            code.store_number(Words.at(word), count)
            code.place(again)
            body()
            code.add(Words.at(word), -1)
            code.jump(again, JUMP_NOT_EQUAL)

    def _counted(self, register: int, count: int, body: Callable[[], None]) -> None:
        """The same with a register that the body leaves alone."""
        if count == 1:
            body()
        elif count:
            code, again = self.code, self.code.new_label()
            code.constant(register, count)
            code.place(again)
            body()
            code.decrement(register)
            code.jump(again, JUMP_NOT_EQUAL)

    def _mask(self, mask: int, bits: int) -> None:
        self.code.constant(RAX, bits)
        self.code.set_mask(mask, RAX)

    # Copies

    def _clear(self) -> None:
        """Fill the frame with zeros, and sums."""
        code, start = self.code, self.at["weights" if self.kind == "weight" else "frame"]
        code.clear(0)
        code.address(RDI, Memory(RBX, start))

        def lines() -> None:
            code.wide(STORE[4], 0, 0, Memory(RDI))
            code.add(RDI, WIDTH)

        self._counted(R9, (self.at["end"] - start) // WIDTH, lines)

    def _frame(self) -> None:
        """Set R14 to the image, or copy it into the frame of zeros and set R14 to this."""
        code = self.code
        if not self.framed:
            code.load(R14, R12)
            return
        height, width = self.sizes.made if self.kind == "input" else self.sizes.image
        (top, _), (left, _) = self.margins
        vectors, tail = divmod(width, LANES)
        self._mask(TAIL, (1 << tail) - 1)
        code.address(R14, Memory(RBX, self.at["frame"]))
        code.load(RSI, R12)
        code.address(RDI, Memory(R14, 4 * (top * self.wide + left)))

        def row() -> None:
            def vector(number: int, mask: int) -> None:
                code.wide(LOAD[4], number % 16, 0, Memory(RSI, number * WIDTH), mask=mask)
                code.wide(STORE[4], number % 16, 0, Memory(RDI, number * WIDTH), mask=mask)

            for number in range(vectors):
                vector(number, 0)
            if tail:
                vector(vectors, TAIL)
            code.add(RSI, 4 * width)
            code.add(RDI, 4 * self.wide)

        def channel() -> None:
            self._counted(R9, height, row)
            code.add(RDI, 4 * (self.tall - height) * self.wide)

        self._counted(R10, self.seen, channel)

    def _panels(self, body: Callable[[int, int], None], depth: int, columns: int) -> None:
        """For each panel of vectors, call `body(vectors, lanes)`: R15 is where its weights are, of so many rows, R11
        where its results are in the image, and the word X_PANEL where its columns are."""
        code, at = self.code, Words.at
        plane = 4 * math.prod(self.sizes.image if self.kind == "input" else self.sizes.made)
        code.address(R15, Memory(RBX, self.at["weights"]))
        code.load(R11, R13)
        code.address(RAX, Memory(RBX, self.at["columns"]))
        code.store(at(Words.X_PANEL), RAX)

        def panel(vectors: int, lanes: int) -> None:
            body(vectors, lanes)
            code.add(R15, depth * vectors * WIDTH)
            code.add(R11, vectors * LANES * plane)
            code.add(at(Words.X_PANEL), columns * vectors * WIDTH)

        self._each_panel(panel)

    def _each_panel(self, body: Callable[[int, int], None]) -> None:
        """Call `body(vectors, lanes)` for code that runs for each panel: all have as many lanes but for the last."""
        left = self.lanes
        for count, vectors in self.sizes.runs(self.kind):
            whole = min(count, left // (LANES * vectors))
            self._loop(Words.PANELS, whole, lambda vectors=vectors: body(vectors, LANES * vectors))  # type: ignore[misc]
            left -= whole * LANES * vectors
            if whole < count:
                body(vectors, left)

    def _pack(self, lane_step: int, run: int, outer: int, outer_step: int, target: str) -> None:
        """Bring lanes side by side: of `outer` rows of `run` numbers each, from the address in RAX on."""
        code, at = self.code, Words.at
        code.store(at(Words.SOURCE_HERE), RAX)
        code.store(at(Words.ROOM), RBX)
        code.address(RAX, Memory(RBX, self.at[target]))
        code.store(at(Words.TARGET_HERE), RAX)

        def panel(vectors: int, lanes: int) -> None:
            for vector in range(vectors):
                code.load(RSI, at(Words.SOURCE_HERE))
                code.load(RDI, at(Words.TARGET_HERE))
                code.add(RDI, vector * WIDTH)
                self._pack_lanes(min(LANES, lanes - vector * LANES), lane_step, run, outer, outer_step, vectors * WIDTH)
                code.add(at(Words.SOURCE_HERE), LANES * lane_step)
            code.add(at(Words.TARGET_HERE), outer * run * vectors * WIDTH)

        self._each_panel(panel)
        code.load(RBX, at(Words.ROOM))

    def _pack_lanes(self, lanes: int, lane_step: int, run: int, outer: int, outer_step: int, pitch: int) -> None:
        code = self.code
        code.constant(RBX, lane_step)
        code.constant(RDX, pitch)
        chunks, tail = divmod(run, LANES)

        def square(rows: int) -> None:
            self._mask(TAIL, (1 << rows) - 1)
            code.constant(R8, lanes)
            code.constant(R9, rows)
            pack_columns(code, 4)
            code.add(RSI, 4 * rows)
            code.add(RDI, rows * pitch)

        def one() -> None:
            self._loop(Words.CHUNKS, chunks, lambda: square(LANES))
            if tail:
                square(tail)
            code.add(RSI, outer_step - 4 * run)

        self._loop(Words.OUTER, outer, one)

    def _pack_weights(self) -> None:
        taps, channels = self.sizes.taps, self.sizes.channels
        self.code.load(RAX, Words.at(1))
        if self.kind == "forward":
            self._pack(4 * taps * channels, taps * channels, 1, 0, "weights")
        else:
            self._pack(4 * taps, taps, self.sizes.outputs, 4 * taps * channels, "weights")

    def _check_weights(self) -> None:
        """Set the word FAILED, and compare it with zero: whether a weight is infinite or nan."""
        code, sums = self.code, range(1, 5)
        for register in (0, *sums):
            code.clear(register)
        code.address(RSI, Memory(RBX, self.at["weights"]))

        def add(count: int) -> None:
            for number in range(count):
                code.wide(MULTIPLY_ADD[4], sums[number], 0, Memory(RSI, number * WIDTH))
            code.add(RSI, count * WIDTH)

        blocks, rest = divmod(-(-self.lanes // LANES) * self.seen * self.sizes.taps, len(sums))
        self._counted(R9, blocks, lambda: add(len(sums)))
        add(rest)
        for register in sums[1:]:
            code.wide(ADD, sums[0], sums[0], register)
        code.wide(UNORDERED, TAIL, sums[0], sums[0], immediate=3)
        code.get_mask(RAX, TAIL)
        code.store(Words.at(Words.FAILED), RAX)
        code.compare(RAX, 0)

    def _pack_columns(self) -> None:
        made = math.prod(self.sizes.made)
        self.code.load(RAX, R13)
        self._pack(4 * made, made, 1, 0, "columns")

    # Results and gradients by input

    def _planes(self, vectors: int, lanes: int) -> None:
        """A panel of an image: one plane of pixels, or several for a stride of the gradient's."""
        sizes = self.sizes
        if self.kind == "forward":
            pairs = zip(sizes.kernel, sizes.dilation, strict=True)
            ways = [[(k, k * spread) for k in range(taps)] for taps, spread in pairs]
            self._plane(vectors, lanes, sizes.made, ways, (0, 0), sizes.stride, (1, 1))
            return
        for row in range(min(sizes.stride[0], sizes.image[0])):
            for column in range(min(sizes.stride[1], sizes.image[1])):
                ways, plane = [], []
                for axis, first in enumerate((row, column)):
                    step, low, (before, _) = sizes.stride[axis], sizes.low[axis], self.margins[axis]
                    far = [(k, first + low - k * sizes.dilation[axis]) for k in range(sizes.kernel[axis])]
                    ways.append([(k, before + place // step) for k, place in far if place % step == 0])
                    plane.append(-(-(sizes.image[axis] - first) // step))
                self._plane(vectors, lanes, (plane[0], plane[1]), ways, (row, column), (1, 1), sizes.stride)

    def _plane(
        self, vectors: int, lanes: int, plane: tuple[int, int], ways: list[Offsets], first: tuple[int, int],
        step: tuple[int, int], apart: tuple[int, int],
    ) -> None:  # fmt: skip
        """All pixels of a plane: they see elements at distances `step`, and are written at distances `apart`."""
        code, most = self.code, MOST_SUMS[vectors]
        across = self.sizes.image[1] if self.kind == "input" else self.sizes.made[1]
        code.load(RSI, R14)
        code.address(RDI, Memory(R11, 4 * (first[0] * across + first[1])))
        tall, wide = plane

        def block(rows: int, columns: int) -> None:
            pixels = [(y * step[0] * self.wide + x * step[1]) * 4 for y in range(rows) for x in range(columns)]
            self._add_up(vectors, pixels, ways)
            self._write(vectors, lanes, rows, columns, apart)

        def rows_of(count: int) -> None:
            block(count, wide)
            code.add(RSI, count * step[0] * self.wide * 4)
            code.add(RDI, count * apart[0] * across * 4)

        if wide <= most:
            blocks = -(-tall // (most // wide))
            rows = -(-tall // blocks)
            self._loop(Words.ROWS_HERE, tall // rows, lambda: rows_of(rows))
            if tall % rows:
                rows_of(tall % rows)
            return
        pieces = -(-wide // (LANES if vectors == 1 and wide % LANES == 0 else most))
        columns = -(-wide // pieces)
        larger = wide - (columns - 1) * pieces

        def piece(count: int) -> None:
            block(1, count)
            code.add(RSI, count * step[1] * 4)
            code.add(RDI, count * apart[1] * 4)

        def row() -> None:
            self._loop(Words.PIECES, larger, lambda: piece(columns))
            self._loop(Words.PIECES, pieces - larger, lambda: piece(columns - 1))
            code.add(RSI, (step[0] * self.wide - wide * step[1]) * 4)
            code.add(RDI, (apart[0] * across - wide * apart[1]) * 4)

        self._loop(Words.ROWS_HERE, tall, row)

    def _add_up(self, vectors: int, pixels: Sequence[int], ways: list[Offsets]) -> None:
        """The sums of some pixels, whose distances from RSI these are, over all channels and taps."""
        code, (downs, alongs) = self.code, ways
        products = len(pixels) * vectors
        for register in range(products):
            code.clear(register)
        if not downs or not alongs:
            return
        code.load(R8, RSI)
        code.load(RCX, R15)
        pitch, wide = vectors * WIDTH, self.wide * 4

        def row(down: tuple[int, int], loops: bool) -> None:
            for number, place in alongs:
                tap = (0 if loops else down[0] * self.sizes.kernel[1]) + number
                where = (0 if loops else down[1] * wide) + place * 4
                self._products(vectors, [where + pixel for pixel in pixels], R8, Memory(RCX, tap * pitch))

        def channel() -> None:
            if products * len(downs) * len(alongs) <= UNROLLED or len(downs) == 1:
                for down in downs:
                    row(down, False)
                moved = (0, 0)
            else:
                steps = (downs[1][1] - downs[0][1]) * wide, (downs[1][0] - downs[0][0]) * self.sizes.kernel[1] * pitch
                moved = downs[0][1] * wide, downs[0][0] * self.sizes.kernel[1] * pitch
                for register, distance in zip((R8, RCX), moved, strict=True):
                    code.add(register, distance)

                def step() -> None:
                    row((0, 0), True)
                    for register, distance in zip((R8, RCX), steps, strict=True):
                        code.add(register, distance)

                self._counted(R9, len(downs), step)
                moved = moved[0] + len(downs) * steps[0], moved[1] + len(downs) * steps[1]
            code.add(R8, self.tall * wide - moved[0])
            code.add(RCX, self.sizes.taps * pitch - moved[1])

        self._counted(R10, self.seen, channel)

    def _products(self, vectors: int, places: Sequence[int], base: int, row: Memory) -> None:
        """Multiply some vectors with elements at these places, and add each product to its sum."""
        code, factors = self.code, 30 - vectors
        for vector in range(vectors):
            code.wide(LOAD[4], factors + vector, 0, row._replace(offset=row.offset + vector * WIDTH))
        for number, place in enumerate(places):
            if vectors == 1:
                code.wide(MULTIPLY_ADD[4], number, factors, Memory(base, place), spread=4)
                continue
            element = 30 + number % 2
            code.wide(BROADCAST[4], element, 0, Memory(base, place), spread=4)
            for vector in range(vectors):
                code.wide(MULTIPLY_ADD[4], number * vectors + vector, factors + vector, element)

    def _write(self, vectors: int, lanes: int, rows: int, columns: int, apart: tuple[int, int]) -> None:
        """Write sums of rows of pixels, from RDI on, each channel to its plane."""
        code, pixels, spilled = self.code, rows * columns, self.at["spilled"]
        plane = 4 * math.prod(self.sizes.image if self.kind == "input" else self.sizes.made)
        for vector in range(vectors):
            for pixel in range(pixels):
                place = Memory(RBX, spilled + (vector * pixels + pixel) * WIDTH)
                code.wide(STORE[4], pixel * vectors + vector, 0, place)
        for vector in range(vectors):
            here = min(LANES, lanes - vector * LANES)
            for start in range(0, pixels, LANES):
                count = min(LANES, pixels - start)
                for pixel in range(count):
                    place = Memory(RBX, spilled + (vector * pixels + start + pixel) * WIDTH)
                    code.wide(LOAD[4], pixel, 0, place)
                registers = exchanged(code, 4)[:here]
                code.address(RCX, Memory(RDI, vector * LANES * plane))
                if apart == (1, 1):
                    self._mask(STORED, (1 << count) - 1)
                    for register in registers:
                        code.wide(STORE[4], register, 0, Memory(RCX, 4 * start), mask=STORED)
                        code.add(RCX, plane)
                else:
                    self._write_apart(registers, range(start, start + count), columns, apart, plane)

    def _write_apart(
        self, registers: list[int], pixels: range, columns: int, apart: tuple[int, int], plane: int
    ) -> None:
        """Write some of a block's pixels at distances along rows and columns."""
        code = self.code
        across = self.sizes.image[1]
        most = LANES // apart[1]
        free = next(register for register in range(32) if register not in registers)
        order = next(register for register in range(32) if register not in (*registers, free))
        start = pixels.start
        while start < pixels.stop:
            row, column = divmod(start, columns)
            count = min(most, columns - column, pixels.stop - start)
            lane = start - pixels.start
            self.orders[lane] = [(lane + position // apart[1]) % LANES for position in range(LANES)]
            code.wide(LOAD[4], order, 0, Memory(RBX, self.at["orders"] + lane * WIDTH))
            self._mask(STORED, sum(1 << position * apart[1] for position in range(count)))
            code.load(RDX, RCX)
            for register in registers:
                code.wide(PERMUTE, free, order, register)
                place = Memory(RDX, 4 * (row * apart[0] * across + column * apart[1]))
                code.wide(STORE[4], free, 0, place, mask=STORED)
                code.add(RDX, plane)
            start += count

    # Gradients by weight

    def _weight_sums(self, vectors: int, lanes: int) -> None:
        """Add an image's part to the sums of a panel, block by block."""
        sizes, code, most = self.sizes, self.code, MOST_SUMS[vectors]
        (tall, wide), taps, pitch = sizes.kernel, sizes.taps, vectors * WIDTH
        channel = self.tall * self.wide * 4
        code.load(RSI, R14)
        code.load(RDI, R15)

        def places(rows: range, columns: range) -> list[int]:
            (far, along) = sizes.dilation
            return [(i * far * self.wide + j * along) * 4 for i in rows for j in columns]

        def block(found: list[int]) -> None:
            self._weight_block(vectors, found)
            code.add(RDI, len(found) * pitch)

        if taps <= most:
            together = most // taps
            blocks = -(-self.seen // together)
            together = -(-self.seen // blocks)
            every = places(range(tall), range(wide))

            def channels(count: int) -> None:
                block([number * channel + place for number in range(count) for place in every])
                code.add(RSI, count * channel)

            self._loop(Words.GROUPS, self.seen // together, lambda: channels(together))
            if self.seen % together:
                channels(self.seen % together)
            return
        rows = max(1, most // wide)
        columns = -(-wide // -(-wide // most))

        def one() -> None:
            for top in range(0, tall, rows):
                for left in range(0, wide, columns):
                    block(places(range(top, min(tall, top + rows)), range(left, min(wide, left + columns))))
            code.add(RSI, channel)

        self._loop(Words.GROUPS, self.seen, one)

    def _weight_block(self, vectors: int, places: list[int]) -> None:
        """Add to sums at RDI, of taps that see elements at these distances from RSI, all pixels."""
        code, sizes, pitch = self.code, self.sizes, vectors * WIDTH
        sums = [
            (register, Memory(RDI, register * WIDTH)) for register in range(len(places) * vectors)
        ]  # in memory as in registers
        for register, place in sums:
            code.wide(LOAD[4], register, 0, place)
        height, width = sizes.made
        once = max(unrolled for unrolled in (1, 2, 3, 4) if width % unrolled == 0 and unrolled * len(sums) <= UNROLLED)
        code.load(R8, RSI)
        code.load(RCX, Words.at(Words.X_PANEL))

        def pixels() -> None:
            for number in range(once):
                where = [place + number * sizes.stride[1] * 4 for place in places]
                self._products(vectors, where, R8, Memory(RCX, number * pitch))
            code.add(R8, once * sizes.stride[1] * 4)
            code.add(RCX, once * pitch)

        def row() -> None:
            self._counted(R10, width // once, pixels)
            code.add(R8, (sizes.stride[0] * self.wide - width * sizes.stride[1]) * 4)

        self._counted(R9, height, row)
        for register, place in sums:
            code.wide(STORE[4], register, 0, place)

    def _deliver_weight(self) -> None:
        """Write the sums to the weight's gradient."""
        code, at = self.code, Words.at
        depth = self.sizes.taps * self.seen
        chunks, tail = divmod(depth, LANES)
        code.address(RAX, Memory(RBX, self.at["weights"]))
        code.store(at(Words.SOURCE_HERE), RAX)
        code.load(RAX, at(2))
        code.store(at(Words.TARGET_HERE), RAX)
        code.constant(RDX, depth * 4)

        def square(rows: int, lanes: int, pitch: int) -> None:
            self._mask(TAIL, (1 << lanes) - 1)
            self._mask(STORED, (1 << rows) - 1)
            code.constant(R8, rows)
            code.constant(R9, lanes)
            pack_columns(code, 4, STORED)
            code.add(RSI, rows * pitch)
            code.add(RDI, rows * 4)

        def panel(vectors: int, lanes: int) -> None:
            code.constant(RBX, vectors * WIDTH)
            for vector in range(vectors):
                here = min(LANES, lanes - vector * LANES)
                code.load(RSI, at(Words.SOURCE_HERE))
                code.add(RSI, vector * WIDTH)
                code.load(RDI, at(Words.TARGET_HERE))
                self._loop(Words.CHUNKS, chunks, lambda here=here: square(LANES, here, vectors * WIDTH))  # type: ignore[misc]
                if tail:
                    square(tail, here, vectors * WIDTH)
                code.add(at(Words.TARGET_HERE), LANES * depth * 4)
            code.add(at(Words.SOURCE_HERE), depth * vectors * WIDTH)

        self._each_panel(panel)
