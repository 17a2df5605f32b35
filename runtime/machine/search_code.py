"""Binary search of values in ordered vectors of one length: a pointer moves on by half of what is left, without a
branch, where the number there comes before the value. The processor overlaps the searches for several values."""

from __future__ import annotations

import numpy as np

from .assembler import (
    JUMP_NOT_EQUAL,
    MAP_0F,
    NONE,
    P66,
    PF2,
    PF3,
    R8,
    R9,
    R12,
    R13,
    R14,
    RAX,
    RCX,
    RDX,
    Form,
    Memory,
    general_instruction,
)
from .fixed_boundary import COUNT, FixedBoundary
from .frame_words import FrameWords
from .narrow_assembler import NarrowAssembler

JUMP_PARITY = 0x8A  # numbers do not compare
ABOVE, ABOVE_OR_EQUAL, GREATER, GREATER_OR_EQUAL = 0x47, 0x43, 0x4F, 0x4D  # moves on a condition
LOAD_ONE = {4: Form(PF3, MAP_0F, 0x10), 8: Form(PF2, MAP_0F, 0x10)}
COMPARE_ONE = {4: Form(NONE, MAP_0F, 0x2E), 8: Form(P66, MAP_0F, 0x2E)}


class SearchCode:
    """Writes the function (sequence, values, positions), which `compile_search` describes."""

    def __init__(self, dtype: str, length: int, right: bool, positions: str, rank: int, row: int | None) -> None:
        number, self.code, self.length, self.row = np.dtype(dtype), NarrowAssembler(), length, row
        self.size, self.is_float, self.places = number.itemsize, number.kind == "f", np.dtype(positions)
        signed = number.kind == "i"
        self.move = (GREATER_OR_EQUAL if right else GREATER) if signed else ABOVE_OR_EQUAL if right else ABOVE
        lead: tuple[int | None, ...] = (None,) * (rank if row is None else rank - 1)
        sought = lead if row is None else (*lead, row)
        shapes = [(length,) if row is None else (*lead, length), sought, sought]
        work = 8 * length.bit_length() * (row or 1)
        self.boundary = FixedBoundary(self.code, [number, number, self.places], shapes, {2}, work)
        self.boundary.failed_word = FrameWords.PLACE

    def assemble(self) -> bytes:
        """The function's code."""
        code, at = self.code, FrameWords.at
        again, failed, next_row = code.new_label(), code.new_label(), code.new_label()
        self.boundary.enter()
        for register, place in ((R12, 0), (R13, 1), (R14, 2), (RDX if self.row is None else R9, COUNT)):
            code.load(register, at(place))
        code.store_number(at(FrameWords.PLACE), 1)
        code.place(next_row)
        if self.row is not None:
            code.constant(RDX, self.row)
        code.place(again)
        if self.is_float:
            code.vector(LOAD_ONE[self.size], 0, 0, Memory(R13), bits=128)
            code.vector(COMPARE_ONE[self.size], 0, 0, 0, bits=128)
            code.jump(failed, JUMP_PARITY)
        else:
            (code.load if self.size == 8 else code.load_word)(R8, Memory(R13))
        code.load(RAX, R12)
        left = self.length
        while left:
            half = (left + 1) // 2
            code.address(RCX, Memory(RAX, half * self.size))
            self._compare(Memory(RAX, (half - 1) * self.size))
            code.code += general_instruction((0x0F, self.move), RAX, RCX)
            left //= 2
        code.subtract_register(RAX, R12)
        code.shift_right(RAX, self.size.bit_length() - 1)
        (code.store if self.places.itemsize == 8 else code.store_word)(Memory(R14), RAX)
        code.add(R13, self.size)
        code.add(R14, self.places.itemsize)
        code.decrement(RDX)
        code.jump(again, JUMP_NOT_EQUAL)
        if self.row is not None:
            code.add(R12, self.length * self.size)
            code.decrement(R9)
            code.jump(next_row, JUMP_NOT_EQUAL)
        code.store_number(at(FrameWords.PLACE), 0)
        code.place(failed)
        self.boundary.leave()
        return code.finish()

    def _compare(self, place: Memory) -> None:
        """Compare the value with a number."""
        if self.is_float:
            self.code.vector(COMPARE_ONE[self.size], 0, 0, place, bits=128)
        else:
            self.code.code += general_instruction((0x3B,), R8, place, wide=self.size == 8)
