"""Collective communication on NumPy arrays among the processes of a group.

Every call is non-blocking underneath, and a loop of tests waits for it. So it can time out, and it can find out that
the processes of the group make different calls.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from .board import Board, mismatch
from .calls import GroupCall, Traffic, digest, type_text
from .errors import CommunicationError, CommunicationTimeoutError
from .shared import SharedMemory, share_memory

Array = np.ndarray

TIMEOUT_VARIABLE = "MYCEL_COMMUNICATION_TIMEOUT"
REDUCTIONS = ("sum", "max", "min", "prod")

BUCKET_BYTES = 1 << 21  # where nothing was measured

_NOTICE_SECONDS = 1.0  # of waiting until the others are told
_READ_SECONDS = 0.02  # between reads of the others' notices
_TIMEOUT = 1800.0
_SPINS = 150  # tests before the process yields the processor, perhaps to a process that it waits for
_NAP_SECONDS = 2e-5
_IDLE_SECONDS = 2e-6  # a shorter test has moved nothing
_PUSH_SECONDS = 5e-4  # at most, for what is on its way while the program computes
_MOST_TAG = 1 << 14  # of messages of the user's; MPI promises 32767
_EXCHANGE_TAG = _MOST_TAG + 1


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


class Communicator:
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
        bucket_bytes: how large messages are into which small tensors are packed.

    Every method of a collective has to be called by all processes of the group in the same order. `checked` says that
    `match` has compared the call already; `line` is the user's file and line, if the caller knows it. With `out` the
    result is written there.
    """

    def __init__(
        self, name: str, ranks: Sequence[int], rank: int, comm: Any = None, board: Board | None = None
    ) -> None:
        self.name = name
        self.ranks = tuple(ranks)
        self.rank = rank
        self.size = len(self.ranks)
        self.timeout = _TIMEOUT if comm is None else default_timeout()
        self.bucket_bytes = BUCKET_BYTES
        self.calls = 0
        self._comm = comm
        self._board = board
        self._checks = None if comm is None else comm.Dup()
        self._shared: SharedMemory | None = None if board is None or comm is None else share_memory(comm, board.mpi)
        self._pending: _Check | None = None  # a comparison that has begun
        self._begun: dict[int, tuple[GroupCall, Any, Array, float]] = {}  # all_reduces: what they write, since when
        self.traffic: dict[tuple[Any, ...], Traffic] = {}
        self._current = Traffic()
        self._sent: list[tuple[Any, Array]] = []  # messages on their way, and their bytes

    # Reductions

    def all_reduce(self, x: Array, by: str, out: Array | None = None, checked: bool = False, line: str = "") -> Array:
        """The sum, maximum, minimum or product over all processes, on all of them."""
        source, result = self._reduced(x, by, x.shape, out)
        call = self._begin(f"all_reduce({type_text(x)}, {by})", checked, line, x.nbytes)
        if self._comm is None:
            return _deliver(source, out, x.dtype)
        self._wait(call, self._start_reduction(self._comm, source, result, by))
        return _deliver(result, out, x.dtype)

    def _start_reduction(self, comm: Any, source: Array, result: Array, by: str) -> Any:
        """The request of an all-reduce, of MPI or in shared memory. Both arrays may be the same."""
        if self._shared is not None:
            return self._shared.start(source, result, by)
        given = self._mpi.IN_PLACE if _start(source) == _start(result) else source
        return comm.Iallreduce(given, result, self._reduction(by))

    def start_all_reduce(
        self, x: Array, by: str, number: int, out: Array | None = None, checked: bool = False, line: str = ""
    ) -> Array:
        """Begin an `all_reduce` in the array that it gives, which is MPI's until `finish_all_reduce(number)`."""
        result = np.empty(x.shape, x.dtype) if out is None else out
        if _start(result) != _start(x):
            np.copyto(result, x)
        if number in self._begun:  # an error came between the two last time
            self.drain()
        call = self._begin(f"all_reduce_start({type_text(x)}, {by}, number {number})", checked, line, x.nbytes)
        request = None
        if self._comm is not None:
            request = self._start_reduction(self._comm, result, result, by)
        self._begun[number] = call, request, result, time.perf_counter()
        return result

    def finish_all_reduce(
        self, x: Array, number: int, out: Array | None = None, checked: bool = False, line: str = ""
    ) -> Array:
        """Wait for the reduction that `start_all_reduce` began in x."""
        call, request, _, began = self._begun.pop(number)
        self._current.hidden += time.perf_counter() - began
        if request is not None:
            self._wait(call, request)
        if out is None or _start(out) == _start(x):
            return x
        np.copyto(out, x)
        return out

    def advance(self) -> None:
        """Let started reductions make progress: they do only while this is called, MPI's by a part in each call."""
        if self._shared is not None:
            self._shared.advance()
            return
        requests = [request for _, request, *_ in self._begun.values() if request is not None]
        if self._pending is not None:
            requests = [self._pending.request]
        began = now = time.perf_counter()
        for request in requests:
            while not request.Test():
                before, now = now, time.perf_counter()
                if now - before < _IDLE_SECONDS:
                    return  # there was nothing to do
                if now - began > _PUSH_SECONDS:
                    return

    def drain(self) -> None:
        """Finish reductions that were started and, because of an error, never waited for: their memory will be used
        again."""
        while self._begun:
            _, (call, request, *_) = self._begun.popitem()
            if request is not None:
                self._wait(call, request)

    def reduce(
        self, x: Array, root: int, by: str, out: Array | None = None, checked: bool = False, line: str = ""
    ) -> Array:
        """As `all_reduce`, on the process `root`; zeros on the others."""
        source, result = self._reduced(x, by, x.shape, out)
        call = self._begin(f"reduce({type_text(x)}, {by}, root {root})", checked, line, x.nbytes)
        if self._comm is None:
            return _deliver(source, out, x.dtype)
        if self.rank != root:
            result.fill(0)
        target = result if self.rank == root else None
        self._wait(call, self._comm.Ireduce(source, target, self._reduction(by), root))
        return _deliver(result, out, x.dtype)

    def reduce_scatter(
        self, x: Array, by: str, out: Array | None = None, checked: bool = False, line: str = ""
    ) -> Array:
        """As `all_reduce`, but each process gets only its part of the rows."""
        source, result = self._reduced(x, by, (x.shape[0] // self.size, *x.shape[1:]), out)
        call = self._begin(f"reduce_scatter({type_text(x)}, {by})", checked, line, x.nbytes)
        if self._comm is None:
            return _deliver(source, out, x.dtype)
        self._wait(call, self._comm.Ireduce_scatter_block(source, result, self._reduction(by)))
        return _deliver(result, out, x.dtype)

    def _reduced(self, x: Array, by: str, shape: tuple[int, ...], out: Array | None) -> tuple[Array, Array]:
        """The input and output arrays of a reduction. MPI has no 16-bit floats, so these are reduced in 32 bits."""
        wide = np.dtype(np.float32) if x.dtype.itemsize == 2 and x.dtype.kind not in "iu" else x.dtype
        source = _contiguous(x.astype(wide, copy=False))
        if out is not None and out.dtype == wide and out.flags.c_contiguous and out.shape == shape:
            return source, out
        return source, np.empty(shape, wide)

    @property
    def _mpi(self) -> Any:
        assert self._board is not None
        return self._board.mpi

    def _reduction(self, by: str) -> Any:
        return getattr(self._mpi, by.upper())

    # Moves

    def all_gather(self, x: Array, out: Array | None = None, checked: bool = False, line: str = "") -> Array:
        """The rows of all processes one after another, on all of them."""
        source, result = _contiguous(x), self._target((self.size * x.shape[0], *x.shape[1:]), x.dtype, out)
        call = self._begin(f"all_gather({type_text(x)})", checked, line, x.nbytes)
        if self._comm is None:
            return _deliver(source, out)
        self._wait(call, self._comm.Iallgather(_bytes(source), _bytes(result)))
        return _deliver(result, out)

    def gather(self, x: Array, root: int, out: Array | None = None, checked: bool = False, line: str = "") -> Array:
        """The rows of all processes one after another, on the process `root`; zeros on the others."""
        source, result = _contiguous(x), self._target((self.size * x.shape[0], *x.shape[1:]), x.dtype, out)
        call = self._begin(f"gather({type_text(x)}, root {root})", checked, line, x.nbytes)
        if self._comm is None:
            return _deliver(source, out)
        if self.rank != root:
            result.fill(0)
        self._wait(call, self._comm.Igather(_bytes(source), _bytes(result) if self.rank == root else None, root))
        return _deliver(result, out)

    def scatter(self, x: Array, root: int, out: Array | None = None, checked: bool = False, line: str = "") -> Array:
        """The part of the rows of the process `root` that belongs to this process."""
        source, result = _contiguous(x), self._target((x.shape[0] // self.size, *x.shape[1:]), x.dtype, out)
        call = self._begin(f"scatter({type_text(x)}, root {root})", checked, line, x.nbytes)
        if self._comm is None:
            return _deliver(source, out)
        self._wait(call, self._comm.Iscatter(_bytes(source) if self.rank == root else None, _bytes(result), root))
        return _deliver(result, out)

    def broadcast(self, x: Array, root: int, out: Array | None = None, checked: bool = False, line: str = "") -> Array:
        """The array of the process `root`, on all processes."""
        result = self._target(x.shape, x.dtype, out)
        call = self._begin(f"broadcast({type_text(x)}, root {root})", checked, line, x.nbytes)
        if self.rank == root and _start(result) != _start(x):
            np.copyto(result, x)
        if self._comm is not None:
            self._wait(call, self._comm.Ibcast(_bytes(result), root))
        return _deliver(result, out)

    def all_to_all(self, x: Array, out: Array | None = None, checked: bool = False, line: str = "") -> Array:
        """The rows cut into as many parts as there are processes: part i goes to process i, in the order of ranks."""
        source, result = _contiguous(x), self._target(x.shape, x.dtype, out)
        call = self._begin(f"all_to_all({type_text(x)})", checked, line, x.nbytes)
        if self._comm is None:
            return _deliver(source, out)
        self._wait(call, self._comm.Ialltoall(_bytes(source), _bytes(result)))
        return _deliver(result, out)

    def barrier(self, checked: bool = False, line: str = "") -> None:
        """Wait until all processes have called this."""
        call = self._begin("barrier()", checked, line)
        if self._comm is not None:
            self._wait(call, self._comm.Ibarrier())

    def gather_objects(self, text: str) -> list[str]:
        """A text of each process, on all of them, in the order of ranks."""
        if self._comm is None:
            return [text]
        return self._texts(self._begin("gather_objects()", False, ""), text)

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

    # Messages between two processes

    def send(self, x: Array, to: int, tag: int = 0, line: str = "") -> None:
        """Send an array to a process. Its numbers are copied, so this does not wait for the receiver."""
        self._check_peer(to, tag)
        self._settle()
        self._sent = [(request, held) for request, held in self._sent if not request.Test()]
        held = np.array(x, order="C")
        self._sent.append((self._comm.Isend(_bytes(held), to, tag), held))

    def receive(
        self, shape: tuple[int, ...], dtype: Any, source: int, tag: int = 0, out: Array | None = None, line: str = ""
    ) -> Array:
        """Receive an array of this shape and dtype from a process."""
        self._check_peer(source, tag)
        self._settle()
        result = self._target(shape, np.dtype(dtype), out)
        call = self._message(f"receive({type_text(result)} from rank {source}, tag {tag})", line, source)
        self._take(call, result, self._comm.Irecv(_bytes(result), source, tag))
        return _deliver(result, out)

    def exchange(
        self, arrays: Sequence[Array], to: Sequence[int], shapes: Sequence[Any], sources: Sequence[int], line: str = ""
    ) -> tuple[Array, ...]:
        """Send an array to each process of `to`, and receive one of each shape from each of `sources`."""
        self._settle()
        dtype = arrays[0].dtype
        results = [np.empty(shape, dtype) for shape in shapes]
        held = [_contiguous(x) for x in arrays]
        takes = [
            self._comm.Irecv(_bytes(result), source, _EXCHANGE_TAG)
            for result, source in zip(results, sources, strict=True)
        ]
        gives = [self._comm.Isend(_bytes(x), rank, _EXCHANGE_TAG) for x, rank in zip(held, to, strict=True)]
        for result, source, request in zip(results, sources, takes, strict=True):
            call = self._message(f"exchange({type_text(result)} from rank {source})", line, source)
            self._take(call, result, request)
        for rank, request in zip(to, gives, strict=True):
            self._wait(self._message(f"exchange(to rank {rank})", line, rank), request)
        return tuple(results)

    def _check_peer(self, rank: int, tag: int) -> None:
        if not 0 <= rank < self.size:
            raise ValueError(f"group '{self.name}' has the ranks 0 to {self.size - 1}, but got rank {rank}")
        if rank == self.rank:
            raise ValueError(f"rank {rank} of group '{self.name}' cannot send to itself")
        if not 0 <= tag < _MOST_TAG:
            raise ValueError(f"a tag should be from 0 to {_MOST_TAG - 1}, but got {tag}")

    def _message(self, action: str, line: str, peer: int) -> GroupCall:
        return GroupCall(self.name, -1, "", action, line, (self.ranks[peer],))

    def _take(self, call: GroupCall, result: Array, request: Any) -> None:
        """Wait for a message. It must have the expected number of bytes."""
        assert self._board is not None
        status = self._board.mpi.Status()
        try:
            self._wait(call, request, status)
            size = status.Get_count(self._board.mpi.BYTE)
        except self._board.mpi.Exception:
            size = -1
        if size != result.nbytes:
            found = "more" if size < 0 else str(size)
            raise CommunicationError(f"{call} expected {result.nbytes} bytes, but was sent {found}")

    # Common to all calls

    def _target(self, shape: tuple[int, ...], dtype: Any, out: Array | None) -> Array:
        """The array that MPI writes to: `out` if it is contiguous, else a new one."""
        return out if out is not None and out.flags.c_contiguous else np.empty(shape, dtype)

    def _begin(self, action: str, checked: bool, line: str, nbytes: int = 0) -> GroupCall:
        """Begin a call of the group. It is compared with the other processes' calls, unless `match` has done so."""
        if not checked and not line:  # a call in eager mode, which belongs to no program
            self._current = Traffic()
        self._current.nbytes += nbytes
        call = GroupCall(self.name, self.calls, f"{action} {checked}", action, line, self.ranks)
        self.calls += 1
        if self._comm is None:
            return call
        self._settle()
        if not checked:
            self._pending = self._compare(call, (action,), (line or call.where(),))
            self._settle()
        return call

    def match(self, actions: Sequence[str], lines: Sequence[str], line: str = "") -> None:
        """Start to compare the collectives that a program will call with those of the other processes' programs.

        The comparison runs while the program computes, and ends before the first collective. `traffic` counts what the
        calls take.
        """
        self.drain()
        key = tuple(actions), tuple(lines)
        self._current = self.traffic.get(key) or self.traffic.setdefault(key, Traffic())
        self._current.runs += 1
        if self._comm is None or not actions:
            return
        self._settle()
        action = f"a program with {actions[0]}"
        call = GroupCall(self.name, self.calls, "\n".join(actions), action, line or lines[0], self.ranks)
        self.calls += 1
        self._pending = self._compare(call, actions, lines)

    def _compare(self, call: GroupCall, actions: Sequence[str], lines: Sequence[str]) -> _Check:
        own = digest("\n".join(actions).encode(errors="surrogatepass"))
        check = _Check(call, actions, lines, np.array([own, -own]), np.empty(2, np.int64))
        assert self._checks is not None
        check.request = self._start_reduction(self._checks, check.own, check.highest, "max")
        return check

    def _settle(self) -> None:
        """Finish a comparison. Raises CollectiveMismatchError on all processes if they differ."""
        check, self._pending = self._pending, None
        if check is None:
            return
        self._wait(check.call, check.request)
        if check.highest[0] == -check.highest[1]:
            return
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

    def finish(self) -> None:
        """Wait for messages that have been sent and not yet received."""
        self.drain()
        self._settle()
        for request, _ in self._sent:
            call = GroupCall(self.name, -1, "", "the end of the program, with a message that is not received yet", "")
            self._wait(call, request)
        self._sent = []

    def free(self) -> None:
        """Free the MPI resources of the group."""
        if self._shared is not None and self.name != WORLD:
            self._shared.free()
        for comm in (self._comm, self._checks):
            if comm is not None and self.name != WORLD:
                comm.Free()


WORLD = "world"
"""The group of all processes."""


class _Check:
    """A comparison in progress."""

    def __init__(
        self, call: GroupCall, actions: Sequence[str], lines: Sequence[str], own: Array, highest: Array
    ) -> None:
        self.call, self.actions, self.lines, self.own, self.highest = call, actions, lines, own, highest
        self.request: Any = None


def _contiguous(x: Array) -> Array:
    return x if x.flags.c_contiguous else np.array(x, order="C")


def _bytes(x: Array) -> Array:
    """The memory of an array in C order."""
    return x.reshape(-1).view(np.uint8)


def _start(x: Array) -> int:
    """The address of an array."""
    address: int = x.__array_interface__["data"][0]
    return address


def _deliver(result: Array, out: Array | None, dtype: Any = None) -> Array:
    """The result, written to `out` if there is one, else in the wanted dtype."""
    if out is None or out is result:
        return result if dtype is None else result.astype(dtype, copy=False)
    np.copyto(out, result, casting="unsafe")
    return out
