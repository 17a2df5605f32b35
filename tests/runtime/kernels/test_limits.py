"""Arrays that are brought up to a number."""

from __future__ import annotations

import numpy as np
import pytest

from mycel.runtime.kernels.limits import MANY, at_least, no_less


@pytest.mark.parametrize("function", [at_least, no_less])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int32])
@pytest.mark.parametrize("size", [0, 6, MANY, 3 * MANY + 1])
def test_the_maximum_of_elements_and_a_number(function: object, dtype: type, size: int) -> None:
    numbers = np.random.default_rng(1).integers(-300, 300, size).astype(dtype)
    if size and dtype is not np.int32:
        numbers[:4] = np.nan, np.inf, -np.inf, -0.0
    for x in (numbers, numbers[::2], np.abs(numbers)):
        before = x.copy()
        result = function(x, -100)  # type: ignore[operator]
        assert result.dtype == x.dtype
        np.testing.assert_array_equal(result, np.maximum(x, -100))
        np.testing.assert_array_equal(x, before)


def test_nothing_less_is_the_array_itself() -> None:
    x = np.ones(MANY, np.float32)
    assert no_less(x, 0) is x
