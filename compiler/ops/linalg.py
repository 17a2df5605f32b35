"""Matrix products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..code import Call, Code
from ..ir import Node
from ..op import Op, Sample
from ..types import Shape, TensorType, broadcast_shapes, show_shape
from .infer import same_dtype
from .samples import pair
from .shape import drop_axes, insert_axes, sum_as, transpose


def _infer_matmul(a: TensorType, b: TensorType) -> TensorType:
    dtype = same_dtype(a, b)
    if a.rank < 1 or b.rank < 1:
        raise ValueError(f"matmul: operands should have at least one dimension, but got {a} and {b}")
    inner_a, inner_b = a.shape[-1], b.shape[-2] if b.rank > 1 else b.shape[0]
    if inner_a is not None and inner_b is not None and inner_a != inner_b:
        raise ValueError(
            f"matmul: inner dimensions differ, {show_shape(a.shape)} @ {show_shape(b.shape)}: {inner_a} and {inner_b}"
        )
    batch: Shape = broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return TensorType(dtype, batch + (a.shape[-2:-1] if a.rank > 1 else ()) + (b.shape[-1:] if b.rank > 1 else ()))


def swap_last(x: Any) -> Any:
    """The symbol x with its last two dimensions exchanged."""
    axes = list(range(x.rank))
    axes[-2:] = [axes[-1], axes[-2]]
    return transpose(x, axes=tuple(axes))


def _vjp_matmul(a: Any, b: Any, out: Any, dout: Any) -> tuple[Any, Any]:
    if a.rank == 1 and b.rank == 1:
        return dout * b, dout * a
    if a.rank == 1:  # (k) @ (..., k, n) is (..., n)
        row = insert_axes(dout, (dout.rank - 1,))
        da = drop_axes(matmul(row, swap_last(b)), (dout.rank - 1,))
        return sum_as(da, a), sum_as(matmul(insert_axes(a, (1,)), row), b)
    if b.rank == 1:  # (..., m, k) @ (k) is (..., m)
        column = insert_axes(dout, (dout.rank,))
        db = drop_axes(matmul(swap_last(a), column), (dout.rank,))
        return matmul(column, insert_axes(b, (0,))), sum_as(db, b)
    return sum_as(matmul(dout, swap_last(b)), a), sum_as(matmul(swap_last(a), dout), b)


def _emit_matmul(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
    a, b = (operand.type for operand in node.inputs)
    if a.rank > 2 or b.rank > 2 or a.dtype.kind not in "fc":
        return None
    return Call(".dot", (*arguments, out) if out else tuple(arguments))


matmul: Op = Op(
    "matmul",
    kind="matmul",
    emit=_emit_matmul,
    infer=_infer_matmul,
    kernel=np.matmul,
    vjp=_vjp_matmul,
    writes_out=True,
    samples=lambda: [
        Sample(pair((2, 3), (3, 4))),
        Sample(pair((2, 2, 3), (2, 3, 4))),
        Sample(pair((2, 1, 2, 3), (3, 3, 4))),
        Sample(pair((2, 2, 3), (3, 4))),
        Sample(pair((3,), (3,))),
        Sample(pair((3,), (2, 3, 4))),
        Sample(pair((2, 2, 3), (3,))),
    ],
    doc="Matrix product over the last two dimensions, the others broadcast; vectors as NumPy's matmul treats them.",
)
