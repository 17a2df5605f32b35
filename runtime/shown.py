"""The names under which users see classes of errors: public ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Error = TypeVar("Error", bound=type[BaseException])
_STANDARD: dict[str, type[BaseException]] = {}  # by module and name


def public(module: str) -> Callable[[Error], Error]:
    """Show a class as one of the public module where users find it: `mycel.GraphError`."""

    def shown(kind: Error) -> Error:
        kind.__module__ = module
        return kind

    return shown


def standard(kind: Error) -> Error:
    """Show a private class as its first base: `IndexError`."""
    key, base = f"{kind.__module__}.{kind.__qualname__}", kind.__bases__[0]
    _STANDARD[key] = kind
    kind.__module__, kind.__name__, kind.__qualname__ = base.__module__, base.__name__, base.__qualname__
    known = next(one for one in kind.__mro__ if one not in _STANDARD.values())  # which pickle finds

    def reduce(self: BaseException) -> tuple[Any, ...]:
        return _again, (key, known, self.args), vars(self)

    if "__reduce__" not in vars(kind):
        kind.__reduce__ = reduce  # type: ignore[method-assign,assignment]
    return kind


def _again(key: str, base: type[BaseException], args: tuple[Any, ...]) -> BaseException:
    """An error that was pickled: of its base, where the class is not loaded."""
    kind = _STANDARD.get(key, base)
    error = kind.__new__(kind)
    error.args = args
    return error
