"""Memory of arrays: the arena for a program's intermediate values, growing stacks, and fresh arrays that start at a
cache line."""

from __future__ import annotations

import math
import mmap
import weakref
from _tracemalloc import is_tracing
from collections.abc import Callable
from contextlib import suppress
from ctypes import addressof, c_char
from itertools import count
from sys import getrefcount
from typing import Any

import numpy as np
from numpy import from_dlpack

from .shown import standard
from .watch import Watch

ALIGNMENT = 64  # a cache line, and the widest vector register
LARGE = 1 << 16  # bytes from which results of a step start at a cache line
HUGE = 1 << 21  # bytes of a huge page
_shifts = count(0, 17 * ALIGNMENT)  # arrays at one place of their pages would be at one place of the first cache
KEPT = 1 << 12  # bytes from which arrays that many steps read, such as parameters, do so


@standard
class ArenaError(MemoryError):
    """The system refuses the memory of an arena.

    Attributes:
        nbytes: how many they are.
    """

    def __init__(self, nbytes: int) -> None:
        super().__init__(f"an arena of {nbytes} bytes cannot be allocated")
        self.nbytes = nbytes


class Arena:
    """Preallocated, aligned bytes, in which a program's plan gives each array an offset. It holds the watch of the run
    that uses it."""

    __slots__ = ("memory", "nbytes", "watch")

    def __init__(self, nbytes: int, memory: np.ndarray | None = None) -> None:
        self.nbytes = nbytes
        self.watch = Watch()
        if memory is not None:
            self.memory = memory[:nbytes]
            return
        try:
            raw, data = _at_line(np.empty, nbytes)
        except MemoryError:
            raise ArenaError(nbytes) from None
        start = len(raw) - len(data)
        self.memory = raw[start : start + nbytes]

    def array(self, offset: int, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """The array of this shape and dtype that starts at byte `offset`; arrays at the same bytes share memory."""
        dtype = np.dtype(dtype)
        if not math.prod(shape):
            return np.empty(shape, dtype)
        return np.ndarray(shape, dtype, self.memory.data, offset)

    def arrays(self, offsets: str, shape: tuple[int, ...], dtype: Any) -> list[np.ndarray]:
        """Several arrays of one shape and dtype, as `array` makes them; equal offsets have one array. The offsets are
        words of a text, because CPython takes longer to compile a number than to read one here."""
        words, make, data = offsets.split(), np.ndarray, self.memory.data
        if not math.prod(shape):
            return [np.empty(shape, dtype) for _ in words]
        made = {word: make(shape, dtype, data, int(word)) for word in {*words}}
        return [made[word] for word in words]


def aligned_empty(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """An uninitialised array, as `np.empty` gives it. An array of 4 kB or more starts at a cache line.

    NumPy's own arrays start at some multiple of 16 bytes, large ones 16 bytes behind a cache line, so every other
    vector crosses one. A pass over such an array takes 10 to 50 % longer. Large
    arrays get memory that earlier ones have left, if there is some.
    """
    dtype = np.dtype(dtype)
    nbytes = math.prod(shape) * dtype.itemsize
    return np.ndarray(shape, dtype, recycled.empty(nbytes)[1]) if nbytes >= KEPT else np.empty(shape, dtype)


Bytes = tuple[np.ndarray, memoryview]
"""An array of bytes, and those from its first cache line on. A view of an array is made in a third of the time."""


def _to(size: int, raw: Any) -> int:
    """The bytes before the first multiple of a size. An array takes ten times as long to tell its address."""
    return -addressof(c_char.from_buffer(raw)) % size


def _in_huge_pages(nbytes: int) -> Bytes:
    """Zeros from the system. To clear a huge page at its first use takes a tenth of the time of its 512 small ones.

    Where the last one would be empty by more than a quarter, small ones take its place. Raises OSError if the system
    refuses.
    """
    memory = mmap.mmap(-1, nbytes + 2 * HUGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    first = _to(HUGE, memory)
    memory.madvise(mmap.MADV_HUGEPAGE, first, (nbytes + HUGE // 4) // HUGE * HUGE)
    raw = np.frombuffer(memory, np.uint8)
    return raw, raw.data[first + next(_shifts) % (1 << 12) :]


def _at_line(make: Callable[..., np.ndarray], nbytes: int) -> Bytes:
    """New memory; NumPy's where it is small, and while `tracemalloc` runs, which sees no other."""
    if nbytes >= HUGE * 3 // 4 and hasattr(mmap, "MADV_HUGEPAGE") and not is_tracing():
        with suppress(OSError):
            return _in_huge_pages(nbytes)
    raw = make(nbytes + ALIGNMENT, np.uint8)
    data = raw.data
    return raw, data[_to(ALIGNMENT, data) :]


class Recycled:
    """Memory of large arrays, for others of the same size once nobody holds the first ones any more.

    The system takes memory of this size back at once, and gives each page anew and cleared: that takes longer than to
    compute the numbers in it. An array is free as soon as only this object refers to it.

    Args:
        limit: the bytes that are kept at most, of arrays in use and of others.
    """

    MOST = 8  # arrays of one size

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.sizes: dict[int, list[Bytes]] = {}  # by size in bytes, the least recently used first
        arrays, position = [_at_line(np.empty, 0)], 0
        self.alone = getrefcount(arrays[position][0])

    def empty(self, nbytes: int) -> Bytes:
        """Uninitialised bytes: a whole array that nobody else has."""
        if not LARGE <= nbytes <= self.limit // 2:
            return _at_line(np.empty, nbytes)
        arrays = self.sizes.pop(nbytes, None) or []  # no other thread sees these now
        for position in range(len(arrays) - 1, -1, -1):  # the last one used may be in the cache
            if getrefcount(arrays[position][0]) == self.alone:
                array = arrays.pop(position)
                break
        else:
            array = _at_line(np.empty, nbytes)
            del arrays[: max(0, len(arrays) - self.MOST + 1)]
            others = sum(size * len(kept) for size, kept in list(self.sizes.items()))
            for size in list(self.sizes):  # another thread may take some meanwhile
                if others + nbytes * (len(arrays) + 1) <= self.limit:
                    break
                others -= size * len(self.sizes.pop(size, ()))
        arrays.append(array)
        self.sizes[nbytes] = arrays
        return array

    def clear(self) -> None:
        """Give back all memory that is not in use."""
        self.sizes.clear()


recycled = Recycled(1 << 28)


def aligned_zeros(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """An array of zeros, aligned as by `aligned_empty`."""
    dtype = np.dtype(dtype)
    nbytes = math.prod(shape) * dtype.itemsize
    return np.ndarray(shape, dtype, _at_line(np.zeros, nbytes)[1]) if nbytes >= KEPT else np.zeros(shape, dtype)


def aligned_copy(array: np.ndarray, dtype: Any = None) -> np.ndarray:
    """A copy in C order, in another dtype if one is given. It is aligned as by `aligned_empty`."""
    if array.nbytes < KEPT:
        return np.array(array, dtype, order="C")
    copy = aligned_empty(array.shape, array.dtype if dtype is None else dtype)
    copy[...] = array
    return copy


class _Memory:
    """The array interface of an array, without a way to reach the array itself."""

    __slots__ = ("__array_struct__",)

    def __init__(self, array: np.ndarray) -> None:
        self.__array_struct__ = array.__array_struct__


def shared_view(array: np.ndarray) -> np.ndarray:
    """A view that shares an array's memory, but gives no access to the array itself.

    Changes of the view's shape, dtype or flags leave `array` alone. The `base` of the view is no array, so nobody can
    resize the memory.

    Example:
        >>> import numpy as np
        >>> from mycel.runtime.arena import shared_view
        >>> own = np.zeros(4)
        >>> given = shared_view(own)
        >>> given.shape = (2, 2)
        >>> given[0, 1] = 5
        >>> own
        array([0., 5., 0., 0.])
    """
    try:
        return quick_view(array)
    except BufferError:
        return memory_view(array)


def memory_view(array: np.ndarray) -> np.ndarray:
    """A view as by `shared_view`, for any dtype."""
    given = np.asarray(_Memory(array))
    return given if given.dtype == array.dtype else given.view(array.dtype)


class _Borrowed(_Memory):
    """The memory of a user's array. It holds weak references to the owning arrays, because NumPy does not resize an
    array that has weak references."""

    __slots__ = ("holders",)

    def __init__(self, array: np.ndarray) -> None:
        super().__init__(array)
        holders = []
        holder: Any = array
        while isinstance(holder, (np.ndarray, memoryview)):
            holders.append(weakref.ref(holder))
            holder = holder.base if isinstance(holder, np.ndarray) else holder.obj
        self.holders = holders


def borrowed_view(array: np.ndarray) -> np.ndarray:
    """A view of a user's array, which the user cannot resize while the view lives.

    `array.resize(…, refcheck=False)` would free the memory of the view. NumPy refuses to resize an array that has weak
    references.
    """
    given = np.asarray(_Borrowed(array))
    return given if given.dtype == array.dtype else given.view(array.dtype)


quick_view: Callable[[np.ndarray], np.ndarray] = from_dlpack
"""The same as `shared_view`, in a fifth of the time. Raises BufferError for a dtype that DLPack does not know."""
if not from_dlpack(np.zeros(1)).flags.writeable:  # older versions of NumPy give a read-only array
    quick_view = memory_view


class Stack:
    """A growing array: rows are pushed one by one, and the array doubles when it is full.

    Rows may differ in shape: a backward pass gets such rows from an inner loop whose number of iterations varies. Then
    the stack is ragged: an array of objects, one array for each row.
    """

    __slots__ = ("count", "dtype", "ragged", "rows", "shape")

    def __init__(self, shape: tuple[int | None, ...], dtype: Any) -> None:
        self.count = 0
        self.dtype = np.dtype(dtype)
        self.shape = shape
        self.rows: np.ndarray | None = None
        self.ragged = False

    def push(self, row: np.ndarray) -> None:
        """Append a copy of `row`."""
        rows = self.rows
        if rows is None:
            self.ragged = row.dtype == object  # itself a ragged stack
            rows = self.rows = np.empty(8, object) if self.ragged else np.empty((8, *row.shape), self.dtype)
        elif self.count == len(rows):
            full = rows
            rows = self.rows = np.empty((2 * len(full), *full.shape[1:]), full.dtype)
            rows[: self.count] = full
        if not self.ragged and (row.shape != rows.shape[1:] or row.dtype == object):
            self.ragged = True
            alike = rows
            rows = self.rows = np.empty(len(alike), object)
            for position in range(self.count):
                rows[position] = alike[position].copy()
        rows[self.count] = row.copy() if self.ragged else row
        self.count += 1

    def finish(self, reverse: bool = False) -> np.ndarray:
        """The rows as one array, in the opposite order with `reverse`."""
        if self.rows is None:
            return np.zeros((0, *[size or 0 for size in self.shape]), self.dtype)
        rows = self.rows[: self.count]
        return rows[::-1] if reverse else rows


def grown(rows: np.ndarray, room: int) -> np.ndarray:
    """A larger array that starts with the rows of this one."""
    result = np.empty((room, *rows.shape[1:]), rows.dtype)
    result[: len(rows)] = rows
    return result
