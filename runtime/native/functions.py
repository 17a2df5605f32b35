"""Instruction selection: the functions of the kernel language as vector instructions."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

from . import builder, integers, long_integers, mathematics, remainders
from .builder import Builder, Unsupported, Value

Function = Callable[..., Value]


_CHEAP: set[str] = set()


def _cheap(function: Function) -> Function:
    """Mark a function of few instructions, which takes less time to compute twice than to keep."""
    _CHEAP.add(function.__name__)
    return function


_DIVISIONS: set[str] = set()


def _division(function: Function) -> Function:
    """Mark a function of one slow instruction: a division or a root."""
    _DIVISIONS.add(function.__name__)
    return function


def is_division(name: str) -> bool:
    """Whether a function is one slow instruction, not a series of cheap ones."""
    return name in _DIVISIONS


def is_cheap(name: str) -> bool:
    """Whether computing a function again takes less time than keeping its result."""
    return name in _CHEAP


def is_float(x: Value) -> bool:
    """Whether these are floats."""
    return x.dtype.startswith("float")


def _need_numbers(*values: Value) -> None:
    if any(value.dtype == "bool" for value in values):
        raise Unsupported("numbers are expected, not bools")


@_cheap
def add(b: Builder, x: Value, y: Value) -> Value:
    """x + y."""
    return b.bit_or(x, y) if x.dtype == "bool" else b.add(x, y)


@_cheap
def subtract(b: Builder, x: Value, y: Value) -> Value:
    """x - y."""
    _need_numbers(x, y)
    return b.subtract(x, y)


@_cheap
def multiply(b: Builder, x: Value, y: Value) -> Value:
    """x * y."""
    if x.dtype == "bool":
        return b.bit_and(x, y)
    return long_integers.product(b, x, y) if x.dtype == "int64" else b.multiply(x, y)


@_cheap
def multiply_words(b: Builder, x: Value, y: Value) -> Value:
    """x * y of int32, right in the lower 16 bits: an idiom of AVX-512. All bits take twice as long on Intel."""
    if x.dtype != "int32" or not b.wide:
        raise Unsupported("words are multiplied with AVX-512")
    return b.emit("multiply_words", "int32", x, y)


@_division
def divide(b: Builder, x: Value, y: Value) -> Value:
    """x / y of floats. A power of two has a reciprocal, and the product with that is the quotient. Most constants have
    one in two parts."""
    if not is_float(x):
        raise Unsupported("only floats are divided")
    number = b.float_of(y) if b.width > 2 else None  # of halves few reciprocals are in range
    if number and math.isfinite(number) and abs(math.frexp(number)[0]) == 0.5 and 2.0**-64 < abs(number) < 2.0**64:
        return b.multiply(x, b.constant(1 / number, x.dtype))
    if number and (parts := remainders.reciprocal(number, b.width)):
        high, low = [b.constant(part, x.dtype) for part in parts]
        return b.multiply_add(x, high, b.multiply(x, low))
    return b.divide(x, y)


@_cheap
def maximum(b: Builder, x: Value, y: Value) -> Value:
    """The larger of x and y; nan if either is. Of 0.0 and -0.0 it is y, as in NumPy."""
    return _choice(b, x, y, larger=True)


@_cheap
def minimum(b: Builder, x: Value, y: Value) -> Value:
    """The smaller of x and y; nan if either is. Of 0.0 and -0.0 it is y, as in NumPy."""
    return _choice(b, x, y, larger=False)


def _choice(b: Builder, x: Value, y: Value, larger: bool) -> Value:
    if x.dtype == "bool":
        return b.bit_or(x, y) if larger else b.bit_and(x, y)
    if x.dtype == "int64" and not b.wide:
        return b.select(b.greater(x, y), *((x, y) if larger else (y, x)))
    if not is_float(x):
        return b.larger(x, y) if larger else b.smaller(x, y)
    # The instruction gives its second operand where the two are equal, such as 0.0 and -0.0, or where one is nan.
    choose = b.larger if larger else b.smaller
    first, second = b.float_of(x), b.float_of(y)
    if first is not None:
        return x if math.isnan(first) else choose(x, y)
    if second:  # neither 0.0 nor -0.0
        return y if math.isnan(second) else choose(y, x)
    if larger and second is not None and not b.wide and math.copysign(1.0, second) > 0:
        return b.bit_and(x, b.compare(x, y, builder.NOT_LESS_EQUAL))  # x if that is more than 0.0, or nan
    return b.select(b.compare(x, x, builder.UNORDERED), x, choose(x, y))


@_cheap
def negative(b: Builder, x: Value) -> Value:
    """-x."""
    _need_numbers(x)
    return b.bit_xor(x, b.constant(-0.0, x.dtype)) if is_float(x) else b.subtract(b.constant(0, x.dtype), x)


@_cheap
def absolute(b: Builder, x: Value) -> Value:
    """|x|."""
    _need_numbers(x)
    if is_float(x):
        return b.bit_and_not(b.constant(-0.0, x.dtype), x)
    if x.dtype != "int64" or b.wide:
        return b.emit(f"absolute.{x.dtype}", x.dtype, x)
    return b.select(b.greater(b.constant(0, x.dtype), x), negative(b, x), x)


@_division
def sqrt(b: Builder, x: Value) -> Value:
    """The square root of floats."""
    if not is_float(x):
        raise Unsupported("only floats have roots")
    return b.sqrt(x)


def sign(b: Builder, x: Value) -> Value:
    """-1, 0 or 1; nan of nan."""
    _need_numbers(x)
    zero, one = b.constant(0, x.dtype), b.constant(1, x.dtype)
    if is_float(x) and not b.wide:  # bits go to any port of a processor, comparisons and blends to half of them
        signed = b.bit_or(b.bit_and(x, b.constant(-0.0, x.dtype)), one)
        result = b.bit_and(signed, b.compare(x, zero, builder.NOT_EQUAL))
        return b.bit_or(result, b.compare(x, x, builder.UNORDERED))  # all bits set is a nan
    result = b.select(greater(b, x, zero), one, b.select(less(b, x, zero), b.constant(-1, x.dtype), zero))
    return b.select(b.compare(x, x, builder.UNORDERED), x, result) if is_float(x) else result


@_cheap
def equal(b: Builder, x: Value, y: Value) -> Value:
    """Whether x and y are equal."""
    if x.dtype == "bool":
        return b.bit_xor(b.bit_xor(x, y), b.constant(True, "bool"))
    return b.compare(x, y, builder.EQUAL) if is_float(x) else b.equal(x, y)


@_cheap
def not_equal(b: Builder, x: Value, y: Value) -> Value:
    """Whether x and y differ."""
    if x.dtype == "bool":
        return b.bit_xor(x, y)
    return b.compare(x, y, builder.NOT_EQUAL) if is_float(x) else logical_not(b, b.equal(x, y))


@_cheap
def less(b: Builder, x: Value, y: Value) -> Value:
    """Whether x is less than y."""
    if x.dtype == "bool":
        return b.bit_and_not(x, y)
    return b.compare(x, y, builder.LESS) if is_float(x) else b.greater(y, x)


@_cheap
def less_equal(b: Builder, x: Value, y: Value) -> Value:
    """Whether x is at most y."""
    return b.compare(x, y, builder.LESS_EQUAL) if is_float(x) else logical_not(b, less(b, y, x))


@_cheap
def greater(b: Builder, x: Value, y: Value) -> Value:
    """Whether x is greater than y."""
    return less(b, y, x)


@_cheap
def greater_equal(b: Builder, x: Value, y: Value) -> Value:
    """Whether x is at least y."""
    return less_equal(b, y, x)


@_cheap
def as_mask(b: Builder, x: Value) -> Value:
    """Whether a number is not zero."""
    return x if x.dtype == "bool" else not_equal(b, x, b.constant(0, x.dtype))


@_cheap
def logical_and(b: Builder, x: Value, y: Value) -> Value:
    """Whether both are true."""
    return b.bit_and(as_mask(b, x), as_mask(b, y))


@_cheap
def logical_or(b: Builder, x: Value, y: Value) -> Value:
    """Whether either is true."""
    return b.bit_or(as_mask(b, x), as_mask(b, y))


@_cheap
def logical_xor(b: Builder, x: Value, y: Value) -> Value:
    """Whether one of the two is true."""
    return b.bit_xor(as_mask(b, x), as_mask(b, y))


@_cheap
def logical_not(b: Builder, x: Value) -> Value:
    """Whether it is false."""
    return b.bit_xor(as_mask(b, x), b.constant(True, "bool"))


def _need_bits(*values: Value) -> None:
    if any(is_float(value) for value in values):
        raise Unsupported("floats have no bits to combine")


@_cheap
def bitwise_and(b: Builder, x: Value, y: Value) -> Value:
    """x & y."""
    _need_bits(x, y)
    return b.bit_and(x, y)


@_cheap
def bitwise_or(b: Builder, x: Value, y: Value) -> Value:
    """x | y."""
    _need_bits(x, y)
    return b.bit_or(x, y)


@_cheap
def bitwise_xor(b: Builder, x: Value, y: Value) -> Value:
    """x ^ y."""
    _need_bits(x, y)
    return b.bit_xor(x, y)


@_cheap
def bitwise_not(b: Builder, x: Value) -> Value:
    """~x."""
    _need_bits(x)
    return b.bit_xor(x, b.constant(True, "bool"), x.dtype)


@_cheap
def mask_bits(b: Builder, x: Value, y: Value) -> Value:
    """The one that is no bool where the bool is true, else zero."""
    mask, bits = (x, y) if x.dtype == "bool" else (y, x)
    if mask.dtype != "bool":
        raise Unsupported("a mask is a bool")
    return b.bit_and(mask, bits, bits.dtype)


@_cheap
def select(b: Builder, condition: Value, x: Value, y: Value) -> Value:
    """x where the condition is true, else y."""
    mask = as_mask(b, condition)
    return b.select(mask, x, y)


def _rounded(way: int) -> Function:
    def function(b: Builder, x: Value) -> Value:
        return b.round(x, way) if is_float(x) else x

    return function


@_cheap
def isnan(b: Builder, x: Value) -> Value:
    """Whether it is not a number."""
    return b.compare(x, x, builder.UNORDERED) if is_float(x) else b.constant(False, "bool")


@_cheap
def isinf(b: Builder, x: Value) -> Value:
    """Whether it is infinite."""
    if not is_float(x):
        return b.constant(False, "bool")
    return b.compare(absolute(b, x), b.constant(math.inf, x.dtype), builder.EQUAL)


@_cheap
def isfinite(b: Builder, x: Value) -> Value:
    """Whether it is neither infinite nor nan."""
    if not is_float(x):
        return b.constant(True, "bool")
    return b.compare(absolute(b, x), b.constant(math.inf, x.dtype), builder.LESS)


@_cheap
def cast(b: Builder, x: Value, dtype: str) -> Value:
    """The same value in another dtype of the kernel's width."""
    if x.dtype == dtype:
        return x
    if dtype == "bool":
        return as_mask(b, x)
    if x.dtype == "bool":
        return b.bit_and(x, b.constant(1, dtype), dtype)
    if (x.dtype, dtype) == ("int32", "float32"):
        return b.float_of_integer(x)
    if (x.dtype, dtype) == ("float32", "int32"):
        return b.truncated_integer(x)
    if (x.dtype, dtype) == ("int64", "float64"):
        return long_integers.as_float(b, x)
    if (x.dtype, dtype) == ("float64", "int64"):
        return long_integers.truncated(b, x)
    raise Unsupported(f"no instruction makes {dtype} of {x.dtype}")


