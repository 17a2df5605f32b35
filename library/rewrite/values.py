"""Operands of statements: names, numbers, containers of them, and objects of other kinds."""

from __future__ import annotations

import ast
from enum import Enum
from typing import Any

__all__ = ["ScopedValue", "ValueType", "as_scoped", "expression_of", "value_of"]


class ValueType(Enum):
    """What an operand is."""

    ConstantValue = 0
    TupleValue = 20
    ListValue = 21
    DictValue = 22
    NamingValue = 40
    CustomObjValue = 41
    UnsupportedValue = 50


def _check(name: str, value: Any, kind: type) -> None:
    if not isinstance(value, kind):
        raise TypeError(
            f"For 'ScopedValue', the type of '{name}' should be '{kind.__name__}', but got type "
            f"'{type(value).__name__}'."
        )


class ScopedValue:
    """An operand or target of a statement: a name, with the object that has it, or a value.

    Args:
        arg_type: what it is.
        scope: the object that has the name, such as `self`; empty for variables.
        value: the name or value.

    Raises:
        TypeError: for arguments of other types.

    Examples:
        >>> from mycel.rewrite import ScopedValue
        >>> print(ScopedValue.create_naming_value("conv", "self"), ScopedValue.create_variable_value(2))
        self.conv 2
    """

    def __init__(self, arg_type: ValueType, scope: str = "", value: Any = None) -> None:
        _check("arg_type", arg_type, ValueType)
        _check("scope", scope, str)
        self.type, self.scope, self.value = arg_type, scope, value

    @classmethod
    def create_variable_value(cls, value: Any) -> ScopedValue:
        """The operand for a value: a number, a text, None, a container of such, or any object."""
        if value is None or isinstance(value, (int, float, str, bool)):
            return cls(ValueType.ConstantValue, "", value)
        if isinstance(value, (tuple, list)):
            kind = ValueType.TupleValue if isinstance(value, tuple) else ValueType.ListValue
            return cls(kind, "", tuple(cls.create_variable_value(item) for item in value))
        if isinstance(value, dict):
            return cls(ValueType.DictValue, "", {key: cls.create_variable_value(item) for key, item in value.items()})
        return cls(ValueType.CustomObjValue, "", value)

    @classmethod
    def create_naming_value(cls, name: str, scope: str = "") -> ScopedValue:
        """The operand for a name. TypeError if it is no text."""
        _check("name", name, str)
        return cls(ValueType.NamingValue, scope, name)

    @staticmethod
    def create_name_values(
        names: list[str] | tuple[str, ...], scopes: list[str] | tuple[str, ...] | None = None
    ) -> list[ScopedValue]:
        """An operand for each name. RuntimeError if there are not as many scopes."""
        if scopes is not None and len(scopes) != len(names):
            raise RuntimeError("names.length should be equal to scopes.length")
        pairs = zip(names, scopes or [""] * len(names), strict=True)
        return [ScopedValue.create_naming_value(name, scope) for name, scope in pairs]

    def __str__(self) -> str:
        if self.type is ValueType.CustomObjValue:
            return f"CustomObj: {self.value}"
        if self.type is ValueType.UnsupportedValue:
            return str(self.value)
        if self.type is ValueType.ConstantValue:
            return str(self.value)
        return ast.unparse(expression_of(self))

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScopedValue) and (self.type, self.scope, self.value) == (
            other.type, other.scope, other.value,
        )  # fmt: skip

    def __hash__(self) -> int:
        return hash((self.type, self.scope, str(self.value)))


def as_scoped(value: Any, what: str) -> ScopedValue:
    """A ScopedValue, or the one for a name. TypeError for anything else."""
    if isinstance(value, str):
        return value_of(ast.parse(value, mode="eval").body)
    if not isinstance(value, ScopedValue):
        raise TypeError(f"'{what}' should be ScopedValue or str, but got {type(value).__name__}")
    return value


def value_of(node: ast.expr) -> ScopedValue:
    """The operand that an expression is."""
    if isinstance(node, ast.Name):
        return ScopedValue.create_naming_value(node.id)
    if isinstance(node, ast.Attribute):
        return ScopedValue.create_naming_value(node.attr, ast.unparse(node.value))
    if isinstance(node, ast.Constant):
        return ScopedValue(ValueType.ConstantValue, "", node.value)
    if isinstance(node, (ast.Tuple, ast.List)):
        kind = ValueType.TupleValue if isinstance(node, ast.Tuple) else ValueType.ListValue
        return ScopedValue(kind, "", tuple(map(value_of, node.elts)))
    return ScopedValue(ValueType.UnsupportedValue, "", ast.unparse(node))


def expression_of(value: ScopedValue) -> ast.expr:
    """The expression for an operand. TypeError for an object that no text stands for."""
    if value.type is ValueType.NamingValue or value.type is ValueType.UnsupportedValue:
        return ast.parse(f"{value.scope}.{value.value}" if value.scope else value.value, mode="eval").body
    if value.type in (ValueType.TupleValue, ValueType.ListValue):
        items = [expression_of(item) for item in value.value]
        kind = ast.Tuple if value.type is ValueType.TupleValue else ast.List
        return kind(elts=items, ctx=ast.Load())
    if value.type is ValueType.DictValue:
        return ast.Dict([ast.Constant(key) for key in value.value], [expression_of(v) for v in value.value.values()])
    if value.type is ValueType.ConstantValue:
        return ast.Constant(value.value)
    raise TypeError(f"{value.value!r} cannot be written into a program: make it an attribute of the network")
