"""Reductions in memory that the processes of one machine share. MPI gives the memory.

Each process has a ring of bytes that the others read, and three counters. An array goes through the rings in pieces:

1. deposit: a process copies its piece into its ring.
2. reduce: when all have deposited it, each process reduces its share of the piece into its own ring.
3. take: when all shares are there, each process copies them out.

Of a short piece, and of any in a group of two, each process takes the reduction of all deposits itself: one wait less.
Pieces are handled in the order in which they began, which is the same in all processes. So a counter says how many
pieces a process has deposited, reduced or taken, and a place in a ring is free when all have taken what was there.
Numbers are added up in the order of ranks: results are equal to the bit on all processes and in every run.
"""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..records import NamedTuple

Array = np.ndarray

_FOLDER = "/dev/shm"  # where MPI's shared memory is, on Linux; a write beyond its size would end the process
_CAPACITY, _LEAST = 1 << 24, 1 << 20  # bytes of a ring
_PIECE = 1 << 19
_SHORT = 1 << 20  # bytes of all processes' pieces up to which each one reduces them itself
_LINE = 64  # bytes of a cache line
_DEPOSITED, _REDUCED, _TAKEN = range(3)
_UFUNCS = {"sum": np.add, "max": np.maximum, "min": np.minimum, "prod": np.multiply}

_reserved = 0  # bytes of the rings of all groups that this process was ever in


class _Piece(NamedTuple):
    """A piece of an array on its way.

    `number` counts pieces from 1. Its place in the ring is free when all have taken the piece `after`. Without `result`
    this process does not take it. Without `ufunc` all take the deposit of the first process.
    """

    number: int
    source: Array
    result: Array | None
    ufunc: np.ufunc | None
    rings: list[Array]
    shares: list[slice]
    after: int


