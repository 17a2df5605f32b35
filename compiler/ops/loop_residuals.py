"""Rematerialization in loops: the backward of an iteration computes large cheap residuals again, from the state that
the iteration began with, where stacking that state takes fewer bytes.

    forward:   scan(%u) { %l = roll(%u) %d = subtract(%u, %l) %m = multiply(%u, 0.1) ..., stacking %d and %m }
    instead:   scan(%u) { ..., stacking %u }, and the backward computes %l, %d and %m of its row

A step of a partial differential equation has many such residuals, and few states.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ..ir.graph import Graph, Node
from ..ir.rules import Derivative
from ..ir.values import Operand, Value

LEAST_RESIDUAL = 1 << 12  # elements of a residual; smaller ones stay in the nearest cache
MOST_NODES = 16  # that compute one again


def computed_again(
    derivative: Derivative, saved: Sequence[Value], states: Collection[Value], outside: Collection[Value]
) -> Graph | None:
    """The graph that computes residuals again: its parameters are states, rows, constants and residuals that stay, its
    outputs residuals of `saved`. None if that would save nothing."""
    producers = {value: node for node in derivative.forward.nodes for value in node.outputs}
    large = [value for value in saved if value.type.is_static and value.type.size >= LEAST_RESIDUAL]
    given: set[Operand] = {*states, *outside}
    found: dict[Value, tuple[set[Node], dict[Operand, None]]] = {}
    for value in large:
        cone = _cone(value, producers, given)
        if cone is not None:
            found[value] = cone
    kept = set(saved).difference(found)
    for value, (_, leaves) in list(found.items()):
        if not {*leaves} <= {*states, *outside, *kept}:
            del found[value]
    cones = {value: found[value] for value in _worth(found, {*states}.difference(saved))}
    known: set[Operand] = {*outside, *saved, *[leaf for _, leaves in cones.values() for leaf in leaves]}
    for value in [value for value in large if value not in cones]:  # what follows from residuals that stay
        known.discard(value)
        cone = _cone(value, producers, known)
        if cone is not None and cone[1].keys() <= known:
            cones[value] = cone
        known.add(value)
    if not cones:
        return None
    taken = set[Node]().union(*[nodes for nodes, _ in cones.values()])
    nodes = tuple(node for node in derivative.forward.nodes if node in taken)
    read = dict.fromkeys(operand for node in nodes for operand in node.inputs if isinstance(operand, Value))
    parameters = tuple(value for value in read if producers.get(value) not in taken)
    return Graph("again", parameters, nodes, tuple(cones))


def _cone(
    value: Value, producers: dict[Value, Node], known: Collection[Operand]
) -> tuple[set[Node], dict[Operand, None]] | None:
    """The cheap nodes that compute a value, and what they read; None if its own node is costly, or there are many."""
    taken: set[Node] = set()
    leaves: dict[Operand, None] = {}
    pending: list[Operand] = [value]
    while pending:
        operand = pending.pop()
        if not isinstance(operand, Value):
            continue
        node = None if operand in known else producers.get(operand)
        if node is None or not _is_cheap(node) or not _moves_known(node, producers, known):
            leaves[operand] = None
        elif node not in taken:
            taken.add(node)
            pending += node.inputs
    return None if value in leaves or len(taken) > MOST_NODES else (taken, leaves)


def _is_cheap(node: Node) -> bool:
    """Whether kernels compute a node's value in a few instructions, or read it at other places."""
    if len(node.outputs) != 1 or node.has_effect or not node.inputs or not node.outputs[0].type.is_static:
        return False
    return node.op.cheap if node.op.kind == "elementwise" else node.op.kind == "view" or node.op.windows is not None


def _moves_known(node: Node, producers: dict[Value, Node], known: Collection[Operand]) -> bool:
    """Whether a node reads what is known where it moves elements: what a kernel computes it cannot read elsewhere."""
    while node.op.kind != "elementwise":
        made = [producers[x] for x in node.inputs if isinstance(x, Value) and x not in known and x in producers]
        if not made:
            return True
        if len(made) > 1 or made[0].op.kind == "elementwise" or not _is_cheap(made[0]):
            return False
        node = made[0]
    return True


def _worth(found: dict[Value, tuple[set[Node], dict[Operand, None]]], states: Collection[Operand]) -> list[Value]:
    """The residuals for which stacking the states that they need takes fewer bytes than stacking them."""
    groups: list[tuple[set[Operand], list[Value]]] = []  # states, and residuals that are computed from these
    for value, (_, leaves) in found.items():
        needed, values = {leaf for leaf in leaves if leaf in states}, [value]
        for group in [group for group in groups if not needed.isdisjoint(group[0])]:
            groups.remove(group)
            needed, values = needed | group[0], values + group[1]
        groups.append((needed, values))
    return [value for needed, values in groups if _nbytes(needed) < _nbytes(values) for value in values]


def _nbytes(values: Iterable[Operand]) -> int:
    return sum(value.type.nbytes for value in values)
