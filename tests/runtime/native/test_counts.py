"""Histograms, searches and assignments by kernels: what they find, and what they leave to NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native import counts
from mycel.runtime.native.counts import assign_at, compile_assignment, counts_below, last_at, search, take_out

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("count", [4096, 5001, 40_000])
def test_counts(dtype: type, count: int) -> None:
    """From the second vector of a size on a kernel counts; numbers out of range are none of its business."""
    random, length = np.random.default_rng(count), 300
    counted = 0
    for high, low in (
        (length, 0),
        (length, 0),
        (3, 2),
        (length + 1, length),
        (length, -1),
        (2**31 - 1, 0),
        (9, -(2**31)),
    ):
        x = random.integers(low, high, count).astype(dtype)
        x[-1] = high - 1
        found = counts_below(x, length)
        if found is not None:
            counted += 1
            np.testing.assert_array_equal(found, np.bincount(x, minlength=length))
            assert found.dtype == np.int64
    assert counted == 2
    for other in (x[:100], x.astype(np.uint8), x[::2][:4096]):
        assert counts_below(other, length) is None


@pytest.mark.parametrize("most", [255, 256, 4000])
def test_results_are_as_long_as_needed(most: int) -> None:
    """A number beyond the least length makes the result longer, each time."""
    f = ms.jit(lambda x: ops.bincount(x, minlength=256))
    x = np.random.default_rng(most).integers(0, 256, 10_000).astype(np.int32)
    x[7] = most
    for _ in range(3):
        np.testing.assert_array_equal(f(Tensor(x)).asnumpy(), np.bincount(x, minlength=256))
    with pytest.raises(ValueError, match="should not be negative"):
        f(Tensor(-x))


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint32", "uint64"])
@pytest.mark.parametrize("threads", [1, 3])
def test_searches(monkeypatch: pytest.MonkeyPatch, dtype: str, right: bool, threads: int) -> None:
    """Places among equal elements, before and behind all, and of nan, which NumPy seeks; and as many pieces as threads
    can take, which the values do not fill."""
    monkeypatch.setattr(counts, "worth_sharing", lambda *amounts: threads)
    random, places = np.random.default_rng(0), np.dtype(np.int32)
    for length in (1, 2, 15, 16, 17, 31, 33, 1000):
        sequence, values = (random.integers(-40, 40, size).astype(dtype) for size in ((length,), (50, 101)))
        if dtype.startswith("float"):
            sequence[3::4], values[0, :2], values[1] = np.nan, (np.inf, -np.inf), -0.0
        else:
            limits = np.iinfo(dtype)
            sequence[1:3], values[0, :2] = (limits.min, limits.max)[: len(sequence[1:3])], (limits.max, limits.min)
        sequence.sort()
        search(sequence, values, right, places)
        found = search(sequence, values, right, places)
        assert found is not None
        assert found.dtype == places
        expected = np.searchsorted(sequence, values.reshape(-1), "right" if right else "left").reshape(values.shape)
        np.testing.assert_array_equal(found, expected)
        if dtype.startswith("float"):
            values[7, 7] = np.nan
            assert search(sequence, values, right, places) is None


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint64"])
@pytest.mark.parametrize("threads", [1, 3])
def test_searches_in_rows(monkeypatch: pytest.MonkeyPatch, dtype: str, right: bool, threads: int) -> None:
    """Each row of values in a row of its own, in calls and in programs; as many pieces as threads can take."""
    monkeypatch.setattr(counts, "worth_sharing", lambda *amounts: threads)
    random, places, side = np.random.default_rng(0), np.dtype(np.int64), "right" if right else "left"
    f = ms.jit(lambda s, v: ops.searchsorted(s, v, right=right))
    for lead, length, row in (((1,), 1, 17), ((17,), 1, 1), ((7,), 31, 9), ((2, 3), 16, 5), ((5, 2), 99, 20)):
        sequence = np.sort(random.integers(0, 30, (*lead, length)).astype(dtype), -1)
        values = random.integers(0, 32, (*lead, row)).astype(dtype)
        expected = np.empty(values.shape, np.int64)
        for index in np.ndindex(*lead):
            expected[index] = np.searchsorted(sequence[index], values[index], side)
        search(sequence, values, right, places)
        found = search(np.asfortranarray(sequence), values, right, places)
        assert found is not None
        np.testing.assert_array_equal(found, expected)
        for _ in range(2):
            np.testing.assert_array_equal(f(Tensor(sequence), Tensor(values)).asnumpy(), expected)
        if dtype == "float32":
            values[-1, ..., -1] = np.nan
            assert search(sequence, values, right, places) is None
            expected[-1, ..., -1] = length
            np.testing.assert_array_equal(f(Tensor(sequence), Tensor(values)).asnumpy(), expected)


@pytest.mark.parametrize("shape", [(), (3,), (4, 50)])
@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_programs_search_as_calls_do(dtype: type, shape: tuple[int, ...]) -> None:
    """Nan, too, and positions of both dtypes."""
    random = np.random.default_rng(0)
    sequence = np.sort(random.integers(-40, 40, 99)).astype(dtype)
    for value in (0, 41, np.nan) if dtype is np.float32 else (0, 41):
        values = np.array(random.integers(-50, 50, shape)).astype(dtype)
        values.reshape(-1)[0] = value
        for short in (False, True):
            for right in (False, True):
                f = ms.jit(lambda s, v, right=right, short=short: ops.searchsorted(s, v, right=right, out_int32=short))
                found = f(Tensor(sequence), Tensor(values)).asnumpy()
                np.testing.assert_array_equal(found, np.searchsorted(sequence, values, "right" if right else "left"))


@pytest.mark.parametrize("positions", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
@pytest.mark.parametrize("shape", [(5000,), (3000, 7), (900, 3, 5), (40, 200)])
def test_assignments(shape: tuple[int, ...], dtype: type, positions: type) -> None:
    """Elements and rows, of which the last one stays; nothing is written if a position is out of range."""
    random = np.random.default_rng(0)
    count = 6000 // int(np.prod(shape[1:])) + 5
    key = (random.integers(-shape[0], shape[0], count).astype(positions),)
    values = (random.standard_normal((count, *shape[1:])) * 100).astype(dtype)
    x = random.integers(0, 99, shape).astype(dtype)
    expected = x.copy()
    expected[key] = values
    assign_at(x.copy(), key, values)
    found = x.copy()
    assert assign_at(found, key, values)
    np.testing.assert_array_equal(found, expected)
    assert not assign_at(x, key, values[:, ::-1] if values.ndim > 1 else values[:1])
    key[0][3] = shape[0]
    found = x.copy()
    assert not assign_at(found, key, values)
    np.testing.assert_array_equal(found, x)


@pytest.mark.parametrize("rest", [(), (40,)])
def test_assignments_of_one_number_and_at_several_positions(rest: tuple[int, ...]) -> None:
    """A scalar; the positions of several axes, which broadcast; all of the last axis."""
    random = np.random.default_rng(0)
    x = random.standard_normal((30, 50, *rest)).astype(np.float32)
    rows, columns = random.integers(-30, 30, (90, 1)), random.integers(-50, 50, (90, 60)).astype(np.int32)
    values = random.standard_normal((90, 60, *rest)).astype(np.float32)
    every = (slice(0, 40, 1),) * len(rest)
    seven = np.array(7, np.float32)
    for key, value in (((rows, columns), values), ((columns % 30,), seven), ((rows, columns, *every), seven)):
        expected = x.copy()
        expected[key] = value
        for _ in range(2):
            found = x.copy()
            done = assign_at(found, key, value)
        assert done
        np.testing.assert_array_equal(found, expected)
    assert not assign_at(x, (rows, slice(0, 49, 1)), np.zeros((), np.float32))
    found = x.copy()
    assert not assign_at(found, (rows, np.where(columns == columns[3, 3], 50, columns)), values)
    np.testing.assert_array_equal(found, x)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64, np.float16])
@pytest.mark.parametrize("rest", [(), (3,), (2, 9)])
def test_the_last_writes(rest: tuple[int, ...], dtype: type) -> None:
    """Positions of one axis and of two, which broadcast; of few, and one out of range, NumPy finds them."""
    random = np.random.default_rng(len(rest))
    rows, columns = random.integers(-30, 30, (90, 1)), random.integers(-50, 50, (90, 60)).astype(np.int32)
    for key in ((columns,), (rows, columns), (rows[::-1], columns[:, :2]), (np.arange(90)[:, None], columns)):
        shape = (*(90, 50)[-len(key) :], *rest)
        written = random.permutation(int(np.prod((*np.broadcast_shapes(*[part.shape for part in key]), *rest))))
        written = written.reshape(*np.broadcast_shapes(*[part.shape for part in key]), *rest)
        numbers = np.zeros(shape, int)
        numbers[key] = written
        for _ in range(2):
            found = last_at(shape, key, np.dtype(dtype))
            np.testing.assert_array_equal(found, numbers[key] == written)
            assert found.dtype == dtype
    with pytest.raises(IndexError):
        last_at((90, 50, *rest), (rows, np.where(columns == columns[3, 3], 50, columns)), np.dtype(dtype))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
def test_each_element_is_taken_by_the_last_of_its_positions(dtype: type) -> None:
    """Rows, elements along either axis, middle axes and positions that broadcast; none if one is out of range."""
    random, counted = np.random.default_rng(0), 0
    for shape, axes, region, *places in (
        ((90,), (-1,), (5000,), (5000,)),
        ((90, 3), (-1, 1), (1500, 3), (1500, 1)),
        ((90, 40), (-1, 1), (1500, 40), (1500, 1)),
        ((70, 90), (0, -1), (70, 66), (70, 66)),
        ((90, 70), (-1, 1), (66, 70), (66, 70)),
        ((90, 70), (-1, 1), (5000, 1), (5000, 1)),
        ((20, 30), (-1, -1), (70, 60), (70, 1), (70, 60)),
        ((20, 30), (-1, -1), (70, 60), (60,), (70, 60)),
        ((9, 30, 11), (0, -1, 2), (9, 50, 11), (50, 1)),
        ((30, 9, 7), (-1, 0, -1), (9, 500), (500,), (9, 500)),
    ):
        sizes = [size for size, axis in zip(shape, axes, strict=True) if axis < 0]
        kinds = [np.int32, np.int64, np.int32]
        indices = [random.integers(-n, n, place).astype(kinds[n % 3]) for n, place in zip(sizes, places, strict=True)]
        x, expected = (np.arange(1, np.prod(shape) + 1).reshape(shape).astype(dtype) for _ in range(2))
        key, given = [], iter(indices)
        for axis in axes:
            key.append(np.broadcast_to(next(given), region) if axis < 0 else np.indices(region)[axis])
        wanted, values = np.zeros(region, dtype), np.empty(region, dtype)
        for place in reversed(list(np.ndindex(region))):
            where = tuple(part[place] for part in key)
            wanted[place], expected[where] = expected[where], 0
        bad = [np.where(index == index.flat[-1], size, index) for index, size in zip(indices, sizes, strict=True)]
        take_out(x.copy(), indices, axes, values)
        assert not take_out(x, bad, axes, values)
        assert take_out(x, indices, axes, values)
        np.testing.assert_array_equal(x, expected)
        np.testing.assert_array_equal(values, wanted)
        counted += 1
    assert counted == 10


def test_weighted_counts() -> None:
    """Sums of weights; a negative number is none of the kernel's business, whatever its weight."""
    random = np.random.default_rng(0)
    x, weights = random.integers(0, 300, 5000), random.standard_normal(5000)
    for given in (weights, weights.astype(np.float32)):
        counts_below(x, 300, given)
        found = counts_below(x, 300, given)
        assert found is not None
        assert found.dtype == given.dtype
        np.testing.assert_allclose(found, np.bincount(x, given, 300), 1e-4, 1e-5)
        assert counts_below(np.where(x == x[7], -1, x), 300, given * 0) is None
    assert counts_below(x, 300, weights.astype(np.float16)) is None
    weights[x >= 200] = 0.0
    for _ in range(2):
        assert counts_below(x, 200, weights) is None  # the largest number says how many there are, whatever its weight


