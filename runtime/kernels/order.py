"""Kernels that sort, search and count: stable orders, the k best, different elements."""

from __future__ import annotations

import numpy as np

from .precision import Array


def argsort(x: Array, axis: int, descending: bool) -> Array:
    """Positions that put x in order along an axis; equal ones keep their order, nan counts as the largest."""
    if not descending:
        return np.argsort(x, axis, kind="stable")
    backwards = np.argsort(np.flip(x, axis), axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - backwards, axis)


def topk(x: Array, k: int, axis: int, largest: bool) -> Array:
    """Positions of the k best along an axis, best first, the first of equal ones first."""
    if k == 1:
        return np.expand_dims((np.argmax if largest else np.argmin)(x, axis), axis)
    return argsort(x, axis, largest)[(slice(None),) * axis + (slice(0, k),)]


def searchsorted(sequence: Array, values: Array, right: bool) -> Array:
    """Where values would be put into an ordered vector, or each row of values into its own row of the sequence."""
    side = "right" if right else "left"
    if sequence.ndim == 1:
        return np.asarray(np.searchsorted(sequence, values, side))  # type: ignore[call-overload]
    result = np.empty(values.shape, np.intp)
    for row in np.ndindex(*values.shape[:-1]):
        result[row] = np.searchsorted(sequence[row], values[row], side)  # type: ignore[call-overload]
    return result


def unique(x: Array, sort: bool) -> tuple[Array, Array, Array]:
    """The different elements, sorted or in order of appearance; for each element which it is; how often each stands."""
    values, first, inverse, counts = np.unique(x.ravel(), return_index=True, return_inverse=True, return_counts=True)
    inverse = inverse.reshape(x.shape)
    if sort:
        return values, inverse, counts
    appearance = np.argsort(first, kind="stable")
    rank = np.empty(len(first), np.intp)
    rank[appearance] = np.arange(len(first))
    return values[appearance], rank[inverse], counts[appearance]


def unique_consecutive(x: Array) -> tuple[Array, Array, Array]:
    """The first of each run of equal elements of a vector; for each element the run it is in; how long each run is."""
    new = np.ones(len(x), bool)
    new[1:] = x[1:] != x[:-1]
    starts = np.flatnonzero(new)
    return x[starts], np.cumsum(new) - 1, np.diff(starts, append=len(x))
