"""Shifts, and divisions of integers: by constants as multiplications, by arrays as divisions of float64.

Quotients are exact for all integers. Division by zero gives 0, as NumPy's; the quotient of the smallest integer by -1,
which has no place, is that integer.
"""

from __future__ import annotations

from . import builder, long_integers
from .builder import Builder, Unsupported, Value
from .long_integers import MAGIC, WORD


def floor_divide(b: Builder, x: Value, y: Value) -> Value:
    """The quotient of integers, rounded down."""
    number = _divisor(b, x, y)
    if number is None:
        return long_integers.quotient(b, x, y) if b.width == 8 else _by_lanes(b, x, y, builder.DOWN)
    quotient, rest = _divided(b, x, number)
    if number >= 0:
        return quotient
    zero = b.constant(0, x.dtype)
    whole = b.seen_as(b.equal(rest, zero), x.dtype)
    return b.subtract(b.bit_xor(quotient, b.constant(-1, x.dtype)), whole)  # -quotient - 1, and 1 more


def remainder(b: Builder, x: Value, y: Value) -> Value:
    """The rest of the quotient rounded down; it has the sign of y."""
    number = _divisor(b, x, y)
    if number is None:
        return _rest(b, x, y, builder.DOWN)
    _, rest = _divided(b, x, number)
    return rest if number >= 0 else _moved(b, rest, None, number)


def fmod(b: Builder, x: Value, y: Value) -> Value:
    """The rest of the quotient rounded towards zero; it has the sign of x."""
    number = _divisor(b, x, y)
    if number is None:
        return _rest(b, x, y, builder.TOWARDS_ZERO)
    _, rest = _divided(b, x, number)
    return _moved(b, rest, b.greater(b.constant(0, x.dtype), x), -abs(number))


def _divisor(b: Builder, x: Value, y: Value) -> int | None:
    """The divisor, if it is a constant."""
    if not x.dtype.startswith("int"):
        raise Unsupported("integers are divided, not other numbers")
    return b.integer_of(y)


def _moved(b: Builder, rest: Value, where: Value | None, number: int) -> Value:
    """A rest, plus a number where it is not zero, and where a mask is set."""
    none = b.equal(rest, b.constant(0, rest.dtype))
    bits = 8 * b.width
    step = b.constant((number + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1), rest.dtype)
    if where is not None:
        step = b.bit_and(step, where, rest.dtype)
    return b.add(rest, b.bit_and_not(none, step, rest.dtype))


