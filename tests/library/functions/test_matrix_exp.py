"""Exponentials of matrices of all norms, their gradients and stacks."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops

RATES = np.array([[-1.0, 1.0], [0.5, -0.5]])


def by_eigenvalues(x):
    values, vectors = np.linalg.eig(x)
    return (vectors * np.exp(values)[..., None, :]) @ np.linalg.inv(vectors)


@pytest.mark.parametrize("scale", [0, 1e-30, 0.3, 3.0, 40.0, 1e3, 1e5])
@pytest.mark.parametrize("mode", [ops.matrix_exp, ms.jit(ops.matrix_exp)])
def test_any_norm(scale, mode):
    """Rates between two states: the exponential stays small, however large the matrix is."""
    for dtype, tolerance in ((np.float64, 1e-14), (np.float32, 1e-6)):
        x = (RATES * scale).astype(dtype)
        np.testing.assert_allclose(mode(Tensor(x)), by_eigenvalues(RATES * scale), atol=tolerance * (1 + scale))


def test_gradients_of_any_norm():
    step = np.random.default_rng(0).normal(size=(2, 2)) * 1e-5
    for scale in (0.5, 30.0, 700.0):
        slope = ms.grad(lambda x: (ops.matrix_exp(x)[0] ** 2).sum())(Tensor(RATES * scale)).asnumpy()
        above, below = (
            (ops.matrix_exp(Tensor(RATES * scale + sign * step)).asnumpy()[0] ** 2).sum() for sign in (1, -1)
        )
        assert abs((slope * step).sum() - (above - below) / 2) < 1e-6 * np.abs(step).max()


def test_stacks_of_unlike_norms():
    matrices = RATES * np.array([0.1, 5.0, 900.0])[:, None, None]
    np.testing.assert_allclose(ops.matrix_exp(Tensor(matrices)), by_eigenvalues(matrices), atol=1e-11)
    np.testing.assert_allclose(ms.vmap(ops.matrix_exp)(Tensor(matrices)), by_eigenvalues(matrices), atol=1e-11)
    turn = ops.matrix_exp(Tensor(np.diag([1j, 2000j])))
    np.testing.assert_allclose(turn.asnumpy(), np.diag(np.exp([1j, 2000j])), atol=1e-11)


def test_numbers_that_are_not_finite_give_nan():
    for number in (np.nan, np.inf):
        assert np.isnan(ops.matrix_exp(Tensor([[number, 0.0], [0.0, 1.0]])).asnumpy()).any()
    assert ops.matrix_exp(ops.zeros((0, 0))).shape == (0, 0)
