"""Functions on images: interpolate, grid_sample, affine_grid, pixel_shuffle, unfold and fold, crop_and_resize."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import choice, insert_axes, whole_numbers
from ...frontend.values.dispatch import apply
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from .array_shape import moveaxis, permute, reshape
from .documentation import common
from .nn_activation import floating
from .nn_conv import per_axis
from .table import known_as

__all__ = [
    "channel_shuffle", "fold", "interpolate", "pixel_shuffle", "pixel_unshuffle", "unfold",
]  # fmt: skip


_LINEAR = {"linear": 3, "bilinear": 4, "trilinear": 5}


def _centres(size: int, wanted: int, align_corners: bool, scale: float | None) -> np.ndarray:
    """The positions of the resized axis's elements on the original axis."""
    steps = np.arange(wanted, dtype=np.float64)
    if align_corners:
        return steps * ((size - 1) / (wanted - 1)) if wanted > 1 else steps * 0.0
    return np.asarray((steps + 0.5) * (1.0 / scale if scale else size / wanted) - 0.5)


def linear_weights(size: int, wanted: int, align_corners: bool, scale: float | None = None) -> np.ndarray:
    """The matrix (wanted, size) that resizes an axis by linear interpolation."""
    centres = np.clip(_centres(size, wanted, align_corners, scale), 0, None)
    low = np.minimum(np.floor(centres).astype(int), size - 1)
    high = np.minimum(low + 1, size - 1)
    share = centres - low
    matrix = np.zeros((wanted, size))
    rows = np.arange(wanted)
    np.add.at(matrix, (rows, low), 1 - share)
    np.add.at(matrix, (rows, high), share)
    return matrix


def cubic_weights(size: int, wanted: int, align_corners: bool, scale: float | None = None) -> np.ndarray:
    """The matrix (wanted, size) that resizes an axis by cubic convolution, as MindSpore's kernel does it.

    With aligned corners a is -0.75 and the edge is repeated outside; otherwise a is -0.5 and elements outside have no
    weight.
    """
    centres = _centres(size, wanted, align_corners, scale)
    base = np.floor(centres).astype(int)
    return cubic_matrix(base, centres - base, size, repeats_edge=align_corners)


def cubic_matrix(base: np.ndarray, share: np.ndarray, size: int, repeats_edge: bool) -> np.ndarray:
    """The matrix of a cubic convolution around the positions base + share.

    Where the edge is repeated outside a is -0.75; otherwise a is -0.5 and elements outside have no weight.
    """
    rows = np.arange(len(base))
    matrix = np.zeros((len(base), size))
    for offset in range(-1, 3):
        places = base + offset
        weights = _cubic(np.abs(share - offset), -0.75 if repeats_edge else -0.5)
        if not repeats_edge:
            weights = np.where((places >= 0) & (places < size), weights, 0.0)
        np.add.at(matrix, (rows, np.clip(places, 0, size - 1)), weights)
    return matrix / matrix.sum(axis=1, keepdims=True)


def _cubic(distance: np.ndarray, a: float) -> np.ndarray:
    near = ((a + 2) * distance - (a + 3)) * distance**2 + 1
    far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
    return np.where(distance <= 1, near, np.where(distance < 2, far, 0.0))


def nearest_positions(
    size: int, wanted: int, mode: str, scale: float | None = None, align_corners: bool = False
) -> np.ndarray:
    """Which positions of an axis stand in the resized axis."""
    steps = np.arange(wanted)
    ratio = 1.0 / scale if scale else size / wanted
    if align_corners:
        places = np.floor(steps * ((size - 1) / (wanted - 1) if wanted > 1 else 0.0) + 0.5)
    elif mode == "nearest-exact":
        places = np.floor((steps + 0.5) * ratio)
    else:
        places = np.floor(steps * ratio)
    return np.minimum(places.astype(np.int64), size - 1)


def resize_axis(x: Tensor, axis: int, matrix: np.ndarray) -> Tensor:
    """The tensor with one axis multiplied by a constant matrix (wanted, size)."""
    if matrix.shape[0] == matrix.shape[1] and np.array_equal(matrix, np.eye(len(matrix))):
        return x
    weights = Tensor(np.ascontiguousarray(matrix), x.dtype)
    if axis == x.ndim - 1:
        return apply(prims.matmul, x, apply(prims.transpose, weights, axes=(1, 0)))
    if axis == x.ndim - 2:
        return apply(prims.matmul, weights, x)
    return moveaxis(resize_axis(moveaxis(x, axis, -2), x.ndim - 2, matrix), -2, axis)


