"""The sizes of convolutions that machine code computes without copies of the image for each tap."""

from __future__ import annotations

import math

from ..records import NamedTuple
from .sizes import NARROW, WIDTH

KINDS = ("forward", "input", "weight")
MOST_SUMS = {WIDTH: {1: 28, 2: 14, 3: 9}, NARROW: {1: 12, 2: 6, 3: 4}}
"""Sums of a block, by the bytes of a vector and the vectors that each sum has: they stay in registers."""

SHALLOW = 100
"""Sums of fewer products take less time than it takes to write them: whole lines of the cache should be written."""


class DirectSizes(NamedTuple):
    """The sizes of a convolution over up to three axes."""

    channels: int  # of a group, as the outputs
    outputs: int
    image: tuple[int, ...]
    made: tuple[int, ...]
    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    low: tuple[int, ...]  # padding before the image
    groups: int = 1
    size: int = 4  # bytes of an element
    width: int = WIDTH  # bytes of a vector
    pairs: bool = False  # whether elements of what is convolved and of weights are pairs of bfloat16

    @property
    def across(self) -> int:
        """Elements of a vector."""
        return self.width // self.size

    def deep(self) -> DirectSizes:
        """The same over three axes."""
        before = 3 - len(self.image)
        deep = [((1,) * before + pair) for pair in self[2:7]]
        return DirectSizes._make((*self[:2], *deep, (0,) * before + self.low, *self[8:]))

    def divided(self, kind: str, parts: int) -> DirectSizes | None:
        """The sizes of each of so many equal parts: of the groups, or of the channels of the result. None if there are
        none."""
        field = "groups" if self.groups > 1 else "channels" if kind == "input" else "outputs"
        count, rest = divmod(getattr(self, field), parts)
        return None if rest else self._replace(**{field: count})

    @property
    def most_sums(self) -> dict[int, int]:
        """Sums of a block, by the vectors that each has."""
        return MOST_SUMS[self.width]

    @property
    def taps(self) -> int:
        """Elements of a kernel."""
        return math.prod(self.kernel)

    @property
    def is_product(self) -> bool:
        """Whether this is a product of matrices for each image."""
        return self.taps == 1 and max(self.stride) == 1

    def lanes(self, kind: str) -> int:
        """Numbers that vectors hold side by side: channels of the result."""
        return self.channels if kind == "input" else self.outputs

    def seen(self, kind: str) -> int:
        """Channels of what is convolved."""
        return self.outputs if kind == "input" else self.channels

    def margins(self, kind: str) -> tuple[tuple[int, int], ...]:
        """Zeros before and behind what is convolved, along each axis."""
        found = []
        for axis in range(len(self.image)):
            reach = (self.kernel[axis] - 1) * self.dilation[axis]
            size, made, step, low = self.image[axis], self.made[axis], self.stride[axis], self.low[axis]
            if kind == "input":
                first, last = (low - reach) // step, (size - 1 + low) // step
                found.append((max(0, -first), max(0, last + 1 - made)))
            else:
                found.append((low, max(0, (made - 1) * step + reach + 1 - low - size)))
        return tuple(found)

    def frame(self, kind: str) -> tuple[int, ...]:
        """Lengths with these zeros."""
        size = self.made if kind == "input" else self.image
        return tuple(sum(ends) + length for ends, length in zip(self.margins(kind), size, strict=True))

    def vectors(self, kind: str) -> int:
        """Vectors of a group's lanes."""
        return -(-self.lanes(kind) // self.across)

    def runs(self, kind: str) -> list[tuple[int, int]]:
        """Panels of vectors: how many there are, and the vectors of each."""
        vectors = self.vectors(kind)
        if vectors == 1 or (kind != "weight" and self.depth(kind) < SHALLOW):
            return [(vectors, 1)]
        odd = vectors % 2
        return [(count, wide) for count, wide in ((vectors // 2 - odd, 2), (odd, 3)) if count]

    def depth(self, kind: str) -> int:
        """Products of each sum, about; of gradients by weight, sums."""
        return self.seen(kind) * self.taps // (math.prod(self.stride) if kind == "input" else 1)

    def offsets(self, kind: str) -> dict[str, int]:
        """Where parts of the room begin, in elements: whole vectors."""
        vectors, across = self.vectors(kind), self.across
        columns = vectors * across * math.prod(self.made) if kind == "weight" else 0
        parts = {
            "orders": across * across,
            "spilled": 32 * across,
            "columns": columns,
            "weights": vectors * across * self.seen(kind) * self.taps * self.groups,
            "frame": self.seen(kind) * math.prod(self.frame(kind)) + across if any(map(any, self.margins(kind))) else 0,
        }
        found, start = {}, 0
        for name, size in parts.items():
            found[name] = start
            start += -(-size // across) * across
        return found | {"end": start}

    def room(self, kind: str) -> int:
        """Elements of the room, which begins anywhere in a line of the cache."""
        return self.offsets(kind)["end"] + self.across
