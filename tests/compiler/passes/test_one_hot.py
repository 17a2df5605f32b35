"""Products with one-hot matrices: rows are chosen and added up, and numbers stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler import ops as prims
from mycel.compiler.passes import sparse_products


def loss(weight: Any, ids: Any) -> Any:
    hot = ops.one_hot(ids, 7, Tensor(1.0, ms.float32), Tensor(0.0, ms.float32))
    chosen = ops.matmul(hot, weight)
    return (ops.tanh(chosen) * chosen).sum()


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("shape", [(40,), (4, 10), (2, 3, 5)])
def test_rows_are_chosen_and_added_up(shape: tuple[int, ...], dtype: Any) -> None:
    """Also where an index is outside, which has a row of zeros."""
    random = np.random.default_rng(0)
    weight = Tensor(random.standard_normal((7, 5)).astype(np.float32))
    ids = Tensor(random.integers(-2, 9, shape).astype(dtype))
    found = ms.jit(ms.value_and_grad(loss), passes_off=["sums"])  # these are products, too
    plain = ms.jit(ms.value_and_grad(loss), passes_off=["simplify"])
    for one, other in zip(found(weight, ids), plain(weight, ids), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-4, 1e-5)
    assert "matmul" not in [node.op.name for node in found.stages(weight, ids).optimized.nodes]
    assert "matmul" in [node.op.name for node in plain.stages(weight, ids).optimized.nodes]


def test_a_matrix_that_is_not_one_hot_is_multiplied() -> None:
    weight, ids = Tensor(np.ones((7, 5), np.float32)), Tensor(np.arange(9) % 7)

    def product(on: float, off: float, steps: np.ndarray) -> Any:
        def function(weight: Any, ids: Any) -> Any:
            mask = ops.equal(ops.expand_dims(ids, 1), Tensor(steps))
            return ops.matmul(ops.where(mask, Tensor(on, ms.float32), Tensor(off, ms.float32)), weight)

        return ms.jit(function)

    for on, off, steps in ((2.0, 0.0, np.arange(7)), (1.0, 0.5, np.arange(7)), (1.0, 0.0, np.arange(7)[::-1].copy())):
        function = product(on, off, steps)
        expected = np.where(ids.asnumpy()[:, None] == steps, on, off) @ weight.asnumpy()
        np.testing.assert_allclose(function(weight, ids).asnumpy(), expected)
        assert "matmul" in [node.op.name for node in function.stages(weight, ids).optimized.nodes]
    function = product(1.0, 0.0, np.arange(7))
    np.testing.assert_allclose(function(weight, ids).asnumpy(), np.ones((9, 5)))
    assert "matmul" not in [node.op.name for node in function.stages(weight, ids).optimized.nodes]


def test_halves_and_casts_of_masks() -> None:
    weight, ids = Tensor(np.arange(14).reshape(7, 2).astype(np.float16)), Tensor(np.array([3, -1, 6, 7]))
    function = ms.jit(lambda w, i: ops.matmul(ops.one_hot(i, 7).astype(ms.float16), w))
    np.testing.assert_array_equal(function(weight, ids).asnumpy(), [[6, 7], [0, 0], [12, 13], [0, 0]])


def test_only_what_may_make_a_one_hot_matrix_is_looked_at() -> None:
    rule, rules = sparse_products.product_of_one_hot, sparse_products.RULES
    assert rule in rules.of(prims.matmul, (prims.transpose, None))
    assert rule in rules.of(prims.matmul, (prims.cast, prims.transpose))
    assert rule not in rules.of(prims.matmul, (None, prims.transpose))  # a weight that is transposed
