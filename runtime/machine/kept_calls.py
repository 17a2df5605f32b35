"""Calls of machine code that are checked and kept at first, and run later: several threads share them.

Called as `function(KEEP, record, *arguments)`, a function checks its arguments as always, but then writes its frame
into the record and returns True. `kept_team.py` runs such records, without Python's lock. The first words of a record
are the address of the code that runs it, a seal that only machine code writes, and whether the call has done all; the
words of the frame follow.
"""

from __future__ import annotations

import os

import numpy as np

from .assembler import (
    JUMP_EQUAL,
    JUMP_LESS,
    JUMP_NOT_EQUAL,
    R8,
    RAX,
    RBP,
    RCX,
    RDI,
    RDX,
    RSI,
    RSP,
    Assembler,
    Memory,
)
from .executable import (
    ALIGNED,
    C_CONTIGUOUS,
    DATA,
    DESCRIPTOR,
    DIMENSIONS,
    FLAGS,
    RANK,
    TYPE,
    WRITEABLE,
)
from .frame_words import FrameWords
from .python_calls import drop_frame, give

KEEP = object()
"""The first argument of a call that is kept."""
SEAL = int.from_bytes(os.urandom(7), "little")
ADDRESS, SEALED, DONE, FRAME = range(4)
"""The first words of a record."""
RECORD = FRAME + FrameWords.NBYTES // 8
"""The words of a record."""
_WORDS = np.dtype(np.int64)
JUMP_NOT_NEGATIVE = 0x89


def check_words(code: Assembler, array: int, rank: int, refused: int) -> None:
    """Jump to `refused` unless the register points to an array of int64 of this rank without gaps."""
    for offset, expected in ((TYPE, np.ndarray), (DESCRIPTOR, _WORDS)):
        code.constant(RAX, id(expected))
        code.compare_registers(RAX, Memory(array, offset))
        code.jump(refused, JUMP_NOT_EQUAL)
    flags = ALIGNED | WRITEABLE | C_CONTIGUOUS
    code.load_word(RAX, Memory(array, FLAGS))
    code.bit_and(RAX, flags)
    code.compare(RAX, flags)
    code.jump(refused, JUMP_NOT_EQUAL)
    code.load_word(RAX, Memory(array, RANK))
    code.compare(RAX, rank)
    code.jump(refused, JUMP_NOT_EQUAL)


class Keeping:
    """What a boundary does with calls that are kept: the words KEPT and RUN of its frame are the address of the record
    that is written, and of the one that is run; zero in other calls."""

    words, at = FrameWords, staticmethod(FrameWords.at)

    def __init__(self, code: Assembler) -> None:
        self.code = code
        self.look, self.acquire, self.kept, self.run = (self.code.new_label() for _ in range(4))

    def begin(self) -> None:
        """Before the arguments are looked at."""
        code, at, words = self.code, self.at, self.words
        code.store(at(words.ARGUMENTS), RSI)
        code.store(at(words.GIVEN), RDX)
        code.store_number(at(words.KEPT), 0)
        code.store_number(at(words.RUN), 0)
        code.place(self.look)

    def checked(self) -> None:
        """Behind that, before anything is acquired."""
        self.code.compare(self.at(self.words.KEPT), 0)
        self.code.jump(self.kept, JUMP_NOT_EQUAL)
        self.code.place(self.acquire)

    def refused(self, saved: tuple[int, ...], frame: int) -> None:
        """Where arguments are refused: they may be those of a call that is kept."""
        code, at, words = self.code, self.at, self.words
        no = code.new_label()
        code.compare(at(words.KEPT), 0)
        code.jump(no, JUMP_NOT_EQUAL)
        code.load(RDX, at(words.GIVEN))
        code.compare(RDX, 2)
        code.jump(no, JUMP_LESS)
        code.load(RSI, at(words.ARGUMENTS))
        code.constant(RAX, id(KEEP))
        code.compare_registers(RAX, Memory(RSI))
        code.jump(no, JUMP_NOT_EQUAL)
        code.load(R8, Memory(RSI, 8))
        check_words(code, R8, 1, no)
        code.load(RCX, Memory(R8, DIMENSIONS))
        code.compare(Memory(RCX), RECORD)
        code.jump(no, JUMP_NOT_EQUAL)
        code.load(RAX, Memory(R8, DATA))
        code.store(at(words.KEPT), RAX)
        code.store_number(Memory(RAX, 8 * SEALED), 0)
        code.add(RSI, 16)
        code.add(RDX, -2)
        code.store(at(words.ARGUMENTS), RSI)
        code.jump(self.look)
        code.place(no)
        give(code, False, saved)
        self._write(saved)
        self._start(saved, frame)

    def _write(self, saved: tuple[int, ...]) -> None:
        """Write the record of a call that was checked."""
        code, at, words = self.code, self.at, self.words
        code.place(self.kept)
        code.load(RDI, at(words.KEPT))
        self._copy(RSP, 0, RDI, 8 * FRAME)
        code.store(Memory(RDI, 8 * (FRAME + words.RUN)), RDI)
        code.store_number(Memory(RDI, 8 * DONE), 0)
        code.address_of(RAX, self.run)
        code.store(Memory(RDI, 8 * ADDRESS), RAX)
        code.constant(RAX, SEAL)
        code.store(Memory(RDI, 8 * SEALED), RAX)
        give(code, True, saved)

    def _start(self, saved: tuple[int, ...], frame: int) -> None:
        """The function that runs a record, whose address is in RDI."""
        code = self.code
        code.place(self.run)
        self.enter(saved, frame, 8 * FRAME)
        code.jump(self.acquire)

    def enter(self, saved: tuple[int, ...], frame: int, start: int) -> None:
        """Make a frame of `frame` bytes. It begins with a copy of the words that stand `start` bytes behind RDI."""
        code = self.code
        code.push(RBP)
        code.load(RBP, RSP)
        for register in saved:
            code.push(register)
        code.add(RSP, -frame)
        self._copy(RDI, start, RSP, 0)

    def _copy(self, source: int, at: int, target: int, there: int) -> None:
        code, again = self.code, self.code.new_label()
        code.constant(RCX, RECORD - FRAME - 1)
        code.place(again)
        code.load(RAX, Memory(source, at, RCX, 8))
        code.store(Memory(target, there, RCX, 8), RAX)
        code.add(RCX, -1)
        code.jump(again, JUMP_NOT_NEGATIVE)

    def ended(self, done: bool, saved: tuple[int, ...]) -> None:
        """At an exit: return to who runs a record; otherwise go on."""
        code, at, words = self.code, self.at, self.words
        called = code.new_label()
        code.load(RAX, at(words.RUN))
        code.compare(RAX, 0)
        code.jump(called, JUMP_EQUAL)
        code.store_number(Memory(RAX, 8 * DONE), int(done))
        drop_frame(code, saved, framed=True)
        code.ret()
        code.place(called)
