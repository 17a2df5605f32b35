# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.library.dataset.operations import (
    CompoundOperation as CompoundOperation, PyTensorOperation as PyTensorOperation,
    TensorOperation as TensorOperation,
)
from mycel.library.dataset.transforms import not_random as not_random
from mycel.library.dataset.vision.checks import (
    AutoAugmentPolicy as AutoAugmentPolicy, Border as Border, ConvertMode as ConvertMode,
    ImageBatchFormat as ImageBatchFormat, ImageReadMode as ImageReadMode, Inter as Inter, SliceMode as SliceMode,
)
from mycel.library.dataset.vision.files import (
    encode_jpeg as encode_jpeg, encode_png as encode_png, get_image_num_channels as get_image_num_channels,
    get_image_size as get_image_size, read_file as read_file, read_image as read_image, write_file as write_file,
    write_jpeg as write_jpeg, write_png as write_png,
)
from mycel.library.dataset.vision.formats import (
    ConvertColor as ConvertColor, Decode as Decode, Grayscale as Grayscale, HWC2CHW as HWC2CHW,
    HsvToRgb as HsvToRgb, LinearTransformation as LinearTransformation, Normalize as Normalize,
    NormalizePad as NormalizePad, RandomGrayscale as RandomGrayscale, Rescale as Rescale, RgbToHsv as RgbToHsv,
    ToNumpy as ToNumpy, ToPIL as ToPIL, ToTensor as ToTensor, ToType as ToType,
)
from mycel.library.dataset.vision.geometry import (
    CenterCrop as CenterCrop, Crop as Crop, FiveCrop as FiveCrop, HorizontalFlip as HorizontalFlip, Pad as Pad,
    PadToSize as PadToSize, Resize as Resize, ResizedCrop as ResizedCrop, SlicePatches as SlicePatches,
    TenCrop as TenCrop, VerticalFlip as VerticalFlip,
)
from mycel.library.dataset.vision.labelled import (
    BoundingBoxAugment as BoundingBoxAugment, CutMixBatch as CutMixBatch, MixUp as MixUp, MixUpBatch as MixUpBatch,
    RandomCropWithBBox as RandomCropWithBBox, RandomHorizontalFlipWithBBox as RandomHorizontalFlipWithBBox,
    RandomResizeWithBBox as RandomResizeWithBBox, RandomResizedCropWithBBox as RandomResizedCropWithBBox,
    RandomVerticalFlipWithBBox as RandomVerticalFlipWithBBox, ResizeWithBBox as ResizeWithBBox,
)
from mycel.library.dataset.vision.light import (
    AdjustBrightness as AdjustBrightness, AdjustContrast as AdjustContrast, AdjustGamma as AdjustGamma,
    AdjustHue as AdjustHue, AdjustSaturation as AdjustSaturation, AdjustSharpness as AdjustSharpness,
    AutoContrast as AutoContrast, Equalize as Equalize, GaussianBlur as GaussianBlur, Invert as Invert,
    Posterize as Posterize, Solarize as Solarize,
)
from mycel.library.dataset.vision.policies import (
    AutoAugment as AutoAugment, RandAugment as RandAugment, RandomSelectSubpolicy as RandomSelectSubpolicy,
    TrivialAugmentWide as TrivialAugmentWide, UniformAugment as UniformAugment,
)
from mycel.library.dataset.vision.random_geometry import (
    CutOut as CutOut, Erase as Erase, RandomCrop as RandomCrop, RandomCropDecodeResize as RandomCropDecodeResize,
    RandomErasing as RandomErasing, RandomHorizontalFlip as RandomHorizontalFlip, RandomResize as RandomResize,
    RandomResizedCrop as RandomResizedCrop, RandomVerticalFlip as RandomVerticalFlip,
)
from mycel.library.dataset.vision.random_light import (
    RandomAdjustSharpness as RandomAdjustSharpness, RandomAutoContrast as RandomAutoContrast,
    RandomColor as RandomColor, RandomColorAdjust as RandomColorAdjust, RandomEqualize as RandomEqualize,
    RandomInvert as RandomInvert, RandomLighting as RandomLighting, RandomPosterize as RandomPosterize,
    RandomSharpness as RandomSharpness, RandomSolarize as RandomSolarize,
)
from mycel.library.dataset.vision.turning import (
    Affine as Affine, Perspective as Perspective, RandomAffine as RandomAffine,
    RandomPerspective as RandomPerspective, RandomRotation as RandomRotation, Rotate as Rotate,
)
