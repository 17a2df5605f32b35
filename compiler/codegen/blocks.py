"""Code generation for fused groups: a function that runs over blocks of rows, scratch for each thread, and a call."""

from __future__ import annotations

import ast

import numpy as np

from ...runtime.blocks import run_blocks
from ..ir.graph import Node
from ..ir.spelling import spell
from ..ir.values import Literal, Operand
from ..memory.layout import aligned
from ..memory.plan import INPUT, BlockPlan
from .nodes import NodeEmitter
from .python_code import (
    assign,
    call_code,
    function_code,
    item_code,
    method_code,
    name_code,
    parse_line,
    parsed,
    tuple_code,
    value_code,
)
from .writer import Writer


class BlockEmitter:
    """Writes the statements of fused groups."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def group(self, node: Node) -> None:
        """Emit a fused group: a function that runs over blocks, scratch for each thread, and a call."""
        writer, planned = self.writer, self.writer.plan.blocks[node]
        if planned.block.threads > 1:
            writer.threaded.append(node)
        inner = Writer(planned.plan, f"{writer.function}_block", writer)
        inner.function = writer.unique(inner.function)
        function = _BlockFunction(inner, planned)
        writer.statics.append(function.write())
        table, sums = writer.unique(f"{inner.function}_scratch"), writer.unique(f"{inner.function}_sums")
        writer.prologue += function.scratch_statements(table)
        writer.prologue += self.sum_statements(planned, sums)
        arrays, written = self.arrays(node, planned)
        run = writer.function_named("run_blocks", run_blocks)
        call = call_code(run, inner.function)
        call.args += [value_code(planned.block.rows), value_code(planned.block.piece), tuple_code(arrays)]
        call.args += [name_code(table), name_code(sums)]
        writer.body.append(ast.Expr(call))
        self.combine(node, planned, sums)
        for name, rows in written:
            check, copy = writer.lookup("np.may_share_memory"), writer.lookup("np.copyto")
            back = f"{copy}({name}, {rows}.reshape({name}.shape))"
            writer.body.append(parse_line(f"if not {check}({name}, {rows}): {back}"))

    def arrays(self, node: Node, planned: BlockPlan) -> tuple[list[str], list[tuple[str, str]]]:
        """The arrays of a group reshaped to rows; the parameters that it updates, with their reshaped views."""
        writer, block = self.writer, planned.block
        seen: dict[tuple[str, tuple[int, ...]], str] = {}  # a parameter that is updated is an input and an output

        def rows_view(operand: Operand, shape: tuple[int, ...]) -> str:
            key = writer.read(writer.plan.resolve(operand)), shape
            if key not in seen:
                seen[key] = self.rows_view(operand, shape)
            return seen[key]

        arrays = [rows_view(node.inputs[index], shape) for index, _, shape in block.inputs]
        written: list[tuple[str, str]] = []
        for value, (shape, ufunc) in zip(node.outputs, block.outputs, strict=True):
            name = writer.target(value)
            if ufunc is None:
                allocation = writer.plan.storage[value].allocation.find()
                arrays.append(rows_view(value, shape))
                if allocation.kind == INPUT and arrays[-1] != name:
                    written.append((name, arrays[-1]))
        return arrays, written

    def combine(self, node: Node, planned: BlockPlan, sums: str) -> None:
        """Combine the partial results of reductions over the tiled axis."""
        writer, block = self.writer, planned.block
        for index, position in enumerate(planned.sums):
            shape, ufunc = block.outputs[position]
            out = self.rows_view(node.outputs[position], shape)
            first = ast.Subscript(item_code(sums, value_code(0)), value_code(index), ast.Load())
            copy = name_code(writer.lookup("np.copyto"))
            writer.body.append(ast.Expr(ast.Call(copy, [name_code(out), first], [])))
            if block.pieces > 1:
                add = f"{writer.lookup(f'np.{ufunc}')}({out}, more[{spell(index)}], out={out})"
                writer.body.append(parse_line(f"for more in {sums}[1:]: {add}"))

    def rows_view(self, operand: Operand, shape: tuple[int, ...]) -> str:
        """The name of an operand's array in another shape."""
        writer = self.writer
        operand = writer.plan.resolve(operand)
        name = writer.read(operand)
        if operand.type.shape == shape:
            return name
        view = writer.unique(f"{name}_rows")
        bound = isinstance(operand, Literal) or writer.plan.storage[operand].bound
        layout = None if isinstance(operand, Literal) else writer.plan.layouts.get(operand)
        if layout is not None and not np.may_share_memory(layout, layout.reshape(shape)):
            bound = False  # a copy, which every run makes again
        statement = assign(view, method_code(name, "reshape", value_code(shape)))
        (writer.prologue if bound else writer.body).append(statement)
        return view

    def sum_statements(self, planned: BlockPlan, table: str) -> list[ast.stmt]:
        """Statements that fill the list `table` with the partial sums of every piece."""
        rows: list[ast.expr] = []
        for piece in range(planned.block.pieces):
            sums: list[ast.expr] = []
            for position, offset in planned.sums.items():
                type = planned.block.graph.outputs[position].type
                at = planned.scratch.offset + offset + piece * aligned(type.nbytes)
                sums.append(self.writer.arena_array(at, type))
            rows.append(ast.Tuple(sums, ast.Load()))
        return [assign(table, ast.List(rows, ast.Load()))]


