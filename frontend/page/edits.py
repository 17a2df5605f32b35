"""Edit scripts: the differences between the lines of two stages, in time n log n."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

Edit = tuple[int, int, list[int]]
"""How many lines are kept, then how many are removed, then which are added."""


def edit_script(old: Sequence[int], new: Sequence[int]) -> list[Edit]:
    """The lines to keep, remove and add, in order, that turn `old` into `new`."""
    edits: list[Edit] = []
    kept = at_old = at_new = 0
    for i, j in [*_common(old, new), (len(old), len(new))]:
        if i > at_old or j > at_new:
            edits.append((kept, i - at_old, list(new[at_new:j])))
            kept = 0
        kept += 1
        at_old, at_new = i + 1, j + 1
    if kept > 1:
        edits.append((kept - 1, 0, []))
    return edits


def _common(old: Sequence[int], new: Sequence[int]) -> list[tuple[int, int]]:
    """Positions of common lines in the same order: lines that occur once in each, and equal neighbours."""
    once_old, once_new = Counter(old), Counter(new)
    where = {line: i for i, line in enumerate(old) if once_old[line] == 1}
    anchors = [(where[line], j) for j, line in enumerate(new) if once_new[line] == 1 and line in where]
    pairs: list[tuple[int, int]] = []

    def close(end_old: int, end_new: int) -> None:
        """Match equal lines after the last pair and before an anchor."""
        start_old, start_new = (pairs[-1][0] + 1, pairs[-1][1] + 1) if pairs else (0, 0)
        while start_old < end_old and start_new < end_new and old[start_old] == new[start_new]:
            pairs.append((start_old, start_new))
            start_old, start_new = start_old + 1, start_new + 1
        before = []
        while start_old < end_old and start_new < end_new and old[end_old - 1] == new[end_new - 1]:
            end_old, end_new = end_old - 1, end_new - 1
            before.append((end_old, end_new))
        pairs.extend(reversed(before))

    for i, j in _longest_rising(anchors):
        close(i, j)
        pairs.append((i, j))
    close(len(old), len(new))
    return pairs


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest subsequence of pairs, sorted by their second numbers, in which the first numbers rise."""
    tails: list[int] = []
    places: list[int] = []
    before: list[int] = []
    for place, (first, _) in enumerate(pairs):
        at = bisect_left(tails, first)
        before.append(places[at - 1] if at else -1)
        if at == len(tails):
            tails.append(first)
            places.append(place)
        else:
            tails[at], places[at] = first, place
    found, place = [], places[-1] if places else -1
    while place >= 0:
        found.append(pairs[place])
        place = before[place]
    return found[::-1]
