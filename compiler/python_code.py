"""Pieces of Python code as syntax trees, and their printing."""

from __future__ import annotations

import ast
import io
import math
from collections.abc import Sequence
from typing import Any

import astunparse


def name_code(text: str) -> ast.Name:
    """A name that is read."""
    return ast.Name(text, ast.Load())


def call_code(function: str, *arguments: str, **keywords: ast.expr) -> ast.Call:
    """A call of names on names."""
    return ast.Call(
        name_code(function),
        [name_code(argument) for argument in arguments],
        [ast.keyword(key, value) for key, value in keywords.items()],
    )


def method_code(target: str, method: str, *arguments: ast.expr) -> ast.Call:
    """A call of a method of a name."""
    return ast.Call(ast.Attribute(name_code(target), method, ast.Load()), list(arguments), [])


def item_code(target: str, index: ast.expr) -> ast.Subscript:
    """An item, or a part, of a name."""
    return ast.Subscript(name_code(target), index, ast.Load())


def tuple_code(names: Sequence[str]) -> ast.Tuple:
    """A tuple of names."""
    return ast.Tuple([name_code(name) for name in names], ast.Load())


def assign(target: str, value: ast.expr) -> ast.stmt:
    """An assignment to a name."""
    return ast.Assign([ast.Name(target, ast.Store())], value, lineno=0)


class _Printer(astunparse.Unparser):  # type: ignore[misc]
    """astunparse, which would put parentheses around slices."""

    def _Subscript(self, tree: ast.Subscript) -> None:
        if not (isinstance(tree.slice, ast.Tuple) and tree.slice.elts):
            super()._Subscript(tree)
            return
        self.dispatch(tree.value)
        self.write("[")
        for position, item in enumerate(tree.slice.elts):
            self.write(", " if position else "")
            self.dispatch(item)
        self.write(",]" if len(tree.slice.elts) == 1 else "]")


def print_code(tree: ast.AST) -> str:
    """The text of a tree."""
    text = io.StringIO()
    _Printer(tree, text)
    return text.getvalue().strip() + "\n"


def parse_line(code: str) -> ast.stmt:
    """The statement of a line of text."""
    return ast.parse(code).body[0]


def function_code(name: str, parameters: Sequence[str], body: list[ast.stmt]) -> ast.stmt:
    """A function definition."""
    names = [ast.arg(parameter, None) for parameter in parameters]
    arguments = ast.arguments(posonlyargs=[], args=names, kwonlyargs=[], kw_defaults=[], defaults=[])
    function = ast.FunctionDef(name, arguments, body, [], lineno=0)
    if hasattr(function, "type_params"):
        function.type_params = []
    return function


def value_code(value: Any) -> ast.expr:
    """The expression of plain data."""
    if isinstance(value, tuple):
        return ast.Tuple([value_code(item) for item in value], ast.Load())
    return ast.Constant(value, None)


def spellable(value: Any) -> bool:
    """Whether source can hold this value as it is."""
    if isinstance(value, tuple):
        return all(map(spellable, value))
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, (bool, int, str))
