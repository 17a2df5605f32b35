"""Transformations chosen at random from lists of them: AutoAugment, RandAugment, TrivialAugment, and lists of users."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import config
from . import checks, colors, resampling
from .base import ImageTransform, happens, integer
from .checks import AutoAugmentPolicy, Inter
from .light import posterized, solarized
from .resampling import Array

__all__ = ["AutoAugment", "RandAugment", "RandomSelectSubpolicy", "TrivialAugmentWide", "UniformAugment"]

# The policies of AutoAugment (Cubuk and others, 2019): a line is a pair of changes, each with its probability and, if
# it has one, its strength from 0 to 9.
_IMAGENET = """
Posterize 0.4 8, Rotate 0.6 9
Solarize 0.6 5, AutoContrast 0.6
Equalize 0.8, Equalize 0.6
Posterize 0.6 7, Posterize 0.6 6
Equalize 0.4, Solarize 0.2 4
Equalize 0.4, Rotate 0.8 8
Solarize 0.6 3, Equalize 0.6
Posterize 0.8 5, Equalize 1.0
Rotate 0.2 3, Solarize 0.6 8
Equalize 0.6, Posterize 0.4 6
Rotate 0.8 8, Color 0.4 0
Rotate 0.4 9, Equalize 0.6
Equalize 0.0, Equalize 0.8
Invert 0.6, Equalize 1.0
Color 0.6 4, Contrast 1.0 8
Rotate 0.8 8, Color 1.0 2
Color 0.8 8, Solarize 0.8 7
Sharpness 0.4 7, Invert 0.6
ShearX 0.6 5, Equalize 1.0
Color 0.4 0, Equalize 0.6
Equalize 0.4, Solarize 0.2 4
Solarize 0.6 5, AutoContrast 0.6
Invert 0.6, Equalize 1.0
Color 0.6 4, Contrast 1.0 8
Equalize 0.8, Equalize 0.6
"""
_CIFAR10 = """
Invert 0.1, Contrast 0.2 6
Rotate 0.7 2, TranslateX 0.3 9
Sharpness 0.8 1, Sharpness 0.9 3
ShearY 0.5 8, TranslateY 0.7 9
AutoContrast 0.5, Equalize 0.9
ShearY 0.2 7, Posterize 0.3 7
Color 0.4 3, Brightness 0.6 7
Sharpness 0.3 9, Brightness 0.7 9
Equalize 0.6, Equalize 0.5
Contrast 0.6 7, Sharpness 0.6 5
Color 0.7 7, TranslateX 0.5 8
Equalize 0.3, AutoContrast 0.4
TranslateY 0.4 3, Sharpness 0.2 6
Brightness 0.9 6, Color 0.2 8
Solarize 0.5 2, Invert 0.0
Equalize 0.2, AutoContrast 0.6
Equalize 0.2, Equalize 0.6
Color 0.9 9, Equalize 0.6
AutoContrast 0.8, Solarize 0.2 8
Brightness 0.1 3, Color 0.7 0
Solarize 0.4 5, AutoContrast 0.9
TranslateY 0.9 9, TranslateY 0.7 9
AutoContrast 0.9, Solarize 0.8 3
Equalize 0.8, Invert 0.1
TranslateY 0.7 9, AutoContrast 0.9
"""
_SVHN = """
ShearX 0.9 4, Invert 0.2
ShearY 0.9 8, Invert 0.7
Equalize 0.6, Solarize 0.6 6
Invert 0.9, Equalize 0.6
Equalize 0.6, Rotate 0.9 3
ShearX 0.9 4, AutoContrast 0.8
ShearY 0.9 8, Invert 0.4
ShearY 0.9 5, Solarize 0.2 6
Invert 0.9, AutoContrast 0.8
Equalize 0.6, Rotate 0.9 3
ShearX 0.9 4, Solarize 0.3 3
ShearY 0.8 8, Invert 0.7
Equalize 0.9, TranslateY 0.6 6
Invert 0.9, Equalize 0.6
Contrast 0.3 3, Rotate 0.8 4
Invert 0.8, TranslateY 0.0 2
ShearY 0.7 6, Solarize 0.4 8
Invert 0.6, Rotate 0.8 4
ShearY 0.3 7, TranslateX 0.9 3
ShearX 0.1 6, Invert 0.6
Solarize 0.7 2, TranslateY 0.6 7
ShearY 0.8 4, Invert 0.8
ShearX 0.7 9, TranslateY 0.8 3
ShearY 0.8 5, AutoContrast 0.7
ShearX 0.7 2, Invert 0.1
"""
_LINES = {AutoAugmentPolicy.IMAGENET: _IMAGENET, AutoAugmentPolicy.CIFAR10: _CIFAR10, AutoAugmentPolicy.SVHN: _SVHN}

_PLAIN: dict[str, Callable[[Array], Array]] = {
    "Identity": np.copy,
    "AutoContrast": lambda image: colors.autocontrast(image, 0.0, ()),
    "Equalize": colors.equalize,
    "Invert": lambda image: 255 - image,
}
_FACTORS: dict[str, Callable[[Array, float], Array]] = {
    "Brightness": colors.scaled,
    "Color": colors.saturation,
    "Contrast": colors.contrast,
    "Sharpness": colors.sharpness,
}
_MOVES = ("ShearX", "ShearY", "TranslateX", "TranslateY", "Rotate")


class _Augment(ImageTransform):
    """Changes of uint8 arrays (H, W, 3) by name and strength."""

    # The greatest shear, the greatest move as a share of the size or in pixels, the greatest angle, the greatest
    # difference of a factor from 1, and how many bits are left out at most.
    shear, share, pixels, angle, factor, bits = 0.3, 150.0 / 331.0, 0.0, 30.0, 0.9, 4

    def __init__(self, interpolation: Any, fill_value: Any) -> None:
        self.interpolation = checks.interpolation(interpolation)
        self.fill_value = checks.fill(fill_value)

    def change(self, image: Array, name: str, strength: float) -> Array:
        """The image changed, with a strength from 0 to 1; changes that have two directions take either."""
        if name in _PLAIN:
            return _PLAIN[name](image)
        if name == "Posterize":
            return posterized(image, 8 - round(strength * self.bits))
        if name == "Solarize":
            return solarized(image, 255 * (1 - strength), 255)
        way = 1.0 if happens(0.5) else -1.0
        if name in _FACTORS:
            return _FACTORS[name](image, 1 + way * strength * self.factor)
        return self._moved(image, name, way * strength)

    def _moved(self, image: Array, name: str, amount: float) -> Array:
        height, width = image.shape[:2]
        matrix = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
        if name == "Rotate":
            matrix = resampling.rotation(amount * self.angle, ((width - 1) / 2, (height - 1) / 2))
        elif name == "ShearX":
            matrix[0, 1] = amount * self.shear
        elif name == "ShearY":
            matrix[1, 0] = amount * self.shear
        else:
            axis = 0 if name == "TranslateX" else 1
            matrix[axis, 2] = round(amount * (self.pixels or self.share * (width, height)[axis]))
        return resampling.warp_affine(image, matrix, height, width, self.interpolation, self.fill_value)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return self.augmented(self.bytes_only(self.colours(array)))

    def augmented(self, image: Array) -> Array:
        """The image after the changes drawn for it."""
        raise NotImplementedError(f"{type(self).__name__} should define augmented()")


class AutoAugment(_Augment):
    """The image after one pair of changes from the policy learnt for a data set, as an array.

    Args:
        policy: an `AutoAugmentPolicy`.
        interpolation: an `Inter`.
        fill_value: what is put where the image is not.

    Raises:
        TypeError, ValueError: if an argument is of another type or out of range. RuntimeError: if the image is not
        (H, W, 3) of uint8.

    Source: Cubuk and others, AutoAugment: Learning Augmentation Policies from Data, 2019.

    Examples:
        >>> vision.AutoAugment()(np.zeros((4, 6, 3), np.uint8)).shape
        (4, 6, 3)
    """

    def __init__(
        self,
        policy: AutoAugmentPolicy = AutoAugmentPolicy.IMAGENET,
        interpolation: Inter = Inter.NEAREST,
        fill_value: int | tuple[int, int, int] = 0,
    ) -> None:
        super().__init__(interpolation, fill_value)
        self.pairs = _LINES[checks.of_type(policy, AutoAugmentPolicy, "policy")].strip().splitlines()

    def augmented(self, image: Array) -> Array:
        """The image after the changes drawn for it."""
        for change in self.pairs[integer(0, len(self.pairs) - 1)].split(","):
            name, probability, *strength = change.split()
            if happens(float(probability)):
                image = self.change(image, name, float(strength[0]) / 9 if strength else 0.0)
        return image


_ALL = (
    "Identity", *_MOVES, *_FACTORS, "Posterize", "Solarize", "AutoContrast", "Equalize",
)  # fmt: skip


class RandAugment(_Augment):
    """The image after `num_ops` random changes of one strength, as an array.

    Args:
        num_ops: how many changes.
        magnitude: their strength, from 0 to below `num_magnitude_bins`.
        num_magnitude_bins: how many strengths there are, at least 2.
        interpolation, fill_value: as for `AutoAugment`.

    Source: Cubuk and others, RandAugment: Practical automated data augmentation with a reduced search space, 2020.

    Examples:
        >>> vision.RandAugment()(np.zeros((4, 6, 3), np.uint8)).shape
        (4, 6, 3)
    """

    def __init__(
        self, num_ops: int = 2, magnitude: int = 9, num_magnitude_bins: int = 31, interpolation: Inter = Inter.NEAREST,
        fill_value: int | tuple[int, int, int] = 0,
    ) -> None:  # fmt: skip
        super().__init__(interpolation, fill_value)
        self.num_ops = checks.whole(num_ops, "num_ops")
        checks.whole(num_magnitude_bins, "num_magnitude_bins", 2)
        checks.whole(magnitude, "magnitude", 0, num_magnitude_bins - 1)
        self.strength = magnitude / (num_magnitude_bins - 1)

    def augmented(self, image: Array) -> Array:
        """The image after the changes drawn for it."""
        for _ in range(self.num_ops):
            image = self.change(image, _ALL[integer(0, len(_ALL) - 1)], self.strength)
        return image


class TrivialAugmentWide(_Augment):
    """The image after one random change of random strength, as an array.

    Args:
        num_magnitude_bins: how many strengths there are, at least 2.
        interpolation, fill_value: as for `AutoAugment`.

    Source: Müller and Hutter, TrivialAugment: Tuning-free Yet State-of-the-Art Data Augmentation, 2021.

    Examples:
        >>> vision.TrivialAugmentWide()(np.zeros((4, 6, 3), np.uint8)).shape
        (4, 6, 3)
    """

    shear, pixels, angle, factor, bits = 0.99, 32.0, 135.0, 0.99, 6

    def __init__(
        self,
        num_magnitude_bins: int = 31,
        interpolation: Inter = Inter.NEAREST,
        fill_value: int | tuple[int, int, int] = 0,
    ) -> None:
        super().__init__(interpolation, fill_value)
        self.bins = checks.whole(num_magnitude_bins, "num_magnitude_bins", 2)

    def augmented(self, image: Array) -> Array:
        """The image after the change drawn for it."""
        return self.change(image, _ALL[integer(0, len(_ALL) - 1)], integer(0, self.bins - 1) / (self.bins - 1))


class RandomSelectSubpolicy(ImageTransform):
    """The image after the transformations of one of several lists.

    Args:
        policy: a list of lists of pairs (transformation, its probability).

    Raises:
        TypeError: if it is no such list. ValueError: if a list is empty or a probability out of range.

    Source: MindSpore, `mindspore.dataset.vision.RandomSelectSubpolicy`.

    Examples:
        >>> vision.RandomSelectSubpolicy([[(vision.Invert(), 1.0)]])(np.array([[[0, 255, 55]]], np.uint8)).tolist()
        [[[255, 0, 200]]]
    """

    def __init__(self, policy: Sequence[Sequence[tuple[Any, float]]]) -> None:
        checks.of_type(policy, list, "policy")
        if not policy:
            raise ValueError("policy can not be empty.")
        for place, part in enumerate(policy):
            checks.of_type(part, list, f"policy[{place}]")
            if not part:
                raise ValueError(f"policy[{place}] can not be empty.")
            for position, item in enumerate(part):
                name = f"policy[{place}][{position}]"
                if not isinstance(item, tuple) or len(item) != 2:
                    raise ValueError(f"Value {name} needs to be a 2-tuple.")
                if not callable(item[0]):
                    raise TypeError(f"op of (op, prob) in {name} is neither a transforms op nor a callable.")
                checks.number(item[1], f"prob of (op, prob) {name}", 0, 1)
        self.policy = policy

    def __call__(self, *images: Any) -> Any:
        values: Any = images
        for transform, probability in self.policy[integer(0, len(self.policy) - 1)]:
            if happens(probability):
                made = transform(*values)
                values = made if isinstance(made, tuple) else (made,)
        return values[0] if len(values) == 1 else values


class UniformAugment(ImageTransform):
    """The image after `num_ops` different transformations drawn from a list, each left out half of the time.

    Args:
        transforms: a list of transformations.
        num_ops: how many are drawn, at most as many as there are.

    Raises:
        TypeError: if `transforms` is no list or `num_ops` no int. ValueError: if `num_ops` is out of range.

    Source: MindSpore, `mindspore.dataset.vision.UniformAugment`.

    Examples:
        >>> vision.UniformAugment([vision.Invert(), vision.HorizontalFlip()])(np.zeros((4, 6, 3), np.uint8)).shape
        (4, 6, 3)
    """

    def __init__(self, transforms: Sequence[Any], num_ops: int = 2) -> None:
        checks.number(num_ops, "num_ops", 0, checks.INT32_MAX, above=True, kinds=int)
        checks.of_type(transforms, (list, tuple), "transforms")
        if num_ops > len(transforms):
            raise ValueError("num_ops is greater than transforms list size.")
        self.transforms = checks.operations(transforms)
        self.num_ops = num_ops

    def __call__(self, *images: Any) -> Any:
        (image,) = images
        for place in config.generator().permutation(len(self.transforms))[: self.num_ops]:
            if happens(0.5):
                image = self.transforms[place](image)
        return image
