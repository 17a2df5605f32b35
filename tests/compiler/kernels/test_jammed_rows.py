"""Sums over rows: several rows are added at a time, and groups that read the same tensor are one kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import has_masked_vectors, unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def statistics(x: Any, w: Any) -> Any:
    return x.sum(0), x.max(0), x.min(0), ops.sqrt((x * x).sum(0)), (x * w).prod(0)


def normalized(x: Any, w: Any) -> Any:
    y = (x - x.mean(0)) / (x.std(0) + 1e-5)
    return ops.tanh(y * w).sum(0), y


def middle(x: Any, w: Any) -> Any:
    y = ops.stack([x, x + 1, x * w])
    return ops.logsumexp(y, 1), ops.softmax(x, 0), y.max(1)


def counted(x: Any, w: Any) -> Any:
    return (x > w).any(0), (x > 0).sum(0), ops.where(x > w, x, 0).sum(0)


@pytest.mark.parametrize(
    ("shape", "dtype", "program"),
    chequered(
        [(12, 40), (9, 17), (34, 8), (13, 33), (200, 100)],
        [np.float32, np.float64],
        [statistics, normalized, middle, counted],
    ),
)
def test_values_are_those_without_kernels(program: Any, dtype: Any, shape: tuple[int, int]) -> None:
    random = np.random.default_rng(0)
    x, w = (Tensor(random.standard_normal(s).astype(dtype)) for s in (shape, shape[1:]))
    found, expected = ms.jit(program)(x, w), ms.jit(program, passes_off=["kernels"])(x, w)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 2e-4, 2e-5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gradients_are_those_without_kernels(dtype: Any) -> None:
    random = np.random.default_rng(1)
    x, w = (Tensor(random.standard_normal(s).astype(dtype)) for s in ((60, 48), (48,)))

    def loss(x: Any, w: Any) -> Any:
        total, y = normalized(x, w)
        return (total * ops.logsumexp(y, 0)).sum()

    found = ms.grad(loss, (0, 1))(x, w)
    expected = ms.jit(ms.grad(loss, (0, 1)), passes_off=["kernels"])(x, w)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 2e-3, 2e-4)


def attention(x: Any, w: Any) -> Any:
    return ops.softmax(x * w, -1), (x - x.mean(1, keep_dims=True)) / ops.sqrt(x.var(1, keepdims=True) + 1e-5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
@pytest.mark.parametrize("shape", [(12, 32), (10, 33), (9, 50), (2, 6, 65), (8, 104), (6, 200)])
def test_rows_that_are_reduced_and_read_again(shape: tuple[int, ...], dtype: Any) -> None:
    """Values and gradients of four, two and single rows; the last axis is reduced."""
    random = np.random.default_rng(0)
    x, w = (Tensor(random.standard_normal(s).astype(dtype)) for s in (shape, shape[-1:]))

    def loss(x: Any, w: Any) -> Any:
        one, other = attention(x, w) if x.ndim == 2 else (ops.softmax(x * w, -1), ops.layer_norm(x, x.shape[-1:]))
        return (one * w).sum() + (other * other * w).mean(), one

    compiled, plain = (
        ms.jit(ms.value_and_grad(loss, (0, 1), has_aux=True), passes_off=off) for off in ((), ("kernels",))
    )
    limit = 2e-2 if dtype == np.float16 else 2e-4
    for found, wanted in zip(compiled(x, w), plain(x, w), strict=True):
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), limit, limit)


@pytest.mark.skipif(not has_masked_vectors(), reason="there is no AVX-512")
@pytest.mark.parametrize(("columns", "rows"), [(64, 16), (128, 16), (208, 32), (300, 64)])
def test_rows_of_few_vectors_are_side_by_side(columns: int, rows: int) -> None:
    text = ms.jit(lambda x: ops.log_softmax(x, -1)).stages(Tensor(np.ones((64, columns), np.float32))).program
    assert f"over {rows} {columns}\n" in text


def test_four_rows_at_a_time_and_one_pass() -> None:
    x, w = Tensor(np.ones((200, 100), np.float32)), Tensor(np.ones(100, np.float32))
    source = ms.jit(statistics).stages(x, w).program
    assert source.count("over 50 100\n") == 1
    assert source.count("compile_kernel('''") == 2  # the other one: roots of the sums
    assert "in x_3 float32[200,100] 1600 4 from 1200\n" in source


def test_nans_and_zeros_of_extremes_over_rows() -> None:
    x = np.zeros((16, 24), np.float32)
    x[3, 5] = np.nan
    x[::2] = -0.0
    most = ms.jit(lambda x: x.max(0))(Tensor(x)).asnumpy()
    assert np.isnan(most[5])
    assert np.isnan(most).sum() == 1
