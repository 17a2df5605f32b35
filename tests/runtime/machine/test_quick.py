"""Quicksort of numbers in machine code: any order, equal numbers, odd lengths; and what is left to NumPy."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from hostile_arrays import wrong_for

import mycel as ms
from mycel import Tensor
from mycel.runtime.kernels.order import QUICK, ascending
from mycel.runtime.machine.array_functions import compile_quick
from mycel.runtime.machine.product import has_wide_code

wide = pytest.mark.skipif(not has_wide_code(), reason="the processor has no AVX-512")
LENGTHS = [*range(1, 140, 3), 255, 256, 257, 300, 601, 1000, 5001]


def drawn(random: np.random.Generator, dtype: str, length: int) -> list[np.ndarray]:
    """Numbers at random, in order, in the opposite order, few different ones, equal ones, and up and down."""
    kind = np.dtype(dtype)
    if kind.kind == "f":
        x = random.standard_normal(length).astype(kind)
        few = np.where(x < 0, -np.inf, np.round(x))
    else:
        limits = np.iinfo(kind)
        x = random.integers(limits.min, limits.max, length, kind, endpoint=True)
        few = x % 7
    rising = np.sort(x)
    up = np.concatenate([rising[::2], rising[1::2][::-1]])
    return [np.ascontiguousarray(each, kind) for each in (x, rising, rising[::-1], few, np.full(length, x[0]), up)]


@wide
@pytest.mark.parametrize("dtype", QUICK)
def test_numbers_are_in_order_and_nothing_else_is_written(dtype: str) -> None:
    random = np.random.default_rng(0)
    function = compile_quick(dtype)
    for length in LENGTHS:
        for x in drawn(random, dtype, length):
            around = [np.full(length + 64, 7, dtype) for _ in range(2)]
            out, room = (each[32:-32] for each in around)
            assert function(x, out, room) is True
            np.testing.assert_array_equal(out, np.sort(x))
            for each in around:
                assert (each[:32] == 7).all()
                assert (each[-32:] == 7).all()


@wide
@pytest.mark.parametrize("shape", [(64,), (3, 70), (2, 3, 301), (5, 1)])
def test_rows_of_a_length(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).standard_normal(shape)
    out = np.empty_like(x)
    assert compile_quick("d", shape[-1], len(shape) - 1)(x, out, np.empty(shape[-1])) is True
    np.testing.assert_array_equal(out, np.sort(x))


@wide
def test_zeros_keep_their_signs() -> None:
    x = np.where(np.random.default_rng(0).uniform(size=999) < 0.3, -0.0, 0.0)
    out = np.empty_like(x)
    assert compile_quick("d")(x, out, np.empty_like(x)) is True
    assert np.signbit(out).sum() == np.signbit(x).sum()


@wide
def test_other_arrays_are_refused() -> None:
    arrays = [np.arange(9.0), np.zeros(9), np.zeros(9)]
    for position in range(3):
        for name, wrong in wrong_for(arrays[position], position > 0).items():
            given = list(arrays)
            given[position] = wrong
            assert compile_quick("d", 9)(*given) is False, name
    arrays[0][4] = np.nan
    assert compile_quick("d")(*arrays) is False


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "int64", "uint8"])
@pytest.mark.parametrize("shape", [(700,), (4, 1100), (1100, 3)])
def test_calls_and_programs_put_numbers_in_order(dtype: str, shape: tuple[int, ...]) -> None:
    x = (50 * np.random.default_rng(0).standard_normal(shape)).astype(dtype)
    if x.dtype.kind == "f":
        x.reshape(-1)[::97] = np.nan
    for axis in range(x.ndim):
        np.testing.assert_array_equal(ascending(x, axis), np.sort(x, axis))
        for values in (
            ms.ops.sort(Tensor(x), axis)[0],
            ms.jit(lambda x, axis=axis: ms.ops.sort(x, axis)[0])(Tensor(x)),
        ):
            np.testing.assert_array_equal(values.asnumpy(), np.sort(x, axis))


@wide
def test_numbers_that_another_thread_changes_harm_nothing() -> None:
    """A pivot may be gone when its part is divided: the process crashed."""
    x = np.zeros(200_000, np.float32)
    around = [np.full(len(x) + 64, 7, np.float32) for _ in range(2)]
    out, room = (each[32:-32] for each in around)
    rows = [np.arange(len(x)), -np.arange(len(x)), np.full(len(x), 1e30), np.full(len(x), -1e30)]
    done = threading.Event()

    def change() -> None:
        while not done.is_set():
            for row in rows:
                np.copyto(x, row, casting="same_kind")

    other = threading.Thread(target=change)
    other.start()
    end = time.perf_counter() + 0.5
    while time.perf_counter() < end:
        compile_quick("float32")(x, out, room)
    done.set()
    other.join()
    for each in around:
        assert (each[:32] == 7).all()
        assert (each[-32:] == 7).all()
