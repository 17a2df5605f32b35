"""Max and average pooling over any number of dimensions, with windows of given size or number, and gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.kernels import adaptive_pool as adaptive, pool as kernels
from ...runtime.kernels.windows import output_spatial
from ...runtime.machine.array_functions import compile_pool
from ...runtime.machine.pool_sizes import PoolSizes
from ..ir.attributes import FLAG, INT, INTS, PAIRS, SIZES, or_none
from ..ir.code import Attempt, Code, MadeFunction
from ..ir.graph import Node
from ..ir.op import Op, Sample
from ..ir.types import Dimension, TensorType, UnknownShapeError, show_shape
from .along import take_along
from .batching import folded
from .convolution import check_windows, either
from .creation import constant
from .infer import broadcast_float, check_like, same_dtype
from .samples import pair
from .shape import flatten_axes, reshape, reshape_as
from .whole_means import equal_windows, mean_of_blocks, mean_of_blocks_grad

Windows = dict[str, Any]


def _pooled(x: TensorType, what: str, windows: Windows) -> TensorType:
    """The type of a pooling's result. `windows` holds kernel, stride, padding, dilation and ceil_mode."""
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
        one = slice(axis, axis + 1)
        spatial += output_spatial((size,), kernel[one], stride[one], padding[one], dilation[one], windows["ceil_mode"])
    return x.with_shape((*x.shape[:2], *spatial))


# Windows over three axes, which machine code combines over the last two, and then over the first


def _in_two(windows: Windows) -> tuple[Windows, Windows]:
    """The windows over the last two axes, and those over the first of two, where the others are one."""
    alone: Windows = {"kernel": 1, "stride": 1, "dilation": 1, "padding": (0, 0)}
    plane = {key: value[1:] if key in alone else value for key, value in windows.items()}
    deep = {key: (value[0], alone[key]) if key in alone else value for key, value in windows.items()}
    return plane, deep | ({"divisor": 1} if windows.get("divisor") else {})


def _as_planes(x: Any) -> Any:
    """(batch, channels and depths, height, width)"""
    return reshape(x, shape=(x.shape[0], x.shape[1] * x.shape[2], *x.shape[3:]))


