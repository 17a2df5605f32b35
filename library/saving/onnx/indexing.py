"""Reads and writes at positions: index expressions, rows, and blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....compiler.ir.graph import Node
from ....compiler.ir.values import Operand
from ....compiler.ops.index_batching import OPERAND
from ....compiler.ops.regions import infer_region
from ....runtime import dtypes
from .shapes import cut
from .writer import NoForm, Rule, Writer, elements

REDUCTIONS = {"update": "none", "add": "add", "multiply": "mul", "maximum": "max", "minimum": "min"}


def _positions(w: Writer, x: Operand, spec: Sequence[Any], given: Sequence[tuple[str, Operand]]) -> tuple[str, int]:
    """Where, among the rows that x has over its indexed axes, an index expression points; and how many axes these are.

    The positions have the shape of the selection without its last dimensions, which are taken whole.
    """
    remaining = iter(given)
    axis, place, begun = 0, 0, False
    scattered = False
    indices: list[tuple[int, str, int, int]] = []  # axis, index, its place among the result's dimensions, its rank
    tensors: list[tuple[int, str, int]] = []
    lengths: list[int] = []
    start = common = 0
    ended = False
    for entry in spec:
        if entry is None or isinstance(entry, tuple):
            ended = begun
            if entry is not None:
                if OPERAND in entry:
                    raise NoForm("a slice with bounds that only the run knows stands beside tensors of indices")
                steps = np.arange(w.static(x)[axis])[slice(*entry)]
                indices.append((axis, w.constant(steps, np.int64), len(lengths), 1))
                lengths.append(len(steps))
                axis += 1
            else:
                lengths.append(1)
            continue
        scattered |= ended
        start, begun = (start if begun else len(lengths)), True
        if entry is True:
            common = max(common, 1)
        elif entry == OPERAND:
            name, operand = next(remaining)
            if operand.type.dtype.is_bool:
                raise NoForm("a mask stands beside other indices")
            tensors.append((axis, w.cast(name, dtypes.int64), operand.type.rank))
            common, axis = max(common, operand.type.rank), axis + 1
        else:
            tensors.append((axis, w.constant(entry, np.int64), 0))
            axis += 1
    place = 0 if scattered else start
    rank = len(lengths) + common
    if None in x.type.shape[1:axis]:
        raise NoForm(f"its operators need the sizes of {x.type}")
    placed = [(at, name, rank - (where if where < place else where + common) - 1) for at, name, where, _ in indices]
    placed += [(at, name, len(lengths) - place) for at, name, _ in tensors]
    whole = np.ones(rank, np.int64)
    for at, length in enumerate(lengths):
        whole[at if at < place else at + common] = length
    return str(w.add("Expand", _row_numbers(w, x, axis, placed), w.ints(*whole.tolist()))), axis


def _row_numbers(w: Writer, x: Operand, axis: int, placed: Sequence[tuple[int, str, int]]) -> str:
    """The rows over the first axes at indices of each of them: the axis, the index, and how many dimensions follow."""
    sizes, flat = x.type.shape[:axis], None
    for at, name, after in placed:
        if axis > 1:  # a single axis counts from the end by itself
            if sizes[at] is None:
                raise NoForm(f"its operators need the sizes of {x.type}")
            negative = w.add("Less", name, w.constant(0, np.int64))
            name = w.add("Where", negative, w.add("Add", name, w.constant(sizes[at], np.int64)), name)
        if after:
            name = w.add("Unsqueeze", name, w.ints(*range(-after, 0)))
        stride = elements([size or 1 for size in sizes[at + 1 :]])
        name = name if stride == 1 else w.add("Mul", name, w.constant(stride, np.int64))
        flat = name if flat is None else w.add("Add", flat, name)
    return w.constant(0, np.int64) if flat is None else flat


def _mask(spec: Sequence[Any], operands: Sequence[Operand]) -> bool:
    """Whether an index expression is one mask."""
    return tuple(spec) == (OPERAND,) and operands[0].type.dtype.is_bool


def _rows(w: Writer, x: str, operand: Operand, axes: int) -> str:
    """x with its first axes made one."""
    shape = operand.type.shape
    if axes == 1:
        return x
    if axes == 0:
        return str(w.add("Unsqueeze", x, w.ints(0)))
    if None in shape[axes:]:
        rest = w.add("Shape", x, start=axes)
        return str(w.add("Reshape", x, w.add("Concat", w.ints(-1), rest, axis=0)))
    if None in shape[:axes]:
        return w.reshape(x, -1, *[size or 0 for size in shape[axes:]])
    return w.reshape(x, elements([size or 0 for size in shape[:axes]]), *[size or 0 for size in shape[axes:]])


def _basic(w: Writer, node: Node, x: str, spec: Sequence[Any], operands: Sequence[str]) -> str:
    """Slices, numbers and new axes: the slices first, then the numbers from behind, then the new axes."""
    remaining = iter(operands)
    axis, bounds, numbers, kept, new = 0, [], [], 0, []

    def bound(part: Any) -> Any:
        return w.reshape(w.cast(next(remaining), dtypes.int64), 1) if part == OPERAND else part

    for entry in spec:
        if entry is None:
            new.append(kept)
            kept += 1
        elif isinstance(entry, tuple):
            if entry[2] == OPERAND:
                raise NoForm("the step of a slice is a number that only the run knows")
            bounds.append((axis, bound(entry[0]), bound(entry[1]), entry[2] or 1))
            axis, kept = axis + 1, kept + 1
        else:
            numbers.append((axis, next(remaining) if entry == OPERAND else w.constant(entry, np.int64)))
            axis += 1
    bounds = [each for each in bounds if each[1:] not in ((None, None, 1), (0, None, 1))]
    x = cut(w, x, bounds)
    for at, name in reversed(numbers):
        x = w.add("Gather", x, w.cast(name, dtypes.int64), axis=at)
    return w.add("Unsqueeze", x, w.ints(*new)) if new else x


def index(w: Writer, node: Node, x: str, *operands: str, spec: Sequence[Any]) -> Any:
    source, tensors = node.inputs[0], node.inputs[1:]
    if _mask(spec, tensors):
        rows = _rows(w, x, source, tensors[0].type.rank)
        return w.add("Compress", rows, w.reshape(operands[0], -1), axis=0)
    bounds = sum(entry.count(OPERAND) for entry in spec if isinstance(entry, tuple))
    advanced = any(operand.type.rank for operand in tensors) and bounds < len(tensors)
    if not advanced and True not in [entry is True for entry in spec]:
        return _basic(w, node, x, spec, operands)
    positions, axes = _positions(w, source, spec, list(zip(operands, tensors, strict=True)))
    return w.add("Gather", _rows(w, x, source, axes), positions, axis=0)


def written(reduction: str) -> Rule:
    def rule(w: Writer, node: Node, x: str, value: str, *operands: str, spec: Sequence[Any]) -> Any:
        source, given, tensors = node.inputs[0], node.inputs[1], node.inputs[2:]
        if _mask(spec, tensors):
            axes = tensors[0].type.rank
            if not given.type.rank and reduction == "none":
                rest = source.type.rank - axes
                mask = w.add("Unsqueeze", operands[0], w.ints(*range(-rest, 0))) if rest else operands[0]
                return w.add("Where", mask, value, x)
            positions = w.reshape(w.add("NonZero", w.reshape(operands[0], -1)), -1)
            shape = w.add("Shape", positions)
            if source.type.rank > axes:
                shape = w.add("Concat", shape, w.add("Shape", x, start=axes), axis=0)
        elif not any(operand.type.rank for operand in tensors) and any(
            OPERAND in each for each in spec if isinstance(each, tuple)
        ):
            every = np.arange(elements(w.static(source))).reshape(w.static(source))
            positions = _basic(w, node, w.constant(every, np.int64), spec, operands)
            axes, shape = source.type.rank, w.add("Shape", positions)
        else:
            positions, axes = _positions(w, source, spec, list(zip(operands, tensors, strict=True)))
            region = infer_region(source.type.shape, [operand.type for operand in tensors], tuple(spec))
            if None in region:
                raise NoForm("its operators need to know how many elements are written")
            shape = w.ints(*[size or 0 for size in region])
        return _scattered(w, node, _rows(w, x, source, axes), positions, w.add("Expand", value, shape), reduction)

    return rule


def _scattered(w: Writer, node: Node, rows: str, positions: str, value: str, reduction: str) -> Any:
    """Rows with values written or added at positions, in the shape of the node's output."""
    kept = None if reduction == "none" else reduction
    indices = w.add("Unsqueeze", positions, w.ints(-1))
    found = w.add("ScatterND", rows, indices, value, reduction=kept)
    type = node.output.type
    return w.reshape(found, *type.static_shape) if type.is_static else _unrolled(w, node, found)


