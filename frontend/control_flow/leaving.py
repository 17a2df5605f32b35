"""Escaping values: a compiled function returns lazy sequences as tuples and lists, and no value of the trace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors.classes import GraphBreak
from .builtins import finished, materialize
from .join import ChosenFunction
from .state import is_traced
from .texts import TracedText
from .while_loops import TracedRange

__all__ = ["finished_value"]


def finished_value(value: Any) -> Any:
    """A value that leaves the compiled function: lazy sequences as tuples and lists."""
    return finished(value, _leaving)


def _leaving(value: Any) -> Any:
    """A value, or an item of a container, that leaves the compiled function."""
    value = materialize(value)
    if isinstance(value, TracedText):
        raise GraphBreak(
            f"the string {value.outline()!r} holds values that exist only when the program runs",
            "Return the tensors, or print the string",
        )
    if isinstance(value, slice) and any(map(is_traced, (value.start, value.stop, value.step))):
        raise GraphBreak("a slice whose bounds only the run knows cannot leave the compiled function")
    if isinstance(value, Iterator):
        raise GraphBreak("an iterator, whose items the trace may have computed, cannot leave the compiled function")
    if isinstance(value, (ChosenFunction, TracedRange)):
        raise GraphBreak(f"{value!r} is known only at run time and cannot leave the compiled function")
    return value
