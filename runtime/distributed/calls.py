"""Descriptions of collective calls, which processes compare and which errors show."""

from __future__ import annotations

import os
import sys
import zlib
from dataclasses import field

import numpy as np

from .. import dtypes
from ..records import dataclass

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_ROOMS = tuple(os.path.join(_PACKAGE, room, "") for room in ("runtime", "compiler", "frontend", "library"))


@dataclass
class GroupCall:
    """One collective call of this process.

    Attributes:
        group: the group's name.
        number: how many calls of the group came before it.
        what: op, type and options: equal on all ranks. Of a call between two ranks, empty.
        action: the same for people.
        line: the user's file and line; empty until somebody asks.
        peers: the ranks in the world that it needs.
    """

    group: str
    number: int
    what: str
    action: str
    line: str = ""
    peers: tuple[int, ...] = field(default=())

    def where(self) -> str:
        """The user's file and line. Only errors need it, so it is looked up when it is asked for."""
        if not self.line:
            self.line = users_line()
        return self.line

    def __str__(self) -> str:
        line = self.where()
        return f"{self.action} ({line})" if line else self.action


@dataclass
class Traffic:
    """The messages of a program's runs on this process: bytes and times.

    Attributes:
        runs: of the program.
        nbytes: that this process gave.
        hidden: seconds in which messages were on their way while the process computed.
        waited: seconds in which it waited for them.
    """

    runs: int = 0
    nbytes: int = 0
    hidden: float = 0.0
    waited: float = 0.0

    def __sub__(self, before: Traffic) -> Traffic:
        return Traffic(
            self.runs - before.runs, self.nbytes - before.nbytes, self.hidden - before.hidden,
            self.waited - before.waited,
        )  # fmt: skip

    def __str__(self) -> str:
        runs = max(self.runs, 1)
        total = self.hidden + self.waited
        return (
            f"{self.nbytes / runs / 1e6:.3f} MB a run, on the way for {total / runs * 1e3:.3f} ms, waited for "
            f"{self.waited / runs * 1e3:.3f} ms ({self.hidden / total if total else 0.0:.0%} beside computation)"
        )


def users_line() -> str:
    """The innermost line of this thread's stack that is outside of this package."""
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith((*_ROOMS, "<")):
            return f"{os.path.basename(file)}:{frame.f_lineno}"
        frame = frame.f_back  # type: ignore[assignment]
    return ""


def type_text(array: np.ndarray) -> str:
    """The type of an array, as graphs print it: f32[2, 3]."""
    return f"{dtypes.of_numpy(array.dtype).short}[{', '.join(map(str, array.shape))}]"


def digest(data: bytes) -> int:
    """A 62-bit hash that is the same in all processes."""
    return zlib.crc32(data) << 30 ^ zlib.crc32(data[::-1])
