"""Where an error is: whether a file belongs to the user, to this package, or to a library; and an expression in the
user's file, shown with its line and a caret under it."""

from __future__ import annotations

import itertools
import linecache
import os
import sys
import traceback
from functools import cache
from types import TracebackType

import numpy as np

from ...runtime.program_text import FILES
from ...runtime.records import dataclass


def _root(file: str) -> str:
    return os.path.dirname(os.path.dirname(os.path.dirname(file)))


PACKAGE = _root(os.path.realpath(__file__))
_ROOTS = {PACKAGE, _root(__file__)}  # the package may be imported through a link
_PARTS = ("library/", "frontend/", "compiler/", "runtime/", "__main__", "__init__")
_OWN = ("<mycel ", *(f"{root}/{part}".replace("\\", "/") for root in _ROOTS for part in _PARTS))
STANDARD_LIBRARY = os.path.join(os.path.dirname(os.__file__), "")  # `sysconfig` takes a millisecond to say that
_STANDARD = (STANDARD_LIBRARY.replace("\\", "/"), "<frozen ")
_NUMPY = os.path.dirname(np.__file__).replace("\\", "/")

DOOR = "<mycel door>"  # the file of the functions of `doors.py`
OWN, LIBRARY, USER = "own", "library", "user"


class _UserFiles(dict[str, bool]):
    def __missing__(self, file: str) -> bool:
        self[file] = found = kind_of_file(file) == USER
        return found


IS_USER_FILE = _UserFiles()  # by the name of the file; asked for each frame of each recorded node
is_user_file = IS_USER_FILE.__getitem__
"""Whether code of this file is the user's."""


@cache
def kind_of_file(file: str) -> str:
    """OWN for files of this package and programs that it emitted, LIBRARY for the standard library and NumPy, USER for
    all others."""
    path = file.replace("\\", "/")
    if path.startswith(_OWN) or file in FILES:
        return OWN
    if path.startswith(_NUMPY) or (path.startswith(_STANDARD) and "/site-packages/" not in path):
        return LIBRARY
    return USER


def user_level() -> int:
    """The `stacklevel` of the user's call, for a warning in the caller of this function."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and not is_user_file(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    return level


def innermost_user_step(error: BaseException) -> TracebackType | None:
    """The last step of the error's traceback that is in the user's code."""
    found: TracebackType | None = None
    step = error.__traceback__
    while step is not None:
        if is_user_file(step.tb_frame.f_code.co_filename):
            found = step
        step = step.tb_next
    return found


def innermost_user_frame(error: BaseException) -> traceback.FrameSummary | None:
    """The last frame of the error's traceback that is the user's code."""
    found = innermost_user_step(error)
    if found is None:
        return None
    return traceback.extract_tb(found, limit=1)[0]  # from Python 3.11 on with the columns of the expression


DONE = "_mycel_blamed"  # an attribute of errors that say where they arose


@dataclass(frozen=True)
class SourceSpan:
    """An expression of the user's, with the attribute names of `traceback.FrameSummary` from Python 3.11 on."""

    filename: str
    lineno: int
    name: str
    end_lineno: int | None = None
    colno: int | None = None
    end_colno: int | None = None


def show_frame(frame: traceback.FrameSummary | SourceSpan) -> str:
    """`file:line, in function`, the source line, and a caret under the expression."""
    lines = [f"{frame.filename}:{frame.lineno}, in {frame.name}"]
    source = linecache.getline(frame.filename, frame.lineno or 0).rstrip("\n")
    text = source.strip()
    if text:
        indent = len(source) - len(source.lstrip())
        lines.append(f"    {text}")
        first, last = getattr(frame, "colno", None), getattr(frame, "end_colno", None)
        if first is not None and last is not None and last > first >= 0:
            # Columns count bytes; the caret counts characters. An expression of several lines is marked on its first.
            encoded = source.encode()
            if getattr(frame, "end_lineno", None) != frame.lineno:
                last = len(encoded)
            start = len(encoded[:first].decode(errors="replace")) - indent
            width = max(1, len(encoded[first:last].decode(errors="replace")))
            if start >= 0:
                lines.append(f"    {' ' * start}{'^' * width}")
    return "\n".join(lines)


def span_of_caller() -> SourceSpan | None:
    """The current expression of the innermost frame of the user's."""
    frame = sys._getframe(1)
    while not is_user_file(frame.f_code.co_filename):
        if frame.f_back is None:
            return None
        frame = frame.f_back
    code = frame.f_code
    positions = getattr(code, "co_positions", None)  # from Python 3.11 on
    found = None if positions is None else next(itertools.islice(positions(), frame.f_lasti // 2, None), None)
    if found is None or found[0] is None:
        return SourceSpan(code.co_filename, frame.f_lineno, code.co_name)
    return SourceSpan(code.co_filename, found[0], code.co_name, found[1], found[2], found[3])


def mark_blamed(error: Exception, place: SourceSpan) -> None:
    """Mark an error whose text names its place already, so that `blame` does not change it."""
    error.args = (f"{error.args[0]}\n  at {show_frame(place)}",)
    setattr(error, DONE, True)
