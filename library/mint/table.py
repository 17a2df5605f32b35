"""How `mycel.mint`'s functions are made: a signature in MindSpore's words, and the function that it is handed to."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...frontend.errors.spelling import keyword_hint
from .. import functions as ops

_NAMESPACE: dict[str, Any] = {}


def bind(declaration: str, target: Callable[..., Any] | str) -> Callable[..., Any]:
    """A function with the declared name and arguments, such as "cat(tensors, dim=0)".

    `target`, or the function of `ops` that it names, gets the arguments by position, keyword-only ones by name.
    """
    name, _, rest = declaration.partition("(")
    exec(f"def {name}({rest}: pass", _NAMESPACE)  # only our own declarations come here
    signature = inspect.signature(_NAMESPACE.pop(name))
    if any(item.kind is inspect.Parameter.VAR_POSITIONAL for item in signature.parameters.values()):
        raise ValueError(f"{declaration}: arguments of any number are not for a table")

    def function(*arguments: Any, **named: Any) -> Any:
        try:
            bound = signature.bind(*arguments, **named)
        except TypeError as error:
            wrong = [keyword for keyword in named if keyword not in signature.parameters]
            if not wrong:
                raise TypeError(f"{name}(): {error}") from None
            hint = keyword_hint(wrong[0], signature.parameters)
            raise TypeError(f"{name}() got an unexpected keyword argument '{wrong[0]}'{hint}") from None
        bound.apply_defaults()
        run = getattr(ops, target) if isinstance(target, str) else target
        return run(*bound.args, **bound.kwargs)

    function.__name__ = function.__qualname__ = name
    function.__signature__ = signature  # type: ignore[attr-defined]
    shown = target if isinstance(target, str) else target.__name__.strip("_")
    own = inspect.getdoc(target) if callable(target) else None
    function.__doc__ = own or f"As `ops.{shown}`."
    return function


def table(declarations: dict[str, Callable[..., Any] | str]) -> dict[str, Callable[..., Any]]:
    """The functions of a table, by name."""
    return {declaration.partition("(")[0]: bind(declaration, target) for declaration, target in declarations.items()}
