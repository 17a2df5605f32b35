"""Syntax node constructors: short functions for nodes of converted code, with spans of the user's file, and unique
names for its variables and functions."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from types import CodeType
from typing import Any, TypeVar

from .scope import NameTable

LOAD, STORE, DELETE = ast.Load(), ast.Store(), ast.Del()

_new = ast.AST.__new__  # `__init__` takes several times as long as all the rest

Span = dict[str, Any]
Node = TypeVar("Node", bound=ast.AST)


def span(node: Any) -> Span:
    """The position of a node, as keywords for another one."""
    return {
        "lineno": node.lineno,
        "col_offset": node.col_offset,
        "end_lineno": node.end_lineno,
        "end_col_offset": node.end_col_offset,
    }


def made(kind: type[Node], at: Span, /, **fields: Any) -> Node:
    """A node of a class with these fields."""
    node = _new(kind)
    fields |= at
    node.__dict__ = fields
    return node


def copied(kind: type[Node], node: Any, /, **changes: Any) -> Node:
    """A node of a class with the fields of another one but for these; it stands in the same place."""
    copy = _new(kind)
    copy.__dict__ = {**node.__dict__, **changes}
    return copy


def name(identifier: str, at: Span) -> ast.Name:
    """A name that is read."""
    return made(ast.Name, at, id=identifier, ctx=LOAD)


def constant(value: Any, at: Span) -> ast.Constant:
    """A literal."""
    return made(ast.Constant, at, value=value, kind=None)


def strings(values: Sequence[str], at: Span) -> ast.Constant:
    """A tuple of strings, as Python folds it."""
    return constant(tuple(values), at)


def keyword(argument: str, value: ast.expr, at: Span) -> ast.keyword:
    """A keyword argument of a call."""
    return made(ast.keyword, at, arg=argument, value=value)


def arguments(parameters: Iterable[str], at: Span) -> ast.arguments:
    """A plain parameter list."""
    names = [made(ast.arg, at, arg=parameter) for parameter in parameters]
    return made(ast.arguments, {}, posonlyargs=[], args=names, kwonlyargs=[], kw_defaults=[], defaults=[])


def mark_thunks(thunks: Iterable[ast.Lambda], mark: str) -> None:
    """Give thunks, before they are compiled, a parameter that takes nothing. It identifies their code."""
    for node in thunks:
        node.args.vararg = ast.arg(mark, None, lineno=node.lineno, col_offset=node.col_offset)


def is_thunk(code: CodeType, mark: str) -> bool:
    """Whether code has the mark of a thunk."""
    return code.co_name == "<lambda>" and code.co_varnames[:1] == (mark,)


def assign(target: str, value: ast.expr, at: Span) -> ast.Assign:
    """A statement that binds one name."""
    return made(ast.Assign, at, targets=[made(ast.Name, at, id=target, ctx=STORE)], value=value)


def function(identifier: str, parameters: Iterable[str], body: list[ast.stmt], at: Span) -> ast.FunctionDef:
    """A function statement."""
    given, body = arguments(parameters, at), body or [made(ast.Pass, at)]
    # Python before 3.12 has no parameters of types; its compiler does not look at them.
    return made(ast.FunctionDef, at, name=identifier, args=given, body=body, decorator_list=[], type_params=[])


class Conversion:
    """The names that the converters of a function and of its inner functions share."""

    def __init__(self, names: NameTable, lines: Sequence[str] = (), first_line: int = 1) -> None:
        self.names = names
        self.lines = lines  # of the user's text from `first_line` on; none if equal parts are to be shown each
        self.first_line = first_line
        self.counter = 0
        self.generated: set[str] = set()  # the functions that conversion makes
        self.thunks: list[ast.Lambda] = []  # and the lambdas
        self.helpers = self.fresh_name("_mc")

    def text(self, first: int, last: int) -> str:
        """The lines of the user's file from one to another, where they are at hand."""
        return "".join(self.lines[first - self.first_line : last + 1 - self.first_line])

    def fresh_name(self, wanted: str) -> str:
        """A name that the user's function does not use."""
        while wanted in self.names.bits:
            wanted = "_" + wanted
        return wanted

    def fresh(self, label: str) -> str:
        """A numbered name for a generated value."""
        self.counter += 1
        return self.fresh_name(f"{label}_{self.counter}")

    def function(self, label: str) -> str:
        """A numbered name for a generated function."""
        name = self.fresh(label)
        self.generated.add(name)
        return name

    def twin(self, name: str, label: str) -> str:
        """The name of the generated function that belongs to another one."""
        twin = self.fresh_name(f"{label}_{name.rpartition('_')[2]}")
        self.generated.add(twin)
        return twin


class FunctionNames:
    """The names of one function of the converted text while its body is made."""

    __slots__ = ("needed", "owned", "stores")

    def __init__(self, owned: int) -> None:
        self.owned = owned  # names that live in this function
        self.stores = 0  # names its own statements bind
        self.needed = 0  # names that functions inside it declare nonlocal, or that may be read unbound
