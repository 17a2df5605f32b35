"""Error locations: an error names the user's file and line, with a caret under the expression that raised it. An error
of a running program is raised again as if from the user's line."""

from __future__ import annotations

import ast
import contextlib
import inspect
import linecache
import re
import traceback
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any, NoReturn

from ...compiler.ir.graph import Node
from ...compiler.ir.values import Location
from ...compiler.ops import effects
from ...runtime.arena import ArenaError
from ...runtime.kernels.positions import PositionError, set_place
from ..control_flow.calls import STANDS_IN
from ..errors import out_of_memory
from ..errors.classes import MemoryLimitError, MissingKeyError, OutOfMemoryError, twin
from ..errors.spelling import attribute_hint
from ..errors.user_files import DONE, SourceSpan, innermost_user_step, is_user_file, show_frame
from ..values.tensor import Tensor
from .entries import Entries
from .entry import Entry


def raise_at(error: Exception, file: str, line: int, name: str) -> NoReturn:
    """Raise an error again from a frame at a line of the user's, so that the traceback shows this line.

    The message names the line, too, unless the user's code made the message.
    """
    module = ast.increment_lineno(ast.parse("raise error", file), line - 1)
    for node in ast.walk(module):
        for column in ("col_offset", "end_col_offset"):
            if hasattr(node, column):
                setattr(node, column, -1)  # no columns
    code = compile(module, file, "exec").replace(co_name=name)
    made = _innermost(error)
    try:
        exec(code, {"error": error})
    except Exception:
        found = error if made == effects.__name__ else blame(error)
        if found is error:
            raise
        raise found from error.__cause__
    raise AssertionError("an error was not raised")


def _innermost(error: BaseException) -> str:
    """The module that raised the error."""
    name, step = "", error.__traceback__
    while step is not None:
        name, step = str(step.tb_frame.f_globals.get("__name__")), step.tb_next
    return name


def blame(error: Exception) -> Exception:
    """The error to raise in place of one that occurred during a trace. It names the place in the user's code, once.

    An error that the user's code itself raises is not changed. For one that Python raised, the result is its `twin`.
    """
    if getattr(error, DONE, False) or len(error.args) != 1:
        return error
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    last = innermost_user_step(error)
    if step is None or last is None or isinstance(error, (SyntaxError, OSError)):
        return error
    frame = traceback.extract_tb(last, limit=1)[0]
    found = error
    users = is_user_file(step.tb_frame.f_code.co_filename)
    if users and _raises(frame):
        return error
    stands_in = step.tb_frame.f_globals.get("__name__", "") in STANDS_IN
    if users or stands_in or isinstance(error, RecursionError):
        found = twin(error)
        if found is error and isinstance(error, IndexError):
            _tell_length(error, step.tb_frame, frame if users else None)
    if isinstance(found, AttributeError):
        _tell_nearest(found)
    if isinstance(found, (TypeError, AttributeError, IndexError)) and isinstance(found.args[0], str):
        _tell_uncalled(found, frame, last.tb_frame)
    place = f"\n  at {show_frame(frame)}"
    if isinstance(found, MissingKeyError):
        found.place = place
    elif isinstance(found, KeyError) or not isinstance(found.args[0], str):
        return error
    else:
        found.args = (f"{found.args[0]}{place}",)
    try:
        setattr(found, DONE, True)
    except AttributeError:  # an error class with slots
        return found
    return found.with_traceback(error.__traceback__)


def definition_of(function: Any) -> SourceSpan | None:
    """The line of the `def` of a function, or of a Cell's construct."""
    code = _code(function)
    if code is None:
        return None
    line = code.co_firstlineno  # the first decorator's
    for number in range(line, line + 20):
        if re.match(rf"\s*(async\s+)?def\s+{re.escape(code.co_name)}\b", linecache.getline(code.co_filename, number)):
            line = number
            break
    return SourceSpan(code.co_filename, line, code.co_name)


def show_definition(function: Any) -> str:
    """The place of a function's definition, or of a Cell's construct, as the end of a message; empty if there is no
    file."""
    place = definition_of(function)
    return "" if place is None else f"\n  at {show_frame(place)}"


def _code(function: Any) -> CodeType | None:
    """The code of a function without its wrappers."""
    for _ in range(20):
        inner = getattr(function, "function", None) or getattr(function, "__wrapped__", None)
        inner = inner or getattr(function, "__func__", None) or getattr(function, "func", None)
        if inner is None and not hasattr(function, "__code__"):
            inner = getattr(type(function), "construct", None)
        if inner is None:
            break
        function = inner
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None


def check_returned(name: str, function: Any, result: Any) -> None:
    """Raise TypeError, at the line of its `def`, if the function to differentiate returns None."""
    if result is not None:
        return
    error = TypeError(
        f"there is nothing to differentiate in the result of '{name}': it returns None. Its last statement should "
        f"return the loss{show_definition(function)}"
    )
    setattr(error, DONE, True)
    raise error


def _tell_length(error: IndexError, running: FrameType, frame: traceback.FrameSummary | None) -> None:
    """Add to the message how many items the sequence has, if the failing line shows which sequence it is."""
    container = running.f_locals.get("container")
    if frame is not None:
        first, last = getattr(frame, "colno", None), getattr(frame, "end_colno", None)
        line = linecache.getline(frame.filename, frame.lineno or 0).encode()
        try:
            node = ast.parse(line[first:last].decode().strip(), mode="eval").body
        except (SyntaxError, UnicodeDecodeError):
            return
        name = node.value.id if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) else ""
        container = running.f_locals.get(name)
    if isinstance(container, (tuple, list, str)):
        length = len(container)
        error.args = (f"{error.args[0]}: the index should be in range[-{length}, {length})",)


