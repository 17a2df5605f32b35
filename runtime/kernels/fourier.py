"""Discrete Fourier transforms by NumPy, and by machine code on real and imaginary parts that lie apart."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from ..machine.array_functions import compile_fourier, fourier_room, fourier_sizes
from ..machine.fourier_sizes import COMPLEX, FROM_HALF, TO_HALF, FourierSizes
from ..processors import thread_count, worth_sharing
from ..records import NamedTuple
from .together import MachineCall, run_together

Array = np.ndarray
COMPLEX_OF: dict[np.dtype, np.dtype] = {
    np.dtype("float32"): np.dtype("complex64"),
    np.dtype("float64"): np.dtype("complex128"),
}
REAL_OF: dict[np.dtype, np.dtype] = {value: key for key, value in COMPLEX_OF.items()}


def dft(x: Array, *, axes: tuple[int, ...], inverse: bool, scale: float = 1.0) -> Array:
    """The transform of complex numbers."""
    if 0 in x.shape:
        return x.copy()
    result = np.fft.ifftn(x, axes=axes, norm="forward") if inverse else np.fft.fftn(x, axes=axes)
    return _scaled(result.astype(x.dtype, copy=False), scale)


def _scaled(x: Array, scale: float) -> Array:
    return x if scale == 1 else np.multiply(x, x.real.dtype.type(scale), out=x)


def half_dft(x: Array, *, axis: int, inverse: bool, scale: float, ends: float) -> Array:
    """The first half of the transform of real numbers."""
    count, dtype = x.shape[axis], COMPLEX_OF[x.dtype]
    shape = (*x.shape[:axis], count // 2 + 1, *x.shape[axis + 1 :])
    if 0 in x.shape:
        return np.zeros(shape, dtype)
    result = _scaled(np.fft.rfft(x, axis=axis).astype(dtype, copy=False), scale)
    if inverse:
        np.conjugate(result, out=result)
    return _with_ends(result, axis, count, ends)


def _with_ends(x: Array, axis: int, count: int, ends: float) -> Array:
    """Half a spectrum with its ends times a factor, in place."""
    if ends != 1:
        lines = np.moveaxis(x, axis, 0)
        lines[0] *= x.real.dtype.type(ends)
        if count % 2 == 0:
            lines[-1] *= x.real.dtype.type(ends)
    return x


def real_dft(x: Array, *, axis: int, count: int, inverse: bool, scale: float, ends: float) -> Array:
    """Real numbers, of half a spectrum."""
    if 0 in x.shape:
        return np.zeros((*x.shape[:axis], count, *x.shape[axis + 1 :]), REAL_OF[x.dtype])
    given = x if inverse and ends == 1 else _with_ends(x.copy() if inverse else np.conjugate(x), axis, count, ends)
    result = np.fft.irfft(given, count, axis=axis, norm="forward")
    return _scaled(result.astype(REAL_OF[x.dtype], copy=False), scale)


SHARED_FLOPS = 1_500_000  # of transforms that threads share: some 25 microseconds
Pair = tuple[Array, Array]


def dft_parts(
    real: Array, imag: Array, *, axis: int, scale: float, out: Pair | None = None, scratch: Array | None = None
) -> Pair:
    """As `dft` along one axis, of parts."""
    out = out or (np.empty_like(real), np.empty_like(imag))
    if not _run(COMPLEX, (real, imag), out, axis, real.shape[axis], (False, scale, 1.0), scratch):
        result = dft(_complex(real, imag), axes=(axis,), inverse=False, scale=scale)
        np.copyto(out[0], result.real)
        np.copyto(out[1], result.imag)
    return out


def half_dft_parts(
    x: Array, *, axis: int, inverse: bool, scale: float, ends: float, out: Pair | None = None,
    scratch: Array | None = None,
) -> Pair:  # fmt: skip
    """As `half_dft`, to parts."""
    count = x.shape[axis]
    shape = (*x.shape[:axis], count // 2 + 1, *x.shape[axis + 1 :])
    out = out or (np.empty(shape, x.dtype), np.empty(shape, x.dtype))
    if not _run(TO_HALF, (x,), out, axis, count, (inverse, scale, ends), scratch):
        result = half_dft(x, axis=axis, inverse=inverse, scale=scale, ends=ends)
        np.copyto(out[0], result.real)
        np.copyto(out[1], result.imag)
    return out


def real_dft_parts(
    real: Array, imag: Array, *, axis: int, count: int, inverse: bool, scale: float, ends: float,
    out: Array | None = None, scratch: Array | None = None,
) -> Array:  # fmt: skip
    """As `real_dft`, of parts."""
    if out is None:
        out = np.empty((*real.shape[:axis], count, *real.shape[axis + 1 :]), real.dtype)
    if not _run(FROM_HALF, (real, imag), (out,), axis, count, (inverse, scale, ends), scratch):
        given = _complex(real, imag)
        np.copyto(out, real_dft(given, axis=axis, count=count, inverse=inverse, scale=scale, ends=ends))
    return out


def _complex(real: Array, imag: Array) -> Array:
    result = np.empty(real.shape, COMPLEX_OF[real.dtype])
    result.real, result.imag = real, imag
    return result


class _Plan(NamedTuple):
    """How machine code transforms, in parts that threads share.

    Attributes:
        parts: the sizes of each, of some of the matrices.
        rooms: the elements that each works in.
    """

    parts: tuple[FourierSizes, ...]
    rooms: tuple[int, ...]

    def matrices(self, x: Array) -> list[Array]:
        """The parts of an array."""
        flat, parts, stop = x.reshape(-1, *x.shape[len(x.shape) - 1 - len(self.parts[0].after) :]), [], 0
        for sizes in self.parts:
            start, stop = stop, stop + sizes.outer
            parts.append(flat[start:stop])
        return parts


@lru_cache(maxsize=1024)
def _plan(*sizes: Any) -> _Plan | None:
    """The plan of transforms with the arguments of `fourier_sizes`; None if there is no machine code for them."""
    found = fourier_sizes(*sizes)
    if found is None:
        return None
    outer = found.outer
    flops = 5 * outer * found.inner * found.points * math.log2(found.points)
    threads = min(worth_sharing(thread_count(), flops, SHARED_FLOPS), outer)
    parts = [
        found._replace(before=(outer * (part + 1) // threads - outer * part // threads,)) for part in range(threads)
    ]
    if threads == 1 or not all(part.way for part in parts):
        parts = [found]
    return _Plan(tuple(parts), tuple(map(fourier_room, parts)))


def scratch_size(*sizes: Any) -> int:
    """The elements that transforms with the arguments of `fourier_sizes` work in; 0 without machine code."""
    plan = _plan(*sizes)
    return 0 if plan is None else sum(plan.rooms)


def single_sizes(*sizes: Any) -> FourierSizes | None:
    """The sizes of the function of machine code that a program may call itself; None if there is none, or threads share
    the transforms."""
    plan = _plan(*sizes)
    return plan.parts[0] if plan is not None and len(plan.parts) == 1 else None


def _run(
    kind: str, given: tuple[Array, ...], made: tuple[Array, ...], axis: int, count: int,
    how: tuple[bool, float, float], scratch: Array | None,
) -> bool:  # fmt: skip
    """Whether machine code computed it."""
    x = given[0]
    plan = _plan(kind, x.dtype.name, x.shape, axis, count, *how)
    if plan is None or not all(each.flags.c_contiguous for each in made):
        return False
    room = sum(plan.rooms)
    if scratch is None or scratch.size != room:
        scratch = np.empty(room, x.dtype)
    arrays = (*map(np.ascontiguousarray, given), *made)
    if len(plan.parts) == 1:
        return compile_fourier(*plan.parts[0])(*arrays, scratch)
    work = scratch

    def calls() -> list[list[MachineCall]]:
        rooms = np.split(work, np.cumsum(plan.rooms)[:-1])
        parts = zip(plan.parts, zip(*map(plan.matrices, arrays), strict=True), rooms, strict=True)
        return [[MachineCall(compile_fourier(*sizes), (*part, room))] for sizes, part, room in parts]

    return run_together(plan, (*arrays, scratch), calls)
