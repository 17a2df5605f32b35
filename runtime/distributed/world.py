"""All processes of the job, and the groups that the program names: from `init` to `release`."""

from __future__ import annotations

import array
import atexit
import os
import sys
import time
import types
from collections.abc import Mapping, Sequence
from typing import Any

from .. import random
from .board import FAILED, Board
from .communicator import Communicator
from .errors import CommunicationError
from .group import WORLD
from .machines import remove_files

# Each MPI says it in its own words: MPICH and Intel MPI, Open MPI, MVAPICH.
_LAUNCHERS = (
    ("PMI_SIZE", "PMI_RANK"),
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"),
    ("SLURM_STEP_NUM_TASKS", "PMIX_RANK"),
)

# Launchers of MindSpore's own, which do not start MPI.
_OTHERS = ("MS_WORKER_NUM", "RANK_SIZE")


def launched_size(environment: Mapping[str, str] = os.environ) -> int:
    """The number of processes that `mpiexec` started; 1 without it."""
    for size, rank in _LAUNCHERS:
        if environment.get(size, "").isdecimal() and rank in environment:
            return int(environment[size])
    return 1


def wanted_size(environment: Mapping[str, str] = os.environ) -> tuple[int, str]:
    """The number of processes that a launcher other than MPI's asks for, and the variable that says so."""
    for name in _OTHERS:
        if environment.get(name, "").isdecimal():
            return int(environment[name]), name
    return 1, ""


_SPEAKERS_SECONDS = 3.0  # in which the process that speaks for all ends the job
_TURN_SECONDS = 0.3
_END_SECONDS = 1.0  # at most, for the others to end, too
_DELIVERY_SECONDS = 2.0  # at most, for the launcher to read the last words
_PASSING_ON_SECONDS = 0.1  # from one process of the launcher to the next


