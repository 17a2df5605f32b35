"""Functions that other functions define, under names and with docstrings of their own."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])


def made(run: _Function, name: str, arguments: tuple[str, ...] = (), text: str = "", /, **words: Any) -> _Function:
    """A function that another one defined, under its name; its arguments renamed, if given.

    Its docstring is `text`, or its own, in which the words take the place of their names in braces.
    """
    code, kinds = run.__code__, run.__annotations__
    names = arguments or code.co_varnames[: code.co_argcount]
    run.__code__ = code.replace(co_name=name, co_varnames=(*names, *code.co_varnames[len(names) :]))
    run.__annotations__ = dict(zip((*names, "return"), kinds.values(), strict=True)) if arguments else kinds
    run.__name__ = run.__qualname__ = name
    if text or run.__doc__:  # it is None without docstrings, python -OO
        run.__doc__ = text or f"{inspect.cleandoc(run.__doc__ or '')}\n".format(name=name, **words)
    return run
