"""Methods of tensors that reduce, find extremes or add up as they go, with other arguments than the functions of the
same names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...frontend.state import STATE
from ...frontend.values.arguments import alternative
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..docstrings import Shared
from . import creation, cumulative, extremes, math, reduce, statistics
from .documentation import common
from .reduce import Axis
from .table import made, method

shared = Shared(
    """
    Args:
        out: accepted, as None only.
        axis: the axis, or a tuple of axes; None: all.
        keepdim: another name of `keepdims`.
        ddof, correction: what is subtracted from the count in the divisor.
    """,
    common,
)

keeping = Shared(
    "Args:\n    keepdim: another name of `keep_dims`.\n    keepdims: another name of `keep_dims`.\n", shared
)


def no_out(out: Any) -> None:
    """Raise TypeError unless `out`, which NumPy's functions pass to methods, is None."""
    if out is not None:
        raise TypeError("methods of tensors give new tensors: 'out' should be None")


@method("sum", shared=shared)
def sum_method(
    self: Tensor, axis: Axis = None, dtype: Any = None, keepdims: Any = False, initial: Any = None, *,
    dim: Axis = None, keepdim: Any = False, out: None = None,
) -> Tensor:  # fmt: skip
    """`sum(axis, dtype, keepdims, initial)` or `sum(dim, keepdim, dtype=)`: the sum over axes (None: all).

    Args:
        axis, dim: the axes.
        dtype: the dtype to sum in.
        keepdims, keepdim: whether the axes stay as dimensions of size one.
        initial: a number to start from.

    Raises:
        ValueError: if `axis` is out of range, or an axis is out of range.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1.0, 2.0]).sum())
        3.0
    """
    no_out(out)
    if isinstance(dtype, bool):
        dtype, keepdim = None, dtype
    result = reduce.sum(self, alternative(axis, dim, None), bool(keepdims or keepdim), dtype=dtype)
    return result if initial is None else math.add(result, initial)


@method("mean", shared=keeping)
def mean_method(
    self: Tensor, axis: Axis = None, keep_dims: bool = False, *, dim: Axis = None, keepdim: bool = False,
    dtype: Any = None, out: None = None, keepdims: bool = False,
) -> Tensor:  # fmt: skip
    """The mean over axes (None: all); for integers the fraction is lost unless `dtype` says otherwise.

    Args:
        dtype: the dtype to convert to first.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1.0, 3.0]).mean())
        2.0
    """
    no_out(out)
    x = self if dtype is None else cast(self, dtypes.as_dtype(dtype))
    return reduce.mean(x, alternative(axis, dim, None), keep_dims or keepdim or keepdims)


@method("prod", shared=keeping)
def prod_method(
    self: Tensor, axis: Axis = None, keep_dims: bool = False, dtype: Any = None, *, dim: Axis = None,
    keepdim: bool = False, out: None = None, keepdims: bool = False,
) -> Tensor:  # fmt: skip
    """The product over axes (None: all).

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([2.0, 3.0]).prod())
        6.0
    """
    no_out(out)
    return reduce.prod(self, alternative(axis, dim, None), keep_dims or keepdim or keepdims, dtype)


def _truth(compute: Callable[..., Tensor], whether: str, printed: bool) -> Any:
    """The methods `all` and `any`."""

    def run(
        self: Tensor, axis: Axis = None, keep_dims: bool = False, *, dim: Axis = None, keepdim: bool = False,
        out: None = None, keepdims: bool = False,
    ) -> Tensor:  # fmt: skip
        """Whether {whether} true.

        Examples:
            >>> from mycel import Tensor
            >>> print(Tensor([True, False]).{of}())
            {printed}
        """
        no_out(out)
        return compute(self, alternative(axis, dim, None), keep_dims or keepdim or keepdims)

    of = compute.__name__
    return method(of, shared=keeping)(made(run, f"{of}_method", whether=whether, of=of, printed=printed))


all_method = _truth(reduce.all, "all elements over axes are", False)
any_method = _truth(reduce.any, "an element over axes is", True)


