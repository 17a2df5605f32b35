"""Three-address form: nested calls and operators of a function become statements of their own."""

from __future__ import annotations

import ast
from collections.abc import Callable

__all__ = ["flattened", "label"]

_RAW = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)


def label(value: ast.expr) -> str:
    """What a statement or a variable that holds this value is called after."""
    if isinstance(value, ast.Call):
        function = value.func
        return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "call")
    if isinstance(value, (ast.BinOp, ast.UnaryOp, ast.BoolOp)):
        return type(value.op).__name__.lower()
    return type(value).__name__.lower()


def flattened(body: list[ast.stmt], unique: Callable[[str], str]) -> list[ast.stmt]:
    """The statements, each with one call or operator; `unique` gives names that no variable has.

    What may not be computed (operands of `and`, `or` and conditional expressions) and what Python computes in scopes of
    its own stays where it is.
    """
    return [new for statement in body for new in _statement(statement, unique)]


def _statement(statement: ast.stmt, unique: Callable[[str], str]) -> list[ast.stmt]:
    """What stands for a statement."""
    found: list[ast.stmt] = []
    if isinstance(statement, (ast.If, ast.For, ast.While)):
        for part in ("body", "orelse"):
            setattr(statement, part, flattened(getattr(statement, part), unique))
        if isinstance(statement, ast.If) and not _is_raw(statement.test):
            statement.test = _operand(statement.test, found, unique)
        elif isinstance(statement, ast.For) and not _is_raw(statement.iter):
            statement.iter = _operand(statement.iter, found, unique)
    elif isinstance(statement, (ast.Assign, ast.Return)) and statement.value and not _is_raw(statement.value):
        value = statement.value
        if isinstance(statement, ast.Return) and not isinstance(value, ast.Tuple):
            statement.value = _operand(value, found, unique)
        else:
            statement.value = _parts(value, found, unique)
    return [*found, statement]


def _is_raw(value: ast.expr) -> bool:
    return any(isinstance(node, _RAW) for node in ast.walk(value))


def _operand(value: ast.expr, found: list[ast.stmt], unique: Callable[[str], str]) -> ast.expr:
    """The value where it is a name or number; else the name of a variable that `found` gives it to."""
    if isinstance(value, ast.Starred):
        value.value = _operand(value.value, found, unique)
        return value
    kinds = (ast.Call, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Tuple, ast.List, ast.Subscript)
    if not isinstance(value, kinds) or all(isinstance(n, _LITERAL) for n in ast.walk(value)):
        return value
    value = _parts(value, found, unique)
    name = unique(f"{label(value)}_var")
    found.append(ast.Assign([ast.Name(name, ast.Store())], value))
    return ast.Name(name, ast.Load())


_LITERAL = (ast.Constant, ast.Tuple, ast.List, ast.UnaryOp, ast.unaryop, ast.expr_context)


def _parts(value: ast.expr, found: list[ast.stmt], unique: Callable[[str], str]) -> ast.expr:
    """The value, with its operands as names and numbers."""

    def operand(part: ast.expr) -> ast.expr:
        return _operand(part, found, unique)

    if isinstance(value, ast.Call):
        if isinstance(value.func, ast.Attribute):
            value.func.value = operand(value.func.value)
        else:
            value.func = operand(value.func)
        value.args = list(map(operand, value.args))
        for keyword in value.keywords:
            keyword.value = operand(keyword.value)
    elif isinstance(value, ast.BinOp):
        value.left, value.right = operand(value.left), operand(value.right)
    elif isinstance(value, ast.UnaryOp):
        value.operand = operand(value.operand)
    elif isinstance(value, ast.Compare) and len(value.ops) == 1:
        value.left, value.comparators = operand(value.left), list(map(operand, value.comparators))
    elif isinstance(value, (ast.Tuple, ast.List)):
        value.elts = list(map(operand, value.elts))
    elif isinstance(value, (ast.Subscript, ast.Attribute)):
        value.value = operand(value.value)
    return value
