"""Quicksort of a vector with AVX-512, for the numbers of one dtype.

A part is divided by a pivot, the median of three numbers, from one buffer to another: the smaller numbers of a vector
are compressed to the left end, the others to the right end. Parts of up to four vectors are sorted by ranks: that of a
number is how many others come before it. Where no number is smaller than the pivot, those equal to it are in order.

Another thread may change the numbers meanwhile: then the order counts for nothing, but no part ends outside.
"""

from __future__ import annotations

import numpy as np

from .assembler import (
    JUMP_EQUAL,
    JUMP_LESS,
    JUMP_NOT_EQUAL,
    MAP_0F,
    MAP_0F3A,
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
    RSP,
    Form,
    Memory,
    Pooled,
    general_instruction,
)
from .fixed_boundary import COUNT, FixedBoundary
from .frame_words import FrameWords
from .vector_assembler import VectorAssembler
from .wide_assembler import (
    BROADCAST,
    COMPARE,
    JUMP_GREATER,
    JUMP_LESS_OR_EQUAL,
    LOAD,
    MAXIMUM,
    STORE,
    UNORDERED,
    WIDTH,
)

RANKED = 4
"""Vectors of a part that is sorted by ranks, at most."""
PARTS, WORDS = 48, 3
"""Parts that wait, the smaller one comes first; and the words of each: its ends, and the buffer that it is in."""
PATIENCE = 64
"""How often a number is moved on average, before another algorithm takes over."""
EQUAL, LESS, LESS_OR_EQUAL, OTHERWISE = 0, 1, 2, 4  # the last one is added for the opposite
SMALLER, LARGER, STORED, VALID = 1, 2, 3, 4  # masks; four are valid lanes of vectors
FIRST, LAST, SOURCE, TARGET = R8, R9, RBX, R11
PIVOT, ONES, RANKS, NUMBER, HELD = 31, 30, 8, 16, 17  # registers


