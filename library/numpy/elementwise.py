"""The elementwise functions of `mycel.numpy`, from a table, and the conversion of their operands."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ...frontend.values.arguments import whole_number
from ...frontend.values.dispatch import Number, cast, promoted_dtype
from ...frontend.values.operands import to_float
from ...frontend.values.tensor import Tensor
from ...frontend.values.traced_tensor import TracedTensor
from ...runtime import dtypes
from .. import functions as ops
from ..docstrings import Shared
from ..functions.documentation import anything, for_numpy
from ..functions.table import Function, made
from .documentation import common

_shared = Shared(
    """
    Args:
        x1, x2: a tensor, number or nested sequence of numbers, of any shape.

    Raises:
        TypeError: if `x1` holds no numbers.
    """,
    common,
)


def operand(value: Any) -> Any:
    """A tensor or Python number itself; a sequence as a tensor, its ints as Int32."""
    if isinstance(value, (Tensor, *Number)):
        return value
    return array(value)


def tensor_of(value: Any) -> Tensor:
    """As `operand`, numbers too as tensors."""
    return value if isinstance(value, Tensor) else array(value)


def array(obj: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Tensor:
    """A tensor of numbers or nested sequences: Int32 for ints, Float32 for floats; tensors and arrays keep their dtype.

    Args:
        obj: a tensor, number, array or nested sequence of numbers.
        dtype: the dtype; None: as said.
        copy: whether a tensor is copied.
        ndmin: the least number of dimensions; new ones of size one come first.

    Raises:
        TypeError: if `obj` holds no numbers.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.array([1, 2]).dtype)
        Int32
    """
    wanted = None if dtype is None else kind_of(dtype)
    if isinstance(obj, Tensor):
        result = cast(obj, wanted or obj.dtype)
        result = result.copy() if copy and result is obj and not isinstance(obj, TracedTensor) else result
    else:
        result = Tensor(obj, wanted)
        if wanted is None and result.dtype is dtypes.int64 and not isinstance(obj, (np.ndarray, np.generic)):
            result = cast(result, dtypes.int32)
    for _ in range(ndmin - result.ndim):
        result = ops.expand_dims(result, 0)
    return result


def kind_of(dtype: Any) -> dtypes.DType:
    """The dtype of new arrays: `int` and "int" are Int32, `float` and "float" Float32, as in MindSpore."""
    known = {int: dtypes.int32, "int": dtypes.int32, "float": dtypes.float32}
    return known[dtype] if isinstance(dtype, (type, str)) and dtype in known else dtypes.as_dtype(dtype)


def in_dtype(result: Tensor, dtype: Any) -> Tensor:
    """A result converted where a dtype was asked for. Here `float` is Float64, as for `astype`."""
    return result if dtype is None else cast(result, dtypes.float64 if dtype is float else dtypes.as_dtype(dtype))


def _unary(name: str, record: Function) -> Callable[..., Tensor]:
    floats = record.floats or name in ("ceil", "fix", "sign", "trunc")

    half = re.fullmatch("(arc)?(sin|cos|tan)h?", name) is not None  # 8 bits of these become Float16, as in NumPy

    def function(x: Any, dtype: Any = None) -> Tensor:
        value = tensor_of(x)
        if half and value.dtype.bits == 8:
            value = cast(value, dtypes.float16)
        return in_dtype(record.run(to_float(value) if floats else value), dtype)

    return _named(function, name, record)


def _beside(value: Any, tensor: Tensor) -> Tensor:
    """A number as a tensor of the dtype that it takes beside a tensor."""
    if isinstance(value, Tensor):
        return value
    return Tensor(value, dtypes.float32 if isinstance(value, float) and not tensor.dtype.is_float else tensor.dtype)


def _widened(x: Any, number: Any) -> Any:
    """A tensor in the dtype that it has beside a Python number, which is Int32 or Float32 here."""
    wide = {int: dtypes.int32, float: dtypes.float32}.get(type(number))
    if wide is None or not isinstance(x, Tensor) or x.dtype.bits >= 32 or x.dtype is dtypes.uint16:
        return x
    return cast(x, promoted_dtype(x.dtype, wide))


def _binary(name: str, record: Function) -> Callable[..., Tensor]:
    kinds = [kind for name, kind in getattr(record.run, "__annotations__", {}).items() if name != "return"]
    wants_tensors = kinds[:2] == ["Tensor", "Tensor"]

    def function(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
        first, second = operand(x1), operand(x2)
        if not isinstance(first, Tensor) and not isinstance(second, Tensor):
            first = array(first)
        if name not in ("maximum", "minimum"):  # these keep the dtype of the tensor, as in MindSpore
            first, second = _widened(first, second), _widened(second, first)
        if wants_tensors:
            first, second = _beside(first, second), _beside(second, first)
        return in_dtype(record.run(first, second), dtype)

    return _named(function, name, record)


def _named(function: Callable[..., Tensor], name: str, record: Function) -> Callable[..., Tensor]:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = for_numpy(name, record.run, record.operands)
    return function


@cache
def of_table(name: str) -> Callable[..., Tensor]:
    """The function of the table with this name."""
    record = ops.known("numpy", name)
    assert record is not None, name
    return (_unary if record.operands == 1 else _binary)(name, record)


@_shared
def copysign(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """The magnitudes of one with the signs of the other, in the dtype of the first.

    Args:
        x1: a tensor or nested sequence of numbers, of any shape.
        x2: a tensor or nested sequence of numbers, of any shape.

    Examples:
        >>> print(mnp.copysign([1.0, 2.0], -1.0))
        [-1. -2.]
    """
    first = tensor_of(x1)
    return in_dtype(ops.copysign(first, operand(x2)), dtype or first.dtype)


@_shared
def float_power(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """Powers in floating point: of integers in Float32.

    Examples:
        >>> print(mnp.float_power([2, 3], 2))
        [4. 9.]
    """
    first, second = (to_float(item) if isinstance(item, Tensor) else item for item in (tensor_of(x1), operand(x2)))
    return in_dtype(ops.pow(first, second), dtype)


@_shared
def divmod(x1: Any, x2: Any, dtype: Any = None) -> tuple[Tensor, Tensor]:
    """The quotients rounded down, and the rests.

    Examples:
        >>> print(*mnp.divmod([7], 2))
        [3] [1]
    """
    return of_table("floor_divide")(x1, x2, dtype), of_table("mod")(x1, x2, dtype)


@_shared
def reciprocal(x: Any, dtype: Any = None) -> Tensor:
    """One over each element; of integers rounded towards zero.

    Examples:
        >>> print(mnp.reciprocal([2.0]))
        [0.5]
    """
    value = tensor_of(x)
    return in_dtype(ops.reciprocal(value), dtype or (value.dtype if value.dtype.is_integer else None))


def _turned(name: str, what: str, example: str) -> Callable[..., Tensor]:
    """`deg2rad` and `rad2deg`."""

    def run(x: Any, dtype: Any = None) -> Tensor:
        """{what}; of integers in Float32.

        Examples:
            >>> print(mnp.{name}([{angle}]))
            [{printed}]
        """
        return in_dtype(getattr(ops, name)(to_float(tensor_of(x))), dtype)

    angle, _, printed = example.partition(" -> ")
    return _shared(made(run, name, what=what, angle=angle, printed=printed))


deg2rad = _turned("deg2rad", "Degrees as radians", "180.0 -> 3.1415927")
rad2deg = _turned("rad2deg", "Radians as degrees", "0.5 -> 28.64789")


radians = deg2rad


@_shared
def cbrt(x: Any, dtype: Any = None) -> Tensor:
    """The cube roots.

    Examples:
        >>> print(mnp.cbrt([8.0]))
        [2.]
    """
    value = tensor_of(x)
    return in_dtype(ops.mul(ops.sign(value), ops.pow(ops.abs(value), 1.0 / 3.0)), dtype)


@_shared
def around(a: Any, decimals: int = 0) -> Tensor:
    """The elements rounded to so many decimals, halves to the even neighbour.

    Args:
        decimals: the number of places after the point.

    Examples:
        >>> print(mnp.around([1.26, 2.5], 1))
        [1.3 2.5]
    """
    x, decimals = tensor_of(a), whole_number(decimals, "around", "decimals")
    if decimals == 0 or x.dtype.is_integer:
        return x if x.dtype.is_integer else ops.round(x)
    scale = 10.0**decimals
    return ops.div(ops.round(ops.mul(x, scale)), scale)


round = around


@_shared
def clip(x: Any, xmin: Any, xmax: Any, dtype: Any = None) -> Tensor:
    """The elements no smaller than `xmin` and no larger than `xmax`; either may be None.

    Args:
        xmin, xmax: the bounds, tensors or numbers; None: none.

    Examples:
        >>> print(mnp.clip([-1.0, 0.5, 3.0], 0, 1))
        [0.  0.5 1. ]
    """
    value = tensor_of(x)
    if xmin is not None:
        value = ops.maximum(value, operand(xmin))
    return in_dtype(value if xmax is None else ops.minimum(value, operand(xmax)), dtype)


@_shared
def isclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Tensor:
    """Whether |a - b| <= atol + rtol * |b|, element by element.

    Args:
        rtol: the relative tolerance.
        atol: the absolute tolerance.
        equal_nan: whether nan is close to nan.

    Raises:
        TypeError: if `a` or `b` holds no numbers.

    Examples:
        >>> print(mnp.isclose([1.0, 2.0], [1.0, 2.1]))
        [ True False]
    """
    first, second = tensor_of(a), tensor_of(b)
    if first.dtype is not second.dtype:
        first, second = (ops.add(item, ops.mul(other, 0)) for item, other in ((first, second), (second, first)))
    return ops.isclose(first, second, rtol, atol, equal_nan)


@anything
def isscalar(element: Any) -> bool:
    """Whether `element` is a Python number or string.

    Args:
        element: anything.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.isscalar(1.0))
        True
    """
    return isinstance(element, (*Number, str))


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """x where the condition is True, y elsewhere; without them the positions of True, one tensor a dimension.

    Args:
        condition: a tensor or nested sequence of Bool.
        x, y: tensors, numbers or sequences that can be broadcast with it.

    Raises:
        TypeError: if `condition` holds no numbers.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.where([True, False], 1, 2))
        [1 2]
    """
    mask = tensor_of(condition)
    if x is None and y is None:
        return ops.nonzero(mask, as_tuple=True)
    if x is None or y is None:
        raise ValueError("where: give both 'x' and 'y', or neither")
    mask = mask if mask.dtype.is_bool else ops.not_equal(mask, 0)
    y = operand(y) if isinstance(x, Tensor) else tensor_of(y)
    return ops.where(mask, _widened(operand(x), y), _widened(y, x))


__all__ = [
    "around",
    "array",
    "cbrt",
    "clip",
    "copysign",
    "deg2rad",
    "divmod",
    "float_power",
    "isclose",
    "isscalar",
    "rad2deg",
    "radians",
    "reciprocal",
    "round",
    "where",
]
