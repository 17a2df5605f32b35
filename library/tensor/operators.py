"""Python's operators on tensors."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...compiler.ir.op import Op
from ...frontend.errors.classes import DivisionError, GraphBreak
from ...frontend.errors.tracebacks import leaving
from ...frontend.errors.user_files import user_level
from ...frontend.state import STATE
from ...frontend.values.dispatch import Number, apply, is_weak
from ...frontend.values.indexing import getitem, setitem
from ...frontend.values.inplace import assign_inplace, is_number
from ...frontend.values.operands import as_number, fits, fits_traced
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import UNKNOWN_BASE, Tensor
from ...frontend.values.traced_tensor import TracedTensor
from ...runtime import dtypes
from .. import functions as ops

Operator = Callable[[Any, Any], Any]


def takes(self: Tensor, value: Any) -> bool:
    """Whether an operator of a tensor takes `value`: tensors, numbers, and sequences or arrays of numbers. Python's own
    numbers take no sequences, so neither do those that only the run knows."""
    if isinstance(value, (list, tuple)):
        return not is_number(self)
    return isinstance(value, (Tensor, *Number, np.ndarray, np.generic))


def _direct(function: Operator, op: Op | None = None) -> Operator:
    """`x + y`. With `op`, operands that need no conversion go to it straight away."""

    def direct(self: Tensor, other: Any) -> Tensor:
        try:
            if op is not None:
                kind = type(self)
                if (kind is TracedTensor and fits_traced(self, other)) or (kind is Tensor and fits(self, other)):
                    return apply(op, self, other)
            return function(self, other) if takes(self, other) else NotImplemented
        except Exception as error:
            leaving(error)
            raise

    return direct


def _reflected(function: Operator, on_arrays: Operator) -> Operator:
    """`y + x`, where y is no tensor. A NumPy array keeps the upper hand, as in MindSpore, where numbers are at hand."""

    def reflected(self: Tensor, other: Any) -> Tensor:
        if isinstance(other, np.ndarray) and STATE.trace is None and STATE.tape is None:
            return on_arrays(other, self.asnumpy())
        return function(other, self) if takes(self, other) else NotImplemented

    return reflected


def _in_place(function: Operator) -> Operator:
    """`x += y`: the tensor itself changes, and keeps its dtype in a graph. Outside the name gets a new tensor where the
    result has another dtype or shape, as in MindSpore. Python numbers of the run are never changed in place."""

    def in_place(self: Tensor, other: Any) -> Tensor:
        if not takes(self, other):
            return NotImplemented
        new = function(self, other)
        if is_number(self):
            return new
        fits = new.dtype is self.dtype
        if STATE.trace is None and not (fits and new.shape == self.shape) and not isinstance(self, Parameter):
            return new
        if not fits and _kind(new) > _kind(self):
            text = f"an update in place keeps {self.dtype}, so the numbers of {new.dtype} are cut off: write x = x + y"
            warnings.warn(text, UserWarning, stacklevel=user_level())
        return assign_inplace(self, new)

    return in_place


def _kind(tensor: Tensor) -> tuple[bool, bool, bool]:
    """The kind of a tensor's dtype in the order bool, integer, float, complex."""
    dtype = tensor.dtype
    return dtype.is_complex, dtype.is_float, dtype.is_integer


def _for_numbers(function: Operator) -> Operator:
    """An operator that MindSpore has for Python numbers only; here also for run-time numbers."""

    def numbers_only(self: Tensor, other: Any) -> Any:
        return function(self, other) if is_weak(self) and is_weak(other) else NotImplemented

    return numbers_only


def _swapped(function: Operator) -> Operator:
    return lambda x, y: function(y, x)


def _equal(self: Tensor, other: Any) -> Tensor:  # to type checkers; the other cases are rare
    if isinstance(other, (list, tuple)):  # a tensor is no sequence, whatever both hold
        return False  # type: ignore[return-value]
    return ops.equal(self, other) if takes(self, other) else NotImplemented


def _not_equal(self: Tensor, other: Any) -> Tensor:
    if isinstance(other, (list, tuple)):
        return True  # type: ignore[return-value]
    return ops.not_equal(self, other) if takes(self, other) else NotImplemented


def _as_int(x: Any) -> Any:
    """A bool that only the run knows as an int: Python computes with those. Anything else is returned unchanged."""
    return as_number(ops.scalar_cast(x, dtypes.int64), x) if is_number(x) and x.dtype.is_bool else x


def _of_ints(function: Operator) -> Operator:
    """An operator whose result of two of Python's bools is an int."""

    def of_ints(x: Any, y: Any) -> Any:
        return function(_as_int(x), _as_int(y)) if is_weak(x) and is_weak(y) else function(x, y)

    return of_ints


