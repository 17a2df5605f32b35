"""Recursion of passes into the graphs that nodes hold."""

from __future__ import annotations

from collections.abc import Callable

from .graph import Graph, Node


def map_subgraphs(node: Node, function: Callable[[Graph], Graph], kernels: bool = False) -> Node:
    """The node with each graph among its attributes replaced by the function's result; for kernels only with
    `kernels`."""
    if not node.op.holds_graphs or (node.op.is_native and not kernels):
        return node
    attrs = {key: function(value) if isinstance(value, Graph) else value for key, value in node.attrs.items()}
    if all(value is node.attrs[key] for key, value in attrs.items()):
        return node
    return Node(node.op, node.inputs, node.outputs, attrs, node.location)


def is_kept(node: Node) -> bool:
    """Whether the node has an effect, or holds a graph that has one."""
    op = node.op
    return op.has_effect or (op.holds_graphs and not op.is_native and node.has_effect)
