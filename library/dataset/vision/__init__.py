"""Transformations of images (`mindspore.dataset.vision`): callable alone, and as operations of `Dataset.map`.

Images are NumPy arrays (height, width, channels) or PIL images; decoding and PIL images need Pillow (the extra
`vision`).
"""

from __future__ import annotations

from ..transforms import not_random
from .checks import AutoAugmentPolicy, Border, ConvertMode, ImageBatchFormat, ImageReadMode, Inter, SliceMode
from .files import (
    encode_jpeg,
    encode_png,
    get_image_num_channels,
    get_image_size,
    read_file,
    read_image,
    write_file,
    write_jpeg,
    write_png,
)
from .formats import (
    HWC2CHW,
    ConvertColor,
    Decode,
    Grayscale,
    HsvToRgb,
    LinearTransformation,
    Normalize,
    NormalizePad,
    RandomGrayscale,
    Rescale,
    RgbToHsv,
    ToNumpy,
    ToPIL,
    ToTensor,
    ToType,
)
from .geometry import (
    CenterCrop,
    Crop,
    FiveCrop,
    HorizontalFlip,
    Pad,
    PadToSize,
    Resize,
    ResizedCrop,
    SlicePatches,
    TenCrop,
    VerticalFlip,
)
from .labelled import (
    BoundingBoxAugment,
    CutMixBatch,
    MixUp,
    MixUpBatch,
    RandomCropWithBBox,
    RandomHorizontalFlipWithBBox,
    RandomResizedCropWithBBox,
    RandomResizeWithBBox,
    RandomVerticalFlipWithBBox,
    ResizeWithBBox,
)
from .light import (
    AdjustBrightness,
    AdjustContrast,
    AdjustGamma,
    AdjustHue,
    AdjustSaturation,
    AdjustSharpness,
    AutoContrast,
    Equalize,
    GaussianBlur,
    Invert,
    Posterize,
    Solarize,
)
from .policies import AutoAugment, RandAugment, RandomSelectSubpolicy, TrivialAugmentWide, UniformAugment
from .random_geometry import (
    CutOut,
    Erase,
    RandomCrop,
    RandomCropDecodeResize,
    RandomErasing,
    RandomHorizontalFlip,
    RandomResize,
    RandomResizedCrop,
    RandomVerticalFlip,
)
from .random_light import (
    RandomAdjustSharpness,
    RandomAutoContrast,
    RandomColor,
    RandomColorAdjust,
    RandomEqualize,
    RandomInvert,
    RandomLighting,
    RandomPosterize,
    RandomSharpness,
    RandomSolarize,
)
from .turning import Affine, Perspective, RandomAffine, RandomPerspective, RandomRotation, Rotate

__all__ = [
    "HWC2CHW", "AdjustBrightness", "AdjustContrast", "AdjustGamma", "AdjustHue", "AdjustSaturation",
    "AdjustSharpness", "Affine", "AutoAugment", "AutoAugmentPolicy", "AutoContrast", "Border", "BoundingBoxAugment",
    "CenterCrop", "ConvertColor", "ConvertMode", "Crop", "CutMixBatch", "CutOut", "Decode", "Equalize", "Erase",
    "FiveCrop", "GaussianBlur", "Grayscale", "HorizontalFlip", "HsvToRgb", "ImageBatchFormat", "ImageReadMode",
    "Inter", "Invert", "LinearTransformation", "MixUp", "MixUpBatch", "Normalize", "NormalizePad", "Pad", "PadToSize",
    "Perspective", "Posterize", "RandAugment", "RandomAdjustSharpness", "RandomAffine", "RandomAutoContrast",
    "RandomColor", "RandomColorAdjust", "RandomCrop", "RandomCropDecodeResize", "RandomCropWithBBox",
    "RandomEqualize", "RandomErasing", "RandomGrayscale", "RandomHorizontalFlip", "RandomHorizontalFlipWithBBox",
    "RandomInvert", "RandomLighting", "RandomPerspective", "RandomPosterize", "RandomResize", "RandomResizeWithBBox",
    "RandomResizedCrop", "RandomResizedCropWithBBox", "RandomRotation", "RandomSelectSubpolicy", "RandomSharpness",
    "RandomSolarize", "RandomVerticalFlip", "RandomVerticalFlipWithBBox", "Rescale", "Resize", "ResizeWithBBox",
    "ResizedCrop", "RgbToHsv", "Rotate", "SliceMode", "SlicePatches", "Solarize", "TenCrop", "ToNumpy", "ToPIL",
    "ToTensor", "ToType", "TrivialAugmentWide", "UniformAugment", "VerticalFlip", "encode_jpeg", "encode_png",
    "get_image_num_channels", "get_image_size", "not_random", "read_file", "read_image", "write_file", "write_jpeg",
    "write_png",
]  # fmt: skip
