"""Sines, cosines, tangents and their inverses as vector instructions, in float32 and float64.

The polynomials are minimax fits made for this package (E. Y. Remez, 1934), lowest power first; a comment names each
function. An argument is reduced to x = k pi/2 + r with pi/2 in three parts (W. J. Cody and W. Waite, Software Manual
for the Elementary Functions, 1980). Products are added without rounding, so no digits are lost up to `LARGEST`. Errors
are in units of the last place.
"""

from __future__ import annotations

import math

from .builder import EQUAL, LESS, UNORDERED, Builder, Value
from .parts import absolute, at_least, at_most, nearest, number, polynomial, with_sign

LARGEST = {4: 2.0**20, 8: 2.0**45}
"""Up to which size of x sin, cos and tan are right."""

HALF_PI = {
    4: (1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15),
    8: (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33),
}
"""pi/2: rounded, and what that lacks."""

# (sin(r) - r) / r^3 in r^2 for |r| <= 0.79: relative error of sin(r) 5e-9, 4e-18.
SIN = {
    4: (
        -1.666665375e-01,
        8.332095109e-03,
        -1.950553997e-04,
    ),
    8: (
        -1.66666666666666297e-01,
        8.33333333332184067e-03,
        -1.98412698293605363e-04,
        2.75573135400061003e-06,
        -2.50507347415486902e-08,
        1.58954599902647689e-10,
    ),
}
# (cos(r) - 1) / r^2 in r^2 for the same r: relative error of cos(r) 2e-10, 6e-17.
COS = {
    4: (
        -5.000000000e-01,
        4.166664183e-02,
        -1.388713019e-03,
        2.441208744e-05,
    ),
    8: (
        -5.00000000000000000e-01,
        4.16666666666665741e-02,
        -1.38888888888697684e-03,
        2.48015872867802678e-05,
        -2.75573135767537068e-07,
        2.08756184997279728e-09,
        -1.13542557594158188e-11,
    ),
}
# (tan(r) - r) / r^3 in r^2 for the same r: relative error of tan(r) 1.5e-9, 1.5e-17.
TAN = {
    4: (
        3.333335221e-01,
        1.333257705e-01,
        5.406959727e-02,
        2.123280428e-02,
        1.096266136e-02,
        -7.038696640e-05,
        4.454969894e-03,
    ),
    8: (
        3.33333333333326653e-01,
        1.33333333334300502e-01,
        5.39682539194413918e-02,
        2.18694897787838384e-02,
        8.86321681291855554e-03,
        3.59230999957188633e-03,
        1.45463228600164899e-03,
        5.95588874800925903e-04,
        2.20844882392682754e-04,
        1.39671218477165353e-04,
        -3.08029464173591695e-05,
        9.34994054728286058e-05,
        -4.70561244218568826e-05,
        2.13864250167983447e-05,
    ),
}
# (asin(s) - s) / s^3 in s^2 for |s| <= 0.55: relative error of asin(s) 1.4e-9, 2e-17.
ASIN = {
    4: (
        1.666664034e-01,
        7.501627505e-02,
        4.431128129e-02,
        3.343817219e-02,
        8.603200316e-03,
        4.525522888e-02,
    ),
    8: (
        1.66666666666684143e-01,
        7.49999999955185959e-02,
        4.46428575440732736e-02,
        3.03819263865409937e-02,
        2.23726371806621388e-02,
        1.73446619473081841e-02,
        1.40571021597190801e-02,
        1.08275904393013277e-02,
        1.37126728692097462e-02,
        -6.44574597873424308e-03,
        4.43757245711470655e-02,
        -5.04835042007504564e-02,
        4.96057821072724489e-02,
    ),
}
# (atan(q) - q) / q^3 in q^2 for |q| <= 1: relative error of atan(q) 3e-9, 4e-17.
ATAN = {
    4: (
        -3.333329856e-01,
        1.999852955e-01,
        -1.426403970e-01,
        1.095115840e-01,
        -8.400566876e-02,
        5.791019648e-02,
        -3.113234229e-02,
        1.089095697e-02,
        -1.788478461e-03,
    ),
    8: (
        -3.33333333333318660e-01,
        1.99999999997557604e-01,
        -1.42857142712772001e-01,
        1.11111106746768662e-01,
        -9.09090113494838842e-02,
        7.69221155454185984e-02,
        -6.66584823439562019e-02,
        5.87723371524415117e-02,
        -5.23890592577730407e-02,
        4.67287639320363782e-02,
        -4.08997996091921695e-02,
        3.40177235445690909e-02,
        -2.57549799706443816e-02,
        1.69002579214430938e-02,
        -9.12201933061301991e-03,
        3.81979712166160418e-03,
        -1.14984352544085272e-03,
        2.19617223231586666e-04,
        -1.98843544855953453e-05,
    ),
}


def sin(b: Builder, x: Value) -> Value:
    """sin(x) as sin(r), cos(r), -sin(r) or -cos(r).

    Error at most 1.6 ulp in float32, 1.5 in float64.
    """
    # Of -0 the sum within makes 0.
    return b.select(b.compare(x, number(b, 0.0), EQUAL), x, _sine(b, x, 0))


def cos(b: Builder, x: Value) -> Value:
    """cos(x) as sin(x + pi/2).

    Error at most 1.5 ulp in float32, 1.5 in float64.
    """
    return _sine(b, x, 1)


