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
from ..records import NamedTuple
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
from .python_calls import call, give, hold, let_others_run, release, run_again
from .sizes import COLUMN_PRODUCTS, FEW_COLUMNS, LEADING, ROW_NBYTES, ROW_PRODUCTS
from .wide_assembler import JUMP_GREATER, JUMP_GREATER_OR_EQUAL, JUMP_LESS_OR_EQUAL, WIDTH, WideAssembler

if TYPE_CHECKING:
    from .product_sharing import SharedPieces

UNPACKED_ROWS = 384
"""A product of at most this number of rows reads the rows of the second operand where they are, because packing them
gains nothing: 64x784 by 784x512 runs at 228 GF/s so, and at 201 packed."""
UNPACKED_SHORT, SHORT = 96, 128
"""The same if the second operand has at most `SHORT` rows: the result takes the place of what is read in the cache."""
UNPACKED_APART = 32
"""The same if rows of the second operand are pages apart: 64x1024x1024 runs at 235 GF/s so, and at 252 packed."""
FEW_ROWS = 24
"""For at most this number of rows one panel at a time is packed: it fits the first-level cache, and is 37 kB in all."""
NEAR, APART = 3 << 19, 1 << 12
"""A second operand of at most so many bytes is in the caches. Its rows further down are prefetched, not the next panel:
unless the distance of rows is a multiple of a page, whose lines take each other's places in the cache."""
FAR_ROWS = 192
"""At most this number of rows of `a` read another `b` in longer pieces."""
FAR_PARTS = ((8, 3 << 18, 32), (24, NEAR, 32), (8, NEAR, 16))
FAR_NBYTES, LONG_ROW = 288 * WIDTH, 1 << 12
"""Rows of `a` at most, bytes of `b` at least, and rows of its parts: few rows of `a` use each byte once, and it is far.
Parts of some whole rows of `b`, up to so many bytes, go on side by side, and a processor foresees what is read; where
rows are short and apart it does not. 4x768 by 768x3072 reads 24 GB/s so, and 19 in parts of 200 rows."""
MOST_PARTS = 256
"""Such parts of a sum at most: they are added one after the other, so errors would grow with their number."""
COPIED = 32
"""The rows and columns of a transposed `a` whose rows are copied, at least."""
RELEASING = 1 << 20
"""A call with this number of multiplications in all, or more, lets other threads run."""
SAVED = (RBX, R12, R13, R14, R15)
HELD = [FrameWords.at(FrameWords.HELD + position) for position in range(4)]


class ProductParts(NamedTuple):
    """How many rows of `b` a part has at most, and how many bytes of each; `far`: the same for a large `b` that few
    rows of `a` use, and for a transposed `a`, if it differs."""

    depth: int
    nbytes: int
    far: tuple[int, int] | None = None


