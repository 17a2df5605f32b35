"""Winograd's transforms for convolutions with kernels of 3 by 3, in machine code for processors with AVX-512.

`transform(images, tiles, top, left, first)` reads or writes images (number, channels, height, width), and tiles
(16, channels, number, rows of tiles, columns of tiles), both of float32. Pixels in a row are neighbours in memory, and
so are tiles. `top` and `left` are the rows and columns of zeros before an image, `first` the number of the first row of
tiles.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from .product import has_products

if TYPE_CHECKING:
    from .executable import Function


def _refuses(*arguments: Any) -> bool:
    return False


@cache
def compile_transform(kind: str) -> Function:
    """The transform "input", "output" or "gradient", as `tile_code.KINDS` describes them.

    It returns True. What it does not take it refuses: it returns False and writes nothing. "output" returns False, too,
    if a result is infinite or nan: in tiles such a pixel spoils its neighbours.
    """
    if not has_products():
        return _refuses
    from .executable import make_function  # late, as the code itself: `import mycel` needs neither
    from .tile_code import TileCode

    try:
        return make_function(TileCode(kind).assemble(), kind, f"{kind}(images, tiles, top, left, first)")
    except OSError:
        return _refuses


def can_transform() -> bool:
    """Whether this machine has the transforms."""
    return _refuses not in map(compile_transform, ("input", "output", "gradient"))
