"""Reductions of tensors over axes: sums, products, means, extrema and where they are, logic, and running forms."""

from __future__ import annotations

from builtins import all as all_of
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.op import Op
from ...frontend.values.arguments import one_axis
from ...frontend.values.dispatch import apply, as_tensor, cast
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from .table import known_as

__all__ = [
    "all", "amax", "amin", "aminmax", "any", "argmax", "argmin", "count_nonzero", "cummax", "cummin", "cumprod",
    "cumsum", "logcumsumexp", "max", "mean", "min", "prod", "reduce_all", "reduce_any", "reduce_max", "reduce_mean",
    "reduce_min", "reduce_prod", "reduce_sum", "sum",
]  # fmt: skip

Axis = Any
"""None for all axes, an int, or a tuple or list of ints; negative ones count from the end."""


def axes_of(axis: Axis, rank: int, function: str, name: str = "axis") -> tuple[int, ...]:
    """Sorted axes counted from the front; None or () means all.

    Raises:
        TypeError: if it is no int, nor a tuple or list of ints.
        ValueError: if one is out of range or given twice.
    """
    if axis is None or (isinstance(axis, (tuple, list)) and not axis):
        return tuple(range(rank))
    given = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    for item in given:
        if isinstance(item, (bool, float)) or not hasattr(item, "__index__"):
            raise TypeError(f"{function}: '{name}' should be None, an int or a tuple of ints, but got {axis!r}")
    if rank == 0 and all_of(item.__index__() in (0, -1) for item in given):
        return ()
    positions = sorted(one_axis(item, rank, function, name) for item in given)
    if len(set(positions)) != len(positions):
        raise ValueError(f"{function}: '{name}' should name each dimension once, but got {axis}")
    return tuple(positions)


def axis_of(axis: Any, rank: int, function: str, name: str = "axis") -> int:
    """One axis counted from the front; errors as `axes_of`."""
    return one_axis(axis, rank, function, name)


def _reduce(op: Op, x: Tensor, axis: Axis, keepdims: Any, function: str, name: str = "axis") -> Tensor:
    if not isinstance(keepdims, (bool, int)):
        raise TypeError(f"{function}: 'keepdims' should be a bool, but got {type(keepdims).__name__}")
    return apply(op, x, axis=axes_of(axis, x.ndim, function, name), keepdims=bool(keepdims))


def _accumulating(x: Tensor, dtype: DType | None) -> Tensor:
    """x in the dtype that its sum or product has."""
    if dtype is not None:
        return cast(x, dtypes.as_dtype(dtype))
    return cast(x, dtypes.int64) if x.dtype.is_integer or x.dtype.is_bool else x


@known_as(mint=True, primitive="SumExt")
def sum(input: Tensor, dim: Axis = None, keepdim: bool = False, *, dtype: DType | None = None) -> Tensor:
    """Sum over axes.

    Args:
        input: a tensor of any shape and dtype.
        dim: the axes: None for all, an int or a tuple of ints.
        keepdim: whether they stay as dimensions of size one.
        dtype: the dtype to cast to first. Without, integers and booleans are summed in Int64.

    Raises:
        TypeError: if `input` is no Tensor, or `dim` is not made of ints.
        ValueError: if an axis is out of range or given twice.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [4. 6.]
    """
    return _reduce(prims.sum, _accumulating(need_tensor(input, "sum"), dtype), dim, keepdim, "sum")


@known_as(primitive="ProdExt")
def prod(input: Tensor, axis: Axis = None, keep_dims: bool = False, dtype: DType | None = None) -> Tensor:
    """Product over axes.

    Args:
        input: a tensor of any shape, of numbers.
        axis: the axes: None for all, an int or a tuple of ints.
        keep_dims: whether they stay as dimensions of size one.
        dtype: the dtype to cast to first. Without, integers and booleans are multiplied in Int64.

    Raises:
        ValueError: if an axis is out of range or given twice.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.prod(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [3. 8.]
    """
    return _reduce(prims.prod, _accumulating(need_tensor(input, "prod"), dtype), axis, keep_dims, "prod")


