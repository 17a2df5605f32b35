"""The same numbers in another form: casts, copies, complex numbers and their parts; how numbers are held."""

from __future__ import annotations

import math
from typing import Any

from ...compiler import ops as prims
from ...frontend.errors.classes import not_a_tensor
from ...frontend.values.dispatch import Number, apply, as_tensor, cast as cast_tensor
from ...frontend.values.operands import Operand, need_float, need_tensor, promoted
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from .documentation import anything, common
from .table import known_as, on_one

__all__ = [
    "angle", "cast", "conj", "deepcopy", "eps", "identity", "imag", "polar", "population_count", "positive", "real",
    "type_as", "view_as_real",
]  # fmt: skip


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


@on_one(
    "The real parts of the elements.", "Tensor([1.0]) -> [1.]", takes="any", returns="a real tensor of the same shape",
    mint=True, method=True, primitive="Real RealView",
)  # fmt: skip
def real(x: Tensor) -> Tensor:
    return apply(prims.real, x) if x.dtype.is_complex else x


@on_one(
    "The imaginary parts of the elements.", "Tensor([1.0]) -> [0.]", takes="any",
    returns="a real tensor of the same shape", mint=True, method=True, primitive="Imag ImagView",
)  # fmt: skip
def imag(x: Tensor) -> Tensor:
    return apply(prims.imag, x)


@on_one(
    "The elements with their imaginary parts negated.", "Tensor([1.0]) -> [1.]", takes="any", method=True,
    primitive="Conj",
)  # fmt: skip
def conj(x: Tensor) -> Tensor:
    return apply(prims.conj, x) if x.dtype.is_complex else x


@on_one(
    "The angles of complex numbers, in radians; of real ones 0 or pi.", "Tensor([1.0, -1.0]) -> [0.        3.1415927]",
    takes="to_float", returns="a real tensor of the same shape", method=True, primitive="Angle",
)  # fmt: skip
def angle(x: Tensor) -> Tensor:
    if x.dtype.is_complex:
        return apply(prims.atan2, apply(prims.imag, x), apply(prims.real, x))
    return apply(prims.select, apply(prims.less, x, 0.0), math.pi, apply(prims.multiply, x, 0.0))


@known_as(mint=True, primitive="Polar")
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """Complex numbers of these magnitudes and angles.

    Args:
        abs, angle: floating-point tensors of shapes that can be broadcast together.

    Examples:
        >>> print(ops.polar(Tensor([2.0]), Tensor([0.0])))
        [2.+0.j]
    """
    radius, turn = promoted(need_tensor(abs, "polar", "abs"), need_tensor(angle, "polar", "angle"))
    x = apply(prims.multiply, radius, apply(prims.cos, turn))
    y = apply(prims.multiply, radius, apply(prims.sin, turn))
    return apply(prims.complex, x, y)


def view_as_real(input: Tensor) -> Tensor:
    """Complex numbers as pairs of real and imaginary part along a new last dimension.

    Args:
        input: a complex tensor of any shape.

    Raises:
        TypeError: if `input` is not complex.

    Examples:
        >>> import numpy as np
        >>> from mycel import Tensor, ops
        >>> print(ops.view_as_real(Tensor(np.array([1 + 2j], np.complex64))))
        [[1. 2.]]
    """
    x = need_tensor(input, "view_as_real")
    if not x.dtype.is_complex:
        raise TypeError(f"view_as_real: 'input' should be complex, but its dtype is {x.dtype}")
    parts = []
    for op in (prims.real, prims.imag):
        part = apply(op, x)
        step, attrs = prims.insert_axes_step(part._type, (part.ndim,))
        parts.append(apply(step, part, **attrs))
    return apply(prims.concatenate, *parts, axis=x.ndim)
