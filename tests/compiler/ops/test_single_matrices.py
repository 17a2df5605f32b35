"""Inverses, solutions and factors of single matrices by the ufuncs below numpy.linalg: its numbers and its errors."""

from __future__ import annotations

import numpy as np
import pytest

from mycel.compiler import ops
from mycel.compiler.ops.solving import well_conditioned

TYPES = [np.float32, np.float64]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", [1, 2, 3, 17])
def test_numbers(dtype: type, size: int) -> None:
    """With and without a given result."""
    matrix = well_conditioned(size).astype(dtype)
    right = np.arange(2 * size, dtype=dtype).reshape(size, 2)
    symmetric = matrix @ matrix.T
    for kernel, arrays, expected in (
        (ops.inverse.kernel, (matrix,), np.linalg.inv(matrix)),
        (ops.solve.kernel, (matrix, right), np.linalg.solve(matrix, right)),
        (ops.solve.kernel, (matrix.T, right), np.linalg.solve(matrix.T, right)),
        (ops.cholesky.kernel, (symmetric,), np.linalg.cholesky(symmetric)),
    ):
        out = np.empty_like(expected)
        assert kernel(*arrays, out=out) is out
        for found in (kernel(*arrays), out):
            np.testing.assert_allclose(found, expected, rtol=1e-4 if dtype is np.float32 else 1e-10)
            assert found.dtype == dtype


@pytest.mark.parametrize("dtype", TYPES)
def test_failures(dtype: type) -> None:
    """What has no inverse or factor is an error; nan is a number."""
    singular = np.ones((2, 2), dtype)
    with np.errstate(all="ignore"):
        with pytest.raises(ValueError, match="inverse: singular matrix"):
            ops.inverse.kernel(singular)
        with pytest.raises(ValueError, match="solve: singular matrix"):
            ops.solve.kernel(singular, singular)
        with pytest.raises(ValueError, match="cholesky: matrix is not positive definite"):
            ops.cholesky.kernel(-np.eye(2, dtype=dtype))
        unknown = np.array([[np.nan, 1], [0, 1]], dtype)
        np.testing.assert_array_equal(ops.inverse.kernel(unknown), np.linalg.inv(unknown))


def test_no_elements() -> None:
    """Matrices without rows."""
    assert ops.inverse.kernel(np.zeros((0, 0))).shape == (0, 0)
    assert ops.solve.kernel(np.eye(2), np.zeros((2, 0))).shape == (2, 0)
