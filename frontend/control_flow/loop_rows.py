"""Array accesses in a loop by its counter: which are rows of a tensor, so that the loop scans it; and which numbers
differ from Python's.

    %j = add(%i, 1)                 the loop scans %x[1:], and %row is its row in each iteration
    %row = take(%x, %j, axis=0)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...compiler.analysis.affine import Affine, affine_numbers
from ...compiler.ir.graph import Graph, Node, make_node
from ...compiler.ir.types import TensorType
from ...compiler.ir.values import Literal, Operand, Value
from ...runtime.records import dataclass
from ..errors.classes import GraphBreak
from .counted_floats import is_derived

MOST_NUMBERS = 100_000  # that are computed before the loop
MOST_JOINED = 8  # rows of a block that overlaps others: so many parts are read within a kernel
MOST_STACKED = 1 << 21  # bytes of longer blocks that overlap, whose gradients are kept for all iterations


def scan_rows(
    graph: Graph, first: int, count: int, captures: dict[Value, Value], outside: Callable[..., Operand]
) -> tuple[Graph, list[Operand]]:
    """Make rows `x[i]` or `x[:, 2 * i + 1]`, and blocks `x[4 * i : 4 * i + 4]`, of tensors from outside scanned
    operands, so that no iteration or backward reads all of x. The tensors may be read through views.

    Tensors that are read in no other way are removed from `captures`.

    Args:
        graph: the body: the counter, further parameters up to `first`, then the captures.
        first: the position of the first capture.
        count: the number of iterations.
        captures: the captures, with the values outside.
        outside: the output of a node outside that is made for it: `outside(op, operand, **attrs)`.

    Returns:
        The body with the rows as parameters at `first`, and the operands of which they are rows.
    """
    numbers = affine_numbers(graph.parameters[0], graph.nodes)
    found: dict[_Rows, Value] = {}
    nodes: list[Node] = []
    renamed: dict[Operand, Operand] = {}
    views: dict[Operand, Node] = {}
    sources: set[Operand] = {*captures}
    for node in graph.nodes:
        moves = node.op.kind == "view" or node.op is prims.concatenate  # as of the items of a list
        if moves and sources.issuperset(node.inputs) and node.output.type.is_static:
            views[node.output] = node
            sources.add(node.output)
        places = _places(node, sources, numbers, count)
        if not places:
            nodes.append(node)
            continue
        rows = [found.setdefault(each, Value(each.type, node.output.name or "row")) for each in places]
        made = _whole(node, places[0], rows)
        renamed[node.output] = made[-1].output if made else rows[0]
        nodes += made
    nodes = [node.with_inputs([renamed.get(item, item) for item in node.inputs]) for node in nodes]
    outputs = tuple(renamed.get(item, item) for item in graph.outputs)
    read = set(outputs)
    kept: list[Node] = []
    for node in reversed(nodes):
        if views.keys().isdisjoint(node.outputs) or not read.isdisjoint(node.outputs):
            kept.append(node)
            read.update(node.inputs)

    wanted = {each.source for each in found}
    for view in reversed(views.values()):
        wanted.update(view.inputs if view.output in wanted else ())
    whole: dict[Operand, Operand] = dict(captures.items())
    for view in views.values():
        if view.output in wanted:
            whole[view.output] = outside(view.op, *[whole[item] for item in view.inputs], **view.attrs)
    operands = [each.outside(whole[each.source], count, outside) for each in found]
    for value in [value for value in captures if found and value not in read]:
        del captures[value]
    parameters = (*graph.parameters[:first], *found.values(), *captures)
    return replace(graph, parameters=parameters, nodes=tuple(kept[::-1]), outputs=outputs), operands


@dataclass(frozen=True)
class _Rows:
    """The rows of a tensor along an axis that the iterations take; `size`: of blocks of rows, 0 for single rows."""

    source: Operand
    axis: int
    place: Affine
    size: int = 0

    @property
    def type(self) -> TensorType:
        """Of what an iteration gets."""
        row, axis = self.source.type.without_axis(self.axis), self.axis
        return row.with_shape((*row.shape[:axis], self.size, *row.shape[axis:])) if self.size else row

    def outside(self, whole: Operand, count: int, outside: Callable[..., Operand]) -> Operand:
        """The operand outside of which the iterations get the rows."""
        axis, (factor, offset) = self.axis, self.place
        rows = rows_at(self.place, count)
        if self.size:
            first = min(offset, factor * (count - 1) + offset)
            rows = slice(first, first + abs(factor) * (count - 1) + self.size, 1)
        elif axis:
            axes = (axis, *(other for other in range(whole.type.rank) if other != axis))
            whole, axis = outside(prims.transpose, whole, axes=axes), 0
        shape = whole.type.static_shape
        taken = prims.normalize_slice(rows.start, rows.stop, rows.step, shape[axis])
        if taken != (0, shape[axis], 1):
            bounds = [taken if other == axis else (0, size, 1) for other, size in enumerate(shape)]
            start, stop, step = zip(*bounds, strict=True)
            whole = outside(prims.slice, whole, start=start, stop=stop, step=step)
        if not self.size:
            return whole
        blocks = outside(prims.blocks, whole, axis=axis, size=self.size, step=abs(factor))
        return blocks if factor > 0 else outside(prims.reverse, blocks, axes=(0,))


def _places(node: Node, sources: Collection[Operand], numbers: Mapping[Operand, Affine], count: int) -> list[_Rows]:
    """The rows of a tensor from outside that a node takes, if it does."""
    if not node.inputs or node.inputs[0] not in sources or len(node.outputs) != 1 or not node.output.type.is_static:
        return []
    whole, starts = node.inputs[0], node.inputs[1:]
    if node.op is prims.take and starts[0] in numbers:
        axis, size = node.attrs["axis"], 1
    elif node.op is prims.dynamic_slice and sum(start in numbers for start in starts) == 1:
        (axis,) = [axis for axis, start in enumerate(starts) if start in numbers]
        size = node.attrs["sizes"][axis]
        if whole.type.without_axis(axis) != node.output.type.without_axis(axis):
            return []
    else:
        return []
    factor, offset = numbers[starts[axis if len(starts) > 1 else 0]]
    ends, length = (offset, factor * (count - 1) + offset), whole.type.shape[axis]
    if not factor or length is None or min(ends) < 0 or max(ends) + size > length:
        return []
    if factor == size > 1 or (size > MOST_JOINED and count * node.output.type.nbytes <= MOST_STACKED):
        return [_Rows(whole, axis, (factor, offset), size)]
    return [_Rows(whole, axis, (factor, offset + more)) for more in range(size)] if size <= MOST_JOINED else []


def _whole(node: Node, rows: _Rows, parts: list[Value]) -> list[Node]:
    """The nodes that make of rows what a node of the body gave, the last one."""
    if node.op is prims.take or rows.size:
        return []
    axis, shape = rows.axis, node.output.type.static_shape
    one = (*shape[:axis], 1, *shape[axis + 1 :])
    made = [make_node(prims.reshape, [part], {"shape": one}, node.location) for part in parts]
    if len(made) > 1:
        made.append(make_node(prims.concatenate, [each.output for each in made], {"axis": axis}, node.location))
    return made


def integers_at(result: Operand, nodes: Sequence[Node], index: Operand, count: int, most: int = MOST_NUMBERS) -> Any:
    """The bools or integers that a body computes with integers from the number of the iteration alone, one for each
    iteration; None if it computes them from other values, or for more than `most` iterations."""
    if count > most:
        return None
    wanted, needed = {result}, list[Node]()
    for node in reversed(nodes):
        if not wanted.isdisjoint(node.outputs):
            wanted.update(item for item in node.inputs if isinstance(item, Value))
            needed.append(node)
    known: dict[Operand, Any] = {index: np.arange(count)}
    for node in reversed(needed):
        if not is_derived(node, known) or node.output.type.dtype.is_float:
            return None
        given = [item.value if isinstance(item, Literal) else known[item] for item in node.inputs]
        known[node.output] = node.op.kernel(*given, **node.attrs)
    return known.get(result)


def rows_at(affine: Affine, count: int) -> slice:
    """The rows that the iterations take."""
    factor, offset = affine
    stop = factor * count + offset
    return slice(offset, None if stop < 0 else stop, factor)


def number_rows(nodes: Sequence[Node], index: Operand, count: int) -> tuple[dict[Operand, np.ndarray], list[Node]]:
    """The numbers that a body computes with floats from the number of the iteration alone, for each iteration: in
    double precision, as Python does; and the nodes of the body without checks that hold in all iterations."""
    derived, floats, found = {index}, set[Operand](), list[Node]()
    for node in nodes:
        if is_derived(node, derived):
            derived.add(node.output)
            found.append(node)
            if node.output.type.dtype.is_float or not floats.isdisjoint(node.inputs):
                floats.add(node.output)
    samples = _check_integers(found, index, count)
    settled = _settled(nodes, samples) if count <= MOST_NUMBERS else set()
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
    if not all(np.isfinite(known[value]).all() for value in floats):
        raise GraphBreak("an operation on the number of the iteration fails")  # or gives what Python refuses
    rows = {value: known[value].astype(value.type.dtype.np) for value in floats}
    return rows, [node for node in nodes if node not in settled]


def _settled(nodes: Iterable[Node], samples: Mapping[Operand, Any]) -> set[Node]:
    """The checks that hold, by the numbers of all iterations. Gives up a loop with one that does not."""
    found = {node for node in nodes if node.op is prims.assert_ and node.inputs[0] in samples}
    if not all(np.all(samples[node.inputs[0]]) for node in found):
        raise GraphBreak("an operation on the number of the iteration fails")
    return found


def _check_integers(nodes: Iterable[Node], index: Operand, count: int) -> dict[Operand, Any]:
    """The numbers that nodes compute from that of the iteration, in some iterations if there are very many. Gives up a
    loop with an integer beyond 64 bits: Python's never wrap. Doubles are exact enough to tell."""
    known: dict[Operand, Any] = {index: np.linspace(0, max(count - 1, 0), min(count, MOST_NUMBERS)).round()}
    for node in nodes:
        given = [item.value if isinstance(item, Literal) else known[item] for item in node.inputs]
        dtype = node.output.type.dtype
        with np.errstate(all="ignore"):
            if node.op is prims.cast:
                value = np.trunc(given[0]) if dtype.is_integer else np.asarray(given[0], dtype.np)
            elif node.op is prims.left_shift:
                value = given[0] * np.exp2(given[1])
            else:
                value = _of_numbers(node, given)
            if dtype.is_integer and not (np.abs(value) < 2.0**63).all():
                raise GraphBreak("the loop computes integers of more than 64 bits from the number of the iteration")
        known[node.output] = value
    return known


def _of_numbers(node: Node, given: Sequence[Any]) -> Any:
    """What a node computes of doubles; of integers, if it takes no doubles. Those do not grow by operations on bits."""
    try:
        return node.op.kernel(*given, **node.attrs)
    except TypeError:
        return node.op.kernel(*(np.asarray(item).astype(np.int64) for item in given), **node.attrs)
