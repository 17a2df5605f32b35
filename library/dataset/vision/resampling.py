"""Images in other sizes, turned, sheared and in perspective: OpenCV's interpolations with its fixed-point arithmetic
for uint8, and Pillow's cubic.

Images are arrays of shape (..., height, width, channels), for warps without further axes in front; every function works
on whole arrays.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .checks import Inter

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
    """Linear taps that keep the area of each old pixel, for larger images."""
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


def _shares(size: int, wanted: int) -> Taps:
    """The old pixels that each new one covers, and how much of it each of them is."""
    scale = size / wanted
    ends = np.arange(wanted + 1) * scale
    old = np.floor(ends[:-1, None]).astype(np.intp) + np.arange(math.ceil(scale) + 1)
    overlap = np.minimum(ends[1:, None], old + 1) - np.maximum(ends[:-1, None], old)
    return np.minimum(old, size - 1), np.clip(overlap, 0, None) / scale


def _area(image: Array, height: int, width: int, halves: bool) -> Array:
    """Means over the areas that new pixels cover."""
    rows, columns = image.shape[-3:-1]
    if halves and image.dtype.kind in "iu":
        total = image.astype(np.int64)
        total = total[..., ::2, :, :] + total[..., 1::2, :, :]
        total = total[..., ::2, :] + total[..., 1::2, :]
        return ((total + 2) >> 2).astype(image.dtype)
    kind = np.float64 if image.dtype == np.float64 else np.float32
    over, down = _shares(columns, width), _shares(rows, height)
    across = _weighted(image.astype(kind), over, -2, over[1].astype(kind))
    return cast(_weighted(across, down, -3, down[1].astype(kind)), image.dtype)


def _pillow_taps(size: int, wanted: int) -> Taps:
    """The taps of Pillow's cubic filter, which is widened where an image becomes smaller."""
    scale = size / wanted
    stretch = max(scale, 1.0)
    support = 2.0 * stretch
    centres = (np.arange(wanted) + 0.5) * scale
    low = np.maximum((centres - support + 0.5).astype(np.intp), 0)
    high = np.minimum((centres + support + 0.5).astype(np.intp), size)
    old = low[:, None] + np.arange((high - low).max())
    x = np.abs((old + 0.5 - centres[:, None]) / stretch)
    a = _PILLOW_CUBIC
    inner, outer = ((a + 2) * x - (a + 3)) * x * x + 1, (((x - 5) * x + 8) * x - 4) * a
    weights = np.where((x < 2) & (old < high[:, None]), np.where(x < 1, inner, outer), 0.0)
    return np.minimum(old, size - 1), weights / weights.sum(1, keepdims=True)


def _pillow_cubic(image: Array, height: int, width: int) -> Array:
    for axis, wanted in ((-2, width), (-3, height)):
        if image.shape[axis] == wanted:
            continue
        taps = _pillow_taps(image.shape[axis], wanted)
        if image.dtype == np.uint8:
            fixed = np.trunc(taps[1] * (1 << _PILLOW_BITS) + np.where(taps[1] < 0, -0.5, 0.5)).astype(np.int32)
            total = _weighted(image.astype(np.int32), taps, axis, fixed)
            image = cast((total + (1 << _PILLOW_BITS - 1)) >> _PILLOW_BITS, image.dtype)
        else:
            image = _weighted(image, taps, axis, taps[1]).astype(image.dtype)
    return image


def cast(values: Array, dtype: Any) -> Array:
    """Numbers as a dtype: whole numbers are rounded to even and limited to its range."""
    dtype = np.dtype(dtype)
    if dtype.kind not in "iu":
        return values.astype(dtype, copy=False)
    limits = np.iinfo(dtype)
    values = np.rint(values) if values.dtype.kind == "f" else values
    return np.clip(values, limits.min, limits.max).astype(dtype)


_COORDINATE_BITS = 10
_PART_BITS = 5  # Between two pixels 32 places are told apart.
_WARP_BITS = 15


