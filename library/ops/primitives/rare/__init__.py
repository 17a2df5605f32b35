"""Primitives that programs hardly ever make: gradients of others, sparse rows, updates, and work of the host."""

from __future__ import annotations

from typing import Any

from ....index import PRIMITIVES
from ....lazy import ROOT, LazyNames

_HERE = __name__.removeprefix(f"{ROOT}.") + "."
_NAMES = LazyNames(__name__, {name: place for name, place in PRIMITIVES.items() if place.startswith(_HERE)})
__all__ = list(_NAMES.places)


def __getattr__(name: str) -> Any:
    """A primitive, whose table is loaded when it is first asked for."""
    return _NAMES.find(name)


def __dir__() -> list[str]:
    return __all__
