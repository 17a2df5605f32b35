"""Methods of tensors that reduce, with other arguments than the functions of the same names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...frontend.values.arguments import alternative, need_flags
from ...frontend.values.dispatch import cast
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..docstrings import Shared
from . import math, reduce
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
    need_flags("sum", keepdims=keepdims, keepdim=keepdim)
    result = reduce.sum(self, alternative(axis, dim, None), keepdims or keepdim, dtype=dtype)
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
