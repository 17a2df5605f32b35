"""Texts of tensors against those of MindSpore 2.10 on NumPy 1.26, recorded in formatting_recorded.txt."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mycel.runtime.formatting import parameter_repr, tensor_repr, tensor_str

RECORD = Path(__file__).with_name("formatting_recorded.txt")


def recorded() -> list[Any]:
    """(expression, dtype, repr, str) of every tensor recorded."""
    cases = re.split(r"^== (\w+) of (.*)\n", RECORD.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return [
        pytest.param(expression, dtype, *texts.removesuffix("\n").split("\n-- str\n"), id=f"{expression} {dtype}")
        for dtype, expression, texts in zip(*[iter(cases)] * 3, strict=True)
    ]


def test_record_is_read() -> None:
    """An empty record would let everything pass."""
    assert len(recorded()) > 100


@pytest.mark.parametrize(("expression", "dtype", "expected_repr", "expected_str"), recorded())
def test_as_recorded(expression: str, dtype: str, expected_repr: str, expected_str: str) -> None:
    """`repr` and `str` agree to the character, on every version of NumPy."""
    values = eval(expression, {"np": np, "nan": float("nan"), "inf": float("inf")})
    array = np.array(values).astype(dtype.lower())
    assert tensor_repr(array, dtype) == expected_repr
    assert tensor_str(array) == expected_str


def test_bfloat16() -> None:
    """Short numbers of equal width in `repr`, six digits after the point in `str`, as MindSpore writes them."""
    ml_dtypes = pytest.importorskip("ml_dtypes")
    matrix = np.array([[1.5, -2], [100, 0.001]]).astype(ml_dtypes.bfloat16)
    assert tensor_repr(matrix, "BFloat16") == (
        "Tensor(shape=[2, 2], dtype=BFloat16, value=\n[[        1.5,          -2],\n [        100, 0.000999451]])"
    )
    assert tensor_str(matrix) == "[[1.500000 -2.000000]\n [100.000000 0.000999]]"
    scalar = np.array(0.1).astype(ml_dtypes.bfloat16)
    assert tensor_repr(scalar, "BFloat16") == "Tensor(shape=[], dtype=BFloat16, value= 0.100098)"
    assert tensor_str(scalar) == "0.100098"


def test_views_print_as_copies() -> None:
    """Strides do not matter."""
    array = np.arange(12.0).reshape(3, 4)
    assert tensor_repr(array.T, "Float64") == tensor_repr(array.T.copy(), "Float64")


def test_parameters() -> None:
    """Parameters show their name, shape, dtype and whether they are trained, not their values."""
    text = "Parameter (name=fc.weight, shape=(1, 3), dtype=Float32, requires_grad=True)"
    assert parameter_repr("fc.weight", (1, 3), "Float32", True) == text
    text = "Parameter (name=a, shape=(2,), dtype=Int32, requires_grad=False)"
    assert parameter_repr("a", [2], "Int32", False) == text
    assert parameter_repr("b", (), "Int8", True) == "Parameter (name=b, shape=(), dtype=Int8, requires_grad=True)"
