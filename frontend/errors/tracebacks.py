"""Traceback filtering: an error that leaves the package shows the user's frames, but none of the package's own.

At each exit of the package an `except` calls `leaving(error)` and raises the error again. This costs nothing until
there is an error. `doors.py` gives every function of a module such an `except`.
"""

from __future__ import annotations

import os
import sys
from types import CodeType, FrameType, TracebackType
from typing import Any

from ..state import CONTEXT, STATE
from .spelling import tell_keyword, tell_overflow
from .user_files import LIBRARY, OWN, kind_of_file

SETTING = "traceback_filtering"
VARIABLE = "MYCEL_TRACEBACK"
_PACKAGE = __name__.split(".")[0]
_KEEPS_OWN = sys.version_info < (3, 11)  # there a bare `raise` keeps the traceback that the `except` found


def is_filtering() -> bool:
    """Whether errors leave without the package's frames: the setting decides, else the environment variable."""
    setting = CONTEXT.settings.get(SETTING)
    return os.environ.get(VARIABLE, "").lower() != "full" if setting is None else bool(setting)


def leaving(error: Exception) -> None:
    """Remove the package's frames from the traceback of an error that is about to leave it, and from those of its
    causes. An unknown keyword gets a hint.

    While a function is traced, or runs eagerly inside a compiled one, the error crosses further boundaries: the last
    one filters. A failed `assert` of the package itself is a bug, and is not filtered.
    """
    if type(error) is TypeError:
        tell_keyword(error)
    elif type(error) is OverflowError:
        tell_overflow(error)
    if STATE.trace is not None or STATE.inside or not is_filtering() or _is_defect(error):
        return
    pending: list[BaseException | None] = [error]
    seen: set[int] = set()
    while pending:
        found = pending.pop()
        if found is None or id(found) in seen:
            continue
        seen.add(id(found))
        pending += [found.__cause__, found.__context__]
        if found is error and _KEEPS_OWN and found.__traceback__ is not None:
            found.__traceback__.tb_next = users_frames(found.__traceback__.tb_next)
        else:
            found.__traceback__ = users_frames(found.__traceback__)


def take_traceback(error: Exception, other: Exception) -> None:
    """Give an error that is handled the traceback of another one, which `leaving` got in the same frame; a bare `raise`
    follows."""
    if _KEEPS_OWN and error.__traceback__ is not None and other.__traceback__ is not None:
        error.__traceback__.tb_next = other.__traceback__ = other.__traceback__.tb_next
    else:
        error.__traceback__ = other.__traceback__


def users_frames(steps: TracebackType | None, inside: bool = False) -> TracebackType | None:
    """A traceback without the package's frames, and without those of the libraries that these call.

    Args:
        inside: whether the package calls the first frame.
    """
    kept: list[TracebackType] = []
    while steps is not None:
        kind = kind_of_frame(steps.tb_frame)
        if kind == OWN:
            inside = True
        elif kind != LIBRARY or not inside:
            if inside and kept and _is_part(steps.tb_frame.f_code, kept[-1].tb_frame.f_code):
                kept.pop()
            inside = False
            kept.append(steps)
        steps = steps.tb_next
    chain: TracebackType | None = None
    for step in reversed(kept):
        chain = TracebackType(chain, step.tb_frame, step.tb_lasti, step.tb_lineno)
    return chain


def _is_part(code: CodeType, whole: CodeType) -> bool:
    """Whether code is a part of a converted function, such as the branch of an `if`, with the function's name: Python
    would have run both in one frame."""
    return code.co_name == whole.co_name and any(code is item for item in whole.co_consts)


def kind_of_frame(frame: FrameType) -> str:
    """The owner of a frame's code. Code without a file belongs to the package if its module does."""
    file = frame.f_code.co_filename
    if file.startswith("<") and str(frame.f_globals.get("__name__", "")).split(".")[0] == _PACKAGE:
        return OWN
    return kind_of_file(file)


def _is_defect(error: Exception) -> bool:
    """Whether an `assert` of the package itself failed."""
    if type(error) is not AssertionError or error.args or error.__traceback__ is None:
        return False
    step = error.__traceback__
    while step.tb_next is not None:
        step = step.tb_next
    return kind_of_frame(step.tb_frame) == OWN


class Hint:
    """A descriptor for an attribute that a class does not have. It raises an AttributeError that names the
    replacement."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    def __get__(self, instance: Any, owner: type) -> Any:
        try:
            raise AttributeError(
                f"'{owner.__name__}' object has no attribute '{self.name}': {self.text}", name=self.name
            )
        except AttributeError as error:
            leaving(error)
            raise
