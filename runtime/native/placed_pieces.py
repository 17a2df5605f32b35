"""Basic blocks of kernels whose columns have positions of their own: elements gathered, and scattered."""

from __future__ import annotations

from collections.abc import Callable

from ..machine.assembler import MAP_0F, MAP_0F38, P66, PF2, PF3, RAX, RCX, Assembler, Form, Memory, Pooled
from .allocate import LOAD, LOAD_ONE, STORE, STORE_ONE, Allocator
from .blocks import BROADCAST, BROADCAST_WORD, MOVE_QUARTERS, SHUFFLE_TWO
from .boundary import POINTERS
from .builder import FORMS, Value
from .functions import FUNCTIONS
from .language import SIZES, Array, is_scattered
from .pieces import Piece

MOVE_WIDE = Form(P66, MAP_0F, 0x6E, 1)
WIDEN_WORDS = Form(P66, MAP_0F38, 0x25)
CHOOSE = {4: Form(P66, MAP_0F38, 0x90), 8: Form(P66, MAP_0F38, 0x91, 1)}
ADD_ONE = {4: Form(PF3, MAP_0F, 0x58), 8: Form(PF2, MAP_0F, 0x58)}


class PlacedPiece(Piece):
    """A piece with inputs and outputs at positions."""

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

    def positions(self, index: Array) -> Value:
        """The positions of the current columns, as integers of the kernel's width; of wider ones the low half."""
        if index.name in self.values:
            return self.values[index.name]
        width, size = self.generator.width, SIZES[index.dtype]
        if not index.strides[-1] or self.generator.columns == 1:
            found = self.same_position(index)
        elif size == width:
            found = self.read_all(index)
        elif size > width:
            found = self.lower_halves(index)
        else:
            found = self.widened(index)
        self.values[index.name] = found
        return found

    def same_position(self, index: Array) -> Value:
        """A position that all columns have, in every lane."""
        width, size = self.generator.width, SIZES[index.dtype]

        def write(allocator: Allocator, register: int) -> None:
            place = Memory(self.generator.pointer(index))
            allocator.assembler.vector(BROADCAST[min(size, width)], register, 0, place)
            if size < width:
                allocator.assembler.vector(WIDEN_WORDS, register, 0, register)

        return self.loaded(self.builder.integer, write)

    def lower_halves(self, index: Array) -> Value:
        """Positions of 64 bits, in lanes of 32."""

        def write(allocator: Allocator, register: int) -> None:
            if self.rest or index.strides[-1] != 8:
                self.gather(allocator, index._replace(dtype="int32"), register)
                return
            code, place = allocator.assembler, self.element(index)
            code.vector(LOAD, register, 0, place)
            code.vector(SHUFFLE_TWO, register, register, place._replace(offset=self.generator.vector), 0x88)
            code.vector(MOVE_QUARTERS, register, 0, register, 0xD8)

        return self.loaded("int32", write)

    def widened(self, index: Array) -> Value:
        """Positions of 32 bits, in lanes of 64."""

        def write(allocator: Allocator, register: int) -> None:
            code = allocator.assembler
            if self.rest or index.strides[-1] != 4:
                self.gather(allocator, index, register)
                code.vector(WIDEN_WORDS, register, 0, register)
            else:
                code.vector(WIDEN_WORDS, register, 0, self.element(index))

        return self.loaded("int64", write)

    def offsets(self, array: Array) -> Value:
        """The distance of the elements from the array's pointer, in elements, in each lane."""
        b, width = self.builder, self.generator.width
        whole, size = b.integer, SIZES[array.dtype]
        known = {other.name: other for other in self.generator.kernel.arrays}
        total: Value | None = None
        for place in array.at:
            position = self.positions(known[place.array])
            none = b.constant(0, whole)
            below = b.shift_signed(position, 31) if width == 4 else b.greater(none, position)
            position = b.add(position, b.bit_and(below, b.constant(place.size, whole), whole))
            most = b.constant(place.size - 1, whole)
            if width == 4:
                position = b.emit("smaller_unsigned.int32", whole, position, most)
            else:
                outside = b.bit_or(b.greater(none, position), b.greater(position, most), whole)
                position = b.bit_and_not(outside, position, whole)
            step = self.times(position, place.stride // size)
            total = step if total is None else b.add(total, step)
        assert total is not None
        if array.strides[-1] and self.generator.columns > 1:
            total = b.add(total, self.times(self.numbers(), array.strides[-1] // size))
        return total

    def times(self, x: Value, factor: int) -> Value:
        """Integers times a number, both of less than 32 bits in magnitude."""
        b = self.builder
        if factor == 1:
            return x
        if self.generator.width == 4:
            return b.multiply(x, b.constant(factor, "int32"))
        if factor < 0:
            return b.subtract(b.constant(0, "int64"), self.times(x, -factor))
        return b.emit("low_product", "int64", x, b.constant(factor, "int64"))

    def numbers(self) -> Value:
        """The numbers of the current columns."""
        width, lanes = self.generator.width, self.generator.lanes
        first = b"".join(lane.to_bytes(width, "little") for lane in range(lanes))
        known = self.values.get("")
        if known is None:

            def write(allocator: Allocator, register: int) -> None:
                code = allocator.assembler
                code.vector(MOVE_WIDE, register, 0, RCX, bits=128)
                code.vector(BROADCAST_WORD[width], register, 0, register)
                code.vector(FORMS[f"add.{self.builder.integer}"], register, register, Pooled(first))

            known = self.values[""] = self.loaded(self.builder.integer, write)
        return known

    def read_chosen(self, array: Array) -> Value:
        """The elements of an array at the positions of the current columns."""
        steps, width = self.offsets(array), self.generator.width
        value = self.builder.new(array.dtype)

        def gather(allocator: Allocator) -> None:
            code, index = allocator.assembler, allocator.in_register(steps)
            mask = allocator.take()
            allocator.free.append(mask)
            if self.rest:
                code.vector(LOAD, mask, 0, self.mask)
            else:
                code.vector(FORMS["equal.int32"], mask, mask, mask)
            register = allocator.define(value)
            code.vector(FORMS["xor"], register, register, register)
            code.vector(CHOOSE[width], register, mask, Memory(self.generator.pointer(array), 0, index, width))

        self.step(gather, steps)
        return value

    def scatter(self, array: Array, value: Value) -> None:
        """Combine the current columns with the elements that their positions choose, one after the other."""
        generator, width = self.generator, self.generator.width
        places, values = self.in_memory(self.offsets(array)), self.in_memory(value)

        def element(code: Assembler, lane: int) -> Memory:
            slot = generator.frame.memory(places.number)
            slot = slot._replace(offset=slot.offset + lane * width)
            load = code.load_signed if width == 4 else code.load
            load(RAX, slot)
            position = generator.number[array.name]
            if position < len(POINTERS):
                return Memory(POINTERS[position], 0, RAX, width)
            code.multiply(RAX, RAX, width)
            code.add_register(RAX, generator.words.at(position))
            return Memory(RAX)

        def given(_: Assembler, lane: int) -> Memory:
            slot = generator.frame.memory(values.number)
            return slot._replace(offset=slot.offset + lane * width)

        def add(allocator: Allocator) -> None:
            code, register = allocator.assembler, allocator.take()
            allocator.free.append(register)
            for lane in range(self.rest or generator.lanes):
                place = element(code, lane)
                code.vector(LOAD_ONE[width], register, 0, given(code, lane), bits=128)
                code.vector(ADD_ONE[width], register, register, place, bits=128)
                code.vector(STORE_ONE[width], register, 0, place, bits=128)

        if array.role == "add" and array.dtype.startswith("float"):
            self.step(add)
            return
        for lane in range(generator.lanes):
            one = self.loaded_one(array.dtype, lane, given)
            before = self.loaded_one(array.dtype, lane, element)
            new = FUNCTIONS[array.role](self.builder, before, one)

            def store(allocator: Allocator, lane: int = lane, new: Value = new) -> None:
                register, code = allocator.in_register(new), allocator.assembler
                if not self.rest or lane < self.rest:
                    code.vector(STORE_ONE[width], register, 0, element(code, lane), bits=128)

            self.step(store, new)

    def loaded_one(self, dtype: str, lane: int, place: Callable[[Assembler, int], Memory]) -> Value:
        """An element in the first lane, zeros in the others; all zeros for a lane behind the last column of a row."""
        width = self.generator.width

        def write(allocator: Allocator, register: int) -> None:
            code = allocator.assembler
            if self.rest and lane >= self.rest:
                code.vector(LOAD, register, 0, Pooled(bytes(self.generator.vector)))
            else:
                code.vector(LOAD_ONE[width], register, 0, place(code, lane), bits=128)

        return self.loaded(dtype, write)

    def in_memory(self, value: Value) -> Value:
        """A value in the frame. A constant is stored there, too."""
        if value.kind != "constant":
            return self.keep(value)
        slot = self.generator.frame.new()

        def store(allocator: Allocator) -> None:
            allocator.assembler.vector(STORE, allocator.in_register(value), 0, allocator.frame.memory(slot))

        self.step(store, value)
        return Value("slot", slot, value.dtype)
