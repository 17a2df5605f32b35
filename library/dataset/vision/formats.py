"""Images in other forms: decoded, as PIL images and arrays, with other channels, scales and number types."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....runtime import dtypes
from . import checks, colors
from .base import ImageTransform, Picture, PictureTransform, happens, is_picture, pillow
from .checks import ConvertMode
from .resampling import Array

__all__ = [
    "HWC2CHW", "ConvertColor", "Decode", "Grayscale", "HsvToRgb", "LinearTransformation", "Normalize", "NormalizePad",
    "RandomGrayscale", "Rescale", "RgbToHsv", "ToNumpy", "ToPIL", "ToTensor", "ToType",
]  # fmt: skip


def decoded(
    data: bytes, mode: str | None = "RGB", error: type[Exception] = RuntimeError, name: str = "Decode"
) -> Picture:
    """The PIL image that bytes encode, in a mode; with None as stored.

    Raises:
        ImportError: without Pillow. `error`, which names where they are from: if the bytes are no image.
    """
    image_module = pillow("Image")
    try:
        picture = image_module.open(io.BytesIO(data))
        return picture.copy() if mode is None else picture.convert(mode)
    except Exception as problem:  # Pillow's readers raise whatever damaged bytes make go wrong
        raise error(f"{name}: these {len(data)} bytes are no image that can be decoded") from problem


def encoded_bytes(data: Any) -> Array:
    """An encoded image as an array (bytes,) of uint8.

    Raises:
        TypeError: if it is none.
    """
    if isinstance(data, bytes):
        return np.frombuffer(data, np.uint8)
    if not isinstance(data, np.ndarray):
        raise TypeError(f"The type of the encoded image should be {np.ndarray}, but got {type(data)}.")
    if data.dtype.kind in "US":
        raise TypeError(f"The data type of the encoded image can not be {data.dtype.type}.")
    if data.ndim != 1:
        raise TypeError(f"The number of array dimensions of the encoded image should be 1, but got {data.ndim}.")
    return data


class Decode(ImageTransform):
    """The image in encoded bytes (JPEG, PNG, BMP and other formats of Pillow), in colours.

    Args:
        to_pil: whether the result is a PIL image; else it is an array (H, W, 3) of uint8.

    Raises:
        ImportError: without Pillow. TypeError: if it is not called with an array (bytes,). RuntimeError (with
        `to_pil` ValueError): if the bytes are no image.

    Source: MindSpore, `mindspore.dataset.vision.Decode`.

    Examples:
        >>> encoded = vision.encode_png(np.zeros((2, 3, 3), np.uint8))
        >>> vision.Decode()(encoded).shape
        (2, 3, 3)
    """

    def __init__(self, to_pil: bool = False) -> None:
        self.to_pil = self.in_python = checks.of_type(to_pil, bool, "to_pil")

    def __call__(self, *images: Any) -> Any:
        (data,) = images
        content = encoded_bytes(data).tobytes()
        return decoded(content, error=ValueError) if self.to_pil else np.array(decoded(content))


class ToPIL(ImageTransform):
    """The PIL image of an array (H, W), (H, W, 1) or, of uint8, (H, W, 2 to 4).

    Raises:
        ImportError: without Pillow. TypeError: for what is neither, or a dtype that PIL has no images of. ValueError:
        for another shape.

    Examples:
        >>> vision.ToPIL()(np.zeros((2, 3, 3), np.uint8)).size
        (3, 2)
    """

    in_python = True

    def __call__(self, *images: Any) -> Any:
        (image,) = images
        image_module = pillow("Image")
        if is_picture(image):
            return image
        if not isinstance(image, np.ndarray):
            raise TypeError(f"The input image should be of type numpy.ndarray or PIL.Image.Image. Got {type(image)}.")
        if image.ndim not in (2, 3):
            raise ValueError(f"The dimension of input image should be 2 or 3. Got {image.ndim}.")
        if image.ndim == 3 and image.shape[2] > 4:
            raise ValueError(f"The channel of input image should not exceed 4. Got {image.shape[2]}.")
        if image.ndim == 3 and image.shape[2] == 1:
            image = image[:, :, 0]
        elif image.ndim == 3 and image.dtype != np.uint8:
            raise TypeError(
                f"The input image type {image.dtype} is not supported when image shape is [H, W, 2], [H, W, 3] or "
                "[H, W, 4]."
            )
        try:
            return image_module.fromarray(np.ascontiguousarray(image))
        except TypeError as error:
            raise TypeError(
                f"The input image type {image.dtype} is not supported when image shape is [H, W] or [H, W, 1]."
            ) from error


class ToNumpy(ImageTransform):
    """The array of a PIL image.

    Examples:
        >>> vision.ToNumpy()(vision.ToPIL()(np.zeros((4, 6, 3), np.uint8))).shape
        (4, 6, 3)
    """

    def __call__(self, *images: Any) -> Any:
        (image,) = images
        return np.array(image)


class ToTensor(ImageTransform):
    """The image as an array (C, H, W) of numbers from 0 to 1: its values divided by 255.

    Args:
        output_type: the dtype of the result, NumPy's or MindSpore's.

    Raises:
        TypeError: if `output_type` is no dtype, or it is not called with an array or PIL image. RuntimeError: if the
        image has neither 2 nor 3 dimensions.

    Source: MindSpore, `mindspore.dataset.vision.ToTensor`.

    Examples:
        >>> vision.ToTensor()(np.full((1, 2, 1), 51, np.uint8)).tolist()
        [[[0.20000000298023224, 0.20000000298023224]]]
    """

    def __init__(self, output_type: Any = np.float32) -> None:
        self.output_type = numpy_type(output_type, "output_type")

    def of_arrays(self, *arrays: Array) -> Any:
        """The result for one array."""
        (array,) = arrays
        if array.ndim not in (2, 3):
            self.refuse(f"the image should have 2 or 3 dimensions, but got {array.shape}")
        channels = array[None] if array.ndim == 2 else array.transpose(2, 0, 1)
        return (channels.astype(np.float32) / np.float32(255)).astype(self.output_type)


def numpy_type(given: Any, name: str) -> np.dtype[Any]:
    """The NumPy dtype of a dtype of either kind."""
    if isinstance(given, dtypes.DType):
        return np.dtype(given.np)
    try:
        if given is None:
            raise TypeError("None is no dtype")
        return np.dtype(given)
    except TypeError as error:
        raise TypeError(f"Argument {name} with value {given!r} is not a dtype, but got {type(given)}.") from error


class ToType(ImageTransform):
    """The array in another dtype.

    Examples:
        >>> vision.ToType(np.float32)(np.array([[1, 2]])).tolist()
        [[1.0, 2.0]]
    """

    def __init__(self, data_type: Any) -> None:
        self.data_type = numpy_type(data_type, "data_type")

    def __call__(self, *images: Any) -> Any:
        (image,) = images
        return np.asarray(image).astype(self.data_type)


class HWC2CHW(ImageTransform):
    """The array (H, W, C) as (C, H, W); (H, W) stays.

    Raises:
        TypeError: if it is not called with an array or PIL image. RuntimeError: for another number of dimensions.

    Examples:
        >>> vision.HWC2CHW()(np.zeros((4, 5, 3))).shape
        (3, 4, 5)
    """

    def of_arrays(self, *arrays: Array) -> Any:
        """The result for each array."""
        for array in arrays:
            if array.ndim not in (2, 3):
                self.refuse(f"the image should have shape <H,W> or <H,W,C>, but got {array.shape}")
        made = [np.ascontiguousarray(array.transpose(2, 0, 1)) if array.ndim == 3 else array for array in arrays]
        return made[0] if len(made) == 1 else tuple(made)


class Normalize(ImageTransform):
    """Each channel less its mean, divided by its standard deviation, as float32.

    Args:
        mean: a number from 0 to 255 per channel, or one for all.
        std: as many numbers above 0 and at most 255.
        is_hwc: whether channels are the last axis; else they are the third from the end.

    Raises:
        TypeError: if `mean` or `std` is no list of numbers, or `is_hwc` no bool. ValueError: if they differ in length
        or are out of range. RuntimeError: if an image has another number of channels.

    Source: MindSpore, `mindspore.dataset.vision.Normalize`.

    Examples:
        >>> vision.Normalize([100.0], [50.0])(np.array([[[0], [200]]], np.uint8)).tolist()
        [[[-2.0], [2.0]]]
    """

    batches = True

    def __init__(self, mean: Sequence[float], std: Sequence[float], is_hwc: bool = True) -> None:
        self.mean, self.std = checks.mean_and_deviation(mean, std)
        self.is_hwc = checks.of_type(is_hwc, bool, "is_hwc")

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        axis = -1 if self.is_hwc else -3
        channels = array.shape[axis]
        if len(self.mean) not in (1, channels):
            self.refuse(
                f"'mean' has {len(self.mean)} numbers, but the image of shape {array.shape} has {channels} channels"
            )
        shape = [1] * array.ndim
        shape[axis] = len(self.mean)
        mean, deviation = (np.asarray(numbers, np.float32).reshape(shape) for numbers in (self.mean, self.std))
        made = array.astype(np.float32)
        made -= mean
        made /= deviation
        return made


class NormalizePad(Normalize):
    """As `Normalize`, with a further channel of zeros.

    Args:
        dtype: "float32" or "float16".

    Examples:
        >>> vision.NormalizePad([100.0] * 3, [50.0] * 3)(np.array([[[0, 100, 200]]], np.uint8)).tolist()
        [[[-2.0, 0.0, 2.0, 0.0]]]
    """

    batches = False

    def __init__(
        self, mean: Sequence[float], std: Sequence[float], dtype: str = "float32", is_hwc: bool = True
    ) -> None:
        super().__init__(mean, std, is_hwc)
        if not isinstance(dtype, str):
            raise TypeError("dtype should be string.")
        if dtype not in ("float32", "float16"):
            raise ValueError("dtype only supports float32 or float16.")
        self.dtype = dtype

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        axis = -1 if self.is_hwc else -3
        shape = list(array.shape)
        shape[axis] = 1
        return np.concatenate([super().of_array(array), np.zeros(shape, np.float32)], axis).astype(self.dtype)


class Rescale(ImageTransform):
    """The values times `rescale`, plus `shift`, as float32.

    Raises:
        TypeError: if either is no number.

    Source: MindSpore, `mindspore.dataset.vision.Rescale`.

    Examples:
        >>> vision.Rescale(1 / 127.5, -1.0)(np.array([[0, 255]], np.uint8)).tolist()
        [[-1.0, 1.0]]
    """

    def __init__(self, rescale: float, shift: float) -> None:
        self.rescale = checks.number(rescale, "rescale", -3.4e38, 3.4e38)
        self.shift = checks.number(shift, "shift", -3.4e38, 3.4e38)

    def of_arrays(self, *arrays: Array) -> Any:
        """The result for each array, of any shape."""
        made = [array.astype(np.float32) * np.float32(self.rescale) + np.float32(self.shift) for array in arrays]
        return made[0] if len(made) == 1 else tuple(made)


# Per conversion: how many channels an image has, and which of them the result has; None is a full one, text a gray one.
_CHANNELS: dict[int, tuple[int, Sequence[int | None] | str]] = {
    ConvertMode.COLOR_RGB2RGBA: (3, (0, 1, 2, None)),
    ConvertMode.COLOR_RGBA2RGB: (4, (0, 1, 2)),
    ConvertMode.COLOR_RGB2BGRA: (3, (2, 1, 0, None)),
    ConvertMode.COLOR_RGBA2BGR: (4, (2, 1, 0)),
    ConvertMode.COLOR_RGB2BGR: (3, (2, 1, 0)),
    ConvertMode.COLOR_RGBA2BGRA: (4, (2, 1, 0, 3)),
    ConvertMode.COLOR_BGR2GRAY: (3, "reversed"),
    ConvertMode.COLOR_RGB2GRAY: (3, "in order"),
    ConvertMode.COLOR_GRAY2RGB: (1, (0, 0, 0)),
    ConvertMode.COLOR_GRAY2RGBA: (1, (0, 0, 0, None)),
    ConvertMode.COLOR_BGRA2GRAY: (4, "reversed"),
    ConvertMode.COLOR_RGBA2GRAY: (4, "in order"),
}


class ConvertColor(ImageTransform):
    """The image with its channels in another order or number, or as gray values (H, W).

    Args:
        convert_mode: a `ConvertMode`.

    Raises:
        TypeError: if it is none. RuntimeError: if an image has not the channels that the conversion is from.

    Examples:
        >>> vision.ConvertColor(vision.ConvertMode.COLOR_RGB2BGR)(np.array([[[1, 2, 3]]], np.uint8)).tolist()
        [[[3, 2, 1]]]
    """

    def __init__(self, convert_mode: ConvertMode) -> None:
        self.convert_mode = checks.of_type(convert_mode, ConvertMode, "convert_mode")

    def _of_one(self, array: Array) -> Array:
        channels, order = _CHANNELS[self.convert_mode]
        image = self.colours(array[..., None] if array.ndim == 2 else array, (channels,))
        if isinstance(order, str):
            return colors.gray(image[..., :3] if order == "in order" else image[..., 2::-1])
        full = np.full(image.shape[:-1], 1 if image.dtype.kind == "f" else np.iinfo(image.dtype).max, image.dtype)
        return np.stack([full if place is None else image[..., place] for place in order], -1)


class Grayscale(PictureTransform):
    """The PIL image in gray.

    Args:
        num_output_channels: 1, or 3 for a colour image whose channels are equal.

    Raises:
        TypeError: if it is no int, or it is not called with a PIL image. ValueError: if it is another number.

    Examples:
        >>> vision.Grayscale()(vision.ToPIL()(np.zeros((4, 6, 3), np.uint8))).mode
        'L'
    """

    def __init__(self, num_output_channels: int = 1) -> None:
        checks.of_type(num_output_channels, int, "num_output_channels")
        if num_output_channels not in (1, 3):
            raise ValueError(
                f"Number of channels of the output grayscale image should be either 1 or 3. Got {num_output_channels}."
            )
        self.num_output_channels = num_output_channels

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        made = picture.convert("L")
        return made if self.num_output_channels == 1 else made.convert("RGB")


class RandomGrayscale(PictureTransform):
    """The PIL image in gray with probability `prob`, its channels as many as before.

    Examples:
        >>> vision.RandomGrayscale(1.0)(vision.ToPIL()(np.zeros((4, 6, 3), np.uint8))).mode
        'RGB'
    """

    def __init__(self, prob: float = 0.1) -> None:
        self.prob = checks.probability(prob)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        return Grayscale(1 if picture.mode == "L" else 3)(picture) if happens(self.prob) else picture


class _HueTransform(ImageTransform):
    """A conversion of arrays (C, H, W) or (N, C, H, W), with `is_hwc` (H, W, C) or (N, H, W, C), of numbers up to 1."""

    in_python = True
    convert: Callable[[Array, Array, Array], tuple[Array, Array, Array]]

    def __init__(self, is_hwc: bool = False) -> None:
        self.is_hwc = checks.of_type(is_hwc, bool, "is_hwc")

    def __call__(self, *images: Any) -> Any:
        (image,) = images
        if not isinstance(image, np.ndarray):
            raise TypeError(f"img should be NumPy image. Got {type(image)}.")
        axis = -1 if self.is_hwc else -3
        if image.ndim not in (3, 4):
            raise TypeError(f"img shape should be (H, W, C)/(N, H, W, C)/(C, H, W)/(N, C, H, W). Got {image.shape}.")
        if image.shape[axis] != 3:
            raise TypeError(f"img should be 3 channels RGB img. Got {image.shape[axis]} channels.")
        return np.stack(self.convert(*np.moveaxis(image.astype(np.float64), axis, 0)), axis)


class RgbToHsv(_HueTransform):
    """Colours of numbers from 0 to 1 as hue, saturation and value from 0 to 1 (float64).

    Examples:
        >>> vision.RgbToHsv(True)(np.array([[[0.5, 0.0, 0.0]]])).tolist()
        [[[0.0, 1.0, 0.5]]]
    """

    convert = staticmethod(colors.hue_of)


class HsvToRgb(_HueTransform):
    """Hue, saturation and value from 0 to 1 as colours of numbers from 0 to 1 (float64).

    Examples:
        >>> vision.HsvToRgb(True)(np.array([[[0.0, 1.0, 0.5]]])).tolist()
        [[[0.5, 0.0, 0.0]]]
    """

    convert = staticmethod(colors.colours_of)


class LinearTransformation(ImageTransform):
    """The flattened array less `mean_vector`, times a matrix, in its shape again.

    Raises:
        TypeError: if an argument is no array. ValueError: if the matrix is not square, or sizes do not agree.

    Examples:
        >>> vision.LinearTransformation(np.eye(2), np.array([1.0, 2.0]))(np.array([3.0, 3.0])).tolist()
        [2.0, 1.0]
    """

    in_python = True

    def __init__(self, transformation_matrix: Array, mean_vector: Array) -> None:
        matrix: Array = checks.of_type(transformation_matrix, np.ndarray, "transformation_matrix")
        vector: Array = checks.of_type(mean_vector, np.ndarray, "mean_vector")
        if matrix.shape[0] != matrix.shape[1]:
            raise ValueError(f"transformation_matrix should be a square matrix. Got shape {matrix.shape} instead.")
        if vector.shape[0] != matrix.shape[0]:
            raise ValueError(
                f"mean_vector length {vector.shape[0]} should match the square transformation_matrix {matrix.shape}."
            )
        self.matrix, self.vector = matrix, vector

    def __call__(self, *images: Any) -> Any:
        (image,) = images
        if not isinstance(image, np.ndarray):
            raise TypeError(f"img should be NumPy array. Got {type(image)}.")
        if image.size != self.matrix.shape[0]:
            raise ValueError(
                f"transformation_matrix shape {self.matrix.shape} not compatible with Numpy image shape {image.shape}."
            )
        return ((image.reshape(1, -1) - self.vector) @ self.matrix).reshape(image.shape)
