"""Emission: a graph and its memory plan become readable Python source, one statement a node.

The source defines `bind(arena)`, which makes once what every run needs (arrays in the arena, views of them, constants) and returns the
function that runs: straight-line calls that write into these arrays. Sub-graphs stand in place as if, while and for.

An op may give its cheapest call as `Op.emit` (see `compiler/code.py`); else a ufunc is called as such, and any other kernel by its name.
"""

from __future__ import annotations

import ast
import io
import keyword
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import astunparse
import numpy as np

from ..runtime.arena import Stack
from ..runtime.blocks import run_blocks
from ..runtime.dtypes import DType
from .code import Call, Code
from .ir import Graph, Literal, Node, Operand, Value
from .memory import ARENA, CONSTANT, HEAP, INPUT, RESULT, BlockPlan, Home, Plan
from .op import Op
from .types import TensorType

# NumPy deprecates a third positional argument for these.
KEYWORD_OUT = (np.maximum, np.minimum)


@dataclass(frozen=True)
class Emitted:
    """The source of a program, and what it takes from outside: constants and kernels by name."""

    source: str
    constants: Mapping[str, Any]
    kernels: Mapping[str, Any]


def emit(plan: Plan, name: str) -> Emitted:
    """The program of a planned graph."""
    return _Emitter(plan, name).run()


def _name(text: str) -> ast.Name:
    return ast.Name(text, ast.Load())


def _call(function: str, *arguments: str, **keywords: ast.expr) -> ast.Call:
    """A call of names on names."""
    return ast.Call(
        _name(function), [_name(argument) for argument in arguments], [ast.keyword(k, v) for k, v in keywords.items()]
    )


def _assign(target: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(target, ast.Store())], value, lineno=0)


