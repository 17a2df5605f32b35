"""What a loop that is recorded once reads by its counter: items of lists, conditions, functions of Python's floats."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from both_modes import agrees_with_its_gradient

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.ir.loops import Loop

T = 40


def forwards(x: Any) -> tuple[list[Any], list[Any], Any]:
    h, a, b = x[0], [], []
    for t in range(T):
        h = ops.tanh(h + x[t])
        a.append(h)
        b.append(h * 2)
    return a, b, h


def backwards(x: Any) -> Any:
    a, b, h = forwards(x)
    for t in range(T - 2, -1, -1):
        h = h * a[t] + b[t + 1]
    return h


def with_a_first_item(x: Any) -> Any:
    h, a = x[0], [x[1] * 3]
    for t in range(T):
        h = ops.tanh(h + x[t])
        a.append(h)
    for t in range(T):
        h = h * a[t] - a[t + 1]
    return h


def every_second(x: Any) -> Any:
    a, b, h = forwards(x)
    a = tuple(a)
    for t in range(T // 2 - 1):
        h = h * a[2 * t + 1] + b[t]
    return h


def given(x: Any) -> Any:
    a, h = [x[t] * 1 for t in range(T)], x[0]
    for t in range(T):
        h = ops.tanh(h * a[t])
    return h


def symmetric(x: Any) -> Any:
    p, a, b = ops.ones((5, 5)), [], []
    for t in range(T):
        p = 0.01 * p @ p.T + x[t]  # the first product is known
        a.append(p)
        p = ops.tanh(p)
        b.append(p)
    return ops.stack(a) + ops.stack(b)


def first_apart(x: Any) -> Any:
    h, loss = x[0], 0.0
    for t in range(T):
        h = ops.tanh(h + x[t] if t > 0 else h)
        if t != 0:
            loss = loss + h.sum()
    return h * loss


def last_first(x: Any) -> Any:
    h = x[0]
    for t in range(T - 1, -1, -1):
        if t == T - 1 or t < 0:
            h = h * x[t]
        elif 0 <= t < T and not t > T:
            h = ops.tanh(h + x[t])
    return h


def schedule(x: Any) -> Any:
    h = x[0]
    for t in range(T):
        h = h * math.cos(math.pi * t / T) + x[t] / math.sqrt(t + 1) * math.exp(-t) + math.log(1 + t * t) * math.tanh(t)
    return ops.sin(h) * math.sin(T)


def over_a_list(x: Any) -> Any:
    a, b, h = forwards(x)
    for row in a:
        h = ops.tanh(h - row)
    for t, (one, other, third) in enumerate(zip(b, tuple(a), x, strict=True)):
        h = h * one + other * third * t
    for one, other in zip(reversed(a), reversed(tuple(b)), strict=True):
        h = h - one * ops.sin(other)
    return h + row + third


def over_rows_taken_apart(x: Any) -> Any:
    h = x[0]
    for row in ops.unbind(x):
        h = ops.tanh(h + row)
    return h


ONCE = [
    backwards, with_a_first_item, every_second, given, symmetric, first_apart, last_first, schedule, over_a_list,
    over_rows_taken_apart,
]  # fmt: skip


def x() -> Tensor:
    return Tensor(np.random.default_rng(0).standard_normal((T, 5)).astype(np.float32))


@pytest.mark.parametrize("function", ONCE)
def test_recorded_once(function: Callable[..., Any]) -> None:
    compiled, _ = agrees_with_its_gradient(function, x())
    graph = compiled.stages(x()).forward
    loops = [Loop.of(node) for node in graph.nodes if node.op.name == "scan"]
    several = {backwards: 2, with_a_first_item: 2, every_second: 2, over_a_list: 4}
    assert len(loops) == several.get(function, 1)
    assert not any(node.op.name in ("cond", "concatenate") for loop in loops for node in loop.body.nodes)


def middle_apart(x: Any) -> Any:
    h = x[0]
    for t in range(T):
        if t == 7:
            h = h * 3
        h = ops.tanh(h + x[t])
    return h


def item_updated_first(x: Any) -> Any:
    a, _, h = forwards(x)
    other = a[3]
    for t in range(T):
        other += 0.25
        h = h + a[t]
    return h


def item_updated_where_read(x: Any) -> Any:
    a, b, h = forwards(x)
    for t in range(T):
        row = a[t]
        row += h
        h = ops.tanh(h + b[t])
    return ops.stack(a) * h


def item_kept(x: Any) -> Any:
    a, _, h = forwards(x)
    row = h
    for t in range(T - 1):
        h = h + row
        row = a[t]
    row *= 2
    return ops.stack(a) + h


def list_changed(x: Any) -> Any:
    a, _, h = forwards(x)
    for t in range(T - 1):
        h = ops.tanh(h + a[t])
        a[t + 1] = h
    return ops.stack(a)


def negative_places(x: Any) -> Any:
    a, _, h = forwards(x)
    for t in range(T):
        h = ops.tanh(h + a[t - 2])
    return h


def items_of_the_iteration(x: Any) -> Any:
    h = x[0]
    for t in range(20):
        parts = [h + k for k in range(20)]
        h = ops.tanh(parts[t] + x[t])
    return h


def different_shapes(x: Any) -> Any:
    a, h = [x[: t + 1].sum() if t % 2 else x[: t + 1].sum(0) for t in range(T)], x[0]
    for t in range(T):
        h = ops.tanh(h + a[t])
    return h


def items_updated(x: Any) -> Any:
    a, _, h = forwards(x)
    for row in a:
        row += h
    return ops.stack(a) * h


def list_grows(x: Any) -> Any:
    a, _, h = forwards(x)
    for row in a:
        h = ops.tanh(h + row)
        if len(a) < 2 * T:
            a.append(h)
    return ops.stack(a) * h


def list_changes(x: Any) -> Any:
    a, _, h = forwards(x)
    for row in a:
        h = ops.tanh(h + row)
        a[-1] = h
    return ops.stack(a) * h


def other_names(x: Any) -> Any:
    a, _, h = forwards(x)
    for row in a:
        kept = row
        h = ops.tanh(h + row)
    kept += 1
    return ops.stack(a) * h


def left_early(x: Any) -> Any:
    a, _, h = forwards(x)
    for row in a:
        h = ops.tanh(h + row)
        if h.sum() > 0:
            break
    return h


def with_numbers(x: Any) -> Any:
    h = x[0]
    for row in [x[0], *range(30)]:
        h = h + row
    return h


def first_grows(x: Any) -> Any:
    a, _, h = forwards(x)
    for t, row in enumerate(a):
        if t == 0:
            a.append(h * 3)
        h = ops.tanh(h + row)
    return h


def first_skips(x: Any) -> Any:
    a, _, h = forwards(x)
    rows = iter(a)
    for t, row in enumerate(rows):
        if t == 0:
            h = h - next(rows)
        h = ops.tanh(h + row)
    return h


ONE_BY_ONE = [
    first_grows, first_skips,
    items_updated, list_grows, list_changes, other_names, left_early, with_numbers,
    middle_apart, item_updated_first, item_updated_where_read, item_kept, list_changed, negative_places,
    items_of_the_iteration, different_shapes,
]  # fmt: skip


@pytest.mark.parametrize("function", ONE_BY_ONE)
def test_agrees_with_eager_mode(function: Callable[..., Any]) -> None:
    agrees_with_its_gradient(function, x())


def test_large_arguments_are_not_copied() -> None:
    def layers(h: Any, weights: Any) -> Any:
        for t in range(20):
            h = ops.tanh(h @ weights[t])
        return h

    weights = [Tensor(np.full((40, 40), 0.01 * n, np.float32)) for n in range(20)]
    graph = ms.jit(layers).stages(ops.ones((2, 40)), weights).forward
    assert not any(node.op.name in ("scan", "concatenate") for node in graph.nodes)


def test_python_errors_of_floats() -> None:
    def logarithm(h: Any) -> Any:
        for t in range(T):
            h = h * math.log(t)
        return h

    with pytest.raises(ValueError, match=r"math domain error|positive"):
        ms.jit(logarithm)(ops.ones(3))


def rounds(times: int) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        h = x[0]
        for t in range(times):
            for _ in range(7):
                h = ops.tanh(h + x[t]) * ops.sin(h * 2) - ops.exp(-h * h) / (h.sum() + 9)
        return h

    return function


def test_a_short_loop_of_very_many_nodes_is_recorded_once() -> None:
    for times, loops in ((12, 1), (3, 0)):
        compiled, _ = agrees_with_its_gradient(rounds(times), x())
        graph = compiled.stages(x()).forward
        assert [node.op.name for node in graph.nodes].count("scan") == loops
