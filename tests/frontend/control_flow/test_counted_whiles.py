"""While loops that count with Python's integers become one node; what does not only count stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from both_modes import assert_same, plain
from searches import chequered

import mycel as ms
from mycel import Tensor, nn, ops

X = Tensor(np.linspace(-1, 1, 8, dtype=np.float32))
ROWS = Tensor(np.linspace(-1, 1, 240, dtype=np.float32).reshape(60, 4))


def upwards(x: Any, n: int) -> Any:
    i, y = 0, x
    while i < n:
        y = y * 0.9 + x
        i += 1
    return y, i


def downwards(x: Any, n: int) -> Any:
    y = x
    while n > 0:
        y = y * 0.9 + x * n
        n = n - 1
    return y, n


def by_truth(x: Any, n: int) -> Any:
    y = x
    while n:
        n -= 1
        y = ops.tanh(y + n)
    return y, n


def by_three(x: Any, n: int) -> Any:
    i, y = 1, x
    while i != 3 * n + 1:
        y = y * 0.5 + i
        i = i + 3
    return y, i


def two_counters(x: Any, n: int) -> Any:
    low, high, y = 0, 2 * n, x
    while low < high:
        y = y * 0.9 + x * low - high
        low += 1
        high -= 1
    return y, low, high


def quadratic(x: Any, n: int) -> Any:
    i, y = 0, x
    while i * i <= n * n:
        y = y * 0.9 + x / (i + 1)
        i += 1
    return y, i


def two_tests(x: Any, n: int) -> Any:
    i, y = 0, x
    while i < n and i < 1000:
        y = y * 0.9 + x
        i += 1
    return y, i


def chained(x: Any, n: int) -> Any:
    i, y = 1, x
    while 0 < i <= n:
        y = y - (y - x) / i
        i += 1
    return y, i


def with_else(x: Any, n: int) -> Any:
    i, y = 0, x
    while i < n:
        y = y * 0.9 + x
        i += 1
    else:
        y = y * 2 + i
    return y


def with_continue(x: Any, n: int) -> Any:
    i, y = 0, x
    while i < n:
        i += 1
        if y.sum() > 3:
            continue
        y = y * 1.1 + i
    return y, i


def parity(x: Any, n: int) -> Any:
    i, y = 0, x
    while i < n:
        y = y * 0.9 + x if i % 2 == 0 else y - x
        i += 1
    return y


def reads_rows(xs: Any, n: int) -> Any:
    t, h = 0, xs[0] * 0
    while t < n:
        h = ops.tanh(h * 0.5 + xs[t])
        t += 1
    return h


def reads_next_rows(xs: Any, n: int) -> Any:
    t, h = n, xs[0] * 0
    while t >= 1:
        h = ops.tanh(h * 0.5 + xs[t - 1] - xs[t])
        t -= 1
    return h, t


def appends(x: Any, n: int) -> Any:
    i, kept = 0, [x]
    while i < n:
        x = x * 0.9
        kept.append(x)
        i += 1
    return ops.stack(kept).sum(0), i


def nested(x: Any, n: int) -> Any:
    i, y = 0, x
    while i < n:
        j = 0
        while j < n:
            y = y * 0.99 + x * 0.01
            j += 1
        i += 1
    return y, i


ROLLED: list[Callable[..., Any]] = [
    upwards, downwards, by_truth, by_three, two_counters, quadratic, two_tests, chained, with_else, with_continue,
    parity, reads_rows, reads_next_rows, appends, nested,
]  # fmt: skip


# What does more than count


def changing_step(x: Any, n: int) -> Any:
    i, y = 1, x
    while i < n:
        y = y + x * i
        i *= 2
    return y, i


def step_by_counter(x: Any, n: int) -> Any:
    i, y = 0, x
    while i < n:
        y = y + x * i
        i += 1 + (i % 7 == 6)
    return y, i


def moving_end(x: Any, n: int) -> Any:
    i, y = 0, x
    while i < n:
        y = y + x
        i += 1
        if i % 5 == 0:
            n -= 1
    return y, i, n


def grows_what_is_tested(x: Any, n: int) -> Any:
    i, items = 0, [x]
    while i < len(items) and len(items) < n:
        items.append(items[i] * 0.9)
        i += 1
    return ops.stack(items).sum(0), i


def takes_from_a_list(x: Any, n: int) -> Any:
    left, i, y = list(range(n)), 0, x
    while left:
        y = y * 0.9 + left.pop()
        i += 1
    return y, i


def asks_with_an_effect(x: Any, n: int) -> Any:
    seen: list[int] = []

    def more(i: int) -> bool:
        seen.append(i)
        return i < n

    i, y = 0, x
    while more(i):
        y = y * 0.9 + x
        i += 1
    return y, len(seen), seen[-1]


def asks_on_an_iterator(x: Any, n: int) -> Any:
    numbers, i, y = iter(range(n)), 0, x
    while next(numbers, -1) >= 0:
        y = y * 0.9 + x
        i += 1
    return y, i


def asks_on_an_attribute(x: Any, n: int) -> Any:
    class State:
        end = n

    i, y, state = 0, x, State()
    while i < state.end:
        y = y * 0.9 + x
        state.end -= 1
        i += 1
    return y, i, state.end


def leaves(x: Any, n: int) -> Any:
    i, y = 0, x
    while i < n:
        y = y * 1.1 + x
        if i == 30:
            break
        i += 1
    return y, i


def leaves_at_run_time(x: Any, n: int) -> Any:
    i, y = 0, x
    while i < n:
        y = y * 1.1 + 1
        if y.sum() > 200:
            break
        i += 1
    return y, y.sum() > 200


def returns_at_run_time(x: Any, n: int) -> Any:
    i = 0
    while i < n:
        x = x * 1.1 + 1
        if x.sum() > 300:
            return x * 2
        i += 1
    return x


def hands_on_a_number(x: Any, n: int) -> Any:
    i, total, y = 0, 0, x
    while i < n:
        y = y * 0.9 + total
        total += i
        i += 1
    return y, total


def hands_on_a_float(x: Any, n: int) -> Any:
    i, t, y = 0, 0.0, x
    while i < n:
        y = y * 0.9 + t
        t += 0.1
        i += 1
    return y, t


def sets_a_name_of_the_loop(x: Any, n: int) -> Any:
    i, y, last = 0, x, -1
    while i < n:
        last = i
        y = y * 0.9 + last
        i += 1
    return y, last, i


def global_counter(x: Any, n: int) -> Any:
    global COUNTER
    COUNTER = 0
    y = x
    while n > COUNTER:
        y = y * 0.9 + x
        COUNTER += 1
    return y, COUNTER


def closure_counter(x: Any, n: int) -> Any:
    i, y = 0, x

    def step() -> None:
        nonlocal i
        i += 1

    while i < n:
        y = y * 0.9 + x
        step()
    return y, i


COUNTER = 0
OTHERS: list[Callable[..., Any]] = [
    changing_step, step_by_counter, moving_end, grows_what_is_tested, takes_from_a_list, asks_with_an_effect,
    asks_on_an_iterator, asks_on_an_attribute, leaves, leaves_at_run_time, returns_at_run_time, hands_on_a_number,
    hands_on_a_float, sets_a_name_of_the_loop, global_counter, closure_counter,
]  # fmt: skip


def argument(function: Callable[..., Any]) -> Tensor:
    return ROWS if "rows" in function.__name__ else X


def same_as_eagerly(function: Callable[..., Any], n: int) -> Any:
    """Run a function compiled and eagerly, twice, and compare. Gives the compiled function."""
    x = argument(function)
    compiled = ms.jit(lambda x: function(x, n))
    for _ in range(2):
        with ms.disable_jit():
            expected = plain(function(x, n))
        assert_same(plain(compiled(x)), expected)
    return compiled


@pytest.mark.parametrize(("n", "function"), chequered([0, 1, 2, 3, 15, 18, 50], [*ROLLED, *OTHERS]))
def test_results(function: Callable[..., Any], n: int) -> None:
    same_as_eagerly(function, n)


@pytest.mark.parametrize("function", [each for each in ROLLED if each is not appends])
def test_one_node_for_any_number_of_iterations(function: Callable[..., Any]) -> None:
    counts = [same_as_eagerly(function, n).explain().traces[0].nodes for n in (40, 50)]
    assert counts[0] == counts[1] < 60


@pytest.mark.parametrize("function", ROLLED)
def test_gradients(function: Callable[..., Any]) -> None:
    def value(x: Any) -> Any:
        result = function(x, 40)
        return (result[0] if isinstance(result, tuple) else result).sum()

    x = argument(function)
    with ms.disable_jit():
        expected = ms.grad(value)(x)
    np.testing.assert_allclose(ms.grad(value)(x).asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)


def test_many_iterations() -> None:
    (y, i) = ms.jit(lambda x: upwards(x, 300_000))(X)
    assert i == 300_000
    np.testing.assert_allclose(y.asnumpy(), X.asnumpy() * 10, rtol=1e-5)


def test_in_a_cell() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Dense(8, 8)
            self.depth = 30

        def construct(self, x: Tensor) -> Tensor:
            i = 0
            while i < self.depth:
                x = ops.tanh(self.layer(x))
                i = i + 1
            return x

    net = Net()
    expected = X.reshape(1, 8)
    for _ in range(30):
        expected = ops.tanh(net.layer(expected))
    np.testing.assert_allclose(net(X.reshape(1, 8)).asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)


def test_errors_name_the_line() -> None:
    @ms.jit
    def program(x: Any) -> Any:
        i = 0
        while i < 100:
            x = x + Tensor(np.ones(3, np.float32))  # of another shape
            i += 1
        return x

    with pytest.raises(ValueError, match="3") as caught:
        program(X)
    assert "x = x + Tensor(np.ones(3, np.float32))" in str(caught.value)
