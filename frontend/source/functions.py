"""Source retrieval: from a function object to its text, its line in the user's file and its syntax tree."""

from __future__ import annotations

import ast
import dis
import functools
import linecache
import types
from collections.abc import Iterator
from dataclasses import field
from typing import Any

from ...runtime.records import dataclass
from ..errors.classes import NoSourceError, SourceError
from .gast_tree import to_gast
from .search import search

__all__ = ["Source", "SourceError", "source_of"]

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class Source:
    """The text of one function, with the line and column numbers of the user's own file."""

    name: str
    filename: str
    first_line: int
    text: str
    class_name: str | None
    node: FunctionNode = field(repr=False)

    @property
    def tree(self) -> Any:
        """A fresh gast tree of the function; the caller may change it."""
        return to_gast(self.node)


def source_of(function: Any) -> Source:
    """The source of a function, method or lambda. Raises SourceError if there is none."""
    function = plain_function(function)
    code = function.__code__
    index = _file_index(code, function.__globals__)
    if code.co_name == "<lambda>":
        node, class_name = index.find_lambda(code)
    else:
        node, class_name = index.find_function(code)
    first = code.co_firstlineno
    text = "".join(index.lines[first - 1 : node.end_lineno])
    return Source(function.__qualname__, index.filename, first, text, class_name, node)


def plain_function(function: Any) -> types.FunctionType:
    """The Python function behind a method, static or class method or partial."""
    while not isinstance(function, types.FunctionType):
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, (types.MethodType, staticmethod, classmethod)):
            function = function.__func__
        else:
            raise SourceError(
                f"{function!r} is a {type(function).__name__}, not a Python function: it has no source text"
            )
    return function


class _FileIndex:
    """One parsed file, and its functions by their first lines."""

    def __init__(self, filename: str, lines: list[str]) -> None:
        self.filename = filename
        self.lines = lines
        try:
            self.module = ast.parse("".join(lines), filename)
        except (SyntaxError, ValueError) as error:
            raise SourceError(
                f"the text of {filename} is not valid Python any more ({error}); run the program anew"
            ) from error
        self.functions: dict[int, list[tuple[FunctionNode, str | None]]] = {}
        self._index(self.module.body, None)

    def _index(self, body: list[Any], class_name: str | None) -> None:
        """Add every function statement of a block, at any depth, to the index."""
        for statement in body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = min([statement.lineno, *(decorator.lineno for decorator in statement.decorator_list)])
                self.functions.setdefault(first, []).append((statement, class_name))
                # a function inside a method still mangles names with the class around it
                self._index(statement.body, class_name)
            elif isinstance(statement, ast.ClassDef):
                self._index(statement.body, statement.name)
            else:
                for block in _blocks(statement):
                    self._index(block, class_name)

    def find_function(self, code: types.CodeType) -> tuple[FunctionNode, str | None]:
        """The function statement a code object was compiled from."""
        for node, class_name in self.functions.get(code.co_firstlineno, ()):
            if not isinstance(node, ast.Lambda) and node.name == code.co_name and _parameters(node) == _signature(code):
                return node, class_name
        raise self._stale(code)

    def find_lambda(self, code: types.CodeType) -> tuple[FunctionNode, str | None]:
        """The lambda expression that a code object was compiled from, also if a line has several."""
        candidates = [
            (node, class_name)
            for node, class_name in _lambdas(self.module, code.co_firstlineno)
            if node.lineno == code.co_firstlineno and _parameters(node) == _signature(code)
        ]
        if len(candidates) > 1:
            span = _code_span(code)
            if span is not None:
                candidates = [item for item in candidates if _node_span(item[0].body) == span]
            else:
                candidates = [item for item in candidates if _same_code(item[0], code)]
        if not candidates:
            raise self._stale(code)
        return candidates[0]

    def _stale(self, code: types.CodeType) -> SourceError:
        """The error for a file whose text is not that of the running code."""
        name = "a lambda" if code.co_name == "<lambda>" else f"function '{code.co_name}'"
        return SourceError(
            f"line {code.co_firstlineno} of {self.filename} does not hold {name} any more: "
            "the file was changed after it was imported; run the program anew"
        )


_indexes: dict[str, _FileIndex] = {}


