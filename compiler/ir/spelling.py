"""The writer of values: the only way in which a value becomes a part of a program's text.

A program is text that runs, and some of what it is made of comes from files. So a value is written as a number, a
quoted string, an element type or a tuple of these. A name has to be a name. Anything else is an error: no text is ever
taken over as it is.
"""

from __future__ import annotations

import keyword
import math
import re
from functools import lru_cache
from typing import Any

from ...runtime.dtypes import DType

NUMPY = "np."


class SpellingError(ValueError):
    """A value that no program may hold as text: always mycel's own fault, never the user's."""


def is_plain(value: Any) -> bool:
    """Whether a program's text can hold this value as it is: None, a bool, int, finite float, string, or a tuple."""
    if type(value) is tuple:
        return all(map(is_plain, value))
    if type(value) is float:
        return math.isfinite(value)
    return value is None or type(value) in (bool, int, str)


def spell(value: Any) -> str:
    """The text of a value: of what `is_plain`, of other floats and complex numbers, and of element types."""
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
    """A text with an underscore in place of what no name may hold; it may be empty, or begin with a digit."""
    if not (text.isascii() and text.isidentifier()):
        text = _NO_NAME.sub("_", text)
    return text.strip("_")


_NO_NAME = re.compile(r"\W+", re.ASCII)


@lru_cache(maxsize=4096)
def identifier(text: str) -> str:
    """The text, which has to be a name, and no keyword."""
    if type(text) is not str or not text.isidentifier() or keyword.iskeyword(text):
        raise SpellingError(f"{text!r} is no name")
    return text


def numpy_name(text: str) -> str:
    """The text, which has to lead to something in NumPy: `np.add.reduce`."""
    parts = text.removeprefix(NUMPY).split(".")
    if not text.startswith(NUMPY) or any(identifier(part).startswith("_") for part in parts):
        raise SpellingError(f"{text!r} is nothing in NumPy")
    return text


def block_text(text: str) -> str:
    """Lines of text as a string that spans as many lines."""
    if "'" in text or "\\" in text or not text.isascii() or not text.replace("\n", "").isprintable():
        return repr(f"\n{text}\n")
    return f"'''\n{text}\n'''"