def _divided(b: Builder, x: Value, number: int) -> tuple[Value, Value]:
    """The quotient by the magnitude of a number, rounded down, and its rest."""
    size, bits = abs(number), 8 * b.width - 1
    if size == 0:
        return b.constant(0, x.dtype), b.constant(0, x.dtype)
    if size == 1:
        return x, b.constant(0, x.dtype)
    length = (size - 1).bit_length()
    if b.wide and b.width == 8 and size >= long_integers.LARGE and size & size - 1:
        return long_integers.quotient_by_number(b, x, size)
    sign = b.shift_signed(x, 31) if b.width == 4 else long_integers.sign(b, x)
    positive = b.bit_xor(x, sign)  # -1 - x for negative x, and back behind the division
    if size & size - 1 == 0:
        rest = b.bit_and(x, b.bits(size - 1, x.dtype))
        if b.width == 4 or b.wide:
            return b.shift_signed(x, length), rest
        return b.bit_xor(b.shift_right(positive, length), sign), rest
    # Granlund and Montgomery: exact for 0 <= x < 2**bits, as factor * size - 2**(bits + length) < 2**length.
    factor = -(-(1 << bits + length) // size)
    high = _high_32 if b.width == 4 else _high_64
    quotient = b.bit_xor(high(b, positive, factor, length - 1), sign)
    return quotient, b.subtract(x, _times(b, quotient, size))


def _high_32(b: Builder, x: Value, factor: int, shift: int) -> Value:
    """The high halves of products of 32 bits by 32 bits, shifted right."""
    wide, number = b.seen_as(x, "int64"), b.bits(factor, "int32")
    even = b.shift_right(b.emit("low_product", "int64", wide, number), 32 + shift)
    odd = b.emit("low_product", "int64", b.shift_right(wide, 32), number)
    if shift:
        odd = b.shift_right(odd, shift)
    return b.seen_as(b.bit_or(even, b.bit_and(odd, _pattern(b, WORD << 32))), "int32")


def _high_64(b: Builder, x: Value, factor: int, shift: int) -> Value:
    """The high halves of products of 64 bits by 64 bits, shifted right."""
    low, high = b.constant(factor & WORD, "int64"), b.constant(factor >> 32, "int64")
    upper, word = b.shift_right(x, 32), b.constant(WORD, "int64")
    first = b.shift_right(b.emit("low_product", "int64", x, low), 32)
    second = b.add(b.emit("low_product", "int64", upper, low), first)
    third = b.add(b.emit("low_product", "int64", x, high), b.bit_and(second, word))
    total = b.add(b.emit("low_product", "int64", upper, high), b.shift_right(second, 32))
    total = b.add(total, b.shift_right(third, 32))
    return b.shift_right(total, shift) if shift else total


def _times(b: Builder, x: Value, number: int) -> Value:
    """The low halves of products with a positive number."""
    if b.width == 4:
        return b.multiply(x, b.bits(number, "int32"))
    low = b.constant(number & WORD, "int64")
    crossed = b.emit("low_product", "int64", b.shift_right(x, 32), low)
    if number >> 32:
        crossed = b.add(crossed, b.emit("low_product", "int64", x, b.constant(number >> 32, "int64")))
    return b.add(b.emit("low_product", "int64", x, low), b.shift_left(crossed, 32))


def _pattern(b: Builder, bits: int) -> Value:
    """64 bits in every pair of lanes of 32, or in every lane of 64."""
    return b.constant(bits - (bits >> 63 << 64), "int64")


def _rest(b: Builder, x: Value, y: Value, way: int) -> Value:
    """The rest of a quotient by an array."""
    if b.width == 8:
        return long_integers.rest_of_quotient(b, x, y, way)
    rest = b.subtract(x, b.multiply(_by_lanes(b, x, y, way), y))
    return b.bit_and_not(b.equal(y, b.constant(0, "int32")), rest)


def _by_lanes(b: Builder, x: Value, y: Value, way: int) -> Value:
    """Quotients of 32-bit integers, as float64: the error is less than the distance of a fraction from an integer."""
    even, odd = (
        b.seen_as(b.add(b.round(b.divide(first, second), way), b.constant(float(MAGIC), "float64")), "int64")
        for first, second in zip(_as_floats(b, x), _as_floats(b, y), strict=True)
    )
    low = b.bit_and(even, _pattern(b, WORD))
    quotient = b.seen_as(b.bit_or(low, b.shift_left(odd, 32)), "int32")
    return b.bit_and_not(b.equal(y, b.constant(0, "int32")), quotient)


def _as_floats(b: Builder, x: Value) -> tuple[Value, Value]:
    """The even and the odd lanes of 32-bit integers as float64: the low bits of 2**52 + 2**31 + x."""
    moved = b.seen_as(b.bit_xor(x, b.constant(-(1 << 31), "int32")), "int64")
    above = b.seen_as(b.constant(float(1 << 52), "float64"), "int64")
    lanes = b.bit_and(moved, _pattern(b, WORD)), b.shift_right(moved, 32)
    offset = b.constant(float((1 << 52) + (1 << 31)), "float64")
    even, odd = (b.subtract(b.bit_or(lane, above, "float64"), offset) for lane in lanes)
    return even, odd


def left_shift(b: Builder, x: Value, y: Value) -> Value:
    """x * 2**y of integers; 0 for a y that is negative, or at least as large as the number of bits."""
    number = _count(b, x, y)
    if number is None:
        return b.emit(f"left_by_each.{x.dtype}", x.dtype, x, y)
    return b.shift_left(x, number) if number < 8 * b.width else b.constant(0, x.dtype)


def right_shift(b: Builder, x: Value, y: Value) -> Value:
    """x / 2**y of integers, rounded down; the sign for a y that is negative, or as large as the number of bits."""
    number = _count(b, x, y)
    if b.width < 8 or b.wide:
        if number is not None:
            return b.shift_signed(x, min(number, 8 * b.width - 1))
        return b.emit(f"signed_by_each.{x.dtype}", x.dtype, x, y)
    sign = long_integers.sign(b, x)
    positive = b.bit_xor(x, sign)
    if number is None:
        return b.bit_xor(b.emit("right_by_each.int64", "int64", positive, y), sign)
    return b.bit_xor(b.shift_right(positive, number), sign) if number < 64 else sign


def _count(b: Builder, x: Value, y: Value) -> int | None:
    """The number of bits of a shift, if it is a constant; the number of all bits for more, or for fewer than 0."""
    if not x.dtype.startswith("int"):
        raise Unsupported("integers are shifted, not other numbers")
    number = b.integer_of(y)
    return number if number is None or 0 <= number < 8 * b.width else 8 * b.width


def rotate_left(b: Builder, x: Value, y: Value) -> Value:
    """Integers rotated to the left by a constant number of bits: an idiom of AVX-512."""
    number = _count(b, x, y)
    if number is None or number >= 8 * b.width or not b.wide:
        raise Unsupported("bits are rotated by constants, with AVX-512")
    return b.emit(f"rotate_left.{x.dtype}", x.dtype, x, immediate=number)


def bit_count(b: Builder, x: Value) -> Value:
    """How many bits of integers are set: an idiom of AVX-512."""
    if not x.dtype.startswith("int") or not b.wide:
        raise Unsupported("bits of integers are counted with AVX-512")
    return b.emit(f"bit_count.{x.dtype}", x.dtype, x)


FUNCTIONS = {function.__name__: function for function in (left_shift, right_shift, rotate_left, bit_count)}
"""The functions of this module that kernels have as they are."""
