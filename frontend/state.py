"""Thread state: the active trace, the active tape, and the mode of plain calls."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..compiler.ir.op import ACTIVE
from ..runtime.environment import is_off


class ThreadState(threading.local):
    """Per thread: the active trace, the active tape, and whether compilation is off.

    `compiles` is true if none of the three is the case. `plain` is true if, besides, no `observer` watches compiled
    calls, so that such a call has one flag to check. `inside` is true while a compiled function or Cell runs eagerly.
    """

    trace: Any = None  # a `trace.Trace`, which stands above this module
    tape: Any = None  # a `tape.Tape`
    eager: bool = False
    compiles: bool = True
    plain: bool = True
    inside: bool = False
    undo: Any = None  # an `undo.UndoLog`, while it notes the call of a Cell; False: none is to be made
    undone: tuple[Any, ...] | list[Any] = ()  # those of the last calls
    draws: Any = None  # a set of `random_draws.Draws`, the generators that traces watch
    observer: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any] | None = None

    def set(self, *, trace: Any, tape: Any, eager: bool) -> None:
        """Set all three at once."""
        self.trace, self.tape, self.eager = trace, tape, eager
        self.compiles = trace is None and tape is None and not eager
        self.plain = self.compiles and self.observer is None

    def observe(self, observer: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any] | None) -> None:
        """Let `observer(compiled, args, kwargs)` make every outermost call of a compiled function. None: no
        observer."""
        self.observer = observer
        self.plain = self.compiles and observer is None

    def keeping(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function, and restore the state afterwards. It is restored a second time in case an interrupt came
        during the first."""
        before = self.trace, self.tape, self.eager, ACTIVE.recorder
        try:
            try:
                return function(*arguments)
            finally:
                self._put_back(*before)
        finally:
            self._put_back(*before)

    def _put_back(self, trace: Any, tape: Any, eager: bool, recorder: Any) -> None:
        self.set(trace=trace, tape=tape, eager=eager)
        ACTIVE.recorder = recorder

    def set_trace(self, trace: Any) -> None:
        """Record into this trace from now on."""
        self.set(trace=trace, tape=self.tape, eager=self.eager)

    def set_tape(self, tape: Any) -> None:
        """Record onto this tape from now on."""
        self.set(trace=self.trace, tape=tape, eager=self.eager)


class Context:
    """Settings of the process, changed by `set_context`."""

    graph_mode = False
    debug_nans = os.environ.get("MYCEL_DEBUG_NANS", "") != "" and not is_off("MYCEL_DEBUG_NANS")
    settings: dict[str, Any]
    partition: Any = None  # if processes share each program: how its arguments are cut (`dataset_strategy`)

    def __init__(self) -> None:
        self.settings = {}


STATE = ThreadState()
CONTEXT = Context()


@contextmanager
def disable_jit() -> Iterator[None]:
    """A context in which compiled functions, Cells and gradients run op by op, for debuggers.

    Examples:
        >>> import mycel as ms
        >>> f = ms.jit(lambda x: x * 2)
        >>> with ms.disable_jit():
        ...     print(f(ms.Tensor([1.0])), len(f.explain().traces))
        [2.] 0
    """
    before = STATE.eager
    STATE.set(trace=STATE.trace, tape=STATE.tape, eager=True)
    try:
        yield
    finally:
        STATE.set(trace=STATE.trace, tape=STATE.tape, eager=before)
