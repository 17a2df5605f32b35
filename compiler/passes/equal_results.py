"""Equal results: if a program returns a value twice, as the gradients of both terms of a sum, the kernel writes both
arrays.

    %d: f32[900] = kernel(%x) { ... }             %d: f32[900], %e: f32[900] = kernel(%x) { ... copied ... }
    return %d, %d                                 return %d, %e

Otherwise NumPy would copy the array at the end, when it is no longer in the cache.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.naming import take_name
from ..ir.values import Operand, Value
from ..kernels import eligible
from .rematerialize import fits


def write_equal_results(graph: Graph) -> Graph:
    """Give each large result that is computed once and returned again an array of its own."""
    outputs, latest = list(graph.outputs), dict[Operand, Value]()
    counts = Counter(outputs)
    nodes = list(graph.nodes)
    for position, operand in enumerate(outputs):
        if position in graph.donated or not isinstance(operand, Value) or counts[operand] < 2 or not _is_large(operand):
            continue
        source = latest.setdefault(operand, operand)
        if operand not in outputs[:position] or operand not in graph.producers:
            continue
        place = next(place for place, node in enumerate(nodes) if source in node.outputs)
        made = _copied(nodes[place], source)
        if made:
            nodes[place : place + 1] = made
            outputs[position] = latest[operand] = made[-1].outputs[-1]
    return graph if outputs == [*graph.outputs] else graph.with_nodes(tuple(nodes), tuple(outputs))


def _is_large(value: Value) -> bool:
    """Whether a value of known size is large enough."""
    return value.type.is_static and value.type.size >= eligible.FEWEST


def _copied(node: Node, value: Value) -> list[Node]:
    """A node that computes a value, and the value once more as the last output of the last node; [] where there is no
    kernel for that."""
    copy = make_node(ops.copied, (value,), {}, node.location)
    take_name(copy.output, value)
    if not eligible.lane_bytes(copy):
        return []
    if node.op is ops.kernel:
        body = node.attrs["body"]
        body = body.with_nodes((*body.nodes, copy), (*body.outputs, copy.output))
        both = replace(node, outputs=(*node.outputs, copy.output), attrs={**node.attrs, "body": body})
        if fits(both):
            return [both]
    parameter = Value(value.type, value.name)
    result = Value(value.type, value.name)
    copy = replace(copy, inputs=(parameter,))
    body = Graph("block", (parameter,), (copy,), copy.outputs)
    return [node, Node(ops.kernel, (value,), (result,), {"body": body}, node.location)]
