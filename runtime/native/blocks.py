"""Basic blocks of a kernel: their steps, and the instructions of AVX2 that move lanes from and to memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import accumulate
from typing import Protocol

from ..machine.assembler import (
    JUMP_EQUAL,
    MAP_0F,
    MAP_0F3A,
    MAP_0F38,
    P66,
    RAX,
    RCX,
    Assembler,
    Form,
    Memory,
    Operand,
    Pooled,
)
from ..machine.vector_assembler import SHUFFLE
from .allocate import LOAD, LOAD_ONE, STORE, STORE_ONE, Allocator, Frame
from .boundary import Words
from .builder import FORMS, Builder, Constants, Instruction, Value
from .language import SIZES, Array, Kernel, Place
from .scheduling import scheduled
from .stages import KernelStages
from .windows import Segment, Status, lanes_inside

BROADCAST = {
    1: Form(P66, MAP_0F38, 0x78),
    2: Form(P66, MAP_0F38, 0x79),
    4: Form(P66, MAP_0F38, 0x18),
    8: Form(P66, MAP_0F38, 0x19),
}
MASKED_LOAD = {4: Form(P66, MAP_0F38, 0x2C), 8: Form(P66, MAP_0F38, 0x2D)}
MASKED_STORE = {4: Form(P66, MAP_0F38, 0x2E), 8: Form(P66, MAP_0F38, 0x2F)}
MOVE_WORD = Form(P66, MAP_0F, 0x6E)
EXTRACT = {1: Form(P66, MAP_0F3A, 0x14), 2: Form(P66, MAP_0F3A, 0x15)}
INSERT = {
    1: Form(P66, MAP_0F3A, 0x20),
    2: Form(P66, MAP_0F, 0xC4),
    4: Form(P66, MAP_0F3A, 0x22),
    8: Form(P66, MAP_0F3A, 0x22, 1),
}
STORE_LANE = Form(P66, MAP_0F3A, 0x17)
HALF = 16  # bytes of half a vector
FEW_BYTES = {4: LOAD_ONE[4], 8: LOAD_ONE[8], 12: LOAD_ONE[8], HALF: LOAD}
"""Loads of so few bytes. One with a mask would wait for what has just been stored, as where rows are added up."""
EXTRACT_HALF = Form(P66, MAP_0F3A, 0x39)
AND, OR = Form(P66, MAP_0F, 0xDB), Form(P66, MAP_0F, 0xEB)
SPILL_STEPS = 12  # that are worth a register too many: few can wait for their operands, 64 in Zen 3
MOST_CHAINS = 4  # that are side by side in a block; a processor sees more than that as they are
LONG_CHAIN = 16  # steps of a chain from which on spills are worth it
FOR_CONSTANTS = 3  # registers
LEAST_FREE = 5  # registers that hold no constants: what one step may need
REVERSE = {4: 0x1B, 8: 0x4E}
"""The shuffle that reverses the lanes of 16 bytes."""


def is_narrow(array: Array, width: int) -> bool:
    """Whether elements are not in memory as in lanes of so many bytes."""
    return SIZES[array.dtype] < width or array.dtype == "bool"


def reverse_lanes(code: Assembler, register: int, width: int, vector: int) -> None:
    """Reverse the lanes of each 16 bytes of a register."""
    if width in REVERSE:
        code.vector(FORMS["shuffle"], register, 0, register, REVERSE[width])
        return
    order = bytes([first + byte for first in reversed(range(0, 16, width)) for byte in range(width)])
    code.vector(SHUFFLE, register, register, Pooled(order * (vector // 16)))


def behind(place: Memory, nbytes: int) -> Memory:
    """The memory that lies so many bytes behind."""
    return place._replace(offset=place.offset + nbytes)


class Generator(Protocol):
    """The parts of the whole function's generator (`generator.Generator`) that a basic block uses."""

    assembler: Assembler
    carries: dict[str, Value]
    columns: int
    computed: dict[str, Array]
    columns_at: Segment
    constants: Constants
    errors: dict[str, Value]
    frame: Frame
    kernel: Kernel
    lanes: int
    number: dict[str, int]
    outside: dict[str, int]
    outsiders: list[tuple[int, int, Place]]
    outside_rows: frozenset[str]
    prefetched: str
    raw: dict[str, Value]
    row_masks: dict[str, Value]
    slots: dict[str, Value]
    stages: KernelStages
    streamed: Collection[str]
    together: dict[str, tuple[str, ...]]
    vector: int
    width: int
    words: Words
    wrong: list[tuple[int, int, Array, Place]]

    def builder(self) -> Builder:
        """The builder that collects the instructions of a basic block."""

    def pointer(self, array: Array, register: int = RAX) -> int:
        """The register that points to an array's elements."""

    def constant(self, value: Value) -> Pooled:
        """A constant's bytes."""

    def value(self, piece: BasicBlock, name: str) -> Value:
        """A value of this basic block, or a kept value."""

    def is_outside(self, array: Array) -> bool:
        """Whether all current columns of an array are outside of its bounds."""


