"""Basic blocks for AVX-512: registers of 64 bytes, and mask registers instead of vectors with all bits set or none.

Bools are vectors here, too, so that the same functions are written. A comparison that only selects stays in a mask.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import cast

from ..machine.assembler import MAP_0F3A, P66, RAX, Assembler, Form, Memory, Operand, Pooled
from ..machine.executable import permutes_bytes
from ..machine.vector_assembler import (
    BLEND,
    CHOOSE,
    FROM_TWO,
    INTO_FIRST,
    LANES_OF_MASK,
    MASK_OF_LANES,
    PERMUTE,
    STORE_BYTES,
    STORE_WORDS,
    TEST,
    VectorAssembler,
)
from ..machine.wide_assembler import EXCLUSIVE_OR, LOAD, STORE
from .allocate import Allocator
from .blocks import BROADCAST, behind, reverse_lanes
from .builder import COMMUTATIVE, FORMS, Instruction, Value
from .language import FLOAT16, NEAR, SIZES, Array
from .pieces import Piece
from .ternary_logic import in_order, with_ternary_logic
from .windows import Status, lanes_inside

COLUMNS, SPARE = 1, 7  # mask registers: of the last columns of a row, and of single steps
BY_THREE = Form(P66, MAP_0F3A, 0x25)
FIRST_CHOOSES = 0xCA  # the second operand where the first one has a bit set, else the third

COMPARISONS = frozenset(name for name in FORMS if name.startswith(("compare.", "equal.", "greater.")))


class WideAllocator(Allocator):
    """Writes the instructions of a basic block for AVX-512."""

    count = 32
    shares = False

    def run(self, steps: Sequence[Instruction | Callable[[Allocator], None]], reads: Sequence[Sequence[Value]]) -> None:
        """Write all steps. A comparison that no step needs as a vector is kept in a mask register, if one is free."""
        self.code = cast("VectorAssembler", self.assembler)
        steps, reads = with_ternary_logic(steps, reads, self.registers)
        self.masks: dict[int, int] = {}  # values to mask registers
        self.free_masks = list(range(COLUMNS + 1, SPARE))
        instructions = [step for step in steps if isinstance(step, Instruction)]
        self.as_masks = {step.target.number for step in instructions if step.operation in COMPARISONS and step.target}
        for step, values in zip(steps, reads, strict=True) if self.as_masks else ():
            chosen = _mask_of(step) if isinstance(step, Instruction) else None
            vectors = [one.number for one in values if one.kind == "register" and one is not chosen]
            self.as_masks.difference_update(vectors)
        super().run(steps, reads)

    def release(self, values: Sequence[Value]) -> None:
        """Free the registers of values that are not read again."""
        super().release(values)
        for kind, number, _ in values if self.masks else ():
            if kind == "register" and number in self.masks and self.uses[number][-1] <= self.time:
                self.free_masks.append(self.masks.pop(number))

    def comparison(self, step: Instruction, target: Value) -> None:
        """Compare to a mask register; and make a vector of it if one is needed, or no mask register is free."""
        x, y = step.sources
        if step.operation in COMMUTATIVE and not isinstance(self.where(x), int):
            x, y = y, x
        register, mask = self.in_register(x), SPARE
        if target.number in self.as_masks and target.number in self.uses and self.free_masks:
            mask = self.masks[target.number] = self.free_masks.pop()
        self.code.vector(FORMS[step.operation], mask, register, self.where(y), step.immediate)
        if mask == SPARE:
            self.code.vector(LANES_OF_MASK[self.width], self.define(target), 0, SPARE)

    def conjunction(self, step: Instruction, target: Value) -> None:
        """The bits that two vectors have in common, or the lanes of one that a mask register has."""
        chosen = _mask_of(step) if self.masks else None
        mask = None if chosen is None else self.masks.get(chosen.number)
        if mask is None:
            self.two_sources(step, target)
            return
        (other,) = [value for value in step.sources if value is not chosen]
        place = self.where(other)
        self.code.vector(LOAD[self.width], self.define(target), 0, place, mask=mask)

    def blend(self, step: Instruction, target: Value) -> None:
        """Select lanes by a mask register, or by a vector."""
        no, yes, condition = step.sources
        chosen = _mask_of(step) if self.masks else None
        mask = None if chosen is None else self.masks.get(chosen.number)
        if mask is None:
            control = self.in_register(condition)
            first, second = self.in_register(yes), self.where(no)
            if condition not in (yes, no) and (register := self.takes_over(target, condition)) is not None:
                self.code.vector(BY_THREE, register, first, second, FIRST_CHOOSES)
                return
            mask = SPARE
            self.code.vector(MASK_OF_LANES[self.width], mask, 0, control)
        first, second = self.in_register(no), self.where(yes)
        self.code.vector(BLEND[self.width], self.define(target), first, second, mask=mask, keep=True)

    def scale_some(self, step: Instruction, target: Value) -> None:
        """x times a power of two in the lanes of a mask register, or vector; zero in the others."""
        x, power, condition = step.sources
        chosen = _mask_of(step) if self.masks else None
        mask = None if chosen is None else self.masks.get(chosen.number)
        if mask is None:
            mask = SPARE
            self.code.vector(MASK_OF_LANES[self.width], mask, 0, self.in_register(condition))
        first, second = self.in_register(x), self.where(power)
        self.code.vector(FORMS[step.operation], self.define(target), first, second, mask=mask)

    def ternary(self, step: Instruction, target: Value) -> None:
        """A bitwise function of three operands, computed in the register of one that is read for the last time."""
        order, register = [0, 1, 2], None
        for number in range(3):
            x, rest = step.sources[number], [step.sources[other] for other in order if other != number]
            if all(x.number != y.number or x.kind != y.kind for y in rest):
                register = self.takes_over(target, x)
                if register is not None:
                    self.busy.add(register)
                    order.remove(number)
                    order.insert(0, number)
                    break
        if not isinstance(self.where(step.sources[order[1]]), int):
            order[1:] = order[:0:-1]
        first, second, third = (step.sources[number] for number in order)
        one, other = self.in_register(second), self.where(third)
        if register is None:
            copied = self.where(first)
            register = self.define(target)
            self.code.vector(LOAD[4], register, 0, copied)
        table = in_order(step.immediate or 0, (order[0], order[1], order[2]))
        self.code.vector(BY_THREE, register, one, other, table)

    def from_two(self, step: Instruction, target: Value) -> None:
        """Lanes of two vectors, by their numbers."""
        x, y, order = step.sources
        first, second = self.in_register(x), self.where(y)
        numbers, register = self.where(order), self.define(target)
        self.code.vector(LOAD[4], register, 0, numbers)
        self.code.vector(FROM_TWO[self.width], register, first, second)

    # Calls

    def any_lane(self, mask: int) -> None:
        """Load a number to RAX that is zero if no lane of a mask is set."""
        self.code.vector(MASK_OF_LANES[4], SPARE, 0, mask)
        self.code.get_mask(RAX, SPARE)

    def store_masks(self, place: Memory) -> None:
        """Store the mask registers, which a function may overwrite."""
        for mask in range(COLUMNS, SPARE):
            self.code.get_mask(RAX, mask)
            self.code.store(behind(place, 8 * mask), RAX)

    def load_masks(self, place: Memory) -> None:
        """Load them again."""
        for mask in range(COLUMNS, SPARE):
            self.code.load(RAX, behind(place, 8 * mask))
            self.code.set_mask(mask, RAX)


def _mask_of(step: Instruction) -> Value | None:
    """The value that an instruction takes from a mask register, if it is there. Slots have their own numbers."""
    if step.operation == "blend" or step.operation.startswith("scale_some"):
        mask = step.sources[2]
        kept = mask.kind != "register" or any(value[:2] == mask[:2] for value in step.sources[:2])
        return None if kept else mask
    if step.operation == "and":
        bools = [value for value in step.sources if value.dtype == "bool" and value.kind == "register"]
        if len(bools) == 1 and step.sources[0][:2] != step.sources[1][:2]:
            return bools[0]
    return None


class WidePiece(Piece):
    """A basic block for AVX-512."""

    allocator = WideAllocator
    swaps = (("swap_lanes", 0x4E), ("swap_lanes", 0xB1))
    can_mask = True
    waits = False
    longest = 100  # chains of longer ones are side by side as they are
    temporary = 4

    def overlaps(self, count: int) -> bool:
        """Whether registers are enough for interleaved steps."""
        return self.pressure() + len(self.pinned) <= self.allocator.count

    def has_few_spills(self, count: int) -> bool:
        """No more than two blocks are interleaved."""
        return count <= 2

    # The last columns

    def reserve_mask(self) -> None:
        """The mask has a register of its own."""

    def load_mask(self, columns: int) -> None:
        """Load the mask of so many columns."""
        self.set_mask(self.generator.assembler, COLUMNS, (1 << columns) - 1)

    def set_mask(self, code: Assembler, mask: int, lanes: int) -> None:
        """Load bits to a mask register, through RAX."""
        code.constant(RAX, lanes)
        wide = cast("VectorAssembler", code)
        (wide.set_mask if lanes < 1 << 16 else wide.set_long_mask)(mask, RAX)

    @property
    def columns_mask(self) -> int:
        """The mask register for memory of the current columns; 0 if there is a column for each lane."""
        return COLUMNS if self.rest else 0

    def load(self, code: Assembler, register: int, place: Operand) -> None:
        """Load as many lanes as there are columns."""
        cast("VectorAssembler", code).vector(LOAD[self.generator.width], register, 0, place, mask=self.columns_mask)

    def store(self, allocator: Allocator, register: int, place: Memory) -> None:
        """Store as many lanes as there are columns."""
        code = cast("VectorAssembler", allocator.assembler)
        code.vector(STORE[self.generator.width], register, 0, place, mask=self.columns_mask)

    def merge(self, code: Assembler, register: int, place: Operand) -> None:
        """Replace the lanes of a register for which there are columns."""
        cast("VectorAssembler", code).vector(
            LOAD[self.generator.width], register, 0, place, mask=self.columns_mask, keep=True
        )

    def mask_inside(self, code: Assembler, status: Status) -> int:
        """The mask register for the lanes for which there are columns inside of bounds; 0 if all lanes have."""
        if not isinstance(status, bytes):
            return self.columns_mask
        self.set_mask(code, SPARE, sum(1 << lane for lane in lanes_inside(status, self.generator.width)))
        return SPARE

    def load_inside(self, code: Assembler, register: int, control: int, status: Status, array: Array) -> None:
        """Load the lanes for which there are columns inside of bounds."""
        mask = self.mask_inside(code, status)
        form, place = (LOAD, self.element(array)) if array.strides[-1] else (BROADCAST, self.one(array))
        cast("VectorAssembler", code).vector(form[self.generator.width], register, 0, place, mask=mask)

    # Lanes in another order

    def turn(self, code: Assembler, register: int, source: int) -> None:
        """The lanes of a register in reverse order."""
        code.vector(FORMS["swap_lanes"], register, source, source, 0x1B)
        reverse_lanes(code, register, self.generator.width, self.generator.vector)

    def end_lanes(self, code: Assembler) -> int:
        """A mask register for the last lanes, as many as there are columns; 0 if there is a column for each."""
        if not self.rest:
            return 0
        self.set_mask(code, SPARE, (1 << self.rest) - 1 << self.generator.lanes - self.rest)
        return SPARE

    def load_turned(self, allocator: Allocator, array: Array, register: int) -> None:
        """Load adjacent columns in reverse order."""
        code = cast("VectorAssembler", allocator.assembler)
        mask = self.end_lanes(code)
        code.vector(LOAD[self.generator.width], register, 0, self.from_end(code, array), mask=mask)
        self.turn(code, register, register)

    def store_turned(self, allocator: Allocator, array: Array, register: int) -> None:
        """Write adjacent columns in reverse order."""
        code, turned = cast("VectorAssembler", allocator.assembler), allocator.take()
        allocator.free.append(turned)
        self.turn(code, turned, register)
        mask = self.end_lanes(code)
        code.vector(STORE[self.generator.width], turned, 0, self.from_end(code, array), mask=mask)

    def every_second(self, allocator: Allocator, array: Array, register: int) -> None:
        """Load columns with one element between each two, from two vectors that overlap in one element: the very last
        is the last column."""
        code, width, lanes = allocator.assembler, self.generator.width, self.generator.lanes
        if width < 4:
            super().every_second(allocator, array, register)
            return
        first = allocator.take()
        allocator.free.append(first)
        order = [2 * lane if lane < lanes // 2 else 2 * lane + 1 for lane in range(lanes)]
        self.first_element(code, array)
        code.vector(LOAD[4], first, 0, Memory(RAX))
        code.vector(LOAD[4], register, 0, Pooled(struct.pack(f"<{lanes}{'i' if width == 4 else 'q'}", *order)))
        code.vector(FROM_TWO[width], register, first, Memory(RAX, self.generator.vector - width))

    def join_quarters(self, code: Assembler, register: int, spare: int) -> None:
        """Move the first halves of all 16 bytes before the second ones."""
        code.vector(LOAD[8], spare, 0, Pooled(struct.pack("<8q", 0, 2, 4, 6, 1, 3, 5, 7)))
        code.vector(PERMUTE[8], register, spare, register)

    def gather(self, allocator: Allocator, array: Array, register: int) -> None:
        """Load elements that are not adjacent."""
        if self.is_near(array, abs(array.strides[-1])):
            self.load_near(allocator, array, register)
            return
        if SIZES[array.dtype] < 4:
            super().gather(allocator, array, register)
            return
        code, width = cast("VectorAssembler", allocator.assembler), self.generator.width
        steps = allocator.take()
        allocator.free.append(steps)
        distances = [lane * array.strides[-1] for lane in range(self.generator.lanes)]
        content = struct.pack(f"<{len(distances)}i", *distances).ljust(self.generator.vector, b"\0")
        self.first_element(code, array)
        code.vector(LOAD[4], steps, 0, Pooled(content))
        if self.rest:
            code.copy_mask(SPARE, COLUMNS)
        else:
            code.set_all(SPARE)
        code.vector(EXCLUSIVE_OR, register, register, register)
        code.vector(CHOOSE[width], register, 0, Memory(RAX, 0, steps), mask=SPARE, keep=True)

    def is_near(self, array: Array, step: int) -> bool:
        """Whether columns so many bytes apart lie in so few vectors of memory that these are loaded or stored whole."""
        size = SIZES[array.dtype]
        return 2 * size <= step <= NEAR * size and (size == self.generator.width > 2 or permutes_bytes())

    def is_exchanged(self, array: Array) -> bool:
        """Whether columns that are read with those beside them are exchanged as lanes, not as fewer bytes."""
        narrow = SIZES[array.dtype] < self.generator.width and self.is_near(array, array.strides[-1])
        return super().is_exchanged(array) and not narrow

    def in_vectors(self, array: Array) -> tuple[int, int, int, int, int]:
        """The bytes of what changes its place between vectors, lanes or bytes; as many of these as a vector, an element
        and the distance of columns have; and the columns."""
        size = SIZES[array.dtype]
        unit = size if size == self.generator.width > 2 else 1
        columns = self.rest or self.generator.lanes
        return unit, self.generator.vector // unit, size // unit, array.strides[-1] // unit, columns

    @staticmethod
    def numbers(unit: int, numbers: Sequence[int]) -> Pooled:
        """A vector of numbers of lanes, or bytes."""
        return Pooled(struct.pack(f"<{len(numbers)}{'B' if unit == 1 else 'i' if unit == 4 else 'q'}", *numbers))

    def load_near(self, allocator: Allocator, array: Array, register: int) -> None:
        """Load columns from adjacent vectors, of which the last one ends with the last column in memory; a rest may be
        part of one."""
        code, other = cast("VectorAssembler", allocator.assembler), allocator.take()
        unit, lanes, size, step, columns = self.in_vectors(array)
        begin, reach = min(0, step * (columns - 1)), abs(step) * (columns - 1) + size
        allocator.free.append(other)
        if reach < lanes:
            self.set_mask(code, SPARE, (1 << reach) - 1)  # through RAX
        self.first_element(code, array)
        code.vector(LOAD[unit], register, 0, Memory(RAX, begin * unit), mask=SPARE if reach < lanes else 0)
        # Lanes without a column have the last one.
        places = [divmod(min(lane, size * columns - 1), size) for lane in range(lanes)]
        wanted = [step * column - begin + part for column, part in places]
        count = -(-reach // lanes)
        if count == 1:
            code.vector(LOAD[4], other, 0, self.numbers(unit, wanted))
            code.vector(PERMUTE[unit], register, other, register)
        for number in range(1, count):
            first = lanes * number if number < count - 1 else reach - lanes
            chosen = [
                (place if number == 1 else lane) if place < lanes * number else (lanes + place - first) % (2 * lanes)
                for lane, place in enumerate(wanted)
            ]
            code.vector(LOAD[4], other, 0, self.numbers(unit, chosen))
            code.vector(INTO_FIRST[unit], register, other, Memory(RAX, (begin + first) * unit))

    def store_apart(self, allocator: Allocator, array: Array, register: int, slot: int) -> None:
        """Write columns that are not adjacent: as far as possible the lanes of whole vectors."""
        if self.is_near(array, array.strides[-1]):
            self.store_near(allocator, array, register)
        else:
            super().store_apart(allocator, array, register, slot)

    def store_each(self, allocator: Allocator, array: Array, narrow: int) -> None:
        """Write narrow elements that are not adjacent."""
        if self.is_near(array, array.strides[-1]):
            self.store_near(allocator, array, narrow)
        else:
            super().store_each(allocator, array, narrow)

    def store_near(self, allocator: Allocator, array: Array, register: int) -> None:
        """Write columns to adjacent vectors."""
        code, other = cast("VectorAssembler", allocator.assembler), allocator.take()
        unit, lanes, size, step, columns = self.in_vectors(array)
        allocator.free.append(other)
        for number in range(-(-(step * (columns - 1) + size) // lanes)):
            places = [divmod(lanes * number + lane, step) for lane in range(lanes)]
            inside = [column < columns and part < size for column, part in places]
            self.set_mask(code, SPARE, sum(1 << lane for lane in range(lanes) if inside[lane]))  # through RAX
            self.first_element(code, array)
            chosen = [(size * column + part) % lanes for column, part in places]
            code.vector(LOAD[4], other, 0, self.numbers(unit, chosen))
            code.vector(PERMUTE[unit], other, other, register)
            code.vector(STORE[unit], other, 0, Memory(RAX, number * self.generator.vector), mask=SPARE)

    # Bools, bytes and halves

    def set_where_positive(self, code: Assembler, register: int) -> None:
        """Set all bits of the lanes that are positive, and none of the others, where none is negative."""
        code.vector(TEST[self.generator.width], SPARE, register, register)
        code.vector(LANES_OF_MASK[self.generator.width], register, 0, SPARE)

    def load_narrow(self, allocator: Allocator, array: Array, register: int, status: Status = True) -> None:
        """Load narrow elements, one for each lane that is inside of bounds."""
        code = cast("VectorAssembler", allocator.assembler)
        form = LOAD[1] if self.generator.width == 1 else self.widening(array)
        if array.strides[-1] == -SIZES[array.dtype] and status is True:
            mask = self.end_lanes(code)
            code.vector(form, register, 0, self.from_end(code, array), mask=mask)
            self.turn(code, register, register)
        elif array.strides[-1] != SIZES[array.dtype]:
            self.gather(allocator, array, register)
            code.vector(form, register, 0, register)
        else:
            mask = self.mask_inside(code, status)  # overwrites RAX, which may be the array's pointer then
            code.vector(form, register, 0, self.element(array), mask=mask)
        if array.dtype == "bool":
            self.set_where_positive(code, register)

    def store_narrow(self, allocator: Allocator, array: Array, register: int) -> None:
        """Write bools as bytes, or narrow numbers."""
        if array.strides[-1] != SIZES[array.dtype]:
            self.store_narrow_apart(allocator, array, register)
        else:
            self.narrow(allocator, array, register, self.element(array), self.columns_mask)

    def narrowed(self, allocator: Allocator, array: Array, register: int) -> int:
        """A register with the lanes of another one as narrow elements of an array."""
        narrow = allocator.take()
        allocator.free.append(narrow)
        self.narrow(allocator, array, register, narrow)
        return narrow

    def narrow(self, allocator: Allocator, array: Array, register: int, place: Operand, mask: int = 0) -> None:
        """Move the lanes of a register to a place as narrow elements of an array."""
        code = cast("VectorAssembler", allocator.assembler)
        if array.dtype == FLOAT16:
            code.vector(FORMS["round_half"], register, 0, place, 0, mask=mask, keep=True)
            return
        form = STORE_WORDS if SIZES[array.dtype] == 2 else STORE_BYTES[self.generator.width]
        ones = self.ones_of(allocator, register) if array.dtype == "bool" else register
        code.vector(form, ones, 0, place, mask=mask, keep=True)

    def ones_of(self, allocator: Allocator, register: int) -> int:
        """A register with 1 in the lanes that are true."""
        ones, width = allocator.take(), self.generator.width
        allocator.free.append(ones)
        if width == 1:
            allocator.assembler.vector(FORMS["and"], ones, register, Pooled(b"\1" * self.generator.vector))
            return ones
        form = FORMS[f"shift_right.{self.builder.integer}"]
        allocator.assembler.vector(form, form.extension or 0, ones, register, 8 * width - 1)
        return ones
