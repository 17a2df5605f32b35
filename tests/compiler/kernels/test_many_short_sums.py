"""Sums of very many short rows between which an axis stays: in kernels, and exact to the last digits."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
CASES = [
    ((64, 257, 2, 7), (0, 1, 3)), ((20000, 2, 7), (0, 2)), ((64, 257, 3, 5), (0, 1, 3)), ((9000, 3, 20), (0, 2)),
    ((100, 100, 2, 16), (0, 1, 3)), ((12000, 2, 3, 9), (0, 2, 3)), ((3, 9000, 2, 8), (1, 3)),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "axis"), CASES)
def test_sums(shape: tuple[int, ...], axis: tuple[int, ...]) -> None:
    x = (np.random.default_rng(0).random(shape) + 0.5).astype(np.float32)
    compiled = ms.jit(lambda x: ((x * x).sum(axis), x.max(axis), x.min(axis, keepdims=True), x.mean(axis)))
    total, most, least, mean = (part.asnumpy() for part in compiled(Tensor(x)))
    np.testing.assert_allclose(total, (x.astype(np.float64) ** 2).sum(axis), 2e-6)
    np.testing.assert_array_equal(most, x.max(axis))
    np.testing.assert_array_equal(least, x.min(axis, keepdims=True))
    np.testing.assert_allclose(mean, x.mean(axis, dtype=np.float64), 2e-6)
    text = compiled.stages(Tensor(x)).program
    assert text[text.index("def bind") :].count("_reduce(") <= text.count("_sums = ")  # of the parts of threads


def test_the_number_of_rows_may_be_prime() -> None:
    x = np.random.default_rng(0).standard_normal((10007, 2, 9)).astype(np.float32)
    found = ms.jit(lambda x: x.sum((0, 2)))(Tensor(x))
    np.testing.assert_allclose(found, x.sum((0, 2), dtype=np.float64), atol=2e-3)
