"""Residuals of loops: views of one value, and equal ones, are stacked once."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops


def halves(y: Any) -> Any:
    """Four slices of the state and four of a value computed from it, all read by the backward."""
    for _ in range(50):
        a, b = y[:32], y[32:]
        z = ops.cat([a * b, a - b * b], 0) * 0.1
        y = ops.tanh(y + ops.cat([z[:32] * z[32:], z[32:] * y[:32]], 0))
    return y.sum()


def small_parts(y: Any) -> Any:
    """Two equal slices, which are much smaller than what they are of."""
    for _ in range(50):
        y = ops.sin(y) * 0.9 + y[3:5].sum() * y[3:5].prod() * 0.1
    return y.sum()


def turned(y: Any) -> Any:
    """Rows and columns, twice each, and a part of a transposed value."""
    for _ in range(50):
        m = (y * 0.9).reshape(8, 8)
        y = ops.tanh(m[0] * m[:, 1] + m[0] * m.T[1] + m.T[2:4].reshape(-1)[:8]).tile((8,)) + 0.5 * y
    return y.sum()


def stacks(text: str) -> list[int]:
    """The sizes of what the forward loop stacks, for an iteration."""
    made = re.search(r"\n  ([^\n]*) = scan\([^\n]*reverse=False", text)
    assert made is not None
    shapes = re.findall(r"f64\[50(?:, )?([\d, ]*)\]", made[1])
    return [int(np.prod([int(n) for n in shape.split(", ") if n], dtype=int)) for shape in shapes]


@pytest.mark.parametrize(("function", "most"), [(halves, 3 * 64), (small_parts, 2 + 2 + 64), (turned, 3 * 64)])
def test_gradients(function: Any, most: int) -> None:
    """As those of finite differences, and what is stacked."""
    x = np.random.default_rng(0).normal(size=64) * 0.5
    gradient = ms.grad(function)
    slope = gradient(Tensor(x)).asnumpy()
    for number in range(0, 64, 7):
        ends = []
        for step in (1e-6, -1e-6):
            moved = x.copy()
            moved[number] += step
            ends.append(float(function(Tensor(moved)).asnumpy()))
        np.testing.assert_allclose(slope[number], (ends[0] - ends[1]) / 2e-6, rtol=1e-5, atol=1e-7)
    assert sum(stacks(str(gradient.stages(Tensor(x)).joint))) <= most
