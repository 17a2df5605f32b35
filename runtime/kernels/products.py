"""Matrix products: in machine code where there is some, and shared by several threads."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cache
from typing import Any

import numpy as np

from ..machine.product import compile_matmul, vector_bytes
from ..machine.sizes import NARROW
from ..threads import share, sharing
from .copies import copy_call, zeros
from .precision import deliver
from .together import MachineCall, run_kept

Array = np.ndarray[Any, Any]
DTYPES = ("float32", "float64")  # of which machine code multiplies matrices
NAMES = {np.dtype(name): name for name in DTYPES}  # a dtype takes a microsecond to make its name
FEWEST_INTEGERS = 22_000  # multiplications that take longer than to look at the operands
Part = tuple[Array, Array, Array]
ROWS_TOGETHER, GROUPS = 48, 8  # of products with a band: at least, and about so many groups


def multiplied(a: Array, b: Array, out: Array | None = None) -> Array:
    """`np.matmul(a, b)`."""
    counted = _of_integers(a, b) if a.dtype == b.dtype and a.dtype.kind in "iu" else None
    if counted is not None:
        return deliver(counted.astype(a.dtype), a.dtype, out)
    if out is None and min(a.ndim, b.ndim) >= 2 and a.dtype == b.dtype and a.dtype.name in DTYPES:
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        out = np.empty((*batch, a.shape[-2], b.shape[-1]), a.dtype)
    if out is None:
        return np.matmul(a, b)
    matmul(a, b, out)
    return out


def _of_integers(a: Array, b: Array) -> Array | None:
    """A product of integers by floats whose sums are exact, in a tenth of the time of NumPy's; its last bits are right.
    None where integers are few, or too many or too large to be exact."""
    if min(a.ndim, b.ndim) < 2 or a.size * b.shape[-1] < FEWEST_INTEGERS or not b.size:
        return None
    depth, exact = a.shape[-1], 1 << 53
    highest = depth * _magnitude(a) * _magnitude(b)
    if highest < exact:
        dtype = np.float32 if highest <= 1 << 24 else np.float64
        return multiplied(a.astype(dtype), b.astype(dtype)).astype(np.int64)
    if a.itemsize > 4 or depth << 33 >= exact:
        return None
    low, other = ((x & 0xFFFF).astype(np.float64) for x in (a, b))
    middle = multiplied((a >> 16).astype(np.float64), other) + multiplied(low, (b >> 16).astype(np.float64))
    whole: Array = multiplied(low, other).astype(np.int64) + (middle.astype(np.int64) << 16)
    return whole


def _magnitude(x: Array) -> int:
    return max(abs(int(x.min())), abs(int(x.max())))


def matmul(a: Array, b: Array, out: Array, *, add: bool = False, spare: Array | None = None) -> None:
    """Write `np.matmul(a, b)` to `out`, or add it.

    `spare` is a vector of at least as many elements, where the BLAS puts what is to be added.
    """
    name = NAMES.get(out.dtype)
    if name and compile_matmul(name)(a, b, out, *(out,) * add):
        return
    if not add:
        np.matmul(a, b, out=out)
        return
    product = None if spare is None else spare[: out.size].reshape(out.shape)
    np.add(out, np.matmul(a, b, out=product), out=out)


def add_product(a: Array, b: Array, out: Array, _: Array) -> None:
    """`out += np.matmul(a, b)`, with the arguments of machine code that adds."""
    np.add(out, np.matmul(a, b), out=out)


def add_products(a: Array, b: Array, out: Array) -> None:
    """Add the products of all matrices along the first dimension: `out += np.matmul(a, b).sum(axis=0)`."""
    name = NAMES.get(out.dtype)
    whole = np.ndarray((len(a), *out.shape), out.dtype, out, 0, (0, *out.strides))
    if not (name and compile_matmul(name)(a, b, whole, whole)):
        np.add(out, np.add.reduce(np.matmul(a, b), axis=0), out=out)


def matmul_in_parts(a: Array, b: Array, *, threads: int, out: Array | None = None, add: bool = False) -> Array:
    """`np.matmul(a, b)` of operands with two dimensions or more, divided among threads, one part for each; or add it to
    `out`.

    Machine code divides products itself (`machine/product_sharing.py`). Of those that it refuses, batches are divided
    along the first dimension that both operands have, others by rows or columns of the result. The numbers do not
    depend on which thread computes which part.
    """
    if out is None:
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        out = np.empty((*batch, a.shape[-2], b.shape[-1]), np.result_type(a, b))
    if _multiply_together(threads, a, b, out, add):
        return out
    parts = _parts(*_without_gaps(a, b, out), out, threads)

    def work(piece: int, thread: int) -> None:
        matmul(*parts[piece], add=add)

    share(work, len(parts), threads)
    return out


@cache
def _owner(*way: Hashable) -> object:
    """The owner of kept calls that divide products in one way."""
    return way


def matmul_of_pairs(a: Array, b: Array, *, threads: int = 1, out: Array | None = None) -> Array:
    """A product of bfloat16. Two neighbours along the inner dimension are the bits of one float32 of `a` and `b`."""
    if out is None:
        out = np.empty((*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1]), np.float32)
    if not _multiply_together(threads, a, b, out, pairs=True):
        matmul(unpaired(a, -1), unpaired(b, -2), out)
    return out


def unpaired(x: Array, axis: int) -> Array:
    """The numbers of pairs along an axis."""
    bits = np.moveaxis(x, axis, -1)[..., None].view(np.int32)
    numbers = np.concatenate([bits << 16, bits & (-1 << 16)], axis=-1).view(np.float32)
    return np.moveaxis(numbers.reshape(*bits.shape[:-2], -1), -1, axis)


def _multiply_together(threads: int, a: Array, b: Array, out: Array, add: bool = False, pairs: bool = False) -> bool:
    """Multiply in parts by machine code, or add the product; whether it did."""
    name = NAMES.get(out.dtype)
    if name is None:
        return False

    multiply = compile_matmul(name, pairs, threads) if pairs or threads > 1 else compile_matmul(name)
    with sharing:
        return multiply(a, b, out, *(out,) * add)


def banded_matmul(a: Array, b: Array, *, band: str, threads: int = 1, out: Array | None = None) -> Array:
    """A product of which a triangle is left out.

    `band` is "lower": square matrices `a` are zero above the diagonal; "upper": below it; "result": of square results
    nothing above the diagonal is wanted, so it may be zero. Rows, or columns of the result, go in groups: each is a
    product of what its triangle leaves. Threads share the first dimension that has as many matrices.
    """
    if out is None:
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        out = np.empty((*batch, a.shape[-2], b.shape[-1]), np.result_type(a, b))

    def parts() -> list[Part]:
        axis = next((axis for axis, size in enumerate(out.shape[:-2]) if size >= threads), None)
        if threads == 1 or axis is None:
            return [(a, b, out)]
        at = axis - out.ndim
        return [
            (_slice(a, at, cut), _slice(b, at, cut), _slice(out, at, cut)) for cut in _cuts(out.shape[axis], threads)
        ]

    def calls() -> list[list[MachineCall]]:
        return [[call for step in _band_steps(*part, band) for call in _calls_of(*step)] for part in parts()]

    if out.dtype in NAMES and run_kept(_owner(threads, band), (a, b, out), calls):
        return out
    given = parts()
    share(lambda piece, thread: _multiply_band(*given[piece], band=band), len(given), threads)
    return out


def _calls_of(a: Array, b: Array, out: Array, empty: Array) -> list[MachineCall]:
    """The calls of machine code for one step of a product with a band."""
    calls = [MachineCall(compile_matmul(NAMES[out.dtype]), (a, b, out))]
    return [*calls, copy_call(empty, zeros(*empty.shape))] if empty.size else calls


def _multiply_band(a: Array, b: Array, out: Array, *, band: str) -> None:
    """One thread's part of `banded_matmul`."""
    for left, right, target, empty in _band_steps(a, b, out, band):
        matmul(left, right, target)
        empty[...] = 0


