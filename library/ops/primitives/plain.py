"""Primitives without arguments of their own: functions as objects, as the function table names them."""

from __future__ import annotations

from typing import Any

from ... import functions
from ...index import PRIMITIVES
from .primitive import make_class

FILES = "library.functions."


def __getattr__(name: str) -> Any:
    """The class of a primitive, which is made when it is first asked for."""
    place = PRIMITIVES.get(name, "")
    if not place.startswith(FILES):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = make_class(name, functions.record("primitive", name, place).name, __name__)
    return found
