"""Register allocation for a basic block: each value is in a register or in a spill slot."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from ..machine.assembler import (
    JUMP_EQUAL,
    JUMP_NOT_EQUAL,
    MAP_0F,
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
    RCX,
    RDI,
    RDX,
    RSI,
    RSP,
    Assembler,
    Form,
    Memory,
    Operand,
)  # fmt: skip
from ..machine.executable import library_function
from ..records import NamedTuple
from .builder import COMMUTATIVE, FORMS, ONE_SOURCE, VECTOR, Constants, Instruction, Value

REGISTERS = 16
SOON = 3  # steps within which a constant is read again
SPARE = 3  # free registers, of which one may have a constant

LANES_SET = Form(NONE, MAP_0F, 0x50)
LOAD_ONE = {4: Form(PF3, MAP_0F, 0x10), 8: Form(PF2, MAP_0F, 0x10, 1)}
STORE_ONE = {4: Form(PF3, MAP_0F, 0x11), 8: Form(PF2, MAP_0F, 0x11, 1)}
OVERWRITTEN = (RCX, RDX, RSI, RDI, R8, R9, R10, R11)  # general registers that a function may use as it likes

RETURN, AT_HAND, FIRST_GENERAL = range(3)  # spill slots for calls: the address to go on at, the lane, then registers

LOAD, STORE = Form(NONE, MAP_0F, 0x10), Form(NONE, MAP_0F, 0x11)
WIDEN_HALVES = Form(P66, MAP_0F38, 0x13)

# a * b + c with c, or a, in the register of the result; W is set for float64.
FUSED_OPCODES = {  # where the sum is in the register of z, and where it is in that of a factor
    "multiply_add": (0xB8, 0xA8),
    "multiply_subtract": (0xBA, 0xAA),
    "negative_multiply_add": (0xBC, 0xAC),
}


class LaneFunction(NamedTuple):
    """The code that calls a function lane by lane: where it is; and the vectors of the frame for the mask of the lanes,
    for the results, and for the arguments."""

    label: int
    vectors: list[int]


class Frame:
    """The stack frame of a function: first bytes before `start`, then vectors by number, from a base register on.

    `vector`: the bytes of a vector; `registers`: how many there are; `functions`: the code for calls, by operation
    and bytes of a lane.
    """

    def __init__(self, base: int = RSP, vector: int = VECTOR, registers: int = REGISTERS) -> None:
        self.base = base
        self.vector = vector
        self.registers = registers
        self.vectors = 0
        self.start = 0
        self._spilled = -1
        self.functions: dict[tuple[str, int], LaneFunction] = {}

    def new(self) -> int:
        """Reserve a vector in the frame; its number."""
        self.vectors += 1
        return self.vectors - 1

    def call_slots(self) -> int:
        """The number of the first spill slot for calls: all registers, then three for general ones."""
        if self._spilled < 0:
            self._spilled = self.vectors
            self.vectors += self.registers + 3
        return self._spilled

    def memory(self, number: int) -> Memory:
        """The memory of a vector of the frame."""
        return Memory(self.base, self.start + number * self.vector)

    @property
    def nbytes(self) -> int:
        """The size of the frame."""
        return self.start + self.vectors * self.vector


class Allocator:
    """Writes the instructions of a basic block, and knows which register holds which value."""

    count = REGISTERS
    shares = True  # whether constants are loaded for several steps

    def __init__(
        self,
        assembler: Assembler,
        frame: Frame,
        constants: Constants,
        pinned: Mapping[Value, int],
        width: int,
        held: Mapping[tuple[str, int], int],
    ) -> None:
        self.assembler = assembler
        self.frame = frame
        self.constants = constants
        self.width = width  # bytes of a lane
        self.registers: dict[int, int] = {value.number: register for value, register in pinned.items()}
        self.held = held  # the registers of constants and vectors in the frame
        self.pinned = frozenset((*pinned.values(), *held.values()))
        self.free = [register for register in range(self.count) if register not in self.pinned]
        self.spilled: dict[int, int] = {}  # values to vectors of the frame
        self.uses: dict[int, list[int]] = {}
        self.constant_uses: dict[int, list[int]] = {}
        self.loaded: dict[int, int] = {}  # constants in free registers
        self.time = 0
        self.busy: set[int] = set()  # registers of the instruction at hand
        self.is_plain = False  # whether the step at hand is one instruction, and has no branches

    def run(self, steps: Sequence[Instruction | Callable[[Allocator], None]], reads: Sequence[Sequence[Value]]) -> None:
        """Write all steps. `reads` has the values that each step reads, because some steps are functions."""
        uses = self.uses
        for time, values in enumerate(reads):
            for kind, number, _ in values:
                if kind == "register":
                    if number in uses:
                        uses[number].append(time)
                    else:
                        uses[number] = [time]
                elif kind == "constant":
                    self.constant_uses.setdefault(number, []).append(time)
        for time, step in enumerate(steps):
            self.time, self.busy = time, set()
            self.is_plain = isinstance(step, Instruction)
            if isinstance(step, Instruction):
                getattr(self, _writer(step.operation))(step, step.target)
            else:
                step(self)
            if reads[time]:
                self.release(reads[time])

    def release(self, values: Sequence[Value]) -> None:
        """Free the registers of values that are not read again."""
        uses, time, registers = self.uses, self.time, self.registers
        for kind, number, _ in values:
            if kind == "register" and uses[number][-1] <= time:
                register = registers.get(number)
                if register is not None and register not in self.pinned:
                    del registers[number]
                    self.free.append(register)

    def is_read_later(self, value: Value) -> bool:
        """Whether a later step reads the value."""
        uses = self.uses.get(value.number, [])
        return bool(uses) and uses[-1] > self.time

    # Places

    def where(self, value: Value) -> Operand:
        """The register or memory of a value."""
        kind, number, _ = value
        if kind == "register":
            register = self.registers.get(number)
            if register is not None:
                self.busy.add(register)
                return register
            return self.frame.memory(self.spilled[number])
        if self.held and (kind, number) in self.held:
            return self.held[kind, number]
        if kind != "constant":
            return self.frame.memory(number)
        if number in self.loaded or self.is_shared(number):
            return self.in_free_register(number)
        return self.constants.pooled[number]

    def is_shared(self, number: int) -> bool:
        """Whether a constant is to be loaded for several steps, as of interleaved blocks: with a load for each
        instruction, loads would take as long as arithmetic."""
        uses = self.constant_uses.get(number, ())
        later = bisect.bisect_right(uses, self.time)
        if not (self.shares and self.is_plain) or later == len(uses) or uses[later] > self.time + SOON:
            return False
        return len(self.free) - len(self.busy.intersection(self.free)) >= SPARE

    def in_free_register(self, number: int) -> int:
        """The free register that a constant is loaded to. It stays there until another value needs the register."""
        register = self.loaded.get(number)
        if register is None:
            register = self.take()
            self.free.append(register)
            self.assembler.vector(LOAD, register, 0, self.constants.pooled[number])
            self.loaded[number] = register
        self.busy.add(register)
        return register

    def in_register(self, value: Value) -> int:
        """The register of a value, which is loaded if necessary. A constant stays there for this step only."""
        place = self.where(value)
        if place.__class__ is int:
            return place
        register = self.take()
        self.assembler.vector(LOAD, register, 0, place)
        if value.kind == "register":
            self.registers[value.number] = register
        else:
            self.free.append(register)  # for the next step; this one keeps it busy
        return register

    def take(self) -> int:
        """A register that this step does not need."""
        for position, register in enumerate(self.free):
            if register not in self.busy:
                del self.free[position]
                self.busy.add(register)
                if self.loaded:
                    self.loaded = {number: other for number, other in self.loaded.items() if other != register}
                return register
        number = max(
            (number for number, register in self.registers.items() if register not in self.busy | self.pinned),
            key=self.next_use,
        )
        register = self.registers.pop(number)
        if number not in self.spilled:
            self.spilled[number] = self.frame.new()
            self.assembler.vector(STORE, register, 0, self.frame.memory(self.spilled[number]))
        self.busy.add(register)
        return register

    def next_use(self, number: int) -> int:
        """The next step that reads the value."""
        uses = self.uses.get(number)
        if uses is None:
            return 1 << 30
        position = bisect.bisect_right(uses, self.time)
        return uses[position] if position < len(uses) else 1 << 30

    def define(self, value: Value) -> int:
        """A register for the value that this step computes."""
        register = self.take()
        if value.number in self.uses:
            self.registers[value.number] = register
        else:
            self.free.append(register)
        return register

    def takes_over(self, target: Value, source: Value) -> int | None:
        """The register of a source that is read for the last time, for the result. None if it is read again."""
        register = self.registers.get(source.number) if source.kind == "register" else None
        if register is None or register in self.pinned or self.is_read_later(source):
            return None
        del self.registers[source.number]
        if target.number in self.uses:
            self.registers[target.number] = register
        else:
            self.free.append(register)
        return register

    # Instructions

    def blend(self, step: Instruction, target: Value) -> None:
        """Select lanes by a mask."""
        no, yes, mask = step.sources
        first, control = self.in_register(no), self.in_register(mask)
        second = self.where(yes)
        form = FORMS["blend_bytes" if self.width < 4 else "blend"]
        self.assembler.vector(form, self.define(target), first, second, control << 4)

    def swap(self, step: Instruction, target: Value) -> None:
        """The parts of a vector in another order."""
        register = self.in_register(step.sources[0])
        self.assembler.vector(FORMS[step.operation], self.define(target), register, register, step.immediate)

    def one_source(self, step: Instruction, target: Value) -> None:
        """An instruction with one source."""
        second = self.where(step.sources[0])
        self.assembler.vector(FORMS[step.operation], self.define(target), 0, second, step.immediate)

    def shift(self, step: Instruction, target: Value) -> None:
        """A shift by a constant."""
        form, register = FORMS[step.operation], self.in_register(step.sources[0])
        self.assembler.vector(form, form.extension or 0, self.define(target), register, step.immediate)

    def two_sources(self, step: Instruction, target: Value) -> None:
        """An instruction with two sources."""
        operation, _, (x, y), immediate = step
        first = self.where(x)
        if first.__class__ is not int:
            if operation in COMMUTATIVE:
                x, y = y, x
            first = self.in_register(x)
        second = self.where(y)
        self.assembler.vector(FORMS[operation], self.define(target), first, second, immediate)

    comparison = conjunction = two_sources

    def round_half(self, step: Instruction, target: Value) -> None:
        """Floats rounded to halves, and back. The first instruction's target is its second operand."""
        source, register = self.in_register(step.sources[0]), self.define(target)
        self.assembler.vector(FORMS["round_half"], source, 0, register, 0)
        self.assembler.vector(WIDEN_HALVES, register, 0, register)

    def call(self, step: Instruction, target: Value) -> None:
        """Call a function of the C library for the lanes of a mask, if any. All registers are spilled first.

        The loop over the lanes stands behind the first call. Others lead there, and tell where to go on.
        """
        mask, quick, *_ = step.sources
        code, lane = self.assembler, 8 if quick.dtype == "float64" else 4
        function = self.frame.functions.get((step.operation, lane))
        known = function is not None
        if function is None:
            function = LaneFunction(code.new_label(), [self.frame.new() for _ in step.sources])
            self.frame.functions[step.operation, lane] = function
        for value, slot in zip(step.sources, function.vectors, strict=True):
            code.vector(STORE, self.in_register(value), 0, self.frame.memory(slot))
        control, end = self.in_register(mask), code.new_label()
        self.any_lane(control)
        code.compare(RAX, 0)
        code.jump(end, JUMP_EQUAL)
        code.address_of(RAX, end)
        code.store(self._general(RETURN), RAX)
        if known:
            code.jump(function.label)
        else:
            code.place(function.label)
            self._loop_over_lanes(step.operation, function, lane)
        code.place(end)
        code.vector(LOAD, self.define(target), 0, self.frame.memory(function.vectors[1]))

    def _general(self, number: int) -> Memory:
        """The spill slot of a general register for calls."""
        base, words, _, _ = self.frame.memory(self.frame.call_slots() + self.count)
        return Memory(base, words + 8 * number)

    def _loop_over_lanes(self, operation: str, function: LaneFunction, lane: int) -> None:
        """The code that calls a function for each lane that wants it, and jumps to where it was told to."""
        wanted, result, *given = function.vectors
        code, slots = self.assembler, self.frame.call_slots()
        for register in range(self.count):
            code.vector(STORE, register, 0, self.frame.memory(slots + register))
        for number, register in enumerate(OVERWRITTEN):
            code.store(self._general(FIRST_GENERAL + number), register)
        masks = self._general(FIRST_GENERAL + len(OVERWRITTEN))
        self.store_masks(masks)
        code.zero_upper()

        def place(slot: int) -> Memory:
            base, offset, _, _ = self.frame.memory(slot)
            return Memory(base, offset, RCX, lane)

        again, other = code.new_label(), code.new_label()
        code.constant(RCX, 0)
        code.place(again)
        code.load_word(RAX, place(wanted))
        code.compare(RAX, 0)
        code.jump(other, JUMP_EQUAL)
        code.store(self._general(AT_HAND), RCX)
        for position, slot in enumerate(given):
            code.vector(LOAD_ONE[lane], position, 0, place(slot), bits=128)
        code.constant(RAX, library_function(operation.removeprefix("call.")))
        code.call(RAX)
        code.load(RCX, self._general(AT_HAND))
        code.vector(STORE_ONE[lane], 0, 0, place(result), bits=128)
        code.place(other)
        code.add(RCX, 1)
        code.compare(RCX, self.frame.vector // lane)
        code.jump(again, JUMP_NOT_EQUAL)
        self.load_masks(masks)
        for number, register in enumerate(OVERWRITTEN):
            code.load(register, self._general(FIRST_GENERAL + number))
        for register in range(self.count):
            code.vector(LOAD, register, 0, self.frame.memory(slots + register))
        code.load(RAX, self._general(RETURN))
        code.jump_to(RAX)

    def any_lane(self, mask: int) -> None:
        """Load a number to RAX that is zero if no lane of a mask is set."""
        self.assembler.vector(LANES_SET, RAX, 0, mask)

    def store_masks(self, place: Memory) -> None:
        """Store the mask registers, which a function may overwrite."""

    def load_masks(self, place: Memory) -> None:
        """Load them again."""

    def fused(self, step: Instruction, target: Value) -> None:
        """x * y + z, x * y - z or z - x * y, computed in the register of z or of a factor."""
        x, y, z = step.sources
        last, with_factor = _fused_forms(step.operation)
        a, b, c = self.where(x), self.where(y), self.where(z)
        if a.__class__ is not int and b.__class__ is int:
            x, y, b = y, x, a
        if c.__class__ is int and z not in (x, y) and (register := self.takes_over(target, z)) is not None:
            factor = self.in_register(x)
            self.assembler.vector(last, register, factor, self.where(y))
            return
        if x not in (y, z) and (register := self.takes_over(target, x)) is not None:
            self.busy.add(register)
            self.assembler.vector(with_factor, register, self.in_register(y), self.where(z))
            return
        if b.__class__ is int and y not in (x, z) and (register := self.takes_over(target, y)) is not None:
            self.busy.add(register)
            self.assembler.vector(with_factor, register, self.in_register(x), self.where(z))
            return
        factor, other, rest = self.in_register(x), self.where(y), self.where(z)
        register = self.define(target)
        self.assembler.vector(LOAD, register, 0, rest)
        self.assembler.vector(last, register, factor, other)


@cache
def _fused_forms(operation: str) -> tuple[Form, Form]:
    """The instructions of a product and a sum in the register of the other summand, and in that of a factor."""
    name, _, dtype = operation.partition(".")
    to_summand, to_factor = [Form(P66, MAP_0F38, opcode, dtype == "float64") for opcode in FUSED_OPCODES[name]]
    return to_summand, to_factor


WRITERS = {
    **dict.fromkeys(FUSED_OPCODES, "fused"),
    **dict.fromkeys(("swap_halves", "swap_lanes"), "swap"),
    **dict.fromkeys(("compare", "equal", "greater"), "comparison"),
    **dict.fromkeys(("shift_left", "shift_right", "shift_signed", "rotate_left"), "shift"),
    "and": "conjunction",
    **{name: name for name in ("ternary", "blend", "round_half", "call", "from_two", "scale_some")},
}
"""The methods of the allocator that write operations other than those of one or two sources."""


@cache
def _writer(operation: str) -> str:
    """The method that writes an operation."""
    name = "one_source" if operation in ONE_SOURCE else "two_sources"
    return WRITERS.get(operation.partition(".")[0], name)
