"""Deferred string formatting: f-strings, str.format and % with run-time values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from .builder import builder
from .state import is_traced

__all__ = ["TracedField", "TracedText", "field", "format_string", "fstring", "percent"]

_PERCENT = (
    r"(?s)%(?P<key>\([^)]*\))?(?P<flags>[#0\- +]*)(?P<width>\*|\d+)?(?P<precision>\.(?:\*|\d+))?[hlL]?(?P<type>.)"
)


class TracedField:
    """One run-time value inside a text: as in `{value!conversion:spec}`."""

    def __init__(self, value: Any, conversion: str = "", spec: str = "") -> None:
        self.value = value
        self.conversion = conversion
        self.spec = spec


class TracedText:
    """A string with run-time values. print, assert and raise accept it, and `+` concatenates it."""

    def __init__(self, parts: Iterable[str | TracedField | TracedText]) -> None:
        flat: list[str | TracedField] = []
        for part in parts:
            for piece in part.parts if isinstance(part, TracedText) else (part,):
                last = flat[-1] if flat else None
                if isinstance(piece, str) and isinstance(last, str):
                    flat[-1] = last + piece
                else:
                    flat.append(piece)
        self.parts: tuple[str | TracedField, ...] = tuple(flat)

    def __add__(self, other: Any) -> TracedText:
        return TracedText((self, other)) if isinstance(other, (str, TracedText)) else NotImplemented

    def __radd__(self, other: Any) -> TracedText:
        return TracedText((other, self)) if isinstance(other, str) else NotImplemented

    def __repr__(self) -> str:
        return "".join(part if isinstance(part, str) else "<run-time value>" for part in self.parts)


_CONVERSIONS: dict[str, Callable[[Any], Any]] = {"": lambda value: value, "s": str, "r": repr, "a": ascii}


def _lift(value: Any) -> Any:
    """The traced form of a tensor from outside of the trace."""
    active = builder()
    return value if active is None else active.flow.lift(value)


def _is_text(value: Any) -> bool:
    """Whether a value's text is known only at run time."""
    return isinstance(value, TracedText) or is_traced(value)


def field(value: Any, conversion: str = "", spec: Any = "") -> Any:
    """`{value!conversion:spec}` of an f-string: a string, or a field of a traced text."""
    value = _lift(value)
    if isinstance(value, TracedText):
        return value
    if is_traced(value):
        return TracedField(value, "r" if conversion == "a" else conversion, spec)
    return format(_CONVERSIONS[conversion](value), spec)


def fstring(*parts: Any) -> Any:
    """An f-string from its literal parts and fields."""
    return "".join(parts) if all(isinstance(part, str) for part in parts) else TracedText(parts)


def format_string(template: str, *arguments: Any, **keywords: Any) -> Any:
    """`template.format(…)`."""
    arguments = tuple(_lift(value) for value in arguments)
    keywords = {key: _lift(value) for key, value in keywords.items()}
    if not any(map(_is_text, (*arguments, *keywords.values()))):
        return template.format(*arguments, **keywords)
    import string  # `import mycel` does not load it

    formatter = string.Formatter()
    parts: list[Any] = []
    number = 0
    kinds: dict[bool, str] = {}  # whether fields were counted or had numbers; Python allows one of the two
    for literal, name, spec, conversion in formatter.parse(template):
        parts.append(literal)
        if name is None:
            continue
        counted = not name or name[0] in ".["
        if counted or name[0].isdigit():
            kinds[counted] = "automatic field numbering" if counted else "manual field specification"
            if len(kinds) > 1:
                raise ValueError("cannot switch from {} to {}".format(*kinds.values()))
        if counted:
            name = f"{number}{name}"
            number += 1
        value, _ = formatter.get_field(name, arguments, keywords)
        parts.append(field(value, conversion or "", formatter.vformat(spec or "", arguments, keywords)))
    return fstring(*parts)


def percent(template: Any, values: Any) -> Any:
    """`template % values`."""
    values = tuple(map(_lift, values)) if isinstance(values, tuple) else _lift(values)
    given = values if isinstance(values, tuple) else (values,)
    if not any(map(_is_text, given)):
        return template % values
    remaining = iter(given)
    parts: list[Any] = []
    end = 0
    for found in re.finditer(_PERCENT, template):
        parts.append(template[end : found.start()])
        end = found.end()
        if found["type"] == "%":
            parts.append("%")
            continue
        try:
            value = next(remaining)
        except StopIteration:
            raise TypeError("not enough arguments for format string") from None
        parts.append(_percent_field(found, value) if _is_text(value) else found.group() % (value,))
    if next(remaining, None) is not None:
        raise TypeError("not all arguments converted during string formatting")
    return fstring(*parts, template[end:])


def _percent_field(found: re.Match[str], value: Any) -> Any:
    """One `%…` with a run-time value, as a field of an f-string."""
    kind, flags, width, precision = found["type"], found["flags"], found["width"] or "", found["precision"] or ""
    if isinstance(value, TracedText):
        return value
    if found["key"] or "*" in width + precision or "#" in flags or kind not in "diufFeEgGsr":
        raise TypeError(f"{found.group()!r} cannot be used with a run-time value; use an f-string")
    align = "<" if "-" in flags else ">" if width and kind in "sr" else ""
    if kind in "sr":
        return TracedField(value, kind, f"{align}{width}{precision}")
    sign = "+" if "+" in flags else " " if " " in flags else ""
    zero = "0" if "0" in flags and not align else ""
    return TracedField(value, "n", f"{align}{sign}{zero}{width}{precision}{'d' if kind in 'iu' else kind}")
