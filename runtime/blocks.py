"""Running a function over blocks of rows, on several threads where it pays, and how large a block should be."""

from __future__ import annotations

import contextvars
import itertools
import os
import threading
from collections.abc import Callable, Sequence
from functools import cache, partial
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
    function: Callable[..., None],
    rows: int,
    piece: int,
    arrays: Sequence[Any],
    scratch: Sequence[Sequence[Any]],
    sums: Sequence[Sequence[Any]] | None = None,
) -> None:
    """Call `function(start, stop, *arrays, *scratch, *sums)` on pieces of so many rows that make up all of them.

    Each thread has a scratch of its own and takes one piece after another; each piece has sums of its own, so that what
    they add up to does not depend on which thread had which.
    """
    if sums is None:
        sums = [()] * -(-rows // piece)
    if len(scratch) == 1:
        for number, start in enumerate(range(0, rows, piece)):
            function(start, min(start + piece, rows), *arrays, *scratch[0], *sums[number])
        return
    numbers = itertools.count()
    own_sums = sums

    def work(own: Sequence[Any]) -> None:
        for number in numbers:  # a step of the counter is atomic
            start = number * piece
            if start >= rows:
                return
            function(start, min(start + piece, rows), *arrays, *own, *own_sums[number])

    workers = _take_workers(min(len(scratch), -(-rows // piece)) - 1)
    try:
        for worker, own in zip(workers, scratch[1:], strict=False):
            worker.give(partial(work, own))
        try:
            work(scratch[0])
        finally:
            for worker in workers:
                worker.wait()
    finally:
        for worker in workers:
            worker.free.release()