class ProductBoundary:
    """Writes the entry and the exits of a product.

    Functions without `parts` pack nothing. `first_nbytes` is the place behind the scratch of a part of `b` for a column
    of `a`. `threads` share the product.
    """

    arrays = 3
    words = FrameWords
    beside = 0
    """Bytes of the frame behind its words."""
    panel = 3 * WIDTH
    """Bytes of a row of the largest panel of `b`."""
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

    def _choose_packing(self) -> None:
        """Choose the sizes of parts of b, and whether they are packed: not (0), as they are (1), or transposed (2)."""
        code, at = self.code, FrameWords.at
        straight, chosen, far = code.new_label(), code.new_label(), code.new_label()
        code.store_number(at(FrameWords.IS_NEAR), 0)
        code.load(RAX, at(FrameWords.B_ROWS))
        code.bit_and(RAX, APART - 1)
        code.compare(RAX, 0)
        code.jump(far, JUMP_EQUAL)
        code.load(RAX, at(FrameWords.K))
        code.multiply_registers(RAX, at(FrameWords.N))
        code.compare(RAX, NEAR // self.size)
        code.jump(far, JUMP_GREATER)
        code.store_number(at(FrameWords.IS_NEAR), 1)
        code.place(far)
        code.store_number(at(FrameWords.PACKING), 0)
        code.compare(at(FrameWords.B_COLUMNS), self.size)
        code.jump(straight, JUMP_EQUAL)
        code.store_number(at(FrameWords.PACKING), 2)
        code.jump(chosen)
        code.place(straight)
        self._leave_unpacked(chosen)
        code.compare(at(FrameWords.N), self.panel // self.size)
        code.jump(chosen, JUMP_LESS_OR_EQUAL)
        code.store_number(at(FrameWords.PACKING), 1)
        code.place(chosen)
        if self.parts:
            self._divide(self.parts)

    def _divide(self, parts: ProductParts) -> None:
        """Set the sizes of parts."""
        code, at = self.code, FrameWords.at
        near, far, many = (code.new_label() for _ in range(3))
        code.constant(R8, parts.depth)
        code.constant(R9, parts.nbytes // self.size)
        if parts.far:
            code.compare(at(FrameWords.A_COLUMNS), self.size)
            code.jump(far, JUMP_NOT_EQUAL)
            code.compare(at(FrameWords.M), FAR_ROWS)
            code.jump(near, JUMP_GREATER)
            code.load(RAX, at(FrameWords.K))
            code.multiply_registers(RAX, at(FrameWords.N))
            code.compare(RAX, NEAR // self.size)
            code.jump(near, JUMP_LESS_OR_EQUAL)
            code.place(far)
            code.constant(R8, parts.far[0])
            code.constant(R9, parts.far[1] // self.size)
            code.place(near)
        self._divide_by_rows()
        code.compare(at(FrameWords.PACKING), 2)
        code.jump(many, JUMP_NOT_EQUAL)
        code.compare(at(FrameWords.M), FEW_ROWS)
        code.jump(many, JUMP_GREATER)
        code.constant(R8, (parts.far or parts)[0] // 2)
        code.constant(R9, 3 * WIDTH // self.size)
        code.place(many)
        self._equal_parts(FrameWords.MOST_DEPTHS, FrameWords.K, R8, 1)
        self._equal_parts(FrameWords.MOST_COLUMNS, FrameWords.N, R9, self.panel // self.size)
        self._choose_copies()

    def _divide_by_rows(self) -> None:
        """Choose parts of a few whole rows of `b` where a few rows of `a` use it: R8 rows, R9 columns."""
        if self.parts is None or not self.parts.far:
            return
        code, at = self.code, FrameWords.at
        long, others = code.new_label(), code.new_label()
        code.compare(at(FrameWords.PACKING), 0)
        code.jump(others, JUMP_NOT_EQUAL)
        code.multiply(RAX, at(FrameWords.N), self.size)
        code.compare_registers(RAX, at(FrameWords.B_ROWS))
        code.jump(long, JUMP_EQUAL)
        code.compare(RAX, LONG_ROW)
        code.jump(others, JUMP_LESS)
        code.place(long)
        code.multiply_registers(RAX, at(FrameWords.K))
        for rows, nbytes, depth in FAR_PARTS:
            more = code.new_label()
            code.compare(at(FrameWords.M), rows)
            code.jump(more, JUMP_GREATER)
            code.compare(RAX, nbytes)
            code.jump(more, JUMP_LESS)
            code.compare(at(FrameWords.K), MOST_PARTS * depth)
            code.jump(more, JUMP_GREATER)
            code.constant(R8, depth)
            code.constant(R9, FAR_NBYTES // self.size)
            code.place(more)
        code.place(others)

    def _equal_parts(self, word: int, whole: int, most: int, unit: int) -> None:
        """Set a word to the size of about equal parts, a multiple of `unit`; `most` is a register."""
        code, at = self.code, FrameWords.at
        code.load(RAX, at(whole))
        code.add(RAX, -1)
        code.constant(RDX, 0)
        code.divide_by(most)
        code.add(RAX, 1)
        code.multiply(RCX, RAX, unit)
        code.load(RAX, at(whole))
        code.add(RAX, -1)
        code.constant(RDX, 0)
        code.divide_by(RCX)
        code.add(RAX, 1)
        code.multiply(RAX, RAX, unit)
        code.store(at(word), RAX)

    def _choose_copies(self) -> None:
        """Choose whether rows of a transposed `a` are copied with the first panel: columns that are far apart do not
        stay in the cache until the next one. 1024 by 128 by 1024 runs at 246 GF/s where they are, and at 256 copied."""
        code, at, none = self.code, FrameWords.at, self.code.new_label()
        code.store_number(at(FrameWords.COPIES), 0)
        for word, number, condition in (
            (FrameWords.A_ROWS, self.size, JUMP_NOT_EQUAL), (FrameWords.A_COLUMNS, self.size, JUMP_EQUAL),
            (FrameWords.K, COPIED, JUMP_LESS), (FrameWords.M, COPIED, JUMP_LESS),
            (FrameWords.N, 4 * WIDTH // self.size, JUMP_LESS_OR_EQUAL),
        ):  # fmt: skip
            code.compare(at(word), number)
            code.jump(none, condition)
        code.store_number(at(FrameWords.COPIES), 1)
        code.place(none)

    def _leave_unpacked(self, chosen: int) -> None:
        """Jump if so few rows of `a` use each row of `b` that packing does not pay."""
        code, at = self.code, FrameWords.at
        deep, near = code.new_label(), code.new_label()
        code.load(RAX, at(FrameWords.B_ROWS))
        code.bit_and(RAX, APART - 1)
        code.jump(near, JUMP_NOT_EQUAL)
        code.compare(at(FrameWords.M), UNPACKED_APART)
        code.jump(deep, JUMP_GREATER)
        code.place(near)
        code.compare(at(FrameWords.M), UNPACKED_SHORT)
        code.jump(chosen, JUMP_LESS_OR_EQUAL)
        code.compare(at(FrameWords.K), SHORT)
        code.jump(deep, JUMP_LESS_OR_EQUAL)
        code.compare(at(FrameWords.M), UNPACKED_ROWS)
        code.jump(chosen, JUMP_LESS_OR_EQUAL)
        code.place(deep)

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
