"""Kernels that run along one axis: accumulation from either end, running extrema, shifts and linear recurrences."""

from __future__ import annotations

from typing import Any

import numpy as np

from .precision import Array, widen


def _from_end(array: Array, axis: int, reverse: bool) -> Array:
    """A view in which the walk along the axis goes forward."""
    return np.flip(array, axis) if reverse else array


def _part(axis: int, start: int | None, stop: int | None) -> tuple[slice, ...]:
    return (slice(None),) * axis + (slice(start, stop),)


def accumulate(
    ufunc: np.ufunc, x: Array, axis: int, identity: float, exclusive: bool, reverse: bool, out: Array | None = None
) -> Array:
    """Running reduction along an axis; `exclusive` leaves each element's own value out, `reverse` starts at the end."""
    result = np.empty(x.shape, x.dtype) if out is None else out
    source, target = _from_end(widen(x), axis, reverse), _from_end(result, axis, reverse)
    options: dict[str, Any] = {} if ufunc.nout != 1 or x.dtype.kind == "f" else {"dtype": x.dtype}
    if exclusive and x.shape[axis]:
        target[_part(axis, 0, 1)] = identity
        source, target = source[_part(axis, 0, -1)], target[_part(axis, 1, None)]
    if source.dtype == target.dtype:
        ufunc.accumulate(source, axis, out=target, **options)
    else:
        target[...] = ufunc.accumulate(source, axis)
    return result


def running_extremum(ufunc: np.ufunc, x: Array, axis: int) -> tuple[Array, Array]:
    """Running maxima or minima along an axis, and the (last) positions where they stand."""
    values = ufunc.accumulate(x, axis)
    here = values == x
    if x.dtype.kind in "fc":
        here |= np.isnan(x)
    shape = [1] * x.ndim
    shape[axis] = x.shape[axis]
    positions = np.where(here, np.arange(x.shape[axis]).reshape(shape), 0)
    return values, np.maximum.accumulate(positions, axis)


def shift(x: Array, axis: int, offset: int, fill: float, out: Array | None = None) -> Array:
    """x moved along an axis by `offset` places towards the end (or the start), `fill` taking the places left free."""
    result = np.empty(x.shape, x.dtype) if out is None else out
    size = x.shape[axis]
    offset = max(-size, min(size, offset))
    if offset >= 0:
        result[_part(axis, offset, None)] = x[_part(axis, None, size - offset)]
        result[_part(axis, None, offset)] = fill
    else:
        result[_part(axis, None, size + offset)] = x[_part(axis, -offset, None)]
        result[_part(axis, size + offset, None)] = fill
    return result


def linear_recurrence(a: Array, b: Array, axis: int, reverse: bool, out: Array | None = None) -> Array:
    """y[i] = a[i] * y[i - 1] + b[i] along an axis, from y = 0; with `reverse` from the end."""
    result = np.empty(b.shape, b.dtype) if out is None else out
    factors, terms, rows = (np.moveaxis(_from_end(array, axis, reverse), axis, 0) for array in (a, b, result))
    for i in range(len(rows)):
        if i == 0:
            rows[0] = terms[0]
        else:
            rows[i] = factors[i] * rows[i - 1] + terms[i]
    return result
