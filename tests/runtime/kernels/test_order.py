"""Sorting and searching against NumPy's stable sort."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mycel.runtime import threads as threads_module
from mycel.runtime.kernels import order

DTYPES = [np.float32, np.float16, np.int32, np.uint32, np.float64, np.int64, np.int8, np.bool_]


def numbers(shape: tuple[int, ...], dtype: Any) -> Any:
    """Few different numbers, and the special ones of floats."""
    generator = np.random.default_rng(0)
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        special = [0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1e-8, -1e-8, 1.5, -1.5, 60000, -60000]
        return generator.choice(np.array(special, dtype), shape)
    if dtype.kind == "b":
        return generator.integers(0, 2, shape).astype(dtype)
    limits = np.iinfo(dtype)
    return generator.choice(np.array([limits.min, limits.max, 0, 1, 2, 7], dtype), shape)


def expected_order(x: Any, axis: int, descending: bool) -> Any:
    """Positions by Python's stable sort, nan the largest."""

    def key(value: Any) -> Any:
        missing = value != value
        return (missing, 0 if missing else value.item())

    def row(values: Any) -> Any:
        return sorted(range(len(values)), key=lambda i: key(values[i]), reverse=False)

    def backwards(values: Any) -> Any:
        positions = sorted(range(len(values) - 1, -1, -1), key=lambda i: key(values[i]))
        return positions[::-1]

    return np.apply_along_axis(backwards if descending else row, axis, x)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("shape", "axis"), [((100,), 0), ((3, 90), 1), ((70, 2, 2), 0), ((4, 5), 1), ((2, 0), 1)])
def test_argsort_is_stable(dtype: Any, shape: tuple[int, ...], axis: int) -> None:
    """In both directions, on long axes and short ones."""
    x = numbers(shape, dtype)
    for descending in (False, True):
        result = order.argsort(x, axis, descending)
        assert result.dtype == np.intp
        if x.size:
            np.testing.assert_array_equal(result, expected_order(x, axis, descending))


def test_every_nan_of_float16_is_the_largest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one with a sign, where NumPy sorts keys."""
    monkeypatch.setattr(order, "best", lambda *arguments: None)
    x = np.array([3, -np.nan, 1, np.nan, 0] * 20, np.float16)
    assert np.isnan(x[order.argsort(x, 0, False)][-40:]).all()
    assert np.isnan(x[order.argsort(x, 0, True)][:40]).all()


def test_nan_of_bfloat16_is_the_largest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where NumPy sorts: it has no order of them itself."""
    monkeypatch.setattr(order, "best", lambda *arguments: None)
    x = np.array([3, np.nan, 1, 2, np.nan, 0, -1], pytest.importorskip("ml_dtypes").bfloat16)
    assert order.argsort(x, 0, False).tolist() == [6, 5, 2, 3, 0, 1, 4]
    assert order.argsort(x, 0, True).tolist() == [1, 4, 0, 3, 2, 5, 6]


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.float64])
@pytest.mark.parametrize("k", [0, 1, 2, 7, 99, 100])
def test_topk(dtype: Any, k: int) -> None:
    """The beginning of the whole order, from either end."""
    x = numbers((3, 100, 2), dtype)
    x[np.isnan(x)] = 3  # whose place among the best is argmax's to say
    for largest in (False, True):
        result = order.topk(x, k, 1, largest)
        np.testing.assert_array_equal(result, expected_order(x, 1, largest)[:, :k])


def test_inputs_stay_as_they_are() -> None:
    """Sorting happens on copies."""
    for dtype in (np.uint32, np.float32):
        x = numbers((100,), dtype)
        before = x.copy()
        order.argsort(x, 0, True)
        order.topk(x, 5, 0, True)
        np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("largest", [False, True])
def test_topk_beside_infinities_and_nan(largest: bool) -> None:
    """The mark of found elements may be among the numbers; nan counts as the largest."""
    x = np.random.default_rng(0).normal(size=(6, 80)).astype(np.float32)
    x[0, 3:78] = -np.inf
    x[1, 3:78] = np.inf
    x[2, 5] = x[2, 70] = np.nan
    x[3] = 1
    x[4, ::2] = np.nan
    for row in x:
        expected = expected_order(row, 0, largest)[:7]
        np.testing.assert_array_equal(order.topk(row, 7, 0, largest), expected)
    np.testing.assert_array_equal(order.topk(x, 7, 1, largest), expected_order(x, 1, largest)[:, :7])


