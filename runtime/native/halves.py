"""Functions of halves (float16). A half is in a lane as the float32 of the same value; results are rounded to halves.

One operation in float32, rounded again, gives the nearest half of a sum, product, quotient or root: float32 has more
than twice the digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .builder import Builder, Unsupported, Value
from .language import FLOAT16
from .unsigned import cast as cast_unsigned, is_unsigned

Function = Callable[..., Value]

EXACT = frozenset(
    {
        "maximum", "minimum", "negative", "absolute", "sign", "select", "mask_bits", "overlay", "copy", "floor", "ceil",
        "trunc", "round",
    }
)  # fmt: skip
"""Functions whose results of halves are halves."""


def function_of(name: str, functions: Mapping[str, Function]) -> Function:
    """The function for halves, from those for float32."""
    if name in ("bitcast", "multiply_add"):
        raise Unsupported(f"{name} is not for halves")

    def cast(b: Builder, x: Value, dtype: str) -> Value:
        source = _single(b, x)
        whole = cast_unsigned if is_unsigned(source.dtype) or is_unsigned(dtype) else functions["cast"]
        return b.round_half(whole(b, source, "float32")) if dtype == FLOAT16 else whole(b, source, dtype)

    def function(b: Builder, *values: Value) -> Value:
        found = functions[name](b, *[_single(b, value) for value in values])
        kept = values[1:] if name == "select" else values
        if found.dtype != "float32" or all(value.dtype != FLOAT16 for value in kept):
            return found
        return b.seen_as(found, FLOAT16) if name in EXACT else b.round_half(found)

    return cast if name == "cast" else function


def _single(b: Builder, x: Value) -> Value:
    return b.seen_as(x, "float32") if x.dtype == FLOAT16 else x