def _file_index(code: types.CodeType, module_globals: dict[str, Any]) -> _FileIndex:
    """The parsed file of a code object. It is parsed once, until its text changes."""
    filename = code.co_filename
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, module_globals)
    if not lines:
        # Python 3.13 keeps the text of interactive input and of -c programs by code object
        by_code = getattr(linecache, "_getlines_from_code", None)
        lines = by_code(code) if by_code is not None else []
    if not lines:
        found = search(code, module_globals)
        if found is None:
            raise NoSourceError(
                f"no source text for function '{code.co_name}' ({filename}, line {code.co_firstlineno}): a function "
                "that is compiled must stand in a file or a notebook cell; for text given to exec, compile it under a "
                "file name and put its lines into linecache.cache first"
            )
        filename, lines = found
    index = _indexes.get(filename)
    if index is None or (index.lines is not lines and index.lines != lines):
        index = _indexes[filename] = _FileIndex(filename, lines)
    return index


def forget_trees() -> None:
    """Delete parsed files. A tree takes many times the memory of the text, which can be parsed again."""
    _indexes.clear()


def _blocks(statement: ast.AST) -> Iterator[list[Any]]:
    """The statement lists inside a compound statement."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list):
            yield block
    for name in ("handlers", "cases"):
        for part in getattr(statement, name, ()):
            yield part.body


def _lambdas(module: ast.Module, line: int) -> Iterator[tuple[ast.Lambda, str | None]]:
    """Every lambda of the top-level statement around a line, with the class around it."""
    stack: list[tuple[ast.AST, str | None]] = [
        (statement, None)
        for statement in reversed(module.body)
        if _first_line(statement) <= line <= (statement.end_lineno or 0)
    ]
    while stack:
        node, class_name = stack.pop()
        if isinstance(node, ast.Lambda):
            yield node, class_name
        elif isinstance(node, ast.ClassDef):
            class_name = node.name
        stack.extend((child, class_name) for child in ast.iter_child_nodes(node))


def _first_line(statement: ast.stmt) -> int:
    """The first line of a statement, decorators included."""
    return min([statement.lineno, *(decorator.lineno for decorator in getattr(statement, "decorator_list", ()))])


def _parameters(node: FunctionNode) -> tuple[int, int, int, bool, bool, str]:
    """The signature of a function node, in the terms of a code object."""
    arguments = node.args
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    return (
        len(names),
        len(arguments.posonlyargs),
        len(arguments.kwonlyargs),
        arguments.vararg is not None,
        arguments.kwarg is not None,
        names[0] if names and not names[0].startswith("__") else "",
    )


def _signature(code: types.CodeType) -> tuple[int, int, int, bool, bool, str]:
    """The signature of a code object."""
    first = code.co_varnames[0] if code.co_argcount else ""
    starred = bool(code.co_flags & 0x04), bool(code.co_flags & 0x08)
    # a leading _Class__ is a mangled name, which the text spells differently
    if first.startswith("_") and "__" in first[1:]:
        first = ""
    return code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, *starred, first


def _node_span(node: ast.expr) -> tuple[int, int, int, int]:
    """The lines and columns of an expression."""
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def _code_span(code: types.CodeType) -> tuple[int, int, int, int] | None:
    """The lines and columns of a lambda's instructions, which are those of its body, where Python (3.11) has them."""
    if not hasattr(code, "co_positions"):
        return None
    starts, ends = [], []
    for line, end_line, column, end_column in code.co_positions():
        if None not in (line, end_line, column, end_column) and (line, column) != (end_line, end_column):
            starts.append((line, column))
            ends.append((end_line, end_column))
    return (*min(starts), *max(ends)) if starts else None


def _same_code(node: ast.Lambda, code: types.CodeType) -> bool:
    """Whether a lambda compiles to the instructions of a code object."""
    compiled = compile(ast.Expression(node), "<lambda>", "eval").co_consts
    found = next(
        constant for constant in compiled if isinstance(constant, types.CodeType) and constant.co_name == "<lambda>"
    )
    return _instructions(found) == _instructions(code)


def _instructions(code: types.CodeType) -> list[tuple[str, Any]]:
    """The instructions of a code object, without everything that depends on its position."""
    found: list[tuple[str, Any]] = []
    for instruction in dis.get_instructions(code):
        value = instruction.argval
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_NAME", "LOAD_CLOSURE"):
            found.append(("LOAD", value))
        elif isinstance(value, types.CodeType):
            found.append(("CODE", _instructions(value)))
        elif instruction.opname not in ("COPY_FREE_VARS", "MAKE_CELL"):
            found.append((instruction.opname, value if "JUMP" not in instruction.opname else None))
    return found