class _Emitter:
    """Writes the statements of one program."""

    def __init__(self, plan: Plan, name: str, outer: _Emitter | None = None) -> None:
        self.plan = plan
        self.function = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "program"
        if self.function[0].isdigit() or keyword.iskeyword(self.function):
            self.function = f"program_{self.function}"
        self.prologue: list[ast.stmt] = []
        self.body: list[ast.stmt] = []
        if outer is None:
            self.names: dict[Value, str] = dict(plan.names)
            self.taken = {*self.names.values(), self.function}
            self.imports: dict[str, str] = {}  # what is looked up once: code -> name
            self.dtypes: dict[DType, str] = {}
            self.constants: dict[str, Any] = {}
            self.kernels: dict[str, Any] = {}
            self.literals: dict[Literal, str] = {}
            self.statics = self.prologue  # where constants are made
        else:
            self.taken, self.imports, self.dtypes = outer.taken, outer.imports, outer.dtypes
            self.constants, self.kernels, self.literals = outer.constants, outer.kernels, outer.literals
            self.statics = outer.statics
            self.names = {value: self.unique(hint) for value, hint in plan.names.items()}
        self.born: dict[tuple[Home, TensorType], str] = {}  # arrays that have been made
        self.arrays: dict[Home, tuple[str, TensorType]] = {}  # the first of them in each home

    def run(self) -> Emitted:
        """The whole program."""
        graph = self.plan.graph
        self.block(graph)
        self.finish(graph)
        inner = _function(self.function, _arguments([self.names[value] for value in graph.parameters]), self.body)
        outer = _function("bind", _arguments(["arena"]), [*self.prologue, inner, ast.Return(_name(self.function))])
        header = ["import numpy as np\n", *[f"{name} = {code}\n" for code, name in self.imports.items()], "\n"]
        return Emitted("".join(header) + _print(outer), self.constants, self.kernels)

    # Names

    def unique(self, hint: str) -> str:
        """A name that nothing has yet."""
        name, count = hint, 0
        while name in self.taken:
            count += 1
            name = f"{hint}_{count}"
        self.taken.add(name)
        return name

    def lookup(self, code: str, hint: str | None = None) -> str:
        """The name under which the value of `code` is bound when the program is loaded."""
        name = self.imports.get(code)
        if name is None:
            name = self.imports[code] = self.unique(hint or code.removeprefix("np.").replace(".", "_"))
        return name

    def dtype(self, dtype: DType) -> str:
        """The name of a NumPy dtype."""
        name = self.dtypes.get(dtype)
        if name is None:
            known = dtype.np.name
            if getattr(np, known, None) is dtype.np.type or dtype.is_bool:
                name = self.lookup(f"np.dtype({known!r})", "bool_" if dtype.is_bool else known)
            else:
                name = self.constant(dtype.np, known)
            self.dtypes[dtype] = name
        return name

    def constant(self, value: Any, hint: str) -> str:
        """The name of a value that the source cannot spell; it is handed to the program beside the source."""
        for key, known in self.constants.items():
            if known is value:
                return self.lookup(f"constants[{key!r}]")
        key = f"{hint}{len(self.constants)}"
        self.constants[key] = value
        return self.lookup(f"constants[{key!r}]", key)

    def read(self, operand: Operand) -> str:
        """The name of an operand's array."""
        operand = self.plan.resolve(operand)
        if isinstance(operand, Value):
            return self.names[operand]
        name = self.literals.get(operand)
        if name is None:
            value: Any = operand.value
            text = repr(value) if not isinstance(value, float) or math.isfinite(value) else f"float('{value}')"
            hint = "c_" + re.sub(r"\W", "_", str(value).replace("-", "m").replace(".", "p"), flags=re.ASCII)
            name = self.literals[operand] = self.lookup(f"np.array({text}, {self.dtype(operand.type.dtype)})", hint)
        return name

    def target(self, value: Value) -> str:
        """The name of the array that a value is to be written to; values in one home that look alike share it."""
        home, type = self.plan.places[value].home.find(), value.type
        if home.kind == INPUT:
            self.names[value] = home.name
            return home.name
        name = self.born.get((home, type))
        if name is not None:
            self.names[value] = name
            return name
        name = self.names[value]
        made = self.arrays.get(home)
        if home.kind == RESULT:
            self.body.append(_assign(name, self.empty(type) if made is None else self.seen_as(*made, type)))
        else:
            arguments = [_value(home.offset), _value(type.static_shape), _name(self.dtype(type.dtype))]
            array = ast.Call(ast.Attribute(_name("arena"), "array", ast.Load()), arguments, [])
            self.prologue.append(_assign(name, array))
        self.born[home, type] = name
        self.arrays.setdefault(home, (name, type))
        return name

    def seen_as(self, name: str, type: TensorType, wanted: TensorType) -> ast.expr:
        """Code for an array as another type of the same size."""
        code = name if type.dtype is wanted.dtype else f"{name}.view({self.dtype(wanted.dtype)})"
        code = code if type.shape == wanted.shape else f"{code}.reshape({wanted.static_shape})"
        return ast.parse(code, mode="eval").body

    def empty(self, type: TensorType) -> ast.expr:
        """Code for a fresh array."""
        return ast.Call(
            _name(self.lookup("np.empty")), [_value(type.static_shape), _name(self.dtype(type.dtype))], []
        )

    # Nodes

    def block(self, graph: Graph) -> None:
        """The statements of a graph's nodes, appended to the current body."""
        for node in graph.nodes:
            if node.op.kind != "control":
                self.plain(node)
            elif "then" in node.attrs:
                self.branches(node)
            elif "rows" in node.attrs:
                self.group(node)
            else:
                self.loop(node)

    def plain(self, node: Node) -> None:
        """The statement of a node without sub-graphs."""
        arguments = [self.read(operand) for operand in node.inputs]
        if not node.outputs:
            self.body.append(ast.Expr(self.expression(node, arguments, None)))
            return
        value = node.outputs[0]
        place = self.plan.places[value]
        home = place.home.find()
        if place.whole and (home.kind == INPUT or (place.known and home.kind in (ARENA, RESULT))):
            names = [self.target(output) for output in node.outputs]
            out = names[0] if len(names) == 1 else f"({', '.join(names)})"
            if node.op.writes_out:
                self.body.append(self.filling(node, arguments, out))
            else:  # a view that has to be copied
                copied = self.expression(node, arguments, None)
                self.body.append(ast.Expr(ast.Call(_name(self.lookup("np.copyto")), [_name(out), copied], [])))
            return
        names = [self.names[output] for output in node.outputs]
        expression = self.expression(node, arguments, None)
        if home.kind == HEAP and place.whole and len(names) == 1 and value.type.shape == ():
            expression = ast.Call(_name(self.lookup("np.asarray")), [expression], [])
        target = (
            ast.Name(names[0], ast.Store())
            if len(names) == 1
            else ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
        )
        where = self.body if not place.bound else self.statics if home.kind == CONSTANT else self.prologue
        where.append(ast.Assign([target], expression, lineno=0))

    def filling(self, node: Node, arguments: Sequence[str], out: str) -> ast.stmt:
        """The statement that writes a node's output to the array named `out`."""
        op = node.op
        if op.emit is not None:
            code = op.emit(node, arguments, out)
            if code is not None:
                return self.statement(code)
        if isinstance(op.kernel, np.ufunc) and not node.attrs:
            function = self.ufunc(op)
            if op.kernel in KEYWORD_OUT:
                return ast.Expr(_call(function, *arguments, out=_name(out)))
            return ast.Expr(_call(function, *arguments, out))
        call = self.kernel_call(node, arguments)
        call.keywords.insert(0, ast.keyword("out", ast.parse(out, mode="eval").body))
        return ast.Expr(call)

    def expression(self, node: Node, arguments: Sequence[str], out: str | None) -> ast.expr:
        """The expression of a node's outputs in arrays that NumPy allocates."""
        op = node.op
        if op.emit is not None:
            code = op.emit(node, arguments, None)
            if isinstance(code, Call):
                return self.call(code)
            if code is not None:
                return ast.parse(self.hoist(code), mode="eval").body
        if isinstance(op.kernel, np.ufunc) and not node.attrs:
            return _call(self.ufunc(op), *arguments)
        return self.kernel_call(node, arguments)

    def ufunc(self, op: Op) -> str:
        """The name of a kernel that is a ufunc."""
        name = op.kernel.__name__
        if getattr(np, name, None) is op.kernel:
            return self.lookup(f"np.{name}")
        return self.kernel(op)

    def kernel(self, op: Op) -> str:
        """The name of an op's kernel."""
        self.kernels[op.name] = op.kernel
        return self.lookup(f"kernels[{op.name!r}]", op.name)

    def kernel_call(self, node: Node, arguments: Sequence[str]) -> ast.Call:
        """A call of the node's kernel with its attributes."""
        keywords = {key: self.attribute(key, value) for key, value in node.attrs.items()}
        return _call(self.kernel(node.op), *arguments, **keywords)

    def attribute(self, key: str, value: Any) -> ast.expr:
        """The expression of an attribute."""
        if _spellable(value):
            return _value(value)
        return _name(self.constant(value, key))

    def statement(self, code: Code) -> ast.stmt:
        """The statement of an op's code."""
        return ast.Expr(self.call(code)) if isinstance(code, Call) else _parse(self.hoist(code))

    def call(self, code: Call) -> ast.Call:
        """The expression of an op's code."""
        arguments = [self.argument(argument) for argument in code.arguments]
        keywords = [ast.keyword(key, self.argument(value)) for key, value in code.keywords]
        if code.function.startswith("."):
            return ast.Call(ast.Attribute(arguments[0], code.function[1:], ast.Load()), arguments[1:], keywords)
        return ast.Call(_name(self.lookup(code.function)), arguments, keywords)

    def argument(self, value: Any) -> ast.expr:
        """The expression of an argument in an op's code."""
        if not isinstance(value, str):
            return _value(value)
        return _name(self.lookup(value) if value.startswith("np.") else value)

    def hoist(self, code: str) -> str:
        """The code of an op's template, with what it takes from NumPy bound to names."""
        return re.sub(r"\bnp((?:\.[A-Za-z_]\w*)+)", lambda match: self.lookup(match.group(0)), code)

    # Fused groups

    def group(self, node: Node) -> None:
        """A fused group: a function that runs over blocks, scratch for each thread, and a call of it."""
        planned = self.plan.blocks[node]
        block = planned.block
        inner = _Emitter(planned.plan, f"{self.function}_block", self)
        inner.function = self.unique(inner.function)
        scratch, sums = inner.block_function(planned)
        self.statics.append(inner.body[0])
        table = self.unique(f"{inner.function}_scratch")
        self.prologue += inner.scratch_statements(planned, table, scratch, sums)
        arrays = [self.rows_view(node.inputs[index], shape) for index, _, shape in block.inputs]
        written: list[tuple[str, str]] = []  # parameters that are updated, and their views by rows
        for value, (shape, ufunc) in zip(node.outputs, block.outputs, strict=True):
            name = self.target(value)
            if ufunc is None:
                home = self.plan.places[value].home.find()
                arrays.append(self.rows_view(value, shape))
                if home.kind == INPUT and arrays[-1] != name:
                    written.append((name, arrays[-1]))
        self.kernels["run_blocks"] = run_blocks
        run = self.lookup("kernels['run_blocks']", "run_blocks")
        call = f"{run}({inner.function}, {block.rows}, {block.size}, ({''.join(a + ', ' for a in arrays)}), {table})"
        if not sums or block.threads == 1:
            self.body.append(_parse(call))
        else:
            self.body.append(_parse(f"parts = {call}"))
        for position, index in sums.items():
            shape, ufunc = block.outputs[position]
            out = self.rows_view(node.outputs[position], shape)
            self.body.append(_parse(f"{self.lookup('np.copyto')}({out}, {table}[0][{index}])"))
            for thread in range(1, block.threads):
                add = f"{self.lookup(f'np.{ufunc}')}({out}, {table}[{thread}][{index}], out={out})"
                self.body.append(_parse(f"if parts > {thread}: {add}"))
        for name, rows in written:
            check, copy = self.lookup("np.may_share_memory"), self.lookup("np.copyto")
            self.body.append(_parse(f"if not {check}({name}, {rows}): {copy}({name}, {rows}.reshape({name}.shape))"))

    def rows_view(self, operand: Operand, shape: tuple[int, ...]) -> str:
        """The name of an operand's array in another shape."""
        operand = self.plan.resolve(operand)
        name = self.read(operand)
        if operand.type.shape == shape:
            return name
        view = self.unique(f"{name}_rows")
        bound = isinstance(operand, Literal) or self.plan.places[operand].bound
        layout = None if isinstance(operand, Literal) else self.plan.layouts.get(operand)
        if layout is not None and not np.may_share_memory(layout, layout.reshape(shape)):
            bound = False  # a copy, to be made anew in every run
        (self.prologue if bound else self.body).append(_parse(f"{view} = {name}.reshape({shape})"))
        return view

    def block_function(self, planned: BlockPlan) -> tuple[list[str], dict[int, int]]:
        """Write the function that runs over blocks into the body; its scratch arrays, and which of them are sums."""
        block, plan, graph = planned.block, planned.plan, planned.block.graph
        counter, start, stop = self.unique("i"), "start", "stop"
        rows = f"{counter}:{counter} + {block.size}"
        loads: list[ast.stmt] = []
        arguments: list[str] = []
        for (_, has_rows, _), value in zip(block.inputs, graph.parameters, strict=True):
            name = self.names[value]
            arguments.append(self.unique(f"{name}_rows") if has_rows else name)
            if has_rows:
                loads.append(_parse(f"{name} = {arguments[-1]}[{rows}]"))
        stores: list[tuple[str, Operand]] = []
        for position, (value, (_, ufunc)) in enumerate(zip(graph.outputs, block.outputs, strict=True)):
            if ufunc is None:
                name = self.unique(f"{self.names[value]}_out")  # type: ignore[index]
                arguments.append(self.unique(f"{name}_rows"))
                loads.append(_parse(f"{name} = {arguments[-1]}[{rows}]"))
                if position in plan.returned:
                    home = plan.places[value].home.find()  # type: ignore[index]
                    self.arrays[home] = name, value.type
                    self.born[home, value.type] = name
                else:
                    stores.append((name, value))
        self.block(graph)
        for name, value in stores:
            self.body.append(ast.Expr(_call(self.lookup("np.copyto"), name, self.read(value))))
        scratch = [statement.targets[0].id for statement in self.prologue]  # type: ignore[attr-defined]
        sums: dict[int, int] = {}
        partial = set()
        for position in planned.sums:
            value, ufunc = graph.outputs[position], block.outputs[position][1]
            name, total = self.read(value), self.unique("total")
            partial.add(name)
            sums[position] = len(scratch) + len(sums)
            arguments.append(total)
            first = ast.Expr(_call(self.lookup("np.copyto"), total, name))
            more = ast.Expr(_call(self.lookup(f"np.{ufunc}"), total, name, out=_name(total)))
            test = ast.Compare(_name(counter), [ast.Eq()], [_name(start)])
            self.body.append(ast.If(test, [first], [more]))
        body = [*loads, *self.body]
        cut = [name for name in scratch if name not in partial]
        if block.rows % block.size and cut:
            left = ", ".join(f"{name}[:{stop} - {counter}]" for name in cut)
            body.insert(0, _parse(f"if {counter} + {block.size} > {stop}: {', '.join(cut)} = {left}"))
        loop = ast.For(
            ast.Name(counter, ast.Store()),
            ast.parse(f"range({start}, {stop}, {block.size})", mode="eval").body,
            body,
            [],
            lineno=0,
        )
        split = len(arguments) - len(sums)
        names = [start, stop, *arguments[:split], *scratch, *arguments[split:]]
        self.body = [_function(self.function, _arguments(names), [loop])]
        return scratch, sums

    def scratch_statements(
        self, planned: BlockPlan, table: str, scratch: Sequence[str], sums: Mapping[int, int]
    ) -> list[ast.stmt]:
        """Statements that make the scratch arrays of every thread, in the list `table`."""
        block, start = planned.block, planned.scratch.offset
        base = self.unique("base")
        made: list[ast.stmt] = []
        for statement in self.prologue:
            call = statement.value  # type: ignore[attr-defined]
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "array":
                call.args[0] = ast.BinOp(_name(base), ast.Add(), call.args[0])
            made.append(statement)
        names = list(scratch)
        for position in sums:
            type = block.graph.outputs[position].type
            name = self.unique("total")
            names.append(name)
            made.append(
                _parse(
                    f"{name} = arena.array({base} + {planned.sums[position]}, {type.static_shape}, {self.dtype(type.dtype)})"
                )
            )
        made.append(_parse(f"{table}.append(({''.join(name + ', ' for name in names)}))"))
        bases = tuple(start + thread * planned.stride for thread in range(block.threads))
        loop = ast.For(ast.Name(base, ast.Store()), _value(bases), made, [], lineno=0)
        return [_parse(f"{table} = []"), loop]

    # Sub-graphs

    def nested(self, graph: Graph) -> list[ast.stmt]:
        """The statements of a sub-graph, on their own."""
        outer, self.body = self.body, []
        self.block(graph)
        inner, self.body = self.body, outer
        return inner

    def move(self, target: str, value: Value, operand: Operand) -> list[ast.stmt]:
        """Statements that bring a sub-graph's output to where `value` lives."""
        if self.plan.places[value].known:
            if self.same_memory(value, operand):
                return []
            return [ast.Expr(_call(self.lookup("np.copyto"), target, self.read(operand)))]
        return [_assign(target, self.owned(operand))]

    def same_memory(self, value: Value, operand: Operand) -> bool:
        """Whether an operand is computed right where `value` lives."""
        operand = self.plan.resolve(operand)
        if isinstance(operand, Literal) or not self.plan.places[operand].whole:
            return False
        return self.plan.places[operand].home.find() is self.plan.places[value].home.find()

    def owned(self, operand: Operand) -> ast.expr:
        """An operand as an array that shares no memory."""
        operand = self.plan.resolve(operand)
        return ast.Call(ast.Attribute(_name(self.read(operand)), "copy", ast.Load()), [], [])

    def branches(self, node: Node) -> None:
        """A cond as an if."""
        for value in node.outputs:
            if self.plan.places[value].known:
                self.target(value)
        bodies = []
        for graph in node.subgraphs:
            body = self.nested(graph)
            for value, operand in zip(node.outputs, graph.outputs, strict=True):
                body += self.move(self.names[value], value, operand)
            bodies.append(body)
        test = _name(self.read(node.inputs[0]))
        self.body.append(ast.If(test, bodies[0] or [ast.Pass()], bodies[1]))

    def loop(self, node: Node) -> None:
        """A while_loop as a while, a scan as a for."""
        attrs, plan = node.attrs, self.plan
        body: Graph = attrs["body"]
        test: Graph | None = attrs.get("test")
        carried: int = attrs["carried"]
        first = 0 if test is not None else 1
        states = body.parameters[first : first + carried]
        ys = node.outputs[carried + 1 - first :]
        for value, operand in zip(states, node.inputs[first:], strict=False):
            if plan.places[value].known:
                self.body.append(ast.Expr(_call(self.lookup("np.copyto"), self.target(value), self.read(operand))))
            else:
                self.body.append(_assign(self.names[value], self.owned(operand)))
        counter = self.unique("i")
        stacks = [self.make_stack(value, body.types[carried + i]) for i, value in enumerate(ys)]
        inside: list[ast.stmt] = []
        if test is not None:
            self.body.append(_parse(f"{counter} = 0"))
            inside += self.nested(test)
            inside.append(_parse(f"if not {self.read(test.outputs[0])}: break"))
        else:
            index = self.target(body.parameters[0])
            inside.append(_parse(f"{index}[()] = {counter}"))
            for position in range(attrs["scanned"]):
                row = body.parameters[first + carried + position]
                rows = self.read(node.inputs[first + carried + position])
                at = f"{counter}, ..." if row.type.rank == 0 else counter
                inside.append(_parse(f"{self.names[row]} = {rows}[{at}]"))
        inside += self.nested(body)
        for value, operand, stack in zip(ys, body.outputs[carried:], stacks, strict=True):
            item = self.read(operand)
            push = f"{stack}[{counter}] = {item}" if plan.places[value].known else f"{stack}.push({item})"
            inside.append(_parse(push))
        inside += self.next_state(states, body.outputs[:carried])
        if test is not None:
            inside.append(_parse(f"{counter} += 1"))
            self.body.append(ast.While(ast.Constant(True, None), inside, []))
            trip = self.target(node.outputs[carried])
            self.body.append(_parse(f"{trip}[()] = {counter}"))
        else:
            total = f"int({self.read(node.inputs[0])})"
            steps = f"range({total} - 1, -1, -1)" if attrs["reverse"] else f"range({total})"
            iterator = ast.parse(steps, mode="eval").body
            self.body.append(ast.For(ast.Name(counter, ast.Store()), iterator, inside, [], lineno=0))
        for value, stack in zip(ys, stacks, strict=True):
            if not plan.places[value].known:
                reverse = "reverse=True" if attrs.get("reverse") else ""
                self.body.append(_parse(f"{self.names[value]} = {stack}.finish({reverse})"))

    def make_stack(self, value: Value, item: TensorType) -> str:
        """Make what a loop's values are stacked in; its name."""
        if self.plan.places[value].known:
            return self.target(value)
        name = self.unique(f"{self.names[value]}_stack")
        self.kernels["Stack"] = Stack
        stack = self.lookup("kernels['Stack']", "Stack")
        self.body.append(_parse(f"{name} = {stack}({item.shape}, {self.dtype(item.dtype)})"))
        return name

    def next_state(self, states: Sequence[Value], outputs: Sequence[Operand]) -> list[ast.stmt]:
        """Statements that bring what the body gives to where the state lives, as if all at once."""
        pending = [
            (value, operand)
            for value, operand in zip(states, outputs, strict=False)
            if not self.same_memory(value, operand)
        ]
        written = {self.plan.places[value].home.find() for value, _ in pending}
        before: list[ast.stmt] = []
        moves: list[ast.stmt] = []
        for value, operand in pending:
            source = self.read(operand)
            resolved = self.plan.resolve(operand)
            if isinstance(resolved, Value) and self.reads(resolved) & written:
                copied = self.unique(f"{self.names[value]}_next")
                before.append(_assign(copied, self.owned(operand)))
                source = copied
            if self.plan.places[value].known:
                moves.append(ast.Expr(_call(self.lookup("np.copyto"), self.names[value], source)))
            elif source != self.read(operand):
                moves.append(_assign(self.names[value], _name(source)))
            else:
                moves.append(_assign(self.names[value], self.owned(operand)))
        return before + moves

    def reads(self, value: Value) -> set[Home]:
        """The homes that a value's memory may lie in."""
        place = self.plan.places[value]
        return {place.home.find(), *[home.find() for home in place.shares]}

    # The end

    def finish(self, graph: Graph) -> None:
        """Write the committed outputs to their parameters, and return all outputs."""
        plan = self.plan
        targets = {plan.places[graph.parameters[i]].home.find() for i in plan.commits.values()}
        moves: list[ast.stmt] = []
        results: list[ast.expr] = []
        for position, operand in enumerate(graph.outputs):
            operand = plan.resolve(operand)
            name = self.read(operand)
            if position in plan.commits:
                parameter = graph.parameters[plan.commits[position]]
                if not self.same_memory(parameter, operand):
                    if isinstance(operand, Value) and self.reads(operand) & targets:
                        copied = self.unique(f"{name}_copy")
                        self.body.append(_assign(copied, self.owned(operand)))
                        name = copied
                    moves.append(ast.Expr(_call(self.lookup("np.copyto"), self.names[parameter], name)))
                results.append(_name(self.names[parameter]))
            elif position in plan.returned:
                results.append(_name(name))
            else:
                copied = self.unique(f"{name}_copy")
                self.body.append(_assign(copied, self.owned(operand)))
                results.append(_name(copied))
        self.body += moves
        self.body.append(ast.Return(ast.Tuple(results, ast.Load())))


