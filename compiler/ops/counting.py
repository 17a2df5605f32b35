"""What values there are and how often: ops whose results have sizes that only the run knows, and counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import DType
from ...runtime.kernels import order
from ...runtime.native.counts import counts_below
from ..ir.attributes import DTYPE, FLAG, SIZE
from ..ir.op import Op, Sample
from ..ir.types import TensorType, show_shape
from .conversion import cast
from .creation import full
from .gathering import take, take_add
from .samples import pair
from .sorting import Array, check_positions


def _infer_unique(x: TensorType, *, sort: bool, dtype: DType) -> tuple[TensorType, TensorType, TensorType]:
    check_positions(dtype)
    return x.with_shape((None,)), x.with_dtype(dtype), TensorType(dtype, (None,))


def _kernel_unique(x: Array, *, sort: bool, dtype: DType) -> tuple[Array, Array, Array]:
    values, inverse, counts = order.unique(x, sort)
    return values, inverse.astype(dtype.np), counts.astype(dtype.np)


def _vjp_unique(x: Any, out: Any, dout: Any, **attrs: Any) -> Any:
    """Each element gets the gradient of the unique element that it is equal to, divided among equal elements."""
    if dout[0] is None:
        return None
    shares = dout[0] / cast(out[2], dtype=x.dtype) if x.dtype.is_float or x.dtype.is_complex else dout[0]
    return take(shares, out[1], axis=0)


distinct: Op = Op(
    "distinct",
    attrs={"sort": FLAG},
    infer=lambda x, *, sort: x.with_shape((None,)),
    kernel=order.distinct,
    samples=lambda: [
        Sample((np.array([3, 1, 3, 2], np.int32),), {"sort": False}),
        Sample((np.array([[3.0, 1.0], [3.0, 2.0]]),), {"sort": True}, gradient=False),
    ],
    internal=True,
    doc="The different elements of x, as they appear, or sorted.",
)
unique: Op = Op(
    "unique",
    alone=distinct,
    attrs={"sort": FLAG, "dtype": DTYPE},
    infer=_infer_unique,
    kernel=_kernel_unique,
    vjp=_vjp_unique,
    samples=lambda: [
        Sample((np.array([3, 1, 3, 2], np.int32),), {"sort": False, "dtype": dtypes.int32}),
        Sample((np.array([[3.0, 1.0], [3.0, 2.0]]),), {"sort": True, "dtype": dtypes.int64}, gradient=False),
        Sample((np.array([[3.0, 1.0], [4.0, 2.0]]),), {"sort": True, "dtype": dtypes.int64}),
        Sample((np.zeros((0,)),), {"sort": False, "dtype": dtypes.int64}),
    ],
    doc="The different elements of x (as they appear, or sorted), which of them each one is, how often each stands.",
)


def _infer_runs(x: TensorType, *, dtype: DType) -> tuple[TensorType, TensorType, TensorType]:
    if x.rank != 1:
        raise ValueError(f"unique_consecutive: a vector is expected, but got shape {show_shape(x.shape)}")
    check_positions(dtype)
    return x.with_shape((None,)), x.with_dtype(dtype), TensorType(dtype, (None,))


def _kernel_runs(x: Array, *, dtype: DType) -> tuple[Array, Array, Array]:
    values, inverse, counts = order.unique_consecutive(x)
    return values, inverse.astype(dtype.np), counts.astype(dtype.np)


unique_consecutive: Op = Op(
    "unique_consecutive",
    attrs={"dtype": DTYPE},
    infer=_infer_runs,
    kernel=_kernel_runs,
    vjp=_vjp_unique,
    samples=lambda: [
        Sample((np.array([1, 1, 2, 2, 2, 1], np.int32),), {"dtype": dtypes.int32}),
        Sample((np.array([3.0, 1.0, 4.0]),), {"dtype": dtypes.int32}),
        Sample((np.zeros((0,)),), {"dtype": dtypes.int64}),
    ],
    doc="The first of each run of equal elements of a vector, which run each element is in, how long each is.",
)


def _kernel_nonzero(x: Array) -> Array:
    flat = x.reshape(-1)
    (places,) = np.nonzero(flat if flat.dtype == bool else flat != 0)  # which counts ones faster than other numbers
    found = np.empty((len(places), x.ndim), np.int64)
    for axis in range(x.ndim - 1, 0, -1):
        above = places // x.shape[axis]
        np.subtract(places, above * x.shape[axis], out=found[:, axis])
        places = above
    if x.ndim:
        found[:, 0] = places
    return found


nonzero: Op = Op(
    "nonzero",
    infer=lambda x: TensorType(dtypes.int64, (None, x.rank)),
    kernel=_kernel_nonzero,
    samples=lambda: [
        Sample((np.array([[3, 0], [0, 2]], np.int32),)),
        Sample((np.array([0.0, 1.0, np.nan]),)),
        Sample((np.array(1.0),)),
    ],
    doc="The positions of the elements that are not zero, one row each.",
)


def _infer_bincount(x: TensorType, *weights: TensorType, length: int) -> TensorType:
    if not x.dtype.is_integer or x.rank != 1:
        raise TypeError(f"bincount: a vector of integers is expected, but got {x}")
    if weights and (weights[0].rank != 1 or not weights[0].dtype.is_float):
        raise TypeError(f"bincount: weights should be a vector of floats, but got {weights[0]}")
    return TensorType(weights[0].dtype if weights else dtypes.int64, (length if _holds_all(x, length) else None,))


def _holds_all(x: TensorType, length: int) -> bool:
    """Whether so many counts are enough for all numbers of a dtype, none of which are negative."""
    return x.dtype in (dtypes.uint8, dtypes.uint16) and length >= 1 << x.dtype.bits


def _bincount_in_kernels(x: Any, *weights: Any, length: int) -> Any:
    """Counts of known length are sums at positions."""
    if not _holds_all(x.type, length) or not x.type.is_static or not x.type.size:
        return None
    (each,) = weights or [full(shape=x.shape, value=1, dtype=dtypes.int32)]
    sums = take_add(full(shape=(length,), value=0, dtype=each.dtype), cast(x, dtype=dtypes.int32), each, axis=0)
    return sums if weights else cast(sums, dtype=dtypes.int64)


def _kernel_bincount(x: Array, *weights: Array, length: int) -> Array:
    counts = counts_below(x, length, *weights)
    if counts is not None:
        return counts
    x = np.array(x)
    if x.size and x.min() < 0:
        raise ValueError(f"bincount: numbers should not be negative, but got {x.min()}")
    if not weights:
        return np.bincount(x, minlength=length).astype(np.int64, copy=False)
    return np.bincount(x, weights[0], length).astype(weights[0].dtype)


bincount: Op = Op(
    "bincount",
    attrs={"length": SIZE},
    infer=_infer_bincount,
    kernel=_kernel_bincount,
    native_definition=_bincount_in_kernels,
    vjp=lambda x, *rest, length: (None, *[take(rest[-1], x, axis=0) for _ in rest[2:]]),
    samples=lambda: [
        Sample((np.array([1, 3, 3], np.int32),), {"length": 6}, gradient=False),
        Sample((np.array([1, 3, 3, 0], np.int64), *pair((4,))), {"length": 0}),
        Sample((np.array([1, 3, 255], np.uint8),), {"length": 257}, gradient=False),
    ],
    doc="How often each number from 0 stands in x, or the sums of the weights that stand with it.",
)
