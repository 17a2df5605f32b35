"""Prologue and epilogue of a kernel: they check the arguments, so that the body runs only on the arrays that the text
declares.

The prologue checks the type, dtype, shape and flags of every argument. After that the function uses only what the
prologue has read, so it is safe if another thread changes an array meanwhile. Kernels that let other threads run hold
weak references to their arrays, because NumPy does not resize an array that has weak references.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from ..machine.assembler import (
    JUMP_ABOVE_EQUAL,
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
    RBP,
    RBX,
    RCX,
    RDI,
    RDX,
    RSI,
    RSP,
    Assembler,
    Memory,
)
from ..machine.executable import (
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
from ..machine.python_calls import call, give, hold, let_others_run, release, run_again
from .language import COMBINED, READ, SIZES, Array, Kernel, elements
from .places import look_at_positions, sizes_of

POINTERS = (RDX, RDI, R8, R9, R10, R11, RSI, RBX, R12, R13, R14, R15)
"""Where the arrays' elements are; those of further arrays are on the stack. First what a function may overwrite."""
KEPT = frozenset((RBX, R12, R13, R14, R15))  # registers that a function must preserve
DESCRIPTORS = (RDI, R11, R10, R9)  # which hold dtypes while arguments are looked at: numbers of one width have few
WIDE = R8  # which holds numbers of more than 32 bits while arguments are looked at

STACK = 8192
"""Bytes of the stack that a function may take."""
SAVED = 128  # of these at most are for registers that it saves, and for the alignment
PAGE = 4096  # below the stack one page is not there; a function that takes more than that must touch each

PIECE = Array("in", "piece", "int64", (3,), (8,))  # which part a shared kernel computes


class Words:
    """8-byte words from the stack pointer up: pointers, loop counters, and the values that the boundary keeps."""

    def __init__(self, kernel: Kernel, holds: bool) -> None:
        self.pointers = 0
        self.bases = len(kernel.arrays)  # pointers of arrays with places, before positions move them
        self.counters = self.bases + (len(kernel.arrays) if any(array.at for array in kernel.arrays) else 0)
        self.first_row = self.counters + len(kernel.extents)
        self.thread_state, self.arguments, self.block, self.frame, self.held = range(
            self.first_row + 1, self.first_row + 6
        )
        self.nbytes = 8 * (self.held + (len(kernel.arrays) if holds else 0))

    @staticmethod
    def at(number: int) -> Memory:
        """The memory of a word."""
        return Memory(RSP, 8 * number)


