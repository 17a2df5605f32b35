"""Type inference shared by many ops, and the small tools and constructors that their records are written with."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...runtime import dtypes
from ..ir.op import Infer, Op
from ..ir.types import Shape, TensorType, broadcast_shapes, show_shape


def same_dtype(*types: TensorType) -> dtypes.DType:
    """The common dtype. TypeError names both if they differ."""
    first = types[0].dtype
    for type in types[1:]:
        if type.dtype is not first:
            shown = " and ".join(str(t.dtype) for t in types)
            other = next(t.dtype for t in types if t.dtype != types[0].dtype)
            raise TypeError(f"operands have different dtypes, {shown}{dtypes.as_one(types[0].dtype, other)}")
    return first


def check_like(what: str, expected: TensorType, got: TensorType) -> None:
    """Raise ValueError if what belongs to a tensor, as a cotangent does, cannot have its shape."""
    if expected.rank != got.rank or any(
        a is not None and b is not None and a != b for a, b in zip(expected.shape, got.shape, strict=False)
    ):
        raise ValueError(f"{what}: expected shape {show_shape(expected.shape)}, but got {show_shape(got.shape)}")


def broadcast(*types: TensorType) -> TensorType:
    """The type of an elementwise result for operands of one dtype, with NumPy's broadcasting."""
    first = types[0]
    for type in types[1:]:
        if type.dtype is not first.dtype or (type.shape and type.shape != first.shape):
            break
    else:  # most are of one type, or numbers
        return first
    return TensorType(same_dtype(*types), broadcast_shapes(*[type.shape for type in types]))


def broadcast_numeric(*types: TensorType) -> TensorType:
    """As `broadcast`, without booleans."""
    result = broadcast(*types)
    if result.dtype.is_bool:
        raise TypeError("arithmetic is not defined on Bool operands (Tensor[Bool]): cast them to numbers")
    return result


def operands_of(what: str, accepts: Callable[[dtypes.DType], bool]) -> Callable[..., TensorType]:
    """As `broadcast`, only for the accepted dtypes; `what` describes these."""

    def infer(*types: TensorType, **attrs: Any) -> TensorType:
        result = broadcast(*types)
        if not accepts(result.dtype):
            raise TypeError(f"operands should be {what}, but got {result.dtype}")
        return result

    return infer


broadcast_float = operands_of("floating-point", lambda dtype: dtype.is_float or dtype.is_complex)
broadcast_real = operands_of("real floating-point", lambda dtype: dtype.is_float)
whole = operands_of("integers", lambda dtype: dtype.is_integer)
logical = operands_of("Bool", lambda dtype: dtype.is_bool)
bitwise = operands_of("integers or Bool", lambda dtype: dtype.is_integer or dtype.is_bool)


def check_number(what: str, value: complex, dtype: dtypes.DType) -> None:
    """Raise an error if tensors cannot hold a number: a complex one, or one beyond integers. A fraction is dropped."""
    if isinstance(value, complex):
        if not dtype.is_complex:
            raise TypeError(f"{what} {value} is complex, which no number of {dtype} is")
        return
    if not dtype.is_integer:
        return
    limits = np.iinfo(dtype.np)
    if not math.isfinite(value) or not limits.min <= int(value) <= limits.max:
        raise ValueError(f"{what} {value} is no number of {dtype}: those go from {limits.min} to {limits.max}")


def compare(*types: TensorType) -> TensorType:
    """The type of an elementwise boolean result."""
    return broadcast(*types).with_dtype(dtypes.bool_)


def reduced_shape(shape: Shape, axis: tuple[int, ...], keepdims: bool) -> Shape:
    """The shape left after reducing over `axis` (sorted, counted from the front)."""
    if keepdims:
        return tuple(1 if position in axis else size for position, size in enumerate(shape))
    return tuple(size for position, size in enumerate(shape) if position not in axis)


def unary(kernel: np.ufunc) -> Callable[..., Any]:
    """A ufunc as a kernel."""
    return kernel


def elementwise_op(name: str, infer: Infer, kernel: Callable[..., Any], **record: Any) -> Op:
    """An op whose output elements each read one element of each input. Its kernel takes `out=`."""
    return Op(name, kind="elementwise", infer=infer, kernel=kernel, **record)


def effect_op(name: str, infer: Infer, kernel: Callable[..., Any], **record: Any) -> Op:
    """An op that does something outside of the graph, and gives nothing."""
    return Op(name, kind="effect", infer=infer, kernel=kernel, **record)
