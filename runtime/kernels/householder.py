"""QR factorization by Householder reflections, in packed form; the orthogonal matrices of such factors; row orders from
pivots."""

from __future__ import annotations

import numpy as np

from .precision import Array


def _wide(x: Array) -> Array:
    return x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)


def geqrf(x: Array) -> tuple[Array, Array]:
    """The factorizations of matrices: R with the Householder vectors below its diagonal, and their factors."""
    packed, factors = np.linalg.qr(x, mode="raw")
    return np.ascontiguousarray(np.swapaxes(packed, -1, -2)), factors


def product(packed: Array, factors: Array, *, columns: int) -> Array:
    """The first columns of the orthogonal matrices that are products of Householder reflections."""
    rows = packed.shape[-2]
    result = np.zeros((*packed.shape[:-1], columns), packed.dtype)
    for place in np.ndindex(*packed.shape[:-2]):
        matrix = _wide(np.eye(rows, columns, dtype=packed.dtype))
        for step in range(factors.shape[-1] - 1, -1, -1):
            vector = np.concatenate([np.zeros(step), [1], packed[place][step + 1 :, step]])
            matrix = matrix - factors[place][step] * np.outer(vector, np.conj(vector) @ matrix)
        result[place] = matrix
    return result


def pivot_order(pivots: Array, *, count: int) -> Array:
    """The order of rows after each row in turn is exchanged with its pivot. Pivots count from 1."""
    result = np.empty((*pivots.shape[:-1], count), np.int64)
    for place in np.ndindex(*pivots.shape[:-1]):
        order = list(range(count))
        for row, other in enumerate(pivots[place].tolist()):
            order[row], order[other - 1] = order[other - 1], order[row]
        result[place] = order
    return result
