"""Code generation: a graph and its memory plan become readable Python source, one statement for each node.

The source defines `bind(arena)`. It makes once what every run needs (arrays in the arena, views of them, constants) and
returns the function that runs: straight-line calls that write into these arrays. Sub-graphs are nested as if, while and
for.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

from ...runtime.records import dataclass
from ..ir.graph import Graph, Node
from ..memory.plan import Plan
from .blocks import BlockEmitter
from .comments import Comments, Places
from .commit import CommitEmitter, ResultEmitter
from .control import ControlEmitter
from .kernels import KernelEmitter
from .nodes import NodeEmitter
from .python_code import function_code, method_code, name_code, print_code
from .writer import Writer

# Python inserts an instruction for each variable of an inner function at the start of the outer one's first block,
# and moves all others of this block. A branch before them ends the block.
MANY_ARRAYS = 64


_NO_PLACES = Places(Graph("", (), (), ()))


@dataclass(frozen=True)
class Emitted:
    """The source of a program, and the constants and kernels that it gets from outside, by name."""

    source: str
    constants: Mapping[str, Any]
    kernels: Mapping[str, Any]


def emit(plan: Plan, name: str, places: Places | None = None) -> Emitted:
    """The program of a planned graph, with the numbers of `places` in its comments (`comments.py`)."""
    return Emitter(plan, name, places=places).run()


def nodes_of_lines(plan: Plan, name: str) -> dict[int, Node]:
    """For each line of the program that `emit` gives, the node that it runs."""
    emitter = Emitter(plan, name, places=_NO_PLACES)  # comments of kernels are lines, too
    source = emitter.run().source
    trees = [*emitter.writer.loops, emitter.tree]
    made = [each for tree in trees for each in _statements(tree)]
    parsed = [each for tree in ast.parse(source).body[-len(trees) :] for each in _statements(tree)]
    found = {}
    for statement, found_at in zip(made, parsed, strict=True):
        node = statement.__dict__.get("node")
        if node is not None:
            for line in range(found_at.lineno, (found_at.end_lineno or found_at.lineno) + 1):
                found[line] = node  # a statement inside another comes after it
    return found


def with_statements(plan: Plan, name: str) -> Plan:
    """A plan with times as statements of the program that `emit` gives. The first one is directly below the `def`.

    A node may have no statement of its own, because its view is made when the program is loaded, or because it is
    committed together with others. Then it gets the statement of the last node before it that has one.
    """
    emitter = Emitter(plan, name, places=_NO_PLACES)
    source = emitter.run().source
    made, parsed = list(_statements(emitter.tree)), list(_statements(ast.parse(source).body[-1]))
    run = [each for each in parsed[0].body if isinstance(each, ast.FunctionDef)][-1]  # type: ignore[attr-defined]
    spans: dict[Node, tuple[int, int]] = {}
    ends: dict[tuple[Node, int], int] = {}  # the last line of each branch, or of a loop
    for statement, found_at in zip(made, parsed, strict=True):
        node, first = statement.__dict__.get("node"), found_at.lineno - run.lineno
        if node is not None and first > 0:
            last = (found_at.end_lineno or found_at.lineno) - run.lineno
            begun, ended = spans.get(node, (first, last))
            spans[node] = min(begun, first), max(ended, last)
            if isinstance(found_at, ast.If):
                ends[node, 0] = (found_at.body[-1].end_lineno or 0) - run.lineno
                ends[node, 1] = last
            elif isinstance(found_at, (ast.For, ast.While)):
                ends[node, 0] = last
    for tree in reversed(emitter.writer.loops):  # a loop inside another stands before it
        if called := spans.get(tree.__dict__["node"]):
            for statement in _statements(tree):
                if statement.__dict__.get("node") is not None:
                    spans.setdefault(statement.__dict__["node"], called)
    statements: list[tuple[int, int, int]] = []
    here = 1
    for time in sorted((*plan.times, *plan.ends)):
        if time in plan.ends:
            node = plan.ends[time][0]
            first = last = max(here, ends.get(plan.ends[time], spans.get(node, (here, here))[1]))
        else:
            first, last = spans.get(plan.times[time], (here, here))
        statements.append((time, first, last))
        here = max(here, first)
    last = run.body[-1].lineno - run.lineno  # where the results are returned
    return replace(plan, statements=(*statements, (max(plan.times, default=0) + 1, last, last)))


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """A statement and all statements inside it, in the order of the text."""
    if isinstance(tree, ast.stmt):
        yield tree
    for block in _BLOCKS:  # expressions hold no statements: to walk them would take longer than to write them
        for child in tree.__dict__.get(block, ()):
            if "body" in child.__dict__:
                yield from _statements(child)
            else:
                yield child


_BLOCKS = ("body", "orelse", "handlers", "finalbody")


class Marks(Protocol):
    """Statements that a program has besides those that compute, such as clock calls."""

    def before(self, writer: Writer) -> list[ast.stmt]:
        """At the start of a run."""

    def after(self, writer: Writer, node: Node) -> list[ast.stmt]:
        """After the statements of a node."""

    def last(self, writer: Writer) -> list[ast.stmt]:
        """Before the results are returned."""


class Emitter:
    """Writes one program. The kind of a node's op decides which method writes it; the table is here.

    Args:
        plan: of the program.
        name: of the function, as a hint.
        marks: with marks, the writes to Parameters are separate calls.
    """

    tree: ast.stmt  # the function `bind`, once it is written

    def __init__(self, plan: Plan, name: str, marks: Marks | None = None, places: Places | None = None) -> None:
        self.places = places
        self.writer = Writer(plan, name)
        self.writer.whole_loops = plan.whole_loops and marks is None
        self.marks = marks
        self.nodes = NodeEmitter(self.writer)
        self.commits = CommitEmitter(self.writer)
        control = ControlEmitter(self.writer, self.block, self.nodes.unread)
        kernels = KernelEmitter(self.writer)
        self.by_kind: Mapping[str, Callable[[Node], None]] = {
            "branch": control.branches,
            "loop": control.loop,
            "group": BlockEmitter(self.writer).group,
            "kernel": kernels.native,
            "loop_kernel": kernels.native,
        }

    def run(self) -> Emitted:
        """The whole program."""
        writer, graph = self.writer, self.writer.plan.graph
        if self.marks is not None:
            writer.body += self.marks.before(writer)
        first = self.commits.first_update(graph)
        self.block(replace(graph, nodes=graph.nodes[:first]))
        body, writer.body = writer.body, []
        self.block(replace(graph, nodes=graph.nodes[first:]))
        updates, writer.body = writer.body, body
        self.finish(graph, first, updates)
        inner = function_code(writer.function, [writer.names[value] for value in graph.parameters], writer.body)
        prologue = [*writer.many_arrays(), *writer.prologue]
        names = len(writer.prologue) + sum(map(len, writer.many.values()))
        branch = [ast.Assert(name_code("arena"), None)] if names >= MANY_ARRAYS else []
        outer = function_code("bind", ["arena"], [*branch, *prologue, inner, ast.Return(name_code(writer.function))])
        self.tree = outer
        header = ["import numpy as np\n", *self.flags(graph)]
        comments = None if self.places is None else Comments(self.places)
        for code, name in writer.imports.items():
            if comments is not None and name in writer.kernel_nodes:
                header.append(comments.of_kernel(name, writer.kernel_nodes[name]))
            header.append(f"{name} = {code}\n")
        trees = [*writer.loops, outer]
        self.by_kind = {}  # its methods refer to this object: the cycle would wait for the garbage collector
        source = "\n".join(["".join(header), *[print_code(tree, comments) for tree in trees]])
        return Emitted(source, writer.constants, writer.kernels)

    def flags(self, graph: Graph) -> list[str]:
        """Properties of the program that its caller must know."""
        kinds = {op.kind for op in graph.ops}
        known = {
            "EFFECTS": "effect" in kinds,
            "THREADS": bool(self.writer.threaded),
            "DRAWS": "random" in kinds,
            "COMMITS": bool(graph.donated),
        }
        return [f"{flag} = True\n" for flag, here in known.items() if here]

    def block(self, graph: Graph) -> None:
        """The statements of a graph's nodes, appended to the body."""
        for node in graph.nodes:
            before = len(self.writer.body)
            self.writer.node(node, self.by_kind.get(node.op.kind, self.nodes.plain))
            if self.marks is not None and len(self.writer.body) > before:
                self.writer.body += self.marks.after(self.writer, node)

    def finish(self, graph: Graph, first: int, updates: list[ast.stmt]) -> None:
        """Write the donated outputs to their parameters, after the updates that write there directly; return all
        outputs.

        `updates` are the statements of the nodes from `first` on. Statements that can fail, such as allocations, come
        before them; copies of their results come after.
        """
        writer, plan = self.writer, self.writer.plan
        results = ResultEmitter(writer, graph, first)
        results.run()
        stores = []
        for node, pack in plan.packs.items():
            vectors = [name_code(writer.read(operand)) for operand in node.inputs]
            stores.append(method_code(writer.packed[pack], "moves", *vectors))
        if self.marks is None:
            statements = self.commits.commit(updates, results.moves, stores)
            where = updates[0].__dict__.get("node") if updates else None
            if where is not None:
                for statement in statements:
                    statement.__dict__.setdefault("node", where)
            writer.body += statements
        else:
            writer.body += [*updates, *results.moves, *self.commits.made_at_once(stores), *self.marks.last(writer)]
        writer.body.append(ast.Return(ast.Tuple(results.found, ast.Load())))
