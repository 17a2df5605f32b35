"""QR factorization by Householder reflections, in packed form; the orthogonal matrices of such factors; row orders from
pivots."""

from __future__ import annotations

import numpy as np

from .precision import Array


def _wide(x: Array) -> Array:
    return x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)


def _factor(x: Array) -> tuple[Array, Array]:
    """The factorization of one matrix: R with the Householder vectors below its diagonal, and their factors."""
    packed = _wide(x)
    count = min(x.shape)
    factors = np.zeros(count, packed.dtype)
    for step in range(count):
        column = packed[step:, step]
        rest = np.linalg.norm(column[1:])
        alpha = column[0]
        if rest == 0 and np.imag(alpha) == 0:
            continue
        beta = -np.copysign(np.hypot(np.abs(alpha), rest), np.real(alpha))
        factors[step] = (beta - alpha) / beta
        vector = np.concatenate([[1], column[1:] / (alpha - beta)])
        below = packed[step:, step + 1 :]
        packed[step:, step + 1 :] = below - np.conj(factors[step]) * np.outer(vector, np.conj(vector) @ below)
        packed[step, step] = beta
        packed[step + 1 :, step] = vector[1:]
    return packed, factors


def geqrf(x: Array) -> tuple[Array, Array]:
    """The factorizations of matrices: R with the Householder vectors below its diagonal, and their factors."""
    lead = x.shape[:-2]
    packed, factors = np.zeros(x.shape, x.dtype), np.zeros((*lead, min(x.shape[-2:])), x.dtype)
    for place in np.ndindex(*lead):
        packed[place], factors[place] = _factor(x[place])
    return packed, factors


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
