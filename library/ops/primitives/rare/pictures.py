"""Primitives of images and windows: colours, sizes, patches, rarer pooling and convolution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .....frontend.values.dispatch import cast
from .....frontend.values.tensor import Tensor
from .....runtime import dtypes
from ....functions import nn_conv, nn_image
from ..primitive import Row, function_named as f, make_classes, takes


def _numbers(value: Any) -> tuple[int, ...]:
    return tuple(int(item) for item in (value.tolist() if isinstance(value, Tensor) else value))


# Colours are the last dimension.


def _to_hsv(images: Any) -> tuple[Tensor, Tensor, Tensor]:
    red, green, blue = (images[..., channel] for channel in range(3))
    top, low = f("max")(images, -1)[0], f("min")(images, -1)[0]
    spread = top - low
    safe = f("where")(f("equal")(spread, 0), f("ones_like")(spread), spread)
    by_green, by_blue = (blue - red) / safe + 2.0, (red - green) / safe + 4.0
    by_red = f("floor_mod")((green - blue) / safe, 6.0)
    hue = f("where")(f("equal")(top, red), by_red, f("where")(f("equal")(top, green), by_green, by_blue))
    hue = f("where")(f("equal")(spread, 0), f("zeros_like")(hue), hue / 6.0)
    whole = f("where")(f("equal")(top, 0), f("ones_like")(top), top)
    return hue, f("where")(f("equal")(top, 0), f("zeros_like")(top), spread / whole), top


def _from_hsv(hue: Any, saturation: Any, value: Any) -> Tensor:
    """Each colour falls and rises once around the circle of hues."""
    channels = []
    for start in (5.0, 3.0, 1.0):
        place = f("floor_mod")(hue * 6.0 + start, 6.0)
        slope = f("clip")(f("minimum")(place, -place + 4.0), 0.0, 1.0)
        channels.append(value - value * saturation * slope)
    return f("stack")(channels, -1)


def _adjusted(what: str) -> Any:
    def run(self: Any, images: Any, amount: Any) -> Tensor:
        wide = cast(images, dtypes.float32)
        amount = cast(amount, dtypes.float32) if isinstance(amount, Tensor) else float(amount)
        if what == "contrast":
            mean = f("mean")(wide, (-3, -2), True)
            return cast((wide - mean) * amount + mean, images.dtype)
        hue, saturation, value = _to_hsv(wide)
        if what == "hue":
            hue = f("floor_mod")(hue + amount, 1.0)
        else:
            saturation = f("clip")(saturation * amount, 0.0, 1.0)
        return cast(_from_hsv(hue, saturation, value), images.dtype)

    return run


def _hsv_to_rgb(self: Any, images: Any) -> Tensor:
    return cast(_from_hsv(*(images[..., channel] for channel in range(3))), images.dtype)


# Sizes


def _bicubic_weights(size: int, wanted: int, corners: bool, half: bool) -> np.ndarray:
    """With centres at halves a is -0.5 and outside weighs nothing; otherwise a is -0.75 and the edge goes on.

    Distances are whole 1024ths, as in the table that MindSpore's kernel looks them up in.
    """
    scale = (size - 1) / (wanted - 1) if corners and wanted > 1 else size / wanted
    centres = (np.arange(wanted) + 0.5) * scale - 0.5 if half else np.arange(wanted) * scale
    base = np.floor(centres).astype(int)
    share = np.rint((centres - base) * 1024) / 1024
    return nn_image.cubic_matrix(base, share, size, repeats_edge=not half)


def _bicubic(self: Any, images: Any, size: Any) -> Tensor:
    wide = images if images.dtype.is_float else cast(images, dtypes.float32)
    for axis, wanted in zip((2, 3), _numbers(size), strict=True):
        weights = _bicubic_weights(int(images.shape[axis]), wanted, self.align_corners, self.half_pixel_centers)
        wide = nn_image.resize_axis(wide, axis, weights)
    return wide


def _linear(self: Any, x: Any, size: Any) -> Tensor:
    wanted = _numbers(size if not isinstance(size, int) else (size,))[0]
    corners = self.coordinate_transformation_mode == "align_corners"
    return nn_image.resize_axis(x, 2, nn_image.linear_weights(int(x.shape[2]), wanted, corners))


def _area_weights(size: int, wanted: int, corners: bool) -> np.ndarray:
    scale = (size - 1) / (wanted - 1) if corners and wanted > 1 else size / wanted
    matrix = np.zeros((wanted, size))
    for row in range(wanted):
        start, stop = row * scale, (row + 1) * scale
        for place in range(math.floor(start), math.ceil(stop)):
            share = min(place + 1, stop) - max(place, start)
            matrix[row, min(place, size - 1)] += share / scale
    return matrix


def _area(self: Any, images: Any, size: Any) -> Tensor:
    """Images (N, H, W, C), of which each new pixel is the mean of what it covers."""
    wide = cast(images, dtypes.float32)
    for axis, wanted in zip((1, 2), _numbers(size), strict=True):
        wide = nn_image.resize_axis(wide, axis, _area_weights(int(images.shape[axis]), wanted, self.align_corners))
    return wide


# Windows


def _pooled(axes: int) -> Any:
    def run(self: Any, x: Any) -> tuple[Tensor, Tensor]:
        size = self.kernel_size if axes == 2 else self.ksize
        given = [value[-axes:] if isinstance(value, tuple) else value for value in (size, self.strides, self.pads)]
        pooled, places = f(f"max_pool{axes}d")(x, *given, self.dilation, return_indices=True, ceil_mode=self.ceil_mode)
        return pooled, cast(places, self.argmax_type)

    return run


def _windows(x: Any, kernel: Any, strides: Any, rates: Any, padding: str) -> tuple[Tensor, list[np.ndarray]]:
    """Images (N, C, …) padded for a mode, and for each spatial axis the places of each window (windows, kernel)."""
    axes = len(kernel)
    sizes = tuple(map(int, x.shape[2:]))
    pairs = [(0, 0)] * axes
    if padding.upper() == "SAME":
        pairs = list(nn_conv.same_padding(sizes, tuple(kernel), tuple(strides), tuple(rates)))
    if any(sum(pair) for pair in pairs):
        x = f("pad")(x, tuple(part for pair in reversed(pairs) for part in pair))
    places = []
    for length, pair, extent, step, rate in zip(sizes, pairs, kernel, strides, rates, strict=True):
        count = (length + sum(pair) - rate * (extent - 1) - 1) // step + 1
        places.append(np.arange(count)[:, None] * step + np.arange(extent) * rate)
    return x, places


def _gathered(x: Any, places: list[np.ndarray]) -> Tensor:
    """The windows as (N, C, windows of each axis …, elements of each axis …)."""
    axes = len(places)
    for axis, each in enumerate(places):
        taken = f("gather")(x, Tensor(each.ravel()), 2 + 2 * axis)
        shape = (*taken.shape[: 2 + 2 * axis], *each.shape, *taken.shape[3 + 2 * axis :])
        x = f("reshape")(taken, tuple(map(int, shape)))
    order = (0, 1, *range(2, 2 + 2 * axes, 2), *range(3, 3 + 2 * axes, 2))
    return f("transpose")(x, order)


def _image_patches(self: Any, x: Any) -> Tensor:
    """The windows of images (N, C, H, W) as (N, elements of a window · C, windows down, windows across)."""
    kernel, strides, rates = (tuple(value)[-2:] for value in (self.ksizes, self.strides, self.rates))
    windows = _gathered(*_windows(x, kernel, strides, rates, self.padding))
    batch, channels, down, across = map(int, windows.shape[:4])
    moved = f("transpose")(windows, (0, 4, 5, 1, 2, 3))
    return f("reshape")(moved, (batch, kernel[0] * kernel[1] * channels, down, across))


def _volume_patches(self: Any, x: Any) -> Tensor:
    kernel, strides = (tuple(value)[-3:] for value in (self.kernel_size, self.strides))
    windows = _gathered(*_windows(x, kernel, strides, (1, 1, 1), self.padding))
    batch, channels, *counts = map(int, windows.shape[:5])
    moved = f("transpose")(windows, (0, 5, 6, 7, 1, 2, 3, 4))
    return f("reshape")(moved, (batch, math.prod(kernel) * channels, *counts))


def _dilated(self: Any, x: Any, filter: Any) -> Tensor:
    """The largest sum of a window and a filter (C, h, w), for each channel."""
    spread = [tuple(value)[-2:] if isinstance(value, (tuple, list)) else (value,) * 2
              for value in (self.stride, self.dilation)]  # fmt: skip
    kernel = tuple(map(int, filter.shape[1:]))
    sizes = tuple(map(int, x.shape[2:]))
    if self.pad_mode.upper() == "SAME":
        pairs = nn_conv.same_padding(sizes, kernel, spread[0], spread[1])
        low = float(np.finfo(np.float32 if x.dtype.bits > 16 else np.float16).min) / 4
        x = f("pad")(x, tuple(part for pair in reversed(pairs) for part in pair), "constant", low)
    windows = _gathered(*_windows(x, kernel, spread[0], spread[1], "VALID"))
    channels = int(filter.shape[0])
    summed = windows + f("reshape")(filter, (1, channels, 1, 1, *kernel))
    return f("amax")(summed, (-2, -1))


def _fractional(axes: int) -> Any:
    def run(self: Any, x: Any, samples: Any) -> tuple[Tensor, Tensor]:
        """Windows at random distances: the largest element of each, and where in its image it is."""
        drawn, sizes = samples.asnumpy(), tuple(map(int, x.shape[-axes:]))
        kernel, wanted = (value if isinstance(value, (tuple, list)) else (value,) * axes
                          for value in (self.ksize, self.output_shape))  # fmt: skip
        flat = f("reshape")(x, (*x.shape[:2], -1))
        places = np.zeros((*map(int, x.shape[:2]), *wanted, *kernel), np.int64)
        for batch, channel in np.ndindex(*map(int, x.shape[:2])):
            grids = []
            for axis in range(axes):
                share = drawn[batch, channel, axis if axes == 3 else 1 - axis]
                starts = _starts(float(share), sizes[axis], wanted[axis], kernel[axis])
                grids.append(starts[:, None] + np.arange(kernel[axis]))
            total = np.zeros((*wanted, *kernel), np.int64)
            for axis, grid in enumerate(grids):
                shape = [1] * (2 * axes)
                shape[axis], shape[axes + axis] = grid.shape
                total = total + grid.reshape(shape) * math.prod(sizes[axis + 1 :])
            places[batch, channel] = total
        lead = tuple(map(int, x.shape[:2]))
        taken = f("gather_elements")(flat, 2, Tensor(places.reshape(*lead, -1)))
        windows = f("reshape")(taken, (*lead, *wanted, -1))
        best, chosen = f("max")(windows, -1)
        at = f("gather_elements")(
            Tensor(places.reshape(*lead, *wanted, -1)), 2 + axes, f("expand_dims")(cast(chosen, dtypes.int64), -1)
        )
        return best, f("squeeze")(at, -1)

    return run


def _starts(share: float, size: int, wanted: int, kernel: int) -> np.ndarray:
    """Where windows of a fractional pooling begin."""
    if wanted == 1:
        return np.array([size - kernel])
    alpha = (size - kernel) / (wanted - 1)
    steps = np.arange(wanted - 1)
    starts = (steps + share) * alpha
    return np.append(starts.astype(np.int64) - int(share * alpha), size - kernel)


def _instance_norm(self: Any, x: Any, gamma: Any, beta: Any, mean: Any, variance: Any) -> tuple[Tensor, ...]:
    axes = tuple(range(2, x.ndim))
    own_mean = f("mean")(x, axes, True)
    own_variance = f("mean")(f("square")(x - own_mean), axes, True)
    shape = (1, int(x.shape[1])) + (1,) * len(axes)
    unit = (x - own_mean) * f("rsqrt")(own_variance + self.epsilon)
    out = unit * f("reshape")(gamma, shape) + f("reshape")(beta, shape)
    return out, f("squeeze")(own_mean, axes), f("squeeze")(own_variance, axes)


def _conv_3d_transpose(self: Any, x: Any, weight: Any) -> Tensor:
    spatial = [value[-3:] if isinstance(value, (tuple, list)) else value for value in (self.stride, self.dilation)]
    return nn_conv.transposed_convolution(
        x, weight, None, 3, spatial[0], self.pad_mode, self.pad, self.output_padding, self.group, spatial[1], self.name
    )


def _ctc(self: Any, log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any) -> Any:
    return f("ctc_loss")(
        log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
    )


_ARGMAX = {"pads": 0, "dilation": (1, 1), "ceil_mode": False, "argmax_type": dtypes.int64}
TABLE: dict[str, Row] = {
    "RGBToHSV": (lambda self, images: f("stack")(_to_hsv(images), -1), {}),
    "HSVToRGB": (_hsv_to_rgb, {}),
    "AdjustHue": (_adjusted("hue"), {}),
    "AdjustSaturation": (_adjusted("saturation"), {}),
    "AdjustContrastv2": (_adjusted("contrast"), {}),
    "ResizeBicubic": (_bicubic, {"align_corners": False, "half_pixel_centers": False}),
    "ResizeLinear1D": (_linear, {"coordinate_transformation_mode": "align_corners"}),
    "ResizeArea": (_area, {"align_corners": False}),
    "MaxPoolWithArgmaxV2": (_pooled(2), takes("kernel_size", strides=None, **_ARGMAX)),
    "MaxPool3DWithArgmax": (
        _pooled(3),
        takes("ksize strides pads", dilation=(1, 1, 1), ceil_mode=False, data_format="NCDHW", argmax_type=dtypes.int64),
    ),
    "AdaptiveMaxPool3D": (lambda self, x, size: f("adaptive_max_pool3d")(x, _numbers(size), True), {}),
    "ExtractImagePatches": (_image_patches, takes("ksizes strides rates", padding="valid")),
    "ExtractVolumePatches": (_volume_patches, takes("kernel_size strides padding")),
    "Dilation2D": (_dilated, takes("stride dilation", pad_mode="SAME", data_format="NCHW")),
    "FractionalMaxPoolWithFixedKsize": (_fractional(2), takes("ksize output_shape", data_format="NCHW")),
    "FractionalMaxPool3DWithFixedKsize": (_fractional(3), takes("ksize output_shape", data_format="NCDHW")),
    "InstanceNorm": (_instance_norm, {"epsilon": 1e-5, "momentum": 0.1}),
    "Conv3DTranspose": (
        _conv_3d_transpose,
        takes(
            "in_channel out_channel kernel_size", mode=1, pad_mode="valid", pad=0, stride=1, dilation=1, group=1,
            output_padding=0, data_format="NCDHW",
        ),
    ),
    "CTCLossV2": (_ctc, {"blank": 0, "reduction": "none", "zero_infinity": False}),
}  # fmt: skip
CLASSES = make_classes(TABLE, globals())
