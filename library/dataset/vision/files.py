"""Images and bytes in files: read, written, encoded; sizes and numbers of channels."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from ....frontend.values.tensor import Tensor
from ...docstrings import like
from . import checks
from .base import is_picture, pillow
from .checks import ImageReadMode
from .formats import decoded
from .resampling import Array

__all__ = [
    "encode_jpeg", "encode_png", "get_image_num_channels", "get_image_size", "read_file", "read_image", "write_file",
    "write_jpeg", "write_png",
]  # fmt: skip


def read_file(filename: str) -> Array:
    """The bytes of a file as an array (bytes,) of uint8.

    Raises:
        TypeError: if `filename` is no str. RuntimeError: if there is no such file.

    Examples:
        >>> import tempfile
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     vision.write_file(f"{folder}/x", np.array([1, 2], np.uint8))
        ...     vision.read_file(f"{folder}/x").tolist()
        [1, 2]
    """
    checks.of_type(filename, str, "filename")
    try:
        return np.fromfile(filename, np.uint8)
    except OSError as error:
        raise RuntimeError(f"Invalid file path, {filename} does not exist or cannot be read: {error}") from error


@like(read_file)
def write_file(filename: str, data: Any) -> None:
    """Write an array (bytes,) of uint8, or such a tensor, to a file.

    Raises:
        TypeError: if an argument is of another type. RuntimeError: if the data are of another dtype or shape, or the
        file cannot be written.

    Examples:
        >>> import tempfile
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     vision.write_file(f"{folder}/x", np.array([1, 2], np.uint8))
        ...     vision.read_file(f"{folder}/x").tolist()
        [1, 2]
    """
    checks.of_type(filename, str, "filename")
    array = _array(data, "data")
    if array.ndim != 1 or array.dtype != np.uint8:
        raise RuntimeError(f"write_file: data should be uint8 of one dimension, but are {array.dtype} {array.shape}")
    try:
        Path(filename).write_bytes(array.tobytes())
    except OSError as error:
        raise RuntimeError(f"write_file: {filename} cannot be written: {error}") from error


def _array(data: Any, name: str) -> Array:
    if not isinstance(data, (np.ndarray, Tensor)):
        raise TypeError(f"Input {name} is not of type {np.ndarray} or {Tensor}, but got: {type(data)}.")
    return data.asnumpy() if isinstance(data, Tensor) else data


@like(read_file)
def read_image(filename: str, mode: ImageReadMode = ImageReadMode.UNCHANGED) -> Array:
    """The image in a file, as an array (H, W, C) of uint8.

    Args:
        mode: an `ImageReadMode`: as it is stored, in gray, or in colours.

    Raises:
        ImportError: without Pillow. TypeError: if an argument is of another type. RuntimeError: if there is no such
        file or it holds no image.

    Examples:
        >>> import tempfile
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     vision.write_png(f"{folder}/x.png", np.zeros((4, 6, 3), np.uint8))
        ...     vision.read_image(f"{folder}/x.png").shape
        (4, 6, 3)
    """
    checks.of_type(mode, ImageReadMode, "mode")
    wanted = {ImageReadMode.GRAYSCALE: "L", ImageReadMode.COLOR: "RGB"}.get(mode)
    array = np.array(decoded(read_file(filename).tobytes(), wanted))
    return array if array.ndim == 3 else array[..., None]


def _encoded(image: Any, kind: str, number: int, name: str, low: int, high: int, option: str) -> Array:
    checks.of_type(number, int, name)
    if not low <= number <= high:
        raise RuntimeError(f"encode_{kind}: '{name}' should be from {low} to {high}, but got {number}")
    array = _array(image, "image")
    if array.dtype != np.uint8:
        raise RuntimeError(f"encode_{kind}: the image should be of type uint8, but is {array.dtype}")
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 3)):
        raise RuntimeError(f"encode_{kind}: the image should have shape <H,W>, <H,W,1> or <H,W,3>, not {array.shape}")
    picture = pillow("Image").fromarray(array[..., 0] if array.shape[2:] == (1,) else array)
    buffer = io.BytesIO()
    picture.save(buffer, kind, **{option: number})
    return np.frombuffer(buffer.getvalue(), np.uint8).copy()


def encode_jpeg(image: Any, quality: int = 75) -> Array:
    """The image (H, W, 1 or 3) or (H, W) of uint8 as the bytes of a JPEG file.

    Args:
        quality: from 1 to 100.

    Raises:
        ImportError: without Pillow. TypeError: if an argument is of another type. RuntimeError: if the image has
        another shape or dtype, or the number is out of range.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> bytes(vision.encode_jpeg(np.zeros((2, 2, 3), np.uint8))[:2])
        b'\xff\xd8'
    """
    return _encoded(image, "jpeg", quality, "quality", 1, 100, "quality")


@like(encode_jpeg)
def encode_png(image: Any, compression_level: int = 6) -> Array:
    """The image (H, W, 1 or 3) or (H, W) of uint8 as the bytes of a PNG file.

    Args:
        compression_level: from 0 to 9.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> bytes(vision.encode_png(np.zeros((2, 2, 3), np.uint8))[1:4])
        b'PNG'
    """
    return _encoded(image, "png", compression_level, "compression_level", 0, 9, "compress_level")


def write_jpeg(filename: str, image: Any, quality: int = 75) -> None:
    """Write an image to a JPEG file; arguments and errors as for `encode_jpeg` and `write_file`.

    Examples:
        >>> import tempfile
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     vision.write_jpeg(f"{folder}/x.jpg", np.zeros((4, 6, 3), np.uint8))
        ...     vision.read_image(f"{folder}/x.jpg").shape
        (4, 6, 3)
    """
    write_file(filename, encode_jpeg(image, quality))


@like(write_jpeg)
def write_png(filename: str, image: Any, compression_level: int = 6) -> None:
    """Write an image to a PNG file; arguments and errors as for `encode_png` and `write_file`.

    Examples:
        >>> import tempfile
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     vision.write_png(f"{folder}/x.png", np.zeros((4, 6, 3), np.uint8))
        ...     vision.read_image(f"{folder}/x.png").shape
        (4, 6, 3)
    """
    write_file(filename, encode_png(image, compression_level))


def get_image_size(image: Any) -> list[int]:
    """[height, width] of an array (..., H, W, C) or (H, W), or of a PIL image.

    Raises:
        TypeError: if it is neither.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.get_image_size(np.zeros((4, 6, 3), np.uint8))
        [4, 6]
    """
    if is_picture(image):
        return [image.size[1], image.size[0]]
    if not isinstance(image, np.ndarray) or image.ndim < 2:
        raise TypeError(f"Input image is not of type {np.ndarray} or PIL.Image.Image, but got: {type(image)}.")
    return list(image.shape[:2] if image.ndim == 2 else image.shape[-3:-1])


@like(get_image_size)
def get_image_num_channels(image: Any) -> int:
    """The number of channels of an array (..., H, W, C) or (H, W), or of a PIL image.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.get_image_num_channels(np.zeros((4, 6, 3), np.uint8))
        3
    """
    if is_picture(image):
        return len(image.getbands())
    if not isinstance(image, np.ndarray) or image.ndim < 2:
        raise TypeError(f"Input image is not of type {np.ndarray} or PIL.Image.Image, but got: {type(image)}.")
    return 1 if image.ndim == 2 else image.shape[-1]
