"""Spread, order statistics and sums that pass over nan, of tensors over axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import cut, drop_axes, insert_axes, need_flags, need_type
from ...frontend.values.dispatch import Number, apply, as_tensor, cast
from ...frontend.values.operands import in_single, need_float, need_tensor, to_float, widened
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..docstrings import Shared
from .array_gather import gather_elements
from .array_join import concat
from .array_shape import moveaxis, reshape
from .array_sort import sort
from .creation import ones_like
from .documentation import common
from .extremes import amax, amin
from .reduce import Axis, any, axes_of, axis_of, mean, sum
from .table import known_as, made

__all__ = [
    "diff", "logsumexp", "median", "nanmean", "nanmedian", "nanquantile", "nansum", "ptp", "quantile", "std",
    "std_mean", "trapz", "var", "var_mean",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        axis: the axis, or a tuple of axes; None: all.
        ddof: what is subtracted from the count in the divisor.
    """,
    common,
)


def _count(x: Tensor, axes: tuple[int, ...]) -> Any:
    """How many elements of x go into one result of a reduction; a traced number where only the run knows."""
    count: Any = 1
    for axis in axes:
        count = count * x.shape[axis]
    return count


@in_single()
def var(input: Tensor, axis: Axis = None, ddof: Any = 0, keepdims: bool = False) -> Tensor:
    """Variance over axes: the sum of squared distances from the mean, over the number of elements less `ddof`.

    Args:
        input: a tensor; integers are taken as Float32.
        axis: the axes: None for all, an int or a tuple of ints.
        ddof: an int, or a bool: True is 1.
        keepdims: whether the axes stay as dimensions of size one.

    Raises:
        ValueError: if an axis is out of range or given twice.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.var(Tensor([1.0, 3.0])), ops.var(Tensor([1.0, 3.0]), ddof=1))
        1.0 2.0
    """
    x = to_float(need_tensor(input, "var"))
    axes = axes_of(axis, x.ndim, "var")
    need_type(ddof, int | bool, "var: 'ddof' should be an int or a bool")
    centred = apply(prims.subtract, x, mean(x, axes, True)) if axes else apply(prims.subtract, x, x)
    squares = apply(prims.multiply, centred, centred)
    total = sum(squares, axes, keepdims) if axes else squares
    count = _count(x, axes) - int(ddof)
    if isinstance(count, int):
        return apply(prims.divide, total, float(count))
    return apply(prims.divide, total, cast(count, x.dtype))


@_shared
@in_single()
def std(input: Tensor, axis: Axis = None, ddof: Any = 0, keepdims: bool = False) -> Tensor:
    """Standard deviation over axes, the square root of `var`; arguments as there.

    Examples:
        >>> print(ops.std(Tensor([[1.0, 3.0], [2.0, 6.0]]), 1))
        [1. 2.]
    """
    return apply(prims.sqrt, var(input, axis, ddof, keepdims))


