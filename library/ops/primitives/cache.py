"""Primitives that are made once for each choice of their arguments (`mindspore.ops._primitive_cache`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_MADE: dict[Any, Any] = {}


def _get_cache_prim(cls: type) -> Callable[..., Any]:
    """What makes primitives of a class; the same arguments give the same object.

    Examples:
        >>> import mycel as ms
        >>> from mycel.ops._primitive_cache import _get_cache_prim
        >>> _get_cache_prim(ms.ops.ReduceSum)(True) is _get_cache_prim(ms.ops.ReduceSum)(True)
        True
    """

    def make(*args: Any, **kwargs: Any) -> Any:
        key = (cls, *map(repr, args), *[(name, repr(value)) for name, value in sorted(kwargs.items())])
        if key not in _MADE:
            _MADE[key] = cls(*args, **kwargs)
        return _MADE[key]

    return make
