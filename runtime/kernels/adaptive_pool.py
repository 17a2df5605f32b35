"""Adaptive pooling: output i of O pools the inputs floor(i·I/O) to ceil((i+1)·I/O). The sizes of the windows may differ
by one."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from .axis_maps import AxisMap, mapped
from .pool import avg_pool, avg_pool_grad, first_maxima, max_pool, max_pool_grad, max_pool_indices
from .precision import Array, compute_dtype, deliver, result_buffer, widen


@lru_cache(maxsize=1024)
def _bins(size: int, outputs: int) -> AxisMap:
    """The windows along one axis as a linear map, which takes the mean of each."""
    if outputs < 1:
        raise ValueError(f"the output size of adaptive pooling must be positive, but got {outputs}")
    numbers = np.arange(outputs)
    starts = numbers * size // outputs
    counts = -(-(numbers + 1) * size // outputs) - starts
    taps = np.arange(counts.max())[:, None]
    indices = np.minimum(starts + taps, size - 1)
    return AxisMap(size, indices, np.broadcast_to(1 / counts, indices.shape), counts)


def _even_kernel(spatial: tuple[int, ...], size: tuple[int, ...]) -> tuple[int, ...] | None:
    """The kernel and the stride of equal, disjoint windows; None if the windows are not so."""
    if len(size) != len(spatial):
        raise ValueError(f"adaptive pooling to {size} needs {len(size)} spatial axes, but the input has {len(spatial)}")
    if any(outputs < 1 or length % outputs for length, outputs in zip(spatial, size, strict=True)):
        return None
    return tuple(length // outputs for length, outputs in zip(spatial, size, strict=True))


def adaptive_avg_pool(x: Array, size: tuple[int, ...], *, out: Array | None = None) -> Array:
    """The mean of each of `size` windows along each spatial axis of x (N, C, spatial…)."""
    kernel = _even_kernel(x.shape[2:], size)
    if kernel is not None:
        return avg_pool(x, kernel, out=out)
    maps = [(axis, _bins(x.shape[axis], outputs)) for axis, outputs in enumerate(size, 2)]
    return mapped(maps, x, size, False, out)


def adaptive_avg_pool_grad(dout: Array, spatial: tuple[int, ...], *, out: Array | None = None) -> Array:
    """The gradient of `adaptive_avg_pool` by x, whose spatial shape is given."""
    kernel = _even_kernel(spatial, dout.shape[2:])
    if kernel is not None:
        return avg_pool_grad(dout, spatial, kernel, out=out)
    maps = [(axis, _bins(length, dout.shape[axis])) for axis, length in enumerate(spatial, 2)]
    return mapped(maps, dout, spatial, True, out)


def adaptive_max_pool(x: Array, size: tuple[int, ...], *, out: Array | None = None) -> Array:
    """The maximum of each of `size` windows along each spatial axis of x (N, C, spatial…)."""
    kernel = _even_kernel(x.shape[2:], size)
    if kernel is not None:
        return max_pool(x, kernel, out=out)
    pooled = x
    for axis, outputs in enumerate(size, 2):
        first, *others = _again(x.shape[axis], outputs)
        source = pooled
        pooled = np.take(source, first, axis)
        for index in others:
            np.maximum(pooled, np.take(source, index, axis), out=pooled)
    return deliver(pooled, x.dtype, out)


def _again(size: int, outputs: int) -> Array:
    """The elements of the windows along one axis, (taps, outputs). A window that lacks the last one has its first
    element again, which changes no maximum and is never its first one."""
    bins = _bins(size, outputs)
    return np.where(np.arange(len(bins.indices))[:, None] < bins.counts, bins.indices, bins.indices[0])


@lru_cache(maxsize=64)
def _elements(spatial: tuple[int, ...], size: tuple[int, ...]) -> Array:
    """The elements of each window in its flattened image, (outputs, taps), both in C order."""
    found = np.zeros((1, 1), np.int64)
    for length, outputs in zip(spatial, size, strict=True):
        joined = (found * length)[:, None, :, None] + _again(length, outputs).T[None, :, None, :]
        found = joined.reshape(len(found) * outputs, -1)
    return found


def _first_maxima(x: Array, size: tuple[int, ...]) -> Array:
    return first_maxima(x.reshape(math.prod(x.shape[:2]), -1), _elements(x.shape[2:], size))


def adaptive_max_pool_grad(x: Array, pooled: Array, dout: Array, *, out: Array | None = None) -> Array:
    """The gradient of `adaptive_max_pool`, whose result was `pooled`. The first maximum of a window, in C order,
    receives it."""
    kernel = _even_kernel(x.shape[2:], pooled.shape[2:])
    if kernel is not None:
        return max_pool_grad(x, pooled, dout, kernel, out=out)
    result = result_buffer(out, x.shape, compute_dtype(x.dtype))
    result.fill(0)
    target = result.reshape(math.prod(x.shape[:2]), -1)
    # Windows overlap, so an element may receive several gradients.
    numbers = np.arange(len(target))[:, None]
    np.add.at(target, (numbers, _first_maxima(x, pooled.shape[2:])), widen(dout).reshape(len(target), -1))
    return deliver(result, x.dtype, out)


def adaptive_max_pool_indices(x: Array, pooled: Array, *, dtype: Any = np.int64, out: Array | None = None) -> Array:
    """The index of the first maximum of each window in its flattened image; `pooled` is the result of
    `adaptive_max_pool`."""
    kernel = _even_kernel(x.shape[2:], pooled.shape[2:])
    if kernel is not None:
        return max_pool_indices(x, pooled, kernel, dtype=dtype, out=out)
    found = _first_maxima(x, pooled.shape[2:])
    return deliver(found.reshape(pooled.shape).astype(dtype, copy=False), np.dtype(dtype), out)
