"""Entry and exit of functions whose arrays have fixed shapes, but for the lengths of the first dimensions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .assembler import JUMP_EQUAL, JUMP_NOT_EQUAL, R8, R9, R10, R11, RAX, RCX, RDX, RSI, Memory
from .executable import C_CONTIGUOUS, DATA, DIMENSIONS, FLAGS, RANK
from .frame_words import FrameWords
from .product_boundary import HELD, ProductBoundary
from .wide_assembler import JUMP_LESS_OR_EQUAL, WideAssembler

COUNT = FrameWords.M
"""The word of the common length, or of the product of several."""


class FixedBoundary(ProductBoundary):
    """Takes contiguous arrays of these shapes, and of one dtype or of these. The product of the lengths None is one
    number, and not zero; 1 if there are none.

    The first words of the frame are their addresses. `work` is counted for each of the common length. With a
    `failed_word` the function returns False unless that is zero in the end.
    """

    failed_word: int | None = None

    def __init__(
        self,
        code: WideAssembler,
        dtypes: np.dtype | Sequence[np.dtype],
        shapes: Sequence[tuple[int | None, ...]],
        written: set[int],
        work: int,
    ) -> None:
        self.dtypes = [dtypes] * len(shapes) if isinstance(dtypes, np.dtype) else dtypes
        super().__init__(code, self.dtypes[0])
        self.shapes, self.written, self.work = shapes, written, work
        self.arrays = min(len(shapes), len(HELD))

    def look(self) -> None:
        """Refuse all but these arrays."""
        code, at = self.code, FrameWords.at
        code.compare(RDX, len(self.shapes))
        self._refuse(JUMP_NOT_EQUAL)
        code.constant(RCX, 0 if any(None in shape for shape in self.shapes) else 1)
        for position, shape in enumerate(self.shapes):
            code.load(R8, Memory(RSI, 8 * position))
            self.dtype = self.dtypes[position]
            self._check_array(R8, written=position in self.written)
            code.load_word(RAX, Memory(R8, FLAGS))
            code.bit_and(RAX, C_CONTIGUOUS)
            self._refuse(JUMP_EQUAL)
            code.load_word(RAX, Memory(R8, RANK))
            code.compare(RAX, len(shape))
            self._refuse(JUMP_NOT_EQUAL)
            code.load(R9, Memory(R8, DIMENSIONS))
            code.constant(R10, 1)
            for axis, length in enumerate(shape):
                code.load(RAX, Memory(R9, 8 * axis))
                if length is None:
                    code.compare(RAX, 0)
                    self._refuse(JUMP_LESS_OR_EQUAL)
                    code.multiply_registers(R10, RAX)
                else:
                    code.compare(RAX, length, scratch=R11)
                    self._refuse(JUMP_NOT_EQUAL)
            if None in shape:
                known = code.new_label()
                code.compare(RCX, 0)
                code.jump(known, JUMP_NOT_EQUAL)
                code.load(RCX, R10)
                code.place(known)
                code.compare_registers(R10, RCX)
                self._refuse(JUMP_NOT_EQUAL)
            code.load(RAX, Memory(R8, DATA))
            code.store(at(position), RAX)
        code.store(at(COUNT), RCX)
        code.multiply(RAX, RCX, self.work)
        code.store(at(FrameWords.WORK), RAX)

    def conclude(self) -> None:
        """Return False after all."""
        if self.failed_word is not None:
            self.code.compare(FrameWords.at(self.failed_word), 0)
            self._refuse(JUMP_NOT_EQUAL)

    def _check_rank(self, array: int) -> None:
        """Each has a rank of its own."""
