"""Of a value that is only read through one slice, no more than that is computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.ir.graph import Graph

X = np.random.default_rng(0).standard_normal((20, 30, 16)).astype(np.float32)
W = np.random.default_rng(1).standard_normal((16, 24)).astype(np.float32)


def loop(x: Tensor, w: Tensor) -> Tensor:
    y = x
    for _ in range(3):
        y = ops.tanh(y + w[:, :16])
    return y[3]


FUNCTIONS = {  # and the number of elements of the largest value that is computed; None: of the input
    "elementwise": (lambda x, w: (ops.tanh(x) * x + 1)[5:9], 4 * 30 * 16),
    "last position": (lambda x, w: ops.softmax(x @ w, -1)[:, -1], 20 * 24),
    "positions apart": (lambda x, w: ops.softmax(x, -1)[:, 1:20:4], 20 * 5 * 16),
    "from the end": (lambda x, w: ops.exp(x)[::-3, 4:8], 20 * 4 * 16),
    "columns of a product": (lambda x, w: (x @ w)[..., 2:5], 20 * 30 * 3),
    "columns apart": (lambda x, w: ops.exp(x)[:5, :, ::4], 5 * 30 * 16),
    "reduced along another axis": (lambda x, w: ops.exp(x).sum(1)[:, :4], 20 * 30 * 4),
    "kept axes": (lambda x, w: (x - x.mean(1, keep_dims=True))[:, :, :5], 20 * 30 * 5),
    "broadcast": (lambda x, w: (x[:, :1] + x[:1])[2:4, 3:6], 2 * 3 * 16),
    "slices of slices": (lambda x, w: (ops.exp(x)[2:8] * 2)[1:3, :4], 2 * 4 * 16),
    "most of long rows": (lambda x, w: (ops.exp(x.reshape(20, 480)) * 2)[1:, 1:-1], 19 * 478),
    "most of short rows": (lambda x, w: ops.exp(x)[:, :, 1:], None),
    "moved axes": (lambda x, w: (x.transpose(2, 0, 1) * 2).reshape(16, 20, 30, 1)[3:5, 2], 2 * 30),
    "read twice": (lambda x, w: ops.exp(x)[3] + ops.exp(x)[4], None),
    "read as a whole, too": (lambda x, w: ops.exp(x)[3] + ops.exp(x).sum(0), None),
    "most of it": (lambda x, w: ops.exp(x)[1:], 19 * 30 * 16),
    "most of a product": (lambda x, w: (x @ w)[1:], None),
    "along the sum": (lambda x, w: (x / ops.exp(x).sum(1, keepdims=True))[:, 0], None),
    "nothing": (lambda x, w: ops.exp(x)[4:4] * 2, None),
    "after a loop": (lambda x, w: loop(x[:, :16], w), None),
}


def largest(graph: Graph) -> int:
    """The number of elements of the largest value that is computed."""
    return max(value.type.size for node in graph.nodes if node.op.kind != "view" for value in node.outputs)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_only_what_is_read_is_computed(name: str) -> None:
    function, most = FUNCTIONS[name]
    arguments = Tensor(X), Tensor(W)
    compiled: Any = ms.jit(function)
    with ms.disable_jit():
        wanted = function(*arguments).asnumpy()
    np.testing.assert_allclose(compiled(*arguments).asnumpy(), wanted, 1e-5, 1e-6)
    if most is not None:
        graph = compiled.stages(*arguments).passes["demanded"]
        assert largest(graph) <= most
        without = ms.jit(function, passes_off=["demanded"]).stages(*arguments).passes["cse"]
        assert largest(without) > most


def test_gradients_read_the_whole() -> None:
    f = ms.value_and_grad(lambda x, w: ops.tanh(ops.relu(x) @ w)[:, -1].sum(), (0, 1))
    value, (d_x, d_w) = ms.jit(f)(Tensor(X), Tensor(W))
    wanted, (e_x, e_w) = ms.jit(f, passes_off=["demanded"])(Tensor(X), Tensor(W))
    for each, other in ((value, wanted), (d_x, e_x), (d_w, e_w)):
        np.testing.assert_allclose(each.asnumpy(), other.asnumpy(), 1e-4, 1e-5)