def _negative(self: Tensor) -> Tensor:
    x = _as_int(self)
    return as_number(ops.neg(x), x)


def _positive(self: Tensor) -> Tensor:
    return _as_int(self)


def _absolute(self: Tensor) -> Tensor:
    return ops.abs(_as_int(self))


def _invert(self: Tensor) -> Tensor:
    # MindSpore's ~ is a logical not for every dtype; Python's own meaning stays with numbers of the run.
    self = _as_int(self)
    if is_number(self) and self.dtype.is_integer:
        return as_number(ops.invert(self), self)
    return ops.logical_not(self)


def _round(self: Tensor, digits: int | None = None) -> Tensor:
    self = _as_int(self)
    result = ops.round(self) if digits is None else ops.round(self, decimals=digits)
    if is_number(self) and digits is None:
        return ops.scalar_cast(as_number(result, self), dtypes.int64)
    return as_number(result, self)


def _contains(self: Tensor, value: Any) -> bool:
    return bool(ops.any(ops.equal(self, value)))


def _get_item(self: Tensor, key: Any) -> Tensor:
    return getitem(self, key)


def _set_item(self: Tensor, key: Any, value: Any) -> None:
    base = self._base
    if base is UNKNOWN_BASE:
        raise GraphBreak(
            "an item is assigned to a selection of a tensor, and which tensor it was taken from only the run knows",
            "Assign to the tensor itself: `x[i, j] = v` in place of `row = x[i]; row[j] = v`",
        )
    if base is not None:  # `x[0][1] = v` and `row = x[0]; row[1] = v` change x
        parent, place = base
        _set_item(parent, place, setitem(getitem(parent, place), key, value))
    assign_inplace(self, setitem(self, key, value))


def _check_divisor(number: Any) -> None:
    STATE.trace.check(lambda: number != 0, "division by zero: the divisor is 0", "DivisionError")


def _divided(function: Operator) -> Operator:
    """A quotient or rest. The divisor of Python numbers is checked, as Python does."""

    def divided(x: Any, y: Any) -> Any:
        if STATE.trace is not None and is_weak(x) and is_weak(y):
            x, y = _as_int(x), _as_int(y)
            if is_number(y):
                _check_divisor(y)
            elif not y:
                raise DivisionError("division by zero: the divisor is 0")
        return function(x, y)

    return divided


def _power(x: Any, y: Any) -> Any:
    """A power. That of an int with a negative exponent is a float, as in Python, or an error if only the run knows."""
    if STATE.trace is not None and is_weak(y) and is_weak(x):
        x, y = _as_int(x), _as_int(y)
    if STATE.trace is not None and is_weak(y) and (isinstance(x, int) or (is_number(x) and x.dtype.is_integer)):
        if isinstance(y, int) and y < 0:
            _check_divisor(x)
            x = as_number(ops.scalar_cast(x, dtypes.float32), x)
        elif is_number(y) and y.dtype.is_integer:
            text = "an int to a negative power is a float: write float(x) ** y"
            STATE.trace.check(lambda: y >= 0, text, "ValueError")
            _check_size(lambda: ops.pow(abs(x) * Tensor(1.0, dtypes.float64), y) < 2.0**63)
        elif isinstance(y, int) and y > 1:
            _check_size(lambda: abs(x) <= int((2.0**63 - 1024) ** (1 / y)))
    return ops.pow(x, y)


def _check_size(holds: Callable[[], Any]) -> None:
    STATE.trace.check(holds, "an integer of a graph has at most 64 bits: compute with floats", "OverflowError")


def _shifted(function: Operator, back: Operator | None = None) -> Operator:
    """A shift by a number that Python allows, without loss: `back` undoes it."""

    def shifted(x: Any, y: Any) -> Any:
        x, y = _as_int(x), _as_int(y)
        if is_number(y):
            STATE.trace.check(lambda: y >= 0, "negative shift count", "ValueError")
        elif y < 0:
            raise ValueError("negative shift count")
        result = function(x, y)
        if back is not None:
            _check_size(lambda: (back(result, y) == x) & (y < 64))
        return result

    return shifted


