"""Scalar replacement of joined parts: what is cut out of a concatenation is computed from the part alone.

    %y: f32[2] = concatenate(%a, %b, axis=0)      %s: f32[1] = multiply(%b, 0.5)
    %t: f32[2] = multiply(%y, 0.5)
    %s: f32[1] = slice(%t, 1, 2)

So a state that is stacked from its coordinates and taken apart again, stage after stage, as in steps of Runge and
Kutta, is one kernel of scalars.
"""

from __future__ import annotations

from .. import ops
from ..ir.graph import Node
from ..ir.values import Literal, Operand
from .rewriter import Rewriter, Rules, reads

RULES = Rules()

FEW_JOINED = 4  # elements that are joined, as the coordinates of a point
FEW = 8  # elements along an axis that are computed one by one
SMALL = 64  # elements of a value that may be computed twice, whatever it takes
MOST = 40  # nodes that are looked at


@RULES.for_op(ops.slice)
@reads(ops.concatenate)
def part_of_joined(rewriter: Rewriter, node: Node) -> Operand | None:
    """A slice that lies in one part of a concatenation is a slice of that part."""
    joined = rewriter.producer(node.inputs[0], ops.concatenate)
    if joined is None or not joined.output.type.is_static:
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


@RULES.for_op(ops.slice)
def element_of_joined(rewriter: Rewriter, node: Node) -> Operand | None:
    """An element of a short axis, of what is computed from a concatenation along it, is computed alone."""
    inner = rewriter.producer(node.inputs[0])
    if inner is None or inner.op.kind != "elementwise" or not inner.output.type.is_static:
        return None
    shape, taken = inner.output.type.static_shape, node.output.type.static_shape
    axes = [axis for axis, (before, after) in enumerate(zip(shape, taken, strict=True)) if before != after]
    if len(axes) != 1 or taken[axes[0]] != 1 or shape[axes[0]] > FEW or any(step != 1 for step in node.attrs["step"]):
        return None
    behind = len(shape) - axes[0]
    if not _is_joined(rewriter, node.inputs[0], behind):
        return None
    first = node.attrs["start"][axes[0]]
    elements = [_element(rewriter, operand, behind, first) for operand in inner.inputs]
    return rewriter.make(inner.op, elements, **inner.attrs)


@RULES.for_kind("elementwise")
@reads(ops.concatenate)
def computed_of_parts(rewriter: Rewriter, node: Node) -> Operand | None:
    """What is computed from a concatenation of a few elements of each row is computed from these, and joined then.

    So the concatenation comes last, or nothing reads it.
    """
    type = node.output.type
    axes = {_joined_axis(rewriter, operand, type.rank) for operand in node.inputs} - {None}
    if len(axes) != 1 or not type.is_static:
        return None
    (axis,) = axes
    assert axis is not None

    def element(operand: Operand, place: int) -> Operand:
        joined = rewriter.producer(operand, ops.concatenate)
        if joined is not None and _joined_axis(rewriter, operand, type.rank) == axis:
            return joined.inputs[place]
        return _element(rewriter, operand, type.rank - axis, place)

    parts = [
        rewriter.make(node.op, [element(operand, place) for operand in node.inputs], **node.attrs)
        for place in range(type.static_shape[axis])
    ]
    return rewriter.make(ops.concatenate, parts, axis=axis)


def _joined_axis(rewriter: Rewriter, operand: Operand, rank: int) -> int | None:
    """The axis along which single elements are joined to a value of this rank, if they are."""
    joined = rewriter.producer(operand, ops.concatenate)
    if joined is None or operand.type.rank != rank or not operand.type.is_static:
        return None
    axis = joined.attrs["axis"]
    few = 1 < len(joined.inputs) <= FEW_JOINED and joined.inputs[0].type.static_shape[axis] == 1
    return axis if few and len(joined.inputs) == operand.type.static_shape[axis] else None


def _element(rewriter: Rewriter, operand: Operand, behind: int, place: int) -> Operand:
    """One element of a value along the axis with so many behind its start; the value if it is the same for all."""
    shape, axis = operand.type.static_shape, operand.type.rank - behind
    if isinstance(operand, Literal) or axis < 0 or shape[axis] == 1:
        return operand
    start = tuple(place if other == axis else 0 for other in range(len(shape)))
    stop = tuple(place + 1 if other == axis else size for other, size in enumerate(shape))
    return rewriter.make(ops.slice, [operand], start=start, stop=stop, step=(1,) * len(shape))


def _is_joined(rewriter: Rewriter, operand: Operand, behind: int) -> bool:
    """Whether a value is computed, in few instructions, from a concatenation along the axis with so many behind its
    start."""
    pending, seen, found = [operand], set(), False
    while pending:
        value = pending.pop()
        node = rewriter.producer(value)
        if node is None or value in seen or value.type.rank < behind or not value.type.is_static:
            continue
        seen.add(value)
        if node.op is ops.concatenate or node.op is ops.pad:
            axis = node.attrs["axis"] if node.op is ops.concatenate else _padded_axis(node)
            found = found or axis == value.type.rank - behind
        elif node.op.kind == "elementwise":
            if len(seen) > MOST or not (node.op.cheap or value.type.size <= SMALL):
                return False
            pending += node.inputs
    return found
