"""The code of the counter-based generator Philox 4x64-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3,
2011): four random words from four words that count, in ten rounds of two multiplications."""

from __future__ import annotations

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
    RDX,
    Assembler,
    Memory,
    general_instruction,
)
from .fixed_boundary import COUNT, FixedBoundary
from .frame_words import FrameWords
from .narrow_assembler import NarrowAssembler

FACTORS = {R10: 0xD2E7470EE14C6C93, R11: 0xCA5A826395121157}
ROUNDS = 10
MULTIPLY, EXTENSION = (0xF7,), 4  # RDX:RAX = RAX * a register
EXCLUSIVE_OR = (0x33,)


class PhiloxCode:
    """Writes the function (state, words), which `compile_philox` describes.

    Each block counts by itself, so that the processor overlaps the rounds of neighbours.
    """

    def __init__(self) -> None:
        self.code = NarrowAssembler()
        kind, shapes = np.dtype(np.uint64), [(4 + 2 * ROUNDS,), (None, 4)]
        self.boundary = FixedBoundary(self.code, kind, shapes, {0, 1}, 8 * ROUNDS)

    def assemble(self) -> bytes:
        """The function's code."""
        code, again = self.code, self.code.new_label()
        self.boundary.enter()
        for register, word in ((R12, 0), (R13, 1), (R14, COUNT)):
            code.load(register, FrameWords.at(word))
        code.load(R15, Memory(R12))
        for register, factor in FACTORS.items():
            code.constant(register, factor)
        words = [R8, R9, RBX, RCX]
        code.place(again)
        code.add(R15, 1)
        code.load(R8, R15)
        for position, register in enumerate(words[1:], 1):
            code.load(register, Memory(R12, 8 * position))
        for number in range(ROUNDS):
            _round(code, words, Memory(R12, 8 * (4 + 2 * number)))
            words = [*words[1:], words[0]]
        for position, register in enumerate(words):
            code.store(Memory(R13, 8 * position), register)
        code.add(R13, 32)
        code.decrement(R14)
        code.jump(again, JUMP_NOT_EQUAL)
        code.store(Memory(R12), R15)
        self.boundary.leave()
        return code.finish()


def _round(code: Assembler, words: list[int], keys: Memory) -> None:
    """One round: its result starts with the second word. The upper halves of two products change the others."""
    first, second, third, fourth = words
    for factor, position, source, changed in zip(FACTORS, (1, 0), (first, third), (fourth, second), strict=True):
        code.load(RAX, source)
        code.code += general_instruction(MULTIPLY, EXTENSION, factor)
        code.code += general_instruction(EXCLUSIVE_OR, changed, RDX)
        code.code += general_instruction(EXCLUSIVE_OR, changed, Memory(keys.base, keys.offset + 8 * position))
        code.load(source, RAX)
