"""The arguments of kernels: arrays with exactly the type, dtype, shape and flags that the text declares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .language import READ, SIZES, Array, Kernel, format_type, parse

BUILTIN = {name: np.dtype(name) for name in SIZES}
"""The dtype objects that kernels know; others may be equal, as those that were unpickled are."""


def difference(array: object, declared: Array) -> str | None:
    """The property in which an argument differs from its declaration; None if there is none."""
    if type(array) is not np.ndarray:
        return f"of type {type(array).__name__}"
    dtype = array.dtype
    if dtype is not BUILTIN[declared.dtype] or array.shape != declared.shape:
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
    return all(difference(array, declared) is None for array, declared in zip(arrays, kernel.arrays, strict=True))


def refusal(text: str | None, arrays: Sequence[object]) -> TypeError:
    """The error that says why a kernel does not take these arrays."""
    declared = parse(text or "").arrays
    if len(arrays) != len(declared):
        return TypeError(f"a kernel takes {len(declared)} arrays, but was given {len(arrays)}")
    for number, (array, wanted) in enumerate(zip(arrays, declared, strict=True)):
        found = difference(array, wanted)
        if found is not None:
            name = f"array {number} of a kernel, {wanted.name},"
            return TypeError(f"{name} is to be {format_type(wanted.dtype, wanted.shape)}, but is {found}")
    return TypeError("the arrays of a kernel changed while it was called")
