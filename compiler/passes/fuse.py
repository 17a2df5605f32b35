"""Fusion with loop tiling: large elementwise nodes, and reductions between them, run together tile by tile.

%a: f32[512, 512] = tanh(%x)                 %b: f32[512, 512] = fused(%x, rows=1) {
%b: f32[512, 512] = multiply(%a, 2.0)            body = graph block(%x) { %a = tanh(%x) ... return %b }
                                             }
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .. import ops
from ..ir.graph import Graph, Node, block_node, copy_graph
from ..ir.subgraphs import map_inside
from ..ir.types import Shape
from ..ir.values import Operand
from .group_rows import is_accumulated, rows_of, size_of
from .grouping import Group, Partition, block_of

SMALLEST_GROUP = 32768  # elements; below, whole arrays stay in the cache by themselves
LARGEST_ROW = 65536  # elements of a row; a block holds at least one


def fuse(graph: Graph) -> Graph:
    """Replace groups by `fused` nodes, also in sub-graphs. Updates of Parameters have groups of their own."""
    if all(type.known_size < SMALLEST_GROUP for type in graph.value_types):
        return graph
    graph = map_inside(graph, fuse)
    if not any(map(_is_large, graph.nodes)):
        return graph
    return Partition(graph, _Tiles(graph)).run()


def _is_large(node: Node) -> bool:
    return any(value.type.known_size >= SMALLEST_GROUP for value in node.outputs)


def _reads_large(node: Node) -> bool:
    return any(operand.type.known_size >= SMALLEST_GROUP for operand in node.inputs)


class _Tiles:
    """The policy for groups that run tile by tile, in the cache."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def rows(self, node: Node, made: Mapping[Operand, Group]) -> Shape | None:
        """The rows of a node. A small node counts only if it reads a group, such as the divisor of a softmax."""
        counts = _is_large(node) or _reads_large(node) or not made.keys().isdisjoint(node.inputs)
        return (rows_of(node) or None) if counts else None

    def start(self, group: Group) -> None:
        """Nothing more needs to be known of a group."""

    def may_combine(self, group: Group, other: Group, rows: Shape) -> bool:
        """Whether there are rows, and a few of them fit into the cache."""
        elements = max(group.elements, other.elements)
        return size_of(rows) >= 2 and elements // size_of(rows) <= LARGEST_ROW

    def is_accumulated(self, node: Node) -> bool:
        """Reductions over the tiled axis."""
        return is_accumulated(node)

    def parts(self, group: Group) -> list[Group]:
        """A group of several nodes on large arrays is not divided."""
        return [group] if group.count() > 1 and group.elements >= SMALLEST_GROUP else []

    def sink(self, chosen: dict[Node, Group]) -> None:
        """Nodes stay in their groups."""

    def shared(self) -> list[tuple[Operand, bool]]:
        """No tiles are shared by groups that do not need each other."""
        return []

    def may_share(self, group: Group, other: Group, large: bool) -> bool:
        """They stay apart."""
        return False

    def block(self, nodes: Sequence[Node]) -> Graph:
        """The graph of a group."""
        return block_of(self.graph, nodes)

    def make(self, group: Group, block: Graph) -> Node:
        """A `fused` node."""
        rows = _rows_without_copies(group, block.parameters, self.graph.producers)
        return fused_node(group, block, rows)


def fused_node(group: Group, block: Graph, rows: int) -> Node:
    """A `fused` node for a group, whose graph has values of its own."""
    return block_node(ops.fused, block, group.nodes[0].location, body=copy_graph(block), rows=rows)


def layout_of(operand: Operand, producers: Mapping[Operand, Node]) -> np.ndarray:
    """An array of bytes with the operand's layout and without content. A view with gaps has gaps."""
    node = producers.get(operand)
    known = node is not None and node.op.kind == "view" and (len(node.inputs) == 1 or node.op is ops.barrier)
    if node is None or not known or not node.inputs[0].type.is_static:
        return np.empty(operand.type.static_shape, np.bool_)
    seen = layout_of(node.inputs[0], producers)
    return seen if node.op is ops.bitcast else node.op.kernel(seen, **node.attrs)


def is_dense(layout: np.ndarray, count: int) -> bool:
    """Whether the first dimensions can be merged into one."""
    pairs = [pair for pair in zip(layout.shape[:count], layout.strides, strict=False) if pair[0] != 1]
    return all(pairs[i - 1][1] == pairs[i][0] * pairs[i][1] for i in range(1, len(pairs)))


def _rows_without_copies(group: Group, inputs: Sequence[Operand], producers: Mapping[Operand, Node]) -> int:
    """How many leading dimensions a group may merge into one, so that no input with gaps is copied."""
    count = len(group.rows)
    for operand in inputs:
        node = producers.get(operand)
        if node is not None and node.op.kind == "view" and operand.type.shape[: len(group.rows)] == group.rows:
            layout = layout_of(operand, producers)
            while not is_dense(layout, count):
                count -= 1
    rows = size_of(group.rows[:count])
    return count if rows > 1 and group.elements // rows <= LARGEST_ROW else len(group.rows)
