"""Products with sparse constant matrices are sums of what is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.kernels import eligible

pytestmark = pytest.mark.skipif(not eligible.is_available(), reason="no machine code here")

RANDOM = np.random.default_rng(0)


def sparse(rows: int, columns: int, most: int, dtype: Any = np.float32) -> np.ndarray:
    """A matrix with at most so many numbers in a row that are not zero, also rows with none."""
    matrix = np.zeros((rows, columns), dtype)
    for row in range(1, rows):
        chosen = RANDOM.choice(columns, 1 + row % most, replace=False)
        matrix[row, chosen] = RANDOM.standard_normal(len(chosen))
    return matrix


def drawn(*shape: int, dtype: Any = np.float32) -> Tensor:
    return Tensor(RANDOM.standard_normal(shape).astype(dtype))


def op_names(function: Callable[..., Any], x: Tensor) -> set[str]:
    return {each.name for each in ms.jit(function).stages(x).passes["simplify"].ops}


@pytest.mark.parametrize(
    ("dtype", "most", "shape"), chequered([np.float32, np.float64], [1, 2, 5], [(96, 70), (3, 96, 50), (2, 2, 96, 40)])
)
def test_rows_and_columns(shape: tuple[int, ...], most: int, dtype: Any) -> None:
    matrix = sparse(90, 96, most, dtype)
    x = drawn(*shape, dtype=dtype)
    ways: list[tuple[Callable[[Any], Any], np.ndarray]] = [
        (lambda x: ops.matmul(Tensor(matrix), x), matrix @ x.asnumpy()),
        (lambda x: ops.matmul(x.swapaxes(-1, -2), Tensor(matrix).T), x.asnumpy().swapaxes(-1, -2) @ matrix.T),
        (lambda x: ops.matmul(Tensor(matrix.T.copy()).T, x), matrix @ x.asnumpy()),
    ]
    for function, wanted in ways:
        assert "matmul" not in op_names(function, x)
        found = ms.jit(function)(x).asnumpy()
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


def test_halves_are_added_in_float32() -> None:
    """As their products are: the matrix is cast while the program is compiled."""
    matrix, x = sparse(90, 96, 5, np.float16), drawn(96, 70, dtype=np.float16)
    wanted = (matrix.astype(np.float32) @ x.asnumpy().astype(np.float32)).astype(np.float16)
    assert "matmul" not in op_names(lambda x: ops.matmul(Tensor(matrix), x), x)
    found = ms.jit(lambda x: ops.matmul(Tensor(matrix), x))(x).asnumpy()
    assert np.count_nonzero(found != wanted) < 10  # where float32 is rounded another way


def test_gradients() -> None:
    matrix, x = sparse(90, 96, 2), drawn(3, 96, 50)

    def loss(x: Any) -> Any:
        return (ops.matmul(Tensor(matrix), x) ** 2).sum()

    found = ms.jit(ms.grad(loss))(x).asnumpy()
    np.testing.assert_allclose(found, 2 * matrix.T @ (matrix @ x.asnumpy()), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("matrix", "x"),
    [
        (sparse(90, 96, 30), drawn(96, 70)),
        (sparse(20, 96, 2), drawn(96, 8)),
        (sparse(90, 12, 3), drawn(12, 70)),
        (np.zeros((90, 96), np.float32), drawn(96, 70)),
        (np.where(sparse(90, 96, 2) == 0, 0, np.nan).astype(np.float32), drawn(96, 70)),
    ],
    ids=["many numbers", "a small result", "not deep", "zeros", "nan"],
)
def test_other_products_stay(matrix: np.ndarray, x: Tensor) -> None:
    names = op_names(lambda x: ops.matmul(Tensor(matrix), x), x)
    assert any("matmul" in name for name in names)


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("size", [(60, 90), (128, 128), (20, 30)])
def test_resized_images(mode: str, size: tuple[int, int]) -> None:
    x = drawn(2, 3, 64, 64)

    def resized(x: Any) -> Any:
        return ops.interpolate(x, size=size, mode=mode, align_corners=False)

    def loss(x: Any) -> Any:
        return (resized(x) ** 2).sum()

    with ms.disable_jit():
        wanted, gradient = resized(x).asnumpy(), ms.grad(loss)(x).asnumpy()
    np.testing.assert_allclose(ms.jit(resized)(x).asnumpy(), wanted, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(ms.jit(ms.grad(loss))(x).asnumpy(), gradient, rtol=1e-4, atol=1e-4)
