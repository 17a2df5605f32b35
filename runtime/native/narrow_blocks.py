"""Basic blocks that read and write elements which are not in memory as in lanes: narrower ones, and those that lie
apart."""

from __future__ import annotations

from ..machine.assembler import (
    MAP_0F,
    MAP_0F3A,
    MAP_0F38,
    NONE,
    P66,
    RAX,
    Assembler,
    Form,
    Memory,
    Operand,
    Pooled,
)
from ..machine.vector_assembler import SHUFFLE
from .allocate import LOAD, STORE, WIDEN_HALVES, Allocator
from .blocks import AND, EXTRACT, EXTRACT_HALF, INSERT, OR, BasicBlock, behind
from .builder import FORMS
from .language import FLOAT16, SIZES, Array
from .windows import Status, lanes_inside

WIDEN_BYTES = {1: LOAD, **{width: Form(P66, MAP_0F38, opcode) for width, opcode in ((2, 0x30), (4, 0x31), (8, 0x32))}}
WIDEN = {
    (FLOAT16, 4): WIDEN_HALVES,
    ("int8", 2): Form(P66, MAP_0F38, 0x20),
    ("int8", 4): Form(P66, MAP_0F38, 0x21),
    ("int16", 4): Form(P66, MAP_0F38, 0x23),
    ("uint16", 4): Form(P66, MAP_0F38, 0x33),
}
"""What makes lanes of narrow numbers that are no plain bytes, by their dtypes and the bytes of a lane."""
STORE_WORD = {4: Form(P66, MAP_0F, 0x7E), 8: Form(P66, MAP_0F, 0x7E, 1)}
GREATER = {
    1: Form(P66, MAP_0F, 0x64), 2: Form(P66, MAP_0F, 0x65), 4: Form(P66, MAP_0F, 0x66), 8: Form(P66, MAP_0F38, 0x37, 1),
}  # fmt: skip
INSERT_HALF = Form(P66, MAP_0F3A, 0x38)
NARROW_WORDS, NARROW_BYTES = Form(P66, MAP_0F, 0x6B), Form(P66, MAP_0F, 0x63)
NARROW_UNSIGNED_WORDS, NARROW_UNSIGNED_BYTES = Form(P66, MAP_0F38, 0x2B), Form(P66, MAP_0F, 0x67)
NOWHERE = b"\x80"
"""For a shuffle: a byte that is 0."""
SHUFFLE_TWO = Form(NONE, MAP_0F, 0xC6)
MOVE_QUARTERS = Form(P66, MAP_0F3A, 0x00, 1)
EVERY_SECOND = {4: (SHUFFLE_TWO, 0xD8), 8: (Form(P66, MAP_0F, 0xC6), 0x0A)}
"""The even lanes of one register beside the odd lanes of another."""


