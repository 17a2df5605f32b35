"""One pass of a kernel over the columns of a row: loops over vectors, accumulators of reductions in registers."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from ..machine.assembler import JUMP_ABOVE_EQUAL, JUMP_LESS, JUMP_NOT_EQUAL, RAX, RCX, Pooled
from . import blocks
from .allocate import LOAD, STORE
from .builder import Value
from .functions import IDENTITY
from .language import SCAN, SHARED_COLUMNS, SIZES, Array, Statement
from .pieces import Piece
from .scans import neutral
from .side_by_side import PINNED, has_many_elements, is_worth_it, vectors_at_once
from .windows import Segment

WORTH_HOLDING = 4  # vectors of columns from which on constants are loaded to registers before the loop
WORTH_THREE = 64  # vectors of columns from which on three may be side by side: up to two are left over
LONG = 64  # steps from which on masks cost an iteration little: the last columns need no code of their own


class Generator(blocks.Generator, Protocol):
    """The parts of the whole function's generator (`generator.Generator`) that a pass uses."""

    bounded: tuple[Array, ...]
    loops: dict[object, Piece]
    raw_registers: dict[Value, int]
    registers: int
    segments: list[Segment]
    streamed: Collection[str]

    def constant(self, value: Value) -> Pooled:
        """A constant's bytes."""

    def piece(self, pinned: dict[Value, int], rest: int = 0) -> Piece:
        """A new basic block."""

    def column_values(self, piece: Piece, number: int) -> None:
        """Compute the values of a pass for the current columns, and write outputs."""


