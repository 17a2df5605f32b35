"""Exponentials, logarithms and related functions as vector instructions: float32 and float64, over the whole range.

The polynomials are minimax fits made for this package (E. Y. Remez, 1934), lowest power first; a comment names each
function. An argument x is reduced to x = k log(2) + r with an integer k (W. J. Cody and W. Waite, Software Manual for
the Elementary Functions, 1980); r is exact because products are added without rounding. Errors are in units of the last
place.
"""

from __future__ import annotations

import math

from .builder import EQUAL, LESS, LESS_EQUAL, NOT_EQUAL, Builder, Value
from .parts import (
    BIAS,
    LN2,
    MANTISSA,
    TINY,
    absolute,
    alternating,
    at_least,
    at_most,
    bounded_below,
    down_to_zero,
    lift,
    lifted,
    nearest,
    number,
    polynomial,
    power_of_two,
    with_sign,
    without_multiple_of_ln2,
)

# (exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2, the relative error of exp(r) being least: 3e-9, 4e-18.
EXP = {
    4: (5.000000000e-01, 1.666651517e-01, 4.166657478e-02, 8.369261399e-03, 1.392439357e-03),
    8: (
        5.00000000000001332e-01,
        1.66666666666666713e-01,
        4.16666666665112331e-02,
        8.33333333332347999e-03,
        1.38888889480169434e-03,
        1.98412698846820660e-04,
        2.48014889668439214e-05,
        2.75572436143308360e-06,
        2.76316140226674489e-07,
        2.51097391898637196e-08,
    ),
}
# The same, the relative error of exp(r) - 1 being least: 5e-10, 2e-17.
EXPM1 = {
    4: (5.000000000e-01, 1.666666567e-01, 4.166649282e-02, 8.333535865e-03, 1.393236336e-03, 1.977249340e-04),
    8: (
        5.00000000000000555e-01,
        1.66666666666666019e-01,
        4.16666666665733224e-02,
        8.33333333338081086e-03,
        1.38888889325194920e-03,
        1.98412697394672092e-04,
        2.48015042436153939e-05,
        2.75573878219115883e-06,
        2.76264173879739017e-07,
        2.50604935111640936e-08,
    ),
}
# Of width 4: (log(1 + f) - f) / f^2 for 1 + f from sqrt(1/2) to sqrt(2); relative error of log(1 + f) 5e-9.
# Of width 8: (2 atanh(s) - 2 s) / s^3 in s^2 for the same f, s = f / (2 + f); relative error 1.2e-18.
LOG = {
    4: (
        -4.999998808e-01,
        3.333333731e-01,
        -2.500163913e-01,
        2.000120878e-01,
        -1.660671085e-01,
        1.419610232e-01,
        -1.328020245e-01,
        1.282386482e-01,
        -7.422493398e-02,
    ),
    8: (
        6.66666666666673402e-01,
        3.99999999994163857e-01,
        2.85714287421232227e-01,
        2.22221985925373816e-01,
        1.81835636144078439e-01,
        1.53140628603818857e-01,
        1.47958754332406406e-01,
    ),
}
# n (1 - (1 - erf(a))^(1/2n)) / a for 0 <= a <= 3.95, n = 4, and 5.93, n = 8: the first coefficient in two parts, the
# relative error of erf(a) being least: 8e-9, 9e-18.
ERF = {
    4: (
        0.5641895532608032,
        2.628506056e-8,
        2.785214696e-1,
        8.356170149e-3,
        -2.635705922e-2,
        -7.459932829e-4,
        2.05136207e-3,
        -3.554959652e-4,
        1.920243507e-5,
    ),
    8: (
        0.5641895835477563,
        2.57565035502216779e-18,
        2.98415518297305751e-1,
        2.94055861823963783e-2,
        -1.87374232867921688e-2,
        -9.18797037497971016e-4,
        1.25696521847434565e-3,
        -2.74092194572513441e-4,
        -1.14118983904529996e-5,
        3.71093653339375176e-5,
        -1.4382283955652858e-5,
        9.70896842211299271e-7,
        1.65047947455672868e-6,
        -8.71940019800039369e-7,
        1.40210557090649756e-7,
        7.90371636067391468e-8,
        -7.09902276737587657e-8,
        3.12595593485198792e-8,
        -9.5977383492438843e-9,
        2.21286643865614593e-9,
        -3.89580141682122887e-10,
        5.19128527541723998e-11,
        -5.08469667413576665e-12,
        3.45800700815588483e-13,
        -1.45930349232750088e-14,
        2.87785155835636484e-16,
    ),
}
# (a + 1) exp(a^2) erfc(a) in (a - 1) / (a + 1) for 0 <= a <= 10.1 and 27.3: relative error 9e-9, 2e-17.
ERFC = {
    4: (
        8.551671505e-01,
        -2.376808524e-01,
        -9.555635601e-02,
        1.390679181e-02,
        2.539510839e-02,
        9.566662833e-03,
        -1.220815117e-03,
        -3.755334532e-03,
        -2.358941128e-03,
        -3.588002583e-04,
        5.883468548e-04,
        4.225888115e-04,
        8.656025602e-05,
    ),
    8: (
        8.55167152311613998e-01,
        -2.37680906823980354e-01,
        -9.55564749843031275e-02,
        1.39089447694188198e-02,
        2.53973282650144828e-02,
        9.54450843351637920e-03,
        -1.24122247829670036e-03,
        -3.66286933349217660e-03,
        -2.26349908263545358e-03,
        -5.26168237121311879e-04,
        3.65663750356303254e-04,
        5.07361411829174505e-04,
        3.14963817355335513e-04,
        9.28583811618123833e-05,
        -3.82584679128099441e-05,
        -7.56966515984188186e-05,
        -5.93173148924130292e-05,
        -2.85159094227251861e-05,
        -5.52586020295785720e-06,
        7.79851314999509358e-06,
        1.54096328226950512e-05,
        1.10491932895229206e-05,
        -3.36712956542948754e-06,
        -5.10734894015997940e-06,
        7.53718873800691691e-06,
        6.30904485046351329e-06,
        -8.13653049599796672e-06,
        -8.38700558801385647e-06,
        2.46765756203493472e-06,
        4.54168733071197318e-06,
        2.53444589289127069e-07,
        -9.70862060419034089e-07,
        -1.82446915072930068e-07,
        4.25104889020959964e-08,
    ),
}


