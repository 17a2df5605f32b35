"""Basic blocks of kernels whose columns have positions of their own: elements gathered, and scattered.

Each position goes from its array to a general register, is checked there, and addresses one element. That takes about a
cycle for each; the processor's gather instruction takes longer, and has to be given all positions in a vector.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..machine.assembler import (
    JUMP_ABOVE_EQUAL,
    JUMP_NOT_EQUAL,
    MAP_0F,
    PF2,
    PF3,
    RAX,
    RCX,
    Assembler,
    Form,
    Memory,
    Pooled,
    is_word,
)
from .allocate import LANES_SET, LOAD, LOAD_ONE, STORE_ONE, Allocator
from .blocks import BROADCAST, EXTRACT_HALF, INSERT, INSERT_HALF, Generator
from .boundary import POINTERS
from .builder import FORMS, Value
from .functions import FUNCTIONS
from .language import SIZES, Array, Place, is_scattered
from .pieces import Piece
from .places import load_position

ADD_ONE = {4: Form(PF3, MAP_0F, 0x58), 8: Form(PF2, MAP_0F, 0x58, 1)}
FIRST = {4: (0xE4, 0x55, 0xAA, 0xFF), 8: (0xE4, 0x4E)}
"""The shuffles that move each lane of 16 bytes to the first one."""


class PlacedPiece(Piece):
    """A piece with inputs and outputs at positions."""

    def __init__(self, generator: Generator, pinned: dict[Value, int], rest: int = 0) -> None:
        """The arguments are those of every basic block."""
        super().__init__(generator, pinned, rest)
        self.shared: dict[tuple[tuple[Place, ...], int], int] | None = None
        self.filled: set[int | None] = set()  # the distances that an input has found, in all lanes

    def finish(self, rest: int = 0) -> None:
        """Write all steps."""
        self.filled = set()
        super().finish(rest)

    def read(self, array: Array) -> Value:
        """An array's current columns."""
        if array.at and is_scattered(array, self.generator.kernel):
            return self.read_chosen(array)
        return super().read(array)

    def write(self, array: Array) -> None:
        """Write the current columns of an output, or combine them with its old values."""
        if array.at and is_scattered(array, self.generator.kernel):
            self.scatter(array, self.generator.value(self, array.name))
            return
        super().write(array)

    def load_index(self, code: Assembler, index: Array, lane: int) -> None:
        """Load the position of a lane to RAX."""
        size, stride = SIZES[index.dtype], index.strides[-1]
        if not stride or self.generator.columns == 1:
            place = Memory(self.generator.pointer(index))
        elif stride == size:
            place = self.element(index)
            place = place._replace(offset=place.offset + lane * size)
        else:
            self.first_element(code, index)
            place = Memory(RAX, lane * stride)
        load_position(code, RAX, place, size)

    def word(self, array: Array) -> int:
        """The number of a vector of the frame for sums of positions, where an array needs it."""
        needed = len(array.at) > 1 or array.strides[-1] not in (0, SIZES[array.dtype])
        return self.generator.frame.new() if needed else 0

    def distances(self, array: Array) -> int | None:
        """The first vector of the frame for the distances of each lane's element, if several arrays share them."""
        if self.shared is None:
            self.shared = {}
            moved = [other for other in self.generator.kernel.arrays if is_scattered(other, self.generator.kernel)]
            keys = [(other.at, other.strides[-1]) for other in moved if len(other.at) > 1]
            for key in dict.fromkeys(key for key in keys if keys.count(key) > 1):
                count = 8 * self.generator.lanes // self.generator.vector
                self.shared[key] = min([self.generator.frame.new() for _ in range(count)])
        return self.shared.get((array.at, array.strides[-1]))

    def chosen(self, code: Assembler, array: Array, lane: int, word: Memory) -> Memory:
        """The memory of the element of a lane, which RAX addresses. A word of the frame holds sums of positions."""
        kept = self.distances(array)
        place = Memory(RAX) if kept is None else self.generator.frame.memory(kept)
        place = place._replace(offset=place.offset + 8 * lane)
        if kept in self.filled:
            code.load(RAX, place)
        else:
            self.find(code, array, lane, word)
            if kept is not None and array.role == "in":
                code.store(place, RAX)
        generator, size = self.generator, SIZES[array.dtype]
        step = array.strides[-1] if generator.columns > 1 else 0
        position = generator.number[array.name]
        if position < len(POINTERS):
            return Memory(POINTERS[position], lane * step, RAX, size)
        code.multiply(RAX, RAX, size)
        code.add_register(RAX, generator.words.at(position))
        return Memory(RAX, lane * step)

    def find(self, code: Assembler, array: Array, lane: int, word: Memory) -> None:
        """Load the distance of a lane's element to RAX, in elements, without that of the lane itself."""
        generator, size = self.generator, SIZES[array.dtype]
        known = {other.name: other for other in generator.kernel.arrays}
        step = array.strides[-1] if generator.columns > 1 else 0
        first = True
        if step not in (0, size):
            code.multiply(RAX, RCX, step // size)
            code.store(word, RAX)
            first = False
        for place in array.at:
            self.load_index(code, known[place.array], lane)
            inside, outside = code.new_label(), code.new_label()
            code.compare(RAX, place.size)
            code.jump(outside, JUMP_ABOVE_EQUAL)  # unsigned, so that negative numbers are too large
            code.place(inside)
            generator.outsiders.append((outside, inside, place.size))
            if place.stride != size:
                code.multiply(RAX, RAX, place.stride // size)
            if not first:
                code.add_register(RAX, word)
            if place is not array.at[-1]:
                code.store(word, RAX)
            first = False
        if step == size:
            code.add_register(RAX, RCX)

    def read_chosen(self, array: Array) -> Value:
        """The elements of an array at the positions of the current columns."""
        width, word = self.generator.width, self.word(array)

        def write(allocator: Allocator, register: int) -> None:
            code, lanes, half = allocator.assembler, self.rest or self.generator.lanes, 16 // width
            upper = register
            if lanes > half:
                upper = allocator.take()
                allocator.free.append(upper)
            for lane in range(lanes):
                target = upper if lane >= half else register
                place = self.chosen(code, array, lane, allocator.frame.memory(word))
                if lane % half:
                    code.vector(INSERT[width], target, target, place, lane % half, bits=128)
                else:
                    code.vector(LOAD_ONE[width], target, 0, place, bits=128)
            if lanes > half:
                code.vector(INSERT_HALF, register, register, upper, 1)
            kept = self.distances(array)
            if kept is not None:
                self.filled.add(kept)

        return self.loaded(array.dtype, write)

    def scatter(self, array: Array, value: Value) -> None:
        """Combine the current columns with the elements that their positions choose, one after the other."""
        word = self.word(array)
        if array.role in ("add", "out"):

            def write(allocator: Allocator) -> None:
                end, register = allocator.assembler.new_label(), allocator.in_register(value)
                # All registers at once: what is spilled for one is spilled whichever way the code goes.
                registers = register, *[allocator.take() for _ in range(3)]
                allocator.free += registers[1:]
                self.add_together(allocator.assembler, array, value, registers, end)
                self.one_by_one(allocator.assembler, array, value, registers, allocator.frame.memory(word))
                allocator.assembler.place(end)

            self.step(write, value)
            return
        for lane in range(self.generator.lanes):
            self.combine_one(array, value, lane, word)

    def one_by_one(self, code: Assembler, array: Array, value: Value, registers: Sequence[int], word: Memory) -> None:
        """Add, or write, each lane to the element at its position. The first register has the value."""
        width, (register, one, half, other) = self.generator.width, registers
        number = self.builder.integer_of(value)
        for lane in range(self.rest or self.generator.lanes):
            if number is not None and width == 8 and is_word(number) and array.role == "add":
                code.add(self.chosen(code, array, lane, word), number)
                continue
            source = register
            if value.kind != "constant":
                source = self.lane_first(code, lane, register, half, one)
            place = self.chosen(code, array, lane, word)
            if array.role == "out":
                code.vector(STORE_ONE[width], source, 0, place, bits=128)
                continue
            if array.dtype.startswith("float"):
                code.vector(ADD_ONE[width], one, source, place, bits=128)
            else:
                code.vector(LOAD_ONE[width], other, 0, place, bits=128)
                code.vector(FORMS[f"add.{array.dtype}"], one, source, other, bits=128)
            code.vector(STORE_ONE[width], one, 0, place, bits=128)

    def add_together(self, code: Assembler, array: Array, value: Value, registers: Sequence[int], end: int) -> None:
        """Where all columns have one position, add them to the element in a register, and jump to the end.

        Otherwise each addition waits until the one before is in memory, which takes four times as long. Sorted
        positions are so.
        """
        known = {other.name: other for other in self.generator.kernel.arrays}
        index, width = known[array.at[0].array], self.generator.width
        size = SIZES[index.dtype]
        alone = len(array.at) == 1 and not array.strides[-1] and index.strides[-1] == size
        if self.rest or not alone or array.role != "add" or not array.dtype.startswith("float"):
            return
        (register, one, half, total), apart = registers, code.new_label()
        place, nbytes = self.element(index), size * self.generator.lanes
        bits = min(256, 8 * nbytes)
        code.vector(BROADCAST[size], one, 0, place, bits=bits)
        code.vector(FORMS[f"equal.{index.dtype}"], half, one, place, bits=bits)
        if nbytes > 32:
            code.vector(FORMS[f"equal.{index.dtype}"], one, one, place._replace(offset=place.offset + 32))
            code.vector(FORMS["and"], half, half, one)
        code.vector(LANES_SET, RAX, 0, half, bits=bits)
        code.compare(RAX, (1 << bits // 32) - 1)
        code.jump(apart, JUMP_NOT_EQUAL)
        place = self.chosen(code, array, 0, place)
        code.vector(LOAD_ONE[width], total, 0, place, bits=128)
        for lane in range(self.generator.lanes):
            source = register if value.kind == "constant" else self.lane_first(code, lane, register, half, one)
            code.vector(ADD_ONE[width], total, total, source, bits=128)
        code.vector(STORE_ONE[width], total, 0, place, bits=128)
        code.jump(end)
        code.place(apart)

    def lane_first(self, code: Assembler, lane: int, register: int, half: int, one: int) -> int:
        """A register whose first lane is a lane of another one: that one, its upper half, or `one`."""
        lanes, width = 16 // self.generator.width, self.generator.width
        if lane == lanes:
            code.vector(EXTRACT_HALF, register, 0, half, 1)
        source = half if lane >= lanes else register
        if not lane % lanes:
            return source
        code.vector(FORMS["shuffle"], one, 0, source, FIRST[width][lane % lanes], bits=128)
        return one

    def combine_one(self, array: Array, value: Value, lane: int, word: int) -> None:
        """Combine one lane with the element that its position chooses; nothing behind the last column of a row."""
        width, kept = self.generator.width, self.generator.frame.new()

        def first(allocator: Allocator, target: int) -> None:
            code, register = allocator.assembler, allocator.in_register(value)
            source = register
            if lane >= 16 // width:
                code.vector(EXTRACT_HALF, register, 0, target, 1)
                source = target
            code.vector(FORMS["shuffle"], target, 0, source, FIRST[width][lane % (16 // width)], bits=128)

        def before(allocator: Allocator, target: int) -> None:
            code = allocator.assembler
            if self.rest and lane >= self.rest:
                code.vector(LOAD, target, 0, Pooled(bytes(self.generator.vector)))
                return
            place = self.chosen(code, array, lane, allocator.frame.memory(word))
            code.address(RAX, place)
            code.store(allocator.frame.memory(kept), RAX)
            code.vector(LOAD_ONE[width], target, 0, Memory(RAX), bits=128)

        one = self.loaded(array.dtype, first, value)
        new = FUNCTIONS[array.role](self.builder, self.loaded(array.dtype, before), one)

        def store(allocator: Allocator) -> None:
            register, code = allocator.in_register(new), allocator.assembler
            if not self.rest or lane < self.rest:
                code.load(RAX, allocator.frame.memory(kept))
                code.vector(STORE_ONE[width], register, 0, Memory(RAX), bits=128)

        self.step(store, new)
