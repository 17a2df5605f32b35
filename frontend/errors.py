"""Errors that users meet which Python has no class for."""

from __future__ import annotations


class GraphBreak(Exception):
    """Tracing met something that a graph cannot hold, such as reading a traced tensor's numbers.

    A compiled function that meets one runs eagerly instead, with one warning, or fails with `GraphError` in STRICT
    mode.
    """

    def __init__(self, reason: str, advice: str = "") -> None:
        super().__init__(reason if not advice else f"{reason}. {advice}")
        self.reason = reason
        self.advice = advice


class GraphError(RuntimeError):
    """A function cannot be compiled to a graph; the message says where, why, and what to do."""


class SourceError(GraphError):
    """The source text of a function cannot be found or does not belong to the running code."""


class FallbackWarning(UserWarning):
    """A function decorated with `jit` (or run in graph mode) runs eagerly; the message says where and why."""
