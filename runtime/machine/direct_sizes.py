"""The sizes of convolutions that machine code computes without copies of the image for each tap."""

from __future__ import annotations

import math
from typing import NamedTuple

LANES = 16
KINDS = ("forward", "input", "weight")
MOST_SUMS = {1: 28, 2: 14, 3: 9}
"""Sums of a block, by the vectors that each has: they stay in registers."""

SHALLOW = 100
"""Sums of fewer products take less time than it takes to write them: whole lines of the cache should be written."""


class DirectSizes(NamedTuple):
    """The sizes of a convolution over two axes."""

    channels: int
    outputs: int
    image: tuple[int, int]
    made: tuple[int, int]
    kernel: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    low: tuple[int, int]  # padding before the image

    @property
    def taps(self) -> int:
        """Elements of a kernel."""
        return math.prod(self.kernel)

    def lanes(self, kind: str) -> int:
        """Numbers that vectors hold side by side: channels of the result."""
        return self.channels if kind == "input" else self.outputs

    def seen(self, kind: str) -> int:
        """Channels of what is convolved."""
        return self.outputs if kind == "input" else self.channels

    def margins(self, kind: str) -> tuple[tuple[int, int], tuple[int, int]]:
        """Zeros before and behind what is convolved, for rows and for columns."""
        found = []
        for axis in range(2):
            reach = (self.kernel[axis] - 1) * self.dilation[axis]
            size, made, step, low = self.image[axis], self.made[axis], self.stride[axis], self.low[axis]
            if kind == "input":
                first, last = (low - reach) // step, (size - 1 + low) // step
                found.append((max(0, -first), max(0, last + 1 - made)))
            else:
                found.append((low, max(0, (made - 1) * step + reach + 1 - low - size)))
        return found[0], found[1]

    def frame(self, kind: str) -> tuple[int, int]:
        """Rows and columns with these zeros."""
        size = self.made if kind == "input" else self.image
        tall, wide = (sum(ends) + length for ends, length in zip(self.margins(kind), size, strict=True))
        return tall, wide

    def runs(self, kind: str) -> list[tuple[int, int]]:
        """Panels of vectors: how many there are, and the vectors of each."""
        vectors = -(-self.lanes(kind) // LANES)
        if vectors == 1 or (kind != "weight" and self.depth(kind) < SHALLOW):
            return [(vectors, 1)]
        odd = vectors % 2
        return [(count, wide) for count, wide in ((vectors // 2 - odd, 2), (odd, 3)) if count]

    def depth(self, kind: str) -> int:
        """Products of each sum, about; of gradients by weight, sums."""
        return self.seen(kind) * self.taps // (math.prod(self.stride) if kind == "input" else 1)

    def offsets(self, kind: str) -> dict[str, int]:
        """Where parts of the room begin, in elements: whole vectors."""
        vectors = -(-self.lanes(kind) // LANES)
        columns = vectors * LANES * math.prod(self.made) if kind == "weight" else 0
        parts = {
            "orders": LANES * LANES,
            "spilled": 32 * LANES,
            "columns": columns,
            "weights": vectors * LANES * self.seen(kind) * self.taps,
            "frame": self.seen(kind) * math.prod(self.frame(kind)) + LANES if any(map(any, self.margins(kind))) else 0,
        }
        found, start = {}, 0
        for name, size in parts.items():
            found[name] = start
            start += -(-size // LANES) * LANES
        return found | {"end": start}

    def room(self, kind: str) -> int:
        """Elements of the room, which begins anywhere in a line of the cache."""
        return self.offsets(kind)["end"] + LANES
