"""Frame classification: whether a file belongs to the user, to this package, or to a library."""

from __future__ import annotations

import os
import sys
import traceback
from functools import cache
from types import TracebackType

import numpy as np

from ...runtime.program_text import FILES


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


def innermost_user_frame(error: BaseException) -> traceback.FrameSummary | None:
    """The last frame of the error's traceback that is the user's code."""
    found: TracebackType | None = None
    step = error.__traceback__
    while step is not None:
        if is_user_file(step.tb_frame.f_code.co_filename):
            found = step
        step = step.tb_next
    if found is None:
        return None
    return traceback.extract_tb(found, limit=1)[0]  # from Python 3.11 on with the columns of the expression
