"""Methods that convert a tensor to a dtype."""

from __future__ import annotations

import subprocess
import sys

import pytest

import mycel as ms
from mycel import Tensor


def test_bfloat16_as_the_first_use_of_that_dtype() -> None:
    pytest.importorskip("ml_dtypes")
    code = "import mycel as ms; x = ms.Tensor([1.5, 2.0]).bfloat16(); print(x.dtype, (x + x).float().tolist())"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == "BFloat16 [3.0, 4.0]\n"


def test_rows_of_bfloat16() -> None:
    """Tensors of a sequence become rows, as in other precisions."""
    pytest.importorskip("ml_dtypes")
    row = Tensor([1.0, 2.5]).astype(ms.bfloat16)
    rows = Tensor([row, row])
    assert (rows.dtype, rows.shape, rows.tolist()) == (ms.bfloat16, (2, 2), [[1.0, 2.5]] * 2)
