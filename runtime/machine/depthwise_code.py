"""The code of depthwise convolutions: each channel has a kernel of its own. Results stay in registers over its taps.

    forward(seen, weight, out):  out[n, c, y, x] = Σ over i, j of  seen[n, c, i, j, y, x] * weight[c, i, j]
    weight(seen, sums, dout):    sums[c, i, j, x % 16] = Σ over n, y, x of  seen[n, c, i, j, y, x] * dout[n, c, y, x]

`seen` is a view of the images: each tap sees them shifted.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .assembler import (
    JUMP_EQUAL,
    JUMP_LESS,
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
from .depthwise_sizes import LANES, MOST_COLUMNS
from .executable import DATA, DIMENSIONS, RANK, STRIDES
from .product_blocks import ROWS, START, START_TAIL, TAIL, load_steps, row_address
from .product_boundary import FrameWords, ProductBoundary
from .wide_assembler import BROADCAST, JUMP_LESS_OR_EQUAL, LOAD, MULTIPLY_ADD, STORE, WIDTH, WideAssembler

FACTOR, LOADED = 31, 30  # registers
STEPS = (R12, R13, R14, R15)  # 1, 3, 5 and 7 times the distance of rows, or of a kernel's columns


class DepthwiseWords(FrameWords):
    """Names for words of the frame: pointers, distances, extents, and where loops are."""

    SEEN, SEEN_N, SEEN_C, SEEN_I, SEEN_J, SEEN_Y = range(6)
    WEIGHT, WEIGHT_C, WEIGHT_I, WEIGHT_J = range(6, 10)
    OUT, OUT_N, OUT_C, OUT_Y = range(10, 14)
    N, C, I, J, Y, X = range(14, 20)  # noqa: E741
    N_LEFT, C_LEFT, I_LEFT, Y_LEFT = range(20, 24)
    SEEN_HERE, WEIGHT_HERE, OUT_HERE, SEEN_ROW, OUT_ROW, WHOLE, REST = range(24, 31)
    assert REST < FrameWords.PACKING


Words = DepthwiseWords


class DepthwiseBoundary(ProductBoundary):
    """Writes entry and exit of both functions."""

    def __init__(self, code: WideAssembler, kind: str) -> None:
        super().__init__(code, np.dtype(np.float32), 0, 0)
        self.written, self.ranks = (2, (6, 3, 4)) if kind == "forward" else (1, (6, 4, 4))

    def look(self) -> None:
        """Refuse all but three arrays that fit together."""
        code, at = self.code, Words.at
        code.store_number(at(FrameWords.PACKING), 0)
        self._load_arrays(R8, R9, R10, written=self.written)
        for array, rank in zip((R8, R9, R10), self.ranks, strict=True):
            code.load_word(RAX, Memory(array, RANK))
            code.compare(RAX, rank)
            self._refuse(JUMP_NOT_EQUAL)
        self._read(R8, Words.SEEN, (Words.N, Words.C, Words.I, Words.J, Words.Y, Words.X), 5)
        self._read(R9, Words.WEIGHT, (Words.C, Words.I, Words.J), 3)
        self._read(R10, Words.OUT, (Words.N, Words.C, Words.Y, Words.X), 3)
        if self.written == 1:
            code.load(RDI, Memory(R9, DIMENSIONS))
            code.compare(Memory(RDI, 24), LANES)
            self._refuse(JUMP_NOT_EQUAL)
            code.load(RDI, Memory(R9, STRIDES))
            code.compare(Memory(RDI, 24), self.size)
            self._refuse(JUMP_NOT_EQUAL)
            code.compare(at(Words.J), MOST_COLUMNS + 1)
            self._refuse(0x8D)  # greater or equal
        code.constant(RAX, 1)
        for word in (Words.N, Words.C, Words.I, Words.J, Words.Y, Words.X):
            code.multiply_registers(RAX, at(word))
        code.store(at(FrameWords.WORK), RAX)

    def _read(self, array: int, first: int, extents: tuple[int, ...], steps: int) -> None:
        """Read an array's address and distances, and its extents, or compare them with those of `seen`."""
        code, at = self.code, Words.at
        code.load(RAX, Memory(array, DATA))
        code.store(at(first), RAX)
        code.load(RDI, Memory(array, STRIDES))
        for number in range(steps):
            code.load(RAX, Memory(RDI, 8 * number))
            code.store(at(first + 1 + number), RAX)
        if extents[-1] == Words.X:
            code.compare(Memory(RDI, 8 * len(extents) - 8), self.size)
            self._refuse(JUMP_NOT_EQUAL)
        code.load(RDI, Memory(array, DIMENSIONS))
        for number, word in enumerate(extents):
            code.load(RAX, Memory(RDI, 8 * number))
            if first == Words.SEEN:
                code.compare(RAX, 0)
                self._refuse(JUMP_LESS_OR_EQUAL)
                code.store(at(word), RAX)
            else:
                code.compare_registers(RAX, at(word))
                self._refuse(JUMP_NOT_EQUAL)


