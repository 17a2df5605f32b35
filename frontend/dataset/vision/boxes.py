"""Transformations of an image together with the boxes of what is seen in it.

Boxes are float32 of shape (N, 4 or more): left, top, width, height, and what else belongs to each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import checks
from .base import ImageTransform, happens, integer
from .enums import Border, Inter
from .geometry import in_proportion, resizable
from .random_geometry import RandomCrop, RandomResizedCrop, placed
from .resampling import Array, resize


class _BoxTransform(ImageTransform):
    """A function of an image (H, W, C) and its boxes."""

    def of_arrays(self, *arrays: Array) -> tuple[Array, Array]:
        """The new image and boxes."""
        if len(arrays) != 2:
            self.refuse(f"an image and its boxes are needed, but got {len(arrays)} arrays")
        image, boxes = arrays
        if boxes.dtype.kind != "f" or boxes.ndim != 2 or boxes.shape[1] < 4:
            self.refuse(f"the boxes should be float32 of shape <N,4 or more>, but are {boxes.dtype} {boxes.shape}")
        height, width = image.shape[:2]
        left, top, wide, high = boxes[:, :4].T
        if (boxes[:, :4] < 0).any() or (left + wide > width).any() or (top + high > height).any():
            self.refuse(f"bounding boxes are out of bounds of the image of height {height} and width {width}")
        return self.of_boxed(image, boxes.astype(np.float32))

    def of_boxed(self, image: Array, boxes: Array) -> tuple[Array, Array]:
        """The new image and boxes; `boxes` is a copy."""
        raise NotImplementedError(f"{type(self).__name__} should define of_boxed()")


class RandomHorizontalFlipWithBBox(_BoxTransform):
    """The image and its boxes mirrored left to right with probability `prob`."""

    axis = 1

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = checks.probability(prob)

    def of_boxed(self, image: Array, boxes: Array) -> tuple[Array, Array]:
        """The new image and boxes."""
        if not happens(self.prob):
            return image, boxes
        start, length = (0, 2) if self.axis == 1 else (1, 3)
        boxes[:, start] = image.shape[self.axis] - boxes[:, start] - boxes[:, length]
        return np.flip(image, self.axis).copy(), boxes


class RandomVerticalFlipWithBBox(RandomHorizontalFlipWithBBox):
    """The image and its boxes mirrored upside down with probability `prob`."""

    axis = 0


class ResizeWithBBox(_BoxTransform):
    """The image in another size, and its boxes with it; arguments as for `Resize`."""

    def __init__(self, size: int | Sequence[int], interpolation: Inter = Inter.LINEAR) -> None:
        self.size = checks.size(size, single=True)
        self.interpolation = checks.interpolation(interpolation)

    def of_boxed(self, image: Array, boxes: Array) -> tuple[Array, Array]:
        """The new image and boxes."""
        rows, columns = image.shape[:2]
        height, width = in_proportion(self.size, rows, columns)
        boxes[:, [0, 2]] *= np.float32(width / columns)
        boxes[:, [1, 3]] *= np.float32(height / rows)
        return resize(resizable(self, image), height, width, self.chosen()), boxes

    def chosen(self) -> Inter:
        """The interpolation of this time."""
        return self.interpolation


class RandomResizeWithBBox(ResizeWithBBox):
    """As `ResizeWithBBox`, by an interpolation drawn anew."""

    def __init__(self, size: int | Sequence[int]) -> None:
        super().__init__(size)

    def chosen(self) -> Inter:
        """The interpolation of this time."""
        return (Inter.BILINEAR, Inter.NEAREST, Inter.CUBIC, Inter.AREA)[integer(0, 3)]


def inside(boxes: Array, top: int, left: int, height: int, width: int) -> Array:
    """What of the boxes lies in a part of the image, seen from it; if nothing does, one box of no size."""
    corners = np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:4]], 1) - np.array(
        [left, top, left, top], np.float32
    )
    corners = np.clip(corners, 0, np.array([width, height, width, height], np.float32))
    sizes = corners[:, 2:] - corners[:, :2]
    kept = (sizes > 0).all(1)
    made = np.concatenate([corners[:, :2], sizes, boxes[:, 4:]], 1)[kept]
    return made if len(made) else np.zeros((1, boxes.shape[1]), np.float32)


class RandomCropWithBBox(_BoxTransform):
    """A part of the image at a random place, and what of the boxes lies in it; arguments as for `RandomCrop`."""

    def __init__(
        self,
        size: int | Sequence[int],
        padding: int | Sequence[int] | None = None,
        pad_if_needed: bool = False,
        fill_value: int | tuple[int, int, int] = 0,
        padding_mode: Border = Border.CONSTANT,
    ) -> None:
        self.crop = RandomCrop(size, padding, pad_if_needed, fill_value, padding_mode)

    def of_boxed(self, image: Array, boxes: Array) -> tuple[Array, Array]:
        """The new image and boxes."""
        for left, top, _, _ in self.crop.sides(*image.shape[:2]):
            boxes[:, :2] += np.array([left, top], np.float32)
        padded = self.crop.padded(image)
        height, width = self.crop.size
        top, left = placed(padded.shape[:2], self.crop.size, RuntimeError)
        part = padded[top : top + height, left : left + width].copy()
        return part, inside(boxes, top, left, height, width)


class RandomResizedCropWithBBox(_BoxTransform):
    """A random part of the image in another size, and what of the boxes lies in it; arguments as for
    `RandomResizedCrop`."""

    def __init__(
        self,
        size: int | Sequence[int],
        scale: Sequence[float] = (0.08, 1.0),
        ratio: Sequence[float] = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: Inter = Inter.BILINEAR,
        max_attempts: int = 10,
    ) -> None:
        self.crop = RandomResizedCrop(size, scale, ratio, interpolation, max_attempts)

    def of_boxed(self, image: Array, boxes: Array) -> tuple[Array, Array]:
        """The new image and boxes."""
        top, left, high, wide = self.crop.part(*image.shape[:2])
        found = inside(boxes, top, left, high, wide)
        height, width = self.crop.size
        found[:, :4] *= np.array([width / wide, height / high, width / wide, height / high], np.float32)
        part = resizable(self, image)[top : top + high, left : left + wide]
        return resize(part, height, width, self.crop.interpolation), found


class BoundingBoxAugment(_BoxTransform):
    """What a random choice of the boxes holds, transformed.

    Args:
        transform: a transformation of images that keeps their size.
        ratio: the share of the boxes that are chosen.
    """

    def __init__(self, transform: Any, ratio: float = 0.3) -> None:
        self.ratio = checks.probability(ratio, "ratio")
        (self.transform,) = checks.operations([transform], "transform")

    def of_boxed(self, image: Array, boxes: Array) -> tuple[Array, Array]:
        """The new image and the same boxes."""
        made = image.copy()
        count = int(len(boxes) * self.ratio) or int(self.ratio > 0)
        for place in self._chosen(len(boxes), count):
            left, top, wide, high = (int(number) for number in boxes[place, :4])
            part = made[top : top + high, left : left + wide]
            changed = self.transform(part.copy())
            if changed.shape != part.shape:
                height, width = part.shape[:2]
                changed = resize(changed, height, width)
            part[...] = changed
        return made, boxes

    @staticmethod
    def _chosen(total: int, count: int) -> list[int]:
        places = list(range(total))
        return [places.pop(integer(0, len(places) - 1)) for _ in range(min(count, total))]
