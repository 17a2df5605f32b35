"""What this thread is doing: the trace being recorded, the tape being written, and the mode plain calls run in."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .tape import Tape
    from .trace import Trace


class ThreadState(threading.local):
    """Per thread."""

    trace: Trace | None = None
    tape: Tape | None = None


class Context:
    """Settings of the process, changed by `set_context`."""

    graph_mode = False
    settings: dict[str, Any]

    def __init__(self) -> None:
        self.settings = {}


STATE = ThreadState()
CONTEXT = Context()
