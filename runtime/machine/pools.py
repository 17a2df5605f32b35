"""Sums and maxima of windows, and their gradients, in machine code for processors with AVX-512, or with AVX2.

Windows are those of frames: images with their padding, whose columns are sorted by their remainder by the stride
("phases"), so that neighbouring windows see neighbours.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .pool_sizes import PoolSizes
from .product import machine_function, wide_function
from .sizes import WIDTH

if TYPE_CHECKING:
    from .executable import Function


@lru_cache(maxsize=512)
def compile_pool(kind: str, *sizes: Any) -> Function:
    """The function "maximum" or "add" (images, results, room), "spread" (sums' gradients, target, room) or "gradient"
    (maxima, gradients, images, target, room).

    `sizes` are the fields of `PoolSizes`. Images and their gradient `target` are (batch, channels, *image), the others
    (batch, channels, *windows), and `room` is a vector of `PoolSizes.room(kind)`. It returns True; for other arrays it
    returns False and writes nothing.
    """

    whole = PoolSizes(*sizes)
    wide = whole.vector == WIDTH

    def assemble() -> bytes:
        if wide:
            from .pool_code import PoolCode

            return PoolCode(kind, whole).assemble()
        from .narrow_pool_code import NarrowPoolCode

        return NarrowPoolCode(kind, whole).assemble()

    return (wide_function if wide else machine_function)(assemble, kind, f"{kind}: arrays of {whole.dtype}")
