"""What rests while a function is traced and compiled, and is put back: garbage collection, and the thread's state."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

from ..control_flow.state import stack_depth, usual_stack
from ..state import STATE

__all__ = ["in_order", "resting_collector"]


class resting_collector:
    """Switch the collector off in this block.

    A graph is many small objects that live on: the collector would look at all of them again and again, which takes as
    long as compiling does. Who has switched it off switches it on again, so the last of several threads may do without.
    """

    def __enter__(self) -> None:
        self.was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *error: object) -> None:
        if self.was_on:
            gc.enable()


def in_order(function: Callable[..., Any], *arguments: Any) -> Any:
    """Trace and compile while the collector rests. However that ends, this thread is then as it was before: an
    interrupt may come at any instruction, at those of the blocks that put things back, too."""
    was_on, depth = gc.isenabled(), stack_depth()
    try:
        try:
            gc.disable()
            return STATE.keeping(function, *arguments)
        finally:
            _put_back(was_on, depth)
    finally:
        _put_back(was_on, depth)


def _put_back(was_on: bool, depth: int) -> None:
    usual_stack(depth)
    if was_on:
        gc.enable()
