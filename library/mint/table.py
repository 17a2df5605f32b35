"""How `mycel.mint`'s functions are made: a signature in MindSpore's words, and the function that it is handed to."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

from ...frontend.errors.spelling import missing_name
from ...frontend.values.tensor import Tensor
from .. import functions as ops
from ..docstrings import docstring
from ..functions.documentation import for_mint

Target = str | Callable[..., Any]
"""A function of `ops`, by its name, or any function. It gets the arguments by position, keyword-only ones by name."""
Row = Target | tuple[Target, str]
"""A target, and an example in place of that of the function of `ops`, such as "Tensor([1.0]), 2 -> [3.]"."""


def bind(declaration: str, row: Row, module: str) -> Callable[..., Any]:
    """A function with the declared name and arguments, such as "cat(tensors, dim=0)", that calls the row's target."""
    target, example = row if isinstance(row, tuple) else (row, "")
    name, _, rest = declaration.partition("(")
    (statement,) = ast.parse(f"def {name}({rest}: pass").body
    assert isinstance(statement, ast.FunctionDef)
    given = statement.args
    if given.vararg or given.kwarg:
        raise ValueError(f"{declaration}: arguments of any number are not for a table")
    passed = [item.arg for item in given.args] + [f"{item.arg}={item.arg}" for item in given.kwonlyargs]
    run = getattr(ops, target) if isinstance(target, str) else target
    namespace: dict[str, Any] = {"__name__": module, "_target": run, "Any": Any, "Tensor": Tensor}
    # Only our own declarations come here.
    exec(f"def {name}({rest}:\n    return _target({', '.join(passed)})", namespace)
    function: Callable[..., Any] = namespace[name]
    function.__annotations__ = _annotations(given, name, target)
    like = run if isinstance(target, str) else getattr(ops, name.rstrip("_"), None)
    if callable(like) and docstring(like):
        arguments = [item.arg for item in (*given.args, *given.kwonlyargs)]
        place = {"functional": "F", "mint": "mint"}.get(module.rpartition(".")[2], f"mint.{module.rpartition('.')[2]}")
        function.__doc__ = for_mint(name, place, like, arguments, isinstance(target, str), example)
    return function


def _annotations(given: ast.arguments, name: str, target: Target) -> dict[str, str]:
    """The annotations of arguments and result: those of the target, by position, or of the function of `ops`."""
    like = getattr(ops, target if isinstance(target, str) else name, None)
    known: dict[str, str] = getattr(inspect.unwrap(like), "__annotations__", {}) if callable(like) else {}
    names = [item.arg for item in (*given.args, *given.kwonlyargs)]
    found = dict(zip(names, [*known.values()][:-1], strict=False)) if isinstance(target, str) else known
    kinds = {own: found.get(own, "Any") for own in names} | {"return": known.get("return", "Any")}
    return {own: kind if set(re.findall(r"\w+", kind)) <= _NAMES else "Any" for own, kind in kinds.items()}


_NAMES = {"Any", "Tensor", "None", "bool", "int", "float", "str", "tuple"}


class Table:
    """The functions of a module that are declared, each of which is made when it is first asked for."""

    def __init__(self, declarations: Mapping[str, Row], module: str) -> None:
        self.rows = {declaration.partition("(")[0]: (declaration, row) for declaration, row in declarations.items()}
        self.module = module

    def find(self, name: str) -> Any:
        """The value for the module's `__getattr__`.

        Raises:
            AttributeError: if it is none of the functions.
        """
        if name not in self.rows:
            raise missing_name(self.module, name)
        return vars(sys.modules[self.module]).setdefault(name, bind(*self.rows[name], self.module))
