"""Reductions over axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir import Node, Operand
from ..op import Op, Sample
from ..types import TensorType
from .arithmetic import pair
from .infer import reduced_shape
from .shape import broadcast_as, expand_axes


def infer_reduction(x: TensorType, *, axis: tuple[int, ...], keepdims: bool) -> TensorType:
    """The type after reducing over `axis`: a sorted tuple of axes counted from the front."""
    if list(axis) != sorted(set(axis)) or any(not 0 <= a < x.rank for a in axis):
        raise ValueError(f"axis should be a sorted tuple of distinct axes in [0, {x.rank}), but got {axis}")
    return x.with_shape(reduced_shape(x.shape, axis, keepdims))


def restore(dout: Any, x: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    """A reduced symbol broadcast back to the shape of the reduction's input x."""
    return broadcast_as(dout if keepdims else expand_axes(dout, axis, x.shape), x)


def no_axes(node: Node) -> Operand | None:
    """Reducing over no axis changes nothing."""
    return node.inputs[0] if node.attrs["axis"] == () else None


def reduction_samples(low: float = -2.0, high: float = 2.0) -> Any:
    """Samples for a reduction: one axis, several, all, with and without kept dimensions."""
    return lambda: [
        Sample(pair((2, 3, 4), low=low, high=high), {"axis": (1,), "keepdims": False}),
        Sample(pair((2, 3, 4), low=low, high=high), {"axis": (0, 2), "keepdims": True}),
        Sample(pair((2, 3), low=low, high=high), {"axis": (0, 1), "keepdims": False}),
    ]


def _kernel_sum(x: np.ndarray, *, axis: tuple[int, ...], keepdims: bool, out: np.ndarray | None = None) -> np.ndarray:
    return np.add.reduce(x, axis=axis, dtype=x.dtype, out=out, keepdims=keepdims)


sum = Op(
    "sum",
    kind="reduction",
    infer=infer_reduction,
    kernel=_kernel_sum,
    vjp=lambda x, out, dout, *, axis, keepdims: restore(dout, x, axis, keepdims),
    rewrites=(no_axes,),
    writes_out=True,
    samples=reduction_samples(),
    doc="Sum over axes, in the dtype of x.",
)
