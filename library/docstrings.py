"""Docstrings with shared sections: what several functions or classes say alike is written once.

A docstring has a summary and sections, such as Args and Raises. `Shared` completes the docstrings of a family of
functions, `sections` adds whole sections. That of a function is completed when the function leaves the package, or
`docstring` reads it.
"""

from __future__ import annotations

import inspect
import itertools
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from types import FunctionType
from typing import Any, TypeVar

from ..frontend.compilation.doors import finished, left_for_later

ORDER = ("Args", "Inputs", "Outputs", "Returns", "Attributes", "Raises", "Examples")
# Compiled when docstrings are read, which few programs do.
_HEADING = rf"(?m)^({'|'.join(ORDER)}):\n"
_ENTRY = r"(?m)^    ((?:\**\w+, )*\**\w+): (.*(?:\n {8}.*)*)"
_NAMED = r"`(\w+)`"
_ANNOTATION = r"\{(\w+)\}"
_IMPORT = r" *>>> ((?:from|import) .*)"
_EXAMPLE = r"(?m)^ *Examples:\n( *)(?=>>> )(?!>>> (?:from|import) )"

Documented = TypeVar("Documented", bound=Callable[..., Any])


def docstring(documented: Any) -> str:
    """The completed docstring of a function or class; "" if it has none."""
    return finished(documented).__doc__ or ""


def completed_by(complete: Callable[[Any], None], documented: Documented) -> Documented:
    """The function or class, whose docstring is completed, now or later; it is None without docstrings, python -OO."""
    if documented.__doc__ is not None:
        if isinstance(documented, FunctionType):
            left_for_later(documented, partial(complete, documented))
        else:
            complete(documented)
    return documented


def split(text: str) -> tuple[str, dict[str, str]]:
    """The summary of a docstring, and the text of each section, indented."""
    summary, *rest = re.split(_HEADING, _dedented(text))
    return summary.rstrip(), dict(zip(rest[::2], (part.rstrip() for part in rest[1::2]), strict=True))


def _dedented(text: str) -> str:
    """The docstring without its indentation: that of its last line, if this has only quotes, for `cleandoc` is slow."""
    indentation = text[text.rfind("\n") :] if "\n" in text else ""
    return inspect.cleandoc(text) if indentation.strip() else text.replace(indentation or "\n", "\n").strip()


def joined(summary: str, sections: dict[str, str]) -> str:
    """The docstring with these sections, in the usual order."""
    parts = [summary, *(f"{heading}:\n{sections[heading]}" for heading in ORDER if heading in sections)]
    return "\n\n".join(parts) + "\n"


def with_imports(text: str, imports: str) -> str:
    """The docstring whose example begins with these lines, unless it has an import of its own.

    Examples:
        >>> print(with_imports("A sum.\\n\\nExamples:\\n    >>> ops.add(1, 2)", "from mycel import ops"))
        A sum.
        <BLANKLINE>
        Examples:
            >>> from mycel import ops
            >>> ops.add(1, 2)
    """

    start = text.rfind("\n", 0, max(text.find("Examples:\n"), 0)) + 1  # to search for a pattern takes longer
    heading = re.compile(_EXAMPLE).match(text, start)
    if heading is None:
        return text
    lines = "".join(f">>> {line}\n{heading[1]}" for line in imports.splitlines())
    return text[: heading.end()] + lines + text[heading.end() :]


def entries(section: str) -> list[tuple[str, str]]:
    """The entries of a section Args: the names, such as "x, y", and what is said of them."""
    return re.findall(_ENTRY, section)


def sections(**texts: str) -> Callable[[Documented], Documented]:
    """Decorator of a class or function: its docstring gets these sections too, each in its place.

    A section that the docstring has already begins with its own text; the shared one follows.
    """

    def complete(documented: Any) -> None:
        summary, found = split(documented.__doc__)
        for heading, shared in texts.items():
            own = f"{found[heading]}\n" if heading in found else ""
            found[heading] = own + textwrap.indent(inspect.cleandoc(shared), "    ")
        documented.__doc__ = joined(summary, found)

    return partial(completed_by, complete)


def like(other: Callable[..., Any]) -> Callable[[Documented], Documented]:
    """Decorator: sections that the docstring leaves out are those of another one; so are the imports of the example."""

    def complete(documented: Any) -> None:
        (summary, own), (_, given) = split(documented.__doc__), split(docstring(other))
        imports = itertools.takewhile(bool, map(re.compile(_IMPORT).match, given.pop("Examples", "").split("\n")))
        text = "\n".join(line[1] for line in imports if line)
        documented.__doc__ = with_imports(joined(summary, given | own), text)

    return partial(completed_by, complete)


