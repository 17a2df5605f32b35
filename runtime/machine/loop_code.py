"""The machine code of a loop of calls (`loop.py`).

The arguments of each call are listed in the stack frame once. An iteration moves only the views of rows, by adding to
the addresses in their objects, which nobody else knows.
"""

from __future__ import annotations

import ctypes
import math
import os
from functools import cache

import numpy as np

from .assembler import (  # isort: skip
    JUMP_EQUAL, JUMP_LESS, JUMP_NOT_EQUAL, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP, Assembler,
    Memory,
)  # fmt: skip
from .executable import (
    ALIGNED,
    C_CONTIGUOUS,
    DATA,
    DESCRIPTOR,
    DIMENSIONS,
    FLAGS,
    OWNS_DATA,
    RANK,
    STRIDES,
    TYPE,
    WRITEABLE,
    code_address,
)
from .loop_text import LoopStep, LoopText, OtherFormError
from .python_calls import COUNTED, call, give

SAVED = (RBX, R12, R13, R14, R15)
PAGE, MOST_PAGES = 4096, 2
BETWEEN = 64
"""Calls of small kernels after which the interpreter may do what waits: handle signals, and let other threads run."""
OTHERS, LARGE = 8, 1 << 15  # as how many a call of another function counts; elements of a kernel that is not small
VIEWS, LEFT, DENORMALS, STEPS = 0, 8, 16, 24
"""The frame: the tuple of views, the calls left, how denormals are treated outside, the distances of rows."""


def breathe() -> None:
    """Give the interpreter an opportunity to do what waits."""


