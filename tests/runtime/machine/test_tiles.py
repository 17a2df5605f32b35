"""Transforms of images to tiles and back: exact on random sizes, and only for arguments that fit together."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import numpy as np
import pytest
from drawn_tiles import DrawnTransform
from hostile_arrays import wrong_for

from mycel.runtime.machine.product import has_products
from mycel.runtime.machine.tiles import compile_transform

needs_products = pytest.mark.skipif(not has_products(), reason="the processor has no AVX-512, or machine code is off")
KINDS = ("input", "output", "gradient")


def test_random_transforms_agree_with_numpy() -> None:
    for seed in range(300):
        DrawnTransform(seed).check()


@pytest.mark.slow
def test_many_random_transforms_agree_with_numpy() -> None:
    for seed in range(1000, 11000):
        DrawnTransform(seed).check()


def arguments() -> list[Any]:
    """Arguments that fit together."""
    return [np.ones((2, 3, 6, 8), np.float32), np.ones((16, 3, 2, 3, 4), np.float32), 0, 0, 0]


@needs_products
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("position", range(5))
def test_arguments_that_do_not_fit_are_refused_and_nothing_is_written(kind: str, position: int) -> None:
    transform = compile_transform(kind)
    assert transform(*arguments()) is True
    wrong: dict[str, Any] = {
        "a bool": True,
        "a float": 1.0,
        "negative": -1,
        "large": 1 << 24,
        "huge": 1 << 80,
        "None": None,
    }
    if position < 2:
        wrong = wrong_for(arguments()[position], written=(kind == "output") == (position == 0))
        wrong["other channels"] = np.ones((2, 4, 6, 8) if position == 0 else (16, 2, 2, 3, 4), np.float32)
        wrong["other images"] = np.ones((1, 3, 6, 8) if position == 0 else (16, 3, 1, 3, 4), np.float32)
    for what, value in wrong.items():
        given = arguments()
        given[position] = value
        if position < 2 and what in ("too small", "too large"):  # any image goes with any tiles, but results are whole
            taken = kind != "output" or (what == "too small") == (position == 0)
            assert transform(*given) is taken, what
            continue
        before = pickle.dumps(given)
        assert transform(*given) is False, what
        assert pickle.dumps(given) == before, what


@needs_products
@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_arguments(kind: str) -> None:
    given = arguments()
    for wrong in ((), given[:2], given[:4], (*given, 0)):
        assert compile_transform(kind)(*wrong) is False


@needs_products
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_results_that_are_not_finite_are_reported(value: float) -> None:
    images, tiles, *rest = arguments()
    tiles[5, 2, 1, 2, 3] = value
    assert compile_transform("output")(images, tiles, *rest) is False


@needs_products
@pytest.mark.parametrize("side", [8, 300])
def test_nothing_is_left_behind(side: int) -> None:
    """Small and large images: no reference is kept, and none is lost."""
    given = [np.ones((1, 2, side, side), np.float32), np.ones((16, 2, 1, side // 2, side // 2), np.float32), 0, 0, 0]
    before = [sys.getrefcount(array) for array in given[:2]]
    for kind in KINDS:
        assert compile_transform(kind)(*given) is True
    assert [sys.getrefcount(array) for array in given[:2]] == before
