"""Kernels on arrays that machine code cannot take as they are, and kernels that threads share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..threads import share
from .executable import Function


def by_copies(kernel: Function, written: int, *arrays: np.ndarray) -> None:
    """Call a kernel with copies of arrays that are not contiguous or not aligned; it writes to the last `written`.

    The same array twice is one copy. Raises ValueError where one is to be written to, but is read-only.
    """
    first = len(arrays) - written
    copies: dict[int, np.ndarray] = {}
    for position, array in enumerate(arrays):
        if position >= first and not array.flags.writeable:
            raise ValueError("output array is read-only")
        if id(array) not in copies:
            copies[id(array)] = np.array(np.require(array, requirements=("C", "A")), copy=None, order="C", subok=False)
    if not kernel(*[copies[id(array)] for array in arrays]):
        raise TypeError("a kernel was called with arrays that it cannot take")
    for array in arrays[first:]:
        copied = copies[id(array)]
        if copied is not array:
            np.copyto(array, copied)


def share_kernel(
    kernel: Function, pieces: Sequence[np.ndarray], threads: int, written: int, *arrays: np.ndarray
) -> None:
    """Call a kernel for each piece, on so many threads; it writes to the last `written` arrays."""

    def work(piece: int, thread: int) -> None:
        if not kernel(pieces[piece], *arrays):
            raise TypeError("a kernel was called with arrays that it cannot take")

    if all(_fits(array) for array in arrays):
        share(work, len(pieces), threads)
        return

    def all_pieces(*copies: np.ndarray) -> bool:
        return not [piece for piece in pieces if not kernel(piece, *copies)]

    by_copies(all_pieces, written, *arrays)


def _fits(array: np.ndarray) -> bool:
    flags = array.flags
    return type(array) is np.ndarray and flags.c_contiguous and flags.aligned
