"""Rerolled loops: the node agrees with the single iterations. A loop that cannot be rerolled is not changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from both_modes import assert_same, plain
from rerolled_loops import ROUNDS, rows, x3

import mycel as ms
from mycel import Parameter, Tensor, nn, ops
from mycel.compiler import ops as prims
from mycel.compiler.ir.graph import Graph, make_node
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.values import Value, literal
from mycel.compiler.pipeline import compile_graph
from mycel.frontend.control_flow import iteration_trace
from mycel.runtime import dtypes


def nodes(function: Any) -> int:
    """The number of nodes of the only trace of a compiled function."""
    (trace,) = function.explain().traces
    assert not trace.eager
    return int(trace.nodes)


def check(function: Callable[..., Any], *arguments: Any) -> Any:
    """Run a function compiled and eagerly, twice, and compare; gives the compiled function."""
    compiled = ms.jit(function)
    for _ in range(2):
        with ms.disable_jit():
            expected = plain(function(*arguments))
        assert_same(plain(compiled(*arguments)), expected)
    return compiled


# What is rolled


def power(x: Any, n: int) -> Any:
    y = x
    for _ in range(n):
        y = y * 0.9 + x
    return y


def recurrent(xs: Any, w: Any, n: int) -> Any:
    h = xs[0] * 0
    for t in range(n):
        h = ops.tanh(xs[t] + ops.matmul(h, w))
    return (h * h).mean()


def indexed(x: Any, n: int) -> Any:
    y = x * 0
    for i in range(n):
        y = y * 0.5 + x * i
    return y, i


def first_bound(x: Any, n: int) -> Any:
    total = 0
    for i in range(n):
        step = ops.sin(x + i)
        total = total + step
    return total, step


def conditions(x: Any, n: int) -> Any:
    y = x
    for i in range(n):
        if i % 3 == 0:
            y = y + 1
        elif y.sum() > 2:
            y = y * 0.5
            continue
        y = y - x * 0.1
    else:
        y = y * 2
    return y


def carried_tree(x: Any, n: int) -> Any:
    state = (x, [x * 2, x * 3])
    for _ in range(n):
        a, (b, c) = state
        state = (b * 0.5, [c * 0.5, a + 0.25])
    return state


def descending(xs: Any, n: int) -> Any:
    y = xs[0]
    for t in range(n - 1, -1, -1):
        y = y * 0.5 + xs[t]
    return y


def strided(xs: Any, n: int) -> Any:
    y = xs[0]
    for t in range(1, n, 1):
        y = y * 0.5 + xs[t] * xs[t - 1] + xs[n - t - 1]
    return y


def nested(x: Any, n: int) -> Any:
    y = x
    for i in range(n):
        for j in range(n):
            y = y * 0.75 + x * (i + j)
    return y


def counted_while(x: Any, n: int) -> Any:
    i = Tensor(0)
    y = x
    while i < n:
        y = y * 0.9 + x
        i = i + 1
    return y, i


@pytest.mark.parametrize("function", [power, indexed, first_bound, conditions, carried_tree, nested, counted_while])
def test_values_and_sizes(function: Callable[..., Any]) -> None:
    few = check(lambda x: function(x, ROUNDS), x3)
    assert nodes(few) == nodes(check(lambda x: function(x, ROUNDS + 9), x3)) < ROUNDS


def each_row(xs: Any, n: int) -> Any:
    y = xs[0]
    for row in xs[:n]:
        y = y * 0.5 + row
    else:
        y = y * row
    return y


def first_row_bound(xs: Any, n: int) -> Any:
    total = 0
    for row in xs[:n]:
        total = total * 0.9 + row
    return total


@pytest.mark.parametrize("function", [descending, strided, each_row, first_row_bound])
def test_rows(function: Callable[..., Any]) -> None:
    few = check(lambda xs: function(xs, 50), rows)
    assert nodes(few) == nodes(check(lambda xs: function(xs, 59), rows)) < ROUNDS
    check(ms.grad(lambda xs: function(xs, 50).sum()), rows)


def test_known_counter_stays_known() -> None:
    def function(x: Any) -> Any:
        i = Tensor(0)
        while i < ROUNDS:
            x = x * 0.9
            i = i + 1
        return x, ops.zeros((int(i) // 10, 2)), i.asnumpy().item()

    assert nodes(check(function, x3)) < ROUNDS


def test_known_numbers_stay_known() -> None:
    """What depends on no argument, such as the covariances of a filter, is known behind the loop."""

    def function(x: Any) -> Any:
        p, above = Tensor(1.0), Tensor(0, ms.int32)
        for i in reversed(range(3, 2 * ROUNDS, 2)):
            p = p + 0.01 * i
            k = p / (p + 0.5)
            above = above + (k > 0.7)
            p = (1 - k) * p
            x = x + k * (rows[i % 60] - x)
        return x, p, ops.zeros(int(above)) if p < 10 else x

    assert nodes(check(function, x3)) < ROUNDS


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_of_the_counter_are_those_of_python(dtype: Any) -> None:
    """Python computes them in double precision, and rounds them where a tensor meets them."""

    def function(x: Any) -> Any:
        out = []
        for i in range(ROUNDS):
            time = 0.1 * i
            if time >= 0.3 and int(0.29 * i * 100) % 2 == 0:  # not so in single precision
                x = x - time
            x = ops.where(x > i / ROUNDS, x * 0.99**i, x + (1.0 + i) ** -1.5)
            out.append(time * x)
        return ops.stack(out), x

    x = Tensor(x3.asnumpy().astype(dtype))
    compiled = ms.jit(function)
    with ms.disable_jit():
        expected = function(x)
    for result, wanted in zip(compiled(x), expected, strict=True):
        np.testing.assert_array_equal(result.asnumpy(), wanted.asnumpy())
    assert nodes(compiled) < 4 * ROUNDS


def _in_a_branch(x: Any) -> Any:
    for i in range(ROUNDS):
        if x.sum() > 0:
            x = x - int(0.29 * i * 100) % 2
            if x[0] > x[1]:
                x = x * (0.1 * i)
        else:
            x = x + 0.1 * i
    return x


def _in_expressions(x: Any) -> Any:
    for i in range(ROUNDS):
        y = x * 2 if x.sum() > 0 else x * int(0.29 * i * 100)
        z = 0.1 * i if x.sum() > 0 and int(0.29 * i * 100) % 2 == 0 else 0.0
        x = x - y * 0.1 + z
    return x


def _in_a_while(x: Any) -> Any:
    for i in range(ROUNDS):
        n = 0.29 * i
        while x.sum() < 3.0:
            x = x + int(n * 100) % 2 + 0.7
        x = x - 1.1
    return x


def _in_a_while_with_a_test(x: Any) -> Any:
    for i in range(ROUNDS):
        while x.sum() < int(0.29 * i * 100) % 4:
            x = x + 0.3 * i
        x = x * 0.7
    return x


def _recomputed(x: Any) -> Any:
    for i in range(ROUNDS):
        x = ms.recompute(lambda x, i=i: x - int(0.29 * i * 100) % 2, x)
    return x


def _of_two_counters(x: Any) -> Any:
    for i in range(20):
        for j in range(ROUNDS):
            x = x - int(0.29 * (i + j) * 100) % 2 + 0.1 * i
    return x


def _of_a_choice_by_the_counter(x: Any) -> Any:
    for i in range(ROUNDS):
        y = 0.29 if i % 3 > 1 else 0.1 * i
        x = x - int(y * 100) % 2 + (0.9 if i > 4 and x.sum() > 0 else 1.1)
    return x


WHOLE = [_of_a_choice_by_the_counter, _in_a_branch, _in_expressions, _in_a_while, _in_a_while_with_a_test, _recomputed]


@pytest.mark.parametrize("function", [*WHOLE, _of_two_counters])
def test_floats_of_the_counter_inside(function: Any) -> None:
    """Branches and loops compute them as Python does; those of two counters iteration by iteration."""
    compiled = ms.jit(function)
    with ms.disable_jit():
        expected = function(x3)
    np.testing.assert_allclose(compiled(x3).asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-5)
    names = [node.op.name for node in compiled.stages(x3).forward.nodes]
    assert (set(names) == {"constant", "scan"} and names.count("scan") == 1) == (function in WHOLE)


def test_random_numbers_are_drawn_each_round() -> None:
    def function(x: Any) -> Any:
        for _ in range(ROUNDS):
            x = x + ops.rand(3)
        return x

    compiled = ms.jit(function)
    ms.set_seed(3)
    result = compiled(x3)
    ms.set_seed(3)
    with ms.disable_jit():
        expected = function(x3)
    np.testing.assert_allclose(result.asnumpy(), expected.asnumpy(), rtol=1e-5)
    assert nodes(compiled) < ROUNDS


def test_print_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    def function(x: Any) -> Any:
        for i in range(ROUNDS):
            x = x * 0.5
            print("round", i, x.shape)
        return x

    compiled = ms.jit(function)
    compiled(x3)
    printed = capsys.readouterr().out
    assert printed == "".join(f"round {i} (3,)\n" for i in range(ROUNDS))
    assert nodes(compiled) < ROUNDS


@pytest.mark.parametrize(
    ("count", "size", "shift", "rerolled"),
    [(15, 3, 1, False), (20, 3, 1, True), (20, 9000, 1, False), (20, 9000, 0, True), (60, 9000, 1, True)],
)
def test_short_loops_over_neighbours_in_large_states_are_traced_one_by_one(
    count: int, size: int, shift: int, rerolled: bool
) -> None:
    def step(x: Any) -> Any:
        y = ops.tanh(x * 1.1)
        return y + ops.roll(x, shift, 0) if shift else y

    def function(x: Any) -> Any:
        for _ in range(count):
            x = step(x)
        return x

    def counted(x: Any) -> Any:
        i = Tensor(0)
        while i < count:
            x, i = step(x), i + 1
        return x

    x = Tensor(np.linspace(-1, 1, size, dtype=np.float32))
    for each in (function, counted):
        compiled = ms.jit(each)
        np.testing.assert_allclose(compiled(x).asnumpy(), each(x).asnumpy(), rtol=1e-3, atol=1e-4)
        assert (nodes(compiled) < count) is rerolled


# Gradients


@pytest.fixture
def roll_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reroll loops of few iterations, too."""
    monkeypatch.setattr(iteration_trace, "MIN_ITERATIONS", 3)


