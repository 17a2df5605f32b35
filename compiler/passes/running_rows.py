"""Running reductions along an axis with rows behind it, as loops over these rows: kernels carry a row from one to the
next, element by element.

    %y: f32[9, 40] = cumsum(%x, axis=0)      %last: f32[40], %y: f32[9, 40] = scan(9, %zeros, %x) {
                                                 %r: f32[40] = add(%before, %row)       return %r, %r
                                             }
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...runtime import dtypes
from ...runtime.native.language import RECURRENCE, SCAN, SIZES
from .. import ops
from ..ir.graph import Node
from ..ir.op import ACTIVE
from ..ir.types import TensorType
from ..ir.values import literal
from ..transforms.symbolic import Symbol


def definition_by_rows(node: Node) -> Callable[..., Any] | None:
    """The definition of a running reduction as a loop, of an exclusive one as the inclusive one, shifted, and of one
    before axes of size one as one without them; None for other nodes, and where rows do not suit a loop."""
    if not node.op.scan:
        return None
    type, axis = node.output.type, node.attrs["axis"]
    if not type.is_static or any(operand.type != type for operand in node.inputs) or type.dtype.is_bool:
        return None
    shape = type.static_shape
    if SIZES.get(type.dtype.numpy_name, 0) < 4 or not type.size or shape[axis] < 2:
        return None
    op, kind = node.op, node.op.scan
    if node.attrs.get("exclusive"):
        identity = ops.identity(kind, type.dtype.np)

        def shifted(x: Symbol, *, axis: int, reverse: bool, **_: Any) -> Any:
            return ops.shift(
                op(x, axis=axis, exclusive=False, reverse=reverse),
                axis=axis,
                offset=-1 if reverse else 1,
                fill=identity,
            )

        return shifted
    if axis == len(shape) - 1:
        return None
    if math.prod(shape[axis + 1 :]) == 1:
        return lambda *inputs, **attrs: ops.reshape(
            op(*[ops.reshape(x, shape=shape[: axis + 1]) for x in inputs], **attrs), shape=shape
        )

    def definition(*inputs: Symbol, axis: int, reverse: bool, **_: Any) -> Any:
        if f"{SCAN}{kind}" == RECURRENCE:
            return _loop(_next, -0.0 if type.dtype.is_float else 0, axis, reverse, inputs)
        first = -0.0 if kind == "add" and type.dtype.is_float else ops.identity(kind, type.dtype.np)
        return _loop(lambda before, row: ops.combine(kind, before, row), first, axis, reverse, inputs)

    return definition


def _next(before: Symbol, factor: Symbol, term: Symbol) -> Symbol:
    """A step of a recurrence. From -0.0, with which it begins, comes the term: the first factor has no influence.

    It may be infinite. A later -0.0 begins anew, too, which at most changes the sign of a zero, if factors are finite.
    """
    found = factor * before + term
    if not term.dtype.is_float:
        return found
    whole = dtypes.int32 if term.dtype.bits == 32 else dtypes.int64
    begins = ops.equal(ops.bitcast(before, dtype=whole), literal(-(2 ** (term.dtype.bits - 1)), whole))
    return ops.select(begins, term, found)


def _loop(step: Callable[..., Any], first: Any, axis: int, reverse: bool, inputs: tuple[Symbol, ...]) -> Any:
    """The results of `step(result before, *elements)` along an axis, from `first`."""
    rank = inputs[0].type.rank
    order = (axis, *[place for place in range(rank) if place != axis])
    rows = [ops.transpose(x, axes=order) if axis else x for x in inputs]
    row = TensorType(rows[0].type.dtype, rows[0].type.static_shape[1:])
    outer = ACTIVE.recorder
    start = ops.full(shape=row.static_shape, value=first, dtype=row.dtype)
    inner = outer.apart("rows")
    with inner:
        inner.parameter(ops.INDEX, "i")
        found = step(*[inner.parameter(row, name) for name in ("before", *["row"] * len(rows))])
        body = inner.finish([found, found])
    length = rows[0].type.static_shape[0]
    operands = [literal(length, dtypes.int64), *[outer.lift(x) for x in (start, *rows)]]
    attrs = {"body": body, "carried": 1, "scanned": len(rows), "length": length, "reverse": reverse}
    result = outer.symbol(outer.append(ops.scan, operands, attrs).outputs[1])
    back = tuple(order.index(place) for place in range(rank))
    return ops.transpose(result, axes=back) if axis else result