@pytest.mark.parametrize("ufunc", [np.add, np.multiply, np.maximum, np.minimum])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
@pytest.mark.parametrize("columns", [16, 17, 33, 100])
def test_rows_are_combined_in_order(columns: int, dtype: type, ufunc: np.ufunc) -> None:
    """Rows at positions that repeat many times; nothing is written if a position is out of range."""
    random = np.random.default_rng(columns)
    x = (random.standard_normal((20, columns)) * 3 + 1).astype(dtype)
    values = (random.standard_normal((900, columns)) * 0.3 + 1).astype(dtype)
    key = (random.integers(-20, 20, 900),)
    expected = x.copy()
    ufunc.at(expected, key, values)
    assign_at(x.copy(), key, values, ufunc)
    found = x.copy()
    assert assign_at(found, key, values, ufunc)
    np.testing.assert_array_equal(found, expected)
    key[0][7] = 20
    found = x.copy()
    assert not assign_at(found, key, values, ufunc)
    np.testing.assert_array_equal(found, x)
    assert not assign_at(x, key, values[:, :8], ufunc)


def test_assignments_in_programs() -> None:
    """x[positions] = values, and its error for a position out of range, each time."""

    def f(x: Tensor, i: Tensor, v: Tensor) -> Tensor:
        x = x.copy()
        x[i] = v
        return x

    random, compiled = np.random.default_rng(0), ms.jit(f)
    x, v = random.standard_normal(9000).astype(np.float32), random.standard_normal(5000).astype(np.float32)
    i = random.integers(-9000, 9000, 5000).astype(np.int32)
    expected = x.copy()
    expected[i] = v
    for _ in range(3):
        np.testing.assert_array_equal(compiled(Tensor(x), Tensor(i), Tensor(v)).asnumpy(), expected)
    i[7] = 9000
    with pytest.raises(IndexError, match="index 9000 is out of range"):
        compiled(Tensor(x), Tensor(i), Tensor(v))


