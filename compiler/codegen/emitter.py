"""Emission: a graph and its memory plan become readable Python source, one statement a node.

The source defines `bind(arena)`, which makes once what every run needs (arrays in the arena, views of them,
constants) and returns the function that runs: straight-line calls that write into these arrays. Sub-graphs stand in
place as if, while and for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..ir.graph import Graph, Node, walk
from ..ir.values import Operand, Value
from ..memory.plan import Plan
from .blocks import BlockEmitter
from .commit import CommitEmitter
from .control import ControlEmitter
from .kernels import KernelEmitter
from .python_code import assign, call_code, function_code, method_code, name_code, print_code


@dataclass(frozen=True)
class Emitted:
    """The source of a program, and what it takes from outside: constants and kernels by name."""

    source: str
    constants: Mapping[str, Any]
    kernels: Mapping[str, Any]


def emit(plan: Plan, name: str) -> Emitted:
    """The program of a planned graph."""
    return Emitter(plan, name).run()


def nodes_of_lines(plan: Plan, name: str) -> dict[int, Node]:
    """Lines of the program that `emit` gives for these, to the nodes that they run."""
    emitter = Emitter(plan, name)
    source = emitter.run().source
    made, parsed = list(_statements(emitter.tree)), list(_statements(ast.parse(source).body[-1]))
    found = {}
    for statement, found_at in zip(made, parsed, strict=True):
        node = statement.__dict__.get("node")
        if node is not None:
            for line in range(found_at.lineno, (found_at.end_lineno or found_at.lineno) + 1):
                found[line] = node  # a statement inside another comes after it
    return found


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """A statement and all inside it, in the order of the text."""
    if isinstance(tree, ast.stmt):
        yield tree
    for child in ast.iter_child_nodes(tree):
        yield from _statements(child)


class Emitter(ControlEmitter, BlockEmitter, KernelEmitter, CommitEmitter):
    """Writes one program."""

    tree: ast.stmt  # the function `bind`, once it is written
    commits_whole = True  # whether what writes to Parameters is one call

    def run(self) -> Emitted:
        """The whole program."""
        graph = self.plan.graph
        first = self.first_update(graph)
        self.block(replace(graph, nodes=graph.nodes[:first]))
        body, self.body = self.body, []
        self.block(replace(graph, nodes=graph.nodes[first:]))
        updates, self.body = self.body, body
        self.finish(graph, first, updates, self.are_apart(graph.nodes[first:]))
        inner = function_code(self.function, [self.names[value] for value in graph.parameters], self.body)
        outer = function_code("bind", ["arena"], [*self.prologue, inner, ast.Return(name_code(self.function))])
        self.tree = outer
        effects = any(node.op.kind == "effect" for node in walk(graph))
        lookups = [f"{name} = {code}\n" for code, name in self.imports.items()]
        flags = ["EFFECTS = True\n"] if effects else []
        flags += ["THREADS = True\n"] if self.threaded else []
        flags += ["DRAWS = True\n"] if any(node.op.kind == "random" for node in walk(graph)) else []
        flags += ["COMMITS = True\n"] if self.plan.graph.donated else []
        header = ["import numpy as np\n", *flags, *lookups, "\n"]
        return Emitted("".join(header) + print_code(outer), self.constants, self.kernels)

    def finish(self, graph: Graph, first: int, updates: list[ast.stmt], apart: bool) -> None:
        """Write the donated outputs to their parameters, after the updates that do so already; return all outputs.

        `updates` are the statements of the nodes from the `first` on. What can fail, as asking for memory, comes before
        them; what is copied of their results comes after.
        """
        plan = self.plan
        targets = {plan.storage[graph.parameters[i]].allocation.find() for i in graph.donated.values()}
        made: dict[Operand, Node] = {value: node for node in graph.nodes for value in node.outputs}
        moves: list[ast.stmt] = []
        results: list[ast.expr] = []
        unpacked = {value for node in plan.packs for value in node.outputs}
        updated = {value for node in graph.nodes[first:] for value in node.outputs}
        for position, operand in enumerate(graph.outputs):
            operand = plan.resolve(operand)
            name = self.read(operand)
            if position in graph.donated:
                parameter = graph.parameters[graph.donated[position]]
                if operand not in unpacked and not self.same_memory(parameter, operand):
                    if (
                        isinstance(operand, Value)
                        and operand not in updated
                        and plan.storage[operand].memory() & targets
                    ):
                        name = self.copied(operand, name, made)
                    moves.append(ast.Expr(call_code(self.lookup("np.copyto"), self.names[parameter], name)))
                results.append(name_code(self.names[parameter]))
            elif position in plan.returned:
                results.append(name_code(name))
            elif operand in updated:
                copy = self.made_name(f"{name}_copy", call_code(self.lookup("np.empty_like"), name), operand, made)
                moves.append(ast.Expr(call_code(self.lookup("np.copyto"), copy, name)))
                results.append(name_code(copy))
            else:
                results.append(name_code(self.copied(operand, name, made)))
        stores = []
        for node, pack in plan.packs.items():
            vectors = [name_code(self.read(operand)) for operand in node.inputs]
            stores.append(method_code(self.packed[pack], "moves", *vectors))
        if self.commits_whole:
            statements = self.commit(updates, moves, stores, apart)
            where = updates[0].__dict__.get("node") if updates else None
            if where is not None:
                for statement in statements:
                    statement.__dict__.setdefault("node", where)
            self.body += statements
        else:
            self.body += [*updates, *moves, *self.made_at_once(stores)]
        self.body.append(ast.Return(ast.Tuple(results, ast.Load())))

    def copied(self, operand: Operand, name: str, made: Mapping[Operand, Node]) -> str:
        """The name of a copy of an output, whose memory is asked for by the node that made it."""
        return self.made_name(f"{name}_copy", self.owned(operand), operand, made)

    def made_name(self, name: str, code: ast.expr, operand: Operand, made: Mapping[Operand, Node]) -> str:
        """The name of what an expression makes for an output, in the name of the node that made the output."""
        copy = self.unique(name)
        statement = assign(copy, code)
        if operand in made:
            statement.__dict__["node"] = made[operand]
        self.body.append(statement)
        return copy
