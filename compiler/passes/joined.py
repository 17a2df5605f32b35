"""Scalar replacement of joined parts: what is cut out of a concatenation is computed from the part alone.

    %y: f32[2] = concatenate(%a, %b, axis=0)      %s: f32[1] = multiply(%b, 0.5)
    %t: f32[2] = multiply(%y, 0.5)
    %s: f32[1] = slice(%t, 1, 2)

So a state that is stacked from its coordinates and taken apart again, stage after stage, as in steps of Runge and
Kutta, is one kernel of scalars.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import ops
from ..ir.code import Reduction
from ..ir.graph import Node
from ..ir.values import Literal, Operand
from ..ops.places import COMBINATIONS
from .rewriter import Rewriter, Rules, reads

RULES = Rules()

FEW_JOINED = 4  # elements that are joined, as the coordinates of a point
MOST_COMBINED = 16  # those that are joined to be combined, as shifted rows of a window


@RULES.for_op(ops.slice)
@reads(ops.concatenate)
def part_of_joined(rewriter: Rewriter, node: Node) -> Operand | None:
    """A slice that lies in one part of a concatenation is a slice of that part."""
    joined = rewriter.producer(node.inputs[0], ops.concatenate)
    if joined is None or not all(x.type.is_static for x in (*joined.inputs, joined.output)):
        return None
    axis = joined.attrs["axis"]
    bounds = [list(node.attrs[name]) for name in ("start", "stop", "step")]
    first, last, step = (bound[axis] for bound in bounds)
    if first is None or last is None or step < 1:
        return None
    for part in joined.inputs:
        size = part.type.static_shape[axis]
        if first >= 0 and last <= size:
            bounds[0][axis], bounds[1][axis] = first, last
            start, stop, steps = map(tuple, bounds)
            return rewriter.make(ops.slice, [part], start=start, stop=stop, step=steps)
        first, last = first - size, last - size
    return None


@RULES.for_op(ops.slice)
@reads(ops.pad)
def part_of_padded(rewriter: Rewriter, node: Node) -> Operand | None:
    """An element along an axis that was padded with zeros is one of the part that was padded, or zero."""
    padded = rewriter.producer(node.inputs[0], ops.pad)
    axis = _padded_axis(padded)
    if padded is None or axis is None or node.output.type.shape[axis] != 1 or node.attrs["start"][axis] is None:
        return None
    (part,), first = padded.inputs, node.attrs["start"][axis] - padded.attrs["low"][axis]
    if not 0 <= first < part.type.static_shape[axis]:
        type = node.output.type
        return rewriter.make(ops.full, (), shape=type.static_shape, value=0, dtype=type.dtype)
    start, stop = list(node.attrs["start"]), list(node.attrs["stop"])
    start[axis], stop[axis] = first, first + 1
    return rewriter.make(ops.slice, [part], start=tuple(start), stop=tuple(stop), step=node.attrs["step"])


def _padded_axis(node: Node | None) -> int | None:
    """The only axis along which a node pads with zeros."""
    if node is None or node.op is not ops.pad or node.attrs["value"] != 0 or not node.output.type.is_static:
        return None
    low, high = node.attrs["low"], node.attrs["high"]
    axes = [axis for axis, pair in enumerate(zip(low, high, strict=True)) if pair != (0, 0)]
    return axes[0] if len(axes) == 1 and min(*low, *high) >= 0 else None


@RULES.for_kind("elementwise")
@reads(ops.concatenate)
def computed_of_parts(rewriter: Rewriter, node: Node) -> Operand | None:
    """What is computed from a concatenation of a few elements of each row is computed from these, and joined then.

    So the concatenation comes last, or nothing reads it.
    """
    type = node.output.type
    axes = {_joined_axis(rewriter, operand, type.rank) for operand in node.inputs} - {None}
    if len(axes) != 1 or not all(x.type.is_static for x in (*node.inputs, node.output)):
        return None
    (axis,) = axes
    assert axis is not None

    def part(operand: Operand, place: int) -> Operand:
        joined = rewriter.producer(operand, ops.concatenate)
        if joined is not None and _joined_axis(rewriter, operand, type.rank) == axis:
            return joined.inputs[place]
        return element(rewriter, operand, type.rank - axis, place)

    parts = [
        rewriter.make(node.op, [part(operand, place) for operand in node.inputs], **node.attrs)
        for place in range(type.static_shape[axis])
    ]
    return rewriter.make(ops.concatenate, parts, axis=axis)


@RULES.for_kind("reduction")
@reads(ops.concatenate)
def reduced_of_parts(rewriter: Rewriter, node: Node) -> Operand | None:
    """A reduction of a few elements that are joined combines these, or reduces each of them along other axes."""
    axis = _joined_axis(rewriter, node.inputs[0], node.inputs[0].type.rank, MOST_COMBINED)
    if axis is None or not reduces_parts(node, axis):
        return None
    if axis not in node.attrs["axis"] and node.inputs[0].type.static_shape[axis] > FEW_JOINED:
        return None
    return reduced(rewriter, node, axis, rewriter.producers[node.inputs[0]].inputs)


def reduces_parts(node: Node, axis: int) -> bool:
    """Whether a reduction can reduce the elements along an axis one by one."""
    if not isinstance(node.op.emit, Reduction) or node.output.type.dtype is not node.inputs[0].type.dtype:
        return False
    return axis not in node.attrs["axis"] or node.op.emit.ufunc in COMBINATIONS


def reduced(rewriter: Rewriter, node: Node, axis: int, parts: Sequence[Operand]) -> Operand:
    """The reduction of a value whose elements along an axis are these parts."""
    axes, type = node.attrs["axis"], node.output.type
    if axis not in axes:
        behind = axis if node.attrs["keepdims"] else axis - sum(other < axis for other in axes)
        found = [rewriter.make(node.op, [part], **node.attrs) for part in parts]
        return rewriter.make(ops.concatenate, found, axis=behind)
    if type.size == parts[0].type.size:  # along dimensions of size one only
        found = [rewriter.make(ops.reshape, [part], shape=type.static_shape) for part in parts]
    else:
        found = [rewriter.make(node.op, [part], **node.attrs) for part in parts]
    total = found[0]
    for each in found[1:]:
        total = rewriter.make(COMBINATIONS[node.op.emit.ufunc], [total, each])  # type: ignore[union-attr]
    return total


@RULES.for_op(ops.add)
@reads(ops.pad)
def sum_of_padded(rewriter: Rewriter, node: Node) -> Operand | None:
    """The sum of all elements of a short axis, each padded with zeros, is their concatenation: the gradient of what was
    taken apart."""
    parts: dict[int, Operand] = {}
    axes: set[int | None] = set()
    pending = list(node.inputs)
    while pending:
        each = rewriter.producer(pending.pop())
        if each is not None and each.op is ops.add:
            pending += each.inputs
            continue
        axis = _padded_axis(each)
        axes.add(axis)
        if each is None or axis is None or len(axes) > 1 or each.inputs[0].type.shape[axis] != 1:
            return None
        place = each.attrs["low"][axis]
        if place in parts or each.output.type.static_shape[axis] > FEW_JOINED:
            return None
        parts[place] = each.inputs[0]
    (axis,) = axes
    if axis is None or len(parts) < node.output.type.static_shape[axis]:
        return None
    return rewriter.make(ops.concatenate, [parts[place] for place in sorted(parts)], axis=axis)


def _joined_axis(rewriter: Rewriter, operand: Operand, rank: int, most: int = FEW_JOINED) -> int | None:
    """The axis along which single elements are joined to a value of this rank, if they are."""
    joined = rewriter.producer(operand, ops.concatenate)
    if joined is None or operand.type.rank != rank or not operand.type.is_static:
        return None
    axis = joined.attrs["axis"]
    few = 1 < len(joined.inputs) <= most
    return axis if few and all(x.type.is_static and x.type.shape[axis] == 1 for x in joined.inputs) else None


def element(rewriter: Rewriter, operand: Operand, behind: int, place: int) -> Operand:
    """One element of a value along the axis with so many behind its start; the value if it is the same for all."""
    shape, axis = operand.type.static_shape, operand.type.rank - behind
    if isinstance(operand, Literal) or axis < 0 or shape[axis] == 1:
        return operand
    start = tuple(place if other == axis else 0 for other in range(len(shape)))
    stop = tuple(place + 1 if other == axis else size for other, size in enumerate(shape))
    return rewriter.make(ops.slice, [operand], start=start, stop=stop, step=(1,) * len(shape))
