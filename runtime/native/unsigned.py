"""Functions of unsigned integers. Most are those of signed ones on the same bits; what depends on the sign is here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from . import builder, long_integers
from .builder import Builder, Unsupported, Value
from .language import CHOOSING

Function = Callable[..., Value]

SAME = frozenset(
    {
        "add", "subtract", "multiply", "negative", "equal", "not_equal", "select", "mask_bits", "copy", "overlay",
        "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "left_shift", "logical_and", "logical_or",
        "logical_xor", "logical_not", "rotate_left", "bit_count",
    }
)  # fmt: skip
"""Functions with the same bits for signed numbers."""
ORDERED = frozenset({"less", "less_equal", "greater", "greater_equal", "maximum", "minimum"})
"""Functions of the order of numbers. Where there is no instruction for unsigned ones, the order is that of signed
numbers after the highest bit is flipped."""
WHOLE = frozenset({"absolute", "floor", "ceil", "trunc", "round"})
"""Functions that leave unsigned integers alone."""


def is_unsigned(dtype: str | None) -> bool:
    """Whether this is a dtype of unsigned integers."""
    return dtype is not None and dtype.startswith("uint")


def function_of(name: str, signed: Mapping[str, Function]) -> Function:
    """The function for unsigned integers, from those for signed ones."""
    if name in OWN:
        return OWN[name]
    if name in WHOLE:
        return lambda b, x: x
    if name not in SAME | ORDERED:
        raise Unsupported(f"{name} is not for unsigned integers")

    def function(b: Builder, *values: Value) -> Value:
        if name in ORDERED and (b.wide or (b.width < 8 and name in CHOOSING)):
            return signed[name](b, *values)
        if name not in ORDERED:
            return _unsigned(b, signed[name](b, *[_signed(b, value) for value in values]))
        flipped = [_flipped(b, value) for value in values]
        return _unsigned(b, _flipped(b, signed[name](b, *flipped)))

    return function


def _signed(b: Builder, x: Value) -> Value:
    return b.seen_as(x, b.integer) if is_unsigned(x.dtype) else x


def _unsigned(b: Builder, x: Value) -> Value:
    return b.seen_as(x, f"u{x.dtype}") if x.dtype.startswith("int") else x


def _flipped(b: Builder, x: Value) -> Value:
    """A number whose highest bit is flipped, as a signed one; a bool as it is."""
    if x.dtype == "bool":
        return x
    return b.bit_xor(x, b.constant(-(1 << 8 * b.width - 1), b.integer), b.integer)


def right_shift(b: Builder, x: Value, y: Value) -> Value:
    """x / 2**y, rounded down; 0 for a y of at least the number of bits."""
    number = b.integer_of(y)
    if number is None:
        return b.emit(f"right_by_each.{b.integer}", x.dtype, x, y)
    shifted = b.shift_right(_signed(b, x), number) if number < 8 * b.width else b.constant(0, b.integer)
    return _unsigned(b, shifted)


def floor_divide(b: Builder, x: Value, y: Value) -> Value:
    """The quotient, rounded down; 0 for a divisor 0. Numbers of 32 bits are divided as float64."""
    if b.width == 8:
        raise Unsupported("unsigned integers of 64 bits are not divided")
    magic = b.constant(float(1 << 52), "float64")
    even, odd = (
        b.seen_as(b.add(b.round(b.divide(first, second), builder.DOWN), magic), "int64")
        for first, second in zip(_as_floats(b, x), _as_floats(b, y), strict=True)
    )
    low = b.bit_and(even, b.constant(long_integers.WORD, "int64"))
    quotient = b.bit_or(low, b.shift_left(odd, 32), x.dtype)
    return b.bit_and_not(b.equal(_signed(b, y), b.constant(0, "int32")), quotient)


def remainder(b: Builder, x: Value, y: Value) -> Value:
    """The rest of the quotient; 0 for a divisor 0."""
    quotient, divisor = (_signed(b, value) for value in (floor_divide(b, x, y), y))
    rest = b.subtract(_signed(b, x), b.multiply(quotient, divisor))
    return _unsigned(b, b.bit_and_not(b.equal(divisor, b.constant(0, "int32")), rest))


def _as_floats(b: Builder, x: Value) -> tuple[Value, Value]:
    """The even and the odd lanes of 32-bit integers as float64: the low bits of 2**52 + x."""
    wide, above = b.seen_as(x, "int64"), b.constant(float(1 << 52), "float64")
    lanes = b.bit_and(wide, b.constant(long_integers.WORD, "int64")), b.shift_right(wide, 32)
    even, odd = (b.subtract(b.bit_or(lane, b.seen_as(above, "int64"), "float64"), above) for lane in lanes)
    return even, odd


def cast(b: Builder, x: Value, dtype: str) -> Value:
    """The same value in another dtype of the kernel's width; integers keep their bits."""
    if x.dtype == dtype or ("int" in x.dtype and "int" in dtype):
        return b.seen_as(x, dtype)
    if x.dtype == "bool":
        return b.bit_and(x, b.constant(1, dtype), dtype)
    if dtype == "bool":
        return b.bit_xor(b.equal(_signed(b, x), b.constant(0, b.integer)), b.constant(True, "bool"))
    if dtype != b.float:
        raise Unsupported(f"no instruction makes {dtype} of {x.dtype}")
    return long_integers.unsigned_as_float(b, x) if b.width == 8 else _as_float(b, _signed(b, x))


def _as_float(b: Builder, x: Value) -> Value:
    """The nearest float32. AVX2 converts signed numbers alone: the halves are exact, and only their sum is rounded."""
    if b.wide:
        return b.emit("float_of_unsigned", "float32", x)
    upper = b.multiply(b.float_of_integer(b.shift_right(x, 16)), b.constant(65536.0, "float32"))
    return b.add(upper, b.float_of_integer(b.bit_and(x, b.constant(65535, "int32"))))


def bitcast(b: Builder, x: Value, dtype: str) -> Value:
    """The same bits as another dtype of the kernel's width."""
    if "bool" in (x.dtype, dtype):
        raise Unsupported("a bool has no bits of its own here")
    return b.seen_as(x, dtype)


OWN: dict[str, Function] = {
    "right_shift": right_shift,
    "floor_divide": floor_divide,
    "remainder": remainder,
    "fmod": remainder,
    "cast": cast,
    "bitcast": bitcast,
}
"""The functions that differ from those of signed integers."""