def test_taken_elements_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regions and axes of all forms, of few elements; positions with gaps between them."""
    monkeypatch.setattr(counts, "FEW", 1)
    random, done = np.random.default_rng(0), 0
    for _ in range(100):
        region = tuple(random.integers(1, 20, random.integers(1, 4)).tolist())
        along = [n for n in range(len(region)) if random.random() < 0.4]
        places = random.integers(1, 3)
        axes = tuple(random.permutation([*along, *[-1] * places]).tolist())
        shape = tuple(int(region[n] + random.integers(0, 3)) if n >= 0 else int(random.integers(1, 9)) for n in axes)
        sizes = [size for size, axis in zip(shape, axes, strict=True) if axis < 0]
        indices = []
        for size in sizes:
            mine = [extent if random.random() < 0.8 else 1 for extent in region]
            index = random.integers(-size, size, (*mine, 2)).astype(random.choice([np.int32, np.int64]))
            indices.append(index[..., 0])
        key, given = [], iter(indices)
        for axis in axes:
            key.append(np.broadcast_to(next(given), region) if axis < 0 else np.indices(region)[axis])
        dtype = random.choice([np.float32, np.float64, np.int32, np.int64])
        x, expected = (np.arange(1, np.prod(shape) + 1).reshape(shape).astype(dtype) for _ in range(2))
        wanted, values = np.zeros(region, dtype), np.empty(region, dtype)
        for place in reversed(list(np.ndindex(region))):
            where = tuple(part[place] for part in key)
            wanted[place], expected[where] = expected[where], 0
        take_out(x.copy(), indices, axes, values)
        if take_out(x, indices, axes, values):
            done += 1
            np.testing.assert_array_equal(x, expected)
            np.testing.assert_array_equal(values, wanted)
    assert done > 90, done


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("axes", [(-1,), (-1, -1), (-1, 0), (0, -1), (0, -1, -1), (-1, 0, 1), (0, 1, -1)])
def test_one_assignment(dtype: str, axes: tuple[int, ...]) -> None:
    """The function assigns what NumPy does at positions of both signs, and refuses those that are out of range."""
    random = np.random.default_rng(len(axes))
    shape = (7, 5, 6)[: len(axes)]
    region = tuple(size for size, axis in zip(shape, axes, strict=True) if axis >= 0)
    sizes = (4, 8)[: axes.count(-1)]
    for values in {(), region}:
        assign = compile_assignment(dtype, shape, axes, sizes, values)
        for _ in range(8):
            x, value = random.integers(0, 99, shape).astype(dtype), np.asarray(random.integers(0, 99, values), dtype)
            key: list[slice | int] = [
                slice(None) if axis >= 0 else int(random.integers(-size, size))
                for size, axis in zip(shape, axes, strict=True)
            ]
            numbers = [entry for entry in key if isinstance(entry, int)]
            positions = [np.array(n, f"int{8 * size}") for n, size in zip(numbers, sizes, strict=True)]
            expected = x.copy()
            expected[tuple(key)] = value
            assert assign(*positions, value, x)
            np.testing.assert_array_equal(x, expected)
            for wrong in (max(shape), -max(shape) - 1):
                outside = [np.array(wrong, positions[0].dtype), *positions[1:]]
                assert not assign(*outside, value, x)
                np.testing.assert_array_equal(x, expected)


@pytest.mark.parametrize("common", [(9,), (3, 4), (1,)])
@pytest.mark.parametrize("axes", [(-1,), (-1, -1), (-1, 0), (0, -1), (0, -1, -1), (-1, 0, 1), (0, 1, -1)])
def test_many_assignments(axes: tuple[int, ...], common: tuple[int, ...]) -> None:
    """The function assigns at many positions: the last value stays. One that is out of range refuses all."""
    random = np.random.default_rng(len(axes))
    shape = (7, 5, 6)[: len(axes)]
    first = axes.index(-1)
    placed = tuple(axis + len(common) if axis >= first else axis for axis in axes)
    region = [size for size, axis in zip(shape, axes, strict=True) if axis >= 0]
    region[first:first] = common
    sizes = (4, 8)[: axes.count(-1)]
    for values in {(), tuple(region)}:
        assign = compile_assignment("float32", shape, placed, sizes, values, common)
        for _ in range(8):
            x, value = random.random(shape, np.float32), np.asarray(random.random(values, np.float32))
            places, key = [], list[slice | np.ndarray]()
            for size, axis in zip(shape, axes, strict=True):
                if axis < 0:
                    places.append(random.integers(-size, size, common).astype(f"int{8 * sizes[len(places)]}"))
                key.append(slice(None) if axis >= 0 else places[-1])
            expected = x.copy()
            expected[tuple(key)] = value
            assert assign(*places, value, x)
            np.testing.assert_array_equal(x, expected)
            places[0].flat[-1] = max(shape)
            assert not assign(*places, value, x)
            np.testing.assert_array_equal(x, expected)


def test_assignments_in_loops() -> None:
    """A table that a loop assigns to stays where it is; results and errors are as in eager mode."""

    def walk(q: Tensor, s: Tensor, a: Tensor) -> Tensor:
        q = q * 1
        for t in range(30):
            q[s[t], a[t]] = q[s[t], a[t]] + q[a[t]].max()
            q[a[t]] = q[s[t]] - 1
        return q

    random = np.random.default_rng(3)
    q, s, a = random.random((9, 300), np.float32), *random.integers(-5, 5, (2, 30), np.int32)
    compiled = ms.jit(walk)
    result = compiled(Tensor(q), Tensor(s), Tensor(a)).asnumpy()
    program = compiled.stages(Tensor(q), Tensor(s), Tensor(a)).program
    assert program.count(" or index_update(") == 2
    for t in range(30):
        q[s[t], a[t]] += q[a[t]].max()
        q[a[t]] = q[s[t]] - 1
    np.testing.assert_allclose(result, q, rtol=1e-5)
    a[17] = 9
    with pytest.raises(IndexError, match="out of range"):
        compiled(Tensor(q), Tensor(s), Tensor(a))


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
def test_counts_of_narrow_numbers_have_a_known_length(dtype: str) -> None:
    """Where it is large enough for all numbers."""
    length = 1 << 8 * np.dtype(dtype).itemsize
    x = np.random.default_rng(0).integers(0, length, 3001).astype(dtype)
    w = np.random.default_rng(1).random(3001).astype(np.float32)
    f = ms.jit(lambda x, w: (ops.cumsum(ops.bincount(x, None, length), 0), ops.bincount(x, w, length + 3)))
    counts, sums = f(Tensor(x), Tensor(w))
    np.testing.assert_array_equal(counts.asnumpy(), np.bincount(x, minlength=length).cumsum())
    np.testing.assert_allclose(sums.asnumpy(), np.bincount(x, w, length + 3), 1e-4)
    assert "?" not in str(f.stages(Tensor(x), Tensor(w)).forward)
