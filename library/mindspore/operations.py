"""Operations of MindSpore's internal modules, as functions or Primitives (`TopTypeof`, `Morph`, `switch`)."""

from __future__ import annotations

import math
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ...frontend.control_flow import calls as control
from ...frontend.values.arguments import one_axis
from ...frontend.values.tensor import Tensor
from .. import ops
from ..distributed import process_groups, tensor_collectives
from ..docstrings import like
from ..ops.primitives.primitive import Primitive
from . import sparse

__all__ = [
    "CombinedNonMaxSuppression", "ConcatOffset", "ConvertToDynamic", "Morph", "TopTypeof", "make_dict", "make_list",
    "make_tuple", "switch",
]  # fmt: skip


# MindSpore's primitives on numbers, tuples and texts are what Python has.
_PYTHON: dict[str, Callable[..., Any]] = {
    "scalar_div": operator.truediv, "scalar_usub": operator.neg, "scalar_uadd": operator.pos, "scalar_log": math.log,
    "scalar_max": max, "scalar_min": min, "bool_and": operator.and_, "bool_or": operator.or_, "bool_eq": operator.eq,
    "bool_not": operator.not_, "is_": operator.is_, "is_not": operator.is_not, "list_len": len, "make_slice": slice,
    "string_concat": operator.add, "shape_mul": math.prod, "in_dict": lambda key, container: key in container,
    "not_in_dict": lambda key, container: key not in container, "tuple_reversed": lambda items: items[::-1],
    "move_to": lambda input, to="CPU", blocking=True: input,
    **{f"scalar_{name}": getattr(operator, name)
       for name in ("add", "sub", "mul", "floordiv", "mod", "pow", "eq", "ne", "lt", "le", "gt", "ge")},
    **{f"{kind}_getitem": operator.getitem for kind in ("tuple", "list", "dict")},
    **{f"{kind}_eq{rest}": operator.eq for kind, rest in (("tuple", "ual"), ("list", "ual"), ("string", ""))},
}  # fmt: skip
globals().update(_PYTHON)


def __getattr__(name: str) -> Any:
    """A function on sparse tensors, or between processes."""
    for module in (sparse, process_groups, tensor_collectives):
        found = vars(module).get(name)
        if found is not None and not name.startswith("_") and not isinstance(found, types.ModuleType):
            return found
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


class TopTypeof(Primitive):
    """The type of a value: a class, or for a tensor the result of `ops.typeof`.

    Args:
        prim: accepted.

    Inputs:
        value: any value.

    Raises:
        TypeError: if it is called with another number of values.

    Examples:
        >>> import mycel.ops as ops
        >>> print(ops.TopTypeof()(2))
        <class 'int'>
    """

    def __init__(self, prim: Any = None) -> None:
        super().__init__("TopTypeof")

    def __call__(self, value: Any) -> Any:
        """The type."""
        return ops.typeof(value) if isinstance(value, Tensor) else type(value)


class ConvertToDynamic(Primitive):
    """The input itself.

    Args:
        is_dynamic_rank: accepted.

    Inputs:
        input: a tensor of any shape and dtype.

    Raises:
        TypeError: if it is called with another number of tensors.

    Examples:
        >>> import mycel.ops as ops
    >>> from mycel import Tensor
        >>> print(ops.ConvertToDynamic()(Tensor([1.0])))
        [1.]
    """

    def __init__(self, is_dynamic_rank: bool = False) -> None:
        super().__init__("ConvertToDynamic")

    def __call__(self, input: Any) -> Any:
        """The input."""
        return input


