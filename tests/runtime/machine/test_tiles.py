"""Transforms of images to tiles and back: exact on random sizes, and only for arguments that fit together."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from drawn_tiles import DrawnTransform
from hostile_arrays import wrong_for

from mycel.runtime.machine.array_functions import compile_narrow_transform, compile_transform
from mycel.runtime.machine.executable import Function, unavailable
from mycel.runtime.machine.product import has_wide_code

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=f"no machine code: {unavailable()}")
KINDS = ("input", "output", "gradient")
Compile = Callable[[str], Function]


@pytest.fixture(params=["AVX2", "AVX-512"])
def compiled(request: pytest.FixtureRequest) -> Compile:
    """Gives the transform of a kind for `arguments()`."""
    if request.param == "AVX2":
        return lambda kind: compile_narrow_transform(kind, 9, 8, 0, 4)
    if not has_wide_code():
        pytest.skip("the processor has no AVX-512, or it is switched off")
    return compile_transform


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


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("position", range(5))
def test_arguments_that_do_not_fit_are_refused_and_nothing_is_written(
    compiled: Compile, kind: str, position: int
) -> None:
    transform, any_width = compiled(kind), compiled is compile_transform
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
        if any_width and position < 2 and what in ("too small", "too large"):  # but results are whole
            taken = kind != "output" or (what == "too small") == (position == 0)
            assert transform(*given) is taken, what
            continue
        before = pickle.dumps(given)
        assert transform(*given) is False, what
        assert pickle.dumps(given) == before, what


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_arguments(compiled: Compile, kind: str) -> None:
    given = arguments()
    for wrong in ((), given[:2], given[:4], (*given, 0)):
        assert compiled(kind)(*wrong) is False


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_results_that_are_not_finite_are_reported(compiled: Compile, value: float) -> None:
    images, tiles, *rest = arguments()
    tiles[5, 2, 1, 2, 3] = value
    assert compiled("output")(images, tiles, *rest) is False


@pytest.mark.parametrize("height", [8, 9000])
def test_nothing_is_left_behind(compiled: Compile, height: int) -> None:
    """Small and large images: no reference is kept, and none is lost."""
    given = [np.ones((1, 2, height, 8), np.float32), np.ones((16, 2, 1, height // 2, 4), np.float32), 0, 0, 0]
    before = [sys.getrefcount(array) for array in given[:2]]
    for kind in KINDS:
        assert compiled(kind)(*given) is True
    assert [sys.getrefcount(array) for array in given[:2]] == before
