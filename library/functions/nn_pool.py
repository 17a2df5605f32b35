"""Pooling: maxima, means and norms of windows, adaptive windows, and the reverse of max pooling."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import choice, drop_axes, insert_axes, need_flags
from ...frontend.values.dispatch import apply
from ...frontend.values.operands import in_single, need_tensor
from ...frontend.values.tensor import Tensor
from ..docstrings import Shared
from .array_gather import need_indices
from .array_shape import reshape
from .documentation import common
from .nn_activation import floating
from .nn_conv import Pairs, both_sides, per_axis, same_padding
from .table import known_as, made

__all__ = [
    "avg_pool1d", "avg_pool2d", "avg_pool3d", "lp_pool1d", "lp_pool2d", "max_pool1d", "max_pool2d", "max_pool3d",
    "max_unpool1d", "max_unpool2d", "max_unpool3d",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        indices: the positions that it gave, integers of the shape of `x`.
        kernel_size, stride, padding: as they were there.
        output_size: the shape of the result; None: as small as can be.
        ceil_mode: whether a window may begin inside and reach beyond the padded input.
        norm_type: the power p.
        stride: how far apart they are; None: their size.

    Raises:
        ValueError: if a shape or an argument does not fit.
    """,
    common,
)


def as_images(x: Any, axes: int, function: str, name: str = "input") -> tuple[Tensor, bool]:
    """The input as (batch, channels, …), and whether it came without a batch."""
    images = need_tensor(x, function, name)
    if images.ndim == axes + 1:
        return insert_axes(images, (0,)), True
    if images.ndim != axes + 2:
        raise ValueError(f"{function}: '{name}' should have {axes + 2} dimensions, but its shape is {images.shape}")
    return images, False


def without_batch(x: Tensor, single: bool) -> Tensor:
    return drop_axes(x, (0,)) if single else x


def _padding(value: Any, size: tuple[int, ...], function: str) -> Pairs:
    """Padding of at most half of the window, so that each window has an element."""
    pairs = both_sides(value, len(size), function)
    if any(2 * max(pair) > length for pair, length in zip(pairs, size, strict=False)):
        raise ValueError(f"{function}: 'padding' should be at most half of 'kernel_size' {size}, but got {value}")
    return pairs


def _max_windows(
    x: Tensor, axes: int, kernel: Any, stride: Any, padding: Any, dilation: Any, ceil: bool, function: str
) -> dict[str, Any]:
    size = per_axis(kernel, axes, function, "kernel_size", 1)
    return {
        "kernel": size,
        "stride": size if stride is None else per_axis(stride, axes, function, "stride", 1),
        "padding": _padding(padding, size, function),
        "dilation": per_axis(dilation, axes, function, "dilation", 1),
        "ceil_mode": bool(ceil),
    }


def _max_pool(x: Tensor, windows: dict[str, Any], indices: bool, single: bool) -> Any:
    pooled = apply(prims.max_pool, x, **windows)
    if not indices:
        return without_batch(pooled, single)
    where = apply(prims.max_pool_indices, x, pooled, **windows)
    return without_batch(pooled, single), without_batch(where, single)


def _max_pooling(axes: int, **words: str) -> Callable[..., Any]:
    """`max_pool1d` and `max_pool2d`."""
    name = f"max_pool{axes}d"

    def pool(
        x: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
        return_indices: bool = False, ceil_mode: bool = False,
    ) -> Any:  # fmt: skip
        """The maximum of each window of {what}.

        Args:
            x: a tensor of shape {shape}, or without N, of any real dtype.
            kernel_size, dilation: one int, or {axes}.
            stride: one int, or {axes}; None: `kernel_size`.
            padding: one int, or {axes}; padding never is the maximum.
            return_indices: whether to give also where, in its flattened image, each maximum is (Int64).
            ceil_mode: whether a window may begin inside and reach beyond the padded image.

        Returns:
            A tensor of the dtype of `x`, or a tuple of it and the positions.

        Raises:
            TypeError: if `x` is no Tensor.
            ValueError: if a shape or an argument does not fit.

        Examples:
            >>> from mycel import Tensor, ops
            >>> print(ops.max_pool{axes}d(Tensor({example}), 2))
            {result}
        """
        need_flags(name, return_indices=return_indices, ceil_mode=ceil_mode)
        images, single = as_images(x, axes, name, "x")
        windows = _max_windows(images, axes, kernel_size, stride, padding, dilation, ceil_mode, name)
        return _max_pool(images, windows, return_indices, single)

    return made(pool, name, axes=axes, **words)


