"""Causal attention leaves out what its mask leaves out: the same numbers, from products of triangles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.kernels.products import banded_matmul
from mycel.runtime.machine.executable import unavailable

N = 112
INFINITE = float("-inf")
LATER: Callable[[], Any] = lambda: ops.triu(ops.ones((N, N)), 1).bool()  # noqa: E731
EARLIER: Callable[[], Any] = lambda: ops.tril(ops.ones((N, N))).bool()  # noqa: E731
MASKS: dict[str, Callable[[Any, Any], Any]] = {
    "filled": lambda scores, seen: ops.masked_fill(scores, LATER(), INFINITE),
    "chosen": lambda scores, seen: ops.where(EARLIER(), scores, INFINITE),
    "added": lambda scores, seen: scores + ops.triu(ops.full((N, N), INFINITE, dtype=ms.float32), 1),
    "positions": lambda scores, seen: ops.where(ops.arange(N)[:, None] >= ops.arange(N)[None], scores * 0.3, INFINITE),
    "with padding": lambda scores, seen: ops.masked_fill(
        scores, ops.logical_or(LATER(), seen[:, None, None, :] == 0), INFINITE
    ),
    "inverted": lambda scores, seen: ops.masked_fill(scores, ops.logical_not(EARLIER()), INFINITE),
}
WHOLE: dict[str, Callable[[Any, Any], Any]] = {
    "padding": lambda scores, seen: ops.masked_fill(scores, seen[:, None, None, :] == 0, INFINITE),
    "earlier positions": lambda scores, seen: ops.masked_fill(scores, EARLIER(), INFINITE),
    "one position": lambda scores, seen: ops.masked_fill(scores, ops.triu(ops.ones((N, N)), 2).bool(), INFINITE),
}


def attention(mask: Callable[[Any, Any], Any], **options: Any) -> Any:
    """The value and the gradients of attention."""

    def function(query: Any, key: Any, value: Any, seen: Any) -> Any:
        scores = mask(ops.matmul(query, key.swapaxes(-1, -2)) / 4.0, seen)
        return ops.square(ops.matmul(ops.softmax(scores, -1), value)).mean()

    gradient = ms.value_and_grad(function, (0, 1, 2))
    return ms.jit(lambda *inputs: gradient(*inputs), **options)


def drawn() -> list[Tensor]:
    random = np.random.default_rng(0)
    inputs = [Tensor(random.standard_normal((2, 3, N, 48)).astype(np.float32)) for _ in range(3)]
    seen = random.integers(0, 4, (2, N)).astype(np.int32)
    seen[:, 0] = 1
    return [*inputs, Tensor(seen)]


def flat(result: Any) -> list[np.ndarray]:
    value, gradients = result
    return [each.asnumpy() for each in (value, *gradients)]


@pytest.mark.parametrize("name", MASKS)
def test_products_are_triangles(name: str) -> None:
    inputs, step = drawn(), attention(MASKS[name])
    found = flat(step(*inputs))
    optimized = str(step.stages(*inputs).optimized)
    if unavailable() is None or "triu" not in optimized:  # NumPy's triangles are no choices
        assert [optimized.count(f"band='{band}'") for band in ("result", "lower", "upper")] == [2, 2, 2]
    whole = attention(MASKS[name], passes_off=["triangles"])
    for one, other in zip(found, flat(whole(*inputs)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("name", WHOLE)
def test_products_by_other_masks_are_whole(name: str) -> None:
    inputs, step = drawn(), attention(WHOLE[name])
    assert "banded" not in str(step.stages(*inputs).optimized)


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
def test_a_finite_number_leaves_less_out() -> None:
    """What is filled is not multiplied, but its softmax need not be zero."""
    inputs = drawn()
    step = attention(lambda scores, seen: ops.masked_fill(scores, LATER(), -1e9))
    optimized = str(step.stages(*inputs).optimized)
    assert [optimized.count(f"band='{band}'") for band in ("result", "lower", "upper")] == [1, 1, 1]


def test_scores_that_are_wanted_are_whole() -> None:
    """The product by the triangle leaves it out all the same."""

    @ms.jit
    def step(query: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        scores = ops.matmul(query, query.swapaxes(-1, -2))
        return scores, ops.matmul(ops.softmax(ops.where(EARLIER(), scores, INFINITE), -1), value)

    query, value = drawn()[:2]
    scores = step(query, value)[0].asnumpy()
    optimized = str(step.stages(query, value).optimized)
    assert [optimized.count(f"band='{band}'") for band in ("result", "lower", "upper")] == [0, 1, 0]
    np.testing.assert_allclose(scores, query.asnumpy() @ query.asnumpy().swapaxes(-1, -2), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("size", [1, 31, 48, 100, 400])
def test_kernels_of_triangles(dtype: str, threads: int, size: int) -> None:
    random = np.random.default_rng(0)
    a, b = random.standard_normal((3, size, size)).astype(dtype), random.standard_normal((3, size, 20)).astype(dtype)
    for band, triangle in (("lower", np.tril(a)), ("upper", np.triu(a)), ("upper", np.tril(a).swapaxes(1, 2))):
        found = banded_matmul(triangle, b, band=band, threads=threads)
        np.testing.assert_allclose(found, triangle @ b, rtol=1e-3, atol=1e-4)
    found = banded_matmul(b, b.swapaxes(1, 2), band="result", threads=threads)
    np.testing.assert_allclose(np.tril(found), np.tril(b @ b.swapaxes(1, 2)), rtol=1e-3, atol=1e-4)
    assert np.isfinite(found).all()
