"""Scalar replacement of assigned elements: a slice of a tensor that was just assigned to is taken from the assigned
value, or from the tensor before.

    %y: f32[4] = index_update(%x, %a, spec=(0,))       %s: f32[1] = slice(%x, 2, 3)
    %s: f32[1] = slice(%y, 2, 3)
    %z: f32[4] = index_update(%y, %b, spec=(1,))       %z: f32[4] = concatenate(%a, %b, slice(%x, 2, 4))

A tensor that a loop fills row by row, and its gradient that the backward takes apart, are never copied.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...runtime.dtypes import int32, int64
from .. import ops
from ..ir.graph import Node
from ..ir.values import Literal, Operand
from .rewriter import Rewriter, Rules, reads, reads_first

RULES = Rules()

MOST_PARTS = 64  # of a concatenation that assignments make
LARGE_BOX = 4  # one that is at least a fourth of its tensor is no small one

Bounds = list[tuple[int, int, int]]


@RULES.for_op(ops.index)
def index_is_slice(rewriter: Rewriter, node: Node) -> Operand | None:
    """Elements at known positions are a slice."""
    bounds = _bounds(node)
    if bounds is None or any(start == stop for start, stop, _ in bounds):
        return None
    part = _slice(rewriter, node.inputs[0], bounds)
    return rewriter.make(ops.reshape, [part], shape=node.output.type.static_shape)


@RULES.for_op(ops.take)
@reads(ops.constant)
def rows_apart_are_slice(rewriter: Rewriter, node: Node) -> Operand | None:
    """Rows at known positions that lie equally far apart are a slice."""
    x, axis, made = node.inputs[0], node.attrs["axis"], rewriter.producer(node.inputs[1], ops.constant)
    places = [] if made is None or made.output.type.rank != 1 or not x.type.is_static else made.attrs["value"]
    if len(places) < 2:
        return None
    first, last, step = int(places[0]), int(places[-1]), int(places[1]) - int(places[0])
    if step < 1 or not 0 <= first <= last < x.type.static_shape[axis] or (np.diff(places) != step).any():
        return None
    bounds: Bounds = [(0, size, 1) for size in x.type.static_shape]
    bounds[axis] = (first, last + 1, step)
    return _slice(rewriter, x, bounds)


@RULES.for_op(ops.index_last)
@RULES.for_op(ops.scatter_elements_last)
def distinct_stay(rewriter: Rewriter, node: Node) -> Operand | None:
    """All that is assigned at positions that are all different stays: at those of a sort or of the greatest."""
    positions, out = node.inputs[-1], node.output.type
    made = rewriter.producer(positions)
    if made is not None and made.op is ops.cast and positions.type.dtype in (int32, int64):  # narrower ones wrap around
        positions = made.inputs[0]
        made = rewriter.producer(positions)
    if made is None or not made.op.distinct or positions is not made.outputs[-1] or not out.is_static:
        return None
    axis = node.attrs.get("axis")
    along = positions.type.rank == 1 if axis is None else axis == made.attrs["axis"]
    if len(node.inputs) != 2 or not along:
        return None
    return rewriter.make(ops.full, [], shape=out.static_shape, value=1, dtype=out.dtype)


@RULES.for_op(ops.argsort)
def ranks(rewriter: Rewriter, node: Node) -> Operand | None:
    """The order of an order is its inverse: each position gets its place.

    A scatter takes a tenth of the time of a sort.
    """
    (positions,), axis, dtype = node.inputs, node.attrs["axis"], node.attrs["dtype"]
    made = rewriter.producer(positions)
    if made is None or not made.op.distinct or positions is not made.outputs[-1] or node.attrs["descending"]:
        return None
    type = node.output.type
    whole = made.attrs["axis"] == axis and made.inputs[0].type.shape == type.shape  # not of the greatest alone
    if not whole or not type.is_static or not type.size or dtype not in (int32, int64):
        return None
    size = type.static_shape[axis]
    places = rewriter.make(ops.iota, [], start=0, step=1, size=size, dtype=dtype)
    upright = rewriter.make(ops.reshape, [places], shape=(size, *(1,) * (type.rank - axis - 1)))
    spread = rewriter.make(ops.broadcast_to, [upright], shape=type.static_shape)
    zeros = rewriter.make(ops.full, [], shape=type.static_shape, value=0, dtype=dtype)
    return rewriter.make(ops.take_along_add, [zeros, positions, spread], axis=axis)


@RULES.for_op(ops.slice)
@reads(ops.index_update)
def slice_of_assigned(rewriter: Rewriter, node: Node) -> Operand | None:
    """A slice beside the elements that are assigned is one of the tensor before; one of just these is the value."""
    update = rewriter.producer(node.inputs[0], ops.index_update)
    assigned = _bounds(update) if update is not None else None
    if update is None or assigned is None:
        return None
    parts = zip(*(node.attrs[name] for name in ("start", "stop", "step")), update.output.type.static_shape, strict=True)
    taken = [(*slice(start, stop, step).indices(size)[:2], step) for start, stop, step, size in parts]
    if taken == assigned:
        return _fitted(rewriter, update.inputs[1], _indexed(update), [len(range(*part)) for part in taken])
    if any(min(step, other[2]) < 1 or start >= other[1] or stop <= other[0]
           for (start, stop, step), other in zip(taken, assigned, strict=True)):  # fmt: skip
        apart = all(min(step, other[2]) > 0 for (_, _, step), other in zip(taken, assigned, strict=True))
        return rewriter.make(ops.slice, [update.inputs[0]], **node.attrs) if apart else None
    return None


@RULES.for_op(ops.index_update)
def assigned_is_joined(rewriter: Rewriter, node: Node) -> Operand | None:
    """Rows that are assigned, in a tensor that nothing else reads, stand between the rows before and after them."""
    x, value = node.inputs[:2]
    bounds = _bounds(node)
    if bounds is None or not rewriter.used_once(x) or not value.type.is_static:
        return None
    shape = x.type.static_shape
    (start, stop, step), others = bounds[0], bounds[1:]
    if step != 1 or start >= stop or others != [(0, size, 1) for size in shape[1:]]:
        return None
    joined = rewriter.producer(x, ops.concatenate)
    parts: Sequence[Operand] = joined.inputs if joined is not None and joined.attrs["axis"] == 0 else (x,)
    rows = _fitted(rewriter, value, _indexed(node), [stop - start, *shape[1:]])
    found: list[Operand] = []
    first, placed = 0, False
    for part in parts:
        size = part.type.static_shape[0]
        if first < start:
            found += _rows(rewriter, part, 0, min(size, start - first))
        if not placed and first + size >= stop:
            found.append(rows)
            placed = True
        if first + size > stop:
            found += _rows(rewriter, part, max(0, stop - first), size)
        first += size
    if len(found) > MOST_PARTS:
        return None
    return found[0] if len(found) == 1 else rewriter.make(ops.concatenate, found, axis=0)


@RULES.for_op(ops.index_update)
@reads_first(ops.full)
def small_box_is_padded(rewriter: Rewriter, node: Node) -> Operand | None:
    """A small box that is assigned where all is one number is padded with this: no tensor of the number is copied."""
    bounds, made = _bounds(node), rewriter.producer(node.inputs[0], ops.full)
    if bounds is None or made is None or not node.inputs[1].type.is_static:
        return None
    starts, stops, steps = zip(*bounds, strict=True)
    region, shape = [stop - start for start, stop, _ in bounds], made.output.type.static_shape
    if set(steps) != {1} or not 0 < math.prod(region) * LARGE_BOX < math.prod(shape):
        return None
    part = _fitted(rewriter, node.inputs[1], _indexed(node), region)
    high = tuple(size - stop for size, stop in zip(shape, stops, strict=True))
    return rewriter.make(ops.pad, [part], low=starts, high=high, value=made.attrs["value"])


def _bounds(node: Node) -> Bounds | None:
    """Along each axis the first element that an index selects, the end, and the step; None if only the run knows."""
    x, spec = node.inputs[0], node.attrs["spec"]
    if isinstance(x, Literal) or not x.type.is_static or not x.type.size or len(spec) > x.type.rank:
        return None
    found: Bounds = []
    for entry, size in zip((*spec, *[(None, None, 1)] * (x.type.rank - len(spec))), x.type.static_shape, strict=True):
        if type(entry) is int:
            found.append((entry % size, entry % size + 1, 1))
        elif isinstance(entry, tuple) and all(part is None or type(part) is int for part in entry):
            start, stop, step = slice(*entry).indices(size)
            if step < 1:
                return None
            found.append((start, max(start, stop), step))
        else:
            return None
    return found


def _indexed(node: Node) -> list[int]:
    """The axes of which an index selects one element."""
    return [axis for axis, entry in enumerate(node.attrs["spec"]) if type(entry) is int]


def _fitted(rewriter: Rewriter, value: Operand, indexed: Sequence[int], shape: Sequence[int]) -> Operand:
    """What is assigned, in the shape of the elements that it goes to; `indexed`: axes that the value does not have."""
    region = tuple(size for axis, size in enumerate(shape) if axis not in indexed)
    if isinstance(value, Literal):
        return rewriter.make(ops.full, (), shape=tuple(shape), value=value.value, dtype=value.type.dtype)
    if value.type.shape != region:
        value = rewriter.make(ops.broadcast_to, [value], shape=region)
    return rewriter.make(ops.reshape, [value], shape=tuple(shape))


def _rows(rewriter: Rewriter, part: Operand, start: int, stop: int) -> list[Operand]:
    """Some rows of a part, if there are any."""
    shape = part.type.static_shape
    if start >= stop:
        return []
    return [
        part
        if stop - start == shape[0]
        else _slice(rewriter, part, [(start, stop, 1), *((0, n, 1) for n in shape[1:])])
    ]


def _slice(rewriter: Rewriter, x: Operand, bounds: Bounds) -> Operand:
    attrs: dict[str, Any] = dict(zip(("start", "stop", "step"), zip(*bounds, strict=True), strict=True))
    return rewriter.make(ops.slice, [x], **attrs)
