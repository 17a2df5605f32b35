"""Copies of arrays with short rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.kernels.copies import copy_rows


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.bool_])
@pytest.mark.parametrize("equal", [True, False])
def test_rows_are_copied_as_numpy_does(dtype: Any, equal: bool) -> None:
    random = np.random.default_rng(0)
    for shape in [(1, 5, 40, 2), (4, 3, 1, 3), (2, 4), (0, 3, 2), (3, 17, 33, 4)]:
        source = random.integers(0, 5, (*shape[:-1], 1 if equal else shape[-1])).astype(dtype)
        source = np.broadcast_to(source, shape)
        target = np.zeros(shape, dtype)
        copy_rows(target, source)
        np.testing.assert_array_equal(target, source)


def enlarged(x: Any) -> Any:
    """Images twice as large."""
    return ops.interpolate(x * 2.0, scale_factor=2.0, mode="nearest", recompute_scale_factor=True) + 1.0


def test_programs_enlarge_images() -> None:
    x = np.random.default_rng(0).standard_normal((2, 4, 24, 20)).astype(np.float32)
    compiled = ms.jit(enlarged)
    np.testing.assert_array_equal(compiled(Tensor(x)).asnumpy(), x.repeat(2, 2).repeat(2, 3) * 2 + 1)