def _tell_nearest(error: AttributeError) -> None:
    """Add to Python's own error, or a Cell's, the most similar attribute of the object."""
    owner, name = getattr(error, "obj", None), getattr(error, "name", None)
    if owner is not None and name and isinstance(error.args[0], str):
        hint = attribute_hint(owner, name)
        if hint:
            error.args = (f"{error.args[0]}{hint}",)
            error.obj = None  # or Python would add its own suggestion


def _tell_uncalled(error: Exception, frame: traceback.FrameSummary, running: FrameType) -> None:
    """Add to the message which method, Cell or function of the failing expression is not called, as in `x.sum + 1`.

    The message itself gives only the class, such as 'method'.
    """
    tree, text = _failing(frame), error.args[0]
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load) and id(node) not in called:
            value = _value(node, running)
            if isinstance(error, AttributeError) and not inspect.isroutine(value):
                continue  # Cells and classes have attributes
            names = {type(value).__name__, type(getattr(value, "__func__", value)).__name__}
            if callable(value) and re.search(rf"('|tensor.*(got|of type) )({'|'.join(names)})\b", text, re.I | re.S):
                path = ast.unparse(node)
                error.args = (f"{text}: {path} is not called, write {path}(…)",)
                return


def _failing(frame: traceback.FrameSummary) -> ast.AST:
    """The syntax tree of the failing expression, or statement; an empty one if Python does not tell its columns."""
    first, last, end = (getattr(frame, name, None) for name in ("colno", "end_colno", "end_lineno"))
    lines = [line.encode() for line in linecache.getlines(frame.filename)[(frame.lineno or 1) - 1 : end]]
    if first is None or last is None or not lines:
        return ast.Module([], [])
    text = b"".join([*lines[:-1], lines[-1][:last]])[first:].decode(errors="replace")
    for form in (f"({text})", text):
        with contextlib.suppress(SyntaxError):
            return ast.parse(form)
    return ast.Module([], [])


def _value(node: ast.AST, running: FrameType) -> Any:
    """The value of a name, or of attributes of one; None if it is unknown, or an error or a property stands there."""
    if isinstance(node, ast.Name):
        return running.f_locals.get(node.id, running.f_globals.get(node.id))
    if not isinstance(node, ast.Attribute):
        return None
    if isinstance(node.value, ast.Call):  # which mostly gives a tensor
        method = getattr(Tensor, node.attr, None)
        return MethodType(method, Tensor) if isinstance(method, FunctionType) else None
    owner = _value(node.value, running)
    if isinstance(inspect.getattr_static(type(owner), node.attr, None), property):
        return None
    with contextlib.suppress(Exception):  # of a `__getattr__`
        return getattr(owner, node.attr)
    return None


def _raises(frame: traceback.FrameSummary) -> bool:
    """Whether the line itself raises an error, or its text is unknown."""
    return not frame.line or re.search(r"\b(raise|assert)\b", frame.line) is not None


def point_at_line(error: Exception, name: str, entries: Entries) -> None:
    """Raise an error of a program again as if from the user's line of the failing statement.

    An error for memory also says what asked for the memory.
    """
    by_file = {entry.file: entry for entry in entries if entry.nodes_of_lines is not None}
    step, found = error.__traceback__, None
    while step is not None:  # the last one may be in a function of the program, for a loop
        entry = by_file.get(step.tb_frame.f_code.co_filename)
        node = None if entry is None else entry.node_of_line(step.tb_lineno)
        found = (entry, node) if entry is not None and node is not None and node.location is not None else found
        step = step.tb_next
    if found is not None:
        entry, node = found
        if isinstance(error, MemoryError):
            error = out_of_memory.of_program(error, name, node, []).with_traceback(error.__traceback__)
        location = _location_inside(error, entry, node)
        assert location is not None
        raise_at(error, location.file, location.line, name)
    if isinstance(error, MemoryError) and not isinstance(error, (MemoryLimitError, OutOfMemoryError)):
        holders = _holders(entries, error.nbytes) if isinstance(error, ArenaError) else []
        raise out_of_memory.of_program(error, name, None, holders) from None


def _location_inside(error: Exception, entry: Entry, node: Node) -> Location | None:
    """The line of that node of a kernel that an error of positions is about, which then names the user's dimension."""
    if not isinstance(error, PositionError):
        return node.location
    planned = None if error.names is None else entry.kernels().get(node)
    location, name = None, getattr(node.inputs[-1], "name", "") if node.inputs else ""
    if planned is not None and error.names is not None:
        location, name = planned.access(*error.names)
    location = location or node.location
    if error.found is not None and entry.graph is not None and location is not None:
        from ...compiler.analysis.indexed import indexed_at  # late: most programs have no such error

        position, size, axis, shape = error.found
        set_place(error, position, size, *indexed_at(entry.graph, location, size, name, (axis, shape)))
    return location


def _holders(entries: Entries, nbytes: int) -> list[str]:
    """The contents of an arena of so many bytes at its peak."""
    from ...compiler.memory.budget import largest_buffers  # part of the compiler, which `import mycel` does not load

    for entry in [entry for entry in entries if not entry.eager]:
        try:
            plan = entry.stages().plan
        except MemoryError:  # it is made again for a program from the cache
            continue
        if plan.nbytes == nbytes:
            return largest_buffers(plan)
    return []
