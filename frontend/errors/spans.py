"""Source spans: an expression in the user's file, shown with its line and a caret under it."""

from __future__ import annotations

import itertools
import linecache
import sys
import traceback

from ...runtime.records import dataclass
from .user_files import is_user_file

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
