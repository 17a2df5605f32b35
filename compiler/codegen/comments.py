"""Comments of programs: the user's line and the op of each statement.

A program in the disk cache serves graphs that were traced from other lines. So it is stored with line numbers that
count in the order of the graph (`# @@3  matmul`). When it is loaded, they become `# net.py:12  matmul`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..ir.graph import Graph, Node, walk
from ..ir.values import Location

SHOWN = 6  # ops of a group that a comment names
MOST_PLACES = 12  # lines that the comment of a kernel names


def places_of(graph: Graph) -> dict[Location, int]:
    """The lines of a graph, numbered in the order of the nodes."""
    places: dict[Location, int] = {}
    for node in walk(graph):
        if node.location is not None:
            places.setdefault(node.location, len(places))
    return places


class Comments(dict[Node, str]):
    """The comments behind the statements of nodes. Statements inside another statement of the node have the same."""

    def __init__(self, places: Mapping[Location, int]) -> None:
        self.places = places

    def __missing__(self, node: Node) -> str:
        where = "" if node.location is None else f"@@{self.places.get(node.location, 0)}  "
        comment = self[node] = f"  # {where}{ops_of(node)}"
        return comment


def ops_of(node: Node) -> str:
    """The op of a node; for a group the ops in it."""
    if node.op.kind not in ("group", "kernel", "loop_kernel"):
        return node.op.name
    nodes = node.attrs["body"].nodes if node.op.kind == "kernel" else [each for g in node.subgraphs for each in walk(g)]
    inner = list(dict.fromkeys([each.op.name for each in nodes]))
    more = len(inner) - SHOWN
    return ", ".join(inner[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def kernel_comment(name: str, nodes: Sequence[Node], places: Mapping[Location, int]) -> str:
    """The comment above the text of a kernel: its ops by line."""
    by_place: dict[int, list[str]] = {}
    for node in nodes:
        for graph in node.subgraphs:
            for each in walk(graph):
                if each.location is not None:
                    by_place.setdefault(places.get(each.location, 0), []).append(each.op.name)
    told = [f"@@{place}  {', '.join(dict.fromkeys(ops))}" for place, ops in by_place.items()]
    more = f"; and {len(told) - MOST_PLACES} more lines" if len(told) > MOST_PLACES else ""
    return f"# {name}: {'; '.join(told[:MOST_PLACES])}{more}\n" if told else ""


_BEHIND = "  # @@"  # a comment behind a statement begins so
_REST = re.compile(r"(\d+)(?=  [\w, ]+$)", re.M)
_KERNEL = re.compile(r"^# kernel.*$", re.M)
_PLACE = re.compile(r"@@(\d+)")


def with_places(source: str, places: Mapping[Location, int]) -> str:
    """A program whose comments name files and lines. No string of a program looks like one of these comments: its
    strings are in quotes, which end with the line."""
    files = {place.file: place for place in places}
    names = {file: re.sub(r"[^\w.\-<> ]", "_", str(place)[: str(place).rindex(":")]) for file, place in files.items()}
    shown = [f"{names[place.file]}:{place.line}" for place in places]

    def place(match: re.Match[str]) -> str:
        number = int(match[1])
        return shown[number] if number < len(shown) else "?"

    first, *others = _KERNEL.sub(lambda comment: _PLACE.sub(place, comment[0]), source).split(_BEHIND)
    parts = [first]
    for part in others:
        number = _REST.match(part)
        parts.append(f"{_BEHIND}{part}" if number is None else f"  # {place(number)}{part[number.end() :]}")
    return "".join(parts)
