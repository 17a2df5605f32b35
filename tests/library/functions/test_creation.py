"""Tensors made of shapes, ranges and numbers: the values MindSpore gives, eager and compiled, and errors."""

from __future__ import annotations

import numpy as np
import pytest
from recordings import cases, check_gradient, compiled, differs, eagerly

import mycel as ms
from mycel import Tensor, ops


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("creation"))
def test_eager(expression, definitions, expected):
    assert not differs(eagerly(expression, definitions), expected)


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("creation"))
def test_compiled(expression, definitions, expected):
    assert not differs(compiled(expression, definitions), expected)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: ops.tril(x, 1) * x,
        lambda x: ops.triu(x, -1) * x,
        lambda x: ops.diag(x[0]) * 2,
        lambda x: ops.diagflat(x[1], 1),
        lambda x: ops.meshgrid(x[0], x[1])[0] * ops.meshgrid(x[0], x[1])[1],
    ],
)
def test_gradient(function):
    check_gradient(function, np.random.default_rng(5).normal(size=(3, 3)))


def test_shapes_that_only_the_run_knows():
    @ms.jit
    def f(x):
        chosen = x[x > 0]
        count = chosen.shape[0]
        return ops.zeros(count), ops.ones((2, count)), ops.full((count,), 3), ops.arange(count), ops.zeros_like(chosen)

    for values in ([1.0, -1.0, 2.0], [-1.0, -2.0, -3.0]):
        count = sum(value > 0 for value in values)
        found = f(Tensor(values))
        assert [tensor.shape for tensor in found] == [(count,), (2, count), (count,), (count,), (count,)]
        assert found[3].asnumpy().tolist() == list(range(count))


@pytest.mark.parametrize(
    ("run", "error", "words"),
    [
        (lambda x: ops.zeros(-1), ValueError, "should not be negative"),
        (lambda x: ops.zeros(1.5), TypeError, "should be an int or a tuple of ints"),
        (lambda x: ops.zeros(2, 3), TypeError, r"zeros: 'dtype' .* got 3: the sizes go into one tuple, as in \(2, 3\)"),
        (lambda x: ops.full((2,), "a"), TypeError, "'fill_value' should be a number"),
        (lambda x: ops.arange(0, 3, 0), ValueError, "step"),
        (lambda x: Tensor([[1, 2], [3]]), ValueError, "rows of equal length"),
        (lambda x: Tensor([[1, 2], [3]]), TypeError, "rows of equal length"),
        (lambda x: Tensor("abc"), TypeError, "should be a number, a sequence of numbers"),
        (lambda x: Tensor(), TypeError, "'input_data'"),
        (lambda x: ms.RowTensor(ops.ones(2, ms.int32), x, [2, 2]), TypeError, "the shape should be a tuple"),
    ],
)
def test_errors(run, error, words):
    with pytest.raises(error, match=words):
        run(Tensor([1.0]))
