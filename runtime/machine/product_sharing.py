"""Products that threads of a team share: the function itself divides them, without Python between.

Each piece is a product of a part of the matrices, or of the rows or columns of the result. Its frame begins as a copy
of the first words of the frame of the function that was called, with other addresses and another size.
"""

from __future__ import annotations

from collections.abc import Sequence

from .assembler import (  # isort: skip
    JUMP_EQUAL, JUMP_LESS, JUMP_NOT_EQUAL, R8, R9, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP, Memory,
)  # fmt: skip
from .frame_words import FrameWords
from .kept_calls import DONE, Keeping
from .python_calls import call, drop_frame, give, hold, let_others_run, release, run_again
from .sizes import LEADING
from .team import publish, withdraw
from .wide_assembler import JUMP_GREATER, JUMP_GREATER_OR_EQUAL, WideAssembler

TAKEN, OWNED, DIVIDED, UNIT, HALF, A_STEP, B_STEP, C_STEP, ENDED = range(9)
"""Words behind those of other functions: pieces taken, whether the team is owned, where in the frame the size is that
is divided, into multiples of what, and half of that; distances along it; and for each piece whether it has done all."""
ROWS_SHARE = 28
"""Results with more columns than rows are divided by rows all the same up to this number of elements of `b` for each
row, times the square of a vector's elements: threads then read all of `b`, but only a part of `a`. 128 by 784 by 256
takes a tenth less time so, 64 by 768 by 768 a tenth more."""
FEW_ROWS = 32
"""But not so few rows by a transposed matrix, which have forms of their own."""
ROWS, COLUMNS = 8, 16  # of a piece: multiples of these


