"""Drawings of graphs: text for Graphviz (`dot`) and for Mermaid, with a cluster for each graph that a node holds, and
for each Cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Any

from ...runtime.records import dataclass
from .printer import PrintedGraph, PrintedNode, show_attr, show_literal
from .values import Literal, Operand, Value

LONGEST = 60  # characters of an attribute in a box


@dataclass
class _Box:
    """A box of the drawing: a node, a parameter or a result; with the names of the Cells that a node is in."""

    name: str
    lines: list[str]
    kind: str  # "node", "input" or "output"
    cells: tuple[str, ...] = ()


@dataclass
class _Cluster:
    """A graph: its boxes, its edges (from, to, type), and its inner graphs, each with the box of the node that holds
    it."""

    name: str
    title: str
    boxes: list[_Box] = field(default_factory=list)
    edges: list[tuple[str, str, str]] = field(default_factory=list)
    inner: list[tuple[str, _Cluster]] = field(default_factory=list)


class _Layout:
    """Gives each node a box. A node whose graphs are deeper than `depth` shows only how many nodes they have."""

    def __init__(self, depth: int | None) -> None:
        self.depth = depth
        self.count = 0

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def cluster(self, graph: PrintedGraph, title: str, level: int) -> _Cluster:
        found = _Cluster(self.fresh("g"), title)
        owner: dict[Operand, str] = {}
        for value in graph.parameters:
            owner[value] = self.box(found, [value.name or "input", str(value.type)], "input")
        for node in graph.nodes:
            cell = node.location.cell if node.location is not None else ""
            name = self.box(found, self.lines(node, level), "node", tuple(cell.split(".")) if cell else ())
            for operand in node.inputs:
                self.edge(found, owner, operand, name)
            owner.update(dict.fromkeys(node.outputs, name))
            if self.depth is None or level < self.depth:
                for key, inner in node.blocks.items():
                    found.inner.append((name, self.cluster(inner, f"{node.op.name} {key}", level + 1)))
        for position, operand in enumerate(graph.outputs):
            into = graph.donated.get(position)
            label = "output" if into is None else f"into {graph.parameters[into].name}"
            text = show_literal(operand) if isinstance(operand, Literal) else str(operand.type)
            self.edge(found, owner, operand, self.box(found, [label, text], "output"))
        return found

    def box(self, cluster: _Cluster, lines: list[str], kind: str, cells: tuple[str, ...] = ()) -> str:
        cluster.boxes.append(_Box(self.fresh("n"), lines, kind, cells))
        return cluster.boxes[-1].name

    def edge(self, cluster: _Cluster, owner: dict[Operand, str], operand: Operand, to: str) -> None:
        if isinstance(operand, Value) and operand in owner:
            cluster.edges.append((owner[operand], to, str(operand.type)))

    def lines(self, node: PrintedNode, level: int) -> list[str]:
        """The text in the box of a node."""
        numbers = [show_literal(operand) for operand in node.inputs if isinstance(operand, Literal)]
        attrs = [f"{key}={_short(value)}" for key, value in node.attrs.items() if key not in node.blocks]
        found = [f"{node.op.name}({', '.join([*numbers, *attrs])})" if numbers or attrs else node.op.name]
        names = [value.name for value in node.outputs if value.name]
        found += [", ".join(names)] if names else []
        if node.blocks and self.depth is not None and level >= self.depth:
            found.append(f"{sum(inner.count_nodes() for inner in node.blocks.values())} nodes inside")
        return found + ([] if node.location is None else [str(node.location)])


def _short(value: Any) -> str:
    text = show_attr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def dot(graph: PrintedGraph, depth: int | None = None) -> str:
    """A graph as text for Graphviz: `dot -Tsvg`. Graphs deeper inside than `depth` are one box."""
    shapes = {"node": "box", "input": "ellipse", "output": "ellipse"}

    def quoted(*lines: str) -> str:
        return '"' + "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines) + '"'

    def box(each: _Box) -> str:
        return f"{each.name} [shape={shapes[each.kind]}, label={quoted(*each.lines)}]"

    def edge(start: str, end: str, type: str) -> str:
        return f"{start} -> {end} [label={quoted(type)}]"

    def held(start: str, inner: _Cluster) -> str:
        return f"{start} -> {inner.boxes[0].name} [style=dotted, lhead=cluster_{inner.name}]" if inner.boxes else ""

    def opened(cluster: _Cluster) -> str:
        return f"subgraph cluster_{cluster.name} {{ label={quoted(cluster.title)}"

    body = _written(_Layout(depth).cluster(graph, graph.name, 0), box, edge, held, opened, "}")
    return "\n".join([f"digraph {quoted(graph.name)} {{", "  compound=true", *body, "}"])


def mermaid(graph: PrintedGraph, depth: int | None = None) -> str:
    """A graph as text for Mermaid: a flowchart. Graphs deeper inside than `depth` are one box."""
    sides = {"node": ("[", "]"), "input": ("([", "])"), "output": ("([", "])")}

    def quoted(*lines: str) -> str:
        escaped = [line.replace("#", "#35;").replace('"', "#quot;").replace("<", "#lt;") for line in lines]
        return '"' + "<br>".join(escaped) + '"'

    def box(each: _Box) -> str:
        left, right = sides[each.kind]
        return f"{each.name}{left}{quoted(*each.lines)}{right}"

    def edge(start: str, end: str, type: str) -> str:
        return f"{start} -->|{quoted(type)}| {end}"

    def held(start: str, inner: _Cluster) -> str:
        return f"{start} -.-> {inner.name}"

    def opened(cluster: _Cluster) -> str:
        return f"subgraph {cluster.name} [{quoted(cluster.title)}]"

    body = _written(_Layout(depth).cluster(graph, graph.name, 0), box, edge, held, opened, "end")
    return "\n".join(["flowchart TD", *body])


def _written(
    cluster: _Cluster,
    box: Callable[[_Box], str],
    edge: Callable[[str, str, str], str],
    held: Callable[[str, _Cluster], str],
    opened: Callable[[_Cluster], str],
    closed: str,
) -> Iterator[str]:
    """The lines of a cluster, those of inner ones indented."""
    yield from _boxes(cluster, cluster.boxes, 0, box, opened, closed)
    for start, inner in cluster.inner:
        yield f"  {opened(inner)}"
        yield from (f"  {line}" for line in _written(inner, box, edge, held, opened, closed))
        yield f"  {closed}"
        yield f"  {held(start, inner)}"
    for ends in cluster.edges:
        yield f"  {edge(*ends)}"


def _boxes(
    cluster: _Cluster,
    boxes: Sequence[_Box],
    depth: int,
    box: Callable[[_Box], str],
    opened: Callable[[_Cluster], str],
    closed: str,
) -> Iterator[str]:
    """The lines of boxes. Boxes of one Cell are in a cluster with the Cell's path as title."""
    inside: dict[str, list[_Box]] = {}
    for each in boxes:
        if len(each.cells) > depth:
            inside.setdefault(each.cells[depth], []).append(each)
        else:
            yield f"  {box(each)}"
    for held in inside.values():
        title = ".".join(held[0].cells[: depth + 1])
        yield f"  {opened(_Cluster(f'{cluster.name}_{held[0].name}_{depth}', title))}"
        yield from (f"  {line}" for line in _boxes(cluster, held, depth + 1, box, opened, closed))
        yield f"  {closed}"
