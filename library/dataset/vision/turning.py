"""Images turned, sheared and seen in perspective, by given amounts or by amounts drawn anew for each image."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import checks, resampling
from .base import Picture, PictureTransform, happens, integer, pillow, uniform
from .checks import Inter
from .geometry import Interpolating, resizable
from .resampling import Array

__all__ = ["Affine", "Perspective", "RandomAffine", "RandomPerspective", "RandomRotation", "Rotate"]


class _Turning(Interpolating):
    """An image turned counterclockwise."""

    def _set_up(self, resample: Inter, expand: bool, center: tuple[float, float] | None, fill_value: Any) -> None:
        self.interpolation = checks.interpolation(resample, "resample")
        self.expand = checks.of_type(expand, bool, "expand")
        self.center = checks.center(center)
        self.fill_value = checks.fill(fill_value)

    def turned(self, array: Array, degrees: float) -> Array:
        """The array turned; MindSpore takes the colour of what is left as blue, green, red here."""
        image, fill = resizable(self, array), self.fill_value[::-1]
        return resampling.rotate(image, degrees, self.interpolation, self.expand, self.center, fill)


class Rotate(_Turning):
    """The image turned counterclockwise, as an array.

    Args:
        degrees: the angle.
        resample: an `Inter`.
        expand: whether the result is large enough for all of it.
        center: (x, y) that it is turned about; None for its middle.
        fill_value: what is put where it is not.

    Examples:
        >>> vision.Rotate(90)(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[2, 4], [1, 3]]
    """

    def __init__(
        self, degrees: float, resample: Inter = Inter.NEAREST, expand: bool = False,
        center: tuple[float, float] | None = None, fill_value: int | tuple[int, int, int] = 0,
    ) -> None:  # fmt: skip
        self.degrees = checks.number(degrees, "degrees", -3.4e38, 3.4e38) % 360
        self._set_up(resample, expand, center, fill_value)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return self.turned(array, self.degrees)


class Affine(Interpolating):
    """The image turned, moved, scaled and sheared about its middle, as an array.

    Args:
        degrees: the angle, from -180 to 180.
        translate: how far it is moved to the right and down, as shares of its width and height.
        scale: a positive factor.
        shear: an angle, or two: along the width and along the height.
        resample, fill_value: as for `Rotate`.

    Examples:
        >>> vision.Affine(0, [0, 0], 1.0, 0)(np.zeros((4, 6, 3), np.uint8)).shape
        (4, 6, 3)
    """

    def __init__(
        self, degrees: float, translate: Sequence[float], scale: float, shear: float | Sequence[float],
        resample: Inter = Inter.NEAREST, fill_value: int | tuple[int, int, int] = 0,
    ) -> None:  # fmt: skip
        self.degrees = checks.number(degrees, "degrees", -180, 180)
        self.translate = checks.pair(translate, "translate")
        for place, share in enumerate(self.translate):
            checks.within(share, -1.0, 1.0, f"translate[{place}]")
        self.scale = checks.number(scale, "scale", 0, 3.4e38, above=True)
        self.shear: Any = checks.pair(shear, "shear") if isinstance(shear, (list, tuple)) else (shear, 0.0)
        for place, angle in enumerate(self.shear):
            checks.number(angle, f"shear[{place}]", -180, 180)
        self.interpolation = checks.interpolation(resample, "resample")
        self.fill_value = checks.fill(fill_value)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        height, width = array.shape[:2]
        moved = (self.translate[0] * width, self.translate[1] * height)
        matrix = resampling.affine_matrix(self.degrees, moved, self.scale, self.shear, height, width)
        return resampling.warp_affine(
            resizable(self, array), matrix, height, width, self.interpolation, self.fill_value
        )


class Perspective(Interpolating):
    """The image so that four of its points (x, y) come to lie on four others.

    Args:
        start_points, end_points: four points each: top left, top right, bottom right, bottom left.
        interpolation: an `Inter`.

    Examples:
        >>> corners = [[0, 0], [5, 0], [5, 3], [0, 3]]
        >>> vision.Perspective(corners, corners)(np.zeros((4, 6, 3), np.uint8)).shape
        (4, 6, 3)
    """

    def __init__(
        self,
        start_points: Sequence[Sequence[int]],
        end_points: Sequence[Sequence[int]],
        interpolation: Inter = Inter.BILINEAR,
    ) -> None:
        self.start_points = self._points(start_points, "start_points")
        self.end_points = self._points(end_points, "end_points")
        self.interpolation = checks.interpolation(interpolation)

    @staticmethod
    def _points(value: Any, name: str) -> list[tuple[int, int]]:
        checks.of_type(value, (list, tuple), name)
        if len(value) != 4:
            raise TypeError(f"{name} should be a list or tuple of length 4.")
        return [checks.pair(point, f"{name}[{place}]", int) for place, point in enumerate(value)]

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        matrix = resampling.perspective_matrix(self.start_points, self.end_points)
        return resampling.warp_perspective(resizable(self, array), matrix, self.interpolation, (0, 0, 0))

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        backward = resampling.perspective_matrix(self.end_points, self.start_points).ravel()[:8].tolist()
        method = pillow("Image").Transform.PERSPECTIVE
        return picture.transform(picture.size, method, backward, self.for_pillow())


class RandomRotation(_Turning):
    """The image turned counterclockwise by a random angle.

    Args:
        degrees: the greatest angle either way, or (least, greatest).
        resample, expand, center, fill_value: as for `Rotate`.

    Raises:
        TypeError, ValueError: if an argument is of another type or out of range.

    Source: MindSpore, `mindspore.dataset.vision.RandomRotation`.

    Examples:
        >>> vision.RandomRotation(15)(np.zeros((4, 6, 3), np.uint8)).shape
        (4, 6, 3)
    """

    def __init__(
        self, degrees: float | Sequence[float], resample: Inter = Inter.NEAREST, expand: bool = False,
        center: tuple[float, float] | None = None, fill_value: int | tuple[int, int, int] = 0,
    ) -> None:  # fmt: skip
        least, greatest = checks.degrees(degrees)
        if isinstance(degrees, (int, float)):
            least, greatest = -(degrees % 360), degrees % 360
        elif greatest - least >= 360:
            least, greatest = -180, 180
        self.degrees = (least, greatest)
        self._set_up(resample, expand, center, fill_value)

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        return self.turned(array, uniform(*self.degrees) % 360)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        angle = uniform(*self.degrees) % 360
        if self.interpolation is Inter.ANTIALIAS and (angle % 90 or self.center):
            raise ValueError(
                "When using Inter.ANTIALIAS, center needs to be None and angle needs to be a multiple of 90."
            )
        fill = self.fill_value if len(picture.getbands()) == 3 else self.fill_value[0]
        return picture.rotate(angle, self.for_pillow(), self.expand, self.center or None, fillcolor=fill)


class RandomAffine(Interpolating):
    """The image turned, moved, scaled and sheared about its middle by random amounts.

    Args:
        degrees: the greatest angle either way, or (least, greatest).
        translate: the greatest moves along width and height as shares of them, or least and greatest of each; None for
            no move.
        scale: (least, greatest) factor; None for 1.
        shear: the greatest angle along the width either way, or (least, greatest), or these for both directions.
        resample: an `Inter`.
        fill_value: what is put where the image is not.

    Raises:
        TypeError, ValueError: if an argument is of another type or out of range.

    Source: MindSpore, `mindspore.dataset.vision.RandomAffine`.

    Examples:
        >>> vision.RandomAffine(15)(np.zeros((4, 6, 3), np.uint8)).shape
        (4, 6, 3)
    """

    def __init__(
        self, degrees: float | Sequence[float], translate: Sequence[float] | None = None,
        scale: Sequence[float] | None = None, shear: float | Sequence[float] | None = None,
        resample: Inter = Inter.NEAREST, fill_value: int | tuple[int, int, int] = 0,
    ) -> None:  # fmt: skip
        self.degrees = checks.degrees(degrees)
        self.translate = self._translate(translate)
        self.scale = (1.0, 1.0) if scale is None else checks.ordered(scale, "scale")
        checks.number(self.scale[1], "scale[1]", above=True)
        self.shear = self._shear(shear)
        self.interpolation = checks.interpolation(resample, "resample")
        self.fill_value = checks.fill(fill_value)

    @staticmethod
    def _translate(translate: Any) -> tuple[float, float, float, float]:
        if translate is None:
            return 0.0, 0.0, 0.0, 0.0
        checks.of_type(translate, (list, tuple), "translate")
        if len(translate) not in (2, 4):
            raise TypeError("translate should be a list or tuple of length 2 or 4.")
        shares = [checks.number(item, f"translate at {place}", -1.0, 1.0) for place, item in enumerate(translate)]
        left, right, up, down = shares if len(shares) == 4 else (-shares[0], shares[0], -shares[1], shares[1])
        return left, right, up, down

    @staticmethod
    def _shear(shear: Any) -> tuple[float, float, float, float]:
        if shear is None:
            return 0.0, 0.0, 0.0, 0.0
        checks.of_type(shear, (int, float, tuple, list), "shear")
        if isinstance(shear, (int, float)):
            checks.number(shear, "shear", 0, 3.4e38, above=True)
            return -shear, shear, 0.0, 0.0
        if len(shear) not in (2, 4):
            raise TypeError("shear must be of length 2 or 4.")
        ranges = [checks.ordered(shear[k : k + 2], "shear", -3.4e38, 3.4e38) for k in range(0, len(shear), 2)]
        (first, second), (third, fourth) = ranges if len(ranges) == 2 else (*ranges, (0.0, 0.0))
        return first, second, third, fourth

    def _drawn(self, height: int, width: int) -> tuple[float, tuple[float, float], float, tuple[float, float]]:
        """The angle, the move in pixels, the factor, the angles of shearing."""
        left, right, up, down = self.translate
        angle = uniform(*self.degrees)
        moved = float(round(uniform(left * width, right * width))), float(round(uniform(up * height, down * height)))
        return angle, moved, uniform(*self.scale), (uniform(*self.shear[:2]), uniform(*self.shear[2:]))

    def of_array(self, array: Array) -> Array:
        """The result for an array."""
        height, width = array.shape[:2]
        matrix = resampling.affine_matrix(*self._drawn(height, width), height, width)
        return resampling.warp_affine(
            resizable(self, array), matrix, height, width, self.interpolation, self.fill_value
        )

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        width, height = picture.size
        angle, moved, scale, shear = self._drawn(height, width)
        # From the result to the image, about the middle as Pillow counts it.
        first, second = (math.radians(angle) + math.radians(sheared) for sheared in shear)
        linear = np.array([[math.cos(first), math.sin(first)], [-math.sin(second), math.cos(second)]])
        linear /= scale * math.cos(first - second)
        middle = np.array([width + 1, height + 1]) / 2
        backward = np.column_stack([linear, middle - linear @ (middle + moved)])
        fill = self.fill_value if len(picture.getbands()) == 3 else self.fill_value[0]
        method = pillow("Image").Transform.AFFINE
        return picture.transform(picture.size, method, backward.ravel().tolist(), self.for_pillow(), fillcolor=fill)


class RandomPerspective(PictureTransform):
    """The PIL image in a random perspective, with probability `prob`.

    Args:
        distortion_scale: how far its corners move at most, from 0 to 1.
        interpolation: an `Inter`.

    Examples:
        >>> image = vision.ToPIL()(np.zeros((4, 6, 3), np.uint8))
        >>> vision.RandomPerspective()(image).size
        (6, 4)
    """

    def __init__(self, distortion_scale: float = 0.5, prob: float = 0.5, interpolation: Inter = Inter.BICUBIC) -> None:
        self.distortion = checks.number(distortion_scale, "distortion_scale", 0, 1, kinds=float)
        self.prob = checks.probability(prob)
        self.interpolation = checks.interpolation(interpolation)

    def of_picture(self, picture: Picture) -> Picture:
        """The result for a PIL image."""
        if not happens(self.prob):
            return picture
        width, height = picture.size
        wide, high = int(width / 2 * self.distortion), int(height / 2 * self.distortion)

        def near(length: int, most: int, far: bool) -> int:
            return integer(length - most - 1, length - 1) if far else integer(0, most)

        corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
        start = [(x * (width - 1), y * (height - 1)) for x, y in corners]
        end = [(near(width, wide, x == 1), near(height, high, y == 1)) for x, y in corners]
        return Perspective(start, end, self.interpolation).of_picture(picture)
