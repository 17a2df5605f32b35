"""Basic blocks of a kernel: values computed from others, and arrays that are read and written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ..machine.assembler import (
    JUMP_EQUAL,
    MAP_0F,
    MAP_0F3A,
    MAP_0F38,
    NONE,
    P66,
    RAX,
    RCX,
    Assembler,
    Form,
    Memory,
    Operand,
    Pooled,
)
from .allocate import LOAD, LOAD_ONE, STORE, STORE_ONE, Allocator, Frame
from .boundary import Words
from .builder import FORMS, VECTOR, Builder, Constants, Instruction, Value
from .functions import FUNCTIONS
from .language import RECURRENCE, SCAN, SIZES, Array, Kernel, Number, Statement
from .scans import recurrence, running
from .stages import KernelStages
from .statements import apply
from .windows import Segment, Status

BROADCAST = {4: Form(P66, MAP_0F38, 0x18), 8: Form(P66, MAP_0F38, 0x19)}
MASKED_LOAD = {4: Form(P66, MAP_0F38, 0x2C), 8: Form(P66, MAP_0F38, 0x2D)}
MASKED_STORE = {4: Form(P66, MAP_0F38, 0x2E), 8: Form(P66, MAP_0F38, 0x2F)}
WIDEN_BYTES = {4: Form(P66, MAP_0F38, 0x31), 8: Form(P66, MAP_0F38, 0x32)}
MOVE_WORD = Form(P66, MAP_0F, 0x6E)
STORE_WORD = {4: Form(P66, MAP_0F, 0x7E), 8: Form(P66, MAP_0F, 0x7E, 1)}
GREATER = {4: Form(P66, MAP_0F, 0x66), 8: Form(P66, MAP_0F38, 0x37)}
BROADCAST_WORD = {4: Form(P66, MAP_0F38, 0x58), 8: Form(P66, MAP_0F38, 0x59)}
INSERT_BYTE, EXTRACT_BYTE = Form(P66, MAP_0F3A, 0x20), Form(P66, MAP_0F3A, 0x14)
INSERT = {1: INSERT_BYTE, 4: Form(P66, MAP_0F3A, 0x22), 8: Form(P66, MAP_0F3A, 0x22, 1)}
INSERT_HALF = Form(P66, MAP_0F3A, 0x38)
EXTRACT_HALF = Form(P66, MAP_0F3A, 0x39)
NARROW_WORDS, NARROW_BYTES = Form(P66, MAP_0F, 0x6B), Form(P66, MAP_0F, 0x63)
AND = Form(P66, MAP_0F, 0xDB)
SHUFFLE_TWO = Form(NONE, MAP_0F, 0xC6)
MOVE_QUARTERS = Form(P66, MAP_0F3A, 0x00, 1)
EVERY_SECOND = {4: (SHUFFLE_TWO, 0xD8), 8: (Form(P66, MAP_0F, 0xC6), 0x0A)}
"""The even lanes of one register beside the odd lanes of another."""


class Generator(Protocol):
    """The parts of the whole function's generator (`generator.Generator`) that a basic block uses."""

    assembler: Assembler
    carries: dict[str, Value]
    columns: int
    columns_at: Segment
    constants: Constants
    frame: Frame
    kernel: Kernel
    lanes: int
    number: dict[str, int]
    outside: dict[str, int]
    outside_rows: frozenset[str]
    raw: dict[str, Value]
    row_masks: dict[str, Value]
    slots: dict[str, Value]
    stages: KernelStages
    width: int
    words: Words

    def builder(self) -> Builder:
        """The builder that collects the instructions of a basic block."""

    def pointer(self, array: Array, register: int = RAX) -> int:
        """The register that points to an array's elements."""

    def value(self, piece: Piece, name: str) -> Value:
        """A value of this basic block, or a kept value."""


