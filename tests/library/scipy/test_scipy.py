"""`scipy.linalg` and `numpy.fft`: values as MindSpore gives them, in both modes, and errors."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from recordings import cases, compiled, differs, eagerly

import mycel as ms
from mycel import Tensor
from mycel.library.scipy import linalg as scipy_linalg


@pytest.mark.parametrize(("expression", "definitions", "expected"), cases("scipy"))
def test_eager(expression, definitions, expected):
    assert not differs(eagerly(expression, definitions), expected)


@pytest.mark.parametrize(
    ("expression", "definitions", "expected"),
    [case for case in cases("scipy") if not case[0].startswith(("sl.lu", "sl.lstsq"))],
)
def test_compiled(expression, definitions, expected):
    assert not differs(compiled(expression, definitions), expected)


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
