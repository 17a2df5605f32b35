"""Thresholds for tiles and threads: fixed ones, and ones that a quick measurement finds for this machine; and its
roofline: how fast it multiplies matrices and moves memory. What is faster than memory runs in the caches."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache

import numpy as np

from .processors import cache_bytes, thread_count
from .records import dataclass
from .threads import share, sharing

CACHE_SHARE = 2.0  # of a core's own cache, for all that a block touches; beyond one it comes from the shared cache
SMALLEST_FOR_THREADS = 1 << 18  # elements times nodes; below, another thread costs more than it saves

SHARES = (CACHE_SHARE, 1.0, 0.5)  # that are tried; the first is kept unless another is clearly better
CLEARLY = 0.95
ELEMENTS = 1 << 20  # of the arrays measured on
ROUNDS = 4
HANDING = 12  # pieces of work for the measurement of a hand-over
MARGIN = 1.5  # by how much two threads should save more than handing over costs
LONGEST = 0.08  # seconds; a machine that needs longer is busy with something else
LONGEST_HANDING = 1e-4  # seconds; the same
BUSY = 1.15  # times the processor's time
LEAST_WORK, MOST_WORK = 1 << 16, 1 << 22


@dataclass(frozen=True)
class Thresholds:
    """Sizes that decide how fused groups of elementwise nodes run.

    Attributes:
        tile_bytes: of all values that live at once for a block of rows.
        thread_work: elements times nodes from which on several threads share a group.
    """

    tile_bytes: int
    thread_work: int


def fixed() -> Thresholds:
    """The thresholds for machines that have not been measured."""
    return Thresholds(int(cache_bytes() * CACHE_SHARE), SMALLEST_FOR_THREADS)


def measure() -> Thresholds | None:
    """The best thresholds for this machine, measured in less than 100 ms. None if other processes disturb the
    measurement.

    They are rounded, so that most measurements agree.
    """
    end = time.perf_counter() + LONGEST
    source = np.ones(ELEMENTS, np.float32)
    target = np.empty_like(source)
    times = {share_of_cache: float("inf") for share_of_cache in SHARES}
    alone = float("inf")  # the processor time of the first, without that of other processes
    for _ in range(ROUNDS):  # in turns, so that other load on the machine affects all
        for share_of_cache in SHARES:
            tile = max(1024, int(cache_bytes() * share_of_cache) // (3 * source.itemsize))
            began, began_here = time.perf_counter(), time.thread_time()
            _chain(source, target, tile)
            taken, taken_here = time.perf_counter() - began, time.thread_time() - began_here
            times[share_of_cache] = min(times[share_of_cache], taken)
            if share_of_cache == SHARES[0]:
                alone = min(alone, taken_here)
            if time.perf_counter() > end:
                return None
    if times[SHARES[0]] > BUSY * alone:
        return None
    best = SHARES[0]
    for share_of_cache in SHARES[1:]:
        if times[share_of_cache] < CLEARLY * times[SHARES[0]] and times[share_of_cache] < times[best]:
            best = share_of_cache
    work = SMALLEST_FOR_THREADS
    if thread_count() > 1:
        element = times[best] / (ELEMENTS * _CHAIN)
        handing_over = _handing_over(end)
        if handing_over > LONGEST_HANDING:
            return None
        exact = 2 * MARGIN * handing_over / element
        work = min(MOST_WORK, max(LEAST_WORK, 1 << round(float(np.log2(exact)))))
    return Thresholds(int(cache_bytes() * best), work)


_CHAIN = 4  # operations of the chain


def _chain(source: np.ndarray, target: np.ndarray, tile: int) -> None:
    """A chain of elementwise operations, computed tile by tile."""
    scratch = np.empty(tile, source.dtype)
    for start in range(0, len(source), tile):
        part, out = source[start : start + tile], target[start : start + tile]
        inner = scratch[: len(part)]
        np.multiply(part, 1.5, out=inner)
        np.add(inner, part, out=inner)
        np.multiply(inner, part, out=out)
        np.subtract(out, inner, out=out)


def _handing_over(end: float) -> float:
    """The seconds that it takes to give work to another thread and to wait for it, in the middle of a program."""
    best = float("inf")
    with sharing:
        for _ in range(HANDING):
            began = time.perf_counter()
            share(_nothing, 2, 2)
            best = min(best, time.perf_counter() - began)
            if time.perf_counter() > end:
                break
    return best


def _nothing(piece: int, thread: int) -> None:
    """No work."""


SIDE = 640  # of the matrices, which are in the caches
COPIED = 24 << 20  # bytes of the arrays that are copied, which are not
SECONDS = 0.04  # for each of the two


@dataclass(frozen=True)
class Peaks:
    """The best rates that this machine reaches.

    Attributes:
        flops: floating-point operations a second, in a product of matrices of 32-bit numbers, on the cores that the
            BLAS uses.
        bandwidth: bytes a second that one thread reads and writes in memory.
    """

    flops: float
    bandwidth: float


@cache
def measured_peaks() -> Peaks:
    """Measure them, once in a process; it takes a tenth of a second."""
    left = np.ones((SIDE, SIDE), np.float32)
    product = np.empty_like(left)
    source = np.zeros(COPIED, np.uint8)
    target = np.ones(COPIED, np.uint8)
    return Peaks(
        2 * SIDE**3 / _fastest(lambda: np.dot(left, left, product)),
        2 * COPIED / _fastest(lambda: np.copyto(target, source)),
    )


def _fastest(call: Callable[[], object]) -> float:
    """The seconds that a call takes at best."""
    best, end = float("inf"), time.perf_counter() + SECONDS
    while best == float("inf") or time.perf_counter() < end:
        began = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - began)
    return best
