"""Code generation for results: the array of each output, and the copies to Parameters in the end."""

from __future__ import annotations

import ast

from ..ir.graph import Graph
from ..ir.values import Operand, Value
from .python_code import assign, call_code, name_code
from .writer import Writer


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
            if before and writer.plan.storage[operand].memory() & self.targets:  # type: ignore[index]
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
