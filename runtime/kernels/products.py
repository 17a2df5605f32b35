"""Matrix products that several threads share."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..threads import share

Array = np.ndarray[Any, Any]
Part = tuple[Array, Array, Array]


def matmul_in_parts(a: Array, b: Array, *, threads: int, out: Array | None = None) -> Array:
    """`np.matmul(a, b)` of operands with two dimensions or more, divided among threads, one part for each.

    A product of batches is divided along the first dimension that both operands have. Others are divided by columns of
    the result if it has more columns than rows, or if `a` is a transposed view: some rows of such a view are scattered
    over memory, an element from each line, and the product takes up to half as long again. The numbers do not depend on
    which thread computes which part.
    """
    if out is None:
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        out = np.empty((*batch, a.shape[-2], b.shape[-1]), np.result_type(a, b))
    parts = _parts(a, b, out, threads)

    def work(piece: int, thread: int) -> None:
        first, second, result = parts[piece]
        if result.ndim == 2 and result.flags.c_contiguous:
            first.dot(second, result)
        else:
            np.matmul(first, second, out=result)

    share(work, len(parts), threads)
    return out


def _parts(a: Array, b: Array, out: Array, threads: int) -> list[Part]:
    """Operands and results of the parts."""
    for axis, size in enumerate(out.shape[:-2]):
        if size >= threads:
            return [
                (_slice(a, axis - out.ndim, cut), _slice(b, axis - out.ndim, cut), _slice(out, axis - out.ndim, cut))
                for cut in _cuts(size, threads)
            ]
    rows, columns = out.shape[-2:]
    by_columns = rows < columns or (a.ndim == 2 and a.strides[0] < a.strides[1] and columns >= 64)
    if by_columns and out.flags.c_contiguous:
        if out.ndim == 2:
            # NumPy hands a matrix to the BLAS only if one of its dimensions is without gaps.
            a, b = (x if x.flags.c_contiguous or x.flags.f_contiguous else np.ascontiguousarray(x) for x in (a, b))
        return [(a, b[..., cut], out[..., cut]) for cut in _cuts(columns, threads)]
    return [(a[..., cut, :], b, out[..., cut, :]) for cut in _cuts(rows, threads)]


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
