"""The functions of `mycel.numpy` that reduce, multiply and analyse: sums, statistics, products, polynomials, …"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from ...frontend.values.arguments import one_axis
from ...frontend.values.dispatch import cast, promoted_dtype
from ...frontend.values.tensor import Tensor
from ...frontend.values.traced_tensor import is_traced
from ...runtime import dtypes
from .. import functions as ops
from ..docstrings import Shared, like
from .documentation import common
from .elementwise import kind_of, operand, tensor_of
from .products import _joined
from .reductions import _float

_shared = Shared(
    """
    Args:
        test_elements: the others, a tensor or sequence.
        invert: whether to give the opposite.
        bins: how many intervals, or their bounds.
        range: the lowest and the highest bound; None: those of the elements.

    Raises:
        TypeError: if `element` or `test_elements` holds no numbers.
        TypeError: if `ar1` or `ar2` holds no numbers.
    """,
    common,
)

# Sets of more than so many elements, of these dtypes, are sorted and searched: each element is not compared with all.
_MANY = 128
_SEARCHED = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)


@_shared
def isin(element: Any, test_elements: Any, invert: bool = False) -> Tensor:
    """Whether each element is among some others.

    Args:
        element: a tensor or nested sequence of numbers, of any shape.

    Examples:
        >>> print(mnp.isin([1, 2], [2, 3]))
        [False  True]
    """
    x, others = _joined(element, test_elements)
    others = ops.ravel(others)
    if x.dtype in _SEARCHED and (others.shape[0] or 0) > _MANY:
        ordered = ops.sort(others)[0]
        nearest = ops.minimum(ops.searchsorted(ordered, x), others.shape[0] - 1)
        found = ops.equal(ops.index_select(ordered, 0, ops.ravel(nearest)).reshape(x.shape), x)
    else:
        found = ops.any(ops.equal(ops.expand_dims(x, -1), others), -1)
    return ops.logical_not(found) if invert else found


@_shared
def in1d(ar1: Any, ar2: Any, invert: bool = False) -> Tensor:
    """Whether each element, in one dimension, is among some others.

    Args:
        ar1: a tensor or sequence.
        ar2: a tensor or sequence.

    Examples:
        >>> print(mnp.in1d([1, 2], [2, 3]))
        [False  True]
    """
    return isin(ops.ravel(tensor_of(ar1)), ar2, invert)


@_shared
def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Tensor:
    """The positions, Int32, at which values would be put into an ordered vector.

    Args:
        a: a vector in ascending order.
        v: a tensor or number.
        side: "left" or "right": on which side of equal elements.
        sorter: positions that put `a` in order; None: it is.

    Examples:
        >>> print(mnp.searchsorted([1.0, 3.0], 2.0))
        1
    """
    return ops.searchsorted(*_joined(a, v), side=side, right=side == "right", sorter=sorter, out_int32=True)


@_shared
def digitize(x: Any, bins: Any, right: bool = False) -> Tensor:
    """The number, Int32, of the interval between ascending (or descending) bounds that each element lies in.

    Args:
        bins: the bounds, a vector.
        right: whether an element that equals a bound lies in the interval below it.

    Raises:
        TypeError: if `x` or `bins` holds no numbers.

    Examples:
        >>> print(mnp.digitize([0.5, 1.5], [0.0, 1.0]))
        [1 2]
    """
    values, edges = _joined(x, bins)
    places = ops.searchsorted(edges, values, right=not right, out_int32=True)
    if not edges.size or (not is_traced(edges) and bool(edges[0] <= edges[-1])):
        return places
    turned = ops.searchsorted(ops.flip(edges, 0), values, right=not right, out_int32=True)
    return ops.select(ops.greater(edges[0], edges[-1]), ops.sub(int(edges.size), turned), places)


@_shared
def bincount(x: Any, weights: Any = None, minlength: int = 0, length: int | None = None) -> Tensor:
    """How often each number occurs, Float32, or the sums of its weights; `length` fixes how many numbers count.

    Args:
        x: a vector of integers that are not negative.
        minlength: the least length of the result.
        length: the length of the result; None: as long as needed.

    Examples:
        >>> print(mnp.bincount([0, 1, 1]))
        [1. 2.]
    """
    values = ops.bincount(
        tensor_of(x), None if weights is None else tensor_of(weights), builtins.max(minlength, length or 0)
    )
    return values if length is None else values[:length]


@_shared
def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Tensor:
    """The bounds of equal intervals over the range of the elements.

    Examples:
        >>> print(mnp.histogram_bin_edges([0.0, 1.0], 2))
        [0.  0.5 1. ]
    """
    if not isinstance(bins, int):
        return _float(bins)
    x = ops.ravel(_float(a))
    low, high = (ops.amin(x), ops.amax(x)) if range is None else (Tensor(float(range[0])), Tensor(float(range[1])))
    same = ops.equal(low, high)
    low, high = ops.where(same, ops.sub(low, 0.5), low), ops.where(same, ops.add(high, 0.5), high)
    steps = Tensor(np.linspace(0, 1, bins + 1), x.dtype)
    bounds = ops.add(ops.mul(steps, ops.sub(high, low)), low)
    return ops.minimum(ops.where(ops.equal(steps, 1), high, bounds), high)  # rounding leaves no element out


@_shared
def histogram(
    a: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False
) -> tuple[Tensor, Tensor]:
    """How many elements (or what weight) lie in each interval, Float32, and the intervals' bounds.

    Args:
        density: whether to give densities, not counts.

    Examples:
        >>> print(mnp.histogram([1.0, 2.0, 2.0], 2)[0])
        [1. 2.]
    """
    x = ops.ravel(_float(a))
    edges = histogram_bin_edges(a, bins, range)
    count = int(edges.shape[0]) - 1
    inside = ops.logical_and(ops.greater_equal(x, edges[0]), ops.less_equal(x, edges[-1]))
    if isinstance(bins, int):
        x = ops.where(inside, x, edges[0])
        guess = ops.floor(ops.mul(ops.sub(x, edges[0]), ops.div(count, ops.sub(edges[-1], edges[0]))))
        places = cast(ops.clamp(guess, 0, count - 1), dtypes.int32)  # which rounding may move by one
        places = ops.sub(places, cast(ops.less(x, edges[places]), dtypes.int32))
        above = ops.greater_equal(x, edges[ops.add(places, 1)])
        places = ops.minimum(ops.add(places, cast(above, dtypes.int32)), count - 1)
    else:
        places = ops.clamp(ops.sub(ops.searchsorted(edges, x, right=True), 1), 0, count - 1)
    amounts = cast(inside, dtypes.float32)
    if weights is not None:
        given = _float(weights)
        if given.shape != tensor_of(a).shape:
            raise ValueError(f"histogram: 'weights' of shape {given.shape} should have the shape of 'a'")
        amounts = ops.mul(amounts, ops.ravel(given))
    values = ops.index_add(ops.zeros(count, amounts.dtype), places, amounts, 0)
    if density:
        values = ops.div(ops.div(values, ops.sum(values)), ops.sub(edges[1:], edges[:-1]))
    return values, edges if isinstance(bins, int) else tensor_of(bins)


@_shared
def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> Tensor:
    """A function of vectors applied to each vector along an axis.

    Args:
        func1d: a function of a vector.
        args: further arguments.
        kwargs: further arguments.

    Examples:
        >>> print(mnp.apply_along_axis(mnp.sum, 0, [[1, 2], [3, 4]]))
        [4 6]
    """
    x = tensor_of(arr)
    place = one_axis(axis, x.ndim, "apply_along_axis")
    moved = ops.moveaxis(x, place, -1)
    lead = moved.shape[:-1]
    rows = ops.reshape(moved, (-1, moved.shape[-1]))
    results = [tensor_of(func1d(row, *args, **kwargs)) for row in ops.unstack(rows)]
    whole = ops.reshape(ops.stack(results), (*lead, *results[0].shape))
    if not results[0].ndim:
        return whole
    return ops.moveaxis(
        whole, tuple(builtins.range(len(lead), whole.ndim)), tuple(builtins.range(place, place + results[0].ndim))
    )


@_shared
def apply_over_axes(func: Callable[..., Any], a: Any, axes: Any) -> Tensor:
    """A function of a tensor and an axis applied for one axis after the other, the dimensions kept.

    Args:
        func: a function of a tensor and an axis.
        axes: the axes, an int or a sequence.

    Raises:
        TypeError: if `a` or `axes` holds no numbers.

    Examples:
        >>> result = mnp.apply_over_axes(lambda a, axis: mnp.sum(a, axis, keepdims=True), [[1, 2], [3, 4]], [0, 1])
        >>> print(result)
        [[10]]
    """
    x = tensor_of(a)
    for axis in (axes,) if isinstance(axes, int) else axes:
        result = tensor_of(func(x, axis))
        x = result if result.ndim == x.ndim else ops.expand_dims(result, axis)
    return x


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    """Whether two tensors have one shape and equal elements.

    Args:
        a1, a2: tensors or nested sequences of numbers.
        equal_nan: whether nan equals nan.

    Raises:
        TypeError: if `a1` or `a2` holds no numbers.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.array_equal([1, 2], [1, 2]))
        True
    """
    x, y = _joined(a1, a2)
    if x.shape != y.shape:
        return Tensor(False)
    same = ops.equal(x, y)
    return ops.all(ops.logical_or(same, ops.logical_and(ops.isnan(x), ops.isnan(y))) if equal_nan else same)


def array_equiv(a1: Any, a2: Any) -> Any:
    """Whether two tensors, broadcast, have equal elements.

    Args:
        a1, a2: tensors, numbers or nested sequences of numbers.

    Raises:
        TypeError: if `a1` holds no numbers.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.array_equiv([1, 1], 1))
        True
    """
    x, y = _joined(a1, a2)
    try:
        return ops.all(ops.equal(x, y))
    except ValueError:
        return Tensor(False)


@_shared
def array_str(a: Any) -> str:
    """The tensor as text.

    Examples:
        >>> print(mnp.array_str([1, 2]))
        [1 2]
    """
    return str(Tensor(tensor_of(a).asnumpy()))  # which ends a trace: only the run knows the numbers


def promote_types(type1: Any, type2: Any) -> dtypes.DType:
    """The dtype of an operation on tensors of two dtypes.

    Args:
        type1, type2: dtypes.

    Raises:
        TypeError: if an argument is of another kind.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.promote_types(mnp.int32, mnp.float32))
        Float32
    """
    return promoted_dtype(kind_of(type1), kind_of(type2))


def _dtype_of(item: Any) -> dtypes.DType:
    if isinstance(item, (dtypes.DType, str, type)):
        return kind_of(item)
    return tensor_of(operand(item)).dtype


def result_type(*arrays_and_dtypes: Any) -> dtypes.DType:
    """The dtype of an operation on these tensors, numbers and dtypes.

    Args:
        arrays_and_dtypes: tensors, numbers and dtypes.

    Raises:
        TypeError: if `arrays_and_dtypes` holds no numbers.

    Examples:
        >>> import mycel.numpy as mnp
        >>> from mycel import Tensor
        >>> print(mnp.result_type(Tensor([1.0]), mnp.float64))
        Float64
    """
    kinds = [_dtype_of(item) for item in arrays_and_dtypes]
    result = kinds[0]
    for kind in kinds[1:]:
        result = promoted_dtype(result, kind)
    return result


def rand(*shape: int, dtype: Any = dtypes.float32) -> Tensor:
    """Numbers equally likely anywhere in [0, 1).

    Args:
        shape: the shape, as ints.
        dtype: the dtype of the result; None: as computed.

    Raises:
        TypeError: if an argument is of another kind.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.rand(2, 3).shape)
        (2, 3)
    """
    return cast(ops.rand(*shape), dtypes.as_dtype(dtype))


@like(rand)
def randn(*shape: int, dtype: Any = dtypes.float32) -> Tensor:
    """Normally distributed numbers.

    Examples:
        >>> print(mnp.randn(2, 3).shape)
        (2, 3)
    """
    return cast(ops.randn(*shape), dtypes.as_dtype(dtype))


@_shared
def randint(minval: int, maxval: int | None = None, shape: Any = None, dtype: Any = dtypes.int32) -> Tensor:
    """Whole numbers in [minval, maxval), or in [0, minval).

    Args:
        minval: the least number; alone, the bound.
        maxval: the bound, not reached.

    Raises:
        TypeError: if an argument is of another kind.

    Examples:
        >>> print(mnp.randint(3, 4, (2,)))
        [3 3]
    """
    low, high = (0, minval) if maxval is None else (minval, maxval)
    size = () if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
    return cast(ops.randint(low, high, size or (1,)), dtypes.as_dtype(dtype))
