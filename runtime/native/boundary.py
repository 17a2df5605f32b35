"""Prologue and epilogue of a kernel: they check the arguments, so that the body runs only on the arrays that the text
declares.

The prologue checks the type, dtype, shape and flags of every argument. After that the function uses only what the
prologue has read, so it is safe if another thread changes an array meanwhile. Kernels that let other threads run hold
weak references to their arrays, because NumPy does not resize an array that has weak references.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

import numpy as np

from ..kernels.positions import PositionError

from ..machine.assembler import (  # isort: skip
    JUMP_EQUAL, JUMP_NOT_EQUAL, R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP,
    Assembler, Memory,
)  # fmt: skip
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
    address_of,
)
from ..machine.python_calls import call, drop_frame, give, hold, let_others_run, release, run_again
from ..machine.symbolic_sizes import uncached
from .language import INDEX, READ, Kernel
from .places import look_at_positions, sizes_of

POINTERS = (RDX, RDI, R8, R9, R10, R11, RSI, RBX, R12, R13, R14, R15)
"""Where the arrays' elements are; those of further arrays are on the stack. First what a function may overwrite."""
KEPT = frozenset((RBX, R12, R13, R14, R15))  # registers that a function must preserve
DESCRIPTORS = (RDI, R11, R10, R9)  # which hold dtypes while arguments are looked at: numbers of one width have few
LONG = b"L"  # the format of an argument that is an int64
WIDE = R8  # which holds numbers of more than 32 bits while arguments are looked at

STACK = 8192
"""Bytes of the stack that a function may take."""
SAVED = 128  # of these at most are for registers that it saves, and for the alignment
PAGE = 4096  # below the stack one page is not there; a function that takes more than that must touch each


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
        self.denormals = self.held + (len(kernel.arrays) if holds else 0)  # how they are treated outside
        last = self.denormals + kernel.flush
        # Of a shared kernel: the frame of the thread called, whether it owns the team, the number of pieces taken, of
        # those by this thread, and by helpers, and the pointers to the first elements.
        self.job, self.owned, self.taken, self.front, self.back, self.origins = range(last, last + 6)
        self.nbytes = 8 * (self.origins + len(kernel.arrays) if kernel.pieces else last)

    @staticmethod
    def at(number: int) -> Memory:
        """The memory of a word."""
        return Memory(RSP, 8 * number)


@lru_cache(maxsize=4096)
def _check(first: bool, dtype: int | str, needed: int, rank: int, pointer: int | None, offset: int) -> Assembler:
    """The code that checks the argument to which RAX points, and where it jumps if that is another array than the
    declared one. RAX points to its extents afterwards.

    Args:
        first: whether none was checked before.
        dtype: its dtype, or the register that has that.
        needed: the flags that this array and those before have, if they are checked now.
        pointer: the register for the address of the element at `offset`, if it is free.
    """
    code, refused = Assembler(), 0
    code.compare_registers(RDX, Memory(RAX, TYPE))
    code.jump(refused, JUMP_NOT_EQUAL)
    if isinstance(dtype, str):
        code.constant(WIDE, id(np.dtype(dtype)))
        dtype = WIDE
    code.compare_registers(dtype, Memory(RAX, DESCRIPTOR))
    code.jump(refused, JUMP_NOT_EQUAL)
    if first:
        code.load_word(RCX, Memory(RAX, FLAGS))
    else:  # the flags that all have
        code.and_word(RCX, Memory(RAX, FLAGS))
    if needed:
        code.bit_and(RCX, needed)
        code.compare(RCX, needed)
        code.jump(refused, JUMP_NOT_EQUAL)
    code.compare_word(Memory(RAX, RANK), rank)
    code.jump(refused, JUMP_NOT_EQUAL)
    if pointer is not None:
        code.load(pointer, Memory(RAX, DATA))
        if offset:
            code.add(pointer, offset, WIDE)
    if rank:
        code.load(RAX, Memory(RAX, DIMENSIONS))
    return code


@lru_cache(maxsize=4096)
def _check_shape(shape: tuple[int, ...]) -> Assembler:
    """The code that checks the extents to which RAX points, as `_check`."""
    code, refused = Assembler(), 0
    for axis, extent in enumerate(shape):
        code.compare(Memory(RAX, 8 * axis), extent, scratch=WIDE)
        code.jump(refused, JUMP_NOT_EQUAL)
    return code


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
        self.frameless = False  # where nothing is on the stack
        self.held = [position for position, array in enumerate(kernel.arrays) if not array.same]
        self.saved = tuple(register for register in POINTERS[: len(kernel.arrays)] if register in KEPT)

    # Prologue

    def enter(self, code: Assembler, nbytes: int, block: int, main: int) -> None:
        """Check all arguments and jump to `main`; or return False.

        `nbytes` is the size of the stack frame, `block` the size of the block on the heap, if there is one.
        """
        refused, failed = code.new_label(), code.new_label()
        self.make_frame(code, nbytes)
        if self.without_lock or self.kernel.pieces or self.heap:
            self.look(code, refused)
            self.look_at_positions(code, refused)
            self.acquire(code, block, failed)
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

    def make_frame(self, code: Assembler, nbytes: int) -> None:
        """Save registers, and make room on the stack."""
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

    def drop_frame(self, code: Assembler) -> None:
        """Undo `make_frame`."""
        drop_frame(code, self.saved, framed=not self.frameless)

    def look(self, code: Assembler, refused: int, pointers: Sequence[int] = ()) -> set[int]:
        """Continue only if the arguments are the arrays that the text declares.

        On the way it loads the addresses of elements whose registers are free, and returns the positions of these
        arrays.
        """
        arrays = self.kernel.arrays
        code.compare(RDX, len(arrays))
        code.jump(refused, JUMP_NOT_EQUAL)
        code.constant(RDX, id(np.ndarray))
        dtypes = dict.fromkeys(array.argument[0] for array in arrays)
        descriptors = dict(zip(dtypes, DESCRIPTORS, strict=False))
        for dtype, register in descriptors.items():
            code.constant(register, id(np.dtype(dtype)))
        taken, loaded = {RDX, RSI, WIDE, *descriptors.values()}, set()
        places = {array.name: Memory(RSI, 8 * position) for position, array in enumerate(arrays)}
        for array in arrays:
            if array.same:
                code.load(RAX, places[array.name])
                code.compare_registers(RAX, places[array.same])
                code.jump(refused, JUMP_NOT_EQUAL)
        others = [(position, array.role) for position, array in enumerate(arrays) if not array.same]
        written = [position for position, role in others if role not in READ]
        read = [position for position, role in others if role in READ]
        for number, position in enumerate([*written, *read]):
            array, needed = arrays[position], 0
            if number + 1 in (len(written), len(others)):
                needed = C_CONTIGUOUS | ALIGNED | (WRITEABLE if number < len(written) else 0)
            pointer = pointers[position] if position < len(pointers) and pointers[position] not in taken else None
            if pointer is not None:
                loaded.add(position)
            dtype, shape = array.argument
            known = descriptors.get(dtype) or dtype
            check = uncached(_check, array.offset)
            code.load(RAX, Memory(RSI, 8 * position))
            code.paste(check(not number, known, needed, len(shape), pointer, array.offset), refused)
            code.paste(uncached(_check_shape, *shape)(shape), refused)
        return loaded

    def look_at_positions(self, code: Assembler, refused: int) -> None:
        """Go on only if all positions are inside of the arrays that they choose from."""
        sizes = sizes_of(self.kernel)
        for position, array in enumerate(self.kernel.arrays):
            if array.role == INDEX and array.name in sizes:
                code.load(RAX, Memory(RSI, 8 * position))
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
        code.load(RAX, Memory(RSI, 8 * position))
        code.load(register, Memory(RAX, DATA))
        if offset := self.kernel.arrays[position].offset:
            code.add(register, offset, RCX)

    def acquire(self, code: Assembler, block: int, failed: int) -> None:
        """Load addresses, and acquire what the kernel needs to run beside other threads or with a block on the heap."""
        words, at = self.words, self.words.at
        for position in range(len(self.kernel.arrays)):
            self.load_pointer(code, position, RAX)
            code.store(at(position + (words.origins if self.kernel.pieces else 0)), RAX)
        code.store(at(words.arguments), RSI)
        if self.without_lock:
            for position in self.held:
                code.store_number(at(words.held + position), 0)
        if self.heap:
            code.store(at(words.frame), RBP)
            there, without = code.new_label(), code.new_label()
            self.allocate(code, block, address_of("PyMem_RawMalloc"), without)
            code.jump(there)
            code.place(without)
            call(code, "PyErr_NoMemory")
            code.jump(failed)
            code.place(there)
        if self.without_lock:
            for position in self.held:
                hold(code, at(words.arguments), position, at(words.held + position), failed)
            let_others_run(code, at(words.thread_state))
        for position, register in enumerate(POINTERS[: 0 if self.kernel.pieces else len(self.kernel.arrays)]):
            code.load(register, at(position))

    def allocate(self, code: Assembler, block: int, allocator: int, without: int) -> None:
        """Let RBP point to a block on the heap. If there is no memory, jump to the label `without`."""
        code.constant(RDI, block + self.vector)
        code.constant(RAX, allocator)
        code.call(RAX)
        code.store(self.words.at(self.words.block), RAX)
        code.load(RBP, RAX)
        code.add(RBP, self.vector - 1)
        code.bit_and(RBP, -self.vector)
        code.compare(RAX, 0)
        code.jump(without, JUMP_EQUAL)

    # Epilogue

    def leave(self, code: Assembler) -> None:
        """Return True."""
        code.zero_upper()
        if self.without_lock:
            run_again(code, self.words.at(self.words.thread_state))
        self.release(code)
        self.give(code, True)

    def fail_at(self, code: Assembler) -> None:
        """Leave with the error of the position in RAX, which the object that RCX points to makes."""
        at, none = self.words.at, code.new_label()
        position, maker = at(self.words.arguments), at(self.words.first_row)
        code.store(position, RAX)
        code.store(maker, RCX)
        code.zero_upper()
        if self.without_lock:
            run_again(code, self.words.at(self.words.thread_state))
        code.load(RDI, maker)
        code.constant(RSI, id(LONG) + bytes.__basicsize__ - 1)
        code.load(RDX, position)
        call(code, "PyObject_CallFunction")
        code.store(position, RAX)
        code.compare(RAX, 0)
        code.jump(none, JUMP_EQUAL)
        code.load(RSI, RAX)
        code.constant(RDI, id(PositionError))
        call(code, "PyErr_SetObject")
        code.load(RDI, position)
        call(code, "Py_DecRef")
        code.place(none)
        self.release(code)
        self.give(code, None)

    def release(self, code: Assembler) -> None:
        """Release what `acquire` has acquired."""
        words, at = self.words, self.words.at
        if self.without_lock:
            release(code, [at(words.held + position) for position in self.held])
        if self.heap:
            code.load(RDI, at(words.block))
            call(code, "PyMem_RawFree")
            code.load(RBP, at(words.frame))

    def give(self, code: Assembler, result: bool | None) -> None:
        """Leave the function."""
        give(code, result, self.saved, framed=not self.frameless)
