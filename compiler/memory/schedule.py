"""Scheduling of updates: nodes that only update Parameters run last, so that they may write into them directly.

Donated outputs replace their parameters only after everything that can fail. Elementwise nodes cannot fail. If their
results go only into donated outputs, they are moved to the end of the program, and write directly into the parameters'
arrays, unless a later node reads the old numbers. Before the first of them everything else has happened: computations,
checks, effects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from .. import ops
from ..analysis.updates import find_updates, parameters_seen
from ..ir.graph import Graph, Node
from ..ir.values import Value


@dataclass(frozen=True)
class Schedule:
    """An order of the nodes, and the values that are computed in the arrays of parameters.

    Attributes:
        graph: the graph with its updates at the end.
        direct: for values that are computed in a parameter's array, the parameter; for those that are computed where
            packed parameters are, what these were packed to.
        packs: for each `unpack` whose outputs are written to parameters, the `pack` of these parameters.
    """

    graph: Graph
    direct: dict[Value, Value] = field(default_factory=dict)
    packs: dict[Node, Node] = field(default_factory=dict)


def schedule(graph: Graph) -> Schedule:
    """The order in which updates come last."""
    if not graph.donated:
        return Schedule(graph)
    roots = parameters_seen(graph)
    updates = find_updates(graph, roots)
    last = [node for node in graph.nodes if node in updates]
    last.sort(key=lambda node: node.op is not ops.pack)  # which reads parameters alone: before any of them is written
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
    for output, position_of in graph.donated.items():
        value, parameter = graph.outputs[output], graph.parameters[position_of]
        if isinstance(value, Value) and value in written and value not in direct:
            own = last[written[value]]
            if own.op is ops.unpack:
                continue
            in_place = parameter in own.inputs or parameter not in {p for o in own.inputs for p in roots.get(o, ())}
            if in_place and parameter not in returned and read_last.get(parameter, -1) <= written[value]:
                direct[value] = parameter
    packs = _packs(graph, last)
    for unpack, pack in packs.items():
        value = unpack.inputs[0]
        if not isinstance(value, Value) or value not in written or value in direct:
            continue
        time = written[value]
        own = last[time]
        seen = {parameter for operand in own.inputs for parameter in roots.get(operand, ())}
        in_place = pack.output in own.inputs or seen.isdisjoint(pack.inputs)
        if in_place and all(
            parameter not in returned and read_last.get(parameter, -1) <= time  # type: ignore[arg-type]
            for parameter in pack.inputs
        ):
            direct[value] = pack.output
    return Schedule(replace(graph, nodes=tuple(nodes)), direct, packs)


def _packs(graph: Graph, last: Sequence[Node]) -> dict[Node, Node]:
    """For each `unpack` whose outputs are all written to parameters the `pack` of these parameters, if there is one."""
    written_to = {graph.outputs[output]: graph.parameters[parameter] for output, parameter in graph.donated.items()}
    packed = {node.inputs: node for node in last if node.op is ops.pack}
    found: dict[Node, Node] = {}
    for node in last:
        if node.op is ops.unpack and all(value in written_to for value in node.outputs):
            pack = packed.pop(tuple(written_to[value] for value in node.outputs), None)
            if pack is not None:
                found[node] = pack
    return found
