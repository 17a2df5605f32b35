"""Powers as vector instructions, in float32 and float64.

x^y is 2^(y log2 x). log2 x is needed with some ten digits more than the result has, so it is a sum of two floats, and
so are the intermediate results (T. J. Dekker, A floating-point technique for extending the available precision, 1971).
The polynomials are minimax fits made for this package, lowest power first. Errors are in units of the last place.
"""

from __future__ import annotations

import math

import numpy as np

from .builder import EQUAL, LESS, NEAREST as TO_NEAREST, NOT_EQUAL, Builder, Value
from .exponentials import fraction_and_exponent
from .parts import (
    BIAS,
    absolute,
    at_least,
    at_most,
    bounded_below,
    down_to_zero,
    lift,
    lifted,
    nearest,
    number,
    polynomial,
)

# (atanh(s) - s - s^3 / 3) / s^5 in s^2, for s = f / (2 + f) with 1 + f from sqrt(1/2) to sqrt(2): the error of atanh(s)
# is at most s times 9e-12, 8e-23.
ATANH = {
    4: (2.000007629e-01, 1.427354515e-01, 1.170982867e-01),
    8: (
        1.99999999999999900e-01,
        1.42857142857219344e-01,
        1.11111111088893572e-01,
        9.09090942285512016e-02,
        7.69227914645590899e-02,
        6.66813513532642232e-02,
        5.83782723308871043e-02,
        5.99143385606766415e-02,
    ),
}
# (2^r - 1) / r for |r| <= 1/2, the relative error of 2^r being least: 3e-9, 4e-18.
EXP2 = {
    4: (
        6.931471825e-01,
        2.402264774e-01,
        5.550358817e-02,
        9.618478827e-03,
        1.339127775e-03,
        1.533746690e-04,
    ),
    8: (
        6.93147180559945286e-01,
        2.40226506959101110e-01,
        5.55041086648217566e-02,
        9.61812910760057385e-03,
        1.33335581465335589e-03,
        1.54035304502695287e-04,
        1.52527336491081128e-05,
        1.32154382435247340e-06,
        1.01781528264601260e-07,
        7.07333219019991141e-09,
        4.44006438850006169e-10,
    ),
}
TWICE_LOG2_E = {4: (2.885390043258667, 3.851926067000022e-08), 8: (2.8853900817779268, 4.0710547481862066e-17)}
THIRD = {4: (0.3333333432674408, -9.934107758624577e-09), 8: (0.3333333333333333, 1.850371707708594e-17)}

Pair = tuple[Value, Value]
"""A sum of two floats, the second one small."""


def power(b: Builder, x: Value, y: Value) -> Value:
    """x^y with the special cases of C: 1 for y = 0 and for x = 1, even for nan; nan for x < 0 unless y is an integer.

    Error at most 1.0 ulp in float32, 1.2 in float64.
    """
    base = b.float_of(x)
    if base is not None and 0 < base < math.inf and base != 1:
        return exp2_of_product(b, y, *_log2_of(b, base))
    size = absolute(b, x)
    infinite = number(b, math.inf)
    high, low = log2(b, size)
    high = b.select(b.compare(size, infinite, LESS), high, size)
    high = b.select(b.compare(size, number(b, 0.0), EQUAL), number(b, -math.inf), high)
    result = exp2_of_product(b, y, high, low)
    whole = b.compare(b.round(y, TO_NEAREST), y, EQUAL)
    half = b.multiply(y, number(b, 0.5))
    odd = b.bit_and(whole, b.compare(b.round(half, TO_NEAREST), half, NOT_EQUAL))
    result = b.bit_xor(result, b.bit_and(b.bit_and(x, number(b, -0.0)), odd))
    negative = b.bit_and(b.compare(x, number(b, 0.0), LESS), b.compare(size, infinite, LESS))
    result = b.bit_or(result, b.bit_and_not(whole, negative))  # all bits set is a nan
    one = number(b, 1.0)
    return b.select(b.bit_or(b.compare(x, one, EQUAL), b.compare(y, number(b, 0.0), EQUAL)), one, result)


