"""Convolutions by direct sums in machine code: exact on random sizes, and only for arrays that fit together."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from drawn_direct import DrawnDirect
from hostile_arrays import wrong_for

from mycel.runtime.machine.direct import compile_direct
from mycel.runtime.machine.direct_sizes import KINDS
from mycel.runtime.machine.product import has_products

needs_products = pytest.mark.skipif(not has_products(), reason="the processor has no AVX-512, or machine code is off")


def test_random_sums_agree_with_numpy() -> None:
    for seed in range(150):
        DrawnDirect(seed).check()


@pytest.mark.slow
def test_many_random_sums_agree_with_numpy() -> None:
    for seed in range(1000, 5000):
        DrawnDirect(seed).check()


def drawn_of(kind: str) -> DrawnDirect:
    """Several images and channels."""
    drawn = map(DrawnDirect, range(1000))
    return next(one for one in drawn if one.kind == kind and min(*one.images.shape, *one.written.shape) > 1)


@needs_products
@pytest.mark.parametrize("kind", KINDS)
def test_arguments_that_do_not_fit_are_refused_and_nothing_is_written(kind: str) -> None:
    drawn = drawn_of(kind)
    function, given = compile_direct(kind, *drawn.sizes), drawn.arguments()
    for position, array in enumerate(given):
        wrong = wrong_for(array, written=position >= 2)
        wrong["twice as long"] = np.concatenate([array, array])
        for what, value in wrong.items():
            changed = [*given]
            changed[position] = value
            assert function(*changed) is False, (position, what)
    for count in ((), given[:-1], (*given, given[-1])):
        assert function(*count) is False
    assert (drawn.written == 7).all()
    drawn.check()


@needs_products
@pytest.mark.parametrize("wrong", [np.inf, -np.inf, np.nan])
def test_infinite_weights_are_refused_beside_zeros(wrong: float) -> None:
    """Wherever the weight is."""
    drawn = [one for one in map(DrawnDirect, range(200)) if one.kind == "input"]
    seen = set()
    for one in drawn:
        one.weight.reshape(-1)[one.random.integers(one.weight.size)] = wrong
        framed = any(map(any, one.sizes.margins("input")))
        assert compile_direct("input", *one.sizes)(*one.arguments()) is not framed
        assert framed is bool((one.written == 7).all())
        seen.add(framed)
    assert seen == {True, False}


@needs_products
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("images", [1, 500])
def test_nothing_is_left_behind(kind: str, images: int) -> None:
    """Few and many images, where other threads run: no reference is kept, and none is lost."""
    drawn = drawn_of(kind)
    first, second, written, room = drawn.arguments()
    repeated = [np.repeat(array[:1], images, axis=0) for array in (first, second, written)]
    if kind == "weight":
        repeated[2] = written
    else:
        repeated[1] = second
    given = [*repeated, room]
    before = [sys.getrefcount(array) for array in given]
    for _ in range(10):
        assert compile_direct(kind, *drawn.sizes)(*given) is True
    assert [sys.getrefcount(array) for array in given] == before
