"""MindSpore's primitives as attributes of layers: made when a subclass first reads them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .. import ops

_UPPER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
Makers = dict[str, Callable[[Any], Any]]


def primitives(kinds: str = "", **names: str | Callable[[Any], Any]) -> Makers:
    """How a layer's attributes are made: from the name of a primitive without arguments, or by a function of the layer.

    The result belongs into `_held` of the layer's class. The layers here do not use these attributes themselves.

    Args:
        kinds: primitives, separated by spaces, whose attributes have their names in snake case: "Abs LogicalAnd".
        names: attributes of other names, each with its primitive or function.
    """
    found: Makers = {_UPPER.sub("_", kind).lower(): _plain(kind) for kind in kinds.split()}
    return found | {name: _plain(make) if isinstance(make, str) else make for name, make in names.items()}


def _plain(kind: str) -> Callable[[Any], Any]:
    return lambda layer: getattr(ops, kind)()
