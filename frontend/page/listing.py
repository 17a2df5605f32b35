"""Listings: the lines of a stage's text, each with its values and the source line that it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...compiler.ir.graph import Graph, Node, walk
from ...compiler.ir.values import Location, Value
from ...runtime.native.language import text_without_names
from ...runtime.records import NamedTuple

PERCENT_NAME = re.compile(r"%\w+")
KERNEL = re.compile(r"(\w+) = \w*compile_kernel\('''$")
KERNEL_END = "''')"
WORD = re.compile(r"[A-Za-z_]\w*")


class Keys:
    """Numbers of values and of source lines, the same in every stage of a page.

    A value with a name is identified by the name, any other by its identity.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.types: list[str] = []
        self.places: list[int] = []
        self.ops: list[str] = []
        self.locations: list[Location] = []
        self._by_name: dict[str, int] = {}
        self._by_identity: dict[int, int] = {}
        self._location: dict[Location, int] = {}
        self._kept: list[Value] = []  # so that no identity is used twice

    def of(self, value: Value, printed: str = "") -> int:
        """The number of a value; `printed` is its name in a text."""
        number = self._by_identity.get(id(value))
        own = value.name if value.name == printed else ""
        if number is None and own:
            number = self._by_name.get(own)
        if number is None:
            number = len(self.names)
            self.names.append(printed or value.name)
            self.types.append(str(value.type))
            self.places.append(-1)
            self.ops.append("")
        if own:
            self._by_name.setdefault(own, number)
        self._by_identity[id(value)] = number
        self._kept.append(value)
        return number

    def defined(self, number: int, node: Node) -> None:
        """Store which node computes a value: the first one in the order of the stages."""
        if not self.ops[number]:
            self.ops[number] = node.op.name
            self.places[number] = self.location(node.location)

    def location(self, location: Location | None) -> int:
        """The number of a source line; -1 for none."""
        if location is None:
            return -1
        number = self._location.get(location)
        if number is None:
            number = self._location[location] = len(self.locations)
            self.locations.append(location)
        return number


class Line(NamedTuple):
    """A line of a listing.

    Attributes:
        text: the printed text.
        place: the number of its source line, or -1.
        spans: (start, length, value) of each value in the text.
        defines: how many of the spans, the first ones, are defined by the line.
    """

    text: str
    place: int = -1
    spans: tuple[tuple[int, int, int], ...] = ()
    defines: int = 0


class Pool:
    """Every distinct line once. Stages are lists of line numbers."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._numbers: dict[Line, int] = {}

    def add(self, lines: Iterable[Line]) -> list[int]:
        """The numbers of lines."""
        numbers = []
        for line in lines:
            number = self._numbers.get(line)
            if number is None:
                number = self._numbers[line] = len(self.lines)
                self.lines.append(line)
            numbers.append(number)
        return numbers


def graph_lines(graph: Graph, keys: Keys) -> list[Line]:
    """The lines of a printed graph."""
    subjects = _subjects(graph)
    lines = []
    for text in str(graph).splitlines():
        bare = text.strip()
        if not bare or bare.startswith("#"):
            lines.append(Line(text))
            continue
        subject = next(subjects)
        found = list(PERCENT_NAME.finditer(text))[: len(subject.values)]
        spans = tuple(
            (match.start(), len(match[0]), keys.of(value, match[0][1:]))
            for match, value in zip(found, subject.values, strict=True)
        )
        if subject.node is not None:
            for _, _, number in spans[: subject.defines]:
                keys.defined(number, subject.node)
        lines.append(Line(text, keys.location(subject.location), spans, subject.defines))
    return lines


class _Subject(NamedTuple):
    """The values that a printed line defines or reads, in order."""

    values: Sequence[Value] = ()
    defines: int = 0
    location: Location | None = None
    node: Node | None = None


def _subjects(graph: Graph) -> Iterator[_Subject]:
    """The subjects of the lines of a printed graph, in the printer's order."""
    yield _Subject(graph.parameters, len(graph.parameters))
    for node in graph.nodes:
        values = [*node.outputs, *[operand for operand in node.inputs if isinstance(operand, Value)]]
        yield _Subject(values, len(node.outputs), node.location, node)
        for inner in node.blocks.values():
            yield from _subjects(inner)
        if node.blocks:
            yield _Subject()
    yield _Subject(_returned(graph))
    yield _Subject()


def _returned(graph: Graph) -> list[Value]:
    """The values in the line of `return`."""
    values: list[Value] = []
    for position, operand in enumerate(graph.outputs):
        values += [operand] if isinstance(operand, Value) else []
        parameter = graph.donated.get(position)
        if parameter is not None and parameter in range(len(graph.parameters)):
            values.append(graph.parameters[parameter])
    return values


def program_lines(
    source: str, names: Mapping[Value, str], nodes: Mapping[int, Node], kernels: Mapping[str, Node], keys: Keys
) -> list[Line]:
    """The lines of an emitted program; `nodes` by line, `kernels` by their texts without names."""
    values = {name: value for value, name in names.items()}
    inside: dict[str, Value] = {}  # the values of a kernel
    lines, owner = [], None
    texts = source.splitlines()
    for number, text in enumerate(texts, 1):
        if owner is None and KERNEL.match(text):
            owner = kernels.get(text_without_names(_quoted(texts, number)))
            inside = {} if owner is None else _values_in(owner)
        if owner is not None:
            defined = tuple((0, 0, keys.of(value, names.get(value, ""))) for value in owner.outputs)
            spans = () if KERNEL.match(text) else _named(text, inside, keys)
            own = bool(spans) and spans[0][0] == 0  # a statement of the kernel, which begins with what it computes
            lines.append(Line(text, keys.location(owner.location), (*defined, *spans), len(defined) + own))
            if text == KERNEL_END:
                owner = None
            continue
        code = text.split("  # ", 1)[0]
        spans = _named(code, values, keys)
        node = nodes.get(number)
        lines.append(Line(text, keys.location(node.location) if node is not None else -1, spans))
    return lines


def _named(text: str, values: Mapping[str, Value], keys: Keys) -> tuple[tuple[int, int, int], ...]:
    """The places of values in a text."""
    return tuple(
        (match.start(), len(match[0]), keys.of(values[match[0]], match[0]))
        for match in WORD.finditer(text)
        if match[0] in values
    )


def _values_in(node: Node) -> dict[str, Value]:
    """The values in a kernel, by name."""
    graphs = list(node.blocks.values())
    inner = [below for graph in graphs for below in walk(graph)]
    found = [value for graph in graphs for value in graph.parameters] + [v for below in inner for v in below.outputs]
    return {value.name: value for value in found if value.name}


def _quoted(texts: Sequence[str], number: int) -> str:
    """The text between this line and the next triple quotes."""
    inside = []
    for text in texts[number:]:
        if text == KERNEL_END:
            break
        inside.append(text)
    return "\n".join(inside)


def plan_lines(text: str, buffers: Mapping[str, int]) -> list[Line]:
    """The lines of a printed plan; `buffers`: the value of each buffer's name."""
    lines = []
    for row in text.splitlines():
        match = re.match(r"\w+", row)
        number = buffers.get(match[0]) if match else None
        spans = () if number is None or match is None else ((0, len(match[0]), number),)
        lines.append(Line(row, -1, spans))
    return lines


def record(line: Line) -> list[Any]:
    """A line as JSON."""
    flat = [number for span in line.spans for number in span]
    if flat:
        return [line.text, line.place, flat, line.defines]
    return [line.text, line.place] if line.place >= 0 else [line.text]
