"""Array accesses in a loop by its counter: which are rows of a tensor, so that the loop scans it; and which numbers
differ from Python's.

    %j = add(%i, 1)                 the loop scans %x[1:], and %row is its row in each iteration
    %row = take(%x, %j, axis=0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...compiler.ir.graph import Graph, Node
from ...compiler.ir.values import Literal, Operand, Value
from ..errors.classes import GraphBreak

__all__ = ["Affine", "affine_numbers", "number_rows", "rows_at", "scan_rows"]

Affine = tuple[int, int]  # a * i + b
Place = tuple[Operand, Affine]
MOST_NUMBERS = 100_000  # that are computed before the loop


def scan_rows(
    graph: Graph, first: int, count: int, captures: dict[Value, Value], selected: Callable[[Value, slice], Operand]
) -> tuple[Graph, list[Operand]]:
    """Make rows `x[i]`, or `x[2 * i + 1]`, of tensors from outside scanned operands, so that no iteration or backward
    reads all of x.

    Tensors that are read in no other way are removed from `captures`.

    Args:
        graph: the body: the counter, further parameters up to `first`, then the captures.
        first: the position of the first capture.
        count: the number of iterations.
        captures: the captures, with the values outside.
        selected: the operand outside for a selection of rows of a captured tensor.

    Returns:
        The body with the rows as parameters at `first`, and the operands of which they are rows.
    """
    numbers = affine_numbers(graph)
    found: dict[Place, Value] = {}
    nodes: list[Node] = []
    renamed: dict[Operand, Operand] = {}
    for node in graph.nodes:
        place = _place(node, captures, numbers, count)
        if place is None:
            nodes.append(node)
            continue
        source = place[0]
        row = found.get(place)
        if row is None:
            type = source.type.with_shape(source.type.shape[1:])
            row = found[place] = Value(type, node.output.name or "row")
        renamed[node.output] = row
    nodes = [node.with_inputs([renamed.get(item, item) for item in node.inputs]) for node in nodes]
    outputs = tuple(renamed.get(item, item) for item in graph.outputs)
    read = {item for node in nodes for item in node.inputs} | set(outputs)
    rows = [selected(captures[source], rows_at(affine, count)) for source, affine in found]  # type: ignore[index]
    for source, _ in found:
        if source not in read:
            captures.pop(source, None)  # type: ignore[arg-type]
    parameters = (*graph.parameters[:first], *found.values(), *captures)
    return replace(graph, parameters=parameters, nodes=tuple(nodes), outputs=outputs), rows


def affine_numbers(graph: Graph) -> dict[Operand, Affine]:
    """The values in a body that are the counter, its first parameter, times a number, plus a number."""
    index = graph.parameters[0]
    found: dict[Operand, Affine] = {index: (1, 0)}

    def of(operand: Operand) -> Affine | None:
        if isinstance(operand, Literal):
            return (0, operand.value) if type(operand.value) is int else None
        return found.get(operand)

    for node in graph.nodes:
        if len(node.inputs) != 2 or node.inputs[0].type != index.type or node.inputs[1].type != index.type:
            continue
        one, other = of(node.inputs[0]), of(node.inputs[1])
        if one is None or other is None:
            continue
        if node.op is prims.add:
            found[node.output] = one[0] + other[0], one[1] + other[1]
        elif node.op is prims.subtract:
            found[node.output] = one[0] - other[0], one[1] - other[1]
        elif node.op is prims.multiply and 0 in (one[0], other[0]):
            found[node.output] = one[0] * other[1] + other[0] * one[1], one[1] * other[1]
    return found


def _place(node: Node, captures: Mapping[Value, Value], numbers: Mapping[Operand, Affine], count: int) -> Place | None:
    """The captured tensor of which a node takes a row, and which in each iteration."""
    if len(node.inputs) != 2 or node.inputs[0] not in captures or node.inputs[1] not in numbers:
        return None
    if node.op is not prims.take or node.attrs.get("axis") != 0:
        return None
    factor, offset = numbers[node.inputs[1]]
    ends, length = (offset, factor * (count - 1) + offset), node.inputs[0].type.shape[0]
    if not factor or length is None or min(ends) < 0 or max(ends) >= length or not node.output.type.is_static:
        return None
    return node.inputs[0], (factor, offset)


def rows_at(affine: Affine, count: int) -> slice:
    """The rows that the iterations take."""
    factor, offset = affine
    stop = factor * count + offset
    return slice(offset, None if stop < 0 else stop, factor)


def number_rows(nodes: Iterable[Node], index: Operand, count: int) -> dict[Operand, np.ndarray]:
    """The numbers that a body computes with floats from the number of the iteration alone, for each iteration: in
    double precision, as Python does."""
    derived, floats, found = {index}, set[Operand](), list[Node]()
    for node in nodes:
        values = [item for item in node.inputs if isinstance(item, Value)]
        if values and node.op.kind == "elementwise" and not node.output.type.shape and derived.issuperset(values):
            derived.add(node.output)
            found.append(node)
            if node.output.type.dtype.is_float or not floats.isdisjoint(values):
                floats.add(node.output)
    if floats and count > MOST_NUMBERS:
        raise GraphBreak("the loop computes floats from the number of the iteration")
    known: dict[Operand, Any] = {index: np.arange(count if floats else 0)}
    for node in found:
        given = [item.value if isinstance(item, Literal) else known[item] for item in node.inputs]
        if node.op is prims.cast and node.output.type.dtype.is_float:
            (item,) = node.inputs  # if a float: a tensor's, for which numbers are rounded first
            known[node.output] = np.asarray(given[0], item.type.dtype.np if item in floats else float).astype(float)
        else:
            with np.errstate(all="ignore"):
                known[node.output] = node.op.kernel(*given, **node.attrs)
    return {value: known[value].astype(value.type.dtype.np) for value in floats}
