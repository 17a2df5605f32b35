"""Eigenvalues and eigenvectors of small symmetric matrices side by side: their accuracy, and what is left to NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hostile_arrays import wrong_for

import mycel as ms
from mycel import Tensor
from mycel.runtime.machine.array_functions import compile_elimination
from mycel.runtime.machine.elimination_sizes import TURNED, elimination_sizes
from mycel.runtime.machine.product import has_wide_code

wide = pytest.mark.skipif(not has_wide_code(), reason="the processor has no AVX-512")
LEADS = [(), (1,), (5,), (16,), (37,), (3, 7)]


def found(x: np.ndarray) -> tuple[bool, np.ndarray, np.ndarray]:
    """Whether the function takes the matrices, the eigenvalues, and the eigenvectors."""
    sizes = elimination_sizes(8, "eigen", False, x.dtype.name, x.shape)
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


@wide
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("rows", range(1, TURNED + 1))
def test_eigenvectors_are_orthogonal_and_diagonalise(rows: int, dtype: str) -> None:
    random, least = np.random.default_rng(rows), np.finfo(dtype).eps
    for lead in LEADS:
        for x in drawn(random, (*lead, rows, rows), dtype):
            done, values, vectors = found(x)
            assert done is True
            exact, turned = x.astype(float), vectors.astype(float)
            scale = np.abs(exact).max() + 1e-300
            assert np.abs(values - np.linalg.eigvalsh(exact)).max() < 30 * least * scale
            assert np.abs(turned.swapaxes(-1, -2) @ turned - np.eye(rows)).max() < 30 * least
            assert np.abs(exact @ turned - turned * values[..., None, :]).max() < 30 * least * scale
            assert (np.diff(values) >= 0).all()


@wide
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_has_no_eigenvalues_is_left_to_numpy(bad: float) -> None:
    x = np.zeros((3, 3, 3), np.float32)
    x[1, 0, 0] = bad
    assert found(x)[0] is False


@wide
@pytest.mark.parametrize("kind", ["eigen", "eigenvalues"])
def test_arrays_that_do_not_fit_are_refused(kind: str) -> None:
    x = np.eye(3, dtype=np.float32)
    sizes = elimination_sizes(8, kind, False, "float32", x.shape)
    assert sizes is not None
    arrays = [np.ones(shape, np.float32) for shape in (*sizes.shapes(kind), (sizes.room,))]
    function = compile_elimination(kind, False, *sizes)
    assert function(*arrays) is True
    for position in range(len(arrays)):
        for name, wrong in wrong_for(arrays[position], position > 0).items():
            given = list(arrays)
            given[position] = wrong
            assert function(*given) is False, name


@pytest.mark.parametrize("rows", [2, 4, 6, 7])
def test_programs_and_eager_calls_have_the_same_vectors(rows: int) -> None:
    x = Tensor(np.random.default_rng(rows).standard_normal((6, rows, rows)).astype(np.float32))
    one, other = ms.ops.eigh(x), ms.jit(ms.ops.eigh)(x)
    alone = ms.jit(lambda x: ms.ops.eigh(x)[0])(x)
    for first, second in zip((*one, one[0]), (*other, alone), strict=True):
        np.testing.assert_allclose(first.asnumpy(), second.asnumpy(), 1e-4, 1e-4)
