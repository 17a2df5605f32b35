"""The code that takes complex numbers apart, or puts them together, a vector at a time."""

from __future__ import annotations

import math

import numpy as np

from .assembler import JUMP_NOT_EQUAL, R12, R13, R14, RDX
from .fixed_boundary import FixedBoundary
from .fourier_passes import Passes, Strand
from .frame_words import FrameWords


class SeparationCode(Passes):
    """Writes the function for arrays of one shape; it has as many elements as a vector, or more."""

    def __init__(self, dtype: str, shape: tuple[int, ...], together: bool, vector: int) -> None:
        super().__init__(dtype, vector)
        self.shape, self.together = shape, together
        whole = np.result_type(self.dtype, np.complex64)
        kinds = [self.dtype, self.dtype, whole] if together else [whole, self.dtype, self.dtype]
        written = {2} if together else {1, 2}
        self.boundary = FixedBoundary(self.code, kinds, [shape] * 3, written, math.prod(shape))

    def assemble(self) -> bytes:
        """The function's code."""
        code, count, lanes = self.code, math.prod(self.shape), self.vector // self.size
        self.boundary.enter()
        registers = (R12, R13, R14)
        for position, register in enumerate(registers):
            code.load(register, FrameWords.at(position))
        whole, parts = (R14, (R12, R13)) if self.together else (R12, (R13, R14))
        pairs, apart = Strand((whole,), step=2 * self.vector, paired=True), Strand(parts, step=self.vector)
        source, target = (apart, pairs) if self.together else (pairs, apart)
        again = code.new_label()
        code.constant(RDX, count // lanes)
        code.place(again)
        self.store(target, target.bases, 0, self.load(source, source.bases, 0))
        for strand in (source, target):
            self.advance(strand, strand.bases, 1)
        code.decrement(RDX)
        code.jump(again, JUMP_NOT_EQUAL)
        if count % lanes:  # the last vector begins before the end of the one before it
            back = (count % lanes - lanes) * self.size
            for register in registers:
                code.add(register, back * (2 if register == whole else 1))
            self.store(target, target.bases, 0, self.load(source, source.bases, 0))
        self.boundary.leave()
        return code.finish()
