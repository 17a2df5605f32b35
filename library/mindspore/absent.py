"""Placeholders: names that MindSpore has and mycel does not. They can be imported; using one raises an error."""

from __future__ import annotations

import ast
import enum
import functools
import os
import re
from typing import Any

from ...frontend.compilation.doors import guarded
from ...frontend.values.cell import Cell
from ...runtime.shown import standard

PACKAGE = __name__.split(".")[0]
_LISTS = os.path.join(os.path.dirname(__file__), "names.txt")
CONSTANTS = ("value", "enum", "exception", "object")
"""Kinds of names that are what they are in MindSpore, or hold nothing."""
# MindSpore generates, for each operator, a primitive's instance and a function, which are too many for a list.
_OF_OPERATORS = r"pyboost_\w+|[a-z]\w*_op"
Entry = tuple[str, str]
"""What a name is (`class`, `cell`, `primitive`, `instance`, `function`, `exception`, `enum`, `value`, `object`, or
`from`), and more about it: the members of an enum, a value, the module that `from` means."""


def has_module(path: str) -> bool:
    """Whether MindSpore has a module of this path, which may have no name of mycel's."""
    return path in _modules(path.partition(".")[0])


def entry(path: str, name: str) -> Entry | None:
    """The entry of a name in a module; None if MindSpore has no such name there, or mycel has it."""
    if path.startswith("ops.") and re.fullmatch(_OF_OPERATORS, name):
        return "instance", ""
    return _modules(path.partition(".")[0]).get(path, {}).get(name)


def names_of(path: str) -> list[str]:
    """The names that the lists have for a module."""
    return sorted(_modules(path.partition(".")[0]).get(path, {}))


@functools.cache
def _modules(top: str) -> dict[str, dict[str, Entry]]:
    """The lists for the modules below one of MindSpore's packages; `""` is `mindspore` itself."""
    found: dict[str, dict[str, Entry]] = {}
    lists = _lists()
    _read(lists.get(top) or lists["others"], found)
    return {path: names for path, names in found.items() if path.partition(".")[0] == top}


@functools.cache
def _lists() -> dict[str, str]:
    """The part of `names.txt` for each package."""
    with open(_LISTS, encoding="utf-8") as file:
        text = file.read()
    parts = (part.partition("\n") for part in text.split("\n=== ")[1:])
    return {package: names for package, _, names in parts}


def _read(text: str, found: dict[str, dict[str, Entry]]) -> None:
    """Add the lists of a text: a line `[module]`, and lines of a kind and the names of this kind.

    The line of a value, an enum or a `from` has what more there is to say before or after the names. Names that several
    modules have stand in a group, `[+1]`, above them; the line `like +1` adds them.
    """
    names: dict[str, Entry] = {}
    for line in text.splitlines():
        kind, _, rest = line.partition(" ")
        if line.startswith("["):
            names = found.setdefault(line.strip("[]").removeprefix("mindspore").removeprefix("."), {})
        elif kind == "like":
            names.update(found[rest])
        elif kind in ("enum", "value"):
            name, _, more = rest.partition(" ")
            names[name] = (kind, more)
        elif kind == "from":
            home, *several = rest.split()
            names.update(dict.fromkeys(several, (kind, home)))
        elif kind:
            names.update(dict.fromkeys(rest.split(), (kind, "")))


@functools.cache
def placeholder(path: str, name: str) -> Any:
    """The placeholder for a name of a module: a class, function or value that raises when it is used.

    Constants, enumerations and exceptions are the same as in MindSpore.

    Raises:
        KeyError: if the lists do not have the name.
    """
    found = entry(path, name)
    if found is None:
        raise KeyError(name)
    kind, more = found
    shown = ".".join(filter(None, ("mindspore", path, name)))
    if kind == "value":
        return ast.literal_eval(more)
    if kind == "enum":
        return enum.Enum(name, ast.literal_eval(more), module=f"mindspore.{path}")
    if kind == "exception":
        return type(name, (Exception,), {"__module__": f"mindspore.{path}"})
    return _MAKERS[kind](shown, name)


@standard
class AbsentError(NotImplementedError, AttributeError):
    """A name that can only be imported is used. It is an AttributeError, for `hasattr`."""


def _refusal(shown: str) -> AbsentError:
    return AbsentError(
        f"'{shown}' is one of the names that {PACKAGE} has only so that MindSpore programs import: it cannot be used"
    )


class _AbsentType(type):
    """The type of absent classes: reading an attribute that they would have is using them."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__") or "_absent" not in vars(cls):
            raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'")
        raise _refusal(vars(cls)["_absent"])


def _function(shown: str, name: str) -> Any:
    def absent(*args: Any, **kwargs: Any) -> Any:
        raise _refusal(shown)

    absent.__name__ = absent.__qualname__ = name
    absent.__doc__ = f"Not in {PACKAGE}: raises NotImplementedError."
    return guarded(absent)


def _class(shown: str, name: str, base: type = object) -> type:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        raise _refusal(shown)

    members = {"__init__": guarded(__init__), "__doc__": f"Not in {PACKAGE}: raises NotImplementedError."}
    return _AbsentType(name, (base,), {**members, "__module__": shown.rpartition(".")[0], "_absent": shown})


def _primitive(shown: str, name: str) -> type:
    """A class of primitives: one can be made, as in the `__init__` of a Cell that may never call it."""
    from ..ops.primitives.primitive import Primitive

    primitive: Any = Primitive

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        primitive.__init__(self, name)

    def __call__(self: Any, *inputs: Any, **named: Any) -> Any:
        raise _refusal(shown)

    members = {"__init__": __init__, "__call__": guarded(__call__), "__module__": shown.rpartition(".")[0]}
    return type(name, (primitive,), {**members, "__doc__": f"Not in {PACKAGE}: calling it raises NotImplementedError."})


class Absent:
    """An object of MindSpore's that mycel does not have: using it raises NotImplementedError.

    Args:
        shown: its full name in MindSpore.
    """

    def __init__(self, shown: str) -> None:
        vars(self)["_shown"] = shown

    def __repr__(self) -> str:
        return f"<{vars(self)['_shown']}, which {PACKAGE} does not have>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise _refusal(vars(self)["_shown"])

    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        raise _refusal(vars(self)["_shown"])

    __call__ = __getitem__ = __setitem__ = __iter__ = __len__ = __contains__ = __enter__ = __exit__ = _refuse
    __setattr__ = _refuse


_MAKERS: dict[str, Any] = {
    "function": _function,
    "class": _class,
    "cell": lambda shown, name: _class(shown, name, Cell),
    "primitive": _primitive,
    "instance": lambda shown, name: _primitive(shown, name)(),
    "object": lambda shown, name: Absent(shown),
}
