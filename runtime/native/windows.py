"""Index-set splitting for bounded reads: the ranges of the loops in which a window of an array is read, and in which it
is zero.

An array with bounds is read only inside of them; elsewhere its value is zero. Index-set splitting keeps the comparisons
out of the inner loop: the columns are divided at the bounds, and most rows run in code for rows inside the bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from ..records import NamedTuple
from .builder import VECTOR, Unsupported
from .language import LANES, SIZES, Array, Kernel, crosses

Status = bool | bytes
"""Whether a vector of columns is inside the bounds; or a mask of its bytes."""

MOST_SEGMENTS = 16  # into which the columns are divided; each has code of its own


class Segment(NamedTuple):
    """A range of columns in which each bounded array is read in one way, by its name."""

    start: int
    end: int
    status: Mapping[str, Status]


def check_bounds(array: Array, kernel: Kernel, width: int) -> None:
    """Raise `Unsupported` for bounds that are invalid, or that machine code has no masked load for."""
    if array.role != "in" or LANES.get(array.dtype, width) not in (width, 4):
        raise Unsupported(f"{array.name} of {array.dtype} has bounds")
    if len(array.bounds) != len(kernel.extents):
        raise Unsupported(f"{array.name} has {len(array.bounds)} bounds for {len(kernel.extents)} loops")
    for (low, high), extent in zip(array.bounds, kernel.extents, strict=True):
        if not 0 <= low < high <= extent:
            raise Unsupported(f"{array.name} is bounded by {low} and {high} of {extent}")
    size = SIZES[array.dtype]
    one = (size == width and array.dtype != "bool") or not crosses(array, len(kernel.extents) - 1, kernel.extents)
    if kernel.extents[-1] > 1 and array.strides[-1] not in (0 if one else size, size):
        raise Unsupported(f"the bounded columns of {array.name} do not lie side by side")


def _status(low: int, high: int, start: int, end: int, width: int) -> Status:
    """Whether the columns from `start` to `end` are inside, outside, or across the bounds."""
    if low <= start and end <= high:
        return True
    if high <= start or end <= low:
        return False
    before, inside = max(low - start, 0), min(high, end) - max(low, start)
    return (b"\0" * (before * width) + b"\xff" * (inside * width)).ljust((end - start) * width, b"\0")


def lanes_inside(status: Status, width: int) -> list[int]:
    """The lanes that a mask of bytes has; none of other states."""
    return [lane for lane, byte in enumerate(status[::width]) if byte] if isinstance(status, bytes) else []


def column_cuts(kernel: Kernel, width: int, vector: int = VECTOR) -> list[int]:
    """Where the segments of a row begin and end. Raises `Unsupported` if there are too many."""
    lanes, columns = vector // width, kernel.extents[-1]
    whole = columns // lanes * lanes
    points = [0, whole, columns]
    for cut in [cut for array in kernel.arrays if array.bounds for cut in array.bounds[-1] if cut < whole]:
        start = cut // lanes * lanes
        points += [start] if start == cut else [start, start + lanes]
    points = _in_order(points)
    if len(points) > MOST_SEGMENTS:
        raise Unsupported("the columns have too many bounds")
    return points


def _in_order(points: list[int]) -> list[int]:
    """The different numbers. They may be symbolic, which no set has."""
    points.sort()
    return [point for point, before in zip(points, [None, *points], strict=False) if point != before]


def divide_columns(kernel: Kernel, width: int, vector: int) -> list[Segment]:
    """The whole vectors of a row in segments; last, if there are any, the columns that do not fill a vector."""
    bounded = {array.name: array.bounds[-1] for array in kernel.arrays if array.bounds}
    return [
        Segment(start, end, {name: _status(*bounds, start, end, width) for name, bounds in bounded.items()})
        for start, end in pairwise(column_cuts(kernel, width, vector))
    ]


def main_rows(kernel: Kernel) -> dict[int, tuple[int, int]]:
    """For each outer loop that crosses bounds the longest range of indices that crosses none."""
    found: dict[int, tuple[int, int]] = {}
    for loop, extent in enumerate(kernel.extents[:-1]):
        crossing = [array for array in kernel.arrays if crosses(array, loop, kernel.extents)]
        if crossing:
            order = _in_order([0, extent, *[cut for array in crossing for cut in array.bounds[loop]]])
            found[loop] = max(pairwise(order), key=lambda span: span[1] - span[0])
    return found


def outside_rows(kernel: Kernel, main: Mapping[int, tuple[int, int]]) -> frozenset[str]:
    """The arrays that are zero in all of the main rows."""
    return frozenset(
        array.name
        for array in kernel.arrays
        if array.bounds
        and any(end <= array.bounds[loop][0] or array.bounds[loop][1] <= start for loop, (start, end) in main.items())
    )
