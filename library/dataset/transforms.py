"""Transformations of columns: callables that `Dataset.map` takes, beside any function of arrays."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, TypeVar

import numpy as np

from ...runtime import dtypes
from ..docstrings import like as _like
from . import config
from .checks import of_type as _of_type, within as _within

_Function = TypeVar("_Function", bound=Callable[..., Any])


def not_random(function: _Function) -> _Function:
    """Mark a function as giving the same result for the same arrays (a decorator that changes nothing else).

    Examples:
        >>> from mycel.dataset import transforms
        >>> transforms.not_random(lambda x: -x)(2)
        -2
    """
    function.random = False  # type: ignore[attr-defined]
    return function


def _listed(transforms: Any) -> list[Callable[..., Any]]:
    """A list of at least one function."""
    _of_type(transforms, list, "transforms list")
    if not transforms:
        raise ValueError("transforms list can not be empty.")
    for place, transform in enumerate(transforms):
        if not callable(transform):
            raise TypeError(f"transforms[{place}] is neither a transforms op (TensorOperation) nor a callable pyfunc.")
    return list(transforms)


def _run(transforms: list[Callable[..., Any]], arrays: tuple[Any, ...]) -> tuple[Any, ...]:
    """What transformations, one after another, make of arrays."""
    for transform in transforms:
        result = transform(*arrays)
        arrays = result if isinstance(result, tuple) else (result,)
    return arrays


def _single(values: tuple[Any, ...]) -> Any:
    return values[0] if len(values) == 1 else values


class Compose:
    """Several transformations, one after another.

    As in MindSpore, a single result comes in a tuple if the input is a PIL image, or one of the transformations always
    runs in Python, as `ToPIL` does.

    Args:
        transforms: a list of functions of the column's array (of all arrays, if there are several columns).

    Raises:
        TypeError: if it is no list of functions. ValueError: if it is empty.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import transforms
        >>> transforms.Compose([transforms.TypeCast(np.float32), lambda x: x / 2])(np.array([1, 2])).tolist()
        [0.5, 1.0]
    """

    def __init__(self, transforms: list[Callable[..., Any]]) -> None:
        self.transforms = _listed(transforms)
        self.in_python = any(getattr(transform, "in_python", False) for transform in transforms)

    def __call__(self, *arrays: Any) -> Any:
        made = _run(self.transforms, arrays)
        return made if self.in_python or (len(arrays) == 1 and hasattr(arrays[0], "getbands")) else _single(made)


class TypeCast:
    """The array in another dtype.

    Args:
        data_type: MindSpore's or NumPy's.

    Raises:
        TypeError: if it is no dtype. RuntimeError: for text.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import transforms
        >>> transforms.TypeCast(np.float32)(np.array([1, 2])).tolist()
        [1.0, 2.0]
    """

    def __init__(self, data_type: Any) -> None:
        if data_type is None or isinstance(data_type, int):
            raise TypeError(f"Argument data_type with value {data_type!r} is no dtype, but of type {type(data_type)}.")
        self.dtype = dtypes.as_dtype(data_type)

    def __call__(self, array: Any) -> np.ndarray:
        array = np.asarray(array)
        if array.dtype.kind in "SUO":
            raise RuntimeError(f"TypeCast: an array of {array.dtype} cannot be cast to {self.dtype}")
        # MindSpore takes the low bits of a number that is out of an integer type's range.
        if array.dtype.kind == "f" and self.dtype.np.kind in "iu":
            array = np.asarray(np.trunc(array)).astype(np.int64)
        return array.astype(self.dtype.np)


class OneHot:
    """Class numbers as vectors with a one at the class, softened by `smoothing_rate`.

    Args:
        num_classes: how many classes there are.
        smoothing_rate: from 0 to 1; how much is taken from the one and spread over all classes.

    Returns:
        (…, num_classes) of the dtype of the class numbers, float64 if softened; axes of length 1 are left out.

    Raises:
        TypeError, ValueError: if an argument is of another type or out of range. RuntimeError: if a class number is no
        int or out of range.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import transforms
        >>> transforms.OneHot(3)(np.array([2, 0])).tolist()
        [[0, 0, 1], [1, 0, 0]]
    """

    def __init__(self, num_classes: int, smoothing_rate: float = 0.0) -> None:
        if _of_type(num_classes, int, "num_classes") < 1:
            raise ValueError(f"'num_classes' must be greater than 0, but got {num_classes}")
        if isinstance(smoothing_rate, bool) or not isinstance(smoothing_rate, (int, float)):
            raise TypeError(f"'smoothing_rate' should be a number, but got {type(smoothing_rate)}")
        self.classes, self.smoothing = num_classes, _within(smoothing_rate, 0.0, 1.0, "smoothing_rate")

    def __call__(self, label: Any) -> np.ndarray:
        array = np.squeeze(np.asarray(label))
        if array.dtype.kind not in "iu":
            raise RuntimeError(f"OneHot: class numbers should be ints, but are of type {array.dtype}")
        if (array >= self.classes).any() or (array < 0).any():
            raise RuntimeError(f"OneHot: class {array} is out of range for {self.classes} classes")
        hot = array[..., None] == np.arange(self.classes)
        if not self.smoothing:
            return hot.astype(array.dtype)
        return hot * (1 - self.smoothing) + self.smoothing / self.classes


class Fill:
    """An array of the same shape and dtype, filled with one value.

    Raises:
        TypeError: if the value is no number, bool or text. RuntimeError: if a number is to fill text or vice versa.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import transforms
        >>> transforms.Fill(7)(np.array([1, 2])).tolist()
        [7, 7]
    """

    def __init__(self, fill_value: Any) -> None:
        self.value = _of_type(fill_value, (str, float, bool, int, bytes), "fill_value")

    def __call__(self, array: Any) -> np.ndarray:
        array = np.asarray(array)
        if isinstance(self.value, (str, bytes)) != (array.dtype.kind in "SU"):
            raise RuntimeError(f"Fill: an array of {array.dtype} cannot be filled with {self.value!r}")
        if array.dtype.kind in "SU":
            return np.full(array.shape, self.value)
        return np.full_like(array, self.value)


class Duplicate:
    """The array twice.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import transforms
        >>> transforms.Duplicate()(np.array([1, 2]))
        (array([1, 2]), array([1, 2]))
    """

    def __call__(self, array: Any) -> tuple[Any, Any]:
        return array, np.array(array)


class Concatenate:
    """Arrays of one dimension joined, with constant arrays before and after them.

    Args:
        axis: 0 or -1.
        prepend, append: arrays, or None.

    Raises:
        TypeError: if an argument is of another type. ValueError: for another axis. RuntimeError: if the arrays differ
        in dtype or have several dimensions.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import transforms
        >>> transforms.Concatenate(append=np.array([3]))(np.array([1, 2])).tolist()
        [1, 2, 3]
    """

    def __init__(self, axis: int = 0, prepend: Any = None, append: Any = None) -> None:
        if _of_type(axis, int, "axis") not in (0, -1):
            raise ValueError("only 1D concatenation supported.")
        for name, given in (("prepend", prepend), ("append", append)):
            if given is not None and not isinstance(given, np.ndarray):
                raise TypeError(
                    f"Argument {name} with value {given!r} is not of type [{np.ndarray}], but got {type(given)}."
                )
        self.prepend, self.append = prepend, append

    def __call__(self, *arrays: Any) -> np.ndarray:
        parts = [np.asarray(part) for part in (self.prepend, *arrays, self.append) if part is not None]
        if any(part.ndim != 1 for part in parts):
            raise RuntimeError(f"Concatenate: arrays should have one dimension, but got {[p.shape for p in parts]}")
        if len({part.dtype if part.dtype.kind not in "SU" else "text" for part in parts}) > 1:
            raise RuntimeError(f"Concatenate: arrays differ in dtype: {[str(part.dtype) for part in parts]}")
        return np.concatenate(parts)


class PadEnd:
    """The array padded or cut at its ends to a shape; sizes of None stay.

    Args:
        pad_shape: a list with a size or None for each axis.
        pad_value: what is put at the ends; None for zero or empty text.

    Raises:
        TypeError: if `pad_shape` is no list. RuntimeError: if an array has another number of axes.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import transforms
        >>> transforms.PadEnd([3], 9)(np.array([1, 2])).tolist()
        [1, 2, 9]
    """

    def __init__(self, pad_shape: list[int | None], pad_value: Any = None) -> None:
        _of_type(pad_shape, list, "pad_shape")
        for place, size in enumerate(pad_shape):
            if size is not None and _of_type(size, int, f"pad_shape[{place}]") < 1:
                raise ValueError(f"pad_shape[{place}] must be positive or None, but got {size}")
        self.shape, self.value = list(pad_shape), pad_value

    def __call__(self, array: Any) -> np.ndarray:
        array = np.asarray(array)
        if array.ndim != len(self.shape):
            raise RuntimeError(f"PadEnd: an array of shape {array.shape} cannot be padded to the shape {self.shape}")
        text = array.dtype.kind in "SU"
        value = ("" if text else 0) if self.value is None else self.value
        if isinstance(value, (str, bytes)) != text:
            raise RuntimeError(f"PadEnd: an array of {array.dtype} cannot be padded with {value!r}")
        shape = [have if want is None else want for want, have in zip(self.shape, array.shape, strict=True)]
        dtype = np.result_type(array.dtype, np.asarray(value).dtype) if text else array.dtype
        made = np.full(shape, value, dtype)
        common = tuple(slice(min(want, have)) for want, have in zip(shape, array.shape, strict=True))
        made[common] = array[common]
        return made


class Relational(IntEnum):
    """How `Mask` compares."""

    EQ, NE, GT, GE, LT, LE = range(6)


_COMPARISONS = (np.equal, np.not_equal, np.greater, np.greater_equal, np.less, np.less_equal)


class Mask:
    """Where the array's elements compare with a constant.

    Args:
        operator: a `Relational`.
        constant: a number, bool or text.
        dtype: of the result.

    Raises:
        TypeError: if an argument is of another type.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import transforms
        >>> transforms.Mask(transforms.Relational.GT, 1)(np.array([1, 2, 3])).tolist()
        [False, True, True]
    """

    def __init__(self, operator: Relational, constant: Any, dtype: Any = dtypes.bool_) -> None:
        _of_type(operator, Relational, "operator")
        if not isinstance(constant, (str, float, bool, int, bytes)):
            raise TypeError(f"Argument constant with value {constant!r} is no number, bool or text.")
        self.compare, self.constant = _COMPARISONS[operator], constant
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, array: Any) -> np.ndarray:
        return np.asarray(self.compare(np.asarray(array), self.constant)).astype(self.dtype.np)


class Slice:
    """A part of the array.

    Args:
        slices: for each of the first axes an int or a list of them (places to keep), a slice, or None or True for all;
            an Ellipsis stands for as many axes as are not named.

    Raises:
        TypeError: if an argument is of another type. RuntimeError: if a place is out of range.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import transforms
        >>> transforms.Slice([0, 2])(np.array([1, 2, 3])).tolist()
        [1, 3]
    """

    def __init__(self, *slices: Any) -> None:
        for given in slices:
            if not (given is None or given is ... or isinstance(given, (int, list, slice))):
                raise TypeError(
                    f"Argument slice with value {given!r} is not of type [int, list, slice, bool, ellipsis], "
                    f"but got {type(given)}."
                )
        self.slices = slices

    def __call__(self, *arrays: Any) -> Any:
        return _single(tuple(self._part(np.asarray(array)) for array in arrays))

    def _part(self, array: np.ndarray) -> np.ndarray:
        slices = list(self.slices)
        if ... in slices:
            place = slices.index(...)
            slices[place : place + 1] = [None] * (array.ndim - len(slices) + 1)
        if len(slices) > array.ndim:
            raise RuntimeError(f"Slice: {len(slices)} slices are too many for an array of shape {array.shape}")
        for axis, given in enumerate(slices):
            if given is None or given is True:
                continue
            part = given if isinstance(given, slice) else np.atleast_1d(given)
            try:
                array = array[(slice(None),) * axis + (part,)]
            except IndexError as error:
                raise RuntimeError(f"Slice: {error}") from error
        return array.copy()


class Unique:
    """The different elements of the flattened array in the order of their first places.

    Returns:
        The elements, for each element of the array the place of its value among them (int32), and how often each
        occurs (int32).

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import transforms
        >>> transforms.Unique()(np.array([2, 1, 2]))[0].tolist()
        [2, 1]
    """

    def __call__(self, array: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if np.asarray(array).dtype.kind in "SU":
            raise RuntimeError("Unique: the elements should be numbers, but are text")
        values, first, places, counts = np.unique(
            np.asarray(array).ravel(), return_index=True, return_inverse=True, return_counts=True
        )
        order = np.argsort(first)
        rank = np.argsort(order)
        return values[order], rank[places].astype(np.int32), counts[order].astype(np.int32)


class RandomApply:
    """All of the transformations with probability `prob`, else none.

    Raises:
        TypeError: if `transforms` is no list of functions. ValueError: if it is empty or `prob` not from 0 to 1.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import transforms
        >>> transforms.RandomApply([transforms.Fill(7)], 1.0)(np.array([1, 2])).tolist()
        [7, 7]
    """

    def __init__(self, transforms: list[Callable[..., Any]], prob: float = 0.5) -> None:
        self.transforms = _listed(transforms)
        self.probability = _within(_of_type(prob, (float, int), "prob"), 0, 1, "prob")

    def __call__(self, *arrays: Any) -> Any:
        return _single(_run(self.transforms, arrays) if config.generator().random() < self.probability else arrays)


class RandomChoice:
    """One of the transformations, drawn anew for each row.

    Raises:
        TypeError: if `transforms` is no list of functions. ValueError: if it is empty.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import transforms
        >>> transforms.RandomChoice([transforms.Fill(7)])(np.array([1, 2])).tolist()
        [7, 7]
    """

    def __init__(self, transforms: list[Callable[..., Any]]) -> None:
        self.transforms = _listed(transforms)

    def __call__(self, *arrays: Any) -> Any:
        return self.transforms[int(config.generator().integers(len(self.transforms)))](*arrays)


@_like(RandomChoice)
class RandomOrder:
    """All of the transformations, in an order drawn anew for each row.

    Examples:
        >>> transforms.RandomOrder([transforms.Fill(7)])(np.array([1, 2])).tolist()
        [7, 7]
    """

    def __init__(self, transforms: list[Callable[..., Any]]) -> None:
        self.transforms = _listed(transforms)

    def __call__(self, *arrays: Any) -> Any:
        order = config.generator().permutation(len(self.transforms))
        return _single(_run([self.transforms[place] for place in order], arrays))
