"""Executable memory that holds machine code, and Python functions that run it."""

from __future__ import annotations

import ctypes
import mmap
import os
import platform
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..environment import is_off, is_on
from .sizes import SIZES

SWITCH = "MYCEL_NATIVE"
"""An environment variable; with "off" no machine code is made."""
WIDE_SWITCH = "MYCEL_AVX512"
PAIRS_SWITCH = "MYCEL_BF16"
"""An environment variable; with "off" no code for AVX-512 is made."""

# The offsets of an array object's fields. `_layout_is_known` checks them before anything relies on them.
TYPE, DATA, RANK, DIMENSIONS, STRIDES, DESCRIPTOR, FLAGS = 8, 16, 24, 32, 40, 56, 64
C_CONTIGUOUS, OWNS_DATA, ALIGNED, WRITEABLE = 0x1, 0x4, 0x100, 0x400

METH_FASTCALL = 0x80

Function = Callable[..., bool]


_refused: list[str] = []  # how the system refused memory for code, once it did


def unavailable() -> str | None:
    """The reason why this process has no machine code; None if it has.

    Machine code needs CPython with its lock, on Linux, on a 64-bit x86 processor with AVX2, F16C and FMA (all since
    about 2015). The system must let a process make code, and may stop doing so at any time.
    """
    return _refused[0] if _refused else _missing()


@cache
def _missing() -> str | None:
    if is_off(SWITCH):
        return f"{SWITCH} is off"
    if sys.implementation.name != "cpython" or "t" in getattr(sys, "abiflags", ""):
        return "it needs CPython with its global lock"
    if not sys.platform.startswith("linux") or platform.machine() != "x86_64" or sys.maxsize < 1 << 32:
        return f"it is written for Linux on x86-64, not for {sys.platform} on {platform.machine()}"
    if not _described():
        return "/proc/cpuinfo, which says what the processor can do, cannot be read"
    if not _described() >= {"avx2", "f16c", "fma"}:
        return "the processor has no AVX2, F16C or FMA"
    if not _layout_is_known():
        return "arrays of this NumPy are laid out in another way"
    try:
        _Code(b"\xc3")
    except OSError:
        return _refused[0]
    return None


@cache
def _described(field: str = "flags") -> frozenset[str]:
    """What Linux says of the processor, as words: by default what it can do."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            return frozenset(next((line.split() for line in file if line.startswith(field)), ()))
    except OSError:
        return frozenset()


def is_from_intel() -> bool:
    """Whether Intel made the processor. Estimates of times need it; results do not depend on it."""
    return "GenuineIntel" in _described("vendor_id")


def has_wide_vectors() -> bool:
    """Whether the processor has AVX-512, and the variable MYCEL_AVX512 does not switch it off."""
    return "avx512f" in _described() and not is_off(WIDE_SWITCH)


def has_masked_vectors() -> bool:
    """Whether the processor has the parts of AVX-512 that kernels use, and they are not switched off."""
    return has_wide_vectors() and _described() >= {"avx512bw", "avx512dq", "avx512vl"}


def multiplies_pairs() -> bool:
    """Whether products of pairs of bfloat16 are added up by an instruction for it.

    Where there is one, the variable MYCEL_BF16 decides. By default Intel's processors do not use it: one such
    instruction takes the time of four for float32.
    """
    if "avx512_bf16" not in _described() or is_off(PAIRS_SWITCH):
        return False
    return is_on(PAIRS_SWITCH) or not is_from_intel()


def permutes_bytes() -> bool:
    """Whether the processor moves the bytes of wide vectors to any place of these."""
    return has_masked_vectors() and "avx512vbmi" in _described()


def computes_halves() -> bool:
    """Whether the processor computes with float16 as it is in memory."""
    return has_masked_vectors() and "avx512_fp16" in _described()


def counts_bits() -> bool:
    """Whether the processor counts the bits of the lanes of wide vectors."""
    return "avx512_vpopcntdq" in _described()


def has_distant_cache() -> bool:
    """Whether the shared cache is a mesh over all cores, as on Intel's servers: hardly faster than memory.

    Measured on one that has tiles for matrices (AMX), which Intel's desktop processors do not have.
    """
    return "amx_tile" in _described() and is_from_intel()


def _layout_is_known() -> bool:
    """Whether arrays have the memory layout that machine code expects, and each dtype has one object."""
    zeros = [np.zeros((3, 4), dtype) for dtype in SIZES]
    for array in (*zeros, np.zeros((), np.float64), np.zeros((4, 6), np.int32)[::2, ::3]):
        here = id(array)

        def pointer(offset: int, here: int = here) -> int:
            return ctypes.c_size_t.from_address(here + offset).value

        if (pointer(TYPE), pointer(DATA)) != (id(np.ndarray), array.__array_interface__["data"][0]):
            return False
        if pointer(DESCRIPTOR) != id(np.dtype(array.dtype.name)):
            return False
        if ctypes.c_int.from_address(here + RANK).value != array.ndim:
            return False
        extents, steps = (
            tuple((ctypes.c_ssize_t * array.ndim).from_address(pointer(offset))) if array.ndim else ()
            for offset in (DIMENSIONS, STRIDES)
        )
        known = array.flags.num & (C_CONTIGUOUS | OWNS_DATA | ALIGNED | WRITEABLE)
        if (extents, steps) != (array.shape, array.strides):
            return False
        if ctypes.c_int.from_address(here + FLAGS).value & 0x505 != known:
            return False
    return True


LINE = 64  # bytes of a line of the caches
_PRIVATE = getattr(mmap, "MAP_PRIVATE", 0) | getattr(mmap, "MAP_ANONYMOUS", 0)


class _Method(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Code:
    """Machine code in memory of its own, which can be executed and no longer written to.

    `otherwise`: what the code calls, through this object, where it refuses its arguments (`python_calls.py`).
    """

    __slots__ = ("__weakref__", "_memory", "_view", "address", "keeps", "method", "otherwise", "refusing")

    def __init__(self, code: bytes) -> None:
        try:
            start = _place(len(code))
            self._memory = mmap.mmap(-1, start + len(code), _PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
            self._memory.seek(start)
            self._memory.write(code)
            self._view = ctypes.c_char.from_buffer(self._memory)
            address = ctypes.addressof(self._view)
            _protect(address, start + len(code))
            self.address = address + start
        except OSError as error:
            _refused.append(f"the system does not let this process make code ({error})")
            raise
        self.method = self.refusing = _Method()
        self.keeps: tuple[Any, ...] = ()
        self.otherwise: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any) -> bool:
        assert self.otherwise is not None
        self.otherwise(refusing(self), *arguments)
        return True


_end = [0]  # of the code made last, in bytes of its page


def _place(size: int) -> int:
    """Where code of this size starts in its first page: behind the code made last, if its last page has the room. Code
    of the same place in different pages would displace each other in the processor's cache of instructions."""
    lines = -size % mmap.PAGESIZE // LINE + 1
    start = _end[0] % lines
    _end[0] = start + (size + LINE - 1) // LINE
    return start * LINE


