"""Producer cloning: each elementwise reader of a value gets a producer of its own, which its kernel computes.

%s: f32[9] = shift(%x, axis=0, offset=1, fill=0.0)      %s: f32[9] = shift(%x, axis=0, offset=1, fill=0.0)
%y: f32[9] = tanh(%s)                                   %y: f32[9] = tanh(%s)
%z: f32[4] = sum(%s, axis=(0,), keepdims=False)         %t: f32[9] = shift(%x, axis=0, offset=1, fill=0.0)
                                                        %z: f32[4] = sum(%t, axis=(0,), keepdims=False)
"""

from __future__ import annotations

from collections.abc import Callable

from ..ir.graph import Graph, Node
from ..ir.values import Operand, Value
from ..kernels import eligible
from .dce import eliminate_dead_code


def is_fusible(node: Node | None) -> bool:
    """Whether a kernel may compute a node elementwise from its inputs."""
    return node is not None and node.op.kind in ("elementwise", "reduction") and eligible.lane_bytes(node) is not None


def clone_producers(graph: Graph, is_cloned: Callable[[Node], bool]) -> Graph:
    """A producer of its own for each elementwise reader of what some nodes give. Producers without readers go."""
    spread: dict[Operand, Node] = {}
    for node in graph.nodes:
        if len(node.outputs) == 1 and len(graph.readers.get(node.output, ())) > 1 and is_cloned(node):
            spread[node.output] = node
    if not spread:
        return eliminate_dead_code(graph)
    nodes: list[Node] = []
    # One of each keeps the name: the producer itself, if something else reads it, or the first copy.
    named = {value for value in spread if not all(map(is_fusible, graph.readers[value]))}
    for node in graph.nodes:
        if not spread.keys().isdisjoint(node.inputs) and is_fusible(node):
            mapping: dict[Operand, Value] = {}
            for operand in dict.fromkeys(node.inputs):
                if operand in spread:
                    name = "" if operand in named or not isinstance(operand, Value) else operand.name
                    named.add(operand)
                    mapping[operand] = Value(operand.type, name)
                    made = spread[operand]
                    nodes.append(Node(made.op, made.inputs, (mapping[operand],), made.attrs, made.location))
            node = node.with_inputs(mapping.get(operand, operand) for operand in node.inputs)
        nodes.append(node)
    return eliminate_dead_code(graph.with_nodes(tuple(nodes)))
