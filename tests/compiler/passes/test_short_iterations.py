"""Kernels of iterations over short vectors: how many calls an iteration takes, and that its numbers are right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler import ops as prims
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

RANDOM = np.random.default_rng(5)
TABLE, NUMBERS = RANDOM.random((6, 8), np.float32), RANDOM.random(40, np.float32)
STARTS = RANDOM.integers(-6, 6, 40).astype(np.int32)


def drawn(table: Tensor, numbers: Tensor, starts: Tensor) -> Any:
    """Draws from rows of a table: running sums, compared with a number, and counted."""
    state, out = Tensor(1, ms.int32), []
    for t in range(40):
        chosen = ops.cumsum(table[state], 0) < numbers[t] * 4
        state = chosen.sum().astype(ms.int32) % 6
        out.append(state)
    return ops.stack(out)


def element(table: Tensor, numbers: Tensor, starts: Tensor) -> Any:
    """An element of a table that stays, computed with."""
    total = Tensor(0.0)
    for t in range(40):
        total = ops.tanh(total + table[starts[t], 2] * numbers[t] - table[2, starts[t]])
    return total


def best(table: Tensor, numbers: Tensor, starts: Tensor) -> Any:
    """The position of the largest element of a row, of another dtype."""
    total = Tensor(0, ms.int32)
    for t in range(40):
        total = (ops.argmax(table[total % 6] * numbers[t]).astype(ms.int32) + total * 3) % 100
    return total


def nearest(table: Tensor, numbers: Tensor, starts: Tensor) -> Any:
    """Values relative to the largest of a vector, and to its sum."""
    x = table[0]
    for t in range(40):
        e = ops.exp(x - x.max()) * numbers[t]
        x = e / e.sum() + table[1]
    return x


@pytest.mark.parametrize(("function", "most"), [(drawn, 2), (element, 1), (best, 4), (nearest, 1)])
def test_calls_of_an_iteration(function: Callable[..., Any], most: int) -> None:
    """Neighbours over one short vector share a kernel; casts of casts are gone; both modes agree."""
    given = Tensor(TABLE), Tensor(NUMBERS), Tensor(STARTS)
    compiled = ms.jit(function)
    np.testing.assert_allclose(compiled(*given).asnumpy(), function(*given).asnumpy(), rtol=1e-5)
    graph = compiled.stages(*given).optimized
    loops = [node for node in graph.nodes if node.op in (prims.scan, prims.loop_kernel)]
    assert len(loops) == 1
    calls = [node.op.kind for node in loops[0].attrs["body"].nodes if node.op.kind not in ("view", "constant")]
    assert loops[0].op is prims.loop_kernel or len(calls) <= most


def test_longer_vectors_have_kernels_of_their_own() -> None:
    """A running sum of many elements, for AVX2, leaves its neighbours to wider vectors."""
    x = Tensor(np.random.default_rng(1).random(2000, np.float32))
    compiled = ms.jit(lambda x: ops.tanh(ops.cumsum(x * 2, 0)))
    np.testing.assert_allclose(compiled(x).asnumpy(), np.tanh(np.cumsum(2 * x.asnumpy())), rtol=1e-4)
    assert [node.op for node in compiled.stages(x).optimized.nodes].count(prims.kernel) == 2


def test_a_vector_is_reduced_and_read_again_in_one_kernel() -> None:
    """As a row of many is. What waits for larger values stays apart, so that these are read once."""
    rng = np.random.default_rng(2)
    x, w = (Tensor(rng.random((1, 100), np.float32)) for _ in range(2))

    def weighted(x: Tensor, w: Tensor) -> Tensor:
        return (ops.softmax(x, -1) * w).sum()

    step = ms.value_and_grad(weighted, (0, 1))
    p = np.exp(x.asnumpy() - x.asnumpy().max())
    p /= p.sum()
    value, (d_x, d_w) = step(x, w)
    np.testing.assert_allclose(value.asnumpy(), (p * w.asnumpy()).sum(), rtol=1e-5)
    np.testing.assert_allclose(d_x.asnumpy(), p * (w.asnumpy() - (p * w.asnumpy()).sum()), rtol=1e-3, atol=1e-7)
    np.testing.assert_allclose(d_w.asnumpy(), p, rtol=1e-5)
    assert [node.op for node in step.stages(x, w).optimized.nodes] == [prims.kernel]

    logits, labels = Tensor(rng.random((8, 10), np.float32)), Tensor(np.arange(8), ms.int32)
    loss = ms.value_and_grad(lambda x, t: ops.cross_entropy(x, t))
    large = [
        node
        for node in loss.stages(logits, labels).optimized.nodes
        if logits.shape in [o.type.shape for o in node.inputs]
    ]
    assert len(large) == 1
