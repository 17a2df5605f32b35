"""Scopes of a trace: garbage collection is off during trace and compilation, and the thread's state is restored
afterwards."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

from ..control_flow.state import stack_depth, usual_stack
from ..state import STATE

__all__ = ["in_order", "resting_collector"]


class resting_collector:
    """A context in which the garbage collector is off.

    A graph consists of many small objects that stay alive. The collector would visit them again and again, which takes
    as long as compiling. The thread that has switched it off switches it on again, so the last of several threads may
    run without it.
    """

    def __enter__(self) -> None:
        self.was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *error: object) -> None:
        if self.was_on:
            gc.enable()


def in_order(function: Callable[..., Any], *arguments: Any) -> Any:
    """Trace and compile without the garbage collector. In any case the thread's state is restored afterwards: an
    interrupt may come at any instruction, also during the clean-up."""
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
