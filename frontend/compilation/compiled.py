"""The compiled function: just-in-time compilation, once for each signature of the arguments."""

from __future__ import annotations

import functools
import inspect
import os
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...runtime.collector import resting_collector
from ..control_flow import calls as control
from ..errors.classes import GraphError
from ..errors.tracebacks import leaving
from ..state import STATE
from ..values.parameter import Layouts
from .blame import point_at_line
from .doors import guarded
from .entries import Entries, OtherArguments, key_of, show_key
from .entry import MISS, Entry
from .explanation import Explanation, TraceReport, log_trace
from .scopes import in_order, run_outermost
from .stepping import skip_own_frames
from .target import Target

if TYPE_CHECKING:
    from .make_entry import EntryMaker
    from .profile import Profile
    from .stages import Stages

_EVERY: weakref.WeakSet[CompiledFunction] = weakref.WeakSet()


@functools.cache
def _maker_of() -> Callable[[Target], EntryMaker]:
    """What traces and compiles a target. `import mycel` leaves the tracer and the compiler to the first function."""
    with resting_collector():  # of what is made here nothing is garbage
        from .compile_entry import compile_entry
        from .make_entry import EntryMaker
    return functools.partial(EntryMaker, finish=compile_entry)


@guarded
class CompiledFunction:
    """A function that is traced and compiled at the first call with each new signature of its arguments.

    Args:
        target: the target to compile.
    """

    def __init__(self, target: Target) -> None:
        functools.update_wrapper(self, target.function, updated=())
        if target.owner is not None:
            del self.__wrapped__  # type: ignore[attr-defined]
        self.target = target
        self.name = target.name
        self._maker = _maker_of()(self.target)
        self._entries = Entries()
        self._reports: list[TraceReport] = []
        self._communicating: dict[int, weakref.ref[Entry]] = {}  # by their reports
        self._fast: Callable[..., Any] | None = None
        self._lock = threading.RLock()
        self._bound: weakref.WeakKeyDictionary[Any, CompiledFunction] = weakref.WeakKeyDictionary()
        _EVERY.add(self)
        skip_own_frames()  # should a debugger be active, so that its steps lead to the traced function

    @property
    def function(self) -> Any:
        """The function as the user wrote it."""
        return self.target.function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program for these arguments. It is compiled first if there is none yet."""
        try:
            fast = self._fast
            if fast is not None and not kwargs and STATE.plain:
                try:
                    result = fast(args)
                except Exception as error:
                    point_at_line(error, self.name, self._entries)
                    raise
                if result is not MISS:
                    return result
            if STATE.trace is not None:
                return self.target.call_traced(args, kwargs)
            if not STATE.compiles:
                return run_outermost(self.target.eager, args, kwargs)
            if STATE.observer is not None:
                return STATE.observer(self, args, kwargs)
            leaves: list[Any] = []
            entry, inputs = self._entry_and_inputs(args, kwargs, leaves)
            if entry.eager:
                return run_outermost(self.target.eager, args, kwargs)
            self._fast = entry.dispatch() or self._fast
            try:
                return entry.call(inputs, leaves, args, kwargs)
            except Exception as error:
                point_at_line(error, self.name, self._entries)
                raise
        except Exception as error:
            leaving(error)
            raise

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Trace and compile for these arguments, without running."""
        self._entry(args, kwargs, [])

    def stages(self, *args: Any, **kwargs: Any) -> Stages:
        """The stages for these arguments, without a run.

        Raises:
            GraphError: if it cannot be compiled for them.
        """
        entry = self._entry(args, kwargs, [])
        if entry.eager:
            raise GraphError(f"'{self.name}' runs eagerly for these arguments and has no graph: {entry.eager}")
        stages: Stages = entry.stages()
        return stages

    def profile(self, *args: Any, **kwargs: Any) -> Profile:
        """The time of each node of the program, measured over many runs on copies of the arguments.

        Parameters and the random generator are not changed. Each run prints what the function prints.

        Returns:
            A `Profile`: prints as a table of op, type, time, share, bytes, GF/s or GB/s and source line, the slowest
            first; `lines` has the figures.

        Raises:
            GraphError: if the function cannot be compiled for these arguments.

        Examples:
            >>> import mycel as ms
            >>> f = ms.jit(lambda x: (x @ x).sum())
            >>> report = f.profile(ms.ops.ones((64, 64), ms.float32))
            >>> "matmul" in str(report), report.lines[0].seconds > 0
            (True, True)
        """
        from .profile import profile_program

        stages = self.stages(*args, **kwargs)
        entry, arrays = self._entry_and_inputs(args, kwargs, [])
        assert entry.run is not None
        return profile_program(stages.plan, entry.run, self.name, arrays)

    def explain(self) -> Explanation:
        """All traces so far: for which arguments, why, how long each took, its size, and what runs eagerly."""
        reports = list(self._reports)
        for number, reference in self._communicating.items():
            entry = reference()
            if entry is not None:
                from .communication import runs_of  # late, for few programs run in several processes

                reports[number] = replace(reports[number], communication=runs_of(entry.stages().optimized))
        return Explanation(self.name, tuple(reports))

    def clear(self) -> None:
        """Delete all entries."""
        with self._lock:
            self._entries.clear()
            self._fast = None

    def converted(self) -> str:
        """The converted source of the function, or of the Cell's construct."""
        return self.target.converted()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        target = self.target
        try:
            bound = self._bound.get(instance)
            if bound is None:
                function = _weak_method(target.function, instance)
                bound = CompiledFunction(target.with_function(function))
                self._bound[instance] = bound
        except TypeError:  # an instance that has no hash or cannot be referred to weakly
            return functools.partial(self, instance)
        return _CompiledMethod(bound, instance)

    def __deepcopy__(self, memo: dict[int, Any]) -> CompiledFunction:
        target = self.target
        return CompiledFunction(target.with_function(target.function, traced=target.traced, eager=target.eager))

    def __reduce__(self) -> Any:
        raise TypeError(f"compiled function '{self.name}' cannot be pickled: pickle the function and compile it again")

    def __repr__(self) -> str:
        return f"<compiled {self.name}: {len(self._entries)} graphs>"

    def _entry(self, args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any]) -> Entry:
        key = key_of(args, kwargs, leaves)
        while True:
            try:
                return self._entries.find(key, leaves) or self._make(key, args, kwargs, leaves)
            except OtherArguments:
                leaves.clear()
                key = key_of(args, kwargs, leaves)

    def _entry_and_inputs(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], leaves: list[Any]
    ) -> tuple[Entry, list[np.ndarray]]:
        """The entry for these arguments, and the arrays for a run. The arrays have the types that the entry was found
        for, even if other threads change those of tensors meanwhile."""
        while True:
            with Layouts.lock:  # no change is under way
                version = Layouts.version
            leaves.clear()
            entry = self._entry(args, kwargs, leaves)
            inputs = [] if entry.eager else entry.read(leaves)
            if version == Layouts.version:
                return entry, inputs

    def _make(self, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any], leaves: Sequence[Any]) -> Entry:
        """A new entry for these arguments, for which there is none."""
        with self._lock:
            found = self._entries.find(key, leaves)  # another thread may have been faster
            if found is None:
                found = self._entries.rebound(key, leaves)
            return found if found is not None else in_order(self._made, key, args, kwargs, leaves)

    def _made(self, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any], leaves: Sequence[Any]) -> Entry:
        """A new entry for these arguments."""
        began = time.perf_counter()
        reason = self._entries.reason(key, leaves)
        entry = self._maker.make(key, args, kwargs)
        seconds = time.perf_counter() - began
        if entry.communicates:
            self._communicating[len(self._reports)] = weakref.ref(entry)
        self._reports.append(TraceReport(show_key(key), reason, seconds, entry.nodes, entry.eager, entry.cached))
        self._entries.add(key, entry)
        log_trace(self.name, self._reports)
        return entry


