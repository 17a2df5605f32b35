"""Sliding windows: forms of stride, padding and dilation, the number of windows, the elements that a tap reads; windows
as columns, and columns summed back to the elements that they came from."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..records import NamedTuple
from .copies import add_rows, copy_to
from .precision import Array, deliver, widen

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


def _windows(frame: Array, kernel: tuple[int, ...], stride: tuple[int, ...], dilation: tuple[int, ...]) -> Array:
    """The windows of a contiguous frame (N, C, spatial…), a view of the shape (N, C, kernel…, windows…)."""
    counts = output_spatial(frame.shape[2:], kernel, stride, 0, dilation)
    steps = frame.strides[2:]
    strides = (
        *frame.strides[:2],
        *(step * spread for step, spread in zip(steps, dilation, strict=True)),
        *(step * jump for step, jump in zip(steps, stride, strict=True)),
    )
    return np.ndarray((*frame.shape[:2], *kernel, *counts), frame.dtype, frame, 0, strides)


def _inside(spatial: Sequence[int], padding: Pairs) -> tuple[slice, ...]:
    """Where images lie in their frame."""
    edges = zip(spatial, padding, strict=True)
    return (slice(None), slice(None), *(slice(low, low + size) for size, (low, _) in edges))


def _frame(images: tuple[int, ...], spatial: Sequence[int], padding: Pairs, dtype: Any) -> Array:
    """Zeros for images (N, C) and their padding."""
    padded = (size + low + high for size, (low, high) in zip(spatial, padding, strict=True))
    return np.zeros((*images, *padded), dtype)


def unfold(
    x: Array, kernel: tuple[int, ...], stride: tuple[int, ...], padding: Pairs, dilation: tuple[int, ...], *,
    out: Array | None = None,
) -> Array:  # fmt: skip
    """The windows of x (N, C, spatial…) as columns: (N, C·taps, windows). Padding is zeros."""
    spatial = x.shape[2:]
    frame = np.ascontiguousarray(x)
    if any(map(any, padding)):
        frame = _frame(x.shape[:2], spatial, padding, x.dtype)
        frame[_inside(spatial, padding)] = x
    windows = _windows(frame, kernel, stride, dilation)
    shape = (x.shape[0], x.shape[1] * math.prod(kernel), math.prod(windows.shape[2 + len(kernel) :]))
    result = out if out is not None and out.flags.c_contiguous else np.empty(shape, x.dtype)
    copy_to(result.reshape(windows.shape), windows)
    return result if result is out else deliver(result, x.dtype, out)


def fold(
    x: Array, size: tuple[int, ...], kernel: tuple[int, ...], stride: tuple[int, ...], padding: Pairs,
    dilation: tuple[int, ...], *, out: Array | None = None,
) -> Array:  # fmt: skip
    """Columns (N, C·taps, windows) summed into (N, C, size…): each is added to the element from which `unfold` takes
    it. An element adds the taps in their order."""
    wide = np.ascontiguousarray(widen(x))
    frame = _frame((x.shape[0], x.shape[1] // math.prod(kernel)), size, padding, wide.dtype)
    landing = _windows(frame, kernel, stride, dilation)
    source = wide.reshape(landing.shape)
    # Windows overlap, which the machine code takes: it adds row by row. NumPy gets parts that do not overlap.
    if not add_rows(landing, source):
        for part in itertools.product(*map(_apart, kernel, stride, dilation)):
            key = (slice(None), slice(None), *part)
            np.add(landing[key], source[key], out=landing[key])
    return deliver(frame[_inside(size, padding)], x.dtype, out)


def _apart(taps: int, step: int, spread: int) -> list[slice]:
    """Runs of taps along an axis: those of a run, in all windows, read different elements."""
    length = step if spread == 1 else 1
    return [slice(first, first + length) for first in range(0, taps, length)]
