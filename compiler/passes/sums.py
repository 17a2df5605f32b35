"""Strength reduction of sums: a short sum becomes a product with ones, which the BLAS computes several times faster.

%a: f32[64] = sum(%x, axis=(1,))         %t: f32[128] = full(shape=(128,), value=1.0)
                                         %a: f32[64] = matmul(%x, %t)
"""

from __future__ import annotations

from dataclasses import replace

from .. import ops
from ..analysis.sums import product_with_ones
from ..ir.graph import Graph, Node
from ..ir.subgraphs import map_subgraphs
from ..ir.values import Operand


def sum_by_products(graph: Graph) -> Graph:
    """Replace sums over adjacent dimensions by products with ones. Groups do so in their blocks."""
    if not any(op is ops.sum or op.kind == "group" for op in graph.ops):
        return graph
    nodes: list[Node] = []
    mapping: dict[Operand, Operand] = {}
    # A sum of a view that is not all in one piece would copy it first.
    views = {n.output for n in graph.nodes if n.op.kind == "view" and not n.op.keeps_order}
    for node in graph.nodes:
        if node.op.kind == "group":
            node = replace(node, attrs={**node.attrs, "products": True})
        else:
            node = map_subgraphs(node, sum_by_products)
        if mapping and any(operand in mapping for operand in node.inputs):
            node = node.with_inputs(mapping.get(operand, operand) for operand in node.inputs)
        written = product_with_ones(node) if node.op is ops.sum and node.inputs[0] not in views else None
        if written is None:
            nodes.append(node)
        else:
            nodes += written
            mapping[node.output] = written[-1].output
    outputs = tuple(mapping.get(operand, operand) for operand in graph.outputs)
    return graph.with_nodes(tuple(nodes), outputs)
