"""Transformations of whole batches of images with their labels: mixtures of images."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import config
from . import checks
from .base import ImageTransform, happens, integer
from .enums import ImageBatchFormat
from .resampling import Array, cast


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
        >>> import numpy as np
        >>> from mycel.dataset import vision
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
    """

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
