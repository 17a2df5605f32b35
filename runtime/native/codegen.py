"""Code generation of kernels: loops over rows and columns around basic blocks of vector instructions."""

from __future__ import annotations

import logging
import math
import struct
from functools import lru_cache

from .allocate import LOAD, STORE, STORE_ONE, Frame
from .assembler import JUMP_LESS, JUMP_NOT_EQUAL, RAX, RBP, RCX, RSP, Assembler, Memory, Pooled
from .boundary import POINTERS, SAVED, STACK, Boundary, Words
from .builder import VECTOR, Builder, Constants, Unsupported, Value
from .check import check
from .evaluate import evaluator
from .executable import Function, make_function, unavailable
from .functions import IDENTITY
from .language import COMBINED, Array, Kernel, elements, parse, without_names
from .pieces import Piece
from .stages import COLUMN, ONCE, ROW, KernelStages, divide, needed, roots, row_bytes

PINNED = 6  # reductions of one pass that stay in registers

WITHOUT_LOCK = 1 << 15
"""Elements from which on other Python threads may run meanwhile; to let them costs 0.1 microseconds."""


_logged: list[str] = []  # why machine code could not be had, once


def compile_kernel(text: str, name: str = "kernel") -> Function:
    """The function of a kernel's text; it takes the arrays in order, all as the text says.

    It gives True; or False and has done nothing, where an argument is no array, of another dtype or shape, not
    contiguous, not aligned, or to be written to and not writeable. Where there is no machine code to be had, as when
    the system refuses the memory for it, NumPy computes the same, and the first time a line in the log says why.

    Raises `Unsupported` for a text that is no kernel, and ValueError for one that cannot be read.
    """
    kernel = parse(text)
    check(kernel)
    reason = unavailable()
    if reason is None:
        try:
            return make_function(machine_code(str(without_names(kernel))), name, text)
        except (Unsupported, OSError, MemoryError, struct.error, OverflowError) as error:
            reason = unavailable() or str(error) or type(error).__name__
    if not _logged:
        _logged.append(reason)
        logging.getLogger("mycel").warning("NumPy computes what kernels of machine code would: %s", reason)
    return evaluator(kernel, text)


@lru_cache(maxsize=512)
def machine_code(text: str) -> bytes:
    """The machine code of a kernel's text; layers that are alike have the same. Raises `Unsupported` without one."""
    kernel = parse(text)
    dtypes = check(kernel)
    code = Generator(kernel, dtypes, RSP).run()
    return Generator(kernel, dtypes, RBP).run() or b"" if code is None else code


