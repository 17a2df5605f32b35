"""Notes of how datasets were made, which `serialize` reads."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

_Method = TypeVar("_Method", bound=Callable[..., Any])

__all__ = ["arguments_of", "recorded"]


def recorded(method: _Method) -> _Method:
    """A method of datasets whose result notes the dataset, the method and its arguments."""

    @functools.wraps(method)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = method(self, *args, **kwargs)
        if result is not self:
            result._made_by = (self, method.__name__, arguments_of(method, (self, *args), kwargs))
        return result

    return run  # type: ignore[return-value]


def arguments_of(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call by their names, without the first one."""
    signature = inspect.signature(function)
    bound = list(signature.bind(*args, **kwargs).arguments.items())[1:]
    found: dict[str, Any] = {}
    for name, value in bound:
        if signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            found.update(value)
        else:
            found[name] = value
    return found
