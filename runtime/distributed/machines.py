"""Reductions in two levels: in the memory of each machine, then by messages, of which each machine sends one.

The first process of each machine leads it. An array goes through three steps:

1. up: the processes of a machine reduce their arrays in shared memory. The leader takes the result.
2. between: the leaders reduce their results by MPI.
3. down: each leader puts the result into shared memory, and the other processes take it.

Long arrays go in parts, so that the three steps of different parts run at the same time. Parts go through each step in
the order in which they began, which is the same in all processes.
"""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from typing import Any

import numpy as np

from .shared import SharedMemory, ring_bytes, share_memory

Array = np.ndarray

SHARED_VARIABLE = "MYCEL_COMMUNICATION_SHARED"

_PART = 1 << 22  # bytes of a message: so many that its latency hardly matters
_FILES = "/dev/shm/mpich_shm_"


class _Part:
    """A part of an array on its way. `last` is the number of its last piece in the memory where it is."""

    def __init__(self, array: Array, by: str, last: int) -> None:
        self.array, self.by, self.last = array, by, last
        self.request: Any = None


class Machines:
    """Reductions of a group on several machines.

    Args:
        up, down: the memory of this machine for the first step and for the last one.
        leaders: a communicator of mpi4py of the leaders; None if this process is none.
        mpi: the module `mpi4py.MPI`.
    """

    def __init__(self, up: SharedMemory, down: SharedMemory, leaders: Any, mpi: Any) -> None:
        self._up, self._down, self._leaders, self._mpi = up, down, leaders, mpi
        self._waiting: tuple[deque[_Part], ...] = (deque(), deque(), deque())  # for the end of each step
        self._begun = self.completed = 0  # parts

    def start(self, source: Array, result: Array, by: str) -> MachinesReduction:
        """Begin the reduction of an array into another one, or in place. Both are in C order."""
        flat, target = source.reshape(-1), result.reshape(-1)
        step = _PART // flat.itemsize
        for at in range(0, flat.size, step):
            part = target[at : at + step]
            last = self._up.begin(flat[at : at + step], None if self._leaders is None else part, by)
            self._waiting[0].append(_Part(part, by, last))
            self._begun += 1
        self.advance()
        return MachinesReduction(self, self._begun)

    def advance(self) -> None:
        """Do what can be done without waiting, in each of the three steps."""
        rising, between, falling = self._waiting
        self._up.advance()
        while rising and self._up.taken(rising[0].last):
            part = rising.popleft()
            if self._leaders is not None:
                operation = getattr(self._mpi, part.by.upper())
                part.request = self._leaders.Iallreduce(self._mpi.IN_PLACE, part.array, operation)
            between.append(part)
        while between and (between[0].request is None or between[0].request.Test()):
            part = between.popleft()
            part.last = self._down.begin(part.array, part.array if self._leaders is None else None)
            falling.append(part)
        self._down.advance()
        while falling and self._down.taken(falling[0].last):
            falling.popleft()
            self.completed += 1

    def free(self) -> None:
        """Free the communicator of the leaders."""
        if self._leaders is not None:
            self._leaders.Free()


class MachinesReduction:
    """A reduction on its way, with the method of MPI's requests."""

    def __init__(self, machines: Machines, last: int) -> None:
        self._machines, self._last = machines, last

    def Test(self, status: Any = None) -> bool:
        """Go on, and return whether it is complete."""
        if self._machines.completed < self._last:
            self._machines.advance()
        return self._machines.completed >= self._last


def join_machines(comm: Any, mpi: Any) -> SharedMemory | Machines | None:
    """The means of a group to reduce; None if MPI is to do it. All processes of the group have to call this.

    None where each process is on a machine of its own, or where there is not enough shared memory.

    Args:
        comm: a communicator of mpi4py.
        mpi: the module `mpi4py.MPI`.
    """
    most = _most_processes()
    machine = comm.Split_type(mpi.COMM_TYPE_SHARED, comm.Get_rank())
    near = machine.Split(0 if most is None else machine.Get_rank() // most, machine.Get_rank())
    try:
        size = near.Get_size()
        own = np.array([ring_bytes(machine.Get_size()), -size])
        least = np.empty_like(own)
        comm.Allreduce(own, least, mpi.MIN)  # all decide alike
        capacity, largest = int(least[0]), -int(least[1])
        if not capacity or largest == 1:
            return None
        if size == comm.Get_size():
            return share_memory(near, mpi, capacity)
        leads = near.Get_rank() == 0
        leaders = comm.Split(0 if leads else mpi.UNDEFINED, comm.Get_rank())
        down = share_memory(near, mpi, capacity if leads else 0)
        return Machines(share_memory(near, mpi, capacity), down, leaders if leads else None, mpi)
    finally:
        near.Free()
        machine.Free()


def _most_processes() -> int | None:
    """How many processes of a machine may share memory: from the environment; None: all. ValueError for no number."""
    text = os.environ.get(SHARED_VARIABLE, "").strip()
    if not text:
        return None
    if not text.isdecimal():
        raise ValueError(f"{SHARED_VARIABLE} should be the number of processes that share memory, but is {text!r}")
    return max(1, int(text))


def remove_files() -> None:
    """Remove the names of files of MPICH that all processes of this machine have opened.

    MPICH does so when it ends. After a kill nobody would.
    """
    with suppress(OSError), open("/proc/self/maps", encoding="utf-8") as maps:
        for path in {line.split(maxsplit=5)[-1].strip() for line in maps if _FILES in line}:
            if path.startswith(_FILES) and not path.endswith("(deleted)"):
                with suppress(OSError):  # another process was first
                    os.unlink(path)
