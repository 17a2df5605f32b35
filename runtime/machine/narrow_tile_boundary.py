"""Entry of the transforms in `narrow_tile_code.py`: they take images and tiles of one width only."""

from __future__ import annotations

from .assembler import JUMP_NOT_EQUAL
from .product_boundary import FrameWords
from .tile_boundary import TileBoundary, TileWords
from .wide_assembler import WideAssembler

SLOTS = FrameWords.NBYTES
"""Where four vectors are kept, in bytes from the stack pointer."""


class NarrowTileBoundary(TileBoundary):
    """Writes entry and exit of `transform(images, tiles, top, left, first)` for sizes that are known."""

    def __init__(self, code: WideAssembler, kind: str, numbers: int, width: int, left: int, wide: int) -> None:
        super().__init__(code, kind, 1, numbers)
        self.frame += 4 * 32
        self.expected = ((TileWords.WIDTH, width), (TileWords.LEFT, left), (TileWords.WIDE, wide))

    def look(self) -> None:
        """As for all sizes, and refuse others than the known ones."""
        super().look()
        for word, expected in self.expected:
            self.code.compare(TileWords.at(word), expected)
            self._refuse(JUMP_NOT_EQUAL)
