"""Functions of images behind the transformations (`mindspore.dataset.vision.py_transforms_util`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import vision
from .base import is_picture as is_pil

__all__ = [
    "adjust_brightness", "adjust_contrast", "adjust_hue", "adjust_saturation", "center_crop", "crop", "grayscale",
    "horizontal_flip", "hwc_to_chw", "invert_color", "is_numpy", "is_pil", "normalize", "pad", "resize", "to_pil",
    "to_tensor", "to_type", "vertical_flip",
]  # fmt: skip


def is_numpy(img: Any) -> bool:
    """Whether this is a NumPy array."""
    return isinstance(img, np.ndarray)


def _made(name: str, doc: str) -> Any:
    def function(img: Any, *options: Any, **named: Any) -> Any:
        return getattr(vision, name)(*options, **named)(img)

    function.__doc__ = f"`vision.{name}` of an image, which its arguments follow: {doc}."
    return function


adjust_brightness = _made("AdjustBrightness", "the image brighter")
adjust_contrast = _made("AdjustContrast", "the image with more contrast")
adjust_hue = _made("AdjustHue", "the image in other colours")
adjust_saturation = _made("AdjustSaturation", "the image with stronger colours")
center_crop = _made("CenterCrop", "its middle")
grayscale = _made("Grayscale", "the image in grey")
horizontal_flip = _made("HorizontalFlip", "the image from right to left")
hwc_to_chw = _made("HWC2CHW", "the channels in front")
invert_color = _made("Invert", "the image in opposite colours")
normalize = _made("Normalize", "the channels less their means, divided by their deviations")
pad = _made("Pad", "the image with a border")
resize = _made("Resize", "the image in another size")
to_pil = _made("ToPIL", "the image of Pillow")
to_tensor = _made("ToTensor", "the channels in front, in [0, 1]")
to_type = _made("ToType", "the image with another dtype")
vertical_flip = _made("VerticalFlip", "the image upside down")


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """A part of an image."""
    return vision.Crop((top, left), (height, width))(img)
