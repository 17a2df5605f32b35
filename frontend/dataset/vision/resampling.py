"""Images in other sizes: the interpolations of OpenCV, with its fixed-point arithmetic for uint8, and Pillow's cubic.

Images are arrays of shape (..., height, width, channels); every function works on whole arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .enums import Inter

Array = np.ndarray[Any, np.dtype[Any]]

_WEIGHT_BITS = 11  # Weights of an 8-bit interpolation are multiples of 2**-11.
_CUBIC = -0.75  # The free parameter of the cubic kernel, as OpenCV sets it.
_PILLOW_CUBIC = -0.5
_PILLOW_BITS = 22


def resize(image: Array, height: int, width: int, interpolation: Inter = Inter.BILINEAR) -> Array:
    """The image in another size.

    Args:
        image: (..., H, W, C) of uint8, int16, uint16, float32 or float64.

    Returns:
        (..., height, width, C) of the same dtype.
    """
    rows, columns = image.shape[-3:-1]
    if (rows, columns) == (height, width):
        return image.copy()
    scales = rows / height, columns / width
    if interpolation is Inter.NEAREST:
        return np.take(np.take(image, _nearest(rows, height), -3), _nearest(columns, width), -2)
    if interpolation is Inter.PILCUBIC:
        return _pillow_cubic(image, height, width)
    halves = scales == (2.0, 2.0)
    if (interpolation is Inter.AREA and min(scales) >= 1) or (interpolation is Inter.BILINEAR and halves):
        return _area(image, height, width, halves)
    taps = _cubic_taps if interpolation is Inter.CUBIC else _area_taps if interpolation is Inter.AREA else _linear_taps
    return _separable(image, taps(rows, height), taps(columns, width), interpolation is Inter.CUBIC)


def _nearest(size: int, wanted: int) -> Array:
    return np.minimum(np.floor(np.arange(wanted) * (size / wanted)).astype(np.intp), size - 1)


def _positions(size: int, wanted: int) -> tuple[Array, Array]:
    """Before which pixel each new pixel's centre lies, and how far from it."""
    centres = ((np.arange(wanted) + 0.5) * (size / wanted) - 0.5).astype(np.float32)
    left = np.floor(centres).astype(np.intp)
    return left, (centres - left).astype(np.float32)


Taps = tuple[Array, Array]  # Per new pixel the old pixels that it is made of, and their weights: both (wanted, taps).


def _linear_taps(size: int, wanted: int) -> Taps:
    left, part = _positions(size, wanted)
    return np.clip(np.stack([left, left + 1], 1), 0, size - 1), np.stack([1 - part, part], 1)


def _area_taps(size: int, wanted: int) -> Taps:
    """Linear taps that leave each old pixel's area as it is, where an image becomes larger."""
    new = np.arange(wanted)
    left = np.floor(new * (size / wanted)).astype(np.intp)
    part = ((new + 1) - (left + 1) * (wanted / size)).astype(np.float32)
    part = np.where(part <= 0, np.float32(0), part - np.floor(part))
    part = np.where(left >= size - 1, np.float32(0), part)
    left = np.minimum(left, size - 1)
    return np.stack([left, np.minimum(left + 1, size - 1)], 1), np.stack([1 - part, part], 1)


