"""Depthwise convolutions in machine code for processors with AVX-512: `depthwise_code.py` says what they compute."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from .product import refuses, wide_function

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


def has_depthwise() -> bool:
    """Whether this machine has the functions."""
    return compile_depthwise("forward", 1, 1, 1) is not refuses
