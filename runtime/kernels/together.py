"""Calls of machine code that several threads share, without Python between them.

The calls are checked once, and kept for the addresses and forms of the arrays that they work on. A program works on the
same memory each time.
"""

from __future__ import annotations

import itertools
import os
import threading
import weakref
from collections.abc import Callable, Hashable, Sequence
from ctypes import addressof, c_char
from functools import cache, partial
from typing import Any

import numpy as np

from ..machine.product import refuses
from ..records import NamedTuple
from ..threads import holding, sharing
from .precision import Array

MOST_KEPT = 4096  # records, of 600 bytes each


class MachineCall(NamedTuple):
    """A call of machine code.

    Attributes:
        function: what is called; it returns False where it refuses its arguments.
        arguments: these.
        otherwise: what is called with them in that case, if there is something.
    """

    function: Callable[..., bool]
    arguments: tuple[Any, ...]
    otherwise: Callable[..., Any] | None = None

    def run(self) -> bool:
        """Whether the call did all."""
        if self.function(*self.arguments):
            return True
        if self.otherwise is not None:
            self.otherwise(*self.arguments)
        return self.otherwise is not None


Pieces = Sequence[Sequence[MachineCall]]


class _Team(NamedTuple):
    """What keeps and runs calls.

    Attributes:
        run: the function that runs records.
        words: the words of a record.
        keep: the first argument of a call that is kept.
    """

    run: Callable[..., bool]
    words: int
    keep: object


@cache
def team() -> _Team:
    """The team of this machine."""
    from ..machine.kept_calls import KEEP, RECORD  # late: `import mycel` needs none of these
    from ..machine.kept_team import compile_team

    return _Team(compile_team(), RECORD, KEEP)


class KeptCalls:
    """The calls of pieces that threads take one after the other."""

    def __init__(self, owner: object, pieces: Pieces) -> None:
        self.owner = owner  # kept, because its id is a part of a key
        self.starts = np.array([0, *itertools.accumulate(map(len, pieces))])
        self.records = np.zeros((int(self.starts[-1]), team().words), np.int64)
        calls, keep = list(itertools.chain.from_iterable(pieces)), team().keep
        self.functions = {call.function for call in calls}  # records have addresses of their code
        self.complete = all(
            call.function(keep, record, *call.arguments) for call, record in zip(calls, self.records, strict=True)
        )

    def run(self) -> bool:
        """Run all, and return whether all did what they should."""
        if len(self.starts) == 2:
            return team().run(self.starts, self.records)
        with sharing:
            return team().run(self.starts, self.records)


class _Kept:
    """Calls by what they depend on; those kept longest are dropped when there are too many."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: dict[Hashable, KeptCalls] = {}
        self._records = 0
        self.get = self._calls.get

    def __len__(self) -> int:
        return len(self._calls)

    def keep(self, key: Hashable, calls: KeptCalls) -> None:
        """Keep calls for the next time."""
        holding(self._lock, partial(self._keep, key, calls))

    def _keep(self, key: Hashable, calls: KeptCalls) -> None:
        if key in self._calls:  # by another thread
            return
        self._calls[key] = calls
        self._records += len(calls.records)
        while self._records > MOST_KEPT and len(self._calls) > 1:
            self._records -= len(self._calls.pop(next(iter(self._calls))).records)


_kept = _Kept()


def _forget() -> None:
    """Begin anew in a forked process: another thread may have had the lock."""
    global _kept
    _kept = _Kept()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _address(array: Array) -> Hashable:
    """Where an array begins, and whether it may be written to. To ask it takes two microseconds, a buffer a fourth."""
    try:
        return addressof(c_char.from_buffer((array if array.flags.c_contiguous else array.T).data))
    except (TypeError, ValueError):  # gaps, no elements, or nobody may write
        data: Hashable = array.__array_interface__["data"]
        return data


def run_together(owner: object, arrays: Sequence[Array], make: Callable[[], Pieces]) -> bool:
    """Run the calls that `make()` returns, on this thread alone where machine code refuses some; whether all did what
    they should. For the arguments see `run_kept`."""
    done = run_kept(owner, arrays, make)
    if done is None:
        return all(call.run() for call in itertools.chain.from_iterable(make()))
    return done


def run_kept(owner: object, arrays: Sequence[Array], make: Callable[[], Pieces]) -> bool | None:
    """Run the calls that `make()` returns; whether all did what they should, or None if machine code refuses some.

    They depend on `owner`, a plan that is the same object each time, and on the arrays alone. Nobody can resize these
    meanwhile, because of references to them. The order of the calls of a piece is kept.
    """
    if team().run is refuses:  # no machine code here
        return None
    held = list(map(weakref.ref, arrays))
    parts: list[Hashable] = [id(owner)]
    for array in arrays:
        parts += _address(array), array.shape, array.strides, array.dtype
    key = tuple(parts)
    calls = _kept.get(key)
    if calls is None:
        calls = KeptCalls(owner, make())
        if not calls.complete:
            return None
        _kept.keep(key, calls)
    done = calls.run()
    del held
    return done