class Generator:
    """Writes the function of one kernel that passes `check`.

    `base`: the register that points to what the function keeps: RSP on the stack, RBP in a block from the heap.
    """

    def __init__(self, kernel: Kernel, dtypes: dict[str, str], base: int) -> None:
        self.kernel = kernel
        self.stages: KernelStages = divide(kernel)
        self.stages.dtypes.update(dtypes)
        self.width = self.stages.width
        self.lanes = VECTOR // self.width
        self.columns = kernel.extents[-1]
        self.assembler = Assembler()
        self.frame = Frame(base)
        self.constants = Constants()
        self.counter = [0]
        self.slots: dict[str, Value] = {}  # what is the same for all columns of a row
        self.raw: dict[str, Value] = {}  # of reductions: what each lane has come to
        self.outside: dict[str, int] = {}  # kept rows: where in the frame
        self.number = {array.name: position for position, array in enumerate(kernel.arrays)}
        without_lock = bool(kernel.pieces) or math.prod(kernel.extents) >= WITHOUT_LOCK
        self.words = Words(kernel, without_lock)
        self.boundary = Boundary(kernel, self.words, without_lock, base == RBP)

    def pointer(self, array: Array, register: int = RAX) -> int:
        """The register that points to an array's elements."""
        position = self.number[array.name]
        if position < len(POINTERS):
            return POINTERS[position]
        self.assembler.load(register, self.words.at(position))
        return register

    def counter_of(self, loop: int) -> Memory:
        """The counter of a loop."""
        return self.words.at(self.words.counters + loop)

    def builder(self) -> Builder:
        """What collects the instructions of a piece."""
        return Builder(self.width, self.constants, self.counter)

    def constant(self, value: Value) -> Pooled:
        """A constant's bytes."""
        return Pooled(self.constants.contents[value.number])

    def run(self) -> bytes | None:
        """The function's code; None if it takes more of the stack than it may."""
        stack = (self.words.nbytes + VECTOR - 1) // VECTOR * VECTOR
        on_stack = self.frame.base == RSP
        self.frame.start = stack if on_stack else 0
        for name, place in self.stages.kept.items():
            if place is None:
                self.outside[name] = self.frame.start
                self.frame.start += row_bytes(self.kernel, self.width)
        self.body()
        if on_stack and self.frame.nbytes + SAVED > STACK:
            return None
        empty = on_stack and self.frame.nbytes == stack and len(self.kernel.extents) == 1
        self.boundary.frameless = empty and not self.boundary.without_lock and len(self.kernel.arrays) <= len(POINTERS)
        self.boundary.leave(self.assembler)
        # The prologue comes last, as the frame's size is known only then; jumps and constants are relative.
        prologue = Assembler()
        main = prologue.new_label()
        self.boundary.enter(prologue, self.frame.nbytes if on_stack else stack, self.frame.nbytes, main)
        prologue.align(VECTOR)
        prologue.place(main)
        return prologue.finish() + self.assembler.finish()

    def skip_rows(self) -> None:
        """Move what adds up, all of which is cleared by now, to the first index of the outermost loop."""
        code = self.assembler
        for position, array in enumerate(self.kernel.arrays):
            if array.role in COMBINED and array.strides[0]:
                code.multiply(RCX, self.words.at(self.words.first_row), array.strides[0])
                register = self.pointer(array)
                code.add_register(register, RCX)
                if register == RAX:
                    code.store(self.words.at(position), RAX)

    # Loops

    def body(self) -> None:
        """What the function does once its pointers are there."""
        code, kernel = self.assembler, self.kernel
        self.clear()
        if kernel.pieces:
            self.skip_rows()
        self.segment(ONCE, 0)
        outer = len(kernel.extents) - 1
        labels = []
        for loop in range(outer):
            if loop or not kernel.pieces:
                code.store_number(self.counter_of(loop), kernel.extents[loop])
            labels.append(code.new_label())
            code.place(labels[-1])
        for number in range(self.stages.passes):
            self.segment(ROW, number)
            self.columns_pass(number)
        self.segment(ROW, self.stages.passes)
        for loop in reversed(range(outer)):
            self.advance(loop, outer)
            code.add(self.counter_of(loop), -1)
            code.jump(labels[loop], JUMP_NOT_EQUAL)

    def advance(self, loop: int, outer: int) -> None:
        """Move all pointers to the next index of a loop, from the end of the loop within."""
        code = self.assembler
        for position, array in enumerate(self.kernel.arrays):
            step = array.strides[loop]
            if loop + 1 < outer:
                step -= array.strides[loop + 1] * self.kernel.extents[loop + 1]
            if step:
                code.add(POINTERS[position] if position < len(POINTERS) else self.words.at(position), step)

    def clear(self) -> None:
        """Begin what adds up with what changes nothing."""
        code = self.assembler
        for array in self.stages.outputs:
            if array.role == "out":
                continue
            size = elements(array, self.kernel.extents)
            value = IDENTITY[array.role](array.dtype)
            code.vector(LOAD, 0, 0, self.constant(self.builder().constant(value, array.dtype)))
            base, whole = self.pointer(array), size // self.lanes * self.lanes
            code.constant(RCX, 0)
            for end, step in ((whole, self.lanes), (size, 1)):
                if end > (0 if step > 1 else whole):
                    label = code.new_label()
                    code.place(label)
                    target = Memory(base, 0, RCX, self.width)
                    code.vector(
                        STORE if step > 1 else STORE_ONE[self.width], 0, 0, target, bits=256 if step > 1 else 128
                    )
                    code.add(RCX, step)
                    code.compare(RCX, end)
                    code.jump(label, JUMP_LESS)

    # Pieces of code

    def segment(self, level: int, stage: int) -> None:
        """What is the same for all columns, and can be computed before this pass."""
        piece = Piece(self, {})
        arrays = [a for a in self.stages.inputs.values() if self.stages.level[a.name] == level]
        if stage == 0:
            for array in arrays:
                if self.is_read(array.name):
                    piece.values[array.name] = piece.broadcast(array)
        for statement in self.kernel.statements:
            if self.stages.level[statement.name] == level and self.stages.stage[statement.name] == stage:
                piece.compute(statement)
        for name, value in piece.values.items():
            if name not in self.slots:
                self.slots[name] = piece.keep(value)
        for array in self.stages.outputs:
            if self.stages.written(array) == level and self.stages.stage[array.name] == stage:
                piece.write_one(array, self.value(piece, array.name))
        piece.finish()

    def value(self, piece: Piece, name: str) -> Value:
        """A value that a piece has, or that is kept."""
        return piece.values[name] if name in piece.values else self.slots[name]

    def is_read(self, name: str) -> bool:
        """Whether a statement reads an array."""
        return any(name in statement.arguments for statement in self.kernel.statements)

    def columns_pass(self, number: int) -> None:
        """One pass over the columns of a row."""
        code, whole = self.assembler, self.columns // self.lanes * self.lanes
        wanted = {name for name, now in roots(self.stages) if now == number}
        order = needed(self.stages, number)
        reductions = [
            statement
            for statement in self.kernel.statements
            if statement.function.startswith("row_") and self.stages.stage[statement.name] == number + 1
        ]
        pinned: dict[Value, int] = {}
        totals: dict[str, Value] = {}
        for position, statement in enumerate(reductions):
            (argument,) = statement.arguments
            dtype = self.stages.dtypes[str(argument)]
            builder = self.builder()
            start = builder.constant(IDENTITY[statement.function[4:]](dtype), dtype)
            if position < PINNED:
                totals[statement.name] = builder.new(dtype)
                pinned[totals[statement.name]] = 15 - position
                code.vector(LOAD, 15 - position, 0, self.constant(start))
            else:
                totals[statement.name] = Value("slot", self.frame.new(), dtype)
                code.vector(LOAD, 0, 0, self.constant(start))
                code.vector(STORE, 0, 0, self.frame.memory(totals[statement.name].number))
        code.constant(RCX, 0)
        rest = self.columns - whole
        piece = Piece(self, pinned, rest)
        for name in order:
            piece.column(name, number)
        for array in self.stages.outputs:
            if array.name in wanted and self.stages.written(array) == COLUMN:
                piece.write(array)
        for name in list(self.stages.kept):
            if self.stages.kept[name] is None and self.stages.computed[name] == number:
                piece.write_kept(name)
        for statement in reductions:
            piece.combine(statement, totals[statement.name])
        if whole:
            label = code.new_label()
            code.place(label)
            piece.finish()
            code.add(RCX, self.lanes)
            if whole > self.lanes:
                code.compare(RCX, whole)
                code.jump(label, JUMP_LESS)
        if rest:
            piece.finish(rest)
        for statement in reductions:
            if totals[statement.name].kind == "slot":
                self.raw[statement.name] = totals[statement.name]
                continue
            slot = self.frame.new()
            code.vector(STORE, pinned[totals[statement.name]], 0, self.frame.memory(slot))
            self.raw[statement.name] = Value("slot", slot, totals[statement.name].dtype)
