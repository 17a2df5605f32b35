"""Recursion of passes into the graphs that nodes hold."""

from __future__ import annotations

from collections.abc import Callable

from .graph import Graph, Node


def map_subgraphs(node: Node, function: Callable[[Graph], Graph]) -> Node:
    """The node with each graph among its attributes replaced by the function's result, unless it is a kernel."""
    if not node.op.holds_graphs or node.op.is_native:
        return node
    changed: dict[str, Graph] = {}
    for key, value in node.attrs.items():
        if isinstance(value, Graph):
            made = function(value)
            if made is not value:
                changed[key] = made
    if not changed:
        return node
    return Node(node.op, node.inputs, node.outputs, {**node.attrs, **changed}, node.location)


def map_inside(graph: Graph, function: Callable[[Graph], Graph]) -> Graph:
    """The graph with `map_subgraphs` of its nodes."""
    if not graph.holders:
        return graph
    return graph.with_nodes(
        tuple([map_subgraphs(node, function) if node.op.holds_graphs else node for node in graph.nodes])
    )


def is_kept(node: Node) -> bool:
    """Whether the node has an effect, or holds a graph that has one."""
    op = node.op
    return op.has_effect or (op.holds_graphs and not op.is_native and node.has_effect)
