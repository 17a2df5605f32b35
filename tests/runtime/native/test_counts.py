"""Histograms and searches by kernels: what they find, and what they leave to NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native.counts import counts_below, search

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("count", [4096, 5001, 40_000])
def test_counts(dtype: type, count: int) -> None:
    """From the second vector of a size on a kernel counts; numbers out of range are none of its business."""
    random, length = np.random.default_rng(count), 300
    counted = 0
    for high, low in (
        (length, 0),
        (length, 0),
        (3, 2),
        (length + 1, length),
        (length, -1),
        (2**31 - 1, 0),
        (9, -(2**31)),
    ):
        x = random.integers(low, high, count).astype(dtype)
        x[-1] = high - 1
        found = counts_below(x, length)
        if found is not None:
            counted += 1
            np.testing.assert_array_equal(found, np.bincount(x, minlength=length))
            assert found.dtype == np.int64
    assert counted == 2
    for other in (x[:100], x.astype(np.uint8), x[::2][:4096]):
        assert counts_below(other, length) is None


@pytest.mark.parametrize("most", [255, 256, 4000])
def test_results_are_as_long_as_needed(most: int) -> None:
    """A number beyond the least length makes the result longer, each time."""
    f = ms.jit(lambda x: ops.bincount(x, minlength=256))
    x = np.random.default_rng(most).integers(0, 256, 10_000).astype(np.int32)
    x[7] = most
    for _ in range(3):
        np.testing.assert_array_equal(f(Tensor(x)).asnumpy(), np.bincount(x, minlength=256))
    with pytest.raises(ValueError, match="should not be negative"):
        f(Tensor(-x))


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_searches(dtype: str, right: bool) -> None:
    """Places among equal elements, before and behind all, and of nan, which is the largest."""
    random = np.random.default_rng(0)
    for length in (16, 17, 31, 33, 1000):
        sequence, values = (random.integers(-40, 40, size).astype(dtype) for size in ((length,), (50, 100)))
        if dtype.startswith("float"):
            sequence[::4], values[0, :3], values[1] = np.nan, (np.nan, np.inf, -np.inf), -0.0
        else:
            limits = np.iinfo(dtype)
            sequence[:2], values[0, :2] = (limits.min, limits.max), (limits.max, limits.min)
        sequence.sort()
        search(sequence, values, right)
        found = search(sequence, values, right)
        assert found is not None
        expected = np.searchsorted(sequence, values.reshape(-1), "right" if right else "left").reshape(values.shape)
        np.testing.assert_array_equal(found, expected)
