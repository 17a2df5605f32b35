"""Depthwise convolutions in machine code for AVX-512 or AVX2: `depthwise_code.py` says what they compute."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from .product import machine_function, vector_bytes, wide_function

if TYPE_CHECKING:
    from .executable import Function


@cache
def compile_depthwise(kind: str, rows: int, stride: int, dilation: int) -> Function:
    """The function "forward" or "weight", for arrays of float32, and kernels of at most `MOST_ROWS` rows, with a stride
    and a dilation along rows. `forward(seen, weight, out, out)` adds to `out`.

    It returns True; for arrays that it does not take it returns False and writes nothing.
    """

    def assemble() -> bytes:
        from .depthwise_code import DepthwiseCode

        return DepthwiseCode(kind, rows, stride, dilation).assemble()

    return wide_function(assemble, kind, f"{kind}: arrays of float32")


@lru_cache(maxsize=1024)
def compile_narrow_depthwise(kind: str, rows: int, stride: int, dilation: int, width: int) -> Function:
    """The same for AVX2, and results of so many columns."""

    def assemble() -> bytes:
        from .narrow_depthwise_code import NarrowDepthwiseCode

        return NarrowDepthwiseCode(kind, rows, stride, dilation, width).assemble()

    return machine_function(assemble, kind, f"{kind}: arrays of float32 with {width} columns")


def has_depthwise() -> bool:
    """Whether this machine has the functions."""
    return vector_bytes() > 0
