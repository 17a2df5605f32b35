"""Loops with an else clause that are left by break, if the run gets there: what is bound before the break is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from both_modes import plain

import mycel as ms
from mycel import Tensor


def number(x: Tensor, y: Tensor) -> Any:
    r = 0
    for i, v in enumerate(x):
        if v > 2.5:
            r = i
            break
    else:
        r = -1
    return r


def last_of_several(x: Tensor, y: Tensor) -> Any:
    r = x[0] * 0
    for v in x:
        if v > 2.5:
            r = v
            if v > 2.9:
                break
            r = r * 2
    else:
        r = -v
    return r


def through_a_call(x: Tensor, y: Tensor) -> Any:
    r = 0

    def grow() -> None:
        nonlocal r
        r = r + 1

    for v in x:
        if v > 2.5:
            grow()
            break
    else:
        r = -5
    return r


def texts(x: Tensor, y: Tensor) -> Any:
    for v in x:
        if v > 2.5:
            r = "big"
            break
    else:
        r = "none"
    return r


def a_while(x: Tensor, y: Tensor) -> Any:
    while x.sum() < 20:
        if x[0] > 4:
            r = x + 100
            break
        x = x + y + 1
    else:
        r = y
    return r, x


def a_long_loop(x: Tensor, y: Tensor) -> Any:
    for i in range(20):
        if x[i % 3] > 2.5:
            r = x * i
            break
        x = x + 0.1
    else:
        r = y
    return r


def two_loops(x: Tensor, y: Tensor) -> Any:
    for i in range(3):
        for j in range(3):
            if x[j] > 2.5:
                q = i + j
                break
        else:
            q = -1
            continue
        break
    else:
        q = -2
    return q


def in_a_try(x: Tensor, y: Tensor) -> Any:
    r = y
    for v in x:
        try:
            if v > 2.5:
                r = v * y
                break
        finally:
            y = y + 1
    else:
        r = y * 0
    return r, y


INPUTS = [
    ([1.0, 2.0, 3.0], [0.5, 1.5, -1.0]),
    ([-1.0, -2.0, -3.0], [2.0, 1.0, 0.0]),
    ([3.0, -1.0, 2.0], [1.0, 1.0, 4.0]),
]


@pytest.mark.filterwarnings("ignore::mycel.FallbackWarning")
@pytest.mark.parametrize(
    "function", [number, last_of_several, through_a_call, texts, a_while, a_long_loop, two_loops, in_a_try]
)
def test_else_clauses(function: Callable[..., Any]) -> None:
    compiled = ms.jit(function)
    for x, y in INPUTS:
        assert plain(compiled(Tensor(x), Tensor(y))) == plain(function(Tensor(x), Tensor(y)))


def test_numbers_are_part_of_the_graph() -> None:
    for function in (number, last_of_several, through_a_call):
        compiled = ms.jit(function, fullgraph=True)
        for x, y in INPUTS:
            assert plain(compiled(Tensor(x), Tensor(y))) == plain(function(Tensor(x), Tensor(y)))
