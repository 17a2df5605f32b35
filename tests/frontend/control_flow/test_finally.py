"""`try` with `finally` around run-time conditions and loops that return."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import mycel as ms
from mycel import Tensor


def returned_and_updated_at_last(x: Tensor, state: list[Any]) -> Any:
    u = x * 0.5
    try:
        if x.sum() > 0:
            return x.sum(), u
        u = u * 2
    finally:
        u += 0.25
    return x.sum() * 2, u


def kept_at_last(x: Tensor, state: list[Any]) -> Any:
    u, n = x * 0.5, x.sum()
    try:
        if n > 2:
            return u
        try:
            u = u * 2
            if n > 0:
                return u
            n = n * 3
        finally:
            state[1] = n + 1
        u = u + n
    finally:
        state[0] = u
    return u * 2


def left_from_a_loop(x: Tensor, state: list[Any]) -> Any:
    u = x * 0.5
    try:
        while u.sum() < 5:
            u = u + 1
            if u.max() > 1.5:
                return u.sum()
            u = u * 0.75
    finally:
        state[0] = u
        u *= 2
    return u.sum() + 1


@pytest.mark.parametrize("x", [3.0, 0.5, -1.0, -4.0])
@pytest.mark.parametrize("function", [returned_and_updated_at_last, kept_at_last, left_from_a_loop])
def test_finally_reads_variables_as_they_are_after_a_return(
    function: Callable[[Tensor, list[Any]], Any], x: float
) -> None:
    def run(x: Tensor) -> Any:
        state: list[Any] = [x, x.sum()]
        return function(x, state), state

    inputs = Tensor([x, x / 4])
    assert str(ms.jit(run)(inputs)) == str(run(inputs))