class LoopCode:
    """Writes the function of one loop. What its code refers to must be kept alive: `keeps`."""

    def __init__(self, loop: LoopText) -> None:
        self.loop = loop
        self.flushing = False  # whether denormal results are zeros: in an iteration, but where Python runs
        self.code = Assembler()
        self.file = os.fsencode(loop.function.__code__.co_filename)
        self.name = loop.function.__name__.encode()
        self.keeps: list[object] = [loop.function, loop.make, self.file, self.name]
        self.rows = [name for name, view in loop.views.items() if view.row]
        # Where arrays change roles, an iteration and the next one are two pieces of code.
        self.turns = [loop.steps] if not loop.swapped else [loop.steps, list(map(self.turned, loop.steps))]
        self.vectors: list[list[int]] = []
        self.nbytes = STEPS + 8 * len(self.rows)
        for steps in self.turns:
            self.vectors.append([])
            for step in steps:
                self.vectors[-1].append(self.nbytes)
                self.nbytes += 8 * len(step.values)
        self.nbytes += 8 - self.nbytes % 16 if self.nbytes % 16 != 8 else 0  # calls need a stack aligned to 16 bytes
        if self.nbytes > MOST_PAGES * PAGE:
            raise OtherFormError
        self.unfit, self.failed, self.done, self.leave = (self.code.new_label() for _ in range(4))
        self.behind: list[tuple[int, int, LoopStep, int]] = []
        self.first = self.end = 0  # of the steps that are repeated

    def turned(self, step: LoopStep) -> LoopStep:
        """A step of an iteration in which the arrays have changed roles."""
        return step._replace(values=tuple([self.loop.swapped.get(name, name) for name in step.values]))

    def assemble(self) -> bytes:
        """The bytes of the function."""
        code, loop = self.code, self.loop
        self.enter()
        for name, view in loop.views.items():
            self.look(name, view.base, view.row, view.same)
        for step in (step for steps in self.turns for step in steps):
            if step.kind != "call":
                self.look_at_number(step.values[0], "int64" if step.kind == "count" else "bool")
        if loop.total:
            self.look_at_number(loop.total, "int64")
        for steps, vectors in zip(self.turns, self.vectors, strict=True):
            for step, vector in zip(steps, vectors, strict=True):
                for position, name in enumerate(step.values):
                    self.value(name)
                    code.store(Memory(RSP, vector + 8 * position), RAX)
        self.iterations()
        self.exits()
        return code.finish()

    # Entry

    def enter(self) -> None:
        """Save registers, and have the views made."""
        code, loop = self.code, self.loop
        code.push(RBP)
        code.load(RBP, RSP)
        for register in SAVED:
            code.push(register)
        for page in range(PAGE, self.nbytes, PAGE):
            code.compare(Memory(RSP, -page), 0)
        code.add(RSP, -self.nbytes)
        code.load(R13, RSI)
        code.load(R14, RDX)
        code.constant(RBX, id(True))
        code.store_number(Memory(RSP, VIEWS), 0)
        code.flush_denormals(Memory(RSP, DENORMALS))  # both words are filled, however the function is left
        self.restore()
        code.compare(RDX, len(loop.names))
        code.jump(self.unfit, JUMP_NOT_EQUAL)
        if loop.make is not None:
            self.call_object(loop.make, len(loop.names))
            code.store(Memory(RSP, VIEWS), RAX)
            code.constant(RDX, loop.line)
            code.compare(RAX, 0)
            code.jump(self.failed, JUMP_EQUAL)
            code.constant(RDX, id(None))
            code.compare_registers(RAX, RDX)
            self.unless(JUMP_EQUAL)

    def call_object(self, function: object, count: int) -> None:
        """Call a Python object with the arguments that RSI points to."""
        code = self.code
        self.keeps.append(function)
        code.constant(RDI, id(function))
        code.constant(RDX, count)
        code.constant(RCX, 0)
        if self.flushing:
            code.restore_denormals(Memory(RSP, DENORMALS))
        call(code, "PyObject_VectorcallDict")  # the other one is no symbol of Python 3.10
        if self.flushing:
            code.restore_denormals(Memory(RSP, DENORMALS + 4))

    def value(self, name: str) -> None:
        """Load the object with a name to RAX."""
        loop, code = self.loop, self.code
        if name in loop.names:
            code.load(RAX, Memory(R13, 8 * loop.names.index(name)))
        elif name in loop.views:
            code.load(RAX, Memory(RSP, VIEWS))
            code.load(RAX, Memory(RAX, tuple.__basicsize__ + 8 * list(loop.views).index(name)))
        else:
            constant = loop.function.__globals__[name]
            self.keeps.append(constant)
            code.constant(RAX, id(constant))

    def unless(self, condition: int) -> None:
        """Have Python run the loop if the last comparison says so."""
        self.code.jump(self.unfit, condition)

    def is_array(self, register: int) -> None:
        """Go on only with an array."""
        self.code.constant(RDX, id(np.ndarray))
        self.code.compare_registers(RDX, Memory(register, TYPE))
        self.unless(JUMP_NOT_EQUAL)

    def has(self, register: int, flags: int, wanted: int) -> None:
        """Go on only if these flags of an array are as wanted."""
        self.code.load_word(RDX, Memory(register, FLAGS))
        self.code.bit_and(RDX, flags)
        self.code.compare(RDX, wanted)
        self.unless(JUMP_NOT_EQUAL)

    def look(self, name: str, base: str, row: bool, same: bool) -> None:
        """Go on only if a view is one, and its base has all rows."""
        code, loop = self.code, self.loop
        self.value(base)
        code.load(RCX, RAX)
        self.is_array(RCX)
        self.value(name)
        self.is_array(RAX)
        self.has(RAX, OWNS_DATA, 0)
        if row:
            self.has(RCX, ALIGNED, ALIGNED)
            code.compare_word(Memory(RCX, RANK), 1)
            self.unless(JUMP_LESS)
            code.load(RDX, Memory(RCX, DIMENSIONS))
            code.compare(Memory(RDX), loop.extent, scratch=RSI)
            self.unless(JUMP_LESS)
            code.load(RDX, Memory(RCX, STRIDES))
            code.multiply(RDX, Memory(RDX), loop.step)
            code.store(Memory(RSP, STEPS + 8 * self.rows.index(name)), RDX)
        elif same:
            code.load(RDX, Memory(RCX, DATA))
            code.compare_registers(RDX, Memory(RAX, DATA))
            self.unless(JUMP_NOT_EQUAL)

    def look_at_number(self, name: str, dtype: str) -> None:
        """Go on only if a value is one number of this dtype, which can be written if it counts."""
        code, flags = self.code, ALIGNED | C_CONTIGUOUS | (WRITEABLE if dtype == "int64" else 0)
        self.value(name)
        self.is_array(RAX)
        self.has(RAX, flags, flags)
        code.constant(RDX, id(np.dtype(dtype)))
        code.compare_registers(RDX, Memory(RAX, DESCRIPTOR))
        self.unless(JUMP_NOT_EQUAL)
        code.compare_word(Memory(RAX, RANK), 0)
        self.unless(JUMP_NOT_EQUAL)

    # Iterations

    def iterations(self) -> None:
        """The loop: R12 is the number of iterations left, R15 that of this one."""
        code, loop = self.code, self.loop
        again, weights = code.new_label(), len(self.turns) * sum(map(weight, loop.steps))
        between = max(1, BETWEEN // (weights or 1))
        code.constant(R12, loop.length or 0)
        code.constant(R15, loop.first)
        code.store_number(Memory(RSP, LEFT), between)
        self.flushing = True
        code.restore_denormals(Memory(RSP, DENORMALS + 4))
        code.place(again)
        for steps, vectors in zip(self.turns, self.vectors, strict=True):
            for step, vector in zip(steps, vectors, strict=True):
                getattr(self, step.kind)(step, vector)
            for name, view in loop.views.items():
                if view.moves:
                    self.move(name)
            code.add(R15, loop.step)
            if loop.length is not None:
                code.add(R12, -1)
                code.jump(self.done, JUMP_EQUAL)
        code.add(Memory(RSP, LEFT), -1)
        code.jump(again, JUMP_NOT_EQUAL)
        code.store_number(Memory(RSP, LEFT), between)
        self.let_others(again)

    def let_others(self, again: int) -> None:
        """Let the interpreter do what waits, and jump."""
        code = self.code
        self.call_object(breathe, 0)
        code.compare(RAX, 0)
        code.jump(self.leave, JUMP_EQUAL)
        code.load(RDI, RAX)
        call(code, "Py_DecRef")
        code.jump(again)

    def move(self, name: str) -> None:
        """Move a view to the next row."""
        code, row = self.code, name
        while not self.loop.views[row].row:
            row = self.loop.views[row].base
        self.value(name)
        code.load(RCX, Memory(RSP, STEPS + 8 * self.rows.index(row)))
        code.add_register(RCX, Memory(RAX, DATA))
        code.store(Memory(RAX, DATA), RCX)

    def call(self, step: LoopStep, vector: int) -> None:
        """Call a function. One of machine code is called directly, and Python takes over if it returns False."""
        code, address = self.code, code_address(step.function) if step.otherwise else None
        code.address(RSI, Memory(RSP, vector))
        wrong, right = code.new_label(), code.new_label()
        self.behind.append((wrong, right, step, vector))
        if address is None:
            self.call_object(step.function, len(step.values))
            code.compare(RAX, 0)
            code.jump(wrong, JUMP_EQUAL)
            code.load(RDI, RAX)
            call(code, "Py_DecRef")
            return
        self.keeps.append(step.function)
        code.constant(RDX, len(step.values))
        code.constant(RAX, address)
        code.call(RAX)
        code.compare_registers(RAX, RBX)
        code.jump(wrong, JUMP_NOT_EQUAL)
        if COUNTED:
            code.add(Memory(RBX), -1)
        code.place(right)

    def count(self, step: LoopStep, vector: int) -> None:
        """Store the number of the iteration."""
        self.code.load(RAX, Memory(RSP, vector))
        self.code.load(RAX, Memory(RAX, DATA))
        self.code.store(Memory(RAX), R15)

    def test(self, step: LoopStep, vector: int) -> None:
        """End the loop if an array is false."""
        self.unless_true(vector, self.done)

    def skip(self, step: LoopStep, vector: int) -> None:
        """Go on behind what is repeated if an array is false."""
        self.first, self.end = self.code.new_label(), self.code.new_label()
        self.unless_true(vector, self.end)
        self.code.place(self.first)

    def repeat(self, step: LoopStep, vector: int) -> None:
        """Repeat steps, unless an array is false."""
        self.unless_true(vector, self.end)
        self.let_others(self.first)
        self.code.place(self.end)

    def unless_true(self, vector: int, label: int) -> None:
        """Jump if an array is false."""
        code = self.code
        code.load(RAX, Memory(RSP, vector))
        code.load(RAX, Memory(RAX, DATA))
        code.load_byte(RAX, Memory(RAX))
        code.compare(RAX, 0)
        code.jump(label, JUMP_EQUAL)

    # Exits

    def exits(self) -> None:
        """What happens behind the loop, or instead of it."""
        code = self.code
        code.place(self.done)
        self.restore()
        if self.loop.total:
            self.value(self.loop.total)
            code.load(RAX, Memory(RAX, DATA))
            code.store(Memory(RAX), R15)
        self.release()
        give(code, True, SAVED)
        code.place(self.unfit)
        self.release()
        code.load(RSI, R13)
        code.constant(RDI, id(self.loop.function))
        code.load(RDX, R14)
        code.constant(RCX, 0)
        call(code, "PyObject_VectorcallDict")
        code.load(RDI, RAX)
        raised = code.new_label()
        code.compare(RAX, 0)
        code.jump(raised, JUMP_EQUAL)
        call(code, "Py_DecRef")
        give(code, True, SAVED)
        for wrong, right, step, vector in self.behind:
            self.otherwise(wrong, right, step, vector)
        code.place(self.failed)
        if has_traces():
            code.constant(RDI, id(self.name) + bytes.__basicsize__ - 1)
            code.constant(RSI, id(self.file) + bytes.__basicsize__ - 1)
            call(code, "_PyTraceback_Add")
        code.place(self.leave)
        self.restore()
        self.release()
        code.place(raised)
        give(code, None, SAVED)

    def restore(self) -> None:
        """Behind the iterations, treat denormals as before."""
        self.code.restore_denormals(Memory(RSP, DENORMALS))

    def release(self) -> None:
        """Give up the views."""
        self.code.load(RDI, Memory(RSP, VIEWS))
        call(self.code, "Py_DecRef")

    def otherwise(self, wrong: int, right: int, step: LoopStep, vector: int) -> None:
        """Run the statement of a call in Python, or leave with its error."""
        code, failed = self.code, self.code.new_label()
        code.place(wrong)
        if step.otherwise is not None:
            code.compare(RAX, 0)
            code.jump(failed, JUMP_EQUAL)
            code.load(RDI, RAX)
            call(code, "Py_DecRef")
            code.address(RSI, Memory(RSP, vector))
            self.call_object(step.otherwise, len(step.values))
            code.compare(RAX, 0)
            code.jump(self.leave, JUMP_EQUAL)
            code.load(RDI, RAX)
            call(code, "Py_DecRef")
            code.jump(right)
        code.place(failed)
        code.constant(RDX, step.line)
        code.jump(self.failed)


def weight(step: LoopStep) -> int:
    """How much time a step takes, at least, in calls of small kernels."""
    text = getattr(step.function, "__doc__", None) or ""
    if step.kind != "call":
        return 0
    over, *extents = text.lstrip().partition("\n")[0].split() or [""]
    if over != "over":
        return OTHERS
    return BETWEEN if math.prod(map(int, extents)) >= LARGE else 1


@cache
def has_traces() -> bool:
    """Whether this Python can say in which line a function of machine code failed."""
    return hasattr(ctypes.pythonapi, "_PyTraceback_Add")