def _unrolled(w: Writer, node: Node, found: str) -> Any:
    return w.add("Reshape", found, w.add("Shape", w.name(node.inputs[0])), allowzero=1)


def take(w: Writer, node: Node, x: str, indices: str, *, axis: int) -> Any:
    return w.add("Gather", x, _wide(w, node.inputs[1], indices), axis=axis)


def _wide(w: Writer, operand: Operand, indices: str) -> str:
    """Indices of a dtype that ONNX takes."""
    return indices if operand.type.dtype in (dtypes.int32, dtypes.int64) else w.cast(indices, dtypes.int64)


def blocks(w: Writer, node: Node, x: str, *, axis: int, size: int, step: int) -> Any:
    count, rank = w.static(node.output)[0], node.output.type.rank
    found = w.add("Gather", x, w.constant(step * np.arange(count)[:, None] + np.arange(size), np.int64), axis=axis)
    return w.add("Transpose", found, perm=[axis, *range(axis), *range(axis + 1, rank)])


def take_add(w: Writer, node: Node, x: str, indices: str, value: str, *, axis: int) -> Any:
    source, where = node.inputs[:2]
    rank, inner = source.type.rank, where.type.rank
    shape = [*source.type.shape[:axis], *where.type.shape, *source.type.shape[axis + 1 :]]
    if None in shape:
        raise NoForm("its operators need the sizes of what is added")
    value = w.add("Expand", value, w.ints(*[size or 0 for size in shape]))
    indices = w.cast(indices, dtypes.int64)
    if axis:
        x = w.add("Transpose", x, perm=[axis, *range(axis), *range(axis + 1, rank)])
        own = [*range(axis, axis + inner)]
        others = [each for each in range(len(shape)) if each not in own]
        value = w.add("Transpose", value, perm=[*own, *others])
    found = w.add("ScatterND", x, w.add("Unsqueeze", indices, w.ints(-1)), value, reduction="add")
    return w.add("Transpose", found, perm=[*range(1, axis + 1), 0, *range(axis + 1, rank)]) if axis else found


