"""Methods of tensors for statistics and running sums, with other arguments than the functions of the same names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import alternative
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from . import cumulative, statistics
from .documentation import common
from .reduce import Axis
from .reduce_methods import no_out, shared
from .table import made, method


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
        dtype: the dtype to convert to first; None: Int32 of Bool, Int8, Int16 and UInt8.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1, 2, 3]).cumsum())
        [1 3 6]
    """
    position = alternative(axis, dim, None)
    if dtype is None and self.dtype.name in ("Bool", "Int8", "Int16", "UInt8"):
        dtype = dtypes.int32
    if position is None:
        return cumulative.cumsum(apply(prims.reshape, self, shape=(-1,)), 0, dtype)
    return cumulative.cumsum(self, position, dtype)
