"""Basic blocks of kernels whose columns have positions of their own: elements gathered, and scattered.

Each position goes from its array to a general register, is checked there, and addresses one element. That takes about a
cycle for each; the processor's gather instruction takes longer. Positions of several axes, and those of several arrays,
are checked and become distances as vectors, which are written to the frame. From there they go to the register.
"""

from __future__ import annotations

import math
import struct
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
from .allocate import LANES_SET, LOAD, LOAD_ONE, STORE, STORE_ONE, Allocator
from .blocks import BROADCAST, EXTRACT_HALF, FEW_BYTES, HALF, INSERT, MOVE_WORD, Generator, behind
from .boundary import POINTERS
from .builder import FORMS, Value
from .functions import FUNCTIONS
from .language import SIZES, Array, Place, is_scattered
from .narrow_blocks import INSERT_HALF, MOVE_QUARTERS, SHUFFLE_TWO
from .pieces import Piece
from .places import SPREAD, load_position

FEW_ARRAYS = 2  # at positions of one axis: a vector of distances takes longer to write and read
ADD_ONE = {4: Form(PF3, MAP_0F, 0x58), 8: Form(PF2, MAP_0F, 0x58, 1)}
FIRST = {4: (0xE4, 0x55, 0xAA, 0xFF), 8: (0xE4, 0x4E)}
"""The shuffles that move each lane of 16 bytes to the first one."""