def _with_mean(name: str, spread: Callable[..., Tensor], words: str, short: str, printed: str) -> Callable[..., Any]:
    """`var_mean` and `std_mean`."""

    def run(input: Tensor, axis: Axis = None, ddof: Any = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
        """{words} and mean over axes; arguments as for `var`.

        Examples:
            >>> {short}, average = ops.{name}(Tensor([1.0, 3.0]))
            >>> print({short}, average)
            {printed}
        """
        return spread(input, axis, ddof, keepdims), mean(to_float(need_tensor(input, name)), axis, keepdims)

    return _shared(in_single()(made(run, name, words=words, short=short, printed=printed)))


var_mean = _with_mean("var_mean", var, "Variance", "variance", "1.0 2.0")
std_mean = _with_mean("std_mean", std, "Standard deviation", "deviation", "1.0 2.0")


@known_as(mint=True, method=True, primitive="LogSumExp")
def logsumexp(input: Tensor, dim: Axis, keepdim: bool = False) -> Tensor:
    """Logarithm of the sum of the exponentials over axes, without overflow.

    Args:
        input: a floating-point tensor.
        dim: the axes: None or () for all, an int or a tuple of ints.
        keepdim: whether they stay as dimensions of size one.

    Raises:
        TypeError: if `input` is not of a floating-point dtype.
        ValueError: if an axis is out of range or given twice.

    Examples:
        >>> print(ops.logsumexp(Tensor([1000.0, 1000.0]), 0))
        1000.6932
    """
    need_flags("logsumexp", keepdim=keepdim)
    x = need_float(need_tensor(input, "logsumexp"), "logsumexp")
    axes = axes_of(dim, x.ndim, "logsumexp", "dim")
    return apply(prims.logsumexp, x, axis=axes, keepdims=bool(keepdim))


def median(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """The middle values along an axis (the lower one of two), and their positions.

    Args:
        input: a tensor of numbers.
        axis: the axis; a negative one counts from the end.
        keepdims: whether it stays as a dimension of size one.

    Returns:
        A tuple of the values and the positions (Int64).

    Raises:
        ValueError: if `axis` is out of range, or has no elements.

    Examples:
        >>> from mycel import Tensor, ops
        >>> values, positions = ops.median(Tensor([[3.0, 1.0, 2.0], [4.0, 6.0, 5.0]]), 1)
        >>> print(values, positions)
        [2. 5.] [2 2]
    """
    need_flags("median", keepdims=keepdims)
    x = need_tensor(input, "median")
    if x.ndim == 0:
        axis_of(axis, 1, "median")
        return x, as_tensor(0, dtypes.int64)
    position = axis_of(axis, x.ndim, "median")
    length = x.shape[position]
    if isinstance(length, int) and length == 0:
        raise ValueError(f"median: axis {axis} of shape {x.shape} has no elements")
    values, places = sort(x, position)
    middle = (length - 1) // 2
    if isinstance(middle, int):
        value, place = (cut(item, position, middle, middle + 1) for item in (values, places))
    else:
        at = reshape(cast(middle, dtypes.int64), (1,))
        value, place = (apply(prims.take, item, at, axis=position) for item in (values, places))
    place = cast(place, dtypes.int64)
    return (value, place) if keepdims else (drop_axes(value, (position,)), drop_axes(place, (position,)))


@known_as(method=True)
def nanmedian(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """As `median`, of the elements that are not nan (nan where all are).

    Examples:
        >>> values, positions = ops.nanmedian(Tensor([float("nan"), 4.0, 2.0, 3.0]))
        >>> print(values, positions)
        3.0 3
    """
    need_flags("nanmedian", keepdims=keepdims)
    x = need_tensor(input, "nanmedian")
    if x.ndim == 0 or not x.dtype.is_float:
        return median(x, axis, keepdims)
    position = axis_of(axis, x.ndim, "nanmedian")
    values, places = sort(x, position)  # which puts nan last
    held = apply(prims.logical_not, apply(prims.isnan, x))
    count = sum(cast(held, dtypes.int64), position, True)
    middle = apply(prims.maximum, apply(prims.floor_divide, apply(prims.subtract, count, 1), 2), 0)
    value, place = (
        gather_elements(values, position, middle),
        cast(gather_elements(places, position, middle), dtypes.int64),
    )
    return (value, place) if keepdims else (drop_axes(value, (position,)), drop_axes(place, (position,)))


def _without_nan(x: Tensor) -> Tensor:
    return apply(prims.select, apply(prims.isnan, x), 0.0, x) if x.dtype.is_float else x


@known_as(mint=True, primitive="Nansum", shared=_shared)
def nansum(input: Tensor, axis: Axis = None, keepdims: bool = False, *, dtype: DType | None = None) -> Tensor:
    """Sum over axes of the elements that are not nan, in the dtype of `input`; then cast to the one given.

    Examples:
        >>> print(ops.nansum(Tensor([1.0, float("nan"), 2.0])))
        3.0
    """
    x = _without_nan(need_tensor(input, "nansum"))
    total = sum(x, axis, keepdims, dtype=dtypes.int64 if x.dtype.is_bool else x.dtype)
    return total if dtype is None else cast(total, dtypes.as_dtype(dtype))


@known_as(method=True, shared=_shared)
def nanmean(input: Tensor, axis: Axis = None, keepdims: bool = False, *, dtype: DType | None = None) -> Tensor:
    """Mean over axes of the elements that are not nan (nan where all are).

    Raises:
        TypeError: if `input` is not of a floating-point dtype.

    Examples:
        >>> print(ops.nanmean(Tensor([1.0, float("nan"), 2.0])))
        1.5
    """
    x = need_float(need_tensor(input, "nanmean"), "nanmean")
    wide = widened(x)
    held = cast(apply(prims.logical_not, apply(prims.isnan, wide)), wide.dtype)
    result = apply(prims.divide, sum(_without_nan(wide), axis, keepdims), sum(held, axis, keepdims))
    return cast(result, x.dtype if dtype is None else dtypes.as_dtype(dtype))


@known_as(method=True, shared=_shared)
def ptp(input: Tensor, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """The largest less the smallest element over axes (as the method `ptp`).

    Examples:
        >>> print(ops.ptp(Tensor([[1.0, 5.0], [7.0, 4.0]]), 1))
        [4. 3.]
    """
    return apply(prims.subtract, amax(input, axis, keepdims), amin(input, axis, keepdims))


def _rows(input: Tensor, q: Any, axis: int | None, function: str) -> tuple[Tensor, Tensor, int | None]:
    """The elements to take quantiles of in the last dimension, q as a tensor, and the axis it was."""
    x = need_float(need_tensor(input, function), function, complex_too=False)
    if isinstance(q, Number):
        if not 0 <= q <= 1:  # type: ignore[operator]
            raise ValueError(f"{function}: 'q' should be in [0, 1], but got {q}")
        q = as_tensor(q, x.dtype)
    quantiles = need_tensor(q, function, "q")
    if quantiles.dtype is not x.dtype:
        raise TypeError(f"{function}: 'q' should be of the dtype of 'input', {x.dtype}, but got {quantiles.dtype}")
    if quantiles.ndim > 1:
        raise ValueError(f"{function}: 'q' should be a number or a vector, but its shape is {quantiles.shape}")
    x, quantiles = widened(x), widened(quantiles)  # halves number 2048 places only
    if axis is None or x.ndim == 0:
        return reshape(x, (-1,)), quantiles, None
    position = axis_of(axis, x.ndim, function)
    return moveaxis(x, position, -1), quantiles, position


def _between(rows: Tensor, quantiles: Tensor, count: Tensor) -> Tensor:
    """Quantiles of rows sorted in the last dimension, of each of whose first `count` elements are meant: in the first
    dimension of the result the quantiles, in the last one element."""
    shape = (-1, *[1] * rows.ndim)
    place = apply(prims.multiply, reshape(quantiles, shape), apply(prims.subtract, count, 1.0))
    lower = apply(prims.floor, place)
    weight = apply(prims.subtract, place, lower)
    sorted_rows = apply(prims.broadcast_like, rows, apply(prims.add, place, rows))

    def at(position: Tensor) -> Tensor:
        index = cast(apply(prims.maximum, position, 0.0), dtypes.int64)
        return apply(prims.take_along, sorted_rows, index, axis=sorted_rows.ndim - 1)

    low, high = at(lower), at(apply(prims.ceil, place))
    return apply(prims.add, low, apply(prims.multiply, weight, apply(prims.subtract, high, low)))


def _arranged(result: Tensor, quantiles: Tensor, axis: int | None, rank: int, keepdims: bool) -> Tensor:
    """The last dimension, of one element, back where the axis was or dropped; no dimension for a quantile alone."""
    if not keepdims:
        result = drop_axes(result, (result.ndim - 1,))
    elif axis is None:
        result = insert_axes(result, tuple(range(2, rank + 1)))
    else:
        result = moveaxis(result, -1, axis + 1)
    return result if quantiles.ndim else drop_axes(result, (0,))


@known_as(method=True)
def quantile(input: Tensor, q: Any, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Quantiles along an axis, by linear interpolation between the two elements next to them; nan where there is one.

    Args:
        input: a floating-point tensor.
        q: a number in [0, 1], or a vector of such of input's dtype, which gives a leading dimension.
        axis: an axis; None: of all elements.
        keepdims: whether the axis stays as a dimension of size one.

    Raises:
        TypeError: if `input` is not of a floating-point dtype.
        ValueError: if q or the axis is out of range.

    Examples:
        >>> print(ops.quantile(Tensor([4.0, 1.0, 3.0, 2.0]), 0.5))
        2.5
    """
    need_flags("quantile", keepdims=keepdims)
    rows, quantiles, position = _rows(input, q, axis, "quantile")
    result = _between(sort(rows, -1)[0], quantiles, sum(ones_like(rows), -1, True))
    spoilt = any(apply(prims.isnan, rows), -1, True)
    result = apply(prims.select, spoilt, float("nan"), result)
    return cast(_arranged(result, quantiles, position, input.ndim, keepdims), input.dtype)


@known_as(method=True, shared=_shared)
def nanquantile(input: Tensor, q: Any, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """As `quantile`, of the elements that are not nan (nan where all are).

    Args:
        input: a floating-point tensor of any shape.
        q: probabilities between 0 and 1, a number or a vector.
        axis: the axis; None: all elements.

    Raises:
        ValueError: if `axis` is out of range, or a probability is not between 0 and 1.

    Examples:
        >>> print(ops.nanquantile(Tensor([4.0, float("nan"), 1.0, 3.0, 2.0]), 0.5))
        2.5
    """
    need_flags("nanquantile", keepdims=keepdims)
    rows, quantiles, position = _rows(input, q, axis, "nanquantile")
    held = apply(prims.logical_not, apply(prims.isnan, rows))
    result = _between(sort(rows, -1)[0], quantiles, sum(cast(held, rows.dtype), -1, True))
    return cast(_arranged(result, quantiles, position, input.ndim, keepdims), input.dtype)


@known_as(method=True)
def diff(x: Tensor, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """Differences of neighbours along an axis, taken n times.

    Args:
        x: a tensor of at least one dimension.
        n: how often.
        prepend, append: tensors put before and after x along the axis first.

    Raises:
        ValueError: if the axis is out of range, or n is negative.

    Examples:
        >>> print(ops.diff(Tensor([1.0, 4.0, 9.0])))
        [3. 5.]
    """
    x = need_tensor(x, "diff", "x")
    position = axis_of(axis, x.ndim, "diff")
    if n < 0:
        raise ValueError(f"diff: 'n' should not be negative, but got {n}")
    parts = [part for part in (prepend, x, append) if part is not None]
    if len(parts) > 1:
        x = concat([as_tensor(part, x.dtype) for part in parts], position)
    for _ in range(n):
        op = prims.not_equal if x.dtype.is_bool else prims.subtract
        x = apply(op, cut(x, position, 1, None), cut(x, position, None, -1))
    return x


@in_single(2)
def trapz(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """The integral of the samples y along an axis by the trapezoidal rule.

    Args:
        y: a tensor of at least one dimension, of numbers.
        x: where they were taken, a vector or a tensor like y; None: at distance `dx`.
        dx: the distance.
        dim: the axis.

    Raises:
        ValueError: if the axis is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.trapz(Tensor([1.0, 5.0, 3.0])))
        7.0
    """
    samples = to_float(need_tensor(y, "trapz", "y"))
    position = axis_of(dim, samples.ndim, "trapz", "dim")
    both = apply(prims.add, cut(samples, position, 1, None), cut(samples, position, None, -1))
    if x is None:
        return apply(prims.multiply, sum(both, position), dx / 2)
    places = cast(need_tensor(x, "trapz", "x"), samples.dtype)
    if places.ndim == 1 < samples.ndim:
        places = reshape(places, tuple(-1 if axis == position else 1 for axis in range(samples.ndim)))
    widths = diff(places, axis=position)
    return apply(prims.multiply, sum(apply(prims.multiply, both, widths), position), 0.5)
