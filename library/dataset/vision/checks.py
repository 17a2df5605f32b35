"""The choices that image transformations take, and checks of arguments: TypeError or ValueError with the name."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, IntEnum
from numbers import Number
from typing import Any

from ..checks import of_type as of_type, within as within

__all__ = ["AutoAugmentPolicy", "Border", "ConvertMode", "ImageBatchFormat", "ImageReadMode", "Inter", "SliceMode"]


class Inter(IntEnum):
    """How values between pixels are found. `ANTIALIAS` is for PIL images only, `AREA` and `PILCUBIC` for arrays."""

    NEAREST = 0
    ANTIALIAS = 1
    BILINEAR = LINEAR = 2
    BICUBIC = CUBIC = 3
    AREA = 4
    PILCUBIC = 5


class Border(str, Enum):
    """The pixels around an image: one value, its edge, or its mirror image without or with the edge."""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class ConvertMode(IntEnum):
    """Conversions of `ConvertColor`."""

    COLOR_BGR2BGRA = COLOR_RGB2RGBA = 0
    COLOR_BGRA2BGR = COLOR_RGBA2RGB = 1
    COLOR_BGR2RGBA = COLOR_RGB2BGRA = 2
    COLOR_RGBA2BGR = COLOR_BGRA2RGB = 3
    COLOR_BGR2RGB = COLOR_RGB2BGR = 4
    COLOR_BGRA2RGBA = COLOR_RGBA2BGRA = 5
    COLOR_BGR2GRAY = 6
    COLOR_RGB2GRAY = 7
    COLOR_GRAY2BGR = COLOR_GRAY2RGB = 8
    COLOR_GRAY2BGRA = COLOR_GRAY2RGBA = 9
    COLOR_BGRA2GRAY = 10
    COLOR_RGBA2GRAY = 11


class ImageBatchFormat(IntEnum):
    """Where the channels of a batch of images are."""

    NHWC = 0
    NCHW = 1


class ImageReadMode(IntEnum):
    """How `read_image` decodes: as stored, as gray values, or as colours."""

    UNCHANGED = 0
    GRAYSCALE = 1
    COLOR = 2


class SliceMode(IntEnum):
    """The treatment of an image that `SlicePatches` cannot divide evenly: pad it, or drop the rest."""

    PAD = 0
    DROP = 1


class AutoAugmentPolicy(str, Enum):
    """The data set whose policies `AutoAugment` uses."""

    IMAGENET = "imagenet"
    CIFAR10 = "cifar10"
    SVHN = "svhn"


INT32_MAX = 2**31 - 1
LARGEST = 2**24  # Up to here single precision holds every whole number.


def number(
    value: Any, name: str, low: float = 0, high: float = LARGEST, above: bool = False, kinds: Any = (int, float)
) -> Any:
    """A number in a range."""
    return within(of_type(value, kinds, name), low, high, name, above)


def whole(value: Any, name: str, low: int = 0, high: int = INT32_MAX) -> int:
    """An int in a range."""
    return number(value, name, low, high, kinds=int)


def probability(value: Any, name: str = "prob") -> float:
    """A number from 0 to 1."""
    return number(value, name, 0, 1)


def pair(value: Any, name: str, kinds: Any = (int, float)) -> tuple[Any, Any]:
    """Two numbers."""
    of_type(value, (tuple, list), name)
    if len(value) != 2:
        raise TypeError(f"{name} should be a list/tuple of length 2, but got {len(value)}.")
    first, second = (of_type(item, kinds, f"{name}[{place}]") for place, item in enumerate(value))
    return first, second


def ordered(value: Any, name: str, low: float = 0, high: float = LARGEST, above: bool = False) -> tuple[Any, Any]:
    """The least and the greatest of a range that random numbers are drawn from."""
    least, greatest = pair(value, name)
    if least > greatest:
        raise ValueError(f"{name} should be in (min,max) format. Got ({least}, {greatest}).")
    for item in (least, greatest):
        within(item, low, high, name, above)
    return least, greatest


def size(value: Any, name: str = "size", single: bool = False) -> Any:
    """(height, width) for one number or two; with `single` one number is returned unchanged."""
    if isinstance(value, int) and not isinstance(value, bool):
        whole(value, name, 1, LARGEST)
        return value if single else (value, value)
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise TypeError(f"{name.capitalize()} should be a single integer or a list/tuple (h, w) of length 2.")
    height, width = (whole(item, f"{name}[{place}]", 1) for place, item in enumerate(value))
    return height, width


def fill(value: Any, name: str = "fill_value") -> tuple[int, int, int]:
    """Three numbers from 0 to 255, of one or three."""
    if isinstance(value, int) and not isinstance(value, bool):
        whole(value, name, 0, 255)
        return value, value, value
    if not isinstance(value, tuple) or len(value) != 3:
        raise TypeError(f"{name} should be a single integer or a 3-tuple.")
    red, green, blue = (whole(item, f"{name}[{place}]", 0, 255) for place, item in enumerate(value))
    return red, green, blue


def interpolation(value: Any, name: str = "interpolation") -> Inter:
    """One of `Inter`."""
    return of_type(value, Inter, name)


def border(value: Any) -> Border:
    """One of `Border`."""
    return of_type(value, Border, "padding_mode")


def padding(value: Any) -> tuple[int, int, int, int]:
    """(left, top, right, bottom) of one number, of (left and right, top and bottom), or of all four."""
    if isinstance(value, Number):
        of_type(value, int, "padding")
        value = (value,) * 4
    of_type(value, (tuple, list), "padding")
    if len(value) not in (2, 4):
        raise ValueError("The size of the padding list or tuple should be 2 or 4.")
    sides = [whole(item, f"padding[{place}]") for place, item in enumerate(value)]
    left, top, right, bottom = sides if len(sides) == 4 else sides * 2
    return left, top, right, bottom


def degrees(value: Any) -> tuple[float, float]:
    """The range of angles of one number, taken both ways, or of two."""
    of_type(value, (int, float, list, tuple), "degrees")
    if isinstance(value, (int, float)):
        number(value, "degrees", 0, 3.4e38)
        return -value, value
    return ordered(value, "degrees", -3.4e38, 3.4e38)


def mean_and_deviation(mean: Any, deviation: Any) -> tuple[Sequence[float], Sequence[float]]:
    """As many means as standard deviations, all within the values of an image."""
    of_type(mean, (list, tuple), "mean")
    of_type(deviation, (list, tuple), "std")
    if len(mean) != len(deviation):
        raise ValueError("Length of mean and std must be equal.")
    for place, item in enumerate(mean):
        number(item, f"mean[{place}]", 0, 255)
    for place, item in enumerate(deviation):
        number(item, f"std[{place}]", 0, 255, above=True)
    return mean, deviation


def center(value: Any) -> tuple[float, ...]:
    """A point (x, y), or nothing."""
    if value is None:
        return ()
    if not isinstance(value, tuple) or len(value) != 2:
        raise ValueError(f"Value center needs to be a 2-tuple, but got {value!r}.")
    return tuple(number(item, "center", -(2**31), INT32_MAX) for item in value)


def operations(value: Any, name: str = "transforms") -> list[Any]:
    """A list of at least one function."""
    of_type(value, (list, tuple), name)
    if not value:
        raise ValueError(f"{name} list can not be empty.")
    for place, item in enumerate(value):
        if not callable(item):
            raise TypeError(f"{name}[{place}] is neither a transforms op (TensorOperation) nor a callable pyfunc.")
    return list(value)
