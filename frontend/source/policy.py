"""The conversion policy: the user's functions are converted; those of Python, NumPy and mycel are not."""

from __future__ import annotations

import os
import site
import sys
import types
from collections.abc import Callable
from typing import Any, TypeVar

from ..errors.user_files import STANDARD_LIBRARY

_Function = TypeVar("_Function", bound=Callable[..., Any])

_IMMUTABLE, _HEAP_TYPE = 1 << 8, 1 << 9  # flags of classes, as CPython has them
_PACKAGE = __name__.split(".")[0]
_INSTALLED = tuple({os.path.join(path, "") for path in (*site.getsitepackages(), site.getusersitepackages())})

# by identity: code objects compare by value
_convertible: dict[int, types.CodeType] = {}
_native: dict[int, types.CodeType] = {}
_native_modules: set[str] = {"numpy", "scipy", "gast", "astunparse"}
_verdicts: dict[tuple[str, str], bool] = {}


def _mark(marks: dict[int, types.CodeType], function: Callable[..., Any]) -> None:
    """Store a function by its code."""
    code: types.CodeType = getattr(function, "__func__", function).__code__
    marks[id(code)] = code


def mark_convertible(function: _Function) -> _Function:
    """Convert a library function when it is called, because it has control flow on traced values."""
    _mark(_convertible, function)
    return function


def mark_native(function: _Function) -> _Function:
    """Never convert a function."""
    _mark(_native, function)
    return function


def native_module(name: str) -> None:
    """Never convert the functions of a package."""
    _native_modules.add(name)
    _verdicts.clear()


def is_builtin(kind: type) -> bool:
    """Whether a class is written in C: a class statement makes a heap type that may change."""
    return kind.__flags__ & (_IMMUTABLE | _HEAP_TYPE) != _HEAP_TYPE


def should_convert(function: types.FunctionType) -> bool:
    """Whether a call of this function in converted code runs its converted form."""
    code = function.__code__
    if id(code) in _convertible:
        return True
    if id(code) in _native:
        return False
    return is_user_module(function.__globals__, code.co_filename)


def is_user_module(names: dict[str, Any], filename: str | None = None) -> bool:
    """Whether a module, given by its globals, belongs to the user."""
    name = str(names.get("__name__", ""))
    filename = filename or str(names.get("__file__", ""))
    verdict = _verdicts.get((name, filename))
    if verdict is None:
        verdict = _verdicts[name, filename] = _is_user_module(name, filename, names)
    return verdict


def _is_user_module(name: str, filename: str, names: dict[str, Any]) -> bool:
    """Whether a module belongs to the user."""
    package = name.partition(".")[0]
    if package == _PACKAGE or package in _native_modules or filename.startswith("<frozen "):
        return False
    if filename.startswith(_INSTALLED):
        # an installed library is the user's kind of code when it is written on this package
        return any(_is_ours(value) for value in list(names.values()))
    in_standard_library = package in sys.stdlib_module_names and filename.startswith(STANDARD_LIBRARY)
    return not in_standard_library


def _is_ours(value: Any) -> bool:
    """Whether a value of a module is from this package. Its modules may have names of MindSpore's."""
    if isinstance(value, types.ModuleType):
        return _PACKAGE in (value.__name__.partition(".")[0], type(value).__module__.partition(".")[0])
    module = getattr(value, "__module__", None)
    return isinstance(module, str) and module.partition(".")[0] == _PACKAGE
