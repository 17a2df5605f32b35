"""Stepping with a debugger: from the call of a compiled function to its program, without the frames in between.

A debugger that steps into a compiled call would stop at each line of dispatch. A debugger of Python's own kind (`pdb`)
is made to step over the package's frames, unless tracebacks show them, too. It does not step over programs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from ...runtime.program_text import PROGRAM
from ..errors.tracebacks import is_filtering, kind_of_frame
from ..errors.user_files import LIBRARY, OWN

# How the names of modules begin that the package uses and users hardly step into; the last is code that Python makes.
_LIBRARIES = ("gast", "astunparse", "ml_dtypes", "namedtuple_")


def is_debugged() -> bool:
    """Whether a debugger traces this thread."""
    if _stepper() is not None:
        return True
    tracer = sys.gettrace()
    module = getattr(tracer, "__module__", None) or type(tracer).__module__
    if "pydevd" in str(module):
        return True
    return _is_monitored()


def skip_own_frames() -> None:
    """Let an active debugger like `pdb` step over the package's own frames. Breakpoints there still stop."""
    stepper = _stepper()
    if stepper is not None and is_filtering() and not isinstance(stepper.stop_here, _OutsideOnly):
        stepper.stop_here = _OutsideOnly(stepper.stop_here)


class _OutsideOnly:
    """A debugger's decision to stop at a frame when it steps: not in the package, nor in code that the package calls.

    Args:
        stops: the answer without regard to this.
    """

    def __init__(self, stops: Callable[[FrameType], bool]) -> None:
        self.stops = stops

    def __call__(self, frame: FrameType) -> bool:
        return self.stops(frame) and not _is_inside(frame)


class ShownLines(list[str]):
    """The lines of dispatch. A debugger that was started after the function was compiled, and that has stepped into
    dispatch, shows one of them: from there on it steps over the package's frames, to the program."""

    def __getitem__(self, at: Any) -> Any:
        skip_own_frames()
        return super().__getitem__(at)


def _is_inside(frame: FrameType | None) -> bool:
    """Whether a frame belongs to the package, or to a library that the package calls. Programs do not."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        kind = kind_of_frame(frame)
        if kind == OWN:
            return not module.startswith(f"{PROGRAM}.") or _prepares(frame.f_code)
        if kind != LIBRARY and not module.startswith(_LIBRARIES) and not _is_imported(frame):
            return False
        frame = frame.f_back
    return False


def _is_imported(frame: FrameType) -> bool:
    """Whether an import runs a frame: a module, or a finder of modules that another package has installed, also what
    that calls in its own file."""
    file = frame.f_code.co_filename
    while frame.f_back is not None and frame.f_back.f_code.co_filename == file:
        frame = frame.f_back
    return frame.f_back is not None and frame.f_back.f_code.co_filename.startswith("<frozen importlib")


def _prepares(code: CodeType) -> bool:
    """Whether a program's code runs before the program itself, to make its kernels and its views of the arena."""
    return code.co_name == "<module>" or (code.co_name == "bind" and code.co_varnames[:1] == ("arena",))


def _stepper() -> Any:
    """The debugger of Python's own kind that follows this thread, or None."""
    kind = getattr(sys.modules.get("bdb"), "Bdb", None)
    if kind is None:
        return None
    found = getattr(sys.gettrace(), "__self__", None)
    if found is None and _is_monitored():
        found = getattr(getattr(sys.modules.get("pdb"), "Pdb", None), "_last_pdb_instance", None) or _runs_all(kind)
    return found if isinstance(found, kind) else None


def _is_monitored() -> bool:
    """Whether a debugger has the events of Python 3.12 and later sent to it, as `pdb` has from 3.14 on."""
    monitoring = getattr(sys, "monitoring", None)
    return monitoring is not None and monitoring.get_tool(monitoring.DEBUGGER_ID) is not None


def _runs_all(kind: type) -> Any:
    """The debugger that runs the program, as `python -m pdb` does: it is in a frame on the stack."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__name__")) == "bdb" and isinstance(frame.f_locals.get("self"), kind):
            return frame.f_locals["self"]
        frame = frame.f_back
    return None