def _band_steps(a: Array, b: Array, out: Array, band: str) -> Iterator[tuple[Array, Array, Array, Array]]:
    """The products that a product with a band consists of, each with the part of the result that is zero besides."""
    size = out.shape[-2]
    step = _columns_together() if band == "result" else ROWS_TOGETHER
    step *= max(1, size // GROUPS // step)
    for start in range(0, size, step):
        stop = min(start + step, size)
        empty = out[..., :0, start:stop]
        if band == "lower":
            a_part, b_part, part = a[..., start:stop, :stop], b[..., :stop, :], out[..., start:stop, :]
        elif band == "upper":
            a_part, b_part, part = a[..., start:stop, start:], b[..., start:, :], out[..., start:stop, :]
        else:
            a_part, b_part, part = a[..., start:, :], b[..., start:stop], out[..., start:, start:stop]
            empty = out[..., :start, start:stop]
        yield a_part, b_part, part, empty


@cache
def _columns_together() -> int:
    """Columns of a result with a band that are computed at once, at least: whole panels."""
    return 64 if vector_bytes() == NARROW else 48


def _parts(a: Array, b: Array, out: Array, threads: int) -> list[Part]:
    """Operands and results of the parts."""
    for axis, size in enumerate(out.shape[:-2]):
        if size >= threads:
            return [
                (_slice(a, axis - out.ndim, cut), _slice(b, axis - out.ndim, cut), _slice(out, axis - out.ndim, cut))
                for cut in _cuts(size, threads)
            ]
    rows, columns = out.shape[-2:]
    if rows < columns and out.flags.c_contiguous:
        return [(a, b[..., cut], out[..., cut]) for cut in _cuts(columns, threads)]
    return [(a[..., cut, :], b, out[..., cut, :]) for cut in _cuts(rows, threads)]


def _without_gaps(a: Array, b: Array, out: Array) -> tuple[Array, Array]:
    """The operands of a product of two matrices without gaps in one of their dimensions: others do not go to the
    BLAS."""
    if out.ndim > 2:
        return a, b
    a, b = (x if x.flags.c_contiguous or x.flags.f_contiguous else np.ascontiguousarray(x) for x in (a, b))
    return a, b


def _cuts(size: int, threads: int) -> list[slice]:
    """So many slices of about equal length. Their borders are multiples of 16, the width of the BLAS's kernels."""
    borders = [min(size, -(-size * thread // threads // 16) * 16 if size >= 64 else size * thread // threads)
               for thread in range(threads)]  # fmt: skip
    pairs = zip(borders, [*borders[1:], size], strict=True)
    return [slice(start, stop) for start, stop in pairs if start < stop]


def _slice(x: Array, axis: int, cut: slice) -> Array:
    """The part of an array along an axis, counted from the end. An array broadcast along the axis stays whole."""
    if x.ndim < -axis or x.shape[axis] == 1:
        return x
    return x[(slice(None),) * (x.ndim + axis) + (cut,)]
