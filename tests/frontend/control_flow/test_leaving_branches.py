"""Branches that raise, beside branches that return or go on, which only the run knows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import mycel as ms
from mycel import Tensor


def returns_or_goes_on(a: Tensor, b: Tensor) -> Tensor:
    if a > b:
        if a > 3 * b:
            return a * a
    else:
        raise KeyError("less")
    return a * b + 1


def raises_in_an_elif(a: Tensor, b: Tensor) -> Tensor:
    c = a * 2
    if a > 3 * b:
        c = c * b
    elif a > b:
        if a > 2 * b:
            return c
        c = c + b
    else:
        c = c + [a][7]
    if c > 8:
        raise ValueError("greater")
    return b * c


def leaves_a_loop(a: Tensor, b: Tensor) -> Tensor:
    while b < 2:
        if a > b:
            if a > 3 * b:
                break
            if a > 2 * b:
                return a * b
        else:
            raise KeyError("less")
        b = b * 1.25
    return b * a


@pytest.mark.parametrize("a", [-1.0, 0.75, 1.2, 5.0])
@pytest.mark.parametrize("function", [returns_or_goes_on, raises_in_an_elif, leaves_a_loop])
def test_branches_that_raise_beside_those_that_may_return(function: Callable[..., Tensor], a: float) -> None:
    gradient = ms.value_and_grad(function, (0, 1))

    def run(function: Callable[..., object]) -> str:
        try:
            return str(function(Tensor(a), Tensor(0.5)))
        except (LookupError, ValueError) as error:
            return type(error).__name__

    with ms.disable_jit():
        wanted = run(function), run(gradient)
    assert (run(ms.jit(function, fullgraph=True)), run(ms.jit(gradient, fullgraph=True))) == wanted
