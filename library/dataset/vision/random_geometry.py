"""Crops, mirrorings and parts overwritten, drawn anew for each image.

The draws are from the generator that `dataset.config.set_seed` or `set_seed` starts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import config
from . import checks
from .base import ImageTransform, Picture, happens, integer, uniform
from .checks import Border, Inter
from .formats import decoded, encoded_bytes
from .geometry import Interpolating, Resize, crop, crop_picture, mirror_picture, pad, pad_picture, resizable
from .resampling import Array, resize

__all__ = [
    "CutOut", "Erase", "RandomCrop", "RandomCropDecodeResize", "RandomErasing", "RandomHorizontalFlip", "RandomResize",
    "RandomResizedCrop", "RandomVerticalFlip",
]  # fmt: skip


class RandomHorizontalFlip(ImageTransform):
    """The image mirrored left to right with probability `prob`.

    Raises:
        TypeError: if `prob` is no number. ValueError: if it is not from 0 to 1.

    Source: MindSpore, `mindspore.dataset.vision.RandomHorizontalFlip`.

    Examples:
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
    """The image mirrored upside down with probability `prob`.

    Examples:
        >>> vision.RandomVerticalFlip(1.0)(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[3, 4], [1, 2]]
    """

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
        >>> vision.RandomCrop((2, 3))(np.zeros((4, 4, 3), np.uint8)).shape
        (2, 3, 3)
    """

    batches = True

    def __init__(
        self, size: int | Sequence[int], padding: int | Sequence[int] | None = None, pad_if_needed: bool = False,
        fill_value: int | tuple[int, int, int] = 0, padding_mode: Border = Border.CONSTANT,
    ) -> None:  # fmt: skip
        self.size = checks.size(size)
        self.pad_if_needed = checks.of_type(pad_if_needed, bool, "pad_if_needed")
        self.padding = (0, 0, 0, 0) if padding is None else checks.padding(padding)
        self.fill_value = checks.fill(fill_value)
        self.padding_mode = checks.border(padding_mode)

    def sides(self, rows: int, columns: int) -> list[tuple[int, int, int, int]]:
        """The padding of an image of this size, one step after another."""
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
        """The padded array."""
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
        >>> vision.RandomResizedCrop((5, 6))(np.zeros((9, 9, 3), np.uint8)).shape
        (5, 6, 3)
    """

    batches = True

    def __init__(
        self, size: int | Sequence[int], scale: Sequence[float] = (0.08, 1.0),
        ratio: Sequence[float] = (3.0 / 4.0, 4.0 / 3.0), interpolation: Inter = Inter.BILINEAR, max_attempts: int = 10,
    ) -> None:  # fmt: skip
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

    Examples:
        >>> encoded = vision.encode_png(np.zeros((4, 6, 3), np.uint8))
        >>> vision.RandomCropDecodeResize((2, 3))(encoded).shape
        (2, 3, 3)
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
    """The image in another size, as an array, by an interpolation drawn anew.

    Examples:
        >>> vision.RandomResize((2, 3))(np.zeros((4, 6, 3), np.uint8)).shape
        (2, 3, 3)
    """

    _CHOICES = (Inter.BILINEAR, Inter.NEAREST, Inter.CUBIC, Inter.AREA)

    def __init__(self, size: int | Sequence[int]) -> None:
        super().__init__(size)

    def resized(self, array: Array, height: int, width: int, interpolation: Inter) -> Array:
        """The array in a size."""
        return super().resized(array, height, width, self._CHOICES[integer(0, len(self._CHOICES) - 1)])

    def of_picture(self, picture: Picture) -> Any:
        """The result for a PIL image: an array."""
        return self.of_arrays(np.asarray(picture))


class Erase(ImageTransform):
    """A part of the image in one colour, as an array.

    Args:
        top, left, height, width: the part, which has to begin inside of the image.
        value: a number from 0 to 255, or three for red, green and blue.
        inplace: whether the given array itself is changed.

    Examples:
        >>> vision.Erase(0, 0, 1, 1, 9)(np.ones((1, 2, 3), np.uint8)).tolist()
        [[[9, 9, 9], [1, 1, 1]]]
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

    Examples:
        >>> vision.RandomErasing(1.0)(np.ones((3, 4, 6), np.float32)).shape
        (3, 4, 6)
    """

    in_python = True

    def __init__(
        self, prob: float = 0.5, scale: Sequence[float] = (0.02, 0.33), ratio: Sequence[float] = (0.3, 3.3),
        value: Any = 0, inplace: bool = False, max_attempts: int = 10,
    ) -> None:  # fmt: skip
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

    Examples:
        >>> vision.CutOut(2)(np.ones((4, 6, 1), np.uint8)).shape
        (4, 6, 1)
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