def exp(b: Builder, x: Value) -> Value:
    """exp(x) as 2^k exp(r). The power of two is applied in two factors, so that results near the ends of the range are
    right.

    Error at most 0.9 ulp in float32, 1.1 in float64.
    """
    low, high = (-104.5, 89.0) if b.width == 4 else (-745.8, 710.0)
    # Below `low` all is 0. Above `high` the polynomial of the remainder of x grows to inf by itself.
    x = bounded_below(b, x, low)
    shifted, k = nearest(b, b.smaller(x, number(b, high)), math.log2(math.e), 2 * BIAS[b.width] - lift(b))
    r = without_multiple_of_ln2(b, x, k)
    one = number(b, 2.0 ** lift(b))
    result = b.multiply_add(b.multiply_add(polynomial(b, r, lifted(b, EXP[b.width])), r, one), r, one)
    return down_to_zero(b, result, shifted, k)


def expm1(b: Builder, x: Value) -> Value:
    """exp(x) - 1 as 2^k (exp(r) - 1) + (2^k - 1).

    Error at most 1.4 ulp in float32, 2.1 in float64.
    """
    low, high = (-18.0, 89.0) if b.width == 4 else (-39.0, 710.0)
    bounded = at_least(b, x, low)
    shifted, k = nearest(b, b.smaller(bounded, number(b, high)), math.log2(math.e), BIAS[b.width] - 1)
    part = exp_minus_one(b, without_multiple_of_ln2(b, bounded, k))
    half = power_of_two(b, shifted)  # half the power of two, as the whole one may be too large
    result = b.multiply_add(half, part, b.subtract(half, number(b, 0.5)))
    # Tiny numbers are their own result, be it -0 or half of it no number.
    return b.select(b.compare(part, x, EQUAL), x, b.add(result, result))