@pytest.mark.parametrize(("shape", "axis"), [((90, 700), 1), ((60, 700), 0), ((20_000,), 0)])
def test_rows_are_sorted_block_by_block(shape: tuple[int, ...], axis: int) -> None:
    """More elements than have keys at a time, positions in a dtype, and the values there."""
    x = numbers(shape, np.float32)
    for descending in (False, True):
        positions = order.argsort(x, axis, descending, np.int32)
        assert positions.dtype == np.int32
        np.testing.assert_array_equal(positions, expected_order(x, axis, descending))
        expected = np.take_along_axis(x, positions, axis)
        np.testing.assert_array_equal(order.values_at(x, positions, axis), expected)
        np.testing.assert_array_equal(order.topk(x, 59, axis, descending), positions.take(range(59), axis))


@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.uint32, np.float64, np.int64])
def test_the_best_of_long_rows(dtype: Any, largest: bool) -> None:
    """Some rows have many equal elements, infinities or nan."""
    generator = np.random.default_rng(1)
    for shape, axis, k in (((3, 1500), 1, 12), ((1601, 2, 2), 0, 17), ((2, 3, 4999), 2, 100)):
        x = (generator.normal(size=shape) * 100).astype(dtype)
        rows = np.moveaxis(x, axis, -1)
        cases = [x.copy() for _ in range(4)]
        np.moveaxis(cases[1], axis, -1)[..., : rows.shape[-1] // 2] = 7
        if np.dtype(dtype).kind == "f":
            np.moveaxis(cases[2], axis, -1)[..., -1] = np.nan
            np.moveaxis(cases[3], axis, -1)[..., 5:25] = np.inf, *[-np.inf] * 19
        for case in cases:
            positions = order.topk(case, k, axis, largest)
            wanted = np.take(order.argsort(case, axis, largest), range(k), axis)
            np.testing.assert_array_equal(positions, wanted)


@pytest.mark.parametrize(
    "dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.float32, np.float16, "bfloat16"]
)
def test_values_in_order(dtype: Any) -> None:
    """Short and long rows, among them the least and the largest numbers, along any axis and of a transposed array."""
    if dtype == "bfloat16":
        dtype = pytest.importorskip("ml_dtypes").bfloat16
    generator, dtype = np.random.default_rng(2), np.dtype(dtype)
    for shape, axis in (((0, 3), 0), ((7, 60), 1), ((60, 7), 0), ((2, 700), 1), ((700, 2, 2), 0)):
        x = (generator.normal(size=shape) * 100).astype(dtype)
        if x.size:
            integer = dtype.kind in "iu"
            x[0], x[-1] = (np.iinfo(dtype).max, np.iinfo(dtype).min) if integer else (np.nan, -np.inf)
        for case in (x, x.T):
            along = axis if case is x else x.ndim - 1 - axis
            found = order.ascending(case, along)
            assert found.dtype == dtype
            assert found.flags.c_contiguous
            assert not np.may_share_memory(found, case)
            expected = np.sort(case.astype(np.float32), along)  # nan last, also of bfloat16
            np.testing.assert_array_equal(found.astype(np.float32), expected)


def test_threads_share_the_rows_of_a_sort(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each block of rows once, in both orders, and by few of the first."""
    x = np.random.default_rng(0).integers(0, 50, (300, 200)).astype(np.float32)
    x[::7, ::5] = np.nan
    expected = [order.argsort(x, 1, descending, np.int32) for descending in (False, True)]
    shared = []

    def share(work: Callable[[int, int], None], pieces: int, threads: int) -> None:
        shared.append((pieces, threads))
        threads_module.share(work, pieces, threads)

    monkeypatch.setattr(order, "share", share)
    monkeypatch.setattr(order, "worth_sharing", lambda *amounts: 3)
    for descending, wanted in zip((False, True), expected, strict=True):
        np.testing.assert_array_equal(order.argsort(x, 1, descending, np.int32), wanted)
        np.testing.assert_array_equal(order._by_keys(x, x, 1, 90, descending, np.int32), wanted[:, :90])
    assert shared == [(4, 3)] * 4


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("count", [1.0, 0.3])
def test_keys_of_rows_with_nan_of_both_signs(descending: bool, count: float) -> None:
    """All kinds of nan are one number, the largest, and keep their order, as do both zeros."""
    rng = np.random.default_rng(3)
    negative = np.array([0xFFC00001], np.uint32).view(np.float32)[0]
    for trial in range(60):
        length = int(rng.integers(order.LONG_AXIS, 300))
        x = rng.integers(-9, 9, (int(rng.integers(1, 4)), length)).astype(np.float32)
        kinds = rng.random(x.shape)
        for number, special in enumerate([negative, np.nan, np.inf, -np.inf, -0.0][trial % 4 :]):
            x[(kinds > number / 5) & (kinds < number / 5 + 0.05)] = special
        rows = order._rows(x, 1)
        assert rows is not None
        most = max(1, int(count * length))
        found = order._by_keys(x, rows, 1, most, descending, np.int64)
        flipped = np.argsort(x[:, ::-1], 1, kind="stable")[:, ::-1]
        wanted = length - 1 - flipped if descending else np.argsort(x, 1, kind="stable")
        np.testing.assert_array_equal(found, wanted[:, :most])


@pytest.mark.parametrize("shape", [(4097,), (33, 130)])
@pytest.mark.parametrize("descending", [False, True])
def test_words_hold_the_highest_bits_of_64_bit_numbers(shape: tuple[int, ...], descending: bool) -> None:
    generator = np.random.default_rng(len(shape))
    normal = generator.standard_normal(shape)
    near = 1.0 + 2.0**-52 * generator.integers(0, 9, shape)  # only the lowest bits differ
    special = normal.copy()
    special.flat[:7] = [np.inf, -np.inf, 0.0, -0.0, -0.0, 0.0, 5e-324]
    unknown = special.copy()
    unknown.flat[-3:] = [np.nan, -np.nan, np.nan]
    signed = generator.integers(-(2**63), 2**63 - 1, shape)
    same = np.full(shape, 2**64 - 1, np.uint64)
    for x in (normal, near, special, unknown, signed, signed.view(np.uint64), signed % 9, same, np.maximum(normal, 0)):
        back = np.argsort(np.flip(x, -1), -1, kind="stable")
        wanted = np.flip(x.shape[-1] - 1 - back, -1) if descending else np.argsort(x, -1, kind="stable")
        np.testing.assert_array_equal(order.argsort(x, x.ndim - 1, descending), wanted)
        for k in (1, 5, 90):
            if k > 1 or x is not unknown:  # argmin takes nan for the smallest
                np.testing.assert_array_equal(order.topk(x, k, x.ndim - 1, descending), wanted[..., :k])
            found = order.best(x, k, x.ndim - 1, descending, np.int64)
            if found is not None:
                np.testing.assert_array_equal(found[1], wanted[..., :k])
                np.testing.assert_array_equal(found[0], np.take_along_axis(x, wanted[..., :k], -1))


@pytest.mark.parametrize("sort", [False, True])
@pytest.mark.parametrize("shape", [(0,), (1,), (40,), (3, 7), (700,), (30, 41)])
@pytest.mark.parametrize("dtype", [*DTYPES, np.uint64, np.int16, np.complex64])
def test_distinct_elements_are_those_of_numpy(dtype: Any, shape: tuple[int, ...], sort: bool) -> None:
    generator = np.random.default_rng(1)
    cases = [generator.integers(0, 9, shape).astype(dtype)]
    if np.dtype(dtype).kind != "c":
        cases.append(numbers(shape, dtype))
    if np.dtype(dtype).kind in "if":
        cases.append(cases[0] - np.dtype(dtype).type(3))
    for x in cases:
        values, first, inverse, counts = np.unique(x.ravel(), True, True, True)
        rank = np.arange(len(first)) if sort else np.argsort(first)
        expected = (values[rank], np.argsort(rank)[inverse].reshape(x.shape), counts[rank])
        for found, wanted in zip(order.unique(x, sort), expected, strict=True):
            assert found.dtype == wanted.dtype
            np.testing.assert_array_equal(found, wanted)
        alone = order.distinct(x, sort)
        assert alone.dtype == x.dtype
        assert alone.tobytes() == order.unique(x, sort)[0].tobytes()
