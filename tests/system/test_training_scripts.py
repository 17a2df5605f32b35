"""Training scripts in the style of toolkits and courses run as under MindSpore 2.10."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import training_scripts as scripts

import mycel as ms


@pytest.fixture
def mindspore(as_without_mindspore: None) -> Iterator[Any]:
    """`import mindspore` means mycel during a test, which may change the mode."""
    ms.install_as_mindspore()
    yield ms
    ms.set_context(mode=ms.PYNATIVE_MODE)


def check(found: Any, expected: Any) -> None:
    """Compare results, numbers but for rounding."""
    if isinstance(expected, list):
        assert len(found) == len(expected)
        for item, wanted in zip(found, expected, strict=True):
            check(item, wanted)
    elif isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key, wanted in expected.items():
            check(found[key], wanted)
    elif isinstance(expected, float):
        np.testing.assert_allclose(found, expected, rtol=3e-3, atol=1e-4)
    else:
        assert found == expected


# Every third one by default, all of them among the slow tests.
@pytest.mark.filterwarnings(
    "ignore::mycel.frontend.errors.classes.FallbackWarning", "ignore:.*has been traced:UserWarning"
)
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (count % 3 > 0)) for count, name in enumerate(scripts.SCRIPTS)],
)
def test_it_trains_as_under_mindspore(name: str, mindspore: Any) -> None:
    check(scripts.run(mindspore, name), json.loads(scripts.RECORDED.read_text(encoding="utf-8"))[name])


def test_there_are_some() -> None:
    assert len(scripts.SCRIPTS) >= 8
