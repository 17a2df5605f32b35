"""Lists that loops read in turn: `frontend/control_flow/rings.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops

COUNT = 41


def start(x: Any, length: int = 3) -> list[Any]:
    return [x[k] * (k + 1) for k in range(length)]


def end(items: list[Any], y: Any) -> Any:
    return ops.stack([*items, y])


def replaced(x: Any) -> Any:
    items, y = start(x), x[0]
    for k in range(COUNT):
        y = y * 0.5 + items[k % 3]
        items[k % 3] = y * 0.25 + x[k]
    return end(items, y)


def by_length(x: Any) -> Any:
    items, y = start(x, 5), x[0]
    for k in range(COUNT):
        y = y * 0.5 + items[k % len(items)]
        items[k % len(items)] = y
    return end(items, y)


def read(x: Any) -> Any:
    items, y = start(x), x[0]
    for k in range(COUNT):
        y = y * items[(k + 1) % 3].sin() + x[k]
    return end(items, y)


def two_places(x: Any) -> Any:
    items, y = start(x, 4), x[0]
    for k in range(2, COUNT):
        y = y * 0.5 + items[k % 4] * items[(k + 3) % 4] - items[(k - 1) % 4 - 4]
        items[(k + 2) % 4] = y.tanh()
        items[k % 4] = items[k % 4] + x[k]
    return end(items, y)


def with_steps(x: Any) -> Any:
    items, y = start(x, 7), x[0]
    for k in range(3, 200, 5):
        y = y * 0.5 + items[k % 7]
        items[k % 7] = y.sin()
    return end(items, y)


def downwards(x: Any) -> Any:
    items, y = start(x), x[0]
    for k in range(COUNT - 1, -1, -1):
        y = y * 0.5 + items[k % 3]
        items[k % 3] = y.sin() + x[k]
    return end(items, y)


def backwards(x: Any) -> Any:
    items, y = start(x), x[0]
    for k in range(COUNT):
        y = y * 0.5 + items[-(k % 3) - 1]
        items[-(k % 3) - 1] = y.sin() + x[k]
    return end(items, y)


def two_rings(x: Any) -> Any:
    one, other, y = start(x, 3), start(x, 4), x[0]
    for k in range(COUNT):
        y = y * 0.5 + one[k % 3] * other[k % 4]
        one[k % 3], other[k % 4] = y.tanh(), y.sin()
    return end(one + other, y)


def and_grown(x: Any) -> Any:
    items, found = start(x), []
    for k in range(COUNT):
        y = items[k % 3] * 0.5 + x[k]
        items[k % 3] = y
        found.append(y)
    return end(items + found[::7], ops.stack(found).sum(0))


def one_carried(x: Any) -> Any:
    items, last = start(x), x[0]
    for k in range(COUNT):
        last = items[k % 3]
        items[k % 3] = last * 0.5 + x[k]
    return end(items, last)


def in_a_function(x: Any) -> Any:
    items, y = start(x), x[0]

    def advance(k: Any) -> None:
        nonlocal y
        y = y * 0.5 + items[k % 3]
        items[k % 3] = y * 0.25 + x[k]

    for k in range(COUNT):
        advance(k)
    return end(items, y)


def again(x: Any) -> Any:
    items, y = start(x), x[0]
    for _ in range(2):
        for k in range(20):
            y = y * 0.5 + items[k % 3]
            items[k % 3] = y.tanh() + x[k]
    return end(items, y)


TURNED: list[Callable[[Any], Any]] = [
    replaced, by_length, read, two_places, with_steps, downwards, backwards, two_rings, and_grown, one_carried, again,
]  # fmt: skip


def other_name(x: Any) -> Any:
    items, y = start(x), x[0]
    same = items
    for k in range(COUNT):
        y = y * 0.5 + items[k % 3]
        same[0] = y
    return end(items, y)


def fixed_place(x: Any) -> Any:
    items, y = start(x), x[0]
    for k in range(COUNT):
        y = y * 0.5 + items[k % 3] * items[0]
        items[k % 3] = y.tanh()
    return end(items, y)


def two_speeds(x: Any) -> Any:
    items, y = start(x), x[0]
    for k in range(COUNT):
        y = y * 0.5 + items[k % 3] - items[(2 * k) % 3]
        items[k % 3] = y.tanh()
    return end(items, y)


def sometimes(x: Any) -> Any:
    items, y = start(x), x[0]
    for k in range(COUNT):
        y = y * 0.5 + items[k % 3]
        if y.sum() > 0:
            items[k % 3] = y.tanh()
    return end(items, y)


def out_of_order(x: Any) -> Any:
    items, y = start(x), x[0]
    for k in range(COUNT):
        y = y * 0.5 + items[k * k % 3]
        items[k % 3] = y.tanh()
    return end(items, y)


def iterated(x: Any) -> Any:
    items, y = start(x), x[0]
    for k in range(COUNT):
        items[k % 3] = y.tanh() + x[k]
        for item in items:
            y = y * 0.5 + item
    return end(items, y)


def handed_on(x: Any) -> Any:
    items, y = start(x), x[0]
    for k in range(COUNT):
        y = y * 0.5 + items[k % 3]
        items[k % 3] = y.tanh()
        kept = [items]
        y = y + kept[0][0]
    return end(items, y)


def other_shape(x: Any) -> Any:
    items, y = start(x), x[0]
    for k in range(COUNT):
        y = y * 0.5 + items[k % 3].sum(0)
        items[k % 3] = ops.stack([y, y])
    return ops.stack([item.sum(0) if item.ndim > 1 else item for item in items])


def numbers(x: Any) -> Any:
    items, y = [0.5, 0.25, 2.0], x[0]
    for k in range(COUNT):
        y = y * items[k % 3] + x[k]
    return y


def in_place(x: Any) -> Any:
    items, y = start(x), x[0]
    for k in range(COUNT):
        item = items[k % 3]
        item[0] = y.sum()
        y = y * 0.5 + item
    return end(items, y)


ONE_BY_ONE: list[Callable[[Any], Any]] = [
    other_name, fixed_place, two_speeds, sometimes, out_of_order, iterated, handed_on, other_shape, numbers, in_place,
    in_a_function,
]  # fmt: skip


def inputs() -> Tensor:
    return Tensor(np.random.RandomState(0).randn(200, 2).astype(np.float32) * np.float32(0.5))


@pytest.mark.parametrize("function", TURNED)
def test_lists_that_are_read_in_turn_are_carried(function: Callable[[Any], Any]) -> None:
    x, graph = inputs(), ms.jit(function)
    np.testing.assert_allclose(graph(x).asnumpy(), function(x).asnumpy(), rtol=1e-4, atol=1e-5)
    nodes = graph.stages(x).forward.nodes
    assert any(node.op.name == "scan" for node in nodes)


@pytest.mark.parametrize("function", ONE_BY_ONE)
def test_other_lists(function: Callable[[Any], Any]) -> None:
    x, graph = inputs(), ms.jit(function)
    np.testing.assert_allclose(graph(x).asnumpy(), function(x).asnumpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("function", [replaced, two_places, downwards, and_grown])
def test_gradients(function: Callable[[Any], Any]) -> None:
    x = inputs()
    weights = Tensor(np.random.RandomState(1).randn(*function(x).shape).astype(np.float32))
    got = ms.grad(lambda x: (function(x) * weights).sum())(x).asnumpy()
    double = x.asnumpy().astype(np.float64)
    for place in [(0, 0), (1, 1), (2, 0), (3, 1), (17, 0), (40, 1)]:
        sides = []
        for sign in (1, -1):
            moved = double.copy()
            moved[place] += sign * 1e-5
            sides.append(float((function(Tensor(moved)).asnumpy() * weights.asnumpy().astype(np.float64)).sum()))
        np.testing.assert_allclose(got[place], (sides[0] - sides[1]) / 2e-5, rtol=2e-3, atol=1e-4)


def test_an_update_after_the_loop_reaches_the_other_name() -> None:
    def function(x: Any) -> Any:
        items, last = start(x), x[0] * 1
        for k in range(COUNT):
            last = items[k % 3] * 0.5 + x[k]
            items[k % 3] = last
        last[0] = 7.0
        return end(items, last)

    x = inputs()
    np.testing.assert_allclose(ms.jit(function)(x).asnumpy(), function(x).asnumpy(), rtol=1e-5)


def test_long_items_are_not_turned() -> None:
    def function(x: Any) -> Any:
        items, y = [x * k for k in range(3)], x
        for k in range(20):
            y = y * 0.5 + items[k % 3]
            items[k % 3] = y.tanh()
        return end(items, y)

    x = Tensor(np.random.RandomState(0).randn(1000).astype(np.float32))
    graph = ms.jit(function)
    np.testing.assert_allclose(graph(x).asnumpy(), function(x).asnumpy(), rtol=1e-4, atol=1e-5)
    assert all(node.op.name != "scan" for node in graph.stages(x).forward.nodes)