@known_as(primitive="MeanExt")
def mean(x: Tensor, axis: Axis = None, keep_dims: bool = False) -> Tensor:
    """Mean over axes, in the dtype of x: that of integers loses its fraction.

    Args:
        x: a tensor of any shape, of numbers.
        axis: the axes: None for all, an int or a tuple of ints.
        keep_dims: whether they stay as dimensions of size one.

    Raises:
        ValueError: if an axis is out of range or given twice.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.mean(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [1.5 3.5]
    """
    return _reduce(prims.mean, need_tensor(x, "mean", "x"), axis, keep_dims, "mean")


def _extremum(op: Op, input: Tensor, axis: Axis, keepdims: bool, initial: Any, where: Any, function: str) -> Tensor:
    x = need_tensor(input, function)
    better = prims.maximum if op is prims.max else prims.minimum
    if where is not None:
        if initial is None:
            raise ValueError(f"{function}: 'initial' should be given along with 'where'")
        x = apply(prims.select, need_tensor(where, function, "where"), x, as_tensor(initial, x.dtype))
    result = _reduce(op, x, axis, keepdims, function)
    if initial is not None:
        result = apply(better, result, as_tensor(initial, x.dtype))
    return result


@known_as(method=True)
def amax(
    input: Tensor, axis: Axis = None, keepdims: bool = False, *, initial: Any = None, where: Tensor | None = None
) -> Tensor:
    """The largest element over axes; equal ones share the gradient.

    Args:
        input: a tensor of any shape, of a real dtype.
        axis: the axes: None for all, an int or a tuple of ints.
        keepdims: whether they stay as dimensions of size one.
        initial: the least that the result can be.
        where: a Bool tensor; elements where it does not hold are left out (needs `initial`).

    Raises:
        ValueError: if an axis is out of range or given twice, or the tensor is empty along one.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.amax(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [2. 4.]
    """
    return _extremum(prims.max, input, axis, keepdims, initial, where, "amax")


@known_as(method=True)
def amin(
    input: Tensor, axis: Axis = None, keepdims: bool = False, *, initial: Any = None, where: Tensor | None = None
) -> Tensor:
    """The smallest element over axes; equal ones share the gradient. Arguments as for `amax`.

    Args:
        input: a tensor of any shape, of a real dtype.
        axis: the axis, or a tuple of axes; None: all.
        keepdims: whether the reduced axes stay as dimensions of size one.
        initial: the most that a value can be.
        where: a Bool tensor; elements where it does not hold are left out (needs `initial`).

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if `axis` is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.amin(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [1. 3.]
    """
    return _extremum(prims.min, input, axis, keepdims, initial, where, "amin")


def with_position(
    largest: bool, input: Tensor, axis: int, keepdims: bool, function: str, initial: Any = None, where: Any = None
) -> tuple[Tensor, Tensor]:
    """The extreme elements along an axis and the positions of the first ones."""
    x = need_tensor(input, function)
    position = _axis_or_scalar(axis, x.ndim, function)
    if where is not None:
        if initial is None:
            raise ValueError(f"{function}: 'initial' should be given along with 'where'")
        x = apply(prims.select, need_tensor(where, function, "where"), x, as_tensor(initial, x.dtype))
    if position is None:
        return x, as_tensor(0, dtypes.int64)
    where_op = prims.argmax if largest else prims.argmin
    index = apply(where_op, x, axis=position, dtype=dtypes.int64)
    if keepdims:
        index = _keep(index, position)
    # The element found gets the whole gradient.
    found = _keep(index, position) if not keepdims else index
    values = apply(prims.take_along, x, found, axis=position)
    if not keepdims:
        op, attrs = prims.drop_axes_step(values._type, (position,))
        values = apply(op, values, **attrs)
    if initial is not None:
        values = apply(prims.maximum if largest else prims.minimum, values, as_tensor(initial, x.dtype))
    return values, index


def _keep(x: Tensor, axis: int) -> Tensor:
    op, attrs = prims.insert_axes_step(x._type, (axis,))
    return apply(op, x, **attrs)


def _axis_or_scalar(axis: Any, rank: int, function: str) -> int | None:
    if rank == 0:
        axis_of(axis, 1, function)
        return None
    return axis_of(axis, rank, function)


