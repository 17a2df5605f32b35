"""Loop interchange for short axes in the middle that are reduced more than once: they become the last ones.

    %s: f32[16, 9, 7] = add(%x, %t)            %x1 = transpose(%x, axes=(0, 2, 1)), and %t1 likewise
    %m: f32[16, 7] = max(%s, axis=(1,))        %s: f32[16, 7, 9] = add(%x1, %t1)
    %r: f32[16, 1, 7] = reshape(%m)            %m: f32[16, 7] = max(%s, axis=(2,))
    %e: bool[16, 9, 7] = equal(%s, %r)         %e: bool[16, 7, 9] = equal(%s, reshape(%r))

A kernel that reduces along another axis than the last adds to its output row by row, so nothing in it can read the
result. Short rows are unrolled: then the result is known in the same kernel, as in the argmax and log-sum-exp over the
states before.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.subgraphs import map_inside
from ..ir.values import Operand
from ..kernels.eligible import is_available, lane_bytes

LONGEST = 9  # elements of the axis
FEWEST_BEHIND, MOST_BEHIND = 4, 32  # elements of the axes behind it: long rows are added up as fast
MOST = 320  # elements of a row of each value of a region: statements of the kernel


def interchange_axes(graph: Graph) -> Graph:
    """Move short axes that are reduced behind the others, also in sub-graphs. Without machine code nothing changes."""
    if not any(op.kind == "reduction" for op in graph.ops) or not is_available():
        return graph
    seen: set[Operand] = set()
    regions: dict[Node, _Region] = {}
    for node in graph.nodes:
        if _is_middle(node) and node.inputs[0] not in seen:
            region = _Region(graph, node)
            seen |= region.values
            if region.is_worth_it():
                regions.update(dict.fromkeys(region.nodes, region))
    if regions:
        made = [regions[node].made(node) if node in regions else [node] for node in graph.nodes]
        graph = graph.with_nodes(tuple([each for nodes in made for each in nodes]))
    return map_inside(graph, interchange_axes)


def _is_middle(node: Node) -> bool:
    """Whether a node reduces a short axis that has others behind it."""
    if node.op.kind != "reduction" or len(node.attrs["axis"]) != 1 or lane_bytes(node) is None:
        return False
    (axis,), shape = node.attrs["axis"], node.inputs[0].type.static_shape
    return 1 < shape[axis] <= LONGEST and FEWEST_BEHIND <= math.prod(shape[axis + 1 :]) <= MOST_BEHIND


class _Region:
    """Elementwise nodes of one shape around a reduction along an axis, which is all that is read of them.

    Attributes:
        values: what they compute.
        nodes: they, and the reductions; none if something else is read.
    """

    def __init__(self, graph: Graph, reduction: Node) -> None:
        self.graph = graph
        (self.axis,) = reduction.attrs["axis"]
        self.shape = reduction.inputs[0].type.static_shape
        self.values: set[Operand] = set()
        self.nodes: set[Node] = set()
        self.moved: dict[Operand, Operand] = {}  # what has the axis behind the others
        waiting = [reduction.inputs[0]]
        while waiting:
            value = waiting.pop()
            made = graph.producers.get(value)
            if value in self.values or made is None or not self._is_part(made):
                continue
            self.values.add(value)
            self.nodes.add(made)
            waiting += made.inputs
            for reader in graph.readers.get(value, ()):
                if reader is not None and self._is_part(reader):
                    waiting.append(reader.output)
                elif reader is not None and _is_middle(reader) and reader.attrs["axis"] == (self.axis,):
                    self.nodes.add(reader)
                else:
                    self.nodes.clear()
                    return

    def _is_part(self, node: Node) -> bool:
        alike = node.op.kind == "elementwise" and len(node.outputs) == 1 and node.output.type.shape == self.shape
        return alike and lane_bytes(node) is not None and all(operand.type.is_static for operand in node.inputs)

    def is_worth_it(self) -> bool:
        """Whether a value is computed from what is reduced of the others, and a kernel can hold all of them."""
        if len(self.values) * self.shape[self.axis] > MOST or len(self.nodes) < len(self.values) + 2:
            return False
        known: set[Operand] = set()
        order = self.graph.order
        places = [order[node] for node in self.nodes]
        for node in self.graph.nodes[min(places) : max(places) + 1]:
            if not known.isdisjoint(node.inputs):
                if node.outputs[0] in self.values:
                    return True
                known.update(node.outputs)
            elif node in self.nodes and node.op.kind == "reduction":
                known.update(node.outputs)
        return False

    def made(self, node: Node) -> Iterator[Node]:
        """The nodes in place of one of these, with the axis behind the others."""
        for operand in node.inputs:
            if operand not in self.moved and operand.type.rank:
                yield from self._view(operand, node)
        inputs = [self.moved.get(operand, operand) for operand in node.inputs]
        if node.op.kind == "elementwise":
            made = make_node(node.op, inputs, node.attrs, node.location, node.output.name)
            self.moved[node.output] = made.output
            yield made
            return
        attrs = {**node.attrs, "axis": (len(self.shape) - 1,), "keepdims": False}
        made = make_node(node.op, inputs, attrs, node.location)
        if made.output.type == node.output.type:
            yield replace(made, outputs=node.outputs)
            return
        yield made
        shape = node.output.type.static_shape
        yield replace(make_node(ops.reshape, [made.output], {"shape": shape}, node.location), outputs=node.outputs)

    def _view(self, operand: Operand, node: Node) -> Iterator[Node]:
        """Views of an operand from elsewhere, the last of which has the axis behind the others."""
        rank = len(self.shape)
        shape = (1,) * (rank - operand.type.rank) + operand.type.static_shape
        order = (*range(self.axis), *range(self.axis + 1, rank), self.axis)
        found = operand
        turns = shape[self.axis] > 1 and any(size > 1 for size in shape[self.axis + 1 :])
        if not turns:
            shape = tuple([shape[axis] for axis in order])
        if shape != operand.type.shape:
            yield (made := make_node(ops.reshape, [found], {"shape": shape}, node.location))
            found = made.output
        if turns:
            yield (made := make_node(ops.transpose, [found], {"axes": order}, node.location))
            found = made.output
        self.moved[operand] = found
