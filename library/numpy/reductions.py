"""`mycel.numpy`: sums, means, extrema and other reductions."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

from ...frontend.values.dispatch import cast
from ...frontend.values.operands import in_single, widened
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..docstrings import Shared
from ..functions.table import made
from .documentation import common
from .elementwise import in_dtype, tensor_of

_shared = Shared(
    """
    Args:
        axis: the axis, or a tuple of axes; None: all.
        keepdims: whether the reduced axes stay as dimensions of size one.
        ddof: what is subtracted from the count in the divisor.
    """,
    common,
)


def _float(value: Any) -> Tensor:
    x = tensor_of(value)
    return x if x.dtype.is_float or x.dtype.is_complex else cast(x, dtypes.float32)


@_shared
def sum(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False, initial: Any = None) -> Tensor:
    """The sum over axes.

    Args:
        initial: a value that takes part; None: none.

    Examples:
        >>> print(mnp.sum([1.0, 3.0]))
        4.0
    """
    x = in_dtype(tensor_of(a), dtype)
    result = in_dtype(ops.sum(x, axis, keepdims), dtype)
    return result if initial is None else ops.add(result, initial)


@_shared
def mean(a: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Tensor:
    """The mean over axes, in the tensor's dtype.

    Examples:
        >>> print(mnp.mean([1.0, 3.0]))
        2.0
    """
    return ops.mean(in_dtype(tensor_of(a), dtype), axis, keepdims)


@_shared
@in_single(3)
def average(x: Any, axis: Any = None, weights: Any = None, returned: bool = False) -> Any:
    """The mean over axes, weighted; with `returned` also the sum of the weights.

    Args:
        returned: whether to give the sum of the weights, too.

    Examples:
        >>> print(mnp.average([1.0, 3.0]))
        2.0
    """
    values = _float(x)
    if weights is None:
        result = ops.mean(values, axis)
        total = ops.full_like(result, values.size / builtins.max(result.size, 1))
    else:
        factors = cast(tensor_of(weights), values.dtype)
        if factors.ndim == 1 and values.ndim > 1:
            place = (axis if axis is not None else 0) % values.ndim
            factors = ops.reshape(factors, tuple(-1 if at == place else 1 for at in range(values.ndim)))
        total = ops.sum(ops.broadcast_to(factors, values.shape), axis)
        result = ops.div(ops.sum(ops.mul(values, factors), axis), total)
    return (result, total) if returned else result


@_shared
@in_single()
def var(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The variance over axes, with `count - ddof` as the divisor.

    Examples:
        >>> print(mnp.var([1.0, 3.0]))
        1.0
    """
    values = _float(x)
    centred = ops.sub(values, ops.mean(values, axis, True))
    total = ops.sum(ops.square(centred), axis, keepdims)
    count = values.size // builtins.max(total.size, 1)
    return ops.div(total, float(builtins.max(count - ddof, 0)))


