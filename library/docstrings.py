"""Docstrings with shared sections: what several functions or classes say alike is written once.

A docstring has a summary and sections, such as Args and Raises. `Shared` completes the docstrings of a family of
functions, `sections` adds whole sections.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

ORDER = ("Args", "Inputs", "Outputs", "Returns", "Attributes", "Raises", "Examples")
_HEADING = re.compile(rf"^({'|'.join(ORDER)}):\n", re.M)
_ENTRY = re.compile(r"^    ((?:\**\w+, )*\**\w+): (.*(?:\n {8}.*)*)", re.M)
_NAMED = re.compile(r"`(\w+)`")

Documented = TypeVar("Documented", bound=Callable[..., Any])


def split(text: str) -> tuple[str, dict[str, str]]:
    """The summary of a docstring, and the text of each section, indented."""
    summary, *rest = _HEADING.split(_dedented(text))
    return summary.rstrip(), dict(zip(rest[::2], (part.rstrip() for part in rest[1::2]), strict=True))


def _dedented(text: str) -> str:
    """The docstring without its indentation: that of its last line, if this has only quotes, for `cleandoc` is slow."""
    indentation = text[text.rfind("\n") :] if "\n" in text else ""
    return inspect.cleandoc(text) if indentation.strip() else text.replace(indentation or "\n", "\n").strip()


def joined(summary: str, sections: dict[str, str]) -> str:
    """The docstring with these sections, in the usual order."""
    parts = [summary, *(f"{heading}:\n{sections[heading]}" for heading in ORDER if heading in sections)]
    return "\n\n".join(parts) + "\n"


def entries(section: str) -> list[tuple[str, str]]:
    """The entries of a section Args: the names, such as "x, y", and what is said of them."""
    return _ENTRY.findall(section)


def sections(**texts: str) -> Callable[[Documented], Documented]:
    """Decorator of a class or function: its docstring gets these sections too, each in its place.

    A section that the docstring has already begins with its own text; the shared one follows.
    """

    def complete(documented: Documented) -> Documented:
        if documented.__doc__ is not None:  # it is None without docstrings, python -OO
            summary, found = split(documented.__doc__)
            for heading, shared in texts.items():
                own = f"{found[heading]}\n" if heading in found else ""
                found[heading] = own + textwrap.indent(inspect.cleandoc(shared), "    ")
            documented.__doc__ = joined(summary, found)
        return documented

    return complete


class Shared:
    """Decorator of functions and classes: what their docstrings leave out comes from a text for all of them.

    - An argument that the docstring does not describe has its entry in the shared Args, in the order of the signature.
    - A docstring without the section Raises gets the shared one. Of its errors, those hold whose `names` are arguments.

    Args:
        text: a docstring without a summary, with the sections Args and Raises.
        base: a Shared that has more entries and errors.

    Examples:
        >>> from mycel.library.docstrings import Shared
        >>> shared = Shared('''
        ... Args:
        ...     axis: the axis.
        ...
        ... Raises:
        ...     ValueError: if `axis` is out of range.
        ... ''')
        >>> @shared
        ... def total(axis=0):
        ...     '''The sum.'''
        >>> print(total.__doc__, end="")
        The sum.
        <BLANKLINE>
        Args:
            axis: the axis.
        <BLANKLINE>
        Raises:
            ValueError: if `axis` is out of range.
    """

    def __init__(self, text: str, base: Shared | None = None) -> None:
        _, found = split(text)
        self.arguments = [(_names(names), names, entry) for names, entry in entries(found.get("Args", ""))]
        errors = [f"{kind}: {entry}" for kind, entry in entries(found.get("Raises", ""))]
        self.errors = [(set(_NAMED.findall(error)), error) for error in errors]
        if base is not None:
            self.arguments += base.arguments
            self.errors = sorted(base.errors + self.errors, key=lambda error: not error[1].startswith("TypeError"))

    def __call__(self, documented: Documented) -> Documented:
        if documented.__doc__ is not None:  # it is None without docstrings, python -OO
            documented.__doc__ = self.completed(documented.__doc__, _arguments(documented))
        return documented

    def completed(self, text: str, arguments: Sequence[str]) -> str:
        """The docstring `text` of a function with these arguments, completed."""
        summary, found = split(text)
        described = [(_names(names), names, entry) for names, entry in entries(found.get("Args", ""))]
        missing = set(arguments).difference(*(names for names, _, _ in described))
        for item in self.arguments:
            if missing.issuperset(item[0]):
                described.append(item)
                missing.difference_update(item[0])
        if described:
            place = {name: position for position, name in enumerate(arguments)}
            described.sort(key=lambda item: place.get(item[0][0], len(place)))
            found["Args"] = "\n".join(f"    {names}: {entry}" for _, names, entry in described)
        errors = [error for names, error in self.errors if names.issubset(arguments)]
        if errors and "Raises" not in found:
            found["Raises"] = "\n".join(f"    {error}" for error in errors)
        return joined(summary, found)


def _names(written: str) -> list[str]:
    """The arguments of an entry, such as "x, *y"."""
    return written.replace("*", "").split(", ")


def _arguments(documented: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the arguments of a function, or of a class when it is called."""
    function: Any = documented.__init__ if isinstance(documented, type) else documented  # type: ignore[misc]
    code = function.__code__
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    names: tuple[str, ...] = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]
    return names
