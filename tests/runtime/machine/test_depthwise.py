"""Depthwise convolutions in machine code: exact on random sizes, and only for arrays that fit together."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from drawn_depthwise import DrawnDepthwise

from mycel.runtime.machine.depthwise import compile_depthwise
from mycel.runtime.machine.product import has_products

needs_products = pytest.mark.skipif(not has_products(), reason="the processor has no AVX-512, or machine code is off")


def test_random_sums_agree_with_numpy() -> None:
    for seed in range(300):
        drawn = DrawnDepthwise(seed)
        drawn.check_refusal()
        drawn.check()


@pytest.mark.slow
def test_many_random_sums_agree_with_numpy() -> None:
    for seed in range(1000, 11000):
        DrawnDepthwise(seed).check()


@needs_products
@pytest.mark.parametrize("kind", ["forward", "weight"])
def test_numbers_of_arguments(kind: str) -> None:
    drawn = next(drawn for drawn in map(DrawnDepthwise, range(100)) if drawn.kind == kind)
    given = drawn.arguments()
    for wrong in ((), given[:2], (*given, given[0]), (*given, None), (*given, given[2], given[2])):
        assert drawn.function(*wrong) is False
    assert drawn.function(*given, given[2]) is (kind == "forward")


def windows(side: int) -> np.ndarray:
    """What the taps of a kernel of 3 by 3 see."""
    x = np.ones((1, 3, side + 2, side + 2), np.float32)
    return np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3)).transpose(0, 1, 4, 5, 2, 3)


@needs_products
@pytest.mark.parametrize(("kind", "weight"), [("forward", (3, 3, 3)), ("weight", (3, 3, 3, 16))])
def test_rows_at_other_distances_are_refused(kind: str, weight: tuple[int, ...]) -> None:
    """The code is made for a number of rows, and their distances."""
    seen, others = windows(9), (np.full(weight, 7, np.float32), np.full((1, 3, 9, 9), 7, np.float32))
    assert compile_depthwise(kind, 3, 1, 1)(seen, *others) is True
    others[0][...] = others[1][...] = 7
    for wrong in ((2, 1, 1), (4, 1, 1), (3, 2, 1), (3, 1, 2), (3, 5, 5)):
        assert compile_depthwise(kind, *wrong)(seen, *others) is False, wrong
    assert all((array == 7).all() for array in others)


@needs_products
@pytest.mark.parametrize("side", [6, 300])
def test_nothing_is_left_behind(side: int) -> None:
    """Small and large images: no reference is kept, and none is lost."""
    seen, out = windows(side), np.ones((1, 3, side, side), np.float32)
    for kind, weight in (("forward", np.ones((3, 3, 3), np.float32)), ("weight", np.ones((3, 3, 3, 16), np.float32))):
        before = [sys.getrefcount(array) for array in (seen, weight, out)]
        for _ in range(10):
            assert compile_depthwise(kind, 3, 1, 1)(seen, weight, out) is True
        assert [sys.getrefcount(array) for array in (seen, weight, out)] == before
