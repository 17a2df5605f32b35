"""Source retrieval: from a function object to its text, its line in the user's file and its syntax tree."""

from __future__ import annotations

import ast
import dis
import functools
import linecache
import sys
import textwrap
import types
import weakref
from collections.abc import Iterator
from dataclasses import field
from typing import Any, NoReturn

from ...runtime.records import dataclass
from ..errors.classes import NoSourceError, SourceError
from .gast_tree import to_gast

__all__ = ["Source", "SourceError", "search", "source_of"]

_COMPILER_FLAGS = 0x1FF0000  # the flags of `from __future__ import …` in a code object


# equal code objects have the same text
_found: weakref.WeakKeyDictionary[types.CodeType, str] = weakref.WeakKeyDictionary()


def search(code: types.CodeType, names: dict[str, Any]) -> tuple[str, list[str]] | None:
    """A file name for the text of a code object, and its lines; None if the text is gone.

    The text is searched where running code may still hold it: in string constants and variables of the functions on the
    stack, in the function's globals, on the command line, and in the history of the prompt. A text counts only if it
    compiles to this very code. It is entered into linecache, so that tracebacks show it, too.
    """
    known = _found.get(code, "")
    if known in linecache.cache:
        return known, linecache.getlines(known)
    from hashlib import blake2b  # few programs have code without a file: `import mycel` does not load it

    for text in _candidates(code, names):
        if _compiles_to(text, code):
            name = _found[code] = f"<text {blake2b(text.encode(), digest_size=4).hexdigest()}>"
            lines = text.splitlines(keepends=True)
            linecache.cache[name] = (len(text), None, lines, name)
            return name, lines
    return None


def _candidates(code: types.CodeType, names: dict[str, Any]) -> Iterator[str]:
    """Texts that may contain the function."""
    mark = "lambda" if code.co_name == "<lambda>" else f"def {code.co_name}"
    for text in _strings(names):
        if mark in text:
            yield text
            shifted = textwrap.dedent(text)
            if shifted != text:
                yield shifted
    yield from _typed(code, mark)


def _strings(names: dict[str, Any]) -> Iterator[str]:
    """The strings that can be reached."""
    seen = {id(names)}
    yield from _of(names.values())
    if "-c" in sys.orig_argv[:-1]:
        yield sys.orig_argv[sys.orig_argv.index("-c") + 1]
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        yield from _of(frame.f_code.co_consts)
        yield from _of(frame.f_locals.values())
        if id(frame.f_globals) not in seen:
            seen.add(id(frame.f_globals))
            yield from _of(frame.f_globals.values())
        frame = frame.f_back


def _of(values: Any) -> Iterator[str]:
    return (value for value in list(values) if isinstance(value, str))


def _typed(code: types.CodeType, mark: str) -> Iterator[str]:
    """The statements of the prompt's history that may contain the function, the latest first."""
    readline = sys.modules.get("readline")
    if readline is None or not code.co_filename.startswith("<"):
        return
    lines = [readline.get_history_item(place + 1) or "" for place in range(readline.get_current_history_length())]
    count = _last_line(code)
    for start in range(len(lines) - count, -1, -1):
        text = "\n".join(lines[start : start + count]) + "\n"
        if mark in text:
            yield text


def _last_line(code: types.CodeType) -> int:
    """The last line that a code object, or one inside it, has an instruction for."""
    own = max((line or 0 for _, _, line in code.co_lines()), default=code.co_firstlineno)
    return max([own, *[_last_line(item) for item in code.co_consts if isinstance(item, types.CodeType)]])