class _BlockFunction:
    """The function that runs the blocks of a piece, one after the other.

    Attributes:
        counter: the name of the row that a block begins with.
        arguments: the names of the arrays that it takes.
        loads: statements that take a block's rows of them.
        stores: outputs that are copied to their rows.
        totals: the names of the running results of reductions over the tiled axis.
    """

    def __init__(self, writer: Writer, planned: BlockPlan) -> None:
        self.writer = writer
        self.planned = planned
        self.counter = writer.unique("i")
        self.arguments: list[str] = []
        self.loads: list[ast.stmt] = []
        self.stores: list[tuple[str, Operand]] = []
        self.totals: list[str] = []

    def write(self) -> ast.stmt:
        """The function's definition."""
        writer, block = self.writer, self.planned.block
        self.load_inputs()
        self.load_outputs()
        emit = NodeEmitter(writer).plain
        for node in block.graph.nodes:
            writer.node(node, emit)
        for name, output in self.stores:
            writer.body.append(ast.Expr(call_code(writer.lookup("np.copyto"), name, writer.read(output))))
        partial = self.add_up()
        body = [*self.loads, *writer.body]
        cut = [name for name in self.scratch if name not in partial]
        if block.rows % block.size and cut:
            left = ", ".join(f"{name}[:stop - {self.counter}]" for name in cut)
            body.insert(0, parse_line(f"if {self.counter} + {spell(block.size)} > stop: {', '.join(cut)} = {left}"))
        steps = ast.Call(name_code("range"), [name_code("start"), name_code("stop"), value_code(block.size)], [])
        loop = ast.For(ast.Name(self.counter, ast.Store()), steps, body, [], lineno=0)
        names = ["start", "stop", *self.arguments, *self.scratch, *self.totals]
        return function_code(writer.function, names, [loop])

    @property
    def scratch(self) -> list[str]:
        """The names of the scratch arrays of a block."""
        return [statement.targets[0].id for statement in self.writer.prologue]  # type: ignore[attr-defined]

    def load(self, name: str) -> None:
        """Bind a name to a block's rows of an argument."""
        end = ast.BinOp(name_code(self.counter), ast.Add(), value_code(self.planned.block.size))
        self.arguments.append(self.writer.unique(f"{name}_rows"))
        self.loads.append(assign(name, item_code(self.arguments[-1], ast.Slice(name_code(self.counter), end, None))))

    def load_inputs(self) -> None:
        """Load the inputs: their rows, or the whole array."""
        block = self.planned.block
        for (_, has_rows, _), value in zip(block.inputs, block.graph.parameters, strict=True):
            name = self.writer.names[value]
            if has_rows:
                self.load(name)
            else:
                self.arguments.append(name)

    def load_outputs(self) -> None:
        """Bind the outputs: they are computed in their rows, or copied there."""
        writer, plan, block = self.writer, self.planned.plan, self.planned.block
        for position, (output, (_, ufunc)) in enumerate(zip(block.graph.outputs, block.outputs, strict=True)):
            if ufunc is not None:
                continue
            name = writer.unique(f"{writer.names[output]}_out")
            self.load(name)
            if position in plan.returned:
                allocation = plan.storage[output].allocation.find()
                writer.arrays[allocation] = name, output.type
                writer.born[allocation, 0, output.type] = name
            else:
                self.stores.append((name, output))

    def add_up(self) -> set[str]:
        """Combine reductions over the tiled axis. Returns the names of the results of one block."""
        writer, block = self.writer, self.planned.block
        partial = set()
        for position in self.planned.sums:
            ufunc = block.outputs[position][1]
            name, total = writer.read(block.graph.outputs[position]), writer.unique("total")
            partial.add(name)
            self.totals.append(total)
            first = ast.Expr(call_code(writer.lookup("np.copyto"), total, name))
            more = ast.Expr(call_code(writer.lookup(f"np.{ufunc}"), total, name, out=name_code(total)))
            test = ast.Compare(name_code(self.counter), [ast.Eq()], [name_code("start")])
            writer.body.append(ast.If(test, [first], [more]))
        return partial

    def scratch_statements(self, table: str) -> list[ast.stmt]:
        """Statements that fill the list `table` with the scratch arrays of every thread."""
        writer = self.writer
        planned, scratch = self.planned, self.scratch
        base = writer.unique("base")
        for statement in writer.prologue:
            call = statement.value = parsed(statement.value)  # type: ignore[attr-defined]
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "array":
                call.args[0] = ast.BinOp(name_code(base), ast.Add(), call.args[0])
        made = [*writer.prologue, ast.Expr(method_code(table, "append", tuple_code(scratch)))]
        start, stride = planned.scratch.offset, planned.plan.nbytes
        bases = tuple(start + thread * stride for thread in range(planned.block.threads))
        loop = ast.For(ast.Name(base, ast.Store()), value_code(bases), made, [], lineno=0)
        return [assign(table, ast.List([], ast.Load())), loop]