def _sine(b: Builder, x: Value, quarters: int) -> Value:
    """sin(x + quarters * pi/2)."""
    quadrant, r = reduced(b, x, quarters)
    square = b.multiply(r, r)
    sine = b.multiply_add(b.multiply(square, r), polynomial(b, square, SIN[b.width]), r)
    cosine = b.multiply_add(square, polynomial(b, square, COS[b.width]), number(b, 1.0))
    result = b.select(is_odd(b, quadrant), cosine, sine)
    sign = b.shift_left(b.bit_and(quadrant, b.constant(2, b.integer)), 8 * b.width - 2)
    return b.bit_xor(result, sign)


def tan(b: Builder, x: Value) -> Value:
    """tan(x) as tan(r) or -1 / tan(r).

    Error at most 2.1 ulp in float32, 2.4 in float64.
    """
    quadrant, r = reduced(b, x, 0)
    square = b.multiply(r, r)
    tail = b.multiply(b.multiply(square, r), polynomial(b, square, TAN[b.width]))
    tangent = b.add(r, tail)
    # A Newton step corrects the rounding errors of the sum and the quotient.
    lost = b.subtract(tail, b.subtract(tangent, r))
    inverse = b.divide(number(b, -1.0), tangent)
    missing = b.multiply_add(inverse, lost, b.multiply_add(inverse, tangent, number(b, 1.0)))
    result = b.select(is_odd(b, quadrant), b.multiply_add(inverse, missing, inverse), tangent)
    return b.select(b.compare(x, number(b, 0.0), EQUAL), x, result)


def reduced(b: Builder, x: Value, quarters: int) -> tuple[Value, Value]:
    """k with `quarters` added, in an integer's low bits, and r, where x = k pi/2 + r with |r| <= pi/4."""
    quadrant, k = nearest(b, x, 2 / math.pi, quarters)
    for part in HALF_PI[b.width]:
        x = b.negative_multiply_add(k, number(b, part), x)
    return quadrant, x


def is_odd(b: Builder, x: Value) -> Value:
    """Whether an integer is odd."""
    one = b.constant(1, b.integer)
    return b.equal(b.bit_and(x, one), one)


def asin(b: Builder, x: Value) -> Value:
    """asin|x| for small x, else pi/2 - 2 asin(sqrt((1 - |x|) / 2)).

    Error at most 1.4 ulp in float32, 1.7 in float64.
    """
    large, angle = _small_angle(b, x)
    return with_sign(b, b.select(large, _less_from(b, b.add(angle, angle), 1), angle), x)


def acos(b: Builder, x: Value) -> Value:
    """pi/2 - asin(x) for small x; for others 2 asin(sqrt((1 - |x|) / 2)), or pi minus that.

    Error at most 1.1 ulp in float32, 1.3 in float64.
    """
    large, angle = _small_angle(b, x)
    negative = b.bit_and(x, number(b, -0.0))
    double = b.add(angle, angle)
    far = b.select(b.compare(x, number(b, 0.0), LESS), _less_from(b, double, 2), double)
    return b.select(large, far, _less_from(b, b.bit_or(angle, negative), 1))


def _small_angle(b: Builder, x: Value) -> tuple[Value, Value]:
    """Whether |x| is large; asin|x| if it is not, else asin(sqrt((1 - |x|) / 2))."""
    size = absolute(b, x)
    # From here on twice the second angle is below 1, where numbers are as dense as those of the result.
    large = b.compare(number(b, 0.55), size, LESS)
    rest = b.negative_multiply_add(size, number(b, 0.5), number(b, 0.5))
    square = b.select(large, rest, b.multiply(size, size))
    s = b.select(large, b.sqrt(rest), size)
    return large, b.multiply_add(b.multiply(square, s), polynomial(b, square, ASIN[b.width]), s)


def _less_from(b: Builder, angle: Value, quarters: int) -> Value:
    """quarters * pi/2 - angle."""
    high, low, _ = HALF_PI[b.width]
    return b.subtract(number(b, high * quarters), b.subtract(angle, number(b, low * quarters)))


def atan(b: Builder, x: Value) -> Value:
    """atan|x|, or pi/2 - atan(1 / |x|).

    Error at most 1.7 ulp in float32, 2.7 in float64.
    """
    size = absolute(b, x)
    quotient = b.divide(at_most(b, size, 1.0), at_least(b, size, 1.0))
    angle = _angle(b, quotient)
    beyond = b.compare(number(b, 1.0), size, LESS)
    return with_sign(b, b.select(beyond, _less_from(b, angle, 1), angle), x)


def _angle(b: Builder, quotient: Value) -> Value:
    """atan of a number from 0 to 1."""
    square = b.multiply(quotient, quotient)
    return b.multiply_add(b.multiply(square, quotient), polynomial(b, square, ATAN[b.width]), quotient)


def atan2(b: Builder, y: Value, x: Value) -> Value:
    """The angle of the point (x, y), from atan of the smaller by the larger of |x| and |y|.

    Error at most 2.0 ulp in float32, 2.8 in float64.
    """
    across, up = absolute(b, x), absolute(b, y)
    smaller, larger = b.smaller(across, up), b.larger(across, up)
    # Something to divide by, if both are 0; and 1 where both are infinite.
    quotient = b.divide(smaller, b.larger(larger, b.bits(1, b.float)))
    quotient = b.select(b.compare(smaller, number(b, math.inf), EQUAL), number(b, 1.0), quotient)
    angle = _angle(b, quotient)
    angle = b.select(b.compare(across, up, LESS), _less_from(b, angle, 1), angle)
    left = b.greater(b.constant(0, b.integer), b.seen_as(x, b.integer))  # x < 0 or -0
    angle = b.select(left, _less_from(b, angle, 2), angle)
    return b.bit_or(with_sign(b, angle, y), b.compare(x, y, UNORDERED))
