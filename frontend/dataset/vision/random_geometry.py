"""Crops, mirrorings and turnings that are drawn anew for each image.

The draws are from the generator that `dataset.config.set_seed` or `set_seed` starts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import checks
from .base import ImageTransform, Picture, happens, integer, uniform
from .enums import Border, Inter
from .formats import decoded, encoded_bytes
from .geometry import (
    Interpolating,
    Resize,
    crop,
    crop_picture,
    mirror_picture,
    pad,
    pad_picture,
    resizable,
)
from .resampling import Array, resize


class RandomHorizontalFlip(ImageTransform):
    """The image mirrored left to right with probability `prob`.

    Raises:
        TypeError: if `prob` is no number. ValueError: if it is not from 0 to 1.

    Source: MindSpore, `mindspore.dataset.vision.RandomHorizontalFlip`.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.RandomHorizontalFlip(1.0)(np.array([[1, 2, 3]], np.uint8)).tolist()
        [[3, 2, 1]]
    """

    batches = True
    upside_down = False

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = checks.probability(prob)

    def of_arrays(self, *arrays: Array) -> Any:
        """The results; several images are all mirrored or none is."""
        return super().of_arrays(*arrays) if happens(self.prob) else arrays[0] if len(arrays) == 1 else arrays

    def of_array(self, array: Array) -> Array:
        """The mirrored array."""
        return (array[..., ::-1, :, :] if self.upside_down else array[..., ::-1, :]).copy()

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        return mirror_picture(picture, self.upside_down) if happens(self.prob) else picture


class RandomVerticalFlip(RandomHorizontalFlip):
    """The image mirrored upside down with probability `prob`."""

    upside_down = True


def placed(shape: Sequence[int], size: tuple[int, int], error: type[Exception]) -> tuple[int, int]:
    """Where a part of a size lies: (top, left), drawn from all places."""
    (rows, columns), (height, width) = shape, size
    if height > rows or width > columns:
        raise error(f"RandomCrop: Crop size {size} is larger than input image size {(rows, columns)}.")
    return integer(0, rows - height), integer(0, columns - width)


class RandomCrop(ImageTransform):
    """A part of the image at a random place.

    Args:
        size: (height, width), or one length for both.
        padding: pixels that are put around the image first, as for `Pad`; None for none.
        pad_if_needed: whether an image smaller than `size` is padded on both sides.
        fill_value, padding_mode: as for `Pad`.

    Raises:
        TypeError, ValueError: if an argument is of another type or out of range. RuntimeError (for PIL images
        ValueError): if the image is smaller than `size`.

    Source: MindSpore, `mindspore.dataset.vision.RandomCrop`.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.RandomCrop((2, 3))(np.zeros((4, 4, 3), np.uint8)).shape
        (2, 3, 3)
    """

    batches = True

    def __init__(
        self,
        size: int | Sequence[int],
        padding: int | Sequence[int] | None = None,
        pad_if_needed: bool = False,
        fill_value: int | tuple[int, int, int] = 0,
        padding_mode: Border = Border.CONSTANT,
    ) -> None:
        self.size = checks.size(size)
        self.pad_if_needed = checks.of_type(pad_if_needed, bool, "pad_if_needed")
        self.padding = (0, 0, 0, 0) if padding is None else checks.padding(padding)
        self.fill_value = checks.fill(fill_value)
        self.padding_mode = checks.border(padding_mode)

    def sides(self, rows: int, columns: int) -> list[tuple[int, int, int, int]]:
        """What is put around an image of this size, one step after another."""
        left, top, right, bottom = self.padding
        sides = [self.padding] if any(self.padding) else []
        if self.pad_if_needed:
            high, wide = self.size[0] - rows - top - bottom, self.size[1] - columns - left - right
            sides += [(wide, 0, wide, 0)] if wide > 0 else []
            sides += [(0, high, 0, high)] if high > 0 else []
        return sides

    def of_arrays(self, *arrays: Array) -> Any:
        """The results; several images are cropped at one place."""
        padded = [self.padded(array if array.ndim > 2 else array[..., None]) for array in arrays]
        top, left = placed(padded[0].shape[-3:-1], self.size, RuntimeError)
        made = [crop(array, top, left, *self.size) for array in padded]
        made = [part if array.ndim > 2 else part[..., 0] for part, array in zip(made, arrays, strict=True)]
        return made[0] if len(made) == 1 else tuple(made)

    def padded(self, array: Array) -> Array:
        """The array with what is put around it."""
        for sides in self.sides(*array.shape[-3:-1]):
            array = pad(array, sides, self.fill_value, self.padding_mode)
        return array

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        for sides in self.sides(picture.size[1], picture.size[0]):
            picture = pad_picture(picture, sides, self.fill_value, self.padding_mode)
        top, left = placed(picture.size[::-1], self.size, ValueError)
        return crop_picture(picture, top, left, *self.size)


class RandomResizedCrop(Interpolating):
    """A part of the image of random area and proportions, in another size.

    Args:
        size: (height, width) of the result, or one length for both.
        scale: least and greatest share of the image's area that the part has.
        ratio: least and greatest width by height of the part.
        interpolation: an `Inter`.
        max_attempts: how often a part is drawn that may not fit, before the middle of the image is taken.

    Raises:
        TypeError, ValueError: if an argument is of another type or out of range.

    Source: MindSpore, `mindspore.dataset.vision.RandomResizedCrop`.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.RandomResizedCrop((5, 6))(np.zeros((9, 9, 3), np.uint8)).shape
        (5, 6, 3)
    """

    batches = True

    def __init__(
        self,
        size: int | Sequence[int],
        scale: Sequence[float] = (0.08, 1.0),
        ratio: Sequence[float] = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: Inter = Inter.BILINEAR,
        max_attempts: int = 10,
    ) -> None:
        self.size = checks.size(size)
        self.scale = checks.ordered(scale, "scale")
        checks.number(self.scale[1], "scale[1]", 0, checks.LARGEST, above=True)
        self.ratio = checks.ordered(ratio, "ratio", above=True)
        self.interpolation = checks.interpolation(interpolation)
        self.max_attempts = checks.whole(max_attempts, "max_attempts", 1)

    def part(self, rows: int, columns: int) -> tuple[int, int, int, int]:
        """(top, left, height, width) of a part of an image of this size."""
        least, greatest = self.ratio
        for _ in range(self.max_attempts):
            area = rows * columns * uniform(*self.scale)
            proportion = math.exp(uniform(math.log(least), math.log(greatest)))
            width = round(math.sqrt(area * proportion))
            height = round(width / proportion)
            if 0 < width <= columns and 0 < height <= rows:
                return integer(0, rows - height), integer(0, columns - width), height, width
        width, height = columns, rows
        if columns / rows < least:
            height = min(rows, round(columns / least))
        elif columns / rows > greatest:
            width = min(columns, round(rows * greatest))
        return round((rows - height) / 2), round((columns - width) / 2), height, width

    def of_arrays(self, *arrays: Array) -> Any:
        """The results; several images are cropped at one place."""
        part = self.part(*arrays[0].shape[:2] if arrays[0].ndim == 2 else arrays[0].shape[-3:-1])
        made = [self._resized(array, part) if array.ndim > 2 else self._resized(array[..., None], part)[..., 0]
                for array in arrays]  # fmt: skip
        return made[0] if len(made) == 1 else tuple(made)

    def _resized(self, array: Array, part: tuple[int, int, int, int]) -> Array:
        height, width = self.size
        return resize(crop(resizable(self, array), *part), height, width, self.interpolation)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        part = crop_picture(picture, *self.part(picture.size[1], picture.size[0]))
        return part.resize(self.size[::-1], self.for_pillow())


class RandomCropDecodeResize(RandomResizedCrop):
    """As `RandomResizedCrop` of the image that bytes encode: an array (height, width, 3).

    Raises:
        ImportError: without Pillow. TypeError: if it is not called with an array (bytes,) of uint8.

    Source: MindSpore, `mindspore.dataset.vision.RandomCropDecodeResize`.
    """

    def __call__(self, *images: Any) -> Any:
        (data,) = images
        if not isinstance(data, np.ndarray):
            raise TypeError(f"Input should be an encoded image in 1-D NumPy format, got {type(data)}.")
        if data.ndim != 1 or data.dtype != np.uint8:
            raise TypeError(
                "Input should be an encoded image with uint8 type in 1-D NumPy format, "
                f"got shape {data.shape} and dtype {data.dtype}."
            )
        return super().__call__(np.array(decoded(encoded_bytes(data).tobytes())))


class RandomResize(Resize):
    """The image in another size, as an array, by an interpolation drawn anew."""

    _CHOICES = (Inter.BILINEAR, Inter.NEAREST, Inter.CUBIC, Inter.AREA)

    def __init__(self, size: int | Sequence[int]) -> None:
        super().__init__(size)

    def resized(self, array: Array, height: int, width: int, interpolation: Inter) -> Array:
        """The array in a size."""
        return super().resized(array, height, width, self._CHOICES[integer(0, len(self._CHOICES) - 1)])

    def of_picture(self, picture: Picture) -> Any:
        """The result for a PIL image: an array."""
        return self.of_arrays(np.asarray(picture))
