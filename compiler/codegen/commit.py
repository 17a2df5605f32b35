"""Code generation for commits: the writes to Parameters at the end of a program become one call, which makes all of
them or none."""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...runtime.commit import Prepared, as_whole, make_calls, make_commit, make_kernel_commit, set_numbers
from ...runtime.native.codegen import refusing_kernel
from ..ir.graph import Graph, Node
from ..ir.values import Operand, Value
from ..memory.plan import INPUT, Allocation
from .python_code import assign, call_code, call_text, function_code, name_code, parsed, value_code
from .writer import Writer


class CommitEmitter:
    """Writes the statements that write to Parameters."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.refusing: set[str] = set()  # the names of kernels that return False in place of making copies

    def first_update(self, graph: Graph) -> int:
        """The position of the first node that writes to a Parameter's array; the number of nodes if there is none."""
        if graph.donated:
            for position, node in enumerate(graph.nodes):
                if self.written_allocations(node):
                    return position
        return len(graph.nodes)

    def written_allocations(self, node: Node) -> set[Allocation]:
        """The allocations of inputs that a node writes to."""
        writer = self.writer
        storage = writer.plan.storage
        if node.op.kind == "view" or node in writer.packed or node in writer.plan.packs:
            return set()
        allocations = {
            storage[value].allocation.find() for value in node.outputs if value in storage and storage[value].whole
        }
        return {allocation for allocation in allocations if allocation.kind == INPUT}

    def commit(
        self, statements: Sequence[ast.stmt], moves: Sequence[ast.stmt], stores: Sequence[ast.expr]
    ) -> list[ast.stmt]:
        """Emit the statements, then the moves and the calls in `stores`, as one call."""
        writer = self.writer
        if not statements and not moves and not stores:
            return []
        before: list[ast.stmt] = []
        items: list[ast.Tuple] = []
        written: list[int] = []
        last: list[ast.expr] = []
        for position, statement in enumerate((*statements, *moves)):
            item = self.item(statement)
            if item is not None:
                call = ast.Tuple(item[0], ast.Load())
                if position < len(statements):
                    items.append(call)
                else:
                    last.append(call)
                written.append(item[1])
            elif isinstance(statement, ast.Assign) and not items:
                before.append(statement)
            else:
                return self.as_function([*statements, *moves], stores)
        kernels = [] if last else self.kernels_of(items)
        after = self.one_tuple(last, stores)
        if kernels:
            make = call_code(writer.function_named("make_kernel_commit", make_kernel_commit))
            counts = tuple(len(item.elts) - 1 for item in items)
            make.args += [ast.Tuple(kernels, ast.Load()), value_code(counts)]
            given = [after, *[argument for item in items for argument in item.elts[1:]]]
        else:
            make = call_code(writer.function_named("make_commit", make_commit))
            given = [ast.Tuple([*items], ast.Load()), after]
        make.args = [self.watch(), *make.args, value_code(tuple(written))]
        name = writer.unique("commit")
        writer.statics.append(assign(name, make))
        return [*before, ast.Expr(ast.Call(name_code(name), given, []))]

    @staticmethod
    def one_tuple(items: Sequence[ast.expr], more: Sequence[ast.expr]) -> ast.expr:
        """Items, and the items of further tuples, in one tuple. The further ones are mostly empty, so their sum costs
        next to nothing."""
        parts = [ast.Tuple([*items], ast.Load())] if items or not more else []
        return functools.reduce(lambda one, other: ast.BinOp(one, ast.Add(), other), [*parts, *more])

    def kernels_of(self, items: Sequence[ast.Tuple]) -> list[ast.expr]:
        """The kernels that these items call; None if they call anything else."""
        functions = [item.elts[0] for item in items]
        return functions if all(isinstance(one, ast.Name) and one.id in self.refusing for one in functions) else []

    def as_function(self, statements: Sequence[ast.stmt], stores: Sequence[ast.expr]) -> list[ast.stmt]:
        """The same statements as a function that runs as a whole."""
        name = self.writer.unique("finish")
        function = function_code(name, [], list(statements))
        function.body += self.made_at_once(stores)
        whole = call_code(self.writer.function_named("as_whole", as_whole), name)
        whole.args.insert(0, self.watch())
        return [function, ast.Expr(whole)]

    @staticmethod
    def watch() -> ast.expr:
        """The name of the watch, through which a signal handler tells a run that it has assigned to a Parameter."""
        return ast.Attribute(name_code("arena"), "watch", ast.Load())

    def made_at_once(self, stores: Sequence[ast.expr]) -> list[ast.stmt]:
        """Statements that make the calls in `stores`."""
        make = self.writer.function_named("make_calls", make_calls) if stores else ""
        return [ast.Expr(ast.Call(name_code(make), [store], [])) for store in stores]

    def item(self, statement: ast.stmt) -> tuple[list[ast.expr], int] | None:
        """A statement as a function and its arguments, which C can call, and the number of arrays that a kernel writes;
        None if it is no such call."""
        call: Any = parsed(statement.value) if isinstance(statement, ast.Expr) else None
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(statement, ast.Assign) and isinstance(target, ast.Subscript):  # by `fill`, or a cast
            function = self.writer.function_named("set_numbers", set_numbers)
            return [name_code(function), target.value, value_code(()), statement.value], 0
        plain = isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        if not plain or not all(isinstance(argument, (ast.Name, ast.Constant)) for argument in call.args):
            return None
        written = self.writer.written.get(call.func.id, 0)
        if written:
            make = self.writer.function_named("refusing_kernel", refusing_kernel)
            name = self.writer.bound(call_text(make, call.func.id), f"{call.func.id}_alone")
            self.refusing.add(name)
            return [name_code(name), *call.args], written
        function = self.function_called(call.func.id)
        if function is np.copyto:  # which may cast, as assigning does
            if any(keyword.arg != "casting" for keyword in call.keywords):
                return None
            target, numbers = call.args[:2]
            function = self.writer.function_named("set_numbers", set_numbers)
            return [name_code(function), target, value_code(()), numbers], 0
        if function is None:
            return None
        if call.keywords:  # `out`
            return [
                ast.Call(
                    name_code(self.writer.function_named("Prepared", Prepared)), [call.func, *call.args], call.keywords
                )
            ], 0
        return [call.func, *call.args], 0

    def function_called(self, name: str) -> Any:
        """The function behind a name of the program, if it is one that C can call."""
        writer = self.writer
        code = writer.codes.get(name, "")
        found: Any = None
        if code.startswith("np."):
            found = operator.attrgetter(code[3:])(np)
        elif code.startswith("kernels["):
            found = writer.kernels.get(ast.literal_eval(code[len("kernels[") : -1]))
        owner = getattr(found, "__self__", None)
        known = isinstance(found, np.ufunc) or isinstance(owner, np.ufunc) or found is np.copyto
        return found if known else None


