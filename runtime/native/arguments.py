"""The arguments of kernels: arrays with exactly the type, dtype, shape and flags that the text declares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .language import READ, SIZES, Array, Kernel, format_type, parse
from .places import wrong_position

BUILTIN = {name: np.dtype(name) for name in SIZES}
"""The dtype objects that kernels know. An unpickled dtype is equal to one of these, but another object."""


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
            return TypeError(f"{name} is to be {format_type(wanted.dtype, wanted.shape)}, but is {found}")
    outside = wrong_position(kernel, arrays)
    return outside or TypeError("the arrays of a kernel changed while it was called")
