"""Lists that grow in rerolled loops: values, types, gradients, aliases and errors are those of single iterations."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, mint, nn, ops
from mycel.frontend.control_flow import rerolling

T = 7
xs = Tensor(np.random.RandomState(0).randn(T, 3).astype(np.float32))


@pytest.fixture(autouse=True)
def roll_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reroll loops of few iterations, too, but not those of two or three."""
    monkeypatch.setattr(rerolling, "MIN_ITERATIONS", 5)


def plain(value: Any) -> Any:
    """A result as numbers and Python types."""
    if isinstance(value, Tensor):
        return ("tensor", str(value.dtype), value.shape, np.asarray(value.asnumpy(), np.float64).tolist())
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, *map(plain, value)]
    return (type(value).__name__, value)


def assert_same(a: Any, b: Any) -> None:
    """Results that differ by rounding at most."""
    if isinstance(a, (list, tuple)):
        assert type(a) is type(b)
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            assert_same(x, y)
    elif isinstance(a, float):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-6)
    else:
        assert a == b


def scans(function: Any, *arguments: Any) -> int:
    """How many loops the graph of a compiled function has."""
    return str(function.stages(*arguments).forward).count(" = scan(")


def check(function: Callable[..., Any], *arguments: Any, loops: int = 1) -> Any:
    """Compare a function compiled and eager, twice; gives the compiled one."""
    compiled = ms.jit(function)
    for _ in range(2):
        with ms.disable_jit():
            expected = plain(function(*arguments))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert_same(plain(compiled(*arguments)), expected)
    assert not compiled.explain().traces[0].eager
    assert scans(compiled, *arguments) == loops
    return compiled


def step(h: Any, x: Any) -> Any:
    return ops.tanh(h * 0.5 + x)


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


REROLLED = [
    stacked, backwards, in_front, neighbours, over_rows, joined, two_lists, several_backwards, tuples, kept_items,
    before_and_after, only_maps, in_a_while, through_a_function, in_a_loop_inside, local_lists, rows_of_rows,
    second_name,
]  # fmt: skip


@pytest.mark.parametrize("function", REROLLED)
def test_rerolled(function: Callable[..., Any]) -> None:
    check(function, xs)


def test_several_loops() -> None:
    check(several_items, xs, loops=2)


def first_tensor(value: Any) -> Any:
    return value if isinstance(value, Tensor) else first_tensor(value[0])


@pytest.mark.parametrize("function", [item for item in REROLLED if item not in (kept_items, second_name)])
def test_gradients(function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    weights = Tensor(np.random.RandomState(1).randn(*first_tensor(function(xs)).shape).astype(np.float32))

    def loss(x: Any) -> Any:
        return (first_tensor(function(x)) ** 2 * weights).sum()

    def second(x: Any) -> Any:
        return (ms.grad(loss)(x) * x).sum()

    results = [ms.jit(ms.grad(order))(xs) for order in (loss, second)]
    monkeypatch.setattr(rerolling, "MIN_ITERATIONS", 10**9)
    for order, result in zip((loss, second), results, strict=True):
        expected = ms.jit(ms.grad(order))(xs).asnumpy()
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
