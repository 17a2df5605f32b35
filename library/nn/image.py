"""Layers of images: resizing, rearranging pixels and channels, crops, gradients, and measures of likeness."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.cell import Cell
from ...frontend.values.dispatch import apply
from ...frontend.values.tensor import Tensor
from .. import functions as ops
from .checks import check_choice, check_number, check_positive_int
from .conv_base import same_padding

_TAKES_TENSORS = True  # its Cells say which input should be a Tensor; Cell reads this

__all__ = [
    "MSSSIM",
    "PSNR",
    "SSIM",
    "CentralCrop",
    "ChannelShuffle",
    "ImageGradients",
    "PixelShuffle",
    "PixelUnshuffle",
    "Unfold",
    "Upsample",
]


class Upsample(Cell):
    """Resizes signals, images or volumes.

    Args:
        size: of the result, one number for each spatial axis.
        scale_factor: in its place, a factor or one for each axis.
        mode: 'nearest', 'linear', 'bilinear', 'bicubic', 'trilinear' or 'area'.
        align_corners: whether corners stay corners.
        recompute_scale_factor: whether sizes follow from the factors before resizing.

    Inputs:
        x: [N, C, …].
    """

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.size = size
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def construct(self, x: Any) -> Tensor:
        """x, resized."""
        return ops.interpolate(
            x, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )


class PixelShuffle(Cell):
    """[…, C·r², H, W] to […, C, H·r, W·r].

    Args:
        upscale_factor: r.
    """

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = check_positive_int(upscale_factor, "upscale_factor", "PixelShuffle")

    def construct(self, input: Any) -> Tensor:
        """The input with pixels made of channels."""
        return ops.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Cell):
    """[…, C, H·r, W·r] to […, C·r², H, W].

    Args:
        downscale_factor: r.
    """

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = check_positive_int(downscale_factor, "downscale_factor", "PixelUnshuffle")

    def construct(self, input: Any) -> Tensor:
        """The input with channels made of pixels."""
        return ops.pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Cell):
    """Exchanges groups of channels with the channels in a group, [N, g·k, …].

    Args:
        groups: g.
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = check_positive_int(groups, "groups", "ChannelShuffle")

    def construct(self, x: Any) -> Tensor:
        """x with its channels in another order."""
        return ops.channel_shuffle(x, self.groups)


class Unfold(Cell):
    """The patches of images as channels, [N, C, H, W] to [N, height·width·C, H', W'].

    Args:
        ksizes: [1, height, width, 1].
        strides: [1, row, column, 1].
        rates: [1, row, column, 1], the distance between the pixels of a patch.
        padding: 'valid' or 'same'.

    Raises:
        TypeError: if sizes are no tuples or lists. ValueError: if they are not of that form.
    """

    def __init__(self, ksizes: Any, strides: Any, rates: Any, padding: str = "valid") -> None:
        super().__init__()
        sizes = []
        for name, value in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
            if not isinstance(value, (tuple, list)):
                raise TypeError(f"For 'Unfold', the '{name}' should be a tuple or list, but got {type(value).__name__}")
            if len(value) != 4 or value[0] != 1 or value[3] != 1:
                raise ValueError(f"For 'Unfold', the '{name}' should be [1, row, column, 1], but got {value}")
            sizes.append((check_positive_int(value[1], name, "Unfold"), check_positive_int(value[2], name, "Unfold")))
        self._kernel, self._stride, self._rate = sizes
        self.padding = check_choice(padding.lower(), ("valid", "same"), "padding", "Unfold")

    def construct(self, input_x: Any) -> Tensor:
        """The patches."""
        if input_x.ndim != 4:
            raise ValueError(f"Unfold takes inputs of 4 dimensions, but the shape is {input_x.shape}")
        c, h, w = input_x._type.shape[1:]
        pads = ((0, 0), (0, 0))
        if self.padding == "same":
            pads = same_padding((h, w), self._kernel, self._stride, self._rate, "Unfold")  # type: ignore[assignment]
            input_x = ops.pad(input_x, (pads[1][0], pads[1][1], pads[0][0], pads[0][1]))
        sizes = [
            (size + sum(pair) - (k - 1) * rate - 1) // step + 1
            for size, pair, k, rate, step in zip((h, w), pads, self._kernel, self._rate, self._stride, strict=True)
        ]
        columns = ops.unfold(input_x, self._kernel, self._rate, 0, self._stride)
        count = self._kernel[0] * self._kernel[1]
        patches = ops.transpose(ops.reshape(columns, (-1, c, count, *sizes)), (0, 2, 1, 3, 4))
        return ops.reshape(patches, (-1, count * c, *sizes))


