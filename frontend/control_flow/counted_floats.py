"""Floats that branches and loops inside of a rerolled loop compute from the number of its iteration.

Python computes them in double precision, a graph does not. So they move before the branch, where they are computed for
all iterations at once (`loop_rows.number_rows`). A loop that also computes them from something else is given up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.graph import Graph, Node, make_node
from ...compiler.ir.loops import Loop
from ...compiler.ir.values import Operand, Value
from ..errors.classes import GraphBreak


def is_derived(node: Node, known: Collection[Operand]) -> bool:
    """Whether a node computes one number from these values alone."""
    if node.op.kind != "elementwise" or node.output.type.shape:
        return False
    values = [item for item in node.inputs if isinstance(item, Value)]
    return bool(values) and all(value in known for value in values)


def derived_from(index: Operand, nodes: Iterable[Node]) -> set[Operand]:
    """The numbers that nodes compute from that of the iteration alone."""
    derived = {index}
    for node in nodes:
        if is_derived(node, derived):
            derived.add(node.output)
    return derived


def moved_before(nodes: Iterable[Node], index: Operand) -> list[Node]:
    """The nodes of a body, with numbers that follow from that of the iteration before the nodes inside of which they
    are computed. Gives up a loop with floats that cannot move."""
    derived, mixed, moved = {index}, set[Operand](), list[Node]()
    for node in nodes:
        if node.op.holds_graphs and _computes_floats(node, derived):
            before, node = _outside(node, derived)
            moved += before
            derived.update(each.output for each in before)
        for each in _as_choices(node, derived):
            moved.append(each)
            if is_derived(each, derived):
                derived.add(each.output)
            else:
                _follow(each, derived, mixed)
    return moved


def _as_choices(node: Node, known: set[Operand]) -> list[Node]:
    """A branch that chooses between known numbers by one of them, as choices; any other node is returned unchanged."""
    if node.op.kind != "branch" or node.inputs[0] not in known or any(graph.nodes for graph in node.subgraphs):
        return [node]
    sides: list[list[Operand]] = []
    for _, graph, start, first in _constants(node):
        given = _given(node, graph, start, first, known)
        sides.append([given.get(item, item) for item in graph.outputs])
    made = []
    for value, one, other in zip(node.outputs, *sides, strict=True):
        if any(isinstance(item, Value) and item not in known for item in (one, other)):
            return [node]
        made.append(replace(make_node(prims.select, (node.inputs[0], one, other), {}, node.location), outputs=(value,)))
    return made


def _has_float(node: Node, known: set[Operand]) -> bool:
    """Whether a node that computes a number from known ones has a float among them. A cast of an integer is exact."""
    return any(item.type.dtype.is_float for item in node.inputs if item in known)


def _constants(node: Node) -> list[tuple[str, Graph, int, int]]:
    """The graphs inside of a node: name, graph, and the positions of the first constant among inputs and parameters."""
    if node.op.kind == "branch":
        return [(name, node.attrs[name], 1, 0) for name in ("then", "orelse")]
    if node.op.kind != "loop":
        return [("body", node.attrs["body"], 0, 0)] if "body" in node.attrs else []
    loop = Loop.of(node)
    found = [("body", loop.body, loop.rows.stop, loop.rows.stop)]
    return found if loop.test is None else [*found, ("test", loop.test, loop.carried, loop.carried)]


def _given(node: Node, graph: Graph, start: int, first: int, known: set[Operand]) -> dict[Operand, Operand]:
    """The parameters of a graph inside for known values, with these."""
    pairs = zip(graph.parameters[first:], node.inputs[start:], strict=True)
    return {parameter: operand for parameter, operand in pairs if operand in known}


def _computes_floats(node: Node, known: set[Operand]) -> bool:
    """Whether a graph inside computes from floats that follow from known values."""
    for _, graph, start, first in _constants(node):
        inside: set[Operand] = {*_given(node, graph, start, first, known)}
        for inner in graph.nodes if inside else ():
            if is_derived(inner, inside):
                inside.add(inner.output)
                if _has_float(inner, inside):
                    return True
            elif inner.op.holds_graphs and _computes_floats(inner, inside):
                return True
    return False


def _outside(node: Node, known: set[Operand]) -> tuple[list[Node], Node]:
    """A node, and before it what its graphs compute from known values alone."""
    before: list[Node] = []
    attrs: dict[str, Any] = dict(node.attrs)
    new: list[Value] = []
    bodies: list[tuple[str, Graph, list[Node], dict[Value, Value]]] = []
    for name, graph, start, first in _constants(node):
        outside, kept, own = _given(node, graph, start, first, known), list[Node](), dict[Value, Value]()
        for inner in graph.nodes:
            ahead: Sequence[Node] = ()
            if inner.op.holds_graphs:
                ahead, inner = _outside(inner, {*outside})
            for each in (*ahead, inner):
                if not is_derived(each, outside):
                    kept.append(each)
                    continue
                copy = Value(each.output.type, each.output.name)
                inputs = tuple(outside.get(item, item) for item in each.inputs)
                before.append(replace(each, inputs=inputs, outputs=(copy,)))
                outside[each.output] = own[each.output] = copy
        read = {*graph.outputs, *[item for inner in kept for item in inner.inputs]}
        own = {value: copy for value, copy in own.items() if value in read}
        new += own.values()
        bodies.append((name, graph, kept, own))
    for name, graph, kept, own in bodies:
        inside = {copy: value for value, copy in own.items()}
        more = tuple(inside.get(copy) or Value(copy.type, "") for copy in new)
        attrs[name] = replace(graph, parameters=(*graph.parameters, *more), nodes=tuple(kept))
    return before, replace(node, inputs=(*node.inputs, *new), attrs=attrs) if before else node


def _follow(node: Node, known: set[Operand], mixed: set[Operand]) -> None:
    """Add to `mixed` what a node computes from known values and from other numbers that are not tensors'. Gives up a
    loop where this has a float."""
    numbers = known | mixed
    if is_derived(node, numbers):
        if _has_float(node, numbers):
            raise GraphBreak("the loop computes floats from the number of the iteration, and from another number")
        mixed.add(node.output)
    for _, graph, start, first in _constants(node):
        inside: set[Operand] = {*_given(node, graph, start, first, numbers)}
        if node.op is prims.scan and inside:
            inside.add(graph.parameters[0])
        own = set[Operand]()
        for inner in graph.nodes if inside else ():
            _follow(inner, inside, own)
