"""QR factorization by Householder reflections, in packed form; the orthogonal matrices of such factors; LU factors, row
orders and pivots."""

from __future__ import annotations

import math

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


PANEL = 32
"""Columns that LU factors are computed for one after the other, before the columns beside them follow."""


def lu(x: Array) -> tuple[Array, Array]:
    """Both LU factors of matrices in one, and the order of their rows, in which the largest number left is the pivot.

    A column of zeros is left as it is.
    """
    packed = _wide(x).reshape(math.prod(x.shape[:-2]), *x.shape[-2:])
    count, rows, columns = packed.shape
    order = np.tile(np.arange(rows), (count, 1))
    each, least = np.arange(count), min(rows, columns)
    for first in range(0, least, PANEL):
        stop = min(first + PANEL, least)
        for step in range(first, stop):
            best = step + np.abs(packed[:, step:, step]).argmax(1)
            for array in (packed, order):
                array[each, step], array[each, best] = array[each, best], array[each, step]
            pivots, below = packed[:, step, step, None], packed[:, step + 1 :, step]
            below /= np.where(pivots == 0, 1, pivots)
            packed[:, step + 1 :, step + 1 : stop] -= below[..., None] * packed[:, step, None, step + 1 : stop]
        if stop < columns:
            lower = np.tril(packed[:, first:stop, first:stop], -1) + np.eye(stop - first)
            beside = np.linalg.solve(lower, packed[:, first:stop, stop:])
            packed[:, first:stop, stop:] = beside
            packed[:, stop:, stop:] -= packed[:, stop:, first:stop] @ beside
    return packed.reshape(x.shape).astype(x.dtype), order.reshape(x.shape[:-1])


def exchanges(order: Array, *, count: int) -> Array:
    """With which row each of the first rows is exchanged in turn, counted from 0, so that they stand in an order."""
    result = np.empty((*order.shape[:-1], count), np.int32)
    for place in np.ndindex(*order.shape[:-1]):
        wanted = order[place].tolist()
        rows = list(range(len(wanted)))  # at each place
        places = list(rows)  # of each row
        for step, row in enumerate(wanted[:count]):
            other, moved = places[row], rows[step]
            result[place][step] = other
            rows[other], places[moved] = moved, other
    return result
