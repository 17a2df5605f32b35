"""Communication overlap: reductions over processes start as early, and are waited for as late, as possible.

    %g = matmul(%a, %b)                                   %g = matmul(%a, %b)
    %h = matmul(%c, %d)                                   %s = all_reduce_start(%g, …)
    %s = all_reduce_start(%g, …)                          %h = matmul(%c, %d)
    %t = all_reduce_wait(%s, …)                           advance(…)
    %u = tanh(%h)                                         %u = tanh(%h)
    %y = add(%t, %u)                                      %t = all_reduce_wait(%s, …)
                                                          %y = add(%t, %u)

The passes before this one do not care for the distance. Collectives of one group keep their order, because all
processes must agree on it; a wait concerns only its own process. MPI makes progress only while it is called, so between
start and wait `advance` calls it regularly.
"""

from __future__ import annotations

from .. import ops
from ..analysis.costs import seconds_of
from ..analysis.updates import find_updates
from ..ir.graph import Graph, Node, make_node
from ..ir.subgraphs import map_subgraphs
from ..ir.values import Operand

BETWEEN_CALLS = 1e-4  # seconds

Place = tuple[int, int, int]
"""Where a node goes: at which node of the old order; before it, in its place or after it; and then as of old."""


def overlap_collectives(graph: Graph) -> Graph:
    """Move starts of reductions up and waits down, and call MPI in between."""
    if not any(op.begins for op in graph.ops):
        return graph
    nodes = [map_subgraphs(node, overlap_collectives) for node in graph.nodes]
    if not any(node.op.begins for node in nodes):
        return graph.with_nodes(tuple(nodes))
    places: list[Place] = [(number, 0, number) for number in range(len(nodes))]
    _begin_early(nodes, places)
    _end_late(nodes, places)
    order = sorted(range(len(nodes)), key=places.__getitem__)
    graph = graph.with_nodes(tuple(nodes[number] for number in order))
    return graph if any(node.op is ops.advance for node in nodes) else _with_calls(graph)


def _begin_early(nodes: list[Node], places: list[Place]) -> None:
    """Place a start, and the nodes that pack its input, after the last node that it needs."""
    producer: dict[Operand, int] = {value: i for i, node in enumerate(nodes) for value in node.outputs}
    readers: dict[Operand, set[int]] = {}
    for number, node in enumerate(nodes):
        for operand in node.inputs:
            readers.setdefault(operand, set()).add(number)
    last = -1  # the place of the collective before
    for number, node in enumerate(nodes):
        if node.op.begins:
            packing = _packing(number, nodes, producer, readers)
            needed = [producer[o] for i in packing for o in nodes[i].inputs if o in producer]
            after = max([last, *[places[i][0] for i in needed if i not in packing]])
            if after < number:
                for i in packing:
                    places[i] = (after, 1, i)
        if _communicates(node) and not node.op.ends and node.op is not ops.advance:
            last = places[number][0]


def _packing(
    number: int, nodes: list[Node], producer: dict[Operand, int], readers: dict[Operand, set[int]]
) -> set[int]:
    """A node, and the nodes that only rearrange its inputs."""
    found, todo = {number}, [number]
    while todo:
        for operand in nodes[todo.pop()].inputs:
            own = producer.get(operand)
            if own is not None and own not in found and _is_form(nodes[own]) and readers[operand] <= found:
                found.add(own)
                todo.append(own)
    return found


def _is_form(node: Node) -> bool:
    return node.op is ops.concatenate or node.op.kind == "view"


def _end_late(nodes: list[Node], places: list[Place]) -> None:
    """Place a wait, and views of its result, before the first node that needs it."""
    waited: set[Operand] = set()
    for node in nodes:
        if node.op.ends or (node.op.kind == "view" and node.inputs[0] in waited):
            waited.update(node.outputs)
    readers: dict[Operand, list[int]] = {}
    for number in range(len(nodes) - 1, -1, -1):
        node = nodes[number]
        if not waited.isdisjoint(node.outputs):
            found = [places[i] for value in node.outputs for i in readers.get(value, ())]
            at, phase, _ = min(found, default=(len(nodes), 0, 0))
            places[number] = (at, phase or -1, number)
        for operand in node.inputs:
            readers.setdefault(operand, []).append(number)


def _communicates(node: Node) -> bool:
    return node.op.kind == "collective" or any(_communicates(n) for graph in node.subgraphs for n in graph.nodes)


def _with_calls(graph: Graph) -> Graph:
    """The graph with calls of MPI between starts and waits."""
    last = find_updates(graph)  # which run when all is complete
    found: list[Node] = []
    # From the start on the processes compare their programs, which the first collective waits for.
    under_way: dict[Operand | None, Node] = {None: next(node for node in graph.nodes if node.op.begins)}
    seconds = 0.0
    for node in graph.nodes:
        found.append(node)
        for operand in node.inputs:
            under_way.pop(operand, None)
        if _communicates(node):
            under_way.pop(None, None)
            seconds = 0.0
        elif not _is_form(node) and node not in last:
            seconds += _seconds(node)
        if node.op.begins:
            under_way[node.output] = node
        if under_way and seconds > BETWEEN_CALLS:
            first = next(iter(under_way.values()))
            attrs = {key: first.attrs[key] for key in ("group", "size")}
            found.append(make_node(ops.advance, (), attrs, node.location))
            seconds = 0.0
    return graph.with_nodes(tuple(found))


def _seconds(node: Node) -> float:
    """About how long a node takes; a loop takes long."""
    return 2 * BETWEEN_CALLS if node.op.kind == "loop" else seconds_of(node)
