"""Copies and sums of arrays with short rows: exact on random layouts, and only for arrays that fit together."""

from __future__ import annotations

import pickle
import sys

import numpy as np
import pytest
from drawn_copies import DrawnCopy
from hostile_arrays import wrong_for

from mycel.runtime.kernels.copies import add_to, copy_to
from mycel.runtime.machine.array_functions import compile_copy
from mycel.runtime.machine.executable import Function
from mycel.runtime.machine.product import vector_bytes
from mycel.runtime.machine.sizes import NARROW, WIDTH


@pytest.fixture(params=[NARROW, WIDTH], ids=["AVX2", "AVX-512"])
def copy(request: pytest.FixtureRequest) -> Function:
    """The function, with vectors of these lengths."""
    if request.param > vector_bytes():
        pytest.skip("the processor has no such vectors, or machine code is off")
    return compile_copy(request.param)


def test_random_copies_agree_with_numpy() -> None:
    for seed in range(300):
        drawn = DrawnCopy(seed)
        drawn.check_refusal()
        drawn.check()


@pytest.mark.slow
def test_many_random_copies_agree_with_numpy() -> None:
    for seed in range(1000, 30000):
        DrawnCopy(seed).check()


@pytest.mark.parametrize("position", range(2))
def test_arrays_that_do_not_fit_are_refused_and_nothing_is_written(copy: Function, position: int) -> None:
    def arrays() -> list[np.ndarray]:
        return [np.full((6, 5), 3, np.float32), np.full((6, 5), 4, np.float32)]

    for what, wrong in wrong_for(arrays()[position], written=position == 1).items():
        given = arrays()
        given[position] = wrong
        before = pickle.dumps(given)
        if what == "with gaps":  # every second element is read or written
            assert copy(*given) is True
            continue
        assert copy(*given) is False, what
        assert pickle.dumps(given) == before, what
    source, target = arrays()
    for wrong_number in (
        (),
        (source,),
        (source, target, source),
        (source, target, None),
        (source, target, target, target),
    ):
        assert copy(*wrong_number) is False
    assert (target == 4).all()


@pytest.mark.parametrize("side", [6, 600])
def test_nothing_is_left_behind(copy: Function, side: int) -> None:
    """Small and large arrays: no reference is kept, and none is lost."""
    given = [np.ones((side, side), np.float32) for _ in range(2)]
    before = [sys.getrefcount(array) for array in given]
    for _ in range(20):
        assert copy(*given) is True
        assert copy(*given, given[1]) is True
    assert [sys.getrefcount(array) for array in given] == before


def test_the_function_is_there_with_any_vectors() -> None:
    source, target = np.ones((2, 3), np.float32), np.zeros((2, 3), np.float32)
    assert compile_copy()(source, target) is (vector_bytes() > 0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.float16])
def test_any_arrays_are_copied_and_added(dtype: type) -> None:
    """Those that machine code refuses, too: another dtype, seven axes, a single number."""
    for shape in ((), (5,), (1, 3, 1, 4), (2,) * 7, (3, 0)):
        source = (np.arange(np.prod(shape)) * 3).reshape(shape).astype(dtype)
        target = np.full(shape, 7, dtype)
        copy_to(target, source)
        np.testing.assert_array_equal(target, source)
        add_to(target, source)
        np.testing.assert_array_equal(target, 2 * source)
