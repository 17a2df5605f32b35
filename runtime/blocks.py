"""Running a function over blocks of rows, on several threads where it pays, and how large a block should be."""

from __future__ import annotations

import contextvars
import os
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

DEFAULT_CACHE = 1 << 20


@cache
def cache_bytes() -> int:
    """The size of a core's own cache (level 2), as far as the system tells."""
    try:
        with open("/sys/devices/system/cpu/cpu0/cache/index2/size", encoding="ascii") as file:
            text = file.read().strip()
    except OSError:
        return DEFAULT_CACHE
    units = {"K": 1 << 10, "M": 1 << 20}
    if text[-1:] in units and text[:-1].isdigit():
        return int(text[:-1]) * units[text[-1]]
    return int(text) if text.isdigit() else DEFAULT_CACHE


def thread_count() -> int:
    """How many threads may compute at once: the processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Worker(threading.Thread):
    """A thread that waits for one piece of work after another."""

    def __init__(self) -> None:
        super().__init__(name="mycel-worker", daemon=True)
        self.free = threading.Lock()  # held by whoever has given it work
        self.ready = threading.Semaphore(0)
        self.finished = threading.Semaphore(0)
        self.work: Callable[[], Any] | None = None
        self.error: BaseException | None = None
        self.start()

    def run(self) -> None:
        """Work until the process ends."""
        context = contextvars.Context()
        context.run(np.seterr, all="ignore")
        while True:
            self.ready.acquire()
            work, self.work = self.work, None
            try:
                if work is not None:
                    context.run(work)
            except BaseException as error:
                self.error = error
            work = None
            self.finished.release()

    def give(self, work: Callable[[], Any]) -> None:
        """Start a piece of work; the caller holds `free`."""
        self.work = work
        self.ready.release()

    def wait(self) -> None:
        """Wait for the work that was given, and raise what it raised."""
        self.finished.acquire()
        error, self.error = self.error, None
        if error is not None:
            raise error


_workers: list[_Worker] = []
_starting = threading.Lock()


def _forget_workers() -> None:
    """Threads do not survive a fork."""
    global _starting
    _workers.clear()
    _starting = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_workers)


def _take_workers(count: int) -> list[_Worker]:
    """Up to `count` workers that have nothing to do, now held by the caller."""
    if len(_workers) < count:
        with _starting:
            while len(_workers) < count:
                _workers.append(_Worker())
    return [worker for worker in _workers[:count] if worker.free.acquire(blocking=False)]


def run_blocks(
    function: Callable[..., None], rows: int, size: int, arrays: Sequence[Any], scratch: Sequence[Sequence[Any]]
) -> int:
    """Call `function(start, stop, *arrays, *scratch)` on ranges of rows that make up all, one for each scratch at most.

    Ranges start at multiples of `size`, the rows of a block. Gives the number of ranges; the i-th used the i-th
    scratch.
    """
    if len(scratch) == 1:
        function(0, rows, *arrays, *scratch[0])
        return 1
    blocks = -(-rows // size)
    workers = _take_workers(min(len(scratch), blocks) - 1)
    try:
        parts = len(workers) + 1
        bounds = [min(rows, blocks * part // parts * size) for part in range(parts + 1)]
        for part, worker in enumerate(workers, 1):
            worker.give(_piece(function, bounds[part], bounds[part + 1], arrays, scratch[part]))
        try:
            function(0, bounds[1], *arrays, *scratch[0])
        finally:
            for worker in workers:
                worker.wait()
    finally:
        for worker in workers:
            worker.free.release()
    return parts


def _piece(
    function: Callable[..., None], start: int, stop: int, arrays: Sequence[Any], scratch: Sequence[Any]
) -> Callable[[], None]:
    return lambda: function(start, stop, *arrays, *scratch)