class _Printer(astunparse.Unparser):
    """astunparse, which would put parentheses around slices."""

    def _Subscript(self, tree: ast.Subscript) -> None:
        if not (isinstance(tree.slice, ast.Tuple) and tree.slice.elts):
            super()._Subscript(tree)
            return
        self.dispatch(tree.value)
        self.write("[")
        for position, item in enumerate(tree.slice.elts):
            self.write(", " if position else "")
            self.dispatch(item)
        self.write(",]" if len(tree.slice.elts) == 1 else "]")


def _print(tree: ast.AST) -> str:
    text = io.StringIO()
    _Printer(tree, text)
    return text.getvalue().strip() + "\n"


def _parse(code: str) -> ast.stmt:
    return ast.parse(code).body[0]


def _arguments(names: Sequence[str]) -> ast.arguments:
    arguments = [ast.arg(name, None) for name in names]
    return ast.arguments(posonlyargs=[], args=arguments, kwonlyargs=[], kw_defaults=[], defaults=[])


def _function(name: str, arguments: ast.arguments, body: list[ast.stmt]) -> ast.stmt:
    function = ast.FunctionDef(name, arguments, body, [], lineno=0)
    if hasattr(function, "type_params"):
        function.type_params = []
    return function


def _value(value: Any) -> ast.expr:
    """The expression of plain data."""
    if isinstance(value, tuple):
        return ast.Tuple([_value(item) for item in value], ast.Load())
    return ast.Constant(value, None)


def _spellable(value: Any) -> bool:
    """Whether source can hold this value as it is."""
    if isinstance(value, tuple):
        return all(map(_spellable, value))
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, (bool, int, str))
