"""A group of processes: its calls are compared between them, and waited for.

Every call is non-blocking underneath, and a loop of tests waits for it. So it can time out, and it can find out that
the processes of the group make different calls.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from .board import Board, mismatch
from .calls import GroupCall, Traffic, digest
from .errors import CommunicationTimeoutError
from .machines import Machines, join_machines
from .shared import SharedMemory

Array = np.ndarray
T = TypeVar("T")

WORLD = "world"
"""The group of all processes."""

TIMEOUT_VARIABLE = "MYCEL_COMMUNICATION_TIMEOUT"

_NOTICE_SECONDS = 1.0  # of waiting until the others are told
_READ_SECONDS = 0.02  # between reads of the others' notices
_TIMEOUT = 1800.0
_SPINS = 150  # tests before the process yields the processor, perhaps to a process that it waits for
_NAP_SECONDS = 2e-5
_MAKES_GROUP = -2  # in place of a call's number
_GROUP_TAG = 0


def default_timeout() -> float:
    """The number of seconds that a call may wait: from the environment, or half an hour.

    ValueError if the variable is no number above 0.
    """
    text = os.environ.get(TIMEOUT_VARIABLE, "").strip()
    if not text:
        return _TIMEOUT
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise ValueError(f"{TIMEOUT_VARIABLE} should be a number of seconds above 0, but is {text!r}")
    return seconds


class ProcessGroup:
    """A group of processes, seen from one of them.

    Args:
        name: of the group.
        ranks: its ranks in the world, in the group's order.
        rank: this process's rank in the group.
        comm: a communicator of mpi4py of these processes; None for a group of one process.
        board: where waiting processes tell of it; None for a group of one process.

    Attributes:
        timeout: how many seconds a call may wait.
        traffic: the traffic of each program, by its key in `match`.
    """

    def __init__(
        self, name: str, ranks: Sequence[int], rank: int, comm: Any = None, board: Board | None = None
    ) -> None:
        self.name = name
        self.ranks = tuple(ranks)
        self.rank = rank
        self.size = len(self.ranks)
        self.timeout = _TIMEOUT if comm is None else default_timeout()
        self.calls = 0
        self._comm = comm
        self._board = board
        self._checks = None if comm is None else comm.Dup()
        self._shared: SharedMemory | Machines | None = None
        if board is not None and comm is not None:
            self._shared = join_machines(comm, board.mpi)
        self._made: dict[str, int] = {}  # how often groups were made
        self._pending: deque[_Check] = deque()  # comparisons that have begun, in order
        self._later: list[Callable[[], None]] | None = None  # what calls leave to do, while `defer` runs an action
        self._unfinished: dict[int, Callable[[], None]] = {}  # what `defer` has given and nobody has called yet
        self._deferred = 0
        self.traffic: dict[tuple[Any, ...], Traffic] = {}
        self._current = Traffic()

    @property
    def _mpi(self) -> Any:
        assert self._board is not None
        return self._board.mpi

    def _reduction(self, by: str) -> Any:
        return getattr(self._mpi, by.upper())

    def _start_reduction(self, comm: Any, source: Array, result: Array, by: str) -> Any:
        """The request of an all-reduce. Both arrays may be the same."""
        if self._shared is not None:
            return self._shared.start(source, result, by)
        given = self._mpi.IN_PLACE if address(source) == address(result) else source
        return comm.Iallreduce(given, result, self._reduction(by))

    def _texts(self, call: GroupCall, text: str) -> list[str]:
        """The texts of all processes, sent as bytes. A pickle, which mpi4py would use, could run code."""
        assert self._checks is not None
        data = np.frombuffer(text.encode(errors="surrogatepass"), np.uint8)
        sizes = np.empty(self.size, np.int64)
        self._wait(call, self._checks.Iallgather(np.array([data.size], np.int64), sizes))
        padded = np.zeros(max(int(sizes.max()), 1), np.uint8)
        padded[: data.size] = data
        rows = np.empty((self.size, padded.size), np.uint8)
        self._wait(call, self._checks.Iallgather(padded, rows))
        return [row[:size].tobytes().decode(errors="surrogatepass") for row, size in zip(rows, sizes, strict=True)]

    def _begin(self, action: str, checked: bool, line: str, nbytes: int = 0) -> GroupCall:
        """Begin a call of the group. It is compared with the other processes' calls, unless `match` has done so."""
        if not checked and not line:  # a call in eager mode, which belongs to no program
            self._current = Traffic()
        self._current.nbytes += nbytes
        call = GroupCall(self.name, self.calls, f"{action} {checked}", action, line, self.ranks)
        self.calls += 1
        if self._comm is None:
            return call
        if self._later is None:
            self._settle()
        if not checked:
            self._pending.append(self._compare(call, (action,), (line or call.where(),)))
            self._pending[-1].deferred = self._later is not None
        if self._later is None:
            self._settle()
        return call

    def defer(self, action: Callable[[], T]) -> tuple[T, Callable[[], None]]:
        """Run an action that makes one call, without a wait. A program that is being run makes none.

        Returns what the action gives, and a function that waits. Until it returns, arrays are not complete.
        """
        later: list[Callable[[], None]] = []
        self._later = later
        try:
            result = action()
        finally:
            self._later = None
        self._deferred += 1
        number = self._deferred

        def wait() -> None:
            if self._unfinished.pop(number, None) is not None:
                for each in later:
                    each()

        self._unfinished[number] = wait
        return result, wait

    def _complete(self, call: GroupCall, finish: Callable[[], Any]) -> None:
        """Call `finish`, which waits, when the call has been compared; or leave it to `defer`."""
        if self._later is None:
            finish()
            return

        def wait() -> None:
            check = next((check for check in self._pending if check.call is call), None)
            if check is not None:
                self._settle(check)
            finish()

        self._later.append(wait)

    def match(self, actions: Sequence[str], lines: Sequence[str], line: str = "") -> None:
        """Start to compare the collectives that a program will call with those of the other processes' programs.

        The comparison runs while the program computes, and ends before the first collective. `traffic` counts what the
        calls take.
        """
        key = tuple(actions), tuple(lines)
        self._current = self.traffic.get(key) or self.traffic.setdefault(key, Traffic())
        self._current.runs += 1
        if self._comm is None or not actions:
            return
        self._settle()
        action = f"a program with {actions[0]}"
        call = GroupCall(self.name, self.calls, "\n".join(actions), action, line or lines[0], self.ranks)
        self.calls += 1
        self._pending.append(self._compare(call, actions, lines))

    def agree_on_group(self, name: str, ranks: Sequence[int]) -> None:
        """Wait until all of these ranks are about to make a group, before MPI waits, which does so without a limit.

        In each round a process tells one that is twice as far away as in the round before.

        Raises:
            CollectiveMismatchError: if another process makes another group first.
        """
        assert self._checks is not None
        assert self._board is not None
        action = f"create_group({name!r}, {list(ranks)})"
        self._made[action] = self._made.get(action, 0) + 1
        call = GroupCall(self.name, _MAKES_GROUP, f"{action} {self._made[action]}", action, "", tuple(ranks))
        own = np.frombuffer(f"{call.what}\0{call}".encode(errors="surrogatepass"), np.uint8)
        place, distance = ranks.index(self.rank), 1
        while distance < len(ranks):
            source = ranks[place - distance]
            request = self._checks.Isend(own, ranks[(place + distance) % len(ranks)], _GROUP_TAG)
            message = _Text(self._checks, source, self._mpi)
            self._wait(call, message)
            what, text = message.text.split("\0")
            if what != call.what:
                raise mismatch(self.name, sorted([(self.rank, str(call)), (source, text)]))
            self._wait(call, request)
            distance *= 2
        self._board.complete.add(call.what)

    def _compare(self, call: GroupCall, actions: Sequence[str], lines: Sequence[str]) -> _Check:
        own = digest("\n".join(actions).encode(errors="surrogatepass"))
        check = _Check(call, actions, lines, np.array([own, -own]), np.empty(2, np.int64))
        assert self._checks is not None
        check.request = self._start_reduction(self._checks, check.own, check.highest, "max")
        return check

    def _settle(self, last: _Check | None = None) -> None:
        """Finish the comparisons that have begun, up to the last or a given one.

        Raises CollectiveMismatchError on all processes if they differ.
        """
        while self._pending:
            check = self._pending.popleft()
            self._finish_check(check)
            if check is last:
                return

    def _settle_program(self) -> None:
        """Finish the comparison of the program that is being run. Others may be waiting for a message of this one."""
        if self._pending and not self._pending[0].deferred:
            self._settle(self._pending[0])

    def _finish_check(self, check: _Check) -> None:
        self._wait(check.call, check.request)
        if check.highest[0] == -check.highest[1]:
            return
        import json  # which only an error needs

        rows = [f"{action} ({line})" for action, line in zip(check.actions, check.lines, strict=True)]
        texts = [json.loads(text) for text in self._texts(check.call, json.dumps([list(check.actions), rows]))]
        other = next(rank for rank in range(self.size) if texts[rank][0] != texts[0][0])
        one, two = texts[0], texts[other]
        most = min(len(one[0]), len(two[0]))
        at = next((i for i in range(most) if one[0][i] != two[0][i]), most)
        shown = [(self.ranks[rank], text[1][at] if at < len(text[1]) else f"no collective after {text[1][-1]}")
                 for rank, text in ((0, one), (other, two))]  # fmt: skip
        raise mismatch(self.name, sorted(shown))

    def _wait(self, call: GroupCall, request: Any, status: Any = None) -> None:
        """Wait for a request. Raises an error if it can never complete, or takes too long."""
        began = time.perf_counter()
        try:
            for _ in range(_SPINS):
                if request.Test(status):
                    return
            self._wait_long(call, request, status)
        finally:
            self._current.waited += time.perf_counter() - began

    def _wait_long(self, call: GroupCall, request: Any, status: Any) -> None:
        began = looked = time.monotonic()
        told = False
        while not request.Test(status):
            now = time.monotonic()
            waited = now - began
            time.sleep(_NAP_SECONDS if waited < _NOTICE_SECONDS else 0.001)
            if waited < _NOTICE_SECONDS or now - looked < _READ_SECONDS:
                continue
            looked = now
            assert self._board is not None
            if not told:
                self._board.announce(call)
                told = True
            self._board.check(call)
            if waited > self.timeout:
                raise CommunicationTimeoutError(
                    f"{call} has waited for {waited:.0f} seconds:\n{self._board.waiting(call)}\n"
                    f"{TIMEOUT_VARIABLE} sets how many seconds a process may wait"
                )


class _Check:
    """A comparison in progress."""

    def __init__(
        self, call: GroupCall, actions: Sequence[str], lines: Sequence[str], own: Array, highest: Array
    ) -> None:
        self.call, self.actions, self.lines, self.own, self.highest = call, actions, lines, own, highest
        self.request: Any = None
        self.deferred = False


class _Text:
    """A text from another process, with the method of MPI's requests."""

    def __init__(self, comm: Any, source: int, mpi: Any) -> None:
        self._comm, self._source, self._mpi = comm, source, mpi
        self.text = ""

    def Test(self, status: Any = None) -> bool:
        """Whether it has come."""
        status = self._mpi.Status()
        message = self._comm.Improbe(self._source, _GROUP_TAG, status)
        if message is None:
            return False
        data = np.empty(status.Get_count(self._mpi.BYTE), np.uint8)
        message.Recv(data)
        self.text = data.tobytes().decode(errors="surrogatepass")
        return True


def address(x: Array) -> int:
    """The address of an array."""
    found: int = x.__array_interface__["data"][0]
    return found
