"""Collective communication on NumPy arrays among the processes of a group."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from .. import dtypes
from .board import Board
from .calls import GroupCall, type_text
from .errors import CommunicationError
from .group import WORLD, ProcessGroup, address
from .machines import Machines
from .shared import SharedMemory

Array = np.ndarray

REDUCTIONS = ("sum", "max", "min", "prod")

BUCKET_BYTES = 1 << 21  # where nothing was measured

_IDLE_SECONDS = 2e-6  # a shorter test has moved nothing
_PUSH_SECONDS = 5e-4  # at most, for what is on its way while the program computes
_MOST_TAG = 1 << 14  # of messages of the user's; MPI promises 32767
_EXCHANGE_TAG = _MOST_TAG + 1
_HEADER = 16


class Communicator(ProcessGroup):
    """The collectives of a group, and messages between two of its processes.

    Attributes:
        bucket_bytes: how large messages are into which small tensors are packed.

    Every method of a collective has to be called by all processes of the group in the same order. `checked` says that
    `match` has compared the call already; `line` is the user's file and line, if the caller knows it. With `out` the
    result is written there.
    """

    def __init__(
        self, name: str, ranks: Sequence[int], rank: int, comm: Any = None, board: Board | None = None
    ) -> None:
        super().__init__(name, ranks, rank, comm, board)
        self.bucket_bytes = BUCKET_BYTES
        self._begun: dict[int, tuple[GroupCall, Any, Array, float]] = {}  # all_reduces: what they write, since when
        self._sent: list[tuple[Any, Array]] = []  # messages on their way, and their bytes

    # Reductions

    def all_reduce(self, x: Array, by: str, out: Array | None = None, checked: bool = False, line: str = "") -> Array:
        """The sum, maximum, minimum or product over all processes, on all of them."""
        source, result = self._reduced(x, by, x.shape, out)
        call = self._begin(f"all_reduce({type_text(x)}, {by})", checked, line, x.nbytes)
        if self._comm is None:
            return _deliver(source, out, x.dtype)
        return self._given(call, self._start_reduction(self._comm, source, result, by), result, out, x.dtype)

    def start_all_reduce(
        self, x: Array, by: str, number: int, out: Array | None = None, checked: bool = False, line: str = ""
    ) -> Array:
        """Begin an `all_reduce` in the array that it gives, which is MPI's until `finish_all_reduce(number)`."""
        result = np.empty(x.shape, x.dtype) if out is None else out
        if address(result) != address(x):
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
        if out is None or address(out) == address(x):
            return x
        np.copyto(out, x)
        return out

    def advance(self) -> None:
        """Let started reductions make progress: they do only while this is called, MPI's by a part in each call."""
        if isinstance(self._shared, SharedMemory):
            self._shared.advance()
            return
        requests = [request for _, request, *_ in self._begun.values() if request is not None]
        if self._pending:
            requests = [self._pending[0].request]
        began = now = time.perf_counter()
        for request in requests:
            while not request.Test():
                before, now = now, time.perf_counter()
                if now - before < _IDLE_SECONDS:
                    return  # there was nothing to do
                if now - began > _PUSH_SECONDS:
                    return

    def match(self, actions: Sequence[str], lines: Sequence[str], line: str = "") -> None:
        """As `ProcessGroup.match`, after what an error has left of the run before."""
        self.drain()
        super().match(actions, lines, line)

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
        return self._given(call, self._comm.Ireduce(source, target, self._reduction(by), root), result, out, x.dtype)

    def reduce_scatter(
        self, x: Array, by: str, out: Array | None = None, checked: bool = False, line: str = ""
    ) -> Array:
        """As `all_reduce`, but each process gets only its part of the rows."""
        source, result = self._reduced(x, by, (x.shape[0] // self.size, *x.shape[1:]), out)
        call = self._begin(f"reduce_scatter({type_text(x)}, {by})", checked, line, x.nbytes)
        if self._comm is None:
            return _deliver(source, out, x.dtype)
        return self._given(
            call, self._comm.Ireduce_scatter_block(source, result, self._reduction(by)), result, out, x.dtype
        )

    def _reduced(self, x: Array, by: str, shape: tuple[int, ...], out: Array | None) -> tuple[Array, Array]:
        """The input and output arrays of a reduction. MPI has no 16-bit floats, so these are reduced in 32 bits."""
        wide = np.dtype(np.float32) if x.dtype.itemsize == 2 and x.dtype.kind not in "iu" else x.dtype
        source = _contiguous(x.astype(wide, copy=False))
        if out is not None and out.dtype == wide and out.flags.c_contiguous and out.shape == shape:
            return source, out
        return source, np.empty(shape, wide)

    # Moves

    def all_gather(self, x: Array, out: Array | None = None, checked: bool = False, line: str = "") -> Array:
        """The rows of all processes one after another, on all of them."""
        source, result = _contiguous(x), self._target((self.size * x.shape[0], *x.shape[1:]), x.dtype, out)
        call = self._begin(f"all_gather({type_text(x)})", checked, line, x.nbytes)
        if self._comm is None:
            return _deliver(source, out)
        return self._given(call, self._comm.Iallgather(_bytes(source), _bytes(result)), result, out, result.dtype)

    def gather(self, x: Array, root: int, out: Array | None = None, checked: bool = False, line: str = "") -> Array:
        """The rows of all processes one after another, on the process `root`; zeros on the others."""
        source, result = _contiguous(x), self._target((self.size * x.shape[0], *x.shape[1:]), x.dtype, out)
        call = self._begin(f"gather({type_text(x)}, root {root})", checked, line, x.nbytes)
        if self._comm is None:
            return _deliver(source, out)
        if self.rank != root:
            result.fill(0)
        return self._given(
            call,
            self._comm.Igather(_bytes(source), _bytes(result) if self.rank == root else None, root),
            result,
            out,
            result.dtype,
        )

    def scatter(self, x: Array, root: int, out: Array | None = None, checked: bool = False, line: str = "") -> Array:
        """The part of the rows of the process `root` that belongs to this process."""
        source, result = _contiguous(x), self._target((x.shape[0] // self.size, *x.shape[1:]), x.dtype, out)
        call = self._begin(f"scatter({type_text(x)}, root {root})", checked, line, x.nbytes)
        if self._comm is None:
            return _deliver(source, out)
        return self._given(
            call,
            self._comm.Iscatter(_bytes(source) if self.rank == root else None, _bytes(result), root),
            result,
            out,
            result.dtype,
        )

    def broadcast(self, x: Array, root: int, out: Array | None = None, checked: bool = False, line: str = "") -> Array:
        """The array of the process `root`, on all processes."""
        result = self._target(x.shape, x.dtype, out)
        call = self._begin(f"broadcast({type_text(x)}, root {root})", checked, line, x.nbytes)
        if self.rank == root and address(result) != address(x):
            np.copyto(result, x)
        if self._comm is None:
            return _deliver(result, out)
        return self._given(call, self._comm.Ibcast(_bytes(result), root), result, out, result.dtype)

    def all_to_all(self, x: Array, out: Array | None = None, checked: bool = False, line: str = "") -> Array:
        """The rows cut into as many parts as there are processes: part i goes to process i, in the order of ranks."""
        source, result = _contiguous(x), self._target(x.shape, x.dtype, out)
        call = self._begin(f"all_to_all({type_text(x)})", checked, line, x.nbytes)
        if self._comm is None:
            return _deliver(source, out)
        return self._given(call, self._comm.Ialltoall(_bytes(source), _bytes(result)), result, out, result.dtype)

    def barrier(self, checked: bool = False, line: str = "") -> None:
        """Wait until all processes have called this."""
        call = self._begin("barrier()", checked, line)
        if self._comm is not None:
            request = self._comm.Ibarrier()
            self._complete(call, lambda: self._wait(call, request))

    def gather_objects(self, text: str) -> list[str]:
        """A text of each process, on all of them, in the order of ranks."""
        if self._comm is None:
            return [text]
        return self._texts(self._begin("gather_objects()", False, ""), text)

    # Messages between two processes

    def send(self, x: Array, to: int, tag: int = 0, line: str = "") -> None:
        """Send an array to a process. Its numbers are copied, so this does not wait for the receiver."""
        self._check_peer(to, tag)
        self._settle_program()
        self._sent = [(request, held) for request, held in self._sent if not request.Test()]
        held = _packed(x)
        self._sent.append((self._comm.Isend(held, to, tag), held))

    def receive(
        self, shape: tuple[int, ...], dtype: Any, source: int, tag: int = 0, out: Array | None = None, line: str = ""
    ) -> Array:
        """Receive an array of this shape and dtype from a process."""
        self._check_peer(source, tag)
        self._settle_program()
        held, result = _unpacked(shape, np.dtype(dtype))
        call = self._message(f"receive({type_text(result)} from rank {source}, tag {tag})", line, source)
        self._take(call, held, result, self._comm.Irecv(held, source, tag))
        return _deliver(result, out)

    def exchange(
        self, arrays: Sequence[Array], to: Sequence[int], shapes: Sequence[Any], sources: Sequence[int], line: str = ""
    ) -> tuple[Array, ...]:
        """Send an array to each process of `to`, and receive one of each shape from each of `sources`."""
        self._settle_program()
        dtype = arrays[0].dtype
        found = [_unpacked(shape, dtype) for shape in shapes]
        takes = [
            self._comm.Irecv(held, source, _EXCHANGE_TAG) for (held, _), source in zip(found, sources, strict=True)
        ]
        given = [_packed(x) for x in arrays]
        gives = [self._comm.Isend(held, rank, _EXCHANGE_TAG) for held, rank in zip(given, to, strict=True)]
        for (held, result), source, request in zip(found, sources, takes, strict=True):
            call = self._message(f"exchange({type_text(result)} from rank {source})", line, source)
            self._take(call, held, result, request)
        for rank, request in zip(to, gives, strict=True):
            call = self._message(f"exchange(to rank {rank})", line, rank)
            self._complete(call, partial(self._wait, call, request))
        return tuple(result for _, result in found)

    def _check_peer(self, rank: int, tag: int) -> None:
        if not 0 <= rank < self.size:
            raise ValueError(f"group '{self.name}' has the ranks 0 to {self.size - 1}, but got rank {rank}")
        if rank == self.rank:
            raise ValueError(f"rank {rank} of group '{self.name}' cannot send to itself")
        if not 0 <= tag < _MOST_TAG:
            raise ValueError(f"a tag should be from 0 to {_MOST_TAG - 1}, but got {tag}")

    def _message(self, action: str, line: str, peer: int) -> GroupCall:
        return GroupCall(self.name, -1, "", action, line, (self.ranks[peer],))

    def _take(self, call: GroupCall, held: Array, result: Array, request: Any) -> None:
        """Wait for a message. It must have the expected number of bytes, of the expected dtype."""
        assert self._board is not None
        mpi = self._board.mpi
        status = mpi.Status()

        def finish() -> None:
            try:
                self._wait(call, request, status)
                size = status.Get_count(mpi.BYTE)
            except mpi.Exception:
                size = -1
            if size != held.size:
                found = "more" if size < 0 else str(size - _HEADER)
                raise CommunicationError(f"{call} expected {result.nbytes} bytes, but was sent {found}")
            if (sent := held[:_HEADER].tobytes()) != _header(result.dtype):
                raise CommunicationError(f"{call} was sent numbers of type {sent.decode().strip()}")

        self._complete(call, finish)

    # Common to all calls

    def _given(self, call: GroupCall, request: Any, result: Array, out: Array | None, dtype: Any) -> Array:
        """Wait for a result, and give it in `out` or in the wanted dtype. Under `defer` it is written later."""
        if self._later is None:
            self._wait(call, request)
            return _deliver(result, out, dtype)
        final = out if out is not None else result if result.dtype == dtype else np.empty(result.shape, dtype)

        def finish() -> None:
            self._wait(call, request)
            if final is not result:
                np.copyto(final, result, casting="unsafe")

        self._complete(call, finish)
        return final

    def _target(self, shape: tuple[int, ...], dtype: Any, out: Array | None) -> Array:
        """The array that MPI writes to: `out` if it is contiguous, else a new one."""
        return out if out is not None and out.flags.c_contiguous else np.empty(shape, dtype)

    def finish(self) -> None:
        """Wait for messages that have been sent and not yet received, and for what nobody has waited for."""
        self.drain()
        for wait in list(self._unfinished.values()):
            wait()
        self._settle()
        for request, _ in self._sent:
            call = GroupCall(self.name, -1, "", "the end of the program, with a message that is not received yet", "")
            self._wait(call, request)
        self._sent = []

    def free(self) -> None:
        """Free the MPI resources of the group."""
        for comm in (self._comm, self._checks):
            if comm is not None and self.name != WORLD:
                comm.Free()
        if isinstance(self._shared, Machines) and self.name != WORLD:
            self._shared.free()


def _contiguous(x: Array) -> Array:
    return x if x.flags.c_contiguous else np.array(x, order="C")


def _header(dtype: np.dtype[Any]) -> bytes:
    """The first bytes of a message between two processes: the dtype, with the alignment of numbers."""
    return dtypes.of_numpy(dtype).short.ljust(_HEADER).encode()


def _packed(x: Array) -> Array:
    """A copy of an array as a message."""
    held, numbers = _unpacked(x.shape, x.dtype)
    held[:_HEADER] = np.frombuffer(_header(x.dtype), np.uint8)
    numbers[...] = x
    return held


def _unpacked(shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Array, Array]:
    """Memory for a message, and the array in it."""
    held = np.empty(_HEADER + int(np.prod(shape)) * dtype.itemsize, np.uint8)
    return held, held[_HEADER:].view(dtype).reshape(shape)


def _bytes(x: Array) -> Array:
    """The memory of an array in C order."""
    return x.reshape(-1).view(np.uint8)


def _deliver(result: Array, out: Array | None, dtype: Any = None) -> Array:
    """The result, written to `out` if there is one, else in the wanted dtype."""
    if out is None or out is result:
        return result if dtype is None else result.astype(dtype, copy=False)
    np.copyto(out, result, casting="unsafe")
    return out
