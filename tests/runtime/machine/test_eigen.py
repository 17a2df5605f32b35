"""Eigenvalues and eigenvectors of small symmetric matrices side by side, and singular ones of square matrices: their
accuracy, and what is left to NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hostile_arrays import wrong_for

import mycel as ms
from mycel import Tensor
from mycel.runtime.machine.array_functions import compile_elimination
from mycel.runtime.machine.elimination_sizes import MANY, TURNED, elimination_sizes
from mycel.runtime.machine.product import has_products, has_wide_code

WIDE = pytest.param(8, marks=pytest.mark.skipif(not has_wide_code(), reason="the processor has no AVX-512"))
NARROW = pytest.param(4, marks=pytest.mark.skipif(not has_products(), reason="no machine code here"))
both = pytest.mark.parametrize("lanes", [NARROW, WIDE])
LEADS = [(), (1,), (5,), (16,), (37,), (3, 7)]


def leads(lanes: int) -> list[tuple[int, ...]]:
    """Leading dimensions: with AVX2 there are MANY matrices or more."""
    return [lead for lead in LEADS if lanes == 8 or np.prod(lead) >= MANY]


def found(x: np.ndarray, lanes: int) -> tuple[bool, np.ndarray, np.ndarray]:
    """Whether the function takes the matrices, the eigenvalues, and the eigenvectors."""
    sizes = elimination_sizes(lanes, "eigen", False, x.dtype.name, x.shape)
    assert sizes is not None
    values, vectors = np.empty(x.shape[:-1], x.dtype), np.empty_like(x)
    done = compile_elimination("eigen", False, *sizes)(x, values, vectors, np.empty(sizes.room, x.dtype))
    return done, values, vectors


def drawn(random: np.random.Generator, shape: tuple[int, ...], dtype: str) -> list[np.ndarray]:
    """Symmetric matrices: any, huge and tiny ones, with equal eigenvalues or nearly equal ones, and graded ones."""
    x = random.standard_normal(shape)
    x = x + x.swapaxes(-1, -2)
    size, eye = (1e30, np.eye(shape[-1])) if dtype == "float32" else (1e200, np.eye(shape[-1]))
    graded = np.exp(5 * random.standard_normal((shape[-1], 1)))
    kinds = [x, x * size, x / size, np.round(x), np.ones(shape), np.zeros(shape), eye + 1e-6 * x, x * graded * graded.T]
    return [np.ascontiguousarray(np.broadcast_to(kind, shape), dtype) for kind in kinds]


@both
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("rows", range(1, TURNED + 1))
def test_eigenvectors_are_orthogonal_and_diagonalise(rows: int, dtype: str, lanes: int) -> None:
    random, least = np.random.default_rng(rows), np.finfo(dtype).eps
    for lead in leads(lanes):
        for x in drawn(random, (*lead, rows, rows), dtype):
            done, values, vectors = found(x, lanes)
            assert done is True
            exact, turned = x.astype(float), vectors.astype(float)
            scale = np.abs(exact).max() + 1e-300
            assert np.abs(values - np.linalg.eigvalsh(exact)).max() < 30 * least * scale
            assert np.abs(turned.swapaxes(-1, -2) @ turned - np.eye(rows)).max() < 30 * least
            assert np.abs(exact @ turned - turned * values[..., None, :]).max() < 30 * least * scale
            assert (np.diff(values) >= 0).all()


def singular(x: np.ndarray, lanes: int) -> tuple[bool, np.ndarray, np.ndarray, np.ndarray]:
    """Whether the function takes the matrices, U, the singular values, and V transposed."""
    results = []
    for kind in ("svd", "singular_values"):
        sizes = elimination_sizes(lanes, kind, False, x.dtype.name, x.shape)
        assert sizes is not None
        values, u, v = np.empty(x.shape[:-1], x.dtype), np.empty_like(x), np.empty_like(x)
        arrays = (x, values, u, v) if kind == "svd" else (x, values)
        done = compile_elimination(kind, False, *sizes)(*arrays, np.empty(sizes.room, x.dtype))
        results.append((done, u, values, v))
    assert results[0][0] == results[1][0]
    if results[0][0]:
        np.testing.assert_allclose(*[values for _, _, values, _ in results], 1e-5)
    return results[0]


@both
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("rows", range(1, TURNED + 1))
def test_singular_vectors_are_orthogonal_and_give_the_matrix(rows: int, dtype: str, lanes: int) -> None:
    random, least = np.random.default_rng(rows), np.finfo(dtype).eps
    for lead in leads(lanes):
        shape = (*lead, rows, rows)
        u, _, v = np.linalg.svd(random.standard_normal(shape))
        for spread, size in ((1.0, 1.0), (1e-2, 1e25), (1e-5, 1e-25)):
            x = (u * (size * np.geomspace(1, spread, rows)) @ v).astype(dtype)
            done, left, values, right = singular(x, lanes)
            assert done is True
            exact, (left, right) = x.astype(float), (part.astype(float) for part in (left, right))
            for turned in (left, right):
                assert np.abs(turned.swapaxes(-1, -2) @ turned - np.eye(rows)).max() < 30 * least
            assert np.abs(left * values[..., None, :] @ right - exact).max() < 30 * least * size
            assert np.abs(values - np.linalg.svd(exact, compute_uv=False)).max() < 30 * least * size
            assert (np.diff(values) <= 0).all()


@both
@pytest.mark.parametrize("bad", [0.0, 1.0, np.nan, np.inf])
def test_matrices_without_inverse_are_left_to_numpy(bad: float, lanes: int) -> None:
    x = np.stack([np.eye(3, dtype=np.float32)] * MANY)
    x[2] = bad
    assert singular(x, lanes)[0] is False


@both
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_has_no_eigenvalues_is_left_to_numpy(bad: float, lanes: int) -> None:
    x = np.zeros((MANY, 3, 3), np.float32)
    x[1, 0, 0] = bad
    assert found(x, lanes)[0] is False


@both
@pytest.mark.parametrize("kind", ["eigen", "eigenvalues", "svd", "singular_values"])
def test_arrays_that_do_not_fit_are_refused(kind: str, lanes: int) -> None:
    x = np.stack([np.eye(3, dtype=np.float32)] * MANY)
    sizes = elimination_sizes(lanes, kind, False, "float32", x.shape)
    assert sizes is not None
    shapes = [(MANY, *shape[1:]) for shape in sizes.shapes(kind)[1:]]
    arrays = [x, *[np.ones(shape, np.float32) for shape in (*shapes, (sizes.room,))]]
    function = compile_elimination(kind, False, *sizes)
    assert function(*arrays) is True
    for position in range(len(arrays)):
        for name, wrong in wrong_for(arrays[position], position > 0).items():
            given = list(arrays)
            given[position] = wrong
            assert function(*given) is False, name


@pytest.mark.parametrize("rows", [2, 4, 6, 7])
def test_programs_and_eager_calls_have_the_same_vectors(rows: int) -> None:
    x = Tensor(np.random.default_rng(rows).standard_normal((MANY, rows, rows)).astype(np.float32))
    one, other = ms.ops.eigh(x), ms.jit(ms.ops.eigh)(x)
    alone = ms.jit(lambda x: ms.ops.eigh(x)[0])(x)
    several, svd = [*zip((*one, one[0]), (*other, alone), strict=True)], ms.ops.svd
    for flags in ({"full_matrices": False}, {"compute_uv": False}):
        one, other = (run(lambda x, flags=flags: svd(x, **flags))(x) for run in (lambda run: run, ms.jit))
        several += zip(one, other, strict=True) if isinstance(one, tuple) else [(one, other)]
    for first, second in several:
        np.testing.assert_allclose(first.asnumpy(), second.asnumpy(), 1e-4, 1e-4)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(30, 6, 3), (30, 3, 6), (5, 40, 8), (2, 3, 9, 1), (20, 12, 10), (0, 5, 3), (5, 3)])
def test_singular_values_of_matrices_that_are_not_square(shape: tuple[int, ...], dtype: str) -> None:
    """They are those of the triangular factor, where it is small; one of these is singular, and one nearly."""
    x = np.random.default_rng(0).standard_normal(shape).astype(dtype)
    if x.size and x.ndim == 3:
        x[1] = 0
        x[2, -1] = x[2, 0] * (1 + 1e-6)
    found = ms.jit(lambda x: ms.ops.svd(x, compute_uv=False))(ms.Tensor(x)).asnumpy()
    wanted = np.linalg.svd(x.astype(np.float64), compute_uv=False)
    np.testing.assert_allclose(
        found, wanted, 1e-4 if dtype == "float32" else 1e-12, 1e-5 if dtype == "float32" else 1e-13
    )
