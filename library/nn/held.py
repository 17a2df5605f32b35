"""MindSpore's primitives as attributes of layers: made when a subclass first reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import ops

Makers = dict[str, Callable[[Any], Any]]


def primitives(**names: str | Callable[[Any], Any]) -> Makers:
    """How a layer's attributes are made: from the name of a primitive without arguments, or by a function of the layer.

    The result belongs into `_held` of the layer's class. The layers here do not use these attributes themselves.
    """
    return {name: _plain(make) if isinstance(make, str) else make for name, make in names.items()}


def _plain(kind: str) -> Callable[[Any], Any]:
    return lambda layer: getattr(ops, kind)()
