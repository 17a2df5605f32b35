"""Sample inputs for tests of ops: small float64 arrays, the same in every run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..ir.op import Sample

Samples = Callable[[], "list[Sample]"]


def pair(*shapes: tuple[int, ...], low: float = -2.0, high: float = 2.0, seed: int = 0) -> tuple[np.ndarray, ...]:
    """Float64 sample arrays of these shapes, uniform in [low, high)."""
    generator = np.random.default_rng(seed)
    return tuple(np.asarray(generator.uniform(low, high, shape)) for shape in shapes)


def integers(
    *shapes: tuple[int, ...], low: int = -5, high: int = 6, seed: int = 0, dtype: type = np.int32
) -> tuple[np.ndarray, ...]:
    """Integer sample arrays of these shapes, uniform in [low, high)."""
    generator = np.random.default_rng(seed)
    return tuple(np.asarray(generator.integers(low, high, shape), dtype) for shape in shapes)


def booleans(*shapes: tuple[int, ...], seed: int = 0) -> tuple[np.ndarray, ...]:
    """Boolean sample arrays of these shapes."""
    return tuple(array > 0 for array in pair(*shapes, seed=seed))


def binary_samples(low: float = -2.0, high: float = 2.0) -> Samples:
    """Samples for a binary op: equal shapes, broadcasting both ways, a scalar."""
    shapes: list[tuple[tuple[int, ...], ...]] = [((3, 4), (3, 4)), ((3, 4), (4,)), ((2, 1, 4), (3, 1)), ((), (2, 3))]
    return lambda: [Sample(pair(*each, low=low, high=high)) for each in shapes]


def unary_samples(low: float = -2.0, high: float = 2.0, gradient: bool = True) -> Samples:
    """Samples for a unary op: a matrix and a scalar."""
    return lambda: [
        Sample(pair((3, 4), low=low, high=high), gradient=gradient),
        Sample(pair((), low=low, high=high, seed=1), gradient=gradient),
    ]


def with_integers(samples: Samples, *more: Sample) -> Samples:
    """These samples, also as int32 (for ops that keep integers), and further ones."""
    return lambda: [
        *samples(),
        *[Sample(tuple((4 * x).astype(np.int32) for x in sample.inputs), sample.attrs, False) for sample in samples()],
        *more,
    ]
