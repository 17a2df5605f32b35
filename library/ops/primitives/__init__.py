"""MindSpore's primitives, the operations as objects such as `ops.Concat(axis)`. Tables make them when they are first
asked for."""

from __future__ import annotations

from typing import Any

from ...index import PRIMITIVES
from ...lazy import ROOT, LazyNames

# MindSpore's functions that are instances of primitives.
_INSTANCES = {"reshape_": "Reshape", "shape_": "Shape", "tensor_slice": "Slice"}


def _made(module: Any, name: str) -> Any:
    """A class that a table makes, or the class of a function."""
    from . import plain

    return getattr(plain if module.__name__.startswith(f"{ROOT}.{plain.FILES}") else module, name)


_NAMES = LazyNames(__name__, PRIMITIVES, f"{ROOT}.ops", _made)
__all__ = [name for name, place in PRIMITIVES.items() if place.rpartition(".")[2] != name] + [*_INSTANCES]


def __getattr__(name: str) -> Any:
    """A primitive, which is made when it is first asked for."""
    if name in _INSTANCES:
        found = globals()[name] = _NAMES.find(_INSTANCES[name])()
        return found
    return _NAMES.find(name)


def __dir__() -> list[str]:
    return __all__