def _compiles_to(text: str, code: types.CodeType) -> bool:
    """Whether a text contains this code."""
    try:
        module = compile(text, code.co_filename, "exec", code.co_flags & _COMPILER_FLAGS, dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    stack = [module]
    while stack:
        found = stack.pop()
        if found.co_name == code.co_name and _same_instructions(found, code):
            return True
        stack.extend(item for item in found.co_consts if isinstance(item, types.CodeType))
    return False


def _same_instructions(one: types.CodeType, other: types.CodeType) -> bool:
    """Whether two code objects have the same instructions at the same lines."""
    same = all(
        getattr(one, name) == getattr(other, name)
        for name in ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_firstlineno", "co_flags")
    )
    if not same or len(one.co_consts) != len(other.co_consts):
        return False
    return all(
        _same_instructions(a, b)
        if isinstance(a, types.CodeType) and isinstance(b, types.CodeType)
        else repr(a) == repr(b)
        for a, b in zip(one.co_consts, other.co_consts, strict=True)
    )


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
        """A fresh gast tree of the function; the caller may change all but the assignments that it keeps."""
        return to_gast(self.node, keeps=True)


def source_of(function: Any) -> Source:
    """The source of a function, method or lambda. Raises SourceError if there is none."""
    function = plain_function(function)
    code = function.__code__
    file = _file_of(code, function.__globals__)
    node, class_name = file.find(code)
    first = code.co_firstlineno
    text = "".join(file.lines[first - 1 : node.end_lineno])
    return Source(function.__qualname__, file.filename, first, text, class_name, node)


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


Found = tuple[FunctionNode, "str | None"]
"""A function, and the name of the class around it."""


class _File:
    """The text of a file, and the parts of it that have been parsed, by their first and last lines."""

    def __init__(self, filename: str, lines: list[str]) -> None:
        self.filename = filename
        self.lines = lines
        self.parts: dict[tuple[int, int], _Part] = {}

    def find(self, code: types.CodeType) -> Found:
        """The function or lambda that a code object was compiled from.

        Only the top-level statement around it is parsed: a long file would take longer than the rest of many a
        compilation. The whole file is parsed where the text of the statement alone does not tell.
        """
        whole = 0, len(self.lines)
        try:
            found = self.part(_statement_around(self.lines, code.co_firstlineno - 1)).find(code)
        except (SyntaxError, ValueError):  # a string reaches the first column, or a branch stands alone
            found = None
        try:
            found = found or self.part(whole).find(code)
        except (SyntaxError, ValueError) as error:
            raise SourceError(
                f"the text of {self.filename} is not valid Python any more ({error}); run the program anew"
            ) from error
        return found or self.fail(code)

    def part(self, span: tuple[int, int]) -> _Part:
        """Some lines of the file, parsed."""
        if span not in self.parts:
            first, last = span
            text = "\n" * first + "".join(self.lines[first:last])
            self.parts[span] = _Part(ast.parse(text, self.filename))
        return self.parts[span]

    def fail(self, code: types.CodeType) -> NoReturn:
        """The error for a file whose text is not that of the running code."""
        name = "a lambda" if code.co_name == "<lambda>" else f"function '{code.co_name}'"
        raise SourceError(
            f"line {code.co_firstlineno} of {self.filename} does not hold {name} any more: "
            "the file was changed after it was imported; run the program anew"
        )


def _statement_around(lines: list[str], line: int) -> tuple[int, int]:
    """The lines of the top-level statement around a line, as they seem: from one that begins in the first column to
    the next such one."""
    first = min(line, len(lines) - 1)
    while first > 0 and lines[first][:1] in _INSIDE:
        first -= 1
    decorated = lines[first].startswith("@")
    last = first + 1
    while last < len(lines) and (decorated or lines[last][:1] in _INSIDE):
        decorated = decorated and not lines[last].startswith(("def ", "class ", "async "))
        last += 1
    return first, last


_INSIDE = " \t\n\r\f\v#)]}\"'"
"""How lines begin that are not the first of a top-level statement: they are indented or empty, or end brackets or
strings."""


class _Part:
    """A parsed text, and its functions by their first lines."""

    def __init__(self, module: ast.Module) -> None:
        self.module = module
        self.functions: dict[int, list[Found]] = {}
        self._index(module.body, None)

    def find(self, code: types.CodeType) -> Found | None:
        """The function or lambda that a code object was compiled from."""
        return self._find_lambda(code) if code.co_name == "<lambda>" else self._find_function(code)

    def _index(self, body: list[Any], class_name: str | None) -> None:
        """Add every function statement of a block, at any depth, to the index."""
        for statement in body:
            kind = type(statement)
            if kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
                first = min([statement.lineno, *(decorator.lineno for decorator in statement.decorator_list)])
                self.functions.setdefault(first, []).append((statement, class_name))
                # a function inside a method still mangles names with the class around it
                self._index(statement.body, class_name)
            elif kind is ast.ClassDef:
                self._index(statement.body, statement.name)
            elif not statement.__dict__.keys().isdisjoint(_BLOCKS):
                for block in _blocks(statement):
                    self._index(block, class_name)

    def _find_function(self, code: types.CodeType) -> Found | None:
        for node, class_name in self.functions.get(code.co_firstlineno, ()):
            if not isinstance(node, ast.Lambda) and node.name == code.co_name and _parameters(node) == _signature(code):
                return node, class_name
        return None

    def _find_lambda(self, code: types.CodeType) -> Found | None:
        """The lambda expression, also if a line has several."""
        candidates = [
            (node, class_name)
            for node, class_name in _lambdas(self.module, code.co_firstlineno)
            if node.lineno == code.co_firstlineno and _parameters(node) == _signature(code)
        ]
        if len(candidates) > 1:
            span = _code_span(code)
            if span is not None:
                candidates = [item for item in candidates if _holds(_node_span(item[0].body), span)]
                candidates = candidates[-1:]  # a lambda in another one comes after it
            else:
                candidates = [item for item in candidates if _same_code(item[0], code)]
        return candidates[0] if candidates else None


_SHARED_NAMES = ("<string>", "<stdin>")
"""What Python calls the texts of all programs that come from no file: linecache may have another one's lines."""

_files: dict[str, _File] = {}


def _file_of(code: types.CodeType, module_globals: dict[str, Any]) -> _File:
    """The file of a code object. Each part is parsed once, until the text of the file changes."""
    filename = code.co_filename
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, module_globals)
    if filename in _SHARED_NAMES and not _compiles_to("".join(lines), code):
        lines = []
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
    file = _files.get(filename)
    if file is None or (file.lines is not lines and file.lines != lines):
        file = _files[filename] = _File(filename, lines)
    return file


def forget_trees() -> None:
    """Delete parsed files. A tree takes many times the memory of the text, which can be parsed again."""
    _files.clear()


_BLOCKS = ("body", "cases")  # what a statement has that holds others


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


def _holds(span: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    """Whether a span has all of another. Python leaves out branches that a constant excludes."""
    return span[:2] <= other[:2] and span[2:] >= other[2:]


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