def _log2_of(b: Builder, base: float) -> tuple[Value, Value | None]:
    """log2 of a constant; the second part is None for powers of two that scale without rounding."""
    if b.width == 4:
        base = float(np.float32(base))
    fraction, exponent = math.frexp(base)
    if fraction == 0.5 and abs(exponent - 1) in (1, 2, 4, 8):
        return number(b, exponent - 1.0), None
    from decimal import Decimal, localcontext  # few programs need this

    with localcontext() as context:
        context.prec = 50
        exact = Decimal(base).ln() / Decimal(2).ln()
        high = float(np.float32(float(exact))) if b.width == 4 else float(exact)
        return number(b, high), number(b, float(exact - Decimal(high)))


def product(b: Builder, x: Value, y: Value) -> Pair:
    """x * y, and its rounding error."""
    rounded = b.multiply(x, y)
    return rounded, b.negative_multiply_add(x, y, rounded)


def added(b: Builder, large: Value, small: Value) -> Pair:
    """The sum of two numbers, and its rounding error."""
    rounded = b.add(large, small)
    return rounded, b.subtract(small, b.subtract(rounded, large))


def log2(b: Builder, x: Value) -> Pair:
    """log2(x) of positive x, as k + 2 log2(e) atanh(s) for x = 2^k (1 + f) and s = f / (2 + f)."""
    f, k = fraction_and_exponent(b, x)
    divisor = b.add(f, number(b, 2.0))
    divisor_low = b.subtract(f, b.subtract(divisor, number(b, 2.0)))
    inverse = b.divide(number(b, 1.0), divisor)
    s = b.multiply(f, inverse)
    rest = b.negative_multiply_add(s, divisor_low, b.negative_multiply_add(s, divisor, f))
    s_low = b.multiply(rest, inverse)
    scale, scale_low = (number(b, part) for part in TWICE_LOG2_E[b.width])
    first, excess = product(b, s, scale)
    first_low = b.subtract(b.multiply_add(s_low, scale, b.multiply(s, scale_low)), excess)
    square, square_excess = product(b, s, s)
    tail = polynomial(b, square, ATANH[b.width])
    # The cubic term as two floats as well: the logarithm is multiplied by so much that the result has up to 1074 bits.
    square_low = b.subtract(b.multiply(b.add(s, s), s_low), square_excess)
    third, third_low = (number(b, part) for part in THIRD[b.width])
    factor, factor_low = added(b, third, b.multiply(square, tail))
    factor_low = b.add(factor_low, third_low)
    ratio, ratio_excess = product(b, square, factor)
    ratio_low = b.multiply_add(square_low, factor, b.multiply(square, factor_low))
    ratio_low = b.subtract(ratio_low, ratio_excess)
    more, more_excess = product(b, first, ratio)
    more_low = b.multiply_add(first, ratio_low, b.multiply(first_low, ratio))
    more_low = b.add(first_low, b.subtract(more_low, more_excess))
    fraction, fraction_low = added(b, first, more)
    high, low = added(b, k, fraction)
    return high, b.add(low, b.add(fraction_low, more_low))


def exp2_of_product(b: Builder, y: Value, high: Value, low: Value | None) -> Value:
    """2^(y * (high + low)). Without `low` the product with `high` is exact."""
    large = 3.4028234663852886e38 if b.width == 4 else 1.7976931348623157e308
    y = at_most(b, at_least(b, y, -large), large)  # so that inf * 0 is 0: 1^inf = 1
    exponent = b.multiply(y, high)
    excess = None
    if low is not None:
        excess = b.negative_multiply_add(y, low, b.negative_multiply_add(y, high, exponent))
        # Where the exponent is beyond all bounds this may be anything, but no more than the bounds have to spare.
        excess = b.larger(b.smaller(excess, number(b, 1.0)), number(b, -1.0))
    least, most = (-152.0, 130.0) if b.width == 4 else (-1077.0, 1026.0)
    exponent = at_most(b, bounded_below(b, exponent, least), most)
    shifted, k = nearest(b, exponent, 1.0, 2 * BIAS[b.width] - lift(b))
    r = b.subtract(exponent, k)
    r = r if excess is None else b.subtract(r, excess)
    result = b.multiply_add(polynomial(b, r, lifted(b, EXP2[b.width])), r, number(b, 2.0 ** lift(b)))
    return down_to_zero(b, result, shifted, k)
