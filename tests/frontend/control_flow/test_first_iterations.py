"""Conditions on the counter that differ in a few first iterations: these are traced one by one, the others once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from growing_lists import check, step

from mycel import Tensor, ops

N = 24
xs = Tensor(np.random.RandomState(1).randn(N, 3).astype(np.float32))


def at_first(x: Any) -> Any:
    h, out = x[0], []
    for t in range(N):
        if t < 3:
            h = h + x[t]
        else:
            h = step(h, x[t])
            out.append(h)
    return ops.stack(out), h


def forced(x: Any) -> Any:
    h, out = x[0], []
    for t in range(N):
        h = step(h, x[t])
        if t + 1 < 4:
            h = x[t + 1]
        else:
            out.append(h)
    return ops.stack(out), h


def backwards(x: Any) -> Any:
    h, out = x[0], []
    for t in reversed(range(N)):
        if t >= N - 2:
            h = h * 2 + x[t]
        else:
            h = h * 0.5 - x[t]
            out.append(h)
    return ops.stack(out), h


def twice(x: Any) -> Any:
    h, out = x[0], []
    for t, row in enumerate(x):
        if t < 2:
            h = h + row
        elif t < 4:
            h = h - row
        else:
            h = step(h, row)
            out.append(h)
    return ops.stack(out)


@pytest.mark.parametrize("function", [at_first, forced, backwards, twice])
def test_the_others_are_one_loop(function: Callable[..., Any]) -> None:
    check(function, xs)


def late(x: Any) -> Any:
    h = x[0]
    for t in range(N):
        h = h + x[t] if t < 12 else step(h, x[t])
    return h


def now_and_then(x: Any) -> Any:
    h = x[0]
    for t in range(N):
        h = h + x[t] if t % 3 == 0 else step(h, x[t])
    return h


def counted(x: Any) -> Any:
    h, t = x[0], 0
    while t < N:
        h = h + x[t] if t < 3 else step(h, x[t])
        t += 1
    return h


@pytest.mark.parametrize("function", [late, now_and_then, counted])
def test_other_conditions_are_branches_of_the_loop(function: Callable[..., Any]) -> None:
    check(function, xs)