class ImageGradients(Cell):
    """The differences of neighbouring pixels, downwards and to the right; zeros at the end.

    Inputs:
        images: [N, C, H, W].

    Outputs:
        (dy, dx), each of the shape of the images.
    """

    def construct(self, images: Any) -> tuple[Tensor, Tensor]:
        """(dy, dx)."""
        if images.ndim != 4:
            raise ValueError(f"ImageGradients takes inputs of 4 dimensions, but the shape is {images.shape}")
        dy = images[:, :, 1:, :] - images[:, :, :-1, :]
        dx = images[:, :, :, 1:] - images[:, :, :, :-1]
        return ops.pad(dy, (0, 0, 0, 1)), ops.pad(dx, (0, 1, 0, 0))


class CentralCrop(Cell):
    """The middle part of images, [C, H, W] or [N, C, H, W].

    Args:
        central_fraction: which share of height and width, in (0, 1].
    """

    def __init__(self, central_fraction: float) -> None:
        super().__init__()
        if not isinstance(central_fraction, float):
            raise TypeError(
                "For 'CentralCrop', the 'central_fraction' should be a float, but got "
                f"{type(central_fraction).__name__}"
            )
        if not 0 < central_fraction <= 1:
            raise ValueError(
                f"For 'CentralCrop', the 'central_fraction' should be in (0, 1], but got {central_fraction}"
            )
        self.central_fraction = central_fraction

    def construct(self, image: Any) -> Tensor:
        """The middle part."""
        if image.ndim not in (3, 4):
            raise ValueError(f"CentralCrop takes images of 3 or 4 dimensions, but the shape is {image.shape}")
        height, width = image._type.shape[-2:]
        top = int((height - height * self.central_fraction) / 2)
        left = int((width - width * self.central_fraction) / 2)
        return image[..., top : height - top, left : width - left]


class PSNR(Cell):
    """The peak signal-to-noise ratio of images, in decibels.

    Args:
        max_val: the largest possible value.

    Inputs:
        img1, img2: [N, C, H, W].

    Outputs:
        [N].
    """

    def __init__(self, max_val: float = 1.0) -> None:
        super().__init__()
        if check_number(max_val, "max_val", "PSNR") <= 0:
            raise ValueError(f"For 'PSNR', the 'max_val' should be positive, but got {max_val}")
        self.max_val = float(max_val)

    def construct(self, img1: Any, img2: Any) -> Tensor:
        """The ratio of each image."""
        _check_images(img1, img2, "PSNR")
        error = ops.mean(ops.square(img1 - img2), (-3, -2, -1))
        return ops.log(self.max_val**2 / error) * (10 / math.log(10))


def _check_images(img1: Any, img2: Any, owner: str) -> None:
    if img1.ndim != 4 or img1._type.shape != img2._type.shape:
        raise ValueError(f"{owner} takes two inputs [N, C, H, W] of one shape, but got {img1.shape} and {img2.shape}")


def _gaussian(size: int, sigma: float) -> np.ndarray:
    places = np.arange(size) - (size - 1) / 2
    weights = np.exp(-np.square(places) / (2 * sigma**2))
    weights /= weights.sum()
    return np.outer(weights, weights).astype(np.float32)


