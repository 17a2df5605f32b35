"""Operations of MindSpore's internal modules, as functions or Primitives (`TopTypeof`, `Morph`, `switch`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...frontend.control_flow import calls as control
from ...frontend.values.tensor import Tensor
from .. import functions as ops
from ..functions.primitives.primitive import Primitive

__all__ = [
    "CombinedNonMaxSuppression", "ConcatOffset", "ConvertToDynamic", "Morph", "TopTypeof", "make_dict", "make_list",
    "make_tuple", "switch",
]  # fmt: skip


class TopTypeof(Primitive):
    """Gives the type of a value: a class, or of a tensor what `ops.typeof` gives."""

    def __init__(self, prim: Any = None) -> None:
        super().__init__("TopTypeof")

    def __call__(self, value: Any) -> Any:
        """The type."""
        return ops.typeof(value) if isinstance(value, Tensor) else type(value)


class ConvertToDynamic(Primitive):
    """Gives its input: shapes are those that come at run time.

    Args:
        is_dynamic_rank: accepted.
    """

    def __init__(self, is_dynamic_rank: bool = False) -> None:
        super().__init__("ConvertToDynamic")

    def __call__(self, input: Any) -> Any:
        """The input."""
        return input


class Morph(Primitive):
    """A function as a Primitive, which becomes part of the graph that calls it.

    Args:
        fn: the function.
        infer_shape, infer_dtype: of its results; what the function gives is known without them.

    Raises:
        ValueError: if one of them is no function.
    """

    def __init__(
        self, fn: Callable[..., Any], infer_shape: Callable[..., Any], infer_dtype: Callable[..., Any]
    ) -> None:
        super().__init__("Morph")
        for name, value in (("fn", fn), ("infer_shape", infer_shape), ("infer_dtype", infer_dtype)):
            if not callable(value):
                raise ValueError(f"For 'Morph', '{name}' should be a function, but got {type(value).__name__}")
        self.fn, self.infer_shape, self.infer_dtype = fn, infer_shape, infer_dtype

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        """What the function gives."""
        return control.call(self.fn, *inputs, **named)


def switch(condition: Any, first: Any, second: Any) -> Any:
    """One of two values by a condition; of functions one of them is called where the result is called."""
    if isinstance(condition, Tensor) and isinstance(first, Tensor) and isinstance(second, Tensor):
        return ops.where(condition.reshape(()), first, second)
    return first if condition else second


def make_tuple(*values: Any) -> tuple[Any, ...]:
    """The values as a tuple."""
    return values


def make_list(*values: Any) -> list[Any]:
    """The values as a list."""
    return list(values)


def make_dict(keys: Any, values: Any) -> dict[Any, Any]:
    """A dict of keys and values."""
    return dict(zip(keys, values, strict=False))


class ConcatOffset(Primitive):
    """Gives where each tensor begins in what they are concatenated to.

    Args:
        N: the number of tensors.
        axis: along which.
    """

    def __init__(self, N: int = 2, axis: int = 0) -> None:
        super().__init__("ConcatOffset")
        self.axis = axis

    def __call__(self, inputs: Any) -> tuple[tuple[int, ...], ...]:
        """The index of the first element of each."""
        offsets, place = [], 0
        for value in inputs:
            axis = self.axis % value.ndim
            offsets.append(tuple(place if number == axis else 0 for number in range(value.ndim)))
            place += value.shape[axis]
        return tuple(offsets)


class CombinedNonMaxSuppression(Primitive):
    """Keeps of the boxes of each class those with the best scores, leaving out those that overlap with a better one.

    Args:
        pad_per_class: whether the result has as many boxes as all classes may have together.
        clip_boxes: whether the boxes' coordinates are clipped to [0, 1].
    """

    def __init__(self, pad_per_class: bool = False, clip_boxes: bool = True) -> None:
        super().__init__("CombinedNonMaxSuppression")
        self.pad_per_class, self.clip_boxes = pad_per_class, clip_boxes

    def __call__(
        self, boxes: Any, scores: Any, max_output_size_per_class: Any, max_total_size: Any, iou_threshold: Any,
        score_threshold: Any,
    ) -> tuple[Tensor, ...]:  # fmt: skip
        """Boxes, scores, classes and the number of boxes, for each image."""
        each, total, overlap, least = (
            value.asnumpy().item() if isinstance(value, Tensor) else value
            for value in (max_output_size_per_class, max_total_size, iou_threshold, score_threshold)
        )
        all_boxes, all_scores = boxes.asnumpy(), scores.asnumpy()
        images, _, classes = all_scores.shape
        size = min(total, each * classes) if self.pad_per_class else total
        found = [np.zeros((images, size, 4), np.float32), np.zeros((images, size), np.float32)]
        kinds, counts = np.zeros((images, size), np.float32), np.zeros(images, np.int32)
        for image in range(images):
            kept: list[tuple[float, int, int]] = []
            for kind in range(classes):
                places = all_boxes[image, :, kind if all_boxes.shape[2] > 1 else 0]
                best = _best(places, all_scores[image, :, kind], each, overlap, least)
                kept += [(float(all_scores[image, box, kind]), kind, box) for box in best]
            kept.sort(key=lambda item: -item[0])
            for place, (score, kind, box) in enumerate(kept[:size]):
                corner = all_boxes[image, box, kind if all_boxes.shape[2] > 1 else 0]
                found[0][image, place] = np.clip(corner, 0, 1) if self.clip_boxes else corner
                found[1][image, place], kinds[image, place] = score, kind
            counts[image] = min(len(kept), size)
        return Tensor(found[0]), Tensor(found[1]), Tensor(kinds), Tensor(counts)


def _best(boxes: Any, scores: Any, most: int, overlap: float, least: float) -> list[int]:
    """The boxes of one class that are kept, the best first."""
    corners = np.stack([np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])], 1)
    areas = np.prod(corners[:, 1] - corners[:, 0], axis=1)
    kept: list[int] = []
    for box in np.argsort(-scores, kind="stable"):
        if scores[box] <= least or len(kept) == most:
            break
        shared = [
            np.prod(np.maximum(np.minimum(corners[box, 1], corners[other, 1])
                               - np.maximum(corners[box, 0], corners[other, 0]), 0)) for other in kept
        ]  # fmt: skip
        if all(part <= overlap * (areas[box] + areas[other] - part) for part, other in zip(shared, kept, strict=False)):
            kept.append(int(box))
    return kept
