"""Sums of 32-bit integers and bools in 64 bits: exact, and kernels without a copy of 64-bit numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable

needs_machine_code = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


@needs_machine_code
@pytest.mark.parametrize("axis", [0, 1, 2, (0, 2), (1, 2), None])
@pytest.mark.parametrize("fill", ["random", "largest", "smallest"])
def test_sums_of_integers(axis: Any, fill: str) -> None:
    """Sums that 32 bits do not hold."""
    limits = np.iinfo(np.int32)
    x = np.random.default_rng(0).integers(limits.min, limits.max, (20, 30, 40)).astype(np.int32)
    if fill != "random":
        x[...] = limits.max if fill == "largest" else limits.min
    f = ms.jit(lambda x: (x * 1).sum(axis))
    result = f(Tensor(x)).asnumpy()
    np.testing.assert_array_equal(result, x.sum(axis, dtype=np.int64))
    assert result.dtype == np.int64
    assert "= row_add" in f.stages(Tensor(x)).program or "add sum" in f.stages(Tensor(x)).program


@needs_machine_code
def test_counts_of_elements() -> None:
    """Comparisons are counted where they are computed; rows too long for halves are summed as before."""
    x = np.random.default_rng(0).integers(0, 9, (40, 500)).astype(np.int32)
    f = ms.jit(lambda x: ((x[:, None] == x[None]).sum(2), (x > 3).sum(), x.reshape(-1).sum()))
    counts, large, total = (result.asnumpy() for result in f(Tensor(x)))
    np.testing.assert_array_equal(counts, (x[:, None] == x[None]).sum(2))
    assert (large, total) == ((x > 3).sum(), x.sum())
    long = np.full(100_000, 2**31 - 1, np.int32)
    assert ms.jit(lambda x: x.sum())(Tensor(long)).asnumpy() == long.sum(dtype=np.int64)


@needs_machine_code
def test_counts_between_bounds_are_positions_of_32_bits() -> None:
    def chosen(x: Any, w: Any) -> Any:
        count = (x > 0.5).sum(1)
        return w[ops.minimum(ops.maximum(count, 1), 6)], ops.minimum(count, 1 << 40), ops.maximum(count, 3)

    random = np.random.default_rng(0)
    x, w = random.random((50, 9)).astype(np.float32), random.random(7).astype(np.float32)
    found, counts, others = ms.jit(chosen)(Tensor(x), Tensor(w))
    expected = (x > 0.5).sum(1)
    np.testing.assert_array_equal(found.asnumpy(), w[expected.clip(1, 6)])
    np.testing.assert_array_equal(counts.asnumpy(), expected)
    np.testing.assert_array_equal(others.asnumpy(), expected.clip(3))
    assert counts.dtype == others.dtype == ms.int64
    program = ms.jit(lambda x, w: chosen(x, w)[0]).stages(Tensor(x), Tensor(w)).program
    assert "index " in program
    assert "int64" not in program


@needs_machine_code
@pytest.mark.parametrize("shape", [(65537,), (100003,), (3, 1, 33311), (2, 50021)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_sums_of_lengths_that_no_rows_divide(shape: tuple[int, ...], keepdims: bool) -> None:
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32) + np.float32(0.1)
    function = ms.jit(lambda x: (x * 0.5).sum(keepdims=keepdims))
    result = function(Tensor(x)).asnumpy()
    np.testing.assert_allclose(result, (0.5 * x.astype(np.float64)).sum(keepdims=keepdims), 1e-5)
    assert function.stages(Tensor(x)).program.count("= row_add") == 2
    slope = ms.grad(lambda x: (x * x).sum())(Tensor(x)).asnumpy()
    np.testing.assert_allclose(slope, 2 * x, 1e-6)