class SSIM(Cell):
    """The structural similarity of images.

    Args:
        max_val: the largest possible value.
        filter_size, filter_sigma: of the Gaussian window.
        k1, k2: of the stabilizing constants.

    Inputs:
        img1, img2: [N, C, H, W].

    Outputs:
        [N].
    """

    def __init__(
        self,
        max_val: float = 1.0,
        filter_size: int = 11,
        filter_sigma: float = 1.5,
        k1: float = 0.01,
        k2: float = 0.03,
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        if check_number(max_val, "max_val", owner) <= 0:
            raise ValueError(f"For '{owner}', the 'max_val' should be positive, but got {max_val}")
        self.filter_size = check_positive_int(filter_size, "filter_size", owner)
        self._c1 = (k1 * max_val) ** 2
        self._c2 = (k2 * max_val) ** 2
        self._window = _gaussian(filter_size, filter_sigma)

    def _blurred(self, x: Any) -> Any:
        channels = x._type.shape[1]
        window = Tensor(np.broadcast_to(self._window, (channels, 1, *self._window.shape)))
        return apply(
            prims.conv, x, ops.cast(window, x.dtype), stride=(1, 1), padding=((0, 0), (0, 0)), dilation=(1, 1),
            groups=channels,
        )  # fmt: skip

    def _parts(self, img1: Any, img2: Any) -> tuple[Any, Any]:
        """Mean luminance·contrast·structure, and contrast·structure, [N, C]."""
        if min(img1._type.shape[2:]) < self.filter_size:
            raise ValueError(
                f"{type(self).__name__}'s window of {self.filter_size} is larger than the images {img1.shape}"
            )
        mean1, mean2 = self._blurred(img1), self._blurred(img2)
        product = mean1 * mean2 * 2.0
        squares = ops.square(mean1) + ops.square(mean2)
        luminance = (product + self._c1) / (squares + self._c1)
        covariance = self._blurred(img1 * img2) * 2.0 - product
        variance = self._blurred(ops.square(img1) + ops.square(img2)) - squares
        structure = (covariance + self._c2) / (variance + self._c2)
        return ops.mean(luminance * structure, (-2, -1)), ops.mean(structure, (-2, -1))

    def construct(self, img1: Any, img2: Any) -> Tensor:
        """The similarity of each image."""
        _check_images(img1, img2, "SSIM")
        return ops.mean(self._parts(img1, img2)[0], -1)


class MSSSIM(SSIM):
    """The structural similarity of images at several scales.

    Args:
        max_val: the largest possible value.
        power_factors: the weight of each scale, beginning with the finest.
        filter_size, filter_sigma, k1, k2: as for `SSIM`.

    Inputs:
        img1, img2: [N, C, H, W].

    Outputs:
        [N].
    """

    def __init__(
        self,
        max_val: float = 1.0,
        power_factors: Any = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
        filter_size: int = 11,
        filter_sigma: float = 1.5,
        k1: float = 0.01,
        k2: float = 0.03,
    ) -> None:
        super().__init__(max_val, filter_size, filter_sigma, k1, k2)
        if not isinstance(power_factors, (tuple, list)) or not power_factors:
            raise TypeError(
                f"For 'MSSSIM', the 'power_factors' should be a tuple or list of numbers, but got {power_factors!r}"
            )
        self._powers = tuple(float(power) for power in power_factors)

    def construct(self, img1: Any, img2: Any) -> Tensor:
        """The similarity of each image."""
        _check_images(img1, img2, "MSSSIM")
        total: Any = None
        for number, power in enumerate(self._powers):
            if number:
                img1, img2 = (
                    apply(
                        prims.avg_pool, x, kernel=(2, 2), stride=(2, 2), padding=((0, 0), (0, 0)), ceil_mode=False,
                        count_include_pad=True, divisor=None,
                    )
                    for x in (img1, img2)
                )  # fmt: skip
            whole, structure = self._parts(img1, img2)
            part = ops.pow(ops.relu(whole if number == len(self._powers) - 1 else structure), power)
            total = part if total is None else total * part
        return ops.mean(total, -1)