max_pool1d = _max_pooling(1, what="sequences", shape="(N, C, L)", example="[[[1.0, 3.0]]]", result="[[[3.]]]")
max_pool2d = _max_pooling(
    2, what="images", shape="(N, C, H, W)", example="[[[[1.0, 2.0], [3.0, 4.0]]]]", result="[[[[4.]]]]"
)


@_shared
def max_pool3d(
    x: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """The maximum of each window of (N, C, D, H, W); see `max_pool2d`.

    Args:
        x: a tensor of shape (N, C, D, H, W), or without N.
        kernel_size, dilation: one int, or three.
        stride: one int, or three; None: `kernel_size`.
        padding: one int, or three; padding never is the maximum.
        return_indices: whether to give the positions of the maxima, too.

    Examples:
        >>> from mycel import ops
        >>> print(ops.max_pool3d(ops.ones((1, 1, 2, 2, 2)), 2))
        [[[[[1.]]]]]
    """
    images, single = as_images(x, 3, "max_pool3d", "x")
    windows = _max_windows(images, 3, kernel_size, stride, padding, dilation, ceil_mode, "max_pool3d")
    return _max_pool(images, windows, return_indices, single)


def _avg_pool(
    x: Tensor, axes: int, kernel: Any, stride: Any, padding: Any, ceil: bool, include: bool, divisor: Any, function: str
) -> Tensor:
    need_flags(function, ceil_mode=ceil, count_include_pad=include)
    images, single = as_images(floating(x, function, "input_x"), axes, function, "input_x")
    size = per_axis(kernel, axes, function, "kernel_size", 1)
    steps = size if stride is None else per_axis(stride, axes, function, "stride", 1)
    pooled = apply(
        prims.avg_pool,
        images,
        kernel=size,
        stride=steps,
        padding=_padding(padding, size, function),
        ceil_mode=bool(ceil),
        count_include_pad=bool(include),
        divisor=int(divisor) if divisor else None,
    )
    return without_batch(pooled, single)


@_shared
def avg_pool1d(
    input_x: Tensor, kernel_size: Any = 1, stride: Any = 1, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:  # fmt: skip
    """The mean of each window of (N, C, L); see `avg_pool2d`.

    Args:
        input_x: a floating-point tensor of shape (N, C, L), or without N.
        kernel_size, stride, padding: ints.
        count_include_pad: whether padding counts as zeros, or not at all.

    Examples:
        >>> print(ops.avg_pool1d(Tensor([[[1.0, 3.0]]]), 2))
        [[[2.]]]
    """
    return _avg_pool(input_x, 1, kernel_size, stride, padding, ceil_mode, count_include_pad, None, "avg_pool1d")


def _average_pooling(axes: int, **words: str) -> Callable[..., Tensor]:
    """`avg_pool2d` and `avg_pool3d`."""
    name = f"avg_pool{axes}d"

    def pool(
        input_x: Tensor, kernel_size: Any = 1, stride: Any = 1, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: int = 0,
    ) -> Tensor:  # fmt: skip
        """The mean of each window of {what}.

        Args:
            input_x: a floating-point tensor of shape {shape}, or without N.
            kernel_size, stride, padding: one int, or {axes}.
            ceil_mode: whether a window may begin inside and reach beyond the padded image.
            count_include_pad: whether padding counts as zeros, or not at all.
            divisor_override: what sums are divided by; 0: the size of the window.

        Returns:
            A tensor of the dtype of `input_x`.

        Raises:
            TypeError: if `input_x` is no floating-point Tensor.
            ValueError: if a shape or an argument does not fit.

        Examples:
            >>> from mycel import Tensor, ops
            >>> print(ops.avg_pool{axes}d({example}, 2))
            {result}
        """
        return _avg_pool(
            input_x, axes, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, name
        )

    return made(pool, name, axes=axes, **words)


avg_pool2d = _average_pooling(
    2, what="images", shape="(N, C, H, W)", example="Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])", result="[[[[2.5]]]]"
)
avg_pool3d = _average_pooling(
    3, what="volumes", shape="(N, C, D, H, W)", example="ops.ones((1, 1, 2, 2, 2))", result="[[[[[1.]]]]]"
)


def mode_padding(
    x: Tensor, kernel: tuple[int, ...], stride: tuple[int, ...], pad_mode: str, padding: Any, function: str
) -> Pairs:
    """The padding that 'valid', 'same' or 'pad' means for pooling (batch, channels, …)."""
    mode = choice(str(pad_mode).lower(), ("valid", "same", "pad"), function, "pad_mode")
    if mode == "same":
        return same_padding(x.shape[2:], kernel, stride, (1,) * len(kernel))
    return both_sides(padding, len(kernel), function) if mode == "pad" else ((0, 0),) * len(kernel)


def max_pool_mode(
    x: Tensor, axes: int, kernel: Any, strides: Any, pad_mode: str, padding: Any = 0, ceil_mode: bool = False
) -> Tensor:
    """Max pooling with a padding mode, as layers and primitives have it."""
    images, single = as_images(x, axes, "max_pool", "x")
    size = per_axis(kernel, axes, "max_pool", "kernel_size", 1)
    steps = per_axis(strides, axes, "max_pool", "strides", 1)
    pairs = mode_padding(images, size, steps, pad_mode, padding, "max_pool")
    windows = {"kernel": size, "stride": steps, "padding": pairs, "dilation": (1,) * axes, "ceil_mode": bool(ceil_mode)}
    return without_batch(apply(prims.max_pool, images, **windows), single)


def avg_pool_mode(
    x: Tensor, axes: int, kernel: Any, strides: Any, pad_mode: str, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int = 0,
) -> Tensor:  # fmt: skip
    """Average pooling with a padding mode, as layers and primitives have it; the padding of 'same' never counts."""
    images, single = as_images(floating(x, "avg_pool", "x"), axes, "avg_pool", "x")
    size = per_axis(kernel, axes, "avg_pool", "kernel_size", 1)
    steps = per_axis(strides, axes, "avg_pool", "strides", 1)
    pairs = mode_padding(images, size, steps, pad_mode, padding, "avg_pool")
    include = bool(count_include_pad) and str(pad_mode).lower() != "same"
    windows = {"kernel": size, "stride": steps, "padding": pairs, "ceil_mode": bool(ceil_mode)}
    pooled = apply(prims.avg_pool, images, count_include_pad=include, divisor=divisor_override or None, **windows)
    return without_batch(pooled, single)


def _lp_pool(x: Tensor, axes: int, order: float, kernel: Any, stride: Any, ceil: bool, function: str) -> Tensor:
    size = per_axis(kernel, axes, function, "kernel_size", 1)
    steps = size if stride is None else stride
    powers = apply(prims.power, floating(x, function, "x"), float(order))
    means = _avg_pool(powers, axes, size, steps, 0, ceil, True, None, function)
    return apply(prims.power, apply(prims.multiply, means, float(math.prod(size))), 1.0 / order)


@_shared
@in_single()
def lp_pool1d(x: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """The p-th root of the sum of p-th powers of each window of (N, C, L).

    Args:
        x: a floating-point tensor of shape (N, C, L), or without N.
        kernel_size: the size of the windows.
        ceil_mode: whether a window may reach beyond the input.

    Examples:
        >>> print(ops.lp_pool1d(Tensor([[[3.0, 4.0]]]), 2, 2))
        [[[5.]]]
    """
    need_flags("lp_pool1d", ceil_mode=ceil_mode)
    return _lp_pool(x, 1, norm_type, kernel_size, stride, ceil_mode, "lp_pool1d")


@_shared
@in_single()
def lp_pool2d(x: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """The p-th root of the sum of p-th powers of each window of images (N, C, H, W).

    Args:
        x: a floating-point tensor of shape (N, C, H, W), or without N.
        kernel_size: the size of the windows, one int or two.
        ceil_mode: whether a window may reach beyond the input.

    Examples:
        >>> print(ops.lp_pool2d(Tensor([[[[3.0, 4.0]]]]), 2, (1, 2)))
        [[[[5.]]]]
    """
    return _lp_pool(x, 2, norm_type, kernel_size, stride, ceil_mode, "lp_pool2d")


def _max_unpool(
    x: Any, indices: Any, axes: int, kernel: Any, stride: Any, padding: Any, output: Any, function: str
) -> Tensor:
    images, single = as_images(x, axes, function, "x")
    where, _ = as_images(need_indices(indices, function, "indices"), axes, function, "indices")
    size = per_axis(kernel, axes, function, "kernel_size", 1)
    steps = size if stride is None or stride == 0 else per_axis(stride, axes, function, "stride", 1)
    pads = per_axis(padding, axes, function, "padding")
    shape = tuple(map(int, images.shape))
    if output:
        spatial = tuple(int(item) for item in tuple(output)[-axes:])
    else:
        spatial = tuple(
            (length - 1) * step - 2 * pad + width
            for length, step, pad, width in zip(shape[2:], steps, pads, size, strict=True)
        )
    flat = (*shape[:2], math.prod(shape[2:]))
    zeros = apply(prims.full, shape=(*shape[:2], math.prod(spatial)), value=0, dtype=images.dtype)
    values = reshape(images, flat)
    written = apply(prims.scatter_elements, zeros, reshape(where, flat), values, axis=2, reduction="update")
    return without_batch(reshape(written, (*shape[:2], *spatial)), single)


@_shared
def max_unpool1d(
    x: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """Zeros with the maxima that max pooling of (N, C, L) gave at the places it gave.

    Args:
        x: what max pooling gave, of shape (N, C, L).

    Raises:
        ValueError: if the shapes do not fit, or an index is out of range.

    Examples:
        >>> print(ops.max_unpool1d(Tensor([[[3.0]]]), Tensor([[[1]]]), 2))
        [[[0. 3.]]]
    """
    return _max_unpool(x, indices, 1, kernel_size, stride, padding, output_size, "max_unpool1d")


@known_as(functional=True, shared=_shared)
def max_unpool2d(
    x: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """Zeros with the maxima that max pooling of images (N, C, H, W) gave at the places it gave.

    Args:
        x: what max pooling gave, of shape (N, C, H, W).

    Raises:
        ValueError: if the shapes do not fit, or an index is out of range.

    Examples:
        >>> print(ops.max_unpool2d(Tensor([[[[3.0]]]]), Tensor([[[[1]]]]), 2))
        [[[[0. 3.]
           [0. 0.]]]]
    """
    return _max_unpool(x, indices, 2, kernel_size, stride, padding, output_size, "max_unpool2d")


@_shared
def max_unpool3d(
    x: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
) -> Tensor:
    """Zeros with the maxima that max pooling of (N, C, D, H, W) gave at the places it gave.

    Args:
        x: what max pooling gave, of shape (N, C, D, H, W).

    Raises:
        ValueError: if the shapes do not fit, or an index is out of range.

    Examples:
        >>> print(ops.max_unpool3d(Tensor([[[[[3.0]]]]]), Tensor([[[[[1]]]]]), (1, 1, 2)))
        [[[[[0. 3.]]]]]
    """
    return _max_unpool(x, indices, 3, kernel_size, stride, padding, output_size, "max_unpool3d")
