"""Positions by the number of an iteration: chosen by masks, with the numbers of the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def forward_substitution(a: Any, b: Any) -> Any:
    x = ops.zeros_like(b)
    for i in range(b.shape[0]):
        x[i] = b[i] - (a[i] * x).sum()
    return x


def back_substitution(a: Any, b: Any) -> Any:
    x = ops.zeros_like(b)
    for i in range(b.shape[0] - 1, -1, -1):
        x[i] = ops.tanh(b[i] - (a[i] * x).sum()) + 0.1 * x.max()
    return x


def gauss_seidel(a: Any, b: Any) -> Any:
    x = b.copy()
    for i in range(2 * b.shape[0]):
        k = i // 2
        x[k] = 0.5 * x[k] + 0.1 * (a[k] * x).sum()
    return x


def rows(a: Any, b: Any) -> Any:
    x = ops.zeros_like(a)
    for i in range(b.shape[0]):
        x[i] = ops.tanh(x.sum(0)) * a[i] + b[i]
    return x


def normalised(a: Any, b: Any) -> Any:
    """States that are reduced and overwritten."""
    x, out = b, []
    for i in range(a.shape[0]):
        x = ops.softmax(x + a[i], 0) - x / (1.0 + ops.sqrt((x * x).sum()))
        out.append(x.max())
    return x + ops.stack(out)


PROGRAMS = [forward_substitution, back_substitution, gauss_seidel, rows, normalised]


@pytest.mark.parametrize(("dtype", "size", "program"), chequered([np.float32, np.float64], [41, 48], PROGRAMS))
def test_values_and_gradients(program: Any, size: int, dtype: Any) -> None:
    random = np.random.default_rng(size)
    a = Tensor((0.1 * random.standard_normal((size, size))).astype(dtype))
    b = Tensor(random.standard_normal(size).astype(dtype))

    def loss(a: Any, b: Any) -> Any:
        return (ops.square(program(a, b)) * (1.0 + b)).sum()

    found = ms.jit(ms.value_and_grad(loss, (0, 1)))(a, b)
    plain = ms.jit(ms.value_and_grad(loss, (0, 1)), passes_off=["kernels", "lower_for_kernels"])(a, b)
    for one, other in zip((found[0], *found[1]), (plain[0], *plain[1]), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 2e-4, 2e-5)


@pytest.mark.parametrize("program", [forward_substitution, back_substitution, normalised])
def test_all_iterations_are_one_kernel(program: Any) -> None:
    given = ops.ones((48, 48)), ops.ones((48,))
    for function in (ms.jit(program), ms.grad(lambda a, b: program(a, b).sum(), (0, 1))):
        names = {node.op.name for node in function.stages(*given).optimized.nodes}
        assert "loop_kernel" in names
        assert "scan" not in names


def test_single_elements_stay_what_they_are() -> None:
    """Also nan, infinite ones and the negative zero."""

    @ms.jit
    def function(x: Any) -> Any:
        y, out = x * 2.0, []
        for i in range(x.shape[0]):
            y = ops.roll(y, 1, 0)
            out.append(y[i])
        return ops.stack(out)

    x = np.tile(np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0], np.float32), 8)
    y, expected = x * 2, []
    for i in range(len(x)):
        y = np.roll(y, 1)
        expected.append(y[i])
    found = function(Tensor(x)).asnumpy()
    np.testing.assert_array_equal(found, np.array(expected))
    np.testing.assert_array_equal(np.signbit(found)[~np.isnan(found)], np.signbit(expected)[~np.isnan(found)])
