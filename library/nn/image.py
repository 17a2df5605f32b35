"""Layers of images: resizing, rearranging pixels and channels, crops, gradients, and measures of likeness."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.cell import Cell
from ...frontend.values.dispatch import apply
from ...frontend.values.tensor import Tensor
from .. import ops
from .checks import check_choice, check_positive, check_positive_int, check_rank, need_type
from .conv import same_padding
from .held import primitives
from .sections import SIMILARITY, sections

_TAKES_TENSORS = True

__all__ = [
    "MSSSIM", "PSNR", "SSIM", "CentralCrop", "ChannelShuffle", "ImageGradients", "PixelShuffle", "PixelUnshuffle",
    "Unfold", "Upsample",
]  # fmt: skip


class Upsample(Cell):
    """Resizes signals, images or volumes.

    Args:
        size: an int or a tuple, the sizes of the result, one for each spatial axis. Default: None.
        scale_factor: a float or a tuple, a factor for all axes or one for each, in place of size. Default: None.
        mode: 'nearest', 'linear', 'bilinear', 'bicubic', 'trilinear' or 'area'. Default: 'nearest'.
        align_corners: whether the centres of the corners stay where they are. Default: None, for False.
        recompute_scale_factor: whether the factors are computed anew from the sizes. Default: None.

    Inputs:
        x: a float tensor of shape [N, C, ...].

    Outputs:
        A tensor of the dtype of x, of shape [N, C, *size].

    Raises:
        TypeError: if an argument has the wrong type, or x is no Tensor.
        ValueError: if both or none of size and scale_factor are given, or mode does not fit the dimensions.

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.Upsample(scale_factor=2.0, recompute_scale_factor=True)(ops.ones((1, 1, 2, 3))).shape)
        (1, 1, 4, 6)
    """

    def __init__(
        self, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:  # fmt: skip
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
    """Channels as pixels: r² channels become one of r times the height and width.

    Args:
        upscale_factor: a positive int, r.

    Inputs:
        input: a tensor of numbers of shape [..., C · r², H, W].

    Outputs:
        A tensor of the dtype of the input, of shape [..., C, H · r, W · r].

    Raises:
        TypeError: if upscale_factor is no int, or the input is no Tensor.
        ValueError: if upscale_factor is not positive, or its square does not divide the channels.

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.PixelShuffle(2)(ops.ones((1, 4, 3, 3))).shape)
        (1, 1, 6, 6)
    """

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = check_positive_int(upscale_factor, "upscale_factor", "PixelShuffle")

    def construct(self, input: Any) -> Tensor:
        """The input with pixels made of channels."""
        return ops.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Cell):
    """Pixels as channels: the reverse of `PixelShuffle`.

    Args:
        downscale_factor: a positive int, r.

    Inputs:
        input: a tensor of numbers of shape [..., C, H · r, W · r].

    Outputs:
        A tensor of the dtype of the input, of shape [..., C · r², H, W].

    Raises:
        TypeError: if downscale_factor is no int, or the input is no Tensor.
        ValueError: if downscale_factor is not positive, or does not divide height and width.

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.PixelUnshuffle(2)(ops.ones((1, 1, 6, 6))).shape)
        (1, 4, 3, 3)
    """

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = check_positive_int(downscale_factor, "downscale_factor", "PixelUnshuffle")

    def construct(self, input: Any) -> Tensor:
        """The input with channels made of pixels."""
        return ops.pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Cell):
    """Exchanges groups of channels with the channels in a group: channel i · k + j becomes channel j · g + i.

    Args:
        groups: a positive int, g, that divides the number of channels.

    Inputs:
        x: a tensor of numbers of shape [N, g · k, ...].

    Outputs:
        A tensor of the shape and dtype of x.

    Raises:
        TypeError: if groups is no int, or x is no Tensor.
        ValueError: if groups is not positive, or does not divide the number of channels.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.ChannelShuffle(2)(Tensor([[[1.0], [2.0], [3.0], [4.0]]])).flatten())
        [1. 3. 2. 4.]
    """

    _held = primitives("Shape Reshape Transpose")

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = check_positive_int(groups, "groups", "ChannelShuffle")

    def construct(self, x: Any) -> Tensor:
        """x with its channels in another order."""
        return ops.channel_shuffle(x, self.groups)


class Unfold(Cell):
    """The patches of images as channels.

    Args:
        ksizes: [1, height, width, 1], the size of a patch.
        strides: [1, row, column, 1], how far patches are apart.
        rates: [1, row, column, 1], how far the pixels of a patch are apart.
        padding: 'valid' or 'same'. Default: 'valid'.

    Inputs:
        input_x: a tensor of numbers of shape [N, C, H, W].

    Outputs:
        A tensor of the dtype of the input, of shape [N, height · width · C, H_out, W_out].

    Raises:
        TypeError: if sizes are no tuples or lists, or the input is no Tensor.
        ValueError: if sizes are not of that form.

    Examples:
        >>> from mycel import nn, ops
        >>> layer = nn.Unfold([1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1])
        >>> print(layer(ops.ones((1, 1, 4, 4))).shape)
        (1, 4, 2, 2)
    """

    def __init__(self, ksizes: Any, strides: Any, rates: Any, padding: str = "valid") -> None:
        super().__init__()
        sizes = []
        for name, value in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
            need_type(value, tuple | list, f"For 'Unfold', the '{name}' should be a tuple or list")
            if len(value) != 4 or value[0] != 1 or value[3] != 1:
                raise ValueError(f"For 'Unfold', the '{name}' should be [1, row, column, 1], but got {value}")
            sizes.append((check_positive_int(value[1], name, "Unfold"), check_positive_int(value[2], name, "Unfold")))
        self._kernel, self._stride, self._rate = sizes
        self.padding = check_choice(padding.lower(), ("valid", "same"), "padding", "Unfold")

    def construct(self, input_x: Any) -> Tensor:
        """The patches."""
        check_rank(input_x, (4,), "Unfold")
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
    """The differences of neighbouring pixels, downwards and to the right, with zeros at the end.

    Inputs:
        images: a tensor of numbers of shape [N, C, H, W].

    Outputs:
        A pair (dy, dx) of tensors of the shape and dtype of the images.

    Raises:
        TypeError: if images is no Tensor.
        ValueError: if it has not 4 dimensions.

    Examples:
        >>> from mycel import Tensor, nn
        >>> dy, dx = nn.ImageGradients()(Tensor([[[[1.0, 2.0], [4.0, 8.0]]]]))
        >>> print(dy.flatten(), dx.flatten())
        [3. 6. 0. 0.] [1. 0. 4. 0.]
    """

    def construct(self, images: Any) -> tuple[Tensor, Tensor]:
        """(dy, dx)."""
        check_rank(images, (4,), "ImageGradients")
        dy = images[:, :, 1:, :] - images[:, :, :-1, :]
        dx = images[:, :, :, 1:] - images[:, :, :, :-1]
        return ops.pad(dy, (0, 0, 0, 1)), ops.pad(dx, (0, 1, 0, 0))


class CentralCrop(Cell):
    """The middle part of images.

    Args:
        central_fraction: a float in (0, 1], which share of height and width.

    Inputs:
        image: a tensor of any dtype, of shape [C, H, W] or [N, C, H, W].

    Outputs:
        A tensor of the dtype of the image, of shape [..., C, h, w] with smaller height and width.

    Raises:
        TypeError: if central_fraction is no float, or the image is no Tensor.
        ValueError: if central_fraction is outside (0, 1], or the image has other dimensions.

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.CentralCrop(0.5)(ops.ones((3, 4, 8))).shape)
        (3, 2, 4)
    """

    _held = primitives("Slice")

    def __init__(self, central_fraction: float) -> None:
        super().__init__()
        need_type(central_fraction, float, "For 'CentralCrop', the 'central_fraction' should be a float")
        if not 0 < central_fraction <= 1:
            raise ValueError(
                f"For 'CentralCrop', the 'central_fraction' should be in (0, 1], but got {central_fraction}"
            )
        self.central_fraction = central_fraction

    def construct(self, image: Any) -> Tensor:
        """The middle part."""
        check_rank(image, (3, 4), "CentralCrop", "images")
        height, width = image._type.shape[-2:]
        top = int((height - height * self.central_fraction) / 2)
        left = int((width - width * self.central_fraction) / 2)
        return image[..., top : height - top, left : width - left]


@sections(Inputs=SIMILARITY["Inputs"])
class PSNR(Cell):
    """The peak signal-to-noise ratio of images in decibels: 10 · log10(max_val² / mean((img1 - img2)²)).

    Args:
        max_val: a number, the largest possible value. Default: 1.0.

    Outputs:
        A float tensor of shape [N].

    Raises:
        TypeError: if an argument has the wrong type, or an input is no Tensor.
        ValueError: if max_val is not positive, or the images have other shapes.

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.PSNR()(ops.ones((1, 1, 2, 2)), ops.zeros((1, 1, 2, 2)) + 0.9))
        [19.999998]
    """

    def __init__(self, max_val: float = 1.0) -> None:
        super().__init__()
        check_positive(max_val, "max_val", "PSNR")
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


@sections(**SIMILARITY)
class SSIM(Cell):
    """The structural similarity of images: the mean over windows of luminance, contrast and structure compared.

    Args:
        max_val: a number, the largest possible value. Default: 1.0.
        filter_size: a positive int, the size of the Gaussian window. Default: 11.
        filter_sigma: a positive number, the width of the Gaussian. Default: 1.5.
        k1: a number in (0, 1), of the constant for luminance. Default: 0.01.
        k2: a number in (0, 1), of the constant for contrast. Default: 0.03.

    Examples:
        >>> from mycel import nn, ops
        >>> image = ops.ones((1, 1, 16, 16))
        >>> print(nn.SSIM()(image, image))
        [1.]
    """

    _held = primitives("ReduceMean", concat=lambda layer: ops.Concat(1))

    def __init__(
        self, max_val: float = 1.0, filter_size: int = 11, filter_sigma: float = 1.5, k1: float = 0.01,
        k2: float = 0.03,
    ) -> None:  # fmt: skip
        super().__init__()
        owner = type(self).__name__
        check_positive(max_val, "max_val", owner)
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


@sections(**SIMILARITY)
class MSSSIM(SSIM):
    """The structural similarity of images at several scales.

    Args:
        max_val: a number, the largest possible value. Default: 1.0.
        power_factors: numbers, the weight of each scale, beginning with the finest. Default: (0.0448, 0.2856, 0.3001,
            0.2363, 0.1333).
        filter_size, filter_sigma: the size and width of the Gaussian window. Default: 11 and 1.5.
        k1, k2: numbers in (0, 1), of the constants for luminance and contrast. Default: 0.01 and 0.03.

    Examples:
        >>> from mycel import nn, ops
        >>> image = ops.ones((1, 1, 32, 32))
        >>> print(nn.MSSSIM(power_factors=(0.5, 0.5))(image, image))
        [1.]
    """

    def __init__(
        self, max_val: float = 1.0, power_factors: Any = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
        filter_size: int = 11, filter_sigma: float = 1.5, k1: float = 0.01, k2: float = 0.03,
    ) -> None:  # fmt: skip
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
