"""Traceback filtering at the API boundary: each public function gets a wrapper (a door) that filters errors.

`guard(module)` wraps each public function of a module, and each public method of its classes, in a `try`. The function
object stays the same, and so do identity, pickling and signatures. Its code is replaced by that of a small function,
which calls the original; if that fails, the package's frames are removed from the traceback.
"""

from __future__ import annotations

import functools
import inspect
import sys
import threading
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, TypeVar

from ..errors.tracebacks import leaving
from ..errors.user_files import DOOR
from ..source.policy import should_convert

_Item = TypeVar("_Item")
_PACKAGE = __name__.split(".")[0] + "."
_INSIDE = frozenset(("construct", "bprop"))  # they run in the call of a Cell, which has a door
# Python itself calls these at any time, and asks some of them by trial and error.
_PROTOCOLS = frozenset(
    f"__{name}__"
    for name in (
        *("new", "del", "hash", "repr", "str", "getattr", "getattribute", "dir", "class_getitem", "init_subclass"),
        *("copy", "deepcopy", "reduce", "reduce_ex", "getstate", "setstate", "enter", "exit", "get", "set", "set_name"),
    )
)
_GUARDED: set[type] = set()
_LEFT: dict[Callable[..., Any], list[Callable[[], object]]] = {}
_ONE_AT_A_TIME = threading.RLock()


def guard(name: str) -> None:
    """Add doors to the public functions of a module, and to the public methods of its classes.

    Args:
        name: the module's name. It has run to its end, or is about to.
    """
    for shown, item in list(vars(sys.modules[name]).items()):
        if not shown.startswith("_") or shown == "__getattr__":
            guarded(item)


def guarded(item: _Item) -> _Item:
    """The same value; if it is a function or class of the package, it gets doors."""
    if isinstance(item, FunctionType):
        _install(item)
    elif isinstance(item, type) and not issubclass(item, BaseException):
        for kind in item.__mro__:
            if kind not in _GUARDED and kind.__module__.startswith(_PACKAGE):
                _GUARDED.add(kind)
                _guard_methods(kind)
    return item


def left_for_later(function: Callable[..., Any], step: Callable[[], object]) -> None:
    """Leave a step for when the function gets its door: most functions never leave the package."""
    _LEFT.setdefault(function, []).append(step)


def finished(function: _Item) -> _Item:
    """The same function, of which nothing is left to be done."""
    for step in _LEFT.pop(function, ()):  # type: ignore[call-overload]
        step()
    return function


def _guard_methods(kind: type) -> None:
    """Add doors to the public methods of a class."""
    for name, item in list(vars(kind).items()):
        if name in _INSIDE or name in _PROTOCOLS or (name.startswith("_") and not name.endswith("__")):
            continue
        function = getattr(item, "__func__", item)  # of a static or class method
        if isinstance(function, FunctionType):
            _install(function)


def _install(function: FunctionType) -> None:
    """Turn a function into the door of a copy of itself, once, also if several threads ask for it."""
    with _ONE_AT_A_TIME:
        code = finished(function).__code__
        if not f"{function.__module__}.".startswith(_PACKAGE) or code.co_flags & inspect.CO_GENERATOR:
            return
        if "leaving" in code.co_names or "_leaving" in code.co_varnames or should_convert(function):
            return  # it has its own `except`, or has a door, or its text counts
        inner = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
        inner.__kwdefaults__ = function.__kwdefaults__
        inner.__dict__.update(function.__dict__)
        inner.__annotations__ = function.__annotations__
        inner.__doc__ = function.__doc__
        inner.__module__, inner.__qualname__ = function.__module__, function.__qualname__
        # Others may call the function after each of these lines: its old code finds its defaults, the new code its own.
        door: dict[str, Any] = {"_inner": inner, "_leaving": leaving}
        function.__kwdefaults__ = {**(function.__kwdefaults__ or {}), **door}
        function.__code__ = _door(len(code.co_freevars)).replace(co_name=code.co_name)
        function.__defaults__ = None
        function.__kwdefaults__ = door
        function.__dict__["__wrapped__"] = inner  # from which `inspect` takes signature and source


@functools.cache
def _door(count: int) -> CodeType:
    """The code of a door for functions with so many free variables. A function keeps its closure when its code is
    replaced, so the new code must have as many."""
    names = ", ".join(f"free{position}" for position in range(count))
    source = f"""
def outer({names}):
    def door(*args, _inner, _leaving, **kwargs):
        {f"nonlocal {names}" if names else ""}
        try:
            return _inner(*args, **kwargs)
        except Exception as error:
            _leaving(error)
            raise
    return door
"""
    namespace: dict[str, Any] = {}
    exec(compile(source, DOOR, "exec"), namespace)
    code: CodeType = namespace["outer"](*range(count)).__code__
    return code
