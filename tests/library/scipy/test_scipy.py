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


@pytest.mark.parametrize(
    ("expression", "definitions", "expected"),
    [case for case in cases("scipy") if not case[0].startswith(("sl.lu", "sl.lstsq"))],
)
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


def test_factors_give_the_matrix_back():
    matrix = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)
    left, right = scipy_linalg.lu(Tensor(matrix), permute_l=True)
    assert np.allclose(left.asnumpy() @ right.asnumpy(), matrix, atol=1e-6)
    order, lower, upper = scipy_linalg.lu(Tensor(matrix))
    assert order.dtype == ms.int32
    assert np.allclose(order.asnumpy() @ lower.asnumpy() @ upper.asnumpy(), matrix, atol=1e-6)


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
