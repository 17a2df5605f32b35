"""Scopes of a call: garbage collection rests during trace and compilation; eager runs give what compiled ones give."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

from ...runtime.collector import settle
from ..control_flow.builtins import finished
from ..control_flow.state import stack_depth, usual_stack
from ..state import STATE
from .blame import blame


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


def run_outermost(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run a function eagerly. If it is the outermost one, its result is `finished`, and its errors name their line."""
    if STATE.inside:
        return function(*args, **kwargs)
    STATE.inside = True
    try:
        return finished(function(*args, **kwargs))
    except Exception as error:
        found = blame(error)
        if found is error:
            raise
        raise found from error.__cause__
    finally:
        STATE.inside = False
