"""Scheduling of updates: nodes that only update Parameters run last, so that they may write into them directly.

Donated outputs replace their parameters only after everything that can fail. Elementwise nodes cannot fail. If their
results go only into donated outputs, they are moved to the end of the program, and write directly into the parameters'
arrays, unless a later node reads the old numbers. Before the first of them everything else has happened: computations,
checks, effects.

Large copies of arguments, such as keys and values with a new row, run right before their first reader: it finds in the
cache what they wrote.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace

from ...runtime.processors import cache_bytes
from ...runtime.records import dataclass
from .. import ops
from ..analysis.updates import find_updates, parameters_seen
from ..ir.graph import Graph, Node, uses
from ..ir.values import Operand, Value


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
    """The order in which updates come last, and large copies right before their first reader."""
    graph = _near_readers(graph)
    if not graph.donated:
        return Schedule(graph)
    roots = parameters_seen(graph)
    updates = find_updates(graph, roots)
    last = [node for node in graph.nodes if node in updates]
    last.sort(key=lambda node: node.op is not ops.pack)  # which reads parameters alone: before any of them is written
    order = _Order(graph, last, roots)
    direct: dict[Value, Value] = {}
    for output, position in graph.donated.items():
        value, parameter = graph.outputs[output], graph.parameters[position]
        if isinstance(value, Value) and value not in direct and order.may_be_in(value, parameter, {parameter}):
            direct[value] = parameter
    _chain(graph, order, direct)
    packs = _packs(graph, last)
    for unpack, pack in packs.items():
        value = unpack.inputs[0]
        if isinstance(value, Value) and value not in direct and order.may_be_in(value, pack.output, {*pack.inputs}):
            direct[value] = pack.output
    nodes = [node for node in graph.nodes if node not in updates] + last
    return Schedule(replace(graph, nodes=tuple(nodes)), direct, packs)


SHARE = 4  # of a core's cache: what takes a part of it, or more, is large
SMALL = 8  # what has so many times fewer bytes may live longer instead


def _near_readers(graph: Graph) -> Graph:
    """Move large values that kernels compute of parameters, and of little else, right before their first reader."""
    nodes, least = list(graph.nodes), cache_bytes() // SHARE
    for position in range(len(nodes) - 2, -1, -1):
        node = nodes[position]
        if node.op is ops.kernel and _is_large_copy(graph, node, least):
            value = node.output
            first = next((i for i, other in enumerate(nodes) if any(x is value for x in other.inputs)), position + 1)
            nodes.insert(first - 1, nodes.pop(position))
    return graph.with_nodes(tuple(nodes)) if nodes != [*graph.nodes] else graph


def _is_large_copy(graph: Graph, node: Node, least: int) -> bool:
    """Whether a kernel makes a large value of what lives anyway, and cannot fail: what reads at positions may."""
    if len(node.outputs) > 1 or not all(x.type.is_static for x in (*node.inputs, node.output)):
        return False
    nbytes = node.output.type.nbytes
    if nbytes < least or sum(x.type.nbytes for x in node.inputs if x in graph.producers) * SMALL > nbytes:
        return False
    return not any(inner.op.gathers or inner.op.scatters or inner.op.placed for inner in node.attrs["body"].nodes)


class _Order:
    """The times at which the last nodes read and write parameters.

    Attributes:
        last: these nodes.
        roots: for each operand the parameters whose memory it may share.
        made: for each value of these nodes the position of its node.
        read: for each parameter the position of the last of these nodes that reads it.
        returned: the parameters that are results, which are read after all nodes.
    """

    def __init__(self, graph: Graph, last: Sequence[Node], roots: Mapping[Operand, Collection[Value]]) -> None:
        self.last = last
        self.roots = roots
        self.made = {value: position for position, node in enumerate(last) for value in node.outputs}
        self.read: dict[Operand, int] = {}
        for position, node in enumerate(last):
            self.read.update(dict.fromkeys(self.seen(node.inputs), position))
        self.returned = self.seen(graph.outputs)

    def seen(self, operands: Iterable[Operand]) -> set[Value]:
        """The parameters whose memory operands may share."""
        return {parameter for operand in operands for parameter in self.roots.get(operand, ())}

    def may_be_in(self, value: Value, place: Value, parameters: set[Operand]) -> bool:
        """Whether a value may be computed in a memory that is also that of these parameters."""
        time = self.made.get(value)
        if time is None or self.last[time].op is ops.unpack:
            return False
        inputs = self.last[time].inputs
        in_place = place in inputs or self.seen(inputs).isdisjoint(parameters)
        unread = self.returned.isdisjoint(parameters) and all(self.read.get(each, -1) <= time for each in parameters)
        return in_place and unread


def _chain(graph: Graph, order: _Order, direct: dict[Value, Value]) -> None:
    """If a node that is computed in a parameter's array works in place, and alone reads its input, the input is
    computed there, too."""
    reads = uses(graph)
    for value, parameter in list(direct.items()):
        node = order.last[order.made[value]]
        given = node.inputs[0] if node.op.inplace and node.inputs else None
        alone = isinstance(given, Value) and given not in direct and reads[given] == 1
        if isinstance(given, Value) and alone and order.may_be_in(given, parameter, {parameter}):
            direct[given] = parameter


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
