"""The drawn graph: nodes, their inputs, and groups of nodes that can be shown as one box; and the user's source beside
it: the functions that the lines of a graph come from."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...compiler.analysis.phases import PHASES, phases
from ...compiler.ir.graph import Graph, Node
from ...compiler.ir.values import Location, Value
from .listing import Keys

MOST_CHILDREN = 40  # boxes that one group shows; more are put into groups of their own


def _within(title: str, box: Any) -> Any:
    """The drawing of a group with one box: the box; if that is a group, with both titles."""
    if isinstance(box, int) or box[3:]:
        return box
    return [box[0] if box[0].startswith(f"{title}.") else f"{title} · {box[0]}", *box[1:]]


class Drawing:
    """The nodes of a graph in the form in which the page draws them: [label, values, reads, place, phase] each, and a
    tree of groups."""

    def __init__(self, keys: Keys, path: Callable[[Location], tuple[str, str]]) -> None:
        self.keys = keys
        self.path = path
        self.nodes: list[list[Any]] = []

    def draw(self, joint: Graph, forward: Graph, backward: Graph | None) -> dict[str, Any]:
        """The drawing of a joint graph."""
        tree = self._tree(joint.nodes, phases(joint, forward, backward), {}, around=None)
        return {"nodes": self.nodes, "tree": tree, "phases": PHASES}

    def _tree(
        self, nodes: Sequence[Node], phase: Sequence[int], made: dict[Value, int], around: tuple[str, ...] | None
    ) -> list[Any]:
        """The boxes of nodes: a number is a node, [title, phase, boxes] a group.

        Args:
            nodes: of one graph.
            phase: of each.
            made: which node made a value.
            around: the Cells around the graph, which the groups are in already; None for the outermost graph.
        """
        placed: list[tuple[tuple[str, ...], Any]] = []
        for node, part in zip(nodes, phase, strict=True):
            number = len(self.nodes)
            reads = sorted({made[o] for o in node.inputs if isinstance(o, Value) and o in made})
            values = [self.keys.of(value, value.name) for value in node.outputs]
            type_ = ", ".join(str(value.type) for value in node.outputs)
            self.nodes.append([node.op.name, values, reads, self.keys.location(node.location), part, type_])
            made.update(dict.fromkeys(node.outputs, number))
            box: Any = number
            if node.blocks:
                inner = []
                for key, graph in node.blocks.items():
                    inside = self._tree(graph.nodes, [part] * len(graph.nodes), {**made}, around=self._cells(node))
                    inner.append([key, part, inside]) if len(node.blocks) > 1 else inner.extend(inside)
                title = " · ".join([node.op.name, *self._path(node)[-1:]])
                box = [title, part, inner, number]
            if around is None:
                path = PHASES[part], *self._path(node)
            else:
                cells = self._cells(node)
                path = cells[len(around) :] if cells[: len(around)] == around else cells
            placed.append((path, box))
        return self._grouped(placed, 0)

    def _path(self, node: Node) -> tuple[str, ...]:
        """The groups that a node is in, outermost first: its Cells, or the function; and the line."""
        if node.location is None:
            return ()
        function, line = self.path(node.location)
        return *(self._cells(node) or (function,)), line

    def _cells(self, node: Node) -> tuple[str, ...]:
        """The Cells that a node is in, outermost first, each by its path."""
        parts = node.location.cell.split(".") if node.location is not None and node.location.cell else []
        return tuple(".".join(parts[: count + 1]) for count in range(len(parts)))

    def _grouped(self, placed: Sequence[tuple[tuple[str, ...], Any]], depth: int) -> list[Any]:
        """Adjacent nodes with the same path in groups. They stay in the program's order, so that no two groups read
        each other."""
        boxes: list[Any] = []
        start = 0
        while start < len(placed):
            path, box = placed[start]
            end = start + 1
            if len(path) <= depth:
                boxes.append(box)
            else:
                while end < len(placed) and len(placed[end][0]) > depth and placed[end][0][depth] == path[depth]:
                    end += 1
                inside = self._grouped(placed[start:end], depth + 1)
                if len(inside) == 1 and depth > 0:
                    boxes.append(_within(path[depth], inside[0]))
                else:
                    boxes.append([path[depth], self._phase(inside), inside])
            start = end
        return self._chunked(boxes)

    def _chunked(self, boxes: list[Any]) -> list[Any]:
        """Boxes in further groups, so that no level has more than a reader can survey."""
        while len(boxes) > MOST_CHILDREN:
            size = max(2, min(MOST_CHILDREN, -(-len(boxes) // MOST_CHILDREN)))
            parts = [boxes[start : start + size] for start in range(0, len(boxes), size)]
            boxes = [
                part[0]
                if len(part) == 1
                else [f"{self._title(part[0])} … {self._title(part[-1])}", self._phase(part), part]
                for part in parts
            ]
        return boxes

    def _title(self, box: Any) -> str:
        return str(self.nodes[box][0]) if isinstance(box, int) else str(box[0]).split(" … ")[0]

    def _phase(self, boxes: Sequence[Any]) -> int:
        first = boxes[0]
        return int(self.nodes[first][4] if isinstance(first, int) else first[1])


WORD = re.compile(r"[A-Za-z_]\w*")
LEAST_ALIKE = 0.5  # share of words that a converted line and the source line have in common


class SourceFile:
    """One file: its lines, and the function around each."""

    def __init__(self, file: str) -> None:
        self.lines = [line.rstrip("\n") for line in linecache.getlines(file)]
        self.functions: list[tuple[int, int, str]] = []  # first line, last line, qualified name; outer ones first
        try:
            tree = ast.parse("\n".join(self.lines))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        self._collect(tree, "")

    def _collect(self, tree: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(tree):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{prefix}{child.name}"
                if not isinstance(child, ast.ClassDef):
                    first = min([child.lineno, *[decorator.lineno for decorator in child.decorator_list]])
                    self.functions.append((first, child.end_lineno or child.lineno, name))
                self._collect(child, f"{name}.")
            else:
                self._collect(child, prefix)

    def function(self, line: int) -> tuple[int, int, str]:
        """The innermost function around a line, or the line itself."""
        found = (line, line, "")
        for first, last, name in self.functions:
            if first <= line <= last:
                found = (first, last, name)
        return found

    def excerpts(self, lines: Iterable[int]) -> list[tuple[int, int]]:
        """First and last lines of the outermost functions that contain these lines. Adjacent ones are merged."""
        parts: list[tuple[int, int]] = []
        wanted = sorted({(first, last) for line in lines for first, last in [self._outermost(line)]})
        for first, last in wanted:
            if parts and first <= parts[-1][1] + 2:
                parts[-1] = (parts[-1][0], max(last, parts[-1][1]))
            else:
                parts.append((first, last))
        return parts

    def _outermost(self, line: int) -> tuple[int, int]:
        return next(((first, last) for first, last, _ in self.functions if first <= line <= last), (line, line))


class Sources:
    """The files that a page shows."""

    def __init__(self) -> None:
        self._files: dict[str, SourceFile] = {}

    def of(self, file: str) -> SourceFile:
        """The file with this name."""
        if file not in self._files:
            self._files[file] = SourceFile(file)
        return self._files[file]

    def path(self, place: Location) -> tuple[str, str]:
        """The groups that a line is in, outermost first: its function, and itself."""
        source = self.of(place.file)
        text = source.lines[place.line - 1].strip() if place.line <= len(source.lines) else ""
        return source.function(place.line)[2] or short_name(place.file), f"{place.line}: {text}" if text else str(place)

    def describe(self, places: Sequence[Location]) -> list[dict[str, Any]]:
        """Each file's excerpts: its name, and parts of a first line's number and lines."""
        by_file: dict[str, set[int]] = {}
        for place in places:
            by_file.setdefault(place.file, set()).add(place.line)
        described = []
        for file, lines in by_file.items():
            source = self.of(file)
            parts = [
                {"first": first, "lines": source.lines[first - 1 : last]} for first, last in source.excerpts(lines)
            ]
            described.append(
                {"file": file, "name": short_name(file), "parts": [part for part in parts if part["lines"]]}
            )
        return described

    def origin(self, text: str, places: Sequence[Location]) -> Location | None:
        """The source line that a converted line most likely comes from: the one with the most words in common."""
        words = set(WORD.findall(text.replace("_mc.convert", "")))
        best, found = LEAST_ALIKE, None
        if not words:
            return None
        for place in places:
            lines = self.of(place.file).lines
            if place.line <= len(lines):
                others = set(WORD.findall(lines[place.line - 1].split("#")[0]))
                alike = len(words & others) / len(words | others)
                if alike > best:
                    best, found = alike, place
        return found


def short_name(file: str) -> str:
    """A file's name without its folder."""
    return file.replace("\\", "/").rsplit("/", 1)[-1]
