"""The loops of a kernel over its rows, around the passes over the columns of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ..machine.assembler import (
    JUMP_ABOVE_EQUAL,
    JUMP_EQUAL,
    JUMP_LESS,
    JUMP_NOT_EQUAL,
    RAX,
    RCX,
    Memory,
    Pooled,
)
from . import whole_row
from .allocate import LOAD, STORE, STORE_ONE
from .boundary import POINTERS
from .builder import Value
from .column_pass import ColumnPass
from .functions import IDENTITY
from .language import COMBINED, SIZES, Array, Kernel, accumulators, crosses, is_divided, is_part, spacing
from .places import load_position
from .stages import ONCE, ROW
from .turned_rows import TurnedRows
from .whole_row import WholeRow
from .windows import main_rows, outside_rows

ROWS_AT_ONCE, MOST_BYTES = 4, 256
"""The rows of one vector in an iteration of their loop, and the bytes of the code of one of these at most."""


class Generator(whole_row.Generator, Protocol):
    """The parts of the whole function's generator (`generator.Generator`) that the loops use."""

    buffers: int
    placed: list[Array]
    text: Kernel
    turned: TurnedRows | None
    whole_rows: bool

    def segment(self, level: int, stage: int) -> None:
        """Compute values that are the same for all columns before the pass."""


