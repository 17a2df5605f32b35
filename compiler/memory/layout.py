"""Offset assignment in the arena: allocations that live at the same time get different bytes; others may share them.

The arena cannot be smaller than the largest live set. Several layouts are tried until one comes close to that: best fit
in order of birth; greedy by size, by size times lifetime, by lifetime; then with those allocations first that did not
fit well before.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from heapq import heappop, heappush

from .plan import Allocation

ALIGNMENT = 64
MOST_BUFFERS_BY_SIZE = 1000  # the greedy layouts are quadratic; beyond this only the best fit is tried
FEW_BUFFERS = 32  # of more, it takes too long to save the bytes of one alignment
TRIALS = 24  # attempts, at most, with those first that were on top
TRIALS_COST, FEW_TRIALS_COST = 400_000, 20_000  # pairs of buffers in all these trials
SMALL = 1 << 15  # bytes of an arena, up to which the first-level cache has it, and few trials are enough
GOOD_ENOUGH = 1.01  # of the largest live set

_ORDERS: tuple[Callable[[Allocation], tuple[int, ...]], ...] = (
    lambda allocation: (-allocation.type.nbytes, allocation.first),
    lambda allocation: (-allocation.type.nbytes * (allocation.last - allocation.first + 1), allocation.first),
    lambda allocation: (allocation.first - allocation.last, -allocation.type.nbytes),
)


def aligned(nbytes: int) -> int:
    return -(-nbytes // ALIGNMENT) * ALIGNMENT


def lay_out(allocations: Sequence[Allocation]) -> int:
    """Give every allocation an offset, such that allocations that live at the same time do not overlap. Returns the
    bytes needed."""
    best, least = _best_fit(sorted(allocations, key=lambda allocation: (allocation.first, -allocation.type.nbytes)))
    enough = max(int(least * GOOD_ENOUGH), least + ALIGNMENT * (len(allocations) > FEW_BUFFERS))
    if best <= enough or len(allocations) > MOST_BUFFERS_BY_SIZE:
        return best
    offsets = [allocation.offset for allocation in allocations]
    tried: list[Allocation] = []
    for order in _ORDERS:
        peak, placed = _greedy(sorted(allocations, key=order))
        if peak < best:
            best, offsets = peak, [allocation.offset for allocation in allocations]
        if not tried or peak == best:
            tried = placed
        if best <= enough:
            break
    cost = TRIALS_COST if best > SMALL else FEW_TRIALS_COST
    for _ in range(min(TRIALS, cost // len(allocations) ** 2)):
        if best <= enough:
            break
        top = [allocation for allocation in tried if allocation.offset + aligned(allocation.type.nbytes) > enough]
        if not top:
            break
        before = {id(allocation) for allocation in top}
        tried = [*top, *[allocation for allocation in tried if id(allocation) not in before]]
        peak, tried = _greedy(tried)
        if peak < best:
            best, offsets = peak, [allocation.offset for allocation in allocations]
    for allocation, offset in zip(allocations, offsets, strict=True):
        allocation.offset = offset
    return best


def _greedy(allocations: Sequence[Allocation]) -> tuple[int, list[Allocation]]:
    """Place the allocations in this order, each at the lowest offset that is free for its lifetime. Returns the bytes
    needed, and the order."""
    placed: list[tuple[int, int, int, int]] = []  # offset, end, first and last time; sorted
    peak = 0
    for allocation in allocations:
        size = aligned(allocation.type.nbytes)
        offset = 0
        if size:
            first, last = allocation.first, allocation.last
            for start, end, born, died in placed:
                if born <= last and first <= died:
                    if start - offset >= size:
                        break
                    if end > offset:
                        offset = end
            insort(placed, (offset, offset + size, first, last))
        allocation.offset = offset
        peak = max(peak, offset + size)
    return peak, list(allocations)


class _Gaps:
    """The free bytes below the end of the used ones. Adjacent gaps are merged."""

    def __init__(self) -> None:
        self.end = 0  # everything from here on is free
        self.by_size: list[tuple[int, int]] = []  # size, offset; sorted
        self.starts: dict[int, int] = {}  # offset -> end
        self.ends: dict[int, int] = {}  # end -> offset

    def take(self, size: int) -> int:
        """Take the smallest gap of at least `size` bytes; its offset."""
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
        """Free bytes."""
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
        """Remove a gap. Returns its end."""
        end = self.starts.pop(start)
        del self.ends[end]
        del self.by_size[bisect_left(self.by_size, (end - start, start))]
        return end


def _best_fit(allocations: Sequence[Allocation]) -> tuple[int, int]:
    """In order of birth, place each allocation in the smallest gap that holds it, and free dead ones. Returns the bytes
    needed, and the size of the largest live set."""
    live: list[tuple[int, int, int]] = []  # last, offset, end; a heap
    gaps = _Gaps()
    peak = used = most = 0
    for allocation in allocations:
        while live and live[0][0] < allocation.first:
            _, start, end = heappop(live)
            used -= end - start
            gaps.give(start, end)
        size = aligned(allocation.type.nbytes)
        allocation.offset = gaps.take(size) if size else 0
        if size:
            heappush(live, (allocation.last, allocation.offset, allocation.offset + size))
            used += size
        peak, most = max(peak, gaps.end), max(most, used)
    return peak, most
