"""The functions of `mycel.numpy` that make, shape, join and reduce arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...frontend.values.arguments import choice, one_axis
from ...frontend.values.dispatch import cast, common_dtype
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..docstrings import Shared
from ..functions.table import made
from .documentation import common
from .elementwise import array, in_dtype, operand, tensor_of

_shared = Shared(
    """
    Args:
        indices_or_sections: into how many parts, or the indices before which to cut.
        indices: integers of any shape.
        offset: which diagonal, counted upwards from the main one.
        axis1: the first axis.
        axis2: the second axis.

    Raises:
        TypeError: if `v` holds no numbers.
    """,
    common,
)


@_shared
def split(x: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """The tensor cut into equal parts, or before each of the indices. ValueError if equal parts do not make it up.

    Raises:
        ValueError: if `axis` is out of range, or equal parts do not make it up.

    Examples:
        >>> print(*mnp.split([1, 2, 3, 4], 2))
        [1 2] [3 4]
    """
    value = tensor_of(x)
    axis = one_axis(axis, value.ndim, "split")
    if isinstance(indices_or_sections, int):
        length = value.shape[axis]
        if length % indices_or_sections:
            raise ValueError(
                f"split: {indices_or_sections} parts do not divide dimension {axis} of shape {value.shape}"
            )
        return ops.split(value, length // indices_or_sections, axis)
    return list(ops.tensor_split(value, tuple(indices_or_sections), axis))


@_shared
def array_split(x: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """The tensor cut into parts of nearly equal size, or before each of the indices.

    Examples:
        >>> print(*mnp.array_split([1, 2, 3], 2))
        [1 2] [3]
    """
    return ops.tensor_split(tensor_of(x), indices_or_sections, axis)


def _along(name: str, axis: int, which: str, example: str) -> Callable[[Any, Any], Any]:
    """`vsplit`, `hsplit` and `dsplit`."""

    def run(x: Any, indices_or_sections: Any) -> Any:
        """The tensor cut along its {which} axis.

        Examples:
            >>> print({call})
            {printed}
        """
        return split(x, indices_or_sections, axis)

    call, _, printed = example.partition(" -> ")
    return _shared(made(run, name, which=which, call=call, printed=printed))


vsplit = _along("vsplit", 0, "first", "*mnp.vsplit([[1], [2]], 2) -> [[1]] [[2]]")
hsplit = _along("hsplit", 1, "second", "mnp.hsplit([[1, 2], [3, 4]], 2)[0].shape -> (2, 1)")
dsplit = _along("dsplit", 2, "third", "mnp.dsplit(mnp.ones((1, 1, 4)), 2)[0].shape -> (1, 1, 2)")


@_shared
def take(a: Any, indices: Any, axis: int | None = None, mode: str = "clip") -> Tensor:
    """The rows along an axis at some indices; without an axis, elements.

    Args:
        mode: "clip", "wrap" or "raise": what happens to indices out of range.

    Raises:
        TypeError: if `a` or `indices` holds no numbers.

    Examples:
        >>> print(mnp.take([1, 2, 3], [0, 2]))
        [1 3]
    """
    return ops.array_gather.take_method(tensor_of(a), tensor_of(indices), axis, mode)


@_shared
def take_along_axis(arr: Any, indices: Any, axis: int | None) -> Tensor:
    """For each place of the indices the element at that position along an axis.

    Args:
        indices: integers of as many dimensions as `arr`.

    Raises:
        TypeError: if `arr` or `indices` holds no numbers.

    Examples:
        >>> print(mnp.take_along_axis([[1, 2]], [[1]], 1))
        [[2]]
    """
    x, places = tensor_of(arr), tensor_of(indices)
    if axis is None:
        return ops.gather_elements(ops.ravel(x), 0, ops.ravel(places))
    rank = x.ndim
    place = one_axis(axis, rank, "take_along_axis")
    full = tuple(places.shape[at] if at == place else max(x.shape[at], places.shape[at]) for at in range(rank))
    x = ops.broadcast_to(x, tuple(x.shape[at] if at == place else full[at] for at in range(rank)))
    return ops.gather_elements(x, place, ops.broadcast_to(places, full))


def choose(a: Any, choices: Any, mode: str = "clip") -> Tensor:
    """At each place the element of the choice that the index names.

    Args:
        a: integers, of any shape.
        choices: a sequence of tensors, or one tensor of them.
        mode: "raise", "wrap" or "clip": what happens to indices out of range.

    Raises:
        TypeError: if `a` or `choices` holds no numbers.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.choose([0, 1], [[1, 2], [3, 4]]))
        [1 4]
    """
    return ops.array_gather.choose(
        tensor_of(a), choices if isinstance(choices, Tensor) else [tensor_of(item) for item in choices], mode
    )


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Tensor:
    """At each place the element of the first choice whose condition is True.

    Args:
        condlist: a sequence of Bool tensors.
        choicelist: as many tensors.
        default: the number where no condition holds.

    Raises:
        TypeError: if `condlist` or `choicelist` holds no numbers.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.select([[True, False]], [[1, 2]]))
        [1 0]
    """
    choices = [tensor_of(item) for item in choicelist]
    result: Any = ops.mul(ops.zeros_like(choices[0]), 0)
    result = ops.add(result, operand(default))
    for condition, picked in reversed(list(zip(condlist, choices, strict=True))):
        result = ops.where(tensor_of(condition), picked, result)
    return result


@_shared
def argwhere(a: Any) -> Tensor:
    """The positions of the elements that are not zero, one a row.

    Examples:
        >>> print(mnp.argwhere([1, 0, 2]))
        [[0]
         [2]]
    """
    return ops.argwhere(tensor_of(a))


@_shared
def diag(v: Any, k: int = 0) -> Tensor:
    """Of a vector the matrix with it on a diagonal; of a matrix the diagonal.

    Args:
        v: a vector or matrix.

    Examples:
        >>> print(mnp.diag([1, 2]))
        [[1 0]
         [0 2]]
    """
    return ops.array_matrix.numpy_diag(tensor_of(v), k)


@_shared
def diagflat(v: Any, k: int = 0) -> Tensor:
    """The matrix with all elements on a diagonal.

    Args:
        v: a tensor or nested sequence of numbers.

    Examples:
        >>> print(mnp.diagflat([1, 2]))
        [[1 0]
         [0 2]]
    """
    return ops.diagflat(tensor_of(v), k)


@_shared
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonals over two axes.

    Examples:
        >>> print(mnp.diagonal([[1, 2], [3, 4]]))
        [1 4]
    """
    return ops.diagonal(tensor_of(a), offset, axis1, axis2)


