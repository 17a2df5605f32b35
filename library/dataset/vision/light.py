"""Images in other lights: brightness, contrast, colours and sharpness, given or drawn anew for each image.

The draws are from the generator that `dataset.config.set_seed` or `set_seed` starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import config
from . import checks, colors
from .base import ImageTransform, Picture, happens, integer, pillow, uniform
from .resampling import Array, cast


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


class AdjustBrightness(ImageTransform):
    """The values times a factor.

    Args:
        brightness_factor: not negative; 0 gives a black image.

    Raises:
        TypeError: if it is no number. ValueError: if it is negative. RuntimeError: if an array has not 3 channels.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.AdjustBrightness(2.0)(np.array([[[1, 100, 200]]], np.uint8)).tolist()
        [[[2, 200, 255]]]
    """

    def __init__(self, brightness_factor: float) -> None:
        self.factor = checks.number(brightness_factor, "brightness_factor")

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return colors.scaled(self.colours(array, (1, 3)), self.factor)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        return adjusted(picture, "Brightness", self.factor)


class AdjustContrast(ImageTransform):
    """The values' difference from the mean brightness times a factor that is not negative.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.AdjustContrast(0.0)(np.array([[[0, 0, 0], [100, 100, 100]]], np.uint8)).tolist()
        [[[50, 50, 50], [50, 50, 50]]]
    """

    def __init__(self, contrast_factor: float) -> None:
        self.factor = checks.number(contrast_factor, "contrast_factor")

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return colors.contrast(self.colours(array), self.factor)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        return adjusted(picture, "Contrast", self.factor)


class AdjustSaturation(ImageTransform):
    """The colours' difference from gray times a factor that is not negative.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.AdjustSaturation(0.0)(np.array([[[100, 100, 40]]], np.uint8)).tolist()
        [[[93, 93, 93]]]
    """

    def __init__(self, saturation_factor: float) -> None:
        self.factor = checks.number(saturation_factor, "saturation_factor")

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return colors.saturation(self.colours(array), self.factor)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        return adjusted(picture, "Color", self.factor)


class AdjustHue(ImageTransform):
    """The colours turned by a share of the circle of colours, from -0.5 to 0.5.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
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
        >>> import numpy as np
        >>> from mycel.dataset import vision
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
        >>> import numpy as np
        >>> from mycel.dataset import vision
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
        >>> import numpy as np
        >>> from mycel.dataset import vision
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
        >>> import numpy as np
        >>> from mycel.dataset import vision
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
        >>> import numpy as np
        >>> from mycel.dataset import vision
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
        >>> import numpy as np
        >>> from mycel.dataset import vision
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
        >>> import numpy as np
        >>> from mycel.dataset import vision
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
        >>> import numpy as np
        >>> from mycel.dataset import vision
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


