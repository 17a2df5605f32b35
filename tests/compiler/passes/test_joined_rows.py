"""Short rows that are computed as long ones: which kernels have them, and that numbers stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def array(*shape: int, dtype: Any = np.float64) -> Tensor:
    """Normal numbers, the same each time."""
    return Tensor(np.random.default_rng(len(shape)).normal(size=shape).astype(dtype))


def widest(function: Any, *given: Any) -> int:
    """The columns of the largest tensor in a kernel."""
    lines = str(function.stages(*given).optimized).split("kernel(", 1)[1]
    shapes = [text.partition("]")[0].split(", ") for text in lines.split("[")[1:] if text[:1].isdigit()]
    sizes = [list(map(int, shape)) for shape in shapes]
    return max(sizes, key=lambda shape: (np.prod(shape), shape[-1]))[-1]


@pytest.mark.parametrize(
    ("dtype", "shape"),
    chequered(
        [np.float32, np.float64, np.int32], [(20_000, 2), (8192, 5), (600, 9, 7), (4096, 16), (2000, 50), (600, 63)]
    ),
)
def test_a_vector_is_added_to_long_rows(shape: tuple[int, ...], dtype: Any) -> None:
    x, b, y = (
        Tensor(np.arange(np.prod(shape)).reshape(shape).astype(dtype)),
        array(shape[-1], dtype=dtype),
        array(*shape, dtype=dtype),
    )
    function = ms.jit(lambda x, b, y: (ops.maximum(x + b, y) * 3, (x - b) * y))
    expected = np.maximum(x.asnumpy() + b.asnumpy(), y.asnumpy()) * 3, (x.asnumpy() - b.asnumpy()) * y.asnumpy()
    for found, wanted in zip(function(x, b, y), expected, strict=True):
        assert found.shape == shape
        np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-5)
    assert widest(function, x, b, y) > shape[-1]


def test_gradients_are_added_up_over_long_rows() -> None:
    x, b, w = array(9000, 5), array(5), array(1, 5)

    def loss(x: Any, b: Any, w: Any) -> Any:
        return (ops.tanh(x * w + b) ** 2).sum()

    function = ms.value_and_grad(loss, (0, 1, 2))
    value, (dx, db, dw) = function(x, b, w)
    t = np.tanh(x.asnumpy() * w.asnumpy() + b.asnumpy())
    d = 2 * t * (1 - t * t)
    assert value.asnumpy() == pytest.approx((t * t).sum())
    np.testing.assert_allclose(dx.asnumpy(), d * w.asnumpy(), rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(db.asnumpy(), d.sum(0), rtol=1e-9)
    np.testing.assert_allclose(dw.asnumpy(), (d * x.asnumpy()).sum(0, keepdims=True), rtol=1e-9)
    assert widest(function, x, b, w) > 5


@pytest.mark.parametrize(
    "function",
    [
        lambda x, b: ops.softmax(x + b, -1),  # combines columns
        lambda x, b: (x + b) * x[:, :1],  # a number for each row
        lambda x, b: ops.flip(x, (1,)) + b,  # no row after the other
    ],
)
def test_other_kernels_keep_their_rows(function: Any) -> None:
    x, b = array(8192, 6), array(6)
    compiled = ms.jit(function)
    plain = ms.jit(function, passes_off=["joined_rows"])
    np.testing.assert_allclose(compiled(x, b).asnumpy(), plain(x, b).asnumpy(), rtol=1e-12)
    assert widest(compiled, x, b) == 6


def test_numbers_of_rows_without_factors_stay() -> None:
    x, b = array(32_771, 3), array(3)
    function = ms.jit(lambda x, b: ops.exp(x + b))
    np.testing.assert_allclose(function(x, b).asnumpy(), np.exp(x.asnumpy() + b.asnumpy()), rtol=1e-12)
    assert widest(function, x, b) == 3


def test_loops_join_rows() -> None:
    x, b = array(8192, 6), array(6)

    @ms.jit
    def function(x: Any, b: Any) -> Any:
        total = ops.zeros((), ms.float64)
        for _ in range(20):
            x = ops.tanh(x + b)
            total = total + x[0, 0] * x.sum(0)[1]
        return x, total

    expected, total = x.asnumpy(), 0.0
    for _ in range(20):
        expected = np.tanh(expected + b.asnumpy())
        total += expected[0, 0] * expected.sum(0)[1]
    found = function(x, b)
    np.testing.assert_allclose(found[0].asnumpy(), expected, rtol=1e-10)
    assert found[1].asnumpy() == pytest.approx(total)
