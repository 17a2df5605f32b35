"""Convolutions whose kernels are bent: each weight has a place of its own for each output."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import insert_axes, whole_numbers
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.tensor import Tensor
from .array_shape import reshape
from .documentation import common
from .nn_activation import floating
from .nn_conv import conv2d
from .nn_sampling import corners, pixels, within

__all__ = ["deformable_conv2d"]


def deformable_offsets(
    x: Tensor, offsets: Tensor, strides: Any, padding: Any, kernel_size: Any, dilations: Any = (1, 1, 1, 1),
    deformable_groups: int = 1, function: str = "deformable_conv2d",
) -> Tensor:  # fmt: skip
    """The pixels (N, C, H_out · k_h, W_out · k_w) that the kernel of each output sees, times its masks."""
    images, moved = floating(x, function), floating(offsets, function, "offsets")
    given = ("strides", strides), ("padding", padding), ("dilations", dilations), ("kernel_size", kernel_size)
    stride, pad, dilation, kernel = (whole_numbers(value, function, name) for name, value in given)
    if (len(stride), len(pad), len(dilation), len(kernel)) != (4, 4, 4, 2) or {*stride[:2], *dilation[:2]} != {1}:
        raise ValueError(
            f"{function}: 'strides', 'padding' and 'dilations' take four numbers, of strides and dilations the "
            f"first two 1, and 'kernel_size' two, but got {strides}, {padding}, {dilations} and {kernel_size}"
        )
    count, channels, *sizes = map(int, images.shape)
    reach = [(kernel[axis] - 1) * dilation[2 + axis] + 1 for axis in (0, 1)]
    goal = [(sizes[axis] + sum(pad[2 * axis :][:2]) - reach[axis]) // stride[2 + axis] + 1 for axis in (0, 1)]
    wanted = (count, 3 * deformable_groups * math.prod(kernel), *goal)
    if tuple(moved.shape) != wanted or channels % deformable_groups:
        raise ValueError(f"{function}: offsets for {x.shape} should have shape {wanted}, but have {moved.shape}")
    batch = count * deformable_groups
    # (N, 3, groups, k_h, k_w, H, W) to (3, N · groups, H, k_h, W, k_w)
    parts = reshape(moved, (count, 3, deformable_groups, *kernel, *goal))
    parts = reshape(apply(prims.transpose, parts, axes=(1, 0, 2, 5, 3, 6, 4)), (3, batch, *_mixed(goal, kernel)))
    column, row, mask = parts[0], parts[1], parts[2]
    spots = []
    for axis, offset in ((0, row), (1, column)):
        outputs = np.arange(goal[axis])[:, None] * stride[2 + axis] - pad[2 * axis]
        places = (outputs + np.arange(kernel[axis]) * dilation[2 + axis]).reshape(goal[axis], kernel[axis])
        base = Tensor(places[:, :, None, None] if axis == 0 else places, images.dtype)
        spots.append(apply(prims.add, offset, base))
    grouped = reshape(images, (batch, channels // deformable_groups, *sizes))
    total: Tensor | None = None
    for indices, weight in corners(spots, "bilinear"):
        factor = apply(prims.multiply, weight, cast(within(indices, tuple(sizes)), images.dtype))
        part = apply(prims.multiply, pixels(grouped, indices, tuple(sizes)), insert_axes(factor, (1,)))
        total = part if total is None else apply(prims.add, total, part)
    assert total is not None
    seen = apply(prims.multiply, total, insert_axes(mask, (1,)))
    return reshape(seen, (count, channels, goal[0] * kernel[0], goal[1] * kernel[1]))


def _mixed(goal: list[int], kernel: tuple[int, ...]) -> tuple[int, ...]:
    return goal[0], kernel[0], goal[1], kernel[1]


@common
def deformable_conv2d(
    x: Tensor, weight: Tensor, offsets: Tensor, kernel_size: Any, strides: Any, padding: Any,
    bias: Tensor | None = None, dilations: Any = (1, 1, 1, 1), groups: int = 1, deformable_groups: int = 1,
    modulated: bool = True,
) -> Tensor:  # fmt: skip
    """A convolution whose kernel sees each pixel at an offset, times a mask.

    Args:
        x: images of shape (N, C, H, W).
        weight: of shape (C_out, C // groups, k_h, k_w).
        offsets: by x, by y, and masks, of shape (N, 3 · deformable_groups · k_h · k_w, H_out, W_out).
        kernel_size: (k_h, k_w).
        strides: (1, 1, by rows, by columns).
        padding: zeros (above, below, left, right).
        bias: of shape (C_out,).
        dilations: (1, 1, by rows, by columns).
        groups: of channels in the convolution.
        deformable_groups: of channels that have offsets of their own.
        modulated: only True.

    Raises:
        ValueError: if a shape or an argument does not fit.

    Examples:
        >>> from mycel import ops
        >>> x, weight, offsets = ops.ones((1, 1, 3, 3)), ops.ones((1, 1, 2, 2)), ops.ones((1, 12, 2, 2))
        >>> print(ops.deformable_conv2d(x, weight, offsets, (2, 2), (1, 1, 1, 1), (0, 0, 0, 0)))
        [[[[4. 2.]
           [2. 1.]]]]
    """
    if modulated is not True:
        raise ValueError("deformable_conv2d: 'modulated' should be True")
    seen = deformable_offsets(x, offsets, strides, padding, kernel_size, dilations, deformable_groups)
    return conv2d(seen, weight, bias, stride=tuple(kernel_size), groups=groups)
