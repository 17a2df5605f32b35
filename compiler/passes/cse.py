"""Common subexpression elimination: equal nodes are computed once.

%a: f32[4] = tanh(%x)                    %a: f32[4] = tanh(%x)
%b: f32[4] = tanh(%x)                    %c: f32[4] = add(%a, %a)
%c: f32[4] = add(%a, %b)
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ..ir.graph import Graph, Node, freeze
from ..ir.subgraphs import is_kept, map_subgraphs
from ..ir.values import Literal, Operand


def eliminate_common_subexpressions(graph: Graph) -> Graph:
    """Merge nodes with the same op, attributes and inputs (sub-graphs are compared by structure). Effects are never
    merged."""
    known: dict[Hashable, Node] = {}
    mapping: dict[Operand, Operand] = {}
    order: dict[Operand, int] = {value: position for position, value in enumerate(graph.parameters)}
    kept: list[Node] = []
    for node in graph.nodes:
        if node.op.holds_graphs:
            node = map_subgraphs(node, eliminate_common_subexpressions)
        if not mapping.keys().isdisjoint(node.inputs):
            node = node.with_inputs(mapping.get(operand, operand) for operand in node.inputs)
        if not is_kept(node):
            key = _key(node, order)
            found = known.get(key)
            if found is not None:
                mapping.update(zip(node.outputs, found.outputs, strict=True))
                continue
            known[key] = node
        for value in node.outputs:
            order[value] = len(order)
        kept.append(node)
    return graph.with_nodes(tuple(kept), tuple(mapping.get(operand, operand) for operand in graph.outputs))


def _key(node: Node, order: dict[Operand, int]) -> Hashable:
    inputs: list[Any] = [order.get(operand, operand) for operand in node.inputs]
    if node.op.commutative and len(inputs) > 1:
        # Every commutative op takes any two inputs in either order, also where they broadcast.
        inputs[:2] = sorted(inputs[:2], key=_rank)
    if not node.attrs:
        return node.op, tuple(inputs)
    attrs = tuple((name, _freeze(value)) for name, value in sorted(node.attrs.items()))
    return node.op, tuple(inputs), attrs


def _rank(item: Any) -> tuple[bool, int]:
    """A sort key for operands: values in order of computation, then numbers."""
    return isinstance(item, Literal), item if isinstance(item, int) else 0


def _freeze(value: Any) -> Hashable:
    return structure(value) if isinstance(value, Graph) else freeze(value)


def structure(graph: Graph) -> Hashable:
    """A key for graphs: equal if they have the same structure, whatever the names of values."""
    order: dict[Operand, int] = {}
    for value in graph.parameters:
        order[value] = len(order)
    rows: list[Hashable] = [tuple(value.type for value in graph.parameters)]
    for node in graph.nodes:
        rows.append(_key(node, order))
        for value in node.outputs:
            order[value] = len(order)
    rows.append(tuple(order.get(operand, operand) for operand in graph.outputs))
    rows.append(tuple(sorted(graph.donated.items())))
    return tuple(rows)
