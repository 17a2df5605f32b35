"""The sizes of pooling in machine code."""

from __future__ import annotations

import math

from ..records import NamedTuple

MOST_TAPS = 200
"""The elements of a window, at most: there is code for each."""
MOST_PHASES = 64


class PoolSizes(NamedTuple):
    """The sizes of windows over two axes, and where elements of a frame (phases, rows, pitch) are."""

    dtype: str
    image: tuple[int, int]
    low: tuple[int, int]  # padding before it
    height: int  # with all padding
    width: int
    kernel: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    windows: tuple[int, int]
    covering: bool  # each element is in one window: the last one gets what no maximum takes
    vector: int  # bytes of a vector, of AVX-512 or of AVX2

    @property
    def size(self) -> int:
        """The bytes of an element."""
        return 4 if self.dtype == "float32" else 8

    @property
    def lanes(self) -> int:
        """Elements of a vector."""
        return self.vector // self.size

    @property
    def rows(self) -> int:
        """Rows of a frame."""
        return -(-self.height // self.stride[0]) * self.stride[0]

    @property
    def pitch(self) -> int:
        """From one row to the next."""
        return self.whole(-(-self.width // self.stride[1]))

    @property
    def frame(self) -> int:
        """Elements of a frame, with some behind that vectors reach."""
        return self.stride[1] * self.rows * self.pitch + self.lanes

    @property
    def reach(self) -> tuple[int, int]:
        """Windows before a frame's element that it may be in."""
        (tall, wide), (down, along), (far, apart) = self.kernel, self.stride, self.dilation
        return (tall - 1) * far // down, (wide - 1) * apart // along

    @property
    def numbers(self) -> int:
        """The length of the numbers of taps, and one for none."""
        return self.whole(math.prod(self.kernel) + 1)

    @property
    def place_pitch(self) -> int:
        """From one row of places to the next."""
        return self.reach[1] + max(self.pitch, self.whole(self.windows[1]))

    @property
    def places(self) -> int:
        """Elements of numbers and, behind them, of the places of the maxima of an image."""
        rows = self.reach[0] + max(self.rows // self.stride[0], self.windows[0])
        return self.whole(self.numbers + rows * self.place_pitch)

    def room(self, kind: str) -> int:
        """Elements that the function works in."""
        return {"gradient": self.places + 2 * self.frame, "spread": self.places + self.frame}.get(kind, self.frame)

    def whole(self, elements: int) -> int:
        """So many elements, rounded up to whole vectors."""
        return -(-elements // self.lanes) * self.lanes
