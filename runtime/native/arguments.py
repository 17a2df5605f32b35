"""The arguments of kernels: arrays with exactly the type, dtype, shape and flags that the text declares; and calls on
arrays that machine code cannot take directly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..machine.executable import Function
from .language import PAIRS, READ, SIZES, Array, Kernel, format_type, parse
from .places import wrong_position

BUILTIN = {name: np.dtype(name) for name in (*SIZES, *PAIRS)}
"""The dtype objects that kernels know. An unpickled dtype is equal to one of these, but another object."""


def difference(array: object, declared: Array) -> str | None:
    """The property in which an argument differs from its declaration; None if there is none."""
    if type(array) is not np.ndarray:
        return f"of type {type(array).__name__}"
    dtype, (wanted, shape) = array.dtype, declared.argument
    if dtype is not BUILTIN[wanted] or array.shape != shape:
        return format_type(str(dtype), array.shape)
    flags = array.flags
    if not flags.c_contiguous:
        return "not contiguous"
    if not flags.aligned:
        return "not aligned"
    return "read-only" if declared.role not in READ and not flags.writeable else None


def fit(arrays: Sequence[object], kernel: Kernel) -> bool:
    """Whether a kernel takes these arrays."""
    if len(arrays) != len(kernel.arrays):
        return False
    alike = all(difference(array, declared) is None for array, declared in zip(arrays, kernel.arrays, strict=True))
    return alike and wrong_position(kernel, arrays) is None


def refusal(text: str | None, arrays: Sequence[object]) -> Exception:
    """The error that says why a kernel does not take these arrays."""
    kernel = parse(text or "")
    declared = kernel.arrays
    if len(arrays) != len(declared):
        return TypeError(f"a kernel takes {len(declared)} arrays, but was given {len(arrays)}")
    for number, (array, wanted) in enumerate(zip(arrays, declared, strict=True)):
        found = difference(array, wanted)
        if found is not None:
            name = f"array {number} of a kernel, {wanted.name},"
            return TypeError(f"{name} is to be {format_type(*wanted.argument)}, but is {found}")
    outside = wrong_position(kernel, arrays)
    return outside or TypeError("the arrays of a kernel changed while it was called")


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
