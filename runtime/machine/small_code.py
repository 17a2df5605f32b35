"""The code of functions for a few small matrices (`small.py`), for one list of shapes each, with all loops unrolled.

Rows are vectors of 32 bytes. An inverse, or a solution, is found by Gauss-Jordan elimination with partial pivoting of
the matrix and the right-hand sides, on the stack. Products are in `small_product_code.py`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

import numpy as np

from ..records import NamedTuple
from .assembler import (
    JUMP_NOT_EQUAL,
    MAP_0F,
    MAP_0F3A,
    MAP_0F38,
    NONE,
    P66,
    PF2,
    PF3,
    R8,
    R9,
    R10,
    R11,
    RAX,
    RBP,
    RCX,
    RDX,
    RSI,
    RSP,
    Assembler,
    Form,
    Memory,
    Pooled,
    general_instruction,
)
from .executable import ALIGNED, C_CONTIGUOUS, DATA, DESCRIPTOR, DIMENSIONS, FLAGS, RANK, STRIDES, TYPE, WRITEABLE
from .python_calls import give
from .sizes import Shape

VECTOR = 32
JUMP_BELOW_OR_EQUAL = 0x86  # also where numbers do not compare
POINTERS = (R8, R9, R10)


class _Forms(NamedTuple):
    """The vector instructions for one dtype."""

    add: Form
    multiply: Form
    subtract: Form
    divide: Form
    larger: Form
    sqrt: Form
    compare: Form
    compare_first: Form
    load_first: Form
    store_first: Form
    broadcast: Form
    load_masked: Form
    add_product: Form
    subtract_product: Form


def _forms(size: int) -> _Forms:
    wide, all_of, first = int(size == 8), NONE if size == 4 else P66, PF3 if size == 4 else PF2
    arithmetic = [Form(all_of, MAP_0F, number) for number in (0x58, 0x59, 0x5C, 0x5E, 0x5F, 0x51, 0xC2, 0x2E)]
    others = (
        Form(first, MAP_0F, 0x10),
        Form(first, MAP_0F, 0x11),
        Form(P66, MAP_0F38, 0x18 + wide),
        Form(P66, MAP_0F38, 0x2C + wide),
        Form(P66, MAP_0F38, 0xB8, wide),
        Form(P66, MAP_0F38, 0xBC, wide),
    )
    return _Forms._make((*arithmetic, *others))


LOAD, STORE = Form(NONE, MAP_0F, 0x10), Form(NONE, MAP_0F, 0x11)
STORE_HALF = Form(NONE, MAP_0F, 0x13)  # 8 bytes
UPPER_HALF, NEXT_BYTES = Form(P66, MAP_0F3A, 0x19), Form(P66, MAP_0F, 0x73, 0, 3)
AND, OR, XOR = Form(NONE, MAP_0F, 0x54), Form(NONE, MAP_0F, 0x56), Form(NONE, MAP_0F, 0x57)
SIGNS = Form(NONE, MAP_0F, 0x50)
ADD_NEIGHBOURS = {4: Form(PF2, MAP_0F, 0x7C), 8: Form(P66, MAP_0F, 0x7C)}
UNORDERED = 3


def assemble(what: str, dtype: str, shapes: Sequence[Shape], general: int | None = None) -> bytes:
    """The code of a function, as `small.compile_small` describes it. `general` is where the address of one for all
    shapes stands, which gets what this one refuses."""
    return Code(np.dtype(dtype), shapes).function(what, general)


class Code:
    """Writes one function."""

    products = False

    def __init__(self, dtype: np.dtype, shapes: Sequence[Shape]) -> None:
        self.code = Assembler()
        self.dtype = dtype
        self.size = dtype.itemsize
        self.lanes = VECTOR // self.size
        self.forms = _forms(self.size)
        self.shapes = shapes
        self.refused = self.unfit = self.code.new_label()

    def body(self, what: str) -> int:
        """Write the body of the function with this name. Returns the bytes on the stack."""
        return self.cholesky() if what == "cholesky" else self.solution()

    def function(self, what: str, general: int | None) -> bytes:
        """The whole function: its entry, the body, and the exits."""
        code = self.code
        if general is not None:
            self.unfit = code.new_label()
        code.push(RBP)
        code.load(RBP, RSP)
        frame = len(code.code) + 3  # where the size of the stack frame stands
        code.add(RSP, -(1 << 20))
        code.bit_and(RSP, -VECTOR)
        self.look()
        nbytes = self.body(what)
        struct.pack_into("<i", code.code, frame, -nbytes)
        code.zero_upper()
        give(code, True, ())
        code.place(self.refused)
        code.zero_upper()
        if general is not None:  # the arguments are still where they were
            code.address(RSP, Memory(RBP))
            code.pop(RBP)
            code.constant(RDX, len(self.shapes))
            code.constant(RAX, general)
            code.load(RAX, Memory(RAX))
            code.jump_to(RAX)
            code.place(self.unfit)
        give(code, False, ())
        return code.finish()

    # Entry

    def transposable(self, number: int) -> bool:
        """Whether an array may be a transposed view: the matrices of a product may."""
        shape = self.shapes[number][-2:]
        return self.products and number < 2 and len(shape) == 2 and min(shape) > 1

    def required(self, number: int) -> int:
        """The flags that an array needs."""
        if self.transposable(number):
            return ALIGNED
        return ALIGNED | C_CONTIGUOUS | (WRITEABLE if number == len(self.shapes) - 1 else 0)

    def by_layout(self, number: int, body: Callable[[bool], None]) -> None:
        """Write the code for matrices that are transposed, with True, and for those that are not."""
        code, plain, done = self.code, self.code.new_label(), self.code.new_label()
        code.load_word(RAX, Memory(POINTERS[number], FLAGS))
        code.bit_and(RAX, C_CONTIGUOUS)
        code.jump(plain, JUMP_NOT_EQUAL)
        self.refuse_other_strides(POINTERS[number], self.shapes[number])
        body(True)
        code.jump(done)
        code.place(plain)
        body(False)
        code.place(done)

    def look(self) -> None:
        """Refuse all but arrays of the declared shapes; load their addresses."""
        code = self.code
        code.compare(RDX, len(self.shapes))
        code.jump(self.unfit, JUMP_NOT_EQUAL)
        code.constant(RCX, id(np.ndarray))
        code.constant(RDX, id(self.dtype))
        for number, (register, shape) in enumerate(zip(POINTERS, self.shapes, strict=False)):
            code.load(register, Memory(RSI, 8 * number))
            for known, offset in ((RCX, TYPE), (RDX, DESCRIPTOR)):
                code.compare_registers(known, Memory(register, offset))
                code.jump(self.refused, JUMP_NOT_EQUAL)
            code.load_word(RAX, Memory(register, FLAGS))
            needed = self.required(number)
            code.bit_and(RAX, needed)
            code.compare(RAX, needed)
            code.jump(self.refused, JUMP_NOT_EQUAL)
            code.compare_word(Memory(register, RANK), len(shape))
            code.jump(self.refused, JUMP_NOT_EQUAL)
            code.load(RAX, Memory(register, DIMENSIONS))
            for axis, extent in enumerate(shape):
                code.compare(Memory(RAX, 8 * axis), extent, scratch=R11)
                code.jump(self.refused, JUMP_NOT_EQUAL)

    def refuse_other_strides(self, register: int, shape: Shape) -> None:
        """Refuse an array whose matrices are not transposed, one behind the other."""
        code, nbytes = self.code, self.size
        code.load(RAX, Memory(register, STRIDES))
        axes = [len(shape) - 2, len(shape) - 1, *range(len(shape) - 3, -1, -1)]
        for axis in axes:
            if shape[axis] > 1:
                code.compare(Memory(RAX, 8 * axis), nbytes, scratch=R11)
                code.jump(self.refused, JUMP_NOT_EQUAL)
            nbytes *= shape[axis]

    def point(self, *registers: int) -> None:
        """Replace arrays by the addresses of their elements."""
        for register in registers:
            self.code.load(register, Memory(register, DATA))

    # Vectors

    def row(self, base: int, offset: int, columns: int) -> list[tuple[int, Memory, bool]]:
        """The vectors of a row: which, where, and whether it is whole."""
        count = -(-columns // self.lanes)
        return [
            (vector, Memory(base, offset + vector * VECTOR), (vector + 1) * self.lanes <= columns)
            for vector in range(count)
        ]

    def mask(self, columns: int) -> Pooled:
        """The lanes of the last vector of a row."""
        left = columns % self.lanes * self.size
        return Pooled(b"\xff" * left + bytes(VECTOR - left))

    def load(self, register: int, place: Memory, whole: bool, mask: int) -> None:
        """Load a vector, or the lanes of a mask."""
        if whole:
            self.code.vector(LOAD, register, 0, place)
        else:
            self.code.vector(self.forms.load_masked, register, mask, place)

    def store(self, register: int, place: Memory, nbytes: int) -> None:
        """Store the first bytes of a vector, which is lost."""
        code, offset = self.code, place.offset
        for width, form in ((32, STORE), (16, STORE), (8, STORE_HALF), (4, self.forms.store_first)):
            if nbytes < width:
                continue
            code.vector(form, register, 0, Memory(place.base, offset), bits=256 if width == 32 else 128)
            nbytes, offset = nbytes - width, offset + width
            if not nbytes:
                return
            if width == 16:  # the operands of this instruction are the other way around
                code.vector(UPPER_HALF, register, 0, register, 1)
            else:
                code.vector(NEXT_BYTES, 3, register, register, width, bits=128)

    def store_row(self, registers: Sequence[int], target: int, row: int, rows: int, columns: int) -> None:
        """Store a row of `rows`. What is behind its end is overwritten by the rows that follow it."""
        for vector, register in enumerate(registers):
            first = row * columns + vector * self.lanes
            left = columns - vector * self.lanes
            if first + self.lanes <= rows * columns:
                left = self.lanes
            self.store(register, Memory(target, first * self.size), min(left, self.lanes) * self.size)

    def add_lanes(self, first: int, count: int, bits: int) -> None:
        """Leave the sums of the lanes of some registers in the first one, side by side: at most 16 bytes of them."""
        code, form = self.code, ADD_NEIGHBOURS[self.size]
        for left in range(0, count, 2):
            code.vector(form, first + left, first + left, first + min(left + 1, count - 1), bits=bits)
        if self.size == 4:
            code.vector(form, first, first, first + 2 * (count > 2), bits=bits)
        if bits == VECTOR * 8:
            code.vector(UPPER_HALF, first, 0, first + 1, 1)
            code.vector(self.forms.add, first, first, first + 1, bits=128)

    def move(self, target: Memory, source: Memory) -> None:
        """Move an element."""
        if self.size == 8:
            self.code.load(RAX, source)
            self.code.store(target, RAX)
        else:
            self.code.load_word(RAX, source)
            self.code.code += general_instruction((0x89,), RAX, target, wide=False)

    # Stacks

    def each(self, steps: Sequence[tuple[int, int]], body: Callable[[], None]) -> None:
        """Run the body for each matrix of a stack; registers and their bytes from one to the next."""
        code, count = self.code, int(np.prod(self.shapes[-1][:-2]))
        again = code.new_label()
        if count > 1:
            code.constant(R11, count)
            code.place(again)
        body()
        if count > 1:
            for register, nbytes in steps:
                code.add(register, nbytes)
            code.add(R11, -1)
            code.jump(again, JUMP_NOT_EQUAL)

    # Elimination

    def solution(self) -> int:
        """out = inverse(a), or the solution of a @ out = b. Returns the bytes on the stack."""
        pointers = POINTERS[: len(self.shapes)]
        self.point(*pointers)
        size, columns = self.shapes[0][-1], self.shapes[-1][-1]
        bytes_of = [shape[-2] * shape[-1] * self.size for shape in self.shapes]
        self.each(list(zip(pointers, bytes_of, strict=True)), lambda: self.eliminate(size, columns))
        return 2 * size * 2 * VECTOR

    def eliminate(self, size: int, columns: int) -> None:
        """The solution for one matrix. A row of the matrix is followed by a row of right-hand sides."""
        code, forms = self.code, self.forms
        given = -(-size // self.lanes)  # vectors
        total = given + -(-columns // self.lanes)
        stride = total * VECTOR
        self.spread_rows(size, columns, given, stride)
        code.vector(XOR, 12, 12, 12, bits=128)  # the largest pivot
        code.vector(XOR, 13, 13, 13)  # where results are nan
        code.vector(LOAD, 14, 0, Pooled((b"\xff" * (self.size - 1) + b"\x7f") * self.lanes))  # all bits but the sign
        for k in range(size):
            self.choose(k, size, stride)
            pivot = Memory(RSP, k * stride + k * self.size)
            for vector in range(total):
                here, there = k * stride + vector * VECTOR, Memory(RSP, vector * VECTOR, RCX)
                code.vector(LOAD, vector, 0, there)
                code.vector(LOAD, 4, 0, Memory(RSP, here))
                code.vector(STORE, 4, 0, there)
                code.vector(STORE, vector, 0, Memory(RSP, here))
            code.vector(forms.broadcast, 4, 0, pivot)
            needed = [each for each in range(total) if each >= given or (each + 1) * self.lanes > k + 1]
            for vector in needed:
                code.vector(forms.divide, vector, vector, 4)
                code.vector(STORE, vector, 0, Memory(RSP, k * stride + vector * VECTOR))
            for row in range(size):
                if row == k:
                    continue
                code.vector(forms.broadcast, 4, 0, Memory(RSP, row * stride + k * self.size))
                for vector in needed:
                    place = Memory(RSP, row * stride + vector * VECTOR)
                    code.vector(LOAD, 5, 0, place)
                    code.vector(forms.subtract_product, 5, 4, vector)
                    code.vector(STORE, 5, 0, place)
        for row in range(size):
            for vector in range(given, total):
                code.vector(LOAD, vector - given, 0, Memory(RSP, row * stride + vector * VECTOR))
                code.vector(forms.compare, 5, vector - given, vector - given, UNORDERED)
                code.vector(OR, 13, 13, 5)
            self.store_row(range(total - given), POINTERS[len(self.shapes) - 1], row, size, columns)
        code.vector(SIGNS, RAX, 0, 13)
        code.compare(RAX, 0)
        code.jump(self.refused, JUMP_NOT_EQUAL)

    def spread_rows(self, size: int, columns: int, given: int, stride: int) -> None:
        """Copy rows of the matrix, and of right-hand sides or the identity, to the stack."""
        code = self.code
        for register, row_size, mask, first in ((R8, size, 15, 0), (R9, columns, 14, given)):
            if first and len(self.shapes) == 2:
                for row in range(size):
                    one = np.eye(1, -(-columns // self.lanes) * self.lanes, row, dtype=self.dtype).tobytes()
                    for vector in range(len(one) // VECTOR):
                        code.vector(LOAD, 0, 0, Pooled(one[vector * VECTOR : (vector + 1) * VECTOR]))
                        code.vector(STORE, 0, 0, Memory(RSP, row * stride + (first + vector) * VECTOR))
                continue
            if row_size % self.lanes:
                code.vector(LOAD, mask, 0, self.mask(row_size))
            for row in range(size):
                for vector, place, whole in self.row(register, row * row_size * self.size, row_size):
                    self.load(0, place, whole, mask)
                    code.vector(STORE, 0, 0, Memory(RSP, row * stride + (first + vector) * VECTOR))

    def choose(self, k: int, size: int, stride: int) -> None:
        """Choose the row with the largest number in column k, and load its offset into RCX; refuse one that is almost
        zero."""
        code, forms = self.code, self.forms
        code.constant(RCX, k * stride)
        code.vector(forms.load_first, 0, 0, Memory(RSP, k * stride + k * self.size), bits=128)
        code.vector(AND, 0, 0, 14, bits=128)
        for row in range(k + 1, size):
            smaller = code.new_label()
            code.vector(forms.load_first, 1, 0, Memory(RSP, row * stride + k * self.size), bits=128)
            code.vector(AND, 1, 1, 14, bits=128)
            code.vector(forms.compare_first, 1, 0, 0, bits=128)
            code.jump(smaller, JUMP_BELOW_OR_EQUAL)
            code.vector(LOAD, 0, 0, 1, bits=128)
            code.constant(RCX, row * stride)
            code.place(smaller)
        self.refuse_tiny()

    def refuse_tiny(self) -> None:
        """Refuse if the number in register 0 is not positive, or tiny beside the largest one, which is in register 12.

        Then a matrix is singular, or so close to it that rounding decides what is found.
        """
        code, forms = self.code, self.forms
        code.vector(forms.larger, 12, 12, 0, bits=128)
        tiny = np.full(self.lanes, 64 * np.finfo(self.dtype).eps, self.dtype)
        code.vector(forms.multiply, 1, 12, Pooled(tiny.tobytes()), bits=128)
        code.vector(forms.compare_first, 0, 0, 1, bits=128)
        code.jump(self.refused, JUMP_BELOW_OR_EQUAL)

    # Cholesky

    def cholesky(self) -> int:
        """The lower triangular factors. Returns the bytes on the stack."""
        self.point(R8, R9)
        size = self.shapes[0][-1]
        nbytes = size * size * self.size
        self.each([(R8, nbytes), (R9, nbytes)], lambda: self.factor(size))
        return size * 2 * VECTOR

    def factor(self, size: int) -> None:
        """The factor of one matrix: of its symmetric part, whose rows are reduced one after the other."""
        code, forms, width = self.code, self.forms, self.size
        vectors = -(-size // self.lanes)
        stride = vectors * VECTOR

        def at(row: int, column: int) -> Memory:
            return Memory(RSP, row * stride + column * width)

        code.vector(LOAD, 15, 0, Pooled(np.full(self.lanes, 0.5, self.dtype).tobytes()))
        code.vector(XOR, 0, 0, 0)
        for row in range(size):
            code.vector(STORE, 0, 0, Memory(RSP, row * stride + stride - VECTOR))
        for row in range(size):
            self.move(at(row, row), Memory(R8, row * (size + 1) * width))
            for column in range(row):
                code.vector(forms.load_first, 0, 0, Memory(R8, (row * size + column) * width), bits=128)
                code.vector(forms.load_first, 1, 0, Memory(R8, (column * size + row) * width), bits=128)
                code.vector(forms.add, 0, 0, 1, bits=128)
                code.vector(forms.multiply, 0, 0, 15, bits=128)
                for place in (at(row, column), at(column, row)):
                    code.vector(forms.store_first, 0, 0, place, bits=128)
        code.vector(XOR, 12, 12, 12, bits=128)
        for row in range(size):
            code.vector(forms.load_first, 0, 0, at(row, row), bits=128)
            self.refuse_tiny()
            code.vector(forms.broadcast, 4, 0, at(row, row))
            code.vector(forms.sqrt, 4, 0, 4)
            needed = [each for each in range(vectors) if (each + 1) * self.lanes > row]
            for vector in needed:
                place = Memory(RSP, row * stride + vector * VECTOR)
                code.vector(LOAD, vector, 0, place)
                code.vector(forms.divide, vector, vector, 4)
                code.vector(STORE, vector, 0, place)
            code.vector(forms.store_first, 4, 0, at(row, row), bits=128)
            for other in range(row + 1, size):
                code.vector(forms.broadcast, 4, 0, at(row, other))
                for vector in needed:
                    place = Memory(RSP, other * stride + vector * VECTOR)
                    code.vector(LOAD, 5, 0, place)
                    code.vector(forms.subtract_product, 5, 4, vector)
                    code.vector(STORE, 5, 0, place)
        for row in range(size):
            for column in range(size):
                target = Memory(R9, (row * size + column) * width)
                if column <= row:
                    self.move(target, at(column, row))
                else:
                    self.zero(target)

    def zero(self, target: Memory) -> None:
        """Store zero in an element."""
        self.code.code += general_instruction((0xC7,), 0, target, wide=self.size == 8) + bytes(4)
