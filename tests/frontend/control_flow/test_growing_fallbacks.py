"""Lists that grow in loops, and what keeps a loop from being rerolled: aliases, reads of the list, other forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from growing_lists import T, check, step, xs

from mycel import ops
from mycel.frontend.control_flow import iteration_trace


@pytest.fixture(autouse=True)
def roll_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reroll loops of few iterations, too, but not those of two or three."""
    monkeypatch.setattr(iteration_trace, "MIN_ITERATIONS", 5)


# Aliases


def updated_after(x: Any) -> Any:
    h, old, new = x[0] * 1, [], []
    first = h
    for t in range(T):
        old.append(h)
        h = step(h, x[t])
        new.append(h)
    h.add_(1)
    new[4].mul_(3)
    old[0][1] = 7
    return ops.stack(old), ops.stack(new), h, first


def shared_rows(x: Any) -> Any:
    h, one, other = x[0] * 1, [], []
    for t in range(T):
        h = step(h, x[t])
        g = h * 2
        one.append(g)
        other.append((g, h))
    one[3].add_(5)
    return one[3], other[3][0], other[4][0], one[3] is other[3][0]


def updated_inside(x: Any) -> Any:
    h, out = x[0] * 1, []
    for t in range(T):
        g = h * 0.5 + x[t]
        out.append(g)
        g.add_(1)
        h = g * 0.9
    return ops.stack(out), h


@pytest.mark.parametrize("function", [updated_after, shared_rows, updated_inside])
def test_aliases(function: Callable[..., Any]) -> None:
    check(function, xs)


# What is left to single iterations


def one_tensor(x: Any) -> Any:
    h, out = x[0] * 1, []
    for t in range(T):
        h.add_(x[t])
        out.append(h)
    return ops.stack(out)


def other_name(x: Any) -> Any:
    h, out = x[0] * 1, []
    alias = out
    for t in range(T):
        h = step(h, x[t])
        out.append(h)
        if len(alias) > 3:
            h = h + 1
    return ops.stack(alias)


def reads_length(x: Any) -> Any:
    h, out = x[0] * 1, []
    for t in range(T):
        out.append(step(h, x[t]))
        h = out[-1] * len(out)
    return ops.stack(out)


def reads_truth(x: Any) -> Any:
    h, out = x[0] * 1, []
    for t in range(T):
        if not out or isinstance(out, tuple) or type(out) is not list:
            h = h + 5
        h = step(h, x[t])
        out.append(h)
    return ops.stack(out)


def reads_items(x: Any) -> Any:
    h, out = x[0] * 1, []
    for t in range(T):
        h = step(h, x[t]) + (out[t - 2] if t > 1 else 0)
        out.append(h)
    return out[0] + out[T - 1]


def reads_all(x: Any) -> Any:
    h, out = x[0] * 1, []
    for t in range(T):
        out.append(step(h, x[t]))
        h = ops.stack(out).mean(0)
        for item in out[:2]:
            h = h + item
    return h


def appends_numbers(x: Any) -> Any:
    h, out = x[0] * 1, []
    for t in range(T):
        h = step(h, x[t])
        out.append(t)
    return h, out


def appends_tensor_from_outside(x: Any) -> Any:
    h, out = x[0] * 1, []
    for t in range(T):
        h = step(h, x[t])
        out.append(x)
    return h, out[3] is x, len(out)


def some_iterations(x: Any) -> Any:
    h, out = x[0] * 1, []
    for t in range(T):
        h = step(h, x[t])
        if t % 3 == 0:
            out.append(h)
    return ops.stack(out)


def pops(x: Any) -> Any:
    h, out = x[0] * 1, []
    for t in range(T):
        h = step(h, x[t])
        out.append(h)
        out.append(h * 2)
        out.pop(0)
    return ops.stack(out)


def in_a_dictionary(x: Any) -> Any:
    h, found = x[0] * 1, {"h": []}
    for t in range(T):
        h = step(h, x[t])
        found["h"].append(h)
    return ops.stack(found["h"])


def rebound(x: Any) -> Any:
    h, out = x[0] * 1, []
    for t in range(T):
        h = step(h, x[t])
        out = [*out, h]
    return ops.stack(out)


def shapes_differ(x: Any) -> Any:
    h, out = x[0] * 1, []
    for t in range(T):
        h = step(h, x[t])
        out.append(ops.ones((t + 1,)) * h[0])
    return out[3], out[5]


FALLBACKS = [
    one_tensor, other_name, reads_length, reads_truth, reads_items, reads_all, appends_numbers, some_iterations, pops,
    appends_tensor_from_outside, in_a_dictionary, rebound, shapes_differ,
]  # fmt: skip


@pytest.mark.parametrize("function", FALLBACKS)
def test_fallbacks(function: Callable[..., Any]) -> None:
    check(function, xs, loops=0)
