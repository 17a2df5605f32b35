"""Lists that grow in rerolled loops: values, types, gradients, aliases and errors are those of single iterations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from both_modes import assert_same, plain
from growing_lists import T, check, step, xs

import mycel as ms
from mycel import Tensor, mint, nn, ops
from mycel.frontend.control_flow import iteration_trace


@pytest.fixture(autouse=True)
def roll_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reroll loops of few iterations, too, but not those of two or three."""
    monkeypatch.setattr(iteration_trace, "MIN_ITERATIONS", 5)


def stacked(x: Any) -> Any:
    h, out = x[0] * 0, []
    for t in range(T):
        h = step(h, x[t])
        out.append(h)
    return ops.stack(out)


def backwards(x: Any) -> Any:
    h, out = x[0] * 0, []
    for t in range(T - 1, -1, -1):
        h = step(h, x[t])
        out.append(h)
    return ops.stack(out[::-1])


def in_front(x: Any) -> Any:
    h, out = x[0] * 0, []
    for t in range(T - 1, -1, -1):
        h = step(h, x[t])
        out.insert(0, h)
    return ops.stack(out)


def neighbours(x: Any) -> Any:
    h, out = x[0] * 0, []
    for t in range(T - 2, -1, -1):
        h = step(h, x[t + 1] - x[t] + x[T - 1 - t])
        out.append(h)
    return ops.stack(out[::-1], axis=1)


def over_rows(x: Any) -> Any:
    h, out = x[0] * 0, []
    for row in x:
        h = step(h, row)
        out.append(h)
    return ops.stack(out, axis=1), ops.cat(out), row


def joined(x: Any) -> Any:
    h, out = x[:2] * 0, []
    for t in range(T):
        h = step(h, x[t])
        out.append(h)
    return (
        ops.cat(out),
        ops.cat(out, 1),
        mint.stack(out, 1),
        mint.cat(out[2:5]),
        ops.stack(out[::3]),
        ops.stack(out, 2),
    )


def two_lists(x: Any) -> Any:
    h, out, losses = x[0] * 0, [], []
    for t in range(T):
        h = step(h, x[t])
        out += [h]
        losses.append((h - x[t]).sum())
    return ops.stack(out), ops.stack(losses), ops.stack(losses).dtype


def several_items(x: Any) -> Any:
    h, out, back = x[0] * 0, [], []
    for t in range(T):
        h = step(h, x[t])
        out.append(h * 2)
        out.extend((h + 1, h - 1))
    for t in range(T - 1, -1, -1):
        h = step(h, x[t])
        back.append(h * 2)
        back.append(h.sum())
    return ops.stack(out), ops.stack(out[::-1]), back


def several_backwards(x: Any) -> Any:
    h, out = x[0] * 0, []
    for t in range(T - 1, -1, -1):
        h = step(h, x[t])
        out.append(h * 2)
        out.append(h * 3)
    return ops.stack(out), ops.stack(out[::-1])


def tuples(x: Any) -> Any:
    h, out = x[0] * 0, []
    for t in range(T):
        h = step(h, x[t])
        out.append((h, (h.sum(), h * 2)))
    return out, out[-1][1][0], len(out)


def with_nothing(x: Any) -> Any:
    h, out, pairs = x[0] * 0, [], []
    for t in range(T):
        h = step(h, x[t])
        out.append(None)
        pairs.append((h, None))
    return h, out, pairs, out[0] is None and len(out)


def kept_items(x: Any) -> Any:
    h, out = x[0] * 0, ["first", x[0]]
    for t in range(T):
        h = step(h, x[t])
        out.append(h)
    return out[0], ops.stack(out[1:]), out[-1], out[1:3]


def before_and_after(x: Any) -> Any:
    h, old, new = x[0] * 1, [], []
    for t in range(T):
        old.append(h)
        h = step(h, x[t])
        new.append(h)
    return ops.stack(old), ops.stack(new), h, old[3] is new[2], old[0] is h, new[-1] is h, old[3] is new[3]


def only_maps(x: Any) -> Any:
    out = []
    for t in range(T):
        out.append(x[t] * 2 + t)
    return ops.stack(out)


def in_a_while(x: Any) -> Any:
    i, h, out = Tensor(0), x[0] * 0, []
    while i < T:
        h = h * 0.5 + 1
        out.append(h)
        i = i + 1
    return ops.stack(out), i


def through_a_function(x: Any) -> Any:
    def add(into: Any, item: Any) -> None:
        into.append(item * 2)

    h, out = x[0] * 0, []
    for t in range(T):
        h = step(h, x[t])
        add(out, h)
    return ops.stack(out)


def in_a_loop_inside(x: Any) -> Any:
    h, out = x[0] * 0, []
    for t in range(T):
        for k in range(3):
            h = step(h, x[t] + k)
            out.append(h)
    return ops.stack(out)


def local_lists(x: Any) -> Any:
    row = x[0]
    for i in range(1, T):
        left = row[0] + x[i, 0]
        out = [left]
        for j in range(1, 3):
            left = x[i, j] + ops.minimum(ops.minimum(row[j], row[j - 1]), left)
            out.append(left)
        row = ops.stack(out)
    return row, left, out, j


def rows_of_rows(x: Any) -> Any:
    h, out = x[0] * 0, []
    for t in range(T):
        h = step(h, x[t, ::2].sum() + x[t, -1])
        out.append(h[1])
    return ops.stack(out)


def second_name(x: Any) -> Any:
    h, out, other = x[0] * 1, [], None
    for t in range(T):
        h = step(h, x[t])
        out.append(h)
        other = out
    other.append(h)
    return len(out), ops.stack(out)


