"""Factors leave the sums of rows: kernels take fewer passes, and give what they gave before."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native.language import parse
from mycel.runtime.native.stages import divide

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def softmax(x: Any, w: Any) -> Any:
    return (ops.softmax(x) * w).sum()


def layer_norm(x: Any, w: Any) -> Any:
    return (ops.layer_norm(x, x.shape[-1:], w[0], w[1]) * w).sum()


def parts(x: Any, w: Any) -> Any:
    r = ops.exp(-(x * x).mean(-1, keep_dims=True))
    return ((x * r - (w / r) * x) * r).sum(-1), ((3 * x) / r - x * r * w).sum(-1), (x + w * r).sum(-1)


def passes(function: Any, *arrays: Tensor) -> list[int]:
    program = ms.jit(function).stages(*arrays).program
    return [divide(parse(text)).passes for text in re.findall(r"compile_kernel\('''(.*?)'''\)", program, re.DOTALL)]


@pytest.mark.parametrize(
    ("shape", "dtype", "function"),
    chequered(
        [(4, 40), (9, 17), (40, 3), (3, 600)],
        [np.float16, np.float32, np.float64],
        [ms.grad(softmax, (0, 1)), ms.grad(layer_norm, (0, 1)), parts],
    ),
)
def test_values_are_those_without_kernels(function: Any, dtype: Any, shape: tuple[int, int]) -> None:
    random = np.random.default_rng(0)
    x, w = (Tensor(random.standard_normal(shape).astype(dtype)) for _ in range(2))
    found, expected = ms.jit(function)(x, w), ms.jit(function, passes_off=["kernels"])(x, w)
    limit = {"float16": 4e-2, "float32": 2e-5, "float64": 1e-12}[np.dtype(dtype).name]
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), limit, limit * np.abs(other.asnumpy()).max())


def test_gradients_take_three_passes() -> None:
    x, w = (Tensor(np.ones((5, 40), np.float32)) for _ in range(2))
    assert passes(ms.grad(softmax), x, w) == [3]
    assert max(passes(ms.grad(layer_norm), x, w)) == 3


def test_terms_that_are_no_products_are_added_first() -> None:
    """The sum of differences that nearly cancel is not the difference of sums."""

    def below_top(x: Any, w: Any) -> Any:
        return (x - x.max(-1, True) * w).sum(-1)

    x = (1e4 + np.random.default_rng(0).random((6, 4000))).astype(np.float32)
    found = ms.jit(below_top)(Tensor(x), Tensor(np.ones_like(x))).asnumpy()
    wide = x.astype(np.float64)
    np.testing.assert_allclose(found, (wide - wide.max(-1, keepdims=True)).sum(-1), 1e-5)


@pytest.mark.parametrize("size", [1e-25, 1e25])
def test_scales_keep_numbers_in_range(size: float) -> None:
    """Products of numbers that are divided by the greatest of their row, or by their sum, are finite, and not zero."""

    def scaled(x: Any, w: Any) -> Any:
        return ((x / ops.abs(x).max(-1, keepdims=True)) * w).sum(-1), ((x / x.sum(-1, keepdims=True)) * w).sum(-1)

    random = np.random.default_rng(0)
    x, w = ((random.uniform(0.1, 1, (4, 40)) * size).astype(np.float32) for _ in range(2))
    wide = x.astype(np.float64), w.astype(np.float64)
    first, second = ms.jit(scaled)(Tensor(x), Tensor(w))
    np.testing.assert_allclose(first.asnumpy(), (wide[0] / wide[0].max(-1, keepdims=True) * wide[1]).sum(-1), 1e-5)
    np.testing.assert_allclose(second.asnumpy(), (wide[0] / wide[0].sum(-1, keepdims=True) * wide[1]).sum(-1), 1e-5)
