"""Accumulation along axes of every form, against loops in Python."""

from typing import Any

import numpy as np
import pytest

from mycel.runtime import dtypes
from mycel.runtime.kernels import recurrence

SHAPES = [((300,), 0), ((7, 300), 0), ((300, 7), 0), ((5, 6, 150), 1), ((5, 6, 150), 2), ((2, 0), 1), ((0, 300), 0)]


@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_accumulate(shape: tuple[int, ...], axis: int, reverse: bool, exclusive: bool) -> None:
    """Narrow rows and wide ones, forwards and backwards, into an array that is given and into a new one."""
    x = np.random.default_rng(0).integers(-3, 4, shape).astype(np.float32)
    expected = np.empty_like(x)
    along, target = np.moveaxis(x, axis, 0), np.moveaxis(expected, axis, 0)
    total: Any = np.zeros(along.shape[1:], np.float32)
    for i in range(len(along))[:: -1 if reverse else 1]:
        after = total + along[i]
        target[i] = total if exclusive else after
        total = after
    out = np.full_like(x, 99)
    recurrence.accumulate(np.add, x, axis, 0, exclusive, reverse, out)
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(recurrence.accumulate(np.add, x, axis, 0, exclusive, reverse), expected)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_linear_recurrence(shape: tuple[int, ...], axis: int, reverse: bool) -> None:
    """Along any axis, from either end."""
    generator = np.random.default_rng(0)
    a, b = (generator.choice([-1.0, 0.0, 0.5, 1.0], shape) for _ in range(2))
    expected = np.empty_like(b)
    factors, terms, rows = (np.moveaxis(array, axis, 0) for array in (a, b, expected))
    before: Any = np.zeros(rows.shape[1:])
    for i in range(len(rows))[:: -1 if reverse else 1]:
        before = factors[i] * before + terms[i]
        rows[i] = before
    np.testing.assert_allclose(recurrence.linear_recurrence(a, b, axis, reverse), expected)
    out = np.full_like(b, 99)
    recurrence.linear_recurrence(a, b, axis, reverse, out)
    np.testing.assert_allclose(out, expected)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("shape", [(64, 1100), (70000,), (90, 17, 60), (3, 65537)])
def test_sums_in_blocks(shape: tuple[int, ...], reverse: bool) -> None:
    """Long running sums; inf and nan do not spread to other elements."""
    x = np.random.default_rng(0).integers(-3, 4, shape).astype(np.float32)
    out = np.full_like(x, 99)
    for special in (None, np.inf, np.nan):
        if special is not None:
            x[..., 33] = special
        expected = np.cumsum(x[..., ::-1] if reverse else x, -1)
        expected = expected[..., ::-1] if reverse else expected
        recurrence.accumulate(np.add, x, x.ndim - 1, 0, False, reverse, out)
        np.testing.assert_array_equal(out, expected)
        np.testing.assert_array_equal(recurrence.accumulate(np.add, x, x.ndim - 1, 0, False, reverse), expected)


@pytest.mark.parametrize("dtype", [dtypes.float16, dtypes.bfloat16, dtypes.float32])
def test_positions_of_nan(dtype: dtypes.DType) -> None:
    """A nan is an extremum of what follows, and its position is given, in each precision."""
    dtypes.require_bfloat16()
    x = np.array([1, 3, 2, np.nan, 9], np.float32).astype(dtype.np)
    for ufunc, first in ((np.maximum, [0, 1, 1]), (np.minimum, [0, 0, 0])):
        with np.errstate(invalid="ignore"):  # ml_dtypes reports nan
            values, positions = recurrence.running_extremum(ufunc, x, 0)
        assert np.isnan(values[3:].astype(np.float32)).all()
        assert positions.tolist() == [*first, 3, 3]
