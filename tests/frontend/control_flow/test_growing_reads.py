"""Lists that grow in rerolled loops and are read there: from their ends, or at an index that grows with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from growing_lists import T, check, scans, step, xs

import mycel as ms
from mycel import Tensor, ops
from mycel.frontend.control_flow import iteration_trace


@pytest.fixture(autouse=True)
def roll_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reroll loops of few iterations, too, but not those of two or three."""
    monkeypatch.setattr(iteration_trace, "MIN_ITERATIONS", 5)


def last(x: Any) -> Any:
    out = [x[0]]
    for t in range(1, T):
        out.append(step(out[-1], x[t]))
    return ops.stack(out), out[-1], out[2]


def last_two(x: Any) -> Any:
    out = [x[0], x[1]]
    for t in range(2, T):
        out.append(out[-1] * 0.5 - out[-2] * 0.3 + x[t])
    return ops.stack(out)


def one_before(x: Any) -> Any:
    out = [x[0]]
    for t in range(1, T):
        out.append(step(out[t - 1], x[t]))
    return ops.stack(out)


def two_before(x: Any) -> Any:
    out = [x[0], x[1]]
    for t in range(2, T):
        out.append(out[t - 2] * 0.5 + out[t - 1] + out[0])
    return ops.stack(out)


def first_in_front(x: Any) -> Any:
    out = [x[0] * 0]
    for t in reversed(range(T)):
        out.insert(0, out[0] * 0.3 + x[t] + out[-1])
    return ops.stack(out)


def two_lists(x: Any) -> Any:
    out, others = [x[0]], [x[1]]
    for t in range(1, T):
        out.append(step(others[t - 1], x[t]))
        others.append(out[-1] - out[t - 1])
    return ops.stack(out), ops.stack(others)


def states(x: Any) -> Any:
    out = [(x[0], x[1])]
    for t in range(2, T):
        h, c = out[-1]
        out.append((step(h, x[t]), c + h))
    return ops.stack([h for h, _ in out]), ops.stack([c for _, c in out])


def after_adding(x: Any) -> Any:
    out = [x[0]]
    for t in range(1, T):
        out.append(x[t] * 3)
        out.append(out[2 * t - 2] * 0.5 + out[-1])
    return ops.stack(out)


def under_a_condition(x: Any) -> Any:
    out = [x[0]]
    for t in range(1, T):
        y = out[-1] * 0.5 if x[t].sum() > 0 else out[-1] + x[t]
        out.append(y)
    return ops.stack(out)


def counted(x: Any) -> Any:
    out, t = [x[0]], 1
    while t < T:
        out.append(step(out[t - 1], x[t]))
        t += 1
    return ops.stack(out)


def numbers_at_first(x: Any) -> Any:
    out: list[Any] = [0.0]
    for t in range(T):
        out.append(out[-1] * 0.5 + x[t].mean())
    return ops.stack(out[1:])


def behind_the_list(x: Any) -> Any:
    out = [x[0], x[1], x[2]]
    for t in range(T):
        out.append(out[t] * 0.5)
    return ops.stack(out)


def updated_around(x: Any) -> Any:
    out = [x[0] * 1]
    first = out[0]
    for t in range(1, T):
        out.append(step(out[-1], x[t]))
    first[1] = 5.0
    out[-1][0] = 1.0
    return ops.stack(out), first


REROLLED = [
    last, last_two, one_before, two_before, first_in_front, two_lists, states, after_adding, under_a_condition, counted,
    numbers_at_first, behind_the_list, updated_around,
]  # fmt: skip


@pytest.mark.parametrize("function", REROLLED)
def test_rerolled(function: Callable[..., Any]) -> None:
    check(function, xs)


@pytest.mark.parametrize("function", REROLLED)
def test_gradients(function: Callable[..., Any]) -> None:
    def loss(x: Any) -> Any:
        made = function(x)
        made = made if isinstance(made, tuple) else (made,)
        return sum((number * one**2).sum() for number, one in enumerate(made, 1))

    found = ms.jit(ms.grad(loss))(xs).asnumpy()
    with ms.disable_jit():
        expected = ms.grad(loss)(xs).asnumpy()
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def changes_what_it_reads(x: Any) -> Any:
    out = [x[0] * 1]
    for t in range(1, T):
        before = out[-1]
        out.append(step(before, x[t]))
        before[1] = 2.0
    return ops.stack(out)


def at_both_ends(x: Any) -> Any:
    out = [x[0]]
    for t in range(1, T):
        out.append(x[t] + out[-1])
        out.insert(0, x[t] * 2)
    return ops.stack(out)


def in_front_at_an_index(x: Any) -> Any:
    out = [x[0], x[1], x[2]]
    for t in range(T):
        out.insert(0, out[t] * 0.5)
    return ops.stack(out)


def twice_as_fast(x: Any) -> Any:
    out = [x[0]]
    for t in range(1, T):
        out.append(step(out[t - 1], x[t]))
        out.append(out[-1] * 2)
    return ops.stack(out)


def lists_in_tuples(x: Any) -> Any:
    out: list[Any] = [(x[0], [x[1]])]
    for t in range(1, T):
        out.append((out[-1][0] * 0.5, [x[t]]))
    return ops.stack([h for h, _ in out])


FALLBACKS = [changes_what_it_reads, at_both_ends, in_front_at_an_index, twice_as_fast, lists_in_tuples]


@pytest.mark.parametrize("function", FALLBACKS)
def test_single_iterations(function: Callable[..., Any]) -> None:
    check(function, xs, loops=0)


def test_an_index_beyond_the_list_is_an_error() -> None:
    @ms.jit
    def f(x: Any) -> Any:
        out = [x[0]]
        for t in range(1, T):
            out.append(out[t] + x[t])
        return ops.stack(out)

    with pytest.raises(IndexError):
        f(xs)


def test_two_loops_on_one_list() -> None:
    def twice(x: Any) -> Any:
        out = [x[0]]
        for t in range(1, T):
            out.append(step(out[-1], x[t]))
        for t in range(T):
            out.append(out[-1] * 0.5 - x[t])
        return ops.stack(out)

    check(twice, xs)  # another loop holds the list then


def test_dtypes_that_change_are_kept() -> None:
    def f(x: Any) -> Any:
        out = [x[0].astype(ms.float16)]
        for t in range(1, T):
            out.append(out[-1].astype(ms.float32) * 0.5 + x[t])
        return out[0], out[1], out[-1]

    assert [each.dtype for each in ms.jit(f)(xs)] == [ms.float16, ms.float32, ms.float32]
    assert scans(ms.jit(lambda x: last(x)), Tensor(xs.asnumpy())) == 1