def _as_depths(x: Any, depth: int) -> Any:
    """(batch, channels, depth, height and width)"""
    elements = x.shape[-2] * x.shape[-1]
    return reshape(x, shape=(x.shape[0], x.shape[1] * (x.shape[2] if x.rank == 5 else 1) // depth, depth, elements))


def _is_deep(x: Any, windows: Windows) -> bool:
    return len(windows["kernel"]) == 3 and None not in x.shape and not x.dtype.is_half


def _pool_in_two(pool: Callable[[], Op]) -> Callable[..., Any]:
    """The definition of a pooling over three axes by two of fewer; None for others."""

    def define(x: Any, **windows: Any) -> Any:
        if not _is_deep(x, windows):
            return None
        plane, deep = _in_two(windows)
        first = pool()(_as_planes(x), **plane)
        made = pool()(_as_depths(first, x.shape[2]), **deep)
        return reshape(made, shape=(*made.shape[:3], *first.shape[2:]))

    return define


def _max_grad_in_two(x: Any, pooled: Any, dout: Any, **windows: Any) -> Any:
    """The first maximum of the first plane that has it is the first one of all."""
    if not _is_deep(x, windows):
        return None
    plane, deep = _in_two(windows)
    depth, made = x.shape[2], pooled.shape[2]
    first = max_pool(_as_planes(x), **plane)
    inner = max_pool_grad(_as_depths(first, depth), _as_depths(pooled, made), _as_depths(dout, made), **deep)
    return reshape(max_pool_grad(_as_planes(x), first, reshape(inner, shape=first.shape), **plane), shape=x.shape)


def _avg_grad_in_two(dout: Any, *like: Any, spatial: tuple[int, ...], **windows: Any) -> Any:
    if like or not _is_deep(dout, windows):
        return None
    plane, deep = _in_two(windows)
    depth, (made, *area) = spatial[0], dout.shape[2:]
    inner = avg_pool_grad(_as_depths(dout, made), spatial=(depth, area[0] * area[1]), **deep)
    planes = reshape(inner, shape=(dout.shape[0], dout.shape[1] * depth, *area))
    return reshape(avg_pool_grad(planes, spatial=spatial[1:], **plane), shape=(*dout.shape[:2], *spatial))


def _sizes(kind: str, x: TensorType, *others: TensorType, **windows: Any) -> tuple[PoolSizes, int] | None:
    """The sizes of machine code for images of the type of the first operand, or of the spatial shape given, and its
    number of threads; None if there is no such code."""
    spatial = windows.pop("spatial", x.shape[2:])
    if not x.is_static or not spatial:
        return None
    return kernels.pool_sizes(kind, (*x.static_shape[:2], *spatial), x.dtype.np, windows)


# Maxima


def _scratch(kind: str) -> Callable[..., TensorType | None]:
    def scratch(x: TensorType, *others: TensorType, **windows: Any) -> TensorType | None:
        found = _sizes(kind, x, *others, **windows)
        return None if found is None else TensorType(x.dtype, (found[0].room(kind) * found[1],))

    return scratch


def _emit(kind: str) -> Callable[[Node, Sequence[str], str | None], Code | None]:
    """The code of maxima or sums, or of their gradients, that a function of machine code computes on one thread."""

    def emit(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
        types = [value.type for value in (*node.inputs, node.output)]
        if out is None or types[0].rank != 4 or not all(type.is_static for type in types):
            return None
        found = _sizes(kind, *types[:-1], **node.attrs)
        if found is None or found[1] > 1 or node.attrs.get("divisor", 1) != 1:
            return None
        x, *others = arguments
        made = MadeFunction(compile_pool, (kind, *found[0]), f"{node.op.name}_directly")
        return Attempt(made, (*others, x, out), None, with_scratch=True)

    return emit


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
    return _at_maxima(max_pool_indices(x, pooled, **windows), dout, cotangent)


def _at_maxima(indices: Any, dout: Any, cotangent: Any) -> tuple[Any, ...]:
    """The gradient of a gradient of max pooling: the cotangent at the indices of the maxima."""
    picked = take_along(flatten_axes(cotangent, 2, cotangent.rank), flatten_axes(indices, 2, indices.rank), axis=2)
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
    """Numbers that differ enough for finite differences of maxima."""
    size = int(np.prod(shape))
    return np.random.default_rng(0).permutation(size).reshape(shape) / size * 4 - 2


def _with_pooled(more: bool) -> list[Sample]:
    samples = []
    for shape, windows in _pool_cases():
        x = _distinct(shape)
        pooled = kernels.max_pool(x, **windows)
        samples.append(Sample((x, pooled, *pair(pooled.shape)[:more]), windows, gradient=False))
    return samples


_PLACES = {"kernel": INTS, "stride": INTS, "padding": PAIRS, "ceil_mode": FLAG}
WINDOWS = {**_PLACES, "dilation": INTS}
"""Attributes of maxima over windows."""
MEANS = {**_PLACES, "count_include_pad": FLAG, "divisor": or_none(INT)}
"""Attributes of means over windows."""

max_pool: Op = Op(
    "max_pool",
    attrs=WINDOWS,
    infer=_infer_max_pool,
    kernel=kernels.max_pool,
    single=True,
    emit=_emit("maximum"),
    scratch=_scratch("maximum"),
    vjp=lambda x, out, dout, **windows: max_pool_grad(x, out, dout, **windows),
    native_definition=_pool_in_two(lambda: max_pool),
    batch=folded(0),
    samples=lambda: [Sample((_distinct(shape),), windows) for shape, windows in _pool_cases()],
    doc="The maximum of each window of x (batch, channels, …); padding never is one.",
)
max_pool_grad: Op = Op(
    "max_pool_grad",
    attrs=WINDOWS,
    infer=_infer_max_pool_grad,
    kernel=kernels.max_pool_grad,
    single=True,
    emit=_emit("gradient"),
    scratch=_scratch("gradient"),
    vjp=_vjp_max_pool_grad,
    native_definition=_max_grad_in_two,
    batch=folded(0),
    samples=lambda: _with_pooled(True),
    doc="The gradient of max_pool: the first maximum of each window receives the window's cotangent.",
)
max_pool_indices: Op = Op(
    "max_pool_indices",
    attrs=WINDOWS,
    infer=_infer_max_pool_indices,
    kernel=kernels.max_pool_indices,
    batch=folded(0),
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
    x: np.ndarray,
    *,
    divisor: int | None,
    out: np.ndarray | None = None,
    scratch: np.ndarray | None = None,
    **windows: Any,
) -> np.ndarray:
    return kernels.avg_pool(x, divisor_override=divisor, out=out, scratch=scratch, **windows)


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
    scratch: np.ndarray | None = None,
    **windows: Any,
) -> np.ndarray:
    shape = like[0].shape[2:] if like else spatial
    return kernels.avg_pool_grad(dout, shape, divisor_override=divisor, out=out, scratch=scratch, **windows)


def _vjp_avg_pool(x: Any, out: Any, dout: Any, **windows: Any) -> Any:
    if None in x.shape[2:]:
        return avg_pool_grad(dout, x, spatial=(), **windows)
    return avg_pool_grad(dout, spatial=x.shape[2:], **windows)


def _vjp_avg_pool_grad(dout: Any, *rest: Any, spatial: tuple[int, ...], **windows: Any) -> tuple[Any, ...]:
    return (avg_pool(rest[-1], **windows), *[None] * (len(rest) - 2))


def _over_divisor(x: Any, spatial: tuple[int, ...], windows: Windows) -> Any:
    """Sums of windows, or gradients of means, over what the means are divided by."""
    found = kernels.divisors(spatial, x.dtype.np, **windows)
    return x / (float(found) if found.ndim == 0 else constant(value=found))


def _by_sums(x: Any, **windows: Any) -> Any:
    """Neighbours divide the sums, which machine code adds up."""
    if windows["divisor"] == 1 or x.rank != 4 or _sizes("add", x.type, **windows) is None:
        return None
    return _over_divisor(avg_pool(x, **{**windows, "divisor": 1}), x.shape[2:], windows)


def _grad_by_sums(dout: Any, *like: Any, spatial: tuple[int, ...], **windows: Any) -> Any:
    if windows["divisor"] == 1 or dout.rank != 4 or _sizes("spread", dout.type, spatial=spatial, **windows) is None:
        return None
    return avg_pool_grad(_over_divisor(dout, spatial, windows), spatial=spatial, **{**windows, "divisor": 1})


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
    attrs=MEANS,
    infer=_infer_avg_pool,
    kernel=_kernel_avg_pool,
    single=True,
    emit=_emit("add"),
    scratch=_scratch("add"),
    vjp=_vjp_avg_pool,
    native_definition=either(mean_of_blocks, _pool_in_two(lambda: avg_pool), _by_sums),
    batch=folded(0),
    samples=lambda: [Sample(pair(shape), windows) for shape, windows in _avg_cases()],
    doc="The mean of each window of x (batch, channels, …): its sum over its size, or over the divisor given.",
)
avg_pool_grad: Op = Op(
    "avg_pool_grad",
    attrs={**MEANS, "spatial": SIZES},
    infer=_infer_avg_pool_grad,
    kernel=_kernel_avg_pool_grad,
    single=True,
    emit=_emit("spread"),
    scratch=_scratch("spread"),
    vjp=_vjp_avg_pool_grad,
    native_definition=either(mean_of_blocks_grad, _avg_grad_in_two, _grad_by_sums),
    batch=folded(0),
    samples=_avg_grad_samples,
    doc="The gradient of avg_pool, of a spatial shape given (or a second tensor's).",
)


# Adaptive pooling: the spatial shape of the result is given in place of the windows' sizes


def _infer_adaptive(what: str, x: TensorType, size: tuple[int, ...]) -> TensorType:
    if x.rank < 3 or len(size) != x.rank - 2 or any(parts < 1 for parts in size):
        raise ValueError(
            f"{what}: the input (batch, channels, …) should have {len(size) + 2} dimensions for windows {size}, each "
            f"positive, but its shape is {show_shape(x.shape)}"
        )
    if 0 in x.shape[2:]:
        raise ValueError(f"{what}: the input of shape {show_shape(x.shape)} has no elements to pool")
    return x.with_shape((*x.shape[:2], *size))


def _infer_adaptive_avg_pool(x: TensorType, *, size: tuple[int, ...]) -> TensorType:
    broadcast_float(x)
    return _infer_adaptive("adaptive_avg_pool", x, size)


def _vjp_adaptive_avg_pool(x: Any, out: Any, dout: Any, *, size: tuple[int, ...]) -> Any:
    if None in x.shape[2:]:
        return adaptive_avg_pool_grad(dout, x, spatial=())
    return adaptive_avg_pool_grad(dout, spatial=x.shape[2:])


def _infer_adaptive_avg_pool_grad(dout: TensorType, *like: TensorType, spatial: tuple[int, ...]) -> TensorType:
    if len(like) > 1 or bool(like) == bool(spatial):
        raise ValueError("adaptive_avg_pool_grad needs either the spatial shape of the result, or a tensor that has it")
    x = like[0].with_dtype(dout.dtype) if like else dout.with_shape((*dout.shape[:2], *spatial))
    check_like("adaptive_avg_pool_grad", x.with_shape((*x.shape[:2], *dout.shape[2:])), dout)
    return x


def _vjp_adaptive_avg_pool_grad(dout: Any, *rest: Any, spatial: tuple[int, ...]) -> tuple[Any, ...]:
    size = dout.shape[2:]
    if None in size:
        raise UnknownShapeError(f"the gradient of adaptive pooling's gradient needs known sizes, but got {dout.type}")
    return (adaptive_avg_pool(rest[-1], size=size), *[None] * (len(rest) - 2))


def _by_equal_windows(x: Any, *, size: tuple[int, ...]) -> Any:
    windows = equal_windows(x.shape[2:], size)
    return None if windows is None else avg_pool(x, **windows)


def _grad_by_equal_windows(dout: Any, *like: Any, spatial: tuple[int, ...]) -> Any:
    windows = None if like else equal_windows(spatial, dout.shape[2:])
    return None if windows is None else avg_pool_grad(dout, spatial=spatial, **windows)


def _infer_adaptive_max_pool_indices(x: TensorType, pooled: TensorType) -> TensorType:
    same_dtype(x, pooled)
    check_like("adaptive_max_pool_indices", x.with_shape((*x.shape[:2], *pooled.shape[2:])), pooled)
    return pooled.with_dtype(dtypes.int64)


def _infer_adaptive_max_pool_grad(x: TensorType, pooled: TensorType, dout: TensorType) -> TensorType:
    same_dtype(x, pooled, dout)
    check_like("adaptive_max_pool_grad", pooled, dout)
    return x


def _vjp_adaptive_max_pool_grad(x: Any, pooled: Any, dout: Any, out: Any, cotangent: Any) -> tuple[Any, ...]:
    return _at_maxima(adaptive_max_pool_indices(x, pooled), dout, cotangent)


_ADAPTIVE = [((1, 2, 6, 4), (3, 2)), ((2, 1, 7, 5), (3, 4)), ((1, 2, 5), (7,))]


def _adaptive_samples(more: bool) -> list[Sample]:
    samples = []
    for shape, size in _ADAPTIVE:
        x = _distinct(shape)
        pooled = adaptive.adaptive_max_pool(x, size)
        samples.append(Sample((x, pooled, *pair(pooled.shape)[:more]), gradient=False))
    return samples


adaptive_avg_pool: Op = Op(
    "adaptive_avg_pool",
    attrs={"size": INTS},
    infer=_infer_adaptive_avg_pool,
    kernel=adaptive.adaptive_avg_pool,
    single=True,
    vjp=_vjp_adaptive_avg_pool,
    native_definition=_by_equal_windows,
    batch=folded(0),
    samples=lambda: [Sample(pair(shape), {"size": size}) for shape, size in _ADAPTIVE],
    doc="x (batch, channels, …) with its spatial dimensions cut into parts, as many as `size` says, each its mean.",
)
adaptive_avg_pool_grad: Op = Op(
    "adaptive_avg_pool_grad",
    attrs={"spatial": SIZES},
    infer=_infer_adaptive_avg_pool_grad,
    kernel=lambda dout, *like, spatial, out=None: adaptive.adaptive_avg_pool_grad(
        dout, like[0].shape[2:] if like else spatial, out=out
    ),
    single=True,
    vjp=_vjp_adaptive_avg_pool_grad,
    native_definition=_grad_by_equal_windows,
    batch=folded(0),
    samples=lambda: [
        *[Sample(pair((*shape[:2], *size)), {"spatial": shape[2:]}) for shape, size in _ADAPTIVE],
        Sample(pair((1, 1, 2), (1, 1, 5)), {"spatial": ()}),
    ],
    doc="The gradient of adaptive_avg_pool, of a spatial shape given (or a second tensor's).",
)
adaptive_max_pool: Op = Op(
    "adaptive_max_pool",
    attrs={"size": INTS},
    infer=lambda x, *, size: _infer_adaptive("adaptive_max_pool", x, size),
    kernel=adaptive.adaptive_max_pool,
    vjp=lambda x, out, dout, *, size: adaptive_max_pool_grad(x, out, dout),
    batch=folded(0),
    samples=lambda: [Sample((_distinct(shape),), {"size": size}) for shape, size in _ADAPTIVE],
    doc="x (batch, channels, …) with its spatial dimensions cut into parts, as many as `size` says, each its maximum.",
)
adaptive_max_pool_grad: Op = Op(
    "adaptive_max_pool_grad",
    infer=_infer_adaptive_max_pool_grad,
    kernel=adaptive.adaptive_max_pool_grad,
    vjp=_vjp_adaptive_max_pool_grad,
    batch=folded(0),
    samples=lambda: _adaptive_samples(True),
    doc="The gradient of adaptive_max_pool: the first maximum of each part receives the part's cotangent.",
)
adaptive_max_pool_indices: Op = Op(
    "adaptive_max_pool_indices",
    infer=_infer_adaptive_max_pool_indices,
    kernel=adaptive.adaptive_max_pool_indices,
    batch=folded(0),
    samples=lambda: _adaptive_samples(False),
    doc="Where, in its flattened image, the first maximum of each part is, given what adaptive_max_pool gave.",
)
