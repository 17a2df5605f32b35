"""Functions of numbers that have fewer bytes in memory than in a lane: halves (float16) are there as the float32 of the
same value, integers of 8 and 16 bits as the int32; those of 8 bits as the int16, where no numbers have more. Results
are rounded to halves, or lose the bits that are too many.

Bits are dropped only where a result may have too many, by the least and the greatest numbers that operands may be.

One operation in float32, rounded again, gives the nearest half of a sum, product, quotient or root: float32 has more
than twice the digits.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Mapping, Sequence

from .builder import FUSED, Builder, Unsupported, Value
from .language import FLOAT16, SIZES, lane_dtype
from .unsigned import cast as cast_unsigned, is_unsigned

Function = Callable[..., Value]

EXACT = frozenset(
    {
        "maximum", "minimum", "sign", "select", "mask_bits", "overlay", "copy", "floor", "ceil", "trunc", "round",
    }
)  # fmt: skip
"""Functions whose results of narrow numbers are as narrow."""
EXACT_HALVES = EXACT | {"negative", "absolute"}
EXACT_INTEGERS = EXACT | {"bitwise_and", "bitwise_or", "bitwise_xor", "right_shift", "remainder", "fmod"}


CORNERS: dict[str, Callable[..., int]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "maximum": max, "minimum": min,
    "negative": operator.neg, "absolute": abs, "floor_divide": operator.floordiv,
}  # fmt: skip
"""Functions that are least and greatest where their operands are; quotients by a positive number, too."""

Range = tuple[int, int]


def function_of(name: str, functions: Mapping[str, Function]) -> Function:
    """The function for narrow numbers, from those for float32 and int32."""
    if name in ("bitcast", *FUSED, "rotate_left", "bit_count"):
        raise Unsupported(f"{name} is not for numbers of 8 and 16 bits")

    def cast(b: Builder, x: Value, dtype: str) -> Value:
        source, target = _in_lanes(b, x), lane_dtype(dtype, b.width)
        known = (0, 1) if x.dtype == "bool" else _range(b, x)
        if source.dtype != target:
            whole = cast_unsigned if is_unsigned(source.dtype) or is_unsigned(target) else functions["cast"]
            source = whole(b, source, target)
            known = known if x.dtype == "bool" else None
        return _narrowed(b, source, dtype, known)

    def function(b: Builder, *values: Value) -> Value:
        found = functions[name](b, *[_in_lanes(b, value) for value in values])
        kept = [value for value in (values[1:] if name == "select" else values) if _in_lanes(b, value) != value]
        if not kept or found.dtype != _in_lanes(b, kept[0]).dtype:
            return found
        dtype = kept[0].dtype
        if name in (EXACT_HALVES if dtype == FLOAT16 else EXACT_INTEGERS):
            found = b.seen_as(found, dtype)
        return _narrowed(b, found, dtype, corners(name, [_range(b, value) for value in kept]))

    return cast if name == "cast" else function


def _in_lanes(b: Builder, x: Value) -> Value:
    return b.seen_as(x, lane_dtype(x.dtype, b.width))


def _limits(b: Builder, dtype: str) -> Range | None:
    """The least and the greatest number of a dtype of integers that are narrower than a lane."""
    return None if "int" not in dtype or lane_dtype(dtype, b.width) == dtype else limits_of(dtype)


def limits_of(dtype: str) -> Range:
    """The least and the greatest number of a dtype of integers."""
    numbers = 1 << 8 * SIZES[dtype]
    return (0, numbers - 1) if is_unsigned(dtype) else (-numbers // 2, numbers // 2 - 1)


def _range(b: Builder, x: Value) -> Range | None:
    """What is known of an integer: the least and the greatest number that it may be."""
    number = b.integer_of(x)
    if number is not None:
        return number, number
    limits = _limits(b, x.dtype)
    return b.ranges.get(x.number, limits) if x.kind == "register" else limits


def corners(name: str, ranges: Sequence[Range | None]) -> Range | None:
    """What is known of a function's result from what is known of its operands."""
    known = [one for one in ranges if one is not None]
    if len(known) < len(ranges) or name not in CORNERS or (name == "floor_divide" and known[1][0] < 1):
        return None
    found = [CORNERS[name](*point) for point in itertools.product(*known)]
    return min(0 if name == "absolute" else found[0], *found), max(found)


def _narrowed(b: Builder, x: Value, dtype: str, known: Range | None) -> Value:
    """A number of a lane as one of `dtype`; it has no more bits already if it is seen as one."""
    limits = _limits(b, dtype)
    if limits is None:
        return b.round_half(x) if dtype == FLOAT16 != x.dtype else x
    if known and limits[0] <= known[0] and known[1] <= limits[1]:
        if x.kind == "register":
            b.ranges[x.number] = known
        return b.seen_as(x, dtype)
    if x.dtype == dtype:
        return x
    if limits[0] == 0:
        return b.bit_and(x, b.constant(limits[1], b.integer), dtype)
    bits = 8 * (b.width - SIZES[dtype])
    return b.seen_as(b.shift_signed(b.shift_left(x, bits), bits), dtype)