def after_the_first(x: Any) -> Any:
    h, out = ops.zeros(x.shape[1:], ms.int32), []
    for t in range(T):
        h = step(h, x[t])  # float32 from the first iteration on: the attempt before it fails
        out.append(h)
    return ops.stack(out)


REROLLED = [
    stacked, backwards, in_front, neighbours, over_rows, joined, two_lists, several_backwards, tuples, kept_items,
    with_nothing, before_and_after, only_maps, in_a_while, through_a_function, in_a_loop_inside, local_lists,
    rows_of_rows, second_name, after_the_first,
]  # fmt: skip


@pytest.mark.parametrize("function", REROLLED)
def test_rerolled(function: Callable[..., Any]) -> None:
    check(function, xs)


def test_several_loops() -> None:
    check(several_items, xs, loops=2)


def first_tensor(value: Any) -> Any:
    return value if isinstance(value, Tensor) else first_tensor(value[0])


@pytest.mark.parametrize("function", [item for item in REROLLED if item not in (kept_items, second_name)])
def test_gradients(function: Callable[..., Any]) -> None:
    weights = Tensor(np.random.RandomState(1).randn(*first_tensor(function(xs)).shape).astype(np.float32))

    def loss(x: Any) -> Any:
        return (first_tensor(function(x)) ** 2 * weights).sum()

    def second(x: Any) -> Any:
        return (ms.grad(loss)(x) * x).sum()

    for order in (loss, second):
        result = ms.jit(ms.grad(order))(xs)
        with ms.disable_jit():
            expected = ms.grad(order)(xs).asnumpy()
        np.testing.assert_allclose(result.asnumpy(), expected, rtol=2e-4, atol=2e-5)


def test_gradients_of_single_rows_are_joined() -> None:
    def loss(x: Any) -> Any:
        h, out, total = x[0] * 0, [], 0.0
        for t in range(T):
            h = step(h, x[t])
            out.append(h)
        for t in range(T):
            total = total + (out[t] ** 2).sum() * 0.5
        return total + out[-1].sum() + h.sum()

    gradient = ms.jit(ms.grad(loss))
    with ms.disable_jit():
        expected = ms.grad(loss)(xs)
    np.testing.assert_allclose(gradient(xs).asnumpy(), expected.asnumpy(), rtol=1e-4, atol=1e-5)
    assert str(gradient.stages(xs).optimized).count("pad(") < 5


def test_a_stack_of_all_rows_copies_nothing() -> None:
    wide = Tensor(np.ones((T, 64), np.float32))
    for function in (stacked, backwards, in_front, only_maps):
        text = str(ms.jit(function).stages(wide).optimized)
        assert "concatenate(" not in text
        assert "slice(%scan" not in text
    text = str(ms.value_and_grad(lambda x: (stacked(x) ** 2).sum()).stages(wide).optimized)
    assert "concatenate(" not in text
    assert text.count("pad(") <= 1  # of x[0]


class Collector(nn.Cell):
    """Appends to a list that is an attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []

    def construct(self, x: Any) -> Any:
        self.seen = []
        h = x[0] * 1
        for t in range(T):
            h = step(h, x[t])
            self.seen.append(h)
        return ops.stack(self.seen)


def test_attributes_and_arguments() -> None:
    net = Collector()
    check(lambda x: net(x), xs, loops=0)

    def into(x: Any, out: Any) -> Any:
        h = x[0] * 1
        for t in range(T):
            h = step(h, x[t])
            out.append(h)
        return ops.stack(out[1:])

    given = list(xs[:2])
    compiled = ms.jit(into)
    with pytest.warns(UserWarning, match="a graph changes a copy of a list from outside"):
        got = compiled(xs, list(given))
    with ms.disable_jit():
        assert_same(plain(got), plain(into(xs, list(given))))


def test_an_error_is_that_of_the_iteration() -> None:
    def wrong(x: Any) -> Any:
        h, out = x[0], []
        for t in range(T):
            h = step(h, x[t + 1])
            out.append(h)
        return ops.stack(out)

    with pytest.raises(IndexError):
        ms.jit(wrong)(xs)

    def append_wrongly(x: Any) -> Any:
        h, out = x[0], []
        for t in range(T):
            h = step(h, x[t])
            out.append(h, h)
        return out

    with pytest.raises(TypeError):
        ms.jit(append_wrongly)(xs)


def test_under_a_condition_and_in_branches() -> None:
    def function(x: Any) -> Any:
        out = [x[0]]
        if x.sum() > 100:
            out.append(x[1])
            h = x[0] * 1
            for t in range(T):
                h = step(h, x[t])
                out.append(h)
        else:
            h = x[0] * 2
            for t in range(T + 1):
                h = step(h, x[min(t, T - 1)])
                out.append(h)
        return ops.stack(out), h

    compiled = ms.jit(function)
    for x in (xs, xs + 50):
        with ms.disable_jit():
            expected = plain(function(x))
        assert_same(plain(compiled(x)), expected)


def test_an_update_of_what_an_iteration_computes_reaches_no_other_item():
    def function(x):
        state, kept, fresh = x[0] * 0, [], []
        for i in range(60):
            v = x[i] * 2
            if v.sum() > 0:
                state = state + v
            kept.append(state)
            fresh.append(state * v)
        fresh[4][0] = 9.0
        fresh[-1][1] = 8.0
        return ops.stack(kept), ops.stack(fresh), state

    x = Tensor(np.random.RandomState(0).randn(60, 3).astype(np.float32))
    for got, want in zip(ms.jit(function)(x), function(x), strict=True):
        np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-5)
