"""Retrace reports: the result of `explain()`, with each trace of a compiled function and its reason."""

from __future__ import annotations

from ...runtime.records import dataclass


@dataclass(frozen=True)
class TraceReport:
    """One trace of a compiled function.

    Attributes:
        key: the types of the arguments.
        reason: why it was made.
        seconds: how long tracing and compiling took.
        nodes: number of nodes before optimisation.
        eager: why the function runs eagerly for these arguments; empty if it does not.
        cached: whether its program was read from the cache on disk.
        communication: the traffic of its runs so far to other processes, as text; empty if there is none.
    """

    key: str
    reason: str
    seconds: float
    nodes: int
    eager: str
    cached: bool = False
    communication: str = ""

    def __str__(self) -> str:
        what = (
            f"runs eagerly: {self.eager}"
            if self.eager
            else f"{self.nodes} nodes{' from the cache' if self.cached else ''}"
        )
        sends = f"\n     {self.communication}" if self.communication else ""
        return f"({self.key}): {self.reason}; {self.seconds * 1e3:.1f} ms; {what}{sends}"

    __repr__ = __str__


@dataclass(frozen=True)
class Explanation:
    """The result of `explain()`: every trace of a compiled function, and why it was made."""

    name: str
    traces: tuple[TraceReport, ...]

    def __str__(self) -> str:
        lines = [f"{self.name}: {len(self.traces)} trace{'' if len(self.traces) == 1 else 's'}"]
        return "\n".join([*lines, *[f"  {number}. {trace}" for number, trace in enumerate(self.traces, 1)]])

    __repr__ = __str__
