"""Entry and exit of a matrix product in machine code: which arrays it takes, and what it holds while it runs.

All sizes and distances are read once, from the arrays themselves, and checked against each other. After that another
thread may change the arrays. A product that lets other threads run holds weak references to those that own their
memory, because NumPy does not resize such an array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .assembler import (  # isort: skip
    JUMP_EQUAL, JUMP_LESS, JUMP_NOT_EQUAL, R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI,
    RSP, Memory,
)  # fmt: skip
from .executable import (
    ALIGNED,
    DATA,
    DESCRIPTOR,
    DIMENSIONS,
    FLAGS,
    RANK,
    STRIDES,
    TYPE,
    WRITEABLE,
)
from .frame_words import FrameWords
from .kept_calls import Keeping
from .packing_choice import PackingChoice, ProductParts
from .python_calls import call, give, hold, let_others_run, release, run_again
from .sizes import COLUMN_PRODUCTS, FEW_COLUMNS, LEADING, ROW_NBYTES, ROW_PRODUCTS
from .wide_assembler import JUMP_GREATER, JUMP_GREATER_OR_EQUAL, JUMP_LESS_OR_EQUAL, WIDTH, WideAssembler

if TYPE_CHECKING:
    from .product_sharing import SharedPieces

RELEASING = 1 << 20
"""A call with this number of multiplications in all, or more, lets other threads run."""
SAVED = (RBX, R12, R13, R14, R15)
HELD = [FrameWords.at(FrameWords.HELD + position) for position in range(4)]


class ProductBoundary(PackingChoice):
    """Writes the entry and the exits of a product.

    Functions without `parts` pack nothing. `first_nbytes` is the place behind the scratch of a part of `b` for a column
    of `a`. `threads` share the product.
    """

    arrays = 3
    words = FrameWords
    beside = 0
    """Bytes of the frame behind its words."""
    reads_rows = True
    """Whether one row may have more than ROW_PRODUCTS multiplications, if the rows of `b` are contiguous."""

    def __init__(
        self,
        code: WideAssembler,
        dtype: np.dtype,
        parts: ProductParts | None = None,
        first_nbytes: int = 0,
        threads: int = 1,
    ) -> None:
        self.first_nbytes = first_nbytes
        self.code = code
        self.dtype = dtype
        self.size = dtype.itemsize
        self.parts = parts
        self.refused = code.new_label()
        self.failed = code.new_label()
        self.no_memory = code.new_label()
        self.keeping = Keeping(code)
        pushed = 8 * len(SAVED)
        self.frame = base = self.words.NBYTES + self.beside
        if threads > 1:
            from .product_sharing import ENDED, SharedPieces  # late: most functions are not shared

            self.frame += 8 * (ENDED + threads)
        self.frame += self.frame + pushed & 8  # calls need a stack aligned to 16 bytes
        self.pieces: SharedPieces | None = None
        if threads > 1:
            self.pieces = SharedPieces(code, self.keeping, threads, base // 8, self.frame, self.size)

    def enter(self) -> None:
        """Save registers, look at the arguments, and acquire what the product needs."""
        code = self.code
        code.push(RBP)
        code.load(RBP, RSP)
        for register in SAVED:
            code.push(register)
        code.add(RSP, -self.frame)
        self.keeping.begin()
        self.look()
        self.keeping.checked()
        self._acquire()

    def look(self) -> None:
        """Check the arguments and read them."""
        self._load_arrays(R8, R9, R10, written=2)
        self._read_matrices()
        self._read_leading()
        if self.pieces:
            self.pieces.divide(HELD[: self.arrays], self.failed, SAVED)
        self._find_steps()
        self._choose_packing()

    def _load_arrays(self, *registers: int, written: int) -> None:
        """Load the arrays of the arguments. If the last is the result, it may come twice: that sets the word ADDS."""
        code, at, last = self.code, FrameWords.at, len(registers) - 1
        once = code.new_label()
        code.store_number(at(FrameWords.ADDS), 0)
        code.compare(RDX, last + 1)
        code.jump(once, JUMP_EQUAL)
        code.compare(RDX, last + 2 if written == last else last + 1)
        self._refuse(JUMP_NOT_EQUAL)
        code.load(RAX, Memory(RSI, 8 * last))
        code.compare_registers(RAX, Memory(RSI, 8 * last + 8))
        self._refuse(JUMP_NOT_EQUAL)
        code.store_number(at(FrameWords.ADDS), 1)
        code.place(once)
        for position, register in enumerate(registers):
            code.load(register, Memory(RSI, 8 * position))
            self._check_array(register, written=position == written)

    def _refuse(self, condition: int) -> None:
        self.code.jump(self.refused, condition)

    def _check_array(self, array: int, written: bool) -> None:
        """Refuse anything but an array of the dtype, aligned, writeable if written, of 2 to 6 dimensions."""
        code = self.code
        for offset, expected in ((TYPE, np.ndarray), (DESCRIPTOR, self.dtype)):
            code.constant(RAX, id(expected))
            code.compare_registers(RAX, Memory(array, offset))
            self._refuse(JUMP_NOT_EQUAL)
        flags = ALIGNED | WRITEABLE if written else ALIGNED
        code.load_word(RAX, Memory(array, FLAGS))
        code.bit_and(RAX, flags)
        code.compare(RAX, flags)
        self._refuse(JUMP_NOT_EQUAL)
        self._check_rank(array)

    def _check_rank(self, array: int) -> None:
        code = self.code
        code.load_word(RAX, Memory(array, RANK))
        code.compare(RAX, 2)
        self._refuse(JUMP_LESS)
        code.compare(RAX, 2 + LEADING)
        self._refuse(JUMP_GREATER)

    def _read_matrices(self) -> None:
        """Read and compare the last two dimensions.

        Afterwards R13, RBX and R11 point to the last two dimensions of a, b and out, R14, R15 and R12 to their strides.
        """
        code, at = self.code, FrameWords.at
        for array, dims, steps, word in (
            (R8, R13, R14, FrameWords.A), (R9, RBX, R15, FrameWords.B), (R10, R11, R12, FrameWords.C)
        ):  # fmt: skip
            code.load_word(RCX, Memory(array, RANK))
            for register, offset in ((dims, DIMENSIONS), (steps, STRIDES)):
                code.load(register, Memory(array, offset))
                code.address(register, Memory(register, -16, RCX, 8))
            code.load(RAX, Memory(array, DATA))
            code.store(at(word), RAX)
        for word, here, there in (
            (FrameWords.M, Memory(R11), Memory(R13)), (FrameWords.N, Memory(R11, 8), Memory(RBX, 8)),
            (FrameWords.K, Memory(R13, 8), Memory(RBX)),
        ):  # fmt: skip
            code.load(RAX, here)
            code.compare_registers(RAX, there)
            self._refuse(JUMP_NOT_EQUAL)
            code.compare(RAX, 0)
            self._refuse(JUMP_LESS_OR_EQUAL)
            code.store(at(word), RAX)
        for word, place in (
            (FrameWords.A_ROWS, Memory(R14)), (FrameWords.A_COLUMNS, Memory(R14, 8)), (FrameWords.B_ROWS, Memory(R15)),
            (FrameWords.B_COLUMNS, Memory(R15, 8)), (FrameWords.C_ROWS, Memory(R12)),
        ):  # fmt: skip
            code.load(RAX, place)
            code.store(at(word), RAX)
        self._leave_vectors()
        single, checked = code.new_label(), code.new_label()
        code.compare(at(FrameWords.N), 1)
        code.jump(single, JUMP_EQUAL)
        code.compare(Memory(R12, 8), self.size)
        self._refuse(JUMP_NOT_EQUAL)
        code.jump(checked)
        code.place(single)  # a stride along one column means nothing
        code.store_number(at(FrameWords.B_COLUMNS), self.size)
        code.place(checked)
        dense = code.new_label()
        for word, number in (
            (FrameWords.B_COLUMNS, self.size), (FrameWords.B_ROWS, self.size), (FrameWords.K, 1)
        ):  # fmt: skip
            code.compare(at(word), number)
            code.jump(dense, JUMP_EQUAL)
        code.jump(self.refused)
        code.place(dense)

    def _leave_vectors(self) -> None:
        """Refuse one row or a few columns of more than a few products: vectors are used badly there."""
        code, at = self.code, FrameWords.at
        code.load(RAX, at(FrameWords.M))
        for word in (FrameWords.N, FrameWords.K):
            code.multiply_registers(RAX, at(word))
        code.store(at(FrameWords.WORK), RAX)
        for word, few, most in ((FrameWords.M, 1, ROW_PRODUCTS), (FrameWords.N, FEW_COLUMNS, COLUMN_PRODUCTS)):
            many = code.new_label()
            code.compare(at(word), few)
            code.jump(many, JUMP_GREATER)
            code.compare(RAX, most)
            if word == FrameWords.M and self.reads_rows:
                code.jump(many, JUMP_LESS_OR_EQUAL)
                code.compare(at(FrameWords.B_COLUMNS), self.size)
                self._refuse(JUMP_NOT_EQUAL)
                code.compare(RAX, ROW_NBYTES // self.size)
            self._refuse(JUMP_GREATER)
            code.place(many)

    def _read_leading(self) -> None:
        """Read the other dimensions, the last one first. Those of a and b must be those of out, or 1, or missing."""
        code, at = self.code, FrameWords.at
        for register in (R8, R9, R10):
            code.load_word(register, Memory(register, RANK))
            code.add(register, -2)
        for register in (R8, R9):
            code.compare_registers(register, R10)
            self._refuse(JUMP_GREATER)
        again, done = code.new_label(), code.new_label()
        code.constant(RDI, -1)  # the dimension before the last two, and so on; words count from the first one
        code.place(again)
        for word in (FrameWords.A_LEAD, FrameWords.B_LEAD, FrameWords.C_LEAD):
            code.store_number(at(word + LEADING, RDI), 0)
        code.store_number(at(FrameWords.LEAD + LEADING, RDI), 1)
        code.decrement(R10)
        code.jump(done, JUMP_LESS)
        code.load(RSI, Memory(R11, 0, RDI, 8))
        code.compare(RSI, 0)
        self._refuse(JUMP_LESS_OR_EQUAL)
        code.store(at(FrameWords.LEAD + LEADING, RDI), RSI)
        code.load(RAX, at(FrameWords.WORK))
        code.multiply_registers(RAX, RSI)
        code.store(at(FrameWords.WORK), RAX)
        code.load(RAX, Memory(R12, 0, RDI, 8))
        code.store(at(FrameWords.C_LEAD + LEADING, RDI), RAX)
        for left, dims, steps, word in ((R8, R13, R14, FrameWords.A_LEAD), (R9, RBX, R15, FrameWords.B_LEAD)):
            same, read = code.new_label(), code.new_label()
            code.decrement(left)
            code.jump(read, JUMP_LESS)
            code.compare_registers(RSI, Memory(dims, 0, RDI, 8))
            code.jump(same, JUMP_EQUAL)
            code.compare(Memory(dims, 0, RDI, 8), 1)
            self._refuse(JUMP_NOT_EQUAL)
            code.jump(read)
            code.place(same)
            code.load(RAX, Memory(steps, 0, RDI, 8))
            code.store(at(word + LEADING, RDI), RAX)
            code.place(read)
        code.place(done)
        code.add(RDI, -1)
        code.compare(RDI, -LEADING)
        code.jump(again, JUMP_GREATER_OR_EQUAL)

    def _find_steps(self) -> None:
        """Set the distance of columns of the result."""
        self.code.store_number(FrameWords.at(FrameWords.COLUMN_STEP), self.size)

    def _acquire(self) -> None:
        """Allocate memory to pack to; let other threads run, if the product is large."""
        code, at = self.code, FrameWords.at
        for place in (at(FrameWords.RELEASED), *HELD[: self.arrays]):
            code.store_number(place, 0)
        if self.parts:
            self._allocate()
        alone = code.new_label()
        code.compare(at(FrameWords.RUN), 0)
        code.jump(alone, JUMP_NOT_EQUAL)
        code.compare(at(FrameWords.WORK), RELEASING)
        code.jump(alone, JUMP_LESS)
        for position, held in enumerate(HELD[: self.arrays]):
            hold(code, at(FrameWords.ARGUMENTS), position, held, self.failed)
        let_others_run(code, at(FrameWords.THREAD_STATE))
        code.store_number(at(FrameWords.RELEASED), 1)
        code.place(alone)

    def _allocate(self) -> None:
        """Allocate memory to pack to, if the product is packed."""
        code, at = self.code, FrameWords.at
        code.store_number(at(FrameWords.BLOCK), 0)
        small, there, unpacked = code.new_label(), code.new_label(), code.new_label()
        code.constant(RDI, 0)
        code.load(RAX, at(FrameWords.PACKING))
        code.compare(RAX, 0)
        code.jump(unpacked, JUMP_EQUAL)
        code.load(RDI, at(FrameWords.N))
        code.compare_registers(RDI, at(FrameWords.MOST_COLUMNS))
        code.jump(small, JUMP_LESS)
        code.load(RDI, at(FrameWords.MOST_COLUMNS))
        code.place(small)
        code.multiply(RDI, RDI, self.size)
        code.add(RDI, WIDTH - 1)
        code.bit_and(RDI, -WIDTH)
        code.place(unpacked)
        if self.first_nbytes:
            code.add_register(RAX, at(FrameWords.COPIES))
        code.compare(RAX, 0)
        code.jump(there, JUMP_EQUAL)
        code.load(RAX, at(FrameWords.MOST_DEPTHS))
        code.multiply_registers(RDI, RAX)
        code.store(at(FrameWords.FIRST_SCRATCH), RDI)
        code.multiply(RAX, RAX, self.first_nbytes)
        code.add_register(RDI, RAX)
        code.add(RDI, WIDTH)
        call(code, "PyMem_RawMalloc")
        code.store(at(FrameWords.BLOCK), RAX)
        code.compare(RAX, 0)
        code.jump(self.no_memory, JUMP_EQUAL)
        code.add(RAX, WIDTH - 1)
        code.bit_and(RAX, -WIDTH)
        code.store(at(FrameWords.SCRATCH), RAX)
        code.add_to_memory(at(FrameWords.FIRST_SCRATCH), RAX)
        code.place(there)

    def leave(self) -> None:
        """Return True; the other exits return False, or nothing with an error."""
        code, at = self.code, FrameWords.at
        code.zero_upper()
        alone = code.new_label()
        code.compare(at(FrameWords.RELEASED), 0)
        code.jump(alone, JUMP_EQUAL)
        run_again(code, at(FrameWords.THREAD_STATE))
        release(code, HELD[: self.arrays])
        code.place(alone)
        self._free()
        self.conclude()
        self.keeping.ended(True, SAVED)
        give(code, True, SAVED)
        if self.parts:
            code.place(self.no_memory)
            self.keeping.ended(False, SAVED)
            call(code, "PyErr_NoMemory")
        code.place(self.failed)
        release(code, HELD[: self.arrays])
        self._free()
        give(code, None, SAVED)
        code.place(self.refused)
        self.keeping.ended(False, SAVED)
        self.keeping.refused(SAVED, self.frame)

    def conclude(self) -> None:
        """Jump to `refused` where False is returned after all."""

    def _free(self) -> None:
        """Free the memory to pack to, if there is any."""
        if not self.parts:
            return
        code, nothing = self.code, self.code.new_label()
        code.load(RDI, FrameWords.at(FrameWords.BLOCK))
        code.compare(RDI, 0)
        code.jump(nothing, JUMP_EQUAL)
        call(code, "PyMem_RawFree")
        code.place(nothing)


def each_matrix(code: WideAssembler, body: Callable[[], None]) -> None:
    """Go through the leading dimensions like an odometer."""
    at = FrameWords.at
    for axis in range(LEADING):
        code.store_number(at(FrameWords.COUNT + axis), 0)
    again, turn = code.new_label(), code.new_label()
    pointers = (
        (FrameWords.A, FrameWords.A_LEAD), (FrameWords.B, FrameWords.B_LEAD), (FrameWords.C, FrameWords.C_LEAD)
    )  # fmt: skip
    code.place(again)
    body()
    code.constant(RCX, LEADING - 1)
    code.place(turn)
    for pointer, step in pointers:
        code.load(RAX, at(step, RCX))
        code.add_to_memory(at(pointer), RAX)
    code.load(RDX, at(FrameWords.COUNT, RCX))
    code.add(RDX, 1)
    code.store(at(FrameWords.COUNT, RCX), RDX)
    code.compare_registers(RDX, at(FrameWords.LEAD, RCX))
    code.jump(again, JUMP_NOT_EQUAL)
    code.store_number(at(FrameWords.COUNT, RCX), 0)
    code.multiply(RDX, RDX, -1)
    for pointer, step in pointers:  # back to the first of this dimension
        code.load(RAX, at(step, RCX))
        code.multiply_registers(RAX, RDX)
        code.add_to_memory(at(pointer), RAX)
    code.add(RCX, -1)
    code.jump(turn, JUMP_GREATER_OR_EQUAL)
