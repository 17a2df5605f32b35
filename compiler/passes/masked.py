"""If-conversion of masked elements: what is computed of the elements that a mask chooses is computed of all, and chosen
where it is assigned, added or summed.

    %v: f32[?] = index(%x, %m, spec=(OPERAND,))          %w: f32[4] = multiply(%x, 0.1)
    %w: f32[?] = multiply(%v, 0.1)                       %y: f32[4] = select(%m, %w, %x)
    %y: f32[4] = index_update(%x, %w, %m, spec=…)

So kernels have it, which know all sizes before the run. The choice leaves out what is nan or infinite of others.
"""

from __future__ import annotations

import math
from operator import contains

from ...runtime.dtypes import DType, int32, int64
from .. import ops
from ..ir.graph import Node
from ..ir.op import Op
from ..ir.types import Shape
from ..ir.values import Literal, Operand, literal
from ..ops.index_batching import OPERAND
from .rewriter import Rewriter, Rules

RULES = Rules()

DEEPEST = 60  # operations between the choice of elements and what reads them


@RULES.for_op(ops.index_update)
def assigned_is_chosen(rewriter: Rewriter, node: Node) -> Operand | None:
    """x[mask] = value."""
    return _chosen(rewriter, node, node.inputs[0])


@RULES.for_op(ops.index_add)
def added_is_chosen(rewriter: Rewriter, node: Node) -> Operand | None:
    """x[mask] += value."""
    x = node.inputs[0]
    chosen = _chosen(rewriter, node, literal(0, x.type.dtype))
    return None if chosen is None else rewriter.make(ops.add, [x, chosen])


@RULES.for_op(ops.extent)
def number_of_chosen(rewriter: Rewriter, node: Node) -> Operand | None:
    """x[mask].shape[0]."""
    whole = None if node.attrs["axis"] else _whole_of(rewriter, node.inputs[0])
    return None if whole is None else _number(rewriter, whole.mask, int64)


def _chosen(rewriter: Rewriter, node: Node, other: Operand) -> Operand | None:
    """What a node assigns to chosen elements, and another value elsewhere."""
    x, value, *operands = node.inputs
    if len(operands) > 1 or not _is_masked(node):
        return None
    (mask,), rank = operands, x.type.rank
    whole = _Whole(rewriter, mask).of(value, rank - mask.type.rank + 1)
    return None if whole is None else rewriter.make(ops.select, [_upright(rewriter, mask, rank), whole, other])


@RULES.for_op(ops.sum)
def sum_of_chosen(rewriter: Rewriter, node: Node) -> Operand | None:
    """x[mask].sum()."""
    (x,), (first, *others), out = node.inputs, node.attrs["axis"] or (-1,), node.output.type
    whole = None if first or not out.is_static else _whole_of(rewriter, x)
    found = None if whole is None else whole.of(x, x.type.rank)
    if whole is None or found is None:
        return None
    mask = whole.mask
    more = mask.type.rank - 1
    upright = _upright(rewriter, mask, x.type.rank + more)
    chosen = whole.spread(rewriter.make(ops.select, [upright, found, literal(0, out.dtype)]), x.type.shape)
    axes = (*range(more + 1), *[axis + more for axis in others])
    total = rewriter.make(ops.sum, [chosen], axis=axes, keepdims=False)
    return rewriter.make(ops.reshape, [total], shape=out.static_shape)


@RULES.for_op(ops.sum_like)
def sum_of_chosen_like(rewriter: Rewriter, node: Node) -> Operand | None:
    """Gradients by what was broadcast to chosen elements."""
    (x, like), out = node.inputs, node.output.type
    lead = x.type.rank - like.type.rank
    if not like.type.is_static or (not lead and like.type.shape[0] != 1) or _whole_of(rewriter, x) is None:
        return None
    same = zip(range(lead, x.type.rank), x.type.shape[lead:], like.type.static_shape, strict=True)
    axes = (*range(lead), *[axis for axis, size, kept in same if kept == 1 != size])
    total = rewriter.make(ops.sum, [x], axis=axes, keepdims=False)
    return rewriter.make(ops.reshape, [total], shape=out.static_shape)


@RULES.for_op(ops.mean)
def mean_of_chosen(rewriter: Rewriter, node: Node) -> Operand | None:
    """x[mask].mean()."""
    (x,), (first, *others), dtype = node.inputs, node.attrs["axis"] or (-1,), node.output.type.dtype
    whole = None if first or not dtype.is_float or dtype.is_half else _whole_of(rewriter, x)
    if whole is None:
        return None
    each = literal(math.prod(x.type.shape[axis] or 0 for axis in others), dtype)
    number = rewriter.make(ops.multiply, [_number(rewriter, whole.mask, int32, dtype), each])
    return rewriter.make(ops.divide, [rewriter.make(ops.sum, [x], **node.attrs), number])


