"""Strings that hold values only the run will know: f-strings, str.format and % of converted code."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable
from typing import Any

from .control_state import builder, is_traced

__all__ = ["TracedField", "TracedText", "field", "format_string", "fstring", "percent"]

_PERCENT = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?[#0\- +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?(?P<type>[diouxXeEfFgGcrsa%])"
)


class TracedField:
    """One run-time value inside a text, with the way to write it down."""

    def __init__(self, value: Any, render: Callable[[Any], str]) -> None:
        self.value = value
        self.render = render


class TracedText:
    """A string some parts of which are run-time values; print, assert and raise take it, and `+` joins it."""

    def __init__(self, parts: Iterable[str | TracedField | TracedText]) -> None:
        flat: list[str | TracedField] = []
        for part in parts:
            for piece in part.parts if isinstance(part, TracedText) else (part,):
                if isinstance(piece, str) and flat and isinstance(flat[-1], str):
                    flat[-1] += piece
                else:
                    flat.append(piece)
        self.parts: tuple[str | TracedField, ...] = tuple(flat)

    @property
    def values(self) -> tuple[Any, ...]:
        """The run-time values, in their order."""
        return tuple(part.value for part in self.parts if isinstance(part, TracedField))

    def render(self, values: Iterable[Any]) -> str:
        """The string, once the run-time values are known."""
        known = iter(values)
        return "".join(part if isinstance(part, str) else part.render(next(known)) for part in self.parts)

    def __add__(self, other: Any) -> TracedText:
        return TracedText((self, other)) if isinstance(other, (str, TracedText)) else NotImplemented

    def __radd__(self, other: Any) -> TracedText:
        return TracedText((other, self)) if isinstance(other, str) else NotImplemented

    def __repr__(self) -> str:
        return "".join(part if isinstance(part, str) else "<run-time value>" for part in self.parts)


_CONVERSIONS: dict[str, Callable[[Any], Any]] = {"": lambda value: value, "s": str, "r": repr, "a": ascii}


def _is_text(value: Any) -> bool:
    """Whether a value cannot be written down yet."""
    return isinstance(value, TracedText) or is_traced(value)


def _traced(value: Any, render: Callable[[Any], str]) -> Any:
    """A field for a traced value; a text stays what it is."""
    return value if isinstance(value, TracedText) else TracedField(value, render)


def field(value: Any, conversion: str = "", spec: Any = "") -> Any:
    """`{value!conversion:spec}` of an f-string: a string, or a field of a traced text."""
    active = builder()
    if active is not None:
        value = active.lift(value)
    if _is_text(value):
        return _traced(value, lambda known: format(_CONVERSIONS[conversion](known), spec))
    return format(_CONVERSIONS[conversion](value), spec)


def fstring(*parts: Any) -> Any:
    """An f-string from its literal parts and fields."""
    return "".join(parts) if all(isinstance(part, str) for part in parts) else TracedText(parts)


def format_string(template: str, *arguments: Any, **keywords: Any) -> Any:
    """`template.format(…)`."""
    active = builder()
    if active is not None:
        arguments = tuple(active.lift(value) for value in arguments)
        keywords = {key: active.lift(value) for key, value in keywords.items()}
    if not any(map(_is_text, (*arguments, *keywords.values()))):
        return template.format(*arguments, **keywords)
    formatter = string.Formatter()
    parts: list[Any] = []
    number = 0
    for literal, name, spec, conversion in formatter.parse(template):
        parts.append(literal)
        if name is None:
            continue
        if not name or name[0] in ".[":
            name = f"{number}{name}"
            number += 1
        value, _ = formatter.get_field(name, arguments, keywords)
        parts.append(field(value, conversion or "", formatter.vformat(spec or "", arguments, keywords)))
    return fstring(*parts)


def percent(template: Any, values: Any) -> Any:
    """`template % values`."""
    active = builder()
    if active is not None:
        values = tuple(active.lift(value) for value in values) if isinstance(values, tuple) else active.lift(values)
    given = values if isinstance(values, tuple) else (values,)
    if not any(map(_is_text, given)):
        return template % values
    remaining = iter(given)
    parts: list[Any] = []
    end = 0
    for found in _PERCENT.finditer(template):
        parts.append(template[end : found.start()])
        end = found.end()
        specification = found.group()
        if found["type"] == "%":
            parts.append("%")
            continue
        if "*" in specification or found["key"] is not None:
            raise TypeError(f"{specification!r} cannot be used with a run-time value; use an f-string")
        try:
            value = next(remaining)
        except StopIteration:
            raise TypeError("not enough arguments for format string") from None
        parts.append(_traced(value, specification.__mod__) if _is_text(value) else specification % (value,))
    if next(remaining, None) is not None:
        raise TypeError("not all arguments converted during string formatting")
    return fstring(*parts, template[end:])