def warp_affine(
    image: Array, forward: Array, height: int, width: int, interpolation: Inter, fill: Sequence[float]
) -> Array:
    """The image (H, W, C) moved by a 2x3 matrix from its (x, y) to those of the result (height, width, C).

    Pixels outside of the image get the numbers of `fill`, one for each channel.
    """
    (m, n, right), (o, p, lower) = forward.tolist()
    scale = m * p - n * o
    scale = 1 / scale if scale else 0.0
    a, b, c, d = p * scale, -n * scale, -o * scale, m * scale
    offset = -a * right - b * lower, -c * right - d * lower
    one = 1 << _COORDINATE_BITS
    x, y = np.arange(width), np.arange(height)
    nearest = interpolation is Inter.NEAREST
    half = one // 2 if nearest else one >> _PART_BITS + 1
    over = np.rint((b * y + offset[0]) * one).astype(np.int64)[:, None] + half + np.rint(a * x * one).astype(np.int64)
    down = np.rint((d * y + offset[1]) * one).astype(np.int64)[:, None] + half + np.rint(c * x * one).astype(np.int64)
    if nearest:
        return _picked(image, down >> _COORDINATE_BITS, over >> _COORDINATE_BITS, fill)
    shift = _COORDINATE_BITS - _PART_BITS
    return _sampled(image, down >> shift, over >> shift, interpolation, fill)


def warp_perspective(image: Array, forward: Array, interpolation: Inter, fill: Sequence[float]) -> Array:
    """The image (H, W, C) moved by a 3x3 matrix of homogeneous coordinates."""
    height, width = image.shape[:2]
    backward = np.linalg.inv(forward)
    y, x = np.mgrid[:height, :width].astype(np.float64)
    across, down, depth = (row[0] * x + row[1] * y + row[2] for row in backward)
    one = 1 if interpolation is Inter.NEAREST else 1 << _PART_BITS
    factor = np.divide(one, depth, out=np.zeros_like(depth), where=depth != 0)
    limit = float(2**31 - 1)
    places = [np.rint(np.clip(part * factor, -limit, limit)).astype(np.int64) for part in (down, across)]
    if one == 1:
        return _picked(image, places[0], places[1], fill)
    return _sampled(image, places[0], places[1], interpolation, fill)


def _picked(image: Array, rows: Array, columns: Array, fill: Sequence[float]) -> Array:
    """The pixels at these places; `fill` for places outside of the image."""
    return _framed(image, fill)(rows, columns)


def _framed(image: Array, fill: Sequence[float]) -> Callable[[Array, Array], Array]:
    """A function from places to the pixels there: all that is outside the image is seen in a frame around it."""
    height, width, channels = image.shape
    frame = np.empty((height + 2, width + 2, channels), image.dtype)
    frame[...] = cast(np.asarray(fill, np.float64)[:channels], image.dtype)
    frame[1:-1, 1:-1] = image
    pixels = frame.reshape(-1, channels)

    def at(rows: Array, columns: Array) -> Array:
        places = (np.clip(rows, -1, height) + 1) * (width + 2) + (np.clip(columns, -1, width) + 1)
        return np.take(pixels, places, 0)

    return at


def _sampled(image: Array, rows: Array, columns: Array, interpolation: Inter, fill: Sequence[float]) -> Array:
    """Weighted sums of the pixels around places given in 32nds."""
    places = 1 << _PART_BITS
    tops, lefts = rows >> _PART_BITS, columns >> _PART_BITS
    parts = (rows & places - 1) * places + (columns & places - 1)
    exact, cubic = image.dtype == np.uint8, interpolation is Inter.CUBIC
    weights = _weights(cubic, exact)
    total = np.zeros((*rows.shape, image.shape[2]), weights.dtype)
    pixels_at = _framed(image, fill)
    for row, column in np.ndindex(*weights.shape[1:]):
        pixels = pixels_at(tops + row - cubic, lefts + column - cubic)
        total += pixels * np.take(weights[:, row, column], parts)[..., None]
    return cast((total + (1 << _WARP_BITS - 1)) >> _WARP_BITS if exact else total, image.dtype)


