"""Sorting rows some at a time: the same order, in less working memory."""

from __future__ import annotations

import re

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.ops import sorting
from mycel.runtime.machine.executable import unavailable

needs_machine_code = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_rows_are_sorted_some_at_a_time(descending: bool, dtype: type, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working memory is that of some rows: the last part has fewer."""
    monkeypatch.setattr(sorting, "SORTED_AT_ONCE", 1000)
    x = Tensor(np.random.default_rng(0).integers(0, 50, (3, 5, 210)).astype(dtype))
    values, positions = ms.jit(lambda x: ops.sort(x * 2, -1, descending))(x)
    wanted = np.argsort(-x.asnumpy() if descending else x.asnumpy(), -1, kind="stable")
    np.testing.assert_array_equal(positions.asnumpy(), wanted)
    np.testing.assert_array_equal(values.asnumpy(), 2 * np.take_along_axis(x.asnumpy(), wanted, -1))


def test_working_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    x = Tensor(np.random.default_rng(0).standard_normal((200, 500)).astype(np.float64))

    def allocated() -> int:
        return ms.jit(lambda x: ops.sort(x * 2)[1].sum()).stages(x).plan.usage.allocated

    parts = allocated()
    monkeypatch.setattr(sorting, "SORTED_AT_ONCE", 1)
    assert 2 * parts < allocated()


@needs_machine_code
def test_positions_alone_in_loops() -> None:
    """Rows that are short have no keys: the function that sorts them runs in the loop, too."""

    def f(x: Tensor, steps: Tensor) -> Tensor:
        for step in steps:
            x = x[ops.argsort(ops.sin(x * step))] + 0.1
        return x

    x, steps = (np.random.default_rng(k).normal(size=size).astype(np.float32) for k, size in enumerate((17, 50)))
    expected = x
    for step in steps:
        expected = expected[np.argsort(np.sin(expected * step), kind="stable")] + np.float32(0.1)
    compiled = ms.jit(f)
    for _ in range(2):
        np.testing.assert_allclose(compiled(Tensor(x), Tensor(steps)).asnumpy(), expected, rtol=1e-5)
    assert "argsort(" not in compiled.stages(Tensor(x), Tensor(steps)).program


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("shape", [(211,), (17, 150), (2, 3, 301)])
def test_rows_are_sorted_by_keys(dtype: type, descending: bool, shape: tuple[int, ...]) -> None:
    """Ties keep their order, nan is behind all, and zeros are equal; values have the bits that were given."""
    x = np.random.default_rng(0).integers(-60, 60, shape).astype(dtype)
    x[..., 3], x[..., 5] = np.iinfo(np.int32).min, np.iinfo(np.int32).max
    if dtype is np.float32:
        x[..., ::7] *= -0.0
        x[..., 11], x[..., 13], x[..., 29::40], x[..., -1] = np.inf, -np.inf, np.nan, -np.float32(np.nan)
    places = np.argsort(x, -1, kind="stable")
    if descending:
        places = np.flip(x.shape[-1] - 1 - np.argsort(np.flip(x, -1), -1, kind="stable"), -1)
    f = ms.jit(lambda x: (*ms.ops.sort(x, -1, descending), ms.ops.argsort(x, -1, descending)))
    for _ in range(2):
        values, found, alone = (each.asnumpy() for each in f(ms.Tensor(x)))
        np.testing.assert_array_equal(found, places)
        np.testing.assert_array_equal(alone, places)
        np.testing.assert_array_equal(values.view(np.int32), np.take_along_axis(x, places, -1).view(np.int32))


SHORT = [((5, 33), 0), ((4, 3, 7), 1), ((9, 2, 3), 0), ((40, 5), 1), ((3,), 0), ((7, 1), 0), ((1, 4), 0), ((2, 12), 1)]


@needs_machine_code
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8", "i2", "u1", "f2"])
def test_short_axes_are_sorted_in_kernels(dtype: str, descending: bool) -> None:
    """Equal ones keep their order, also zeros of both signs and nan, which is the largest."""
    random = np.random.default_rng(0)
    for shape, axis in SHORT:
        x = random.integers(0, 4, shape).astype(dtype)
        if dtype[0] == "f":
            for special in (np.nan, -np.inf, -0.0):
                x[random.random(shape) < 0.2] = special
        keys = -np.where(np.isnan(x), np.inf, x.astype(np.float64)) if descending else x.astype(np.float64)
        wanted = np.argsort(keys, axis, kind="stable")
        both = ms.jit(lambda x: ops.sort(x, axis, descending))  # noqa: B023
        values, positions = both(Tensor(x))
        np.testing.assert_array_equal(positions.asnumpy(), wanted)
        assert values.asnumpy().tobytes() == np.take_along_axis(x, wanted, axis).tobytes()
        alone = ms.jit(lambda x: (ops.sort(x, axis, descending)[0], ops.argsort(x * 1, axis, descending)))  # noqa: B023
        values, positions = alone(Tensor(x))
        np.testing.assert_array_equal(positions.asnumpy(), wanted)
        np.testing.assert_array_equal(values.asnumpy(), np.take_along_axis(x, wanted, axis))
        if dtype != "f2" and 1 < shape[axis] < 10:
            calls = both.stages(Tensor(x)).program + alone.stages(Tensor(x)).program
            assert not re.search(r"\b(arg)?sort\(|\bordered\(", calls)


@needs_machine_code
def test_medians_of_stacks_compute_no_more_than_the_middle() -> None:
    x = Tensor(np.random.default_rng(0).normal(size=(9, 50, 40)).astype(np.float32))
    median = ms.jit(lambda x: ops.median(x, 0)[0])
    np.testing.assert_array_equal(median(x).asnumpy(), np.median(x.asnumpy(), 0))
    best = ms.jit(lambda x: ops.topk(x, 2, 0))
    np.testing.assert_array_equal(best(x)[0].asnumpy(), np.sort(x.asnumpy(), 0)[:-3:-1])
    for function in (median, best):
        assert function.stages(x).program.count("compile_kernel(") == 1
    assert median.stages(x).plan.usage.allocated <= 4 * 50 * 40
    assert best.stages(x).plan.usage.allocated <= (4 + 8) * 2 * 50 * 40
