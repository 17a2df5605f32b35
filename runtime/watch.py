"""Watches: they notice assignments to Parameters that a running program has read and is going to commit to.

Such an assignment can come from a signal handler that runs while the program computes. Then nothing is written, and the
program runs again, as if the handler had run before it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from types import CodeType, FrameType

import numpy as np

Run = Callable[..., "tuple[np.ndarray, ...]"]


class Watch:
    """Whether a Parameter that a run has read has been assigned to, before the run commits."""

    __slots__ = ("disturbed",)

    def __init__(self) -> None:
        self.disturbed = False


class Disturbed(BaseException):
    """A Parameter was assigned to after a run read it, and before the run wrote anything."""


INSIDE: ContextVar[bool] = ContextVar("INSIDE", default=False)
"""Whether a program is running: each has a context of its own."""

_RUNS: set[CodeType] = set()  # the code of the function that `committing` gives


def assigned(*arrays: np.ndarray) -> None:
    """Tell the running programs of this thread that these arrays of Parameters have been assigned to from outside."""
    if INSIDE.get():
        _disturb(sys._getframe(1), arrays)


def _disturb(frame: FrameType | None, arrays: Sequence[np.ndarray]) -> None:
    """Tell the runs whose functions are on a stack of frames. They are found by their frames, so that a run itself has
    nothing to note."""
    assigned_to = set(map(id, arrays))
    while frame is not None:
        if frame.f_code in _RUNS:
            own = frame.f_locals
            if "watch" in own and not assigned_to.isdisjoint(map(id, own["arrays"])):
                own["watch"].disturbed = True
        frame = frame.f_back


def committing(free: list[tuple[Run, Watch]], another: Callable[[], tuple[Run, Watch]]) -> Run:
    """Run a program that commits on a free arena; run it again if it was disturbed.

    Args:
        free: the program's function on each free arena, with the arena's watch.
        another: gives those of one more arena.
    """
    pop, push, inside = free.pop, free.append, INSIDE.get  # the first two are atomic, so no two runs share an arena

    def run(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        try:
            own = pop()
        except IndexError:
            own = another()
        function, watch = own
        watch.disturbed = False
        try:
            return function(*arrays)
        except Disturbed:
            return _again(function, arrays, watch)
        finally:
            push(own)
            if inside():  # this runs in a handler, or inside of a call of another program
                _disturb(sys._getframe(1), arrays)

    _RUNS.add(run.__code__)
    return run


def _again(function: Run, arrays: tuple[np.ndarray, ...], watch: Watch) -> tuple[np.ndarray, ...]:
    """Run until it is not disturbed."""
    while True:
        watch.disturbed = False
        try:
            return function(*arrays)
        except Disturbed:
            continue
