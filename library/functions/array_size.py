"""Properties of a tensor's type: shape, size, rank and dtype."""

from __future__ import annotations

from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .table import known_as

__all__ = ["dtype", "dyn_shape", "numel", "rank", "shape", "size"]


@known_as(primitive="Shape")
def shape(input_x: Tensor) -> tuple[int, ...]:
    """The shape, a tuple of ints.

    Examples:
        >>> print(ops.shape(Tensor([[1, 2]])))
        (1, 2)
    """
    return need_tensor(input_x, "shape", "input_x").shape


@known_as(primitive="Size")
def size(input_x: Tensor) -> int:
    """Number of elements.

    Examples:
        >>> print(ops.size(Tensor([[1, 2]])))
        2
    """
    return need_tensor(input_x, "size", "input_x").size


@known_as(primitive="Rank")
def rank(input_x: Tensor) -> int:
    """Number of dimensions.

    Examples:
        >>> print(ops.rank(Tensor([[1, 2]])))
        2
    """
    return need_tensor(input_x, "rank", "input_x").ndim


@known_as(mint=True, method="numel nelement")
def numel(input: Tensor) -> int:
    """Number of elements.

    Examples:
        >>> print(ops.numel(Tensor([[1, 2], [3, 4]])))
        4
    """
    return need_tensor(input, "numel").size


@known_as(primitive="DType")
def dtype(x: Tensor) -> dtypes.DType:
    """The element type.

    Examples:
        >>> print(ops.dtype(Tensor([1.0])))
        Float32
    """
    return need_tensor(x, "dtype", "x").dtype


@known_as(primitive="TensorShape")
def dyn_shape(input_x: Tensor) -> Tensor:
    """The shape as a tensor of Int64.

    Examples:
        >>> print(ops.dyn_shape(Tensor([[1, 2]])))
        [1 2]
    """
    return Tensor(list(need_tensor(input_x, "dyn_shape", "input_x").shape), dtypes.int64)
