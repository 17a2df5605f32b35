"""Adaptive pooling: output i of O pools the inputs floor(i·I/O) to ceil((i+1)·I/O). The sizes of the windows may differ
by one."""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import Any

import numpy as np

from .axis_maps import AxisMap, mapped
from .pool import avg_pool, avg_pool_grad, max_pool, max_pool_grad, max_pool_indices
from .precision import Array, deliver, widen


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
        bins = _bins(x.shape[axis], outputs)
        # An output that lacks the last tap sees its first element again, which changes no maximum.
        again = np.where(np.arange(len(bins.indices))[:, None] < bins.counts, bins.indices, bins.indices[0])
        source = pooled
        pooled = np.take(source, again[0], axis)
        for index in again[1:]:
            np.maximum(pooled, np.take(source, index, axis), out=pooled)
    return deliver(pooled, x.dtype, out)


def adaptive_max_pool_grad(x: Array, pooled: Array, dout: Array, *, out: Array | None = None) -> Array:
    """The gradient of `adaptive_max_pool`, whose result was `pooled`. The first maximum of a window, in C order,
    receives it."""
    kernel = _even_kernel(x.shape[2:], pooled.shape[2:])
    if kernel is not None:
        return max_pool_grad(x, pooled, dout, kernel, out=out)
    positions = adaptive_max_pool_indices(x, pooled).reshape(*x.shape[:2], -1)
    rows, length = math.prod(x.shape[:2]), math.prod(x.shape[2:])
    positions = positions.reshape(rows, -1) + np.arange(rows)[:, None] * length
    # Windows overlap, so an element may receive several gradients.
    summed = np.bincount(positions.reshape(-1), widen(dout).reshape(-1), rows * length)
    return deliver(summed.reshape(x.shape).astype(x.dtype), x.dtype, out)


def adaptive_max_pool_indices(x: Array, pooled: Array, *, dtype: Any = np.int64, out: Array | None = None) -> Array:
    """The index of the first maximum of each window in its flattened image; `pooled` is the result of
    `adaptive_max_pool`."""
    spatial, size = x.shape[2:], pooled.shape[2:]
    kernel = _even_kernel(spatial, size)
    if kernel is not None:
        return max_pool_indices(x, pooled, kernel, dtype=dtype, out=out)
    axes = [_bins(length, outputs) for length, outputs in zip(spatial, size, strict=True)]
    rows = math.prod(x.shape[:2])
    source, maxima = x.reshape(rows, *spatial), pooled.reshape(rows, *size)
    positions = np.arange(math.prod(spatial), dtype=dtype).reshape(spatial)
    result = np.zeros(maxima.shape, dtype)
    # The last write stays, so the taps are visited backwards.
    for taps in reversed(list(itertools.product(*(range(len(bins.indices)) for bins in axes)))):
        has = [np.flatnonzero(bins.counts > tap) for bins, tap in zip(axes, taps, strict=True)]
        elements = np.ix_(*(bins.indices[tap, sub] for bins, tap, sub in zip(axes, taps, has, strict=True)))
        of_all: tuple[Any, ...] = (slice(None), *elements)
        outputs: tuple[Any, ...] = (slice(None), *np.ix_(*has))
        equal = source[of_all] == maxima[outputs]
        result[outputs] = np.where(equal, positions[elements], result[outputs])
    return deliver(result.reshape(pooled.shape), np.dtype(dtype), out)
