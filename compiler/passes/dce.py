"""Dead code elimination."""

from __future__ import annotations

from dataclasses import replace

from ..ir import Graph, Node, Operand
from .subgraphs import is_kept, map_subgraphs


def eliminate_dead_code(graph: Graph) -> Graph:
    """Drop every node that has no effect and whose outputs nothing reads, in sub-graphs too."""
    live: set[Operand] = set(graph.outputs)
    kept: list[Node] = []
    for node in reversed(graph.nodes):
        if is_kept(node) or any(value in live for value in node.outputs):
            live.update(node.inputs)
            kept.append(map_subgraphs(node, eliminate_dead_code))
    return replace(graph, nodes=tuple(reversed(kept)))
