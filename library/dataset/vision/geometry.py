"""Images in other sizes and places: resized, cropped, padded, mirrored, turned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import checks
from .base import ImageTransform, Picture, PictureTransform, pillow
from .checks import Border, Inter, SliceMode
from .resampling import Array, resize

__all__ = [
    "CenterCrop", "Crop", "FiveCrop", "HorizontalFlip", "Pad", "PadToSize", "Resize", "ResizedCrop", "SlicePatches",
    "TenCrop", "VerticalFlip",
]  # fmt: skip

ARRAYS_ONLY, PICTURES_ONLY = (Inter.AREA, Inter.PILCUBIC), Inter.ANTIALIAS
_PAD_MODES = {Border.EDGE: "edge", Border.REFLECT: "reflect", Border.SYMMETRIC: "symmetric"}


class Interpolating(ImageTransform):
    """A transformation that finds values between pixels; some interpolations are for arrays or PIL images only."""

    interpolation: Inter

    def __call__(self, *images: Any) -> Any:
        if self.interpolation is PICTURES_ONLY and any(isinstance(image, np.ndarray) for image in images):
            raise TypeError(
                f"img should be PIL image. Got {np.ndarray}: Inter.{self.interpolation.name} is not for NumPy input."
            )
        return super().__call__(*images)

    def for_pillow(self) -> int:
        """Pillow's number of the interpolation, which is MindSpore's.

        Raises:
            TypeError: if Pillow has none.
        """
        if self.interpolation in ARRAYS_ONLY:
            raise TypeError(f"Inter.{self.interpolation.name} is not supported with PIL input.")
        return int(self.interpolation)


def crop(array: Array, top: int, left: int, height: int, width: int) -> Array:
    """A part of (..., H, W, C)."""
    return array[..., top : top + height, left : left + width, :].copy()


def crop_picture(picture: Picture, top: int, left: int, height: int, width: int) -> Picture:
    """A part of a PIL image; pixels outside are black."""
    return picture.crop((left, top, left + width, top + height))


def pad(array: Array, sides: Sequence[int], fill: Sequence[int], mode: Border) -> Array:
    """The array (..., H, W, C) with (left, top, right, bottom) more pixels around it."""
    left, top, right, bottom = sides
    if not any(sides):
        return array.copy()
    widths = [(0, 0)] * (array.ndim - 3) + [(top, bottom), (left, right), (0, 0)]
    if mode is not Border.CONSTANT:
        return np.pad(array, widths, _PAD_MODES[mode])  # type: ignore[call-overload]
    height, width, channels = array.shape[-3:]
    if channels not in (1, 3):
        raise RuntimeError(f"Pad: a border of a colour needs an image of 1 or 3 channels, but got shape {array.shape}")
    made = np.empty((*array.shape[:-3], height + top + bottom, width + left + right, channels), array.dtype)
    made[...] = list(fill)[:channels]
    made[..., top : top + height, left : left + width, :] = array
    return made


def pad_picture(picture: Picture, sides: Sequence[int], fill: Sequence[int], mode: Border) -> Picture:
    """The PIL image with (left, top, right, bottom) more pixels around it."""
    if mode is Border.CONSTANT:
        color = fill[0] if picture.mode in ("L", "1") else tuple(fill)
        return pillow("ImageOps").expand(picture, border=tuple(sides), fill=color)
    array = np.asarray(picture)
    padded = pad(array if array.ndim == 3 else array[..., None], sides, fill, mode)
    return pillow("Image").fromarray(padded if array.ndim == 3 else padded[..., 0])


class Resize(Interpolating):
    """The image in another size.

    Args:
        size: (height, width), or the length of the shorter side, the other one in proportion.
        interpolation: an `Inter`; `ANTIALIAS` is for PIL images, `AREA` and `PILCUBIC` are for arrays.

    Inputs are arrays (..., H, W, C) or (H, W) of uint8, int16, uint16, float32 or float64, or PIL images.

    Raises:
        TypeError: if `size` is no int or pair of them, `interpolation` no `Inter` or one that is not for this kind of
        image. ValueError: if `size` is not positive. RuntimeError: for another dtype.

    Source: MindSpore, `mindspore.dataset.vision.Resize`.

    Examples:
        >>> vision.Resize((2, 4))(np.array([[0, 100], [100, 200]], np.uint8)).tolist()
        [[0, 25, 75, 100], [100, 125, 175, 200]]
    """

    batches = True

    def __init__(self, size: int | Sequence[int], interpolation: Inter = Inter.LINEAR) -> None:
        if interpolation is None:
            raise KeyError("Interpolation should not be None")
        self.size = checks.size(size, single=True)
        self.interpolation = checks.interpolation(interpolation)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return self.resized(array, *in_proportion(self.size, *array.shape[-3:-1]), self.interpolation)

    def resized(self, array: Array, height: int, width: int, interpolation: Inter) -> Array:
        """The array in a size."""
        return resize(resizable(self, array), height, width, interpolation)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        width, height = picture.size
        height, width = in_proportion(self.size, height, width)
        return picture if (width, height) == picture.size else picture.resize((width, height), self.for_pillow())


def resizable(transform: ImageTransform, array: Array) -> Array:
    """An array of a dtype that images can be resized in."""
    if array.dtype not in (np.uint8, np.int16, np.uint16, np.float32, np.float64):
        transform.refuse(f"the image should be of type uint8, int16, uint16 or float, but got {array.dtype}")
    return array


def in_proportion(size: Any, height: int, width: int) -> tuple[int, int]:
    """(height, width) of a size that may be the length of the shorter side."""
    if not isinstance(size, int):
        return size[0], size[1]
    if height < width:
        return size, int(size * (width / height))
    return int(size / (width / height)), size


class CenterCrop(ImageTransform):
    """The middle of the image; a smaller image gets black borders.

    Args:
        size: (height, width), or one length for both.

    Raises:
        TypeError: if `size` is no int or pair of them. ValueError: if it is not positive.

    Source: MindSpore, `mindspore.dataset.vision.CenterCrop`.

    Examples:
        >>> vision.CenterCrop(2)(np.arange(16).reshape(4, 4).astype(np.uint8)).tolist()
        [[5, 6], [9, 10]]
    """

    batches = True

    def __init__(self, size: int | Sequence[int]) -> None:
        self.size = checks.size(size)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        height, width = self.size
        lacking = [max(0, wanted - have) for wanted, have in zip(self.size, array.shape[-3:-1], strict=True)]
        bottom, right = lacking[0] // 2, lacking[1] // 2
        array = pad(array, (lacking[1] - right, lacking[0] - bottom, right, bottom), (0, 0, 0), Border.CONSTANT)
        rows, columns = array.shape[-3:-1]
        return crop(array, (rows - height) // 2, (columns - width) // 2, height, width)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        height, width = self.size
        top, left = round((picture.size[1] - height) / 2), round((picture.size[0] - width) / 2)
        return crop_picture(picture, top, left, height, width)


class Crop(ImageTransform):
    """A part of the image, as an array.

    Args:
        coordinates: (top, left).
        size: (height, width), or one length for both.

    Raises:
        TypeError: if they are no ints. ValueError: if they are out of range. RuntimeError: if the part is not inside.

    Examples:
        >>> vision.Crop((0, 1), (2, 1))(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[2], [4]]
    """

    def __init__(self, coordinates: Sequence[int], size: int | Sequence[int]) -> None:
        checks.of_type(coordinates, (list, tuple), "coordinates")
        if len(coordinates) != 2:
            raise TypeError("Coordinates should be a list/tuple (y, x) of length 2.")
        self.top, self.left = (checks.whole(value, f"coordinates[{place}]") for place, value in enumerate(coordinates))
        self.size = checks.size(size)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        height, width = self.size
        rows, columns = array.shape[:2]
        if self.top + height > rows or self.left + width > columns:
            self.refuse(f"the part of size {self.size} at {(self.top, self.left)} is not inside of {(rows, columns)}")
        return crop(array, self.top, self.left, height, width)


class ResizedCrop(Interpolating):
    """A part of the image in another size, as an array.

    Args:
        top, left, height, width: the part.
        size: (height, width) of the result, or one length for both.
        interpolation: an `Inter`.

    Examples:
        >>> vision.ResizedCrop(0, 0, 2, 2, (4, 4))(np.zeros((4, 6, 3), np.uint8)).shape
        (4, 4, 3)
    """

    def __init__(
        self, top: int, left: int, height: int, width: int, size: int | Sequence[int],
        interpolation: Inter = Inter.BILINEAR,
    ) -> None:  # fmt: skip
        self.crop = Crop(
            (checks.whole(top, "top"), checks.whole(left, "left")),
            (checks.whole(height, "height", 1), checks.whole(width, "width", 1)),
        )
        self.interpolation = checks.interpolation(interpolation)
        self.size = checks.size(size)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        height, width = self.size
        return resize(resizable(self, self.crop.of_array(array)), height, width, self.interpolation)


class HorizontalFlip(ImageTransform):
    """The image mirrored left to right, as an array.

    Examples:
        >>> vision.HorizontalFlip()(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[2, 1], [4, 3]]
    """

    batches = True

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return array[..., ::-1, :].copy()


class VerticalFlip(ImageTransform):
    """The image mirrored upside down, as an array.

    Examples:
        >>> vision.VerticalFlip()(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[3, 4], [1, 2]]
    """

    batches = True

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return array[..., ::-1, :, :].copy()


class Pad(ImageTransform):
    """The image with more pixels around it.

    Args:
        padding: how many on each side: one number, (left and right, top and bottom), or (left, top, right, bottom).
        fill_value: a number from 0 to 255, or three for red, green and blue.
        padding_mode: a `Border`: the value, the edge repeated, or the image mirrored without or with its edge.

    Raises:
        TypeError: if an argument is of another type. ValueError: if `padding` has another length, or a number is out
        of range.

    Source: MindSpore, `mindspore.dataset.vision.Pad`.

    Examples:
        >>> vision.Pad((1, 0, 0, 1), 9)(np.array([[1, 2]], np.uint8)).tolist()
        [[9, 1, 2], [9, 9, 9]]
    """

    def __init__(
        self,
        padding: int | Sequence[int],
        fill_value: int | tuple[int, int, int] = 0,
        padding_mode: Border = Border.CONSTANT,
    ) -> None:
        self.padding = checks.padding(padding)
        self.fill_value = checks.fill(fill_value)
        self.padding_mode = checks.border(padding_mode)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return pad(array, self.padding, self.fill_value, self.padding_mode)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        return pad_picture(picture, self.padding, self.fill_value, self.padding_mode)


class PadToSize(ImageTransform):
    """The image inside a larger one, as an array.

    Args:
        size: (height, width) of the result, or one length for both.
        offset: (top, left) of the image in it, or one number for both; None for the middle.
        fill_value, padding_mode: as for `Pad`.

    Raises:
        RuntimeError: if the image is larger than `size`.

    Examples:
        >>> vision.PadToSize((1, 3), fill_value=9)(np.array([[1]], np.uint8)).tolist()
        [[9, 1, 9]]
    """

    def __init__(
        self, size: int | Sequence[int], offset: int | Sequence[int] | None = None,
        fill_value: int | tuple[int, int, int] = 0, padding_mode: Border = Border.CONSTANT,
    ) -> None:  # fmt: skip
        self.size = self._two(checks.of_type(size, (int, list, tuple), "size"), "size", 1)
        self.offset = None
        if offset is not None and offset != [] and offset != ():
            self.offset = self._two(checks.of_type(offset, (int, list, tuple), "offset"), "offset", 0)
        self.fill_value = checks.fill(fill_value)
        self.padding_mode = checks.border(padding_mode)

    @staticmethod
    def _two(value: Any, name: str, low: int) -> tuple[int, int]:
        values = [value, value] if isinstance(value, int) else value
        if len(values) != 2:
            raise ValueError(f"The {name} must be a sequence of length 2.")
        first, second = (checks.whole(item, f"{name}{place}", low) for place, item in enumerate(values))
        return first, second

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        rest = [wanted - have for wanted, have in zip(self.size, array.shape[:2], strict=True)]
        top, left = self.offset or (rest[0] // 2, rest[1] // 2)
        sides = (left, top, rest[1] - left, rest[0] - top)
        if min(sides) < 0:
            self.refuse(f"an image of shape {array.shape} at {(top, left)} does not fit into {self.size}")
        return pad(array, sides, self.fill_value, self.padding_mode)


class FiveCrop(PictureTransform):
    """The four corners of a PIL image and its middle: (top left, top right, bottom left, bottom right, middle).

    Examples:
        >>> image = vision.ToPIL()(np.zeros((4, 6, 3), np.uint8))
        >>> [part.size for part in vision.FiveCrop(2)(image)]
        [(2, 2), (2, 2), (2, 2), (2, 2), (2, 2)]
    """

    def __init__(self, size: int | Sequence[int]) -> None:
        self.size = checks.size(size)

    def of_picture(self, picture: Picture) -> tuple[Picture, ...]:
        """The five parts of a PIL image."""
        (columns, rows), (height, width) = picture.size, self.size
        if height > rows or width > columns:
            raise ValueError(f"Crop size {self.size} is larger than input image size {(rows, columns)}.")
        corners = [(top, left) for top in (0, rows - height) for left in (0, columns - width)]
        parts = [crop_picture(picture, top, left, height, width) for top, left in corners]
        return (*parts, CenterCrop(self.size).of_picture(picture))


class TenCrop(FiveCrop):
    """The five parts of `FiveCrop`, and the five parts of the mirrored PIL image.

    Args:
        use_vertical_flip: whether it is mirrored upside down; else left to right.

    Examples:
        >>> image = vision.ToPIL()(np.zeros((4, 6, 3), np.uint8))
        >>> len(vision.TenCrop(2)(image))
        10
    """

    def __init__(self, size: int | Sequence[int], use_vertical_flip: bool = False) -> None:
        super().__init__(size)
        self.use_vertical_flip = checks.of_type(use_vertical_flip, bool, "use_vertical_flip")

    def of_picture(self, picture: Picture) -> tuple[Picture, ...]:
        """The ten parts of a PIL image."""
        mirrored = mirror_picture(picture, self.use_vertical_flip)
        return super().of_picture(picture) + super().of_picture(mirrored)


def mirror_picture(picture: Picture, upside_down: bool) -> Picture:
    """The PIL image mirrored."""
    ways = pillow("Image").Transpose
    return picture.transpose(ways.FLIP_TOP_BOTTOM if upside_down else ways.FLIP_LEFT_RIGHT)


class SlicePatches(ImageTransform):
    """The image cut into `num_height` times `num_width` patches of one size: a tuple of arrays, row by row.

    Args:
        slice_mode: whether the image is padded with `fill_value` until it divides, or the rest is dropped.

    Examples:
        >>> [patch.shape for patch in vision.SlicePatches(1, 2)(np.zeros((4, 6, 3), np.uint8))]
        [(4, 3, 3), (4, 3, 3)]
    """

    def __init__(
        self, num_height: int = 1, num_width: int = 1, slice_mode: SliceMode = SliceMode.PAD, fill_value: int = 0,
    ) -> None:  # fmt: skip
        self.rows = checks.whole(num_height, "num_height", 1)
        self.columns = checks.whole(num_width, "num_width", 1)
        self.slice_mode = checks.of_type(slice_mode, SliceMode, "slice_mode")
        self.fill_value = checks.whole(fill_value, "fill_value", 0, 255)

    def of_array(self, array: Array) -> tuple[Array, ...]:
        """The patches of an array."""
        sizes = [
            -(-have // parts) if self.slice_mode is SliceMode.PAD else have // parts
            for have, parts in zip(array.shape, (self.rows, self.columns), strict=False)
        ]
        if min(sizes) < 1:
            self.refuse(f"an image of shape {array.shape} has fewer pixels than patches: {self.rows} x {self.columns}")
        height, width = sizes
        lacking = [max(0, height * self.rows - array.shape[0]), max(0, width * self.columns - array.shape[1])]
        whole = pad(array, (0, 0, lacking[1], lacking[0]), (self.fill_value,) * 3, Border.CONSTANT)
        places = [(row * height, column * width) for row in range(self.rows) for column in range(self.columns)]
        return tuple(crop(whole, top, left, height, width) for top, left in places)
