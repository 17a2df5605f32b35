"""If-conversion: a branch whose sides compute little computes both, and chooses between their results.

    %y: f32[4] = cond(%p, %h) {                    %t: f32[4] = tanh(%h)
      then = graph then(%h: f32[4]) {              %y: f32[4] = select(%p, %t, %h)
        %t: f32[4] = tanh(%h)
        return %t
      }
      orelse = graph orelse(%h: f32[4]) {
        return %h
      }
    }

So branches are parts of kernels, and a loop with branches may be machine code. Without machine code a choice would be
more calls of NumPy than the branch. Sides with effects, or that may raise, stay branches. A row that a side takes at
the number of a loop's iteration becomes one that the loop scans.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from ...runtime.records import NamedTuple
from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.loops import Loop
from ..ir.naming import take_name
from ..ir.op import Op
from ..ir.subgraphs import map_subgraphs
from ..ir.types import TensorType
from ..ir.values import Literal, Operand, Value, type_of
from ..kernels import eligible
from ..kernels.tiny_loops import VECTOR, nanoseconds
from ..ops.index_batching import OPERAND

MOST = 120.0  # nanoseconds that both sides may take: about what the calls of one side do


def choose(graph: Graph) -> Graph:
    """Compute both sides of small branches in a graph."""
    return _Conversion().run(graph) if graph.holders and eligible.is_available() else graph


class _Plan(NamedTuple):
    """What branches of one structure become whose inputs are different values. Values are numbered: inputs, numbers,
    what the nodes of both sides compute, choices.

    Attributes:
        numbers: the literals that are read.
        sides: for each node of the sides what it reads.
        choices: what each select reads, and the output of the branch that it gives.
        outputs: the results.
    """

    numbers: tuple[Operand, ...]
    sides: tuple[tuple[int, ...], ...]
    choices: tuple[tuple[tuple[int, ...], int], ...]
    outputs: tuple[int, ...]

    @staticmethod
    def of(node: Node, nodes: list[Node], outputs: list[Operand]) -> _Plan:
        """The plan by which a branch becomes these nodes, all of which it has or chooses by, and results."""
        read = [*[operand for made in nodes for operand in made.inputs], *outputs]
        numbers = tuple(dict.fromkeys([operand for operand in read if isinstance(operand, Literal)]))
        values = [*node.inputs, *numbers, *[value for made in nodes for value in made.outputs]]
        places = {value: place for place, value in enumerate(values)}
        reads = [tuple([places[operand] for operand in made.inputs]) for made in nodes]
        count = sum(len(side.nodes) for side in node.subgraphs)
        chosen = [outputs.index(made.outputs[0]) for made in nodes[count:]]
        choices = tuple(zip(reads[count:], chosen, strict=True))
        return _Plan(numbers, tuple(reads[:count]), choices, tuple([places[each] for each in outputs]))

    def applied(self, node: Node) -> tuple[list[Node], list[Operand]]:
        """The nodes of both sides of a branch, and the choices."""
        values: list[Operand] = [*node.inputs, *self.numbers]
        known, select = values.__getitem__, ops.select
        nodes: list[Node] = []
        copied = (*node.attrs["then"].nodes, *node.attrs["orelse"].nodes)
        for old, places in zip(copied, self.sides, strict=True):
            made = tuple([Value(value.type, value.name) for value in old.outputs])
            nodes.append(Node(old.op, tuple(map(known, places)), made, old.attrs, old.location))
            values += made
        for places, position in self.choices:
            given = node.outputs[position]
            chosen = Value(given.type, given.name)
            nodes.append(Node(select, tuple(map(known, places)), (chosen,), {}, node.location))
            values.append(chosen)
        return nodes, list(map(known, self.outputs))


class _Conversion:
    """A graph while its branches are converted: the body of a `loop`, if it is one."""

    def __init__(self, loop: Loop | None = None) -> None:
        self.loop = loop
        self.plans: dict[tuple[Graph, Graph], _Plan | None] = {}  # by the patterns of both sides; None: it stays
        self.outside: dict[Operand, Operand] = {}
        self.rows: dict[Operand, Value] = {}
        self.undefined: set[Operand] = set()  # what stands for a result that a side does not have
        self.duration = 0.0  # of the branch at hand
        if loop is not None:
            inputs, parameters, rows = loop.node.inputs, loop.body.parameters, loop.rows
            self.outside.update(zip(parameters[rows.stop :], inputs[rows.stop :], strict=True))
            self.rows.update(zip(inputs[rows.start : rows.stop], parameters[rows.start : rows.stop], strict=True))

    def run(self, graph: Graph) -> Graph:
        """The graph without the branches that compute little."""
        nodes: list[Node] = []
        renamed: dict[Operand, Operand] = {}
        for node in graph.nodes:
            node = _renamed(node, renamed)
            if not node.op.holds_graphs:
                nodes.append(node)
                continue
            node = _in_loop(node) if node.op.kind == "loop" else map_subgraphs(node, choose)
            rows = dict(self.rows)
            found = self.planned(node) if node.op.kind == "branch" else None
            if found is None:
                self.rows = rows
                nodes.append(node)
                continue
            nodes += found[0]
            renamed.update(zip(node.outputs, found[1], strict=True))
        return graph.with_nodes(tuple(nodes), tuple([renamed.get(operand, operand) for operand in graph.outputs]))

    def planned(self, node: Node) -> tuple[list[Node], list[Operand]] | None:
        """As `both`, by the plan for branches of this structure where there may be one."""
        then, orelse = node.attrs["then"], node.attrs["orelse"]
        patterns = then.pattern, orelse.pattern
        alone = patterns[0] is then or patterns[1] is orelse
        alike = len(set(node.inputs)) < len(node.inputs) or Literal in map(type, node.inputs)
        if alone or alike or self.loop is not None or self.undefined:
            self.duration = 0.0
            return self.both(node)
        if patterns in self.plans:
            plan = self.plans[patterns]
            return None if plan is None else plan.applied(node)
        self.duration = 0.0
        found = self.both(node)
        if not self.undefined:
            self.plans[patterns] = None if found is None else _Plan.of(node, *found)
        return found

    def both(self, node: Node) -> tuple[list[Node], list[Operand]] | None:
        """The nodes of both sides of a branch, and the choices; None if it has to stay."""
        condition, *given = node.inputs
        types = [value.type for value in node.outputs]
        branches: list[Graph] = [node.attrs["then"], node.attrs["orelse"]]
        if isinstance(condition, Literal) or any(
            [each.type for each in branch.outputs] != types for branch in branches
        ):
            return None
        if self.loop is None and not all(self.allows(each) for branch in branches for each in branch.nodes):
            return None
        nodes: list[Node] = []
        results = []
        for branch in branches:
            found = self.side(branch, given, nodes)
            if found is None:
                return None
            results.append(found)
        outputs: list[Operand] = []
        for value, first, second in zip(node.outputs, *results, strict=True):
            if first in self.undefined:
                first = second
            elif first != second and second not in self.undefined:
                nodes.append(make_node(ops.select, (condition, first, second), {}, node.location))
                if not self.pays(nodes[-1]) or nodes[-1].output.type != value.type:
                    return None
                first = nodes[-1].output
                take_name(first, value)
            outputs.append(first)
        return nodes, outputs

    def side(self, branch: Graph, given: list[Operand], nodes: list[Node]) -> list[Operand] | None:
        """The results of a side, whose nodes are added; None if it may not be computed where it is not chosen."""
        renamed: dict[Operand, Operand] = dict(zip(branch.parameters, given, strict=True))
        for old in branch.nodes:
            op, inputs = old.op, tuple(map(renamed.get, old.inputs, old.inputs))
            # Copies of a node share its graphs, so the values here are copies as well.
            outputs = tuple([Value(value.type, value.name) for value in old.outputs])
            node = Node(op, inputs, outputs, old.attrs, old.location)
            renamed.update(zip(old.outputs, outputs, strict=True))
            row = inner = None
            if self.loop is not None:
                row = self.row(node)
                inner = self.both(node) if op.kind == "branch" else None
            if row is not None:
                renamed[old.outputs[0]] = row
            elif inner is not None:
                nodes += inner[0]
                renamed.update(zip(old.outputs, inner[1], strict=True))
            elif op is ops.undefined:
                self.undefined.add(outputs[0])
                nodes.append(node)
            elif self.loop is not None and not self.allows(node):
                return None
            else:
                nodes.append(node)
        return [renamed.get(operand, operand) for operand in branch.outputs]

    def allows(self, node: Node) -> bool:
        """Whether a node may be computed where it is not chosen, and the branch still computes little with it."""
        op = node.op
        if op is ops.undefined:
            return True
        return (node.is_speculatable or not node.inputs) and not op.has_effect and self.pays(node)

    def pays(self, node: Node) -> bool:
        """Whether the branch still computes little, with this node."""
        self.duration += _duration(node.op, tuple(map(type_of, node.inputs)), tuple(map(type_of, node.outputs)))
        return self.duration <= MOST

    def row(self, node: Node) -> Value | None:
        """The row of an iteration that a node takes from an operand of the loop; None for other nodes."""
        loop = self.loop
        if loop is None:
            return None
        by_number = node.op is ops.take and node.attrs["axis"] == 0
        by_number |= node.op is ops.index and node.attrs["spec"] == (OPERAND,)
        if not by_number or loop.test is not None or node.inputs[-1] != loop.body.parameters[0]:
            return None
        whole = self.outside.get(node.inputs[0])
        if not isinstance(whole, Value) or not whole.type.rank or whole.type.shape[0] != loop.length:
            return None
        if whole not in self.rows:
            self.rows[whole] = Value(node.output.type, node.output.name)
        return self.rows[whole]


@lru_cache(maxsize=4096)
def _duration(op: Op, read: tuple[TensorType, ...], made: tuple[TensorType, ...]) -> float:
    """The nanoseconds that a node takes about; views take none."""
    if op.kind == "view":
        return 0.0
    if op.kind == "matmul" or not all(type.is_static for type in made):
        return math.inf
    return nanoseconds(op.name) * -(-max([type.known_size for type in (*read, *made)]) // VECTOR)


def _renamed(node: Node, names: Mapping[Operand, Operand]) -> Node:
    """A node that reads other operands in place of some."""
    if names.keys().isdisjoint(node.inputs):
        return node
    return node.with_inputs(map(names.get, node.inputs, node.inputs))


def _in_loop(node: Node) -> Node:
    """A loop without the branches that compute little."""
    node = map_subgraphs(node, lambda graph: graph if graph is node.attrs["body"] else choose(graph))
    loop = Loop.of(node)
    if not any(op.kind == "branch" for op in loop.body.ops):
        return node
    conversion = _Conversion(loop)
    before = len(conversion.rows)
    body, stop, given = conversion.run(loop.body), loop.rows.stop, loop.body.parameters
    if body is loop.body:
        return node
    new = dict(list(conversion.rows.items())[before:])
    attrs = {**node.attrs, "body": replace(body, parameters=(*given[:stop], *new.values(), *given[stop:]))}
    if new:
        attrs["scanned"] = loop.scanned + len(new)
    return replace(node, inputs=(*node.inputs[:stop], *new, *node.inputs[stop:]), attrs=attrs)
