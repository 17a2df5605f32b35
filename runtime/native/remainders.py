"""Quotients rounded to integers, and their rests: of integers, and of floats to the last bit as NumPy's."""

from __future__ import annotations

import math

from . import builder, integers
from .builder import Builder, Value

QUICK = {4: 2.0**22, 8: 2.0**51}  # quotients below are off by 1 at most


def fmod(b: Builder, x: Value, y: Value) -> Value:
    """The rest of the quotient rounded towards zero; it has the sign of x."""
    if x.dtype.startswith("int"):
        return integers.fmod(b, x, y)
    sign = b.constant(-0.0, x.dtype)
    first, second = b.bit_and_not(sign, x), b.bit_and_not(sign, y)
    quotient = b.divide(first, second)
    # The quotient is right, or 1 too large; the rest has no more bits than the divisor.
    rest = b.negative_multiply_add(b.round(quotient, builder.TOWARDS_ZERO), second, first)
    rest = b.select(b.compare(rest, b.constant(0, x.dtype), builder.LESS), b.add(rest, second), rest)
    quick = b.bit_and(
        b.compare(quotient, b.constant(QUICK[b.width], x.dtype), builder.LESS),
        b.compare(second, b.constant(math.inf, x.dtype), builder.LESS),
    )
    slow = b.bit_xor(quick, b.constant(True, "bool"))
    function = "fmodf" if b.width == 4 else "fmod"
    return b.with_calls(x, slow, b.bit_or(rest, b.bit_and(sign, x)), function, y)


def _moved(b: Builder, rest: Value, y: Value) -> Value:
    """Where a rest has not the sign of y, and is not zero."""
    zero = b.constant(0, y.dtype)
    differ = b.bit_xor(b.compare(y, zero, builder.LESS), b.compare(rest, zero, builder.LESS))
    return b.bit_and(b.compare(rest, zero, builder.NOT_EQUAL), differ)


def remainder(b: Builder, x: Value, y: Value) -> Value:
    """The rest of the quotient rounded down; it has the sign of y."""
    if x.dtype.startswith("int"):
        return integers.remainder(b, x, y)
    rest, zero = fmod(b, x, y), b.constant(0, x.dtype)
    found = b.select(_moved(b, rest, y), b.add(rest, y), rest)
    signed_zero = b.bit_and(y, b.constant(-0.0, x.dtype))
    return b.select(b.compare(rest, zero, builder.EQUAL), signed_zero, found)


def floor_divide(b: Builder, x: Value, y: Value) -> Value:
    """The quotient rounded down."""
    if x.dtype.startswith("int"):
        return integers.floor_divide(b, x, y)
    zero, one, exact = b.constant(0, x.dtype), b.constant(1, x.dtype), b.divide(x, y)
    rest = fmod(b, x, y)
    quotient = b.divide(b.subtract(x, rest), y)
    quotient = b.select(_moved(b, rest, y), b.subtract(quotient, one), quotient)
    whole = b.round(quotient, builder.DOWN)
    above = b.compare(b.constant(0.5, x.dtype), b.subtract(quotient, whole), builder.LESS)
    whole = b.select(above, b.add(whole, one), whole)
    signed_zero = b.bit_and(exact, b.constant(-0.0, x.dtype))
    whole = b.select(b.compare(quotient, zero, builder.NOT_EQUAL), whole, signed_zero)
    return b.select(b.compare(y, zero, builder.EQUAL), exact, whole)


FUNCTIONS = {function.__name__: function for function in (floor_divide, remainder, fmod)}
"""The functions of this module, by their names in kernels."""
