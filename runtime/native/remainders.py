"""Quotients rounded to integers, and their rests: of integers, and of floats to the last bit as NumPy's. Reciprocals in
two parts."""

from __future__ import annotations

import math
from functools import cache
from itertools import product

import numpy as np

from . import builder, integers
from .builder import Builder, Value

QUICK = {4: 2.0**22, 8: 2.0**51}  # quotients below are off by 1 at most
DIGITS = {4: 24, 8: 53}  # binary digits of a float


@cache
def reciprocal(number: float, width: int) -> tuple[float, float] | None:
    """Two floats, so that x / number is round(x * first + round(x * second)) for all x; None if there are none."""
    # Quotients below 2**-100 may differ in the last bit. The first part is rounded down: both parts of an infinite
    # quotient have its sign. The sum differs from the quotient by less than 4 units in the last of twice the digits. So
    # only x whose quotient is that near to the middle between two floats have to be tried (Brisebarre, Muller and
    # Raina, 2004): x * 2**shift is middle * divisor + far.
    if not 2.0**-32 < abs(number) < 2.0**32:
        return None
    digits, (mantissa, exponent) = DIGITS[width], math.frexp(number)
    divisor, one, least = int(abs(mantissa) * 2**digits), 1 << 2 * digits - 1, 1 << digits - 1
    common = divisor & -divisor
    if common == least:
        return None
    kind = np.float32 if width == 4 else np.float64
    high, rest = divmod(one, divisor)
    low = float(kind(rest / divisor))
    step = divisor // common
    for shift, far in product((digits, digits + 1), range(-7, 8)):
        if far % common or not far:
            continue
        start = far // common * pow((1 << shift) // common, -1, step) % step
        for x in range(start + (least - start + step - 1) // step * step, 2 * least, step):
            middle = ((x << shift) - far) // divisor
            if middle % 2 and (x >= divisor) == (shift == digits):
                found, bound = float(kind(x * low)) * 2.0**shift, middle * one - (x * high << shift)
                if not (found > bound if far > 0 else found < bound):
                    return None
    scale = math.copysign(2.0 ** (digits - exponent), number) / one
    return high * scale, low * scale


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
