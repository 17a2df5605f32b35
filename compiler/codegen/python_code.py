"""Python code as syntax trees, and their printing. Names and values are checked as `spelling.py` says.

The expressions of which programs have most are texts (`CodeText`), so that no tree is built that is only printed.
"""

from __future__ import annotations

import ast
import io
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import astunparse

from ..ir.spelling import identifier, is_plain, spell

LOAD, STORE = ast.Load(), ast.Store()

_EVERYTHING = ast.Constant(..., None)

_new = ast.AST.__new__  # `__init__` takes several times as long as all the rest


class CodeText(ast.expr):
    """An expression as the text that is printed for it. `parsed` gives its tree to those that look at its parts."""

    def __init__(self, text: str) -> None:
        self.text = text


def parsed(code: ast.expr) -> ast.expr:
    """An expression whose parts can be looked at."""
    return ast.parse(code.text, mode="eval").body if isinstance(code, CodeText) else code


@lru_cache(maxsize=1 << 14)
def name_code(text: str) -> ast.Name:
    """A read of a name: one node for all reads of it, which nobody changes."""
    return ast.Name(identifier(text), LOAD)


def call_text(function: str, *arguments: str) -> str:
    """The text of a call of a named function with names as arguments."""
    return f"{identifier(function)}({', '.join(map(identifier, arguments))})"


def call_code(function: str, *arguments: str, **keywords: ast.expr) -> ast.Call:
    """A call of a named function with names as arguments."""
    return ast.Call(
        name_code(function),
        [name_code(argument) for argument in arguments],
        [ast.keyword(identifier(key), value) for key, value in keywords.items()],
    )


def method_code(target: str, method: str, *arguments: ast.expr) -> ast.Call:
    """A method call on a name."""
    return ast.Call(ast.Attribute(name_code(target), identifier(method), LOAD), list(arguments), [])


def item_code(target: str, index: ast.expr) -> ast.Subscript:
    """An item or slice of a name."""
    return ast.Subscript(name_code(target), index, LOAD)


def tuple_code(names: Sequence[str]) -> ast.Tuple:
    """A tuple of names."""
    return ast.Tuple([name_code(name) for name in names], LOAD)


def assign(target: str, value: ast.expr) -> ast.Assign:
    """An assignment to a name."""
    made = _new(ast.Assign)
    made.__dict__ = {"targets": [_target(target)], "value": value, "lineno": 0}
    return made


def assign_each(targets: Sequence[str], value: ast.expr) -> ast.Assign:
    """An assignment of several values to as many names."""
    made = _new(ast.Assign)
    names = CodeText(", ".join(map(identifier, targets)) + "," * (len(targets) == 1))
    made.__dict__ = {"targets": [names], "value": value, "lineno": 0}
    return made


def add_target(statement: ast.Assign, target: str) -> None:
    """Let an assignment give its value a further name."""
    statement.targets.append(_target(target))


@lru_cache(maxsize=1 << 14)
def _target(text: str) -> ast.Name:
    return ast.Name(identifier(text), STORE)


def evaluated(value: ast.expr) -> ast.stmt:
    """The statement that evaluates an expression."""
    made = _new(ast.Expr)
    made.__dict__ = {"value": value}
    return made


def fill(target: str, source: str) -> ast.stmt:
    """A copy of an array to all elements of another, in half the time of a call of np.copyto."""
    everything, made = _new(ast.Subscript), _new(ast.Assign)
    everything.__dict__ = {"value": name_code(target), "slice": _EVERYTHING, "ctx": STORE}
    made.__dict__ = {"targets": [everything], "value": name_code(source), "lineno": 0}
    return made


def text_of(tree: ast.AST) -> str:
    """The text of an expression."""
    if tree.__class__ is CodeText:
        return tree.text
    write = _WRITERS.get(tree.__class__)
    return write(tree) if write is not None else _printed(tree, None)


def _texts(several: Sequence[ast.AST]) -> str:
    """Expressions with commas between them."""
    return ", ".join([each.id if each.__class__ is ast.Name else text_of(each) for each in several])


def _call_text(tree: ast.Call) -> str:
    return f"{text_of(tree.func)}({_texts([*tree.args, *tree.keywords] if tree.keywords else tree.args)})"


def _constant_text(tree: ast.Constant) -> str:
    return "..." if tree.value is ... else repr(tree.value)  # numbers are finite


def _keyword_text(tree: ast.keyword) -> str:
    return f"**{text_of(tree.value)}" if tree.arg is None else f"{tree.arg}={text_of(tree.value)}"