@_shared
def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Tensor:
    """The sums of the diagonals over two axes.

    Examples:
        >>> print(mnp.trace([[1, 2], [3, 4]]))
        5
    """
    x = tensor_of(a)
    wide = dtypes.int64 if x.dtype.is_integer else None  # as sums have
    return in_dtype(ops.array_matrix.trace_method(in_dtype(x, wide), offset, axis1, axis2), dtype)


def _triangle(name: str, side: str, printed: str) -> Callable[..., Tensor]:
    """`tril` and `triu`."""

    def run(m: Any, k: int = 0) -> Tensor:
        """The {side} triangles of matrices; a vector stands for a matrix of equal rows.

        Examples:
            >>> print(mnp.{name}([[1, 2], [3, 4]]))
            {printed}
        """
        x = tensor_of(m)
        return getattr(ops, name)(ops.broadcast_to(x, x.shape * 2) if x.ndim == 1 else x, k)

    return _shared(made(run, name, side=side, printed=printed))


tril, triu = _triangle("tril", "lower", "[[1 0]\n     [3 4]]"), _triangle("triu", "upper", "[[1 2]\n     [0 4]]")


@_shared
def unique(x: Any, return_inverse: bool = False) -> Any:
    """The different elements in the order they occur; optionally which of them each element is.

    Args:
        return_inverse: whether to give which of them each element is.

    Examples:
        >>> print(mnp.unique([2, 1, 2]))
        [2 1]
    """
    values, inverse = ops.unique(ops.ravel(tensor_of(x)))
    return (values, inverse) if return_inverse else values


@_shared
def copy(a: Any) -> Tensor:
    """A copy of the tensor.

    Examples:
        >>> print(mnp.copy([1, 2]))
        [1 2]
    """
    return array(a)


def size(a: Any, axis: int | None = None) -> int:
    """Number of elements, or of those along an axis.

    Args:
        a: a tensor or nested sequence of numbers, of any shape.
        axis: the axis; None: all.

    Raises:
        TypeError: if `a` holds no numbers.
        IndexError: if `axis` is out of range.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.size([[1, 2]]))
        2
    """
    x = tensor_of(a)
    return x.size if axis is None else x.shape[axis]


