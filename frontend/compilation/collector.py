"""Scopes of a trace: garbage collection is off during trace and compilation, and the thread's state is restored
afterwards."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

from ...runtime.collector import settle
from ..control_flow.state import stack_depth, usual_stack
from ..state import STATE

__all__ = ["in_order"]


def in_order(function: Callable[..., Any], *arguments: Any) -> Any:
    """Trace and compile without the garbage collector. In any case the thread's state is restored afterwards: an
    interrupt may come at any instruction, also during the clean-up."""
    was_on, depth = gc.isenabled(), stack_depth()
    try:
        try:
            gc.disable()
            made = STATE.keeping(function, *arguments)
            if was_on:
                settle()
            return made
        finally:
            _put_back(was_on, depth)
    finally:
        _put_back(was_on, depth)


def _put_back(was_on: bool, depth: int) -> None:
    usual_stack(depth)
    if was_on:
        gc.enable()