def cubic_weights(part: Array) -> Array:
    """The weights (..., 4) of the pixels around a point that lies so far behind the second of them."""
    a, x = np.float32(_CUBIC), part.astype(np.float32)
    first = ((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a
    second = ((a + 2) * x - (a + 3)) * x * x + 1
    third = ((a + 2) * (1 - x) - (a + 3)) * (1 - x) * (1 - x) + 1
    return np.stack([first, second, third, 1 - first - second - third], -1)


def _cubic_taps(size: int, wanted: int) -> Taps:
    left, part = _positions(size, wanted)
    return np.clip(left[:, None] + np.arange(-1, 3), 0, size - 1), cubic_weights(part)


def _weighted(image: Array, taps: Taps, axis: int, weights: Array) -> Array:
    """The sums of the taps along an axis."""
    places, _ = taps
    shape = [1] * image.ndim
    shape[axis] = len(places)
    terms = (np.take(image, places[:, k], axis) * weights[:, k].reshape(shape) for k in range(places.shape[1]))
    total = next(terms)
    for term in terms:
        total += term
    return total


def _separable(image: Array, rows: Taps, columns: Taps, cubic: bool) -> Array:
    """First along the width, then along the height."""
    if image.dtype != np.uint8:
        kind = np.float64 if image.dtype == np.float64 else np.float32
        across = _weighted(image.astype(kind), columns, -2, columns[1].astype(kind))
        return cast(_weighted(across, rows, -3, rows[1].astype(kind)), image.dtype)
    one = 1 << _WEIGHT_BITS
    down, over = (np.rint(taps[1] * np.float32(one)).astype(np.int32) for taps in (rows, columns))
    across = _weighted(image.astype(np.int32), columns, -2, over)
    if cubic:
        scaled = down * np.float32(1 / (one * one))
        return cast(_weighted(across.astype(np.float32), rows, -3, scaled.astype(np.float32)), image.dtype)
    places = rows[0]
    upper, lower = (
        (np.take(across, places[:, k], -3) >> 4) * down[:, k].reshape(-1, 1, 1) >> 16 for k in (0, 1)
    )  # fmt: skip
    return ((upper + lower + 2) >> 2).astype(np.uint8)


def _shares(size: int, wanted: int) -> Array:
    """How much of each new pixel every old one covers: (wanted, size)."""
    scale = size / wanted
    ends = np.arange(wanted + 1) * scale
    old = np.arange(size)
    overlap = np.minimum(ends[1:, None], old + 1) - np.maximum(ends[:-1, None], old)
    return np.clip(overlap, 0, None) / scale


def _area(image: Array, height: int, width: int, halves: bool) -> Array:
    """Means over the areas that new pixels cover."""
    rows, columns = image.shape[-3:-1]
    if halves and image.dtype.kind in "iu":
        total = image.astype(np.int64)
        total = total[..., ::2, :, :] + total[..., 1::2, :, :]
        total = total[..., ::2, :] + total[..., 1::2, :]
        return ((total + 2) >> 2).astype(image.dtype)
    kind = np.float64 if image.dtype == np.float64 else np.float32
    across = np.einsum("wk,...hkc->...hwc", _shares(columns, width).astype(kind), image.astype(kind))
    return cast(np.einsum("hk,...kwc->...hwc", _shares(rows, height).astype(kind), across), image.dtype)


def _pillow_taps(size: int, wanted: int) -> Array:
    """The weights (wanted, size) of Pillow's cubic filter, which is widened where an image becomes smaller."""
    scale = size / wanted
    stretch = max(scale, 1.0)
    support = 2.0 * stretch
    centres = (np.arange(wanted) + 0.5) * scale
    low = np.maximum((centres - support + 0.5).astype(np.intp), 0)
    high = np.minimum((centres + support + 0.5).astype(np.intp), size)
    old = np.arange(size)
    x = np.abs((old + 0.5 - centres[:, None]) / stretch)
    a = _PILLOW_CUBIC
    inner, outer = ((a + 2) * x - (a + 3)) * x * x + 1, (((x - 5) * x + 8) * x - 4) * a
    weights = np.where(x < 1, inner, np.where(x < 2, outer, 0.0))
    weights = np.where((old >= low[:, None]) & (old < high[:, None]), weights, 0.0)
    return weights / weights.sum(1, keepdims=True)


def _pillow_cubic(image: Array, height: int, width: int) -> Array:
    for axis, wanted in ((-2, width), (-3, height)):
        size = image.shape[axis]
        if size == wanted:
            continue
        weights = _pillow_taps(size, wanted)
        moved = np.moveaxis(image, axis, -1)
        if image.dtype == np.uint8:
            fixed = np.trunc(weights * (1 << _PILLOW_BITS) + np.where(weights < 0, -0.5, 0.5)).astype(np.int64)
            moved = cast((moved.astype(np.int64) @ fixed.T + (1 << _PILLOW_BITS - 1)) >> _PILLOW_BITS, image.dtype)
        else:
            moved = (moved @ weights.T).astype(image.dtype)
        image = np.moveaxis(moved, -1, axis)
    return np.ascontiguousarray(image)


def cast(values: Array, dtype: Any) -> Array:
    """Numbers as a dtype: whole numbers are rounded to even and limited to its range."""
    dtype = np.dtype(dtype)
    if dtype.kind not in "iu":
        return values.astype(dtype, copy=False)
    limits = np.iinfo(dtype)
    values = np.rint(values) if values.dtype.kind == "f" else values
    return np.clip(values, limits.min, limits.max).astype(dtype)
