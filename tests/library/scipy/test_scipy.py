"""`scipy.linalg` and `numpy.fft`: values as MindSpore gives them, in both modes, and errors."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from recordings import cases, compiled, differs, eagerly

import mycel as ms
from mycel import Tensor
from mycel.library.scipy import fft as scipy_fft, linalg as scipy_linalg


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("scipy"))
def test_eager(expression, definitions, expected):
    assert not differs(eagerly(expression, definitions), expected)


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("scipy"))
def test_compiled(expression, definitions, expected):
    assert not differs(compiled(expression, definitions), expected)


def test_cosine_transforms():
    x = Tensor([1.0, 2.0, -3.0, 0.5])  # MindSpore's values
    np.testing.assert_allclose(scipy_fft.dct(x), [0.25, 1.679631, 1.25, -3.131108], rtol=1e-6)
    np.testing.assert_allclose(ms.jit(scipy_fft.idct)(x), [0.441862, 2.2145553, 1.7854445, -2.4418619], rtol=1e-6)
    for size in (1, 2, 3, 8):
        rows = np.random.default_rng(size).normal(size=(3, size, 2))
        waves = np.cos(np.pi * np.outer(np.arange(size), 2 * np.arange(size) + 1) / (2 * size)) * np.sqrt(2 / size)
        waves[0] *= np.sqrt(0.5)
        np.testing.assert_allclose(scipy_fft.dct(Tensor(rows), axis=1), waves @ rows, atol=1e-12)
        np.testing.assert_allclose(scipy_fft.idctn(scipy_fft.dctn(Tensor(rows))), rows, atol=1e-12)
        slope = ms.grad(lambda x: scipy_fft.dct(x, axis=1)[:, -1].sum())(Tensor(rows)).asnumpy()
        np.testing.assert_allclose(slope[0, :, 0], waves[-1], atol=1e-12)
    np.testing.assert_allclose(
        scipy_fft.dct(Tensor([1 + 2j, 3])), [np.sqrt(8) + np.sqrt(2) * 1j, np.sqrt(2) * (-1 + 1j)]
    )
    assert scipy_fft.dct(Tensor([1, 2, 3]), n=5).shape == (5,)
    assert scipy_fft.dctn(Tensor([[1, 2, 3]]), s=(2,)).shape == (1, 2)
    for name, value in {"type": 3, "norm": "forward", "n": 0, "axis": 1}.items():
        with pytest.raises(ValueError, match=r"value must be in|should be"):
            scipy_fft.dct(x, **{name: value})


@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (1, 1), (2, 40, 40), (50, 90), (90, 50), (0, 0), (0, 3), (3, 0)])
def test_factors_give_the_matrix_back(shape):
    matrix = np.random.default_rng(0).normal(size=shape)
    packed, exchanged = scipy_linalg.lu_factor(Tensor(matrix))
    for function in (scipy_linalg.lu, ms.jit(scipy_linalg.lu)):
        order, lower, upper = (part.asnumpy() for part in function(Tensor(matrix)))
        assert order.dtype == np.int32
        np.testing.assert_allclose(order @ lower @ upper, matrix, atol=1e-12)
        assert (np.abs(lower) <= 1).all()
        assert np.array_equal(packed.asnumpy(), np.tril(_whole(lower, shape), -1) + _whole(upper, shape))
    left, right = scipy_linalg.lu(Tensor(matrix), permute_l=True)
    np.testing.assert_allclose(left.asnumpy() @ right.asnumpy(), matrix, atol=1e-12)
    again = ms.jit(scipy_linalg.lu_factor)(Tensor(matrix))[1]
    assert np.array_equal(exchanged, again)
    if len(shape) == 2:
        for row, other in enumerate(exchanged.tolist()):
            matrix[[row, other]] = matrix[[other, row]]
        np.testing.assert_allclose(lower @ upper, matrix, atol=1e-12)


def _whole(part, shape):
    """A part of matrices with zeros up to their shape."""
    missing = [(0, size - own) for size, own in zip(shape, part.shape, strict=True)]
    return np.pad(part, missing)


def test_a_singular_matrix_has_factors():
    order, lower, upper = scipy_linalg.lu(Tensor([[0.0, 1.0], [0.0, 2.0]]))
    assert (order.tolist(), lower.tolist(), upper.tolist()) == ([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[0, 1], [0, 2]])


@pytest.mark.parametrize("shape", [(5, 3), (3, 5)])
@pytest.mark.parametrize("sides", [(), (2,)])
def test_least_squares(shape, sides):
    random = np.random.default_rng(1)
    a, b = random.normal(size=shape), random.normal(size=(shape[0], *sides))
    wanted = np.linalg.lstsq(a, b, rcond=None)
    for function in (scipy_linalg.lstsq, ms.jit(scipy_linalg.lstsq)):
        found = function(Tensor(a), Tensor(b), driver="gelsd")
        for part, each in zip(found, wanted, strict=True):
            np.testing.assert_allclose(part, each, atol=1e-12)
        assert [part.size for part in function(Tensor(a), Tensor(b), driver="gels")[2:]] == [0, 0]
    slopes = ms.grad(lambda a, b: scipy_linalg.lstsq(a, b)[0].sum(), (0, 1))(Tensor(a), Tensor(b))
    for place, slope in enumerate(slopes):
        step = random.normal(size=(a, b)[place].shape) * 1e-6
        above, below = ((a + s * step, b) if place == 0 else (a, b + s * step) for s in (1, -1))
        rise = np.linalg.lstsq(*above, rcond=None)[0].sum() - np.linalg.lstsq(*below, rcond=None)[0].sum()
        assert abs(rise / 2 - (slope.asnumpy() * step).sum()) < 1e-9


def test_the_rank_of_equal_rows_is_one():
    a, b = Tensor(np.ones((5, 3), np.float32)), Tensor(np.ones(5, np.float32))
    assert scipy_linalg.lstsq(a, b)[2] == 1


def test_gradient_of_triangular_equations_reads_one_half():
    a, b = Tensor([[2.0, 1.0], [7.0, 4.0]]), Tensor([1.0, 2.0])
    by_matrix = ms.grad(lambda m: scipy_linalg.solve_triangular(m, b).sum())(a).asnumpy()
    assert by_matrix[1, 0] == 0
    assert np.all(by_matrix[[0, 0, 1], [0, 1, 1]] != 0)


def test_errors():
    with pytest.raises(ValueError, match="inv: square matrices are expected"):
        scipy_linalg.inv(Tensor([[1.0, 2.0]]))
    with pytest.raises(TypeError, match="inv: a Tensor is expected, but got list"):
        scipy_linalg.inv([[1.0]])
    with pytest.raises(ValueError, match="'trans' should be one of"):
        scipy_linalg.solve_triangular(Tensor([[1.0]]), Tensor([1.0]), "X")
    with pytest.raises(ValueError, match=r"'B' should have 1 rows, as many as 'A', but got shape \(2,\)"):
        scipy_linalg.lstsq(Tensor([[1.0]]), Tensor([1.0, 2.0]))
    with pytest.raises(ValueError, match="'driver' should be 'gels'"):
        scipy_linalg.lstsq(Tensor([[1.0]]), Tensor([1.0]), driver="qr")
    with pytest.raises(ValueError, match="only the plain eigenvalue problem"):
        scipy_linalg.eigh(Tensor([[1.0]]), Tensor([[1.0]]))


def test_under_the_names_of_mindspore():
    program = (
        "import mycel; mycel.install_as_mindspore();"
        "import mindspore.scipy.linalg, mindspore.numpy.fft as fft, mindspore.scipy as scipy, mindspore as ms;"
        "print(scipy.linalg.inv(ms.Tensor([[2.0]])), fft.fftshift(ms.Tensor([1, 2])), ms.numpy.fft is fft)"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["[[0.5]]", "[2", "1]", "True"]
