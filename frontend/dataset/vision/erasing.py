"""Parts of images overwritten, at given places or at places drawn anew for each image."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import config
from . import checks
from .base import ImageTransform, happens, integer, uniform
from .resampling import Array


class Erase(ImageTransform):
    """A part of the image in one colour, as an array.

    Args:
        top, left, height, width: the part, which has to begin inside of the image.
        value: a number from 0 to 255, or three for red, green and blue.
        inplace: whether the given array itself is changed.
    """

    def __init__(self, top: int, left: int, height: int, width: int, value: Any = 0.0, inplace: bool = False) -> None:
        self.top, self.left = checks.whole(top, "top"), checks.whole(left, "left")
        self.height, self.width = checks.whole(height, "height", 1), checks.whole(width, "width", 1)
        self.inplace = checks.of_type(inplace, bool, "inplace")
        checks.of_type(value, (float, int, tuple), "value")
        values = value if isinstance(value, tuple) else (value,) * 3
        if len(values) != 3:
            raise TypeError("value should be a single integer/float or a 3-tuple.")
        self.values = [checks.number(item, f"value[{place}]", 0, 255) for place, item in enumerate(values)]

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        self.colours(array)
        if self.top + self.height > array.shape[0] or self.left + self.width > array.shape[1]:
            self.refuse(f"the part to erase is not inside of the image of shape {array.shape}")
        made = array if self.inplace else array.copy()
        made[self.top : self.top + self.height, self.left : self.left + self.width] = self.values
        return made


class RandomErasing(ImageTransform):
    """The array (C, H, W) with a random part overwritten, with probability `prob`.

    Args:
        scale: least and greatest share of the area that the part has.
        ratio: least and greatest width by height of the part.
        value: a number, three for the channels, or "random" for normal random numbers.
        inplace: whether the given array itself is changed.
        max_attempts: how often a part is drawn that may not fit, before the array stays as it is.

    Raises:
        TypeError, ValueError: if an argument is of another type or out of range.

    Source: MindSpore, `mindspore.dataset.vision.RandomErasing`.
    """

    def __init__(
        self,
        prob: float = 0.5,
        scale: Sequence[float] = (0.02, 0.33),
        ratio: Sequence[float] = (0.3, 3.3),
        value: Any = 0,
        inplace: bool = False,
        max_attempts: int = 10,
    ) -> None:
        self.prob = checks.probability(prob)
        self.scale = checks.ordered(scale, "scale")
        self.ratio = checks.ordered(ratio, "ratio", above=True)
        of_channels = isinstance(value, (tuple, list)) and len(value) == 3
        if not (isinstance(value, (int, float)) or value == "random" or of_channels):
            raise ValueError(
                "The value for erasing should be either a single value, or a string 'random', or a sequence of 3 "
                "elements for RGB respectively."
            )
        self.value = value
        self.inplace = checks.of_type(inplace, bool, "inplace")
        self.max_attempts = checks.whole(max_attempts, "max_attempts", 1)

    def __call__(self, *images: Any) -> Any:
        (image,) = images
        if not isinstance(image, np.ndarray):
            raise TypeError(f"img should be NumPy array. Got {type(image)}.")
        if not happens(self.prob):
            return image
        channels, rows, columns = image.shape
        made = image if self.inplace else image.copy()
        for _ in range(self.max_attempts):
            area, proportion = uniform(*self.scale) * rows * columns, uniform(*self.ratio)
            width = round(math.sqrt(area * proportion))
            height = round(width / proportion)
            if height < rows and width < columns:
                top, left = integer(0, rows - height), integer(0, columns - width)
                made[:, top : top + height, left : left + width] = self._values(channels, height, width)
                break
        return made

    def _values(self, channels: int, height: int, width: int) -> Any:
        if isinstance(self.value, str):
            return config.generator().normal(size=(channels, height, width))
        return self.value if isinstance(self.value, (int, float)) else np.reshape(self.value, (3, 1, 1))


class CutOut(ImageTransform):
    """The array with random squares set to zero.

    Args:
        length: the squares' side, at most the image's.
        num_patches: how many.
        is_hwc: whether the array is (H, W, C); else it is (C, H, W).

    Raises:
        TypeError, ValueError: if an argument is of another type or out of range. RuntimeError: if the squares are
        larger than the image.

    Source: MindSpore, `mindspore.dataset.vision.CutOut`.
    """

    def __init__(self, length: int, num_patches: int = 1, is_hwc: bool = True) -> None:
        self.length = checks.whole(length, "length", 1, checks.LARGEST)
        self.num_patches = checks.whole(num_patches, "num_patches", 1, checks.LARGEST)
        self.is_hwc = checks.of_type(is_hwc, bool, "is_hwc")

    def _of_one(self, array: Array) -> Array:
        if array.ndim != 3:
            self.refuse(f"the image should have shape <H,W,C> or <C,H,W>, but got {array.shape}")
        made = array.copy()
        view = made if self.is_hwc else np.moveaxis(made, 0, -1)
        rows, columns = view.shape[:2]
        if self.length > min(rows, columns):
            self.refuse(f"a square of side {self.length} is larger than an image of shape {array.shape}")
        half = self.length // 2
        for _ in range(self.num_patches):
            top, left = integer(0, rows - 1) - half, integer(0, columns - 1) - half
            view[max(top, 0) : max(top + self.length, 0), max(left, 0) : max(left + self.length, 0)] = 0
        return made