def exp_minus_one(b: Builder, r: Value) -> Value:
    """exp(r) - 1 for |r| <= log(2) / 2."""
    return b.multiply_add(b.multiply(r, r), polynomial(b, r, EXPM1[b.width]), r)


def half_of_one_minus_exp(b: Builder, x: Value) -> Value:
    """(1 - exp(-2 x)) / 2 for x from 0 to 20."""
    shifted, k = nearest(b, x, -2 * math.log2(math.e), BIAS[b.width])
    half_r = b.multiply_add(k, number(b, LN2[b.width][0] / 2), x)
    if b.width == 8:  # in float32 the rounding of log(2) does not matter: for larger k less comes off the 1
        half_r = b.multiply_add(k, number(b, LN2[b.width][1] / 2), half_r)
    coefficients = [c * 2.0 ** (1 + at) for at, c in enumerate(alternating(EXPM1[b.width], -1))]
    half_part = b.multiply_add(b.multiply(half_r, half_r), polynomial(b, half_r, coefficients), half_r)
    power, half = power_of_two(b, shifted), number(b, 0.5)
    return b.multiply_add(power, half_part, b.negative_multiply_add(power, half, half))


def _one_minus_exp_near_0(b: Builder, r: Value) -> Value:
    """1 - exp(-r) for |r| <= log(2) / 2."""
    return b.multiply_add(b.multiply(r, r), polynomial(b, r, alternating(EXPM1[b.width], -1)), r)


def sigmoid(b: Builder, x: Value) -> Value:
    """1 / (1 + exp(-x)) as 2^k / (2^k + exp(-r)) for x = k log(2) + r. It does not overflow, and loses no small
    results.

    Error at most 2.3 ulp in float32, 2.1 in float64.
    """
    # At `low` the exponent of `power_of_two` is 0, and so is the power. Any smaller power has no exponent of its own.
    low, high, less = (-104.6, 20.0, 24) if b.width == 4 else (-745.8, 40.0, 53)
    bounded = at_most(b, at_least(b, x, low), high)
    shifted, k = nearest(b, bounded, math.log2(math.e), BIAS[b.width] + less)
    r = without_multiple_of_ln2(b, bounded, k)
    one = number(b, 1.0)
    tail = polynomial(b, r, alternating(EXP[b.width]))
    inverse = b.negative_multiply_add(b.negative_multiply_add(tail, r, one), r, one)
    power = b.multiply(power_of_two(b, shifted), number(b, 0.5**less))
    return b.divide(power, b.add(power, inverse))


def erf(b: Builder, x: Value) -> Value:
    """erf|x| = 1 - (1 - u)^2n for a polynomial u of |x|. Squares are taken step by step: 1 - (1 - u)^2 is 2 u - u^2.

    What the steps take off is added up by itself, and taken off n u at once, as roundings of steps count for small x.
    The last step makes the errors of large x small.

    Error at most 1.7 ulp in float32, 1.7 in float64.
    """
    size = at_most(b, absolute(b, x), 3.95 if b.width == 4 else 5.93)
    (first, *others), steps = ERF[b.width], 2 if b.width == 4 else 3
    lead, rest = number(b, first), b.multiply(size, polynomial(b, size, others))
    u = b.multiply(b.multiply_add(size, lead, rest), number(b, 0.5**steps))
    less = b.multiply(u, u)
    u = b.subtract(b.add(u, u), less)
    for step in range(1, steps):
        less = b.multiply_add(u, u, b.add(less, less))
        if step < steps - 1:
            u = b.negative_multiply_add(u, u, b.add(u, u))
    u = b.multiply_add(size, lead, b.subtract(rest, less))
    return with_sign(b, b.negative_multiply_add(u, u, b.add(u, u)), x)


