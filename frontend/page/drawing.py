"""The drawn graph: nodes, what they read, and groups of nodes that can be shown as one box."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...compiler.ir.graph import Graph, Node
from ...compiler.ir.values import Location, Operand, Value
from .listing import Keys

MOST_CHILDREN = 40  # boxes that one group shows; more are put into groups of their own
FORWARD, BACKWARD, UPDATE = 0, 1, 2
PHASES = ("forward", "backward", "update")


def phases(joint: Graph, forward: Graph, backward: Graph | None) -> list[int]:
    """Of each node of the joint graph whether it belongs to forward, backward or update.

    What only new values of Parameters need is the update, and what only the backward needs belongs to it.
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
    """The nodes that these values are computed from without those at some positions, and what only they read."""
    wanted, nodes = set(roots), set()
    for position, node in reversed(list(enumerate(graph.nodes))):
        if position not in besides and not wanted.isdisjoint(node.outputs):
            nodes.add(node)
            wanted.update(node.inputs)
    return nodes


class Drawing:
    """The nodes of a graph as the page draws them: [label, values, reads, place, phase] each, and a tree of groups."""

    def __init__(self, keys: Keys, path: Callable[[Location], tuple[str, ...]]) -> None:
        self.keys = keys
        self.path = path
        self.nodes: list[list[Any]] = []

    def draw(self, joint: Graph, forward: Graph, backward: Graph | None) -> dict[str, Any]:
        """The drawing of a joint graph."""
        tree = self._tree(joint.nodes, phases(joint, forward, backward), {}, grouped=True)
        return {"nodes": self.nodes, "tree": tree, "phases": PHASES}

    def _tree(self, nodes: Sequence[Node], phase: Sequence[int], made: dict[Value, int], grouped: bool) -> list[Any]:
        """The boxes of nodes: a number is a node, [title, phase, boxes] a group. `made`: which node made a value."""
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
                    inside = self._tree(graph.nodes, [part] * len(graph.nodes), {**made}, grouped=False)
                    inner.append([key, part, inside]) if len(node.blocks) > 1 else inner.extend(inside)
                title = " · ".join([node.op.name, *self._path(node)[-1:]])
                box = [title, part, inner, number]
            path = (PHASES[part], *self._path(node)) if grouped else ()
            placed.append((path, box))
        return self._grouped(placed, 0)

    def _path(self, node: Node) -> tuple[str, ...]:
        """The groups that a node is in, from the outside in."""
        return () if node.location is None else self.path(node.location)

    def _grouped(self, placed: Sequence[tuple[tuple[str, ...], Any]], depth: int) -> list[Any]:
        """Neighbours with the same path in groups: in the program's order, so that no two groups read each other."""
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
                single = len(inside) == 1 and depth > 0
                boxes.extend(inside if single else [[path[depth], self._phase(inside), inside]])
            start = end
        return self._chunked(boxes)

    def _chunked(self, boxes: list[Any]) -> list[Any]:
        """At most so many boxes as one can look at."""
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
