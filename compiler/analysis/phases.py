"""Phases of a training step: which nodes of a joint graph are forward, backward and update; headings that say so."""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..ir.graph import Graph, Node
from ..ir.values import Location, Operand

FORWARD, BACKWARD, UPDATE = 0, 1, 2
PHASES = ("forward", "backward", "update")
"""The names of the phases."""

WIDEST_TEXT = 100  # characters of a source line


def phases(joint: Graph, forward: Graph, backward: Graph | None) -> list[int]:
    """For each node of the joint graph whether it belongs to forward, backward or update.

    Nodes that only the new values of Parameters need are the update; nodes that only the backward needs belong to it.
    """
    own = _run(joint, backward) if backward is not None else range(0)
    straight = _run(joint, forward) if backward is not None else range(0)
    returned = {operand for position, operand in enumerate(joint.outputs) if position not in joint.donated}
    needed = _needed(joint, returned, own)
    needed_back = _needed(joint, {operand for position in own for operand in joint.nodes[position].inputs}, own)
    found = []
    for position, node in enumerate(joint.nodes):
        if position in own:
            found.append(BACKWARD)
        elif position in straight or node in needed or (not straight and position < own.start):
            found.append(FORWARD)
        else:
            found.append(BACKWARD if node in needed_back else UPDATE if joint.donated else FORWARD)
    return found


def _run(joint: Graph, part: Graph) -> range:
    """Where the nodes of another graph stand in the joint one, which has copies of them; empty where they do not."""
    wanted = [(node.op.name, node.location) for node in part.nodes]
    have = [(node.op.name, node.location) for node in joint.nodes]
    for start in range(len(have) - len(wanted) + 1 if wanted else 0):
        if have[start] == wanted[0] and have[start : start + len(wanted)] == wanted:
            return range(start, start + len(wanted))
    return range(0)


def _needed(graph: Graph, roots: Iterable[Operand], besides: range) -> set[Node]:
    """The nodes from which these values are computed, without those at some positions and their exclusive inputs."""
    wanted, nodes = set(roots), set()
    for position, node in reversed(list(enumerate(graph.nodes))):
        if position not in besides and not wanted.isdisjoint(node.outputs):
            nodes.add(node)
            wanted.update(node.inputs)
    return nodes


def marked(joint: Graph, forward: Graph, backward: Graph | None, mark: str = "----") -> Graph:
    """A joint graph with headings: where forward, backward and update begin, and which Cell nodes belong to; the first
    node of a source line has the line's text.

    It is for looking at: the nodes are copies, on the same values.
    """
    parts = phases(joint, forward, backward)
    titles = [f"{mark} {PHASES[part]} {mark}" if backward is not None else "" for part in parts]
    return _headed(joint, titles, "", _title(joint.name))


def _headed(graph: Graph, titles: Sequence[str], cell: str, rest: str) -> Graph:
    """A graph with titles above the nodes, and headings where another Cell begins than the one around the graph.

    Args:
        graph: which.
        titles: of the part that each node belongs to.
        cell: that which is told of already.
        rest: the heading of nodes in no Cell.
    """
    nodes, headings = [], {}
    title, line = "", None
    for node, part in zip(graph.nodes, titles, strict=True):
        above = []
        if part != title:
            above.append(part)
            title, line = part, None
        location = node.location
        if location is not None and location.cell != cell:
            cell, line = location.cell, None
            above.append(_shortened(cell) or rest)
        attrs = {
            key: _headed(value, [""] * len(value.nodes), cell, rest) if isinstance(value, Graph) else value
            for key, value in node.attrs.items()
        }
        if location is not None and location != line:
            line, location = location, location.with_text(_text_of(location))
        made = Node(node.op, node.inputs, node.outputs, attrs, location)
        if above:
            headings[made] = tuple(above)
        nodes.append(made)
    return replace(graph, nodes=tuple(nodes), headings=headings)


def _title(name: str) -> str:
    """The title above nodes in no Cell: the function's name."""
    return _shortened(f"in {name}")


def _text_of(location: Location) -> str:
    """The source line, as it can stand in a comment."""
    return _shortened(linecache.getline(location.file, location.line))


def _shortened(text: str) -> str:
    """A text as one line of a comment, of a bounded length."""
    text = "".join(character if character.isprintable() else "_" for character in " ".join(text.split()))
    return text if len(text) <= WIDEST_TEXT else f"{text[: WIDEST_TEXT - 1]}…"


def plain(graph: Graph) -> Graph:
    """A graph without headings and texts of source lines."""
    nodes = []
    for node in graph.nodes:
        attrs = {key: plain(value) if isinstance(value, Graph) else value for key, value in node.attrs.items()}
        location = node.location if node.location is None else node.location.with_text("")
        nodes.append(Node(node.op, node.inputs, node.outputs, attrs, location))
    return replace(graph, nodes=tuple(nodes), headings={})