class BasicBlock:
    """A basic block: steps, in a register each of the values that they compute.

    Its methods for columns are those of AVX2. The ones from `last columns` on are all that knows how an instruction set
    masks lanes, and moves them across a vector.
    """

    allocator = Allocator
    swaps: tuple[tuple[str, int], ...] = (("swap_halves", 1),)
    """The instructions after each of which the two halves, then quarters, of a vector are combined."""
    can_mask = False
    """Whether the code for the last columns is that for any columns of a mask."""
    longest = 300
    """The steps of a block up to which two are interleaved."""
    waits = True
    """Whether processors with these instructions look for steps whose operands are there among few."""
    temporary = 1
    """The registers that a step may need beside its operands."""

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
        self.mask = -1  # the register that masks the last columns
        self.held: dict[tuple[str, int], int] = {}  # registers of constants and values of the row, in a loop
        self.made: list[int] = []  # the number of the value that each step makes; -1 if it makes none
        self.together: dict[str, Value] = {}  # columns that are read, or to be written, with others
        self.adjacent: dict[tuple[str, ...], Sequence[Value]] = {}  # for columns the adjacent vectors of their rows
        self.whole = not rest  # whether there is a column for each lane
        if rest:
            self.reserve_mask()

    # Steps

    def collect(self) -> None:
        """Take the instructions from the builder."""
        new = self.builder.instructions[self.taken :]
        if new:
            self.steps += new
            self.reads += [instruction.sources for instruction in new]
            self.made += [instruction.target.number if instruction.target else -1 for instruction in new]
            self.taken += len(new)

    def step(self, function: Callable[[Allocator], None], *reads: Value) -> None:
        """A step that is more than one instruction."""
        self.collect()
        self.steps.append(function)
        self.reads.append(reads)
        self.made.append(-1)

    def finish(self, rest: int = 0, masked: bool = False) -> None:
        """Write all steps. For the last columns of a row, of which there are `rest`, no others are touched. `masked`:
        the columns are those of a mask that has been loaded."""
        self.collect()
        self.rest = rest
        if rest and not masked:
            self.load_mask(rest)
        generator = self.generator
        allocator = self.allocator(
            generator.assembler, generator.frame, generator.constants, self.pinned, generator.width, self.held
        )
        allocator.run(self.steps, self.reads)

    def loaded(self, dtype: str, write: Callable[[Allocator, int], None], *reads: Value) -> Value:
        """A value that a step loads, or makes of others."""
        value = self.builder.new(dtype)
        self.step(lambda allocator: write(allocator, allocator.define(value)), *reads)
        self.made[-1] = value.number
        return value

    def length(self) -> int:
        """The number of steps."""
        self.collect()
        return len(self.steps)

    def pressure(self) -> int:
        """The registers that the steps need at once, beside pinned ones."""
        return max(max(self.live()) + self.temporary, LEAST_FREE)

    def live(self) -> list[int]:
        """How many values that are not pinned are in registers at each step, and after the last."""
        born = {number: time for time, number in enumerate(self.made)}
        reads = enumerate(self.reads)
        last = {number: time for time, values in reads for kind, number, _ in values if kind == "register"}
        pinned = {value.number for value in self.pinned}
        changes = [0] * (len(self.steps) + 1)
        for number, end in last.items():
            if number in born and number not in pinned:
                changes[born[number]] += 1
                changes[end + 1] -= 1
        return [*accumulate(changes)]

    def overlaps(self, count: int) -> bool:
        """Whether it is worth it that this block has the interleaved steps of so many: each has few long chains, and
        there are few spills, or registers are left for constants."""
        longest, left = self.longest_chain(), self.allocator.count - len(self.pinned) - self.pressure()
        if longest < LONG_CHAIN:
            return left >= FOR_CONSTANTS
        return len(self.steps) <= count * MOST_CHAINS * longest and self.has_few_spills(1)

    def has_few_spills(self, count: int) -> bool:
        """Whether so many blocks like this one have few spills when their steps are interleaved."""
        registers = count * (max(self.live()) + len(self.pinned)) + self.temporary
        return registers - self.allocator.count <= count * len(self.steps) / SPILL_STEPS

    def longest_chain(self) -> int:
        """The number of steps in the longest chain of which each reads what the one before has made."""
        ends: dict[int, int] = {}
        for values, made in zip(self.reads, self.made, strict=True):
            ends[made] = 1 + max((ends.get(number, 0) for kind, number, _ in values if kind == "register"), default=0)
        return max(ends.values(), default=0)

    def hold(self) -> None:
        """Load constants and values of the row to registers that no step needs, those first that are read most."""
        self.collect()
        generator, counts = self.generator, dict[tuple[str, int], int]()
        rows = {value.number for value in generator.slots.values() if value.kind == "slot"}
        for values in self.reads:
            for kind, number, _ in values:
                if kind == "constant" or (kind == "slot" and number in rows):
                    counts[kind, number] = counts.get((kind, number), 0) + 1
        taken = set(self.pinned.values())
        room = max(0, self.allocator.count - len(taken) - self.pressure())
        free = [register for register in reversed(range(self.allocator.count)) if register not in taken]
        chosen = sorted(counts, key=lambda place: -counts[place])[:room]
        for register, (kind, number) in zip(free, chosen, strict=False):
            place = generator.frame.memory(number) if kind == "slot" else generator.constants.pooled[number]
            generator.assembler.vector(LOAD, register, 0, place)
            self.held[kind, number] = register

    def take_over(self, others: Sequence[BasicBlock]) -> bool:
        """Take over the steps of other blocks; False if the registers are too few to have one of each block in turn.

        In turn the processor sees the chains of dependent instructions side by side.
        """
        blocks = (self, *others)
        for block in blocks:
            block.collect()
        one_by_one = [(block, time) for block in blocks for time in range(len(block.steps))]
        in_turn = sorted(one_by_one, key=lambda step: step[1])
        orders = [
            (
                [block.steps[time] for block, time in order],
                [block.reads[time] for block, time in order],
                [block.made[time] for block, time in order],
            )
            for order in (one_by_one, in_turn)
        ]
        for block in others:
            block.drop()
        self.steps, self.reads, self.made = orders[1]
        if self.overlaps(len(blocks)):
            return True
        self.steps, self.reads, self.made = orders[0]
        return False

    def interleave(self) -> None:
        """Have the chains of dependent steps stand side by side, if there are several long ones, and registers for all
        of them."""
        self.collect()
        chain = self.longest_chain() if self.waits else 0
        if chain < LONG_CHAIN or 2 * chain > len(self.steps):
            return
        before, order = (self.steps, self.reads, self.made), scheduled(self.reads, self.made)
        self.steps, self.reads = [self.steps[step] for step in order], [self.reads[step] for step in order]
        self.made = [self.made[step] for step in order]
        if not self.has_few_spills(1):
            self.steps, self.reads, self.made = before

    def append(self, other: BasicBlock) -> None:
        """Move the steps of another block to the end of this one."""
        for block in (self, other):
            block.collect()
        self.steps += other.steps
        self.reads += other.reads
        self.made += other.made
        other.drop()

    def drop(self) -> None:
        """Forget all steps."""
        self.steps, self.reads, self.made = [], [], []

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

    # Addresses

    def element(self, array: Array) -> Memory:
        """The memory of the current columns."""
        base, size = self.generator.pointer(array), SIZES[array.dtype]
        return Memory(base, self.ahead * self.generator.lanes * size, RCX, size)

    def one(self, array: Array) -> Memory:
        """The memory of the element of all columns."""
        return Memory(self.generator.pointer(array))

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

    def from_end(self, code: Assembler, array: Array) -> Memory:
        """The memory of the current columns of an array with a negative stride, the last column first."""
        self.first_element(code, array)
        return Memory(RAX, SIZES[array.dtype] * (1 - self.generator.lanes))

    # The last columns

    def reserve_mask(self) -> None:
        """Take a register for the mask of the last columns."""
        self.mask = min([*self.pinned.values(), self.allocator.count]) - 1
        self.pinned[self.builder.new("bool")] = self.mask

    def load_mask(self, columns: int) -> None:
        """Load the mask of so many columns."""
        content = b"\xff" * self.generator.width * columns
        self.generator.assembler.vector(LOAD, self.mask, 0, Pooled(content.ljust(self.generator.vector, b"\0")))

    def load(self, code: Assembler, register: int, place: Operand) -> None:
        """Load as many lanes as there are columns."""
        nbytes = self.rest * self.generator.width
        if nbytes and self.generator.width < 4:
            assert isinstance(place, Memory)
            code.vector(LOAD, register, 0, self.part(code, register, place, 0, nbytes))
        elif nbytes in FEW_BYTES and isinstance(place, Memory):
            code.vector(FEW_BYTES[nbytes], register, 0, place, bits=128)
            if nbytes == 12:
                code.vector(INSERT[4], register, register, behind(place, 8), 2, bits=128)
        elif self.rest:
            code.vector(MASKED_LOAD[self.generator.width], register, self.mask, place)
        else:
            code.vector(LOAD, register, 0, place)

    def store(self, allocator: Allocator, register: int, place: Memory) -> None:
        """Store as many lanes as there are columns: of few ones by parts, as stores with a mask are slow."""
        code, nbytes, source = allocator.assembler, self.rest * self.generator.width, register
        if not nbytes:
            code.vector(STORE, register, 0, place)
            return
        if self.generator.width < 4:
            self.store_part(allocator, register, place, nbytes)
            return
        if nbytes > HALF:
            source = allocator.take()
            allocator.free.append(source)
            code.vector(EXTRACT_HALF, register, 0, source, 1)
        if nbytes >= HALF:
            code.vector(STORE, register, 0, place, bits=128)
            nbytes, place = nbytes - HALF, behind(place, HALF)
        if nbytes >= 8:
            code.vector(STORE_ONE[8], source, 0, place, bits=128)
        if nbytes % 8 and nbytes > 8:
            code.vector(STORE_LANE, source, 0, behind(place, 8), 2, bits=128)
        elif nbytes % 8:
            code.vector(STORE_ONE[4], source, 0, place, bits=128)

    def part(self, code: Assembler, register: int, place: Memory, first: int, nbytes: int) -> Memory:
        """A vector of the frame that has some bytes of a vector in memory, and zeros. Overwrites the register."""
        slot = self.generator.frame.memory(self.generator.frame.new())
        code.vector(LOAD, register, 0, Pooled(bytes(self.generator.vector)))
        code.vector(STORE, register, 0, slot)
        self.copy_bytes(code, register, behind(place, first), behind(slot, first), nbytes)
        return slot

    def store_part(self, allocator: Allocator, register: int, place: Memory, nbytes: int) -> None:
        """Store the first bytes of a register, by way of the frame."""
        slot, other = self.generator.frame.memory(self.generator.frame.new()), allocator.take()
        allocator.free.append(other)
        allocator.assembler.vector(STORE, register, 0, slot)
        self.copy_bytes(allocator.assembler, other, slot, place, nbytes)

    @staticmethod
    def copy_bytes(code: Assembler, register: int, source: Memory, target: Memory, nbytes: int) -> None:
        """Copy fewer bytes than a vector has, by way of a register."""
        for size in (16, 8, 4, 2, 1):
            if not nbytes & size:
                continue
            load, store = (LOAD, STORE) if size == 16 else (LOAD_ONE.get(size), STORE_ONE.get(size))
            if load and store:
                code.vector(load, register, 0, source, bits=128)
                code.vector(store, register, 0, target, bits=128)
            else:
                code.vector(INSERT[size], register, register, source, 0, bits=128)
                code.vector(EXTRACT[size], register, 0, target, 0, bits=128)
            source, target = behind(source, size), behind(target, size)

    def merge(self, code: Assembler, register: int, place: Operand) -> None:
        """Replace the lanes of a register for which there are columns."""
        if self.rest:
            code.vector(FORMS["blend"], register, register, place, self.mask << 4)
        else:
            code.vector(LOAD, register, 0, place)

    def load_inside(self, code: Assembler, register: int, control: int, status: Status, array: Array) -> None:
        """Load the lanes for which there are columns inside of bounds, some or of one element. `control` is a register
        that may be overwritten."""
        vector = self.generator.vector
        mask = Pooled(status.ljust(vector, b"\0")) if isinstance(status, bytes) else self.mask if self.rest else None
        if not array.strides[-1]:
            code.vector(BROADCAST[self.generator.width], register, 0, self.one(array))
            if mask is not None:
                code.vector(AND, register, register, mask)
        elif mask is not None and self.generator.width < 4:
            code.vector(LOAD, register, 0, self.part(code, register, self.element(array), *self.span(status, array)))
        elif mask is not None:
            code.vector(LOAD, control, 0, mask)
            code.vector(MASKED_LOAD[self.generator.width], register, control, self.element(array))

    def span(self, status: Status, array: Array) -> tuple[int, int]:
        """The first byte of a vector of elements that are inside of bounds and have columns, and their bytes."""
        inside, size = lanes_inside(status, self.generator.width) or range(self.rest), SIZES[array.dtype]
        return size * inside[0], size * len(inside)

    def zero_outside(self, allocator: Allocator, register: int, row: Value | None) -> int:
        """Load zeros, and jump, in a row outside of bounds. A masked load would do, but where no lane is read and the
        memory is not there, such a load takes hundreds of cycles."""
        code, after = allocator.assembler, allocator.assembler.new_label()
        if row is not None:
            code.vector(LOAD, register, 0, Pooled(bytes(self.generator.vector)))
            code.compare(allocator.frame.memory(row.number), 0)
            code.jump(after, JUMP_EQUAL)
        return after

    # Lanes in another order

    def turn(self, code: Assembler, register: int, source: int) -> None:
        """The lanes of a register in reverse order."""
        code.vector(FORMS["swap_halves"], register, source, source, 0x01)
        reverse_lanes(code, register, self.generator.width, self.generator.vector)

    def end_mask(self) -> Pooled:
        """The mask of the last lanes, as many as there are columns."""
        content = b"\xff" * self.generator.width * self.rest
        return Pooled(content.rjust(self.generator.vector, b"\0"))

    def load_turned(self, allocator: Allocator, array: Array, register: int) -> None:
        """Load adjacent columns in reverse order."""
        code, width = allocator.assembler, self.generator.width
        place = self.from_end(code, array)
        if self.rest and width < 4:
            code.vector(LOAD, register, 0, self.last_part(code, register, place, array))
        elif self.rest:
            code.vector(LOAD, register, 0, self.end_mask())
            code.vector(MASKED_LOAD[width], register, register, place)
        else:
            code.vector(LOAD, register, 0, place)
        self.turn(code, register, register)

    def last_part(self, code: Assembler, register: int, place: Memory, array: Array) -> Memory:
        """A vector of the frame with as many of the last elements of one in memory as there are columns."""
        size = SIZES[array.dtype]
        return self.part(code, register, place, size * (self.generator.lanes - self.rest), size * self.rest)

    def store_turned(self, allocator: Allocator, array: Array, register: int) -> None:
        """Write adjacent columns in reverse order."""
        code, turned = allocator.assembler, allocator.take()
        allocator.free.append(turned)
        self.turn(code, turned, register)
        if self.rest:
            control = allocator.take()
            allocator.free.append(control)
            code.vector(LOAD, control, 0, self.end_mask())
            code.vector(MASKED_STORE[self.generator.width], turned, control, self.from_end(code, array))
        else:
            code.vector(STORE, turned, 0, self.from_end(code, array))

    def store_apart(self, allocator: Allocator, array: Array, register: int, slot: int) -> None:
        """Write columns that are not adjacent, one after the other, by way of the frame."""
        code, width, one = allocator.assembler, self.generator.width, allocator.take()
        allocator.free.append(one)
        place = allocator.frame.memory(slot)
        code.vector(STORE, register, 0, place)
        self.first_element(code, array)
        for lane in range(self.rest or self.generator.lanes):
            code.vector(LOAD_ONE[width], one, 0, behind(place, lane * width), bits=128)
            code.vector(STORE_ONE[width], one, 0, Memory(RAX, lane * array.strides[-1]), bits=128)
