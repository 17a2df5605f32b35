"""Where arrays live: the arena with a program's intermediate values, stacks of a length only the run knows, and fresh
arrays that start at a cache line."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import from_dlpack

from .watch import Watch

ALIGNMENT = 64  # a cache line, and the widest vector register
LARGE = 1 << 16  # bytes from which it pays to see to the alignment


class ArenaError(MemoryError):
    """The system does not give the bytes of an arena.

    Attributes:
        nbytes: how many they are.
    """

    def __init__(self, nbytes: int) -> None:
        super().__init__(f"an arena of {nbytes} bytes cannot be allocated")
        self.nbytes = nbytes


class Arena:
    """Preallocated bytes, aligned, in which a program's plan places arrays; and the watch of the run that uses them."""

    __slots__ = ("memory", "nbytes", "watch")

    def __init__(self, nbytes: int) -> None:
        self.nbytes = nbytes
        self.watch = Watch()
        try:
            raw = np.empty(nbytes + ALIGNMENT, np.uint8)
        except MemoryError:
            raise ArenaError(nbytes) from None
        start = -raw.ctypes.data % ALIGNMENT
        self.memory = raw[start : start + nbytes]

    def array(self, offset: int, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """The array of this shape and dtype that starts at byte `offset`; arrays at the same bytes share memory."""
        dtype = np.dtype(dtype)
        if not math.prod(shape):
            return np.empty(shape, dtype)
        return np.ndarray(shape, dtype, self.memory.data, offset)


def aligned_empty(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """An array as `np.empty` gives it, but one of 64 kB or more starts at a cache line.

    NumPy's own large arrays start 16 bytes behind one, so that every other vector is in two lines: a pass over such
    an array takes a tenth to a half longer.
    """
    return _aligned(np.empty, shape, dtype)


def aligned_zeros(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Zeros, as `aligned_empty` gives an array."""
    return _aligned(np.zeros, shape, dtype)


def _aligned(make: Callable[..., np.ndarray], shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    dtype = np.dtype(dtype)
    nbytes = math.prod(shape) * dtype.itemsize
    if nbytes < LARGE:
        return make(shape, dtype)
    raw = make(nbytes + ALIGNMENT, np.uint8)
    return np.ndarray(shape, dtype, raw.data, -raw.ctypes.data % ALIGNMENT)


def aligned_copy(array: np.ndarray, dtype: Any = None) -> np.ndarray:
    """A copy in C order, of another dtype if one is given, that starts at a cache line where it is large."""
    if array.nbytes < LARGE:
        return np.array(array, dtype, order="C")
    copy = aligned_empty(array.shape, array.dtype if dtype is None else dtype)
    np.copyto(copy, array, "unsafe")
    return copy


class _Memory:
    """What NumPy asks for an array's memory; the array itself cannot be had from it."""

    __slots__ = ("__array_struct__",)

    def __init__(self, array: np.ndarray) -> None:
        self.__array_struct__ = array.__array_struct__


def shared_view(array: np.ndarray) -> np.ndarray:
    """An array on the same memory for others to have, who cannot get at `array` through it.

    What they set of it, its shape, dtype or flags, changes nothing of `array`, and its `base` is no array: so nobody
    can resize the memory.

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
    """What `shared_view` gives, of any dtype."""
    given = np.asarray(_Memory(array))
    return given if given.dtype == array.dtype else given.view(array.dtype)


class _Borrowed(_Memory):
    """The memory of a user's array, with weak references to the arrays that hold it: NumPy resizes no such array."""

    __slots__ = ("holders",)

    def __init__(self, array: np.ndarray) -> None:
        super().__init__(array)
        holders = []
        holder: Any = array
        while isinstance(holder, np.ndarray):
            holders.append(weakref.ref(holder))
            holder = holder.base
        self.holders = holders


def borrowed_view(array: np.ndarray) -> np.ndarray:
    """An array on the memory of a user's array, which the user cannot resize while the view lives.

    `array.resize(…, refcheck=False)` would free the memory of the view. NumPy refuses it where weak references exist.
    """
    given = np.asarray(_Borrowed(array))
    return given if given.dtype == array.dtype else given.view(array.dtype)


quick_view: Callable[[np.ndarray], np.ndarray] = from_dlpack
"""What `shared_view` gives, in a fifth of the time. Raises BufferError where DLPack does not know the dtype."""
if not from_dlpack(np.zeros(1)).flags.writeable:  # older versions of NumPy give what cannot be written to
    quick_view = memory_view


class Stack:
    """Rows pushed one by one into an array that doubles when it is full.

    Rows that differ in shape, as an inner loop that ran another number of times leaves them for the backward pass,
    make a ragged stack: an array of objects, each a row of its own.
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
    """An array with room for more rows that starts with these."""
    result = np.empty((room, *rows.shape[1:]), rows.dtype)
    result[: len(rows)] = rows
    return result
