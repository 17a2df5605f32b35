"""Deadlock detection: processes that wait tell each other where, and that they have ended. So a hang becomes an error.

A process that has waited for a second sends a notice to the others of the group, and from then on reads theirs. If two
processes wait in the same call of a group, but the calls differ, they would wait for ever; both find out at once.
Processes that do not wait send and read nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..records import NamedTuple
from .calls import GroupCall
from .errors import CollectiveMismatchError, CommunicationError

ENDED, FAILED, SPEAKS = range(3)


_READ_SECONDS = 0.001


class Notice(NamedTuple):
    """The last notice of another process: it waits in a call. With an empty group: its state, which is the number."""

    group: str
    number: int
    what: str
    text: str


class Board:
    """The notices of all processes.

    Args:
        comm: a communicator of mpi4py of all processes that nothing else uses.
        mpi: the module `mpi4py.MPI`.
    """

    def __init__(self, comm: Any, mpi: Any) -> None:
        self.comm = comm
        self.mpi = mpi
        self.rank: int = comm.Get_rank()
        self.notices: dict[int, Notice] = {}
        self.states: dict[int, set[int]] = {ENDED: set(), FAILED: set(), SPEAKS: set()}
        self.ended = self.states[ENDED]
        self.complete: set[str] = set()  # calls without a number of which old notices may still come
        self._sent: list[tuple[Any, np.ndarray]] = []  # requests, and the bytes that they read

    def tell(self, ranks: Iterable[int], notice: Notice) -> None:
        """Send a notice."""
        data = np.frombuffer("\0".join(map(str, notice)).encode(errors="surrogatepass"), np.uint8)
        self._sent = [(request, held) for request, held in self._sent if not request.Test()]
        self._sent += [(self.comm.Isend(data, rank), data) for rank in ranks if rank != self.rank]

    def announce(self, call: GroupCall) -> None:
        """Send a notice to the processes that a call waits for."""
        self.tell(call.peers, Notice(call.group, call.number, call.what, str(call)))

    def announce_state(self, state: int) -> None:
        """Tell all others that this process has ended, has failed, or speaks of that."""
        self.tell(range(self.comm.Get_size()), Notice("", state, "", ""))

    def end(self, seconds: float) -> None:
        """Tell all others that this process has ended, and read theirs: libraries of MPI warn of unread messages."""
        self.announce_state(ENDED)
        last = time.monotonic() + seconds
        while len(self.ended) < self.comm.Get_size() - 1 and time.monotonic() < last:
            time.sleep(_READ_SECONDS)
            self.read()

    def has_the_word(self) -> bool:
        """Whether this process, which has failed, is to say so: not if another one speaks, or will because it is first.

        What is sent before it is asked is seen by who asks later, so that of two processes one speaks.
        """
        self.announce_state(SPEAKS)
        self.read()
        return not self.states[SPEAKS] and min(self.states[FAILED], default=self.rank) >= self.rank

    def read(self) -> None:
        """Receive all notices that have arrived."""
        while True:
            status = self.mpi.Status()
            # MPI first looks among what has come, and then takes in what comes: the second look sees it.
            message = self.comm.Improbe(status=status) or self.comm.Improbe(status=status)
            if message is None:
                return
            data = np.empty(status.Get_count(self.mpi.BYTE), np.uint8)
            message.Recv(data)
            group, number, what, text = data.tobytes().decode(errors="surrogatepass").split("\0")
            notice = Notice(group, int(number), what, text)
            if notice.group:
                self.notices[status.Get_source()] = notice
            else:
                self.states[notice.number].add(status.Get_source())

    def check(self, call: GroupCall) -> None:
        """Raise an error if the notices show that a call can never complete."""
        self.read()
        for rank in call.peers:
            if rank in self.ended:
                raise CommunicationError(
                    f"rank {self.rank} waits in {call}, but rank {rank} has come to the end of its program. All ranks "
                    "of a group have to take the same number of steps: give all of them equally many batches",
                    speaker=self.rank,
                )
            notice = self.notices.get(rank)
            if notice is None or (notice.group, notice.number) != (call.group, call.number):
                continue
            if notice.what and call.what and notice.what != call.what and notice.what not in self.complete:
                ranks = sorted([(self.rank, str(call)), (rank, notice.text)])
                raise mismatch(call.group, ranks)

    def waiting(self, call: GroupCall) -> str:
        """For an error: which process waits for which, one line each."""
        self.read()
        lines = [f"rank {self.rank} waits in {call}"]
        for rank in call.peers:
            if rank == self.rank:
                continue
            notice = self.notices.get(rank)
            lines.append(
                f"rank {rank} has said nothing: it computes still, or hangs elsewhere"
                if notice is None
                else f"rank {rank} last waited in {notice.text}"
            )
        return "\n".join(lines)


def mismatch(group: str, calls: list[tuple[int, str]]) -> CollectiveMismatchError:
    """The error for two ranks, in ascending order, that make different calls."""
    (first, one), (second, other) = calls
    return CollectiveMismatchError(
        f"the processes of group '{group}' do not do the same:\n  rank {first}: {one}\n  rank {second}: {other}\n"
        "All ranks of a group have to call the same collectives, on the same types, in the same order",
        speaker=first,
    )
