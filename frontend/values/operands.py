"""Operand checks: the operands of elementwise functions, and their common dtype."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import unwrap
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ...compiler import ops as prims
from ...compiler.ir.op import Op
from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..errors.classes import not_a_tensor
from ..state import STATE
from .dispatch import Number, apply, as_tensor, cast, common_dtype, is_weak
from .tensor import Tensor
from .traced_tensor import TracedTensor, wrap

P = ParamSpec("P")
R = TypeVar("R")
Operand = Any
"""A Tensor, a Python or NumPy number, or a (nested) sequence of numbers."""


def as_operand(value: Any, function: str, name: str = "other") -> Any:
    """`value` as a tensor or a Python number; a sequence or NumPy array becomes a tensor."""
    if isinstance(value, (Tensor, *Number)):
        return value.item() if isinstance(value, np.generic) else value
    if isinstance(value, np.generic) and value.dtype.kind in "biufc":
        return value.item()
    if isinstance(value, (list, tuple, np.ndarray)):
        return Tensor(value)
    raise not_a_tensor(function, name, value, "a Tensor or a number")


def need_tensor(value: Any, function: str, name: str = "input") -> Tensor:
    """`value`, if it is a Tensor; else a TypeError that names the function and the argument."""
    if not isinstance(value, Tensor):
        raise not_a_tensor(function, name, value)
    return wrap(value._symbol) if isinstance(value, TracedTensor) and value._number is not None else value


def as_literal(number: Any, dtype: DType) -> Any:
    """A Python number as an operand beside tensors of `dtype`: integers wrap around, and floats have single
    precision."""
    if isinstance(number, bool):
        return number
    if isinstance(number, int) and dtype.is_integer:
        if not -(1 << 63) <= number < 1 << 64:
            raise ValueError(f"{number} is beyond 64 bits, which no integer of a tensor is")
        low, span = (-(1 << (dtype.bits - 1)) if dtype.kind == "i" else 0), 1 << dtype.bits
        return (number - low) % span + low
    if isinstance(number, float) and dtype.bits > 32 and abs(number) <= _LARGEST:
        return float(np.float32(number))  # MindSpore hands Python floats to its kernels in single precision
    if isinstance(number, complex) and not dtype.is_complex:
        raise TypeError(f"{number} is complex, which no number of {dtype} is")
    return number


_LARGEST = float(np.finfo(np.float32).max)


def in_dtype(value: Any, dtype: DType) -> Any:
    """An operand for an op on `dtype`: a tensor of it, or a number that becomes a literal of it."""
    if isinstance(value, Tensor):
        return value if value.dtype is dtype and not is_weak(value) else cast(value, dtype)
    return as_literal(value, dtype)


def fits(x: Tensor, y: Any) -> bool:
    """Whether y is a tensor of the dtype of x, or a number that becomes a literal of this dtype without checks."""
    kind = type(y)
    if kind is Tensor:
        return bool(x._data.dtype == y._data.dtype)
    dtype = x._data.dtype
    if dtype.kind == "f":
        return dtype.itemsize <= 4 and (kind is float or kind is int)
    return kind is int and dtype.kind in "iu" and 0 <= y < 128


def fits_traced(x: Any, y: Any) -> bool:
    """The same of a traced x, if the result is no Python number."""
    if x._number is not None:
        return False
    dtype, kind = x._symbol.operand.type.dtype, type(y)
    if kind is TracedTensor:
        return y._number is None and y._symbol.operand.type.dtype is dtype
    if dtype.is_float:
        return dtype.bits <= 32 and (kind is float or kind is int)
    return kind is int and dtype.is_integer and 0 <= y < 128


def promoted(*values: Any, dtype: DType | None = None) -> tuple[Any, ...]:
    """Operands in their common dtype (or the one given), at least one of them a tensor."""
    dtype = dtype or common_dtype(*values)
    result = [in_dtype(value, dtype) for value in values]
    if not any(isinstance(item, Tensor) for item in result):
        result[0] = as_tensor(result[0], dtype)
    return tuple(result)


def number_kind(dtype: DType) -> type:
    """The Python type of numbers of a dtype."""
    return bool if dtype.is_bool else int if dtype.is_integer else complex if dtype.is_complex else float


def as_number(result: Any, *operands: Any) -> Any:
    """A traced result of Python numbers only, as such a number; other results are returned unchanged."""
    if isinstance(result, TracedTensor) and all(map(is_weak, operands)):
        return wrap(result._symbol, number_kind(result.dtype))
    return result


def binary(op: Op, x: Any, y: Any, function: str) -> Any:
    """An op on two operands in their common dtype."""
    if (type(x) is Tensor and fits(x, y)) or (type(x) is TracedTensor and fits_traced(x, y)):
        return apply(op, x, y)
    x, y = as_operand(x, function, "input"), as_operand(y, function)
    left, right = promoted(x, y)
    result = apply(op, left, right)
    return as_number(result, x, y) if STATE.trace is not None else result


def to_float(x: Tensor) -> Tensor:
    """Integers and booleans in Float32; floating-point and complex tensors are returned unchanged."""
    return x if x.dtype.is_float or x.dtype.is_complex else cast(x, dtypes.float32)


def in_single(operands: int = 1) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator for functions that sum, count or square: halves are computed in Float32, and rounded once at the end.

    The results have the half's dtype again where all floating-point tensors among the first `operands` arguments do.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        code = unwrap(function).__code__  # a signature takes ten times as long to make
        names = code.co_varnames[: min(operands, code.co_argcount)]

        @wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            given = [*args[:operands], *[kwargs.get(name) for name in names[len(args) :]]]
            kinds = {item.dtype for item in given if isinstance(item, Tensor) and item.dtype.is_float}
            if len(kinds) != 1 or not (dtype := kinds.pop()).is_half:
                return function(*args, **kwargs)
            wide: Any = function
            return _narrowed(wide(*map(widened, args), **{key: widened(value) for key, value in kwargs.items()}), dtype)

        return run

    return decorate


def computed_outside(result: Any, inputs: Sequence[Any], what: str) -> Any:
    """A result, or a tuple of results, that NumPy computed from tensors. To differentiate by them is an error, not
    zero."""
    given = [item for item in inputs if isinstance(item, Tensor) and (item.dtype.is_float or item.dtype.is_complex)]
    if STATE.tape is None or not given:
        return result
    if isinstance(result, tuple):
        return tuple(computed_outside(item, given, what) for item in result)
    if (
        not isinstance(result, Tensor)
        or not (result.dtype.is_float or result.dtype.is_complex)
        or any(result is item for item in given)
    ):
        return result
    return apply(prims.computed_outside, result, *given, what=what)


def widened(x: Any) -> Any:
    """A tensor of halves in single precision, because sums of many halves lose their digits; other values are returned
    unchanged."""
    return cast(x, dtypes.float32) if isinstance(x, Tensor) and x.dtype.is_half else x


def _narrowed(result: Any, dtype: DType) -> Any:
    """Results in Float32 in a narrower dtype."""
    if isinstance(result, tuple):
        return tuple(_narrowed(item, dtype) for item in result)
    return cast(result, dtype) if isinstance(result, Tensor) and result.dtype is dtypes.float32 else result


def need_float(x: Tensor, function: str, complex_too: bool = True) -> Tensor:
    """x, if it has a floating-point dtype; else TypeError."""
    if not (x.dtype.is_float or (complex_too and x.dtype.is_complex)):
        raise TypeError(
            f"{function}: the dtype of 'input' should be a floating-point one such as Float32, but got {x.dtype}"
        )
    return x


def floating(value: Any, function: str, name: str = "input") -> Tensor:
    """`value`, which should be a Tensor of floating-point numbers; TypeError otherwise."""
    x = need_tensor(value, function, name)
    if not (x.dtype.is_float or x.dtype.is_complex):
        raise TypeError(f"{function}: '{name}' should be a floating-point Tensor, but its dtype is {x.dtype}")
    return x
