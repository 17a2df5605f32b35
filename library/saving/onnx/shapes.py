"""Ops that make tensors, and that change their shapes or the order of their elements."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from ....compiler.ir.graph import Node
from ....compiler.ir.types import TensorType
from ....runtime import dtypes
from .writer import NoForm, Rule, Writer, elements

LOWEST, HIGHEST = -sys.maxsize - 1, sys.maxsize


def constant(w: Writer, node: Node, *, value: np.ndarray) -> str:
    return w.constant(value)


def filled(w: Writer, shape: str, type: TensorType, value: Any) -> Any:
    """A tensor of one value in a shape that a vector says."""
    if type.dtype.is_bool:
        return w.add("Expand", w.constant(bool(value)), shape)
    array = np.full(1, value, type.dtype.np)
    return w.add("ConstantOfShape", shape, value=w.onnx.numpy_helper.from_array(array))


def full(w: Writer, node: Node, *, shape: tuple[int, ...], value: Any, dtype: Any) -> Any:
    return filled(w, w.ints(*shape), node.output.type, value) if shape else w.constant(value, dtype.np)


def undefined(w: Writer, node: Node, *, shape: tuple[int | None, ...], dtype: Any) -> Any:
    return filled(w, w.ints(*(size or 0 for size in shape)), node.output.type, 0)


def open_full(w: Writer, node: Node, *sizes: str, shape: tuple[int | None, ...], value: Any, dtype: Any) -> Any:
    given = iter(sizes)
    parts = [w.reshape(next(given), 1) if size is None else w.ints(size) for size in shape]
    return filled(w, w.add("Concat", *parts, axis=0), node.output.type, value)


def iota(w: Writer, node: Node, *, start: Any, step: Any, size: int, dtype: Any) -> Any:
    return w.constant((np.arange(size) * step + start).astype(dtype.np))


def open_iota(w: Writer, node: Node, size: str) -> Any:
    return w.add("Range", w.constant(0, np.int64), size, w.constant(1, np.int64))


def zeros_like(w: Writer, node: Node, x: str) -> Any:
    return filled(w, w.sizes(x, node.inputs[0].type), node.output.type, 0)


def extent(w: Writer, node: Node, x: str, *, axis: int) -> Any:
    return w.add("Squeeze", w.size(x, axis), w.ints(0))


def reshape(w: Writer, node: Node, x: str, *, shape: tuple[int, ...]) -> Any:
    return w.reshape(x, *shape)


def like(kind: str) -> Rule:
    """The rule of an op that brings x to the shape of another tensor."""

    def rule(w: Writer, node: Node, x: str, other: str) -> Any:
        return w.add(kind, x, w.sizes(other, node.inputs[1].type), allowzero=1 if kind == "Reshape" else None)

    return rule


def sum_like(w: Writer, node: Node, x: str, other: str) -> Any:
    """The axes to sum over are those of size one: which these are, the run knows."""
    given, wanted = (operand.type for operand in node.inputs)
    shape = w.sizes(other, wanted)
    lead = given.rank - wanted.rank
    whole = w.add("Concat", w.ints(*[1] * lead), shape, axis=0) if lead else shape
    axes = w.reshape(w.add("NonZero", w.add("Equal", whole, w.ints(1))), -1)
    return w.add("Reshape", w.add("ReduceSum", x, axes, keepdims=1, noop_with_empty_axes=1), shape, allowzero=1)


def expand_dims(w: Writer, node: Node, x: str, *, axes: tuple[int, ...]) -> Any:
    return w.add("Unsqueeze", x, w.ints(*axes))


def squeeze(w: Writer, node: Node, x: str, *, axes: tuple[int, ...]) -> Any:
    return w.add("Squeeze", x, w.ints(*axes))


def merge_axes(w: Writer, node: Node, x: str, *, start: int, stop: int) -> Any:
    parts = [w.ints(-1)]
    if start:
        parts.insert(0, w.add("Shape", x, start=0, end=start))
    if stop < node.inputs[0].type.rank:
        parts.append(w.add("Shape", x, start=stop))
    return w.add("Reshape", x, w.add("Concat", *parts, axis=0))


def broadcast_to(w: Writer, node: Node, x: str, *, shape: tuple[int, ...]) -> Any:
    return w.add("Expand", x, w.ints(*shape))


def transpose(w: Writer, node: Node, x: str, *, axes: tuple[int, ...]) -> Any:
    return w.add("Transpose", x, perm=list(axes))


def concatenate(w: Writer, node: Node, *parts: str, axis: int) -> Any:
    return w.add("Concat", *parts, axis=axis)


def cut(w: Writer, x: str, bounds: Sequence[tuple[int, Any, Any, int]]) -> Any:
    """Slices of some axes: axis, start, stop and step of each; a bound is a number, None, or the name of a vector."""
    if not bounds:
        return x

    def vector(items: list[Any]) -> str:
        if all(isinstance(item, int) for item in items):
            return w.ints(*items)
        parts = [w.ints(item) if isinstance(item, int) else item for item in items]
        return str(w.add("Concat", *parts, axis=0))

    starts = [(0 if step > 0 else HIGHEST) if low is None else low for _, low, _, step in bounds]
    stops = [(HIGHEST if step > 0 else LOWEST) if high is None else high for _, _, high, step in bounds]
    axes, steps = [axis for axis, *_ in bounds], [step for *_, step in bounds]
    return w.add("Slice", x, vector(starts), vector(stops), w.ints(*axes), w.ints(*steps))


def slice_(w: Writer, node: Node, x: str, *, start: Any, stop: Any, step: Any) -> Any:
    given = zip(start, stop, step, node.inputs[0].type.shape, strict=True)
    bounds = [
        (axis, low, high, by)
        for axis, (low, high, by, size) in enumerate(given)
        if not (by == 1 and low in (None, 0) and (high is None or (size is not None and high >= size)))
    ]
    return cut(w, x, bounds)


def reverse(w: Writer, node: Node, x: str, *, axes: tuple[int, ...]) -> Any:
    return cut(w, x, [(axis, None, None, -1) for axis in axes])


def pad(w: Writer, node: Node, x: str, *, low: Any, high: Any, value: Any) -> Any:
    return padded(w, node, x, low, high, value)


def padded(w: Writer, node: Node, x: str, low: Sequence[int], high: Sequence[int], value: Any = 0) -> Any:
    """x, of the dtype of the first input, with elements before and after; negative numbers crop."""
    return w.add("Pad", x, w.ints(*low, *high), w.like(node.inputs[0], value))


def shift(w: Writer, node: Node, x: str, *, axis: int, offset: int, fill: Any) -> Any:
    shape = w.static(node.inputs[0])
    size = shape[axis]
    if abs(offset) >= size:  # nothing is left, and onnxruntime before 1.24 does not fill all that it pads nothing to
        return w.add("Expand", w.like(node.inputs[0], fill), w.ints(*shape))
    low = [offset if position == axis else 0 for position in range(node.inputs[0].type.rank)]
    return padded(w, node, x, low, [-count for count in low], fill)


def triangle(upper: int) -> Rule:
    def rule(w: Writer, node: Node, x: str, *, k: int) -> Any:
        return w.add("Trilu", x, w.constant(k, np.int64), upper=upper)

    return rule


def moved(w: Writer, node: Node, x: str, **attributes: Any) -> Any:
    """The rule of ops that only say where each element goes: the elements at positions that the op's kernel gives."""
    shape = w.static(node.inputs[0])
    positions = node.op.kernel(np.arange(elements(shape)).reshape(shape), **attributes)
    return w.add("Gather", w.reshape(x, -1), w.constant(positions, np.int64))


