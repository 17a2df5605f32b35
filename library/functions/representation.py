"""The same numbers in another form: casts and copies; how numbers are held."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.errors.classes import not_a_tensor
from ...frontend.values.dispatch import Number, apply, as_tensor, cast as cast_tensor
from ...frontend.values.operands import Operand, need_float, need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from .documentation import anything, common
from .table import known_as

__all__ = ["cast", "deepcopy", "eps", "identity", "population_count", "positive", "type_as"]


@known_as(primitive="Cast")
def cast(input: Operand, dtype: DType) -> Tensor:
    """The elements in another dtype; floats lose their fraction towards zero where integers are asked for.

    Args:
        input: a tensor or a number.
        dtype: the dtype, such as `mycel.float32`.

    Raises:
        TypeError: if `input` is neither tensor nor number, or `dtype` no dtype.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.cast(ms.Tensor([1.7, -1.7]), ms.int32))
        [ 1 -1]
    """
    wanted = dtypes.as_dtype(dtype)
    if not isinstance(input, (Tensor, *Number)):
        raise not_a_tensor("cast", "input", input, "a Tensor or a number")
    return cast_tensor(as_tensor(input), wanted)


@known_as(method=True)
def type_as(input: Tensor, other: Tensor) -> Tensor:
    """`input` in the dtype of `other`.

    Args:
        other: a tensor of any shape, of the dtype wanted.

    Examples:
        >>> print(ops.type_as(Tensor([1.7]), Tensor([1])))
        [1]
    """
    return cast_tensor(need_tensor(input, "type_as"), need_tensor(other, "type_as", "other").dtype)


@known_as(method=True)
def positive(input: Tensor) -> Tensor:
    """The tensor itself.

    Raises:
        TypeError: if `input` is no Tensor, or the dtype is Bool.

    Examples:
        >>> print(ops.positive(Tensor([-1.0])))
        [-1.]
    """
    x = need_tensor(input, "positive")
    if x.dtype.is_bool:
        raise TypeError("positive: 'input' should be a tensor of numbers, but its dtype is Bool")
    return x


@known_as(numpy="positive", primitive="Identity", shared=anything)
def identity(x: Any) -> Any:
    """The argument itself.

    Examples:
        >>> print(ops.identity(Tensor([-1.0])))
        [-1.]
    """
    return x


@common
def deepcopy(input_x: Tensor) -> Tensor:
    """The elements in a tensor of their own.

    Examples:
        >>> print(ops.deepcopy(Tensor([-1.0])))
        [-1.]
    """
    return apply(prims.copy, need_tensor(input_x, "deepcopy", "input_x"))


@known_as(primitive="Eps")
def eps(x: Tensor) -> Tensor:
    """A tensor like x, filled with the distance from 1 to the next number of its dtype.

    Args:
        x: a floating-point tensor of any shape.

    Raises:
        TypeError: if `x` is no Tensor, or the dtype is not a floating-point one.

    Examples:
        >>> print(ops.eps(Tensor([2.0])))
        [1.1920929e-07]
    """
    x = need_float(need_tensor(x, "eps", "x"), "eps", complex_too=False)
    shape = x._type.shape
    if None in shape:
        return apply(prims.add, apply(prims.zeros_like, x), float(dtypes.limits(x.dtype).eps))
    return apply(prims.full, shape=shape, value=float(dtypes.limits(x.dtype).eps), dtype=x.dtype)


def population_count(input_x: Tensor) -> Tensor:
    """How many bits of each integer are set (UInt8).

    Args:
        input_x: a tensor of integers, of any shape.

    Raises:
        TypeError: if the dtype is no integer one.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.population_count(Tensor([7, 8])))
        [3 1]
    """
    return apply(prims.bit_count, need_tensor(input_x, "population_count", "input_x"))
