"""Emission of fused groups: a function that runs over blocks of rows, scratch for each thread, and a call."""

from __future__ import annotations

import ast
from collections.abc import Sequence

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
    tuple_code,
    value_code,
)


class BlockEmitter(NodeEmitter):
    """Writes the statements of fused groups."""

    def group(self, node: Node) -> None:
        """A fused group: a function that runs over blocks, scratch for each thread, and a call of it."""
        planned = self.plan.blocks[node]
        block = planned.block
        if block.threads > 1:
            self.threaded.append(node)
        inner = BlockEmitter(planned.plan, f"{self.function}_block", self)
        inner.function = self.unique(inner.function)
        scratch = inner.block_function(planned)
        self.statics.append(inner.body[0])
        table, sums = self.unique(f"{inner.function}_scratch"), self.unique(f"{inner.function}_sums")
        self.prologue += inner.scratch_statements(planned, table, scratch)
        self.prologue += self.sum_statements(planned, sums)
        seen: dict[tuple[str, tuple[int, ...]], str] = {}  # a parameter that is updated is an input and an output

        def rows_view(operand: Operand, shape: tuple[int, ...]) -> str:
            key = self.read(self.plan.resolve(operand)), shape
            if key not in seen:
                seen[key] = self.rows_view(operand, shape)
            return seen[key]

        arrays = [rows_view(node.inputs[index], shape) for index, _, shape in block.inputs]
        written: list[tuple[str, str]] = []  # parameters that are updated, and their views by rows
        for value, (shape, ufunc) in zip(node.outputs, block.outputs, strict=True):
            name = self.target(value)
            if ufunc is None:
                allocation = self.plan.storage[value].allocation.find()
                arrays.append(rows_view(value, shape))
                if allocation.kind == INPUT and arrays[-1] != name:
                    written.append((name, arrays[-1]))
        self.kernels["run_blocks"] = run_blocks
        call = call_code(self.outside("kernels", "run_blocks", "run_blocks"), inner.function)
        call.args += [value_code(block.rows), value_code(block.piece), tuple_code(arrays)]
        call.args += [name_code(table), name_code(sums)]
        self.body.append(ast.Expr(call))
        for index, position in enumerate(planned.sums):
            shape, ufunc = block.outputs[position]
            out = self.rows_view(node.outputs[position], shape)
            first = ast.Subscript(item_code(sums, value_code(0)), value_code(index), ast.Load())
            self.body.append(ast.Expr(ast.Call(name_code(self.lookup("np.copyto")), [name_code(out), first], [])))
            if block.pieces > 1:
                add = f"{self.lookup(f'np.{ufunc}')}({out}, more[{spell(index)}], out={out})"
                self.body.append(parse_line(f"for more in {sums}[1:]: {add}"))
        for name, rows in written:
            check, copy = self.lookup("np.may_share_memory"), self.lookup("np.copyto")
            back = f"{copy}({name}, {rows}.reshape({name}.shape))"
            self.body.append(parse_line(f"if not {check}({name}, {rows}): {back}"))

    def rows_view(self, operand: Operand, shape: tuple[int, ...]) -> str:
        """The name of an operand's array in another shape."""
        operand = self.plan.resolve(operand)
        name = self.read(operand)
        if operand.type.shape == shape:
            return name
        view = self.unique(f"{name}_rows")
        bound = isinstance(operand, Literal) or self.plan.storage[operand].bound
        layout = None if isinstance(operand, Literal) else self.plan.layouts.get(operand)
        if layout is not None and not np.may_share_memory(layout, layout.reshape(shape)):
            bound = False  # a copy, to be made anew in every run
        statement = assign(view, method_code(name, "reshape", value_code(shape)))
        (self.prologue if bound else self.body).append(statement)
        return view

    def block_function(self, planned: BlockPlan) -> list[str]:
        """Write the function that runs over the blocks of a piece into the body; the scratch it takes."""
        block, plan, graph = planned.block, planned.plan, planned.block.graph
        counter, start, stop = self.unique("i"), "start", "stop"
        end = ast.BinOp(name_code(counter), ast.Add(), value_code(block.size))
        rows = ast.Slice(name_code(counter), end, None)
        loads: list[ast.stmt] = []
        arguments: list[str] = []
        for (_, has_rows, _), value in zip(block.inputs, graph.parameters, strict=True):
            name = self.names[value]
            arguments.append(self.unique(f"{name}_rows") if has_rows else name)
            if has_rows:
                loads.append(assign(name, item_code(arguments[-1], rows)))
        stores: list[tuple[str, Operand]] = []
        for position, (output, (_, ufunc)) in enumerate(zip(graph.outputs, block.outputs, strict=True)):
            if ufunc is None:
                name = self.unique(f"{self.names[output]}_out")  # type: ignore[index]
                arguments.append(self.unique(f"{name}_rows"))
                loads.append(assign(name, item_code(arguments[-1], rows)))
                if position in plan.returned:
                    allocation = plan.storage[output].allocation.find()  # type: ignore[index]
                    self.arrays[allocation] = name, output.type
                    self.born[allocation, 0, output.type] = name
                else:
                    stores.append((name, output))
        self.block(graph)
        for name, output in stores:
            self.body.append(ast.Expr(call_code(self.lookup("np.copyto"), name, self.read(output))))
        totals: list[str] = []
        scratch = [statement.targets[0].id for statement in self.prologue]  # type: ignore[attr-defined]
        partial = set()
        for position in planned.sums:
            ufunc = block.outputs[position][1]
            name, total = self.read(graph.outputs[position]), self.unique("total")
            partial.add(name)
            totals.append(total)
            first = ast.Expr(call_code(self.lookup("np.copyto"), total, name))
            more = ast.Expr(call_code(self.lookup(f"np.{ufunc}"), total, name, out=name_code(total)))
            test = ast.Compare(name_code(counter), [ast.Eq()], [name_code(start)])
            self.body.append(ast.If(test, [first], [more]))
        body = [*loads, *self.body]
        cut = [name for name in scratch if name not in partial]
        if block.rows % block.size and cut:
            left = ", ".join(f"{name}[:{stop} - {counter}]" for name in cut)
            body.insert(0, parse_line(f"if {counter} + {spell(block.size)} > {stop}: {', '.join(cut)} = {left}"))
        loop = ast.For(
            ast.Name(counter, ast.Store()),
            ast.Call(name_code("range"), [name_code(start), name_code(stop), value_code(block.size)], []),
            body,
            [],
            lineno=0,
        )
        names = [start, stop, *arguments, *scratch, *totals]
        self.body = [function_code(self.function, names, [loop])]
        return scratch

    def scratch_statements(self, planned: BlockPlan, table: str, scratch: Sequence[str]) -> list[ast.stmt]:
        """Statements that make the scratch arrays of every thread, in the list `table`."""
        base = self.unique("base")
        for statement in self.prologue:
            call = statement.value  # type: ignore[attr-defined]
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "array":
                call.args[0] = ast.BinOp(name_code(base), ast.Add(), call.args[0])
        made = [*self.prologue, ast.Expr(method_code(table, "append", tuple_code(scratch)))]
        start, stride = planned.scratch.offset, planned.plan.nbytes
        bases = tuple(start + thread * stride for thread in range(planned.block.threads))
        loop = ast.For(ast.Name(base, ast.Store()), value_code(bases), made, [], lineno=0)
        return [assign(table, ast.List([], ast.Load())), loop]

    def sum_statements(self, planned: BlockPlan, table: str) -> list[ast.stmt]:
        """Statements that make the sums of every piece, in the list `table`."""
        rows: list[ast.expr] = []
        for piece in range(planned.block.pieces):
            sums: list[ast.expr] = []
            for position, offset in planned.sums.items():
                type = planned.block.graph.outputs[position].type
                at = planned.scratch.offset + offset + piece * aligned(type.nbytes)
                sums.append(self.arena_array(at, type))
            rows.append(ast.Tuple(sums, ast.Load()))
        return [assign(table, ast.List(rows, ast.Load()))]
