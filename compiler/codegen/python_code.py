"""Python code as syntax trees, and their printing. Names and values are checked as `spelling.py` says."""

from __future__ import annotations

import ast
import io
from collections.abc import Sequence
from typing import Any

import astunparse

from ..ir.spelling import identifier, is_plain, spell


def name_code(text: str) -> ast.Name:
    """A read of a name."""
    return ast.Name(identifier(text), ast.Load())


def call_code(function: str, *arguments: str, **keywords: ast.expr) -> ast.Call:
    """A call of a named function with names as arguments."""
    return ast.Call(
        name_code(function),
        [name_code(argument) for argument in arguments],
        [ast.keyword(identifier(key), value) for key, value in keywords.items()],
    )


def method_code(target: str, method: str, *arguments: ast.expr) -> ast.Call:
    """A method call on a name."""
    return ast.Call(ast.Attribute(name_code(target), identifier(method), ast.Load()), list(arguments), [])


def item_code(target: str, index: ast.expr) -> ast.Subscript:
    """An item or slice of a name."""
    return ast.Subscript(name_code(target), index, ast.Load())


def tuple_code(names: Sequence[str]) -> ast.Tuple:
    """A tuple of names."""
    return ast.Tuple([name_code(name) for name in names], ast.Load())


def assign(target: str, value: ast.expr) -> ast.stmt:
    """An assignment to a name."""
    return ast.Assign([ast.Name(identifier(target), ast.Store())], value, lineno=0)


def fill(target: str, source: str) -> ast.stmt:
    """A copy of an array to all elements of another, in half the time of a call of np.copyto."""
    everything = ast.Subscript(name_code(target), ast.Constant(..., None), ast.Store())
    return ast.Assign([everything], name_code(source), lineno=0)


class _Printer(astunparse.Unparser):  # type: ignore[misc]
    """astunparse without its parentheses around slices, and with comments of statements.

    Most statements of programs are calls with names, so these take a faster path.
    """

    _header = ""  # the comment of a compound statement, which stands behind its first line

    def dispatch(self, tree: Any) -> None:
        if isinstance(tree, list):
            for each in tree:
                self.statement(each)
        else:
            getattr(self, "_" + tree.__class__.__name__)(tree)

    def statement(self, tree: ast.stmt) -> None:
        """A statement and its comment, which stands behind the first line."""
        comment = tree.__dict__.get("comment", "")
        if comment and hasattr(tree, "body"):
            self._header, comment = comment, ""
        getattr(self, "_" + tree.__class__.__name__)(tree)
        self.f.write(comment)

    def write(self, text: str) -> None:
        self.f.write(text)

    def _Name(self, tree: ast.Name) -> None:
        self.f.write(tree.id)

    def _Constant(self, tree: ast.Constant) -> None:
        self.f.write("..." if tree.value is ... else repr(tree.value))  # numbers are finite

    def _Attribute(self, tree: ast.Attribute) -> None:
        self.dispatch(tree.value)
        self.f.write("." + tree.attr)

    def _Tuple(self, tree: ast.Tuple) -> None:
        self.f.write("(")
        self.items(tree.elts)
        self.f.write(",)" if len(tree.elts) == 1 else ")")

    def _Call(self, tree: ast.Call) -> None:
        self.dispatch(tree.func)
        self.f.write("(")
        self.items([*tree.args, *tree.keywords])
        self.f.write(")")

    def items(self, several: Sequence[ast.AST]) -> None:
        """Expressions with commas between them."""
        write, before = self.f.write, ""
        for each in several:
            write(before)
            before = ", "
            if isinstance(each, ast.Name):
                write(each.id)
            else:
                self.dispatch(each)

    def enter(self) -> None:
        super().enter()
        self.write(self._header)
        self._header = ""

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
    """The text of a tree; a statement may have a `comment`."""
    text = io.StringIO()
    _Printer(tree, text)
    return text.getvalue().strip() + "\n"


def parse_line(code: str) -> ast.stmt:
    """Parse a line of text that the emitters write, with names and values inserted as `spelling.py` says."""
    (statement,) = ast.parse(code).body
    return statement


def function_code(name: str, parameters: Sequence[str], body: list[ast.stmt]) -> ast.stmt:
    """A function definition."""
    names = [ast.arg(identifier(parameter), None) for parameter in parameters]
    arguments = ast.arguments(posonlyargs=[], args=names, kwonlyargs=[], kw_defaults=[], defaults=[])
    function = ast.FunctionDef(identifier(name), arguments, body, [], lineno=0)
    if hasattr(function, "type_params"):
        function.type_params = []
    return function


def value_code(value: Any) -> ast.expr:
    """The expression of plain data."""
    if type(value) is tuple:
        return ast.Tuple([value_code(item) for item in value], ast.Load())
    if is_plain(value):
        return ast.Constant(value, None)
    return ast.parse(spell(value), mode="eval").body
