"""Conditions whose value is known before a network runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from ...frontend.values.tensor import Tensor


def known_condition(
    test: ast.expr, before: Sequence[ast.stmt], definition: ast.FunctionDef, names: dict[str, Any], network: Any
) -> bool | None:
    """Whether a condition holds each time that a network runs; None if that is not known.

    `before`: the statements in front of it, `definition`: that of `construct`, which reads the globals `names`. Values
    of tensors are not known, because a Parameter may get others, nor is what `construct` sets, but for variables that
    one statement gives a value.
    """
    for statement in reversed(before):
        if isinstance(test, ast.Name) and test.id in _set_in(statement):
            if not (isinstance(statement, ast.Assign) and all(isinstance(x, ast.Name) for x in statement.targets)):
                return None
            test = statement.value
    own, *others = (item.arg for item in ast.walk(definition.args) if isinstance(item, ast.arg))
    unknown = {*others, *_set_in(definition)}
    if any(isinstance(item, ast.Call) or _name(item) in unknown for item in ast.walk(test)):
        return None

    def value(part: ast.expr) -> Any:
        return eval(compile(ast.Expression(part), "<condition>", "eval"), names, {own: network})

    for part in _counted(test):
        with suppress(Exception):  # `and` and `or` may not come to it
            if isinstance(value(part), Tensor):
                return None
    try:
        return bool(value(test))
    except Exception:  # it will be raised where the network runs
        return None


def _set_in(part: ast.AST) -> Iterator[str]:
    """The variables and attributes that get other values somewhere in a part of a program."""
    for item in ast.walk(part):
        if isinstance(item, (ast.Name, ast.Attribute)) and not isinstance(item.ctx, ast.Load):
            yield _name(item)


def _name(item: ast.AST) -> str:
    """The name of a variable, or of an attribute behind a dot; that of other parts is empty."""
    return f".{item.attr}" if isinstance(item, ast.Attribute) else getattr(item, "id", "")


def _counted(test: ast.expr) -> Iterator[ast.expr]:
    """The parts of a condition whose values count, not only which objects they are, or what attributes these have."""
    yield test
    for item in ast.walk(test):
        same = isinstance(item, ast.Compare) and all(isinstance(op, (ast.Is, ast.IsNot)) for op in item.ops)
        if not same and not isinstance(item, ast.Attribute):
            yield from (child for child in ast.iter_child_nodes(item) if isinstance(child, ast.expr))
