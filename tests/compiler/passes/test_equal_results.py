"""A large value that is returned again is written again by its kernel, not copied by NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.kernels import eligible

pytestmark = pytest.mark.skipif(not eligible.is_available(), reason="no machine code here")

Function = Callable[..., Any]


def elements(a: Tensor, b: Tensor) -> Any:
    y = ops.tanh(a * b)
    return y, y, b, y


def rows(a: Tensor, b: Tensor) -> Any:
    y = (a + b).max(axis=1)
    return y, y


def columns(a: Tensor, b: Tensor) -> Any:
    y = ops.tanh(ops.maximum(a, b).sum(axis=0))
    return y, ops.exp(y), y


def product(a: Tensor, b: Tensor) -> Any:
    y = a @ b.T
    return y, y, y.sum(axis=0), y


def gradients(a: Tensor, b: Tensor) -> Any:
    return ms.grad(lambda a, b: ops.exp(-(a + b)).mean(axis=1).max(), (0, 1))(a, b)


@pytest.mark.parametrize("shape", [(600, 40), (1200, 3), (40, 601)])
@pytest.mark.parametrize(
    ("function", "copies"), [(elements, 0), (rows, 0), (columns, None), (product, 0), (gradients, 0)]
)
def test_each_result_has_an_array(function: Function, copies: int | None, shape: tuple[int, int]) -> None:
    generator = np.random.default_rng(0)
    a, b = [Tensor(generator.standard_normal(shape).astype(np.float32)) for _ in range(2)]
    compiled = ms.jit(function)
    found = compiled(a, b)
    with ms.disable_jit():
        wanted = function(a, b)
    arrays = [each.asnumpy() for each in found]
    for position, (array, each) in enumerate(zip(arrays, wanted, strict=True)):
        np.testing.assert_allclose(array, each.asnumpy(), 1e-4, 1e-5)
        assert not any(np.shares_memory(array, other) for other in arrays[:position])
    if copies is not None and all(array.size >= 512 for array in arrays):
        assert compiled.stages(a, b).program.count(".copy()") == copies + (function is elements)  # of b


def test_the_maximum_over_one_element_is_that_element() -> None:
    x = Tensor(np.arange(6, dtype=np.float32).reshape(3, 1, 2))
    compiled = ms.jit(ms.grad(lambda x: (x.max(axis=1) * 2.0).sum()))
    assert "select" not in str(compiled.stages(x).backward)
    np.testing.assert_array_equal(compiled(x).asnumpy(), np.full((3, 1, 2), 2.0))