def _slice_text(tree: ast.Slice) -> str:
    lower, upper, step = ("" if part is None else text_of(part) for part in (tree.lower, tree.upper, tree.step))
    return f"{lower}:{upper}:{step}" if tree.step else f"{lower}:{upper}"


def _subscript_text(tree: ast.Subscript) -> str:
    """astunparse writes parentheses around the slices of several dimensions."""
    index = tree.slice
    several = isinstance(index, ast.Tuple) and index.elts
    inside = f"{_texts(index.elts)}{',' * (len(index.elts) == 1)}" if several else text_of(index)  # type: ignore[attr-defined]
    return f"{text_of(tree.value)}[{inside}]"


def _choice_text(tree: ast.BoolOp) -> str:
    return f"({(' or ' if isinstance(tree.op, ast.Or) else ' and ').join(map(text_of, tree.values))})"


_WRITERS: dict[type, Callable[[Any], str]] = {
    CodeText: lambda tree: tree.text,
    ast.Name: lambda tree: tree.id,
    ast.Constant: _constant_text,
    ast.Attribute: lambda tree: f"{text_of(tree.value)}.{tree.attr}",
    ast.Tuple: lambda tree: f"({_texts(tree.elts)}{',' * (len(tree.elts) == 1)})",
    ast.Call: _call_text,
    ast.keyword: _keyword_text,
    ast.Slice: _slice_text,
    ast.Subscript: _subscript_text,
    ast.BoolOp: _choice_text,
}
"""Of the expressions that programs have most, as astunparse writes them. They are texts in one step."""


class _Printer(astunparse.Unparser):  # type: ignore[misc]
    """astunparse with comments of statements, and with `text_of` for expressions."""

    def __init__(self, tree: ast.AST, file: io.StringIO, comments: Mapping[Any, str] | None) -> None:
        self._header = ""  # the comment of a compound statement, which stands behind its first line
        self._comments = comments
        super().__init__(tree, file)

    def dispatch(self, tree: Any) -> None:
        if isinstance(tree, list):
            begin, write, comments = "\n" + "    " * self._indent, self.f.write, self._comments
            for each in tree:
                if each.__class__ is ast.Assign:
                    targets = [one.id if one.__class__ is ast.Name else text_of(one) for one in each.targets]
                    text = f"{' = '.join(targets)} = {text_of(each.value)}"
                elif each.__class__ is ast.Expr:
                    text = text_of(each.value)
                else:
                    self.statement(each)
                    continue
                node = each.__dict__.get("node")
                write(begin + text if node is None or comments is None else begin + text + comments[node])
            return
        write = _WRITERS.get(tree.__class__)
        if write is not None:
            self.f.write(write(tree))
        else:
            getattr(self, "_" + tree.__class__.__name__)(tree)

    def statement(self, tree: ast.stmt) -> None:
        """A statement and its comment, which stands behind the first line."""
        comment = self.comment(tree)
        if comment and "body" in tree.__dict__:
            self._header, comment = comment, ""
        getattr(self, "_" + tree.__class__.__name__)(tree)
        if comment:
            self.f.write(comment)

    def write(self, text: str) -> None:
        self.f.write(text)

    def comment(self, tree: ast.stmt) -> str:
        """The comment of a statement."""
        node = tree.__dict__.get("node")
        return "" if node is None or self._comments is None else self._comments[node]

    def enter(self) -> None:
        super().enter()
        self.write(self._header)
        self._header = ""


def _printed(tree: ast.AST, comments: Mapping[Any, str] | None) -> str:
    """The text of any tree, as astunparse writes it."""
    text = io.StringIO()
    _Printer(tree, text, comments)
    return text.getvalue()[:-1]


def print_code(tree: ast.AST, comments: Mapping[Any, str] | None = None) -> str:
    """The text of a tree, with the comments of the `node`s that statements have."""
    return _printed(tree, comments).strip() + "\n"


def parse_line(code: str) -> ast.stmt:
    """Parse a line of text that the emitters write, with names and values inserted as `spelling.py` says."""
    (statement,) = ast.parse(code).body
    return statement


def function_code(name: str, parameters: Sequence[str], body: list[ast.stmt]) -> ast.FunctionDef:
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
        return ast.Tuple([value_code(item) for item in value], LOAD)
    if is_plain(value):
        return ast.Constant(value, None)
    return ast.parse(spell(value), mode="eval").body
