"""Running sums, products and extremes along an axis."""

from __future__ import annotations

from collections.abc import Callable

from ...compiler import ops as prims
from ...compiler.ir.op import Op
from ...frontend.values.dispatch import apply, as_tensor, cast
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from .documentation import common
from .extremes import axis_or_scalar
from .reduce import accumulating
from .table import known_as, made

__all__ = ["cummax", "cummin", "cumprod", "cumsum", "logcumsumexp"]


@common
def cumsum(x: Tensor, axis: int, dtype: DType | None = None) -> Tensor:
    """Sums of the elements up to each along an axis.

    Args:
        x: a tensor of numbers.
        dtype: the dtype to cast to first.

    Raises:
        TypeError: if x is Bool and no dtype is given.

    Examples:
        >>> print(ops.cumsum(Tensor([1.0, 2.0, 3.0]), 0))
        [1. 3. 6.]
    """
    x = need_tensor(x, "cumsum", "x")
    if dtype is not None:
        x = cast(x, dtypes.as_dtype(dtype))
    if x.dtype.is_bool:
        raise TypeError("cumsum: 'x' should be a tensor of numbers, but its dtype is Bool: cast it, or give 'dtype'")
    position = axis_or_scalar(axis, x.ndim, "cumsum")
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
        >>> print(ops.cumprod(Tensor([1.0, 2.0, 3.0]), 0))
        [1. 2. 6.]
    """
    x = accumulating(need_tensor(input, "cumprod"), dtype)
    position = axis_or_scalar(dim, x.ndim, "cumprod")
    return x if position is None else apply(prims.cumprod, x, axis=position, exclusive=False, reverse=False)


def _extreme_so_far(op: Op, word: str, dtype: DType, example: str) -> Callable[[Tensor, int], tuple[Tensor, Tensor]]:
    """`cummax` and `cummin`."""

    def run(input: Tensor, axis: int) -> tuple[Tensor, Tensor]:
        """The {word} of the elements up to each along an axis, and the positions ({dtype}) of the last such ones.

        Examples:
            >>> values, positions = ops.{name}(Tensor({numbers}), 0)
            >>> print(values, positions)
            {printed}
        """
        return _running(op, input, axis, dtype, op.name)

    numbers, _, printed = example.partition(" -> ")
    return known_as(method=True)(made(run, op.name, word=word, dtype=dtype, numbers=numbers, printed=printed))


cummax = _extreme_so_far(prims.cummax, "largest", dtypes.int64, "[1.0, 3.0, 2.0] -> [1. 3. 3.] [0 1 1]")
cummin = _extreme_so_far(prims.cummin, "smallest", dtypes.int32, "[3.0, 1.0, 2.0] -> [3. 1. 1.] [0 1 1]")


def _running(op: Op, input: Tensor, axis: int, dtype: DType, function: str) -> tuple[Tensor, Tensor]:
    x = need_tensor(input, function)
    position = axis_or_scalar(axis, x.ndim, function)
    if position is None:
        return x, as_tensor(0, dtype)
    values, positions = apply(op, x, axis=position)
    return values, cast(positions, dtype)


@known_as(method=True)
def logcumsumexp(input: Tensor, axis: int) -> Tensor:
    """Logarithms of the sums of the exponentials of the elements up to each along an axis, without overflow.

    Args:
        input: a floating-point tensor of any shape.

    Examples:
        >>> print(ops.logcumsumexp(Tensor([0.0, 0.0]), 0))
        [0.        0.6931472]
    """
    x = need_tensor(input, "logcumsumexp")
    position = axis_or_scalar(axis, x.ndim, "logcumsumexp")
    return x if position is None else apply(prims.logcumsumexp, x, axis=position, exclusive=False, reverse=False)
