"""The drawn graph: nodes, their inputs, and groups of nodes that can be shown as one box."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
