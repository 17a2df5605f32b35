"""Deferred string formatting: f-strings, str.format and % with run-time values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from typing import Any, NoReturn

from ..errors.classes import NumbersBreak
from ..state import STATE
from ..values.dispatch import is_weak
from ..values.tensor import Tensor, numbers_break
from ..values.traced_tensor import is_traced as is_unknown
from .builder import lift
from .state import is_traced

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
    """A string with run-time values. print, assert and raise accept it, and `+` concatenates it. Nothing else does."""

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

    def outline(self) -> str:
        """The text, with a mark for each value of the run."""
        return "".join(part if isinstance(part, str) else "<run-time value>" for part in self.parts)

    def quoted(self) -> TracedText:
        """Its `repr()`, if that only adds quotes."""
        if any(repr(part) != f"'{part}'" if isinstance(part, str) else not is_weak(part.value) for part in self.parts):
            self._refuse()
        return TracedText(("'", self, "'"))

    def _refuse(self, *arguments: Any, **keywords: Any) -> NoReturn:
        raise NumbersBreak("a text that holds what only the run knows can only be printed, raised or lengthened")

    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __mul__ = __rmul__ = __mod__ = __format__ = _refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __int__ = __float__ = __index__ = _refuse
    __repr__ = __str__ = _refuse

    def __getattr__(self, name: str) -> Any:
        return self._refuse() if hasattr(str, name) else object.__getattribute__(self, name)


_BRACKETS: dict[type, tuple[str, str]] = {tuple: ("(", ")"), list: ("[", "]"), dict: ("{", "}")}
_CONVERSIONS: dict[str, Callable[[Any], Any]] = {"": lambda value: value, "s": str, "r": repr, "a": ascii}


def is_text(value: Any) -> bool:
    """Whether a value's text is known only at run time."""
    return is_traced(value) or _holds(value, lambda item: isinstance(item, TracedText) or is_unknown(item))


def _holds(value: Any, wanted: Callable[[Any], bool]) -> bool:
    """Whether a value is wanted, or a container that holds one, at any depth. A container may hold itself."""
    values, seen = [value], set()
    while values:
        value = values.pop()
        if type(value) not in _BRACKETS:
            if wanted(value):
                return True
        elif id(value) not in seen:
            seen.add(id(value))
            values.extend(value.values() if type(value) is dict else value)
    return False


def pieces(value: Any, nested: bool = False) -> Iterator[tuple[Any, bool]]:
    """The text of a value as print shows it: strings, and tensors and texts of the run; each with whether it is nested
    in a container."""
    if not _holds(value, lambda item: isinstance(item, (Tensor, TracedText))):
        yield known(repr if nested else str, value), nested
        return
    if type(value) not in _BRACKETS:
        yield value.quoted() if nested and isinstance(value, TracedText) else value, nested
        return
    start, end = _BRACKETS[type(value)]
    for key, item in value.items() if type(value) is dict else zip(repeat(""), value):
        yield start + (f"{known(repr, key)}: " if type(value) is dict else ""), False
        yield from pieces(item, True)
        start = ", "
    yield "," * (type(value) is tuple and len(value) == 1) + end, False


def known(make: Callable[..., str], *values: Any) -> str:
    """A text that Python makes. It shows nothing that only the run knows, also where an object holds it."""
    trace = STATE.trace
    before = 0 if trace is None else trace.shown
    text = make(*values)
    if trace is not None and trace.shown != before:
        raise numbers_break("the text of what holds it")
    return text


def field(value: Any, conversion: str = "", spec: Any = "") -> Any:
    """`{value!conversion:spec}` of an f-string: a string, or a field of a traced text."""
    value = lift(value)
    if is_traced(value):
        return TracedField(value, "r" if conversion == "a" else conversion, spec)
    if is_text(value) and not spec:
        return text_of(value)
    return known(lambda: format(_CONVERSIONS[conversion](value), spec))


def text_of(value: Any) -> TracedText:
    """The text of a value that holds what only the run knows."""
    return TracedText(piece if isinstance(piece, (str, TracedText)) else TracedField(piece, "r" if nested else "")
                      for piece, nested in pieces(value))  # fmt: skip


def fstring(*parts: Any) -> Any:
    """An f-string from its literal parts and fields."""
    return "".join(parts) if all(isinstance(part, str) for part in parts) else TracedText(parts)


def format_string(template: str, *arguments: Any, **keywords: Any) -> Any:
    """`template.format(…)`."""
    arguments = tuple(lift(value) for value in arguments)
    keywords = {key: lift(value) for key, value in keywords.items()}
    if not any(map(is_text, (*arguments, *keywords.values()))):
        return known(lambda: template.format(*arguments, **keywords))
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
    values = tuple(map(lift, values)) if isinstance(values, tuple) else lift(values)
    given = values if isinstance(values, tuple) else (values,)
    if not any(map(is_text, given)):
        return known(lambda: template % values)
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
        parts.append(_percent_field(found, value) if is_text(value) else known(found.group().__mod__, (value,)))
    if next(remaining, None) is not None:
        raise TypeError("not all arguments converted during string formatting")
    return fstring(*parts, template[end:])


def _percent_field(found: re.Match[str], value: Any) -> Any:
    """One `%…` with a run-time value, as a field of an f-string."""
    kind, flags, width, precision = found["type"], found["flags"], found["width"] or "", found["precision"] or ""
    if isinstance(value, TracedText) or type(value) in _BRACKETS:
        return text_of(value)
    if found["key"] or "*" in width + precision or "#" in flags or kind not in "diufFeEgGsr":
        raise TypeError(f"{found.group()!r} cannot be used with a run-time value; use an f-string")
    align = "<" if "-" in flags else ">" if width and kind in "sr" else ""
    if kind in "sr":
        return TracedField(value, kind, f"{align}{width}{precision}")
    sign = "+" if "+" in flags else " " if " " in flags else ""
    zero = "0" if "0" in flags and not align else ""
    return TracedField(value, "n", f"{align}{sign}{zero}{width}{precision}{'d' if kind in 'iu' else kind}")
