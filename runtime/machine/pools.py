"""Sums and maxima of windows, and the gradients of maxima, in machine code for processors with AVX-512.

Windows are those of frames: images with their padding, whose columns are sorted by their remainder by the stride
("phases"), so that neighbouring windows see neighbours.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from .product import wide_function

if TYPE_CHECKING:
    from .executable import Function
    from .pool_sizes import PoolSizes


@lru_cache(maxsize=512)
def compile_pool(kind: str, sizes: PoolSizes) -> Function:
    """The function "maximum" or "add" (images, results, room), or "gradient" (maxima, gradients, images, target, room).

    Images and their gradient `target` are (number, *sizes.image), the others (number, *sizes.windows). `room` is
    (1, sizes.frame), filled with what padding has; for a gradient (1, sizes.places + 2 * sizes.frame): the numbers from
    0 on, then -1, and nan in the frame. It returns True; for other arrays it returns False and writes nothing.
    """

    def assemble() -> bytes:
        from .pool_code import PoolCode

        return PoolCode(kind, sizes).assemble()

    return wide_function(assemble, kind, f"{kind}: arrays of {sizes.dtype}")
