"""Searches in short ordered vectors, which kernels count: the same positions as NumPy's, nan last."""

from __future__ import annotations

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable


@pytest.mark.parametrize(
    ("dtype", "count", "right"),
    chequered(["float16", "float32", "float64", "int32", "int64"], [1, 4, 16, 17, 100], [False, True]),
)
def test_positions_are_numpys(dtype: str, count: int, right: bool) -> None:
    random = np.random.default_rng(count)
    edges = np.sort((random.standard_normal(count) * 4).astype(dtype))
    values = np.concatenate([(random.standard_normal(300) * 5).astype(dtype), edges])
    if edges.dtype.kind == "f":
        values[:3], edges[-1] = (np.nan, np.inf, -np.inf), np.inf
        edges[count - count // 4 :] = np.nan

    @ms.jit
    def search(edges: Tensor, values: Tensor) -> Tensor:
        return ops.searchsorted(edges, values, right=right)

    found = search(Tensor(edges), Tensor(values)).asnumpy()
    np.testing.assert_array_equal(found, np.searchsorted(edges, values, "right" if right else "left"))
    counted = "= searchsorted(" not in str(search.stages(Tensor(edges), Tensor(values)).optimized)
    assert counted == (unavailable() is None and count < 100 and edges.dtype.itemsize > 2)


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
@pytest.mark.parametrize("count", range(1, 17))
def test_unordered_vectors_are_searched_by_halving(count: int) -> None:
    """What comes out is of no use, but the same for each number of edges; NumPy searches in another way."""
    random = np.random.default_rng(count)
    edges, values = (random.integers(0, 9, size).astype(np.float32) for size in (count, 50))
    found = ms.jit(ops.searchsorted)(Tensor(edges), Tensor(values)).asnumpy()
    expected = []
    for value in values:
        low, high = 0, count
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if edges[middle] < value else (low, middle)
        expected.append(low)
    np.testing.assert_array_equal(found, expected)