class SharedMemory:
    """The rings and counters of a group.

    Args:
        window: MPI's window of shared memory.
        parts: the memory of each process, in the order of ranks.
        rank: of this process.
    """

    def __init__(self, window: Any, parts: list[Array], rank: int) -> None:
        self.rank, self.size = rank, len(parts)
        self._window = window
        self._counters = [part[:_LINE].view(np.int64).data for part in parts]
        self._own = self._counters[rank]
        self._rings = [part[_LINE:] for part in parts]
        self._capacity = self._rings[0].size
        self._head = 0  # of all bytes that were ever given out
        self._places: deque[tuple[int, int]] = deque()  # where pieces begin, and their numbers
        self._begun = 0
        self._waiting: tuple[deque[_Piece], ...] = (deque(), deque(), deque())  # for each of the three steps

    def start(self, source: Array, result: Array, by: str) -> SharedReduction:
        """Begin the reduction of an array into another one, or in place. Both are in C order."""
        last = self.begin(source, result, by)
        self.advance()
        return SharedReduction(self, last)

    def begin(self, source: Array, result: Array | None, by: str = "") -> int:
        """As `start`: begin all pieces of an array, and return the number of the last one.

        Without `result` the others take the reduction. Without `by` all take what the first process has.
        """
        flat = source.reshape(-1)
        target = flat[:0] if result is None else result.reshape(-1)
        step = _PIECE // flat.itemsize
        for at in range(0, flat.size, step):
            piece = slice(at, at + step)
            self._add(flat[piece], None if result is None else target[piece], _UFUNCS.get(by))
        return self._begun

    def _add(self, source: Array, result: Array | None, ufunc: np.ufunc | None) -> None:
        size = -(-source.nbytes // _LINE) * _LINE
        left = self._capacity - self._head % self._capacity
        if size > left:
            self._head += left
        place = self._head % self._capacity
        self._head += size
        after = 0
        while self._places and self._places[0][0] < self._head - self._capacity:
            after = self._places.popleft()[1]
        self._begun += 1
        self._places.append((self._head - size, self._begun))
        rings = [ring[place : place + source.nbytes].view(source.dtype) for ring in self._rings]
        shares = []
        if ufunc is not None and self.size > 2 and source.nbytes * self.size > _SHORT:
            bounds = [source.size * rank // self.size for rank in range(self.size + 1)]
            shares = [slice(*pair) for pair in itertools.pairwise(bounds)]
        piece = _Piece(self._begun, source, result, ufunc, rings, shares, after)
        for pieces in self._waiting:
            pieces.append(piece)

    def taken(self, number: int) -> bool:
        """Whether this process has taken a piece."""
        return self._own[_TAKEN] >= number

    def advance(self) -> bool:
        """Do what can be done without waiting, in each of the three steps. Returns whether there was anything."""
        deposits, reductions, takes = self._waiting
        done = False
        while deposits and self._all(_TAKEN, deposits[0].after):
            piece = deposits.popleft()
            if piece.ufunc is not None or self.rank == 0:
                np.copyto(piece.rings[self.rank], piece.source)
            done = self._count(_DEPOSITED, piece)
        while reductions and (not reductions[0].shares or self._all(_DEPOSITED, reductions[0].number)):
            piece = reductions.popleft()
            if piece.shares:
                share = piece.shares[self.rank]
                self._reduce(piece, share, piece.rings[self.rank][share])
            done = self._count(_REDUCED, piece)
        while takes and self._is_ready(takes[0]):
            piece = takes.popleft()
            if piece.result is not None:
                self._take(piece, piece.result)
            done = self._count(_TAKEN, piece)
        return done

    def _is_ready(self, piece: _Piece) -> bool:
        """Whether this process can take a piece."""
        if piece.ufunc is None:
            return self._all(_DEPOSITED, piece.number, self._counters[:1])
        return self._all(_REDUCED if piece.shares else _DEPOSITED, piece.number)

    def _take(self, piece: _Piece, result: Array) -> None:
        if piece.ufunc is None:
            np.copyto(result, piece.rings[0])
        elif not piece.shares:
            self._reduce(piece, slice(None), result)
        for share, ring in zip(piece.shares, piece.rings, strict=False):
            np.copyto(result[share], ring[share])

    def _reduce(self, piece: _Piece, share: slice, out: Array) -> None:
        """Reduce a share of all deposits, in the order of ranks. `out` may be this process's deposit."""
        total, *others = (ring[share] for ring in piece.rings)
        if not others:
            np.copyto(out, total)
        first = np.empty_like(out) if self.rank > 1 and piece.shares else out  # until this process's deposit is read
        for rank, other in enumerate(others, 1):
            target = out if rank >= self.rank else first
            assert piece.ufunc is not None
            piece.ufunc(total, other, out=target)
            total = target

    def _all(self, step: int, number: int, among: Sequence[memoryview] | None = None) -> bool:
        """Whether all processes, or those of some counters, have done a step of a piece."""
        for counters in among or self._counters:
            if counters[step] < number:
                return False
        self._window.Sync()  # what they wrote before they counted is seen
        return True

    def _count(self, step: int, piece: _Piece) -> bool:
        self._window.Sync()  # what was written is seen before the counter
        self._own[step] = piece.number
        return True


class SharedReduction:
    """A reduction on its way, with the method of MPI's requests."""

    def __init__(self, memory: SharedMemory, last: int) -> None:
        self._memory, self._last = memory, last

    def Test(self, status: Any = None) -> bool:
        """Go on, and return whether it is complete."""
        memory = self._memory
        if memory.taken(self._last):
            return True
        memory.advance()
        return memory.taken(self._last)


def share_memory(near: Any, mpi: Any, capacity: int) -> SharedMemory:
    """Memory that processes share. All of them have to call this.

    It stays until MPI ends: to free it they would have to wait for each other.

    Args:
        near: a communicator of mpi4py, of processes of one machine.
        mpi: the module `mpi4py.MPI`.
        capacity: the bytes of this process's ring.
    """
    global _reserved
    rank = near.Get_rank()
    window = mpi.Win.Allocate_shared(_LINE + capacity, 1, mpi.INFO_NULL, near)
    window.Lock_all(mpi.MODE_NOCHECK)
    parts = [np.frombuffer(window.Shared_query(each)[0], np.uint8) for each in range(near.Get_size())]
    parts[rank][:_LINE] = 0
    window.Sync()
    near.Barrier()
    _reserved += sum(part.size for part in parts)
    return SharedMemory(window, parts, rank)


def ring_bytes(size: int) -> int:
    """How large the rings of so many processes of this machine may be; 0 if there is not enough memory for them."""
    free = _free_bytes() // size
    return 0 if free < _LEAST else min(_CAPACITY, free) // _LINE * _LINE


def _free_bytes() -> int:
    """The bytes of shared memory that rings may still take, on this machine."""
    if not hasattr(os, "statvfs"):
        return 0
    try:
        found = os.statvfs(_FOLDER)
    except OSError:  # another system: how much there is cannot be told
        return 0
    return max(0, found.f_bavail * found.f_frsize // 2 - _reserved)
