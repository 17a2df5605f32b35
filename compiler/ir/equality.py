"""Structural equality: whether graphs compute the same; the search for a graph among recorded nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .graph import Graph, Node, freeze
from .values import Operand


def same_structure(a: Graph, b: Graph) -> bool:
    """Whether two graphs compute the same function of their parameters."""
    if [value.type for value in a.parameters] != [value.type for value in b.parameters]:
        return False
    if len(a.nodes) != len(b.nodes) or len(a.outputs) != len(b.outputs) or a.donated != b.donated:
        return False
    same: dict[Operand, Operand] = dict(zip(a.parameters, b.parameters, strict=True))
    for x, y in zip(a.nodes, b.nodes, strict=True):
        if not same_use(x, y) or [same.get(operand, operand) for operand in x.inputs] != list(y.inputs):
            return False
        same.update(zip(x.outputs, y.outputs, strict=True))
    return [same.get(operand, operand) for operand in a.outputs] == list(b.outputs)


def same_use(a: Node, b: Node) -> bool:
    """Whether two nodes have the same op and attributes; their inputs may differ."""
    if a.op is not b.op or len(a.inputs) != len(b.inputs) or set(a.attrs) != set(b.attrs):
        return False
    return all(_same_value(a.attrs[name], b.attrs[name]) for name in a.attrs)


def _same_value(a: Any, b: Any) -> bool:
    if isinstance(a, Graph) and isinstance(b, Graph):
        return same_structure(a, b)
    if isinstance(a, np.ndarray) and a.dtype == object:
        return a is b
    return bool(freeze(a) == freeze(b))


def find(
    graph: Graph,
    nodes: Sequence[Node],
    start: int,
    stop: int,
    given: Mapping[Operand, Operand],
    instead: Mapping[Operand, Operand],
) -> tuple[dict[Operand, Operand], list[int]] | None:
    """Find a graph among nodes that were recorded before: its nodes, one after the other.

    Args:
        graph: the graph to find.
        nodes: the nodes to find it in.
        start, stop: where its first node may be.
        given: the operands in place of its parameters.
        instead: the earlier operand for such a value, if the nodes themselves have made it.

    Returns:
        The value there for each value of the graph, and the positions of the nodes; None if they are not there.
    """
    makers: dict[Operand, Node] = {output: node for node in nodes for output in node.outputs}
    for first in range(start, stop):
        found = _found_at(graph, nodes, first, given, instead, makers)
        if found is not None:
            return found
    return None


def _found_at(
    graph: Graph,
    nodes: Sequence[Node],
    first: int,
    given: Mapping[Operand, Operand],
    instead: Mapping[Operand, Operand],
    makers: Mapping[Operand, Node],
) -> tuple[dict[Operand, Operand], list[int]] | None:
    values: dict[Operand, Operand] = dict(given)
    settled: set[Operand] = set()
    updated: set[Operand] = set()
    positions: list[int] = []
    place = first
    for node in graph.nodes:
        while place < len(nodes) and nodes[place].op.kind == "creation" and not same_use(node, nodes[place]):
            place += 1  # a constant, which stands outside of the graph that it was made for
        if place >= len(nodes) or not same_use(node, nodes[place]):
            return None
        for mine, other in zip(node.inputs, nodes[place].inputs, strict=True):
            here = values.get(mine, mine)
            if here != other:
                if mine in settled:
                    return None
                if instead.get(here) == other:
                    updated.add(here)
                elif not _same_constant(here, other, makers):
                    return None
                values[mine] = other
            settled.add(mine)
        values.update(zip(node.outputs, nodes[place].outputs, strict=True))
        settled.update(node.outputs)
        positions.append(place)
        place += 1
    made = {output for place in positions for output in nodes[place].outputs}
    return (values, positions) if updated <= made else None


def _same_constant(a: Operand, b: Operand, makers: Mapping[Operand, Node]) -> bool:
    x, y = makers.get(a), makers.get(b)
    return x is not None and y is not None and x.op.kind == "creation" and same_use(x, y)
