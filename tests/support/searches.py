"""How wide random searches are."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings


def few(count: int, many: int = 1000) -> settings:
    """So many examples by default, and many in `make test-slow`: for tests whose examples take long."""
    return settings(max_examples=many if settings.get_current_profile_name() == "long" else count)


def chequered(*parameters: Iterable[Any], every: int = 2) -> list[Any]:
    """All combinations of the values of some parameters, for `parametrize`: every second by default, so that each value
    meets many others, and all of them among the slow tests."""
    combinations = itertools.product(*map(enumerate, parameters))
    return [
        pytest.param(
            *(value for _, value in each), marks=[pytest.mark.slow] * (sum(place for place, _ in each) % every > 0)
        )
        for each in combinations
    ]