class DepthwiseCode:
    """Writes the code of one of the functions."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.code = WideAssembler()
        self.boundary = DepthwiseBoundary(self.code, kind)

    def assemble(self) -> bytes:
        """The function's code."""
        code, at = self.code, Words.at
        self.boundary.enter()
        code.load(RAX, at(Words.X))
        code.load(RCX, RAX)
        code.bit_and(RCX, LANES - 1)
        code.store(at(Words.REST), RCX)
        code.shift_right(RAX, 4)
        code.store(at(Words.WHOLE), RAX)
        code.constant(RAX, 1)
        code.shift_left_by_rcx(RAX)
        code.add(RAX, -1)
        code.set_mask(TAIL, RAX)
        code.constant(RCX, 0)
        code.subtract_register(RCX, at(FrameWords.ADDS))  # all bits or none
        code.set_mask(START, RCX)
        code.load(RDX, at(FrameWords.ADDS))
        code.multiply_registers(RAX, RDX)
        code.set_mask(START_TAIL, RAX)
        load_steps(code, STEPS, at(Words.SEEN_Y if self.kind == "forward" else Words.SEEN_J))
        if self.kind == "forward":
            self._forward()
        else:
            self._weight()
        self.boundary.leave()
        return code.finish()

    def _counted(self, left: int, extent: int, body: Callable[[], None], steps: list[tuple[int, int]]) -> None:
        """Run the body so many times, and add distances to pointers after each."""
        code, at = self.code, Words.at
        again = code.new_label()
        code.load(RAX, at(extent))
        code.store(at(left), RAX)
        code.place(again)
        body()
        for pointer, step in steps:
            code.load(RAX, at(pointer))
            code.add_register(RAX, at(step))
            code.store(at(pointer), RAX)
        code.add(at(left), -1)
        code.jump(again, JUMP_NOT_EQUAL)

    def _set(self, *pairs: tuple[int, int]) -> None:
        for target, source in pairs:
            self.code.load(RAX, Words.at(source))
            self.code.store(Words.at(target), RAX)

    def _columns(self, body: Callable[[bool], None], step: Callable[[], None]) -> None:
        """Run the body for each whole vector of a row, with a step behind, and for the last columns."""
        code, at = self.code, Words.at
        again, last, done = (code.new_label() for _ in range(3))
        code.load(R11, at(Words.WHOLE))
        code.compare(R11, 0)
        code.jump(last, JUMP_EQUAL)
        code.place(again)
        body(True)
        step()
        code.decrement(R11)
        code.jump(again, JUMP_NOT_EQUAL)
        code.place(last)
        code.compare(at(Words.REST), 0)
        code.jump(done, JUMP_EQUAL)
        body(False)
        code.place(done)

    def _multiply_add(self, total: int, factor: int, place: Memory, whole: bool) -> None:
        if whole:
            self.code.wide(MULTIPLY_ADD[4], total, factor, place)
        else:
            self.code.wide(LOAD[4], LOADED - 1, 0, place, mask=TAIL)
            self.code.wide(MULTIPLY_ADD[4], total, factor, LOADED - 1)

    # Results

    def _forward(self) -> None:
        def images() -> None:
            self._set(
                (Words.SEEN_HERE, Words.SEEN), (Words.OUT_HERE, Words.OUT), (Words.WEIGHT_HERE, Words.WEIGHT)
            )  # fmt: skip
            self._counted(
                Words.C_LEFT, Words.C, self._plane,
                [(Words.SEEN_HERE, Words.SEEN_C), (Words.OUT_HERE, Words.OUT_C), (Words.WEIGHT_HERE, Words.WEIGHT_C)],
            )  # fmt: skip

        self._counted(Words.N_LEFT, Words.N, images, [(Words.SEEN, Words.SEEN_N), (Words.OUT, Words.OUT_N)])

    def _plane(self) -> None:
        """All rows of one channel of an image."""
        code, at = self.code, Words.at
        self._set((Words.SEEN_ROW, Words.SEEN_HERE), (Words.OUT_ROW, Words.OUT_HERE), (Words.Y_LEFT, Words.Y))
        for rows in ROWS:
            again, done = code.new_label(), code.new_label()
            code.place(again)
            code.compare(at(Words.Y_LEFT), rows)
            code.jump(done, JUMP_LESS)
            code.load(RSI, at(Words.SEEN_ROW))
            code.load(RDI, at(Words.OUT_ROW))
            code.load(R8, at(Words.OUT_Y))

            def step() -> None:
                code.add(RSI, WIDTH)
                code.add(RDI, WIDTH)

            self._columns(lambda whole, rows=rows: self._block(rows, whole), step)  # type: ignore[misc]
            code.add(at(Words.Y_LEFT), -rows)
            for place, distance in ((Words.SEEN_ROW, Words.SEEN_Y), (Words.OUT_ROW, Words.OUT_Y)):
                code.multiply(RAX, at(distance), rows)
                code.add_register(RAX, at(place))
                code.store(at(place), RAX)
            code.jump(again)
            code.place(done)

    def _block(self, rows: int, whole: bool) -> None:
        """A vector of columns of so many rows, over all taps."""
        code, at = self.code, Words.at
        code.load(RBX, RDI)
        for row in range(rows):
            code.wide(LOAD[4], row, 0, Memory(RBX), mask=START if whole else START_TAIL)
            code.add_register(RBX, R8)
        across, along = code.new_label(), code.new_label()
        code.load(RCX, at(Words.I))
        code.load(RDX, at(Words.WEIGHT_HERE))
        code.store(at(Words.I_LEFT), RSI)
        code.place(across)
        code.load(RBX, RSI)
        code.load(R9, RDX)
        code.load(R10, at(Words.J))
        code.place(along)
        code.wide(BROADCAST[4], FACTOR, 0, Memory(R9), spread=4)
        for row in range(rows):
            self._multiply_add(row, FACTOR, row_address(RBX, STEPS, row), whole)
        code.add_register(RBX, at(Words.SEEN_J))
        code.add_register(R9, at(Words.WEIGHT_J))
        code.decrement(R10)
        code.jump(along, JUMP_NOT_EQUAL)
        code.add_register(RSI, at(Words.SEEN_I))
        code.add_register(RDX, at(Words.WEIGHT_I))
        code.decrement(RCX)
        code.jump(across, JUMP_NOT_EQUAL)
        code.load(RSI, at(Words.I_LEFT))
        code.load(RBX, RDI)
        for row in range(rows):
            code.wide(STORE[4], row, 0, Memory(RBX), mask=0 if whole else TAIL)
            code.add_register(RBX, R8)

    # Gradients by weight

    def _weight(self) -> None:
        def channel() -> None:
            self._set((Words.SEEN_ROW, Words.SEEN_HERE), (Words.WEIGHT_HERE, Words.WEIGHT))
            steps = [(Words.SEEN_ROW, Words.SEEN_I), (Words.WEIGHT_HERE, Words.WEIGHT_I)]
            self._counted(Words.I_LEFT, Words.I, self._row_of_taps, steps)

        self._set((Words.SEEN_HERE, Words.SEEN))
        self._counted(
            Words.C_LEFT, Words.C, channel,
            [(Words.SEEN_HERE, Words.SEEN_C), (Words.OUT, Words.OUT_C), (Words.WEIGHT, Words.WEIGHT_C)],
        )  # fmt: skip

    def _row_of_taps(self) -> None:
        """The sums of all columns of a kernel's row."""
        code, at = self.code, Words.at
        done = code.new_label()
        for taps in range(1, MOST_COLUMNS + 1):
            other = code.new_label()
            code.compare(at(Words.J), taps)
            code.jump(other, JUMP_NOT_EQUAL)
            self._sums(taps)
            code.jump(done)
            code.place(other)
        code.place(done)

    def _sums(self, taps: int) -> None:
        """The sums of so many taps over all images."""
        code, at = self.code, Words.at
        for tap in range(taps):
            code.clear(tap)
        images, rows = code.new_label(), code.new_label()
        code.load(RSI, at(Words.SEEN_ROW))
        code.load(RDI, at(Words.OUT))
        code.load(RCX, at(Words.N))
        code.place(images)
        code.load(R8, RSI)
        code.load(R9, RDI)
        code.load(R10, at(Words.Y))
        code.place(rows)
        code.load(RBX, R8)
        code.load(RDX, R9)

        def body(whole: bool) -> None:
            code.wide(LOAD[4], LOADED, 0, Memory(RDX), mask=0 if whole else TAIL)
            for tap in range(taps):
                self._multiply_add(tap, LOADED, row_address(RBX, STEPS, tap), whole)

        def step() -> None:
            code.add(RBX, WIDTH)
            code.add(RDX, WIDTH)

        self._columns(body, step)
        code.add_register(R8, at(Words.SEEN_Y))
        code.add_register(R9, at(Words.OUT_Y))
        code.decrement(R10)
        code.jump(rows, JUMP_NOT_EQUAL)
        code.add_register(RSI, at(Words.SEEN_N))
        code.add_register(RDI, at(Words.OUT_N))
        code.decrement(RCX)
        code.jump(images, JUMP_NOT_EQUAL)
        code.load(RDI, at(Words.WEIGHT_HERE))
        for tap in range(taps):
            code.wide(STORE[4], tap, 0, Memory(RDI))
            code.add_register(RDI, at(Words.WEIGHT_J))
