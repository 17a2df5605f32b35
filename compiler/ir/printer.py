"""The printer of graphs. A graph always has the same text, and `parse` reads it back to an equal graph."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import DType
from .op import Op
from .values import IRError, Literal, Location, Operand, Value

INLINE_ELEMENTS = 16  # larger constant arrays are printed as base64
COMMENT_COLUMN = 60


class PrintedNode(Protocol):
    """The parts of a node (`ir.Node`) that the printer reads."""

    @property
    def op(self) -> Op: ...
    @property
    def inputs(self) -> tuple[Operand, ...]: ...
    @property
    def outputs(self) -> tuple[Value, ...]: ...
    @property
    def attrs(self) -> Mapping[str, Any]: ...
    @property
    def location(self) -> Location | None: ...
    @property
    def blocks(self) -> Mapping[str, Any]: ...


class PrintedGraph(Protocol):
    """The parts of a graph (`ir.Graph`) that the printer reads."""

    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> tuple[Value, ...]: ...
    @property
    def nodes(self) -> Sequence[Any]: ...
    @property
    def outputs(self) -> tuple[Operand, ...]: ...
    @property
    def donated(self) -> Mapping[int, int]: ...
    @property
    def notes(self) -> Mapping[str, str]: ...
    @property
    def headings(self) -> Mapping[Any, tuple[str, ...]]: ...


class Names:
    """Unique names for the values of one graph, made from their hints."""

    def __init__(self) -> None:
        self.of: dict[Value, str] = {}
        self.taken: dict[str, int] = {}

    def define(self, value: Value) -> str:
        hint = re.sub(r"\W+", "_", value.name).strip("_") or f"t{len(self.of)}"
        if hint[0].isdigit():
            hint = f"v{hint}"
        name = hint
        while name in self.taken:
            self.taken[hint] += 1
            name = f"{hint}_{self.taken[hint]}"
        self.taken[name] = 0
        self.of[value] = name
        return name


def print_graph(graph: PrintedGraph) -> str:
    """The text of a graph."""
    notes = [f"# {key}: {value}" for key, value in graph.notes.items()]
    return "\n".join([*notes, *_graph_lines(graph, "")])


def _graph_lines(graph: PrintedGraph, indent: str) -> list[str]:
    names = Names()
    parameters = ", ".join(f"%{names.define(value)}: {value.type}" for value in graph.parameters)
    lines = [f"graph {graph.name}({parameters}) {{"]
    for node in graph.nodes:
        lines.extend(f"{indent}  # {heading}" for heading in graph.headings.get(node, ()))
        lines.extend(_node_lines(node, names, indent + "  "))
    parts = [_operand(operand, names) for operand in graph.outputs]
    for output, parameter in graph.donated.items():
        if output in range(len(parts)) and parameter in range(len(graph.parameters)):
            parts[output] += f" into {_operand(graph.parameters[parameter], names)}"
    returned = ", ".join(parts)
    lines.append(f"{indent}  return {returned}".rstrip())
    lines.append(f"{indent}}}")
    return lines


def _node_lines(node: PrintedNode, names: Names, indent: str) -> list[str]:
    arguments = [_operand(operand, names) for operand in node.inputs]
    blocks = node.blocks
    arguments += [f"{key}={show_attr(value)}" for key, value in node.attrs.items() if key not in blocks]
    targets = ", ".join(f"%{names.define(value)}: {value.type}" for value in node.outputs)
    line = f"{indent}{targets + ' = ' if targets else ''}{node.op.name}({', '.join(arguments)})"
    if blocks:
        line += " {"
    if node.location is not None:
        text = f"  {node.location.text}" if node.location.text else ""
        line = f"{line:<{COMMENT_COLUMN}}  # {node.location}{text}"
    lines = [line]
    for key, inner in blocks.items():
        first, *rest = _graph_lines(inner, indent + "  ")
        lines += [f"{indent}  {key} = {first}", *rest]
    if blocks:
        lines.append(f"{indent}}}")
    return lines


def _operand(operand: Operand, names: Names) -> str:
    if isinstance(operand, Literal):
        return show_literal(operand)
    if operand in names.of:
        return f"%{names.of[operand]}"
    return f"%<undefined {operand.name}>" if isinstance(operand, Value) else f"<{operand!r}>"


def show_literal(operand: Literal) -> str:
    """A literal as text: `1.0` for f32, `2` for i64, `True`; other dtypes have a suffix as in `2:i32`."""
    text = show_attr(operand.value)
    if operand.type.dtype in (dtypes.float32, dtypes.int64, dtypes.bool_):
        return text
    return f"{text}:{operand.type.dtype.short}"


def show_attr(value: Any) -> str:
    """An attribute value as text that `parse` reads back."""
    if isinstance(value, DType):
        return value.short
    if isinstance(value, np.ndarray):
        kind = f"{dtypes.of_numpy(value.dtype).short}{list(value.shape)}"
        if value.size <= INLINE_ELEMENTS and value.dtype.kind in "biuf":
            return f"array({kind}, [{', '.join(show_attr(item) for item in value.ravel().tolist())}])"
        return f'array({kind}, "{base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()}")'
    if isinstance(value, tuple):
        return f"({', '.join(map(show_attr, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, (bool, int, str)) or value is None:
        return repr(value)
    if isinstance(value, float):
        return (
            repr(value) if math.isfinite(value) else ("nan" if math.isnan(value) else ("inf" if value > 0 else "-inf"))
        )
    if isinstance(value, complex):
        return f"complex({show_attr(value.real)}, {show_attr(value.imag)})"
    raise IRError(f"attribute {value!r} of type {type(value).__name__} has no text form")
