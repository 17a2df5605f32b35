"""Batches of products that run some matrices at a time: when, with which memory, and the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.passes import batch_tiles
from mycel.compiler.passes.dce import eliminate_dead_code

RNG = np.random.default_rng(0)


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return ops.softmax(q @ k.swapaxes(-1, -2) * 0.2, -1) @ v


def masked(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    scores = q @ k.swapaxes(-1, -2)
    return ops.softmax(scores + (ops.tril(ops.ones_like(scores)) - 1) * 1e9, -1) @ v


def twice(q: Tensor, k: Tensor, v: Tensor) -> Any:
    """What is between is read by two products."""
    scores = ops.tanh(q @ k.swapaxes(-1, -2))
    return scores @ v, scores.swapaxes(-1, -2) @ q


def kept(q: Tensor, k: Tensor, v: Tensor) -> Any:
    """What is between is also a result."""
    scores = ops.tanh(q @ k.swapaxes(-1, -2))
    return scores @ v, scores


def summed(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Between the products is a sum over the batch."""
    scores = ops.tanh(q @ k.swapaxes(-1, -2))
    return (scores - scores.mean(0, keep_dims=True)) @ v


def operands(*lead: int, rows: int = 12, depth: int = 4) -> list[Tensor]:
    return [Tensor(RNG.standard_normal((*lead, rows, depth)).astype(np.float32)) for _ in range(3)]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small values count as large ones."""
    monkeypatch.setattr(batch_tiles, "LEAST", 1)
    monkeypatch.setattr(batch_tiles, "TILE", 2 * 12 * 12 * 4)
    monkeypatch.setattr(batch_tiles, "thread_count", lambda: 1)


def loops(function: Any, *given: Tensor) -> int:
    return str(function.stages(*given).optimized).count("= scan(")


@pytest.mark.parametrize(("function", "tiled"), [(attention, 1), (masked, 1), (twice, 1), (kept, 0), (summed, 0)])
@pytest.mark.parametrize("lead", [(6,), (2, 3), (3, 1, 4), (7,)])
def test_numbers_and_loops(function: Any, tiled: int, lead: tuple[int, ...]) -> None:
    given = operands(*lead)
    compiled, whole = ms.jit(function), ms.jit(function, passes_off=["batch_tiles"])
    assert loops(compiled, *given) == tiled
    assert not loops(whole, *given)
    results = compiled(*given), whole(*given)
    for found, expected in zip(*[each if isinstance(each, tuple) else (each,) for each in results], strict=True):
        np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("function", [attention, masked])
def test_gradients(function: Any) -> None:
    given = operands(2, 4)
    gradients = [
        ms.grad(ms.jit(lambda *x: (function(*x) ** 2).sum(), passes_off=off), (0, 1, 2))(*given)
        for off in ([], ["batch_tiles"])
    ]
    for found, expected in zip(*gradients, strict=True):
        np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-4, atol=1e-5)


def test_operands_that_all_parts_share_and_views() -> None:
    """One matrix for all, keys of several heads, and operands that are transposed views."""
    q, k, v = operands(6)
    heads = Tensor(RNG.standard_normal((2, 12, 3, 4)).astype(np.float32))

    def one_key(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return ops.exp(-ops.square(q @ k[0].T)) @ v

    def of_heads(x: Tensor) -> Tensor:
        x = x.transpose(0, 2, 1, 3)
        return ops.softmax(x @ x.swapaxes(-1, -2), -1) @ x

    for function, given in ((one_key, (q, k, v)), (of_heads, (heads,))):
        compiled = ms.jit(function)
        np.testing.assert_allclose(compiled(*given).asnumpy(), function(*given).asnumpy(), rtol=1e-4, atol=1e-5)


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores of 16 MB take the place of one megabyte for each thread."""
    monkeypatch.setattr(batch_tiles, "LEAST", 1 << 21)
    monkeypatch.setattr(batch_tiles, "TILE", 1 << 20)
    given = operands(64, rows=256, depth=8)
    peaks = [ms.jit(attention, passes_off=off).stages(*given).plan.nbytes for off in ([], ["batch_tiles"])]
    assert peaks[0] < 3 << 20
    assert peaks[1] >= 16 << 20


@pytest.mark.usefixtures("numpy_only")
def test_views_that_the_loop_has_are_not_left_outside() -> None:
    """They would keep their operands alive: the plan counts them as readers."""
    graph = ms.jit(ms.grad(lambda *given: attention(*given).sum(), (0, 1, 2))).stages(*operands(6)).optimized
    assert "= scan(" in str(graph)
    assert len(eliminate_dead_code(graph).nodes) == len(graph.nodes)
