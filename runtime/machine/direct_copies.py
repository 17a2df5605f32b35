"""What direct sums (`direct_code.py`) copy: images into frames of zeros, weights and gradients with channels side by
side, and sums to the gradient of a weight.
"""

from __future__ import annotations

import math
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
    RDI,
    RDX,
    RSI,
    Memory,
)
from .direct_sizes import DirectSizes
from .fixed_boundary import FixedBoundary
from .frame_words import FrameWords
from .product_blocks import TAIL, pack_columns
from .wide_assembler import ADD, ADD_PAIRS, COMPARE, LOAD, MULTIPLY_ADD, STORE, UNORDERED, WideAssembler

STORED = 2  # mask of what is written


class DirectWords(FrameWords):
    """Names for words of the frame, which count what is left, and keep pointers."""

    IMAGES, PANELS, ROWS_HERE, PIECES, OUTER, CHUNKS, GROUPS = range(11, 18)
    SOURCE_HERE, TARGET_HERE, ROOM, X_PANEL, FAILED = range(18, 23)
    DEEP, GROUP, WEIGHTS_HERE, GROUP_HERE, GROUPS_LEFT = range(23, 28)
    assert GROUPS_LEFT < FrameWords.PACKING


Words = DirectWords


class DirectCopies:
    """Writes the code that copies, and loops."""

    assembler = WideAssembler

    def __init__(self, kind: str, sizes: DirectSizes) -> None:
        given, sizes = sizes, sizes.deep()
        self.kind, self.sizes, self.size, self.across = kind, sizes, sizes.size, sizes.across
        self.width, self.code = sizes.width, self.assembler()
        self.form = ADD_PAIRS if sizes.pairs else MULTIPLY_ADD[self.size]
        self.at = {name: self.size * offset for name, offset in sizes.offsets(kind).items()}
        self.lanes, self.seen = sizes.lanes(kind), sizes.seen(kind)
        self.margins, (self.deep, self.tall, self.wide) = sizes.margins(kind), sizes.frame(kind)
        self.framed = any(map(any, self.margins))
        self.orders: dict[int, list[int]] = {}  # of elements, that some code needs
        inputs, outputs = sizes.channels * sizes.groups, sizes.outputs * sizes.groups
        images, results = (None, inputs, *given.image), (None, outputs, *given.made)
        weight, room = (outputs, sizes.channels, *given.kernel), (sizes.room(kind),)
        shapes: list[tuple[int | None, ...]] = {
            "forward": [images, weight, results, room],
            "input": [results, weight, images, room],
            "weight": [images, results, weight, room],
        }[kind]
        work = math.prod(weight) * math.prod(sizes.made)
        self.boundary = FixedBoundary(self.code, np.dtype(f"float{8 * self.size}"), shapes, {2, 3}, work)
        self.checks = kind == "input" and self.framed  # zeros times infinity would be nan, where no window is
        if self.checks:
            self.boundary.failed_word = Words.FAILED

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

    # Copies

    def _clear(self) -> None:
        """Fill the frame with zeros, and sums."""
        code, start = self.code, self.at["weights" if self.kind == "weight" else "frame"]
        code.clear(0)
        code.address(RDI, Memory(RBX, start))

        def lines() -> None:
            code.wide(STORE[self.size], 0, 0, Memory(RDI))
            code.add(RDI, self.width)

        self._counted(R9, (self.at["end"] - start) // self.width, lines)

    def _frame(self) -> None:
        """Set R14 to the image, or copy it into the frame of zeros and set R14 to this."""
        code = self.code
        if not self.framed:
            code.load(R14, R12)
            return
        size = self.size
        depth, height, width = self.sizes.made if self.kind == "input" else self.sizes.image
        (front, _), (top, _), (left, _) = self.margins
        vectors, tail = divmod(width, self.across)
        code.set_bits(TAIL, (1 << tail) - 1)
        code.address(R14, Memory(RBX, self.at["frame"]))
        code.load(RSI, R12)
        code.address(RDI, Memory(R14, size * ((front * self.tall + top) * self.wide + left)))

        def row() -> None:
            def vector(number: int, mask: int) -> None:
                register, offset = number % (code.registers // 2), number * self.width
                code.wide(LOAD[self.size], register, 0, Memory(RSI, offset), mask=mask)
                code.wide(STORE[self.size], register, 0, Memory(RDI, offset), mask=mask)

            for number in range(vectors):
                vector(number, 0)
            if tail:
                vector(vectors, TAIL)
            code.add(RSI, size * width)
            code.add(RDI, size * self.wide)

        def plane() -> None:
            self._counted(R9, height, row)
            code.add(RDI, size * (self.tall - height) * self.wide)

        def channel() -> None:
            self._loop(Words.DEEP, depth, plane)
            code.add(RDI, size * (self.deep - depth) * self.tall * self.wide)

        self._counted(R10, self.seen, channel)

    def _panels(self, body: Callable[[int, int], None], depth: int, columns: int) -> None:
        """For each panel of vectors, call `body(vectors, lanes)`: R15 is where its weights are, of so many rows, R11
        where its results are in the image, and the word X_PANEL where its columns are."""
        code, at = self.code, Words.at
        plane = self.size * math.prod(self.sizes.image if self.kind == "input" else self.sizes.made)
        code.load(R15, at(Words.WEIGHTS_HERE))
        code.load(R11, R13)
        code.address(RAX, Memory(RBX, self.at["columns"]))
        code.store(at(Words.X_PANEL), RAX)

        def panel(vectors: int, lanes: int) -> None:
            body(vectors, lanes)
            code.add(R15, depth * vectors * self.width)
            code.add(R11, vectors * self.across * plane)
            code.add(at(Words.X_PANEL), columns * vectors * self.width)

        self._each_panel(panel)

    def _each_panel(self, body: Callable[[int, int], None]) -> None:
        """Call `body(vectors, lanes)` for code that runs for each panel: all have as many lanes but for the last."""
        left, across = self.lanes, self.across
        for count, vectors in self.sizes.runs(self.kind):
            whole = min(count, left // (across * vectors))
            self._loop(Words.PANELS, whole, lambda vectors=vectors: body(vectors, across * vectors))  # type: ignore[misc]
            left -= whole * across * vectors
            if whole < count:
                body(vectors, left)

    def _pack(
        self, lane_step: int, run: int, outer: int, outer_step: int, target: str, groups: int = 1, group_step: int = 0
    ) -> None:
        """Bring lanes side by side: of `outer` rows of `run` numbers each, from the address in RAX on; so for each
        group."""
        code, at = self.code, Words.at
        code.store(at(Words.GROUP_HERE), RAX)
        code.store(at(Words.ROOM), RBX)
        code.address(RAX, Memory(RBX, self.at[target]))
        code.store(at(Words.TARGET_HERE), RAX)

        def panel(vectors: int, lanes: int) -> None:
            for vector in range(vectors):
                code.load(RSI, at(Words.SOURCE_HERE))
                code.load(RDI, at(Words.TARGET_HERE))
                code.add(RDI, vector * self.width)
                here = min(self.across, lanes - vector * self.across)
                self._pack_lanes(here, lane_step, run, outer, outer_step, vectors * self.width)
                code.add(at(Words.SOURCE_HERE), self.across * lane_step)
            code.add(at(Words.TARGET_HERE), outer * run * vectors * self.width)

        def group() -> None:
            code.load(RAX, at(Words.GROUP_HERE))
            code.store(at(Words.SOURCE_HERE), RAX)
            code.add(at(Words.GROUP_HERE), group_step)
            self._each_panel(panel)

        self._loop(Words.GROUP, groups, group)
        code.load(RBX, at(Words.ROOM))

    def _pack_lanes(self, lanes: int, lane_step: int, run: int, outer: int, outer_step: int, pitch: int) -> None:
        code = self.code
        code.constant(RBX, lane_step)
        code.constant(RDX, pitch)
        chunks, tail = divmod(run, self.across)

        def square(rows: int) -> None:
            self._exchange(lanes, rows)
            code.add(RSI, self.size * rows)
            code.add(RDI, rows * pitch)

        def one() -> None:
            self._loop(Words.CHUNKS, chunks, lambda: square(self.across))
            if tail:
                square(tail)
            code.add(RSI, outer_step - self.size * run)

        self._loop(Words.OUTER, outer, one)

    def _exchange(self, rows: int, columns: int, whole: bool = True) -> None:
        """Write the columns of a part of a matrix as rows: whole vectors, or so many elements.

        RSI and RDI are where they begin, RBX and RDX the distances of rows there and here. Overwrites RAX, R8, R9.
        """
        code = self.code
        code.set_bits(TAIL, (1 << columns) - 1)
        if not whole:
            code.set_bits(STORED, (1 << rows) - 1)
        code.constant(R8, rows)
        code.constant(R9, columns)
        pack_columns(code, self.size, 0 if whole else STORED)

    def _pack_weights(self) -> None:
        taps, channels, outputs = self.sizes.taps, self.sizes.channels, self.sizes.outputs
        row = self.size * taps * channels
        groups = self.sizes.groups, outputs * row
        self.code.load(RAX, Words.at(1))
        if self.kind == "forward":
            self._pack(row, taps * channels, 1, 0, "weights", *groups)
        else:
            self._pack(self.size * taps, taps, outputs, row, "weights", *groups)

    def _check_weights(self) -> None:
        """Set the word FAILED, and compare it with zero: whether a weight is infinite or nan."""
        code, sums = self.code, range(1, 5)
        for register in (0, *sums):
            code.clear(register)
        code.address(RSI, Memory(RBX, self.at["weights"]))

        def add(count: int) -> None:
            for number in range(count):
                code.wide(self.form, sums[number], 0, Memory(RSI, number * self.width))
            code.add(RSI, count * self.width)

        blocks, rest = divmod(
            self.sizes.vectors(self.kind) * self.seen * self.sizes.taps * self.sizes.groups, len(sums)
        )
        self._counted(R9, blocks, lambda: add(len(sums)))
        add(rest)
        for register in sums[1:]:
            code.wide(ADD[self.size], sums[0], sums[0], register)
        self._find_nan(sums[0])
        code.store(Words.at(Words.FAILED), RAX)
        code.compare(RAX, 0)

    def _find_nan(self, register: int) -> None:
        """Set RAX to zero if no element is nan."""
        self.code.wide(COMPARE[self.size], TAIL, register, register, immediate=UNORDERED)
        self.code.get_mask(RAX, TAIL)

    def _pack_columns(self) -> None:
        made = math.prod(self.sizes.made)
        self.code.load(RAX, R13)
        self._pack(self.size * made, made, 1, 0, "columns")

    def _deliver_weight(self) -> None:
        """Write the sums to the weight's gradient."""
        code, at = self.code, Words.at
        depth = self.sizes.taps * self.seen
        chunks, tail = divmod(depth, self.across)
        code.address(RAX, Memory(RBX, self.at["weights"]))
        code.store(at(Words.SOURCE_HERE), RAX)
        code.load(RAX, at(2))
        code.store(at(Words.GROUP_HERE), RAX)
        code.constant(RDX, depth * self.size)

        def square(rows: int, lanes: int, pitch: int) -> None:
            self._exchange(rows, lanes, whole=False)
            code.add(RSI, rows * pitch)
            code.add(RDI, rows * self.size)

        def panel(vectors: int, lanes: int) -> None:
            code.constant(RBX, vectors * self.width)
            for vector in range(vectors):
                here = min(self.across, lanes - vector * self.across)
                code.load(RSI, at(Words.SOURCE_HERE))
                code.add(RSI, vector * self.width)
                code.load(RDI, at(Words.TARGET_HERE))
                self._loop(Words.CHUNKS, chunks, lambda here=here: square(self.across, here, vectors * self.width))  # type: ignore[misc]
                if tail:
                    square(tail, here, vectors * self.width)
                code.add(at(Words.TARGET_HERE), self.across * depth * self.size)
            code.add(at(Words.SOURCE_HERE), depth * vectors * self.width)

        def group() -> None:
            code.load(RAX, at(Words.GROUP_HERE))
            code.store(at(Words.TARGET_HERE), RAX)
            code.add(at(Words.GROUP_HERE), self.lanes * depth * self.size)
            self._each_panel(panel)

        self._loop(Words.GROUP, self.sizes.groups, group)
