"""Hyperbolic functions and their inverses as vector instructions, in float32 and float64.

They are computed from exp(x) - 1 and log(1 + x), without cancellation. Errors are in units of the last place.
"""

from __future__ import annotations

import math

from .builder import EQUAL, LESS, Builder, Value
from .exponentials import EXP, exp_minus_one, half_of_one_minus_exp, log_of_sum
from .parts import (
    BIAS,
    LN2,
    absolute,
    at_most,
    nearest,
    number,
    polynomial,
    power_of_two,
    times_power_of_two,
    with_sign,
    without_multiple_of_ln2,
)

LARGE = 2.0**60
"""From here on 1 changes nothing beside the square."""


def sinh(b: Builder, x: Value) -> Value:
    """sinh|x| as h + h / (2 h + 1) for h = (exp|x| - 1) / 2.

    Error at most 2.0 ulp in float32, 2.3 in float64.
    """
    size = absolute(b, x)
    high = 89.7 if b.width == 4 else 710.6  # beyond the end, but 2^(k - 2) is still a number
    shifted, k = nearest(b, b.smaller(size, number(b, high)), math.log2(math.e), BIAS[b.width] - 2)
    part = exp_minus_one(b, without_multiple_of_ln2(b, size, k))
    power = power_of_two(b, shifted)
    half = b.multiply_add(power, part, b.subtract(power, number(b, 0.25)))
    half = b.add(half, half)
    finite = b.smaller(half, number(b, 2.0**100))
    quotient = b.divide(finite, b.multiply_add(half, number(b, 2.0), number(b, 1.0)))
    # Tiny numbers are their own result; a half of them may be no number.
    return with_sign(b, b.select(b.compare(part, size, EQUAL), size, b.add(half, quotient)), x)


def cosh(b: Builder, x: Value) -> Value:
    """cosh(x) as h + 1 / (4 h) for h = exp|x| / 2.

    Error at most 1.3 ulp in float32, 1.4 in float64.
    """
    size = absolute(b, x)
    bounded = b.smaller(size, number(b, 90.0 if b.width == 4 else 711.0))
    shifted, k = nearest(b, bounded, math.log2(math.e), 2 * BIAS[b.width] - 1)
    r = without_multiple_of_ln2(b, size, k)
    one = number(b, 1.0)
    part = b.multiply_add(b.multiply_add(polynomial(b, r, EXP[b.width]), r, one), r, one)
    half = times_power_of_two(b, part, shifted, k, 1.0)
    return b.add(half, b.divide(number(b, 0.25), half))


def tanh(b: Builder, x: Value) -> Value:
    """tanh|x| as h + h h / (1 - h) for h = (1 - exp(-2|x|)) / 2, which halves the error of the quotient.

    Error at most 2.1 ulp in float32, 2.1 in float64.
    """
    half = half_of_one_minus_exp(b, at_most(b, absolute(b, x), 10.0 if b.width == 4 else 20.0))
    quotient = b.divide(half, b.subtract(number(b, 1.0), half))
    return with_sign(b, b.multiply_add(half, quotient, half), x)


def asinh(b: Builder, x: Value) -> Value:
    """asinh|x| as log(1 + |x| + x^2 / (1 + sqrt(1 + x^2))), or log|x| + log(2) for large x.

    Error at most 1.7 ulp in float32, 2.2 in float64.
    """
    size = absolute(b, x)
    one = number(b, 1.0)
    square = b.multiply(size, size)
    more = b.divide(square, b.add(b.sqrt(b.add(square, one)), one))
    return with_sign(b, _log_of_sum(b, size, size, more), x)


def acosh(b: Builder, x: Value) -> Value:
    """log(1 + d + sqrt(d (d + 2))) for d = x - 1, or log(x) + log(2) for large x; nan below 1.

    Error at most 1.7 ulp in float32, 2.3 in float64.
    """
    above = b.subtract(x, number(b, 1.0))
    root = b.sqrt(b.multiply_add(above, above, b.add(above, above)))
    return b.bit_or(_log_of_sum(b, x, above, root), b.compare(x, number(b, 1.0), LESS))


def _log_of_sum(b: Builder, x: Value, first: Value, second: Value) -> Value:
    """log(1 + first + second), or log(x) + log(2) for large x."""
    large = b.compare(number(b, LARGE), x, LESS)
    total = b.add(first, second)
    larger, smaller = b.larger(first, second), b.smaller(first, second)
    low = b.subtract(smaller, b.subtract(total, larger))
    logarithm = log_of_sum(b, b.select(large, x, total), b.bit_and_not(large, low))
    return b.add(logarithm, b.bit_and(large, number(b, LN2[b.width][0]), b.float))


def atanh(b: Builder, x: Value) -> Value:
    """log(1 + 2|x| / (1 - |x|)) / 2.

    Error at most 1.9 ulp in float32, 2.3 in float64.
    """
    size = b.smaller(number(b, 2.0), absolute(b, x))  # 1 / (1 - |x|) of large numbers may be flushed to 0; nan stays
    one = number(b, 1.0)
    double = b.add(size, size)
    rest = b.subtract(one, size)
    rest_low = b.subtract(b.subtract(one, rest), size)
    inverse = b.divide(one, rest)
    quotient = b.multiply(double, inverse)
    missing = b.negative_multiply_add(quotient, rest_low, b.negative_multiply_add(quotient, rest, double))
    logarithm = log_of_sum(b, quotient, b.multiply(missing, inverse))
    return with_sign(b, b.multiply(logarithm, number(b, 0.5)), x)
