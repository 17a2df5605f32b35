"""Eager runs of compiled functions: the outermost one gives the same results and errors as a compiled run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..control_flow.builtins import finished
from ..state import STATE
from .blame import blame


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