def gathered(w: Writer, node: Node, x: str, indices: str, *, axis: int) -> Any:
    return w.add("GatherElements", x, _wide(w, node.inputs[1], indices), axis=axis)


def take_along_add(w: Writer, node: Node, x: str, indices: str, value: str, *, axis: int) -> Any:
    value = w.add("Expand", value, w.sizes(indices, node.inputs[1].type))
    return w.add("ScatterElements", x, _wide(w, node.inputs[1], indices), value, axis=axis, reduction="add")


def run_sums(w: Writer, node: Node, x: str, positions: str, *, axis: int) -> Any:
    """Each run begins at its position."""
    zeros = w.add("Expand", w.constant(0, node.output.type.dtype.np), w.sizes(x, node.inputs[0].type))
    return w.add("ScatterElements", zeros, _wide(w, node.inputs[1], positions), x, axis=axis, reduction="add")


def scatter_elements(w: Writer, node: Node, x: str, indices: str, value: str, *, axis: int, reduction: str) -> Any:
    kind = REDUCTIONS[reduction]
    value = w.add("Expand", value, w.sizes(indices, node.inputs[1].type))
    return w.add("ScatterElements", x, _wide(w, node.inputs[1], indices), value, axis=axis, reduction=kind)


def gather_nd(w: Writer, node: Node, x: str, indices: str) -> Any:
    return w.add("GatherND", x, w.cast(indices, dtypes.int64))


def scatter_nd(w: Writer, node: Node, x: str, indices: str, value: str, *, reduction: str) -> Any:
    depth = w.static(node.inputs[1])[-1]
    shape = [*w.static(node.inputs[1])[:-1], *w.static(node.inputs[0])[depth:]]
    value = w.add("Expand", value, w.ints(*shape))
    return w.add("ScatterND", x, w.cast(indices, dtypes.int64), value, reduction=REDUCTIONS[reduction])


def one_hot(w: Writer, node: Node, indices: str, on: str, off: str, *, depth: int, axis: int) -> Any:
    rank = node.output.type.rank
    axis %= rank
    numbers = np.arange(depth).reshape([depth if each == axis else 1 for each in range(rank)])
    wide = w.add("Unsqueeze", w.cast(indices, dtypes.int64), w.ints(axis))
    return w.add("Where", w.add("Equal", wide, w.constant(numbers, np.int64)), on, off)


