"""Pooling in machine code: exact on random windows, and only for arrays that fit together."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from drawn_pools import KINDS, VECTORS, DrawnPool
from hostile_arrays import wrong_for

from mycel.runtime.machine.product import vector_bytes


@pytest.fixture(params=VECTORS, ids=["AVX2", "AVX-512"])
def vector(request: pytest.FixtureRequest) -> int:
    """The bytes of a vector."""
    if request.param > vector_bytes():
        pytest.skip("the processor has no such vectors, or machine code is off")
    return int(request.param)


def test_random_windows_agree_with_numpy() -> None:
    for seed in range(150):
        DrawnPool(seed).check()


@pytest.mark.slow
def test_many_random_windows_agree_with_numpy() -> None:
    for seed in range(1000, 6000):
        DrawnPool(seed).check()


def drawn_of(kind: str) -> DrawnPool:
    """Several images with windows of several elements."""
    drawn = map(DrawnPool, range(1000))
    return next(
        one for one in drawn
        if one.kind == kind and len(one.images) > 1 and one.sizes.image[0] > 2 and one.sizes.windows[1] > 1
    )  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_arguments_that_do_not_fit_are_refused_and_nothing_is_written(vector: int, kind: str) -> None:
    drawn = drawn_of(kind)
    function, given = drawn.function(vector), drawn.arguments(vector)
    for position, array in enumerate(given):
        wrong = wrong_for(array, written=position >= len(given) - 2)
        wrong["other images"] = np.concatenate([array, array])
        for what, value in wrong.items():
            changed = [*given]
            changed[position] = value
            if isinstance(value, np.ndarray) and value.shape == array.shape and value.flags.c_contiguous:
                assert value.dtype is not array.dtype or not value.flags.writeable or not value.flags.aligned or (
                    type(value) is not np.ndarray
                ), what  # fmt: skip
            assert function(*changed) is False, (position, what)
    for count in ((), given[:-1], (*given, given[-1])):
        assert function(*count) is False
    assert (drawn.written == 7).all()
    drawn.check()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("images", [1, 4000])
def test_nothing_is_left_behind(vector: int, kind: str, images: int) -> None:
    """Few and many images, where other threads run: no reference is kept, and none is lost."""
    drawn = drawn_of(kind)
    *arrays, room = drawn.arguments(vector)
    given = [np.repeat(array[:1], images, axis=0) for array in arrays] + [room]
    before = [sys.getrefcount(array) for array in given]
    for _ in range(10):
        assert drawn.function(vector)(*given) is True
    assert [sys.getrefcount(array) for array in given] == before
