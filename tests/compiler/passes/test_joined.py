"""Elements of joined vectors: they are computed alone, with the numbers and gradients of the vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops


def orbit(p: Any, y: Any) -> Any:
    """Steps of Heun on a state of two numbers."""

    def slope(y: Any) -> Any:
        return ops.stack([p[0] * y[0] - p[1] * y[0] * y[1], p[2] * y[0] * y[1] - ops.tanh(y[1])])

    for _ in range(45):
        first = slope(y)
        y = y + 0.01 * (first + slope(y + 0.02 * first))
    return (y * y).sum()


def rows(p: Any, y: Any) -> Any:
    """Columns that are stacked and taken apart, one of them twice."""
    x = ops.stack([y[0] * ops.ones(9), p[1] * ops.arange(9).float(), y[1] + ops.zeros(9)], 1)
    z = ops.exp(0.1 * x * p[:3])
    return (z[:, 1] * z[:, 2] + z[:, 1:2].squeeze(1)).sum() + z.sum()


def padded(p: Any, y: Any) -> Any:
    """Gradients of elements are padded, and taken apart."""
    z = ops.cat([y * p[:2], p[2:3]])
    w = 2.0 * ops.cat([z[1:], z[:1] * z[2]])
    return (w[0] * w[2] + z[-1] * w[1]).sum()


@pytest.mark.parametrize("program", [orbit, rows, padded])
def test_values_and_gradients(program: Any) -> None:
    given = [Tensor(np.array(numbers, np.float32)) for numbers in ([1.1, 0.4, 0.3, 0.2], [1.5, 0.7])]
    found = ms.jit(ms.value_and_grad(program, (0, 1)))(*given)
    plain = ms.jit(ms.value_and_grad(program, (0, 1)), passes_off=["simplify", "kernels"])(*given)
    np.testing.assert_allclose(found[0].asnumpy(), plain[0].asnumpy(), 1e-5)
    for one, other in zip(found[1], plain[1], strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 2e-5, 1e-6)


def test_a_step_is_one_kernel_of_numbers() -> None:
    given = [Tensor(np.array(numbers, np.float32)) for numbers in ([1.1, 0.4, 0.3, 0.2], [1.5, 0.7])]
    text = str(ms.jit(orbit).stages(*given).optimized)
    body = text.partition("scan(")[2].partition("return %y")[0]
    assert "= slice(%add" not in body


def test_what_a_loop_keeps_twice_is_kept_once() -> None:
    def loss(x: Any, w: Any) -> Any:
        for _ in range(50):
            x = x + 0.01 * ops.sin(w[0] * x[0] * x[0]) * w[0] * x[0]
        return x.sum()

    given = Tensor(np.ones(3, np.float32)), Tensor(np.ones(2, np.float32))
    joint = ms.jit(ms.grad(loss, (0, 1)), passes_off=["kernels"])
    plain = ms.jit(ms.grad(loss, (0, 1)), passes_off=["cse", "cse_again", "kernels"])
    for f in (joint, plain):  # differentiation keeps a value once, also where nothing merges equal nodes
        assert str(f.stages(*given).optimized).partition(" = scan(")[0].count("[50") <= 5
    for one, other in zip(joint(*given), plain(*given), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-5)


def turning(p: Any, y: Any) -> Any:
    """Points turn around an axis, in steps of Runge and Kutta; coordinates are stacked, and whole points added."""
    z = p[:3] * ops.arange(15).float().reshape(5, 3) * 0.1 + y[0]

    def slope(z: Any) -> Any:
        return ops.stack([-z[:, 1], z[:, 0] * y[1], 0.1 * z[:, 0] * z[:, 2]], 1)

    for _ in range(6):
        first = slope(z)
        z = z + 0.05 * (first + 2 * slope(z + 0.1 * first) + ops.minimum(first, p[3]))
    return (z * z).sum()


def test_points_are_computed_by_coordinate() -> None:
    given = [Tensor(np.array(numbers, np.float32)) for numbers in ([1.1, 0.4, 0.3, 0.2], [1.5, 0.7])]
    found = ms.jit(ms.value_and_grad(turning, (0, 1)))(*given)
    plain = ms.value_and_grad(turning, (0, 1))(*given)
    np.testing.assert_allclose(found[0].asnumpy(), plain[0].asnumpy(), 1e-5)
    for one, other in zip(found[1], plain[1], strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 2e-5, 1e-5)


@pytest.mark.parametrize(("parts", "axis", "moved"), [(2, 1, True), (4, 0, True), (5, 1, False)])
def test_a_concatenation_of_few_elements_comes_last(parts: int, axis: int, moved: bool) -> None:
    def joined(*given: Any) -> Any:
        return ops.tanh(ops.stack(given[1:], axis) * given[0] + 1.0)

    arrays = [np.random.default_rng(i).standard_normal(7).astype(np.float32) for i in range(parts)]
    shape = (7, parts) if axis else (parts, 7)
    given = [Tensor(array) for array in (np.random.default_rng(9).standard_normal(shape).astype(np.float32), *arrays)]
    f = ms.jit(joined, passes_off=["kernels"])
    np.testing.assert_allclose(f(*given).asnumpy(), joined(*given).asnumpy(), 1e-6)
    text = str(f.stages(*given).optimized)
    assert (text.index("concatenate(") > text.rindex("tanh(")) is moved


@pytest.mark.parametrize(("name", "count"), [("mean", 10), ("max", 16), ("sum", 5), ("min", 17)])
def test_windows_are_reduced_as_they_are_read(name: str, count: int) -> None:
    x = Tensor(np.random.default_rng(0).normal(size=(3, 40)))

    @ms.jit
    def reduced(x: Any) -> Any:
        stacked = ops.stack([x[:, first : first + 20] for first in range(count)], -1)
        found = getattr(stacked, name)(-1)
        return found[0] if isinstance(found, tuple) else found

    windows = np.lib.stride_tricks.sliding_window_view(x.asnumpy(), 20, axis=1)[:, :count]
    np.testing.assert_allclose(reduced(x).asnumpy(), getattr(windows, name)(1), rtol=1e-12)
    assert ("concatenate" in str(reduced.stages(x).optimized)) is (count > 16)


def test_parts_without_elements() -> None:
    """A part of no elements and one of two are no three single elements."""

    def f(x: Tensor) -> Any:
        return ops.cat([x[:, :1], x[:, :0], x[:, 1:]], 1).sum(1)

    x = Tensor(np.arange(12.0).reshape(4, 3))
    np.testing.assert_array_equal(ms.jit(f)(x).asnumpy(), [3, 12, 21, 30])
