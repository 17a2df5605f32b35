"""Images in other lights: brightness, contrast, colours and sharpness, given or drawn anew for each image.

The draws are from the generator that `dataset.config.set_seed` or `set_seed` starts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from . import checks, colors
from .base import ImageTransform, Picture, pillow
from .resampling import Array, cast

__all__ = [
    "AdjustBrightness", "AdjustContrast", "AdjustGamma", "AdjustHue", "AdjustSaturation", "AdjustSharpness",
    "AutoContrast", "Equalize", "GaussianBlur", "Invert", "Posterize", "Solarize",
]  # fmt: skip


def adjusted(picture: Picture, kind: str, factor: float) -> Picture:
    """The PIL image through one of Pillow's enhancements: Brightness, Contrast, Color or Sharpness."""
    return getattr(pillow("ImageEnhance"), kind)(picture).enhance(factor)


def turned_picture(picture: Picture, share: float) -> Picture:
    """The colours of a PIL image turned by a share of the circle; gray ones stay."""
    if picture.mode in ("L", "1", "I", "F"):
        return picture
    image_module = pillow("Image")
    turned, saturations, values = picture.convert("HSV").split()
    hues = np.asarray(turned, np.int64) + int(share * 255) & 255
    made = image_module.merge("HSV", (image_module.fromarray(hues.astype(np.uint8)), saturations, values))
    return made.convert(picture.mode)


class Enhanced(ImageTransform):
    """An image of colours through one of Pillow's enhancements with `factor()`.

    A subclass names the enhancement, and gives the function that does the same to an array.
    """

    enhancement: str
    compute: Callable[[Array, float], Array]
    allowed: tuple[int, ...] = (3,)

    def factor(self) -> float:
        """The factor for this image."""
        raise NotImplementedError

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return type(self).compute(self.colours(array, self.allowed), self.factor())

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        return adjusted(picture, self.enhancement, self.factor())


class Adjusted(Enhanced):
    """An enhancement with the factor that it is made with."""

    _factor: float

    def factor(self) -> float:
        """The factor for every image."""
        return self._factor


class AdjustBrightness(Adjusted):
    """The values times a factor.

    Args:
        brightness_factor: not negative; 0 gives a black image.

    Raises:
        TypeError: if it is no number. ValueError: if it is negative. RuntimeError: if an array has not 3 channels.

    Examples:
        >>> vision.AdjustBrightness(2.0)(np.array([[[1, 100, 200]]], np.uint8)).tolist()
        [[[2, 200, 255]]]
    """

    enhancement = "Brightness"
    compute = staticmethod(colors.scaled)
    allowed = (1, 3)

    def __init__(self, brightness_factor: float) -> None:
        self._factor = checks.number(brightness_factor, "brightness_factor")


class AdjustContrast(Adjusted):
    """The values' difference from the mean brightness times a factor that is not negative.

    Examples:
        >>> vision.AdjustContrast(0.0)(np.array([[[0, 0, 0], [100, 100, 100]]], np.uint8)).tolist()
        [[[50, 50, 50], [50, 50, 50]]]
    """

    enhancement = "Contrast"
    compute = staticmethod(colors.contrast)

    def __init__(self, contrast_factor: float) -> None:
        self._factor = checks.number(contrast_factor, "contrast_factor")


class AdjustSaturation(Adjusted):
    """The colours' difference from gray times a factor that is not negative.

    Examples:
        >>> vision.AdjustSaturation(0.0)(np.array([[[100, 100, 40]]], np.uint8)).tolist()
        [[[93, 93, 93]]]
    """

    enhancement = "Color"
    compute = staticmethod(colors.saturation)

    def __init__(self, saturation_factor: float) -> None:
        self._factor = checks.number(saturation_factor, "saturation_factor")


class AdjustHue(ImageTransform):
    """The colours turned by a share of the circle of colours, from -0.5 to 0.5.

    Examples:
        >>> vision.AdjustHue(0.5)(np.array([[[255, 0, 0]]], np.uint8)).tolist()
        [[[0, 255, 252]]]
    """

    def __init__(self, hue_factor: float) -> None:
        self.factor = checks.number(hue_factor, "hue_factor", -0.5, 0.5)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return colors.hue(self.bytes_only(self.colours(array)), self.factor)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        return turned_picture(picture, self.factor)


class AdjustGamma(ImageTransform):
    """`gain` times the `gamma`-th power of the values as shares of their range: 255, for floats 1.

    Examples:
        >>> vision.AdjustGamma(2.0)(np.array([[[0, 255, 51]]], np.uint8)).tolist()
        [[[0, 255, 10]]]
    """

    batches = True

    def __init__(self, gamma: float, gain: float = 1) -> None:
        self.gamma = checks.number(gamma, "gamma")
        self.gain = checks.number(gain, "gain", -checks.LARGEST)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return colors.gamma(array if array.dtype.kind == "f" else self.bytes_only(array), self.gamma, self.gain)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        table = colors.gamma_table(self.gamma, self.gain).astype(int).tolist()
        bands = len(picture.getbands())
        return picture.point(table * bands) if bands in (1, 3) else picture


class AdjustSharpness(ImageTransform):
    """The difference from a smoothed copy times a factor that is not negative, as an array.

    Examples:
        >>> vision.AdjustSharpness(2.0)(np.zeros((4, 4, 3), np.uint8)).shape
        (4, 4, 3)
    """

    def __init__(self, sharpness_factor: float) -> None:
        self.factor = checks.number(sharpness_factor, "sharpness_factor")

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return colors.sharpness(array, self.factor)


