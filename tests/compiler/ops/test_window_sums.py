"""Means of windows as sums, which machine code adds up, and quotients that neighbours compute."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops
from mycel.runtime.kernels.pool import pool_sizes
from mycel.runtime.machine.product import has_products

pytestmark = pytest.mark.skipif(not has_products(), reason="machine code is off, or the processor has no AVX2")


# Every fifth choice by default, all of them among the slow tests: each argument still meets each other one.
CHOICES = [
    pytest.param(*choice, *divided, marks=[pytest.mark.slow] * (number % 5 > 0))
    for number, (*choice, divided) in enumerate(
        product([2, 3, (3, 2)], [1, 2, 3], [0, 1], [False, True], [(True, None), (False, None), (True, 5), (True, 1)])
    )
]


@pytest.mark.parametrize(("kernel", "stride", "padding", "ceil_mode", "counts", "divisor"), CHOICES)
def test_means_and_gradients_are_those_of_numpy(
    kernel: int | tuple[int, int], stride: int, padding: int, ceil_mode: bool, counts: bool, divisor: int | None
) -> None:
    """Also where windows at the border have fewer elements, and with a divisor of the user's."""
    net = nn.AvgPool2d(kernel, stride, "pad" if padding else "valid", padding, ceil_mode, counts, divisor)
    x = Tensor(np.random.default_rng(0).standard_normal((2, 3, 11, 9)).astype(np.float32))

    def function(x: Tensor) -> Tensor:
        return ops.sin(net(x * 2.0)).sum()

    found = ms.jit(ms.value_and_grad(function))(x)
    with ms.disable_jit():
        expected = ms.value_and_grad(function)(x)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=2e-5, atol=1e-6)


def test_a_program_calls_machine_code_and_divides_with_its_neighbours() -> None:
    net = nn.AvgPool2d(3, 2)
    gradient = ms.jit(ms.grad(lambda x: ops.square(net(x)).sum()))
    text = gradient.stages(Tensor(np.ones((2, 3, 12, 12), np.float32))).program
    assert "avg_pool_directly(" in text
    assert "avg_pool_grad_directly(" in text
    assert text.count("compile_kernel(") == 1


def test_sums_have_sizes_as_maxima_do() -> None:
    """The spread of a gradient is for the shape of the images."""
    windows = {"kernel": (2, 2), "stride": (2, 2), "padding": ((0, 0), (0, 0)), "ceil_mode": False}
    for kind in ("add", "spread", "maximum", "gradient"):
        found = pool_sizes(kind, (2, 3, 8, 6), np.dtype(np.float32), windows)
        assert found is not None
        assert (found[0].image, found[0].windows) == ((8, 6), (4, 3))
