"""Assignments to boxes and by masks, reads of boxes, and triangles in kernels: the same numbers as NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

S = slice
BOXES = {
    "inside": (S(1, -1), S(2, -3)),
    "to the end": (S(3, None),),
    "from the start": (S(None), S(None, 90)),
    "all": (S(None), S(None)),
    "one row short": (S(0, 79), S(None)),
    "small": (S(4, 6), S(1, 3)),
    "a row": (5,),
    "columns of a row": (-1, S(10, 90)),
    "nothing": (S(5, 5),),
    "every second": (S(None, None, 2), S(1, None, 2)),
}


@pytest.mark.parametrize(("dtype", "box"), chequered([np.float32, np.float64, np.float16], BOXES))
def test_boxes(box: str, dtype: Any) -> None:
    random, key = np.random.default_rng(0), BOXES[box]
    x = random.standard_normal((80, 96)).astype(dtype)
    y = random.standard_normal(x[key].shape).astype(dtype)

    def assign(x: Any, y: Any) -> Any:
        z = x * 1
        z[key] = y * 2
        return (ops.square(z) * x).sum() + z[key].sum()

    found, plain = (ms.jit(ms.value_and_grad(assign, (0, 1)), passes_off=off) for off in ([], ["lower_for_kernels"]))
    (value, gradients), (expected, others) = found(Tensor(x), Tensor(y)), plain(Tensor(x), Tensor(y))
    tolerance = 1e-2 if dtype is np.float16 else 1e-4
    for one, other in zip((value, *gradients), (expected, *others), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), tolerance, tolerance)
    large = box in ("inside", "to the end", "from the start", "one row short") and dtype is not np.float16
    assert ("assembled" in str(found.stages(Tensor(x), Tensor(y)).optimized)) == large


@pytest.mark.parametrize("shape", [(40, 50), (300, 401), (5, 40, 30)])
def test_an_assignment_alone_is_a_kernel(shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(4)
    x, y = (random.standard_normal(shape).astype(np.float32) for _ in range(2))
    key = (S(1, -1),) * len(shape)

    @ms.jit
    def assign(x: Any, y: Any) -> Any:
        z = x.copy()
        z[key] = y[key]
        return z

    wanted = x.copy()
    wanted[key] = y[key]
    np.testing.assert_array_equal(assign(Tensor(x), Tensor(y)).asnumpy(), wanted)
    assert "kernel(" in assign.stages(Tensor(x), Tensor(y)).program


def test_values_that_broadcast_and_zeros() -> None:
    x = np.random.default_rng(1).standard_normal((6, 40, 50)).astype(np.float32)
    x[0, 0, 0] = -0.0

    @ms.jit
    def assign(x: Any) -> Any:
        z, w, v = x * 1, x * 1, x * 1
        z[1:, 2:-1, 3:-3] = x[0, 2:-1, 3:-3]
        w[:, 2:-1] = 0.0
        v[:, 2:-1] = -0.0
        return z, w, v

    z, w, v = x.copy(), x.copy(), x.copy()
    z[1:, 2:-1, 3:-3], w[:, 2:-1], v[:, 2:-1] = x[0, 2:-1, 3:-3], 0.0, -0.0
    for found, wanted in zip(assign(Tensor(x)), (z, w, v), strict=True):
        np.testing.assert_array_equal(found.asnumpy(), wanted)
        np.testing.assert_array_equal(np.signbit(found.asnumpy()), np.signbit(wanted))


def test_numbers_under_a_mask_are_chosen() -> None:
    x = np.random.default_rng(2).standard_normal((30, 20, 4)).astype(np.float32)

    @ms.jit
    def assign(x: Any) -> Any:
        z, w = x * 1, x * 1
        z[z > 0.5] = -1.0
        w[w.sum(2) > 0] = 2.0
        return z, w

    z, w = x.copy(), x.copy()
    z[z > 0.5] = -1.0
    w[w.sum(2) > 0] = 2.0
    for found, wanted in zip(assign(Tensor(x)), (z, w), strict=True):
        np.testing.assert_array_equal(found.asnumpy(), wanted)
    assert "kernels['index_update']" not in assign.stages(Tensor(x)).program


@pytest.mark.parametrize(
    ("dtype", "k"),
    chequered([np.float32, np.float64, np.int32, np.int64], [-400, -300, -299, -1, 0, 1, 250, 260, 10**12]),
)
def test_large_triangles(k: int, dtype: Any) -> None:
    x = (np.random.default_rng(3).standard_normal((300, 260)) * 9).astype(dtype)
    both = ms.jit(lambda x: (ops.tril(x, k), ops.triu(x, k)))
    near = max(-301, min(k, 301))
    for found, wanted in zip(both(Tensor(x)), (np.tril(x, near), np.triu(x, near)), strict=True):
        np.testing.assert_array_equal(found.asnumpy(), wanted)
    assert "kernels['tri" not in both.stages(Tensor(x)).program
