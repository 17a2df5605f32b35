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
        assert compile_depthwise(kind)(*wrong) is False
    assert compile_depthwise(kind)(*given, given[2]) is (kind == "forward")


@needs_products
@pytest.mark.parametrize("side", [6, 300])
def test_nothing_is_left_behind(side: int) -> None:
    """Small and large images: no reference is kept, and none is lost."""
    seen, out = np.ones((1, 3, 3, 3, side, side), np.float32), np.ones((1, 3, side, side), np.float32)
    for kind, weight in (("forward", np.ones((3, 3, 3), np.float32)), ("weight", np.ones((3, 3, 3, 16), np.float32))):
        before = [sys.getrefcount(array) for array in (seen, weight, out)]
        for _ in range(10):
            assert compile_depthwise(kind)(seen, weight, out) is True
        assert [sys.getrefcount(array) for array in (seen, weight, out)] == before
