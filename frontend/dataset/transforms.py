"""Transformations of columns: callables that `Dataset.map` takes, beside any function of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...runtime import dtypes
from . import config


class Compose:
    """Several transformations, one after another.

    Args:
        transforms: functions of the column's array (of all arrays, if there are several columns).
    """

    def __init__(self, transforms: Sequence[Callable[..., Any]]) -> None:
        if not isinstance(transforms, (list, tuple)) or not transforms:
            raise TypeError("Compose takes a list of at least one transformation")
        self.transforms = list(transforms)

    def __call__(self, *arrays: Any) -> Any:
        for transform in self.transforms:
            result = transform(*arrays)
            arrays = result if isinstance(result, tuple) else (result,)
        return arrays[0] if len(arrays) == 1 else arrays


class TypeCast:
    """The array in another dtype."""

    def __init__(self, output_type: Any) -> None:
        self.dtype = dtypes.as_dtype(output_type)

    def __call__(self, array: Any) -> np.ndarray:
        return np.asarray(array).astype(self.dtype.np)


class OneHot:
    """Class numbers as vectors with a one at the class, softened by `smoothing_rate`."""

    def __init__(self, num_classes: int, smoothing_rate: float = 0.0) -> None:
        if num_classes < 1:
            raise ValueError(f"'num_classes' should be positive, but got {num_classes}")
        self.classes, self.smoothing = num_classes, smoothing_rate

    def __call__(self, label: Any) -> np.ndarray:
        array = np.asarray(label)
        if (array >= self.classes).any() or (array < 0).any():
            raise RuntimeError(f"OneHot: class {array} is out of range for {self.classes} classes")
        hot = array[..., None] == np.arange(self.classes)
        if not self.smoothing:
            return hot.astype(array.dtype).reshape(*array.shape, self.classes)
        return np.where(hot, 1 - self.smoothing, 0).astype(np.float32) + np.float32(self.smoothing / self.classes)


class Fill:
    """An array of the same shape, filled with one value."""

    def __init__(self, fill_value: Any) -> None:
        self.value = fill_value

    def __call__(self, array: Any) -> np.ndarray:
        return np.full_like(np.asarray(array), self.value)


class Duplicate:
    """The array twice."""

    def __call__(self, array: Any) -> tuple[Any, Any]:
        return array, np.array(array)


class Concatenate:
    """Arrays joined along an axis."""

    def __init__(self, axis: int = 0, prepend: Any = None, append: Any = None) -> None:
        self.axis, self.prepend, self.append = axis, prepend, append

    def __call__(self, *arrays: Any) -> np.ndarray:
        parts = [part for part in (self.prepend, *arrays, self.append) if part is not None]
        return np.concatenate(parts, self.axis)


class PadEnd:
    """The array padded at its ends to a shape; sizes of None stay."""

    def __init__(self, pad_shape: Sequence[int | None], pad_value: Any = 0) -> None:
        self.shape, self.value = list(pad_shape), pad_value

    def __call__(self, array: Any) -> np.ndarray:
        array = np.asarray(array)
        widths = [(0, 0 if want is None else want - have) for want, have in zip(self.shape, array.shape, strict=True)]
        if any(width[1] < 0 for width in widths):
            raise RuntimeError(f"PadEnd: an array of shape {array.shape} does not fit into {self.shape}")
        return np.pad(array, widths, constant_values=self.value)


class RandomApply:
    """All of the transformations with probability `prob`, else none."""

    def __init__(self, transforms: Sequence[Callable[..., Any]], prob: float = 0.5) -> None:
        self.inner, self.probability = Compose(transforms), prob

    def __call__(self, *arrays: Any) -> Any:
        if config.generator().random() < self.probability:
            return self.inner(*arrays)
        return arrays[0] if len(arrays) == 1 else arrays


class RandomChoice:
    """One of the transformations, drawn anew for each row."""

    def __init__(self, transforms: Sequence[Callable[..., Any]]) -> None:
        self.transforms = list(transforms)

    def __call__(self, *arrays: Any) -> Any:
        return self.transforms[int(config.generator().integers(len(self.transforms)))](*arrays)
