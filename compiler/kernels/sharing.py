"""Sharing of a kernel by threads: its cost, and the number of pieces that it is divided into."""

from __future__ import annotations

import math
from dataclasses import replace

from ...runtime.native.builder import Unsupported
from ...runtime.native.check import check
from ...runtime.native.functions import is_cheap, is_division
from ...runtime.native.language import COMBINED, SCAN, Kernel, elements

PIECES = 4  # for each thread


# The least time of a kernel that threads share. A helper comes within a microsecond, or takes 50 to wake up; and what a
# thread has written is in the cache of its processor, from where the kernels that follow on another one read it slowly.
SHARED_NANOSECONDS = 20_000

# Nanoseconds for an element, of AVX2 code on a processor of 3 GHz with its data in the second-level cache.
ACCESS, CHEAP, ROW, DIVISION, SERIES = 0.025, 0.015, 0.05, 0.12, 0.6


def duration(kernel: Kernel) -> float:
    """The estimated time of a kernel in nanoseconds."""
    each = sum(ACCESS for array in kernel.arrays if array.strides[-1])
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
    """A kernel whose outermost loop threads share; None if it cannot be divided. `work`: its elements, where an
    iteration computes several.

    Each piece has sums of its own, so that results do not depend on the threads. If one of these would have many
    elements for those that are added up in it, as the sum of a few long rows, the kernel is not shared.
    """
    sums = max([elements(array, kernel.extents) for array in kernel.arrays if array.role in COMBINED], default=0)
    if any(array.at and array.role in COMBINED for array in kernel.arrays):
        return None
    if sums * PIECES * threads * 4 > max(work, math.prod(kernel.extents)):
        return None
    if len(kernel.extents) == 1:
        if any(array.bounds for array in kernel.arrays):
            return None
        if sums or any(statement.function.startswith(("row_", SCAN)) for statement in kernel.statements):
            return None
        (size,) = kernel.extents
        count = next((n for n in range(PIECES * threads, 1, -1) if size % (8 * n) == 0), None)
        if count is None:
            return None
        part = size // count
        arrays = tuple(a._replace(strides=(a.strides[0] * part, a.strides[0])) for a in kernel.arrays)
        kernel = replace(kernel, extents=(count, part), arrays=arrays)
    rows = kernel.extents[0]
    if rows < threads:
        return None
    size = -(-rows // min(rows, PIECES * threads))
    pieces = -(-rows // size)
    arrays = tuple(a._replace(shape=(pieces, *a.shape)) if a.role in COMBINED else a for a in kernel.arrays)
    kernel = replace(kernel, arrays=arrays, pieces=pieces)
    try:
        check(kernel)
    except Unsupported:  # the separate sums of the pieces are too large
        return None
    return kernel
