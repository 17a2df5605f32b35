"""The number of threads of NumPy's BLAS. It can be read and set in OpenBLAS, which NumPy's wheels contain."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable

import numpy  # noqa: F401  its module in C is looked up below

# OpenBLAS under the names that NumPy's wheels, conda and distributions give it.
NAMES = (
    "scipy_openblas_{}_num_threads64_",
    "scipy_openblas_{}_num_threads",
    "openblas_{}_num_threads64_",
    "openblas_{}_num_threads",
)


def _find() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """The functions of the BLAS that get and set its number of threads."""
    linked = sys.modules.get("numpy._core._multiarray_umath") or sys.modules.get("numpy.core._multiarray_umath")
    try:
        # A library gives access to the libraries that it is linked with. These calls are too short to release the lock.
        library = ctypes.PyDLL(getattr(linked, "__file__", None))
    except OSError:
        return None
    for name in NAMES:
        tell, set_to = (getattr(library, name.format(verb), None) for verb in ("get", "set"))
        if tell is not None and set_to is not None:
            tell.argtypes, tell.restype = (), ctypes.c_int
            set_to.argtypes, set_to.restype = (ctypes.c_int,), None
            return tell, set_to
    return None


_functions = _find()


def threads() -> int:
    """The number of threads of the BLAS; 0 if it is unknown."""
    return 0 if _functions is None else _functions[0]()


def use_threads(count: int) -> None:
    """Set the number of threads of the BLAS, for the whole process. Without effect if the BLAS has no such function."""
    if _functions is not None:
        _functions[1](count)