class ResultEmitter:
    """Writes the statements that make the results of a program.

    Args:
        writer: the program so far.
        graph: the graph that it computes.
        first: the position of the first node that writes to a parameter's array.

    Attributes:
        moves: statements that copy numbers to parameters, or to results, after the updates.
        found: the results, in order.
    """

    def __init__(self, writer: Writer, graph: Graph, first: int) -> None:
        plan = writer.plan
        self.writer = writer
        self.graph = graph
        self.moves: list[ast.stmt] = []
        self.found: list[ast.expr] = []
        self.targets = {plan.storage[graph.parameters[i]].allocation.find() for i in graph.donated.values()}
        self.unpacked = {value for node in plan.packs for value in node.outputs}
        self.updated = {value for node in graph.nodes[first:] for value in node.outputs}

    def run(self) -> None:
        """All outputs, in order."""
        for position, operand in enumerate(self.graph.outputs):
            operand = self.writer.plan.resolve(operand)
            if position in self.graph.donated:
                self.found.append(self.donated(operand, self.graph.parameters[self.graph.donated[position]]))
            else:
                self.found.append(name_code(self.result(position, operand)))

    def donated(self, operand: Operand, parameter: Value) -> ast.expr:
        """Emit the write of an output to the array of a parameter. Returns the array's name."""
        writer = self.writer
        name = writer.read(operand)
        if operand not in self.unpacked and not writer.same_memory(parameter, operand):
            before = isinstance(operand, Value) and operand not in self.updated
            if before and writer.plan.storage[operand].memory() & self.targets:
                name = self.copied(operand, name)
            self.move(writer.names[parameter], name)
        return name_code(writer.names[parameter])

    def result(self, position: int, operand: Operand) -> str:
        """The name of the array that is returned for an output."""
        writer = self.writer
        name = writer.read(operand)
        if position in writer.plan.returned:
            return name
        if operand not in self.updated:
            return self.copied(operand, name)
        copy = self.made(f"{name}_copy", call_code(writer.lookup("np.empty_like"), name), operand)
        self.move(copy, name)
        return copy

    def move(self, target: str, name: str) -> None:
        """Copy an array after the updates."""
        self.moves.append(ast.Expr(call_code(self.writer.lookup("np.copyto"), target, name)))

    def copied(self, operand: Operand, name: str) -> str:
        """The name of a copy of an output. The node that made the output allocates the copy."""
        return self.made(f"{name}_copy", self.writer.owned(operand), operand)

    def made(self, name: str, code: ast.expr, operand: Operand) -> str:
        """The name of the value of an expression for an output; comments name the node that made the output."""
        copy = self.writer.unique(name)
        statement = assign(copy, code)
        if operand in self.graph.producers:
            statement.__dict__["node"] = self.graph.producers[operand]
        self.writer.body.append(statement)
        return copy
