"""Max and average pooling over any number of dimensions, with gradients, and adaptive pooling composed of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.kernels import pool as kernels
from ...runtime.kernels.windows import output_spatial
from ..op import Op, Sample
from ..types import Dimension, TensorType, show_shape
from .along import take_along
from .convolution import check_windows
from .creation import constant
from .infer import broadcast_float, same_dtype
from .samples import pair
from .shape import broadcast_as, drop_axes, flatten_axes, insert_axes, reshape_as, transpose

Windows = dict[str, Any]


def _pooled(x: TensorType, what: str, windows: Windows) -> TensorType:
    """The type of what pooling gives; `windows` holds kernel, stride, padding, dilation and ceil_mode."""
    axes = x.rank - 2
    if axes < 1:
        raise ValueError(f"{what}: the input should have a shape (batch, channels, …), but got {show_shape(x.shape)}")
    kernel, stride, padding, dilation = (windows[key] for key in ("kernel", "stride", "padding", "dilation"))
    if len(kernel) != axes or any(size < 1 for size in kernel):
        raise ValueError(f"{what}: kernel should be {axes} positive integers, but got {kernel}")
    check_windows(what, axes, stride, padding, dilation)
    spatial: list[Dimension] = []
    for axis, size in enumerate(x.shape[2:]):
        if size is None:
            spatial.append(None)
            continue
        low, high = padding[axis]
        if size + low + high < (kernel[axis] - 1) * dilation[axis] + 1:
            raise ValueError(
                f"{what}: the kernel {kernel} is larger than the input {show_shape(x.shape[2:])} with padding {padding}"
            )
        cut = [values[axis : axis + 1] for values in (kernel, stride, padding, dilation)]
        spatial += output_spatial((size,), *cut, windows["ceil_mode"])
    return x.with_shape((*x.shape[:2], *spatial))


def check_like(what: str, expected: TensorType, got: TensorType) -> None:
    """Raise ValueError where a cotangent cannot have the shape of the result that it belongs to."""
    if expected.rank != got.rank or any(
        a is not None and b is not None and a != b for a, b in zip(expected.shape, got.shape, strict=False)
    ):
        raise ValueError(f"{what}: expected shape {show_shape(expected.shape)}, but got {show_shape(got.shape)}")


# Maxima


def _infer_max_pool(x: TensorType, **windows: Any) -> TensorType:
    return _pooled(x, "max_pool", windows)


def _infer_max_pool_grad(x: TensorType, pooled: TensorType, dout: TensorType, **windows: Any) -> TensorType:
    same_dtype(x, pooled, dout)
    expected = _pooled(x, "max_pool_grad", windows)
    check_like("max_pool_grad", expected, pooled)
    check_like("max_pool_grad", expected, dout)
    return x


def _infer_max_pool_indices(x: TensorType, pooled: TensorType, **windows: Any) -> TensorType:
    same_dtype(x, pooled)
    check_like("max_pool_indices", _pooled(x, "max_pool_indices", windows), pooled)
    return pooled.with_dtype(dtypes.int64)


def _vjp_max_pool_grad(x: Any, pooled: Any, dout: Any, out: Any, cotangent: Any, **windows: Any) -> tuple[Any, ...]:
    positions = flatten_axes(max_pool_indices(x, pooled, **windows), 2, x.rank)
    picked = take_along(flatten_axes(cotangent, 2, x.rank), positions, axis=2)
    return None, None, reshape_as(picked, dout)


def _pool_cases() -> list[tuple[tuple[int, ...], Windows]]:
    return [
        (
            (2, 3, 5, 6),
            {"kernel": (2, 3), "stride": (2, 3), "padding": ((0, 0), (0, 0)), "dilation": (1, 1), "ceil_mode": False},
        ),
        (
            (1, 2, 6, 5),
            {"kernel": (3, 2), "stride": (2, 1), "padding": ((1, 1), (0, 1)), "dilation": (1, 2), "ceil_mode": True},
        ),
        ((2, 1, 7), {"kernel": (3,), "stride": (2,), "padding": ((1, 0),), "dilation": (1,), "ceil_mode": True}),
        (
            (1, 1, 3, 4, 3),
            {
                "kernel": (2, 2, 2),
                "stride": (1, 2, 1),
                "padding": ((0, 0),) * 3,
                "dilation": (1, 1, 1),
                "ceil_mode": False,
            },
        ),
    ]


def _distinct(shape: tuple[int, ...]) -> np.ndarray:
    """Numbers far enough apart for difference quotients of maxima."""
    size = int(np.prod(shape))
    return np.random.default_rng(0).permutation(size).reshape(shape) / size * 4 - 2


def _with_pooled(more: bool) -> list[Sample]:
    samples = []
    for shape, windows in _pool_cases():
        x = _distinct(shape)
        pooled = kernels.max_pool(x, **windows)
        samples.append(Sample((x, pooled, *pair(pooled.shape)[:more]), windows, gradient=False))
    return samples


max_pool: Op = Op(
    "max_pool",
    kind="opaque",
    infer=_infer_max_pool,
    kernel=kernels.max_pool,
    vjp=lambda x, out, dout, **windows: max_pool_grad(x, out, dout, **windows),
    writes_out=True,
    samples=lambda: [Sample((_distinct(shape),), windows) for shape, windows in _pool_cases()],
    doc="The maximum of each window of x (batch, channels, …); padding never is one.",
)
max_pool_grad: Op = Op(
    "max_pool_grad",
    kind="opaque",
    infer=_infer_max_pool_grad,
    kernel=kernels.max_pool_grad,
    vjp=_vjp_max_pool_grad,
    writes_out=True,
    samples=lambda: _with_pooled(True),
    doc="The gradient of max_pool: the first maximum of each window receives the window's cotangent.",
)
max_pool_indices: Op = Op(
    "max_pool_indices",
    kind="opaque",
    infer=_infer_max_pool_indices,
    kernel=kernels.max_pool_indices,
    writes_out=True,
    samples=lambda: _with_pooled(False),
    doc="Where, in its flattened image, the first maximum of each window is, given what max_pool gave.",
)


# Means


def _infer_avg_pool(x: TensorType, *, count_include_pad: bool, divisor: int | None, **windows: Any) -> TensorType:
    broadcast_float(x)
    if divisor is not None and divisor == 0:
        raise ValueError("avg_pool: the divisor should not be 0")
    return _pooled(x, "avg_pool", {**windows, "dilation": (1,) * len(windows["kernel"])})


def _kernel_avg_pool(
    x: np.ndarray, *, divisor: int | None, out: np.ndarray | None = None, **windows: Any
) -> np.ndarray:
    return kernels.avg_pool(x, divisor_override=divisor, out=out, **windows)


def _infer_avg_pool_grad(dout: TensorType, *like: TensorType, spatial: tuple[int, ...], **windows: Any) -> TensorType:
    if len(like) > 1 or bool(like) == bool(spatial):
        raise ValueError("avg_pool_grad needs either the spatial shape of the result, or a tensor that has it")
    x = like[0].with_dtype(dout.dtype) if like else dout.with_shape((*dout.shape[:2], *spatial))
    check_like("avg_pool_grad", _infer_avg_pool(x, **windows), dout)
    return x


def _kernel_avg_pool_grad(
    dout: np.ndarray,
    *like: np.ndarray,
    spatial: tuple[int, ...],
    divisor: int | None,
    out: np.ndarray | None = None,
    **windows: Any,
) -> np.ndarray:
    shape = like[0].shape[2:] if like else spatial
    return kernels.avg_pool_grad(dout, shape, divisor_override=divisor, out=out, **windows)


def _vjp_avg_pool(x: Any, out: Any, dout: Any, **windows: Any) -> Any:
    if None in x.shape[2:]:
        return avg_pool_grad(dout, x, spatial=(), **windows)
    return avg_pool_grad(dout, spatial=x.shape[2:], **windows)


def _vjp_avg_pool_grad(dout: Any, *rest: Any, spatial: tuple[int, ...], **windows: Any) -> tuple[Any, ...]:
    return (avg_pool(rest[-1], **windows), *[None] * (len(rest) - 2))


def _avg_cases() -> list[tuple[tuple[int, ...], Windows]]:
    cases = []
    for number, (shape, windows) in enumerate(_pool_cases()):
        more: Windows = {"count_include_pad": number % 2 == 0, "divisor": 3 if number == 3 else None}
        cases.append((shape, {**{key: value for key, value in windows.items() if key != "dilation"}, **more}))
    return cases


def _avg_grad_samples() -> list[Sample]:
    samples = []
    for shape, windows in _avg_cases():
        dout = _kernel_avg_pool(np.zeros(shape), **windows)
        samples.append(Sample(pair(dout.shape), {**windows, "spatial": shape[2:]}))
    samples.append(Sample(pair(dout.shape, shape), {**windows, "spatial": ()}))
    return samples


avg_pool: Op = Op(
    "avg_pool",
    kind="opaque",
    infer=_infer_avg_pool,
    kernel=_kernel_avg_pool,
    vjp=_vjp_avg_pool,
    writes_out=True,
    samples=lambda: [Sample(pair(shape), windows) for shape, windows in _avg_cases()],
    doc="The mean of each window of x (batch, channels, …): its sum over its size, or over the divisor given.",
)
avg_pool_grad: Op = Op(
    "avg_pool_grad",
    kind="opaque",
    infer=_infer_avg_pool_grad,
    kernel=_kernel_avg_pool_grad,
    vjp=_vjp_avg_pool_grad,
    writes_out=True,
    samples=_avg_grad_samples,
    doc="The gradient of avg_pool, of a spatial shape given (or a second tensor's).",
)


# Adaptive pooling: the sizes of the result are given in place of those of the windows


def _bounds(size: int, parts: int) -> list[tuple[int, int]]:
    """The windows that cut a dimension into parts; neighbours share elements where it cannot be cut evenly."""
    return [(part * size // parts, -(-(part + 1) * size // parts)) for part in range(parts)]


def _check_adaptive(x: Any, sizes: tuple[int, ...]) -> tuple[int, ...]:
    spatial: tuple[int | None, ...] = x.shape[x.rank - len(sizes) :]
    if x.rank < len(sizes) or None in spatial or 0 in spatial:
        raise ValueError(f"adaptive pooling needs {len(sizes)} dimensions known before the run, but got {x.type}")
    if any(size < 1 for size in sizes):
        raise ValueError(f"adaptive pooling: sizes should be positive, but got {sizes}")
    return spatial  # type: ignore[return-value]


def _even(spatial: tuple[int, ...], sizes: tuple[int, ...]) -> Windows | None:
    if any(size % parts for size, parts in zip(spatial, sizes, strict=True)):
        return None
    kernel = tuple(size // parts for size, parts in zip(spatial, sizes, strict=True))
    return {"kernel": kernel, "stride": kernel, "padding": ((0, 0),) * len(sizes), "ceil_mode": False}


def adaptive_avg_pool(x: Any, sizes: tuple[int, ...]) -> Any:
    """The symbol x (batch, channels, …) with its last dimensions cut into `sizes` parts, each its mean."""
    from .linalg import matmul

    spatial = _check_adaptive(x, sizes)
    windows = _even(spatial, sizes)
    if windows is not None and x.rank == len(sizes) + 2:
        return avg_pool(x, count_include_pad=True, divisor=None, **windows)
    for offset, (size, parts) in enumerate(zip(spatial, sizes, strict=True)):
        if size == parts:
            continue
        weights = np.zeros((size, parts), x.dtype.np)
        for part, (begin, end) in enumerate(_bounds(size, parts)):
            weights[begin:end, part] = 1 / (end - begin)
        axis = x.rank - len(sizes) + offset
        order = list(range(x.rank))
        order[axis], order[-1] = order[-1], order[axis]
        turned = matmul(transpose(x, axes=tuple(order)), constant(value=weights))
        x = transpose(turned, axes=tuple(order))
    return x


def adaptive_max_pool(x: Any, sizes: tuple[int, ...]) -> tuple[Any, Any]:
    """The symbol x (batch, channels, …) with its last dimensions cut into `sizes` parts, each its maximum.

    With it a symbol of where, in its flattened image, the first maximum of each part is.
    """
    from .gathering import take
    from .reduction import argmax

    spatial = _check_adaptive(x, sizes)
    windows = _even(spatial, sizes)
    if windows is not None and x.rank == len(sizes) + 2:
        windows["dilation"] = (1,) * len(sizes)
        pooled = max_pool(x, **windows)
        return pooled, max_pool_indices(x, pooled, **windows)
    lead = x.rank - len(sizes)
    positions = np.zeros((1,) * (2 * len(sizes)), np.int64)
    strides = _strides(spatial)
    for offset, (size, parts) in enumerate(zip(spatial, sizes, strict=True)):
        bounds = _bounds(size, parts)
        width = max(end - begin for begin, end in bounds)
        # Windows narrower than the widest name their last element again, which changes no maximum.
        picks = np.array([[min(begin + step, end - 1) for step in range(width)] for begin, end in bounds])
        x = take(x, constant(value=picks), axis=lead + 2 * offset)
        shape = [1] * (2 * len(sizes))
        shape[2 * offset : 2 * offset + 2] = picks.shape
        positions = positions + (picks * strides[offset]).reshape(shape)
    count = len(sizes)
    order = (*range(0, 2 * count, 2), *range(1, 2 * count, 2))
    x = transpose(x, axes=(*range(lead), *[lead + axis for axis in order]))
    x = flatten_axes(x, lead + count, x.rank)
    flat = positions.transpose(order).reshape(*sizes, -1)
    first = insert_axes(argmax(x, axis=x.rank - 1, dtype=dtypes.int64), (x.rank - 1,))
    pooled = drop_axes(take_along(x, first, axis=x.rank - 1), (x.rank - 1,))
    where = constant(value=flat.reshape((1,) * lead + flat.shape))
    where = take_along(broadcast_as(where, x), first, axis=x.rank - 1)
    return pooled, drop_axes(where, (x.rank - 1,))


def _strides(spatial: tuple[int, ...]) -> list[int]:
    """How far apart in a flattened image the neighbours along each dimension are."""
    return [int(np.prod(spatial[axis + 1 :])) for axis in range(len(spatial))]
