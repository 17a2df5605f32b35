"""The processors that this process may use, and their caches; how many threads a computation is worth, and how many the
BLAS has."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy  # noqa: F401  its module in C is looked up below

# OpenBLAS under the names that NumPy's wheels, conda and distributions give it.
NAMES = (
    "scipy_openblas_{}_num_threads64_",
    "scipy_openblas_{}_num_threads",
    "openblas_{}_num_threads64_",
    "openblas_{}_num_threads",
)


def _find_blas() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """The functions of the BLAS that get and set its number of threads."""
    linked = sys.modules.get("numpy._core._multiarray_umath") or sys.modules.get("numpy.core._multiarray_umath")
    try:
        # A library gives access to the libraries that it is linked with. These calls are too short to release the lock.
        library = ctypes.PyDLL(getattr(linked, "__file__", None))
    except OSError:
        return None
    for name in NAMES:
        tell, set_to = (getattr(library, name.format(verb), None) for verb in ("get", "set"))
        if tell is not None and set_to is not None:
            tell.argtypes, tell.restype = (), ctypes.c_int
            set_to.argtypes, set_to.restype = (ctypes.c_int,), None
            return tell, set_to
    return None


_of_blas = _find_blas()


def blas_threads() -> int:
    """The number of threads of the BLAS; 0 if it is unknown."""
    return 0 if _of_blas is None else _of_blas[0]()


def use_blas_threads(count: int) -> None:
    """Set the number of threads of the BLAS, for the whole process. Without effect if the BLAS has no such function."""
    if _of_blas is not None:
        _of_blas[1](count)


# Floating-point operations of a product or convolution from which on threads share it: 0.15 ms or more on one, of which
# handing work over takes a tenth. What the other processor has written is in its cache, not in this one's.
PARALLEL_FLOPS = 24_000_000
# The same where machine code does all of it, without Python: handing over takes a few microseconds.
TEAM_FLOPS = 4_000_000

# More threads that run Python stand in each other's way: one at a time has the interpreter.
MOST_THREADS = 8


def processor_count() -> int:
    """The number of processors that this process may use. A container may get the time of fewer processors than it
    sees."""
    seen = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(seen, _quota()))


def processor_numbers() -> list[int]:
    """The numbers of the processors that this process may run on."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


def share_processors(others: Sequence[Sequence[int]]) -> None:
    """Use this process's share of the processors, for several processes of one job run on this machine.

    Threads that spin for processors which other processes need would delay these. Variables of the environment that say
    how many threads there should be have the last word.

    Args:
        others: the processors that each of these processes may run on, this one's too.
    """
    global _most
    held = [set(each) for each in others]
    share = sum(1 / sum(number in each for each in held) for number in processor_numbers())
    _most = max(1, int(min(share, _quota() / len(held)) + 1e-6))
    if not any(os.environ.get(name) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")) and blas_threads() > _most:
        use_blas_threads(_most)


def _content_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


@cache
def _quota(root: str = "/sys/fs/cgroup") -> int:
    """The number of processors whose time the control group (version 2 or 1) may use; a large number if it is
    unlimited."""
    for names in (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us")):
        try:
            words = b" ".join(_content_of(os.path.join(root, name)) for name in names).split()
        except OSError:
            continue
        if len(words) == 2 and all(word.isdigit() for word in words) and int(words[1]):
            return -(-int(words[0]) // int(words[1]))
    return sys.maxsize


def _asked_for(environment: Mapping[str, str] = os.environ) -> int:
    """The number of threads that OMP_NUM_THREADS asks for, as other libraries read it; a large number without it."""
    first = environment.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return int(first) if first.isdecimal() and int(first) else sys.maxsize


_given = _asked_for()
_most = sys.maxsize


def thread_count(processors: int | None = None) -> int:
    """The number of threads that may compute at once, on all processors or so many."""
    return min(processors or processor_count(), MOST_THREADS, _given if _given < sys.maxsize else _most)


def worth_sharing(threads: int, amount: float, least: float) -> int:
    """The number of threads that an amount of work is worth: two from `least` on, one more for each half of that."""
    if amount < least:
        return 1
    return min(threads, int(2 * amount / least)) if least else threads


DEFAULT_CACHE = 1 << 20


@cache
def cache_bytes(index: int = 2, default: int = DEFAULT_CACHE) -> int:
    """The size of the level-2 cache of a core, or of the shared cache (index 3); a default if the system does not
    say."""
    try:
        with open(f"/sys/devices/system/cpu/cpu0/cache/index{index}/size", encoding="ascii") as file:
            text = file.read().strip()
    except OSError:
        return default
    units = {"K": 1 << 10, "M": 1 << 20}
    if text[-1:] in units and text[:-1].isdigit():
        return int(text[:-1]) * units[text[-1]]
    return int(text) if text.isdigit() else default
