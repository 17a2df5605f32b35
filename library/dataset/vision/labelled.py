"""Transformations of images together with labels or bounding boxes.

Boxes are float32 of shape (N, 4 or more): left, top, width, height, and further columns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import config
from . import checks
from .base import ImageTransform, happens, integer
from .checks import Border, ImageBatchFormat, Inter
from .geometry import in_proportion, resizable
from .random_geometry import RandomCrop, RandomResizedCrop, placed
from .resampling import Array, cast, resize

__all__ = [
    "BoundingBoxAugment", "CutMixBatch", "MixUp", "MixUpBatch", "RandomCropWithBBox", "RandomHorizontalFlipWithBBox",
    "RandomResizeWithBBox", "RandomResizedCropWithBBox", "RandomVerticalFlipWithBBox", "ResizeWithBBox",
]  # fmt: skip


def _batch(transform: ImageTransform, arrays: tuple[Array, ...]) -> tuple[Array, Array]:
    """A batch of images and its one-hot labels, checked."""
    if len(arrays) != 2:
        transform.refuse(f"a batch of images and one of labels are needed, but got {len(arrays)} arrays")
    images, labels = arrays
    if images.ndim != 4:
        transform.refuse(f"the images should have shape <N,H,W,C> or <N,C,H,W>, but got {images.shape}")
    if labels.ndim not in (2, 3) or len(labels) != len(images):
        transform.refuse(
            f"the labels should be one-hot, of shape <N,L> or <N,R,L> with N = {len(images)}, but got {labels.shape}"
        )
    if labels.dtype.kind not in "iu" and labels.dtype.kind != "f":
        transform.refuse(f"the labels should be numbers, but are of type {labels.dtype}")
    return images, labels.astype(np.float32)


class MixUpBatch(ImageTransform):
    """Each image of a batch mixed with another one of it, and the labels in the same proportion.

    Args:
        alpha: the parameter of the beta distribution that the proportion is drawn from, positive.

    Inputs are images (N, H, W, C) or (N, C, H, W), and one-hot labels (N, L) or (N, R, L).

    Returns:
        The images, of their dtype, and the labels in float32.

    Raises:
        TypeError, ValueError: if `alpha` is no positive number. RuntimeError: if the arrays have other shapes.

    Source: MindSpore, `mindspore.dataset.vision.MixUpBatch`.

    Examples:
        >>> images, labels = vision.MixUpBatch(1.0)(np.ones((2, 4, 4, 3), np.float32), np.eye(2))
        >>> images.shape, labels.sum(1).round(3).tolist()
        ((2, 4, 4, 3), [1.0, 1.0])
    """

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = checks.number(alpha, "alpha", 0, 3.4e38, above=True)

    def of_arrays(self, *arrays: Array) -> tuple[Array, Array]:
        """The mixed images and labels."""
        images, labels = _batch(self, arrays)
        generator = config.generator()
        share = np.float32(generator.beta(self.alpha, self.alpha))
        others = generator.permutation(len(images))
        mixed = images.astype(np.float32) * share + images[others].astype(np.float32) * (1 - share)
        return cast(mixed, images.dtype), labels * share + labels[others] * (1 - share)


class CutMixBatch(ImageTransform):
    """A part of each image of a batch from another one of it, and the labels in proportion to the areas.

    Args:
        image_batch_format: an `ImageBatchFormat`: where the channels are.
        alpha: the parameter of the beta distribution that the part's area is drawn from, positive.
        prob: the probability of each image to be changed.

    Inputs are images (N, H, W, C) or (N, C, H, W), and one-hot labels (N, L) or (N, R, L).

    Returns:
        The images, of their dtype, and the labels in float32.

    Raises:
        TypeError, ValueError: if an argument is of another type or out of range. RuntimeError: if the arrays have
        other shapes.

    Source: MindSpore, `mindspore.dataset.vision.CutMixBatch`.

    Examples:
        >>> cut = vision.CutMixBatch(vision.ImageBatchFormat.NHWC)
        >>> images, labels = cut(np.ones((2, 4, 4, 3), np.float32), np.eye(2))
        >>> images.shape, labels.sum(1).round(3).tolist()
        ((2, 4, 4, 3), [1.0, 1.0])
    """

    def __init__(self, image_batch_format: ImageBatchFormat, alpha: float = 1.0, prob: float = 1.0) -> None:
        self.format = checks.of_type(image_batch_format, ImageBatchFormat, "image_batch_format")
        self.alpha = checks.number(alpha, "alpha", 0, 3.4e38, above=True)
        self.prob = checks.probability(prob)

    def of_arrays(self, *arrays: Array) -> tuple[Array, Array]:
        """The changed images and labels."""
        images, labels = _batch(self, arrays)
        generator = config.generator()
        others = generator.permutation(len(images))
        made, found = images.copy(), labels.copy()
        last = self.format is ImageBatchFormat.NHWC
        rows, columns = images.shape[1:3] if last else images.shape[2:4]
        for place, other in enumerate(others):
            if not happens(self.prob):
                continue
            side = math.sqrt(1 - generator.beta(self.alpha, self.alpha))
            high, wide = int(rows * side), int(columns * side)
            y, x = integer(0, rows - 1), integer(0, columns - 1)
            down = slice(max(y - high // 2, 0), min(y - high // 2 + high, rows))
            over = slice(max(x - wide // 2, 0), min(x - wide // 2 + wide, columns))
            part = (down, over) if last else (slice(None), down, over)
            made[place][part] = images[other][part]
            share = np.float32((down.stop - down.start) * (over.stop - over.start) / (rows * columns))
            found[place] = labels[place] * (1 - share) + labels[other] * share
        return made, found


class MixUp(ImageTransform):
    """Each image of a batch mixed with the next one, each in a proportion of its own, and the labels likewise.

    Args:
        batch_size: how many images there are.
        alpha: the parameter of the beta distribution that the proportions are drawn from, positive.
        is_single: whether images are mixed with the next one of the batch; else with those of the batch before.

    Returns:
        Images and labels in float64.

    Examples:
        >>> images, labels = vision.MixUp(2, 1.0)(np.ones((2, 4, 4, 3), np.float32), np.eye(2))
        >>> images.shape, labels.sum(1).round(3).tolist()
        ((2, 4, 4, 3), [1.0, 1.0])
    """

    in_python = True

    def __init__(self, batch_size: int, alpha: float, is_single: bool = True) -> None:
        self.batch_size = checks.whole(batch_size, "batch_size", 1)
        self.alpha = checks.number(alpha, "alpha", 0, 3.4e38, above=True)
        self.is_single = checks.of_type(is_single, bool, "is_single")
        self.before: tuple[Any, Any] | None = None

    def __call__(self, *images: Any) -> Any:
        image, label = (np.asarray(array) for array in images)
        shares = config.generator().beta(self.alpha, self.alpha, self.batch_size)
        others = (np.roll(image, -1, 0), np.roll(label, -1, 0)) if self.is_single else self.before
        if others is None:
            others, shares = (image, label), np.ones(self.batch_size)
        mixed = []
        for array, other in zip((image, label), others, strict=True):
            share = shares.reshape(-1, *[1] * (array.ndim - 1))
            mixed.append(share * array + (1 - share) * other)
        self.before = (mixed[0], mixed[1])
        return mixed[0], mixed[1]


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
    """The image and its boxes mirrored left to right with probability `prob`.

    Examples:
        >>> image, boxes = np.zeros((4, 6, 3), np.uint8), np.array([[0, 0, 2, 2]], np.float32)
        >>> vision.RandomHorizontalFlipWithBBox(1.0)(image, boxes)[1].tolist()
        [[4.0, 0.0, 2.0, 2.0]]
    """

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
    """The image and its boxes mirrored upside down with probability `prob`.

    Examples:
        >>> image, boxes = np.zeros((4, 6, 3), np.uint8), np.array([[0, 0, 2, 2]], np.float32)
        >>> vision.RandomVerticalFlipWithBBox(1.0)(image, boxes)[1].tolist()
        [[0.0, 2.0, 2.0, 2.0]]
    """

    axis = 0


class ResizeWithBBox(_BoxTransform):
    """The image in another size, and its boxes with it; arguments as for `Resize`.

    Examples:
        >>> image, boxes = np.zeros((4, 6, 3), np.uint8), np.array([[0, 0, 2, 2]], np.float32)
        >>> vision.ResizeWithBBox((8, 12))(image, boxes)[1].tolist()
        [[0.0, 0.0, 4.0, 4.0]]
    """

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
    """As `ResizeWithBBox`, by an interpolation drawn anew.

    Examples:
        >>> image, boxes = np.zeros((4, 6, 3), np.uint8), np.array([[0, 0, 2, 2]], np.float32)
        >>> vision.RandomResizeWithBBox((8, 12))(image, boxes)[1].tolist()
        [[0.0, 0.0, 4.0, 4.0]]
    """

    def __init__(self, size: int | Sequence[int]) -> None:
        super().__init__(size)

    def chosen(self) -> Inter:
        """The interpolation of this time."""
        return (Inter.BILINEAR, Inter.NEAREST, Inter.CUBIC, Inter.AREA)[integer(0, 3)]


def inside(boxes: Array, top: int, left: int, height: int, width: int) -> Array:
    """The parts of the boxes inside of a part of the image, in its coordinates; one box of size zero if there are
    none."""
    corners = np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:4]], 1) - np.array(
        [left, top, left, top], np.float32
    )
    corners = np.clip(corners, 0, np.array([width, height, width, height], np.float32))
    sizes = corners[:, 2:] - corners[:, :2]
    kept = (sizes > 0).all(1)
    made = np.concatenate([corners[:, :2], sizes, boxes[:, 4:]], 1)[kept]
    return made if len(made) else np.zeros((1, boxes.shape[1]), np.float32)


class RandomCropWithBBox(_BoxTransform):
    """A part of the image at a random place, and the parts of the boxes in it; arguments as for `RandomCrop`.

    Examples:
        >>> image, boxes = np.zeros((4, 6, 3), np.uint8), np.array([[0, 0, 6, 4]], np.float32)
        >>> vision.RandomCropWithBBox(2)(image, boxes)[1].tolist()
        [[0.0, 0.0, 2.0, 2.0]]
    """

    def __init__(
        self, size: int | Sequence[int], padding: int | Sequence[int] | None = None, pad_if_needed: bool = False,
        fill_value: int | tuple[int, int, int] = 0, padding_mode: Border = Border.CONSTANT,
    ) -> None:  # fmt: skip
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
    """A random part of the image in another size, and the parts of the boxes in it; arguments as for
    `RandomResizedCrop`.

    Examples:
        >>> image, boxes = np.zeros((4, 6, 3), np.uint8), np.array([[0, 0, 6, 4]], np.float32)
        >>> vision.RandomResizedCropWithBBox(2)(image, boxes)[0].shape
        (2, 2, 3)
    """

    def __init__(
        self, size: int | Sequence[int], scale: Sequence[float] = (0.08, 1.0),
        ratio: Sequence[float] = (3.0 / 4.0, 4.0 / 3.0), interpolation: Inter = Inter.BILINEAR, max_attempts: int = 10,
    ) -> None:  # fmt: skip
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
    """Transforms the image inside of some random boxes.

    Args:
        transform: a transformation of images that keeps their size.
        ratio: the share of the boxes that are chosen.

    Examples:
        >>> image, boxes = np.zeros((4, 6, 3), np.uint8), np.array([[0, 0, 2, 2]], np.float32)
        >>> vision.BoundingBoxAugment(vision.HorizontalFlip(), 1.0)(image, boxes)[1].tolist()
        [[0.0, 0.0, 2.0, 2.0]]
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
