"""Python's callables that read for their caller: what they read is guarded as if the user's code read it itself.

`operator.attrgetter` reads attributes, `operator.methodcaller` a method, `functools.singledispatch` a table of
functions, and `globals()` gives all names of a module.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from types import FunctionType, MappingProxyType
from typing import Any, NoReturn

from ..errors.classes import GraphBreak
from .access import getattr_
from .builder import builder

Converter = Callable[[Any], Callable[..., Any]]


def reader(function: Any, convert: Converter) -> Callable[..., Any] | None:
    """The function that runs in place of one of these callables; None for others."""
    kind = type(function)
    if kind is operator.attrgetter:
        return _attributes(function.__reduce__()[1])
    if kind is operator.methodcaller:
        made, arguments = function.__reduce__()
        return _method(made, arguments, convert)
    if kind is FunctionType and type(getattr(function, "registry", None)) is MappingProxyType:  # of singledispatch
        return _dispatcher(function, convert)
    return None


def _attributes(paths: tuple[str, ...]) -> Callable[[Any], Any]:
    def read(owner: Any) -> Any:
        found = tuple(functools.reduce(getattr_, path.split("."), owner) for path in paths)
        return found[0] if len(found) == 1 else found

    return read


def _method(made: Any, arguments: tuple[Any, ...], convert: Converter) -> Callable[[Any], Any]:
    """The call of a methodcaller, which `made(*arguments)` would make anew: `made` is its class, or a partial of it."""
    held: tuple[Any, ...] = getattr(made, "args", ())
    name, *others = held + arguments
    keywords: dict[str, Any] = getattr(made, "keywords", {})
    return lambda owner: convert(getattr_(owner, name))(*others, **keywords)


def _dispatcher(function: Any, convert: Converter) -> Callable[..., Any]:
    """The call of a `functools.singledispatch` function."""

    def dispatch(*arguments: Any, **keywords: Any) -> Any:
        if not arguments:
            return function(*arguments, **keywords)  # Python's own error
        active = builder()
        if active is not None:
            what = f"what is registered for '{function.__name__}'"
            active.flow.trace.guards.read_value((id(function), "registry"), what, lambda: dict(function.registry))
        return convert(function.dispatch(arguments[0].__class__))(*arguments, **keywords)

    return dispatch


def global_names(namespace: Any) -> Any:
    """The result of `globals()` in converted code: in a trace a copy, whose reads are guarded."""
    active = builder()
    return namespace if active is None or type(namespace) is not dict else _Globals(active, namespace)


class _Globals(dict[str, Any]):
    """The names of a module, for reading."""

    def __init__(self, active: Any, namespace: dict[str, Any]) -> None:
        super().__init__(namespace)
        self._active, self._namespace = active, namespace

    def __contains__(self, name: object) -> bool:
        what, namespace = f"whether there is a global '{name}'", self._namespace
        self._active.flow.trace.guards.read_value((id(namespace), name, "in"), what, lambda: name in namespace)
        return name in namespace

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(name)
        self._active.flow.trace.guards.read_global(self._namespace, name)
        value = self._namespace[name]
        self._active.flow.outside.found(value)
        return value

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else default  # noqa: SIM401 this is `get`

    def _refuse(self, *arguments: Any, **keywords: Any) -> NoReturn:
        raise GraphBreak("a graph cannot hold a change of globals()", "Declare the name as 'global' and assign to it")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse
