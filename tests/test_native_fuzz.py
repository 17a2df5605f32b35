"""A random search over kernels and programs on arrays between pages that cannot be touched.

MYCEL_FUZZ says how many programs the long search draws; `python tests/native_fuzz.py 100000` does the same by itself.
"""

from __future__ import annotations

import os

import pytest
from drawn_kernels import DrawnKernel
from native_fuzz import search

from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def nothing_is_found(start: int, count: int) -> None:
    ran, found = search(start, count)
    assert not found, "\n".join(item.what for item in found[:5])
    assert ran == count


def test_the_kinds_of_kernels_that_are_drawn() -> None:
    """The search draws all kinds of kernels."""
    drawn = [DrawnKernel(seed) for seed in range(1, 600, 2)]
    for kind in ("exact", "special", "smooth"):
        assert sum(kernel.kind == kind for kernel in drawn) > 20
    for wanted in (" from ", "state ", "shared ", "add ", "row_", "bool[", "int16[", "int64[", "float64[", " -4 "):
        assert sum(wanted in kernel.text for kernel in drawn) > 10, wanted
    assert sum(len(kernel.arrays) > 12 for kernel in drawn) > 5


def test_a_short_search() -> None:
    nothing_is_found(0, 80)


@pytest.mark.slow
def test_a_long_search() -> None:
    nothing_is_found(1000, int(os.environ.get("MYCEL_FUZZ", "20000")))
