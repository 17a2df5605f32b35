"""Thread state: the trace that is recorded, the tape that is written, and the mode in which plain calls run."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..compiler.ir.op import ACTIVE


class ThreadState(threading.local):
    """Per thread: the trace being recorded, the tape being written, whether nothing is to be compiled.

    `compiles` is true when none of the three is the case; `plain` when, besides, no `observer` is to be told of
    compiled calls, so that such a call has one thing to look at. `inside` is true while a compiled function or Cell
    runs eagerly.
    """

    trace: Any = None  # a `trace.Trace`, which stands above this module
    tape: Any = None  # a `tape.Tape`
    eager: bool = False
    compiles: bool = True
    plain: bool = True
    inside: bool = False
    observer: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any] | None = None

    def set(self, *, trace: Any, tape: Any, eager: bool) -> None:
        """Change all at once."""
        self.trace, self.tape, self.eager = trace, tape, eager
        self.compiles = trace is None and tape is None and not eager
        self.plain = self.compiles and self.observer is None

    def observe(self, observer: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any] | None) -> None:
        """Let `observer(compiled, args, kwargs)` make every outermost call of a compiled function; None: nobody."""
        self.observer = observer
        self.plain = self.compiles and observer is None

    def keeping(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function, after which what is recorded is as before: an interrupt may come while a block puts it back,
        and then it is put back once more."""
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
        """Record into this trace from here on."""
        self.set(trace=trace, tape=self.tape, eager=self.eager)

    def set_tape(self, tape: Any) -> None:
        """Write this tape from here on."""
        self.set(trace=self.trace, tape=tape, eager=self.eager)


class Context:
    """Settings of the process, changed by `set_context`."""

    graph_mode = False
    debug_nans = os.environ.get("MYCEL_DEBUG_NANS", "").lower() not in ("", "0", "off")
    settings: dict[str, Any]

    def __init__(self) -> None:
        self.settings = {}


STATE = ThreadState()
CONTEXT = Context()


@contextmanager
def disable_jit() -> Iterator[None]:
    """Run compiled functions, Cells and gradients op by op while this context is open, as a debugger wants it.

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
