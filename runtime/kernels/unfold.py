"""Sliding windows as columns, and the transpose: columns summed back to the elements that they came from."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .precision import Array, compute_dtype, deliver, widen
from .windows import Pairs, clip, output_spatial

Key = tuple[Any, ...]
_IMAGES: Key = (slice(None), slice(None))


def _taps(
    spatial: Sequence[int], kernel: tuple[int, ...], stride: tuple[int, ...], padding: Pairs, dilation: tuple[int, ...],
    counts: tuple[int, ...],
) -> Iterator[tuple[Key, Key, Key]]:  # fmt: skip
    """For each tap of the window: its number, the elements that it reads, and the windows in which it reads them."""
    for tap in itertools.product(*map(range, kernel)):
        seen = [
            clip(size, step, place * spread - low, count)
            for size, step, place, spread, (low, _), count in zip(
                spatial, stride, tap, dilation, padding, counts, strict=True
            )
        ]
        yield tap, tuple(elements for elements, _ in seen), tuple(windows for _, windows in seen)


def unfold(
    x: Array, kernel: tuple[int, ...], stride: tuple[int, ...], padding: Pairs, dilation: tuple[int, ...], *,
    out: Array | None = None,
) -> Array:  # fmt: skip
    """The windows of x (N, C, spatial…) as columns: (N, C·taps, windows). Padding is zeros."""
    spatial = x.shape[2:]
    counts = output_spatial(spatial, kernel, stride, padding, dilation)
    shape = (*x.shape[:2], *kernel, *counts)
    result = np.zeros(shape, x.dtype)
    for tap, elements, windows in _taps(spatial, kernel, stride, padding, dilation, counts):
        result[_IMAGES + tap + windows] = x[_IMAGES + elements]
    rows, columns = x.shape[1] * int(np.prod(kernel)), int(np.prod(counts))
    return deliver(result.reshape(x.shape[0], rows, columns), x.dtype, out)


def fold(
    x: Array, size: tuple[int, ...], kernel: tuple[int, ...], stride: tuple[int, ...], padding: Pairs,
    dilation: tuple[int, ...], *, out: Array | None = None,
) -> Array:  # fmt: skip
    """Columns (N, C·taps, windows) summed into (N, C, size…): each is added to the element from which `unfold` takes
    it."""
    counts = output_spatial(size, kernel, stride, padding, dilation)
    channels = x.shape[1] // int(np.prod(kernel))
    source = widen(x).reshape(x.shape[0], channels, *kernel, *counts)
    result = np.zeros((x.shape[0], channels, *size), compute_dtype(x.dtype))
    for tap, elements, windows in _taps(size, kernel, stride, padding, dilation, counts):
        part = result[_IMAGES + elements]
        np.add(part, source[_IMAGES + tap + windows], out=part)
    return deliver(result, x.dtype, out)
