"""Functions that sample images between their pixels: grid_sample, affine_grid, crop_and_resize, bent convolutions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import choice, cut, insert_axes, whole_numbers
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .array_gather import need_indices
from .array_shape import moveaxis, reshape
from .documentation import common
from .nn_activation import floating
from .nn_conv import conv2d
from .table import known_as

__all__ = ["affine_grid", "crop_and_resize", "deformable_conv2d", "grid_sample"]


@common
def affine_grid(theta: Tensor, size: Any, align_corners: bool = False) -> Tensor:
    """The places, between -1 and 1, that `grid_sample` takes for an affine map of images.

    Args:
        theta: maps of shape (N, 2, 3), or (N, 3, 4) for three dimensions.
        size: the shape of the images, (N, C, H, W) or (N, C, D, H, W).
        align_corners: whether -1 and 1 are the centres of the outer pixels, not their edges.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.affine_grid(Tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]), (1, 1, 2, 2)).shape)
        (1, 2, 2, 2)
    """
    maps = floating(theta, "affine_grid", "theta")
    shape = whole_numbers(size, "affine_grid", "size")
    axes = len(shape) - 2
    if axes not in (2, 3) or tuple(maps.shape[1:]) != (axes, axes + 1):
        raise ValueError(f"affine_grid: maps of shape {maps.shape} do not fit images of shape {shape}")
    lines = []
    for length in reversed(shape[2:]):
        line = np.linspace(-1, 1, length) if length > 1 else np.zeros(1)
        lines.append(line if align_corners else line * (length - 1) / length)
    grids = np.meshgrid(*reversed(lines), indexing="ij")
    points = np.stack([*reversed(grids), np.ones_like(grids[0])], -1).reshape(-1, axes + 1)
    base = Tensor(points, maps.dtype)
    placed = apply(prims.matmul, base, apply(prims.transpose, maps, axes=(0, 2, 1)))
    return reshape(placed, (shape[0], *shape[2:], axes))


@known_as(functional=True)
def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Tensor:
    """The images at the places of a grid.

    Args:
        input: of shape (N, C, H, W) or (N, C, D, H, W).
        grid: places (x, y) or (x, y, z) between -1 and 1, of shape (N, H', W', 2) or (N, D', H', W', 3).
        mode: "bilinear" or "nearest"; for 4-d images "bicubic" too.
        padding_mode: what is outside: "zeros", the "border", or the image by "reflection".
        align_corners: whether -1 and 1 are the centres of the corner pixels, or their outer edges.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> from mycel import ops
        >>> print(ops.grid_sample(ops.ones((1, 1, 2, 2)), ops.zeros((1, 1, 1, 2))))
        [[[[1.]]]]
    """
    x, places = floating(input, "grid_sample"), floating(grid, "grid_sample", "grid")
    axes = x.ndim - 2
    choice(mode, ("bilinear", "nearest", "bicubic"), "grid_sample", "mode")
    choice(padding_mode, ("zeros", "border", "reflection"), "grid_sample", "padding_mode")
    if axes not in (2, 3) or places.ndim != x.ndim or int(places.shape[-1]) != axes or places.shape[0] != x.shape[0]:
        raise ValueError(f"grid_sample: a grid of shape {places.shape} does not fit images of shape {x.shape}")
    if mode == "bicubic" and axes != 2:
        raise ValueError("grid_sample: 'bicubic' needs images (N, C, H, W)")
    aligned = bool(align_corners)
    sizes = tuple(map(int, x.shape[2:]))
    spots = [_to_pixels(places[..., axes - 1 - place], size, aligned) for place, size in enumerate(sizes)]
    if mode != "bicubic":
        spots = [_inside(spot, size, padding_mode, aligned) for spot, size in zip(spots, sizes, strict=True)]
    found = corners(spots, mode)
    total: Tensor | None = None
    for indices, weight in found:
        if mode == "bicubic":
            indices = [_inside(spot, size, padding_mode, aligned) for spot, size in zip(indices, sizes, strict=True)]
        value = pixels(x, indices, sizes)
        valid = within(indices, sizes)
        factor = cast(valid, x.dtype) if weight is None else apply(prims.multiply, weight, cast(valid, x.dtype))
        part = apply(prims.multiply, value, insert_axes(factor, (1,)))
        total = part if total is None else apply(prims.add, total, part)
    assert total is not None
    return total


def _to_pixels(place: Tensor, size: int, aligned: bool) -> Tensor:
    moved = apply(prims.add, place, 1.0)
    if aligned:
        return apply(prims.multiply, moved, (size - 1) / 2)
    return apply(prims.subtract, apply(prims.multiply, moved, size / 2), 0.5)


def _inside(spot: Tensor, size: int, padding_mode: str, aligned: bool) -> Tensor:
    if padding_mode == "zeros":
        return spot
    if padding_mode == "reflection":
        low, span = (0.0, float(size - 1)) if aligned else (-0.5, float(size))
        if span == 0:
            return apply(prims.zeros_like, spot)
        away = apply(prims.absolute, apply(prims.subtract, spot, low))
        rest = apply(prims.remainder, away, 2 * span)
        folded = apply(prims.minimum, rest, apply(prims.subtract, 2 * span, rest))
        spot = apply(prims.add, folded, low)
    return _clipped(spot, float(size - 1))


def _clipped(spot: Tensor, last: float) -> Tensor:
    """Places moved to the nearest pixel; those on the outermost pixels and beyond have no gradient."""
    inside = apply(prims.logical_and, apply(prims.greater, spot, 0.0), apply(prims.less, spot, last))
    return apply(prims.select, inside, spot, apply(prims.stop_gradient, apply(prims.clip, spot, 0.0, last)))


def _nearest(spot: Tensor) -> Tensor:
    """Places rounded to whole pixels, those in the middle away from zero."""
    distance = apply(prims.floor, apply(prims.add, apply(prims.absolute, spot), 0.5))
    return apply(prims.multiply, apply(prims.sign, spot), distance)


def corners(spots: list[Tensor], mode: str) -> list[tuple[list[Tensor], Any]]:
    """The whole positions that a place between pixels draws from, each with its share."""
    if mode == "nearest":
        return [([_nearest(spot) for spot in spots], None)]
    lows = [apply(prims.stop_gradient, apply(prims.floor, spot)) for spot in spots]
    shares = [apply(prims.subtract, spot, low) for spot, low in zip(spots, lows, strict=True)]
    offsets = range(-1, 3) if mode == "bicubic" else range(2)
    result: list[tuple[list[Tensor], Any]] = [([], None)]
    for low, share in zip(lows, shares, strict=True):
        grown = []
        for positions, weight in result:
            for offset in offsets:
                here = _cubic_share(share, offset) if mode == "bicubic" else _linear_share(share, offset)
                both = here if weight is None else apply(prims.multiply, weight, here)
                grown.append(([*positions, apply(prims.add, low, float(offset))], both))
        result = grown
    return result


def _linear_share(share: Tensor, offset: int) -> Tensor:
    return share if offset else apply(prims.subtract, 1.0, share)


def _cubic_share(share: Tensor, offset: int) -> Tensor:
    a = -0.75
    distance = apply(prims.absolute, apply(prims.subtract, share, float(offset)))
    coefficients = (a + 2, -(a + 3), 0.0, 1.0) if offset in (0, 1) else (a, -5 * a, 8 * a, -4 * a)
    value = apply(prims.add, apply(prims.multiply, distance, coefficients[0]), coefficients[1])
    for coefficient in coefficients[2:]:
        value = apply(prims.add, apply(prims.multiply, value, distance), coefficient)
    return value


def within(indices: list[Tensor], sizes: tuple[int, ...]) -> Tensor:
    """Whether whole positions lie in an image."""
    result: Tensor | None = None
    for index, size in zip(indices, sizes, strict=True):
        here = apply(
            prims.logical_and, apply(prims.greater_equal, index, 0.0), apply(prims.less_equal, index, float(size - 1))
        )
        result = here if result is None else apply(prims.logical_and, result, here)
    assert result is not None
    return result


def pixels(x: Tensor, indices: list[Tensor], sizes: tuple[int, ...]) -> Tensor:
    """The pixels (N, C, …) at whole positions, those outside at the nearest edge."""
    flat: Tensor | None = None
    integer = dtypes.int32 if math.prod(sizes) < 1 << 31 else dtypes.int64
    for index, size in zip(indices, sizes, strict=True):
        whole = cast(apply(prims.clip, index, 0.0, float(size - 1)), integer)
        flat = whole if flat is None else apply(prims.add, apply(prims.multiply, flat, size), whole)
    assert flat is not None
    count, channels = int(x.shape[0]), int(x.shape[1])
    wanted = tuple(map(int, flat.shape[1:]))
    lines = reshape(flat, (count, 1, math.prod(wanted)))
    spread = apply(prims.broadcast_to, lines, shape=(count, channels, math.prod(wanted)))
    picked = apply(prims.take_along, reshape(x, (count, channels, math.prod(sizes))), spread, axis=2)
    return reshape(picked, (count, channels, *wanted))


@common
def crop_and_resize(
    image: Tensor, boxes: Tensor, box_indices: Tensor, crop_size: Any, method: str = "bilinear",
    extrapolation_value: float = 0.0,
) -> Tensor:  # fmt: skip
    """Boxes cut out of images (N, H, W, C) and resized.

    Args:
        image: images of shape (N, H, W, C).
        boxes: a floating-point tensor of shape (boxes, 4).
        box_indices: of which image each box is.
        crop_size: the height and width wanted.
        method: "bilinear" or "nearest".
        extrapolation_value: what is outside the image.

    Raises:
        ValueError: if a shape or an argument does not fit.

    Examples:
        >>> boxes = Tensor([[0.0, 0.0, 1.0, 1.0]])
        >>> print(ops.crop_and_resize(ops.ones((1, 2, 2, 1)), boxes, Tensor([0]), (1, 1)).shape)
        (1, 1, 1, 1)
    """
    images, frames = floating(image, "crop_and_resize", "image"), floating(boxes, "crop_and_resize", "boxes")
    owners = need_indices(box_indices, "crop_and_resize", "box_indices")
    choice(method, ("bilinear", "nearest"), "crop_and_resize", "method")
    wanted = whole_numbers(crop_size, "crop_and_resize", "crop_size")
    if images.ndim != 4 or len(wanted) != 2 or frames.ndim != 2 or frames.shape[1] != 4:
        raise ValueError(f"crop_and_resize: images {images.shape}, boxes {frames.shape} and size {wanted} do not fit")
    sizes = tuple(map(int, images.shape[1:3]))
    count = int(frames.shape[0])
    spots = []
    for axis, (size, goal) in enumerate(zip(sizes, wanted, strict=True)):
        low, high = (reshape(cut(frames, 1, place, place + 1), (count, 1)) for place in (axis, axis + 2))
        if goal > 1:
            steps = Tensor(np.arange(goal) / (goal - 1), frames.dtype)
            spot = apply(prims.add, low, apply(prims.multiply, apply(prims.subtract, high, low), steps))
        else:
            spot = apply(prims.multiply, apply(prims.add, low, high), 0.5)
        spots.append(apply(prims.multiply, spot, float(size - 1)))
    rows = apply(prims.broadcast_to, insert_axes(spots[0], (2,)), shape=(count, *wanted))
    columns = apply(prims.broadcast_to, insert_axes(spots[1], (1,)), shape=(count, *wanted))
    picked = apply(prims.take, moveaxis(images, -1, 1), owners, axis=0)
    valid = within([rows, columns], sizes)
    total: Tensor | None = None
    for indices, weight in corners([rows, columns], method):
        value = pixels(picked, indices, sizes)
        part = value if weight is None else apply(prims.multiply, value, insert_axes(weight, (1,)))
        total = part if total is None else apply(prims.add, total, part)
    shown = apply(prims.select, insert_axes(valid, (1,)), total, float(extrapolation_value))
    return moveaxis(shown, 1, -1)


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
