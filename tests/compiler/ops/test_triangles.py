"""Solutions of triangular and transposed equations, factors and determinants in compiled functions, of all sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import ops
from mycel.compiler.ops.determinants import adjugate
from mycel.runtime.machine.executable import unavailable
from mycel.scipy.linalg import solve_triangular


def matrix(size: int, *lead: int) -> np.ndarray:
    """Positive definite matrices."""
    a = np.random.default_rng(size).standard_normal((*lead, size, size)) / (2 * size**0.5)
    return a @ np.swapaxes(a, -1, -2) + np.eye(size)


@pytest.mark.parametrize(
    ("size", "lead", "lower", "trans"), chequered([3, 8, 9, 20, 33, 130, 270], [(), (2,)], [True, False], [0, 1])
)
def test_only_one_triangle_is_read(size: int, lead: tuple[int, ...], lower: bool, trans: int) -> None:
    columns = 2 if size < 100 else 32  # as many are solved for in halves
    a, b = matrix(size, *lead), np.random.default_rng(0).standard_normal((*lead, size, columns))
    half = (np.tril if lower else np.triu)(a)
    compiled = ms.jit(lambda a, b: solve_triangular(a, b, trans, lower))
    wanted = np.linalg.solve(np.swapaxes(half, -1, -2) if trans else half, b)
    np.testing.assert_allclose(compiled(ms.Tensor(a), ms.Tensor(b)).asnumpy(), wanted, 1e-9)
    gradient = ms.grad(lambda a, b: solve_triangular(a, b, trans, lower).sum(), (0, 1))(ms.Tensor(a), ms.Tensor(b))
    beyond = (np.triu(np.ones_like(a), 1) if lower else np.tril(np.ones_like(a), -1)) > 0
    assert (gradient[0].asnumpy()[beyond] == 0).all()


@pytest.mark.parametrize("size", [12, 128, 300])
@pytest.mark.parametrize("columns", [1, 64])
def test_zeros_in_the_diagonal_make_a_triangle_singular(size: int, columns: int) -> None:
    """Also in its middle, where rounding may hide it from LU factors."""
    a, b = np.tril(np.random.default_rng(size).standard_normal((size, size))), ms.Tensor(np.ones((size, columns)))
    for row in (0, size // 2 - 1, size // 2, size - 1):
        singular = a.copy()
        singular[row, row] = 0
        for solve in (solve_triangular, ms.jit(solve_triangular)):
            with pytest.raises(ValueError, match="solve: singular matrix"):
                solve(ms.Tensor(singular), b, 0, True)


@pytest.mark.parametrize("size", [4, 12, 40, 140, 300])
def test_likelihood_by_factor_and_by_determinant(size: int) -> None:
    """The same function of a matrix in two ways, and both gradients, in both modes."""
    y = ms.Tensor(np.random.default_rng(1).standard_normal((size, 1)))

    def by_factor(k: Any) -> Any:
        factor = ops.cholesky(k)
        return (y * ops.cholesky_solve(y, factor)).sum() + 2 * ops.log(ops.diagonal(factor, 0, 0, 1)).sum()

    def by_determinant(k: Any) -> Any:
        return (y * ops.solve(k, y)).sum() + ops.slogdet(k)[1] + ops.log(ops.det(k)) * 0

    k = ms.Tensor(matrix(size))
    first, second = ms.value_and_grad(by_factor)(k), ms.value_and_grad(by_determinant)(k)
    np.testing.assert_allclose(first[0].asnumpy(), second[0].asnumpy(), 1e-9)
    np.testing.assert_allclose(first[1].asnumpy(), second[1].asnumpy(), 1e-7, 1e-9)
    np.testing.assert_allclose(first[0].asnumpy(), by_factor(k).asnumpy(), 1e-9)


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
def test_large_triangles_are_solved_for_in_halves() -> None:
    a, b = (ms.Tensor(np.eye(300, size, dtype=np.float32)) for size in (300, 40))
    compiled = ms.jit(lambda a, b: solve_triangular(a, b, lower=True))
    assert str(compiled.stages(a, b).optimized).count("= matmul(") == 3
    assert str(ms.jit(ops.cholesky).stages(a).optimized).count("= cholesky(") == 2


def test_what_machine_code_leaves_to_numpy_is_an_error_as_before() -> None:
    singular = ms.Tensor(np.ones((12, 12), np.float32))
    for function in (ops.inverse, ops.cholesky, lambda a: ops.solve(a, singular)):
        with pytest.raises(ValueError, match=r"singular|positive definite"):
            ms.jit(function)(singular)
    with pytest.raises(ValueError, match="cholesky: matrix is not positive definite"):
        ms.jit(ops.cholesky)(ms.Tensor(np.ones((300, 300), np.float32)))
    assert ms.jit(ops.det)(singular).asnumpy() == 0
    sign, logarithm = ms.jit(ops.slogdet)(singular)
    assert sign.asnumpy() == 0
    assert logarithm.asnumpy() == -np.inf


@pytest.mark.parametrize("rank", ["full", "one less", "two less"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (3, 3), (20, 1, 1), (20, 2, 2), (21, 3, 3), (20, 4, 4), (3, 9, 9)])
def test_gradients_of_determinants_are_cofactors(shape: tuple[int, ...], dtype: type, rank: str) -> None:
    """Also of singular matrices, of which one is in a stack."""
    a, size = np.random.default_rng(3).standard_normal(shape).astype(dtype), shape[-1]
    one = a[(7 % len(a),)] if len(shape) == 3 else a
    for row in range(min(size, ("full", "one less", "two less").index(rank))):
        one[row] = 2 * one[-1] if row < size - 1 else 0
    wanted = np.empty(shape)
    for i in range(size):
        for j in range(size):
            minor = np.delete(np.delete(a.astype(np.float64), i, -2), j, -1)
            wanted[..., i, j] = (-1) ** (i + j) * np.linalg.det(minor)
    gradient = ms.jit(ms.grad(lambda a: ops.det(a).sum()))(ms.Tensor(a)).asnumpy()
    assert adjugate.kernel is not None
    for found in (gradient, np.swapaxes(adjugate.kernel(a), -1, -2)):
        bound = (1e-5 if dtype == np.float32 else 1e-12) * (1 + np.abs(wanted).max())
        np.testing.assert_allclose(found, wanted, 0, bound)


def test_cofactors_of_nan_are_nan_and_those_of_complex_matrices_are_right() -> None:
    assert adjugate.kernel is not None
    given = np.stack([np.zeros((2, 2)), np.full((2, 2), np.nan)])
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(adjugate.kernel(given), given)
    singular = np.array([[1, 2j], [1j, -2]])
    np.testing.assert_allclose(adjugate.kernel(singular), [[-2, -2j], [-1j, 1]], atol=1e-12)


@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_signs_of_matrices_with_nan(size: int) -> None:
    x = np.random.RandomState(1).randn(size, size).astype(np.float32)
    x[0, 1] = np.nan
    for function in (ops.slogdet, ms.jit(ops.slogdet)):
        assert all(np.isnan(part.asnumpy()) for part in function(ms.Tensor(x)))
