"""Pooling to a given size."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import need_flags, whole_number
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import Shared, like
from .documentation import common
from .nn_activation import floating
from .nn_pool import as_images, without_batch
from .table import known_as

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d",
    "adaptive_max_pool2d", "adaptive_max_pool3d",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        return_indices: whether to give the positions of the maxima, too.
        input: a floating-point tensor of shape (N, C, L), or without N.
        output_size: how many parts.

    Raises:
        ValueError: if the sizes do not fit.
    """,
    common,
)


def _adaptive_size(x: Tensor, size: Any, axes: int, function: str) -> tuple[int, ...]:
    given = tuple(size) if isinstance(size, (tuple, list)) else (size,) * axes
    if len(given) != axes:
        raise ValueError(f"{function}: 'output_size' should be one int, or {axes} of them, but got {size}")
    sizes = tuple(
        int(x.shape[2 + place]) if item is None else whole_number(item, function, "output_size")
        for place, item in enumerate(given)
    )
    if min(sizes) < 1:
        raise ValueError(f"{function}: 'output_size' should be positive, but got {size}")
    return sizes


def _adaptive_avg_pool(x: Tensor, output_size: Any, axes: int, function: str) -> Tensor:
    images, single = as_images(floating(x, function), axes, function)
    size = _adaptive_size(images, output_size, axes, function)
    return without_batch(apply(prims.adaptive_avg_pool, images, size=size), single)


@known_as(functional=True, shared=_shared)
def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """(N, C, L) cut into `output_size` parts, each its mean.

    Examples:
        >>> print(ops.adaptive_avg_pool1d(Tensor([[[1.0, 3.0]]]), 1))
        [[[2.]]]
    """
    return _adaptive_avg_pool(input, output_size, 1, "adaptive_avg_pool1d")


@known_as(functional=True, shared=_shared)
def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Images (N, C, H, W) cut into as many parts as `output_size` says (None: as many as there are), each its mean.

    Args:
        input: a floating-point tensor of shape (N, C, H, W), or without N.
        output_size: how many parts, one int or two.

    Examples:
        >>> print(ops.adaptive_avg_pool2d(Tensor([[[[1.0, 3.0], [5.0, 7.0]]]]), 1))
        [[[[4.]]]]
    """
    return _adaptive_avg_pool(input, output_size, 2, "adaptive_avg_pool2d")


@known_as(functional=True, shared=_shared)
def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """(N, C, D, H, W) cut into as many parts as `output_size` says, each its mean.

    Args:
        input: a floating-point tensor of shape (N, C, D, H, W), or without N.
        output_size: how many parts, one int or three.

    Examples:
        >>> from mycel import ops
        >>> print(ops.adaptive_avg_pool3d(ops.ones((1, 1, 2, 2, 2)), 1))
        [[[[[1.]]]]]
    """
    return _adaptive_avg_pool(input, output_size, 3, "adaptive_avg_pool3d")


def _adaptive_max_pool(x: Tensor, output_size: Any, axes: int, indices: bool, function: str) -> Any:
    images, single = as_images(x, axes, function)
    pooled = apply(prims.adaptive_max_pool, images, size=_adaptive_size(images, output_size, axes, function))
    if not indices:
        return without_batch(pooled, single)
    where = apply(prims.adaptive_max_pool_indices, images, pooled)
    return without_batch(pooled, single), without_batch(where, single)


@known_as(functional=True, shared=_shared)
def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """(N, C, L) cut into `output_size` parts, each its maximum.

    Examples:
        >>> print(ops.adaptive_max_pool1d(Tensor([[[1.0, 3.0]]]), 1))
        [[[3.]]]
    """
    need_flags("adaptive_max_pool1d", return_indices=return_indices)
    return _adaptive_max_pool(input, output_size, 1, return_indices, "adaptive_max_pool1d")


@known_as(functional=True, shared=_shared)
@like(adaptive_avg_pool2d)
def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Images (N, C, H, W) cut into as many parts as `output_size` says, each its maximum; optionally where it is.

    Examples:
        >>> print(ops.adaptive_max_pool2d(Tensor([[[[1.0, 3.0], [5.0, 7.0]]]]), 1))
        [[[[7.]]]]
    """
    return _adaptive_max_pool(input, output_size, 2, return_indices, "adaptive_max_pool2d")


@_shared
@like(adaptive_avg_pool3d)
def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """(N, C, D, H, W) cut into as many parts as `output_size` says, each its maximum; optionally where it is.

    Examples:
        >>> print(ops.adaptive_max_pool3d(ops.ones((1, 1, 2, 2, 2)), 1))
        [[[[[1.]]]]]
    """
    found = _adaptive_max_pool(input, output_size, 3, return_indices, "adaptive_max_pool3d")
    return (found[0], cast(found[1], dtypes.int32)) if return_indices else found
