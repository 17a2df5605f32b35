"""Sliding windows: forms of stride, padding and dilation, the number of windows, the elements that a tap reads; windows
as columns, and columns summed back to the elements that they came from."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..records import NamedTuple
from .precision import Array, compute_dtype, deliver, widen

Pairs = tuple[tuple[int, int], ...]
PerAxis = int | tuple[int, ...]
Padding = int | tuple[int, ...] | Pairs


class Convolution(NamedTuple):
    """A convolution (`purpose` "forward"), or its gradient by "weight" or by "input", as it is planned."""

    purpose: str
    x_shape: tuple[int, ...]
    w_shape: tuple[int, ...]
    stride: PerAxis = 1
    padding: Padding = 0
    dilation: PerAxis = 1
    groups: int = 1
    dtype: np.dtype[Any] = np.dtype(np.float32)

    def windows(self) -> tuple[tuple[int, ...], Pairs, tuple[int, ...]]:
        """Stride, padding and dilation along each axis."""
        axes = len(self.w_shape) - 2
        steps, spreads = per_axis(self.stride, axes, "stride"), per_axis(self.dilation, axes, "dilation")
        return steps, padding_pairs(self.padding, axes), spreads


def per_axis(value: PerAxis, axes: int, name: str) -> tuple[int, ...]:
    """One positive integer for each spatial axis."""
    values = (value,) * axes if isinstance(value, int) else value
    if len(values) != axes or min(values) < 1:
        raise ValueError(f"{name} must be a positive integer or {axes} of them, but got {value!r}")
    return values


def padding_pairs(value: Padding, axes: int) -> Pairs:
    """Padding as one (low, high) pair for each spatial axis. An integer stands for both sides of its axis."""
    values = (value,) * axes if isinstance(value, int) else value
    if len(values) != axes:
        raise ValueError(f"padding must name {axes} axes, but got {value!r}")
    pairs = tuple((item, item) if isinstance(item, int) else (item[0], item[1]) for item in values)
    if any(low < 0 or high < 0 for low, high in pairs):
        raise ValueError(f"padding must not be negative, but got {value!r}")
    return pairs


def output_spatial(
    spatial: Sequence[int],
    kernel: Sequence[int],
    stride: PerAxis,
    padding: Padding,
    dilation: PerAxis,
    ceil_mode: bool = False,
) -> tuple[int, ...]:
    """The number of windows along each axis; ValueError if it is 0.

    With `ceil_mode` a last window may reach over the end, but must start inside the input or the padding before it.
    """
    axes = len(kernel)
    strides, spreads = per_axis(stride, axes, "stride"), per_axis(dilation, axes, "dilation")
    lengths = []
    for size, taps, step, (low, high), spread in zip(
        spatial, kernel, strides, padding_pairs(padding, axes), spreads, strict=True
    ):
        reach = (taps - 1) * spread + 1
        room = size + low + high - reach
        if room < 0:
            raise ValueError(
                f"the kernel spans {reach} elements, more than the {size + low + high} of the padded input "
                f"(input {tuple(spatial)}, kernel {tuple(kernel)}, padding {padding}, dilation {dilation})"
            )
        windows = room // step + 1
        if ceil_mode and room % step and windows * step < size + low:
            windows += 1
        lengths.append(windows)
    return tuple(lengths)


def clip(size: int, step: int, start: int, count: int) -> tuple[slice, slice]:
    """The positions start, start + step, … inside [0, size): as a slice of the axis, and as a slice of the
    positions."""
    first = max(0, -(start // step))
    last = max(first, min(count, -((start - size) // step)))
    if last == first:
        return slice(0, 0), slice(0, 0)
    begin = start + first * step
    return slice(begin, begin + (last - first - 1) * step + 1, step), slice(first, last)


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