_ARITHMETIC: tuple[tuple[str, Operator, Operator, Op | None], ...] = (
    ("add", _of_ints(ops.add), operator.add, prims.add),
    ("sub", _of_ints(ops.sub), operator.sub, prims.subtract),
    ("mul", _of_ints(ops.mul), operator.mul, prims.multiply),
    ("truediv", _divided(ops.div), operator.truediv, None),
    ("floordiv", _divided(ops.floor_divide), operator.floordiv, prims.floor_divide),
    ("mod", _divided(ops.remainder), operator.mod, prims.remainder),
    ("pow", _power, operator.pow, prims.power),
    ("matmul", ops.matmul, operator.matmul, None),
    ("and", ops.bitwise_and, operator.and_, prims.bitwise_and),
    ("or", ops.bitwise_or, operator.or_, prims.bitwise_or),
    ("xor", ops.bitwise_xor, operator.xor, prims.bitwise_xor),
)
_IN_PLACE = ("add", "sub", "mul", "truediv", "floordiv", "mod")
"""The operators whose augmented form changes the tensor itself; the others give a new one, as in MindSpore."""


def _quotient_and_rest(x: Any, y: Any) -> tuple[Any, Any]:
    return ops.floor_divide(x, y), ops.remainder(x, y)


_OF_NUMBERS: tuple[tuple[str, Operator], ...] = (
    ("lshift", _shifted(ops.bitwise_left_shift, ops.bitwise_right_shift)),
    ("rshift", _shifted(ops.bitwise_right_shift)),
    ("divmod", _divided(_quotient_and_rest)),
)
_COMPARISONS: tuple[tuple[str, Operator, Op], ...] = (
    ("lt", ops.less, prims.less),
    ("le", ops.less_equal, prims.less_equal),
    ("gt", ops.greater, prims.greater),
    ("ge", ops.greater_equal, prims.greater_equal),
)


_ON_ARRAYS: dict[Any, Operator] = {
    np.equal: lambda array, tensor: ops.equal(tensor, array),
    np.not_equal: lambda array, tensor: ops.not_equal(tensor, array),
    np.less: lambda array, tensor: ops.greater(tensor, array),
    np.less_equal: lambda array, tensor: ops.greater_equal(tensor, array),
    np.greater: lambda array, tensor: ops.less(tensor, array),
    np.greater_equal: lambda array, tensor: ops.less_equal(tensor, array),
    np.add: ops.add, np.subtract: ops.sub, np.multiply: ops.mul, np.true_divide: ops.div,
    np.floor_divide: ops.floor_divide, np.remainder: ops.remainder, np.power: ops.pow, np.matmul: ops.matmul,
    np.bitwise_and: ops.bitwise_and, np.bitwise_or: ops.bitwise_or, np.bitwise_xor: ops.bitwise_xor,
}  # fmt: skip
"""What `array + tensor` and the like are where numbers are not at hand, or gradients are wanted."""


def _array(x: Tensor, what: str) -> np.ndarray:
    """The numbers of a tensor. In a trace that has none the error says what asks for them."""
    return x.asnumpy() if STATE.trace is None else x._numbers(what)


def _array_ufunc(self: Tensor, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
    """NumPy's functions of elements: arrays of the tensors' numbers, as in MindSpore.

    An operator between an array and a tensor of a trace or tape, or between a NumPy number and a tensor, is the
    tensor's own.
    """
    if method == "__call__" and not named and len(inputs) == 2 and not isinstance(inputs[0], Tensor):
        numbers = isinstance(inputs[0], np.ndarray) and inputs[0].ndim and STATE.trace is None and STATE.tape is None
        if ufunc in _ON_ARRAYS and not numbers:
            return _ON_ARRAYS[ufunc](*inputs)
    what = f"numpy.{ufunc.__name__}()"
    arrays = [_array(value, what) if isinstance(value, Tensor) else value for value in inputs]
    return getattr(ufunc, method)(*arrays, **named)


def operators() -> dict[str, Any]:
    """The special methods of Tensor, by name."""
    found: dict[str, Any] = {
        "__eq__": _equal, "__ne__": _not_equal, "__hash__": object.__hash__, "__neg__": _negative, "__pos__": _positive,
        "__abs__": _absolute, "__invert__": _invert, "__round__": _round, "__contains__": _contains,
        "__getitem__": _get_item, "__setitem__": _set_item, "__array_ufunc__": _array_ufunc,
    }  # fmt: skip
    for name, function, on_arrays, op in _ARITHMETIC:
        found[f"__{name}__"] = _direct(function, op)
        found[f"__r{name}__"] = _reflected(function, on_arrays)
        if name in _IN_PLACE:
            found[f"__i{name}__"] = _in_place(function)
    for name, function in _OF_NUMBERS:
        found[f"__{name}__"] = _for_numbers(function)
        found[f"__r{name}__"] = _for_numbers(_swapped(function))
    for name, function, op in _COMPARISONS:
        found[f"__{name}__"] = _direct(function, op)
    return found
