"""Keyword arguments of functions with `**kwargs`: unknown ones are an error."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from .spelling import keyword_hint

__all__ = ["bound", "check_keywords"]


def check_keywords(function: str, given: Iterable[str], known: Collection[str]) -> None:
    """Raise TypeError for the first name that a function does not take."""
    for name in given:
        if name not in known:
            hint = keyword_hint(name, known)
            raise TypeError(f"{function}() got an unexpected keyword argument '{name}'{hint}")


def bound(
    function: str, names: Sequence[str], arguments: Sequence[Any], named: Mapping[str, Any], **defaults: Any
) -> list[Any]:
    """The arguments of a call in the order of the names, as Python binds them.

    Args:
        function: how messages call the function.
        names: of its parameters.
        arguments, named: its positional and keyword arguments.
        defaults: of parameters that may be left out.

    Raises:
        TypeError: for too many arguments, a name that it does not have, an argument given twice or missing.
    """
    check_keywords(function, named, names)
    if len(arguments) > len(names):
        raise TypeError(f"{function}() takes {len(names)} arguments ({', '.join(names)}), but got {len(arguments)}")
    twice = [name for name in names[: len(arguments)] if name in named]
    if twice:
        raise TypeError(f"{function}() got multiple values for argument '{twice[0]}'")
    values = {**defaults, **dict(zip(names, arguments, strict=False)), **named}
    missing = [name for name in names if name not in values]
    if missing:
        raise TypeError(f"{function}() needs the argument '{missing[0]}'")
    return [values[name] for name in names]
