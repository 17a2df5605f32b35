"""Brightness, contrast, colours and sharpness of images as arrays, with the rounding of OpenCV and Pillow.

Images are arrays of shape (..., height, width, channels), with red, green and blue as the first channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .resampling import Array, cast

_GRAY_BITS = 15
_GRAY = np.array([9798, 19235, 3735])  # What red, green and blue add to brightness, in units of 2**-15.
_GRAY_SHARES = np.array([0.299, 0.587, 0.114])
_HUE_BITS = 12
_BELOW_256 = 255.999
_BLUR_BITS = 8
# In each sixth of the circle of colours, which of full, falling, low and rising red, green and blue are.
_ORDERS = np.array([[0, 1, 2, 2, 3, 0], [3, 0, 0, 1, 2, 2], [2, 2, 3, 0, 0, 1]])


def gray(image: Array) -> Array:
    """The brightness (..., H, W) of (..., H, W, 3)."""
    if image.dtype == np.uint8:
        return ((image[..., :3].astype(np.int32) @ _GRAY + (1 << _GRAY_BITS - 1)) >> _GRAY_BITS).astype(np.uint8)
    return cast(image[..., :3] @ _GRAY_SHARES.astype(np.float32), image.dtype)


def scaled(image: Array, factor: float, offset: Any = 0.0) -> Array:
    """`image * factor + offset`, rounded and limited to the dtype's range."""
    if image.dtype == np.uint8 and np.ndim(offset) == 0:
        return cast(np.arange(256, dtype=np.float32) * np.float32(factor) + np.float32(offset), np.uint8)[image]
    return cast(image.astype(np.float32) * np.float32(factor) + np.float32(offset), image.dtype)


def blended(image: Array, other: Array, factor: float) -> Array:
    """`factor` times the image and the rest of the other one."""
    total = image.astype(np.float32) * np.float32(factor) + other.astype(np.float32) * np.float32(1 - factor)
    return cast(total, image.dtype)


def contrast(image: Array, factor: float) -> Array:
    """The image's difference from its mean brightness times `factor`."""
    mean = gray(image).mean(dtype=np.float64)
    mean = mean if image.dtype.kind == "f" else round(mean)  # halves to the even number, as OpenCV
    return scaled(image, factor, mean * (1 - factor))


def saturation(image: Array, factor: float) -> Array:
    """The image's difference from its gray values times `factor`."""
    return blended(image, gray(image)[..., None], factor)


def hue(image: Array, share: float) -> Array:
    """The colours of (..., H, W, 3) uint8 turned by a share of the circle."""
    turned, saturations, values = _to_hsv(image)
    turn = int(share * 255) & 255
    return _from_hsv((turned + turn) & 255, saturations, values)


def _to_hsv(image: Array) -> tuple[Array, Array, Array]:
    """Hue, saturation and value as whole numbers from 0 to 255."""
    red, green, blue = (image[..., k].astype(np.int32) for k in range(3))
    values = np.maximum(np.maximum(red, green), blue)
    spread = values - np.minimum(np.minimum(red, green), blue)
    numbers = np.arange(256)
    one, half = 1 << _HUE_BITS, 1 << _HUE_BITS - 1
    per_value = np.rint(np.divide(255 * one, numbers, out=np.zeros(256), where=numbers > 0)).astype(np.int32)
    per_sixth = np.rint(np.divide(256 * one, 6.0 * numbers, out=np.zeros(256), where=numbers > 0)).astype(np.int32)
    saturations = (spread * per_value[values] + half) >> _HUE_BITS
    turned = np.where(
        values == red, green - blue, np.where(values == green, blue - red + 2 * spread, red - green + 4 * spread)
    )
    turned = (turned * per_sixth[spread] + half) >> _HUE_BITS
    return turned + np.where(turned < 0, 256, 0), saturations, values


def _from_hsv(turned: Array, saturations: Array, values: Array) -> Array:
    numbers = np.arange(256, dtype=np.float32)
    place, share = numbers * np.float32(6 / 255), numbers * np.float32(1 / 255)
    sector = np.floor(place)
    rest, part, value = (place - sector)[turned], share[saturations], share[values]
    levels = [value, value * (1 - part * rest), value * (1 - part), value * (1 - part * (1 - rest))]
    found = _by_sector(
        (sector.astype(np.int64) % 6)[turned], *[cast(level * np.float32(255), np.uint8) for level in levels]
    )
    return np.stack(found, -1)


def gamma(image: Array, exponent: float, gain: float) -> Array:
    """`gain` times the exponent-th power of the values, which are taken as shares of their range."""
    if image.dtype.kind == "f":
        return (np.power(image, np.float32(exponent)) * np.float32(gain)).astype(np.float32)
    return np.clip(gamma_table(exponent, gain), 0, 255).astype(np.uint8)[image]


def gamma_table(exponent: float, gain: float) -> Array:
    """The new value for each value from 0 to 255."""
    return np.trunc(gain * np.power(np.arange(256) / 255.0, exponent) * _BELOW_256)


def equalize(image: Array) -> Array:
    """Each channel's values spread so that they are equally frequent."""
    return _by_channel(image, _equalizing)


def _equalizing(counts: Array) -> Array:
    lowest = np.flatnonzero(counts)[0]
    rest = counts.sum() - counts[lowest]
    if not rest:
        return np.arange(256, dtype=np.uint8)
    above = np.cumsum(counts) - counts[lowest]
    return cast(above.astype(np.float32) * np.float32(255 / rest), np.uint8)


