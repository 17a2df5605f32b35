"""The code of depthwise convolutions: each channel has a kernel of its own. Results stay in registers over its taps.

    forward(seen, weight, out):  out[n, c, y, x] = Σ over i, j of  seen[n, c, i, j, y, x] * weight[c, i, j]
    weight(seen, sums, dout):    sums[c, i, j, x % 16] = Σ over n, y, x of  seen[n, c, i, j, y, x] * dout[n, c, y, x]

`seen` is a view of the images: each tap sees them shifted. The code is made for a number of the kernel's rows, for the
stride of y and the dilation of i, in rows of images. Up to eight rows of results are computed at once, and each vector
that is read of an image is used for all of them that it has a part in. `narrow_depthwise_code.py` does so for
AVX2, with sums of x % 8.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
from .executable import DATA, DIMENSIONS, RANK, STRIDES
from .frame_words import FrameWords
from .product_blocks import ROWS, TAIL, load_steps, row_address
from .product_boundary import ProductBoundary
from .sizes import MOST_ROWS
from .wide_assembler import ADD, BROADCAST, JUMP_LESS_OR_EQUAL, LOAD, MULTIPLY_ADD, STORE, WideAssembler

START, START_TAIL = 2, 3
"""Mask registers: which columns the sums begin with, of the first vectors and of the last one."""
HELD = 16  # the first register of what is read once for several rows: weights, or gradients
LOADED = range(24, 28)  # registers for vectors of images, in turn
AHEAD = 2048
"""What is read or written so many bytes behind is asked for: processors foresee few of the rows of a block."""
STEPS = (R12, R13, R14, R15)  # 1, 3, 5 and 7 times the distance of rows
EIGHT_ROWS = R9


class DepthwiseWords(FrameWords):
    """Names for words of the frame: pointers, distances, extents, and where loops are."""

    SEEN, SEEN_N, SEEN_C, SEEN_I, SEEN_J, SEEN_Y = range(6)
    WEIGHT, WEIGHT_C, WEIGHT_I, WEIGHT_J = range(6, 10)
    OUT, OUT_N, OUT_C, OUT_Y = range(10, 14)
    N, C, I, J, Y, X = range(14, 20)  # noqa: E741
    N_LEFT, C_LEFT, J_LEFT, Y_LEFT = range(20, 24)
    SEEN_HERE, WEIGHT_HERE, OUT_HERE, SEEN_ROW, OUT_ROW, WHOLE, REST = range(24, 31)
    assert REST < FrameWords.PACKING
    ROW_STEP, SEEN_TAP, WEIGHT_TAP, SEEN_IMAGE, OUT_IMAGE = range(FrameWords.COLUMN, FrameWords.COLUMN + 5)
    assert OUT_IMAGE < FrameWords.WORK


Words = DepthwiseWords


class DepthwiseBoundary(ProductBoundary):
    """Writes entry and exit of both functions."""

    def __init__(self, code: WideAssembler, kind: str, rows: int, stride: int, dilation: int) -> None:
        super().__init__(code, np.dtype(np.float32))
        self.rows, self.stride, self.dilation = rows, stride, dilation
        self.lanes = code.width // self.size
        self.written, self.ranks = (2, (6, 3, 4)) if kind == "forward" else (1, (6, 4, 4))

    def look(self) -> None:
        """Refuse all but three arrays that fit together."""
        code, at = self.code, Words.at
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
            code.compare(Memory(RDI, 24), self.lanes)
            self._refuse(JUMP_NOT_EQUAL)
            code.load(RDI, Memory(R9, STRIDES))
            code.compare(Memory(RDI, 24), self.size)
            self._refuse(JUMP_NOT_EQUAL)
        code.compare(at(Words.I), self.rows)
        self._refuse(JUMP_NOT_EQUAL)
        code.load(RAX, at(Words.SEEN_Y))
        code.constant(RDX, 0)
        code.constant(RCX, self.stride)
        code.divide_by(RCX)
        code.store(at(Words.ROW_STEP), RAX)
        code.compare(RDX, 0)
        self._refuse(JUMP_NOT_EQUAL)
        code.multiply(RAX, RAX, self.dilation)
        code.compare_registers(RAX, at(Words.SEEN_I))
        self._refuse(JUMP_NOT_EQUAL)
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
    """Writes the code of one of the functions, for kernels of so many rows."""

    assembler: type[WideAssembler] = WideAssembler
    held = HELD
    loaded: Sequence[int] = LOADED
    blocks: tuple[int, ...] = ROWS
    """How many rows of results are computed at once."""

    def __init__(self, kind: str, rows: int, stride: int, dilation: int) -> None:
        assert rows <= MOST_ROWS
        self.kind, self.rows, self.stride, self.dilation = kind, rows, stride, dilation
        self.turns = min(4, HELD // rows)  # sums of each tap, so that additions need not wait for one another
        self.code = self.assembler()
        self.boundary = DepthwiseBoundary(self.code, kind, rows, stride, dilation)

    def assemble(self) -> bytes:
        """The function's code."""
        code, at = self.code, Words.at
        self.boundary.enter()
        self._divide_row()
        load_steps(code, STEPS, at(Words.ROW_STEP))
        code.multiply(EIGHT_ROWS, STEPS[0], 8)
        if self.kind == "forward":
            self._forward()
        else:
            self._weight()
        self.boundary.leave()
        return code.finish()

    def _divide_row(self) -> None:
        """Set the number of whole vectors of a row, its last columns, and the masks of these."""
        code, at = self.code, Words.at
        code.load(RAX, at(Words.X))
        code.load(RCX, RAX)
        code.bit_and(RCX, code.width // 4 - 1)
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
        self._set((Words.SEEN_ROW, Words.SEEN_HERE), (Words.OUT_ROW, Words.OUT_HERE))
        self._rows_of_results(self._block)

    def _rows_of_results(self, block: Callable[[int, bool], None]) -> None:
        """Run `block(rows, whole)` for all vectors of columns, of eight rows of results or of fewer.

        RSI and RDI are the addresses of what the first row sees, and of the first row; R8 is the distance of rows.
        """
        code, at = self.code, Words.at
        self._set((Words.Y_LEFT, Words.Y))
        for rows in self.blocks:
            again, done = code.new_label(), code.new_label()
            code.place(again)
            code.compare(at(Words.Y_LEFT), rows)
            code.jump(done, JUMP_LESS)
            code.load(RSI, at(Words.SEEN_ROW))
            code.load(RDI, at(Words.OUT_ROW))
            code.load(R8, at(Words.OUT_Y))

            def step() -> None:
                code.add(RSI, code.width)
                code.add(RDI, code.width)

            self._columns(lambda whole, rows=rows: block(rows, whole), step)  # type: ignore[misc]
            code.add(at(Words.Y_LEFT), -rows)
            for place, distance in ((Words.SEEN_ROW, Words.SEEN_Y), (Words.OUT_ROW, Words.OUT_Y)):
                code.multiply(RAX, at(distance), rows)
                code.add_register(RAX, at(place))
                code.store(at(place), RAX)
            code.jump(again)
            code.place(done)

    def _add_products(self, rows: int, whole: bool, registers: Callable[[int, int], tuple[int, int]]) -> None:
        """Read all rows that so many rows of results see, from RBX on, and add the products of each.

        `registers(y, i)`: the sum, and the other factor. Overwrites RBX.
        """
        code, group = self.code, 0
        users: dict[int, list[tuple[int, int]]] = {}
        for y in range(rows):
            for i in range(self.rows):
                users.setdefault(y * self.stride + i * self.dilation, []).append(registers(y, i))
        for number, row in enumerate(sorted(users)):
            while row // 8 > group:
                code.add_register(RBX, EIGHT_ROWS)
                group += 1
            loaded = self.loaded[number % len(self.loaded)]
            code.wide(LOAD[4], loaded, 0, row_address(RBX, STEPS, row % 8), mask=0 if whole else TAIL)
            for total, factor in users[row]:
                code.wide(MULTIPLY_ADD[4], total, factor, loaded)

    def _block(self, rows: int, whole: bool) -> None:
        """A vector of columns of so many rows of results, over all taps."""
        code, at = self.code, Words.at
        self._start(rows, whole)
        again = code.new_label()
        code.load(RCX, RSI)
        code.load(RDX, at(Words.WEIGHT_HERE))
        code.load(R10, at(Words.J))
        code.place(again)
        code.load(RAX, RDX)
        for i in range(self.rows):
            code.wide(BROADCAST[4], self.held + i, 0, Memory(RAX), spread=4)
            code.add_register(RAX, at(Words.WEIGHT_I))
        code.load(RBX, RCX)
        self._add_products(rows, whole, lambda y, i: (y, self.held + i))
        code.add_register(RCX, at(Words.SEEN_J))
        code.add_register(RDX, at(Words.WEIGHT_J))
        code.decrement(R10)
        code.jump(again, JUMP_NOT_EQUAL)
        code.load(RBX, RDI)
        for row in range(rows):
            code.wide(STORE[4], row, 0, Memory(RBX), mask=0 if whole else TAIL)
            code.add_register(RBX, R8)

    def _start(self, rows: int, whole: bool) -> None:
        """Load what results are added to, or zeros. Overwrites RBX."""
        code = self.code
        code.load(RBX, RDI)
        for row in range(rows):
            code.wide(LOAD[4], row, 0, Memory(RBX), mask=START if whole else START_TAIL)
            code.prefetch(Memory(RBX, AHEAD))
            code.add_register(RBX, R8)

    # Gradients by weight

    def _weight(self) -> None:
        def channel() -> None:
            self._set((Words.SEEN_TAP, Words.SEEN_HERE), (Words.WEIGHT_TAP, Words.WEIGHT))
            steps = [(Words.SEEN_TAP, Words.SEEN_J), (Words.WEIGHT_TAP, Words.WEIGHT_J)]
            self._counted(Words.J_LEFT, Words.J, self._column_of_taps, steps)

        self._set((Words.SEEN_HERE, Words.SEEN))
        self._counted(
            Words.C_LEFT, Words.C, channel,
            [(Words.SEEN_HERE, Words.SEEN_C), (Words.OUT, Words.OUT_C), (Words.WEIGHT, Words.WEIGHT_C)],
        )  # fmt: skip

    def _column_of_taps(self) -> None:
        """The sums of all rows of a kernel's column, over all images."""
        code, at = self.code, Words.at

        def image() -> None:
            self._set((Words.SEEN_ROW, Words.SEEN_IMAGE), (Words.OUT_ROW, Words.OUT_IMAGE))
            self._rows_of_results(self._sums)

        for register in range(self.rows * self.turns):
            code.clear(register)
        self._set((Words.SEEN_IMAGE, Words.SEEN_TAP), (Words.OUT_IMAGE, Words.OUT))
        self._counted(Words.N_LEFT, Words.N, image, [(Words.SEEN_IMAGE, Words.SEEN_N), (Words.OUT_IMAGE, Words.OUT_N)])
        code.load(RDI, at(Words.WEIGHT_TAP))
        for i in range(self.rows):
            for turn in range(1, self.turns):
                code.wide(ADD[4], i, i, i + turn * self.rows)
            code.wide(STORE[4], i, 0, Memory(RDI))
            code.add_register(RDI, at(Words.WEIGHT_I))

    def _sums(self, rows: int, whole: bool) -> None:
        """Add what a vector of columns of so many rows of gradients adds to the taps of a column."""
        code = self.code
        code.load(RBX, RDI)
        for row in range(rows):
            code.wide(LOAD[4], self.held + row, 0, Memory(RBX), mask=0 if whole else TAIL)
            code.prefetch(Memory(RBX, AHEAD))
            code.add_register(RBX, R8)
        code.load(RBX, RSI)
        self._add_products(rows, whole, lambda y, i: (i + y % self.turns * self.rows, self.held + y))