class SharedPieces:
    """Writes the code that divides a product among threads.

    `base` is the number of the first of its words, `frame` the bytes of a frame, `size` those of an element.
    """

    def __init__(self, code: WideAssembler, keeping: Keeping, threads: int, base: int, frame: int, size: int) -> None:
        self.code, self.keeping, self.threads = code, keeping, threads
        self.base, self.frame, self.size, self.lanes = base, frame, size, code.width // size
        self.piece = code.new_label()

    def _word(self, number: int, frame: int = RSP) -> Memory:
        return Memory(frame, 8 * (self.base + number))

    def divide(self, held: Sequence[Memory], failed: int, saved: tuple[int, ...]) -> None:
        """Behind all checks of the arguments: run all pieces, and return. What follows computes one of them.

        `held`: words for references to the arguments. `failed`: where it jumps with Python's lock and an error.
        """
        code, at = self.code, FrameWords.at
        whole, help, alone, done, missing = (code.new_label() for _ in range(5))
        code.compare(at(FrameWords.KEPT), 0)
        code.jump(whole, JUMP_NOT_EQUAL)
        self._choose()
        ended = [self._word(ENDED + piece) for piece in range(self.threads)]
        for place in (*held, *ended, self._word(TAKEN), self._word(OWNED), at(FrameWords.BLOCK)):
            code.store_number(place, 0)
        for position, place in enumerate(held):
            hold(code, at(FrameWords.ARGUMENTS), position, place, failed)
        let_others_run(code, at(FrameWords.THREAD_STATE))
        publish(code, help, alone)
        code.store_number(self._word(OWNED), 1)
        code.place(alone)
        code.load(RBX, RSP)
        self._pieces()
        code.compare(self._word(OWNED), 1)
        code.jump(done, JUMP_NOT_EQUAL)
        withdraw(code)
        code.place(done)
        run_again(code, at(FrameWords.THREAD_STATE))
        for place in ended:
            code.compare(place, 0)
            code.jump(missing, JUMP_EQUAL)
        release(code, held)
        give(code, True, saved)
        # A piece got no memory to pack to. Others may be written or added, so that nobody may begin anew.
        code.place(missing)
        call(code, "PyErr_NoMemory")
        code.jump(failed)
        code.place(help)
        code.push(RBP)
        code.load(RBP, RSP)
        for register in saved:
            code.push(register)
        code.add(RSP, -8)  # calls need a stack aligned to 16 bytes
        code.load(RBX, RDI)
        self._pieces()
        drop_frame(code, saved, framed=True)
        code.ret()
        self._enter_piece(saved)
        code.place(whole)

    def _choose(self) -> None:
        """Choose what is divided: the first dimension with enough matrices, or rows or columns of the result."""
        code, at = self.code, FrameWords.at
        again, lead, rows, columns, chosen = (code.new_label() for _ in range(5))
        code.constant(RCX, 0)
        code.place(again)
        code.compare(at(FrameWords.LEAD, RCX), self.threads)
        code.jump(lead, JUMP_GREATER_OR_EQUAL)
        code.add(RCX, 1)
        code.compare(RCX, LEADING)
        code.jump(again, JUMP_LESS)
        code.load(RAX, at(FrameWords.M))
        code.compare_registers(RAX, at(FrameWords.N))
        code.jump(rows, JUMP_GREATER_OR_EQUAL)
        code.multiply(RAX, RAX, ROWS_SHARE * self.lanes**2)
        code.load(RDX, at(FrameWords.K))
        code.multiply_registers(RDX, at(FrameWords.N))
        code.compare_registers(RDX, RAX)
        code.jump(columns, JUMP_GREATER)
        code.compare(at(FrameWords.B_COLUMNS), self.size)
        code.jump(rows, JUMP_EQUAL)
        code.compare(at(FrameWords.M), FEW_ROWS)
        code.jump(rows, JUMP_GREATER)
        code.place(columns)
        self._steps(FrameWords.N, COLUMNS, None, at(FrameWords.B_COLUMNS), self.size)
        code.jump(chosen)
        code.place(rows)
        self._steps(FrameWords.M, ROWS, at(FrameWords.A_ROWS), None, at(FrameWords.C_ROWS))
        code.jump(chosen)
        code.place(lead)
        leads = [at(word, RCX) for word in (FrameWords.A_LEAD, FrameWords.B_LEAD, FrameWords.C_LEAD)]
        self._steps(FrameWords.LEAD, 1, *leads)
        code.multiply(RCX, RCX, 8)
        code.add_to_memory(self._word(DIVIDED), RCX)
        code.place(chosen)

    def _steps(self, word: int, unit: int, *steps: Memory | int | None) -> None:
        """Set what is divided, and the distances along it in `a`, `b` and the result."""
        code = self.code
        code.store_number(self._word(DIVIDED), 8 * word)
        code.store_number(self._word(UNIT), unit)
        code.store_number(self._word(HALF), unit // 2)
        for target, step in zip((A_STEP, B_STEP, C_STEP), steps, strict=True):
            if isinstance(step, Memory):
                code.load(RAX, step)
            else:
                code.constant(RAX, step or 0)
            code.store(self._word(target), RAX)

    def _pieces(self) -> None:
        """Take pieces, and compute them. RBX is the frame of the thread that was called."""
        code = self.code
        claim, leave = code.new_label(), code.new_label()
        code.place(claim)
        code.constant(RSI, 1)
        code.add_locked(self._word(TAKEN, RBX), RSI)
        code.compare(RSI, self.threads)
        code.jump(leave, JUMP_GREATER_OR_EQUAL)
        code.load(RDI, RBX)
        code.address_of(RAX, self.piece)
        code.call(RAX)
        code.jump(claim)
        code.place(leave)

    def _enter_piece(self, saved: tuple[int, ...]) -> None:
        """The beginning of a function that computes the piece RSI of the frame RDI."""
        code, at, some = self.code, FrameWords.at, self.code.new_label()
        code.place(self.piece)
        self.keeping.enter(saved, self.frame, 0)
        code.address(RAX, Memory(RDI, 8 * (self.base + ENDED - DONE), RSI, 8))
        code.store(at(FrameWords.RUN), RAX)
        code.load(RBX, self._word(DIVIDED, RDI))
        self._border(R8)
        code.add(RSI, 1)
        self._border(R9)
        code.subtract_register(R9, R8)
        code.store(Memory(RSP, 0, RBX), R9)
        code.compare(R9, 0)
        code.jump(some, JUMP_GREATER)
        self.keeping.ended(True, saved)
        code.place(some)
        for word, step in ((FrameWords.A, A_STEP), (FrameWords.B, B_STEP), (FrameWords.C, C_STEP)):
            code.load(RAX, self._word(step, RDI))
            code.multiply_registers(RAX, R8)
            code.add_to_memory(at(word), RAX)

    def _border(self, target: int) -> None:
        """Where the piece RSI begins. Pieces are multiples of the unit, of about equal sizes, and the last one has what
        is left. Less than half a unit is no unit, so that none has fewer columns than a vector of AVX2. There may be
        some without anything."""
        code, last = self.code, self.code.new_label()
        code.load(RAX, Memory(RDI, 0, RBX))
        code.compare(RSI, self.threads)
        code.jump(last, JUMP_EQUAL)
        code.add_register(RAX, self._word(HALF, RDI))
        code.constant(RDX, 0)
        code.divide_by(self._word(UNIT, RDI))
        code.multiply_registers(RAX, RSI)
        code.constant(RDX, 0)
        code.constant(RCX, self.threads)
        code.divide_by(RCX)
        code.multiply_registers(RAX, self._word(UNIT, RDI))
        code.place(last)
        code.load(target, RAX)
