"""Accumulation at positions that repeat, against NumPy's own, slow form."""

from typing import Any

import numpy as np
import pytest

from mycel.runtime.kernels import scatter
from mycel.runtime.kernels.scatter import accumulate_at, add_rows, take_at

UFUNCS = [np.add, np.multiply, np.maximum, np.minimum]


def check(ufunc: np.ufunc, shape: tuple[int, ...], key: Any, values: Any, dtype: Any = np.float64) -> None:
    """The same as `ufunc.at`, which adds in the same order except to long rows."""
    target = np.random.default_rng(1).integers(-4, 5, shape).astype(dtype)
    expected = target.copy()
    ufunc.at(expected, key, np.asarray(values, dtype))
    accumulate_at(ufunc, target, key, np.asarray(values, dtype))
    np.testing.assert_allclose(target, expected, rtol=1e-12)


@pytest.mark.parametrize("ufunc", UFUNCS)
@pytest.mark.parametrize("few", [0, 10**6])
def test_agrees_with_numpy(monkeypatch: pytest.MonkeyPatch, ufunc: np.ufunc, few: int) -> None:
    """All coordinates, some of them, broadcast ones, negative ones, numbers, slices and masks."""
    monkeypatch.setattr(scatter, "FEW", few)
    generator = np.random.default_rng(0)
    i, j = generator.integers(-5, 5, (4, 7)), generator.integers(0, 6, (4, 7))
    values = generator.choice([-1.0, 1.0, 2.0], (4, 7))
    check(ufunc, (5, 6), (i, j), values)
    check(ufunc, (5, 6), (i, j.astype(np.int8)), 2.0)
    check(ufunc, (5, 6), (i,), values[..., None])
    check(ufunc, (5, 6), (np.arange(5)[:, None], generator.integers(0, 6, (5, 3))), np.ones((5, 3)))
    check(ufunc, (5, 6), (2, j), values)
    check(ufunc, (5, 6), (True, i[0], j[0]), values[0])
    check(ufunc, (5, 6), (slice(1, 5), np.array([0, 0, 3])), np.ones((4, 3)))
    check(ufunc, (5, 6), (np.arange(30).reshape(5, 6) % 3 == 0,), np.full(10, 3.0))
    check(ufunc, (5, 6, 40), (i, j), generator.choice([1.0, 2.0], (4, 7, 40)))
    check(ufunc, (5, 6, 2), (i[:, :0], j[:, :0]), np.zeros((4, 0, 2)))


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.int64, np.uint8])
def test_dtypes(dtype: Any) -> None:
    """Sums are made in the dtype of the target."""
    key = (np.repeat(np.arange(4), 50),)
    check(np.add, (4,), key, np.ones(200), dtype)
    check(np.add, (4, 50), key, np.ones((200, 50)), dtype)


def test_halves_are_rounded_once() -> None:
    """Small numbers are not lost one by one."""
    target = np.array([2048, 0], np.float16)
    accumulate_at(np.add, target, (np.zeros(100, np.int64),), np.ones(100, np.float16))
    np.testing.assert_array_equal(target, [2148, 0])


def test_targets_need_not_be_contiguous() -> None:
    """A view is changed in place."""
    base = np.zeros((6, 5))
    accumulate_at(np.add, base.T, (np.zeros(100, np.int64), np.full(100, 2)), np.ones(100))
    assert base[2, 0] == 100
    assert base.sum() == 100


@pytest.mark.parametrize("wrong", [(5, 0), (-6, 0), (0, 9)])
def test_out_of_range(wrong: tuple[int, int]) -> None:
    """As NumPy says it, before anything is changed."""
    target = np.zeros((5, 6))
    i, j = np.zeros((2, 100), np.int64)
    i[-1], j[-1] = wrong
    axis = 1 if wrong[1] else 0
    with pytest.raises(IndexError, match=f"index {wrong[axis]} is out of bounds for axis {axis} with size"):
        accumulate_at(np.add, target, (i, j), np.ones(100))
    assert not target.any()


@pytest.mark.parametrize("rows", [[], [3], [1, 0, 2], [1, 1, 1], [0] * 30 + [1, 2, 2, 1, 4], [*range(5)] * 20])
@pytest.mark.parametrize("size", [5, 2**16 + 1])
def test_add_rows(rows: list[int], size: int) -> None:
    """Rows that come once, a few times, and often."""
    values = np.random.default_rng(0).integers(0, 9, (len(rows), 3)).astype(float)
    target, expected = np.ones((size, 3)), np.ones((size, 3))
    add_rows(target, np.array(rows, np.int64), values)
    np.add.at(expected, np.array(rows, np.int64), values)
    np.testing.assert_array_equal(target, expected)


@pytest.mark.parametrize(
    ("count", "rows", "length"), [(4000, 900, 32), (3000, 3, 16), (5000, 60, 9), (300, 100000, 128)]
)
def test_many_rows(count: int, rows: int, length: int) -> None:
    """Rows that repeat a few times, a thousand times, and hardly ever; and one that has most."""
    generator = np.random.default_rng(0)
    for numbers in (generator.integers(0, rows, count), np.maximum(generator.integers(-4 * rows, rows, count), 0)):
        values = generator.integers(-9, 9, (count, length)).astype(np.float32)
        target, expected = np.ones((rows, length), np.float32), np.ones((rows, length), np.float32)
        accumulate_at(np.add, target, (numbers,), values)
        np.add.at(expected, numbers, values)
        np.testing.assert_array_equal(target, expected)


@pytest.mark.parametrize("tail", [(), (3,), (2, 2)])
def test_take_at(tail: tuple[int, ...]) -> None:
    """Reads in brackets of a few positions and many, also of an array with gaps; and their errors."""
    generator = np.random.default_rng(0)
    x = generator.normal(size=(6, 5, *tail))
    for size in (4, 200):
        i, j = generator.integers(-6, 6, (2, size)), generator.integers(-5, 5, (2, size))
        np.testing.assert_array_equal(take_at(x, (i, j)), x[i, j])
        np.testing.assert_array_equal(take_at(x, (i,)), x[i])
        np.testing.assert_array_equal(take_at(x[::2], (i // 2,)), x[::2][i // 2])
        i[1, 2] = 6
        with pytest.raises(IndexError, match="index 6 is out of bounds for axis 0 with size 6"):
            take_at(x, (i, j))
