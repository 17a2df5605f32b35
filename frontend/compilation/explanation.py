"""Retrace reports: the result of `explain()`, with each trace of a compiled function and its reason; a logged line for
each trace, and a warning for a function that is traced again and again."""

from __future__ import annotations

import os
import sys
import warnings
from collections import Counter
from collections.abc import Sequence

from ...runtime.environment import OFF
from ...runtime.records import dataclass
from ..errors.spelling import did_you_mean
from ..errors.user_files import user_level
from ..state import CONTEXT


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


SETTING = "log"
"""The setting of `set_context`: what is logged, names separated by commas. There is one: compile."""

VARIABLE = "MYCEL_LOG"
"""The environment variable that says the same."""

KINDS = ("compile",)

_warned: set[str] = set()  # values of the variable with kinds that do not exist

MANY = 32  # traces of one function, at which the warning is given
SHOWN = 5  # reasons that it names
LAST = 3  # traces whose arguments the warning shows, for each of these


def is_logged(kind: str) -> bool:
    """Whether events of a kind are logged. The first time that the environment variable names an unknown kind, there is
    a warning; `set_context` refuses it."""
    told = CONTEXT.settings.get(SETTING)
    if told is not None:
        return kind in _names(told)
    told = os.environ.get(VARIABLE, "")
    unknown = [name for name in _names(told) if name not in (*KINDS, *OFF)]
    if unknown and told not in _warned:
        _warned.add(told)
        near = did_you_mean(unknown[0], KINDS, " Did")
        warnings.warn(
            f"{VARIABLE}={told!r}: there is nothing to log that is called {' or '.join(map(repr, unknown))}; there is "
            f"{', '.join(map(repr, KINDS))}.{near}",
            UserWarning,
            stacklevel=user_level(),
        )
    return kind in _names(told)


def _names(told: str) -> list[str]:
    return [name for name in told.replace(" ", "").split(",") if name]


def _told(reason: str, keys: Sequence[str]) -> str:
    """A reason, with the arguments of the last traces that were made for it."""
    last = list(dict.fromkeys(keys))[-LAST:]
    arguments = f", at last for {', '.join(f'({key})' for key in last)}" if len(last) > 1 else ""
    return f"{len(keys)} times: {reason}{arguments}" if len(keys) > 1 else reason


def log_trace(name: str, reports: Sequence[TraceReport]) -> None:
    """Log a function's latest trace, if that is wanted. Warn if the function has been traced too often."""
    if is_logged("compile"):
        print(f"mycel compile: {name}{reports[-1]}", file=sys.stderr)
    if len(reports) == MANY:
        reasons = Counter(report.reason for report in reports[1:])
        shown = [_told(reason, [each.key for each in reports if each.reason == reason])
                 for reason, _ in reasons.most_common(SHOWN)]  # fmt: skip
        more = len(reasons) - len(shown)
        told = "".join(f"\n  {reason}" for reason in shown) + (f"\n  and {more} other reasons" if more else "")
        warnings.warn(
            f"'{name}' has been traced {MANY} times, which takes longer than running it. What changed:{told}\n"
            "Give it arguments of the same shapes, and numbers that change as Tensors",
            UserWarning,
            stacklevel=user_level(),
        )
