"""If-conversion: a branch in a loop whose sides compute little computes both, and chooses between their results.

    scan(9, %h, %x) {                              scan(9, %h, %x) {
      %y: f32[4] = cond(%p, %h) {                    %t: f32[4] = tanh(%h)
        then = graph then(%h: f32[4]) {              %y: f32[4] = select(%p, %t, %h)
          %t: f32[4] = tanh(%h)                      return %y
          return %t                                }
        }
        orelse = graph orelse(%h: f32[4]) {
          return %h
        }
      }
      return %y
    }

So an iteration may be one kernel, and a loop machine code. Sides with effects, or that may raise, stay branches. A row
that a side takes at the iteration's number becomes one that the loop scans.
"""

from __future__ import annotations

from dataclasses import replace

from .. import ops
from ..ir.graph import Graph, Node, copy_nodes, make_node
from ..ir.loops import Loop
from ..ir.naming import take_name
from ..ir.subgraphs import map_subgraphs
from ..ir.values import Literal, Operand, Value
from ..kernels.tiny_loops import VECTOR, nanoseconds
from ..ops.index_batching import OPERAND

MOST = 120.0  # nanoseconds that both sides may take: about what the calls of one side do


def choose_in_loops(graph: Graph) -> Graph:
    """Compute both sides of small branches in all loops of a graph."""
    if not any(op.kind == "loop" for op in graph.ops):
        return graph
    nodes = []
    for node in graph.nodes:
        node = map_subgraphs(node, choose_in_loops)
        if node.op.kind == "loop" and any(inner.op.kind == "branch" for inner in node.attrs["body"].nodes):
            node = _Conversion(node).run()
        nodes.append(node)
    return graph.with_nodes(tuple(nodes))


class _Conversion:
    """A loop while its branches are converted."""

    def __init__(self, node: Node) -> None:
        self.loop = Loop.of(node)
        stop = self.loop.rows.stop
        outside = zip(self.loop.body.parameters[stop:], node.inputs[stop:], strict=True)
        self.outside: dict[Operand, Operand] = dict(outside)
        scanned = zip(node.inputs[self.loop.rows.start : stop], self.loop.body.parameters[self.loop.rows.start : stop],
                      strict=True)  # fmt: skip
        self.rows: dict[Operand, Value] = dict(scanned)
        self.duration = 0.0  # of the branch at hand

    def run(self) -> Node:
        """The loop without the branches that compute little."""
        loop, node = self.loop, self.loop.node
        nodes: list[Node] = []
        renamed: dict[Operand, Operand] = {}
        before = len(self.rows)
        for inner in loop.body.nodes:
            inner = inner.with_inputs(renamed.get(operand, operand) for operand in inner.inputs)
            rows, self.duration = dict(self.rows), 0.0
            found = self.both(inner) if inner.op.kind == "branch" else None
            if found is None:
                self.rows = rows
                nodes.append(inner)
                continue
            nodes += found[0]
            renamed.update(zip(inner.outputs, found[1], strict=True))
        if not renamed:
            return node
        new, stop = dict(list(self.rows.items())[before:]), loop.rows.stop
        given = loop.body.parameters
        outputs = tuple(renamed.get(operand, operand) for operand in loop.body.outputs)
        parameters = (*given[:stop], *new.values(), *given[stop:])
        body = replace(loop.body, parameters=parameters, nodes=tuple(nodes), outputs=outputs)
        attrs = {**node.attrs, "body": body}
        if new:
            attrs["scanned"] = loop.scanned + len(new)
        return replace(node, inputs=(*node.inputs[:stop], *new, *node.inputs[stop:]), attrs=attrs)

    def both(self, node: Node) -> tuple[list[Node], list[Operand]] | None:
        """The nodes of both sides of a branch, and the choices; None if it has to stay."""
        condition, *given = node.inputs
        types = tuple(value.type for value in node.outputs)
        branches: list[Graph] = [node.attrs["then"], node.attrs["orelse"]]
        if isinstance(condition, Literal) or any(branch.types != types for branch in branches):
            return None
        sides = [self.side(branch, given) for branch in branches]
        if sides[0] is None or sides[1] is None:
            return None
        nodes, outputs = [*sides[0][0], *sides[1][0]], list[Operand]()
        for value, first, second in zip(node.outputs, sides[0][1], sides[1][1], strict=True):
            if first != second:
                nodes.append(make_node(ops.select, (condition, first, second), {}, node.location))
                if not self.pays(nodes[-1]) or nodes[-1].output.type != value.type:
                    return None
                first = nodes[-1].output
                take_name(first, value)
            outputs.append(first)
        return nodes, outputs

    def side(self, branch: Graph, given: list[Operand]) -> tuple[list[Node], list[Operand]] | None:
        """The nodes of a side, and its results; None if it may not be computed where it is not chosen."""
        nodes: list[Node] = []
        renamed: dict[Operand, Operand] = {}
        copied, outputs = copy_nodes(branch, given)
        for node in copied:
            node = node.with_inputs(renamed.get(operand, operand) for operand in node.inputs)
            row = self.row(node)
            if row is not None:
                renamed[node.output] = row
                continue
            if node.op.kind == "branch":
                inner = self.both(node)
                if inner is None:
                    return None
                nodes += inner[0]
                renamed.update(zip(node.outputs, inner[1], strict=True))
                continue
            if not (node.op.is_speculatable or not node.inputs) or node.op.has_effect or not self.pays(node):
                return None
            nodes.append(node)
        return nodes, [renamed.get(operand, operand) for operand in outputs]

    def pays(self, node: Node) -> bool:
        """Whether the branch still computes little, with this node."""
        if node.op.kind != "view":
            if node.op.kind == "matmul" or not all(value.type.is_static for value in node.outputs):
                return False
            size = max([value.type.size for value in (*node.inputs, *node.outputs) if value.type.is_static])
            self.duration += nanoseconds(node.op.name) * -(-size // VECTOR)
        return self.duration <= MOST

    def row(self, node: Node) -> Value | None:
        """The row of an iteration that a node takes from an operand of the loop; None for other nodes."""
        loop = self.loop
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
