"""Primitives that programs hardly ever make: gradients of others, sparse rows, updates, and work of the host."""

from __future__ import annotations

from ..primitive import Primitive
from . import draws, factors, gradients, host, more, pictures, segments, sparse, updates

MODULES = (more, gradients, updates, segments, host, factors, pictures, draws, sparse)
CLASSES: dict[str, type[Primitive]] = {name: kind for module in MODULES for name, kind in module.CLASSES.items()}
globals().update(CLASSES)
__all__ = list(CLASSES)