def erfc(b: Builder, x: Value) -> Value:
    """exp(-a^2) P / (a + 1) for a = |x|, P a polynomial of (a - 1) / (a + 1); 2 minus that for negative x.

    Error at most 3.0 ulp in float32, 4.3 in float64.
    """
    size = at_most(b, absolute(b, x), 10.24 if b.width == 4 else 27.312)  # from there on all is 0
    one = number(b, 1.0)
    total = b.add(size, one)
    lost = b.subtract(size, b.subtract(total, one))
    inverse = b.divide(one, total)
    factor = polynomial(b, b.multiply(b.subtract(size, one), inverse), lifted(b, ERFC[b.width]))
    missing = b.negative_multiply_add(inverse, lost, b.negative_multiply_add(inverse, total, one))
    factor = b.multiply(factor, inverse)
    # The square in two parts, as exp magnifies its rounding.
    square = b.multiply(size, size)
    excess = b.negative_multiply_add(size, size, square)
    shifted, k = nearest(b, square, -math.log2(math.e), 2 * BIAS[b.width] - lift(b))
    minus_r = b.multiply_add(k, number(b, LN2[b.width][0]), square)
    minus_r = b.multiply_add(k, number(b, LN2[b.width][1]), b.subtract(minus_r, excess))
    # Times exp(r) (1 + missing), with few roundings.
    less = b.subtract(_one_minus_exp_near_0(b, minus_r), missing)
    result = down_to_zero(b, b.negative_multiply_add(factor, less, factor), shifted, k)
    return b.select(b.compare(x, number(b, 0.0), LESS), b.subtract(number(b, 2.0), result), result)


def log(b: Builder, x: Value) -> Value:
    """log(x) as k log(2) + log(1 + f) for x = 2^k (1 + f), 1 + f between the roots of 1/2 and of 2.

    Error at most 0.9 ulp in float32, 1.2 in float64.
    """
    f, k = fraction_and_exponent(b, x)
    return of_positive(b, x, plus_multiple_of_ln2(b, log_of_one_plus(b, f), k))


LOG2_E = {4: (1.4426950216293335, 1.925963033500011e-08), 8: (1.4426950408889634, 2.0355273740931033e-17)}
LOG10_2 = {4: (0.3010300099849701, -1.432098883924482e-08), 8: (0.3010299956639812, -2.8037281277851704e-18)}


def log2(b: Builder, x: Value) -> Value:
    """log2(x) as k + log2(e) log(1 + f), exact for powers of two.

    Error at most 1.5 ulp in float32, 1.4 in float64.
    """
    f, k = fraction_and_exponent(b, x)
    high, low = LOG2_E[b.width]
    logarithm = log_of_one_plus(b, f)
    return of_positive(b, x, b.multiply_add(logarithm, number(b, high), b.multiply_add(logarithm, number(b, low), k)))


def log10(b: Builder, x: Value) -> Value:
    """log10(x) as k log10(2) + log10(e) log(1 + f).

    Error at most 1.9 ulp in float32, 1.7 in float64.
    """
    f, k = fraction_and_exponent(b, x)
    high, low = LOG10_2[b.width]
    part = b.multiply_add(k, number(b, low), b.multiply(log_of_one_plus(b, f), number(b, math.log10(math.e))))
    return of_positive(b, x, b.multiply_add(k, number(b, high), part))


def log1p(b: Builder, x: Value) -> Value:
    """log(1 + x). Its f is computed from x itself with one rounding; log(1 + x) would compute it from 1 + x.

    Error at most 1.5 ulp in float32, 1.8 in float64.
    """
    return with_sign(b, log_of_sum(b, x), x)


