"""The order of a program's end: what only updates parameters runs last, so that it may write into them at once.

Committed outputs replace their parameters only after everything that can fail. Elementwise nodes cannot: those whose
results go into nothing but commits are moved to the end of the program, and write straight into the parameters'
arrays where nothing after them reads the old numbers. Everything before the first of them has then happened:
computations, checks, effects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .ir import Graph, Literal, Node, Operand, Value


def schedule(graph: Graph, commits: Mapping[int, int]) -> tuple[Graph, dict[Value, Value]]:
    """The graph with its updates at the end, and for values that are computed in a parameter's array, the parameter."""
    if not commits:
        return graph, {}
    roots = _parameters_seen(graph)
    updates = find_updates(graph, commits, roots)
    last = [node for node in graph.nodes if node in updates]
    nodes = [node for node in graph.nodes if node not in updates] + last
    read_last: dict[Value, int] = {}  # position in `last` of the last node that reads a parameter
    written: dict[Value, int] = {}
    for position, node in enumerate(last):
        written.update((value, position) for value in node.outputs)
        for operand in node.inputs:
            for parameter in roots.get(operand, ()):
                read_last[parameter] = position
    returned = {parameter for operand in graph.outputs for parameter in roots.get(operand, ())}  # read after all nodes
    direct: dict[Value, Value] = {}
    for output, position_of in commits.items():
        value, parameter = graph.outputs[output], graph.parameters[position_of]
        if isinstance(value, Value) and value in written and value not in direct:
            own = last[written[value]]
            in_place = parameter in own.inputs or parameter not in {p for o in own.inputs for p in roots.get(o, ())}
            if in_place and parameter not in returned and read_last.get(parameter, -1) <= written[value]:
                direct[value] = parameter
    return replace(graph, nodes=tuple(nodes)), direct


def _parameters_seen(graph: Graph) -> dict[Operand, frozenset[Value]]:
    """For each value the parameters whose memory it may share."""
    roots: dict[Operand, frozenset[Value]] = {value: frozenset((value,)) for value in graph.parameters}
    for node in graph.nodes:
        if node.op.kind == "view" or not (node.op.writes_out or node.op.kind == "control"):
            seen = frozenset().union(*[roots.get(operand, frozenset()) for operand in node.inputs])
            if seen:
                roots.update((value, seen) for value in node.outputs)
    return roots


def find_updates(
    graph: Graph, commits: Mapping[int, int], roots: Mapping[Operand, frozenset[Value]] | None = None
) -> set[Node]:
    """The elementwise nodes that feed nothing but commits, and that read no large input but what is committed.

    Other inputs could share memory with a parameter that has been written by then.
    """
    if not commits:
        return set()
    roots = roots if roots is not None else _parameters_seen(graph)
    committed = {graph.parameters[parameter] for parameter in commits.values()}
    elsewhere: set[Operand] = {operand for i, operand in enumerate(graph.outputs) if i not in commits}
    updates: set[Node] = set()
    for node in reversed(graph.nodes):
        movable = _cannot_fail(node) and not any(value in elsewhere for value in node.outputs)
        if movable and all(_harmless(operand, committed, roots) for operand in node.inputs):
            updates.add(node)
        else:
            elsewhere.update(node.inputs)
    return updates


def _cannot_fail(node: Node) -> bool:
    if node.op.kind == "control":
        return "rows" in node.attrs and all(_cannot_fail(inner) for inner in node.attrs["body"].nodes)
    return (
        node.op.kind == "elementwise" and node.op.writes_out and len(node.outputs) == 1 and node.output.type.is_static
    )


def _harmless(operand: Operand, committed: set[Value], roots: Mapping[Operand, frozenset[Value]]) -> bool:
    if isinstance(operand, Literal) or operand in committed or operand.type.shape == ():
        return True
    return not roots.get(operand)
