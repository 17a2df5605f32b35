# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.library.dataset.vision.base import (
    ImageTransform as ImageTransform, PictureTransform as PictureTransform, happens as happens, integer as integer,
    is_picture as is_picture, pillow as pillow, uniform as uniform, without_channel as without_channel,
    is_picture as _is_pil,
)
from mycel.library.dataset.vision.plain_functions import crop as crop, is_numpy as is_numpy
is_pil = _is_pil

augment_error_message: str

def adjust_brightness(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.AdjustBrightness` of an image, which its arguments follow: the image brighter."""

def adjust_contrast(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.AdjustContrast` of an image, which its arguments follow: the image with more contrast."""

def adjust_hue(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.AdjustHue` of an image, which its arguments follow: the image in other colours."""

def adjust_saturation(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.AdjustSaturation` of an image, which its arguments follow: the image with stronger colours."""

def center_crop(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.CenterCrop` of an image, which its arguments follow: its middle."""

def grayscale(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.Grayscale` of an image, which its arguments follow: the image in grey."""

def horizontal_flip(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.HorizontalFlip` of an image, which its arguments follow: the image from right to left."""

def hwc_to_chw(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.HWC2CHW` of an image, which its arguments follow: the channels in front."""

def invert_color(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.Invert` of an image, which its arguments follow: the image in opposite colours."""

def normalize(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.Normalize` of an image, which its arguments follow: the channels less their means, divided by their
    deviations."""

def pad(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.Pad` of an image, which its arguments follow: the image with a border."""

def resize(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.Resize` of an image, which its arguments follow: the image in another size."""

def to_pil(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.ToPIL` of an image, which its arguments follow: the image of Pillow."""

def to_tensor(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.ToTensor` of an image, which its arguments follow: the channels in front, in [0, 1]."""

def to_type(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.ToType` of an image, which its arguments follow: the image with another dtype."""

def vertical_flip(img: Any, *options: Any, **named: Any) -> Any:
    """`vision.VerticalFlip` of an image, which its arguments follow: the image upside down."""
