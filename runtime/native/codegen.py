"""From a kernel to machine code: loops over rows and columns around straight pieces of vector instructions."""

from __future__ import annotations

import sys
from functools import lru_cache

import numpy as np

from .allocate import LOAD, STORE, STORE_ONE, Frame
from .assembler import (
    JUMP_LESS,
    JUMP_NOT_EQUAL,
    R8,
    R9,
    R10,
    R11,
    R12,
    R13,
    R14,
    R15,
    RAX,
    RBP,
    RBX,
    RCX,
    RDI,
    RDX,
    RSI,
    RSP,
    Assembler,
    Memory,
    Pooled,
)
from .builder import VECTOR, Builder, Constants, Unsupported, Value
from .executable import ALIGNED, C_CONTIGUOUS, DATA, FLAGS, TYPE, WRITEABLE, Function, address_of, make_function
from .functions import IDENTITY
from .language import COMBINED, READ, SIZES, Array, Kernel, Number, elements, parse, without_names
from .pieces import Piece, apply
from .stages import COLUMN, ONCE, ROW, Stages, divide, needed, roots

POINTERS = (RDX, RBX, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15)
SAVED = (RBX, R12, R13, R14, R15)

PINNED = 6  # reductions of one pass that stay in registers

WITHOUT_LOCK = 1 << 15
"""Elements from which on other Python threads may run meanwhile; to let them costs 0.1 microseconds."""


def compile_kernel(text: str, name: str = "kernel") -> Function:
    """The function of a kernel's text; it takes the arrays in order, all of the dtypes and sizes that the text says.

    It gives True; or False and has done nothing, where an argument is no array, not contiguous, not aligned, or to be
    written to and not writeable. Raises `Unsupported` for what has no machine code here.
    """
    return make_function(_code(str(without_names(parse(text)))), name, text)


@lru_cache(maxsize=512)
def _code(text: str) -> bytes:
    """The machine code of a kernel's text; layers that are alike have the same."""
    return Generator(parse(text)).run()


