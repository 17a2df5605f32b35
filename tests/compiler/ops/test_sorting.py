"""Searches in ordered sequences, as kernels compute them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor
from mycel.compiler.kernels import eligible

pytestmark = pytest.mark.skipif(not eligible.is_available(), reason="no machine code here")


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("right", [False, True])
def test_short_sequences_are_searched_in_kernels(dtype: str, right: bool) -> None:
    """The places are NumPy's, also among equal numbers and nan."""
    random = np.random.default_rng(0)

    @ms.jit
    def places(sequence: Any, values: Any) -> Any:
        return ms.ops.searchsorted(sequence, values, right=right)

    for length in (1, 2, 7, 60):
        sequence = np.sort(random.integers(-9, 9, length).astype(dtype))
        values = random.integers(-10, 10, (3, 7)).astype(dtype)
        if dtype.startswith("float"):
            values[0, :3] = np.nan, np.inf, -np.inf
            sequence[length // 2 + 1 :] = np.nan
        found = places(Tensor(sequence), Tensor(values)).asnumpy()
        np.testing.assert_array_equal(found, np.searchsorted(sequence, values, "right" if right else "left"))
        assert " = searchsorted(" not in str(places.stages(Tensor(sequence), Tensor(values)).program)