class Piece:
    """A basic block: instructions that compute, and steps that read and write arrays."""

    def __init__(self, generator: Generator, pinned: dict[Value, int], rest: int = 0) -> None:
        """`rest`: the number of columns in the last vector of a row, if they do not fill it."""
        self.generator = generator
        self.builder = generator.builder()
        self.values: dict[str, Value] = {}
        self.steps: list[Instruction | Callable[[Allocator], None]] = []
        self.reads: list[Sequence[Value]] = []
        self.taken = 0
        self.ahead = 0  # the distance of the current columns from the counter, in vectors
        self.rest = 0  # while the last columns are written: how many
        self.pinned = dict(pinned)
        self.mask: int | None = None
        self.last = 16
        if rest:
            self.last = min([*pinned.values(), 16]) - 1
            self.pinned[self.builder.new("bool")] = self.last

    # Steps

    def collect(self) -> None:
        """Take the instructions from the builder."""
        for instruction in self.builder.instructions[self.taken :]:
            self.steps.append(instruction)
            self.reads.append(instruction.sources)
        self.taken = len(self.builder.instructions)

    def step(self, function: Callable[[Allocator], None], *reads: Value) -> None:
        """A step that is more than one instruction."""
        self.collect()
        self.steps.append(function)
        self.reads.append(reads)

    def finish(self, rest: int = 0) -> None:
        """Write all steps. For the last columns of a row, of which there are `rest`, no others are touched."""
        self.collect()
        self.rest = rest
        if rest:
            self.mask, width = self.last, self.generator.width
            content = Pooled(b"\xff" * width * rest + bytes(VECTOR - width * rest))
            self.generator.assembler.vector(LOAD, self.mask, 0, content)
        allocator = Allocator(self.generator.assembler, self.generator.frame, self.generator.constants, self.pinned)
        allocator.run(self.steps, self.reads)

    # Computing

    def compute(self, statement: Statement) -> Value:
        """The value of a statement whose arguments are known."""
        if statement.function.startswith("row_"):
            value = self.whole_row(statement)
        else:
            given = [a if isinstance(a, Number) else self.generator.value(self, a) for a in statement.arguments]
            value = apply(self.builder, statement, given)
        self.values[statement.name] = value
        return value

    def whole_row(self, statement: Statement) -> Value:
        """The reduction of all lanes, in every lane."""
        builder, raw = self.builder, self.generator.raw[statement.name]
        combine = FUNCTIONS[statement.function[4:]]
        value = combine(builder, raw, builder.emit("swap_halves", raw.dtype, raw, immediate=1))
        value = combine(builder, value, builder.emit("shuffle", raw.dtype, value, immediate=0x4E))
        if self.generator.width == 4:
            value = combine(builder, value, builder.emit("shuffle", raw.dtype, value, immediate=0xB1))
        return value

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
        # The value first: what is known of it stays true, but the total is another one after each step.
        new = FUNCTIONS[statement.function[4:]](self.builder, value, total)

        def move(allocator: Allocator) -> None:
            write, place = allocator.assembler.vector, allocator.where(new)
            register = self.pinned.get(total)
            if register is None:
                register = allocator.in_register(total)
            if self.mask is None:
                write(LOAD, register, 0, place)
            else:
                write(FORMS["blend"], register, register, place, self.mask << 4)
            if total.kind == "slot":
                write(STORE, register, 0, allocator.frame.memory(total.number))

        self.step(move, new)

    # Arrays

    def element(self, array: Array) -> Memory:
        """The memory of the current columns."""
        base, size = self.generator.pointer(array), SIZES[array.dtype]
        return Memory(base, self.ahead * self.generator.lanes * size, RCX, size)

    def loaded(self, dtype: str, write: Callable[[Allocator, int], None]) -> Value:
        """A value that a step loads."""
        value = self.builder.new(dtype)
        self.step(lambda allocator: write(allocator, allocator.define(value)))
        return value

    def read(self, array: Array) -> Value:
        """The current columns of an array."""
        if array.bounds:
            return self.read_inside(array)
        return self.read_all(array)

    def read_inside(self, array: Array) -> Value:
        """The current columns of an array that are inside its bounds, and zeros for the others."""
        generator, width = self.generator, self.generator.width
        status: Status = generator.columns_at.status[array.name]
        row = generator.row_masks.get(array.name)
        if array.name in generator.outside_rows or status is False:
            return self.builder.constant(0, array.dtype)
        if status is True and row is None:
            return self.read_all(array)

        def write(allocator: Allocator, register: int) -> None:
            code, control = allocator.assembler, allocator.take()
            allocator.free.append(control)
            masks: list[Operand] = [] if row is None else [allocator.frame.memory(row.number)]
            if isinstance(status, bytes):
                masks.append(Pooled(status.ljust(VECTOR, b"\0")))
            elif self.mask is not None:
                masks.append(self.mask)
            code.vector(LOAD, control, 0, masks[0])
            for mask in masks[1:]:
                code.vector(AND, control, control, mask)
            code.vector(MASKED_LOAD[width], register, control, self.element(array))

        return self.loaded(array.dtype, write)

    def read_all(self, array: Array) -> Value:
        """The current columns of an array that has all of them."""
        width = self.generator.width
        zero = Pooled(bytes(VECTOR))

        def write(allocator: Allocator, register: int) -> None:
            code, place = allocator.assembler, self.element(array)
            if array.strides[-1] == -width and array.dtype != "bool":
                self.turned(allocator, array, register)
            elif array.strides[-1] == 2 * width and array.dtype != "bool" and not self.rest:
                self.every_second(code, array, register)
            elif array.strides[-1] != SIZES[array.dtype]:
                self.gather(allocator, array, register)
                if array.dtype == "bool":
                    code.vector(WIDEN_BYTES[width], register, 0, register)
            elif array.dtype == "bool":
                if not self.rest:
                    code.vector(WIDEN_BYTES[width], register, 0, place)
                else:
                    code.vector(LOAD, register, 0, zero, bits=128)
                    for lane in range(self.rest):
                        code.vector(INSERT_BYTE, register, register, place._replace(offset=lane), lane, bits=128)
                    code.vector(WIDEN_BYTES[width], register, 0, register)
            elif self.mask is not None:
                code.vector(MASKED_LOAD[width], register, self.mask, place)
            else:
                code.vector(LOAD, register, 0, place)
            if array.dtype == "bool":
                code.vector(GREATER[width], register, register, zero)

        return self.loaded(array.dtype, write)

    def from_end(self, allocator: Allocator, array: Array, control: int | None) -> Memory:
        """The memory of the current columns of an array with a negative stride, the last column first.

        The mask for the last columns of a row is reversed, too, into a register.
        """
        code, width, base = allocator.assembler, self.generator.width, self.generator.pointer(array)
        if base == RAX:
            code.push(RCX)
            code.multiply(RCX, RCX, -width)
            code.add_register(RAX, RCX)
            code.pop(RCX)
        else:
            code.multiply(RAX, RCX, -width)
            code.add_register(RAX, base)
        if control is not None:
            content = bytes(VECTOR - width * self.rest) + b"\xff" * width * self.rest
            code.vector(LOAD, control, 0, Pooled(content))
        return Memory(RAX, width - VECTOR)

    def turn(self, code: Assembler, register: int, source: int) -> None:
        """The lanes of a register in reverse order."""
        code.vector(FORMS["swap_halves"], register, source, source, 0x01)
        code.vector(FORMS["shuffle"], register, 0, register, 0x1B if self.generator.width == 4 else 0x4E)

    def turned(self, allocator: Allocator, array: Array, register: int) -> None:
        """Load adjacent columns in reverse order."""
        code = allocator.assembler
        place = self.from_end(allocator, array, register if self.rest else None)
        if self.rest:
            code.vector(MASKED_LOAD[self.generator.width], register, register, place)
        else:
            code.vector(LOAD, register, 0, place)
        self.turn(code, register, register)

    def store_turned(self, allocator: Allocator, array: Array, register: int) -> None:
        """Write adjacent columns in reverse order."""
        code, turned = allocator.assembler, allocator.take()
        allocator.free.append(turned)
        self.turn(code, turned, register)
        if self.rest:
            control = allocator.take()
            allocator.free.append(control)
            place = self.from_end(allocator, array, control)
            code.vector(MASKED_STORE[self.generator.width], turned, control, place)
        else:
            code.vector(STORE, turned, 0, self.from_end(allocator, array, None))

    def first_element(self, code: Assembler, array: Array) -> None:
        """Load the address of the first current column, of any stride, to RAX."""
        base, stride = self.generator.pointer(array), array.strides[-1]
        if base == RAX:
            code.push(RCX)
            code.multiply(RCX, RCX, stride)
            code.add_register(RAX, RCX)
            code.pop(RCX)
        else:
            code.multiply(RAX, RCX, stride)
            code.add_register(RAX, base)

    def store_apart(self, allocator: Allocator, array: Array, register: int, slot: int) -> None:
        """Write columns that are not adjacent, one after the other, by way of the frame."""
        code, width, one = allocator.assembler, self.generator.width, allocator.take()
        allocator.free.append(one)
        place = allocator.frame.memory(slot)
        code.vector(STORE, register, 0, place)
        self.first_element(code, array)
        for lane in range(self.rest or self.generator.lanes):
            code.vector(LOAD_ONE[width], one, 0, place._replace(offset=place.offset + lane * width), bits=128)
            code.vector(STORE_ONE[width], one, 0, Memory(RAX, lane * array.strides[-1]), bits=128)

    def every_second(self, code: Assembler, array: Array, register: int) -> None:
        """Load columns with one element between each two: the even ones of the first eight (or four) elements, the odd
        ones of the last eight, of which the very last is the last column."""
        (shuffle, chosen), width = EVERY_SECOND[self.generator.width], self.generator.width
        self.first_element(code, array)
        code.vector(LOAD, register, 0, Memory(RAX))
        code.vector(shuffle, register, register, Memory(RAX, VECTOR - width), chosen)
        code.vector(MOVE_QUARTERS, register, 0, register, 0xD8)

    def gather(self, allocator: Allocator, array: Array, register: int) -> None:
        """Load elements that are not adjacent, one after the other."""
        code, stride, size = allocator.assembler, array.strides[-1], SIZES[array.dtype]
        self.first_element(code, array)
        lanes = self.rest or self.generator.lanes
        half = 16 // size if size > 1 else lanes
        upper = allocator.take() if lanes > half else register
        if upper != register:
            allocator.free.append(upper)
        for target, first in ((upper, half), (register, 0)):
            if first >= lanes:
                continue
            code.vector(LOAD, target, 0, Pooled(bytes(VECTOR)), bits=128)
            for lane in range(first, min(lanes, first + half)):
                place = Memory(RAX, lane * stride)
                code.vector(INSERT[size], target, target, place, lane - first, bits=128)
        if upper != register:
            code.vector(INSERT_HALF, register, register, upper, 1)

    def broadcast(self, array: Array) -> Value:
        """An element that is the same for all columns."""
        generator, width = self.generator, self.generator.width
        row = generator.row_masks.get(array.name)
        if array.name in generator.outside_rows:
            return self.builder.constant(0, array.dtype)

        def write(allocator: Allocator, register: int) -> None:
            code, after = allocator.assembler, allocator.assembler.new_label()
            if row is not None:
                code.vector(LOAD, register, 0, Pooled(bytes(VECTOR)))
                code.compare(allocator.frame.memory(row.number), 0)
                code.jump(after, JUMP_EQUAL)
            base = generator.pointer(array)
            if array.dtype == "bool":
                code.load_byte(RAX, Memory(base))
                code.vector(MOVE_WORD, register, 0, RAX, bits=128)
                code.vector(BROADCAST_WORD[width], register, 0, register)
                code.vector(GREATER[width], register, register, Pooled(bytes(VECTOR)))
            else:
                code.vector(BROADCAST[width], register, 0, Memory(base))
            code.place(after)

        return self.loaded(array.dtype, write)

    def write(self, array: Array) -> None:
        """Write the current columns of an output, or combine them with its old values."""
        value = self.generator.value(self, array.name)
        if array.role != "out":
            value = FUNCTIONS[array.role](self.builder, self.read(array), value)
        width = self.generator.width
        apart = array.dtype != "bool" and abs(array.strides[-1]) != width and self.generator.columns > 1
        slot = self.generator.frame.new() if apart else 0

        def store(allocator: Allocator) -> None:
            code, register = allocator.assembler, allocator.in_register(value)
            if apart:
                self.store_apart(allocator, array, register, slot)
            elif array.dtype == "bool":
                narrow = self.bytes_of(allocator, register)
                place = self.element(array)
                if self.rest:
                    for lane in range(self.rest):
                        code.vector(EXTRACT_BYTE, narrow, 0, place._replace(offset=lane), lane, bits=128)
                else:
                    code.vector(STORE_WORD[8 if width == 4 else 4], narrow, 0, place, bits=128)
            elif array.strides[-1] == -width:
                self.store_turned(allocator, array, register)
            elif self.mask is not None:
                code.vector(MASKED_STORE[width], register, self.mask, self.element(array))
            else:
                code.vector(STORE, register, 0, self.element(array))

        self.step(store, value)

    def bytes_of(self, allocator: Allocator, register: int) -> int:
        """A register with the lanes of a bool as bytes."""
        code, narrow = allocator.assembler, allocator.take()
        allocator.free.append(narrow)
        code.vector(EXTRACT_HALF, register, 0, narrow, 1)
        if self.generator.width == 4:
            code.vector(NARROW_WORDS, narrow, register, narrow, bits=128)
        else:
            code.vector(SHUFFLE_TWO, narrow, register, narrow, 0x88, bits=128)
            code.vector(NARROW_WORDS, narrow, narrow, narrow, bits=128)
        code.vector(NARROW_BYTES, narrow, narrow, narrow, bits=128)
        code.vector(AND, narrow, narrow, Pooled(b"\x01" * VECTOR), bits=128)
        return narrow

    def write_one(self, array: Array, value: Value) -> None:
        """Write the one element that an output has for a row, or combine it with its old value."""
        if array.role != "out":
            value = FUNCTIONS[array.role](self.builder, self.broadcast(array), value)
        width = self.generator.width

        def store(allocator: Allocator) -> None:
            code, register = allocator.assembler, allocator.in_register(value)
            if array.dtype == "bool":
                narrow = self.bytes_of(allocator, register)
                code.vector(EXTRACT_BYTE, narrow, 0, Memory(self.generator.pointer(array)), 0, bits=128)
            else:
                place = Memory(self.generator.pointer(array))
                code.vector(STORE_ONE[width], register, 0, place, bits=128)

        self.step(store, value)

    # Kept values

    def keep(self, value: Value) -> Value:
        """Store a value in the frame, for other basic blocks."""
        if value.kind != "register":
            return value
        slot = self.generator.frame.new()

        def store(allocator: Allocator) -> None:
            register = allocator.in_register(value)
            allocator.assembler.vector(STORE, register, 0, allocator.frame.memory(slot))

        self.step(store, value)
        return Value("slot", slot, value.dtype)

    def place_kept(self, name: str) -> Memory:
        """The memory of the current columns of a kept value."""
        offset = self.generator.outside[name] + self.ahead * VECTOR
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
