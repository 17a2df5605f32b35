"""Rows and blocks that loops read or write along any axis: values and gradients agree with eager mode, and no iteration
reads or carries the whole tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from both_modes import agrees_with_its_gradient

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.ir.loops import Loop

ROWS = 40


def middle(x: Any) -> Any:
    h = ops.zeros_like(x[:, 0])
    for t in range(ROWS):
        h = ops.tanh(0.5 * h + x[:, t])
    return h


def through_views(x: Any) -> Any:
    h = x[:, 0, 0]
    x = x.transpose(2, 0, 1)
    for t in range(ROWS):
        h = ops.tanh(0.5 * h + x[2, :, t] * x[1:3, :, t].sum(0))
    return h


def last(x: Any) -> Any:
    x = x.transpose(0, 2, 1)
    h = x[..., 0]
    for t in range(ROWS - 1, -1, -1):
        h = ops.tanh(0.5 * h + x[..., t])
    return h


def slices(x: Any) -> Any:
    h = x[:, :1]
    out = []
    for t in range(1, ROWS):
        h = ops.tanh(0.5 * h + x[:, t : t + 1] * x[..., t - 1 : t, :])
        out.append(h)
    return ops.cat(out, 1)


def blocks(x: Any) -> Any:
    h = x[:, :4]
    for t in range(ROWS // 4 - 1):
        for k in range(2):
            h = ops.tanh(0.5 * h + x[:, 4 * t + 3 : 4 * t + 7] * (k + 1))
    for t in range(0, ROWS, 2):
        h = ops.tanh(0.5 * h + x[:, t : t + 2].mean(1, keep_dims=True))
    return h


def windows(x: Any) -> Any:
    h = x[0]
    for t in range(ROWS - 2):
        h = ops.tanh(0.5 * h[1] + x[:, t : t + 3].mean(1))
    return h


def long_windows(x: Any) -> Any:
    h, g = x[:, 0], x[0, 0]
    for t in range(20):
        h = ops.tanh(0.5 * h + x[:, t + 1 : t + 12].mean(1))
        g = g * 0.5 + (x[1, ROWS - 9 - t : ROWS - t] * x[0, t : t + 9]).sum(0)
    return h + g


def few_windows(x: Any) -> Any:
    h = 0.0 * x[:, :21]
    for t in range(18):
        h = ops.tanh(0.5 * h + x[:, t + 1 : t + 22])
    for t in range(10):
        h = h + x[:, 10 - t + 2 : 10 - t + 23] * x[0, t : t + 1, :1] + x[1, t + 20 : t + 30].sum()
    return h


def nested(x: Any) -> Any:
    h = x[:, :1]
    for i in range(18):
        for t in range(20):
            h = ops.tanh(h * 0.5 + x[:, t : t + 1] * x[:, i : i + 1])
    return h


def numbered(x: Any) -> Any:
    h = ops.zeros_like(x[:, 0])
    for i, row in enumerate(x.swapaxes(0, 1), 2):
        h = ops.tanh(h * 0.5 + row / i)
    for i, t in enumerate(range(ROWS - 1, -1, -1)):
        h = ops.tanh(h * 0.5 + x[:, t] * (i + 1.0))
    return h


def side_by_side(x: Any) -> Any:
    y = x.swapaxes(0, 1)
    h = ops.zeros_like(y[0])
    for (a, b), t in zip(zip(y[1:], y[:-1], strict=True), reversed(range(ROWS - 1)), strict=True):
        h = ops.tanh(h * 0.5 + a * b + t)
    items = enumerate(y)
    for _, row in items:
        h = h + row
    return h + len(list(items))


def written(x: Any) -> Any:
    out = x.copy()
    for t in range(2, ROWS):
        out[:, t] = 0.5 * out[:, t - 1] - 0.3 * out[:, t - 2] * x[:, t] + 0.1 * out[:, t]
    return out


def written_backwards(x: Any) -> Any:
    out = x.transpose(0, 2, 1).copy()
    for t in range(ROWS - 2, -1, -1):
        out[..., t] = 0.5 * out[..., t + 1] + x[:, t, :1]
    return out


def written_slices(x: Any) -> Any:
    out = ops.zeros_like(x)
    h = x[:, :1]
    for t in range(ROWS):
        h = ops.tanh(0.5 * h + x[:, t : t + 1])
        out[:, t : t + 1] = h
    return out


def written_blocks(x: Any) -> Any:
    out = ops.zeros((3, 2 * ROWS + 1, 5))
    for t in range(ROWS):
        out[:, 2 * t + 1 : 2 * t + 3] = ops.tanh(x[:, t : t + 1])
    return out


READ = [middle, through_views, last, slices, blocks, windows, long_windows, few_windows, numbered, side_by_side]
WRITTEN = [written, written_backwards, written_slices, written_blocks]


def leftovers(x: Any) -> Any:
    y = x.swapaxes(0, 1)
    h, items = ops.zeros_like(y[0]), iter(y)
    for a, t in zip(items, range(ROWS // 2)):  # noqa: B905
        h = ops.tanh(h * 0.5 + a * t)
    for i, row in enumerate(y):
        h = h + row * i
    return h + next(items) + row * i


def pairs(x: Any) -> Any:
    y = x.swapaxes(0, 1)
    items, numbers = iter(y), iter(range(ROWS))
    h = ops.zeros_like(y[0])
    for a, b in zip(items, items):  # noqa: B905
        h = h * 0.5 + a * b
    for _, t in enumerate(numbers):
        h = h * 0.5 + y[t] * next(numbers)
    return h


def shared_iterators(x: Any) -> Any:
    y = x.swapaxes(0, 1)
    numbers, items = iter(range(ROWS)), enumerate(y)
    h = ops.zeros_like(y[0])
    for row in y:
        for _, t in zip(range(1), numbers):  # noqa: B905
            h = h * 0.5 + row * t
    for i, row in items:
        if i == 3:
            h = h + len(list(items))
        h = h * 0.5 + row
    return h + len(list(numbers))


def over_the_end(x: Any) -> Any:
    h = x[:, 0]
    for t in range(ROWS):
        h = ops.tanh(0.5 * h + x[:, t : t + 2].sum(1))
    return h


def of_a_state(x: Any) -> Any:
    y = x.copy()
    for t in range(ROWS):
        y[:, t : t + 1] += 0.1 * x[:, t : t + 1]
        y = y * 0.99
    return y


def added(x: Any) -> Any:
    out = ops.zeros((3, ROWS + 3, 5))
    for t in range(ROWS):
        out[:, t : t + 4] += x[:, t : t + 1] * 0.5
        out[:, t : t + 2, 1:3] = 0.25
    return out


def every_third(x: Any) -> Any:
    out = ops.zeros((3, 3 * ROWS, 5))
    for t in range(ROWS):
        out[:, 3 * t : 3 * t + 2] = x[:, t : t + 1]
    return out


def counters(x: Any) -> Any:
    total = ops.zeros_like(x)
    for t in range(ROWS):
        chosen = ops.gather(x, Tensor(t % 7), 1) * ops.gather(x, Tensor(t), 1)
        total[:, t % 5] += chosen
    return total


OTHERS = [
    nested,
    pairs,
    shared_iterators,
    over_the_end,
    leftovers,
    of_a_state,
    added,
    every_third,
    counters,
]


def filtered(x: Any) -> Any:
    """Blocks longer than what kernels read in parts, which move by one element, or by several."""
    x = x.transpose(0, 2, 1)
    y = ops.zeros_like(x[..., 9:])
    for t in range(9, -1, -1):
        y = y + (0.5 + x[:, :1, :1]) * x[..., t : t + 31]
    for t in range(20):
        y = y + x[:, 2:3, t : t + 20].sum()
    for t in range(9):
        y = y * x[..., 3 * t : 3 * t + 12].mean()
    return y


OTHERS.append(filtered)


def numbers() -> Tensor:
    return Tensor(np.random.default_rng(0).standard_normal((3, ROWS, 5)).astype(np.float32))


@pytest.mark.parametrize("function", OTHERS)
def test_agrees_with_eager_mode(function: Callable[..., Any]) -> None:
    agrees_with_its_gradient(function, numbers())


@pytest.mark.parametrize("function", [*READ, *WRITTEN])
def test_agrees_with_eager_mode_and_no_iteration_has_the_whole(function: Callable[..., Any]) -> None:
    _, gradient = agrees_with_its_gradient(function, numbers())
    graph = gradient.stages(numbers()).forward
    loops = [Loop.of(node) for node in graph.nodes if node.op.name == "scan"]
    assert loops
    for loop in loops:
        assert all(ROWS not in value.type.shape for value in loop.body.parameters)
        assert all(ROWS not in value.type.shape for value in loop.body.outputs)


def test_long_blocks_are_read_where_they_lie() -> None:
    def program(x: Any, w: Any) -> Any:
        y = x[:, :80] * 0.0
        for t in range(21):
            y = y + w[t] * x[:, 20 - t : 100 - t]
        return y

    x = Tensor(np.random.default_rng(0).standard_normal((20, 100)).astype(np.float32))
    graph = ms.jit(program).stages(x, x[0]).optimized
    assert [node.op.name for node in graph.nodes if node.output.type.size > x.size] == ["blocks", "reverse"]
    agrees_with_its_gradient(lambda x: program(x, x[0]), x)


@pytest.mark.parametrize("rows", [4, 40])
def test_blocks_that_fill_a_cache_are_read_in_each_iteration(rows: int) -> None:
    def program(x: Any) -> Any:
        y = x[:, :1000]
        for t in range(20):
            y = y * 0.5 + x[:, t : t + 1000]
        return y

    x = Tensor(np.random.default_rng(0).standard_normal((rows, 1020)))
    text = str(ms.jit(program).stages(x).forward)
    assert ("blocks" in text, "dynamic_slice(" in text) == (rows == 4, rows == 40)


def test_several_results_of_a_tensor_from_outside() -> None:
    @ms.jit
    def program(x: Tensor, w: Tensor) -> Tensor:
        for _ in range(ROWS):
            values, places = ops.topk(w, 2)
            x = x * 0.5 + values + places
        return x

    got = program(Tensor([0.0, 0.0]), Tensor([3.0, 1.0, 5.0]))
    np.testing.assert_allclose(got.asnumpy(), [14.0, 6.0], rtol=1e-6)


def test_the_counter_as_a_position_of_a_gradient() -> None:
    # The sum at positions moves behind the loop, where there is no counter.
    def choose(x: Any) -> Any:
        h = ops.zeros((3,))
        for t in range(ROWS):
            h = ops.tanh(h * 0.5 + (x * 2.0)[:, t] * x.sum())
        return h.sum()

    x = Tensor(np.random.default_rng(1).standard_normal((3, ROWS)).astype(np.float32) * 0.1)
    found = ms.grad(choose)(x)
    with ms.disable_jit():
        np.testing.assert_allclose(found.asnumpy(), ms.grad(choose)(x).asnumpy(), rtol=1e-4, atol=1e-6)


def powers(x: Any) -> Any:
    y = x[0] * 0
    for i in range(ROWS):
        y = y + x[0] * (i**20 % 13)
    return y


def large_factors(x: Any) -> Any:
    y = x[0] * 0
    for i, row in enumerate([x[0]] * ROWS):
        y = y + row * ((i * 10**18) % 13)
    return y


def shifts(x: Any) -> Any:
    y = x[0] * 0
    for i in range(ROWS):
        y = y + x[0] * ((1 << 3 * i) % 7 + (i & 3) + (i >> 1) + (5 << i) // (1 << i))
    return y


@pytest.mark.parametrize("function", [powers, large_factors, shifts])
def test_integers_do_not_wrap(function: Callable[..., Any]) -> None:
    x = Tensor(np.arange(1, 7, dtype=np.float32).reshape(2, 3))
    with ms.disable_jit():
        expected = function(x)
    np.testing.assert_array_equal(ms.jit(function)(x).asnumpy(), expected.asnumpy())


def test_integers_of_64_bits_stay_in_one_loop() -> None:
    def squares(x: Any) -> Any:
        y = x * 0
        for i in range(ROWS):
            y = y + x * (i * i - (i ^ 5) + (i << 40) % 7 + int(i * 0.5))
        return y

    x = ops.ones((3,))
    assert "scan" in {node.op.name for node in ms.jit(squares).stages(x).forward.nodes}
    with ms.disable_jit():
        expected = squares(x)
    np.testing.assert_array_equal(ms.jit(squares)(x).asnumpy(), expected.asnumpy())
