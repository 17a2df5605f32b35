"""The code of convolutions by direct sums.

Vectors hold the channels of the result side by side, and each pixel of what is convolved is a factor of them all: so
pixels may lie anywhere, and no image is copied but into a frame of zeros. Up to 28 vectors of sums stay in registers,
over all channels and taps. Then channels and pixels change places, and the sums are written.

    sums[pixel] += frame[channel, where the tap sees it] * weights[channel, tap]       results; gradients by input
    sums[channel, tap] += frame[channel, where the tap sees it] * columns[pixel]       gradients by weight
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from .assembler import (
    JUMP_NOT_EQUAL,
    MAP_0F38,
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
from .direct_copies import STORED, DirectCopies, Words
from .direct_sizes import LANES, MOST_SUMS
from .fixed_boundary import COUNT
from .product_blocks import exchanged
from .wide_assembler import BROADCAST, LOAD, MULTIPLY_ADD, STORE, WIDTH

PERMUTE = Form(P66, MAP_0F38, 0x16)
UNROLLED = 300  # products that are written out, at most
Offsets = list[tuple[int, int]]  # of an axis: the number of a tap, and where it sees, in elements of the axis


class DirectCode(DirectCopies):
    """Writes the code of one function."""

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
