"""Building blocks for elementary functions: constants, polynomials, signs, bounds, powers of two."""

from __future__ import annotations

from collections.abc import Sequence

from .builder import NOT_LESS, Builder, Value

LN2 = {4: (0.693147182464599609375, -1.904654299957767878e-9), 8: (0.6931471805599453094, 2.3190468138462995584e-17)}
"""log(2): rounded, and what that lacks."""

MANTISSA = {4: 23, 8: 52}  # bits of a fraction
BIAS = {4: 127, 8: 1023}  # of exponents
SPLIT = 8  # from this number of coefficients on
TINY = {4: 2.0**-126, 8: 2.0**-1022}  # the smallest number with all its digits
LEAST = {4: -150.0, 8: -1075.0}  # the least exponents with results other than 0: below 2 times a smaller power all is 0
LIFT = {4: 102, 8: 969}  # the exponent of two by which AVX2 raises factors, so that none of them is denormal


def number(b: Builder, value: float) -> Value:
    """A float of the kernel's width in every lane."""
    return b.constant(value, b.float)


def polynomial(b: Builder, x: Value, coefficients: Sequence[float]) -> Value:
    """The value of a polynomial at x, lowest power first (W. G. Horner). A long one is evaluated as even and odd
    powers, in parallel.

    One chain of dependent products would take longer than the processor can look ahead.
    """
    if len(coefficients) >= SPLIT:
        square = b.multiply(x, x)
        odd, even = (polynomial(b, square, coefficients[start::2]) for start in (1, 0))
        return b.multiply_add(odd, x, even)
    result = number(b, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        result = b.multiply_add(result, x, number(b, coefficient))
    return result


def absolute(b: Builder, x: Value) -> Value:
    """|x|."""
    return b.bit_and(x, b.bits((1 << (8 * b.width - 1)) - 1, b.float))


def with_sign(b: Builder, magnitude: Value, x: Value) -> Value:
    """A number that is not negative, or nan, with the sign of x."""
    return b.bit_or(magnitude, b.bit_and(x, number(b, -0.0)))


def at_least(b: Builder, x: Value, bound: float) -> Value:
    """The larger of x and a number; nan of nan."""
    return b.larger(number(b, bound), x)


def at_most(b: Builder, x: Value, bound: float) -> Value:
    """The smaller of x and a number; nan of nan."""
    return b.smaller(number(b, bound), x)


def nearest(b: Builder, x: Value, factor: float, bias: int) -> tuple[Value, Value]:
    """k = x * factor rounded to an integer: in an integer's low bits with `bias` added, and as a float.

    This adds a number so large that the last bit of its fraction stands for 1.
    """
    large = number(b, 1.5 * 2.0 ** MANTISSA[b.width] + bias)
    shifted = b.add(x, large) if factor == 1 else b.multiply_add(x, number(b, factor), large)
    return b.seen_as(shifted, b.integer), b.subtract(shifted, large)


def power_of_two(b: Builder, exponent: Value) -> Value:
    """2 to the power of an exponent, given with its bias in an integer's low bits."""
    return b.seen_as(b.shift_left(exponent, MANTISSA[b.width]), b.float)


def lift(b: Builder) -> int:
    """The exponent of the power of two by which `down_to_zero` wants x multiplied. `exponent` is lower by as much."""
    return 0 if b.wide else LIFT[b.width]


def lifted(b: Builder, coefficients: Sequence[float]) -> tuple[float, ...]:
    """The coefficients of a polynomial for `down_to_zero`."""
    return tuple(coefficient * 2.0 ** lift(b) for coefficient in coefficients)


def bounded_below(b: Builder, x: Value, bound: float) -> Value:
    """x for `down_to_zero`; in AVX2 not less than a number, whose result is 0."""
    return x if b.wide else at_least(b, x, bound)


def down_to_zero(b: Builder, x: Value, exponent: Value, k: Value) -> Value:
    """x, a number between 1/2 and 2, times 2 to the power of an integer k in a float; 0 for k below `LEAST`.

    Many processors take a hundred cycles for an instruction whose result is too small for its digits, even if it is
    rounded to 0 then. So nothing is computed where that is 0: AVX-512 leaves out these lanes. In AVX2 x is lifted, and
    exponents are as much lower. Half of an exponent of 0 or 1 is 0, and so are the bits of the first factor then.
    Exponents may not be negative.
    """
    if b.wide:
        kept = b.compare(k, number(b, LEAST[b.width]), NOT_LESS)
        return b.emit(f"scale_some.{x.dtype}", x.dtype, x, k, kept)
    return times_power_of_two(b, x, exponent, k)


def times_power_of_two(b: Builder, x: Value, exponent: Value, k: Value, less: float = 0.0) -> Value:
    """x times 2 to the power of k - less, for an integer k in a float; `exponent` has k - less, with twice the bias, in
    an integer's low bits.

    AVX-512 has an instruction for it. AVX2 multiplies by two factors, so that results near the ends of the range are
    right: the first product has all its digits.
    """
    if b.wide:
        return b.emit(f"scale.{x.dtype}", x.dtype, x, b.subtract(k, number(b, less)) if less else k)
    fraction = MANTISSA[b.width]
    # Moved one bit less than to the exponent's place, the number is halved there.
    exponent_bits = b.bits((2 * BIAS[b.width] + 1) << fraction, b.integer)
    first = b.bit_and(b.shift_left(exponent, fraction - 1), exponent_bits)
    second = b.subtract(b.shift_left(exponent, fraction), first)
    return b.multiply(b.multiply(x, b.seen_as(first, b.float)), b.seen_as(second, b.float))


def without_multiple_of_ln2(b: Builder, x: Value, k: Value) -> Value:
    """x - k * log(2)."""
    high, low = LN2[b.width]
    rest = b.negative_multiply_add(k, number(b, high), x)
    return b.negative_multiply_add(k, number(b, low), rest)


def alternating(coefficients: Sequence[float], first: int = 1) -> tuple[float, ...]:
    """The coefficients of the polynomial in -x, times 1 or -1."""
    return tuple(c * first * (-1) ** power for power, c in enumerate(coefficients))
