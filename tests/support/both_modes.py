"""Compiled functions against the same functions in Python."""

from __future__ import annotations

from typing import Any

import mycel as ms


def both(function: Any, *arguments: Any) -> Any:
    """The result of a function, compiled as a whole; checked against the function itself."""
    compiled = ms.jit(function, fullgraph=True)(*arguments)
    assert repr(compiled) == repr(function(*arguments))
    return compiled