@_shared
@in_single()
def std(x: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The standard deviation over axes.

    Examples:
        >>> print(mnp.std([1.0, 3.0]))
        1.0
    """
    return ops.sqrt(var(x, axis, ddof, keepdims))


def _extremum(reduce: str, combine: str, worst: float) -> Callable[..., Tensor]:
    def extremum(a: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True) -> Tensor:
        """The {combine} over axes.

        Args:
            a: a tensor or nested sequence of numbers, of any shape.
            axis: the axis, or a tuple of axes; None: all.
            keepdims: whether the reduced axes stay as dimensions of size one.
            initial: a value that takes part; None: none.
            where: a Bool tensor that says which elements take part (needs `initial`).

        Raises:
            TypeError: if `a` holds no numbers.
            ValueError: if an axis is out of range, or `where` is given without `initial`.

        Examples:
            >>> import mycel.numpy as mnp
            >>> print(mnp.{name}([1.0, 3.0]))
            {result}
        """
        x = tensor_of(a)
        if where is not True:
            if initial is None:
                raise ValueError(f"{reduce}: 'where' needs 'initial'")
            x = ops.where(tensor_of(where), x, initial)
        result = getattr(ops, reduce)(x, axis, keepdims)
        return result if initial is None else getattr(ops, combine)(result, initial)

    result = "3.0" if combine == "maximum" else "1.0"
    return made(extremum, reduce, combine=combine, result=result)


amax = max = _extremum("amax", "maximum", -math.inf)


amin = min = _extremum("amin", "minimum", math.inf)


@_shared
def ptp(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The largest less the smallest element over axes.

    Examples:
        >>> print(mnp.ptp([1.0, 3.0]))
        2.0
    """
    return ops.sub(amax(x, axis, keepdims), amin(x, axis, keepdims))


def _place(name: str, dtype: dtypes.DType, word: str, place: int) -> Callable[..., Tensor]:
    """`argmax` and `argmin`."""

    def run(a: Any, axis: int | None = None) -> Tensor:
        """The position, {dtype}, of the {word} element along an axis, or of all.

        Args:
            axis: the axis; None: all elements in order.

        Examples:
            >>> print(mnp.{name}([1.0, 3.0]))
            {place}
        """
        return cast(getattr(ops, name)(tensor_of(a), axis), dtype)

    return _shared(made(run, name, dtype=dtype, word=word, place=place))


argmax, argmin = _place("argmax", dtypes.int64, "largest", 1), _place("argmin", dtypes.int32, "smallest", 0)


@_shared
def count_nonzero(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """How many elements are not zero, Int32.

    Examples:
        >>> print(mnp.count_nonzero([1, 0, 2]))
        2
    """
    return ops.count_nonzero(tensor_of(x), () if axis is None else axis, keepdims)


@_shared
def sometrue(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Whether any element is not zero.

    Examples:
        >>> print(mnp.sometrue([0, 1]))
        True
    """
    return ops.any(tensor_of(a), axis, keepdims)


def _running(name: str) -> Callable[..., Tensor]:
    def running(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
        """The {what} of the elements up to each along an axis.

        Args:
            a: a tensor or nested sequence of numbers, of any shape.
            axis: the axis; None: all elements in order.
            dtype: the dtype to compute in; None: that of `a`.

        Raises:
            TypeError: if `a` holds no numbers.
            ValueError: if the axis is out of range.

        Examples:
            >>> import mycel.numpy as mnp
            >>> print(mnp.{name}([1, 2, 3]))
            {result}
        """
        x = in_dtype(tensor_of(a), dtype)
        if axis is None:
            x, axis = ops.ravel(x), 0
        kind = x.dtype
        if dtype is None and not (kind.is_float or kind.is_complex) and kind.bits < 32:
            kind = unsigned.get(kind.name, dtypes.int32)
        return in_dtype(getattr(ops, name)(in_dtype(x, kind), axis), kind)

    what, result = ("sums", "[1 3 6]") if name == "cumsum" else ("products", "[1 2 6]")
    # MindSpore's sums and products differ in these.
    unsigned = {"UInt16": dtypes.uint16} if name == "cumsum" else dict.fromkeys(("UInt8", "UInt16"), dtypes.uint32)
    return made(running, name, what=what, result=result)


cumsum, cumprod = _running("cumsum"), _running("cumprod")


def _filled(a: Any, filler: float) -> Tensor:
    """A tensor with a number in place of nan, which integers do not have."""
    x = tensor_of(a)
    return ops.where(ops.isnan(x), filler, x) if x.dtype.is_float or x.dtype.is_complex else x


def _without_nan(name: str, filler: Any) -> Callable[..., Tensor]:
    function = globals()[name]

    def ignoring(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
        """The same as `{base}`, of the elements that are not nan.

        Args:
            a: a tensor or nested sequence of numbers, of any shape.
            axis: the axis, or a tuple of axes; None: all.
            dtype: the dtype of the result; None: as computed.
            keepdims: whether the reduced axes stay as dimensions of size one.

        Raises:
            TypeError: if `a` holds no numbers.
            ValueError: if an axis is out of range.

        Examples:
            >>> import mycel.numpy as mnp
            >>> print(mnp.{name}([1.0, float("nan")]))
            1.0
        """
        x = _filled(a, filler)
        if dtype is None and x.dtype.is_integer:
            dtype = x.dtype
        return in_dtype(function(x, axis, keepdims=keepdims), dtype)

    return made(ignoring, f"nan{name.removeprefix('a')}", base=name)


nansum = _without_nan("sum", 0.0)


nanmax = _without_nan("amax", -math.inf)


nanmin = _without_nan("amin", math.inf)


@common
def nancumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """As `cumsum`, with zero in place of nan.

    Examples:
        >>> print(mnp.nancumsum([1.0, float("nan"), 2.0]))
        [1. 1. 3.]
    """
    return cumsum(_filled(a, 0.0), axis, dtype)


def _numbers(x: Tensor, axis: Any, keepdims: bool) -> Tensor:
    return ops.sum(cast(ops.logical_not(ops.isnan(x)), x.dtype), axis, keepdims)


@_shared
def nanmean(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The mean of the elements that are not nan.

    Examples:
        >>> print(mnp.nanmean([1.0, float("nan")]))
        1.0
    """
    wide = widened(_float(a))
    return in_dtype(ops.div(nansum(wide, axis, None, keepdims), _numbers(wide, axis, keepdims)), dtype)


@_shared
def nanvar(a: Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The variance of the elements that are not nan.

    Examples:
        >>> print(mnp.nanvar([1.0, float("nan"), 3.0]))
        1.0
    """
    wide = widened(_float(a))
    centred = ops.sub(wide, nanmean(wide, axis, None, True))
    rest = ops.sub(_numbers(wide, axis, keepdims), float(ddof))
    return in_dtype(ops.div(nansum(ops.square(centred), axis, None, keepdims), rest), dtype)


@_shared
def nanstd(a: Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The standard deviation of the elements that are not nan.

    Examples:
        >>> print(mnp.nanstd([1.0, float("nan"), 3.0]))
        1.0
    """
    return ops.sqrt(nanvar(a, axis, dtype, ddof, keepdims))
