"""Residuals: of loops, views of one value and equal ones are stacked once; of branches, placeholders are shared."""

from __future__ import annotations

import linecache
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


def guarded(count: int) -> Any:
    """A function with so many early returns, each under a condition of the run."""
    guards = "".join(
        f"    y = ops.tanh(y) * 1.25 + x\n    if y.sum() > {9 - k / 7}:\n        return (y * {k}.5).sum()\n"
        for k in range(count)
    )
    text = f"def program(x):\n    y = x\n{guards}    return (y * y).sum()\n"
    filename = f"<{count} early returns>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names: dict[str, Any] = {"ops": ops}
    exec(compile(text, filename, "exec"), names)
    return names["program"]


def test_gradients_of_early_returns_grow_with_their_number() -> None:
    """What a branch has not saved is one placeholder for each type, however many branches are inside one another."""
    x = Tensor([0.5, -0.25, 0.75])
    counts = []
    for count in (10, 20, 30):
        gradient = ms.jit(ms.grad(guarded(count)))
        gradient(x)
        (trace,) = gradient.explain().traces
        counts.append(trace.nodes)
    assert counts[2] - counts[1] == counts[1] - counts[0] < 250
    taken = set()
    for size in (-2.0, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0):
        with ms.disable_jit():
            expected = ms.grad(guarded(30))(x * size).asnumpy()
        np.testing.assert_allclose(gradient(x * size).asnumpy(), expected, rtol=1e-5, atol=1e-6)
        taken.add(expected.round(3).tobytes())
    assert len(taken) > 3
