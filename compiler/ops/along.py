"""Gather and scatter along one axis, at positions that a tensor gives."""

from __future__ import annotations

import numpy as np

from ...runtime import dtypes
from ...runtime.kernels.positions import checked_indices
from ...runtime.kernels.scatter import accumulate_at
from ..ir.attributes import INT
from ..ir.op import Op, Sample
from ..ir.types import TensorType, show_shape
from .batching import shifted
from .creation import zeros_as
from .infer import same_dtype
from .places import elements_along, gather_by, scatter_by
from .samples import pair

Array = np.ndarray


def _check(x: TensorType, indices: TensorType, axis: int) -> None:
    if not 0 <= axis < x.rank:
        raise ValueError(f"axis should be in [0, {x.rank}), but got {axis}")
    if not indices.dtype.is_integer:
        raise TypeError(f"indices should be integers, but their dtype is {indices.dtype}{dtypes.AS_INTEGERS}")
    fits = x.rank == indices.rank and all(
        m is None or n is None or m == n or position == axis
        for position, (m, n) in enumerate(zip(x.shape, indices.shape, strict=True))
    )
    if not fits:
        raise ValueError(
            f"indices of shape {show_shape(indices.shape)} should agree with shape {show_shape(x.shape)} in every "
            f"dimension but {axis}"
        )


def _infer_take_along(x: TensorType, indices: TensorType, *, axis: int) -> TensorType:
    _check(x, indices, axis)
    return x.with_shape(indices.shape)


def _infer_take_along_add(x: TensorType, indices: TensorType, value: TensorType, *, axis: int) -> TensorType:
    _check(x, indices, axis)
    same_dtype(x, value)
    if value.rank != indices.rank:
        raise ValueError(f"values {value} should have the shape {show_shape(indices.shape)} of the indices")
    return x


def _grid(indices: Array, axis: int) -> tuple[Array, ...]:
    """An index tuple with `indices` at the axis and ranges elsewhere."""
    ranges = list(np.ogrid[tuple(slice(size) for size in indices.shape)])
    ranges[axis] = indices
    return tuple(ranges)


def _kernel_take_along(x: Array, indices: Array, *, axis: int) -> Array:
    return np.take_along_axis(x, checked_indices(indices, x.shape[axis], axis, x.shape), axis)


def _kernel_take_along_add(x: Array, indices: Array, value: Array, *, axis: int) -> Array:
    result = np.array(x)
    accumulate_at(np.add, result, _grid(np.array(indices), axis), value)
    return result


def _samples(*values: Array) -> list[Sample]:
    inputs = (*pair((2, 4)), np.array([[3, 0, 0], [1, -1, 2]]), *values)
    deep = (*pair((3, 2, 2)), np.array([[[2, 0], [1, 1]]]), *[v[:1, :2].reshape(1, 2, 1) + np.zeros(2) for v in values])
    return [Sample(inputs, {"axis": 1}), Sample(deep, {"axis": 0})]


take_along: Op = Op(
    "take_along",
    attrs={"axis": INT},
    infer=_infer_take_along,
    kernel=_kernel_take_along,
    vjp=lambda x, indices, out, dout, *, axis: (take_along_add(zeros_as(x), indices, dout, axis=axis), None),
    batch=shifted("axis"),
    gathers=lambda x, indices, *, axis: gather_by(elements_along(x, indices, axis), x),
    samples=_samples,
    doc="For each place of the indices the element of x at that position along an axis.",
)
take_along_add: Op = Op(
    "take_along_add",
    attrs={"axis": INT},
    infer=_infer_take_along_add,
    kernel=_kernel_take_along_add,
    vjp=lambda x, indices, value, out, dout, *, axis: (dout, None, take_along(dout, indices, axis=axis)),
    batch=shifted("axis"),
    scatters=lambda x, indices, value, *, axis: scatter_by(elements_along(x, indices, axis), x, value),
    samples=lambda: _samples(*pair((2, 3), seed=1)),
    doc="x with values added at the positions that the indices give along an axis.",
)
