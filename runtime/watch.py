"""Watches: whether somebody assigns to a Parameter while a program that is going to commit has read it.

A signal handler does that which comes while the program computes. Then nothing is written, and the program runs again,
as if the handler had come before it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from types import CodeType, FrameType

import numpy as np

Run = Callable[..., "tuple[np.ndarray, ...]"]


class Watch:
    """Whether somebody has assigned to what a run had read that is going to commit."""

    __slots__ = ("disturbed",)

    def __init__(self) -> None:
        self.disturbed = False


class Disturbed(BaseException):
    """Somebody has assigned to what a run had read, before it wrote anything."""


INSIDE: ContextVar[bool] = ContextVar("INSIDE", default=False)
"""Whether a program is running: each has a context of its own."""

_RUNS: set[CodeType] = set()  # the code of the function that `committing` gives


def assigned(*arrays: np.ndarray) -> None:
    """Tell the runs of this thread that these arrays of Parameters have been assigned to, not by them."""
    if INSIDE.get():
        _disturb(sys._getframe(1), arrays)


def _disturb(frame: FrameType | None, arrays: Sequence[np.ndarray]) -> None:
    """Tell the runs that a frame is in. They are found by their frames, so that a run itself has nothing to note."""
    assigned_to = set(map(id, arrays))
    while frame is not None:
        if frame.f_code in _RUNS:
            own = frame.f_locals
            if "watch" in own and not assigned_to.isdisjoint(map(id, own["arrays"])):
                own["watch"].disturbed = True
        frame = frame.f_back


def committing(bound: Callable[[], tuple[Run, Watch]]) -> Run:
    """Run a program that commits, on a free arena; again where somebody has assigned to what it has read.

    Args:
        bound: makes the program's function on a new arena, and gives that arena's watch.
    """
    free: list[tuple[Run, Watch]] = []
    pop, push, inside = free.pop, free.append, INSIDE.get  # the first two are atomic, so no two runs share an arena

    def run(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        try:
            own = pop()
        except IndexError:
            own = bound()
        function, watch = own
        watch.disturbed = False
        try:
            return function(*arrays)
        except Disturbed:
            return _again(function, arrays, watch)
        finally:
            push(own)
            if inside():  # this is a handler's, or inside of what another program calls
                _disturb(sys._getframe(1), arrays)

    _RUNS.add(run.__code__)
    return run


def _again(function: Run, arrays: tuple[np.ndarray, ...], watch: Watch) -> tuple[np.ndarray, ...]:
    """Run until nobody disturbs it."""
    while True:
        watch.disturbed = False
        try:
            return function(*arrays)
        except Disturbed:
            continue
