"""Commits: the calls at the end of a program that write to the arrays of Parameters. All of them are made, or none.

Python runs a signal handler between two of its instructions, in the main thread. The handler may raise, as for Ctrl-C.
Therefore one C function gets all the calls and makes them without a Python instruction in between. Calls of Python
functions are made on another thread, where no handler runs; the main thread waits for it
in C.

A handler may run earlier, while the program computes, and assign to a Parameter that the program has read. So each
commit asks the watch of the run first (`watch.py`).
"""

from __future__ import annotations

import operator
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from functools import partial
from itertools import accumulate, repeat, starmap
from types import BuiltinFunctionType, WrapperDescriptorType
from typing import TYPE_CHECKING, Any

import numpy as np

from .machine.executable import Function
from .native.arguments import by_copies, is_plain
from .native.chain import chain
from .watch import Disturbed, Watch

if TYPE_CHECKING:
    from queue import SimpleQueue

Item = tuple[Any, ...]
"""A function, and what it is called with."""


class Prepared(partial):  # type: ignore[type-arg]
    """A C function with keyword arguments, as a callable without keyword arguments."""


set_numbers = Prepared(operator.setitem)
"""`set_numbers(target, (), numbers)` does what NumPy's `copyto` does, which is no function of C alone."""
set_numbers.__module__, set_numbers.__qualname__ = __name__, "set_numbers"  # type: ignore[attr-defined]

_REFUSED = repeat(False)
_END: Item = (bool, 1)  # after a refused call some are always left


def _by_partials(items: Iterator[Item]) -> Iterator[Any]:
    return map(_invoke, starmap(partial, items))


_invoke = operator.methodcaller("__call__")
_results: Callable[[Iterator[Item]], Iterator[Any]]
if sys.version_info >= (3, 11):
    _results = partial(starmap, operator.call)
else:
    _results = _by_partials


def make_commit(watch: Watch, written: Sequence[int]) -> Callable[[tuple[Item, ...], tuple[Item, ...]], None]:
    """Make the function that runs the last calls of a program, which write to Parameters. It takes these calls, and the
    calls that follow them.

    Args:
        watch: the program's run.
        written: for each call of a kernel how many arrays at its end it writes; 0 for other functions.
    """
    others = _Others(watch, tuple(written))
    quick: bool | None = None
    results, is_, refused, end = _results, operator.is_, _REFUSED, _END

    def commit(items: tuple[Item, ...], last: tuple[Item, ...]) -> None:
        """Make the calls. Raises `Disturbed` before the first of them."""
        nonlocal quick
        if quick is None:
            quick = all(isinstance(item[0], _OF_C) for item in items)  # the same functions in every run
        if not quick:
            others(items, last)
            return
        rest = iter((*items, *last, end))
        calls = map(is_, results(rest), refused)
        # Up to the call of `any` nothing else is called, so that no handler comes between.
        if watch.disturbed:
            raise Disturbed
        try:
            if not any(calls):
                return
        except BaseException:
            others.go_on((*items, *last), operator.length_hint(rest))
            raise
        others.go_on((*items, *last), operator.length_hint(rest))

    return commit


def make_kernel_commit(
    watch: Watch, kernels: Sequence[Function], counts: Sequence[int], written: Sequence[int]
) -> Callable[..., None]:
    """`make_commit` for calls that are all of kernels. The function takes the calls that follow, and the arguments of
    all kernels in order.

    Args:
        counts: how many arguments each kernel has.
    """
    by_items = make_commit(watch, written)
    chained = chain(kernels, counts)
    others = _Others(watch, tuple(written))
    ends = tuple(accumulate(counts))

    def items_of(arrays: Sequence[np.ndarray]) -> tuple[Item, ...]:
        return tuple(
            (kernel, *arrays[end - count : end]) for kernel, end, count in zip(kernels, ends, counts, strict=True)
        )

    def left_of(items: Sequence[Item]) -> int:
        """The number of calls left, if the first refused call is the first one with an array that has to be copied."""
        for number, (item, last) in enumerate(zip(items, written, strict=True)):
            if not all(map(is_plain, item[1:])) or not all(array.flags.writeable for array in item[-last:]):
                return len(items) - number
        return 0

    def commit(after: tuple[Item, ...], *arrays: np.ndarray) -> None:
        """Make the calls. Raises `Disturbed` before the first of them."""
        if chained is None or after:
            by_items(items_of(arrays), after)
            return
        # Up to the call of `chained` nothing else is called, so that no handler comes between.
        if watch.disturbed:
            raise Disturbed
        try:
            left = chained(*arrays)
            if not left:
                return
        except BaseException:
            items = items_of(arrays)
            others.go_on(items, left_of(items))
            raise
        others.go_on(items_of(arrays), left)

    return commit


