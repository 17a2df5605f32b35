"""Garbage collection: Python's collector rests while a function is traced and compiled."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["resting_collector"]

_lock = threading.Lock()
_users = 0
_was_on = False


@contextmanager
def resting_collector() -> Iterator[None]:
    """Switch the collector off in this block.

    A graph is many small objects that live on: the collector would look at all of them again and again, which takes as
    long as compiling does.
    """
    global _users, _was_on
    with _lock:
        if _users == 0:
            _was_on = gc.isenabled()
            gc.disable()
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0 and _was_on:
                gc.enable()
