"""The symbol table of emitted code: the names of values, arrays and constants, and the statements that make them."""

from __future__ import annotations

import ast
import keyword
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.arena import LARGE, aligned_empty
from ...runtime.dtypes import DType
from ..ir.graph import Node
from ..ir.spelling import identifier, name_like, numpy_name, spell
from ..ir.types import TensorType
from ..ir.values import Literal, Operand, Value
from ..memory.plan import ARENA, INPUT, RESULT, ROW, Allocation, Plan
from .python_code import CodeText, add_target, assign, assign_each, method_code, name_code, value_code

# `np.` of these is a scalar type; its dtype is quicker.
DTYPES = frozenset(dtype.np.name for dtype in dtypes.ALL)

MANY = 16  # arrays of one type in the arena; further ones share statements, which CPython compiles in half the time
MOST_NAMES, MOST_OFFSETS = 8, 16  # in one statement


class Writer:
    """The text of one function under construction, and its names. All parts of the emitter write to it.

    Args:
        plan: the plan of the function's graph.
        name: of the function, as a hint.
        outer: the writer of the function around it, whose constants and lookups it shares.

    Attributes:
        prologue: statements that run once, before the function is defined.
        body: the function's own, so far.
        statics: where constants are made.
        in_blocks: whether the function runs on blocks, of which the last one may have fewer rows.
        around: how many loops are around what is written now.
    """

    def __init__(self, plan: Plan, name: str, outer: Writer | None = None) -> None:
        self.plan = plan
        self.function = name_like(name) or "program"
        if self.function[0].isdigit() or keyword.iskeyword(self.function):
            self.function = f"program_{self.function}"
        self.prologue: list[ast.stmt] = []
        self.body: list[ast.stmt] = []
        self.in_blocks = outer is not None
        self.around = 0
        if outer is None:
            self.names: dict[Operand, str] = {value: identifier(name) for value, name in plan.names.items()}
            self.taken = {*self.names.values()}
            if self.function in self.taken:  # a value of this name may stand outside of the function
                self.function += "_program"
            self.taken.add(self.function)
            self.counts: dict[str, int] = {}  # how many names were made of one
            self.imports: dict[str, str] = {}  # looked up once: code -> name
            self.codes: dict[str, str] = {}  # name -> code
            self.dtypes: dict[DType, str] = {}
            self.constants: dict[str, Any] = {}
            self.kernels: dict[str, Any] = {}
            self.literals: dict[Literal, str] = {}
            self.native: dict[str, str] = {}  # the names of kernels, by their texts with numbers for names
            self.written: dict[str, int] = {}  # how many arrays each kernel writes, by its name
            self.completed: set[str] = set()  # names of other functions of machine code that take all arguments
            self.kernel_nodes: dict[str, list[Node]] = {}  # by these
            self.statics = self.prologue  # where constants are made
            self.threaded: list[Node] = []  # nodes whose work threads share
            self.loops: list[ast.FunctionDef] = []  # functions outside of `bind` whose loops become machine code
            self.whole_loops = plan.whole_loops
        else:
            self.taken, self.counts = outer.taken, outer.counts
            self.imports, self.codes, self.dtypes = outer.imports, outer.codes, outer.dtypes
            self.constants, self.kernels, self.literals = outer.constants, outer.kernels, outer.literals
            self.native, self.kernel_nodes = outer.native, outer.kernel_nodes
            self.written, self.completed = outer.written, outer.completed
            self.statics, self.threaded = outer.statics, outer.threaded
            self.loops, self.whole_loops = outer.loops, outer.whole_loops
            self.names = {value: self.unique(hint) for value, hint in plan.names.items()}
        self.born: dict[tuple[Allocation, int, TensorType], str] = {}  # arrays that have been made
        self.named: dict[str, ast.Assign] = {}  # which names arrays in the arena, by the first names
        self.arrays: dict[Allocation, tuple[str, TensorType]] = {}  # the first of them in each allocation
        self.returned: dict[tuple[Allocation, int, TensorType], str] = {}  # names of results
        for operand in plan.graph.outputs:
            operand = plan.resolve(operand)
            if isinstance(operand, Value) and plan.storage[operand].whole:  # no view, which is another array
                allocation, start = plan.storage[operand].allocation.placed()
                self.returned[allocation, start, operand.type] = self.names[operand]
        self.arrays_of: Counter[TensorType] = Counter()  # how many of a type have a statement of their own
        self.many: dict[TensorType, list[tuple[str, int]]] = {}  # names and offsets of further ones
        self.packed = dict.fromkeys(plan.packs.values(), "")  # the objects that know the parts of packed parameters

    # Names

    def unique(self, hint: str) -> str:
        """A new name."""
        name = identifier(hint)
        while name in self.taken:
            count = self.counts[hint] = self.counts.get(hint, 0) + 1
            name = f"{hint}_{count}"
        self.taken.add(name)
        return name

    def lookup(self, code: str) -> str:
        """The name for a function of NumPy (`np.add.reduce`), which is bound when the program is loaded."""
        return self.bound(numpy_name(code))

    def outside(self, table: str, key: str, hint: str | None = None) -> str:
        """The name for an item of `kernels` or `constants`, which is bound when the program is loaded."""
        return self.bound(f"{identifier(table)}[{spell(key)}]", hint)

    def bound(self, code: str, hint: str | None = None) -> str:
        """The name for the value of `code`, which is bound when the program is loaded."""
        name = self.imports.get(code)
        if name is None and code.removeprefix("np.") in DTYPES:
            code = f"np.dtype({code.removeprefix('np.')!r})"
            hint = hint or code.split("'")[1]
            name = self.imports.get(code)
        if name is None:
            hint = hint or code.removeprefix("np.").replace(".", "_")
            if hint in self.taken:  # by a variable of the user's
                hint = f"np_{hint}" if code.startswith("np.") else f"{hint}_function" if code.endswith("]") else hint
            name = self.imports[code] = self.unique(hint)
            self.codes[name] = code
        return name

    def dtype(self, dtype: DType) -> str:
        """The name of a NumPy dtype."""
        name = self.dtypes.get(dtype)
        if name is None:
            known = dtype.np.name
            if getattr(np, known, None) is dtype.np.type or dtype.is_bool:
                name = self.bound(spell(dtype), "bool_" if dtype.is_bool else known)
            else:
                name = self.constant(dtype.np, known)
            self.dtypes[dtype] = name
        return name

    def constant(self, value: Any, hint: str) -> str:
        """The name of a value that the source cannot spell. It is passed to the program separately."""
        for key, known in self.constants.items():
            if known is value:
                return self.outside("constants", key)
        key = f"{hint}{len(self.constants)}"
        self.constants[key] = value
        return self.outside("constants", key, key)

    def read(self, operand: Operand) -> str:
        """The name of an operand's array."""
        operand = self.plan.resolve(operand)
        if operand.__class__ is Value:
            return self.names[operand]
        assert isinstance(operand, Literal)
        name = self.literals.get(operand)
        if name is None:
            value: Any = operand.value
            hint = "c_" + re.sub(r"\W", "_", str(value).replace("-", "m").replace(".", "p"), flags=re.ASCII)
            name = self.literals[operand] = self.bound(
                f"np.array({spell(value)}, {self.dtype(operand.type.dtype)})", hint
            )
        return name

    def target(self, value: Value) -> str:
        """The name of the array that a value is written to. Values of one type in one allocation share it."""
        (allocation, start), type = self.plan.storage[value].allocation.placed(), value.type
        if allocation.kind == INPUT:
            self.names[value] = allocation.name
            return allocation.name
        if allocation.kind == ROW:
            return self.names[value]
        name = self.born.get((allocation, start, type))
        if name is not None:
            return self.again(value, name, allocation, start)
        name = self.names[value]
        if allocation.kind == RESULT:
            name = self.names[value] = self.returned.get((allocation, start, type), name)
        if allocation.kind == RESULT:
            self.body.append(assign(name, self.result_array(allocation, start, type)))
        else:
            self.store(name, allocation.offset + start, type)
        self.born[allocation, start, type] = name
        self.arrays.setdefault(allocation, (name, type))
        return name

    def result_array(self, allocation: Allocation, start: int, type: TensorType) -> ast.expr:
        """Code for an array in a fresh one, which is made for its first value, also for a part of a concatenation."""
        made, whole = self.arrays.get(allocation), allocation.type
        if type.nbytes == whole.nbytes:
            return self.empty(type) if made is None else self.seen_as(*made, type)
        if made is None:
            key = (allocation, 0, whole)
            made = self.arrays[allocation] = self.returned.get(key) or self.unique(allocation.name), whole
            self.born[key] = made[0]
            self.body.append(assign(made[0], self.empty(whole)))
        array = self.lookup("np.ndarray")
        return CodeText(f"{array}({spell(type.static_shape)}, {self.dtype(type.dtype)}, {made[0]}, {spell(start)})")

    def store(self, name: str, offset: int, type: TensorType) -> None:
        """Let a name be an array in the arena. Where there are many of a type, some share a statement."""
        if self.in_blocks:
            self.prologue.append(assign(name, self.arena_array(offset, type)))
        elif self.arrays_of[type] < MANY:
            self.arrays_of[type] += 1
            self.named[name] = assign(name, self.arena_array(offset, type))
            self.prologue.append(self.named[name])
        else:
            self.many.setdefault(type, []).append((name, offset))

    def many_arrays(self) -> list[ast.stmt]:
        """The statements that make several arrays each, which come first."""
        made: list[ast.stmt] = []
        for type, arrays in self.many.items():
            given = f"{spell(type.static_shape)}, {self.dtype(type.dtype)}"
            for first in range(0, len(arrays), MOST_OFFSETS):
                names, offsets = zip(*arrays[first : first + MOST_OFFSETS], strict=True)
                made.append(assign_each(names, CodeText(f"arena.arrays({' '.join(map(str, offsets))!r}, {given})")))
        return made

    def again(self, value: Value, name: str, allocation: Allocation, start: int) -> str:
        """A value's own name for an array that already has the name of another value."""
        own = self.names[value]
        if allocation.kind != ARENA or own == name:
            self.names[value] = name
            return name
        statement = self.named.get(name)
        if statement is not None and len(statement.targets) < MOST_NAMES:
            add_target(statement, own)
        elif statement is None and not self.in_blocks:
            self.store(own, allocation.offset + start, value.type)
        else:
            further = assign(own, name_code(name))
            self.prologue.append(further)
            if statement is not None:
                self.named[name] = further
        return own

    def arena_array(self, offset: int, type: TensorType) -> ast.expr:
        """Code for an array in the arena."""
        return CodeText(f"arena.array({spell(offset)}, {spell(type.static_shape)}, {self.dtype(type.dtype)})")

    def seen_as(self, name: str, type: TensorType, wanted: TensorType) -> ast.expr:
        """Code for an array viewed as another type of the same size."""
        code: ast.expr = name_code(name)
        if type.dtype is not wanted.dtype:
            code = method_code(name, "view", name_code(self.dtype(wanted.dtype)))
        if type.shape != wanted.shape:
            shape = wanted.static_shape
            if self.in_blocks and shape and wanted.size:
                shape = (-1, *shape[1:])
            code = ast.Call(ast.Attribute(code, "reshape", ast.Load()), [value_code(shape)], [])
        return code

    def empty(self, type: TensorType) -> ast.expr:
        """Code for a fresh array."""
        if type.nbytes >= LARGE:
            self.kernels["aligned_empty"] = aligned_empty
            make = self.outside("kernels", "aligned_empty", "aligned_empty")
        else:
            make = self.lookup("np.empty")
        return CodeText(f"{make}({spell(type.static_shape)}, {self.dtype(type.dtype)})")

    def same_memory(self, value: Value, operand: Operand) -> bool:
        """Whether an operand is computed in the storage of `value`."""
        operand = self.plan.resolve(operand)
        if isinstance(operand, Literal) or not self.plan.storage[operand].whole:
            return False
        here, there = self.plan.storage[operand].allocation, self.plan.storage[value].allocation
        return here is there or here.placed() == there.placed()  # not another part of a concatenation

    def owned(self, operand: Operand) -> ast.expr:
        """An operand as an array that shares no memory."""
        operand = self.plan.resolve(operand)
        return ast.Call(ast.Attribute(name_code(self.read(operand)), "copy", ast.Load()), [], [])

    def function_named(self, name: str, value: Any) -> str:
        """The name for a function of the runtime, which is bound when the program is loaded."""
        self.kernels[name] = value
        return self.outside("kernels", name, name)

    def node(self, node: Node, emit: Callable[[Node], None]) -> None:
        """The statements that `emit` appends for a node, and those that run once before. Each knows its node."""
        body, prologue = self.body, self.prologue
        first, prepared = len(body), len(prologue)
        emit(node)
        for statement in (*body[first:], *prologue[prepared:]):
            statement.__dict__.setdefault("node", node)
