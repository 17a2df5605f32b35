"""Images sampled at positions that a tensor gives (grid_sample); resized by nearest, linear and cubic interpolation."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.kernels import resize as kernels
from ..ir.attributes import FLAG, FLOATS, INTS, SIZES, TEXT, or_none
from ..ir.op import Op, Sample
from ..ir.types import TensorType, UnknownShapeError, show_shape
from .arithmetic import absolute, clip
from .batching import folded
from .comparison import greater_equal, less_equal, logical_and, select
from .composite import defined_op
from .conversion import cast
from .creation import constant
from .elementwise import floor, round as round_
from .index_batching import OPERAND
from .indexing import index
from .infer import broadcast_float, check_like, same_dtype
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
        raise UnknownShapeError(f"grid_sample needs known sizes, but got {x} and {grid}")
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


Scales = tuple[float | None, ...] | None


def _infer_resize(x: TensorType, *, size: tuple[int, ...], mode: str, coordinates: str, scales: Scales) -> TensorType:
    if mode not in kernels.MODES or coordinates not in kernels.COORDINATES:
        raise ValueError(
            f"resize: mode should be one of {', '.join(kernels.MODES)}, coordinates one of "
            f"{', '.join(kernels.COORDINATES)}, but got {mode!r} and {coordinates!r}"
        )
    if mode != "nearest":
        broadcast_float(x)
    axes = x.rank - 2
    if axes < 1 or len(size) != axes or any(length < 1 for length in size):
        raise ValueError(
            f"resize: an input (batch, channels, …) of shape {show_shape(x.shape)} needs {max(axes, 1)} sizes from 1, "
            f"but got {size}"
        )
    if scales is not None and (len(scales) != axes or any(scale is not None and scale <= 0 for scale in scales)):
        raise ValueError(f"resize: {axes} positive scales are needed, but got {scales}")
    if 0 in x.shape[2:]:
        raise ValueError(f"resize: the input of shape {show_shape(x.shape)} has no elements")
    return x.with_shape((*x.shape[:2], *size))


def _infer_resize_grad(dout: TensorType, *like: TensorType, spatial: tuple[int, ...], **attrs: Any) -> TensorType:
    if len(like) > 1 or bool(like) == bool(spatial):
        raise ValueError("resize_grad needs either the spatial shape of the result, or a tensor that has it")
    x = like[0].with_dtype(dout.dtype) if like else dout.with_shape((*dout.shape[:2], *spatial))
    check_like("resize_grad", x.with_shape((*x.shape[:2], *dout.shape[2:])), dout)
    return x


def _kernel_resize_grad(
    dout: np.ndarray, *like: np.ndarray, spatial: tuple[int, ...], out: np.ndarray | None = None, **attrs: Any
) -> np.ndarray:
    return kernels.resize_grad(dout, like[0].shape[2:] if like else spatial, out=out, **attrs)


def _vjp_resize(x: Any, out: Any, dout: Any, *, size: tuple[int, ...], **attrs: Any) -> Any:
    if None in x.shape[2:]:
        return resize_grad(dout, x, spatial=(), **attrs)
    return resize_grad(dout, spatial=x.shape[2:], **attrs)


def _vjp_resize_grad(dout: Any, *rest: Any, spatial: tuple[int, ...], **attrs: Any) -> tuple[Any, ...]:
    size = dout.shape[2:]
    if None in size:
        raise UnknownShapeError(f"the gradient of resize's gradient needs a known size, but got {dout.type}")
    return (resize(rest[-1], size=size, **attrs), *[None] * (len(rest) - 2))


def _cases() -> list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]]:
    cases: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = []
    for number, mode in enumerate(kernels.MODES):
        for coordinates in kernels.COORDINATES:
            attrs: dict[str, Any] = {"mode": mode, "coordinates": coordinates, "scales": None}
            cases.append(((1, 2, 3, 4), (5, 2) if number % 2 else (2, 7), attrs))
    cases.append(((2, 1, 5), (7,), {"mode": "linear", "coordinates": "half_pixel", "scales": (1.5,)}))
    cases.append(((1, 1, 2, 3, 2), (3, 2, 4), {"mode": "linear", "coordinates": "align_corners", "scales": None}))
    return cases


resize: Op = Op(
    "resize",
    attrs={"size": INTS, "mode": TEXT, "coordinates": TEXT, "scales": or_none(FLOATS)},
    infer=_infer_resize,
    kernel=kernels.resize,
    vjp=_vjp_resize,
    batch=folded(0),
    samples=lambda: [Sample(pair(shape), {**attrs, "size": size}) for shape, size, attrs in _cases()],
    doc="x (batch, channels, …) with its spatial dimensions brought to a size, by interpolation.",
)
resize_grad: Op = Op(
    "resize_grad",
    attrs={"spatial": SIZES, "mode": TEXT, "coordinates": TEXT, "scales": or_none(FLOATS)},
    infer=_infer_resize_grad,
    kernel=_kernel_resize_grad,
    vjp=_vjp_resize_grad,
    batch=folded(0),
    samples=lambda: [
        *[Sample(pair((*shape[:2], *size)), {**attrs, "spatial": shape[2:]}) for shape, size, attrs in _cases()],
        Sample(
            pair((1, 1, 4), (1, 1, 3)),
            {"mode": "linear", "coordinates": "half_pixel", "scales": None, "spatial": ()},
        ),
    ],
    doc="The gradient of resize, of a spatial shape given (or a second tensor's).",
)