class Shared:
    """Decorator of functions and classes: what their docstrings leave out comes from a text for all of them.

    - An argument that the docstring does not describe has its entry in the shared Args, in the order of the signature.
    - A kind of error that the docstring does not describe has its entries in the shared Raises. Of these, those hold
      whose `names` are arguments. "{Tensor}" stands for all arguments of this annotation, "{Operand}" likewise.
    - An example that begins with no import gets the shared ones.

    Args:
        text: a docstring without a summary, with the sections Args and Raises.
        base: a Shared that has more entries and errors.
        imports: the lines with which examples begin that have no import; "": those of the base.

    Examples:
        >>> from mycel.library.docstrings import Shared, docstring
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
        >>> print(docstring(total), end="")
        The sum.
        <BLANKLINE>
        Args:
            axis: the axis.
        <BLANKLINE>
        Raises:
            ValueError: if `axis` is out of range.
    """

    def __init__(self, text: str, base: Shared | None = None, imports: str = "") -> None:
        self.text, self.base = text, base
        self.imports: str = imports or (base.imports if base is not None else "")

    @cached_property
    def shared(self) -> tuple[list[tuple[list[str], str, str]], list[tuple[set[str], set[str], str, str]]]:
        """The entries for arguments, and those for errors; read when the first docstring is completed."""
        _, found = split(self.text)
        arguments = [(_names(names), names, entry) for names, entry in entries(found.get("Args", ""))]
        errors = [
            (set(re.findall(_NAMED, text)), set(re.findall(_ANNOTATION, text)), kind, text)
            for kind, text in entries(found.get("Raises", ""))
        ]
        if self.base is None:
            return arguments, errors
        return arguments + self.base.shared[0], self.base.shared[1] + errors

    def __call__(self, documented: Documented) -> Documented:
        return completed_by(self._complete, documented)

    def _complete(self, documented: Any) -> None:
        function = inspect.unwrap(documented)  # with all its decorators it has one docstring
        documented.__doc__ = function.__doc__ = self.completed(documented.__doc__, *_signature(function))

    def completed(self, text: str, arguments: Sequence[str], annotations: Mapping[str, str] | None = None) -> str:
        """The docstring `text` of a function with these arguments and annotations, completed."""
        summary, found = split(text)
        described = [(_names(names), names, entry) for names, entry in entries(found.get("Args", ""))]
        missing = set(arguments).difference(*(names for names, _, _ in described))
        for item in self.shared[0]:
            if missing.issuperset(item[0]):
                described.append(item)
                missing.difference_update(item[0])
        if described:
            place = {name: position for position, name in enumerate(arguments)}
            described.sort(key=lambda item: place.get(item[0][0], len(place)))
            found["Args"] = "\n".join(f"    {names}: {entry}" for _, names, entry in described)
        errors = self._errors(found.get("Raises", ""), arguments, annotations or {})
        if errors:
            found["Raises"] = "\n".join(errors)
        return with_imports(joined(summary, found), self.imports)

    def _errors(self, own: str, arguments: Sequence[str], annotations: Mapping[str, str]) -> list[str]:
        """The entries of Raises: those for TypeError come first."""
        described = {name for kinds, _ in entries(own) for name in _names(kinds)}
        wrong_types: list[str] = []
        others = [own] * bool(own)
        there, kinds = set(arguments), {kind for name, kind in annotations.items() if name not in ("return", "self")}
        for names, annotated, kind, text in self.shared[1]:
            if kind not in described and names <= there and annotated <= kinds:
                line = f"    {kind}: {text}"
                if annotated:
                    line = re.sub(_ANNOTATION, lambda word: _either(_of_kind(word[1], annotations)), line)
                (wrong_types if kind == "TypeError" else others).append(line)
        return wrong_types + others


def _of_kind(annotation: str, annotations: Mapping[str, str]) -> list[str]:
    """The arguments with an annotation."""
    return [name for name, kind in annotations.items() if kind == annotation and name not in ("return", "self")]


def _either(names: Sequence[str]) -> str:
    """Names as "`a`, `b` or `c`"."""
    quoted = [f"`{name}`" for name in names]
    return " or ".join([", ".join(quoted[:-1])] * (len(quoted) > 1) + quoted[-1:])


def _names(written: str) -> list[str]:
    """The arguments of an entry, such as "x, *y"."""
    return written.replace("*", "").split(", ")


def _signature(documented: Callable[..., Any]) -> tuple[Sequence[str], Mapping[str, str]]:
    """The names of the arguments of a function, or of a class when it is called, and their annotations."""
    function: Any = documented.__init__ if isinstance(documented, type) else documented  # type: ignore[misc]
    code = function.__code__
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars], function.__annotations__
