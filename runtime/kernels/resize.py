"""Resizing of images along their spatial axes: nearest, linear and cubic interpolation, and their gradients.

Interpolation over several axes is interpolation along one after the other. `coordinates` says which position of the
input an output element i has:
- half_pixel: elements are intervals, and their middles correspond: (i + 0.5) · step - 0.5;
- align_corners: elements are points, and the first and the last ones correspond: i · (inputs - 1) / (outputs - 1);
- asymmetric: the starts of elements correspond: i · step.
The step is inputs / outputs, or 1 / scale where scales are given.

Cubic interpolation is that of MindSpore and TensorFlow: distances are rounded to multiples of 1/1024. With half_pixel
its parameter is -0.5 and elements outside of the image do not count; else it is -0.75 and the elements at the edge are
repeated.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .axis_maps import AxisMap, mapped
from .precision import Array, deliver

MODES = ("nearest", "linear", "cubic")
COORDINATES = ("half_pixel", "align_corners", "asymmetric")
CUBIC_STEPS = 1024
Scales = tuple[float | None, ...]


def resize(
    x: Array, size: tuple[int, ...], mode: str, coordinates: str = "half_pixel", scales: Scales | None = None, *,
    out: Array | None = None,
) -> Array:  # fmt: skip
    """x (N, C, spatial…) resized to a spatial shape."""
    maps = _maps(x.shape[2:], size, mode, coordinates, scales)
    if mode == "nearest":
        # The axes that shrink most go first.
        for axis, axis_map in sorted(maps, key=lambda item: item[1].outputs / item[1].size):
            x = np.take(x, axis_map.indices[0], axis)
        return deliver(x, x.dtype, out)
    return mapped(maps, x, size, False, out)


def resize_grad(
    dout: Array, spatial: tuple[int, ...], mode: str, coordinates: str = "half_pixel", scales: Scales | None = None, *,
    out: Array | None = None,
) -> Array:  # fmt: skip
    """The gradient of `resize` by x, whose spatial shape is given."""
    maps = _maps(spatial, dout.shape[2:], mode, coordinates, scales)
    return mapped(maps, dout, spatial, True, out)


def _maps(
    spatial: tuple[int, ...], size: tuple[int, ...], mode: str, coordinates: str, scales: Scales | None
) -> list[tuple[int, AxisMap]]:
    """Axis and map of every axis that changes."""
    if mode not in MODES or coordinates not in COORDINATES:
        raise ValueError(
            f"expected a mode of {', '.join(MODES)} and coordinates of {', '.join(COORDINATES)}, "
            f"but got {mode!r} and {coordinates!r}"
        )
    if len(size) != len(spatial) or (scales is not None and len(scales) != len(spatial)) or min(size) < 1:
        raise ValueError(f"cannot resize an input of spatial shape {spatial} to {size} with scales {scales}")
    maps = []
    for axis, (inputs, outputs) in enumerate(zip(spatial, size, strict=True)):
        scale = None if scales is None else scales[axis]
        # An axis that keeps its length needs no map, unless a given scale other than 1 moves its elements.
        if inputs != outputs or scale not in (None, 1):
            maps.append((axis + 2, _axis_map(inputs, outputs, mode, coordinates, scale)))
    return maps


@lru_cache(maxsize=1024)
def _axis_map(inputs: int, outputs: int, mode: str, coordinates: str, scale: float | None) -> AxisMap:
    """The map along one axis. Positions are computed in single precision, as in MindSpore's kernels."""
    numbers = np.arange(outputs, dtype=np.float32)
    if coordinates == "align_corners":
        positions = numbers * np.float32((inputs - 1) / (outputs - 1) if outputs > 1 else 0)
    else:
        step = np.float32(inputs / outputs if scale is None else 1 / scale)
        half = np.float32(0.5 if coordinates == "half_pixel" else 0)
        positions = (numbers + half) * step
        if mode != "nearest":
            positions = positions - half
    if mode == "nearest":
        if coordinates == "align_corners":
            positions = positions + np.float32(0.5)
        indices = np.floor(positions).astype(np.intp)[None]
        weights = np.ones(indices.shape)
    elif mode == "linear":
        positions = np.maximum(positions, 0)
        first = np.floor(positions)
        after = (positions - first).astype(np.float64)
        indices, weights = first.astype(np.intp) + np.arange(2)[:, None], np.stack([1 - after, after])
    else:
        first = np.floor(positions)
        after = np.rint((positions - first) * CUBIC_STEPS).astype(np.float64) / CUBIC_STEPS
        indices = first.astype(np.intp) + np.arange(-1, 3)[:, None]
        distances = np.stack([after + 1, after, 1 - after, 2 - after])
        if coordinates == "half_pixel":
            weights = np.where((indices >= 0) & (indices < inputs), _cubic(distances, -0.5), 0.0)
            weights /= weights.sum(axis=0)
        else:
            weights = _cubic(distances, -0.75)
    return AxisMap(inputs, np.clip(indices, 0, inputs - 1), weights, np.full(outputs, len(indices)))


def _cubic(distance: Array, slope: float) -> Array:
    """The weight of an element at a distance of at most 2 (R. Keys, Cubic convolution interpolation, 1981)."""
    near = ((slope + 2) * distance - (slope + 3)) * distance**2 + 1
    far = ((slope * distance - 5 * slope) * distance + 8 * slope) * distance - 4 * slope
    return np.where(distance <= 1, near, far)
