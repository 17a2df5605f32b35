"""Resizing of images by nearest, linear and cubic interpolation, with gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runtime.kernels import resize as kernels
from ..ir.attributes import FLOATS, INTS, SIZES, TEXT, or_none
from ..ir.op import Op, Sample
from ..ir.types import TensorType, show_shape
from .batching import folded
from .infer import broadcast_float
from .pooling import check_like
from .samples import pair

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
        raise ValueError(f"the gradient of resize's gradient needs a known size, but got {dout.type}")
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