def pick_axis(x: Tensor, axis: int, places: np.ndarray) -> Tensor:
    """The tensor with one axis replaced by its elements at constant positions."""
    size = int(x.shape[axis])
    wanted = len(places)
    if wanted % size == 0 and np.array_equal(places, np.repeat(np.arange(size), wanted // size)):
        from .array_join import repeat_interleave

        return x if wanted == size else repeat_interleave(x, wanted // size, axis)
    return apply(prims.take, x, Tensor(places), axis=axis)


def _resized(
    x: Tensor, size: Any, scale: Any, recompute: Any, function: str
) -> tuple[tuple[int, ...], tuple[float | None, ...]]:
    """The sizes wanted, and the scales by which positions are computed (None: from the sizes)."""
    axes = x.ndim - 2
    lengths = tuple(map(int, x.shape[2:]))
    if (size is None) == (scale is None):
        raise ValueError(f"{function}: give one of 'size' and 'scale_factor', but got {size} and {scale}")
    if size is not None:
        given = whole_numbers(size, function, "size")
        wanted = given * axes if len(given) == 1 else given
        if len(wanted) != axes or min(wanted) < 1:
            raise ValueError(f"{function}: 'size' should be one positive int, or {axes} of them, but got {size}")
        return wanted, (None,) * axes
    factors = tuple(map(float, scale)) if isinstance(scale, (tuple, list)) else (float(scale),) * axes
    if len(factors) != axes or min(factors) <= 0:
        raise ValueError(f"{function}: 'scale_factor' should be a positive number, or {axes} of them, but got {scale}")
    wanted = tuple(math.floor(length * factor) for length, factor in zip(lengths, factors, strict=True))
    return wanted, (None,) * axes if recompute else factors


@known_as("upsample", functional=True)
def interpolate(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
    align_corners: bool | None = None, recompute_scale_factor: bool | None = None,
) -> Tensor:  # fmt: skip
    """Images (N, C, …) resized.

    Args:
        input: a floating-point tensor of shape (N, C, ...).
        size: the sizes wanted, one int or one a spatial dimension.
        scale_factor: in place of `size`: how many times larger, one number or one a spatial dimension.
        mode: "nearest", "nearest-exact", "linear" (3-d), "bilinear" (4-d), "trilinear" (5-d), "bicubic" (4-d), "area".
        align_corners: for the linear and cubic modes: whether the corners of input and output lie at the same places.
        recompute_scale_factor: whether positions are computed from the sizes that `scale_factor` gave.

    Raises:
        ValueError: if the mode does not fit the number of dimensions, or both or neither of size and scale are given.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.interpolate(ms.Tensor([[[1.0, 2.0]]]), size=4))
        [[[1. 1. 2. 2.]]]
    """
    x = floating(input, "interpolate")
    choice(
        mode, ("nearest", "nearest-exact", "linear", "bilinear", "trilinear", "bicubic", "area"), "interpolate", "mode"
    )
    if not 3 <= x.ndim <= 5 or x.ndim != _LINEAR.get(mode, 4 if mode == "bicubic" else x.ndim):
        raise ValueError(f"interpolate: the mode '{mode}' does not fit an input of shape {x.shape}")
    if align_corners is not None and mode in ("nearest", "nearest-exact", "area"):
        raise ValueError(f"interpolate: 'align_corners' does not go with the mode '{mode}'")
    wanted, scales = _resized(x, size, scale_factor, recompute_scale_factor, "interpolate")
    if mode == "area":
        return apply(prims.adaptive_avg_pool, x, size=wanted)
    for place in range(x.ndim - 1, 1, -1):
        length, goal, scale = int(x.shape[place]), wanted[place - 2], scales[place - 2]
        if mode.startswith("nearest"):
            x = pick_axis(x, place, nearest_positions(length, goal, mode, scale))
        else:
            weights = cubic_weights if mode == "bicubic" else linear_weights
            x = resize_axis(x, place, weights(length, goal, bool(align_corners), scale))
    return x


def resize_images(
    x: Tensor, size: Any, mode: str, align_corners: bool = False, half_pixel_centers: bool = False
) -> Tensor:
    """Images (N, C, H, W) resized as the Resize… primitives do: without centres at half pixels, unless asked for."""
    images = floating(x, "resize", "x")
    wanted = whole_numbers(size, "resize", "size")
    if images.ndim != 4 or len(wanted) != 2:
        raise ValueError(f"resize: (N, C, H, W) and two sizes are expected, but got {images.shape} and {size}")
    for place in (3, 2):
        length, goal = int(images.shape[place]), wanted[place - 2]
        if mode == "nearest":
            exact = "nearest-exact" if half_pixel_centers else "nearest"
            images = pick_axis(images, place, nearest_positions(length, goal, exact, None, align_corners))
        elif align_corners or half_pixel_centers:
            images = resize_axis(images, place, linear_weights(length, goal, align_corners))
        else:
            images = resize_axis(images, place, _corner_weights(length, goal))
    return images


def _corner_weights(size: int, wanted: int) -> np.ndarray:
    """The matrix that resizes an axis linearly, with its first position at the first one."""
    centres = np.arange(wanted) * (size / wanted)
    low = np.minimum(np.floor(centres).astype(int), size - 1)
    matrix = np.zeros((wanted, size))
    np.add.at(matrix, (np.arange(wanted), low), 1 - (centres - low))
    np.add.at(matrix, (np.arange(wanted), np.minimum(low + 1, size - 1)), centres - low)
    return matrix


def _pixels(input: Tensor, factor: int, function: str) -> tuple[Tensor, int, int, int, int]:
    x = need_tensor(input, function)
    channels, height, width = map(int, x.shape[-3:])
    return x, int(factor), channels, height, width


@known_as(functional=True, primitive="PixelShuffle")
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Channels as pixels: (…, C * r * r, H, W) to (…, C, H * r, W * r).

    Args:
        input: a tensor of shape (..., C * r * r, H, W).
        upscale_factor: the factor r.

    Raises:
        ValueError: if the channels do not divide.

    Examples:
        >>> from mycel import ops
        >>> print(ops.pixel_shuffle(ops.ones((1, 4, 1, 1)), 2).shape)
        (1, 1, 2, 2)
    """
    x, by, channels, height, width = _pixels(input, upscale_factor, "pixel_shuffle")
    if x.ndim < 3 or by < 1 or channels % (by * by):
        raise ValueError(f"pixel_shuffle: the channels of shape {x.shape} should be a multiple of {by * by}")
    lead = tuple(x.shape[:-3])
    apart = reshape(x, (*lead, channels // (by * by), by, by, height, width))
    count = len(lead)
    order = (*range(count), count, count + 3, count + 1, count + 4, count + 2)
    return reshape(permute(apart, order), (*lead, channels // (by * by), height * by, width * by))


@common
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """Pixels as channels: (…, C, H * r, W * r) to (…, C * r * r, H, W).

    Args:
        input: a tensor of shape (..., C, H * r, W * r).
        downscale_factor: the factor r.

    Raises:
        ValueError: if height and width do not divide.

    Examples:
        >>> from mycel import ops
        >>> print(ops.pixel_unshuffle(ops.ones((1, 1, 2, 2)), 2).shape)
        (1, 4, 1, 1)
    """
    x, by, channels, height, width = _pixels(input, downscale_factor, "pixel_unshuffle")
    if x.ndim < 3 or by < 1 or height % by or width % by:
        raise ValueError(f"pixel_unshuffle: height and width of shape {x.shape} should be multiples of {by}")
    lead = tuple(x.shape[:-3])
    count = len(lead)
    apart = reshape(x, (*lead, channels, height // by, by, width // by, by))
    order = (*range(count), count, count + 2, count + 4, count + 1, count + 3)
    return reshape(permute(apart, order), (*lead, channels * by * by, height // by, width // by))


@common
def channel_shuffle(x: Tensor, groups: int) -> Tensor:
    """The channels of (N, C, …) dealt out: groups of neighbours become neighbours of one from each group.

    Args:
        x: a tensor of shape (N, C, ...).
        groups: how many groups.

    Raises:
        ValueError: if the channels do not divide into the groups.

    Examples:
        >>> print(ops.channel_shuffle(Tensor([[[1.0], [2.0], [3.0], [4.0]]]), 2))
        [[[1.]
          [3.]
          [2.]
          [4.]]]
    """
    images = need_tensor(x, "channel_shuffle", "x")
    channels = int(images.shape[1])
    if groups < 1 or channels % groups:
        raise ValueError(f"channel_shuffle: the channels of shape {images.shape} should be a multiple of {groups}")
    shape = tuple(images.shape)
    apart = reshape(images, (shape[0], groups, channels // groups, *shape[2:]))
    order = (0, 2, 1, *range(3, images.ndim + 1))
    return reshape(permute(apart, order), shape)


def _window_counts(sizes: Any, kernel: Any, dilation: Any, pads: Any, stride: Any) -> tuple[int, ...]:
    return tuple(
        (size + 2 * pad - spread * (width - 1) - 1) // step + 1
        for size, width, spread, pad, step in zip(sizes, kernel, dilation, pads, stride, strict=True)
    )


@known_as(functional=True, method=True)
def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """The windows of images (N, C, H, W) as columns: (N, C * kernel height * kernel width, number of windows).

    Args:
        input: a floating-point tensor of shape (N, C, H, W).
        kernel_size, dilation, padding, stride: one int, or two.

    Raises:
        ValueError: if a shape or an argument does not fit.

    Examples:
        >>> from mycel import ops
        >>> print(ops.unfold(ops.ones((1, 1, 2, 2)), 2).shape)
        (1, 4, 1)
    """
    x = need_tensor(input, "unfold")
    if x.ndim != 4:
        raise ValueError(f"unfold needs (N, C, H, W), but got shape {x.shape}")
    kernel, spread = (
        per_axis(kernel_size, 2, "unfold", "kernel_size", 1),
        per_axis(dilation, 2, "unfold", "dilation", 1),
    )
    pads, steps = per_axis(padding, 2, "unfold", "padding"), per_axis(stride, 2, "unfold", "stride", 1)
    padding = tuple((pad, pad) for pad in pads)
    return apply(prims.unfold, x, kernel=kernel, stride=steps, padding=padding, dilation=spread)


@known_as(functional=True, method=True)
def fold(
    input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """The reverse of `unfold`: windows (N, C * kernel, number of windows) summed into images (N, C, H, W).

    Args:
        input: a floating-point tensor of shape (N, C * kernel, windows).
        output_size: height and width of the images.
        kernel_size, dilation, padding, stride: one int, or two.

    Raises:
        ValueError: if the sizes do not fit.

    Examples:
        >>> from mycel import ops
        >>> print(ops.fold(ops.ones((1, 4, 1)), (2, 2), (2, 2)).shape)
        (1, 1, 2, 2)
    """
    x = floating(input, "fold")
    single = x.ndim == 2
    if single:
        x = insert_axes(x, (0,))
    goal = per_axis(output_size, 2, "fold", "output_size", 1)
    kernel, spread = per_axis(kernel_size, 2, "fold", "kernel_size", 1), per_axis(dilation, 2, "fold", "dilation", 1)
    pads, steps = per_axis(padding, 2, "fold", "padding"), per_axis(stride, 2, "fold", "stride", 1)
    rows, columns = _window_counts(goal, kernel, spread, pads, steps)
    area = math.prod(kernel)
    if x.ndim == 4:  # MindSpore's primitive gives (N, C, kernel, windows)
        x = reshape(x, (x.shape[0], int(x.shape[1]) * int(x.shape[2]), x.shape[3]))
    if x.ndim != 3 or int(x.shape[1]) % area or int(x.shape[2]) != rows * columns:
        raise ValueError(
            f"fold: 'input' should be (N, C * {area}, {rows * columns}) for images {goal}, but got {input.shape}"
        )
    out = apply(
        prims.fold,
        x,
        size=goal,
        kernel=kernel,
        stride=steps,
        padding=tuple((pad, pad) for pad in pads),
        dilation=spread,
    )
    return out[0] if single else out
