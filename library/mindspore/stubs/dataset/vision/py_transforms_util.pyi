# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.library.dataset.transforms import not_random
from mycel.library.dataset.vision.base import (
    ImageTransform, PictureTransform, happens, integer, is_picture, is_picture as is_pil, pillow, uniform,
    without_channel,
)
from mycel.library.dataset.vision.checks import (
    AutoAugmentPolicy, Border, ConvertMode, ImageBatchFormat, ImageReadMode, Inter, SliceMode,
)
from mycel.library.dataset.vision.files import (
    encode_jpeg, encode_png, get_image_num_channels, get_image_size, read_file, read_image, write_file, write_jpeg,
    write_png,
)
from mycel.library.dataset.vision.formats import (
    ConvertColor, Decode, Grayscale, HWC2CHW, HsvToRgb, LinearTransformation, Normalize, NormalizePad,
    RandomGrayscale, Rescale, RgbToHsv, ToNumpy, ToPIL, ToTensor, ToType,
)
from mycel.library.dataset.vision.geometry import (
    CenterCrop, Crop, FiveCrop, HorizontalFlip, Pad, PadToSize, Resize, ResizedCrop, SlicePatches, TenCrop,
    VerticalFlip,
)
from mycel.library.dataset.vision.labelled import (
    BoundingBoxAugment, CutMixBatch, MixUp, MixUpBatch, RandomCropWithBBox, RandomHorizontalFlipWithBBox,
    RandomResizeWithBBox, RandomResizedCropWithBBox, RandomVerticalFlipWithBBox, ResizeWithBBox,
)
from mycel.library.dataset.vision.light import (
    AdjustBrightness, AdjustContrast, AdjustGamma, AdjustHue, AdjustSaturation, AdjustSharpness, AutoContrast,
    Equalize, GaussianBlur, Invert, Posterize, RandomAdjustSharpness, RandomAutoContrast, RandomColor,
    RandomColorAdjust, RandomEqualize, RandomInvert, RandomLighting, RandomPosterize, RandomSharpness,
    RandomSolarize, Solarize,
)
from mycel.library.dataset.vision.policies import (
    AutoAugment, RandAugment, RandomSelectSubpolicy, TrivialAugmentWide, UniformAugment,
)
from mycel.library.dataset.vision.random_geometry import (
    CutOut, Erase, RandomCrop, RandomCropDecodeResize, RandomErasing, RandomHorizontalFlip, RandomResize,
    RandomResizedCrop, RandomVerticalFlip,
)
from mycel.library.dataset.vision.turning import (
    Affine, Perspective, RandomAffine, RandomPerspective, RandomRotation, Rotate,
)

__all__ = [
    "AdjustBrightness", "AdjustContrast", "AdjustGamma", "AdjustHue", "AdjustSaturation", "AdjustSharpness", "Affine",
    "AutoAugment", "AutoAugmentPolicy", "AutoContrast", "Border", "BoundingBoxAugment", "CenterCrop", "ConvertColor",
    "ConvertMode", "Crop", "CutMixBatch", "CutOut", "Decode", "Equalize", "Erase", "FiveCrop", "GaussianBlur",
    "Grayscale", "HWC2CHW", "HorizontalFlip", "HsvToRgb", "ImageBatchFormat", "ImageReadMode", "ImageTransform",
    "Inter", "Invert", "LinearTransformation", "MixUp", "MixUpBatch", "Normalize", "NormalizePad", "Pad", "PadToSize",
    "Perspective", "PictureTransform", "Posterize", "RandAugment", "RandomAdjustSharpness", "RandomAffine",
    "RandomAutoContrast", "RandomColor", "RandomColorAdjust", "RandomCrop", "RandomCropDecodeResize",
    "RandomCropWithBBox", "RandomEqualize", "RandomErasing", "RandomGrayscale", "RandomHorizontalFlip",
    "RandomHorizontalFlipWithBBox", "RandomInvert", "RandomLighting", "RandomPerspective", "RandomPosterize",
    "RandomResize", "RandomResizeWithBBox", "RandomResizedCrop", "RandomResizedCropWithBBox", "RandomRotation",
    "RandomSelectSubpolicy", "RandomSharpness", "RandomSolarize", "RandomVerticalFlip", "RandomVerticalFlipWithBBox",
    "Rescale", "Resize", "ResizeWithBBox", "ResizedCrop", "RgbToHsv", "Rotate", "SliceMode", "SlicePatches", "Solarize",
    "TenCrop", "ToNumpy", "ToPIL", "ToTensor", "ToType", "TrivialAugmentWide", "UniformAugment", "VerticalFlip",
    "augment_error_message", "encode_jpeg", "encode_png", "get_image_num_channels", "get_image_size", "happens",
    "integer", "is_picture", "is_pil", "not_random", "pillow", "read_file", "read_image", "uniform", "without_channel",
    "write_file", "write_jpeg", "write_png",
]

augment_error_message: str