class _Others:
    """Calls that one C function cannot make: of Python functions, and of kernels that refuse their arguments."""

    def __init__(self, watch: Watch, written: tuple[int, ...]) -> None:
        self._watch = watch
        self._written = written

    def __call__(self, items: tuple[Item, ...], last: tuple[Item, ...]) -> None:
        """Make these calls, then those of `last`. Raises `Disturbed` before the first of them."""
        whole(partial(self._one_by_one, (*items, *last)), self._watch)

    def go_on(self, items: Sequence[Item], left: int) -> None:
        """Make the refused call on copies of its arrays, then the calls after it. `left` counts both."""
        if left:
            whole(partial(self._one_by_one, items, len(items) - left), None)

    def _one_by_one(self, items: Sequence[Item], first: int = 0) -> None:
        """Make the calls one by one, from this index on."""
        counts = (*self._written, *[0] * (len(items) - len(self._written)))
        for written, (function, *arguments) in zip(counts[first:], items[first:], strict=True):
            if function(*arguments) is False and written:
                by_copies(function, written, *arguments)


def make_calls(items: Sequence[Item]) -> None:
    """Make calls one by one."""
    for function, *arguments in items:
        function(*arguments)


def as_whole(watch: Watch, function: Callable[[], None]) -> None:
    """Run a function that writes to Parameters without interruption. Raises `Disturbed` before it begins."""
    whole(function, watch)


class _Quiet:
    """A context in which no signal wakes the main thread, and no handler runs while the main thread waits in C."""

    def __init__(self) -> None:
        self._before: set[Any] = set()  # of the main thread, which enters once at a time

    def __enter__(self) -> None:
        if _mask is not None and _is_main():
            self._before = _mask(signal.SIG_BLOCK, ())
            try:
                _mask(signal.SIG_BLOCK, _WAITING)  # handlers of signals that have come run in here
            except BaseException:
                _mask(signal.SIG_SETMASK, self._before)
                raise

    def __exit__(self, *error: object) -> None:
        if _mask is not None and _is_main():
            _mask(signal.SIG_SETMASK, self._before)  # handlers of signals that came meanwhile run in here


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


_quiet = _Quiet()
# The function of C below that of Python, which makes members of `Signals` of all numbers: that takes 60 microseconds.
_mask: Callable[..., set[Any]] | None = getattr(sys.modules.get("_signal", signal), "pthread_sigmask", None)
# All but the signals of a processor fault, which cannot wait.
_WAITING = set(map(int, signal.valid_signals())) - {
    getattr(signal, name, None) for name in ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGABRT")
}
_OF_C = (BuiltinFunctionType, WrapperDescriptorType, np.ufunc, partial)
_queue: SimpleQueue[Callable[[], None]] | None = None


def whole(function: Callable[[], None], watch: Watch | None = None) -> None:
    """Run a function on another thread than the main one, so that no signal handler interrupts it."""
    if not _is_main():
        _check(watch)
        function()
        return
    errors: list[BaseException] = []
    finished: list[bool] = []
    done = threading.Lock()
    done.acquire()
    context = copy_context()

    def work() -> None:
        try:
            context.run(function)
        except BaseException as error:
            errors.append(error)
        finished.append(True)
        done.release()

    given: list[Any] = []
    calls = _results(iter(((_others_queue().put, work), (done.acquire,))))
    with _quiet:
        _check(watch)
        try:
            given.extend(calls)  # in C, and all at once: the work has been given exactly if the list is not empty
        except BaseException:
            _wait(given, finished, done)
            raise
    if errors:
        raise errors[0]


def _check(watch: Watch | None) -> None:
    if watch is not None and watch.disturbed:
        raise Disturbed


def _wait(given: Sequence[None], finished: Sequence[bool], done: threading.Lock) -> None:
    """Wait until the other thread has done its work, whatever is raised meanwhile."""
    try:
        if given and not finished:
            done.acquire()
    except BaseException:
        if not finished:
            done.acquire()
        raise


def _others_queue() -> SimpleQueue[Callable[[], None]]:
    """The work queue of the other thread. The thread is started at the first use."""
    global _queue
    if _queue is None:
        from queue import SimpleQueue  # programs without donated outputs do not load it

        queue: SimpleQueue[Callable[[], None]] = SimpleQueue()

        def serve() -> None:
            while True:
                queue.get()()

        threading.Thread(target=serve, name="mycel-commits", daemon=True).start()  # the system may refuse
        _queue = queue
    return _queue


def _forget_thread() -> None:
    """Forget the thread after a fork: threads do not survive it."""
    global _queue
    _queue = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_thread)
