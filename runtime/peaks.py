"""The roofline of this machine, measured: how fast it multiplies matrices, and how fast it moves memory.

A computation that is faster than the memory's peak runs in the processor's caches.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

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