class World:
    """The processes of the job.

    Attributes:
        groups: this process's groups by their names. Before `init` there is one, of this process alone.
        inited: whether communication has begun.
    """

    def __init__(self) -> None:
        self.groups: dict[str, Communicator] = {WORLD: Communicator(WORLD, (0,), 0)}
        self.inited = False
        self._mpi: Any = None
        self._board: Board | None = None
        self._created = 0

    @property
    def all(self) -> Communicator:
        """The group of all processes."""
        return self.groups[WORLD]

    def init(self, wanted: int | None = None) -> None:
        """Begin to communicate.

        Args:
            wanted: how many processes there should be; None: as many as were launched.

        Raises:
            CommunicationError: if more are asked for than were launched, or mpi4py is missing.
        """
        size = launched_size()
        asked, who = (wanted, "the program") if wanted is not None else wanted_size()
        if size == 1 and asked > 1:
            raise CommunicationError(
                f"{who} asks for {asked} processes, but this one was started alone: start the program with "
                f"`mpirun -n {asked} python SCRIPT.py` or `python -m mycel launch -n {asked} SCRIPT.py`"
            )
        if wanted is not None and wanted != size:
            raise CommunicationError(f"the program asks for {wanted} processes, but mpirun started {size}")
        if self.inited:
            return
        if size > 1 and self._mpi is None:
            self._start(size)
        self.inited = True

    def _start(self, size: int) -> None:
        try:
            from mpi4py import MPI
        except (ImportError, RuntimeError) as error:  # mpi4py raises RuntimeError where it finds no MPI library
            raise CommunicationError(
                f"mpirun started {size} processes, but mpi4py cannot be loaded ({error}): install "
                "`mycel-graph[mpi]`, or `mpi4py` for the MPI of this machine"
            ) from None
        comm = MPI.COMM_WORLD
        if comm.Get_size() != size:
            raise CommunicationError(
                f"mpirun started {size} processes, but the MPI that mpi4py found sees {comm.Get_size()}: the two are "
                "of different MPIs; start the program with `python -m mycel launch`, or install mpi4py for the MPI "
                "of this mpirun"
            )
        self._mpi = MPI
        rank: int = comm.Get_rank()
        self._end_all_by_errors(comm)
        self._board = Board(comm.Dup(), MPI)
        self.groups[WORLD] = Communicator(WORLD, range(size), rank, comm.Dup(), self._board)
        remove_files()  # the group above has waited for all processes
        random.set_rank(rank)
        atexit.register(self._end)  # runs before mpi4py ends MPI

    def _end_all_by_errors(self, comm: Any) -> None:
        """Let an uncaught error of this process end all processes."""
        previous, rank, size = sys.excepthook, comm.Get_rank(), comm.Get_size()

        def abort(kind: type[BaseException], error: BaseException, steps: types.TracebackType | None) -> None:
            """Print an uncaught error and end all processes, because they would wait for this one."""
            speaker = error.speaker if isinstance(error, CommunicationError) else None
            # Where several processes have an error, the first one speaks and ends the others.
            if speaker not in (None, rank):
                time.sleep(_SPEAKERS_SECONDS)
            elif self._board is not None:
                self._board.announce_state(FAILED)
                time.sleep(min(rank, 8) * _TURN_SECONDS)
            if self._board is not None and not self._board.has_the_word():
                time.sleep(_SPEAKERS_SECONDS)
            if not issubclass(kind, KeyboardInterrupt):
                print(f"rank {rank} of {size} ends all:", file=sys.stderr)
            previous(kind, error, steps)
            for stream in (sys.stdout, sys.stderr):
                _deliver(stream)
            comm.Abort(1)

        sys.excepthook = abort

    def _end(self) -> None:
        """At exit: deliver messages, and tell the others that this process has ended."""
        try:
            for group in self.groups.values():
                group.finish()
            if self._board is not None:
                self._board.end(_END_SECONDS)
        except CommunicationError as error:
            sys.excepthook(type(error), error, None)

    def release(self) -> None:
        """End communication; `init` begins it again."""
        for name in [name for name in self.groups if name != WORLD]:
            self.destroy(name)
        self.inited = False

    def group(self, name: str) -> Communicator:
        """A group of this process. ValueError if there is none, or this process is not in it."""
        if name == WORLD and not self.inited and launched_size() > 1:
            raise CommunicationError("communication has not begun: call mycel.communication.init() first")
        found = self.groups.get(name)
        if found is None:
            raise ValueError(
                f"there is no group '{name}' with this process, of rank {self.groups[WORLD].rank}: "
                "mycel.communication.create_group makes one"
            )
        return found

    def create(self, name: str, ranks: Sequence[int]) -> None:
        """A new group. All processes of it have to make it, in the same order; others do nothing."""
        if not isinstance(name, str) or not name.isprintable() or not name:
            raise ValueError(f"the name of a group should be a string that can be printed, but got {name!r}")
        world = self.group(WORLD)
        if not ranks or len(set(ranks)) != len(ranks) or not all(0 <= rank < world.size for rank in ranks):
            raise ValueError(
                f"the ranks of group '{name}' should be different numbers from 0 to {world.size - 1}, but got "
                f"{list(ranks)}"
            )
        if name in self.groups:
            if self.groups[name].ranks == tuple(ranks):
                return
            raise ValueError(f"there is a group '{name}' already, of ranks {list(self.groups[name].ranks)}")
        if world.rank not in ranks:
            return
        comm = None
        if len(ranks) > 1:
            world.agree_on_group(name, ranks)
            everyone = world._comm.Get_group()
            members = everyone.Incl(list(ranks))
            # The tag keeps apart groups that are made at the same time.
            comm = world._comm.Create_group(members, sum(map(ord, name)) % 1024)
            members.Free()
            everyone.Free()
        self.groups[name] = Communicator(name, ranks, list(ranks).index(world.rank), comm, self._board)
        self.groups[name].timeout = world.timeout

    def destroy(self, name: str) -> None:
        """Forget a group. ValueError for the world, or where there is no such group."""
        if name == WORLD:
            raise ValueError("the group of all processes cannot be destroyed")
        found = self.group(name)
        found.finish()
        del self.groups[name]
        found.free()


def _deliver(stream: Any) -> None:
    """Wait until the launcher has read the output. When it ends all processes, it drops output that it has not read."""
    try:
        stream.flush()
        import fcntl  # which Windows has not
        import termios

        waiting, began = array.array("i", [1]), time.monotonic()
        while waiting[0] and time.monotonic() - began < _DELIVERY_SECONDS:
            fcntl.ioctl(stream.fileno(), termios.FIONREAD, waiting)
            time.sleep(_PASSING_ON_SECONDS)
    except (ImportError, OSError, ValueError):  # no pipe, or no way to ask
        time.sleep(_PASSING_ON_SECONDS)


JOB = World()
"""The processes of this job."""
