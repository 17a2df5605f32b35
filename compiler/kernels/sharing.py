"""Sharing of a kernel by threads: its cost, the pieces that it is divided into, and the tiles of a loop."""

from __future__ import annotations

import math
from dataclasses import replace

from ...runtime.native.builder import Unsupported
from ...runtime.native.check import check
from ...runtime.native.functions import is_cheap, is_division
from ...runtime.native.language import (
    CHOOSING,
    COMBINED,
    READ,
    SCAN,
    SHARED_COLUMNS,
    SIZES,
    Kernel,
    elements,
    is_divided,
    is_scattered,
)
from .loop_nest import least_pieces

PIECES = 4  # for each thread
TILE = 24 << 10  # bytes of what a tile of a loop reads again in each iteration, in the first-level cache
LEAST_TILE = 128  # elements of a tile, so that an iteration seldom waits for the one before

# The least time of a kernel that threads share. A helper comes within a microsecond, or takes 50 to wake up; and what a
# thread has written is in the cache of its processor, from where the kernels that follow on another one read it slowly.
# Kernels of 3.5 µs gain a tenth, those of 1.7 lose a third.
SHARED_NANOSECONDS = 10_000

# Nanoseconds for an element, of AVX2 code on a processor of 3 GHz with its data in the second-level cache.
ACCESS, PLACED, CHEAP, ROW, DIVISION, SERIES = 0.025, 0.25, 0.015, 0.05, 0.12, 0.6


def duration(kernel: Kernel) -> float:
    """The estimated time of a kernel in nanoseconds."""
    each = sum([ACCESS for array in kernel.arrays if array.strides[-1]])
    each += sum([PLACED for array in kernel.arrays if is_scattered(array, kernel)])
    each += sum(nanoseconds(statement.function) for statement in kernel.statements)
    return each * math.prod(kernel.extents)


def nanoseconds(function: str) -> float:
    """The time of a function for an element."""
    if is_cheap(function):
        return CHEAP
    if is_division(function):
        return DIVISION
    return ROW if function.startswith("row_") else SERIES


def shared(kernel: Kernel, threads: int, work: int = 0) -> Kernel | None:
    """A kernel whose outermost loop, or columns, threads share; None if it cannot be divided. `work`: its elements,
    where an iteration computes several.

    Each piece has sums of its own, so that results do not depend on the threads. If one of these would have many
    elements for those that are added up in it, as the sum of a few long rows, the kernel is not shared. Sums that each
    index of the loop has for itself are in the output at once.
    """
    if len(kernel.extents) == 1:
        (size,) = kernel.extents
        part = -(-size // (PIECES * threads * SHARED_COLUMNS)) * SHARED_COLUMNS
        return _if_checked(replace(kernel, pieces=-(-size // part)))
    whole = replace(kernel, pieces=kernel.extents[0])
    combined = [array for array in kernel.arrays if array.role in COMBINED and not is_divided(array, whole)]
    sums = max([elements(array, kernel.extents) for array in combined], default=0)
    most = threads if any(array.at for array in combined) else PIECES * threads  # a sum at positions takes long
    if sums * most * 4 > max(work, math.prod(kernel.extents)):
        return None
    rows = kernel.extents[0]
    if rows < threads:
        return None
    size = -(-rows // min(rows, most))
    if len(combined) < sum(array.role in COMBINED for array in kernel.arrays):  # pieces of some rows, without a rest
        size = next(number for number in range(size, rows + 1) if rows % number == 0)
    pieces = -(-rows // size)
    if pieces < 2:
        return None
    arrays = tuple(a._replace(shape=(pieces, *a.shape)) if a in combined else a for a in kernel.arrays)
    return _if_checked(replace(kernel, arrays=arrays, pieces=pieces))


def pieces_of_sums(kernel: Kernel) -> int:
    """The least number of pieces, for each of which few enough rows are added up to one number."""
    sums = [each for each in kernel.arrays if each.role in COMBINED and each.role not in CHOOSING]
    alone = all(each.dtype.startswith("float") and not any(each.strides) and not each.at for each in sums)
    return least_pieces(kernel.extents) if sums and alone and not kernel.until else 1


def _if_checked(kernel: Kernel) -> Kernel | None:
    """A shared kernel; None if its pieces depend on each other, or separate sums of them are too large."""
    try:
        check(kernel)
    except Unsupported:
        return None
    return kernel


def tiled(kernel: Kernel, threads: int) -> Kernel:
    """Loop tiling: a counted loop runs tile by tile, where no element of its state depends on another one. What an
    iteration reads again stays in the cache, and `threads` can share the tiles.

        over 40 160000                       over 40 40 4000
        state x float32[160000] 0 4    ->    state x float32[160000] 16000 0 4
    """
    extents, written = kernel.extents, [array for array in kernel.arrays if array.role not in READ]
    if kernel.until or len(extents) < 2 or any(array.at or array.bounds for array in kernel.arrays):
        return kernel
    again, rows = 0, 0  # bytes that an iteration reads of what is the same for all, and of what is its own
    for array in kernel.arrays:
        nbytes = elements(array, extents) * SIZES[array.dtype]
        whole = math.prod(array.shape) * SIZES[array.dtype]
        if array.strides[0] and nbytes <= whole:
            rows += nbytes // extents[0]
        elif array.strides[0]:  # rows that overlap
            again += whole
        elif array.role in READ:
            again += nbytes
    least = wanted = -(-again // TILE) if again > rows else 1  # otherwise it waits for its rows
    if threads > 1:
        least, wanted = max(least, 2 * threads), max(wanted, PIECES * threads)
    elif wanted < 2:
        return kernel
    for loop, extent in enumerate(extents[1:], 1):
        columns = loop == len(extents) - 1
        if not all(array.strides[loop] for array in written):
            return kernel
        if columns and any(statement.function.startswith(("row_", SCAN)) for statement in kernel.statements):
            return kernel
        most = min(2 * wanted, math.prod(extents[loop:]) // LEAST_TILE)
        counts = [count for count in range(max(least, 2), most + 1) if extent % count == 0]
        if counts:  # tiles of whole vectors are best
            count = min(counts, key=lambda n: (columns and extent // n % 16 > 0, abs(n - wanted)))
            return _in_tiles(kernel, loop, count)
        least, wanted = -(-least // extent), -(-wanted // extent)
    return kernel


def _in_tiles(kernel: Kernel, loop: int, count: int) -> Kernel:
    """The kernel with the iterations inside of so many tiles, which one of its loops is divided into."""
    part = kernel.extents[loop] // count

    def around(values: tuple[int, ...], first: int, last: int) -> tuple[int, ...]:
        return (first, *values[1:loop], values[0], last, *values[loop + 1 :])

    arrays = [a._replace(strides=around(a.strides, a.strides[loop] * part, a.strides[loop])) for a in kernel.arrays]
    return replace(kernel, extents=around(kernel.extents, count, part), arrays=tuple(arrays))