def roll(w: Writer, node: Node, x: str, *, shift: tuple[int, ...], axis: tuple[int, ...]) -> Any:
    shape = node.inputs[0].type.shape
    for count, place in zip(shift, axis, strict=True):
        each = place % len(shape)
        size = shape[each]
        if size is None:
            raise NoForm(f"axis {each} of {node.inputs[0].type} has a size that only the run knows")
        begin = -count % size if size else 0
        if begin:
            x = w.add("Concat", cut(w, x, [(each, begin, None, 1)]), cut(w, x, [(each, 0, begin, 1)]), axis=each)
    return x


def pack(w: Writer, node: Node, *parts: str) -> Any:
    return w.add("Concat", *[w.reshape(part, -1) for part in parts], axis=0)


def unpack(w: Writer, node: Node, flat: str, *, shapes: Sequence[tuple[int, ...]]) -> tuple[str, ...]:
    found, begin = [], 0
    for shape in shapes:
        end = begin + elements(shape)
        found.append(w.reshape(cut(w, flat, [(0, begin, end, 1)]), *shape))
        begin = end
    return tuple(found)


def _begin(w: Writer, parts: Sequence[str], axis: int) -> str:
    """Where the last of these parts of a concatenation begins, as a vector of one."""
    begin = w.ints(0)
    for part in parts[:-1]:
        begin = w.add("Add", begin, w.size(part, axis))
    return begin


def part_like(w: Writer, node: Node, whole: str, *parts: str, axis: int) -> Any:
    begin = _begin(w, parts, axis)
    return cut(w, whole, [(axis, begin, w.add("Add", begin, w.size(parts[-1], axis)), 1)])


