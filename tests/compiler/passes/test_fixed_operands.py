"""Solutions with a matrix that a loop leaves as it is: as accurate as elimination, with gradients, and errors."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops


def iterate(a: Tensor, b: Tensor, scale: Tensor) -> Tensor:
    """Twenty steps that converge."""
    x = b
    for _ in range(20):
        x = scale * ops.solve(a, x) + b
    return x


@pytest.mark.parametrize(("dtype", "least", "near"), [(np.float32, 1e-4, 1e-4), (np.float64, 1e-8, 1e-7)])
@pytest.mark.parametrize(("size", "columns"), [(9, 1), (24, 3), (33, 8), (12, 3)])
def test_solutions_and_gradients_are_those_of_elimination(
    dtype: type[np.floating], least: float, near: float, size: int, columns: int
) -> None:
    generator = np.random.default_rng(size)
    left, right = np.linalg.qr(generator.normal(size=(2, size, size)))[0]
    a = Tensor((left * np.geomspace(1, least, size) @ right).astype(dtype))
    b, scale = Tensor(generator.normal(size=(size, columns)).astype(dtype)), Tensor(np.asarray(least / 2, dtype))
    optimised = str(ms.jit(iterate).stages(a, b, scale).optimized)
    assert ("inverse(" in optimised) == (4 * columns <= size) == ("solve(" not in optimised)
    results = []
    for switches in ([], ["fixed_operands"]):
        run = ms.jit(passes_off=switches)(ms.value_and_grad(lambda *given: iterate(*given).sum(), (0, 1)))
        value, gradients = run(a, b, scale)
        results.append([value.asnumpy(), *[gradient.asnumpy() for gradient in gradients]])
    for one, other in zip(*results, strict=True):
        assert np.abs(one - other).max() <= near * np.abs(other).max()


def test_a_singular_matrix_is_an_error() -> None:
    with pytest.raises(ValueError, match="singular"):
        ms.jit(iterate)(Tensor(np.zeros((9, 9))), Tensor(np.ones((9, 1))), Tensor(np.asarray(1.0)))