def log_of_sum(b: Builder, x: Value, low: Value | None = None) -> Value:
    """log(1 + x + low)."""
    whole = b.add(x, number(b, 1.0))
    parts = exponent_parts(b, whole)
    k = exponent_as_float(b, parts)
    # 4 * 2^-k, which has all its digits for every k, unlike 2^-k.
    exponent = b.bit_and(parts, b.bits((2 * BIAS[b.width] + 1) << MANTISSA[b.width], b.integer))
    most = b.bits((2 * BIAS[b.width] + 2) << MANTISSA[b.width], b.integer)
    scale = b.seen_as(b.subtract(most, exponent), b.float)
    four = b.multiply_add(x, scale, b.subtract(scale, number(b, 4.0)))
    if low is not None:
        four = b.multiply_add(low, scale, four)
    f = b.multiply(four, number(b, 0.25))
    return of_positive(b, whole, plus_multiple_of_ln2(b, log_of_one_plus(b, f), k))


ROOT_HALF = {4: 0x3F3504F3, 8: 0x3FE6A09E667F3BCD}  # bits of sqrt(1/2)


def exponent_parts(b: Builder, x: Value) -> Value:
    """The bits of a positive x, shifted so that the exponent bits hold k, with its bias, and the others 1 + f."""
    one = BIAS[b.width] << MANTISSA[b.width]
    return b.add(b.seen_as(x, b.integer), b.bits(one - ROOT_HALF[b.width], b.integer))


def exponent_as_float(b: Builder, parts: Value, less: Value | None = None) -> Value:
    """k of `exponent_parts`."""
    fraction, bias = MANTISSA[b.width], BIAS[b.width]
    exponent = b.shift_right(parts, fraction)
    # As the last bits of a float of this size, it stands for itself.
    large = b.bit_or(exponent, b.seen_as(number(b, 2.0**fraction), b.integer), b.float)
    return b.subtract(large, number(b, 2.0**fraction + bias) if less is None else less)


def fraction_and_exponent(b: Builder, x: Value) -> tuple[Value, Value]:
    """f and k with x = 2^k (1 + f), for positive x."""
    fraction, bias = MANTISSA[b.width], BIAS[b.width]
    small = b.compare(x, number(b, TINY[b.width]), LESS)
    x = b.select(small, b.multiply(x, number(b, 2.0 ** (fraction + 2))), x)
    parts = exponent_parts(b, x)
    less = b.select(small, number(b, 2.0**fraction + bias + fraction + 2), number(b, 2.0**fraction + bias))
    k = exponent_as_float(b, parts, less)
    mantissa = b.bit_and(parts, b.bits((1 << fraction) - 1, b.integer))
    mantissa = b.add(mantissa, b.bits(ROOT_HALF[b.width], b.integer))
    return b.subtract(b.seen_as(mantissa, b.float), number(b, 1.0)), k


def log_of_one_plus(b: Builder, f: Value) -> Value:
    """log(1 + f) for 1 + f between the roots of 1/2 and of 2."""
    if b.width == 4:
        return b.multiply_add(b.multiply(f, f), polynomial(b, f, LOG[4]), f)
    s = b.divide(f, b.add(f, number(b, 2.0)))
    square = b.multiply(s, s)
    # 2 s + s^3 R, with f - s f for 2 s: the subtrahend is small, and so is its error.
    return b.negative_multiply_add(s, b.negative_multiply_add(square, polynomial(b, square, LOG[8]), f), f)


def plus_multiple_of_ln2(b: Builder, x: Value, k: Value) -> Value:
    """x + k log(2). In float32 the rounding error of log(2) does not matter."""
    high, low = LN2[b.width]
    if b.width == 8:
        x = b.multiply_add(k, number(b, low), x)
    return b.multiply_add(k, number(b, high), x)


def of_positive(b: Builder, x: Value, logarithm: Value) -> Value:
    """A logarithm of x for all x, from its value for positive, finite x."""
    zero = number(b, 0.0)
    other = b.bit_or(b.compare(x, zero, NOT_EQUAL), number(b, -math.inf), b.float)  # all bits set is a nan
    result = b.select(b.compare(x, zero, LESS_EQUAL), other, logarithm)
    return b.select(b.compare(x, number(b, math.inf), LESS), result, x)