@pytest.mark.usefixtures("roll_short")
@pytest.mark.parametrize("function", [power, indexed, first_bound, conditions, nested, counted_while])
def test_gradients(function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def scalar(x: Any) -> Any:
        found = function(x, 6)
        found = found[0] if isinstance(found, tuple) else found
        return (found * found * found).sum()

    def second(x: Any) -> Any:
        return (ms.grad(scalar)(x) * x).sum()

    first, both = ms.jit(ms.grad(scalar)), ms.jit(ms.grad(second))
    results = first(x3).asnumpy(), both(x3).asnumpy()
    monkeypatch.setattr(iteration_trace, "MIN_ITERATIONS", 10**9)
    unrolled = ms.jit(ms.grad(scalar)), ms.jit(ms.grad(second))
    for result, other in zip(results, unrolled, strict=True):
        np.testing.assert_allclose(result, other(x3).asnumpy(), rtol=1e-4, atol=1e-5)
    point = x3.asnumpy().astype(np.float64)
    for order, wanted in ((scalar, results[0]), (second, results[1])):
        compiled = ms.jit(order)
        for place in range(3):
            step = np.zeros(3)
            step[place] = 1e-4
            ends = [float(compiled(Tensor(point + sign * step)).asnumpy()) for sign in (1, -1)]
            np.testing.assert_allclose(wanted[place], (ends[0] - ends[1]) / 2e-4, rtol=2e-3, atol=1e-3)


def test_gradients_of_rows_to_second_order(monkeypatch: pytest.MonkeyPatch) -> None:
    w = Tensor(np.random.RandomState(1).randn(3, 3).astype(np.float32) * 0.5)

    def second(xs: Any, w: Any) -> Any:
        return ms.grad(lambda xs, w: recurrent(xs, w, ROUNDS), 1)(xs, w).sum()

    gradients = ms.grad(lambda xs, w: recurrent(xs, w, ROUNDS), (0, 1)), ms.grad(second, (0, 1))
    rolled = [ms.jit(gradient) for gradient in gradients]
    results = [plain(function(rows, w)) for function in rolled]
    assert nodes(rolled[0]) < ROUNDS
    monkeypatch.setattr(iteration_trace, "MIN_ITERATIONS", 10**9)
    for gradient, result in zip(gradients, results, strict=True):
        unrolled = ms.jit(gradient)
        assert_same(result, plain(unrolled(rows, w)))


# State


class Memory(nn.Cell):
    """Changes a Parameter and an attribute in each iteration."""

    def __init__(self) -> None:
        super().__init__()
        self.total = Parameter(Tensor(np.zeros(3, np.float32)), name="total")
        self.last = Tensor(np.zeros(3, np.float32))

    def construct(self, x: Any) -> Any:
        for i in range(ROUNDS):
            self.total = self.total * 0.5 + x
            ops.assign_add(self.total, x * i)
            self.last = self.total * 2
        return self.last + self.total


def test_parameters_and_attributes() -> None:
    graph, eager = Memory(), Memory()
    step = ms.jit(lambda x: graph(x))
    for _ in range(3):
        with ms.disable_jit():
            expected = eager(x3)
        assert_same(plain(step(x3)), plain(expected))
        assert_same(plain(graph.total), plain(eager.total))
        assert_same(plain(graph.last), plain(eager.last))
    assert nodes(step) < ROUNDS


def test_gradient_of_parameters() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.dense = nn.Dense(3, 3)

        def construct(self, x: Any) -> Any:
            for _ in range(ROUNDS):
                x = ops.tanh(self.dense(x))
            return x.sum()

    net = Net()
    gradient = ms.grad(net, None, net.trainable_params())
    compiled = ms.jit(lambda x: gradient(x))
    x = Tensor(np.ones((2, 3), np.float32))
    with ms.disable_jit():
        expected = gradient(x)
    assert_same(plain(compiled(x)), plain(expected))
    assert nodes(compiled) < ROUNDS


def test_layers_made_in_the_body() -> None:
    def function(x: Any) -> Any:
        for _ in range(ROUNDS):
            x = nn.ReLU()(x) + x
        return x

    check(function, x3)


def test_an_error_of_the_body_is_its_own() -> None:
    def function(x: Any) -> Any:
        for i in range(ROUNDS):
            x = x + rows[i + 20]
        return x

    with pytest.raises(IndexError):
        ms.jit(function)(x3)

    def wrong(x: Any) -> Any:
        for _ in range(ROUNDS):
            x = ops.matmul(x, rows)
        return x

    with pytest.raises(RuntimeError, match="inner dimensions"):
        ms.jit(wrong)(x3)


def test_a_thousand_rounds_are_as_many_nodes_as_a_hundred() -> None:
    w = Tensor(np.eye(3, dtype=np.float32))

    def nodes(rounds: int) -> list[int]:
        many = Tensor(np.zeros((rounds, 3), np.float32))
        programs = (
            (lambda x: power(x, rounds), (x3,)),
            (lambda xs, w: recurrent(xs, w, rounds), (many, w)),
            (lambda x: counted_while(x, rounds), (x3,)),
        )
        return [ms.jit(each).stages(*given).optimized.count_nodes() for each, given in programs]

    assert nodes(1000) == nodes(100)


def test_a_body_with_nothing_to_do() -> None:
    item, state = Value(TensorType(dtypes.int64, ()), "i"), Value(TensorType(dtypes.float32, (3,)), "state")
    attrs = {"body": Graph("body", (item, state), (), (state,)), "carried": 1, "scanned": 0, "length": 4}
    x = Value(state.type, "x")
    node = make_node(prims.scan, [literal(4, dtypes.int64), x], {**attrs, "reverse": False})
    compiled = compile_graph(Graph("same", (x,), (node,), node.outputs), name="same")
    np.testing.assert_array_equal(compiled.run(x3.asnumpy())[0], x3.asnumpy())
