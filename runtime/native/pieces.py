"""Basic blocks of a kernel: values computed from others, and arrays that are read and written."""

from __future__ import annotations

from collections.abc import Sequence

from ..machine.assembler import JUMP_ABOVE_EQUAL, RAX, RCX, Assembler, Memory, stream
from .allocate import LOAD, STORE, STORE_ONE, Allocator
from .blocks import BROADCAST, BasicBlock, behind, is_narrow
from .builder import Value
from .functions import FUNCTIONS
from .interleaving import joined, moved, parted, repeated
from .language import RECURRENCE, SCAN, SIZES, Array, Number, Statement
from .narrow_blocks import STORE_WORD, NarrowBlock
from .scans import recurrence, running
from .stages import COLUMN
from .statements import apply

AHEAD = 4096
"""Bytes between what is read of a large input and what is prefetched."""


class Piece(NarrowBlock):
    """A basic block: instructions that compute, and steps that read and write arrays."""

    # Computing

    def compute(self, statement: Statement) -> Value:
        """The value of a statement whose arguments are known."""
        if statement.function.startswith("row_"):
            value = self.whole_row(statement)
        else:
            given = [a if type(a) is Number else self.generator.value(self, a) for a in statement.arguments]
            value = apply(self.builder, statement, given)
        self.values[statement.name] = value
        return value

    def whole_row(self, statement: Statement) -> Value:
        """The reduction of all lanes, in every lane."""
        builder, raw = self.builder, self.generator.raw[statement.name]
        combine = FUNCTIONS[statement.function[4:]]
        value = raw
        for swap, immediate in self.swaps:
            value = combine(builder, value, builder.emit(swap, raw.dtype, value, immediate=immediate))
        value = combine(builder, value, builder.emit("shuffle", raw.dtype, value, immediate=0x4E))
        if self.generator.width == 4:
            value = combine(builder, value, builder.emit("shuffle", raw.dtype, value, immediate=0xB1))
        return value

    def cut(self, row: BasicBlock, rest: int) -> None:
        """Make this the block of the last columns, of which there are `rest`, within the block of a whole row."""
        self.rest, self.mask = rest, row.mask

    def filled(self, block: BasicBlock, value: Value, neutral: float) -> Value:
        """The lanes of the last block of columns, with a number in those for which there are no columns."""
        others = self.builder.constant(neutral, value.dtype)

        def write(allocator: Allocator, register: int) -> None:
            allocator.assembler.vector(LOAD, register, 0, allocator.where(others))
            block.merge(allocator.assembler, register, allocator.where(value))

        return self.loaded(value.dtype, write, value, others)

    def column(self, name: str, now: int) -> None:
        """Compute a value for the current columns."""
        stages = self.generator.stages
        if name in stages.inputs:
            value = self.read(stages.inputs[name])
        elif name in stages.kept and stages.computed[name] < now:
            value = self.read_kept(name)
        else:
            statement = stages.statements[name]
            given = [a if isinstance(a, Number) else self.generator.value(self, a) for a in statement.arguments]
            if statement.function.startswith(SCAN):
                value = self.scan(statement, [x for x in given if isinstance(x, Value)])
            else:
                value = apply(self.builder, statement, given)
        self.values[name] = value

    def scan(self, statement: Statement, given: Sequence[Value]) -> Value:
        """The result of a scan for the current columns. The carry register gets the result of the last column."""
        carry = self.generator.carries[statement.name]
        if statement.function == RECURRENCE:
            a, b = given
            result, total = recurrence(self.builder, a, b, carry)
        else:
            (x,) = given
            result, total = running(self.builder, statement.function.removeprefix(SCAN), x, carry)

        def move(allocator: Allocator) -> None:
            register = self.pinned[carry]
            allocator.assembler.vector(LOAD, register, 0, allocator.where(total))

        self.step(move, total)
        return result

    def combine(self, statement: Statement, total: Value) -> None:
        """Add the current columns to the lanes of a reduction."""
        (argument,) = statement.arguments
        assert isinstance(argument, str)
        self.accumulate(statement, total, self.values.get(argument) or self.generator.slots[argument])

    def accumulate(self, statement: Statement, total: Value, value: Value) -> None:
        """Add a value to the lanes of a reduction."""
        new = FUNCTIONS[statement.function[4:]](self.builder, value, total)

        def move(allocator: Allocator) -> None:
            code, place = allocator.assembler, allocator.where(new)
            register = self.pinned.get(total)
            if register is None:
                register = allocator.in_register(total)
            self.merge(code, register, place)
            if total.kind == "slot":
                code.vector(STORE, register, 0, allocator.frame.memory(total.number))

        self.step(move, new)
        self.builder.forget(total)

    # Arrays

    def read(self, array: Array) -> Value:
        """The current columns of an array."""
        if array.name in self.generator.together and self.whole and self.is_exchanged(array):
            return self.read_together(array)
        if array.bounds:
            return self.read_inside(array)
        return self.read_all(array)

    def is_exchanged(self, array: Array) -> bool:
        """Whether columns that are read with those beside them are exchanged as lanes."""
        return array.strides[-1] >= 0

    def read_inside(self, array: Array) -> Value:
        """The current columns of an array that are inside its bounds, and zeros for the others. The same step reads
        all columns that are not all outside."""
        generator = self.generator
        if generator.is_outside(array):
            return self.builder.constant(0, array.dtype)

        def write(allocator: Allocator, register: int) -> None:
            status, row = generator.columns_at.status[array.name], generator.row_masks.get(array.name)
            narrow, spare = is_narrow(array, generator.width), -1
            if not narrow and (status is not True or not array.strides[-1]):
                spare = allocator.take()  # before the jump: what it held is stored in every row
                allocator.free.append(spare)
            after = self.zero_outside(allocator, register, row)
            if narrow:
                self.load_narrow(allocator, array, register, status)
            elif spare < 0:
                self.load(allocator.assembler, register, self.element(array))
            else:
                self.load_inside(allocator.assembler, register, spare, status, array)
            allocator.assembler.place(after)

        return self.loaded(array.dtype, write)

    def read_all(self, array: Array) -> Value:
        """The current columns of an array that has all of them."""
        width, stride = self.generator.width, array.strides[-1]

        def write(allocator: Allocator, register: int) -> None:
            self.prefetch(allocator.assembler, array)
            if is_narrow(array, width):
                self.load_narrow(allocator, array, register)
            elif stride == -width:
                self.load_turned(allocator, array, register)
            elif stride == 2 * width and not self.rest:
                self.every_second(allocator, array, register)
            elif stride != SIZES[array.dtype]:
                self.gather(allocator, array, register)
            else:
                self.load(allocator.assembler, register, self.element(array))

        return self.loaded(array.dtype, write)

    def prefetch(self, code: Assembler, array: Array) -> None:
        """Prefetch a line behind the current columns, if the array is the one that is prefetched."""
        if array.name == self.generator.prefetched and array.strides[-1] == SIZES[array.dtype] and not self.rest:
            code.prefetch(behind(self.element(array), AHEAD))

    def broadcast(self, array: Array) -> Value:
        """An element that is the same for all columns."""
        generator, width = self.generator, self.generator.width
        row = generator.row_masks.get(array.name)
        if array.name in generator.outside_rows:
            return self.builder.constant(0, array.dtype)
        positions = self.positions_of(array)
        if positions:

            def read(allocator: Allocator, register: int) -> None:
                place = self.locate(allocator, array, positions)
                allocator.assembler.vector(BROADCAST[width], register, 0, place)

            return self.loaded(array.dtype, read, *positions)

        def write(allocator: Allocator, register: int) -> None:
            code, after = allocator.assembler, self.zero_outside(allocator, register, row)
            base = generator.pointer(array)
            size = min(SIZES[array.dtype], width)
            code.vector(BROADCAST[size], register, 0, Memory(base))
            if is_narrow(array, width):
                self.widen(code, array, register, register)
            code.place(after)

        return self.loaded(array.dtype, write)

    def write(self, array: Array) -> None:
        """Write the current columns of an output, or combine them with its old values."""
        value = self.generator.value(self, array.name)
        if array.name in self.generator.together and self.whole:
            self.write_together(array, value)
            return
        if array.role != "out":
            value = FUNCTIONS[array.role](self.builder, self.read(array), value)
        width = self.generator.width
        narrow = is_narrow(array, width)
        apart = not narrow and abs(array.strides[-1]) != width and self.generator.columns > 1
        slot = self.generator.frame.new() if apart else 0

        def store(allocator: Allocator) -> None:
            register = allocator.in_register(value)
            if apart:
                self.store_apart(allocator, array, register, slot)
            elif array.name in self.generator.streamed and not self.rest:
                source = self.narrowed(allocator, array, register) if narrow else register
                stream(allocator.assembler, source, self.element(array))
            elif narrow:
                self.store_narrow(allocator, array, register)
            elif array.strides[-1] == -width:
                self.store_turned(allocator, array, register)
            else:
                self.store(allocator, register, self.element(array))

        self.step(store, value)

    def vector_at(self, code: Assembler, array: Array, number: int) -> Memory:
        """The memory of one of the vectors of the current columns and those beside it."""
        lanes, stride = self.generator.lanes, array.strides[-1]
        offset = lanes * (number * SIZES[array.dtype] + self.ahead * stride) + min(0, stride * (lanes - 1))
        if stride in (2, 4, 8):
            return Memory(self.generator.pointer(array), offset, RCX, stride)
        self.first_element(code, array)
        return Memory(RAX, offset)

    def read_together(self, array: Array) -> Value:
        """The current columns of an array, which are read with those beside it."""
        names = self.generator.together[array.name]
        if array.name not in self.together:
            self.together.update(zip(names, parted(self.builder, self.rows_of(names)), strict=True))
        return self.together[array.name]

    def rows_of(self, names: tuple[str, ...]) -> Sequence[Value]:
        """The adjacent vectors of the rows with these columns of an array."""
        key = names[:1]  # the rows that are computed have the names of all columns
        if key not in self.adjacent:
            first = next(one for one in self.generator.kernel.arrays if one.name == names[0])

            def load(number: int) -> Value:
                def write(allocator: Allocator, register: int) -> None:
                    code = allocator.assembler
                    place = self.vector_at(code, first, number)
                    if is_narrow(first, self.generator.width):
                        self.widen(code, first, register, place)
                    else:
                        code.vector(LOAD, register, 0, place)

                return self.loaded(first.dtype, write)

            self.adjacent[key] = [*map(load, range(len(names)))]
        return self.adjacent[key]

    def write_together(self, array: Array, value: Value | None) -> None:
        """Write the current columns of an output with those beside it, when all of them are there. None: they are
        computed in rows."""
        names = self.generator.together[array.name]
        if value is None:
            found = self.in_rows(names)
        else:
            self.together[array.name] = value
            if not self.together.keys() >= {*names}:
                return
            found = joined(self.builder, [self.together[name] for name in names])
        first = next(one for one in self.generator.kernel.arrays if one.name == names[0])
        for number, vector in enumerate(found):

            def store(allocator: Allocator, number: int = number, vector: Value = vector) -> None:
                code, register = allocator.assembler, allocator.in_register(vector)
                place = self.vector_at(code, first, number)
                if is_narrow(array, self.generator.width):
                    self.narrow(allocator, array, register, place)
                elif names[0] in self.generator.streamed:
                    stream(code, register, place)
                else:
                    code.vector(STORE, register, 0, place)

            self.step(store, vector)

    def in_rows(self, names: tuple[str, ...]) -> Sequence[Value]:
        """The adjacent vectors of rows with these columns, which are computed alike (`RowOrder`)."""
        generator = self.generator
        statement, found = generator.stages.statements.get(names[0]), self.adjacent.get(names)
        if found is not None:
            return found
        if len({*names}) == 1:
            value, varies = generator.value(self, names[0]), generator.stages.level[names[0]] == COLUMN
            found = repeated(self.builder, value, len(names)) if varies else [value] * len(names)
        elif statement is None:
            row, back = generator.together[names[0]], generator.stages.inputs[names[0]].strides[-1] < 0
            found = self.rows_of(row)
            if back or row != names:
                found = moved(self.builder, found, [row.index(name) for name in names], back)
        else:
            each = zip(*[generator.stages.statements[name].arguments for name in names], strict=True)
            given = [
                arguments if isinstance(arguments[0], Number) else self.in_rows(tuple(map(str, arguments)))
                for arguments in each
            ]
            found = [apply(self.builder, statement, [*one]) for one in zip(*given, strict=True)]
        self.adjacent[names] = found
        return found

    def write_one(self, array: Array, value: Value) -> None:
        """Write the one element that an output has for a row, or combine it with its old value."""
        error = self.generator.errors.get(array.name)
        if error is not None:
            value = self.add_with_error(self.broadcast(array), value, error)
        elif array.role != "out":
            value = FUNCTIONS[array.role](self.builder, self.broadcast(array), value)
        width, positions = self.generator.width, self.positions_of(array)

        def store(allocator: Allocator) -> None:
            register = allocator.in_register(value)
            place = self.locate(allocator, array, positions) if positions else Memory(self.generator.pointer(array))
            if SIZES[array.dtype] < width:
                self.store_one_narrow(allocator, array, register, place)
            else:
                allocator.assembler.vector(STORE_ONE[width], register, 0, place, bits=128)

        self.step(store, value, *positions)

    def add_with_error(self, total: Value, value: Value, error: Value) -> Value:
        """Compensated summation: the total with a value and the error of the last addition, which leaves its own."""
        builder = self.builder
        value = builder.add(value, error)
        new = builder.add(total, value)
        added = builder.subtract(new, total)
        lost = builder.subtract(total, builder.subtract(new, added))
        lost = builder.add(lost, builder.subtract(value, added))
        known = FUNCTIONS["equal"](builder, lost, lost)  # not of infinite sums
        lost = FUNCTIONS["select"](builder, known, lost, builder.constant(0.0, lost.dtype))

        def store(allocator: Allocator) -> None:
            allocator.assembler.vector(STORE, allocator.in_register(lost), 0, allocator.frame.memory(error.number))

        self.step(store, lost)
        return new

    # Computed positions

    def positions_of(self, array: Array) -> list[Value]:
        """The values that give the positions of an array; none if index arrays do."""
        known = self.generator.computed
        return [self.generator.value(self, place.array) for place in array.at] if array.name in known else []

    def locate(self, allocator: Allocator, array: Array, positions: Sequence[Value]) -> Memory:
        """The element of an array at computed positions, which are checked. Overwrites RAX and RCX."""
        code, generator, width = allocator.assembler, self.generator, self.generator.width
        base = generator.pointer(array, RCX)
        for number, (place, value) in enumerate(zip(array.at, positions, strict=True)):
            outside, inside = code.new_label(), code.new_label()
            generator.wrong.append((outside, inside, array, place))
            code.vector(STORE_WORD[width], allocator.in_register(value), 0, RAX, bits=128)
            if width == 4:
                code.load_signed(RAX, RAX)
            code.compare(RAX, place.size)
            code.jump(outside, JUMP_ABOVE_EQUAL)
            code.place(inside)
            last = number == len(positions) - 1
            if last and place.stride in (1, 2, 4, 8):
                return Memory(base, 0, RAX, place.stride)
            code.multiply(RAX, RAX, place.stride)
            if last:
                break
            code.add_register(RAX, base)
            code.load(RCX, RAX)
            base = RCX
        return Memory(base, 0, RAX)

    # Kept values

    def place_kept(self, name: str) -> Memory:
        """The memory of the current columns of a kept value."""
        offset = self.generator.outside[name] + self.ahead * self.generator.vector
        return Memory(self.generator.frame.base, offset, RCX, self.generator.width)

    def write_kept(self, name: str) -> None:
        """Keep a value of this row for later passes."""
        value = self.values[name]

        def store(allocator: Allocator) -> None:
            allocator.assembler.vector(STORE, allocator.in_register(value), 0, self.place_kept(name))

        self.step(store, value)

    def read_kept(self, name: str) -> Value:
        """A value that an earlier pass has kept."""
        place = self.generator.stages.kept[name]
        dtype = self.generator.stages.dtypes[name]
        if place is not None:
            array = next(array for array in self.generator.stages.outputs if array.name == place)
            return self.read(array)

        def write(allocator: Allocator, register: int) -> None:
            allocator.assembler.vector(LOAD, register, 0, self.place_kept(name))

        return self.loaded(dtype, write)
