"""Safe printing of values: the only way in which a value gets into the text of a program.

A program is text that runs, and some of its parts come from files. So a value is written as a number, a quoted string,
an element type or a tuple of these. A name must be an identifier. Anything else is an error: no text is ever copied
unchecked.
"""

from __future__ import annotations

import keyword
import math
import re
from functools import lru_cache
from typing import Any

from ...runtime.dtypes import DType
from ...runtime.shown import standard

NUMPY = "np."


@standard
class SpellingError(ValueError):
    """A value that no program may contain as text. This is always a bug of mycel."""


_PLAIN = frozenset((bool, int, str, type(None)))


def is_plain(value: Any) -> bool:
    """Whether a program's text can contain this value directly: None, a bool, int, finite float, string, or a tuple."""
    kind = type(value)
    if kind is tuple:
        return all(map(is_plain, value))
    return math.isfinite(value) if kind is float else kind in _PLAIN


def spell(value: Any) -> str:
    """The text of a plain value, of another float or complex number, or of an element type."""
    if type(value) is tuple:
        return f"({', '.join(map(spell, value))}{',' if len(value) == 1 else ''})"
    if type(value) is float and not math.isfinite(value):
        return f"float({str(value)!r})"
    # As a sum of its parts a number would lose the sign of a zero.
    if type(value) is complex and not all(part and math.isfinite(part) for part in (value.real, value.imag)):
        return f"complex({spell(value.real)}, {spell(value.imag)})"
    if isinstance(value, DType):
        return f"np.dtype({value.numpy_name!r})"
    if value is None or type(value) in (bool, int, float, complex, str):
        return repr(value)
    raise SpellingError(f"{value!r} of type {type(value).__name__} cannot be written into a program")


def name_like(text: str) -> str:
    """A text with underscores in place of characters that no name may have. It may be empty, or begin with a digit."""
    if not (text.isascii() and text.isidentifier()):
        text = re.sub(r"\W+", "_", text, flags=re.ASCII)
    return text.strip("_")


@lru_cache(maxsize=1 << 14)
def identifier(text: str) -> str:
    """The text, if it is an identifier and no keyword; else an error."""
    if type(text) is not str or not text.isidentifier() or keyword.iskeyword(text):
        raise SpellingError(f"{text!r} is no name")
    return text


def numpy_name(text: str) -> str:
    """The text, if it names something in NumPy (`np.add.reduce`); else an error."""
    parts = text.removeprefix(NUMPY).split(".")
    if not text.startswith(NUMPY) or any(identifier(part).startswith("_") for part in parts):
        raise SpellingError(f"{text!r} is nothing in NumPy")
    return text


def block_text(text: str) -> str:
    """Lines of text as a string literal of as many lines."""
    if "'" in text or "\\" in text or not text.isascii() or not text.replace("\n", "").isprintable():
        return repr(f"\n{text}\n")
    return f"'''\n{text}\n'''"
