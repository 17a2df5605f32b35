"""Sampling of images at positions that a tensor gives: grid_sample."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ...runtime import dtypes
from ..ir.attributes import FLAG, TEXT
from ..ir.op import Op, Sample
from ..ir.types import TensorType, show_shape
from .arithmetic import absolute, clip
from .batching import folded
from .comparison import greater_equal, less_equal, logical_and, select
from .composite import defined_op
from .conversion import cast
from .creation import constant
from .elementwise import floor, round as round_
from .index_batching import OPERAND
from .indexing import index
from .infer import broadcast_float, same_dtype
from .samples import pair
from .shape import flatten_axes, insert_axes, reshape, transpose
from .slicing import slice_axis

MODES = ("linear", "nearest")
PADDINGS = ("zeros", "border", "reflection")


def _infer_grid_sample(x: TensorType, grid: TensorType, *, mode: str, padding: str, align_corners: bool) -> TensorType:
    broadcast_float(x)
    same_dtype(x, grid)
    if mode not in MODES or padding not in PADDINGS:
        raise ValueError(
            f"grid_sample: mode should be one of {', '.join(MODES)}, padding one of {', '.join(PADDINGS)}, but got "
            f"{mode!r} and {padding!r}"
        )
    axes = x.rank - 2
    if axes < 1 or grid.rank != x.rank or grid.shape[-1] not in (axes, None):
        raise ValueError(
            f"grid_sample: an input (batch, channels, …) of shape {show_shape(x.shape)} needs a grid of as many "
            f"dimensions whose last is {max(axes, 1)}, but got {show_shape(grid.shape)}"
        )
    if None not in (x.shape[0], grid.shape[0]) and x.shape[0] != grid.shape[0]:
        raise ValueError(f"grid_sample: the input has {x.shape[0]} images, but the grid is for {grid.shape[0]}")
    if None in x.shape or None in grid.shape:
        raise ValueError(f"grid_sample needs known sizes, but got {x} and {grid}")
    return x.with_shape((*x.shape[:2], *grid.shape[1:-1]))


def _place(coordinate: Any, size: int, padding: str, align_corners: bool) -> Any:
    """Coordinates in [-1, 1] as positions along a dimension, moved inside if the padding says so."""
    if align_corners:
        position = (coordinate + 1) * ((size - 1) / 2)
    else:
        position = (coordinate + 1) * (size / 2) - 0.5
    if padding == "reflection":
        position = _reflect(position, 0.0, size - 1.0) if align_corners else _reflect(position, -0.5, size - 0.5)
    if padding != "zeros":
        position = clip(position, 0, size - 1)
    return position


def _reflect(position: Any, low: float, high: float) -> Any:
    """Positions reflected at the two bounds as often as needed."""
    width = high - low
    if width == 0:
        return position * 0
    distance = absolute(position - low)
    turns = floor(distance / width)
    rest = distance - turns * width
    odd = greater_equal(turns - 2 * floor(turns / 2), 0.5)
    return select(odd, high - rest, low + rest)


def _composite(x: Any, grid: Any, *, mode: str, padding: str, align_corners: bool) -> Any:
    spatial = x.shape[2:]
    batch, places = grid.shape[0], grid.shape[1:-1]
    count, axes = math.prod(places), len(spatial)
    flat = reshape(grid, shape=(batch, count, axes))
    positions = []
    for axis, size in enumerate(spatial):
        # The grid names the last dimension first.
        coordinate = reshape(slice_axis(flat, 2, axes - 1 - axis, axes - axis), shape=(batch, count))
        positions.append(_place(coordinate, size, padding, align_corners))
    pixels = flatten_axes(x, 2, x.rank)
    images = constant(value=np.arange(batch)[:, None])
    total = None
    lows = [round_(position) if mode == "nearest" else floor(position) for position in positions]
    for corner in itertools.product((0, 1) if mode == "linear" else (0,), repeat=axes):
        weight, number, inside = None, None, None
        for step, low, position, size in zip(corner, lows, positions, spatial, strict=True):
            at = low + step if step else low
            within = logical_and(greater_equal(at, 0), less_equal(at, size - 1))
            inside = within if inside is None else logical_and(inside, within)
            if mode == "linear":
                share = position - low if step else 1 - (position - low)
                weight = share if weight is None else weight * share
            whole = cast(clip(at, 0, size - 1), dtype=dtypes.int64)
            number = whole if number is None else number * size + whole
        picked = index(pixels, images, number, spec=(OPERAND, (None, None, 1), OPERAND))  # (batch, count, channels)
        part = select(insert_axes(inside, (2,)), picked, 0)
        if weight is not None:
            part = part * insert_axes(weight, (2,))
        total = part if total is None else total + part
    return reshape(transpose(total, axes=(0, 2, 1)), shape=(batch, x.shape[1], *places))


def _samples() -> list[Sample]:
    attrs = [
        {"mode": mode, "padding": padding, "align_corners": align}
        for mode, padding, align in itertools.product(MODES, PADDINGS, (True, False))
    ]
    samples = [Sample((*pair((2, 2, 3, 4)), *pair((2, 3, 2, 2), low=-1.4, high=1.4, seed=7)), each) for each in attrs]
    deep = (*pair((1, 2, 2, 3, 2)), *pair((1, 2, 1, 2, 3), low=-0.9, high=0.9, seed=3))
    return [*samples, Sample(deep, attrs[0])]


grid_sample: Op = defined_op(
    "grid_sample",
    _composite,
    attrs={"mode": TEXT, "padding": TEXT, "align_corners": FLAG},
    infer=_infer_grid_sample,
    batch=folded(0),
    samples=_samples,
    doc="x (batch, channels, …) at the positions, from -1 to 1, that the last dimension of a grid gives.",
)
