"""`mycel.mint`: positions, sorting, extrema, variances and means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...frontend.errors.spelling import bound
from ...frontend.values.arguments import need_flags
from ...frontend.values.dispatch import cast
from ...frontend.values.operands import in_single
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..docstrings import Shared
from ..functions.reduce import axis_of
from ..functions.table import made

_shared = Shared(
    """
    Args:
        input: a tensor of any shape and dtype.
        keepdim: whether the reduced dimensions stay as dimensions of size one.
        dim: the dimension, or a tuple of them; None: all.
        correction: what is subtracted from the count in the divisor.
        descending: whether the largest come first.
        stable: accepted: the order is always stable.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if `dim` is out of range.
    """
)


_INT64 = dtypes.int64


def _long(pair: Any) -> Any:
    """Values and their positions, these as Int64."""
    return pair[0], cast(pair[1], _INT64)


def _place(name: str, word: str, place: int) -> Callable[..., Tensor]:
    """`argmax` and `argmin`."""

    def run(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
        """The position, Int64, of the {word} element along a dimension, or of all.

        Args:
            dim: the dimension; None: all elements in order.

        Examples:
            >>> from mycel import Tensor, mint
            >>> print(mint.{name}(Tensor([1.0, 3.0])))
            {place}
        """
        return cast(getattr(ops, name)(input, dim, keepdim), _INT64)

    return _shared(made(run, name, word=word, place=place))


argmax, argmin = _place("argmax", "largest", 1), _place("argmin", "smallest", 0)


@_shared
def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """The positions, Int64, that put the elements in order along a dimension.

    Args:
        dim: the dimension; a negative one counts from the end.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.argsort(Tensor([3.0, 1.0, 2.0])))
        [1 2 0]
    """
    need_flags("argsort", stable=stable)
    return cast(ops.argsort(input, dim, descending), _INT64)


@_shared
def sort(input: Tensor, *, dim: int = -1, descending: bool = False, stable: bool = False) -> tuple[Tensor, Tensor]:
    """The elements in order along a dimension, and the positions, Int64, they come from.

    Args:
        dim: the dimension; a negative one counts from the end.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(*mint.sort(Tensor([3, 1, 2])))
        [1 2 3] [1 2 0]
    """
    need_flags("sort", stable=stable)
    return _long(ops.sort(input, dim, descending))


@_shared
def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest (or smallest) elements along a dimension, and their positions, Int64.

    Args:
        input: a tensor of numbers of at least one dimension.
        k: how many.
        dim: the dimension; a negative one counts from the end.
        largest: whether the largest or the smallest.
        sorted: accepted: they always come in order.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(*mint.topk(Tensor([3.0, 1.0, 2.0]), 2))
        [3. 2.] [0 2]
    """
    return _long(ops.topk(input, k, dim, largest, sorted))


@_shared
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The k-th smallest element along a dimension, and its position, Int64.

    Args:
        k: which, counted from 1.
        dim: the dimension; a negative one counts from the end.

    Raises:
        ValueError: if `dim` is out of range, or `k` is out of range.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(*mint.kthvalue(Tensor([3.0, 1.0, 2.0]), 2))
        2.0 2
    """
    return _long(ops.kthvalue(input, k, dim, keepdim))


def _extremum(best: str, combine: str) -> Any:
    def extremum(input: Tensor, *arguments: Any, **named: Any) -> Any:
        """The extreme elements, in three forms.

        `{name}(input)` is the extreme element of all; `{name}(input, dim, keepdim=False)` the values and their
        positions along a dimension; `{name}(input, other)` the same as `{combine}`.

        Args:
            input: a tensor of any shape, of a real dtype.
            arguments, named: the dimension and whether it stays, or the other tensor.

        Raises:
            TypeError: if `input` is no Tensor.
            ValueError: if the dimension is out of range.

        Examples:
            >>> from mycel import Tensor, mint
            >>> print(mint.{name}(Tensor([1.0, 3.0])))
            {result}
        """
        if "other" in named or (arguments and isinstance(arguments[0], Tensor)):
            return getattr(ops, combine)(input, *bound(best, ("other",), arguments, named))
        if not arguments and not named:
            return getattr(ops, f"a{best}")(input)
        dim, keepdim = bound(best, ("dim", "keepdim"), arguments, named, keepdim=False)
        return _long(getattr(ops, best)(input, dim, keepdim))

    result = "3.0" if best == "max" else "1.0"
    return made(extremum, best, combine=combine, result=result)


max, min = _extremum("max", "maximum"), _extremum("min", "minimum")


@_shared
def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The lower median of all elements; along a dimension also its position, Int64.

    Args:
        dim: the dimension; None: all elements.

    Raises:
        ValueError: if `dim` is out of range.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.median(Tensor([1.0, 3.0, 2.0])))
        2.0
    """
    need_flags("median", keepdim=keepdim)
    if dim is None:
        flat = ops.ravel(input)
        return ops.kthvalue(flat, (flat.size + 1) // 2)[0]
    dim = axis_of(dim, input.ndim, "median", "dim")
    return kthvalue(input, (input.shape[dim] + 1) // 2, dim, keepdim)


@_shared
@in_single()
def var(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The variance over dimensions, with `count - correction` as the divisor.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.var(Tensor([1.0, 3.0])))
        2.0
    """
    centred = ops.sub(input, ops.mean(input, dim, True))
    total = ops.sum(ops.square(centred), dim, keepdim)
    count = input.size // (total.size or 1)
    return ops.div(total, float(count - correction) if count > correction else 0.0)


@_shared
@in_single()
def std(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> Tensor:
    """The standard deviation over dimensions.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.std(Tensor([1.0, 3.0])))
        1.4142135
    """
    return ops.sqrt(var(input, dim, correction=correction, keepdim=keepdim))


def _with_mean(name: str, spread: Callable[..., Tensor], words: str, printed: str) -> Callable[..., Any]:
    """`var_mean` and `std_mean`."""

    def run(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
        """The {words} and the mean over dimensions.

        Examples:
            >>> from mycel import Tensor, mint
            >>> print(*mint.{name}(Tensor([1.0, 3.0])))
            {printed} 2.0
        """
        return spread(input, dim, correction=correction, keepdim=keepdim), ops.mean(input, dim, keepdim)

    return _shared(in_single()(made(run, name, words=words, printed=printed)))


var_mean = _with_mean("var_mean", var, "variance", "2.0")
std_mean = _with_mean("std_mean", std, "standard deviation", "1.4142135")


@_shared
def mean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The mean over dimensions.

    Args:
        dtype: the dtype to convert to first.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.mean(Tensor([1.0, 3.0])))
        2.0
    """
    return ops.mean(input if dtype is None else cast(input, dtypes.as_dtype(dtype)), dim, keepdim)


@_shared
def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """How many elements are not zero, Int64.

    Examples:
        >>> from mycel import Tensor, mint
        >>> print(mint.count_nonzero(Tensor([1, 0, 2])))
        2
    """
    return cast(ops.count_nonzero(input, () if dim is None else dim), _INT64)
