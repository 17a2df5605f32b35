"""64-bit integers as float64 and back, their products, and their quotients by way of float64.

A quotient of float64 is off by a few of its last bits, that is, by less than 2**12. The rest that it leaves is exact
modulo 2**64; the quotient of that rest, added, is off by no more than its rounding. With AVX-512 conversions and
products are single instructions. AVX2 takes numbers apart into halves of 32 bits.
"""

from __future__ import annotations

from . import builder
from .builder import Builder, Value

WORD = (1 << 32) - 1
MAGIC = 3 << 51
"""Added to a float64 it leaves an integer of 51 bits and its sign in the low bits."""
LARGE = 1 << 16
"""Quotients by numbers at least as large are exact but for their rounding at once."""


def product(b: Builder, x: Value, y: Value) -> Value:
    """x * y. AVX2 multiplies by halves."""
    if b.wide:
        return b.multiply(x, y)
    low = b.emit("low_product", "int64", x, y)
    crossed = b.add(
        b.emit("low_product", "int64", b.shift_right(x, 32), y), b.emit("low_product", "int64", x, b.shift_right(y, 32))
    )
    return b.add(low, b.shift_left(crossed, 32))


def sign(b: Builder, x: Value) -> Value:
    """-1 for negative numbers, else 0."""
    if b.wide:
        return b.shift_signed(x, 63)
    return b.seen_as(b.greater(b.constant(0, "int64"), x), "int64")


def as_float(b: Builder, x: Value) -> Value:
    """The nearest float64."""
    if b.wide:
        return b.emit("float_of_long", "float64", x)
    offset = 2.0**84 + 2.0**63  # with the bit of 2^63, where the upper half of x has its sign
    return _float_of_halves(b, b.bit_xor(b.shift_right(x, 32), _bits_of(b, offset), "float64"), x, offset)


def unsigned_as_float(b: Builder, x: Value) -> Value:
    """The nearest float64 of unsigned integers."""
    if b.wide:
        return b.emit("float_of_unsigned_long", "float64", x)
    x = b.seen_as(x, "int64")
    return _float_of_halves(b, b.bit_or(b.shift_right(x, 32), _bits_of(b, 2.0**84), "float64"), x, 2.0**84)


def _float_of_halves(b: Builder, upper: Value, x: Value, offset: float) -> Value:
    """The sum of the upper half, to which an offset has been added, and of 2**52 + the lower half, without offsets.
    Both are exact, and only their sum is rounded."""
    lower = b.bit_or(b.bit_and(x, b.constant(WORD, "int64")), _bits_of(b, 2.0**52), "float64")
    return b.add(b.subtract(upper, b.constant(offset + 2.0**52, "float64")), lower)


def nearest(b: Builder, x: Value) -> Value:
    """The nearest integer. It is arbitrary where there is none of 64 bits."""
    if b.wide:
        return b.emit("nearest_long", "int64", x)
    upper = b.round(b.multiply(x, b.constant(2.0**-32, "float64")), builder.NEAREST)
    lower = b.negative_multiply_add(upper, b.constant(2.0**32, "float64"), x)
    return b.add(b.shift_left(_low_bits(b, upper), 32), _small(b, lower))


def truncated(b: Builder, x: Value) -> Value:
    """The integer part; the smallest integer where there is none of 64 bits, as NumPy has it."""
    if b.wide:
        return b.emit("truncated_long", "int64", x)
    whole = nearest(b, b.round(x, builder.TOWARDS_ZERO))
    size = b.bit_and_not(b.constant(-0.0, "float64"), x)
    inside = b.compare(size, b.constant(2.0**63, "float64"), builder.LESS)
    return b.select(inside, whole, b.constant(-(1 << 63), "int64"))


def _small(b: Builder, x: Value) -> Value:
    """The nearest integer to numbers of up to 50 bits."""
    return b.subtract(_low_bits(b, x), _bits_of(b, float(MAGIC)))


def _low_bits(b: Builder, x: Value) -> Value:
    """The nearest integer to numbers of up to 50 bits, in the low bits."""
    return b.seen_as(b.add(x, b.constant(float(MAGIC), "float64")), "int64")


def _bits_of(b: Builder, number: float) -> Value:
    return b.seen_as(b.constant(number, "float64"), "int64")


def quotient_by_number(b: Builder, x: Value, number: int) -> tuple[Value, Value]:
    """The quotient by a positive number of at least `LARGE`, rounded down, and its rest."""
    divisor = b.constant(number, "int64")
    quotient = nearest(b, b.multiply(as_float(b, x), b.constant(1 / number, "float64")))
    rest = b.subtract(x, product(b, quotient, divisor))
    below = sign(b, rest)
    return b.add(quotient, below), b.add(rest, b.bit_and(below, divisor))


def quotient(b: Builder, x: Value, y: Value) -> Value:
    """The quotient by an array, rounded down; 0 for a divisor 0."""
    found, rest = _nearest_quotient(b, x, y)
    return b.bit_and_not(b.equal(y, b.constant(0, "int64")), b.add(found, _differs(b, rest, y)))


def rest_of_quotient(b: Builder, x: Value, y: Value, way: int) -> Value:
    """The rest of a quotient by an array that is rounded `DOWN` or `TOWARDS_ZERO`; 0 for a divisor 0."""
    _, rest = _nearest_quotient(b, x, y)
    if way == builder.DOWN:
        rest = b.add(rest, b.bit_and(_differs(b, rest, y), y))
    else:
        alike = b.bit_xor(sign(b, b.bit_xor(rest, y)), b.constant(-1, "int64"))
        opposed = b.subtract(b.bit_xor(y, alike), alike)  # y with the sign that the rest has not
        rest = b.add(rest, b.bit_and(_differs(b, rest, x), opposed))
    return b.bit_and_not(b.equal(y, b.constant(0, "int64")), rest)


def _nearest_quotient(b: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    """A quotient by an array, and its rest, whose magnitude is at most about half of the divisor's."""
    inverse = b.divide(b.constant(1.0, "float64"), as_float(b, y))
    first = nearest(b, b.multiply(as_float(b, x), inverse))
    rest = b.subtract(x, product(b, first, y))
    scaled = b.multiply(as_float(b, rest), inverse)
    second = nearest(b, scaled) if b.wide else _small(b, scaled)
    return b.add(first, second), b.subtract(rest, product(b, second, y))


def _differs(b: Builder, rest: Value, other: Value) -> Value:
    """-1 where a rest is not zero and has another sign, else 0."""
    none = b.equal(rest, b.constant(0, "int64"))
    return b.bit_and_not(none, sign(b, b.bit_xor(rest, other)))
