"""Depthwise convolutions in machine code: exact on random sizes, and only for arrays that fit together."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from drawn_depthwise import DrawnDepthwise

from mycel.runtime.machine.array_functions import compile_depthwise, compile_narrow_depthwise
from mycel.runtime.machine.executable import Function
from mycel.runtime.machine.product import vector_bytes
from mycel.runtime.machine.sizes import NARROW, WIDTH


@pytest.fixture(params=[NARROW, WIDTH], ids=["AVX2", "AVX-512"])
def vector(request: pytest.FixtureRequest) -> int:
    """The bytes of a vector."""
    if request.param > vector_bytes():
        pytest.skip("the processor has no such vectors, or machine code is off")
    return int(request.param)


def compiled(vector: int, kind: str, rows: int, stride: int, dilation: int, width: int) -> Function:
    """The function for results of so many columns."""
    sizes = kind, rows, stride, dilation
    return compile_depthwise(*sizes) if vector == WIDTH else compile_narrow_depthwise(*sizes, width)


def test_random_sums_agree_with_numpy() -> None:
    for seed in range(300):
        drawn = DrawnDepthwise(seed)
        drawn.check_refusal()
        drawn.check()


@pytest.mark.slow
def test_many_random_sums_agree_with_numpy() -> None:
    for seed in range(1000, 11000):
        DrawnDepthwise(seed).check()


@pytest.mark.parametrize("kind", ["forward", "weight"])
def test_numbers_of_arguments(vector: int, kind: str) -> None:
    drawn = next(drawn for drawn in map(DrawnDepthwise, range(100)) if drawn.kind == kind)
    function, given = drawn.functions[vector], drawn.arguments(vector)
    for wrong in ((), given[:2], (*given, given[0]), (*given, None), (*given, given[2], given[2])):
        assert function(*wrong) is False
    assert function(*given, given[2]) is (kind == "forward")


def windows(side: int) -> np.ndarray:
    """What the taps of a kernel of 3 by 3 see."""
    x = np.ones((1, 3, side + 2, side + 2), np.float32)
    return np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3)).transpose(0, 1, 4, 5, 2, 3)


@pytest.mark.parametrize("kind", ["forward", "weight"])
def test_rows_at_other_distances_are_refused(vector: int, kind: str) -> None:
    """The code is made for a number of rows, and their distances; for AVX2 for a number of columns, too."""
    weight = (3, 3, 3, vector // 4) if kind == "weight" else (3, 3, 3)
    seen, others = windows(9), (np.full(weight, 7, np.float32), np.full((1, 3, 9, 9), 7, np.float32))
    assert compiled(vector, kind, 3, 1, 1, 9)(seen, *others) is True
    others[0][...] = others[1][...] = 7
    more = [(3, 1, 1, 8), (3, 1, 1, 10)] if vector == NARROW else []
    for wrong in ((2, 1, 1, 9), (4, 1, 1, 9), (3, 2, 1, 9), (3, 1, 2, 9), (3, 5, 5, 9), *more):
        assert compiled(vector, kind, *wrong)(seen, *others) is False, wrong
    assert all((array == 7).all() for array in others)


@pytest.mark.parametrize("side", [6, 300])
def test_nothing_is_left_behind(vector: int, side: int) -> None:
    """Small and large images: no reference is kept, and none is lost."""
    seen, out = windows(side), np.ones((1, 3, side, side), np.float32)
    for kind, shape in (("forward", (3, 3, 3)), ("weight", (3, 3, 3, vector // 4))):
        weight = np.ones(shape, np.float32)
        before = [sys.getrefcount(array) for array in (seen, weight, out)]
        for _ in range(10):
            assert compiled(vector, kind, 3, 1, 1, side)(seen, weight, out) is True
        assert [sys.getrefcount(array) for array in (seen, weight, out)] == before
