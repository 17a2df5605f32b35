"""Comments of programs: the user's line and the op of each statement.

A program in the disk cache serves graphs that were traced from other lines. So it is stored with line numbers that
count in the order of the graph (`# @@3  matmul`). When it is loaded, they become `# net.py:12  matmul`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from ..ir.graph import Graph, Node, walk
from ..ir.op import Op
from ..ir.values import Location

SHOWN = 6  # ops of a group that a comment names
MOST_PLACES = 12  # lines that the comment of a kernel names


class Places(dict[Location, int]):
    """The lines of a graph, numbered in the order of the nodes.

    Attributes:
        by_id: the same by the ids of lines, which take long to compare; the graph keeps them.
    """

    def __init__(self, graph: Graph) -> None:
        self.by_id: dict[int, int] = {}
        lines = {id(node.location): node.location for node in walk(graph)}
        for key, line in lines.items():
            if line is not None:
                self.by_id[key] = self.setdefault(line, len(self))

    def number(self, line: Location) -> int:
        """The number of a line; 0 for one that is not there."""
        number = self.by_id.get(id(line))
        return self.get(line, 0) if number is None else number


class Comments(dict[Node, str]):
    """The comments behind the statements of nodes. Statements inside another statement of the node have the same."""

    def __init__(self, places: Places) -> None:
        self.number = places.number

    def __missing__(self, node: Node) -> str:
        where = "" if node.location is None else f"@@{self.number(node.location)}  "
        comment = self[node] = f"  # {where}{ops_of(node)}"
        return comment

    def of_kernel(self, name: str, nodes: Sequence[Node]) -> str:
        """The comment above the text of a kernel: its ops by line."""
        by_place: dict[int, dict[str, None]] = {}
        lines = {(id(each.location), each.op): each.location for node in nodes for each in _inside(node)}
        for (_, op), location in lines.items():
            if location is not None:
                by_place.setdefault(self.number(location), {})[op.name] = None
        told = [f"@@{place}  {', '.join(ops)}" for place, ops in by_place.items()]
        more = f"; and {len(told) - MOST_PLACES} more lines" if len(told) > MOST_PLACES else ""
        return f"# {name}: {'; '.join(told[:MOST_PLACES])}{more}\n" if told else ""


def ops_of(node: Node) -> str:
    """The op of a node; for a group the ops in it."""
    if node.op.kind not in ("group", "kernel", "loop_kernel"):
        return node.op.name
    return _names_of(tuple([each.op for each in _inside(node)]))


@lru_cache(maxsize=256)
def _names_of(found: tuple[Op, ...]) -> str:
    inner = list(dict.fromkeys([op.name for op in found]))
    more = len(inner) - SHOWN
    return ", ".join(inner[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def _inside(node: Node) -> Sequence[Node]:
    """The nodes in a group."""
    return node.attrs["body"].nodes if node.op.kind == "kernel" else [each for g in node.subgraphs for each in walk(g)]


_BEHIND = "  # @@"  # a comment behind a statement begins so, and has a number
_are_ops = re.compile(r"[\w, ]+").fullmatch
_KERNEL = re.compile(r"\n# kernel.*")
_PLACE = re.compile(r"@@(\d+)")


def with_places(source: str, places: Places) -> str:
    """A program whose comments name files and lines. No string of a program looks like one of these comments: its
    strings are in quotes, which end with the line."""
    known = list(places)
    names: dict[str, str] = {}  # of files

    @cache
    def place(number: str) -> str:
        if int(number) >= len(known):
            return "?"
        line = known[int(number)]
        if line.file not in names:
            names[line.file] = re.sub(r"[^\w.\-<> ]", "_", str(line)[: str(line).rindex(":")])
        return f"{names[line.file]}:{line.line}"

    source = _KERNEL.sub(lambda comment: _PLACE.sub(lambda match: place(match[1]), comment[0]), source)
    first, *parts = source.split(_BEHIND)
    told, texts = [first], dict[str, str]()  # comments, which many statements have alike
    for part in parts:
        comment, end, code = part.partition("\n")
        text = texts.get(comment)
        if text is None:
            number, _, rest = comment.partition("  ")
            named = number.isdecimal() and _are_ops(rest)
            text = texts[comment] = f"  # {place(number)}  {rest}" if named else _BEHIND + comment
        told += text, end, code
    return "".join(told)
