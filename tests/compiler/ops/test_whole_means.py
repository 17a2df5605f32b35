"""Means over windows in simpler forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.kernels import eligible
from mycel.compiler.ops.whole_means import equal_windows

needs_kernels = pytest.mark.skipif(not eligible.is_available(), reason="machine code is off")


@needs_kernels
@pytest.mark.parametrize(("size", "op"), [(1, "sum("), (2, "= avg_pool("), ((5, 7), ""), (3, "= adaptive_avg_pool(")])
def test_adaptive_means_and_their_gradients(size: Any, op: str) -> None:
    """Of the whole image, of windows with overlap, of single elements, and of windows that differ."""
    x = Tensor(np.random.default_rng(0).standard_normal((2, 3, 5, 7)).astype(np.float32))

    def loss(x: Any) -> Any:
        return (ops.adaptive_avg_pool2d(x * 2.0, size) ** 3).sum()

    gradient = ms.value_and_grad(loss)
    text = str(gradient.stages(x).optimized)
    assert op in text
    assert ("= adaptive" in text) is ("adaptive" in op)
    others = ms.jit(passes_off=["lower_for_kernels"])(gradient)
    for one, other in zip(gradient(x), others(x), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-6)


@needs_kernels
@pytest.mark.parametrize("divisor", [None, 3])
def test_windows_that_are_the_whole_image_are_sums(divisor: int | None) -> None:
    x = Tensor(np.random.default_rng(0).standard_normal((2, 3, 5, 7)).astype(np.float32))

    def loss(x: Any) -> Any:
        return (ops.avg_pool2d(x, (5, 7), divisor_override=divisor or 0) ** 3).sum()

    gradient = ms.value_and_grad(loss)
    assert "= avg_pool" not in str(gradient.stages(x).optimized)
    others = ms.jit(passes_off=["lower_for_kernels"])(gradient)
    for one, other in zip(gradient(x), others(x), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5)


def test_which_windows_are_equal() -> None:
    found = equal_windows((7, 9), (3, 3))
    assert found is not None
    assert (found["kernel"], found["stride"]) == ((3, 3), (2, 3))
    assert [equal_windows(*sizes) for sizes in (((5,), (3,)), ((10,), (4,)), ((3,), (7,)), ((None,), (1,)))] == [
        None
    ] * 4
