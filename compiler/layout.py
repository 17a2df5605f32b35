"""Offsets in the arena: homes that live at the same time get bytes of their own, others may share."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence

from .plan import Home

ALIGNMENT = 64
MOST_BUFFERS_BY_SIZE = 3000  # the greedy layout by size is quadratic; beyond this only the best fit is tried


def aligned(nbytes: int) -> int:
    return -(-nbytes // ALIGNMENT) * ALIGNMENT


def lay_out(homes: Sequence[Home]) -> int:
    """Give every home an offset so that none overlaps another that lives at the same time; the bytes needed."""
    by_birth = sorted(homes, key=lambda home: (home.first, -home.type.nbytes))
    peak = _best_fit(by_birth)
    if len(homes) > MOST_BUFFERS_BY_SIZE:
        return peak
    offsets = [home.offset for home in homes]
    if _greedy_by_size(homes) > peak:
        for home, offset in zip(homes, offsets, strict=True):
            home.offset = offset
        return peak
    return max((home.offset + aligned(home.type.nbytes) for home in homes), default=0)


def _greedy_by_size(homes: Sequence[Home]) -> int:
    """Largest first, each at the lowest offset that is free for its whole life."""
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


def _best_fit(homes: Sequence[Home]) -> int:
    """In order of birth, each in the smallest gap that holds it, freeing what has died."""
    live: list[tuple[int, int, Home]] = []  # offset, end, home; sorted
    peak = 0
    for home in homes:
        live = [item for item in live if item[2].last >= home.first]
        size = aligned(home.type.nbytes)
        best, best_gap, at = None, None, 0
        if not size:
            home.offset = 0
            continue
        for start, end, _ in live:
            gap = start - at
            if gap >= size and (best_gap is None or gap < best_gap):
                best, best_gap = at, gap
            at = max(at, end)
        home.offset = at if best is None else best
        insort(live, (home.offset, home.offset + size, home), key=lambda item: item[:2])
        peak = max(peak, home.offset + size)
    return peak