class ColumnPass:
    """Writes one pass. `reductions`: the reductions that it computes."""

    def __init__(self, generator: Generator, number: int, reductions: list[Statement]) -> None:
        self.generator = generator
        self.number = number
        self.reductions = reductions
        self.totals: dict[str, Value] = {}  # of reductions: the accumulator
        self.pinned: dict[Value, int] = {}  # accumulators that keep a register
        kernel = generator.kernel
        self.shared = kernel.pieces > 0 and len(kernel.extents) == 1  # whether other threads have some of the columns

    def write(self) -> None:
        """The loops over the columns. Leaves the partial results of each lane to the generator."""
        generator = self.generator
        self.begin_reductions()
        self.begin_scans()
        if self.shared:
            generator.assembler.load(RCX, generator.words.at(generator.words.first_row))
        else:
            generator.assembler.constant(RCX, 0)
        self.vectors(self.side_by_side())
        for statement in self.reductions:
            total = generator.raw[statement.name] = self.totals[statement.name]
            if total.kind == "register":
                generator.raw_registers[total] = self.pinned[total]

    def begin_reductions(self) -> None:
        """Initialise the accumulators with the neutral elements: the first in registers, the others in the frame."""
        generator = self.generator
        code, builder = generator.assembler, generator.builder()
        for position, statement in enumerate(self.reductions):
            (argument,) = statement.arguments
            dtype = generator.stages.dtypes[str(argument)]
            start = generator.constant(builder.constant(IDENTITY[statement.function[4:]](dtype), dtype))
            if position < PINNED:
                total = builder.new(dtype)
                self.pinned[total] = generator.registers - 1 - position
                code.vector(LOAD, self.pinned[total], 0, start)
            else:
                total = Value("slot", generator.frame.new(), dtype)
                code.vector(LOAD, 0, 0, start)
                code.vector(STORE, 0, 0, generator.frame.memory(total.number))
            self.totals[statement.name] = total

    def side_by_side(self) -> int:
        """The first columns, several vectors in each iteration, with accumulators of their own.

        An addition takes four cycles, in which eight could begin. Gives the number of columns that are done.
        """
        generator, reductions = self.generator, self.reductions
        ways = vectors_at_once(generator.stages, generator.lanes, self.number, reductions, generator.together)
        plain = dict(self.pinned)
        if ways < 2 or (self.shared and ways * generator.lanes > SHARED_COLUMNS):
            return 0
        first = self.piece(self.totals)
        if not is_worth_it(first.length(), first.longest, generator.kernel):
            generator.loops[self.key(0)] = first  # that of single vectors
            return 0
        if ways == 2 and self.can_have_three(first):
            ways = 3
        step = ways * generator.lanes
        code, builder, pinned = generator.assembler, generator.builder(), self.pinned
        accumulators = [self.totals]
        for _ in range(1, ways):
            accumulators.append({name: builder.new(total.dtype) for name, total in self.totals.items()})
            for value in accumulators[-1].values():
                pinned[value] = generator.registers - 1 - len(pinned)
        first.pinned.update(pinned)
        end = generator.columns // step * step
        others = [self.piece(parts) for parts in accumulators[1:]]
        for ahead, piece in enumerate(others, 1):
            piece.ahead = ahead
        if not first.take_over(others) and not reductions:
            self.pinned = plain
            return 0
        for parts in accumulators[1:]:
            for name, value in parts.items():
                code.vector(LOAD, pinned[value], 0, pinned[self.totals[name]])
        self.loop(first, step, end)
        self.add_up(accumulators)
        self.pinned = plain
        return end

    def can_have_three(self, piece: Piece) -> bool:
        """Whether three vectors of a basic block may be side by side, and this pays."""
        generator = self.generator
        if self.shared or 3 * len(self.reductions) > PINNED or generator.columns < WORTH_THREE * generator.lanes:
            return False
        return has_many_elements(piece.length(), generator.kernel) and piece.has_few_spills(3)

    def loop(self, piece: Piece, step: int, end: int, several: bool = True, hold: bool = True, rest: int = 0) -> None:
        """The loop of a basic block over the columns up to `end`, of which there may be only one vector."""
        code, words, after = self.generator.assembler, self.generator.words, self.generator.assembler.new_label()
        if self.shared:
            code.constant(RAX, end)
            within = code.new_label()
            code.compare_registers(RAX, words.at(words.counters))
            code.jump(within, JUMP_LESS)
            code.load(RAX, words.at(words.counters))
            code.place(within)
            code.compare_registers(RCX, RAX)
            code.jump(after, JUMP_ABOVE_EQUAL)
            code.store(words.at(words.first_row), RAX)
        if hold:
            piece.interleave()
            piece.hold()
        label = code.new_label()
        code.place(label)
        piece.finish(rest)
        if not rest:
            code.add(RCX, step)
        if several:
            if self.shared:
                code.compare_registers(RCX, words.at(words.first_row))
            else:
                code.compare(RCX, end)
            code.jump(label, JUMP_LESS)
        code.place(after)

    def add_up(self, accumulators: list[dict[str, Value]]) -> None:
        """Combine the accumulators of vectors side by side, pairwise, into the first."""
        together = self.generator.piece(self.pinned)
        while len(accumulators) > 1:
            half = (len(accumulators) + 1) // 2
            for one, other in zip(accumulators, accumulators[half:], strict=False):
                for statement in self.reductions:
                    together.accumulate(statement, one[statement.name], other[statement.name])
            accumulators = accumulators[:half]
        together.finish()

    def begin_scans(self) -> None:
        """Initialise the register of each scan with the neutral element."""
        generator = self.generator
        for name in generator.stages.needed[self.number]:
            statement = generator.stages.statements.get(name)
            if statement is None or not statement.function.startswith(SCAN):
                continue
            if generator.stages.computed.get(name, self.number) < self.number:
                continue
            builder, dtype = generator.builder(), generator.stages.dtypes[name]
            start = builder.constant(neutral(statement.function, dtype), dtype)
            carry = generator.carries[name] = builder.new(dtype)
            self.pinned[carry] = generator.registers - 1 - len(self.pinned)
            generator.assembler.vector(LOAD, self.pinned[carry], 0, generator.constant(start))

    def vectors(self, done: int) -> None:
        """The loops over the columns from `done` on: over whole vectors, and the remainder."""
        generator = self.generator
        lanes, before = generator.lanes, None
        rest = int(generator.columns % lanes)
        for segment in generator.segments:
            last = rest if segment is generator.segments[-1] else 0
            if segment.end <= done:
                continue
            generator.columns_at = segment
            piece = self.shared_piece(0 if (generator.bounded or generator.together) and not last else rest)
            if piece is not before or self.shared:
                before, piece.held = piece, {}  # others have had the registers
            columns = segment.end - max(segment.start, done)
            if rest and not last and self.has_masked_loop(piece):
                self.masked_loop(piece, segment.end, rest, columns >= WORTH_HOLDING * lanes)
                break
            self.loop(piece, lanes, segment.end, columns > lanes, columns >= WORTH_HOLDING * lanes, last)

    def has_masked_loop(self, piece: Piece) -> bool:
        """Whether one loop computes the whole vectors and the last columns, with a mask: its code is half as long."""
        generator = self.generator
        plain = not (self.shared or generator.bounded or generator.together or generator.streamed)
        return piece.can_mask and plain and piece.length() >= LONG and not any(
            array.at or array.strides[-1] not in (0, SIZES[array.dtype]) for array in generator.kernel.arrays
        )  # fmt: skip

    def masked_loop(self, piece: Piece, end: int, rest: int, hold: bool) -> None:
        """The loop of a basic block over the whole vectors of columns up to `end`, and over those that are left."""
        code, lanes = self.generator.assembler, self.generator.lanes
        again, after = code.new_label(), code.new_label()
        if hold:
            piece.hold()
        piece.load_mask(lanes)
        code.place(again)
        piece.finish(rest, masked=True)
        code.add(RCX, lanes)
        code.compare(RCX, end)
        code.jump(again, JUMP_LESS)
        code.jump(after, JUMP_NOT_EQUAL)
        piece.load_mask(rest)
        code.jump(again)
        code.place(after)

    def shared_piece(self, rest: int) -> Piece:
        """The basic block of the current columns: one block is written for all ranges of rows and columns that have
        the same values, and differ in how these are read."""
        key, loops = self.key(rest), self.generator.loops
        if key not in loops:
            loops[key] = self.piece(self.totals, rest)
        return loops[key]

    def key(self, rest: int) -> tuple[object, ...]:
        """What the basic block of the current columns depends on."""
        generator = self.generator
        outside = [generator.is_outside(array) for array in generator.bounded]
        return (self.number, rest, *outside, *self.pinned, *self.totals.values(), *generator.slots.items())

    def piece(self, totals: dict[str, Value], rest: int = 0) -> Piece:
        """The basic block of the current columns. `rest`: how many columns are left over, if they do not fill a
        vector."""
        generator = self.generator
        piece = generator.piece(self.pinned, rest)
        generator.column_values(piece, self.number)
        for name, place in generator.stages.kept.items():
            if place is None and generator.stages.computed[name] == self.number:
                piece.write_kept(name)
        for statement in self.reductions:
            piece.combine(statement, totals[statement.name])
        return piece
