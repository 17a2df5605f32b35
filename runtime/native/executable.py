"""Memory that holds machine code, and Python functions that run it."""

from __future__ import annotations

import ctypes
import mmap
import os
import platform
import sys
import sysconfig
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

SWITCH = "MYCEL_NATIVE"
"""An environment variable; with "off" no machine code is made."""

# Where an array object has its data, and its flags; `_layout_is_known` checks them before anything relies on it.
TYPE, DATA, FLAGS = 8, 16, 64
C_CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400

METH_FASTCALL = 0x80

Function = Callable[..., bool]


@cache
def unavailable() -> str | None:
    """Why this process makes no machine code; None where it does.

    It needs CPython with its lock, on Linux, on a 64-bit x86 processor with AVX2 and FMA (all since about 2015), and a
    system that lets a process make code.
    """
    if os.environ.get(SWITCH, "").lower() in ("off", "0", "false", "no"):
        return f"{SWITCH} is off"
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return "it needs CPython with its global lock"
    if not sys.platform.startswith("linux") or platform.machine() != "x86_64" or sys.maxsize < 1 << 32:
        return f"it is written for Linux on x86-64, not for {sys.platform} on {platform.machine()}"
    if not _has_vectors():
        return "the processor has no AVX2 or no FMA"
    if not _layout_is_known():
        return "arrays of this NumPy are laid out in another way"
    try:
        _Code(b"\xc3")
    except OSError as error:
        return f"the system does not let this process make code ({error})"
    return None


def _has_vectors() -> bool:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            flags = next((line.split() for line in file if line.startswith("flags")), [])
    except OSError:
        return False
    return "avx2" in flags and "fma" in flags


def _layout_is_known() -> bool:
    """Whether the data and flags of arrays are where the machine code looks for them."""
    for array in (np.zeros((3, 4), np.float32), np.zeros((), np.float64), np.zeros((4, 6), np.int32)[::2, ::3]):
        here = id(array)
        data = ctypes.c_void_p.from_address(here + DATA).value
        kind = ctypes.c_void_p.from_address(here + TYPE).value
        flags = ctypes.c_int.from_address(here + FLAGS).value
        known = array.__array_interface__["data"][0], id(np.ndarray), array.flags.num
        if (data, kind, flags & 0x501) != (known[0], known[1], known[2] & 0x501):
            return False
    return True


class _Method(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Code:
    """Machine code in memory of its own, which can be run and no longer written to."""

    __slots__ = ("__weakref__", "_memory", "_view", "address", "method")

    def __init__(self, code: bytes) -> None:
        self._memory = mmap.mmap(-1, len(code), prot=mmap.PROT_READ | mmap.PROT_WRITE)
        self._memory.write(code)
        self._view = ctypes.c_char.from_buffer(self._memory)
        self.address = ctypes.addressof(self._view)
        protect = ctypes.CDLL(None, use_errno=True).mprotect
        protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        if protect(self.address, len(code), mmap.PROT_READ | mmap.PROT_EXEC):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        self.method = _Method()


_new_function = ctypes.pythonapi.PyCFunction_NewEx
_new_function.restype = ctypes.py_object
_new_function.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)


def make_function(code: bytes, name: str, doc: str) -> Function:
    """The code as a Python function of positional arguments.

    It is called as `PyObject *f(PyObject *self, PyObject *const *arguments, Py_ssize_t count)`, with no more on the way
    than a function of Python's own has. The function keeps the memory alive.
    """
    made = _Code(code)
    made.method = _Method(name.encode(), made.address, METH_FASTCALL, doc.encode())
    function: Function = _new_function(ctypes.addressof(made.method), made, None)
    return function


def address_of(name: str) -> int:
    """The address of a function of Python's C interface."""
    found: Any = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    return int(found)


@cache
def library_function(name: str) -> int:
    """The address of a function of numbers of the C library."""
    for library in (None, "libm.so.6", "libc.so"):  # Python itself needs these functions, and has them loaded
        try:
            found = ctypes.cast(getattr(ctypes.CDLL(library), name), ctypes.c_void_p).value
        except (OSError, AttributeError):
            continue
        if found is not None:
            return found
    raise OSError(f"the C library has no function {name}")
