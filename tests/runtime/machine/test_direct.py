"""Convolutions by direct sums in machine code: exact on random sizes, and only for arrays that fit together."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from drawn_direct import WIDTHS, DrawnDirect
from hostile_arrays import wrong_for

from mycel.runtime.machine.array_functions import compile_direct
from mycel.runtime.machine.direct_sizes import KINDS
from mycel.runtime.machine.product import has_products

needs_vectors = pytest.mark.skipif(not has_products(), reason="machine code is off, or the processor has no AVX2")


def test_random_sums_agree_with_numpy() -> None:
    for seed in range(150):
        DrawnDirect(seed).check()


@pytest.mark.slow
def test_many_random_sums_agree_with_numpy() -> None:
    for seed in range(1000, 5000):
        DrawnDirect(seed).check()


def drawn_of(kind: str, width: int) -> DrawnDirect:
    """Several images and channels."""
    alike = (one for one in map(DrawnDirect, range(1000)) if one.kind == kind and one.sizes.width == width)
    return next(one for one in alike if min(*one.images.shape, *one.written.shape) > 1)


@needs_vectors
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", KINDS)
def test_arguments_that_do_not_fit_are_refused_and_nothing_is_written(kind: str, width: int) -> None:
    drawn = drawn_of(kind, width)
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


@needs_vectors
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
        seen.add((framed, one.sizes.width))
    assert seen == {(framed, width) for framed in (True, False) for width in WIDTHS}


@needs_vectors
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("images", [1, 500])
def test_nothing_is_left_behind(kind: str, width: int, images: int) -> None:
    """Few and many images, where other threads run: no reference is kept, and none is lost."""
    drawn = drawn_of(kind, width)
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
