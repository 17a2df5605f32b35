"""The names of a network's inputs, as exported files have them."""

from __future__ import annotations

import inspect
from typing import Any

from ...frontend.values.cell import Cell


def argument_names(net: Any, count: int) -> list[str]:
    """The user's names of the inputs; inputs after the last name have numbers."""
    function = type(net).construct if isinstance(net, Cell) else getattr(net, "function", net)
    try:
        parameters = list(inspect.signature(getattr(function, "function", function)).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    if isinstance(net, Cell):
        parameters = parameters[1:]
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [parameter.name for parameter in parameters if parameter.kind in plain]
    return [names[place] if place < len(names) else f"x{place}" for place in range(count)]
