"""Rules for what moves as a whole, so that kernels read it where it lies: rolls, reversals and concatenations.

Two slices that change places become a roll. A roll or reversal of what is computed cheaply from parameters is computed
from theirs. `windows.py` applies the rules.
"""

from __future__ import annotations

import numpy as np

from .. import ops
from ..ir.graph import Graph, Node
from ..ir.op import Op
from ..ir.values import Literal, Operand
from ..kernels import eligible
from .paddings import scale_of
from .rewriter import Rewriter, Rules, reads, reads_only

RULES = Rules()

MOST_MOVES = 2  # of one value by one op: each computes it again
MOST_TERMS = 8  # nodes that compute this value


@RULES.for_op(ops.roll, ops.reverse, begins=True)
@reads(ops.negative, ops.multiply)
def _moved_scale(rewriter: Rewriter, node: Node) -> Operand | None:
    """A scaled value, rolled or reversed, is the moved value, scaled: several factors of one value then read the same
    one, and none of them is stored."""
    operand, scales = node.inputs[0], []
    while node.op is ops.roll or rewriter.used_once(operand):
        made = rewriter.producer(operand)
        found = scale_of(made)
        if made is None or found is None:
            break
        scales.append(made)
        operand = found[0]
    if not scales:
        return None
    moved = rewriter.make(node.op, [operand], **node.attrs)
    for made in reversed(scales):
        moved = rewriter.make(made.op, [part if isinstance(part, Literal) else moved for part in made.inputs])
    return moved


@RULES.for_op(ops.roll, ops.reverse)
def _moved_terms(rewriter: Rewriter, node: Node) -> Operand | None:
    """A roll or reversal of what follows cheaply from values that come from outside, as states of a loop do, is made
    from their rolls or reversals: the kernel that reads it then computes it, and it is not stored."""
    if not node.output.type.is_static or _moves(rewriter.graph, node.inputs[0], node.op) > MOST_MOVES:
        return None
    moved: dict[Operand, Operand] = {}
    terms: dict[Operand, Node] = {}
    shape = node.output.type.shape
    pending = [node.inputs[0]]
    while pending:
        operand = pending.pop()
        made = rewriter.producer(operand)
        if operand.type.shape != shape:
            if not (isinstance(operand, Literal) or _is_constant_along(operand, node)):
                return None
            moved[operand] = operand
        elif made is None and operand.type == node.output.type:
            moved[operand] = node.output
        elif made is None or not made.op.cheap or made.op.kind != "elementwise" or len(terms) == MOST_TERMS:
            return None
        elif operand not in terms:
            terms[operand] = made
            pending += made.inputs

    def value(operand: Operand) -> Operand:
        if moved.get(operand) is node.output:
            moved[operand] = rewriter.make(node.op, [operand], **node.attrs)
        elif operand not in moved:
            made = terms[operand]
            moved[operand] = rewriter.make(made.op, [value(part) for part in made.inputs], **made.attrs)
        return moved[operand]

    return value(node.inputs[0]) if terms else None


def _is_constant_along(operand: Operand, node: Node) -> bool:
    """Whether a smaller value has the same elements along all axes that a roll or reversal moves."""
    rank = node.output.type.rank
    moved = {axis % rank - rank for axis in node.attrs.get("axes") or node.attrs.get("axis", ())}
    shape = operand.type.shape
    return len(shape) <= rank and all(len(shape) < -axis or shape[axis] == 1 for axis in moved)


@RULES.for_op(ops.roll)
@reads(ops.roll)
def _rolled_again(rewriter: Rewriter, node: Node) -> Operand | None:
    """A roll of a roll is one roll."""
    inner = rewriter.producer(node.inputs[0], ops.roll)
    if inner is None:
        return None
    attrs = {name: (*inner.attrs[name], *node.attrs[name]) for name in ("shift", "axis")}
    return rewriter.make(ops.roll, inner.inputs, **attrs)


def _moves(graph: Graph, operand: Operand, op: Op) -> int:
    """How many nodes of an op that moves elements read a value, scaled or not."""
    count = 0
    for reader in graph.readers.get(operand, ()):
        if reader is not None and reader.op is op:
            count += 1
        elif (scaled := scale_of(reader)) is not None and reader is not None and scaled[0] is operand:
            count += _moves(graph, reader.output, op)
    return count


@RULES.for_op(ops.concatenate)
@reads_only(ops.slice)
def _rotation(rewriter: Rewriter, node: Node) -> Operand | None:
    """The end of a tensor followed by its beginning is the tensor, rolled."""
    axis = node.attrs["axis"]
    found = [rewriter.producer(operand, ops.slice) for operand in node.inputs]
    parts = [part for part in found if part is not None]
    if len(found) != 2 or len(parts) != 2 or parts[0].inputs[0] is not parts[1].inputs[0]:
        return None
    x = parts[0].inputs[0]
    if x.type != node.output.type or not x.type.is_static:
        return None
    size, cuts = x.type.static_shape[axis], []
    for part in parts:
        bounds = zip(part.attrs["start"], part.attrs["stop"], part.attrs["step"], x.type.static_shape, strict=True)
        for position, (start, stop, step, extent) in enumerate(bounds):
            cut = slice(start, stop, step).indices(extent)
            if position == axis:
                cuts.append(cut)
            elif cut != (0, extent, 1):
                return None
    (first, end, one), (begin, last, other) = cuts
    if (end, begin, one, other) != (size, 0, 1, 1) or last != first:
        return None
    return rewriter.make(ops.roll, [x], shift=(size - first,), axis=(axis,))


@RULES.for_op(ops.concatenate)
@reads(ops.negative, ops.multiply)
def _scaled_parts(rewriter: Rewriter, node: Node) -> Operand | None:
    """Parts of which some are only negated or scaled are joined as they are, and each is scaled where it is read."""
    out, axis = node.output.type, node.attrs["axis"]
    if not (out.is_static and out.dtype.is_float) or eligible.lane_bytes(node) is None:
        return None
    parts, factors = [], []
    for part in node.inputs:
        found = scale_of(rewriter.producer(part)) if rewriter.used_once(part) else None
        operand, factor = found or (part, 1.0)
        parts.append(operand)
        factors += [factor] * part.type.static_shape[axis]
    if parts == list(node.inputs):
        return None
    shape = [len(factors) if place == axis else 1 for place in range(out.rank)]
    scale = rewriter.make(ops.constant, [], value=np.reshape(np.array(factors, out.dtype.np), shape))
    return rewriter.make(ops.multiply, [rewriter.make(ops.concatenate, parts, axis=axis), scale])