class Generator:
    """Writes the function of one kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.stages: Stages = divide(kernel)
        self.width = self.stages.width
        self.lanes = VECTOR // self.width
        self.columns = kernel.extents[-1]
        self.assembler = Assembler()
        self.frame = Frame()
        self.constants = Constants()
        self.counter = [0]
        self.slots: dict[str, Value] = {}  # what is the same for all columns of a row
        self.raw: dict[str, Value] = {}  # of reductions: what each lane has come to
        self.outside: dict[str, int] = {}  # kept rows: where in the frame
        self.row_bytes = (self.columns * self.width + VECTOR - 1) // VECTOR * VECTOR + VECTOR
        self.number = {array.name: position for position, array in enumerate(kernel.arrays)}
        self.without_lock = kernel.shared or int(np.prod(kernel.extents)) >= WITHOUT_LOCK

    # The frame, from the stack pointer up: pointers, counters, the thread's state; kept rows; vectors.

    def pointer(self, array: Array, register: int = RAX) -> int:
        """The register that points to an array's elements."""
        position = self.number[array.name]
        if position < len(POINTERS):
            return POINTERS[position]
        self.assembler.load(register, Memory(RSP, 8 * position))
        return register

    @property
    def words(self) -> int:
        """Words of 8 bytes before the vectors."""
        return len(self.kernel.arrays) + len(self.kernel.extents) + 2

    def counter_of(self, loop: int) -> Memory:
        """The counter of a loop."""
        return Memory(RSP, 8 * (len(self.kernel.arrays) + loop))

    @property
    def thread_state(self) -> Memory:
        """Where the state of the thread is while others may run Python."""
        return Memory(RSP, 8 * (self.words - 1))

    @property
    def first_row(self) -> Memory:
        """From which index of the outermost loop a shared kernel starts."""
        return Memory(RSP, 8 * (self.words - 2))

    def builder(self) -> Builder:
        """What collects the instructions of a piece."""
        return Builder(self.width, self.constants, self.counter)

    def constant(self, value: Value) -> Pooled:
        """A constant's bytes."""
        return Pooled(self.constants.contents[value.number])

    def run(self) -> bytes:
        """The function's code."""
        body = self.assembler
        self.infer()
        self.frame.start = (8 * self.words + VECTOR - 1) // VECTOR * VECTOR
        for name, place in self.stages.kept.items():
            if place is None:
                self.outside[name] = self.frame.start
                self.frame.start += self.row_bytes
        self.body()
        # The entry comes last, as the frame's size is known only then; jumps and constants are relative.
        self.assembler = Assembler()
        fail, main = self.assembler.new_label(), self.assembler.new_label()
        self.entry(fail, main)
        inner = body.finish()
        self.assembler.code += bytes(-len(self.assembler.code) % VECTOR)
        self.assembler.place(main)
        self.assembler.code += inner
        self.assembler.place(fail)
        self.leave(False)
        return self.assembler.finish()

    def entry(self, fail: int, main: int) -> None:
        """Save registers, make the frame, and check the arguments."""
        code, arrays = self.assembler, self.kernel.arrays
        code.push(RBP)
        code.load(RBP, RSP)
        for register in SAVED:
            code.push(register)
        code.add(RSP, -(self.frame.start + VECTOR * self.frame.vectors + VECTOR))
        code.bit_and(RSP, -VECTOR)
        shift = 1 if self.kernel.shared else 0
        code.compare(RDX, len(arrays) + shift)
        code.jump(fail, JUMP_NOT_EQUAL)
        code.constant(RDX, id(np.ndarray))
        for position, array in enumerate(arrays):
            needed = C_CONTIGUOUS | ALIGNED | (0 if array.role in READ else WRITEABLE)
            code.load(RAX, Memory(RSI, 8 * (position + shift)))
            code.load(RCX, Memory(RAX, TYPE))
            code.compare_registers(RCX, RDX)
            code.jump(fail, JUMP_NOT_EQUAL)
            code.load_word(RCX, Memory(RAX, FLAGS))
            code.bit_and(RCX, needed)
            code.compare(RCX, needed)
            code.jump(fail, JUMP_NOT_EQUAL)
            code.load(RAX, Memory(RAX, DATA))
            if array.offset:
                code.add(RAX, array.offset)
            code.store(Memory(RSP, 8 * position), RAX)
        if self.kernel.shared:
            self.share()
        if self.without_lock:
            code.constant(RAX, address_of("PyEval_SaveThread"))
            code.call(RAX)
            code.store(self.thread_state, RAX)
        for position in range(min(len(arrays), len(POINTERS))):
            code.load(POINTERS[position], Memory(RSP, 8 * position))
        code.jump(main)

    def share(self) -> None:
        """Start where the first argument says, do as many of the outermost loop, and add up in a part of its own."""
        code = self.assembler
        code.load(RAX, Memory(RSI, 0))
        code.load(RAX, Memory(RAX, DATA))
        code.load(RCX, Memory(RAX, 8))
        code.store(self.counter_of(0), RCX)
        code.load(R8, Memory(RAX, 16))
        code.load(RAX, Memory(RAX, 0))
        code.store(self.first_row, RAX)
        for position, array in enumerate(self.kernel.arrays):
            if array.strides[0] or array.role in COMBINED:
                if array.role in COMBINED:
                    code.multiply(RCX, R8, elements(array, self.kernel.extents) * SIZES[array.dtype])
                else:
                    code.multiply(RCX, RAX, array.strides[0])
                code.load(RDX, Memory(RSP, 8 * position))
                code.add_register(RDX, RCX)
                code.store(Memory(RSP, 8 * position), RDX)

    def skip_rows(self) -> None:
        """Move what adds up, all of which is cleared by now, to the first index of the outermost loop."""
        code = self.assembler
        for position, array in enumerate(self.kernel.arrays):
            if array.role in COMBINED and array.strides[0]:
                code.load(RCX, self.first_row)
                code.multiply(RCX, RCX, array.strides[0])
                register = self.pointer(array)
                code.add_register(register, RCX)
                if register == RAX:
                    code.store(Memory(RSP, 8 * position), RAX)

    def leave(self, result: bool) -> None:
        """Give True or False."""
        code = self.assembler
        if result and self.without_lock:
            code.load(RDI, self.thread_state)
            code.constant(RAX, address_of("PyEval_RestoreThread"))
            code.zero_upper()
            code.call(RAX)
        elif result:
            code.zero_upper()
        code.address(RSP, Memory(RBP, -8 * len(SAVED)))
        for register in reversed(SAVED):
            code.pop(register)
        code.pop(RBP)
        code.constant(RAX, id(result))
        if sys.version_info < (3, 12):  # later ones do not count references to True and False
            code.add(Memory(RAX, 0), 1)
        code.ret()

    # Loops

    def body(self) -> None:
        """What the function does once its pointers are there."""
        code, kernel = self.assembler, self.kernel
        self.clear()
        if kernel.shared:
            self.skip_rows()
        self.segment(ONCE, 0)
        outer = len(kernel.extents) - 1
        labels = []
        for loop in range(outer):
            if loop or not kernel.shared:
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
        self.leave(True)

    def advance(self, loop: int, outer: int) -> None:
        """Move all pointers to the next index of a loop, from the end of the loop within."""
        code = self.assembler
        for position, array in enumerate(self.kernel.arrays):
            step = array.strides[loop]
            if loop + 1 < outer:
                step -= array.strides[loop + 1] * self.kernel.extents[loop + 1]
            if step:
                code.add(POINTERS[position] if position < len(POINTERS) else Memory(RSP, 8 * position), step)

    def clear(self) -> None:
        """Begin what adds up with what changes nothing."""
        code = self.assembler
        for array in self.stages.outputs:
            if array.role == "out":
                continue
            if array.dtype == "bool":
                raise Unsupported("bools do not add up")
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

    def infer(self) -> None:
        """Find the dtype of every value."""
        builder, dtypes = self.builder(), self.stages.dtypes
        for statement in self.kernel.statements:
            given = [
                a if isinstance(a, Number) else Value("register", -1 - position, dtypes[a])
                for position, a in enumerate(statement.arguments)
            ]
            reduced = statement.function.startswith("row_") and isinstance(given[0], Value)
            dtypes[statement.name] = given[0].dtype or "" if reduced else apply(builder, statement, given).dtype
