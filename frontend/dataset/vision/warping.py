"""Images turned, sheared and seen in perspective, with OpenCV's fixed-point coordinates and weights.

Images are arrays of shape (height, width, channels).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .enums import Inter
from .resampling import Array, cast, cubic_weights

_COORDINATE_BITS = 10
_PART_BITS = 5  # Between two pixels 32 places are told apart.
_WEIGHT_BITS = 15


def warp_affine(
    image: Array, forward: Array, height: int, width: int, interpolation: Inter, fill: Sequence[float]
) -> Array:
    """The image (H, W, C) moved by a 2x3 matrix from its (x, y) to those of the result (height, width, C).

    What the image does not cover gets the numbers of `fill`, one per channel.
    """
    linear = np.linalg.inv(forward[:, :2]) if np.linalg.det(forward[:, :2]) else np.zeros((2, 2))
    (a, b), (c, d) = linear
    offset = -linear @ forward[:, 2]
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
    """The pixels at these places; those outside the image are `fill`."""
    height, width, channels = image.shape
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    found = image[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]
    outside = cast(np.asarray(fill, np.float64)[:channels], image.dtype)
    return np.where(inside[..., None], found, outside)


def _sampled(image: Array, rows: Array, columns: Array, interpolation: Inter, fill: Sequence[float]) -> Array:
    """Weighted sums of the pixels around places given in 32nds."""
    last = (1 << _PART_BITS) - 1
    tops, lefts = rows >> _PART_BITS, columns >> _PART_BITS
    parts = [((places & last) / (last + 1)).astype(np.float32) for places in (rows, columns)]
    if interpolation is Inter.CUBIC:
        first, (down, over) = -1, [cubic_weights(part) for part in parts]
    else:
        first, (down, over) = 0, [np.stack([1 - part, part], -1) for part in parts]
    weights = down[..., :, None] * over[..., None, :]
    exact = image.dtype == np.uint8
    if exact:
        weights = _whole(weights)
    total = np.zeros((*rows.shape, image.shape[2]), np.int64 if exact else np.float64)
    for row in range(weights.shape[-2]):
        for column in range(weights.shape[-1]):
            pixels = _picked(image, tops + first + row, lefts + first + column, fill)
            total += pixels * weights[..., row, column, None]
    return cast((total + (1 << _WEIGHT_BITS - 1)) >> _WEIGHT_BITS if exact else total, image.dtype)


def _whole(weights: Array) -> Array:
    """Weights in units of 2**-15 that add up to one: what rounding leaves over goes to one behind the middle."""
    whole = np.rint(weights * np.float32(1 << _WEIGHT_BITS)).astype(np.int64)
    missing = (1 << _WEIGHT_BITS) - whole.sum((-2, -1))
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