class PlacedPiece(Piece):
    """A piece with inputs and outputs at positions."""

    def __init__(self, generator: Generator, pinned: dict[Value, int], rest: int = 0) -> None:
        """The arguments are those of every basic block."""
        super().__init__(generator, pinned, rest)
        self.found: dict[tuple[tuple[Place, ...], int, int], int] = {}  # the vectors of the frame with distances
        kernel = generator.kernel
        # Distances are in bytes where pointers are in memory: there they are added, which scales nothing.
        self.in_bytes = len(kernel.arrays) > len(POINTERS) and all(
            math.prod(array.shape) * SIZES[array.dtype] < 1 << 31 for array in kernel.arrays if array.at
        )

    def read(self, array: Array) -> Value:
        """An array's current columns."""
        exchanged = array.name in self.generator.together and self.whole
        if array.at and not exchanged and is_scattered(array, self.generator.kernel):
            return self.read_chosen(array)
        return super().read(array)

    def write(self, array: Array) -> None:
        """Write the current columns of an output, or combine them with its old values."""
        if array.at and is_scattered(array, self.generator.kernel):
            self.scatter(array, self.generator.value(self, array.name))
            return
        super().write(array)

    def step_of(self, array: Array) -> int:
        """The bytes from one column of an array to the next, beside what positions say."""
        return array.strides[-1] if self.generator.columns > 1 else 0

    def unit(self, array: Array) -> int:
        """The bytes that distances of elements of an array count."""
        return 1 if self.in_bytes else SIZES[array.dtype]

    def distances(self, array: Array) -> int:
        """The vector of the frame with the distance of each lane's element, which arrays at one place share; -1 if each
        position is found for itself."""
        if array.name in self.generator.computed:
            return -1
        key = array.at, self.step_of(array), self.unit(array)
        if len(array.at) == 1 and key[1] in (0, key[2]):
            alike = [other for other in self.generator.kernel.arrays if other.at == array.at]
            if len(alike) <= FEW_ARRAYS:
                return -1
        if key not in self.found:
            slot = self.found[key] = self.generator.frame.new()
            self.step(lambda allocator: self.find(allocator, array, slot))
        return self.found[key]

    def find(self, allocator: Allocator, array: Array, slot: int) -> None:
        """Write the distances of the lanes' elements, of 32 bits each, to the frame, without what columns add from lane
        to lane."""
        code, unit, lanes = allocator.assembler, self.unit(array), self.generator.lanes
        known = {other.name: other for other in self.generator.kernel.arrays}
        bits, step = 32 * lanes, self.step_of(array)
        total, one, other = [allocator.take() for _ in range(3)]
        allocator.free += [total, one, other]
        if step:
            code.multiply(RAX, RCX, step // unit)
            code.vector(MOVE_WORD, total, 0, RAX, bits=128)
            code.vector(SPREAD[4], total, 0, total, bits=bits)

        def number(value: int) -> Pooled:
            return Pooled(struct.pack("<i", value) * 8)

        for place in array.at:
            first = place is array.at[0] and not step
            target = total if first else one
            self.load_positions(code, known[place.array], target, other)
            # As unsigned numbers, those that count from the end are the largest ones; any outside become the last one.
            if not place.last:
                code.vector(FORMS["add.int32"], other, target, number(place.size), bits=bits)
                code.vector(FORMS["smaller.uint32"], target, target, other, bits=bits)
            code.vector(FORMS["smaller.uint32"], target, target, number(place.size - 1), bits=bits)
            if place.stride != unit:
                code.vector(FORMS["multiply.int32"], target, target, number(place.stride // unit), bits=bits)
            if not first:
                code.vector(FORMS["add.int32"], total, total, one, bits=bits)
        code.vector(STORE, total, 0, allocator.frame.memory(slot), bits=bits)

    def load_positions(self, code: Assembler, index: Array, register: int, other: int) -> None:
        """Load the low halves of the current columns' positions, or all of them if they have 32 bits."""
        size, stride, lanes = SIZES[index.dtype], index.strides[-1], self.generator.lanes
        bits, half = 32 * lanes, min(lanes, 4)
        if not stride or self.generator.columns == 1:
            code.vector(BROADCAST[4], register, 0, Memory(self.generator.pointer(index)), bits=bits)
        elif stride == 4 and not self.rest:
            code.vector(LOAD, register, 0, self.element(index), bits=bits)
        elif stride == size and not self.rest:
            place = self.element(index)
            code.vector(LOAD, register, 0, place, bits=bits)
            second = behind(place, bits // 8)
            code.vector(SHUFFLE_TWO, register, register, second, 0x88, bits=bits)
            if lanes > half:
                code.vector(MOVE_QUARTERS, register, 0, register, 0xD8)
        else:
            self.first_element(code, index)
            count = self.rest or lanes
            for lane in range(count):
                target, place = register if lane < half else other, Memory(RAX, lane * stride)
                if lane % half:
                    code.vector(INSERT[4], target, target, place, lane % half, bits=128)
                else:
                    code.vector(LOAD_ONE[4], target, 0, place, bits=128)
            if count > half:
                code.vector(INSERT_HALF, register, register, other, 1)

    def find_one(self, code: Assembler, array: Array, lane: int) -> None:
        """Load the distance of a lane's element, at a position of one axis, to RAX."""
        generator, (place,), unit = self.generator, array.at, self.unit(array)
        computed = array.name in generator.computed
        kept = generator.stages.kept.get(place.array) if computed else place.array
        index = next((other for other in generator.kernel.arrays if other.name == kept), array)
        size, stride = generator.width if computed else SIZES[index.dtype], index.strides[-1]
        if computed and kept is None:
            position = self.place_kept(place.array)
            position = behind(position, lane * size)
        elif not stride or generator.columns == 1:
            position = Memory(generator.pointer(index))
        elif stride == size:
            position = self.element(index)
            position = behind(position, lane * size)
        else:
            self.first_element(code, index)
            position = Memory(RAX, lane * stride)
        load_position(code, RAX, position, size)
        inside, outside = code.new_label(), code.new_label()
        code.compare(RAX, place.size)
        code.jump(outside, JUMP_ABOVE_EQUAL)  # unsigned, so that negative numbers are too large
        code.place(inside)
        if computed:
            generator.wrong.append((outside, inside, array, place))
        else:
            generator.outsiders.append((outside, inside, place))
        if place.stride != unit:
            code.multiply(RAX, RAX, place.stride // unit)
        if self.step_of(array):
            code.add_register(RAX, RCX)

    def chosen(self, code: Assembler, array: Array, lane: int, slot: int) -> Memory:
        """The memory of the element of a lane, whose distance is in a vector of the frame. RAX is overwritten."""
        generator, unit = self.generator, self.unit(array)
        if slot < 0:
            self.find_one(code, array, lane)
        else:
            distances = generator.frame.memory(slot)
            code.load_signed(RAX, behind(distances, 4 * lane))
        position, step = generator.number[array.name], lane * self.step_of(array)
        if position < len(POINTERS):
            return Memory(POINTERS[position], step, RAX, unit)
        if unit > 1:
            code.multiply(RAX, RAX, unit)
        code.add_register(RAX, generator.words.at(position))
        return Memory(RAX, step)

    def read_chosen(self, array: Array) -> Value:
        """The elements of an array at the positions of the current columns."""
        width, slot = self.generator.width, self.distances(array)

        def write(allocator: Allocator, register: int) -> None:
            code, lanes, half = allocator.assembler, self.rest or self.generator.lanes, 16 // width
            upper = register
            if lanes > half:
                upper = allocator.take()
                allocator.free.append(upper)
            for lane in range(lanes):
                target = upper if lane >= half else register
                place = self.chosen(code, array, lane, slot)
                if lane % half:
                    code.vector(INSERT[width], target, target, place, lane % half, bits=128)
                else:
                    code.vector(LOAD_ONE[width], target, 0, place, bits=128)
            if lanes > half:
                code.vector(INSERT_HALF, register, register, upper, 1)

        return self.loaded(array.dtype, write)

    def rows_of(self, names: tuple[str, ...]) -> Sequence[Value]:
        """The adjacent vectors of the rows with these columns of an array, which may be at positions."""
        first = next(one for one in self.generator.kernel.arrays if one.name == names[0])
        key = names[:1]
        if first.at and key not in self.adjacent:
            self.adjacent[key] = [self.rows_at(first, number, len(names)) for number in range(len(names))]
        return super().rows_of(names)

    def rows_at(self, array: Array, number: int, count: int) -> Value:
        """One of the adjacent vectors of the rows at the current columns' positions, by parts of 4, 8 and 16 bytes.
        `array`: the first column."""
        width, lanes, slot = self.generator.width, self.generator.lanes, self.distances(array)

        def write(allocator: Allocator, register: int) -> None:
            code, upper, known = allocator.assembler, allocator.take(), -1
            allocator.free.append(upper)
            place, lane = Memory(RAX), 0
            while lane < lanes:
                row, column = divmod(number * lanes + lane, count)
                if row != known:
                    known, place = row, self.chosen(code, array, row, slot)
                at, left = lane * width % HALF, (count - column) * width
                size = next(size for size in (HALF, 8, 4) if not at % size and size <= left)
                target, part = register if lane * width < HALF else upper, behind(place, column * width)
                if at:
                    code.vector(INSERT[size], target, target, part, at // size, bits=128)
                else:
                    code.vector(FEW_BYTES[size], target, 0, part, bits=128)
                lane += size // width
            code.vector(INSERT_HALF, register, register, upper, 1)

        return self.loaded(array.dtype, write)

    def scatter(self, array: Array, value: Value) -> None:
        """Combine the current columns with the elements that their positions choose, one after the other."""
        slot = self.distances(array)
        if array.role in ("add", "out"):

            def write(allocator: Allocator) -> None:
                end, register = allocator.assembler.new_label(), allocator.in_register(value)
                # All registers at once: what is spilled for one is spilled whichever way the code goes.
                registers = register, *[allocator.take() for _ in range(3)]
                allocator.free += registers[1:]
                self.add_together(allocator.assembler, array, value, registers, slot, end)
                self.one_by_one(allocator.assembler, array, value, registers, slot)
                allocator.assembler.place(end)

            self.step(write, value)
            return
        for lane in range(self.generator.lanes):
            self.combine_one(array, value, lane, slot)

    def one_by_one(self, code: Assembler, array: Array, value: Value, registers: Sequence[int], slot: int) -> None:
        """Add, or write, each lane to the element at its position. The first register has the value."""
        width, (register, one, half, other) = self.generator.width, registers
        number = self.builder.integer_of(value)
        for lane in range(self.rest or self.generator.lanes):
            if number is not None and width == 8 and is_word(number) and array.role == "add":
                code.add(self.chosen(code, array, lane, slot), number)
                continue
            source = register
            if value.kind != "constant":
                source = self.lane_first(code, lane, register, half, one)
            place = self.chosen(code, array, lane, slot)
            if array.role == "out":
                code.vector(STORE_ONE[width], source, 0, place, bits=128)
                continue
            if array.dtype.startswith("float"):
                code.vector(ADD_ONE[width], one, source, place, bits=128)
            else:
                code.vector(LOAD_ONE[width], other, 0, place, bits=128)
                code.vector(FORMS[f"add.{array.dtype}"], one, source, other, bits=128)
            code.vector(STORE_ONE[width], one, 0, place, bits=128)

    def add_together(
        self, code: Assembler, array: Array, value: Value, registers: Sequence[int], slot: int, end: int
    ) -> None:
        """Where all columns have one position, add them to the element in a register, and jump to the end.

        Otherwise each addition waits until the one before is in memory, which takes four times as long. Sorted
        positions are so.
        """
        if array.name in self.generator.computed:
            return
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
            code.vector(FORMS[f"equal.{index.dtype}"], one, one, behind(place, 32))
            code.vector(FORMS["and"], half, half, one)
        code.vector(LANES_SET, RAX, 0, half, bits=bits)
        code.compare(RAX, (1 << bits // 32) - 1)
        code.jump(apart, JUMP_NOT_EQUAL)
        place = self.chosen(code, array, 0, slot)
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

    def combine_one(self, array: Array, value: Value, lane: int, slot: int) -> None:
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
            place = self.chosen(code, array, lane, slot)
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
