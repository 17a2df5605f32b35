"""Matching of collectives: processes with different programs find out before they wait for one another.

At the start of the program there is one `match_collectives` for each group. It compares, in order, the calls of the
program with those of the other processes' programs. Calls that happen in every run are then marked `checked`. Calls
inside of branches and while loops, which may or may not happen, are compared when they happen. A program without others
compares nothing at its start: the node only names the program, for the counts of what it sends.

    %g = all_reduce(%x, group='world', size=2, by='sum')                                      # train.py:5

becomes

    match_collectives(group='world', size=2, calls=('all_reduce(f32[4], …)',), lines=('train.py:5',))
    %g = all_reduce(%x, group='world', size=2, by='sum', checked=True, line='train.py:5')     # train.py:5
"""

from __future__ import annotations

from dataclasses import replace

from .. import ops
from ..ir.graph import Graph, Node, make_node, walk
from ..ir.subgraphs import map_subgraphs


def match_collectives(graph: Graph) -> Graph:
    """Compare the collectives of each group with those of the other processes, at the start of the program."""
    if not _communicates(graph):
        return graph
    calls: dict[tuple[str, int], list[tuple[str, str]]] = {}
    marked = _marked(graph, calls, always=True)
    first = []
    for (group, size), found in calls.items():
        texts, lines = zip(*found, strict=True) if found else ((), _lines(graph))
        attrs = {"group": group, "size": size, "calls": texts, "lines": lines}
        first.append(make_node(ops.match_collectives, (), attrs))
    return marked.with_nodes((*first, *marked.nodes))


def _communicates(graph: Graph) -> bool:
    return any(op.kind == "collective" for op in graph.ops)


def _lines(graph: Graph) -> tuple[str, ...]:
    """The lines of the collectives of a program, which names it where nothing is compared."""
    return tuple(str(node.location) for node in walk(graph) if node.op.sent is not None)


def _marked(graph: Graph, calls: dict[tuple[str, int], list[tuple[str, str]]], always: bool) -> Graph:
    """The graph with lines on its collectives. `calls` collects those that happen in every run."""
    nodes = []
    for node in graph.nodes:
        if node.op.kind == "collective":
            alone = node.op.ends or node.op is ops.advance  # concerns no other process
            nodes.append(node if alone else _mark(node, calls, always))
        elif any(map(_communicates, node.subgraphs)):  # a branch or loop, which may not run
            nodes.append(map_subgraphs(node, lambda inner: _marked(inner, calls, always=False)))
        else:
            nodes.append(node)
    return graph.with_nodes(tuple(nodes))


def _mark(node: Node, calls: dict[tuple[str, int], list[tuple[str, str]]], always: bool) -> Node:
    line = "" if node.location is None else str(node.location)
    attrs = {**node.attrs, "line": line}
    found = calls.setdefault((node.attrs["group"], node.attrs["size"]), [])
    if always and not node.op.crosses:  # of messages, the other side has another program
        attrs["checked"] = True
        found.append((_text(node), line))
    return replace(node, attrs=attrs)


def _text(node: Node) -> str:
    """The text of a call, the same in all processes."""
    types = ", ".join(str(operand.type) for operand in node.inputs)
    kept = [f"{key} {value}" for key, value in sorted(node.attrs.items()) if key not in ("group", "size")]
    return f"{node.op.name}({', '.join([types, *kept] if types else kept)})"