@_shared
def unravel_index(indices: Any, shape: Any, order: str = "C") -> tuple[Tensor, ...]:
    """The positions in a tensor of a shape of elements counted in C (or F) order.

    Args:
        order: "C" or "F": the order of the elements.

    Raises:
        TypeError: if `indices` holds no numbers.

    Examples:
        >>> print(*mnp.unravel_index([3], (2, 2)))
        [1] [1]
    """
    choice(order, ("C", "F"), "unravel_index", "order")
    rest = ops.clamp(tensor_of(indices), 0, math.prod(shape) - 1)
    places = []
    for length in reversed(shape) if order == "C" else shape:
        places.append(ops.remainder(rest, length))
        rest = ops.floor_divide(rest, length)
    return tuple(reversed(places)) if order == "C" else tuple(places)


def ravel_multi_index(multi_index: Any, dims: Any, mode: str = "clip", order: str = "C") -> Tensor:
    """The counts in C (or F) order of elements at positions in a tensor of a shape.

    Args:
        multi_index: the positions along each dimension.
        dims: the shape.
        mode: "clip" or "wrap": what happens to positions out of range.
        order: "C" or "F": the order of the elements.

    Raises:
        TypeError: if an argument is of another kind.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.ravel_multi_index(([0], [1]), (2, 2)))
        [1]
    """
    choice(order, ("C", "F"), "ravel_multi_index", "order")
    choice(mode, ("clip", "wrap"), "ravel_multi_index", "mode")
    strides = np.cumprod([1, *(reversed(dims[1:]) if order == "C" else dims[:-1])])
    steps = strides[::-1] if order == "C" else strides
    total: Any = 0
    for place, length, step in zip(multi_index, dims, steps.tolist(), strict=True):
        value = tensor_of(place)
        value = ops.remainder(value, length) if mode == "wrap" else ops.clamp(value, 0, length - 1)
        total = ops.add(ops.mul(value, step), total)
    return total


_joins = Shared(
    """
    Args:
        tup: a tuple or list of tensors.
        arrays: a tuple or list of tensors.

    Raises:
        TypeError: if an argument is of another kind.
    """,
    common,
)


@_joins
def concatenate(arrays: Any, axis: int | None = 0) -> Tensor:
    """Tensors one after the other along an axis; None: their elements in one dimension.

    Examples:
        >>> print(mnp.concatenate(([1], [2, 3])))
        [1 2 3]
    """
    parts = [tensor_of(item) for item in (arrays if not isinstance(arrays, Tensor) else list(arrays))]
    if axis is None:
        return ops.concat([ops.ravel(part) for part in parts], 0)
    return ops.concat(parts, axis)


@_joins
def stack(arrays: Any, axis: int = 0) -> Tensor:
    """Tensors one after the other along a new axis.

    Examples:
        >>> print(mnp.stack(([1, 2], [3, 4])))
        [[1 2]
         [3 4]]
    """
    parts = [tensor_of(item) for item in (arrays if not isinstance(arrays, Tensor) else list(arrays))]
    dtype = common_dtype(*parts)
    return ops.stack([cast(part, dtype) for part in parts], axis)


def _joining(name: str, where: str, printed: str, arrays: str = "[1, 2], [3, 4]") -> Callable[[Any], Tensor]:
    """The functions that join arrays of any number of dimensions."""

    def run(tup: Any) -> Tensor:
        """Tensors one after the other along the {where}.

        Examples:
            >>> print(mnp.{name}(({arrays})))
            {printed}
        """
        return getattr(ops, name)([tensor_of(item) for item in tup])

    return _joins(made(run, name, where=where, arrays=arrays, printed=printed))


vstack = _joining("vstack", "first axis", "[[1 2]\n     [3 4]]")
hstack = _joining("hstack", "second axis", "[1 2 3]", "[1], [2, 3]")
dstack = _joining("dstack", "third axis", "[[[1 3]\n      [2 4]]]")
column_stack = _joining("column_stack", "second axis; vectors as columns", "[[1 3]\n     [2 4]]")


@_joins
def append(arr: Any, values: Any, axis: int | None = None) -> Tensor:
    """Values after a tensor along an axis; None: of all elements in one dimension.

    Args:
        values: a tensor or sequence.
        axis: the axis; None: all elements in one dimension.

    Raises:
        TypeError: if `arr` or `values` holds no numbers.

    Examples:
        >>> print(mnp.append([1, 2], [3]))
        [1 2 3]
    """
    return concatenate((arr, values), axis)
