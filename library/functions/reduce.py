"""Reductions of tensors over axes: sums, products, means, extrema and where they are, logic, and running forms."""

from __future__ import annotations

from builtins import all as all_of
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from ...compiler import ops as prims
from ...compiler.ir.op import Op
from ...frontend.values.arguments import need_flags, one_axis
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..docstrings import Shared
from .documentation import common
from .table import known_as, made

__all__ = [
    "all", "any", "count_nonzero", "mean", "prod", "reduce_all", "reduce_any", "reduce_mean", "reduce_prod",
    "reduce_sum", "sum",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        axis: the axis, or a tuple of axes; (): all.
    """,
    common,
)

_over = Shared(
    """
    Args:
        axis: the axes: None for all, an int or a tuple of ints.
        keep_dims: whether they stay as dimensions of size one.
        x: a tensor of any shape, of numbers.

    Raises:
        TypeError: if {Tensor} is no Tensor.
        ValueError: if an axis is out of range or given twice.
    """,
    imports="from mycel import Tensor, ops",
)


Axis = Any
"""None for all axes, an int, or a tuple or list of ints; negative ones count from the end."""
_MATRIX, _TRUTHS = "[[1.0, 5.0], [7.0, 4.0]]", "[[True, False], [True, True]]"  # of examples


if TYPE_CHECKING:

    class Reducing(Protocol):
        """A function `reduce_…`."""

        def __call__(self, x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor: ...


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


def reduced(op: Op, x: Tensor, axis: Axis, keepdims: Any, function: str, name: str = "axis") -> Tensor:
    need_flags(function, keepdims=keepdims)
    return apply(op, x, axis=axes_of(axis, x.ndim, function, name), keepdims=bool(keepdims))


def accumulating(x: Tensor, dtype: DType | None, unsigned: bool = False) -> Tensor:
    """x in the dtype that its sum or product has.

    Args:
        unsigned: whether unsigned integers of 16 bits and more stay what they are.
    """
    if dtype is not None:
        return cast(x, dtypes.as_dtype(dtype))
    if unsigned and x.dtype.name in ("UInt16", "UInt32", "UInt64"):
        return x
    return cast(x, dtypes.int64) if x.dtype.is_integer or x.dtype.is_bool else x


@known_as(mint=True, primitive="SumExt", shared=_shared)
def sum(input: Tensor, dim: Axis = None, keepdim: bool = False, *, dtype: DType | None = None) -> Tensor:
    """Sum over axes.

    Args:
        dim: the axes: None for all, an int or a tuple of ints.
        keepdim: whether they stay as dimensions of size one.
        dtype: the dtype to cast to first. Without, booleans and integers, but UInt16 to UInt64, are summed in
            Int64.

    Raises:
        TypeError: if `input` is no Tensor, or `dim` is not made of ints.
        ValueError: if an axis is out of range or given twice.

    Examples:
        >>> print(ops.sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [4. 6.]
    """
    return reduced(prims.sum, accumulating(need_tensor(input, "sum"), dtype, True), dim, keepdim, "sum")


@known_as(primitive="ProdExt", shared=_over)
def prod(input: Tensor, axis: Axis = None, keep_dims: bool = False, dtype: DType | None = None) -> Tensor:
    """Product over axes.

    Args:
        input: a tensor of any shape, of numbers.
        dtype: the dtype to cast to first. Without, booleans and integers, but UInt16 to UInt64, are multiplied in
            Int64.

    Examples:
        >>> print(ops.prod(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [3. 8.]
    """
    return reduced(prims.prod, accumulating(need_tensor(input, "prod"), dtype, True), axis, keep_dims, "prod")


@known_as(primitive="MeanExt", shared=_over)
def mean(x: Tensor, axis: Axis = None, keep_dims: bool = False) -> Tensor:
    """Mean over axes, in the dtype of x; for integers the fraction is lost.

    Examples:
        >>> print(ops.mean(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [1.5 3.5]
    """
    return reduced(prims.mean, need_tensor(x, "mean", "x"), axis, keep_dims, "mean")


def _truth(op: Op, whether: str, example: str) -> Callable[..., Tensor]:
    """`all` and `any`."""

    def run(input: Tensor, axis: Axis = None, keep_dims: bool = False) -> Tensor:
        """Whether {whether} over axes {are} true (numbers other than 0 are): a Bool tensor.

        Args:
            axis: the axis, or a tuple of axes; None: all.

        Examples:
            >>> print(ops.{name}(Tensor({truths}), 1))
            {printed}
        """
        return reduced(op, cast(need_tensor(input, op.name), dtypes.bool_), axis, keep_dims, op.name)

    truths, _, printed = example.partition(" -> ")
    are = "are" if op is prims.all else "is"
    return _shared(made(run, op.name, whether=whether, are=are, truths=truths, printed=printed))


all = _truth(prims.all, "all elements", "[[True, False], [True, True]] -> [False  True]")
any = _truth(prims.any, "an element", "[[True, False], [False, False]] -> [ True False]")


@_shared
def count_nonzero(x: Tensor, axis: Axis = (), keep_dims: bool = False, dtype: DType = dtypes.int32) -> Tensor:
    """How many elements over axes are not zero, in `dtype`.

    Args:
        dtype: the dtype of the result.

    Examples:
        >>> print(ops.count_nonzero(Tensor([[1.0, 0.0], [2.0, 3.0]]), 1))
        [1 2]
    """
    held = apply(prims.not_equal, need_tensor(x, "count_nonzero", "x"), 0)
    return reduced(prims.sum, cast(held, dtypes.as_dtype(dtype)), axis, keep_dims, "count_nonzero")


@_shared
def reduce_sum(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """Sum over axes (none given: all), in the dtype of x.

    Examples:
        >>> print(ops.reduce_sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [4. 6.]
    """
    x = need_tensor(x, "reduce_sum", "x")
    return reduced(prims.sum, cast(x, dtypes.int32) if x.dtype.is_bool else x, axis, keep_dims, "reduce_sum")


@_shared
def reduce_prod(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """Product over axes (none given: all), in the dtype of x.

    Examples:
        >>> print(ops.reduce_prod(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [3. 8.]
    """
    return reduced(prims.prod, need_tensor(x, "reduce_prod", "x"), axis, keep_dims, "reduce_prod")


def over_all_by_default(name: str, run: Callable[..., Tensor], printed: str, x: str = _MATRIX) -> Reducing:
    """The function `reduce_…` that does what another one does; no axes mean all."""

    def reduce(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
        """As `{as_}`; no axes given means all.

        Examples:
            >>> from mycel import Tensor, ops
            >>> print(ops.{name}(Tensor({x}), 1))
            {printed}
        """
        return run(x, axis, keep_dims)

    reduce.__module__ = run.__module__
    return _shared(made(reduce, name, as_=run.__name__, x=x, printed=printed))


reduce_mean = over_all_by_default("reduce_mean", mean, "[3.  5.5]")
reduce_all = over_all_by_default("reduce_all", all, "[False  True]", _TRUTHS)
reduce_any = over_all_by_default("reduce_any", any, "[ True  True]", _TRUTHS)