def _protect(address: int, size: int) -> None:
    """Make memory executable and read-only."""
    if _mprotect()(address, size, mmap.PROT_READ | mmap.PROT_EXEC):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


@cache
def _mprotect() -> Callable[[int, int, int], int]:
    """The C library's function; a new `CDLL` for each kernel would make a class each time."""
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return protect


_new_function = ctypes.pythonapi.PyCFunction_NewEx
_new_function.restype = ctypes.py_object
_new_function.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)


def make_function(code: bytes, name: str, doc: str, keeps: tuple[Any, ...] = ()) -> Function:
    """A Python function of positional arguments that runs the code.

    It is called as `PyObject *f(PyObject *self, PyObject *const *arguments, Py_ssize_t count)`, with no more overhead
    than a builtin function. It keeps the memory of the code alive.
    """
    made = _Code(code)
    made.keeps = keeps
    made.method = _Method(name.encode(), made.address, METH_FASTCALL, doc.encode())
    return _function(made.method, made)


def make_complete_function(
    entry: bytes, code: bytes, name: str, doc: str, otherwise: Callable[..., Any], keeps: tuple[Any, ...] = ()
) -> Function:
    """`make_function` for code that returns False where it refuses its arguments: there the function calls `otherwise`
    with them, behind the function of the code alone. `entry` is the machine code that does so (`python_calls.py`)."""
    made = _Code(entry + code)
    made.otherwise, made.keeps = otherwise, keeps
    made.method = _Method(name.encode(), made.address, METH_FASTCALL, doc.encode())
    made.address += len(entry)
    made.refusing = _Method(made.method.name, made.address, METH_FASTCALL, made.method.doc)
    return _function(made.method, made)


def refusing(function: Any) -> Function:
    """The function of the code alone, which returns False, of one that `make_complete_function` made."""
    made = function if isinstance(function, _Code) else function.__self__
    return _function(made.refusing, made)


def _function(method: _Method, made: _Code) -> Function:
    function: Function = _new_function(ctypes.addressof(method), made, None)
    return function


def code_address(function: Function) -> int | None:
    """The address of the machine code of a function that `make_function` made; None for another function."""
    made = getattr(function, "__self__", None)
    return made.address if isinstance(made, _Code) else None


@cache
def address_of(name: str) -> int:
    """The address of a function of Python's C interface."""
    found: Any = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    return int(found)


@cache
def library_function(name: str) -> int:
    """The address of a mathematical function of the C library."""
    for library in (None, "libm.so.6", "libc.so"):  # Python itself needs these functions, and has them loaded
        try:
            found = ctypes.cast(getattr(ctypes.CDLL(library), name), ctypes.c_void_p).value
        except (OSError, AttributeError):
            continue
        if found is not None:
            return found
    raise OSError(f"the C library has no function {name}")
