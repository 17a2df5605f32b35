"""Scores of attention that the backward pass computes again: when, the same numbers, and the memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.passes import scores

RNG = np.random.default_rng(0)
MASK = Tensor(RNG.random((6, 20, 20)) < 0.8)


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return ops.softmax(q @ k.swapaxes(-1, -2) * 0.2, -1) @ v


def loss(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return ops.square(attention(q, k, v)).sum()


def layers(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """The operands of the second are views of what the first gives."""
    for _ in range(2):
        x = ops.tanh(ops.concat((q, attention(q, k, v), v), -1))
        q, k, v = x[..., :8], x[..., 8:16], x[..., 16:]
    return ops.square(attention(q, k, v)).mean()


def causal(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    s = q @ k.swapaxes(-1, -2)
    s = s.masked_fill(ops.triu(ops.ones((20, 20), ms.bool_), 1), -np.inf)
    return ops.square(ops.softmax(s, -1) @ v).sum()


def dropped(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    p = ops.softmax(q @ k.swapaxes(-1, -2), -1) * MASK.astype(ms.float32)
    return ops.square(p @ v).sum()


def kept(q: Tensor, k: Tensor, v: Tensor) -> Any:
    """Scores are also a result."""
    p = ops.softmax(q @ k.swapaxes(-1, -2), -1)
    return ops.square(p @ v).sum(), p


def linear(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """The backward pass needs nothing that was computed from the scores."""
    return attention(q, k, v).sum()


def of_values(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Nothing reads the operands of the scores later: to keep them costs more."""
    q, k = ops.stop_gradient(ops.tanh(q)), ops.stop_gradient(ops.sin(k))
    return ops.square(attention(q, k, v)).sum()


def in_turns(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """More is computed from the scores behind a node that reads them late."""
    p = ops.softmax(q @ k.swapaxes(-1, -2), -1)
    y = p @ v
    z = ops.square(p * y.sum()).sum()
    return z + ops.square((p * ops.sin(v).sum()) @ y).sum()


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small values count as large ones."""
    monkeypatch.setattr(scores, "LEAST", 1)
    monkeypatch.setattr(scores, "ENOUGH", 1)


def operands(*lead: int, rows: int = 20, depth: int = 8) -> list[Tensor]:
    draw = np.random.default_rng(0)  # the same numbers in any order of the tests
    return [Tensor(draw.standard_normal((*lead, rows, depth)).astype(np.float32)) for _ in range(3)]


def before_and_after(compiled: Any, *given: Tensor) -> tuple[Graph, Graph]:
    found = compiled.stages(*given).passes
    names = list(found)
    return found[names[names.index("scores") - 1]], found["scores"]


def products(graph: Graph) -> int:
    return sum(node.op is scores.ops.matmul for node in graph.nodes)


FUNCTIONS = [(loss, 1), (layers, 3), (causal, 1), (dropped, 1), (kept, 0), (linear, 0), (of_values, 0), (in_turns, 0)]


@pytest.mark.parametrize(("function", "again"), FUNCTIONS)
def test_numbers_and_products(function: Any, again: int) -> None:
    given = operands(6)
    gradient = ms.value_and_grad(function, (0, 1, 2), has_aux=function is kept)
    gradients = [ms.jit(lambda *x: gradient(*x), passes_off=off) for off in ([], ["scores"])]
    before, after = before_and_after(gradients[0], *given)
    assert products(after) - products(before) == again
    assert scores.recompute_scores(after) is after
    assert "scores" not in gradients[1].stages(*given).passes
    results = [_flat(each(*given)) for each in gradients]
    assert len(results[0]) >= 4
    for found, expected in zip(*results, strict=True):
        np.testing.assert_allclose(found, expected, rtol=2e-5, atol=3e-5)  # sums in another order


def _flat(result: Any) -> list[np.ndarray]:
    if isinstance(result, Tensor):
        return [result.asnumpy()]
    return [array for each in result for array in _flat(each)]


def test_long_sums_and_forward_passes_are_left() -> None:
    for function, given in ((ms.grad(loss, (0, 1, 2)), operands(6, rows=300, depth=129)), (loss, operands(6))):
        before, after = before_and_after(ms.jit(function), *given)
        assert before is after


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six layers with scores of 12 MB each."""
    monkeypatch.setattr(scores, "LEAST", 1 << 21)
    monkeypatch.setattr(scores, "ENOUGH", 1 << 26)

    def layer(x: Tensor) -> Tensor:
        return ops.tanh(attention(x, x, x).reshape(-1, 16) @ w).reshape(x.shape)

    def deep(x: Tensor) -> Tensor:
        return ops.square(layer(layer(layer(layer(layer(layer(x))))))).sum()

    x, w = operands(12, rows=512, depth=16)[0], operands(rows=16, depth=16)[0]
    peaks = [ms.jit(lambda x: ms.grad(deep)(x), passes_off=off).stages(x).plan.nbytes for off in ([], ["scores"])]
    assert peaks[0] < 30 << 20
    assert peaks[1] > 60 << 20