class Morph(Primitive):
    """A function as a Primitive. It is traced into the graph that calls it.

    Args:
        fn: the function.
        infer_shape, infer_dtype: functions for the shapes and dtypes of the results; accepted, but not called.

    Inputs:
        inputs, named: the arguments of the function.

    Raises:
        ValueError: if one of the three is no function.

    Examples:
        >>> import mycel.ops as ops
    >>> from mycel import Tensor
        >>> twice = ops.Morph(lambda x: 2 * x, lambda shape: shape, lambda dtype: dtype)
        >>> print(twice(Tensor([1.0])))
        [2.]
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
        """Call the function."""
        return control.call(self.fn, *inputs, **named)


def switch(condition: Any, first: Any, second: Any) -> Any:
    """One of two values, which a condition chooses.

    Args:
        condition: a Bool, or a Bool tensor of one element.
        first: the result if it is true, of any type.
        second: the result if it is false.

    Raises:
        ValueError: if the condition is a tensor of another size.

    Examples:
        >>> import mycel.ops as ops
        >>> print(ops.switch(True, 1, 2))
        1
    """
    if isinstance(condition, Tensor) and isinstance(first, Tensor) and isinstance(second, Tensor):
        return ops.where(condition.reshape(()), first, second)
    return first if condition else second


def make_tuple(*values: Any) -> tuple[Any, ...]:
    """The values as a tuple.

    Args:
        values: any values.

    Raises:
        TypeError: if a value is given by name.

    Examples:
        >>> import mycel.ops as ops
        >>> print(ops.make_tuple(1, 2))
        (1, 2)
    """
    return values


@like(make_tuple)
def make_list(*values: Any) -> list[Any]:
    """The values as a list.

    Examples:
        >>> print(ops.make_list(1, 2))
        [1, 2]
    """
    return list(values)


def make_dict(keys: Any, values: Any) -> dict[Any, Any]:
    """A dict of keys and values.

    Args:
        keys, values: sequences; the longer one is cut to the length of the other.

    Raises:
        TypeError: if one of them is no sequence, or a key has no hash.

    Examples:
        >>> import mycel.ops as ops
        >>> print(ops.make_dict(["a"], [1]))
        {'a': 1}
    """
    return dict(zip(keys, values, strict=False))


class ConcatOffset(Primitive):
    """The index in the concatenated tensor at which each tensor begins.

    Args:
        N: accepted.
        axis: the axis of the concatenation.

    Inputs:
        inputs: a sequence of tensors whose shapes differ along the axis at most.

    Raises:
        ZeroDivisionError: if a tensor has no dimensions.

    Examples:
        >>> import mycel.ops as ops
    >>> from mycel import Tensor
        >>> print(ops.ConcatOffset()((Tensor([1, 2]), Tensor([3]))))
        ((0,), (2,))
    """

    def __init__(self, N: int = 2, axis: int = 0) -> None:
        super().__init__("ConcatOffset")
        self.axis = axis

    def __call__(self, inputs: Any) -> tuple[tuple[int, ...], ...]:
        """The indices, one tuple for each tensor."""
        offsets, place = [], 0
        for value in inputs:
            axis = one_axis(self.axis, value.ndim, "ConcatOffset")
            offsets.append(tuple(place if number == axis else 0 for number in range(value.ndim)))
            place += value.shape[axis]
        return tuple(offsets)


class CombinedNonMaxSuppression(Primitive):
    """For each class the boxes with the best scores, without boxes that overlap a better one too much.

    Args:
        pad_per_class: whether the result has at most `max_output_size_per_class` boxes for each class.
        clip_boxes: whether coordinates are clipped to [0, 1].

    Inputs:
        boxes: a tensor of shape (N, boxes, classes or 1, 4), two opposite corners each.
        scores: a tensor of shape (N, boxes, classes).
        max_output_size_per_class, max_total_size: how many boxes are kept at most, integers or 0-d tensors.
        iou_threshold: the largest intersection over union with a better box.
        score_threshold: boxes with this score or less are left out.

    Raises:
        IndexError: if the tensors have other numbers of dimensions.

    Examples:
        >>> import mycel.ops as ops
    >>> from mycel import Tensor
        >>> boxes = Tensor([[[[0.0, 0.0, 1.0, 1.0]]]])
        >>> print(ops.CombinedNonMaxSuppression()(boxes, Tensor([[[0.5]]]), 1, 1, 0.5, 0.0)[1])
        [[0.5]]
    """

    def __init__(self, pad_per_class: bool = False, clip_boxes: bool = True) -> None:
        super().__init__("CombinedNonMaxSuppression")
        self.pad_per_class, self.clip_boxes = pad_per_class, clip_boxes

    def __call__(
        self, boxes: Any, scores: Any, max_output_size_per_class: Any, max_total_size: Any, iou_threshold: Any,
        score_threshold: Any,
    ) -> tuple[Tensor, ...]:  # fmt: skip
        """The boxes, scores, classes and number of boxes of each image."""
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
