"""Shared kernels: each thread of a team takes one piece of the outermost loop after another, and runs the body on it.
If that loop is over columns, the body runs on a range of them.

The thread that was called takes pieces from the first one on, its helpers from the last one on. So the same rows of the
kernels that follow one another mostly go to the same processor, in whose cache they are.
"""

from __future__ import annotations

from ..machine.assembler import (
    JUMP_ABOVE_EQUAL,
    JUMP_BELOW,
    JUMP_NOT_EQUAL,
    R9,
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
from ..machine.executable import library_function
from ..machine.team import publish, withdraw
from .boundary import POINTERS, Boundary
from .language import COMBINED, Kernel, piece_bytes, piece_rows


class SharedRows:
    """Writes what surrounds the body of a shared kernel."""

    def __init__(self, code: Assembler, kernel: Kernel, boundary: Boundary) -> None:
        self.code = code
        self.kernel = kernel
        self.boundary = boundary
        self.words = boundary.words
        self.claim, self.finished, self.help = (code.new_label() for _ in range(3))

    def begin(self) -> None:
        """Publish the kernel, and take the next piece. The body follows; RSI is the frame of the thread called."""
        code, words, at = self.code, self.words, self.words.at
        for word in (words.taken, words.front, words.back, words.owned):
            code.store_number(at(word), 0)
        code.store(at(words.job), RSP)
        alone = code.new_label()
        publish(code, self.help, alone)
        code.store_number(at(words.owned), 1)
        code.place(alone)
        code.place(self.claim)
        helper, chosen = code.new_label(), code.new_label()
        code.load(RSI, at(words.job))
        code.constant(RAX, 1)
        code.add_locked(Memory(RSI, 8 * words.taken), RAX)
        code.compare(RAX, self.kernel.pieces, scratch=R9)
        code.jump(self.finished, JUMP_ABOVE_EQUAL)
        code.compare_registers(RSI, RSP)
        code.jump(helper, JUMP_NOT_EQUAL)
        code.load(RDX, at(words.front))
        code.add(at(words.front), 1)
        code.jump(chosen)
        code.place(helper)
        code.constant(RAX, 1)
        code.add_locked(Memory(RSI, 8 * words.back), RAX)
        code.constant(RDX, self.kernel.pieces - 1)
        code.subtract_register(RDX, RAX)
        code.place(chosen)
        self._point()

    def _point(self) -> None:
        """Set the rows of the piece in RDX, and the pointers to its elements; or its first column and its end."""
        code, words, at, rows = self.code, self.words, self.words.at, piece_rows(self.kernel)
        whole = code.new_label()
        code.multiply(RCX, RDX, rows)
        code.store(at(words.first_row), RCX)
        code.constant(RAX, self.kernel.extents[0])
        code.subtract_register(RAX, RCX)
        code.compare(RAX, rows, scratch=R9)
        code.jump(whole, JUMP_BELOW)
        code.constant(RAX, rows)
        code.place(whole)
        columns = len(self.kernel.extents) == 1  # which are counted from the first of all pieces
        if columns:
            code.add_register(RAX, RCX)
        code.store(at(words.counters), RAX)
        for position, array in enumerate(self.kernel.arrays):
            code.load(RAX, Memory(RSI, 8 * (words.origins + position)))
            if array.role in COMBINED:
                code.multiply(RCX, RDX, piece_bytes(array, self.kernel))
                code.add_register(RAX, RCX)
            elif array.strides[0] and not columns:
                code.multiply(RCX, at(words.first_row), array.strides[0])
                code.add_register(RAX, RCX)
            code.store(at(position), RAX)
        for position, register in enumerate(POINTERS[: len(self.kernel.arrays)]):
            code.load(register, at(position))

    def end(self) -> None:
        """Behind the body: take the next piece. After the last one the thread called waits for its helpers, and goes on
        behind this code."""
        code, words = self.code, self.words
        code.jump(self.claim)
        code.place(self.finished)
        self.leaving, done = code.new_label(), code.new_label()
        code.compare_registers(RSI, RSP)
        code.jump(self.leaving, JUMP_NOT_EQUAL)
        code.compare(words.at(words.owned), 1)
        code.jump(done, JUMP_NOT_EQUAL)
        withdraw(code)
        code.place(done)

    def helper(self, nbytes: int, block: int) -> None:
        """The function that helpers call, with the frame of the thread called in RDI. Arguments as `Boundary.enter`."""
        code, words, at = self.code, self.words, self.words.at
        code.place(self.help)
        self.boundary.make_frame(code, nbytes)
        code.store(at(words.job), RDI)
        nothing = code.new_label()
        if self.boundary.heap:
            code.store(at(words.frame), RBP)
            self.boundary.allocate(code, block, library_function("malloc"), nothing)
        code.jump(self.claim)
        code.place(self.leaving)
        code.zero_upper()
        if self.boundary.heap:
            code.load(RDI, at(words.block))
            code.constant(RAX, library_function("free"))
            code.call(RAX)
            code.place(nothing)
            code.load(RBP, at(words.frame))
        self.boundary.drop_frame(code)
        code.ret()
