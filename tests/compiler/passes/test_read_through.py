"""Cheap values that kernels read through slices, or between zeros, are computed for each of these readers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.machine.product import vector_bytes

X = np.random.default_rng(0).standard_normal((130, 140)).astype(np.float32)
Y = np.random.default_rng(1).standard_normal((130, 1)).astype(np.float32)


def three(x: Tensor) -> Tensor:
    """The sum of neighbours in a row."""
    return x[:, :-2] + 2.0 * x[:, 1:-1] + x[:, 2:]


def twice(x: Tensor) -> Tensor:
    """Differences of differences."""
    x = x[1:] - x[:-1]
    return ops.tanh(x[1:] - x[:-1])


FUNCTIONS = {  # and the number of kernels
    "differences": (lambda x, y: three(x[2:] - x[:-2]), 1),
    "products of differences": (lambda x, y: three((x[2:] - x[:-2]) * (x[2:] - x[:-2])), 1),
    "differences of differences": (lambda x, y: twice(x), 1),
    "padded": (lambda x, y: three(ops.pad(x, (1, 1, 1, 1)) * 2.0), 1),
    "repeated along rows": (lambda x, y: (three(x * y))[1:] * y[1:], 1),
    "of a product": (lambda x, y: three((x.T @ x) - 1.0), 1),
    "every second": (lambda x, y: (x * x)[1::2, ::2] + (x * x)[::2, 1::2], 1),
    "from the end": (lambda x, y: three(x[-129:] * 0.5)[:, -100:], 1),
    "costly": (lambda x, y: three(ops.exp(x)), 2),
    "many reads": (lambda x, y: three(three(x)[1:] - three(x)[:-1]), 2),
    "read as a whole, too": (lambda x, y: three(x * y).sum() + (x * y), 2),
    "returned": (lambda x, y: (x * y)[1:], 1),
    "between zeros": (lambda x, y: ops.pad(x * x - x, (1, 0)) + ops.pad(x * x - x, (0, 1)), 1),
    "between zeros that would change": (lambda x, y: ops.pad(x * x - 1, (1, 0)) + ops.pad(x * x, (0, 1)), 2),
    "between zeros, which are divided by": (lambda x, y: 1.0 / (ops.pad(-x, (1, 1)) * 2.0), 2),
    "scaled by rows between zeros": (lambda x, y: ops.pad(x * y, (1, 0)) + ops.pad(x * y, (0, 1)), 2),
    "between other numbers": (lambda x, y: ops.pad(x * x, (1, 1), value=2.0) * 2, 2),
    "two of which fill the nearest cache": (lambda x, y: three(x[:60] - x[1:61]), 1),
    "few": (lambda x, y: three(x[:9] - x[1:10]), 2),
}


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_are_computed_where_they_are_read(name: str) -> None:
    function, kernels = FUNCTIONS[name]
    arguments = Tensor(X), Tensor(Y)
    compiled: Any = ms.jit(function)
    with ms.disable_jit():
        wanted = function(*arguments).asnumpy()
    np.testing.assert_allclose(compiled(*arguments).asnumpy(), wanted, 1e-5, 1e-5)
    found = [node.op.name for node in compiled.stages(*arguments).optimized.nodes]
    assert found.count("kernel") == kernels


WIDE = vector_bytes() == 64  # of AVX-512: a pass over memory takes the time of twice as many operations
LARGE = {  # and the number of kernels: on few elements one more
    "box": (lambda x: ops.diff(ops.diff(three(x), axis=0), axis=0), 1, 2),
    "variances": (lambda x: three((x * x)[1:] + (x * x)[:-1]) - ops.square(three(x[1:] + x[:-1])), 1, 2),
    "what is read by slices of such values": (lambda x: three(three(x[1:] * x[:-1])[1:]), 1 if WIDE else 2, 2),
    "costly": (lambda x: ops.diff(1 / ops.sqrt(1 + x * x)), 2, 2),
}


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
@pytest.mark.parametrize("name", LARGE)
def test_large_values_are_not_stored(name: str) -> None:
    """A pass over memory takes the time of many operations."""
    function, kernels, others = LARGE[name]
    compiled: Any = ms.jit(function)
    for x, count in ((Tensor(np.tile(X, (3, 3))), kernels), (Tensor(X), others)):
        with ms.disable_jit():
            wanted = function(x).asnumpy()
        np.testing.assert_allclose(compiled(x).asnumpy(), wanted, 1e-4, 1e-4)
        assert [node.op.name for node in compiled.stages(x).optimized.nodes].count("kernel") == count


LOSSES = {  # and the number of kernels
    "read as a whole, too": (lambda x: (three(x[1:] - x[:-1]) * three(x[1:] - x[:-1])).sum(), 2),
    "products of neighbours": (lambda x: ops.square(x[:, 2:] * x[:, :-2]).sum(), 1),
    "differences": (lambda x: ops.square(x[:, 1:] - x[:, :-1]).sum(), 1),
    "infinite": (lambda x: ((x[1:] / 0 - x[:-1]) * x[1:]).sum(), 2),
}


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
@pytest.mark.parametrize("name", LOSSES)
def test_gradients(name: str) -> None:
    """What is put between zeros is computed where that is added up."""
    function, kernels = LOSSES[name]
    gradient: Any = ms.grad(function)
    found = gradient(Tensor(X)).asnumpy()
    with ms.disable_jit():
        np.testing.assert_allclose(found, gradient(Tensor(X)).asnumpy(), 1e-4, 1e-4)
    ops_found = [node.op.name for node in gradient.stages(Tensor(X)).optimized.nodes]
    assert ops_found.count("kernel") == kernels


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
def test_what_else_is_read() -> None:
    """Halves of what is joined and scaled are read before they are joined; other readers may have several results."""

    def function(x: Tensor) -> Tensor:
        for _ in range(3):
            a, b = x[:, :70], x[:, 70:]
            x = ops.cat([a + b, a - b], 1) * 0.7
        return ops.cumsum(ops.fft(x * 0.5).real(), 1) + x

    compiled: Any = ms.jit(function)
    with ms.disable_jit():
        wanted = function(Tensor(X)).asnumpy()
    np.testing.assert_allclose(compiled(Tensor(X)).asnumpy(), wanted, 1e-3, 1e-3)
    assert compiled.stages(Tensor(X)).program.count("overlay(") == 1
