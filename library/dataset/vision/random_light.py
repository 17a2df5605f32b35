"""Transformations of colour and light that are drawn anew for each image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...docstrings import like
from .. import config
from . import checks, colors
from .base import ImageTransform, Picture, happens, integer, pillow, uniform
from .light import (
    AdjustHue,
    AdjustSharpness,
    AutoContrast,
    Enhanced,
    Equalize,
    Invert,
    adjusted,
    posterized,
    solarized,
    turned_picture,
)
from .resampling import Array

__all__ = [
    "RandomAdjustSharpness", "RandomAutoContrast", "RandomColor", "RandomColorAdjust", "RandomEqualize", "RandomInvert",
    "RandomLighting", "RandomPosterize", "RandomSharpness", "RandomSolarize",
]  # fmt: skip


class RandomColorAdjust(ImageTransform):
    """Brightness, contrast, saturation and hue changed by random factors.

    Args:
        brightness, contrast, saturation: (least, greatest) factor, or how far it is from 1 at most.
        hue: (least, greatest) share of the circle of colours, from -0.5 to 0.5, or how far it is from 0 at most.

    Raises:
        TypeError, ValueError: if an argument is of another type or out of range. RuntimeError: if an array has not 3
        channels.

    Source: MindSpore, `mindspore.dataset.vision.RandomColorAdjust`.

    Examples:
        >>> vision.RandomColorAdjust(brightness=(2, 2))(np.array([[[1, 2, 3]]], np.uint8)).tolist()
        [[[2, 4, 6]]]
    """

    def __init__(
        self, brightness: float | Sequence[float] = (1, 1), contrast: float | Sequence[float] = (1, 1),
        saturation: float | Sequence[float] = (1, 1), hue: float | Sequence[float] = (0, 0),
    ) -> None:  # fmt: skip
        self.brightness = self._range(brightness, "brightness")
        self.contrast = self._range(contrast, "contrast")
        self.saturation = self._range(saturation, "saturation")
        self.hue = self._range(hue, "hue")

    @staticmethod
    def _range(value: Any, name: str) -> tuple[float, float]:
        checks.of_type(value, (int, float, list, tuple), name)
        if isinstance(value, (int, float)) and value < 0:
            raise ValueError(f"The input value of {name} cannot be negative.")
        if name == "hue":
            return checks.ordered((-value, value) if isinstance(value, (int, float)) else value, name, -0.5, 0.5)
        return checks.ordered((max(0, 1 - value), 1 + value) if isinstance(value, (int, float)) else value, name)

    def of_array(self, array: Array) -> Array:
        """The result for an array, its changes in random order."""
        turn = AdjustHue(uniform(*self.hue))
        return self._in_random_order(
            self.colours(array).copy(),
            [lambda image, factor: colors.scaled(image, factor), colors.contrast, colors.saturation],
            turn.of_array if turn.factor else None,
        )

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image, its changes in random order."""
        share = uniform(*self.hue)
        kinds = ("Brightness", "Contrast", "Color")
        steps = [lambda image, factor, kind=kind: adjusted(image, kind, factor) for kind in kinds]
        return self._in_random_order(picture, steps, lambda image: turned_picture(image, share))

    def _in_random_order(self, image: Any, steps: Sequence[Any], turn: Any) -> Any:
        """The image with brightness, contrast and saturation changed by drawn factors and its colours turned."""
        bounds = (self.brightness, self.contrast, self.saturation)
        drawn = [(step, uniform(*pair)) for step, pair in zip(steps, bounds, strict=True)]
        for place in config.generator().permutation(len(drawn) + 1):
            if place == len(drawn):
                image = turn(image) if turn is not None else image
            elif drawn[place][1] != 1:
                image = drawn[place][0](image, drawn[place][1])
        return image


def factors(degrees: Any) -> tuple[float, float]:
    """A range of factors that are not negative."""
    if not isinstance(degrees, (list, tuple)):
        raise TypeError("degrees must be either a tuple or a list.")
    if len(degrees) != 2:
        raise ValueError("degrees must be a sequence with length 2.")
    return checks.ordered(degrees, "degrees")


class _RandomFactor(Enhanced):
    """An enhancement with a factor drawn anew for each image."""

    def __init__(self, degrees: Sequence[float] = (0.1, 1.9)) -> None:
        self.degrees = factors(degrees)

    def factor(self) -> float:
        """The factor for this image."""
        return uniform(*self.degrees)


class RandomColor(_RandomFactor):
    """The colours' difference from gray times a random factor.

    Args:
        degrees: (least, greatest) factor.

    Examples:
        >>> vision.RandomColor()(np.zeros((4, 4, 3), np.uint8)).shape
        (4, 4, 3)
    """

    enhancement = "Color"
    compute = staticmethod(colors.saturation)


@like(RandomColor)
class RandomSharpness(_RandomFactor):
    """The difference from a smoothed copy times a random factor.

    Examples:
        >>> vision.RandomSharpness()(np.zeros((4, 4, 3), np.uint8)).shape
        (4, 4, 3)
    """

    enhancement = "Sharpness"
    compute = staticmethod(colors.sharpness)

    def of_array(self, array: Array) -> Array:
        """The result for an array, of any number of channels."""
        return colors.sharpness(array, self.factor())