class Boundary:
    """Writes the prologue and the epilogues of one kernel, whose vectors have `vector` bytes.

    `heap`: whether the kernel needs more memory than the stack has. Then it has a block on the heap, and RBP points to
    it.
    """

    def __init__(self, kernel: Kernel, words: Words, without_lock: bool, heap: bool, vector: int) -> None:
        self.kernel = kernel
        self.vector = vector
        self.words = words
        self.without_lock = without_lock
        self.heap = heap
        self.shift = 1 if kernel.pieces else 0  # the arguments before the arrays
        self.frameless = False  # where nothing is on the stack
        self.saved = tuple(register for register in POINTERS[: len(kernel.arrays)] if register in KEPT)

    # Prologue

    def enter(self, code: Assembler, nbytes: int, block: int, main: int) -> None:
        """Check all arguments and jump to `main`; or return False.

        `nbytes` is the size of the stack frame, `block` the size of the block on the heap, if there is one.
        """
        refused, failed = code.new_label(), code.new_label()
        if not self.frameless:
            code.push(RBP)
            code.load(RBP, RSP)
        for register in self.saved:
            code.push(register)
        if not self.frameless:
            if nbytes + self.vector > PAGE:
                code.compare(Memory(RSP, -PAGE), 0)
            code.add(RSP, -(nbytes + self.vector))
            code.bit_and(RSP, -self.vector)
        if self.without_lock or self.shift or self.heap:
            self.look(code, refused)
            self.look_at_positions(code, refused)
            self.acquire(code, block, refused, failed)
        else:
            loaded = self.look(code, refused, POINTERS)
            self.look_at_positions(code, refused)
            self.point(code, loaded)
        code.jump(main)
        code.place(refused)
        self.give(code, False)
        if self.heap or self.without_lock:
            code.place(failed)
            self.release(code)
            self.give(code, None)

    def look(self, code: Assembler, refused: int, pointers: Sequence[int] = ()) -> set[int]:
        """Continue only if the arguments are the arrays that the text declares.

        On the way it loads the addresses of elements whose registers are free, and returns the positions of these
        arrays.
        """
        arrays = (*([PIECE] if self.shift else []), *self.kernel.arrays)
        code.compare(RDX, len(arrays))
        code.jump(refused, JUMP_NOT_EQUAL)
        code.constant(RDX, id(np.ndarray))
        dtypes = dict.fromkeys(array.dtype for array in arrays)
        descriptors = dict(zip(dtypes, DESCRIPTORS, strict=False))
        for dtype, register in descriptors.items():
            code.constant(register, id(np.dtype(dtype)))
        taken, loaded = {RDX, RSI, WIDE, *descriptors.values()}, set()
        written = [position for position, array in enumerate(arrays) if array.role not in READ]
        read = [position for position, array in enumerate(arrays) if array.role in READ]
        for number, position in enumerate([*written, *read]):
            array = arrays[position]
            code.load(RAX, Memory(RSI, 8 * position))
            code.compare_registers(RDX, Memory(RAX, TYPE))
            code.jump(refused, JUMP_NOT_EQUAL)
            code.compare_registers(descriptors[array.dtype], Memory(RAX, DESCRIPTOR))
            code.jump(refused, JUMP_NOT_EQUAL)
            if number:  # the flags that all have
                code.and_word(RCX, Memory(RAX, FLAGS))
            else:
                code.load_word(RCX, Memory(RAX, FLAGS))
            if number + 1 in (len(written), len(arrays)):
                needed = C_CONTIGUOUS | ALIGNED | (WRITEABLE if number < len(written) else 0)
                code.bit_and(RCX, needed)
                code.compare(RCX, needed)
                code.jump(refused, JUMP_NOT_EQUAL)
            code.compare_word(Memory(RAX, RANK), len(array.shape))
            code.jump(refused, JUMP_NOT_EQUAL)
            if position < len(pointers) and pointers[position] not in taken:
                code.load(pointers[position], Memory(RAX, DATA))
                self.move(code, pointers[position], array, WIDE)
                loaded.add(position)
            if array.shape:
                code.load(RAX, Memory(RAX, DIMENSIONS))
            for axis, extent in enumerate(array.shape):
                code.compare(Memory(RAX, 8 * axis), extent, scratch=WIDE)
                code.jump(refused, JUMP_NOT_EQUAL)
        return loaded

    def look_at_positions(self, code: Assembler, refused: int) -> None:
        """Go on only if all positions are inside of the arrays that they choose from."""
        sizes = sizes_of(self.kernel)
        for position, array in enumerate(self.kernel.arrays):
            if array.name in sizes:
                code.load(RAX, Memory(RSI, 8 * (position + self.shift)))
                code.load(RAX, Memory(RAX, DATA))
                look_at_positions(code, array, sizes[array.name], self.kernel, refused)

    def point(self, code: Assembler, loaded: Collection[int]) -> None:
        """Load the remaining addresses of elements."""
        last = POINTERS.index(RSI)  # it points to the arguments until then
        order = [position for position in range(len(self.kernel.arrays)) if position not in loaded]
        for position in sorted(order, key=lambda position: position == last):
            register = POINTERS[position] if position < len(POINTERS) else RAX
            self.load_pointer(code, position, register)
            if register == RAX:
                code.store(self.words.at(position), RAX)

    def load_pointer(self, code: Assembler, position: int, register: int) -> None:
        """Load the address of an array's first element. RAX and RCX are overwritten."""
        code.load(RAX, Memory(RSI, 8 * (position + self.shift)))
        code.load(register, Memory(RAX, DATA))
        self.move(code, register, self.kernel.arrays[position], RCX)

    @staticmethod
    def move(code: Assembler, register: int, array: Array, scratch: int) -> None:
        """Move a pointer from the start of an array to the first element that the loops reach."""
        if array.offset:
            code.add(register, array.offset, scratch)

    def acquire(self, code: Assembler, block: int, refused: int, failed: int) -> None:
        """Load addresses, and acquire what the kernel needs to run beside other threads or with a block on the heap."""
        words, at = self.words, self.words.at
        for position in range(len(self.kernel.arrays)):
            self.load_pointer(code, position, RAX)
            code.store(at(position), RAX)
        if self.shift:
            self.divide(code, refused)
        code.store(at(words.arguments), RSI)
        if self.without_lock:
            for position in range(len(self.kernel.arrays)):
                code.store_number(at(words.held + position), 0)
        if self.heap:
            code.store(at(words.frame), RBP)
            code.constant(RDI, block + self.vector)
            call(code, "PyMem_RawMalloc")
            code.store(at(words.block), RAX)
            code.load(RBP, RAX)
            code.add(RBP, self.vector - 1)
            code.bit_and(RBP, -self.vector)
            there = code.new_label()
            code.compare(RAX, 0)
            code.jump(there, JUMP_NOT_EQUAL)
            call(code, "PyErr_NoMemory")
            code.jump(failed)
            code.place(there)
        if self.without_lock:
            for position in range(len(self.kernel.arrays)):
                hold(code, at(words.arguments), position + self.shift, at(words.held + position), failed)
            let_others_run(code, at(words.thread_state))
        for position, register in enumerate(POINTERS[: len(self.kernel.arrays)]):
            code.load(register, at(position))

    def divide(self, code: Assembler, refused: int) -> None:
        """Read the start and length of this piece from the first argument, and move to the piece's own sums."""
        words, at, rows = self.words, self.words.at, self.kernel.extents[0]
        code.load(RAX, Memory(RSI))
        code.load(RAX, Memory(RAX, DATA))
        code.load(RCX, Memory(RAX, 8))
        code.load(R8, Memory(RAX, 16))
        code.load(RAX, Memory(RAX))
        code.store(at(words.counters), RCX)
        code.store(at(words.first_row), RAX)
        # Unsigned, so that negative numbers are too large: start < rows, 0 < count, start + count <= rows.
        code.compare(RAX, rows, scratch=R9)
        code.jump(refused, JUMP_ABOVE_EQUAL)
        code.add(RCX, -1)
        code.compare(RCX, rows, scratch=R9)
        code.jump(refused, JUMP_ABOVE_EQUAL)
        code.add_register(RCX, RAX)
        code.compare(RCX, rows, scratch=R9)
        code.jump(refused, JUMP_ABOVE_EQUAL)
        code.compare(R8, self.kernel.pieces, scratch=R9)
        code.jump(refused, JUMP_ABOVE_EQUAL)
        for position, array in enumerate(self.kernel.arrays):
            if array.role in COMBINED:
                code.multiply(RCX, R8, elements(array, self.kernel.extents) * SIZES[array.dtype])
            elif array.strides[0]:
                code.multiply(RCX, at(words.first_row), array.strides[0])
            else:
                continue
            code.add_register(RCX, at(position))
            code.store(at(position), RCX)

    # Epilogue

    def leave(self, code: Assembler) -> None:
        """Return True."""
        code.zero_upper()
        if self.without_lock:
            run_again(code, self.words.at(self.words.thread_state))
        self.release(code)
        self.give(code, True)

    def release(self, code: Assembler) -> None:
        """Release what `acquire` has acquired."""
        words, at = self.words, self.words.at
        if self.without_lock:
            release(code, [at(words.held + position) for position in range(len(self.kernel.arrays))])
        if self.heap:
            code.load(RDI, at(words.block))
            call(code, "PyMem_RawFree")
            code.load(RBP, at(words.frame))

    def give(self, code: Assembler, result: bool | None) -> None:
        """Leave the function."""
        give(code, result, self.saved, framed=not self.frameless)