class QuickCode:
    """Writes the function (numbers, in order, room): it returns False for nan, and where it takes too long.

    With a `length` it is for arrays of rows, with `lead` dimensions before them; else for vectors of any length.
    """

    def __init__(self, dtype: str, length: int | None = None, lead: int = 0) -> None:
        number = np.dtype(dtype)
        self.code, self.size, wide = VectorAssembler(), number.itemsize, int(number.itemsize == 8)
        self.lanes, self.is_float, signless = WIDTH // self.size, number.kind == "f", 2 * (number.kind == "u")
        self.length, row = length, (None,) * lead + (length,)
        self.boundary = FixedBoundary(self.code, number, [row, row, (length,)], {1, 2}, 16 * (length or 1))
        self.boundary.failed_word = FrameWords.PLACE
        self.waiting = self.boundary.frame
        self.boundary.frame += 8 * WORDS * PARTS
        if self.is_float:
            self.compare, self.most = COMPARE[self.size], MAXIMUM[self.size]
            self.least = self.most._replace(opcode=0x5D)
        else:
            self.compare = Form(P66, MAP_0F3A, 0x1F - signless // 2, wide)
            self.least, self.most = (Form(P66, MAP_0F38, opcode + signless, wide) for opcode in (0x39, 0x3D))
        self.compress = Form(P66, MAP_0F38, 0x8B, wide)
        self.scatter = Form(P66, MAP_0F38, 0xA3 if wide else 0xA2, wide)
        self.count = Form(P66, MAP_0F, 0xD4 if wide else 0xFE, wide)
        self.spread, self.lower = Form(P66, MAP_0F38, 0x7C, wide), Form(P66, MAP_0F38, 0x39, wide)

    def assemble(self) -> bytes:
        """The function's code."""
        code, at = self.code, FrameWords.at
        row, part, ranked, pop, failed, done = (code.new_label() for _ in range(6))
        self.boundary.enter()
        code.place(row)
        for register, place in ((SOURCE, 0), (R12, 1), (R13, 2), (LAST, COUNT)):
            code.load(register, at(place))
        if self.length:
            code.constant(LAST, self.length)
        code.shift_left(LAST, self.size.bit_length() - 1)
        code.constant(FIRST, 0)
        code.address(R15, Memory(RSP, self.waiting))
        code.load(R14, LAST)
        code.shift_left(R14, PATIENCE.bit_length() - 1)
        code.vector(LOAD[4], ONES, 0, Pooled(np.ones(self.lanes, f"i{self.size}").tobytes()))
        code.store_number(at(FrameWords.PLACE), 1)
        if self.is_float:
            self._refuse_unknown(failed)
        code.place(part)
        code.load(RAX, LAST)
        code.subtract_register(RAX, FIRST)
        code.compare(RAX, RANKED * WIDTH)
        code.jump(ranked, JUMP_LESS_OR_EQUAL)
        code.subtract_register(R14, RAX)
        code.jump(failed, JUMP_LESS)
        self._divide(part, pop, failed)
        code.place(ranked)
        self._rank(pop)
        code.place(pop)
        code.address(RAX, Memory(RSP, self.waiting))
        code.compare_registers(R15, RAX)
        code.jump(done, JUMP_EQUAL)
        code.add(R15, -8 * WORDS)
        for number, register in enumerate((FIRST, LAST, SOURCE)):
            code.load(register, Memory(R15, 8 * number))
        code.jump(part)
        code.place(done)
        if self.length:
            code.add(at(0), self.length * self.size)
            code.add(at(1), self.length * self.size)
            code.add(at(COUNT), -1)
            code.jump(row, JUMP_NOT_EQUAL)
        code.store_number(at(FrameWords.PLACE), 0)
        code.place(failed)
        self.boundary.leave()
        return code.finish()

    def _bits(self, count: int, mask: int) -> None:
        """Set as many bits of a mask as a register says, at most 63; overwrites RAX and RCX."""
        code = self.code
        code.load(RCX, count)
        code.constant(RAX, 1)
        code.shift_left_by_rcx(RAX)
        code.add(RAX, -1)
        code.set_mask(mask, RAX)

    def _refuse_unknown(self, failed: int) -> None:
        """Give up if there is nan."""
        code, again, end = self.code, self.code.new_label(), self.code.new_label()
        code.load(R10, LAST)
        code.shift_right(R10, self.size.bit_length() - 1)
        code.load(RDX, SOURCE)
        code.place(again)
        code.constant(RSI, self.lanes)
        code.compare_registers(R10, RSI)
        code.jump(end, JUMP_GREATER)
        code.load(RSI, R10)
        code.place(end)
        self._bits(RSI, VALID)
        code.wide(LOAD[self.size], 0, 0, Memory(RDX), mask=VALID)
        code.wide(self.compare, SMALLER, 0, 0, immediate=UNORDERED)
        code.get_mask(RAX, SMALLER)
        code.compare(RAX, 0)
        code.jump(failed, JUMP_NOT_EQUAL)
        code.add(RDX, WIDTH)
        code.add(R10, -self.lanes)
        code.jump(again, JUMP_GREATER)

    # Division

    def _divide(self, part: int, pop: int, failed: int) -> None:
        """Divide a part; the larger one of the two waits. RAX has the bytes of the part."""
        code, equal, smaller, copy = self.code, *(self.code.new_label() for _ in range(3))
        code.shift_right(RAX, self.size.bit_length() + 1)
        code.shift_left(RAX, self.size.bit_length() - 1)  # a quarter of them
        code.load(RCX, FIRST)
        for register in range(3):
            code.add_register(RCX, RAX)
            code.wide(BROADCAST[self.size], register, 0, Memory(SOURCE, 0, RCX, 1))
        code.wide(self.most, 3, 0, 1)
        code.wide(self.least, 0, 0, 1)
        code.wide(self.least, 3, 3, 2)
        code.wide(self.most, PIVOT, 0, 3)
        code.load(TARGET, R13)
        code.compare_registers(SOURCE, R13)
        other = code.new_label()
        code.jump(other, JUMP_NOT_EQUAL)
        code.load(TARGET, R12)
        code.place(other)
        self._move(LESS)
        code.compare_registers(RSI, FIRST)
        code.jump(equal, JUMP_EQUAL)
        code.load(SOURCE, TARGET)
        code.load(RAX, RSI)
        code.subtract_register(RAX, FIRST)
        code.load(RCX, LAST)
        code.subtract_register(RCX, RSI)
        code.compare_registers(RAX, RCX)
        code.jump(smaller, JUMP_LESS)
        self._wait(FIRST, RSI)
        code.load(FIRST, RSI)
        code.jump(part)
        code.place(smaller)
        self._wait(RSI, LAST)
        code.load(LAST, RSI)
        code.jump(part)
        code.place(equal)  # the pivot is the smallest number
        self._move(LESS_OR_EQUAL)
        code.compare_registers(RSI, FIRST)
        code.jump(failed, JUMP_EQUAL)  # it was there before
        code.load(SOURCE, TARGET)
        code.place(copy)
        code.wide(LOAD[self.size], 0, 0, Memory(SOURCE, 0, FIRST, 1), mask=VALID)  # zeros have signs
        code.wide(STORE[self.size], 0, 0, Memory(R12, 0, FIRST, 1), mask=VALID)
        code.add(FIRST, self.size)
        code.compare_registers(FIRST, RSI)
        code.jump(copy, JUMP_NOT_EQUAL)
        code.compare_registers(FIRST, LAST)
        code.jump(pop, JUMP_EQUAL)
        code.jump(part)

    def _wait(self, first: int, last: int) -> None:
        for number, register in enumerate((first, last, SOURCE)):
            self.code.store(Memory(R15, 8 * number), register)
        self.code.add(R15, 8 * WORDS)

    def _move(self, condition: int) -> None:
        """Move the numbers for which the condition holds to the left end, and the others to the right end. RSI is where
        they meet then, and the first of the valid lanes is alone."""
        code, again, tail, done = self.code, *(self.code.new_label() for _ in range(3))
        code.load(R10, FIRST)
        code.load(RSI, FIRST)
        code.load(RDI, LAST)
        code.place(again)
        code.address(RAX, Memory(R10, WIDTH))
        code.compare_registers(RAX, LAST)
        code.jump(tail, JUMP_GREATER)
        code.wide(LOAD[self.size], 0, 0, Memory(SOURCE, 0, R10, 1))
        code.wide(self.compare, SMALLER, 0, PIVOT, immediate=condition)
        code.wide(self.compare, LARGER, 0, PIVOT, immediate=condition + OTHERWISE)
        code.wide(self.compress, 0, 0, 1, mask=SMALLER)
        code.wide(self.compress, 0, 0, 2, mask=LARGER)
        code.wide(STORE[self.size], 1, 0, Memory(TARGET, 0, RSI, 1))  # what comes behind it is written later
        code.get_mask(RCX, SMALLER)
        self._count_bits(RCX)
        code.constant(RAX, (1 << self.lanes) - 1)
        code.shift_right_by_rcx(RAX)
        code.set_mask(STORED, RAX)
        code.shift_left(RCX, self.size.bit_length() - 1)
        code.add_register(RSI, RCX)
        code.add_register(RDI, RCX)
        code.add(RDI, -WIDTH)
        code.wide(STORE[self.size], 2, 0, Memory(TARGET, 0, RDI, 1), mask=STORED)
        code.add(R10, WIDTH)
        code.jump(again)
        code.place(tail)
        code.load(RDX, LAST)
        code.subtract_register(RDX, R10)
        code.jump(done, JUMP_EQUAL)
        code.shift_right(RDX, self.size.bit_length() - 1)
        self._bits(RDX, VALID)
        code.wide(LOAD[self.size], 0, 0, Memory(SOURCE, 0, R10, 1), mask=VALID)
        for register, end, opposite in ((1, RSI, 0), (2, RDI, OTHERWISE)):
            chosen = LARGER if opposite else SMALLER
            code.wide(self.compare, chosen, 0, PIVOT, mask=VALID, keep=True, immediate=condition + opposite)
            code.wide(self.compress, 0, 0, register, mask=chosen)
            code.get_mask(RDX, chosen)
            self._count_bits(RDX)
            self._bits(RDX, STORED)
            code.shift_left(RDX, self.size.bit_length() - 1)
            if opposite:
                code.subtract_register(end, RDX)
            code.wide(STORE[self.size], register, 0, Memory(TARGET, 0, end, 1), mask=STORED)
            if not opposite:
                code.add_register(end, RDX)
        code.place(done)
        code.set_bits(VALID, 1)

    def _count_bits(self, register: int) -> None:
        self.code.code += b"\xf3" + general_instruction((0x0F, 0xB8), register, register)

    # Ranks

    def _rank(self, pop: int) -> None:
        """Sort a part by ranks. RAX has its bytes: none, where the pivot is there no more."""
        code, labels = self.code, [self.code.new_label() for _ in range(RANKED)]
        code.compare(RAX, 0)
        code.jump(pop, JUMP_EQUAL)
        code.load(R10, RAX)
        code.load(RDX, RAX)
        code.shift_right(RDX, self.size.bit_length() - 1)
        code.constant(RCX, 64)
        code.subtract_register(RCX, RDX)
        code.constant(RAX, -1)
        code.shift_right_by_rcx(RAX)
        for vector in range(RANKED):
            code.set_mask(VALID + vector, RAX)
            code.shift_right(RAX, self.lanes)
        code.add_register(SOURCE, FIRST)
        code.load(TARGET, R12)
        code.add_register(TARGET, FIRST)
        for count in range(1, RANKED):
            code.compare(R10, count * WIDTH)
            code.jump(labels[count - 1], JUMP_LESS_OR_EQUAL)
        for count in range(RANKED, 0, -1):
            code.place(labels[count - 1])
            self._ranks(count)
            if count > 1:
                code.jump(pop)

    def _ranks(self, count: int) -> None:
        """Sort so many vectors; RDX is the number of elements."""
        code = self.code
        for vector in range(count):
            place = Memory(SOURCE, vector * WIDTH)
            code.wide(LOAD[self.size], HELD + vector, 0, place, mask=VALID + vector)
            code.clear(RANKS + vector)
        for block in range(count):
            again = code.new_label()
            if block < count - 1:
                code.constant(RCX, self.lanes)
            else:
                code.address(RCX, Memory(RDX, -block * self.lanes))
            code.constant(RAX, -2)
            code.place(again)
            code.set_mask(STORED, RAX)  # the lanes behind this one
            code.wide(BROADCAST[self.size], NUMBER, 0, Memory(SOURCE))
            for vector in range(count):
                condition = LESS_OR_EQUAL if vector > block else LESS
                self._add_where(vector, condition)
                if vector == block:
                    self._add_where(vector, EQUAL, STORED)
            code.add(SOURCE, self.size)
            code.shift_left(RAX, 1)
            code.decrement(RCX)
            code.jump(again, JUMP_NOT_EQUAL)
        code.address(RAX, Memory(RDX, -1))
        code.wide(self.spread, NUMBER, 0, RAX)
        for vector in range(count):
            code.wide(self.lower, RANKS + vector, RANKS + vector, NUMBER)
            place = Memory(TARGET, 0, RANKS + vector, self.size)
            code.vector(self.scatter, HELD + vector, 0, place, mask=VALID + vector, keep=True)

    def _add_where(self, vector: int, condition: int, mask: int = 0) -> None:
        """Count the number for the ranks of a vector's elements where a condition holds, of those in a mask."""
        self.code.wide(self.compare, SMALLER, NUMBER, HELD + vector, immediate=condition, mask=mask, keep=bool(mask))
        self.code.wide(self.count, RANKS + vector, RANKS + vector, ONES, mask=SMALLER, keep=True)