class RandomPosterize(ImageTransform):
    """The values with a random number of their highest bits only, as an array.

    Args:
        bits: (least, greatest) number, from 1 to 8, or just one.

    Examples:
        >>> vision.RandomPosterize((1, 1))(np.array([[[0, 255, 55]]], np.uint8)).tolist()
        [[[0, 128, 0]]]
    """

    def __init__(self, bits: int | Sequence[int] = (8, 8)) -> None:
        checks.of_type(bits, (list, tuple, int), "bits")
        given = (bits, bits) if isinstance(bits, int) else bits
        for item in checks.pair(given, "bits", int):
            checks.whole(item, "bits", 0, 255)
        self.bits = checks.ordered(given, "bits", 1, 8)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return posterized(self.bytes_only(array), integer(*self.bits))


class RandomSolarize(ImageTransform):
    """255 less each value within a random range, as an array.

    Args:
        threshold: least and greatest end of the range, from 0 to 255.

    Examples:
        >>> vision.RandomSolarize((0, 0))(np.array([[[0, 255, 55]]], np.uint8)).shape
        (1, 1, 3)
    """

    def __init__(self, threshold: tuple[int, int] = (0, 255)) -> None:
        checks.of_type(threshold, tuple, "threshold")
        if len(threshold) != 2:
            raise ValueError("threshold must be a sequence of two numbers.")
        for item in threshold:
            checks.whole(item, "threshold", 0, 255)
        self.threshold = checks.ordered(threshold, "threshold", 0, 255)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        ends = sorted(integer(*self.threshold) for _ in range(2))
        return solarized(self.bytes_only(array), *ends)


class _Perhaps(ImageTransform):
    """Another transformation of arrays, with a probability."""

    batches = True

    def __init__(self, prob: float, transform: ImageTransform) -> None:
        self.prob = checks.probability(prob)
        self.transform = transform

    def of_arrays(self, *arrays: Array) -> Any:
        """The results for arrays."""
        if happens(self.prob):
            return self.transform.of_arrays(*arrays)
        return arrays[0] if len(arrays) == 1 else arrays


class RandomInvert(_Perhaps):
    """255 less each value with probability `prob`, as an array.

    Examples:
        >>> vision.RandomInvert(1.0)(np.array([[[0, 255, 55]]], np.uint8)).tolist()
        [[[255, 0, 200]]]
    """

    def __init__(self, prob: float = 0.5) -> None:
        super().__init__(prob, Invert())


class RandomEqualize(_Perhaps):
    """As `Equalize` with probability `prob`, as an array.

    Examples:
        >>> vision.RandomEqualize()(np.zeros((4, 4, 3), np.uint8)).shape
        (4, 4, 3)
    """

    def __init__(self, prob: float = 0.5) -> None:
        super().__init__(prob, Equalize())


class RandomAutoContrast(_Perhaps):
    """As `AutoContrast` with probability `prob`, as an array.

    Examples:
        >>> vision.RandomAutoContrast()(np.zeros((4, 4, 3), np.uint8)).shape
        (4, 4, 3)
    """

    def __init__(self, cutoff: float = 0.0, ignore: int | Sequence[int] | None = None, prob: float = 0.5) -> None:
        super().__init__(prob, AutoContrast(cutoff, ignore))


class RandomAdjustSharpness(_Perhaps):
    """As `AdjustSharpness` with probability `prob`, as an array.

    Examples:
        >>> vision.RandomAdjustSharpness(2.0)(np.zeros((4, 4, 3), np.uint8)).shape
        (4, 4, 3)
    """

    def __init__(self, degree: float, prob: float = 0.5) -> None:
        super().__init__(prob, AdjustSharpness(checks.number(degree, "degree", 0, 3.4e38)))


# The directions in which the colours of ImageNet vary (Krizhevsky and others, 2012), each times how far.
_DIRECTIONS = np.array([[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]]) * [
    55.46,
    4.794,
    1.148,
]


class RandomLighting(ImageTransform):
    """Red, green and blue each with a random offset, as light varies in photographs.

    Args:
        alpha: the standard deviation of the draws.

    Examples:
        >>> vision.RandomLighting()(np.zeros((4, 4, 3), np.uint8)).shape
        (4, 4, 3)
    """

    def __init__(self, alpha: float = 0.05) -> None:
        self.alpha = checks.number(alpha, "alpha", 0, 3.4e38)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        offsets = _DIRECTIONS @ config.generator().normal(0.0, self.alpha, 3)
        return colors.scaled(self.colours(array), 1.0, offsets)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        array = np.asarray(picture.convert("RGB"), np.float64) + _DIRECTIONS @ config.generator().normal(
            0, self.alpha, 3
        )
        return pillow("Image").fromarray(np.clip(array, 0, 255).astype(np.uint8))
