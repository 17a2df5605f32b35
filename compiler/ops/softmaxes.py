"""Softmax and its logarithm: stable kernels, and derivatives from the result."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runtime.kernels.precision import widen
from ..ir.attributes import INT, REDUCTION
from ..ir.op import Op, Sample
from ..ir.types import TensorType
from . import infer
from .batching import shifted
from .comparison import select
from .conversion import in_single
from .cumulative import check_axis
from .elementwise import exp, isfinite, log
from .reduction import infer_reduction, max, reduction_samples, restore, sum
from .samples import pair
from .shape import reshape

Array = np.ndarray


def _infer_softmax(x: TensorType, *, axis: int) -> TensorType:
    check_axis(x, axis)
    return infer.broadcast_float(x)


def _start(x: Array, axis: int, out: Array | None) -> tuple[Array, Array]:
    """The result array, and in it (or beside it, for halves) x minus its maximum along the axis."""
    result = np.empty(x.shape, x.dtype) if out is None else out
    wide = widen(x)
    if x.size == 0:
        return result, wide
    return result, np.subtract(
        wide, np.maximum.reduce(wide, axis, keepdims=True), out=result if wide.dtype == result.dtype else None
    )


def _kernel_softmax(x: Array, *, axis: int, out: Array | None = None) -> Array:
    result, moved = _start(x, axis, out)
    np.exp(moved, out=moved)
    return np.true_divide(moved, np.add.reduce(moved, axis, keepdims=True), out=result, casting="same_kind")


def _kernel_log_softmax(x: Array, *, axis: int, out: Array | None = None) -> Array:
    result, moved = _start(x, axis, out)
    total = np.add.reduce(np.exp(moved), axis, keepdims=True)
    return np.subtract(moved, np.log(total, out=total), out=result, casting="same_kind")


def _less_maximum(x: Any, axis: int) -> Any:
    return x - max(x, axis=(axis,), keepdims=True)


@in_single
def _softmax_definition(x: Any, *, axis: int) -> Any:
    if not x.shape[axis]:  # no axis without elements has a maximum, and this may be one
        return None
    powers = exp(_less_maximum(x, axis))
    # One division for each sum, which is 1 or more: a division takes as long as ten other operations.
    return powers * (1.0 / sum(powers, axis=(axis,), keepdims=True))


@in_single
def _log_softmax_definition(x: Any, *, axis: int) -> Any:
    if not x.shape[axis]:
        return None
    moved = _less_maximum(x, axis)
    return moved - log(sum(exp(moved), axis=(axis,), keepdims=True))


def _samples() -> list[Sample]:
    return [
        Sample(pair((3, 4)), {"axis": 1}),
        Sample(pair((2, 3, 4)), {"axis": 1}),
        Sample((np.array([1000.0, -1000.0, 999.0, -np.inf]),), {"axis": 0}, gradient=False),
        Sample((np.zeros((2, 0)),), {"axis": 1}),
    ]


softmax: Op = Op(
    "softmax",
    attrs={"axis": INT},
    infer=_infer_softmax,
    kernel=_kernel_softmax,
    vjp=in_single(lambda x, out, dout, *, axis: out * (dout - sum(dout * out, axis=(axis,), keepdims=True))),
    batch=shifted("axis"),
    definition=_softmax_definition,
    inplace=True,
    samples=_samples,
    doc="exp(x) over its sum along an axis.",
)
log_softmax: Op = Op(
    "log_softmax",
    attrs={"axis": INT},
    infer=_infer_softmax,
    kernel=_kernel_log_softmax,
    vjp=in_single(lambda x, out, dout, *, axis: dout - exp(out) * sum(dout, axis=(axis,), keepdims=True)),
    batch=shifted("axis"),
    definition=_log_softmax_definition,
    inplace=True,
    samples=_samples,
    doc="The logarithm of softmax along an axis.",
)


def _infer_logsumexp(x: TensorType, *, axis: tuple[int, ...], keepdims: bool) -> TensorType:
    return infer_reduction(infer.broadcast_float(x), axis=axis, keepdims=keepdims)


def _kernel_logsumexp(x: Array, *, axis: tuple[int, ...], keepdims: bool, out: Array | None = None) -> Array:
    wide = widen(np.asarray(x))
    if wide.size == 0:
        result = np.log(sum.kernel(wide, axis=axis, keepdims=keepdims))
    else:
        top = np.maximum.reduce(wide, axis, keepdims=True)
        top = np.where(np.isfinite(top), top, 0)  # inf - inf would be nan
        total = np.add.reduce(np.exp(wide - top), axis, keepdims=True)
        result = np.log(total) + top
        if not keepdims:
            result = result.reshape(tuple(size for position, size in enumerate(x.shape) if position not in axis))
    if out is None:
        return result.astype(x.dtype)
    np.copyto(out, result, casting="same_kind")
    return out


@in_single
def _logsumexp_definition(x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    if not axis or not x.type.is_static or x.type.size == 0:
        return None
    top = max(x, axis=axis, keepdims=True)
    top = select(isfinite(top), top, 0)
    result = log(sum(exp(x - top), axis=axis, keepdims=True)) + top
    return result if keepdims else reshape(result, shape=infer.reduced_shape(x.shape, axis, False))


logsumexp: Op = Op(
    "logsumexp",
    attrs=REDUCTION,
    infer=_infer_logsumexp,
    kernel=_kernel_logsumexp,
    vjp=in_single(
        lambda x, out, dout, *, axis, keepdims: (
            restore(dout, x, axis, keepdims) * exp(x - restore(out, x, axis, keepdims))
        )
    ),
    batch=shifted("axis"),
    definition=_logsumexp_definition,
    samples=lambda: [
        *reduction_samples(),
        Sample((np.array([[1000.0, -np.inf], [-np.inf, -np.inf]]),), {"axis": (1,), "keepdims": False}, False),
    ],
    doc="The logarithm of the sum of exp(x) over axes.",
)