@_cheap
def bitcast(b: Builder, x: Value, dtype: str) -> Value:
    """The same bits as another dtype of the kernel's width."""
    if "bool" in (x.dtype, dtype) and x.dtype != dtype:
        raise Unsupported("a bool has no bits of its own here")
    return b.seen_as(x, dtype)


@_cheap
def multiply_add(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """x * y + z, rounded once."""
    if not all(map(is_float, (x, y, z))):
        raise Unsupported("numbers are multiplied and added at once as floats")
    return b.multiply_add(x, y, z)


@_cheap
def multiply_subtract(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """x * y - z, rounded once."""
    if not all(map(is_float, (x, y, z))):
        raise Unsupported("numbers are multiplied and subtracted at once as floats")
    return b.multiply_subtract(x, y, z)


@_cheap
def negative_multiply_add(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """z - x * y, rounded once."""
    if not all(map(is_float, (x, y, z))):
        raise Unsupported("numbers are multiplied and subtracted at once as floats")
    return b.negative_multiply_add(x, y, z)


@_cheap
def copy(b: Builder, x: Value) -> Value:
    """x under another name."""
    return x


@_cheap
def overlay(b: Builder, x: Value, y: Value) -> Value:
    """x | y of values of which one has only zero bits: parts of arrays are zero outside of their bounds."""
    if x.dtype != y.dtype:
        raise Unsupported("parts of one array are of one dtype")
    if b.is_zero(x):
        return y
    return x if b.is_zero(y) else b.bit_or(x, y)


def _of_floats(function: Function) -> Function:
    @wraps(function)
    def checked(b: Builder, *values: Value) -> Value:
        if not all(map(is_float, values)):
            raise Unsupported("these are functions of floats")
        return function(b, *values)

    return checked


FUNCTIONS: dict[str, Function] = {
    **{
        function.__name__: function
        for function in (
            add, subtract, multiply, multiply_words, divide, maximum, minimum, negative, absolute, sqrt, sign, equal,
            not_equal, less, less_equal, greater, greater_equal, logical_and, logical_or, logical_xor, logical_not,
            bitwise_and, bitwise_or, bitwise_xor, bitwise_not, mask_bits, select, isnan, isinf, isfinite, cast, bitcast,
            copy, multiply_add, multiply_subtract, negative_multiply_add, overlay,
        )
    },
    **integers.FUNCTIONS,
    **remainders.FUNCTIONS,
    "floor": _rounded(builder.DOWN),
    "ceil": _rounded(builder.UP),
    "trunc": _rounded(builder.TOWARDS_ZERO),
    "round": _rounded(builder.NEAREST),
    **{name: _of_floats(function) for name, function in mathematics.FUNCTIONS.items()},
}  # fmt: skip
"""The functions of statements, without reductions of rows and scans."""

MOVING = frozenset({"copy", "overlay", "select"})
"""Functions that compute nothing of numbers, which may be halves as they are in memory."""

SHIFTS = frozenset({"left_shift", "right_shift"})
"""Shifts, which narrow lanes have by numbers alone."""

MASKED = frozenset({"mask_bits", "logical_and", "logical_or", "logical_xor"})
"""Functions that take bools beside numbers; `select` has one as its first argument."""

IDENTITY: dict[str, Callable[[str], Any]] = {
    "add": lambda dtype: 0,
    "multiply": lambda dtype: 1,
    "maximum": lambda dtype: -math.inf if dtype.startswith("float") else -(1 << (31 if dtype == "int32" else 63)),
    "minimum": lambda dtype: math.inf if dtype.startswith("float") else (1 << (31 if dtype == "int32" else 63)) - 1,
}
"""The neutral element of each reduction, as a function of the dtype."""
