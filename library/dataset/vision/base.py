"""The base of image transformations: checks of their inputs, arrays and PIL images."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

import numpy as np

from ...docstrings import with_imports
from .. import config
from . import checks
from .resampling import Array

Picture = Any  # A PIL.Image.Image: Pillow is optional.


def is_picture(value: Any) -> bool:
    """Whether this is a PIL image; without Pillow nothing is."""
    module = sys.modules.get("PIL.Image")
    return module is not None and isinstance(value, module.Image)


def pillow(name: str) -> Any:
    """The module `PIL.<name>`, or an ImportError that says how to get it."""
    try:
        from PIL import Image, ImageEnhance, ImageOps
    except ImportError as error:
        raise ImportError("decoded and PIL images need the package 'pillow': pip install pillow") from error
    return {"Image": Image, "ImageEnhance": ImageEnhance, "ImageOps": ImageOps}[name]


with contextlib.suppress(ImportError):  # MindSpore loads it, too, and programs rely on it: `import PIL; PIL.Image`
    pillow("Image")

# Names of `mindspore.dataset.vision.py_transforms_util` that scripts use.
is_pil = is_picture
augment_error_message = "img should be PIL image. Got {}. Use Decode() for encoded data or ToPIL() for decoded data."


class ImageTransform:
    """A function of an image, or of several one after another.

    An image is a NumPy array (height, width, channels) or (height, width), or a PIL image. A transformation gives back
    what it was given, an array or a PIL image, unless its description says otherwise.
    """

    batches = False  # Whether arrays may have further axes in front.
    needs_picture = False  # Whether arrays are refused.
    in_python = False  # Whether MindSpore runs it in Python for arrays, too: `Compose` then gives a tuple.

    def __init_subclass__(cls) -> None:
        cls.__doc__ = cls.__doc__ and with_imports(cls.__doc__, "import numpy as np\nfrom mycel.dataset import vision")

    def __call__(self, *images: Any) -> Any:
        for image in images:
            if not isinstance(image, np.ndarray) and not is_picture(image):
                raise TypeError(f"Input should be NumPy or PIL image, got {type(image)}.")
        if len(images) == 1 and is_picture(images[0]):
            return self.of_picture(images[0])
        if self.needs_picture:
            raise TypeError(augment_error_message.format(type(images[0])))
        return self.of_arrays(*[np.asarray(image) for image in images])

    def of_arrays(self, *arrays: Array) -> Any:
        """The result for arrays; most transformations look at each as (..., H, W, C)."""
        made = tuple(self._of_one(array) for array in arrays)
        return made[0] if len(made) == 1 else made

    def _of_one(self, array: Array) -> Any:
        if array.ndim == 2:
            return without_channel(self.of_array(array[..., None]))
        if array.ndim < 2 or (array.ndim > 3 and not self.batches):
            raise RuntimeError(
                f"{type(self).__name__}: the image should have shape <H,W> or <H,W,C>, but got {array.shape}"
            )
        return self.of_array(array)

    def of_array(self, array: Array) -> Any:
        """The result for an array (H, W, C)."""
        raise NotImplementedError(f"{type(self).__name__} should define of_array()")

    def of_picture(self, picture: Picture) -> Any:
        """The result for a PIL image; by default that for its array."""
        return self.of_arrays(np.asarray(picture))

    def device(self, device_target: str = "CPU") -> ImageTransform:
        """Itself: everything runs on the CPU.

        Raises:
            ValueError: if `device_target` is neither "CPU" nor "Ascend".
        """
        checks.of_type(device_target, str, "device_target")
        if device_target not in ("CPU", "Ascend"):
            raise ValueError(f"Input device_target is not within the valid set of ['CPU', 'Ascend']: {device_target}.")
        return self

    def refuse(self, reason: str) -> Any:
        """Raise for an image that this transformation is not for."""
        raise RuntimeError(f"{type(self).__name__}: {reason}")

    def colours(self, array: Array, channels: tuple[int, ...] = (3,)) -> Array:
        """An array with one of these numbers of channels."""
        if array.ndim < 3 or array.shape[-1] not in channels:
            self.refuse(f"the image should have shape <H,W,{' or '.join(map(str, channels))}>, but got {array.shape}")
        return array

    def bytes_only(self, array: Array) -> Array:
        """An array of uint8."""
        if array.dtype != np.uint8:
            self.refuse(f"the image should be of type uint8, but got {array.dtype}")
        return array


class PictureTransform(ImageTransform):
    """A function of a PIL image only."""

    needs_picture = in_python = True


def without_channel(made: Any) -> Any:
    """Arrays (H, W, 1) as (H, W); several in a list or tuple."""
    if isinstance(made, (tuple, list)):
        return type(made)(without_channel(item) for item in made)
    return made[..., 0] if isinstance(made, np.ndarray) and made.ndim > 2 and made.shape[-1] == 1 else made


def happens(probability: float) -> bool:
    """Whether an event of this probability takes place this time."""
    return bool(config.generator().random() < probability)


def uniform(low: float, high: float) -> float:
    """A number between two."""
    return float(config.generator().uniform(low, high))


def integer(low: int, high: int) -> int:
    """A whole number from `low` to `high`, both among them."""
    return int(config.generator().integers(low, high, endpoint=True))
