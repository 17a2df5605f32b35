"""Offsets in the arena: homes that live at the same time get bytes of their own, others may share."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from heapq import heappop, heappush

from .plan import Home

ALIGNMENT = 64
MOST_BUFFERS_BY_SIZE = 1000  # the greedy layout by size is quadratic; beyond this only the best fit is tried


def aligned(nbytes: int) -> int:
    return -(-nbytes // ALIGNMENT) * ALIGNMENT


def lay_out(homes: Sequence[Home]) -> int:
    """Give every home an offset so that none overlaps another that lives at the same time; the bytes needed."""
    peak, least = _best_fit(sorted(homes, key=lambda home: (home.first, -home.type.nbytes)))
    if peak == least or len(homes) > MOST_BUFFERS_BY_SIZE:
        return peak
    offsets = [home.offset for home in homes]
    by_size = _greedy_by_size(homes)
    if by_size <= peak:
        return by_size
    for home, offset in zip(homes, offsets, strict=True):
        home.offset = offset
    return peak


def _greedy_by_size(homes: Sequence[Home]) -> int:
    """Largest first, each at the lowest offset that is free for its whole life; the bytes needed."""
    placed: list[tuple[int, int, Home]] = []  # offset, end, home; sorted
    peak = 0
    for home in sorted(homes, key=lambda home: (-home.type.nbytes, home.first)):
        size = aligned(home.type.nbytes)
        offset = 0
        if size:
            for start, end, other in placed:
                if other.last < home.first or home.last < other.first:
                    continue
                if start - offset >= size:
                    break
                offset = max(offset, end)
            insort(placed, (offset, offset + size, home), key=lambda item: item[:2])
        home.offset = offset
        peak = max(peak, offset + size)
    return peak


class _Gaps:
    """The free bytes below the end of what is in use; gaps that touch are one."""

    def __init__(self) -> None:
        self.end = 0  # everything from here on is free
        self.by_size: list[tuple[int, int]] = []  # size, offset; sorted
        self.starts: dict[int, int] = {}  # offset -> end
        self.ends: dict[int, int] = {}  # end -> offset

    def take(self, size: int) -> int:
        """The offset of the smallest gap that holds so many bytes, which are in use from now on."""
        position = bisect_left(self.by_size, (size, 0))
        if position == len(self.by_size):
            offset, self.end = self.end, self.end + size
            return offset
        whole, offset = self.by_size[position]
        self._remove(offset)
        if whole > size:
            self._add(offset + size, offset + whole)
        return offset

    def give(self, start: int, end: int) -> None:
        """Bytes are free again."""
        if start in self.ends:
            start = self.ends[start]
            self._remove(start)
        if end in self.starts:
            end = self._remove(end)
        if end == self.end:
            self.end = start
        else:
            self._add(start, end)

    def _add(self, start: int, end: int) -> None:
        self.starts[start], self.ends[end] = end, start
        insort(self.by_size, (end - start, start))

    def _remove(self, start: int) -> int:
        """Forget a gap; its end."""
        end = self.starts.pop(start)
        del self.ends[end]
        del self.by_size[bisect_left(self.by_size, (end - start, start))]
        return end


def _best_fit(homes: Sequence[Home]) -> tuple[int, int]:
    """In order of birth, each in the smallest gap that holds it, freeing what has died; the bytes needed, and the
    most that live at once."""
    live: list[tuple[int, int, int]] = []  # last, offset, end; a heap
    gaps = _Gaps()
    peak = used = most = 0
    for home in homes:
        while live and live[0][0] < home.first:
            _, start, end = heappop(live)
            used -= end - start
            gaps.give(start, end)
        size = aligned(home.type.nbytes)
        home.offset = gaps.take(size) if size else 0
        if size:
            heappush(live, (home.last, home.offset, home.offset + size))
            used += size
        peak, most = max(peak, gaps.end), max(most, used)
    return peak, most