def pad_like(w: Writer, node: Node, x: str, whole: str, *parts: str, axis: int) -> Any:
    begin = _begin(w, parts, axis)
    rest = w.add("Sub", w.size(whole, axis), w.add("Add", begin, w.size(x, axis)))
    return w.add("Pad", x, w.add("Concat", begin, rest, axis=0), w.like(node.inputs[0], 0), w.ints(axis))


def sorted_by(node: Node, w: Writer, x: str, axis: int, largest: bool, k: str) -> Any:
    """Elements in order, and their positions."""
    if node.inputs[0].type.dtype.is_bool:
        raise NoForm("TopK takes numbers")
    return w.add("TopK", x, k, count=2, axis=axis, largest=int(largest), sorted=1)


def sort(w: Writer, node: Node, x: str, *, axis: int, descending: bool, dtype: Any) -> Any:
    values, positions = sorted_by(node, w, x, axis, descending, w.size(x, axis))
    return values, w.cast(positions, dtype)


def argsort(w: Writer, node: Node, x: str, *, axis: int, descending: bool, dtype: Any) -> Any:
    return sort(w, node, x, axis=axis, descending=descending, dtype=dtype)[1]


def ordered(w: Writer, node: Node, x: str, *, axis: int, descending: bool) -> Any:
    return sorted_by(node, w, x, axis, descending, w.size(x, axis))[0]


def topk(w: Writer, node: Node, x: str, *, k: int, axis: int, largest: bool, dtype: Any) -> Any:
    values, positions = sorted_by(node, w, x, axis, largest, w.ints(k))
    return values, w.cast(positions, dtype)


def searchsorted(w: Writer, node: Node, sequence: str, values: str, *, right: bool, dtype: Any) -> Any:
    """How many elements of the sequence are smaller (or equal); nan comes last."""
    before = w.add("Unsqueeze", sequence, w.ints(-2)) if node.inputs[0].type.rank > 1 else sequence
    column = w.add("Unsqueeze", values, w.ints(-1))
    found = w.add("LessOrEqual" if right else "Less", before, column)
    if node.inputs[1].type.dtype.is_float:
        last = w.add("IsNaN", column)
        last = last if right else w.add("And", last, w.add("Not", w.add("IsNaN", before)))
        found = w.add("Or", found, last)
    return w.cast(w.add("ReduceSum", w.cast(found, dtypes.int64), w.ints(-1), keepdims=0), dtype)


def unique(w: Writer, node: Node, x: str, *, sort: bool, dtype: Any) -> Any:
    dtype_in = node.inputs[0].type.dtype
    wide = x if dtype_in.is_float else w.cast(x, dtypes.int64)
    values, _, inverse, counts = w.add("Unique", wide, count=4, sorted=int(sort))
    values = values if dtype_in.is_float else w.cast(values, dtype_in)
    inverse = w.add("Reshape", inverse, w.sizes(x, node.inputs[0].type), allowzero=1)
    return values, w.cast(inverse, dtype), w.cast(counts, dtype)


def distinct(w: Writer, node: Node, x: str, *, sort: bool) -> Any:
    return unique(w, node, x, sort=sort, dtype=dtypes.int64)[0]


def nonzero(w: Writer, node: Node, x: str) -> Any:
    if not node.inputs[0].type.rank:
        found = w.add("Transpose", w.add("NonZero", w.reshape(x, 1)), perm=[1, 0])
        return w.add("Slice", found, w.ints(0), w.ints(0), w.ints(1))
    return w.add("Transpose", w.add("NonZero", x), perm=[1, 0])


RULES: dict[str, Rule] = {
    "constant": constant, "full": full, "undefined": undefined, "open_full": open_full, "iota": iota,
    "open_iota": open_iota, "zeros_like": zeros_like, "extent": extent, "reshape": reshape,
    "reshape_like": like("Reshape"), "broadcast_like": like("Expand"), "sum_like": sum_like,
    "expand_dims": expand_dims, "squeeze": squeeze, "merge_axes": merge_axes, "broadcast_to": broadcast_to,
    "transpose": transpose, "concatenate": concatenate, "slice": slice_, "reverse": reverse, "pad": pad,
    "shift": shift, "tril": triangle(0), "triu": triangle(1), "roll": roll, "diagonal": moved, "pack": pack,
    "unpack": unpack, "part_like": part_like, "pad_like": pad_like, "sort": sort, "ordered": ordered,
    "argsort": argsort, "topk": topk, "searchsorted": searchsorted, "unique": unique, "distinct": distinct,
    "nonzero": nonzero,
}  # fmt: skip
