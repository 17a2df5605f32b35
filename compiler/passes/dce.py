"""Dead code elimination: it removes nodes that nothing reads, and unused inputs, outputs and state of branches and
loops.

%a: f32[4] = tanh(%x)                    %b: f32[4] = exp(%x)
%b: f32[4] = exp(%x)                     return %b
return %b
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from ..ir.graph import Graph, Node
from ..ir.loops import Loop
from ..ir.subgraphs import is_kept, map_subgraphs
from ..ir.values import Operand, Value


def eliminate_dead_code(graph: Graph) -> Graph:
    """Drop every node that has no effect and that nothing reads, and every output of a sub-graph that nothing reads.

    A node of which only the first result is read becomes one of an op that gives this one alone (`Op.alone`). A graph
    that the pass has made is known as `is_live`, and not looked at again: many passes end with this one.
    """
    if "is_live" in vars(graph):
        return graph
    live: set[Operand] = set(graph.outputs)
    kept: list[Node] = []
    for node in reversed(graph.nodes):
        if not live.isdisjoint(node.outputs) or is_kept(node):
            op = node.op
            if op.holds_graphs:
                node = _prune(node, live)
            elif op.alone is not None and live.isdisjoint(node.outputs[1:]):
                attrs = {name: value for name, value in node.attrs.items() if name in op.alone.attrs}
                node = replace(node, op=op.alone, outputs=node.outputs[:1], attrs=attrs)
            live.update(node.inputs)
            kept.append(node)
    found = graph.with_nodes(tuple(reversed(kept)))
    vars(found)["is_live"] = True
    return found


def _prune(node: Node, live: Collection[Operand]) -> Node:
    """A node that holds graphs, without unused outputs and inputs."""
    if node.op.kind == "branch":
        return _prune_cond(node, live)
    if node.op.kind == "loop":
        return _prune_loop(node, live)
    return map_subgraphs(node, eliminate_dead_code)


def _prune_cond(node: Node, live: Collection[Operand]) -> Node:
    used = [i for i, value in enumerate(node.outputs) if value in live]
    if len(used) == len(node.outputs):
        known = [graph.read_parameters for graph in node.subgraphs]
        if None not in known and len(frozenset[int]().union(*known)) == len(node.inputs) - 1:  # type: ignore[arg-type]
            return node
    branches = {
        key: eliminate_dead_code(graph.with_nodes(graph.nodes, _pick(graph.outputs, used)))
        for key, graph in node.attrs.items()
        if isinstance(graph, Graph)
    }
    read = set[Operand]().union(*map(_read, branches.values()))
    count = len(node.inputs) - 1
    both = zip(*[graph.parameters for graph in branches.values()], strict=True)
    needed = [i for i, parameters in enumerate(both) if not read.isdisjoint(parameters)]
    if len(needed) < count:
        branches = {key: replace(graph, parameters=_pick(graph.parameters, needed)) for key, graph in branches.items()}
    elif len(used) == len(node.outputs) and all(graph is node.attrs[key] for key, graph in branches.items()):
        return node
    inputs = (node.inputs[0], *_pick(node.inputs[1:], needed))
    return replace(node, inputs=inputs, outputs=_pick(node.outputs, used), attrs={**node.attrs, **branches})


def _prune_loop(node: Node, live: Collection[Operand]) -> Node:
    """A loop without the state on which neither its outputs nor its other state depend."""
    loop = Loop.of(node)
    body, test, carried, first, finals = loop.body, loop.test, loop.carried, loop.first, loop.finals
    stacks = [i for i in range(len(node.outputs) - finals) if node.outputs[finals + i] in live]
    states = {i for i in range(carried) if node.outputs[i] in live}
    if test is not None:
        test = eliminate_dead_code(test)
        read = _read(test)
        states |= {i for i in range(carried) if test.parameters[i] in read}
    while True:
        kept = sorted(states)
        trimmed = eliminate_dead_code(
            replace(body, outputs=(*_pick(body.outputs, kept), *_pick(body.outputs[carried:], stacks)))
        )
        read = _read(trimmed)
        more = {i for i in range(carried) if body.parameters[first + i] in read} - states
        if not more:
            break
        states |= more
    if test is not None:
        read |= {body.parameters[i] for i, value in enumerate(test.parameters) if value in _read(test)}
    rows = [i for i in loop.rows if body.parameters[i] in read]
    constants = [i for i in range(loop.rows.stop, len(node.inputs)) if body.parameters[i] in read]
    inputs = [*range(first), *[first + i for i in kept], *rows, *constants]
    new: dict[str, object] = {**node.attrs, "body": replace(trimmed, parameters=_pick(body.parameters, inputs))}
    new["carried"] = len(kept)
    if test is not None:
        new["test"] = replace(test, parameters=_pick(test.parameters, inputs))
    else:
        new["scanned"] = len(rows)
    outputs = [*kept, *range(carried, finals), *[finals + i for i in stacks]]
    return replace(node, inputs=_pick(node.inputs, inputs), outputs=_pick(node.outputs, outputs), attrs=new)


def _read(graph: Graph) -> set[Operand]:
    """The values that the nodes and outputs of a graph read."""
    return {*graph.outputs, *[operand for node in graph.nodes for operand in node.inputs]}


def _pick(items: tuple[Operand, ...] | tuple[Value, ...], positions: Iterable[int]) -> tuple:  # type: ignore[type-arg]
    return tuple(map(items.__getitem__, positions))