def _renew_locks() -> None:
    """Replace locks after a fork: a thread that held one does not exist in this process."""
    for holder, name in [*((compiled, "_lock") for compiled in list(_EVERY)), (Layouts, "lock")]:
        lock = getattr(holder, name)
        if lock.acquire(blocking=False):  # free, or this thread's own
            lock.release()
        else:
            setattr(holder, name, threading.RLock())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_locks)


def forget_programs() -> None:
    """Let every compiled function compile again, because settings have changed."""
    for compiled in list(_EVERY):
        compiled.clear()


class _CompiledMethod(CompiledFunction):
    """A compiled method with its instance, which it keeps alive. All methods of an instance share their graphs."""

    __slots__ = ("__self__",)

    def __init__(self, shared: CompiledFunction, instance: Any) -> None:
        self.__dict__ = shared.__dict__
        self.__self__ = instance

    @property
    def __signature__(self) -> inspect.Signature:
        """The arguments without the instance."""
        signature = inspect.signature(self.function.function)
        return signature.replace(parameters=list(signature.parameters.values())[1:])


def _weak_method(function: Callable[..., Any], instance: Any) -> Callable[..., Any]:
    """The method, with a weak reference to its instance."""
    reference = weakref.ref(instance)

    @functools.wraps(function)
    def method(*args: Any, **kwargs: Any) -> Any:
        owner = reference()
        if STATE.trace is not None:
            STATE.trace.guards.instance = reference
            return control.call(function, owner, *args, **kwargs)
        return function(owner, *args, **kwargs)

    method.function = function  # type: ignore[attr-defined]
    return method
