"""Iterators that branches and loops move, which only the run knows to run: each item is Python's."""

from __future__ import annotations

import array
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from both_modes import plain

import mycel as ms
from mycel import Tensor


class Box:
    """An object with an iterator."""

    def __init__(self, it: Any) -> None:
        self.it = it


def an_if(x: Tensor, y: Tensor) -> Any:
    it = iter([x, y, x + y])
    r = next(it)
    if r.sum() > 0:
        r = next(it)
    return r + next(it)


def a_generator(x: Tensor, y: Tensor) -> Any:
    it = (item * 2 for item in (x, y))
    r = sum(it) if x.sum() > 0 else y
    return r, list(it)


def a_method(x: Tensor, y: Tensor) -> Any:
    box = Box(iter([x, y]))
    if x.sum() > 0:
        box.it.__next__()
    return next(box.it)


def an_operand(x: Tensor, y: Tensor) -> Any:
    it = iter([x, y, x + y])
    z = x if x.sum() > 0 and next(it).sum() > 0 else y
    return z + next(it)


def a_for(x: Tensor, y: Tensor) -> Any:
    it = iter([x, y, x + y])
    r = y
    if x.sum() > 0:
        for item in it:
            r = item
            break
    return r, [*it]


def a_while(x: Tensor, y: Tensor) -> Any:
    it = iter([x, y, x + y, y * 2, y * 3, y * 4])
    while x.sum() < 10:
        x = x + next(it) + 1
    return x


def a_test_of_a_while(x: Tensor, y: Tensor) -> Any:
    it = iter([x, y, x + y, y * 2, y * 3, y * 4])
    while x.sum() + next(it).sum() < 20:
        x = x + 2
    return x, next(it)


def a_range(x: Tensor, y: Tensor) -> Any:
    it = iter([x, y, x + y])
    for _ in range(int(y[0]) + 1):
        x = x + next(it)
    return x


@pytest.mark.filterwarnings("ignore::mycel.FallbackWarning")
@pytest.mark.parametrize(
    "function", [an_if, a_generator, a_method, an_operand, a_for, a_while, a_test_of_a_while, a_range]
)
def test_items_are_pythons(function: Callable[..., Any]) -> None:
    compiled = ms.jit(function)
    for sign in (1, -1):
        x, y = Tensor(np.float32([sign, 2 * sign, -sign])), Tensor(np.float32([1, 2, 3]))
        assert plain(compiled(x, y)) == plain(function(x, y))
    with pytest.raises(ms.GraphError, match="takes items of an iterator"):
        ms.jit(function, fullgraph=True)(x, y)


def test_iterators_of_one_branch_are_part_of_the_graph() -> None:
    def function(x: Tensor, y: Tensor) -> Any:
        it = iter([x, y])
        if x.sum() < -100:
            return y
        r = next(it)
        for a, b in zip([x, y], [y, x], strict=True):
            r = r + (sum(c * 2 for c in [a, b]) if a.sum() > 0 else next(iter([a, b])))
        return r + next(it)

    for sign in (1, -1):
        x, y = Tensor(np.float32([sign, 2 * sign, -sign])), Tensor(np.float32([1, 2, 3]))
        assert plain(ms.jit(function, fullgraph=True)(x, y)) == plain(function(x, y))


@pytest.mark.filterwarnings("ignore::mycel.FallbackWarning")
@pytest.mark.parametrize("make", [np.zeros, bytearray, lambda size: array.array("i", [0] * size)])
def test_arrays_that_a_branch_changes_are_pythons(make: Callable[[int], Any]) -> None:
    def function(x: Tensor) -> Any:
        a = make(2)
        if x.sum() > 0:
            b = make(3)  # it is the branch's own
            b[0] = 4
            a[0] = b[0]
        return list(a)

    for value in (1.0, -1.0):
        assert ms.jit(function)(Tensor([value])) == function(Tensor([value]))
