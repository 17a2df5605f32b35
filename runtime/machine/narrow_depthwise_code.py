"""The code of depthwise convolutions, as in `depthwise_code.py`, on the 16 registers of AVX2.

A function is written for one width of results. So it is known how many columns the last vector of a row has.
"""

from __future__ import annotations

from collections.abc import Callable

from .assembler import JUMP_EQUAL, JUMP_NOT_EQUAL, R8, R11, RBX, RDI, Memory
from .depthwise_code import AHEAD, DepthwiseBoundary, DepthwiseCode, Words
from .frame_words import FrameWords
from .narrow_assembler import NarrowAssembler
from .product_blocks import ROWS, TAIL
from .wide_assembler import LOAD

FREE = 14
"""Registers for sums and for what is held: one more has what is read of an image, the last one the mask of a load."""
MOST = 8
"""Rows of results, at most."""
TURNS = {1: 4, 2: 3, 3: 2, 4: 2, 5: 2}
"""The sums of each tap, by the rows of the kernel; one of others."""


class NarrowDepthwiseBoundary(DepthwiseBoundary):
    """Writes entry and exit of both functions, for results of one width."""

    width = 0

    def look(self) -> None:
        """Refuse all but three arrays that fit together, and others than those of the width."""
        super().look()
        self.code.compare(Words.at(Words.X), self.width)
        self._refuse(JUMP_NOT_EQUAL)


class NarrowDepthwiseCode(DepthwiseCode):
    """Writes the code of one of the functions, for kernels of so many rows and results of so many columns."""

    code: NarrowAssembler
    assembler = NarrowAssembler
    loaded = (FREE,)

    def __init__(self, kind: str, rows: int, stride: int, dilation: int, width: int) -> None:
        super().__init__(kind, rows, stride, dilation)
        self.width, self.turns = width, TURNS.get(rows, 1)
        self.boundary = NarrowDepthwiseBoundary(self.code, kind, rows, stride, dilation)
        self.boundary.width = width
        sums = self.turns * rows
        most = min(MOST, FREE - (rows if kind == "forward" else sums))
        self.held = most if kind == "forward" else sums
        self.blocks = (most, *(count for count in ROWS if count < most))

    def _divide_row(self) -> None:
        self.code.set_bits(TAIL, (1 << self.width % (self.code.width // 4)) - 1)

    def _columns(self, body: Callable[[bool], None], step: Callable[[], None]) -> None:
        code, again = self.code, self.code.new_label()
        whole, rest = divmod(self.width, code.width // 4)
        if whole > 1:
            code.constant(R11, whole)
            code.place(again)
        if whole:
            body(True)
            step()
        if whole > 1:
            code.decrement(R11)
            code.jump(again, JUMP_NOT_EQUAL)
        if rest:
            body(False)

    def _start(self, rows: int, whole: bool) -> None:
        code, zeros = self.code, self.code.new_label()
        code.load(RBX, RDI)
        for row in range(rows):
            code.clear(row)
            code.prefetch(Memory(RBX, AHEAD))
            code.add_register(RBX, R8)
        code.compare(Words.at(FrameWords.ADDS), 0)
        code.jump(zeros, JUMP_EQUAL)
        code.load(RBX, RDI)
        for row in range(rows):
            code.wide(LOAD[4], row, 0, Memory(RBX), mask=0 if whole else TAIL)
            code.add_register(RBX, R8)
        code.place(zeros)
