"""Exception handling: no handler in traced code catches an error that only the run can raise."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from .builder import ControlFlowBuilder, builder

__all__ = ["catching", "managed"]


class catching:
    """The body of a try statement with handlers."""

    def __init__(self) -> None:
        self.active: ControlFlowBuilder | None = builder()

    def __enter__(self) -> None:
        if self.active is not None:
            self.active.flow.handlers += 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        if self.active is not None:
            self.active.flow.handlers -= 1
            self.active.flow.passes(error)


class _Managed:
    """A context manager whose `__exit__` may suppress exceptions."""

    def __init__(self, manager: Any) -> None:
        self.manager = manager
        self.body = catching()

    def __enter__(self) -> Any:
        value = type(self.manager).__enter__(self.manager)
        self.body.__enter__()
        return value

    def __exit__(self, kind: Any, error: BaseException | None, trace: TracebackType | None) -> Any:
        self.body.__exit__(kind, error, trace)
        return type(self.manager).__exit__(self.manager, kind, error, trace)


def managed(manager: Any) -> Any:
    """The context manager of a with statement."""
    kind = type(manager)
    if builder() is None or kind.__module__.split(".")[0] == _PACKAGE:
        return manager
    return _Managed(manager) if hasattr(kind, "__enter__") and hasattr(kind, "__exit__") else manager


_PACKAGE = __name__.split(".")[0]
