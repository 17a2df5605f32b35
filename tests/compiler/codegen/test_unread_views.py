"""Views that only kernels read are not made, and results that are joined from small parts are copied once."""

from __future__ import annotations

from typing import Any

import numpy as np

import mycel as ms
from mycel import Tensor, ops


def smooth(x: Any) -> Any:
    state, rows = x[0], []
    for step in range(20):
        state = 0.9 * state + 0.1 * x[step]
        rows.append(x[step] - state)
    return ops.stack(rows)


def test_rows_of_an_argument_and_of_a_result() -> None:
    x = np.random.default_rng(5).standard_normal((20, 30)).astype(np.float32)
    function = ms.jit(smooth)
    state, wanted = x[0], []
    for row in x:
        state = np.float32(0.9) * state + np.float32(0.1) * row
        wanted.append(row - state)
    first = function(Tensor(x))
    np.testing.assert_allclose(first.asnumpy(), wanted, 1e-5, 1e-6)
    function(Tensor(2 * x))
    np.testing.assert_allclose(first.asnumpy(), wanted, 1e-5, 1e-6)  # the result is an array of its own
    run = function.stages(Tensor(x)).program.partition("def smooth")[2]
    assert run.count("= x[") == 1  # the first state; the loop reads its rows where they lie
    assert ".copy()" not in run


def test_views_that_others_read_are_made() -> None:
    x = np.random.default_rng(6).standard_normal((6, 8)).astype(np.float32)

    @ms.jit
    def both(x: Any) -> Any:
        part = x[2]
        return ops.exp(part).sum(), part, ops.sort(x[3])[0]

    found = both(Tensor(x))
    for one, other in zip(found, (np.exp(x[2]).sum(), x[2], np.sort(x[3])), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other, 1e-5)


def test_rows_at_known_indices_are_assigned_where_they_are() -> None:
    x = np.random.default_rng(7).standard_normal((5, 6)).astype(np.float32)

    @ms.jit
    def filled(x: Any) -> Any:
        kept = ops.zeros((5, 6), ms.float32)
        kept[1] = x[0] * 2
        kept[2:4, ::2] = x[1, :3] + 1
        kept[-1, 3] = x[2, 2] * 3
        return ops.tanh(kept)

    wanted = np.zeros((5, 6), np.float32)
    wanted[1], wanted[2:4, ::2], wanted[-1, 3] = x[0] * 2, x[1, :3] + 1, x[2, 2] * 3
    for _ in range(2):
        np.testing.assert_allclose(filled(Tensor(x)).asnumpy(), np.tanh(wanted), 1e-5, 1e-6)
    assert filled.stages(Tensor(x)).program.count("index_update(") <= 1


def test_gradients_of_every_second_element() -> None:
    x = np.random.default_rng(8).standard_normal((6, 9)).astype(np.float32)

    def loss(x: Any) -> Any:
        return (x[::2, 1::3] * 2).sum() + (x[1::2, ::3] ** 2).sum() + x[::-1, 2::3].prod() + x[::4].sum()

    wanted = np.zeros_like(x)
    wanted[::2, 1::3] += 2
    wanted[1::2, ::3] += 2 * x[1::2, ::3]
    wanted[:, 2::3] += x[:, 2::3].prod() / x[:, 2::3]
    wanted[::4] += 1
    np.testing.assert_allclose(ms.jit(ms.grad(loss))(Tensor(x)).asnumpy(), wanted, 1e-4, 1e-5)


def test_what_a_branch_does_not_save_is_not_copied() -> None:
    """The residuals of inner conditions have no numbers where the outer condition is false, in any order of calls."""

    @ms.jit
    def f(x: Any) -> Any:
        y = x
        if y.sum() < 1.0:
            y = ops.tanh(y * 2.0)
            if y.sum() < 0.5:
                y = ops.exp(y) * x
                if y.sum() < 0.2:
                    y = y * y * x
        return y.sum()

    def wanted(x: Any) -> Any:
        if x.sum() >= 1:
            return np.ones_like(x)
        y = np.tanh(2 * x)
        slope = 2 * (1 - y * y)
        if y.sum() >= 0.5:
            return slope
        z = np.exp(y) * x
        inner = np.exp(y) + z * slope
        return inner if z.sum() >= 0.2 else z * z + 2 * z * x * inner

    gradient = ms.jit(ms.grad(f))
    seen = set()
    for total in (-3.0, 3.0, 0.3, 0.11, -0.5, 2.0, 0.2, -1.0):
        x = np.full(4, total / 4, np.float32)
        np.testing.assert_allclose(gradient(Tensor(x)).asnumpy(), wanted(x), 1e-4, 1e-5)
        y = np.tanh(2 * x)
        seen.add((x.sum() < 1, y.sum() < 0.5, (np.exp(y) * x).sum() < 0.2))
    assert len(seen) >= 4
    assert "undefined" not in gradient.stages(Tensor(x)).program


def test_results_of_large_parts_are_arrays_of_their_own() -> None:
    generator = np.random.default_rng(8)
    a = generator.standard_normal((100, 100)).astype(np.float32)
    b = generator.standard_normal((100, 200)).astype(np.float32)
    c = generator.standard_normal(10_000).astype(np.float32)

    @ms.jit
    def function(a: Any, b: Any, c: Any) -> Any:
        product, scaled = a @ b, ops.zeros((10_000,))
        for _ in range(5):
            scaled = scaled * 0.5 + c
        more = c * 2.0 if c.sum() > 0 else c + 1.0
        parts = [product.reshape(-1), ops.tanh(a).reshape(-1), scaled, more, c]
        return ops.cat(parts), product.sum()

    def wanted(c: np.ndarray) -> np.ndarray:
        more = c * 2.0 if c.sum() > 0 else c + 1.0
        return np.concatenate([(a @ b).ravel(), np.tanh(a).ravel(), c * 1.9375, more, c])

    first, total = function(Tensor(a), Tensor(b), Tensor(np.abs(c)))
    second, _ = function(Tensor(a), Tensor(b), Tensor(-np.abs(c)))
    np.testing.assert_allclose(first.asnumpy(), wanted(np.abs(c)), 1e-4, 1e-4)
    np.testing.assert_allclose(second.asnumpy(), wanted(-np.abs(c)), 1e-4, 1e-4)
    np.testing.assert_allclose(total.asnumpy(), (a @ b).sum(), 1e-3, 1e-2)
    assert "concatenate(" not in function.stages(Tensor(a), Tensor(b), Tensor(c)).program
