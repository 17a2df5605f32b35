"""The code of convolutions by direct sums.

Vectors hold the channels of the result side by side, and each pixel of what is convolved is a factor of them all: so
pixels may lie anywhere, and no image is copied but into a frame of zeros. Up to 28 vectors of sums stay in registers,
over all channels and taps. Then channels and pixels change places, and the sums are written.

    sums[pixel] += frame[channel, where the tap sees it] * weights[channel, tap]       results; gradients by input
    sums[channel, tap] += frame[channel, where the tap sees it] * columns[pixel]       gradients by weight
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence

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
from .direct_copies import STORED, DirectCopies, Words
from .fixed_boundary import COUNT
from .narrow_assembler import COMPARE, EXTRACT_HALF, SIGNS, UNORDERED, NarrowAssembler
from .narrow_turn_code import exchange_square
from .product_blocks import exchanged
from .vector_assembler import PERMUTE
from .wide_assembler import ADD, BROADCAST, LOAD, STORE

UNROLLED = 300  # products that are written out, at most
DEPTH_AT_ONCE = 800
"""Products of a sum that are added one after the other, about; such parts are added up, for the errors would grow."""
Offsets = list[tuple[int, int]]  # of an axis: the number of a tap, and where it sees, in elements of the axis


class DirectCode(DirectCopies):
    """Writes the code of one function."""

    spreads = True
    """Whether instructions take one element in memory for all lanes."""

    def assemble(self) -> bytes:
        """The function's code."""
        code, at = self.code, Words.at
        self.boundary.enter()
        code.load(RBX, at(3))
        code.add(RBX, self.width - 1)
        code.bit_and(RBX, -self.width)
        code.load(R12, at(0))
        code.load(R13, at(1 if self.kind == "weight" else 2))
        code.load(RAX, at(COUNT))
        code.multiply(RAX, RAX, self.sizes.groups)
        code.store(at(Words.IMAGES), RAX)
        begin, prepare, done = (code.new_label() for _ in range(3))
        if self.kind == "input":
            code.jump(prepare)
            code.place(begin)
        self._clear()
        if self.kind != "weight":
            self._pack_weights()
        if self.checks:
            self._check_weights()
            code.jump(done, JUMP_NOT_EQUAL)
        self._all_images()
        if self.kind == "weight":
            self._deliver_weight()
        code.place(done)
        self.boundary.leave()
        if self.kind == "input":
            code.place(prepare)
            self._store_orders()
            code.jump(begin)
        return code.finish()

    def _all_images(self) -> None:
        """The loop over the images, and over the groups of each."""
        code = self.code
        self._first_group()
        images = code.new_label()
        code.place(images)
        self._frame()
        if self.kind == "weight":
            self._pack_columns()
            self._panels(self._weight_sums, self.sizes.taps * self.seen, math.prod(self.sizes.made))
        else:
            self._panels(self._planes, self.sizes.taps * self.seen, 0)
        size, made = (self.size * math.prod(pair) for pair in (self.sizes.image, self.sizes.made))
        code.add(R12, self.seen * (made if self.kind == "input" else size))
        code.add(R13, self.lanes * (size if self.kind == "input" else made))
        if self.sizes.groups > 1:
            weights = self.sizes.vectors(self.kind) * self.width * self.sizes.taps * self.seen
            code.add(Words.at(Words.WEIGHTS_HERE), weights)
            same = code.new_label()
            code.add(Words.at(Words.GROUPS_LEFT), -1)
            code.jump(same, JUMP_NOT_EQUAL)
            self._first_group()
            code.place(same)
        code.add(Words.at(Words.IMAGES), -1)
        code.jump(images, JUMP_NOT_EQUAL)

    def _store_orders(self) -> None:
        """Store the orders of lanes, which instructions read from memory."""
        each = 8 // self.size
        for lane, numbers in self.orders.items():
            for position in range(0, self.across, each):
                place = Memory(RBX, self.at["orders"] + lane * self.width + self.size * position)
                high = numbers[position + 1] << 32 if each == 2 else 0
                self.code.store_number(place, numbers[position] | high)

    def _first_group(self) -> None:
        """Begin with the weights of the first group."""
        self.code.address(RAX, Memory(RBX, self.at["weights"]))
        self.code.store(Words.at(Words.WEIGHTS_HERE), RAX)
        self.code.store_number(Words.at(Words.GROUPS_LEFT), self.sizes.groups)

    # Results and gradients by input

    def _planes(self, vectors: int, lanes: int) -> None:
        """A panel of an image: one block of pixels, or several for a stride of the gradient's."""
        sizes = self.sizes
        if self.kind == "forward":
            pairs = zip(sizes.kernel, sizes.dilation, strict=True)
            ways = [[(k, k * spread) for k in range(taps)] for taps, spread in pairs]
            self._deep_plane(vectors, lanes, sizes.made, ways, (0, 0, 0), sizes.stride, (1, 1, 1))
            return
        for firsts in itertools.product(*map(range, map(min, sizes.stride, sizes.image))):
            ways, plane = [], []
            for axis, first in enumerate(firsts):
                step, low, (before, _) = sizes.stride[axis], sizes.low[axis], self.margins[axis]
                far = [(k, first + low - k * sizes.dilation[axis]) for k in range(sizes.kernel[axis])]
                ways.append([(k, before + place // step) for k, place in far if place % step == 0])
                plane.append(-(-(sizes.image[axis] - first) // step))
            self._deep_plane(vectors, lanes, tuple(plane), ways, firsts, (1, 1, 1), sizes.stride)

    def _deep_plane(
        self, vectors: int, lanes: int, plane: tuple[int, ...], ways: list[Offsets], first: tuple[int, ...],
        step: tuple[int, ...], apart: tuple[int, ...],
    ) -> None:  # fmt: skip
        """All pixels of such a block: plane by plane."""
        code, (deep, tall, wide) = self.code, plane
        written = self.size * math.prod((self.sizes.image if self.kind == "input" else self.sizes.made)[1:])
        moves = (R14, step[0] * self.tall * self.wide * self.size), (R11, apart[0] * written)
        if first[0]:
            code.add(R11, first[0] * written)

        def one() -> None:
            self._plane(vectors, lanes, (tall, wide), ways, first[1:], step[1:], apart[1:])
            if deep > 1:
                for register, distance in moves:
                    code.add(register, distance)

        self._loop(Words.DEEP, deep, one)
        back = [(register, deep * distance if deep > 1 else 0) for register, distance in moves]
        for register, distance in (back[0], (R11, back[1][1] + first[0] * written)):
            if distance:
                code.add(register, -distance)

    def _plane(
        self, vectors: int, lanes: int, plane: tuple[int, int], ways: list[Offsets], first: tuple[int, ...],
        step: tuple[int, ...], apart: tuple[int, ...],
    ) -> None:  # fmt: skip
        """All pixels of a plane: they see elements at distances `step`, and are written at distances `apart`."""
        code, most = self.code, self.sizes.most_sums[vectors]
        across, size = self.sizes.image[2] if self.kind == "input" else self.sizes.made[2], self.size
        code.load(RSI, R14)
        code.address(RDI, Memory(R11, size * (first[0] * across + first[1])))
        tall, wide = plane

        def block(rows: int, columns: int) -> None:
            pixels = [(y * step[0] * self.wide + x * step[1]) * size for y in range(rows) for x in range(columns)]
            self._add_up(vectors, lanes, pixels, ways)
            self._write(vectors, lanes, rows, columns, apart)

        def rows_of(count: int) -> None:
            block(count, wide)
            code.add(RSI, count * step[0] * self.wide * size)
            code.add(RDI, count * apart[0] * across * size)

        if wide <= most:
            blocks = -(-tall // (most // wide))
            rows = -(-tall // blocks)
            self._loop(Words.ROWS_HERE, tall // rows, lambda: rows_of(rows))
            if tall % rows:
                rows_of(tall % rows)
            return
        pieces = -(-wide // (self.across if vectors == 1 and wide % self.across == 0 else most))
        columns = -(-wide // pieces)
        larger = wide - (columns - 1) * pieces

        def piece(count: int) -> None:
            block(1, count)
            code.add(RSI, count * step[1] * size)
            code.add(RDI, count * apart[1] * size)

        def row() -> None:
            self._loop(Words.PIECES, larger, lambda: piece(columns))
            self._loop(Words.PIECES, pieces - larger, lambda: piece(columns - 1))
            code.add(RSI, (step[0] * self.wide - wide * step[1]) * size)
            code.add(RDI, (apart[0] * across - wide * apart[1]) * size)

        self._loop(Words.ROWS_HERE, tall, row)

    def _add_up(self, vectors: int, lanes: int, pixels: Sequence[int], ways: list[Offsets]) -> None:
        """The sums of some pixels, whose distances from RSI these are, over all channels and taps."""
        code, products = self.code, len(pixels) * vectors
        depth = math.prod(map(len, ways))
        self._clear_sums(products)
        if not depth:
            return
        code.load(R8, RSI)
        code.load(RCX, R15)
        channel = functools.partial(self._channel, vectors, lanes, pixels, ways)
        parts = -(-self.seen * depth // DEPTH_AT_ONCE)
        if parts == 1:
            self._counted(R10, self.seen, channel)
            return
        places = [Memory(RBX, self.at["spilled"] + register * self.width) for register in range(products)]

        def part(channels: int) -> None:
            self._clear_sums(products)
            self._counted(R10, channels, channel)
            for form, first in (ADD, 1), (STORE, 0):
                for register, place in enumerate(places):
                    code.wide(form[self.size], register, first * register, place)

        for register, place in enumerate(places):
            code.wide(STORE[self.size], register, 0, place)
        channels = -(-self.seen // parts)
        self._counted(RDX, self.seen // channels, lambda: part(channels))
        if self.seen % channels:
            part(self.seen % channels)

    def _clear_sums(self, count: int) -> None:
        for register in range(count):
            self.code.clear(register)

    def _channel(self, vectors: int, lanes: int, pixels: Sequence[int], ways: list[Offsets]) -> None:
        """Add one channel's products to the sums. R8 and RCX, at its image and its weights, move on to the next."""
        code, (deeps, downs, alongs) = self.code, ways
        pitch, wide = vectors * self.width, self.wide * self.size
        row_taps, registers = self.sizes.kernel[2] * pitch, (R8, RCX)
        plane, plane_taps = self.tall * wide, self.sizes.kernel[1] * row_taps

        def row(deep: tuple[int, int], down: tuple[int, int]) -> None:
            seen, taps = deep[1] * plane + down[1] * wide, deep[0] * plane_taps + down[0] * row_taps
            for number, place in alongs:
                where = [seen + place * self.size + pixel for pixel in pixels]
                self._products(vectors, lanes, where, R8, Memory(RCX, taps + number * pitch))

        moved = [0, 0]
        rows = list(itertools.product(deeps, downs))
        if len(pixels) * vectors * len(rows) * len(alongs) <= UNROLLED or len(rows) == 1:
            for deep, down in rows:
                row(deep, down)
        else:
            last, before = downs[-1], downs[-2 if len(downs) > 1 else -1]
            steps = (last[1] - before[1]) * wide, (last[0] - before[0]) * row_taps

            def step() -> None:
                row((0, 0), (0, 0))
                for register, distance in zip(registers, steps, strict=True):
                    code.add(register, distance)

            for deep in deeps:
                start = deep[1] * plane + downs[0][1] * wide, deep[0] * plane_taps + downs[0][0] * row_taps
                for axis, register in enumerate(registers):
                    code.add(register, start[axis] - moved[axis])
                    moved[axis] = start[axis] + len(downs) * steps[axis]
                self._counted(R9, len(downs), step)
        code.add(R8, self.deep * plane - moved[0])
        code.add(RCX, self.sizes.taps * pitch - moved[1])

    def _products(self, vectors: int, lanes: int, places: Sequence[int], base: int, row: Memory) -> None:
        """Multiply some vectors with elements at these places, and add each product to its sum. A last vector with few
        lanes takes half as long."""
        code, size = self.code, self.size
        factors = self.sizes.most_sums[vectors] * vectors
        elements = range(factors + vectors, code.registers)
        halves = [
            vector == vectors - 1 and 2 * (lanes - vector * self.across) <= self.across for vector in range(vectors)
        ]
        for vector, half in enumerate(halves):
            code.wide(LOAD[size], factors + vector, 0, row._replace(offset=row.offset + vector * self.width), half=half)
        for number, place in enumerate(places):
            if vectors == 1 and self.spreads:
                code.wide(self.form, number, factors, Memory(base, place), spread=size, half=halves[0])
                continue
            element = elements[number % len(elements)]
            code.wide(BROADCAST[size], element, 0, Memory(base, place), spread=size)
            for vector, half in enumerate(halves):
                code.wide(self.form, number * vectors + vector, factors + vector, element, half=half)

    def _write(self, vectors: int, lanes: int, rows: int, columns: int, apart: tuple[int, ...]) -> None:
        """Write sums of rows of pixels, from RDI on, each channel to its plane."""
        code, pixels, spilled = self.code, rows * columns, self.at["spilled"]
        plane = self.size * math.prod(self.sizes.image if self.kind == "input" else self.sizes.made)
        size, across = self.size, self.across
        for vector in range(vectors):
            for pixel in range(pixels):
                place = Memory(RBX, spilled + (vector * pixels + pixel) * self.width)
                code.wide(STORE[self.size], pixel * vectors + vector, 0, place)
        for vector in range(vectors):
            here = min(across, lanes - vector * across)
            for start in range(0, pixels, across):
                count = min(across, pixels - start)
                for pixel in range(count):
                    place = Memory(RBX, spilled + (vector * pixels + start + pixel) * self.width)
                    code.wide(LOAD[self.size], pixel, 0, place)
                registers = exchanged(code, size)[:here]
                code.address(RCX, Memory(RDI, vector * across * plane))
                if apart == (1, 1):
                    code.set_bits(STORED, (1 << count) - 1)
                    for register in registers:
                        code.wide(STORE[self.size], register, 0, Memory(RCX, size * start), mask=STORED)
                        code.add(RCX, plane)
                else:
                    self._write_apart(registers, range(start, start + count), columns, apart, plane)

    def _write_apart(
        self, registers: list[int], pixels: range, columns: int, apart: tuple[int, ...], plane: int
    ) -> None:
        """Write some of a block's pixels at distances along rows and columns."""
        code, lanes = self.code, self.across
        across = self.sizes.image[2]
        most = lanes // apart[1]
        free = next(register for register in range(32) if register not in registers)
        order = next(register for register in range(32) if register not in (*registers, free))
        start = pixels.start
        while start < pixels.stop:
            row, column = divmod(start, columns)
            count = min(most, columns - column, pixels.stop - start)
            lane = start - pixels.start
            self.orders[lane] = [(lane + position // apart[1]) % lanes for position in range(lanes)]
            code.wide(LOAD[self.size], order, 0, Memory(RBX, self.at["orders"] + lane * self.width))
            code.set_bits(STORED, sum(1 << position * apart[1] for position in range(count)))
            code.load(RDX, RCX)
            for register in registers:
                code.wide(PERMUTE[self.size], free, order, register)
                place = Memory(RDX, self.size * (row * apart[0] * across + column * apart[1]))
                code.wide(STORE[self.size], free, 0, place, mask=STORED)
                code.add(RDX, plane)
            start += count

    # Gradients by weight

    def _weight_sums(self, vectors: int, lanes: int) -> None:
        """Add an image's part to the sums of a panel, block by block."""
        sizes, code, most = self.sizes, self.code, self.sizes.most_sums[vectors]
        (deep, tall, wide), taps, pitch = sizes.kernel, sizes.taps, vectors * self.width
        plane = self.tall * self.wide * self.size
        channel = self.deep * plane
        code.load(RSI, R14)
        code.load(RDI, R15)

        def places(planes: range, rows: range, columns: range) -> list[int]:
            down, far, along = sizes.dilation
            every = itertools.product(planes, rows, columns)
            return [h * down * plane + (i * far * self.wide + j * along) * self.size for h, i, j in every]

        def block(found: list[int]) -> None:
            self._weight_block(vectors, lanes, found)
            code.add(RDI, len(found) * pitch)

        if taps <= most:
            together = most // taps
            blocks = -(-self.seen // together)
            together = -(-self.seen // blocks)
            every = places(range(deep), range(tall), range(wide))

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
            for number, top, left in itertools.product(range(deep), range(0, tall, rows), range(0, wide, columns)):
                ends = range(top, min(tall, top + rows)), range(left, min(wide, left + columns))
                block(places(range(number, number + 1), *ends))
            code.add(RSI, channel)

        self._loop(Words.GROUPS, self.seen, one)

    def _weight_block(self, vectors: int, lanes: int, places: list[int]) -> None:
        """Add to sums at RDI, of taps that see elements at these distances from RSI, all pixels."""
        code, sizes, pitch = self.code, self.sizes, vectors * self.width
        sums = [
            (register, Memory(RDI, register * self.width)) for register in range(len(places) * vectors)
        ]  # in memory as in registers
        for register, place in sums:
            code.wide(LOAD[self.size], register, 0, place)
        deep, height, width = sizes.made
        once = max(unrolled for unrolled in (1, 2, 3, 4) if width % unrolled == 0 and unrolled * len(sums) <= UNROLLED)
        code.load(R8, RSI)
        code.load(RCX, Words.at(Words.X_PANEL))

        def pixels() -> None:
            for number in range(once):
                where = [place + number * sizes.stride[2] * self.size for place in places]
                self._products(vectors, lanes, where, R8, Memory(RCX, number * pitch))
            code.add(R8, once * sizes.stride[2] * self.size)
            code.add(RCX, once * pitch)

        def row() -> None:
            self._counted(R10, width // once, pixels)
            code.add(R8, (sizes.stride[1] * self.wide - width * sizes.stride[2]) * self.size)

        def plane() -> None:
            self._counted(R9, height, row)
            code.add(R8, (sizes.stride[0] * self.tall - height * sizes.stride[1]) * self.wide * self.size)

        self._loop(Words.DEEP, deep, plane)
        for register, place in sums:
            code.wide(STORE[self.size], register, 0, place)


class NarrowDirectCode(DirectCode):
    """The same on the 16 registers of AVX2: up to 12 vectors of sums."""

    assembler = NarrowAssembler
    code: NarrowAssembler
    spreads = False

    def _exchange(self, rows: int, columns: int, whole: bool = True) -> None:
        exchange_square(self.code, self.size, rows, columns, self.across if whole else rows)

    def _find_nan(self, register: int) -> None:
        self.code.vector(COMPARE[self.size], register, register, register, UNORDERED)
        self.code.vector(SIGNS[self.size], RAX, 0, register)

    def _write_apart(
        self, registers: list[int], pixels: range, columns: int, apart: tuple[int, ...], plane: int
    ) -> None:
        """As for AVX-512, element by element."""
        code, size, across = self.code, self.size, self.sizes.image[2]
        half = self.across // 2
        places = [divmod(pixel, columns) for pixel in pixels]
        for register in registers:
            for number, (row, column) in enumerate(places):
                if number == half:
                    code.vector(EXTRACT_HALF, register, 0, register, 1)
                place = Memory(RCX, size * (row * apart[0] * across + column * apart[1]))
                code.store_lane(register, place, size, number % half)
            code.add(RCX, plane)
