"""Histograms by a kernel: what it counts, and what it leaves to NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native.counts import counts_below

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
