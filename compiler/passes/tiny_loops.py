"""Loops over tiny tensors become kernels of their elements: see `compiler/kernels/tiny_loops.py`."""

from __future__ import annotations

from ..ir.graph import Graph
from ..ir.subgraphs import map_subgraphs
from ..kernels.eligible import is_available
from ..kernels.loops import as_expanded


def expand_loops(graph: Graph) -> Graph:
    """Make a `loop_kernel` of each counted loop that is quicker as a kernel of single elements; also in sub-graphs.
    Without machine code nothing changes."""
    if not any(op.kind == "loop" for op in graph.ops) or not is_available():
        return graph
    read = {*graph.outputs, *[operand for node in graph.nodes for operand in node.inputs]}
    nodes = [each for node in graph.nodes for each in as_expanded(map_subgraphs(node, expand_loops), read)]
    return graph.with_nodes(tuple(nodes))