class AutoContrast(ImageTransform):
    """Each channel's values stretched over the whole range.

    Args:
        cutoff: per cent of the lowest and of the highest values that are left out, from 0 to below 50.
        ignore: values that do not count: None, one, or several.

    Raises:
        TypeError, ValueError: if an argument is of another type or out of range. RuntimeError: if an array is not of
        uint8.

    Examples:
        >>> vision.AutoContrast()(np.array([[50, 100, 150]], np.uint8)).tolist()
        [[0, 127, 255]]
    """

    def __init__(self, cutoff: float = 0.0, ignore: int | Sequence[int] | None = None) -> None:
        self.cutoff = checks.number(cutoff, "cutoff", 0, 50)
        if cutoff == 50:
            raise ValueError("Input cutoff is not within the required interval of [0, 50).")
        given = [] if ignore is None else [ignore] if isinstance(ignore, int) else ignore
        checks.of_type(given, (list, tuple), "ignore")
        self.ignore = [checks.whole(item, "ignore", 0, 255) for item in given]

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return colors.autocontrast(self.bytes_only(array), self.cutoff, self.ignore)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        return pillow("ImageOps").autocontrast(picture, self.cutoff, self.ignore)


class Equalize(ImageTransform):
    """Each channel's values spread so that all are equally frequent.

    Examples:
        >>> vision.Equalize()(np.zeros((4, 4, 3), np.uint8)).shape
        (4, 4, 3)
    """

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return colors.equalize(self.bytes_only(array))

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        return pillow("ImageOps").equalize(picture)


class Invert(ImageTransform):
    """255 less each value.

    Examples:
        >>> vision.Invert()(np.array([[[0, 255, 55]]], np.uint8)).tolist()
        [[[255, 0, 200]]]
    """

    def _of_one(self, array: Array) -> Array:
        return self.of_array(self.colours(array, (1, 3)))

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return cast(255 - array.astype(np.float32), array.dtype)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        return pillow("ImageOps").invert(picture)


class Posterize(ImageTransform):
    """The values with their highest `bits` bits only, from 0 to 8, as an array.

    Examples:
        >>> vision.Posterize(1)(np.array([[[0, 255, 55]]], np.uint8)).tolist()
        [[[0, 128, 0]]]
    """

    def __init__(self, bits: int) -> None:
        self.bits = checks.whole(bits, "bits", 0, 8)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return posterized(self.bytes_only(array), self.bits)


def posterized(array: Array, bits: int) -> Array:
    """The highest bits of uint8 values."""
    return array & np.uint8(256 - (1 << 8 - bits) & 255)


class Solarize(ImageTransform):
    """255 less each value within a range, as an array.

    Args:
        threshold: (least, greatest), from 0 to 255; one number for all from it on.

    Examples:
        >>> vision.Solarize((0, 100))(np.array([[[0, 255, 55]]], np.uint8)).tolist()
        [[[255, 255, 200]]]
    """

    def __init__(self, threshold: float | Sequence[float]) -> None:
        checks.of_type(threshold, (float, int, list, tuple), "threshold")
        given = (threshold, threshold) if isinstance(threshold, (float, int)) else threshold
        self.threshold = checks.ordered(given, "threshold", 0, 255)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return solarized(array, *self.threshold)


def solarized(array: Array, least: float, greatest: float) -> Array:
    """255 less each value that is within a range, or that is at least `least` if the range is this value alone."""
    inside = (array >= least) & ((array <= greatest) | (least == greatest))
    return np.where(inside, cast(255 - array.astype(np.float32), array.dtype), array)


class GaussianBlur(ImageTransform):
    """The image smoothed, as an array; it is taken to go on mirrored at its edges.

    Args:
        kernel_size: the odd size of the window, or (width, height).
        sigma: how far a pixel spreads, or (along the width, along the height); None or 0: what suits the size.

    Raises:
        TypeError: if an argument is of another type. ValueError: if a size is even or not positive, a sigma negative.

    Examples:
        >>> vision.GaussianBlur(3)(np.full((4, 4, 3), 9, np.uint8)).max()
        np.uint8(9)
    """

    def __init__(self, kernel_size: int | Sequence[int], sigma: float | Sequence[float] | None = None) -> None:
        checks.of_type(kernel_size, (int, list, tuple), "kernel_size")
        sizes = [kernel_size] * 2 if isinstance(kernel_size, int) else list(kernel_size)
        if len(sizes) != 2:
            raise TypeError(
                "Kernel size should be a single integer or a list/tuple (kernel_width, kernel_height) of length 2."
            )
        for size in sizes:
            if checks.whole(size, "kernel_size", 1, checks.LARGEST) % 2 == 0:
                raise ValueError(f"Input kernel_size is not an odd value: {size}.")
        sigmas = [sigma or 0.0] * 2 if not isinstance(sigma, (list, tuple)) else list(sigma)
        if len(sigmas) != 2:
            raise TypeError("Sigma should be a single number or a list/tuple of length 2 for width and height.")
        self.sizes = sizes
        self.sigmas = [checks.number(value, "sigma") for value in sigmas]

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return colors.gaussian_blur(array, self.sizes[0], self.sizes[1], self.sigmas[0], self.sigmas[1])