def max(
    input: Tensor, axis: int | None = None, keepdims: bool = False, *, initial: Any = None, where: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The largest elements along an axis, and the positions of the first ones.

    Args:
        input: a tensor of any shape, of a real dtype.
        axis: an axis; None takes the largest of all, with position 0.
        keepdims: whether the axis stays as a dimension of size one.
        initial: the least that a value can be.
        where: a Bool tensor; elements where it does not hold are left out (needs `initial`).

    Returns:
        A tuple of the values and the positions (Int64).

    Raises:
        ValueError: if the axis is out of range, or the tensor is empty along it.

    Examples:
        >>> from mycel import Tensor, ops
        >>> values, positions = ops.max(Tensor([[1.0, 5.0], [7.0, 4.0]]), 1)
        >>> print(values, positions)
        [5. 7.] [1 0]
    """
    if axis is None:
        return amax(input, keepdims=keepdims, initial=initial, where=where), as_tensor(0, dtypes.int64)
    return with_position(True, input, axis, keepdims, "max", initial, where)


def min(
    input: Tensor, axis: int | None = None, keepdims: bool = False, *, initial: Any = None, where: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The smallest elements along an axis, and the positions of the first ones. Arguments as for `max`.

    Args:
        input: a tensor of any shape, of a real dtype.
        axis: an axis; None takes the smallest of all, with position 0.
        keepdims: whether the reduced axes stay as dimensions of size one.
        initial: the most that a value can be.
        where: a Bool tensor; elements where it does not hold are left out (needs `initial`).

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if the axis is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> values, positions = ops.min(Tensor([[1.0, 5.0], [7.0, 4.0]]), 1)
        >>> print(values, positions)
        [1. 4.] [0 1]
    """
    if axis is None:
        return amin(input, keepdims=keepdims, initial=initial, where=where), as_tensor(0, dtypes.int64)
    return with_position(False, input, axis, keepdims, "min", initial, where)


@known_as(method=True)
def aminmax(input: Tensor, *, axis: int | None = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """The smallest and the largest elements along an axis (None: of all).

    Args:
        input: a tensor of any shape and dtype.
        axis: the axis; None: all elements.
        keepdims: whether the reduced axes stay as dimensions of size one.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if the axis is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> low, high = ops.aminmax(Tensor([[1.0, 5.0], [7.0, 4.0]]), axis=1)
        >>> print(low, high)
        [1. 4.] [5. 7.]
    """
    return amin(input, axis, keepdims), amax(input, axis, keepdims)


def position_of(op: Op, input: Tensor, axis: int | None, keepdims: bool, dtype: DType, function: str) -> Tensor:
    """The positions of the first extreme elements along an axis; of all elements in order where it is None."""
    x = need_tensor(input, function)
    if x.dtype.is_bool:
        x = cast(x, dtypes.int32)
    if axis is None or x.ndim == 0:
        if axis is not None:
            axis_of(axis, 1, function)
        flat = apply(prims.reshape, x, shape=(-1,))
        return apply(op, flat, axis=0, dtype=dtype)
    position = axis_of(axis, x.ndim, function)
    result = apply(op, x, axis=position, dtype=dtype)
    return _keep(result, position) if keepdims else result


def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The positions (Int64) of the first largest elements along an axis; of all elements in order where it is None.

    Args:
        input: a tensor of any shape and dtype.
        dim: the dimension; a negative one counts from the end.
        keepdim: whether the reduced dimensions stay as dimensions of size one.

    Raises:
        ValueError: if the axis is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.argmax(Tensor([[1.0, 5.0], [7.0, 4.0]]), 1))
        [1 0]
    """
    return position_of(prims.argmax, input, dim, keepdim, dtypes.int64, "argmax")


def argmin(input: Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The positions (Int32) of the first smallest elements along an axis; of all elements in order where it is None.

    Args:
        input: a tensor of any shape and dtype.
        axis: the axis; a negative one counts from the end.
        keepdims: whether the reduced axes stay as dimensions of size one.

    Raises:
        ValueError: if the axis is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.argmin(Tensor([[1.0, 5.0], [7.0, 4.0]]), 1))
        [0 1]
    """
    return position_of(prims.argmin, input, axis, keepdims, dtypes.int32, "argmin")


def all(input: Tensor, axis: Axis = None, keep_dims: bool = False) -> Tensor:
    """Whether all elements over axes are true (numbers other than 0 are): a Bool tensor.

    Args:
        input: a tensor of any shape and dtype.
        axis: the axis, or a tuple of axes; None: all.
        keep_dims: whether the reduced axes stay as dimensions of size one.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if `axis` is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.all(Tensor([[True, False], [True, True]]), 1))
        [False  True]
    """
    return _reduce(prims.all, cast(need_tensor(input, "all"), dtypes.bool_), axis, keep_dims, "all")


def any(input: Tensor, axis: Axis = None, keep_dims: bool = False) -> Tensor:
    """Whether an element over axes is true (numbers other than 0 are): a Bool tensor.

    Args:
        input: a tensor of any shape and dtype.
        axis: the axis, or a tuple of axes; None: all.
        keep_dims: whether the reduced axes stay as dimensions of size one.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if `axis` is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.any(Tensor([[True, False], [False, False]]), 1))
        [ True False]
    """
    return _reduce(prims.any, cast(need_tensor(input, "any"), dtypes.bool_), axis, keep_dims, "any")


def count_nonzero(x: Tensor, axis: Axis = (), keep_dims: bool = False, dtype: DType = dtypes.int32) -> Tensor:
    """How many elements over axes are not zero, in `dtype`.

    Args:
        x: a tensor of any shape and dtype.
        axis: the axis, or a tuple of axes; (): all.
        keep_dims: whether the reduced axes stay as dimensions of size one.
        dtype: the dtype of the result.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: if `axis` is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.count_nonzero(Tensor([[1.0, 0.0], [2.0, 3.0]]), 1))
        [1 2]
    """
    held = apply(prims.not_equal, need_tensor(x, "count_nonzero", "x"), 0)
    return _reduce(prims.sum, cast(held, dtypes.as_dtype(dtype)), axis, keep_dims, "count_nonzero")


def reduce_sum(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """Sum over axes (none given: all), in the dtype of x.

    Args:
        x: a tensor of any shape and dtype.
        axis: the axis, or a tuple of axes; (): all.
        keep_dims: whether the reduced axes stay as dimensions of size one.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: if `axis` is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.reduce_sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [4. 6.]
    """
    x = need_tensor(x, "reduce_sum", "x")
    return _reduce(prims.sum, cast(x, dtypes.int32) if x.dtype.is_bool else x, axis, keep_dims, "reduce_sum")


def reduce_prod(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """Product over axes (none given: all), in the dtype of x.

    Args:
        x: a tensor of any shape and dtype.
        axis: the axis, or a tuple of axes; (): all.
        keep_dims: whether the reduced axes stay as dimensions of size one.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: if `axis` is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.reduce_prod(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [3. 8.]
    """
    return _reduce(prims.prod, need_tensor(x, "reduce_prod", "x"), axis, keep_dims, "reduce_prod")


def reduce_mean(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """As `mean`; no axes given means all.

    Args:
        x: a tensor of any shape and dtype.
        axis: the axis, or a tuple of axes; (): all.
        keep_dims: whether the reduced axes stay as dimensions of size one.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: if `axis` is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.reduce_mean(Tensor([[1.0, 5.0], [7.0, 4.0]]), 1))
        [3.  5.5]
    """
    return mean(x, axis, keep_dims)


def reduce_max(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """As `amax`; no axes given means all.

    Args:
        x: a tensor of any shape and dtype.
        axis: the axis, or a tuple of axes; (): all.
        keep_dims: whether the reduced axes stay as dimensions of size one.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: if `axis` is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.reduce_max(Tensor([[1.0, 5.0], [7.0, 4.0]]), 1))
        [5. 7.]
    """
    return amax(x, axis, keep_dims)


def reduce_min(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """As `amin`; no axes given means all.

    Args:
        x: a tensor of any shape and dtype.
        axis: the axis, or a tuple of axes; (): all.
        keep_dims: whether the reduced axes stay as dimensions of size one.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: if `axis` is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.reduce_min(Tensor([[1.0, 5.0], [7.0, 4.0]]), 1))
        [1. 4.]
    """
    return amin(x, axis, keep_dims)


def reduce_all(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """As `all`; no axes given means all.

    Args:
        x: a tensor of any shape and dtype.
        axis: the axis, or a tuple of axes; (): all.
        keep_dims: whether the reduced axes stay as dimensions of size one.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: if `axis` is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.reduce_all(Tensor([[True, False], [True, True]]), 1))
        [False  True]
    """
    return all(x, axis, keep_dims)


def reduce_any(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """As `any`; no axes given means all.

    Args:
        x: a tensor of any shape and dtype.
        axis: the axis, or a tuple of axes; (): all.
        keep_dims: whether the reduced axes stay as dimensions of size one.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: if `axis` is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.reduce_any(Tensor([[True, False], [False, False]]), 1))
        [ True False]
    """
    return any(x, axis, keep_dims)


def cumsum(x: Tensor, axis: int, dtype: DType | None = None) -> Tensor:
    """Sums of the elements up to each along an axis.

    Args:
        x: a tensor of numbers.
        axis: the axis.
        dtype: the dtype to cast to first.

    Raises:
        TypeError: if x is Bool and no dtype is given.
        ValueError: if the axis is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.cumsum(Tensor([1.0, 2.0, 3.0]), 0))
        [1. 3. 6.]
    """
    x = need_tensor(x, "cumsum", "x")
    if dtype is not None:
        x = cast(x, dtypes.as_dtype(dtype))
    if x.dtype.is_bool:
        raise TypeError("cumsum: 'x' should be a tensor of numbers, but its dtype is Bool: cast it, or give 'dtype'")
    position = _axis_or_scalar(axis, x.ndim, "cumsum")
    return x if position is None else apply(prims.cumsum, x, axis=position, exclusive=False, reverse=False)


@known_as(method=True)
def cumprod(input: Tensor, dim: int, dtype: DType | None = None) -> Tensor:
    """Products of the elements up to each along an axis; of integers in Int64.

    Args:
        input: a tensor of numbers.
        dim: the axis.
        dtype: the dtype to cast to first.

    Raises:
        ValueError: if the axis is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.cumprod(Tensor([1.0, 2.0, 3.0]), 0))
        [1. 2. 6.]
    """
    x = _accumulating(need_tensor(input, "cumprod"), dtype)
    position = _axis_or_scalar(dim, x.ndim, "cumprod")
    return x if position is None else apply(prims.cumprod, x, axis=position, exclusive=False, reverse=False)


@known_as(method=True)
def cummax(input: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """The largest of the elements up to each along an axis, and the positions (Int64) of the last such ones.

    Args:
        input: a tensor of any shape and dtype.
        axis: the axis; a negative one counts from the end.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if the axis is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> values, positions = ops.cummax(Tensor([1.0, 3.0, 2.0]), 0)
        >>> print(values, positions)
        [1. 3. 3.] [0 1 1]
    """
    return _running(prims.cummax, input, axis, dtypes.int64, "cummax")


@known_as(method=True)
def cummin(input: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """The smallest of the elements up to each along an axis, and the positions (Int32) of the last such ones.

    Args:
        input: a tensor of any shape and dtype.
        axis: the axis; a negative one counts from the end.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if the axis is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> values, positions = ops.cummin(Tensor([3.0, 1.0, 2.0]), 0)
        >>> print(values, positions)
        [3. 1. 1.] [0 1 1]
    """
    return _running(prims.cummin, input, axis, dtypes.int32, "cummin")


def _running(op: Op, input: Tensor, axis: int, dtype: DType, function: str) -> tuple[Tensor, Tensor]:
    x = need_tensor(input, function)
    position = _axis_or_scalar(axis, x.ndim, function)
    if position is None:
        return x, as_tensor(0, dtype)
    values, positions = apply(op, x, axis=position)
    return values, cast(positions, dtype)


@known_as(method=True)
def logcumsumexp(input: Tensor, axis: int) -> Tensor:
    """Logarithms of the sums of the exponentials of the elements up to each along an axis, without overflow.

    Args:
        input: a floating-point tensor of any shape.
        axis: the axis; a negative one counts from the end.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if `axis` is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.logcumsumexp(Tensor([0.0, 0.0]), 0))
        [0.        0.6931472]
    """
    x = need_tensor(input, "logcumsumexp")
    position = _axis_or_scalar(axis, x.ndim, "logcumsumexp")
    return x if position is None else apply(prims.logcumsumexp, x, axis=position, exclusive=False, reverse=False)
