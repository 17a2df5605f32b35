"""Convolutions by direct sums, in machine code for AVX-512 or AVX2, and both their gradients."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .direct_sizes import DirectSizes
from .product import machine_function, wide_function
from .sizes import WIDTH

if TYPE_CHECKING:
    from .executable import Function


@lru_cache(maxsize=512)
def compile_direct(kind: str, *sizes: Any) -> Function:
    """The function "forward" (images, weight, results, room), "input" (gradients, weight, images' gradient, room) or
    "weight" (images, gradients, weight's gradient, room).

    `sizes` are the fields of `DirectSizes`, and `room` is a vector of `DirectSizes.room(kind)`. It returns True; for
    other arrays it returns False and writes nothing. So it does for "input" if there are zeros around the gradients and
    a weight is infinite or nan.
    """

    def assemble() -> bytes:
        if wide:
            from .direct_code import DirectCode

            return DirectCode(kind, found).assemble()
        from .narrow_direct_code import NarrowDirectCode

        return NarrowDirectCode(kind, found).assemble()

    found = DirectSizes(*sizes)
    wide = found.width == WIDTH
    return (wide_function if wide else machine_function)(assemble, kind, f"{kind}: arrays of these sizes")
