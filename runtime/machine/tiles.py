"""Winograd's transforms for convolutions with kernels of 3 by 3, or of a row of 3 or 5, in machine code for processors
with AVX-512, or with AVX2: then one function for each width of images.

`transform(images, tiles, top, left, first)` reads or writes images (number, channels, height, width), and tiles
(numbers of a tile, channels, number, rows of tiles, columns of tiles), both of float32. Pixels in a row are neighbours
in memory, and so are tiles. `top` and `left` are the rows and columns of zeros before an image, `first` the number of
the first row of tiles. With a spread of d, for dilated kernels, a tile's columns are d pixels apart, and d tiles begin
side by side.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from .product import has_wide_code, machine_function, refuses, wide_function

if TYPE_CHECKING:
    from .executable import Function


SWITCH = "MYCEL_WINOGRAD"
"""An environment variable; with "off" all convolutions are direct sums."""


@cache
def compile_transform(kind: str, spread: int = 1, taps: int = 9) -> Function:
    """The transform "input", "output" or "gradient", as `tile_code.KINDS` describes them, with a spread of at most 8.

    `taps`: of the kernel, 9 for 3 by 3, or 3 or 5 for one row; with 5 the spread is at most 7.

    It returns True. What it does not take it refuses: it returns False and writes nothing. "output" returns False, too,
    if a result is infinite or nan: in tiles such a pixel spoils its neighbours.
    """

    def assemble() -> bytes:
        from .tile_code import TileCode

        return TileCode(kind, spread, taps).assemble()

    return wide_function(assemble, kind, f"{kind}(images, tiles, top, left, first)")


@lru_cache(maxsize=1024)
def compile_narrow_transform(kind: str, taps: int, width: int, left: int, wide: int) -> Function:
    """The same without spread, for AVX2: images of `width` columns, `wide` tiles in a row, and this argument `left`."""

    def assemble() -> bytes:
        from .narrow_tile_code import NarrowTileCode

        return NarrowTileCode(kind, taps, width, left, wide).assemble()

    return machine_function(assemble, kind, f"{kind}(images, tiles, top, left, first)")


def transform_of_size(kind: str, spread: int, taps: int, width: int, left: int, wide: int) -> Function:
    """The transform for images and tiles of these sizes, by the widest vectors that the processor has."""
    if has_wide_code():
        return compile_transform(kind, spread, taps)
    return compile_narrow_transform(kind, taps, width, left, wide)


def can_transform(spread: int = 1) -> bool:
    """Whether this machine has the transforms, and the variable does not switch them off."""
    if os.environ.get(SWITCH, "").lower() in ("off", "0", "false", "no"):
        return False
    if has_wide_code():
        return refuses not in map(compile_transform, ("input", "output", "gradient"))
    return spread == 1 and refuses is not compile_narrow_transform("input", 9, 4, 1, 2)
