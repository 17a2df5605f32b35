"""Small arrays next to one another in memory, so that one call reads or writes them all."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from operator import is_
from typing import Any

import numpy as np

from .arena import aligned_empty

Array = np.ndarray[Any, Any]

SMALL = 1 << 15  # bytes up to which a call of NumPy takes about as long as its computation


def adjoin(arrays: Sequence[Array]) -> list[Array]:
    """The arrays; small ones are copied into one vector of their dtype, one after another."""
    result = list(arrays)
    by_dtype: dict[np.dtype[Any], list[int]] = {}
    for position, array in enumerate(arrays):
        if 0 < array.nbytes <= SMALL:
            by_dtype.setdefault(array.dtype, []).append(position)
    for positions in by_dtype.values():
        small = [arrays[position] for position in positions]
        if len(small) > 1 and adjacent(small) is None:
            parts = unpack(pack(*small), shapes=tuple(array.shape for array in small))
            for position, part in zip(positions, parts, strict=True):
                result[position] = part
    return result


def adjacent(arrays: Sequence[Array]) -> Array | None:
    """The vector that consists of these arrays, one after another; None if they are not adjacent."""
    base = arrays[0].base
    if type(base) is not np.ndarray or base.ndim != 1 or not base.flags.c_contiguous or base.dtype != arrays[0].dtype:
        return None
    end = start = _address(arrays[0])
    for array in arrays:
        if array.base is not base or not array.flags.c_contiguous or _address(array) != end:
            return None
        end += array.nbytes
    first = (start - _address(base)) // base.itemsize
    return base[first : first + (end - start) // base.itemsize]


def _address(array: Array) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def pack(*parts: Array, out: Array | None = None) -> Array:
    """A vector with the elements of all parts, in C order, one part after the other."""
    return np.concatenate([part.reshape(-1) for part in parts], out=out)


def unpack(flat: Array, *, shapes: Sequence[tuple[int, ...]]) -> tuple[Array, ...]:
    """The parts of a vector, as views of these shapes."""
    result = []
    start = 0
    for shape in shapes:
        stop = start + math.prod(shape)
        result.append(flat[start:stop].reshape(shape))
        start = stop
    return tuple(result)


class Packed:
    """Arrays that are updated as one vector: their own memory if they are adjacent, else a copy.

    The check takes a microsecond for each array, so it is done once for the same arrays. Those of an optimizer are
    adjacent, so a copy is allocated only where it is needed.
    """

    __slots__ = ("_arrays", "_flat", "_shapes")

    def __init__(self, shapes: Sequence[tuple[int, ...]]) -> None:
        self._shapes = shapes
        self._arrays: tuple[Array, ...] = ()
        self._flat: Array | None = None

    def load(self, *arrays: Array) -> Array:
        """The arrays as a writable vector."""
        if len(arrays) != len(self._arrays) or not all(map(is_, arrays, self._arrays)):
            self._arrays, self._flat = arrays, adjacent(arrays)
        if self._flat is not None:
            return self._flat
        copy = aligned_empty((sum(array.size for array in arrays),), arrays[0].dtype)
        return pack(*arrays, out=copy)

    def moves(self, flat: Array) -> tuple[tuple[Any, ...], ...]:
        """The calls that copy the vector to the arrays that were loaded; none if the vector is their own memory."""
        if flat is self._flat:
            return ()
        parts = unpack(flat, shapes=self._shapes)
        return tuple([(set_numbers, array, ..., part) for part, array in zip(parts, self._arrays, strict=True)])


set_numbers = operator.setitem
"""`set_numbers(target, ..., numbers)` does what NumPy's `copyto` does, which is no function of C alone."""
