"""Dependence analysis: which values of a graph depend on given ones through differentiable ops, which differ between
rows, and which nodes results depend on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .graph import Graph, Node
from .values import Operand, Value


def active_values(graph: Graph, roots: Sequence[Value]) -> set[Operand]:
    """The values that depend on `roots` through differentiable ops."""
    active: set[Operand] = set(roots)
    for node in graph.nodes:
        op = node.op
        if (op.crosses or not active.isdisjoint(node.inputs)) and (op.vjp is not None or op.linearize is not None):
            for value in node.outputs:
                if not value.type.dtype.is_bool:
                    active.add(value)
    return active


def live_nodes(nodes: Sequence[Node], results: Iterable[Operand]) -> tuple[list[Node], set[Operand]]:
    """The nodes that results depend on, or that have effects; and all operands that are read, with the results."""
    live = set(results)
    kept: list[Node] = []
    for node in reversed(nodes):
        if node.has_effect or not live.isdisjoint(node.outputs):
            live.update(node.inputs)
            kept.append(node)
    kept.reverse()
    return kept, live


def varying_outputs(graph: Graph, mapped: Sequence[bool]) -> list[bool]:
    """For each output of a graph whether it may differ from row to row, if these parameters do."""
    varying: set[Operand] = {value for value, here in zip(graph.parameters, mapped, strict=True) if here}
    for node in graph.nodes:
        if any(operand in varying for operand in node.inputs) or draws(node):
            varying.update(node.outputs)
    return [output in varying for output in graph.outputs]


def draws(node: Node) -> bool:
    """Whether a node draws random numbers. Each row of a batch draws its own."""
    return node.op.kind == "random" or any(draws(inner) for graph in node.subgraphs for inner in graph.nodes)
