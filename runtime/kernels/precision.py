"""The precision in which kernels compute, and the conversion of operands to arrays that machine code takes, and of
results to the caller's array."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def is_half(dtype: np.dtype[Any]) -> bool:
    """Whether this is float16 or bfloat16 (which NumPy does not know)."""
    return dtype.itemsize == 2 and dtype.kind in "fV"


def compute_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype in which a kernel computes: float32 for halves, which is faster and rounds once."""
    return np.dtype(np.float32) if is_half(dtype) else dtype


def widen(array: Array) -> Array:
    """The array in the dtype of the computation; a copy only for halves."""
    return array.astype(np.float32) if is_half(array.dtype) else array


def deliver(result: Array, dtype: np.dtype[Any], out: Array | None) -> Array:
    """The result as a C-contiguous array of `dtype`, in `out` where one is given."""
    if out is None:
        return np.ascontiguousarray(result, dtype) if result.ndim else np.asarray(result, dtype)
    if out is not result:
        np.copyto(out, result, casting="unsafe" if is_half(out.dtype) else "same_kind")
    return out


def result_buffer(out: Array | None, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """A C-contiguous array for a kernel's result: `out` if it is one, else a new array. ValueError if `out` has another
    shape."""
    if out is None:
        return np.empty(shape, dtype)
    if out.shape != shape:
        raise ValueError(f"out has shape {out.shape}, but the result has shape {shape}")
    return out if out.dtype == dtype and out.flags.c_contiguous else np.empty(shape, dtype)


def is_plain(array: Array, dtype: np.dtype[Any]) -> bool:
    """Whether machine code takes the array: NumPy's own dtype object, aligned, neighbours of a row side by side."""
    return array.dtype is dtype and array.flags.aligned and array.flags.c_contiguous


def plain(array: Array, dtype: np.dtype[Any]) -> Array:
    """The array, or a copy that machine code takes."""
    if is_plain(array, dtype):
        return array
    copied = np.empty(array.shape, dtype)
    np.copyto(copied, array, casting="same_kind")
    return copied


def plain_buffer(out: Array | None, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An array for the result of machine code: `out` if that takes it, else a new array."""
    return result_buffer(out if out is None or is_plain(out, dtype) else None, shape, dtype)