@functools.cache
def _weights(cubic: bool, exact: bool) -> Array:
    """The weights of the pixels around each of 32 x 32 places between pixels, whole ones if `exact`."""
    part = np.arange(1 << _PART_BITS, dtype=np.float32) / np.float32(1 << _PART_BITS)
    line = cubic_weights(part) if cubic else np.stack([1 - part, part], -1)
    weights = (line[:, None, :, None] * line[None, :, None, :]).reshape(-1, line.shape[1], line.shape[1])
    return _whole(weights) if exact else weights.astype(np.float64)


def _whole(weights: Array) -> Array:
    """Weights in units of 2**-15 that add up to one: the sum of rounding errors goes to the weight after the middle."""
    whole = np.rint(weights * np.float32(1 << _WARP_BITS)).astype(np.int32)
    missing = (1 << _WARP_BITS) - whole.sum((-2, -1))
    middle = whole.shape[-1] // 2
    flat = whole[..., middle:, middle:].reshape(*missing.shape, -1)
    chosen = np.where(missing > 0, flat.argmax(-1), flat.argmin(-1))
    rows, columns = np.divmod(chosen, whole.shape[-1] - middle)
    place = (*np.indices(missing.shape), rows + middle, columns + middle)
    whole[place] += missing
    return whole


def rotation(degrees: float, center: Sequence[float]) -> Array:
    """The 2x3 matrix that turns counterclockwise about a point (x, y)."""
    angle = math.radians(degrees)
    cosine, sine = math.cos(angle), math.sin(angle)
    x, y = center
    return np.array(
        [[cosine, sine, (1 - cosine) * x - sine * y], [-sine, cosine, sine * x + (1 - cosine) * y]], np.float64
    )


def rotate(
    image: Array, degrees: float, interpolation: Inter, expand: bool, center: Sequence[float], fill: Sequence[float]
) -> Array:
    """The image turned counterclockwise about `center` (its middle if empty); with `expand` all of it is seen."""
    height, width = image.shape[:2]
    middle = tuple(center) if len(center) else ((width - 1) / 2, (height - 1) / 2)
    matrix = rotation(degrees, middle)
    if not expand:
        return warp_affine(image, matrix, height, width, interpolation, fill)
    angle = math.radians(degrees)
    cosine, sine = abs(math.cos(angle)), abs(math.sin(angle))
    wide, high = width * cosine + height * sine, width * sine + height * cosine
    matrix[:, 2] += wide / 2 - width / 2, high / 2 - height / 2
    return warp_affine(image, matrix, round(high), round(wide), interpolation, fill)


def affine_matrix(
    degrees: float, translate: Sequence[float], scale: float, shear: Sequence[float], height: int, width: int
) -> Array:
    """The 2x3 matrix that shears, scales and turns an image about its middle and then moves it (x, y in pixels)."""
    angle, shear_x, shear_y = math.radians(degrees), math.radians(shear[0]), -math.radians(shear[1])
    x, y = (width - 1) / 2, (height - 1) / 2
    ratio_x = math.tan(shear_x) / math.cos(shear_y)
    matrix = scale * np.array(
        [
            [math.cos(angle + shear_y) / math.cos(shear_y), -math.cos(angle + shear_y) * ratio_x - math.sin(angle)],
            [math.sin(angle + shear_y) / math.cos(shear_y), -math.sin(angle + shear_y) * ratio_x + math.cos(angle)],
        ]
    )
    offset = np.array([x, y]) + translate - matrix @ [x, y]
    return np.column_stack([matrix, offset])


def perspective_matrix(start: Sequence[Sequence[float]], end: Sequence[Sequence[float]]) -> Array:
    """The 3x3 matrix that moves four points (x, y) to four others."""
    (x, y), (u, v) = np.asarray(start, np.float64).T, np.asarray(end, np.float64).T
    one, zero = np.ones(4), np.zeros(4)
    upper = np.column_stack([x, y, one, zero, zero, zero, -x * u, -y * u])
    lower = np.column_stack([zero, zero, zero, x, y, one, -x * v, -y * v])
    solved = np.linalg.solve(np.vstack([upper, lower]), np.concatenate([u, v]))
    return np.append(solved, 1.0).reshape(3, 3)