def near_shuffles(lanes: int, stride: int, size: int) -> list[tuple[int, bytes]]:
    """How narrow elements are taken from few adjacent pieces of 16 bytes, of which the last one ends with the last
    element: where each piece is, and which of its bytes go where. Empty where elements are better loaded one by one."""
    reach = abs(stride) * (lanes - 1) + size
    count = -(-reach // 16)
    if stride % size or reach < 16 or lanes * size > 16 or 4 * count > lanes:
        return []
    begin = min(0, stride * (lanes - 1))
    firsts = [*range(0, 16 * count - 16, 16), reach - 16]
    orders = [bytearray(NOWHERE * 16) for _ in firsts]
    for lane in range(lanes):
        place = lane * stride - begin
        number = min(place // 16, count - 1)
        for byte in range(size):
            orders[number][lane * size + byte] = place + byte - firsts[number]
    return [(first + begin, bytes(order)) for first, order in zip(firsts, orders, strict=True)]


class NarrowBlock(BasicBlock):
    """A basic block with the instructions of AVX2 for such elements."""

    def every_second(self, allocator: Allocator, array: Array, register: int) -> None:
        """Load columns with one element between each two: the even ones of the first eight (or four) elements, the odd
        ones of the last eight, of which the very last is the last column."""
        code, width = allocator.assembler, self.generator.width
        self.first_element(code, array)
        code.vector(LOAD, register, 0, Memory(RAX))
        if width < 4:
            self.pack_halves(allocator, register, Memory(RAX, self.generator.vector - width))
            return
        shuffle, chosen = EVERY_SECOND[width]
        code.vector(shuffle, register, register, Memory(RAX, self.generator.vector - width), chosen)
        code.vector(MOVE_QUARTERS, register, 0, register, 0xD8)

    def pack_halves(self, allocator: Allocator, register: int, place: Memory) -> None:
        """Pack the even bytes (or words) of a register and the odd ones in memory."""
        code, width, odd = allocator.assembler, self.generator.width, allocator.take()
        allocator.free.append(odd)
        shift = FORMS[f"shift_right.int{16 * width}"]
        low = (b"\xff" * width + b"\0" * width) * (self.generator.vector // (2 * width))
        code.vector(LOAD, odd, 0, place)
        code.vector(AND, register, register, Pooled(low))
        code.vector(shift, shift.extension or 0, odd, odd, 8 * width)
        code.vector(NARROW_UNSIGNED_BYTES if width == 1 else NARROW_UNSIGNED_WORDS, register, register, odd)
        self.join_quarters(code, register, odd)

    def join_quarters(self, code: Assembler, register: int, spare: int) -> None:
        """Move the first halves of all 16 bytes before the second ones."""
        code.vector(MOVE_QUARTERS, register, 0, register, 0xD8)

    def gather(self, allocator: Allocator, array: Array, register: int) -> None:
        """Load elements that are not adjacent, 16 bytes of them at a time."""
        code, stride, size = allocator.assembler, array.strides[-1], SIZES[array.dtype]
        self.first_element(code, array)
        lanes, most = self.rest or self.generator.lanes, 16 // size
        others = [allocator.take() for _ in range(2)]
        allocator.free += others
        for first in range(0, lanes, most):
            target, place = others[0] if first else register, Memory(RAX, first * stride)
            self.gather_few(code, (target, others[1]), place, stride, size, min(most, lanes - first))
            if first:
                code.vector(INSERT_HALF, register, register, target, first // most)

    def gather_few(
        self, code: Assembler, registers: tuple[int, int], place: Memory, stride: int, size: int, lanes: int
    ) -> None:
        """Load elements of up to 16 bytes that are not adjacent to the first register: from whole pieces of memory, or
        one after the other."""
        (register, other), shuffles = registers, near_shuffles(lanes, stride, size)
        for number, (first, order) in enumerate(shuffles):
            target = other if number else register
            code.vector(LOAD, target, 0, behind(place, first), bits=128)
            code.vector(SHUFFLE, target, target, Pooled(order.ljust(self.generator.vector, NOWHERE)), bits=128)
            if number:
                code.vector(OR, register, register, other, bits=128)
        if not shuffles:
            code.vector(LOAD, register, 0, Pooled(bytes(self.generator.vector)), bits=128)
            for lane in range(lanes):
                code.vector(INSERT[size], register, register, behind(place, lane * stride), lane, bits=128)

    # Bools, bytes and halves, which are narrower in memory than in a vector

    def set_where_positive(self, code: Assembler, register: int) -> None:
        """Set all bits of the lanes that are positive, and none of the others."""
        code.vector(GREATER[self.generator.width], register, register, Pooled(bytes(self.generator.vector)))

    def widen(self, code: Assembler, array: Array, register: int, place: Operand) -> None:
        """Widen narrow elements to the lanes of a register."""
        code.vector(self.widening(array), register, 0, place)
        if array.dtype == "bool":
            self.set_where_positive(code, register)

    def widening(self, array: Array) -> Form:
        """The instruction that loads narrow elements."""
        width = self.generator.width
        return WIDEN.get((array.dtype, width), WIDEN_BYTES[width])

    def load_narrow(self, allocator: Allocator, array: Array, register: int, status: Status = True) -> None:
        """Load narrow elements, one for each lane that is inside of bounds."""
        code, size, place = allocator.assembler, SIZES[array.dtype], Memory(RAX)
        if array.strides[-1] == -size and status is True and not self.rest:
            self.widen(code, array, register, self.from_end(code, array))
            self.turn(code, register, register)
            return
        if array.strides[-1] == -size and self.generator.width < 4:
            self.widen(code, array, register, self.last_part(code, register, self.from_end(code, array), array))
            self.turn(code, register, register)
            return
        if array.strides[-1] != size:
            self.gather(allocator, array, register)
        elif (self.rest or status is not True) and self.generator.width < 4:
            place = self.part(code, register, self.element(array), *self.span(status, array))
            self.widen(code, array, register, place)
            return
        elif self.rest or status is not True:
            place = self.element(array)
            code.vector(LOAD, register, 0, Pooled(bytes(self.generator.vector)), bits=128)
            for lane in lanes_inside(status, self.generator.width) or range(self.rest):
                code.vector(INSERT[size], register, register, behind(place, size * lane), lane, bits=128)
        else:
            self.widen(code, array, register, self.element(array))
            return
        self.widen(code, array, register, register)

    def store_narrow(self, allocator: Allocator, array: Array, register: int) -> None:
        """Write narrow elements, one for each lane."""
        if array.strides[-1] != SIZES[array.dtype]:
            self.store_narrow_apart(allocator, array, register)
            return
        place, size = self.element(array), SIZES[array.dtype]
        if not self.rest:
            self.narrow(allocator, array, register, place)
            return
        narrow = self.narrowed(allocator, array, register)
        if self.generator.width < 4:
            self.store_part(allocator, narrow, place, size * self.rest)
            return
        for lane in range(self.rest):
            allocator.assembler.vector(EXTRACT[size], narrow, 0, behind(place, size * lane), lane, bits=128)

    def narrow(self, allocator: Allocator, array: Array, register: int, place: Memory) -> None:
        """Write all lanes of a register as narrow elements of an array."""
        code = allocator.assembler
        if array.dtype == FLOAT16:
            code.vector(FORMS["round_half"], register, 0, place, 0)
            return
        narrow, nbytes = self.narrowed(allocator, array, register), SIZES[array.dtype] * self.generator.lanes
        if nbytes >= 16:
            code.vector(STORE, narrow, 0, place, bits=8 * nbytes)
        else:
            code.vector(STORE_WORD[nbytes], narrow, 0, place, bits=128)

    def store_narrow_apart(self, allocator: Allocator, array: Array, register: int) -> None:
        """Write narrow elements that are not adjacent, one after the other."""
        self.store_each(allocator, array, self.narrowed(allocator, array, register))

    def store_apart(self, allocator: Allocator, array: Array, register: int, slot: int) -> None:
        """Write columns that are not adjacent, one after the other."""
        if self.generator.width > 2:
            super().store_apart(allocator, array, register, slot)
            return
        copied = allocator.take()
        allocator.free.append(copied)
        allocator.assembler.vector(LOAD, copied, 0, register)
        self.store_each(allocator, array, copied)

    def store_each(self, allocator: Allocator, array: Array, narrow: int) -> None:
        """Write the elements of a register one after the other. Overwrites it."""
        code, size = allocator.assembler, SIZES[array.dtype]
        self.first_element(code, array)
        for lane in range(self.rest or self.generator.lanes):
            if lane * size == 16:
                code.vector(EXTRACT_HALF, narrow, 0, narrow, 1)
            code.vector(EXTRACT[size], narrow, 0, Memory(RAX, lane * array.strides[-1]), lane % (16 // size), bits=128)

    def narrowed(self, allocator: Allocator, array: Array, register: int) -> int:
        """A register with the lanes of another one as narrow elements of an array."""
        code, narrow = allocator.assembler, allocator.take()
        allocator.free.append(narrow)
        if array.dtype == FLOAT16:
            code.vector(FORMS["round_half"], register, 0, narrow, 0)
            return narrow
        unsigned, width = array.dtype.startswith("uint"), self.generator.width
        if width > 1:
            code.vector(EXTRACT_HALF, register, 0, narrow, 1)
        if width == 4:
            words = NARROW_UNSIGNED_WORDS if unsigned else NARROW_WORDS
            code.vector(words, narrow, register, narrow, bits=128)
        elif width == 8:
            code.vector(SHUFFLE_TWO, narrow, register, narrow, 0x88, bits=128)
            code.vector(NARROW_WORDS, narrow, narrow, narrow, bits=128)
        if SIZES[array.dtype] == 1 < width:
            first = register if width == 2 else narrow
            code.vector(NARROW_UNSIGNED_BYTES if unsigned else NARROW_BYTES, narrow, first, narrow, bits=128)
        if array.dtype == "bool":
            code.vector(AND, narrow, narrow if width > 1 else register, Pooled(b"\x01" * self.generator.vector))
        return narrow

    def store_one_narrow(self, allocator: Allocator, array: Array, register: int, place: Memory) -> None:
        """Write the first lane as one narrow element."""
        narrow = self.narrowed(allocator, array, register)
        allocator.assembler.vector(EXTRACT[SIZES[array.dtype]], narrow, 0, place, 0, bits=128)
