"""Calls of libraries that are not converted: a trace runs them once, so what they ask the outside world is watched.

While such a call runs, Python's profile function sees each call of a function in C: one that opens a file, asks the
system, or draws a random number ends the trace before it happens. Draws in NumPy's compiled code are seen afterwards,
by the generator's state, which is put back.
"""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from ...runtime.threads import Worker
from ..errors.classes import GraphBreak
from ..tracing.snapshots import snapshot
from .random_draws import Draws
from .surroundings import ANEW, generators_among, is_clock, question

_PACKAGE = __name__.split(".")[0]
_PLAIN = frozenset((_PACKAGE, "numpy", "__future__", *sys.stdlib_module_names, *sys.builtin_module_names))
_BESIDE = frozenset(("importlib._bootstrap", "importlib._bootstrap_external", "linecache", "logging", "warnings",
                     "inspect", "tokenize", "traceback"))  # fmt: skip
"""Modules that read files for imports, messages and sources: no result depends on them."""
_HARMLESS = frozenset(("getpid", "getppid", "getcwd", "isatty", "get_terminal_size", "sched_getaffinity", "close"))
_ADVICE = "Call it outside of the compiled function and pass what it gives"
_SCALARS = (bool, int, float, complex, str, bytes)


def is_foreign(kind: Any) -> bool:
    """Whether a function or class is of a library: neither of Python, nor of NumPy, nor of this package."""
    function = getattr(kind, "__func__", kind)
    if type(function) is types.FunctionType:  # its `__module__` may be copied, as that of what `jit` makes
        module = function.__globals__.get("__name__")
    else:
        module = getattr(kind, "__module__", None)
    return isinstance(module, str) and module.partition(".")[0] not in _PLAIN


def _is_own(call: Any) -> bool:
    """Whether the code of a call is this package's, as that of a Cell: it looks at what it calls, as every trace."""
    return str(getattr(call, "__module__", "")).partition(".")[0] == _PACKAGE


def run_watched(
    function: Any, run: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any],
    moving: Any, owner: Any,
) -> Any:  # fmt: skip
    """Call a function of a library.

    Args:
        function: the function.
        run: what runs in its place.
        arguments, keywords: its arguments.
        moving: the stateful objects from outside (`moving.Moving`).
        owner: the object from outside whose method it is; None if there is none.

    Raises:
        GraphBreak: if it opens a file, asks the system, draws a random number, or counts on in its object.
    """
    name = getattr(function, "__name__", type(function).__name__)
    generators = [*moving.known.values(), *_generators_near(function, owner)]
    draws = Draws(item for item in generators_among(generators) if not hasattr(item, "getstate"))
    watch = _Watch(name, {id(item) for item in generators}, moving)
    before = _scalars(owner)
    with nullcontext() if callable(function) and _is_own(type(function).__call__) else watch:
        result = run(*arguments, **keywords)
    if watch.found is not None:  # the library has caught it
        raise watch.found
    if draws.restore():
        raise GraphBreak(f"{name}() draws from a random generator, which it does anew in each run", _ADVICE)
    now = _scalars(owner)
    changed = [key for key, value in before.items() if key in now and snapshot(now[key]) != snapshot(value)]
    if changed:
        vars(owner).update(before)
        raise GraphBreak(f"{name}() changes '{changed[0]}' of its {type(owner).__name__}, anew in each run", _ADVICE)
    return result


def _scalars(owner: Any) -> dict[str, Any]:
    """The attributes of an object that are numbers or texts."""
    return {key: value for key, value in getattr(owner, "__dict__", {}).items() if isinstance(value, _SCALARS)}


def _generators_near(function: Any, owner: Any) -> list[Any]:
    """The random generators among the globals of a function's module and the attributes of its object."""
    names = getattr(function, "__globals__", None)  # its `__module__` may be copied, as `functools.wraps` does
    if names is None:
        names = getattr(sys.modules.get(str(getattr(function, "__module__", ""))), "__dict__", {})
    places = [names, getattr(owner, "__dict__", {})]
    return [value for place in places for value in generators_among(list(place.values()))]


class _Watch:
    """Sees the calls of functions in C of this thread, unless a profiler or a watch around this one does. One around
    it that rests sees nothing.

    Attributes:
        found: the error for the first one that asks the outside world.
    """

    def __init__(self, name: str, known: set[int], moving: Any) -> None:
        self.name = name
        self.known = known
        self.moving = moving
        self.found: GraphBreak | None = None
        self._beside: types.FrameType | None = None
        self._around = moving.watch
        self._active = not self._around and sys.getprofile() is None

    def __enter__(self) -> None:
        if self._active:
            self.moving.watch = self
            sys.setprofile(self._see)

    def __exit__(self, *error: object) -> None:
        if self._active:
            sys.setprofile(None)
            self.moving.watch = self._around
            self._beside = None  # this frame: it would keep all that the trace has

    def rest(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Call traced code, which looks at what it calls itself: to watch it would take as much time again."""
        self.moving.watch = False
        sys.setprofile(None)
        try:
            return call(*arguments)
        finally:
            self.moving.watch = self
            sys.setprofile(self._see)

    def _see(self, frame: types.FrameType, event: str, argument: Any) -> None:
        if self._beside is not None:
            if event == "return" and frame is self._beside:
                self._beside = None
        elif event == "call":
            module = str(frame.f_globals.get("__name__"))
            if module in _BESIDE or module.partition(".")[0] == _PACKAGE:
                self._beside = frame
        elif event == "c_call" and self.found is None:
            reason = self._reason(argument)
            if reason is not None:
                self.found = GraphBreak(f"in {self.name}(), {reason}", _ADVICE)
                raise self.found

    def _reason(self, function: Any) -> str | None:
        """What a function in C asks the outside world; None if nothing."""
        name, owner = getattr(function, "__name__", ""), getattr(function, "__self__", None)
        if id(owner) in self.known and name not in ("getstate", "get_state"):
            return f"{name}() draws from a random generator, which it does anew in each run"
        if name == "open" and isinstance(owner, types.ModuleType):
            return f"open() uses files, {ANEW}"
        if name in _HARMLESS or is_clock(function):
            return None
        return question(function)


def is_alone() -> bool:
    """Whether no other thread runs that could draw meanwhile: none but mycel's own, which do not."""
    this = threading.current_thread()
    return all(thread is this or isinstance(thread, Worker) for thread in threading.enumerate())