def autocontrast(image: Array, cutoff: float, ignore: Sequence[int]) -> Array:
    """Each channel's values stretched over the whole range.

    Args:
        cutoff: per cent of the values that are left out at either end.
        ignore: values that do not count.
    """

    def stretching(counts: Array) -> Array:
        counts[list(ignore)] = 0
        if cutoff:
            cut = counts.sum() * int(cutoff) // 100
            for ordered in (counts, counts[::-1]):
                ordered -= np.diff(np.minimum(np.cumsum(ordered), cut), prepend=0)
        used = np.flatnonzero(counts)
        if not len(used) or used[0] == used[-1]:
            return np.arange(256, dtype=np.uint8)
        scale = np.float32(255.0) / np.float32(used[-1] - used[0])
        table = np.arange(256, dtype=np.float32) * scale - np.float32(used[0]) * scale
        return np.clip(np.trunc(table), 0, 255).astype(np.uint8)

    return _by_channel(image, stretching)


def _by_channel(image: Array, table: Any) -> Array:
    """Each channel through a table of 256 values that is made from how often each value occurs."""
    channels = np.moveaxis(image, -1, 0)
    found = [table(np.bincount(channel.ravel(), minlength=256))[channel] for channel in channels]
    return np.stack(found, -1)


def sharpness(image: Array, factor: float) -> Array:
    """The image's difference from a smoothed copy times `factor`; the outermost pixels stay."""
    values = image.astype(np.float32)
    smooth = values.copy()
    if min(image.shape[-3:-1]) > 2:
        rows = values[..., :-2, :, :] + values[..., 1:-1, :, :] + values[..., 2:, :, :]
        total = rows[..., :-2, :] + rows[..., 1:-1, :] + rows[..., 2:, :] + 4 * values[..., 1:-1, 1:-1, :]
        smooth[..., 1:-1, 1:-1, :] = total / np.float32(13)
    return blended(image, cast(smooth, image.dtype), factor)


def _bell(size: int, sigma: float) -> Array:
    """Weights that fall off as a normal distribution does; without a sigma one that suits the size."""
    if sigma <= 0:
        sigma = size * 0.15 + 0.35
    weights = np.exp(-0.5 * ((np.arange(size) - (size - 1) / 2) / sigma) ** 2)
    return weights / weights.sum()


def _whole_bell(weights: Array) -> Array:
    """Weights in units of 2**-8 that add up to one; each rounding error is carried to the next one."""
    half = len(weights) // 2
    whole, rest = np.zeros(len(weights), np.int32), 0.0
    for place in range(half):
        wanted = weights[place] * (1 << _BLUR_BITS) + rest
        whole[place] = whole[-1 - place] = round(wanted)
        rest = wanted - round(wanted)
    whole[half] = (1 << _BLUR_BITS) - whole.sum()
    return whole


def gaussian_blur(image: Array, width: int, height: int, sigma_x: float, sigma_y: float) -> Array:
    """The image (H, W, C) smoothed by a window of this width and height; the image is mirrored at its edges."""
    exact = image.dtype == np.uint8
    total = image.astype(np.int32 if exact else np.float32)
    for axis, size, sigma in ((1, width, sigma_x), (0, height, sigma_y)):
        weights = _bell(size, sigma)
        weights = _whole_bell(weights) if exact else weights.astype(np.float32)
        length = total.shape[axis]
        wide = np.take(total, _mirrored(np.arange(-(size // 2), length + size // 2), length), axis)
        parts = (wide[:, k : k + length] if axis else wide[k : k + length] for k in range(size))
        total = sum((part * weight for part, weight in zip(parts, weights, strict=True)), np.zeros_like(total))
    return cast(np.right_shift(total + (1 << 2 * _BLUR_BITS - 1), 2 * _BLUR_BITS) if exact else total, image.dtype)


def _mirrored(places: Array, size: int) -> Array:
    """Places beyond an axis's ends as places in it, the ends themselves seen once."""
    if size == 1:
        return np.zeros_like(places)
    period = 2 * (size - 1)
    places = places % period
    return np.where(places < size, places, period - places)


def hue_of(red: Array, green: Array, blue: Array) -> tuple[Array, Array, Array]:
    """Hue, saturation and value, each from 0 to 1, of colours from 0 to 1."""
    values = np.maximum(np.maximum(red, green), blue)
    spread = values - np.minimum(np.minimum(red, green), blue)
    gray_ones = spread == 0
    safe = np.where(gray_ones, 1.0, spread)
    turned = np.where(
        red == values,
        (green - blue) / safe,
        np.where(green == values, 2 + (blue - red) / safe, 4 + (red - green) / safe),
    )
    saturations = np.divide(spread, values, out=np.zeros_like(spread), where=~gray_ones)
    return np.where(gray_ones, 0.0, turned / 6 % 1), saturations, values


def colours_of(turned: Array, saturations: Array, values: Array) -> tuple[Array, Array, Array]:
    """Red, green and blue, each from 0 to 1, of hue, saturation and value from 0 to 1."""
    sector = np.trunc(turned * 6)
    rest = turned * 6 - sector
    low, falling = values * (1 - saturations), values * (1 - saturations * rest)
    rising = values * (1 - saturations * (1 - rest))
    return _by_sector(sector.astype(np.int64) % 6, values, falling, low, rising)


def _by_sector(sector: Array, value: Array, falling: Array, low: Array, rising: Array) -> tuple[Array, Array, Array]:
    """Red, green and blue in the six parts of the circle of colours."""
    choices = np.stack([value, falling, low, rising]).ravel()
    places = np.arange(sector.size).reshape(sector.shape)
    red, green, blue = (np.take(choices, order[sector] + places) for order in _ORDERS * sector.size)
    return red, green, blue
