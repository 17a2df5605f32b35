"""Calls of kernels on arrays that machine code cannot take directly."""

from __future__ import annotations

import numpy as np

from ..machine.executable import Function
from .arguments import BUILTIN, refusal

_BUILTIN = frozenset(map(id, BUILTIN.values()))


def by_copies(kernel: Function, written: int, *arrays: np.ndarray) -> None:
    """Call a kernel with copies of the arrays that are not contiguous or not aligned. It writes to the last `written`.

    An array that is passed twice is copied once. ValueError if an array to be written to is read-only, TypeError if one
    has another dtype or shape than the kernel takes; then nothing is written.
    """
    first = len(arrays) - written
    copies: dict[int, np.ndarray] = {}
    for position, array in enumerate(arrays):
        if position >= first and not array.flags.writeable:
            raise ValueError("output array is read-only")
        if id(array) not in copies:
            copies[id(array)] = _plain(array)
    given = [copies[id(array)] for array in arrays]
    if not kernel(*given):
        raise refusal(kernel.__doc__, given)
    for array, copied in zip(arrays[first:], given[first:], strict=True):
        if copied is not array:
            np.copyto(array, copied)


def _plain(array: np.ndarray) -> np.ndarray:
    """The array, or a contiguous and aligned view or copy of it, with NumPy's own dtype object."""
    plain = np.array(np.require(array, requirements=("C", "A")), copy=None, order="C", subok=False)
    if id(plain.dtype) in _BUILTIN:
        return plain
    builtin = BUILTIN.get(plain.dtype.name)
    if builtin is None:
        return plain
    return plain.view(builtin) if plain.dtype == builtin else plain.astype(builtin)  # which turns bytes around


def is_plain(array: np.ndarray) -> bool:
    """Whether kernels take the array without a copy."""
    flags = array.flags
    return type(array) is np.ndarray and flags.c_contiguous and flags.aligned and id(array.dtype) in _BUILTIN