@method("count_nonzero", shared=shared)
def count_nonzero_method(
    self: Tensor, axis: Axis = (), keep_dims: bool = False, dtype: DType | None = None, *, dim: Axis = None
) -> Tensor:
    """How many elements over axes are not zero.

    Args:
        axis: the axis, or a tuple of axes; (): all.
        dtype: the dtype of the result; None: Int32.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([0, 1, 2]).count_nonzero())
        2
    """
    return reduce.count_nonzero(self, axis if dim is None else dim, keep_dims, dtype or dtypes.int32)


@method("nansum", shared=shared)
def nansum_method(
    self: Tensor, axis: Axis = None, keepdims: bool = False, *, dtype: Any = None, dim: Axis = None,
    keepdim: bool = False,
) -> Tensor:  # fmt: skip
    """The sum over axes of the elements that are not nan.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1.0, float("nan")]).nansum())
        1.0
    """
    return statistics.nansum(self, alternative(axis, dim, None), keepdims or keepdim, dtype=dtype)


def _spread(name: str, words: str, compute: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The method `std` or `var`, with its two signatures."""

    def run(
        self: Tensor, axis: Axis = None, ddof: Any = 0, keepdims: bool = False, *,
        dim: Axis = None, correction: int | None = None, keepdim: bool = False, dtype: Any = None, out: None = None,
    ) -> Tensor:  # fmt: skip
        """`{name}(axis, ddof, keepdims)` or `{name}(dim, correction=, keepdim=)`: the {words} over axes.

        Args:
            dtype: the dtype of the result; None: that of the tensor.

        Examples:
            >>> from mycel import Tensor
            >>> print(Tensor([1.0, 3.0]).{name}())
            1.0
        """
        no_out(out)
        x = self if dtype is None else cast(self, dtypes.as_dtype(dtype))
        return compute(x, alternative(axis, dim, None), alternative(correction, None, ddof), keepdims or keepdim)

    return method(name, shared=shared)(made(run, name, words=words))


std_method = _spread("std", "standard deviation", statistics.std)
var_method = _spread("var", "variance", statistics.var)


@method("median", shared=common)
def median_method(
    self: Tensor, axis: int = -1, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False
) -> tuple[Tensor, Tensor]:
    """The middle values along an axis, and their positions.

    Args:
        keepdim: another name of `keepdims`.

    Examples:
        >>> from mycel import Tensor
        >>> print(*Tensor([1.0, 3.0, 2.0]).median())
        2.0 2
    """
    return statistics.median(self, axis if dim is None else dim, keepdims or keepdim)


@method("cumsum", shared=shared)
def cumsum_method(self: Tensor, axis: int | None = None, dtype: Any = None, *, dim: int | None = None) -> Tensor:
    """Sums of the elements up to each along an axis (None: of all in order).

    Args:
        axis: the axis; None: all elements in order.
        dtype: the dtype to convert to first; None: Int32 of bools and of integers with 8 or 16 bits.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1, 2, 3]).cumsum())
        [1 3 6]
    """
    position = alternative(axis, dim, None)
    if dtype is None and (self.dtype.is_bool or (self.dtype.is_integer and self.dtype.np.itemsize < 4)):
        dtype = dtypes.int32
    if position is None:
        return cumulative.cumsum(apply(prims.reshape, self, shape=(-1,)), 0, dtype)
    return cumulative.cumsum(self, position, dtype)


def _extreme(largest: bool, name: str) -> Callable[..., Any]:
    over_axes = extremes.amax if largest else extremes.amin
    word = "largest" if largest else "smallest"

    def extreme(self: Tensor, *place: Any, dim: Axis = None, keepdim: bool | None = None, **named: Any) -> Any:
        """The {word} elements, in three forms.

        `{name}()` is the {word} of all; `{name}(dim, keepdim=False)` a tuple of the {word} along an axis and the
        positions of the first ones; `{name}(axis=, keepdims=, *, initial=, where=, return_indices=False)` the {word}
        over axes, with the positions where `return_indices` asks for them. In a graph, as in MindSpore's, arguments by
        place alone give no positions: there `{name}(1)` is `{name}(axis=1)`.

        Args:
            place: `dim` and `keepdim` by position.
            dim: the axis, or a tuple of axes; None: all.
            keepdim: whether the reduced axes stay as dimensions of size one.
            named: the arguments of the third form.

        Returns:
            A tensor, or a tuple of values and positions (Int64).

        Raises:
            TypeError: for other named arguments.
            ValueError: if an axis is out of range.

        Examples:
            >>> from mycel import Tensor
            >>> print(Tensor([1.0, 3.0]).{name}())
            {result}
            >>> print(*Tensor([[1.0, 3.0]]).{name}(1))
            {pair}
        """
        if len(place) > 2:
            raise TypeError(f"{name}() takes at most 2 arguments by place, but got {len(place)}")
        placed = bool(place) and keepdim is None
        dim = place[0] if place else dim
        keepdim = place[1] if len(place) > 1 else bool(keepdim)
        if "out" in named:
            no_out(named.pop("out"))
        unknown = set(named) - {"axis", "keepdims", "initial", "where", "return_indices"}
        if unknown:
            raise TypeError(f"{name}() got an unexpected keyword argument '{unknown.pop()}'")
        axis = named.get("axis", dim)
        keepdims = named.get("keepdims", keepdim)
        initial, where = named.get("initial"), named.get("where")
        where = None if where is True else where
        # In graphs MindSpore takes an axis given by place for the one of NumPy's methods.
        graph = STATE.trace is not None and not STATE.trace.is_python
        pair = not named and not (placed and graph)
        both = named.get("return_indices", False) or (pair and isinstance(axis, int))
        if not both or axis is None or isinstance(axis, (tuple, list)):
            return over_axes(self, axis, keepdims, initial=initial, where=where)
        return extremes.with_position(largest, self, axis, keepdims, name, initial, where)

    result, pair = ("3.0", "[3.] [1]") if largest else ("1.0", "[1.] [0]")
    return made(extreme, name, word=word, result=result, pair=pair)


def _place(name: str, word: str, dtype: str, place: int) -> None:
    """The methods `argmax` and `argmin`."""

    def run(
        self: Tensor, axis: int | None = None, keepdims: bool = False, *, dim: int | None = None, keepdim: bool = False
    ) -> Tensor:
        """The positions ({dtype}) of the first {word} elements along an axis (None: of all in order).

        Args:
            axis: the axis; None: all elements in order.

        Examples:
            >>> from mycel import Tensor
            >>> print(Tensor([1.0, 3.0]).{of}())
            {place}
        """
        return compute(self, alternative(axis, dim, None), keepdims or keepdim)

    compute: Callable[..., Tensor] = getattr(extremes, name)
    method(name, shared=shared)(made(run, f"{name}_method", word=word, dtype=dtype, of=name, place=place))


_place("argmax", "largest", "Int64", 1)
_place("argmin", "smallest", "Int32", 0)


def _with_value(name: str, largest: bool, word: str, printed: str) -> None:
    """The methods `argmax_with_value` and `argmin_with_value`."""

    def run(self: Tensor, axis: int | None = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
        """The {word} elements along an axis, and the positions of the first ones.

        Args:
            axis: the axis; None: all elements, with the position 0.

        Examples:
            >>> from mycel import Tensor
            >>> print(*Tensor([1.0, 3.0]).{name}())
            {printed}
        """
        if axis is None:  # MindSpore's position is 0 here, and there are no dimensions to keep
            return (extremes.amax if largest else extremes.amin)(self), creation.zeros((), dtypes.int64)
        return extremes.with_position(largest, self, axis, keep_dims, name)

    method(name, shared=shared)(made(run, name, word=word, printed=printed))


_with_value("argmax_with_value", True, "largest", "3.0 1")
_with_value("argmin_with_value", False, "smallest", "1.0 0")


for _name in ("max", "min"):
    method(_name)(_extreme(_name == "max", _name))