class RandomColorAdjust(ImageTransform):
    """Brightness, contrast, saturation and hue changed by random factors.

    Args:
        brightness, contrast, saturation: (least, greatest) factor, or how far it is from 1 at most.
        hue: (least, greatest) share of the circle of colours, from -0.5 to 0.5, or how far it is from 0 at most.

    Raises:
        TypeError, ValueError: if an argument is of another type or out of range. RuntimeError: if an array has not 3
        channels.

    Source: MindSpore, `mindspore.dataset.vision.RandomColorAdjust`.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.RandomColorAdjust(brightness=(2, 2))(np.array([[[1, 2, 3]]], np.uint8)).tolist()
        [[[2, 4, 6]]]
    """

    def __init__(
        self,
        brightness: float | Sequence[float] = (1, 1),
        contrast: float | Sequence[float] = (1, 1),
        saturation: float | Sequence[float] = (1, 1),
        hue: float | Sequence[float] = (0, 0),
    ) -> None:
        self.brightness = self._range(brightness, "brightness")
        self.contrast = self._range(contrast, "contrast")
        self.saturation = self._range(saturation, "saturation")
        self.hue = self._range(hue, "hue")

    @staticmethod
    def _range(value: Any, name: str) -> tuple[float, float]:
        checks.of_type(value, (int, float, list, tuple), name)
        if isinstance(value, (int, float)) and value < 0:
            raise ValueError(f"The input value of {name} cannot be negative.")
        if name == "hue":
            return checks.ordered((-value, value) if isinstance(value, (int, float)) else value, name, -0.5, 0.5)
        return checks.ordered((max(0, 1 - value), 1 + value) if isinstance(value, (int, float)) else value, name)

    def of_array(self, array: Array) -> Array:
        """The result for an array, its changes in random order."""
        turn = AdjustHue(uniform(*self.hue))
        return self._in_random_order(
            self.colours(array).copy(),
            [lambda image, factor: colors.scaled(image, factor), colors.contrast, colors.saturation],
            turn.of_array if turn.factor else None,
        )

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image, its changes in random order."""
        share = uniform(*self.hue)
        kinds = ("Brightness", "Contrast", "Color")
        steps = [lambda image, factor, kind=kind: adjusted(image, kind, factor) for kind in kinds]
        return self._in_random_order(picture, steps, lambda image: turned_picture(image, share))

    def _in_random_order(self, image: Any, steps: Sequence[Any], turn: Any) -> Any:
        """The image with brightness, contrast and saturation changed by drawn factors and its colours turned."""
        bounds = (self.brightness, self.contrast, self.saturation)
        drawn = [(step, uniform(*pair)) for step, pair in zip(steps, bounds, strict=True)]
        for place in config.generator().permutation(len(drawn) + 1):
            if place == len(drawn):
                image = turn(image) if turn is not None else image
            elif drawn[place][1] != 1:
                image = drawn[place][0](image, drawn[place][1])
        return image


class RandomColor(ImageTransform):
    """The colours' difference from gray times a random factor.

    Args:
        degrees: (least, greatest) factor.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.RandomColor()(np.zeros((4, 4, 3), np.uint8)).shape
        (4, 4, 3)
    """

    def __init__(self, degrees: Sequence[float] = (0.1, 1.9)) -> None:
        self.degrees = factors(degrees)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return colors.saturation(self.colours(array), uniform(*self.degrees))

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        return adjusted(picture, "Color", uniform(*self.degrees))


def factors(degrees: Any) -> tuple[float, float]:
    """A range of factors that are not negative."""
    if not isinstance(degrees, (list, tuple)):
        raise TypeError("degrees must be either a tuple or a list.")
    if len(degrees) != 2:
        raise ValueError("degrees must be a sequence with length 2.")
    return checks.ordered(degrees, "degrees")


class RandomSharpness(ImageTransform):
    """The difference from a smoothed copy times a random factor.

    Args:
        degrees: (least, greatest) factor.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.RandomSharpness()(np.zeros((4, 4, 3), np.uint8)).shape
        (4, 4, 3)
    """

    def __init__(self, degrees: Sequence[float] = (0.1, 1.9)) -> None:
        self.degrees = factors(degrees)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return colors.sharpness(array, uniform(*self.degrees))

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        return adjusted(picture, "Sharpness", uniform(*self.degrees))


class RandomPosterize(ImageTransform):
    """The values with a random number of their highest bits only, as an array.

    Args:
        bits: (least, greatest) number, from 1 to 8, or just one.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.RandomPosterize((1, 1))(np.array([[[0, 255, 55]]], np.uint8)).tolist()
        [[[0, 128, 0]]]
    """

    def __init__(self, bits: int | Sequence[int] = (8, 8)) -> None:
        checks.of_type(bits, (list, tuple, int), "bits")
        given = (bits, bits) if isinstance(bits, int) else bits
        for item in checks.pair(given, "bits", int):
            checks.whole(item, "bits", 0, 255)
        self.bits = checks.ordered(given, "bits", 1, 8)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return posterized(self.bytes_only(array), integer(*self.bits))


class RandomSolarize(ImageTransform):
    """255 less each value within a random range, as an array.

    Args:
        threshold: least and greatest end of the range, from 0 to 255.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.RandomSolarize((0, 0))(np.array([[[0, 255, 55]]], np.uint8)).shape
        (1, 1, 3)
    """

    def __init__(self, threshold: tuple[int, int] = (0, 255)) -> None:
        checks.of_type(threshold, tuple, "threshold")
        if len(threshold) != 2:
            raise ValueError("threshold must be a sequence of two numbers.")
        for item in threshold:
            checks.whole(item, "threshold", 0, 255)
        self.threshold = checks.ordered(threshold, "threshold", 0, 255)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        ends = sorted(integer(*self.threshold) for _ in range(2))
        return solarized(self.bytes_only(array), *ends)


class _Perhaps(ImageTransform):
    """Another transformation of arrays, with a probability."""

    batches = True

    def __init__(self, prob: float, transform: ImageTransform) -> None:
        self.prob = checks.probability(prob)
        self.transform = transform

    def of_arrays(self, *arrays: Array) -> Any:
        """The results for arrays."""
        if happens(self.prob):
            return self.transform.of_arrays(*arrays)
        return arrays[0] if len(arrays) == 1 else arrays


class RandomInvert(_Perhaps):
    """255 less each value with probability `prob`, as an array.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.RandomInvert(1.0)(np.array([[[0, 255, 55]]], np.uint8)).tolist()
        [[[255, 0, 200]]]
    """

    def __init__(self, prob: float = 0.5) -> None:
        super().__init__(prob, Invert())


class RandomEqualize(_Perhaps):
    """As `Equalize` with probability `prob`, as an array.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.RandomEqualize()(np.zeros((4, 4, 3), np.uint8)).shape
        (4, 4, 3)
    """

    def __init__(self, prob: float = 0.5) -> None:
        super().__init__(prob, Equalize())


class RandomAutoContrast(_Perhaps):
    """As `AutoContrast` with probability `prob`, as an array.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.RandomAutoContrast()(np.zeros((4, 4, 3), np.uint8)).shape
        (4, 4, 3)
    """

    def __init__(self, cutoff: float = 0.0, ignore: int | Sequence[int] | None = None, prob: float = 0.5) -> None:
        super().__init__(prob, AutoContrast(cutoff, ignore))


class RandomAdjustSharpness(_Perhaps):
    """As `AdjustSharpness` with probability `prob`, as an array.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.RandomAdjustSharpness(2.0)(np.zeros((4, 4, 3), np.uint8)).shape
        (4, 4, 3)
    """

    def __init__(self, degree: float, prob: float = 0.5) -> None:
        super().__init__(prob, AdjustSharpness(checks.number(degree, "degree", 0, 3.4e38)))


# The directions in which the colours of ImageNet vary (Krizhevsky and others, 2012), each times how far.
_DIRECTIONS = np.array([[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]]) * [
    55.46,
    4.794,
    1.148,
]


class RandomLighting(ImageTransform):
    """Red, green and blue each with a random offset, as light varies in photographs.

    Args:
        alpha: the standard deviation of the draws.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import vision
        >>> vision.RandomLighting()(np.zeros((4, 4, 3), np.uint8)).shape
        (4, 4, 3)
    """

    def __init__(self, alpha: float = 0.05) -> None:
        self.alpha = checks.number(alpha, "alpha", 0, 3.4e38)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        offsets = _DIRECTIONS @ config.generator().normal(0.0, self.alpha, 3)
        return colors.scaled(self.colours(array), 1.0, offsets)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        array = np.asarray(picture.convert("RGB"), np.float64) + _DIRECTIONS @ config.generator().normal(
            0, self.alpha, 3
        )
        return pillow("Image").fromarray(np.clip(array, 0, 255).astype(np.uint8))