def _number(rewriter: Rewriter, mask: Operand, *dtypes: DType) -> Operand:
    """How many elements a mask chooses, counted in the first dtype and cast to the last one."""
    ones = rewriter.make(ops.cast, [mask], dtype=dtypes[0])
    total = rewriter.make(ops.sum, [ones], axis=tuple(range(mask.type.rank)), keepdims=False)
    return rewriter.make(ops.cast, [total], dtype=dtypes[-1])


def _is_masked(node: Node) -> bool:
    """Whether a node reads or writes the elements, or rows, that one mask chooses."""
    x, mask, spec = node.inputs[0].type, node.inputs[-1].type, node.attrs["spec"]
    if spec[:1] != (OPERAND,) or not mask.dtype.is_bool or not (mask.is_static and mask.rank and x.is_static):
        return False
    behind = [((None, None, 1), (0, size, 1)) for size in x.static_shape[mask.rank :]]
    return len(spec) <= len(behind) + 1 and all(map(contains, behind, spec[1:]))


def _whole_of(rewriter: Rewriter, x: Operand) -> _Whole | None:
    """What finds a value of unknown size for all elements; None where it is not computed of those that a mask
    chooses."""
    operand = x
    while not operand.type.is_static:
        node = rewriter.producer(operand)
        if node is None:
            break
        if node.op is ops.index:
            whole = _Whole(rewriter, node.inputs[-1])
            return whole if _is_masked(node) and whole.of(x, x.type.rank) is not None else None
        operand = next((other for other in reversed(node.inputs) if not other.type.is_static), literal(0, int64))
    return None


def _upright(rewriter: Rewriter, mask: Operand, rank: int) -> Operand:
    """A mask with dimensions of one element behind its own."""
    more = rank - mask.type.rank
    return rewriter.make(ops.reshape, [mask], shape=(*mask.type.static_shape, *(1,) * more)) if more else mask


class _Whole:
    """What is computed of the elements that a mask chooses, computed of all elements."""

    def __init__(self, rewriter: Rewriter, mask: Operand) -> None:
        self.rewriter = rewriter
        self.mask = mask
        self.depth = 0

    def of(self, operand: Operand, rank: int) -> Operand | None:
        """A value of all elements in the place of one of so many dimensions, of which the first one is the chosen
        elements'; None where something else is computed with it. It may have to be broadcast."""
        type = operand.type
        if isinstance(operand, Literal):
            return operand
        if type.is_static:
            if type.rank < rank:
                return operand
            return self.make(ops.reshape, operand, shape=type.static_shape[1:]) if type.shape[0] == 1 else None
        if type.rank != rank or None in type.shape[1:]:
            return None
        known = self.rewriter.made
        key = operand, self.mask
        if key not in known and self.depth < DEEPEST:
            self.depth += 1
            known[key] = self.computed(operand, type.shape)
            self.depth -= 1
        return known.get(key)

    def computed(self, operand: Operand, shape: Shape) -> Operand | None:
        """`of` a value that a node computes."""
        node = self.rewriter.producer(operand)
        if node is None or len(node.outputs) > 1:
            return None
        if node.op is ops.index:
            x = node.inputs[0]
            return x if _is_masked(node) and node.inputs[-1] is self.mask and not isinstance(x, Literal) else None
        of_rows = node.op is ops.reshape or node.op.kind == "reduction"
        rank = node.inputs[0].type.rank if of_rows else len(shape)
        parts = [self.of(x, rank) for x in node.inputs]
        given = [part for part in parts if part is not None]
        if len(given) < len(parts):
            return None
        if node.op is ops.reshape:
            before, after = node.inputs[0].type.shape, (*self.mask.type.static_shape, *shape[1:])
            whole = self.spread(given[0], before)
            fits = whole.type.with_shape(after).size == whole.type.size
            return self.make(node.op, whole, shape=after) if fits else None
        if node.op is ops.sum_like:
            return given[0] if node.inputs[0].type.shape == node.inputs[1].type.shape else None
        if node.op is ops.broadcast_like:
            return self.spread(given[0], shape)
        if node.op is ops.zeros_like:
            return self.spread(literal(0, operand.type.dtype), shape)
        if node.op.kind == "reduction" and 0 not in node.attrs["axis"]:  # of each chosen row
            whole, more = self.spread(given[0], node.inputs[0].type.shape), self.mask.type.rank - 1
            attrs = {**node.attrs, "axis": tuple(axis + more for axis in node.attrs["axis"])}
            return self.make(node.op, whole, **attrs)
        return self.make(node.op, *given, **node.attrs) if node.op.kind == "elementwise" and node.op.native else None

    def spread(self, x: Operand, shape: Shape) -> Operand:
        """A value in the shape of all elements."""
        whole = (*self.mask.type.static_shape, *shape[1:])
        return x if x.type.shape == whole else self.make(ops.broadcast_to, x, shape=whole)

    def make(self, op: Op, *inputs: Operand, **attrs: object) -> Operand:
        """The value of a new node."""
        return self.rewriter.make(op, inputs, **attrs)
