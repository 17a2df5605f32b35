"""Memory limits: their notation, and the error for a program that does not fit."""

from __future__ import annotations

import re

from ...runtime.shown import public

_UNITS = {"": 1, "B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}


@public("mycel")
class MemoryLimitError(MemoryError):
    """A compiled function cannot run within its memory limit. The message lists the largest buffers.

    Examples:
        >>> import mycel as ms
        >>> issubclass(ms.MemoryLimitError, MemoryError)
        True
    """


def as_bytes(limit: int | str) -> int:
    """A number of bytes, from an int or from text such as "200MB" (of 1024 KB).

    Raises:
        TypeError: if it is neither.
        ValueError: if it is no positive number of bytes.
    """
    if isinstance(limit, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([KMGT]?B?)\s*", limit.upper())
        if match is None:
            raise ValueError(f"'memory_limit' should be a number of bytes, such as '200MB', but got {limit!r}")
        unit = match.group(2)
        limit = int(float(match.group(1)) * _UNITS[unit if unit in _UNITS else f"{unit}B"])
    if isinstance(limit, bool) or not isinstance(limit, int):
        raise TypeError(f"'memory_limit' should be an int or text such as '200MB', but got {type(limit).__name__}")
    if limit <= 0:
        raise ValueError(f"'memory_limit' should be a positive number of bytes, but got {limit}")
    return limit
