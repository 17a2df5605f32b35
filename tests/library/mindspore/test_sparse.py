"""Sparse tensors: conversions, operators and gradients, compiled and eager. MindSpore has few kernels for them here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import COOTensor, CSRTensor, Tensor

DENSE = np.array([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0], [3.0, 0.0, 0.0, -4.0]], np.float32)
OTHER = np.arange(1, 13, dtype=np.float32).reshape(3, 4)


def coo() -> COOTensor:
    return COOTensor(Tensor(np.argwhere(DENSE).astype(np.int32)), Tensor(DENSE[DENSE != 0]), (3, 4))


def csr() -> CSRTensor:
    return coo().to_csr()


def dense(found: Any) -> np.ndarray:
    array: np.ndarray = (found if isinstance(found, Tensor) else found.to_dense()).asnumpy()
    return array


CASES = {
    "to_csr": (lambda x: x.to_csr(), (coo,), DENSE),
    "to_coo": (lambda x: x.to_coo(), (csr,), DENSE),
    "dense": (lambda x: x.to_dense(), (csr,), DENSE),
    "neg": (lambda x: -x, (csr,), -DENSE),
    "times": (lambda x, y: x * y, (csr, OTHER), DENSE * OTHER),
    "over": (lambda x, y: x / y, (coo, OTHER), DENSE / OTHER),
    "by column": (lambda x, y: x * y, (csr, OTHER[:, :1]), DENSE * OTHER[:, :1]),
    "twice": (lambda x: x * 2.0, (csr,), DENSE * 2),
    "mv": (lambda x, y: x.mv(y), (csr, OTHER[:1].T), DENSE @ OTHER[:1].T),
    "mm": (lambda x, y: x.mm(y), (csr, OTHER.T), DENSE @ OTHER.T),
    "sum": (lambda x: x.sum(1), (csr,), DENSE.sum(1, keepdims=True)),
    "add": (lambda x, y: x + y, (coo, OTHER), DENSE + OTHER),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("compiled", [False, True])
def test_an_operation_is_that_on_dense_tensors(name: str, compiled: bool) -> None:
    function, given, wanted = CASES[name]
    inputs = [item() if callable(item) else Tensor(item) for item in given]
    found = (ms.jit(function, fullgraph=True) if compiled else function)(*inputs)
    np.testing.assert_allclose(dense(found), wanted, rtol=1e-6)


def test_sums_of_sparse_tensors_have_each_place_once() -> None:
    total = coo() + coo()
    assert total.size == 4
    np.testing.assert_array_equal(dense(total), 2 * DENSE)
    np.testing.assert_array_equal(dense(csr() - csr()), 0 * DENSE)
    np.testing.assert_array_equal(dense(csr().add(csr(), 2.0, 3.0)), 5 * DENSE)
    assert coo().add(coo(), Tensor(3.0)).size == 3
    twice = COOTensor(Tensor([[0, 1], [0, 1]]), Tensor([1.0, 2.0]), (1, 2)).coalesce()
    assert (twice.indices.asnumpy().tolist(), twice.values.asnumpy().tolist()) == ([[0, 1]], [3.0])


def test_functions_of_mindspore() -> None:
    ops: Any = ms.library.mindspore.sparse
    np.testing.assert_array_equal(dense(ops.dense_to_sparse_csr(Tensor(DENSE))), DENSE)
    np.testing.assert_array_equal(dense(ops.coo_concat((coo(), coo()), 1)), np.concatenate([DENSE, DENSE], 1))
    np.testing.assert_array_equal(dense(ops.csr_mm(csr(), csr(), False, True)), DENSE @ DENSE.T)
    np.testing.assert_array_equal(dense(ops.coo_relu(coo())), np.maximum(DENSE, 0))
    powers = np.exp(np.array([3.0, -4.0]))
    found = ops.csr_softmax(csr(), ms.float32).values.asnumpy()
    np.testing.assert_allclose(found, [1, 1, *(powers / powers.sum())], rtol=1e-5)


def test_gradients_reach_the_values() -> None:
    where = csr()

    def product(values: Tensor, vector: Tensor) -> Tensor:
        return CSRTensor(where.indptr, where.indices, values, (3, 4)).mv(vector).sum()

    by_values, by_vector = ms.grad(product, (0, 1))(where.values, Tensor(OTHER[:1].T))
    assert by_values.asnumpy().tolist() == [2.0, 3.0, 1.0, 4.0]
    assert by_vector.asnumpy().tolist() == [[3.0], [1.0], [2.0], [-4.0]]


def test_parts_that_do_not_fit_are_errors() -> None:
    indices, values = Tensor([[0, 1]]), Tensor([1.0])
    with pytest.raises(TypeError, match="'indices' should hold int16, int32 or int64"):
        COOTensor(Tensor([[0.0, 1.0]]), Tensor([1.0]), (2, 3))
    with pytest.raises(TypeError, match="'values' is no tensor"):
        COOTensor(indices, 3, (1, 2))
    with pytest.raises(ValueError, match="do not fit"):
        COOTensor(indices, Tensor([1.0, 2.0]), (1, 2))
    with pytest.raises(ValueError, match="do not fit"):
        CSRTensor(Tensor([0, 1]), Tensor([1]), values, (3, 4))
    with pytest.raises(ValueError, match="same shape"):
        coo() + Tensor([1.0])
    with pytest.raises(TypeError, match="not supported"):
        coo() * coo()
    with pytest.raises(ValueError, match="takes"):
        csr().mv(Tensor([[1.0]]))


def test_tensors_as_sparse_tensors():
    x = Tensor([[1.0, 0.0], [0.0, 2.0]])
    assert x.to_coo().indices.tolist() == [[0, 0], [1, 1]]
    assert x.to_csr().indptr.tolist() == [0, 1, 2]
    assert x.to_csr().to_dense().tolist() == x.tolist()
    for call in (Tensor([1.0]).to_coo, Tensor(1.0).to_csr):
        with pytest.raises(ValueError, match="made of a matrix"):
            call()