class RowLoops:
    """Writes the loops."""

    def __init__(self, generator: Generator) -> None:
        self.generator = generator

    def write(self) -> None:
        """The loops, once the pointers are loaded."""
        generator = self.generator
        code, kernel = generator.assembler, generator.kernel
        self.clear()
        self.forget_errors(generator.errors)
        if kernel.pieces:
            self.skip_rows()
        for array in generator.placed:
            code.store(self.base_of(array), generator.pointer(array))
        if generator.turned:
            generator.turned.begin(generator.pointer)
        if kernel.flush:
            code.flush_denormals(generator.words.at(generator.words.denormals))
        generator.segment(ONCE, 0)
        outer = len(kernel.extents) - 1
        labels = []
        for loop in range(outer):
            if loop or not kernel.pieces:
                code.store_number(self.counter_of(loop), kernel.extents[loop])
            labels.append(code.new_label())
            code.place(labels[-1])
        if generator.turned:
            generator.turned.fill(generator.buffers)
        main, ended = main_rows(kernel), code.new_label()
        if main:
            self.rows_in_two_ways(main)
        elif outer and generator.columns <= generator.lanes and not (kernel.until or generator.turned):
            self.several_rows()
        else:
            self.row()
        if kernel.until:
            array = next(array for array in kernel.arrays if array.name == kernel.until)
            code.load_byte(RAX, Memory(generator.pointer(array)))
            code.compare(RAX, 0)
            code.jump(ended, JUMP_EQUAL)
        for loop in reversed(range(outer)):
            self.advance(loop, outer)
            if not loop and kernel.pieces and main:
                code.add(generator.words.at(generator.words.first_row), 1)
            code.add(self.counter_of(loop), -1)
            code.jump(labels[loop], JUMP_NOT_EQUAL)
        code.place(ended)
        if kernel.flush:
            code.restore_denormals(generator.words.at(generator.words.denormals))

    def row(self) -> None:
        """All passes over the columns of a row."""
        generator = self.generator
        self.seek()
        if generator.whole_rows:
            WholeRow(generator).write()
            return
        for number in range(generator.stages.passes):
            generator.segment(ROW, number)
            ColumnPass(generator, number, generator.reductions(number)).write()
        generator.segment(ROW, generator.stages.passes)

    def several_rows(self) -> None:
        """Loop unrolling: a row and, as long as there are so many, some more behind it. The counter and the jump take
        as long as a short row."""
        generator = self.generator
        code, loop = generator.assembler, len(generator.kernel.extents) - 2
        counter, last, slots, raw = self.counter_of(loop), code.new_label(), dict(generator.slots), dict(generator.raw)
        start = len(code.code)
        self.row()
        if len(code.code) - start > MOST_BYTES:
            return
        code.compare(counter, ROWS_AT_ONCE)
        code.jump(last, JUMP_LESS)
        for _ in range(1, ROWS_AT_ONCE):
            self.advance(loop, loop + 1)
            generator.slots, generator.raw = dict(slots), dict(raw)
            self.row()
        code.add(counter, 1 - ROWS_AT_ONCE)
        code.place(last)

    def skip_rows(self) -> None:
        """Move the pointers of accumulators, which have been initialised, to the first index of the outermost loop."""
        generator, code = self.generator, self.generator.assembler
        for position, array in enumerate(generator.kernel.arrays):
            if array.role in COMBINED and array.strides[0] and not is_divided(array, generator.kernel):
                code.multiply(RCX, generator.words.at(generator.words.first_row), array.strides[0])
                register = generator.pointer(array)
                code.add_register(register, RCX)
                if register == RAX:
                    code.store(generator.words.at(position), RAX)

    def base_of(self, array: Array) -> Memory:
        """The memory that holds the pointer to an array with one position for each row."""
        words = self.generator.words
        return words.at(words.bases + self.generator.number[array.name])

    def seek(self) -> None:
        """Move the pointers of arrays to where positions of this row say."""
        generator = self.generator
        code, known = generator.assembler, {array.name: array for array in generator.kernel.arrays}
        for array in generator.placed:
            number = generator.number[array.name]
            register = POINTERS[number] if number < len(POINTERS) else RCX
            for position, place in enumerate(array.at):
                index, outside, inside = known[place.array], code.new_label(), code.new_label()
                load_position(code, RAX, Memory(generator.pointer(index)), SIZES[index.dtype])
                code.compare(RAX, place.size)
                code.jump(outside, JUMP_ABOVE_EQUAL)  # unsigned, so that negative numbers are too large
                code.place(inside)
                generator.outsiders.append((outside, inside, place))
                code.multiply(RAX if position else register, RAX, place.stride)
                code.add_register(register, RAX if position else self.base_of(array))
            if register == RCX:
                code.store(generator.words.at(number), RCX)

    def rows_in_two_ways(self, main: dict[int, tuple[int, int]]) -> None:
        """Loop unswitching: most rows are inside the bounds of outer loops and need no masks; the others run in code of
        their own."""
        generator = self.generator
        code, others, done = generator.assembler, generator.assembler.new_label(), generator.assembler.new_label()
        for loop, span in main.items():
            self.leave_unless(loop, span, others)
        slots, raw = dict(generator.slots), dict(generator.raw)
        generator.outside_rows = outside_rows(generator.kernel, main)
        self.row()
        code.jump(done)
        code.place(others)
        generator.slots, generator.raw, generator.outside_rows = slots, raw, frozenset()
        for array in generator.bounded:
            self.mask_row(array)
        self.row()
        generator.row_masks = {}
        code.place(done)

    def leave_unless(self, loop: int, span: tuple[int, int], label: int) -> None:
        """Jump to a label if the index of an outer loop is outside of a range."""
        generator = self.generator
        code, (start, end) = generator.assembler, span
        extent = generator.kernel.extents[loop]
        if not loop and generator.kernel.pieces:
            code.load(RAX, generator.words.at(generator.words.first_row))
            least = start
        else:  # the counter runs down to 1: at `end - 1` it is extent - end + 1
            code.load(RAX, self.counter_of(loop))
            least = extent - end + 1
        code.add(RAX, -least, scratch=RCX)
        code.compare(RAX, end - start, scratch=RCX)  # unsigned, so that negative numbers are too large
        code.jump(label, JUMP_ABOVE_EQUAL)

    def mask_row(self, array: Array) -> None:
        """Store whether the current row is inside the bounds of an array."""
        generator = self.generator
        extents = generator.kernel.extents
        crossed = [loop for loop in range(len(extents) - 1) if crosses(array, loop, extents)]
        if not crossed:
            return
        code, after = generator.assembler, generator.assembler.new_label()
        slot = generator.frame.new()
        for content, label in ((b"\0", after), (b"\xff", 0)):
            code.vector(LOAD, 0, 0, Pooled(content * generator.vector))
            code.vector(STORE, 0, 0, generator.frame.memory(slot))
            for loop in crossed if label else ():
                self.leave_unless(loop, array.bounds[loop], label)
        code.place(after)
        generator.row_masks[array.name] = Value("slot", slot, array.dtype)

    def forget_errors(self, names: Iterable[str]) -> None:
        """Begin sums of rows whose errors are known."""
        generator = self.generator
        for name in names:
            generator.assembler.vector(LOAD, 0, 0, Pooled(bytes(generator.vector)))
            generator.assembler.vector(STORE, 0, 0, generator.frame.memory(generator.errors[name].number))

    def advance(self, loop: int, outer: int) -> None:
        """Move all pointers to the next index of a loop, from the end of the inner loop."""
        generator, code = self.generator, self.generator.assembler
        for position, array in enumerate(generator.text.arrays):
            step = array.strides[loop]
            if loop + 1 < outer:
                step -= array.strides[loop + 1] * generator.kernel.extents[loop + 1]
            if generator.turned and array in generator.turned.turned:
                code.add(generator.turned.sources[array.name], step)
                step = generator.turned.pitch if loop + 1 == outer else 0
            if step and array in generator.placed:
                code.add(self.base_of(array), step)
            elif step:
                self.forget_errors({array.name} & generator.errors.keys())
                code.add(POINTERS[position] if position < len(POINTERS) else generator.words.at(position), step)

    def clear(self) -> None:
        """Initialise accumulators with the neutral element."""
        generator, code = self.generator, self.generator.assembler
        for array in generator.stages.outputs:
            if array.role == "out" or is_part(array):
                continue
            size = accumulators(array, generator.kernel)
            value = IDENTITY[array.role](array.dtype)
            code.vector(LOAD, 0, 0, generator.constant(generator.builder().constant(value, array.dtype)))
            base, whole, apart = (
                generator.pointer(array),
                size // generator.lanes * generator.lanes,
                spacing(array, generator.kernel.extents),
            )
            code.constant(RCX, 0)
            if apart != generator.width:
                label = code.new_label()
                code.place(label)
                code.vector(STORE_ONE[generator.width], 0, 0, Memory(base, 0, RCX, 1), bits=128)
                code.add(RCX, apart)
                code.compare(RCX, size * apart)
                code.jump(label, JUMP_LESS)
                continue
            for end, step in ((whole, generator.lanes), (size, 1)):
                if end > (0 if step > 1 else whole):
                    label = code.new_label()
                    code.place(label)
                    target = Memory(base, 0, RCX, generator.width)
                    if step > 1:
                        code.vector(STORE, 0, 0, target)
                    else:
                        code.vector(STORE_ONE[generator.width], 0, 0, target, bits=128)
                    code.add(RCX, step)
                    code.compare(RCX, end)
                    code.jump(label, JUMP_LESS)

    def counter_of(self, loop: int) -> Memory:
        """The counter of a loop."""
        words = self.generator.words
        return words.at(words.counters + loop)
