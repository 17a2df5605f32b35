"""Triangular products: what a causal mask leaves out is not multiplied.

%s: f32[4, 256, 256] = matmul(%q, %k)             %s = banded_matmul(%q, %k, band='result')
%t: f32[4, 256, 256] = select(%later, -inf, %s)   …
… a softmax of %t, which is %p                    …
%y: f32[4, 256, 32] = matmul(%p, %v)              %y = banded_matmul(%p, %v, band='lower')

Forward, this finds values that are zero or -inf above the diagonal of their last two dimensions; backward, those of
which nothing above it is wanted, because a mask or a product with zeros leaves it out. Numbers are taken to be finite
where they are multiplied by these zeros: an infinite value at a later position does not make a result nan.
"""

from __future__ import annotations

import numpy as np

from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.naming import take_name
from ..ir.subgraphs import map_inside
from ..ir.triangles import FALSE, INFINITE, POSITIVE, TRUE, ZERO, Found
from ..ir.values import Literal, Operand, Value, literal

LEAST = 96  # rows
LEAST_WORK = 1 << 20  # products that are added
LEAST_DEPTH = 24  # columns of a head; products in bands take longer than whole ones for fewer
LEAST_HEAD = 5000  # elements of a head
LARGEST_KNOWN = 1 << 22  # elements of a mask


def leave_triangles(graph: Graph) -> Graph:
    """Replace products by a triangular factor, and those of which a triangle is wanted."""
    if ops.select not in graph.ops or ops.matmul not in graph.ops:
        return graph
    if all(type.known_size < LEAST_HEAD for type in graph.value_types):
        return graph
    graph = map_inside(graph, leave_triangles)
    if not any(map(_is_candidate, graph.nodes)):
        return graph
    triangles = _Triangles(graph)
    if not triangles.above:
        return graph
    nodes: list[Node] = []
    mapping: dict[Operand, Operand] = {}
    for node in graph.nodes:
        band = triangles.band(node) if _is_candidate(node) else None
        if mapping and not mapping.keys().isdisjoint(node.inputs):
            node = node.with_inputs(mapping.get(operand, operand) for operand in node.inputs)
        if band is not None:
            made = make_node(ops.banded_matmul, list(node.inputs), {"band": band, "threads": 1}, node.location)
            mapping[node.output] = made.output
            take_name(made.output, node.output)
            node = made
        nodes.append(node)
    outputs = tuple(mapping.get(operand, operand) for operand in graph.outputs)
    return graph.with_nodes(tuple(nodes), outputs)


def _is_candidate(node: Node) -> bool:
    if node.op is not ops.matmul or not all(x.type.is_static and x.type.rank >= 2 for x in node.inputs):
        return False
    a, out = node.inputs[0].type, node.output.type
    rows, inner = a.static_shape[-2:]
    columns = out.static_shape[-1]
    depth = min(inner, columns)
    large = rows >= LEAST and depth >= LEAST_DEPTH and rows * depth >= LEAST_HEAD and out.size * inner >= LEAST_WORK
    return rows in (inner, columns) and a.dtype.is_float and large


class _Triangles:
    """What is known of the values of a graph.

    Attributes:
        above: what values are above the diagonal.
        below: those that are zero below it: transposed ones.
    """

    def __init__(self, graph: Graph) -> None:
        self.above: dict[Operand, str] = {}
        self.below: set[Operand] = set()
        self._producers = graph.producers
        self._readers = graph.readers
        self._unwanted: dict[Operand, bool] = {}
        self._known: dict[Operand, np.ndarray | None] = {}
        for node in graph.nodes:
            if len(node.outputs) == 1 and _is_square(node.output):
                self._look(node)

    def band(self, node: Node) -> str | None:
        """The band of a product, if it has one."""
        a = node.inputs[0]
        if self.above.get(a) == ZERO:
            return "lower"
        if a in self.below:
            return "upper"
        return "result" if _is_square(node.output) and self._is_unwanted(node.output) else None

    def _look(self, node: Node) -> None:
        """Find what is above the diagonal of a node's output."""
        rank = node.output.type.rank
        if node.op is ops.transpose:
            axes = node.attrs["axes"]
            if axes[-2:] == (rank - 1, rank - 2) and self.above.get(node.inputs[0]) == ZERO:
                self.below.add(node.output)
            found = self._of(node.inputs[0]) if axes[-2:] == (rank - 2, rank - 1) else None
        elif node.op is ops.broadcast_to or node.op is ops.reshape:
            found = self._of(node.inputs[0]) if _is_square(node.inputs[0]) else None
        else:
            found = node.op.above(*map(self._of, node.inputs)) if node.op.above is not None else None
        if found is None:
            found = self._constant(node.output)
        if found is not None:
            self.above[node.output] = found

    def _of(self, operand: Operand) -> Found:
        """What an operand is above the diagonal, also one of lower rank."""
        if isinstance(operand, Literal):
            array = operand.array
            if array.ndim or array.dtype.kind not in "fb":
                return None
            if array.dtype.kind == "b":
                return TRUE if array else FALSE
            positive = POSITIVE if 0 < array < np.inf else None
            return {0.0: ZERO, -np.inf: INFINITE}.get(float(array), positive)
        return self.above.get(operand)

    def _constant(self, value: Value) -> Found:
        """The same of a mask that is known when the program is compiled."""
        array = self._array(value)
        if array is None or array.dtype.kind not in "fb":
            return None
        later = array[..., np.triu(np.ones(array.shape[-2:], bool), 1)]
        first = later.flat[0]
        return self._of(literal(first.item(), value.type.dtype)) if (later == first).all() else None

    def _array(self, operand: Operand) -> np.ndarray | None:
        """The number of an operand that depends on no parameter; None of others, and of large ones."""
        if isinstance(operand, Literal):
            return operand.array
        if operand not in self._known:
            node, self._known[operand] = self._producers.get(operand), None
            if node is not None and _can_compute(node):
                inputs = [self._array(x) for x in node.inputs]
                if all(x is not None for x in inputs):
                    self._known[operand] = np.asarray(node.op.kernel(*inputs, **node.attrs))
        return self._known[operand]

    def _is_unwanted(self, value: Operand) -> bool:
        """Whether what a value has above the diagonal has no influence."""
        if value not in self._unwanted:
            self._unwanted[value] = False
            readers = self._readers.get(value, [None])
            self._unwanted[value] = all(reader is not None and self._leaves_out(reader, value) for reader in readers)
        return self._unwanted[value]

    def _leaves_out(self, node: Node, value: Operand) -> bool:
        if len(node.outputs) != 1 or node.op.kind != "elementwise" or not _is_square(node.output):
            return False
        if node.op is ops.select:
            chosen = {TRUE: node.inputs[1], FALSE: node.inputs[2]}.get(self.above.get(node.inputs[0], ""))
            if chosen is not None and chosen is not value:
                return True
        others = [None if x is value else self._of(x) for x in node.inputs]
        if node.op.above is not None and node.op.above(*others) is not None:
            return True
        return self._is_unwanted(node.output)


def _can_compute(node: Node) -> bool:
    """Whether a node computes one tensor, not too large, and nothing else."""
    plain = node.is_speculatable or not (node.inputs or node.op.has_effect)
    type = node.outputs[0].type if len(node.outputs) == 1 else None
    return plain and not node.op.holds_graphs and type is not None and type.is_static and type.size <= LARGEST_KNOWN


def _is_square(value: Operand) -> bool:
    type = value.type
    return type.is_static and type.rank >= 2 and LEAST <= type.static_shape[-1] == type.static_shape[-2]
