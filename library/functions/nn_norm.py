"""Normalisation: layer, group, batch and instance norms, norms of vectors; dropout."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import many_axes, one_axis, shape_of, whole_number, whole_numbers
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.operands import in_single, need_tensor, widened
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .array_pad import pad
from .array_shape import reshape
from .documentation import common
from .nn_activation import floating
from .table import known_as

__all__ = [
    "batch_norm", "cosine_similarity", "group_norm", "instance_norm", "l2_normalize", "layer_norm", "lrn",
    "normalize", "rms_norm",
]  # fmt: skip


def moments(x: Tensor, axes: tuple[int, ...]) -> tuple[Tensor, Tensor, Tensor]:
    """The mean, the variance, and x minus the mean; the axes are kept."""
    mean = apply(prims.mean, x, axis=axes, keepdims=True)
    centred = apply(prims.subtract, x, mean)
    return mean, apply(prims.mean, apply(prims.square, centred), axis=axes, keepdims=True), centred


def _standardised(x: Tensor, axes: tuple[int, ...], eps: float) -> Tensor:
    _, variance, centred = moments(x, axes)
    return apply(prims.multiply, centred, apply(prims.rsqrt, apply(prims.add, variance, float(eps))))


def _scaled(x: Tensor, weight: Any, bias: Any, shape: tuple[int, ...], dtype: dtypes.DType) -> Tensor:
    if weight is not None:
        x = apply(prims.multiply, x, reshape(cast(weight, x.dtype), shape))
    if bias is not None:
        x = apply(prims.add, x, reshape(cast(bias, x.dtype), shape))
    return cast(x, dtype)


@known_as(functional=True, primitive="LayerNormExt")
def layer_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """The tensor standardised over its last dimensions: (x - mean) / sqrt(variance + eps) * weight + bias.

    Args:
        input: a floating-point tensor of any shape.
        normalized_shape: the sizes of those last dimensions.
        weight, bias: tensors of that shape.
        eps: a small number that is added to the variance.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.layer_norm(Tensor([[1.0, 3.0]]), (2,)))
        [[-0.999995  0.999995]]
    """
    x = floating(input, "layer_norm")
    sizes = whole_numbers(normalized_shape, "layer_norm", "normalized_shape")
    if not sizes or len(sizes) > x.ndim or shape_of(x)[x.ndim - len(sizes) :] != sizes:
        raise ValueError(f"layer_norm: 'normalized_shape' {sizes} is not the end of the shape {x.shape}")
    for name, value in (("weight", weight), ("bias", bias)):
        if value is not None and shape_of(need_tensor(value, "layer_norm", name)) != sizes:
            raise ValueError(f"layer_norm: '{name}' should be of shape {sizes}, but its shape is {value.shape}")
    axes = tuple(range(x.ndim - len(sizes), x.ndim))
    return _scaled(_standardised(widened(x), axes, eps), weight, bias, sizes, x.dtype)


@common
def rms_norm(x: Tensor, gamma: Tensor, epsilon: float = 1e-6) -> tuple[Tensor, Tensor]:
    """x / sqrt(mean(x²) + epsilon) * gamma over the dimensions of gamma, and one over that root.

    Args:
        x: a floating-point tensor of any shape.
        gamma: a tensor of the shape of the last dimensions of `x`.
        epsilon: a small number that keeps the divisor from 0.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.rms_norm(Tensor([[1.0, 1.0]]), Tensor([1.0, 2.0]))[0].shape)
        (1, 2)
    """
    values, scale = floating(x, "rms_norm", "x"), floating(gamma, "rms_norm", "gamma")
    wide = widened(values)
    axes = tuple(range(values.ndim - scale.ndim, values.ndim))
    mean = apply(prims.mean, apply(prims.square, wide), axis=axes, keepdims=True)
    inverse = apply(prims.rsqrt, apply(prims.add, mean, float(epsilon)))
    out = apply(prims.multiply, apply(prims.multiply, wide, inverse), cast(scale, wide.dtype))
    return cast(out, values.dtype), inverse


@known_as(functional=True, primitive="GroupNorm")
def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """The tensor (batch, channels, …) standardised over groups of channels, times a weight plus a bias a channel.

    Args:
        input: a floating-point tensor of shape (N, C, ...).
        num_groups: into how many groups the channels are divided.
        weight: a vector of shape (C), or None.
        bias: a vector of shape (C), or None.
        eps: a small number that is added to the variance.

    Raises:
        ValueError: if the channels do not divide into the groups.

    Examples:
        >>> print(ops.group_norm(Tensor([[1.0, 3.0]]), 1))
        [[-0.999995  0.999995]]
    """
    x = floating(input, "group_norm")
    groups = whole_number(num_groups, "group_norm", "num_groups")
    if x.ndim < 2 or groups < 1 or int(x.shape[1]) % groups:
        raise ValueError(f"group_norm: the channels of shape {x.shape} should be a multiple of {num_groups}")
    channels = int(x.shape[1])
    wide = widened(x)
    rest = tuple(map(int, x.shape[2:]))
    split = reshape(wide, (-1, groups, channels // groups, *rest))
    whole = reshape(_standardised(split, tuple(range(2, split.ndim)), eps), (-1, channels, *rest))
    return _scaled(whole, weight, bias, (channels, *(1,) * len(rest)), x.dtype)


@common
def instance_norm(input: Tensor, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5) -> Tensor:
    """The tensor (batch, channels, …) standardised over each image of a channel.

    Args:
        input: a floating-point tensor of shape (N, C, ...).
        weight: a vector of shape (C), or None.
        bias: a vector of shape (C), or None.
        eps: a small number that is added to the variance.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.instance_norm(Tensor([[[1.0, 3.0]]])))
        [[[-0.999995  0.999995]]]
    """
    x = floating(input, "instance_norm")
    if x.ndim < 3:
        raise ValueError(f"instance_norm needs at least three dimensions, but got shape {x.shape}")
    out = _standardised(widened(x), tuple(range(2, x.ndim)), eps)
    return _scaled(out, weight, bias, (int(x.shape[1]), *(1,) * (x.ndim - 2)), x.dtype)


def batch_normalized(x: Tensor, weight: Any, bias: Any, eps: float) -> tuple[Tensor, Tensor, Tensor]:
    """A batch (N, C, …) normalised by its own statistics, and these: mean and (biased) variance of each channel."""
    dtype = (weight if weight is not None else bias if bias is not None else widened(x)).dtype
    channels = (int(x.shape[1]),)
    gamma = apply(prims.full, shape=channels, value=1, dtype=dtype) if weight is None else weight
    beta = apply(prims.full, shape=channels, value=0, dtype=dtype) if bias is None else cast(bias, dtype)
    return apply(prims.batch_norm, x, gamma, beta, epsilon=float(eps))


def normalized(x: Tensor, mean: Tensor, variance: Tensor, weight: Any, bias: Any, eps: float) -> Tensor:
    """A batch normalised by the statistics of its channels."""
    wide = widened(x)
    column = (-1, *(1,) * (x.ndim - 2))
    inverse = apply(prims.rsqrt, apply(prims.add, cast(variance, wide.dtype), float(eps)))
    scale = inverse if weight is None else apply(prims.multiply, inverse, cast(weight, wide.dtype))
    centred = apply(prims.subtract, wide, reshape(cast(mean, wide.dtype), column))
    out = apply(prims.multiply, centred, reshape(scale, column))
    if bias is not None:
        out = apply(prims.add, out, reshape(cast(bias, wide.dtype), column))
    return cast(out, x.dtype)


@common
def batch_norm(
    input_x: Tensor, running_mean: Tensor, running_var: Tensor, weight: Tensor | None, bias: Tensor | None,
    training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    """A batch (N, C, …) normalised over its channels: by its own statistics in training, else by the running ones.

    Args:
        input_x: a floating-point tensor of shape (N, C, ...).
        running_mean, running_var: vectors of C numbers; in training, Parameters among them move to the batch's
            statistics (the variance unbiased) by `momentum`.
        weight, bias: vectors of C numbers.
        training: whether the batch's own statistics are used.
        momentum: how much of them goes into the running ones.
        eps: a small number that is added to the variance.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.batch_norm(Tensor([[1.0]]), Tensor([0.0]), Tensor([1.0]), Tensor([2.0]), Tensor([1.0])))
        [[2.99999]]
    """
    x = floating(input_x, "batch_norm", "input_x")
    if x.ndim < 2:
        raise ValueError(f"batch_norm needs at least two dimensions, but got shape {x.shape}")
    for name, value in (
        ("running_mean", running_mean),
        ("running_var", running_var),
        ("weight", weight),
        ("bias", bias),
    ):
        if value is None and (training or not name.startswith("running")):
            continue
        own = need_tensor(value, "batch_norm", name)
        if shape_of(own) != (shape_of(x)[1],):
            raise ValueError(f"batch_norm: '{name}' of shape {own.shape} does not fit the channels of {x.shape}")
    if not training:
        return normalized(x, running_mean, running_var, weight, bias, eps)
    out, mean, variance = batch_normalized(x, weight, bias, eps)
    update_running(running_mean, mean, momentum)
    update_running(running_var, unbiased(variance, x.size // x.shape[1]), momentum)
    return out


def unbiased(variance: Tensor, count: Any) -> Tensor:
    """A variance over n numbers times n / (n - 1)."""
    if isinstance(count, int):
        return apply(prims.multiply, variance, count / max(count - 1, 1))
    return variance * (count / (count - 1))


def update_running(running: Tensor, value: Tensor, momentum: Any) -> None:
    """Let a Parameter move to a new value by `momentum`, a number or tensor; tensors that are no Parameters stay."""
    if running is None or not hasattr(running, "requires_grad"):
        return
    from ...frontend.values.inplace import assign_inplace

    new = apply(prims.stop_gradient, cast(value, running.dtype))
    momentum = cast(momentum, running.dtype) if isinstance(momentum, Tensor) else float(momentum)
    kept = apply(prims.multiply, running, 1.0 - momentum)
    assign_inplace(running, apply(prims.add, kept, apply(prims.multiply, new, momentum)))


@common
@in_single()
def l2_normalize(x: Tensor, axis: Any = 0, epsilon: float = 1e-4) -> Tensor:
    """x / sqrt(max(sum of x² along the axes, epsilon)).

    Args:
        x: a floating-point tensor of any shape.
        axis: the axis, or a tuple of axes.
        epsilon: the least that the sum counts as.

    Examples:
        >>> print(ops.l2_normalize(Tensor([3.0, 4.0])))
        [0.6 0.8]
    """
    values = floating(x, "l2_normalize", "x")
    axes = tuple(sorted(many_axes(axis, values.ndim, "l2_normalize")))
    total = apply(prims.sum, apply(prims.square, values), axis=axes, keepdims=True)
    return apply(prims.multiply, values, apply(prims.rsqrt, apply(prims.maximum, total, float(epsilon))))


@known_as(functional=True)
@in_single()
def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """x / max(p-norm along a dimension, eps).

    Args:
        input: a floating-point tensor of any shape.
        p: the order of the norm.
        dim: the dimension; a negative one counts from the end.
        eps: the least that the norm counts as.

    Raises:
        ValueError: if `dim` is out of range.

    Examples:
        >>> print(ops.normalize(Tensor([[3.0, 4.0]])))
        [[0.6 0.8]]
    """
    from .linalg_norm import vector_norm

    x = floating(input, "normalize")
    if p == 2.0 and not isinstance(dim, tuple):
        size = _bounded_length(x, one_axis(dim, x.ndim, "normalize", "dim"), float(eps), True)
    else:
        size = apply(prims.maximum, vector_norm(x, p, dim, True), float(eps))
    return apply(prims.divide, x, size)


def _bounded_length(x: Tensor, axis: int, least: float, keepdims: bool) -> Tensor:
    """The length of vectors along an axis, or `least` if that is more.

    The bound comes before the root, whose derivative is infinite at 0: the gradient of a zero vector is 0.
    """
    squares = apply(prims.sum, apply(prims.square, x), axis=(axis,), keepdims=keepdims)
    bound = max(least * least, float(np.finfo(x.dtype.np).tiny)) if least else 0.0
    return apply(prims.sqrt, apply(prims.maximum, squares, bound))


@known_as(functional=True)
@in_single(2)
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """x1 · x2 / (max(|x1|, eps) max(|x2|, eps)) along a dimension.

    Args:
        x1: a floating-point tensor.
        x2: a floating-point tensor.
        dim: the dimension; a negative one counts from the end.
        eps: the least that a norm counts as.

    Raises:
        ValueError: if `dim` is out of range, or the shapes cannot be broadcast together.

    Examples:
        >>> print(ops.cosine_similarity(Tensor([[3.0, 4.0]]), Tensor([[3.0, 4.0]])))
        [1.]
    """
    from ...frontend.values.dispatch import promote

    x, y = promote(floating(x1, "cosine_similarity", "x1"), floating(x2, "cosine_similarity", "x2"))
    product = apply(prims.multiply, x, y)
    axis = one_axis(dim, product.ndim, "cosine_similarity", "dim")

    def length(value: Tensor) -> Tensor:
        return _bounded_length(value, one_axis(dim, value.ndim, "cosine_similarity", "dim"), eps, False)

    dot = apply(prims.sum, product, axis=(axis,), keepdims=False)
    return apply(prims.divide, dot, apply(prims.multiply, length(x), length(y)))


@common
@in_single()
def lrn(
    x: Tensor, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5,
    norm_region: str = "ACROSS_CHANNELS",
) -> Tensor:  # fmt: skip
    """x / (bias + alpha * the sum of squares over the channels at most `depth_radius` away) ** beta.

    Args:
        x: a floating-point tensor of shape (N, C, H, W).
        depth_radius: how many channels away count.
        bias, alpha, beta: the constants.
        norm_region: "ACROSS_CHANNELS".

    Raises:
        ValueError: if there are not four dimensions.

    Examples:
        >>> from mycel import ops
        >>> print(ops.lrn(ops.ones((1, 2, 1, 1))).shape)
        (1, 2, 1, 1)
    """
    images = floating(x, "lrn", "x")
    if images.ndim != 4 or norm_region != "ACROSS_CHANNELS":
        raise ValueError(f"lrn needs (N, C, H, W) and 'ACROSS_CHANNELS', but got {images.shape} and {norm_region!r}")
    count, channels, height, width = map(int, images.shape)
    flat = reshape(apply(prims.square, images), (count, 1, channels, height * width))
    padded = pad(flat, (0, 0, depth_radius, depth_radius))
    span = 2 * depth_radius + 1
    means = apply(
        prims.avg_pool,
        padded,
        kernel=(span, 1),
        stride=(1, 1),
        padding=((0, 0), (0, 0)),
        ceil_mode=False,
        count_include_pad=True,
        divisor=1,
    )
    total = apply(
        prims.add, apply(prims.multiply, reshape(means, (count, channels, height, width)), float(alpha)), float(bias)
    )
    return apply(prims.multiply, images, apply(prims.power, total, -float(beta)))