def class_indices(w: Writer, node: Node, labels: str, *, classes: int, ignore: int | None, dtype: Any) -> Any:
    if ignore is not None:
        labels = w.cast(labels, dtypes.int64)
        ignored = w.add("Equal", labels, w.constant(ignore, np.int64))
        labels = w.add("Where", ignored, w.constant(-1, np.int64), labels)
    return w.cast(labels, dtype)


def segment_places(w: Writer, node: Node, ids: str, *, count: int) -> Any:
    ids = w.cast(ids, dtypes.int64)
    negative = w.add("Less", ids, w.constant(0, np.int64))
    return w.cast(w.add("Where", negative, w.constant(count, np.int64), ids), node.output.type.dtype)


def _starts(w: Writer, node: Node, starts: Sequence[str]) -> list[str]:
    """Where a block begins along each axis, from 0 on, as vectors of one."""
    found = []
    for axis, name in enumerate(starts):
        start = w.reshape(w.cast(name, dtypes.int64), 1)
        begin = w.add("Add", start, w.size(w.name(node.inputs[0]), axis))
        found.append(str(w.add("Where", w.add("Less", start, w.ints(0)), begin, start)))
    return found


def dynamic_slice(w: Writer, node: Node, x: str, *starts: str, sizes: tuple[int, ...]) -> Any:
    bounds = [
        (axis, begin, w.add("Add", begin, w.ints(size)), 1)
        for axis, (begin, size) in enumerate(zip(_starts(w, node, starts), sizes, strict=True))
    ]
    return cut(w, x, bounds)


def dynamic_update_slice(w: Writer, node: Node, x: str, value: str, *starts: str) -> Any:
    shape, sizes = w.static(node.inputs[0]), w.static(node.inputs[1])
    block = np.arange(elements(shape)).reshape(shape)[tuple(slice(size) for size in sizes)]
    positions = w.constant(block.ravel(), np.int64)
    for axis, begin in enumerate(_starts(w, node, starts)):
        positions = w.add("Add", positions, w.add("Mul", begin, w.ints(elements(shape[axis + 1 :]))))
    return _flat_update(w, x, positions, w.reshape(value, -1), shape)


def _flat_update(w: Writer, x: str, positions: str, value: str, shape: tuple[int, ...]) -> Any:
    return w.reshape(w.add("ScatterElements", w.reshape(x, -1), positions, value, axis=0), *shape)


def update_where(w: Writer, node: Node, x: str, value: str, **attributes: Any) -> Any:
    """The rule of updates at positions known now: the result of the reading kernel for all positions."""
    shape = w.static(node.inputs[0])
    every = np.arange(elements(shape)).reshape(shape)
    if "start" in attributes:
        positions = every[tuple(map(slice, attributes["start"], attributes["stop"], attributes["step"]))]
    else:
        positions = np.diagonal(every, attributes["offset"], attributes["axis1"], attributes["axis2"])
    value = w.reshape(w.add("Expand", value, w.ints(*positions.shape)), -1)
    return _flat_update(w, x, w.constant(positions.ravel(), np.int64), value, shape)


def bincount(w: Writer, node: Node, x: str, *weights: str, length: int) -> Any:
    """As long as the largest number asks for."""
    numbers = w.cast(x, dtypes.int64)
    largest = w.add("ReduceMax", w.add("Concat", numbers, w.ints(length - 1), axis=0), w.ints(0), keepdims=1)
    size = w.add("Add", largest, w.ints(1))
    zeros = w.add("Expand", w.constant(0, node.output.type.dtype.np), size)
    one = weights[0] if weights else w.add("Expand", w.constant(1, np.int64), w.add("Shape", numbers))
    return w.add("ScatterElements", zeros, numbers, one, axis=0, reduction="add")


RULES: dict[str, Rule] = {
    "index": index, "index_update": written("none"), "index_add": written("add"), "take": take, "take_add": take_add,
    "take_along": gathered, "gather_elements": gathered, "take_along_add": take_along_add,
    "run_sums": run_sums,
    "scatter_elements": scatter_elements, "gather_nd": gather_nd, "scatter_nd": scatter_nd, "one_hot": one_hot,
    "class_indices": class_indices, "segment_places": segment_places,
    "blocks": blocks, "dynamic_slice": dynamic_slice, "dynamic_update_slice": dynamic_update_slice,
    "update_slice": update_where, "diagonal_scatter": update_where, "bincount": bincount,
}  # fmt: skip
