"""cond, while_loop and scan, alone and in one another: values against plain Python, first and second derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from gradcheck import assert_round_trip, check_gradients, gradient_graph, type_of
from loops import cond, scan, while_loop

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.values import IRError
from mycel.compiler.ir.verifier import verify
from mycel.compiler.transforms.symbolic import record
from mycel.runtime import dtypes

X = np.array([0.3, -0.7, 1.1])
Y = np.array([0.9, 0.4, -0.2])


def check(function: Callable[..., Any], arguments: Sequence[Any], expected: Sequence[Any], *, order: int = 2) -> Graph:
    """Record a function, compare its values with expected ones, and its derivatives with finite differences."""
    arrays = [np.asarray(argument) for argument in arguments]
    graph = verify(record("program", map(type_of, arrays), function))
    assert_round_trip(graph)
    for got, want in zip(interpret(graph, arrays), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)
    check_gradients(graph, arrays, order=order)
    return graph


def scan_of(rows: TensorType, length: int | None) -> Any:
    """The types of a scan over the rows of a tensor, in a text."""
    text = (
        f"graph f(%xs: {rows}, %h: f32[2]) {{ %y: f32[2] = scan(3, %h, %xs, carried=1, scanned=1, length={length}, "
        "reverse=False) { body = graph b(%i: i64[], %s: f32[2], %r: f32[2]) { %t: f32[2] = add(%s, %r) return %t } } "
        "return %y }"
    )
    return verify(parse(text, ops.OPS)).outputs[0].type


def test_scanned_tensors_have_the_rows_of_the_loop() -> None:
    assert scan_of(TensorType(dtypes.float32, (3, 2)), 3).shape == (2,)
    assert scan_of(TensorType(dtypes.float32, (None, 2)), 3).shape == (2,)
    assert scan_of(TensorType(dtypes.float32, (4, 2)), None).shape == (2,)
    for shape in ((4, 2), (2, 2), ()):
        with pytest.raises(IRError, match=r"scan: a scanned tensor f32\[[\d, ]*\] does not have 3 rows"):
            scan_of(TensorType(dtypes.float32, shape), 3)


# cond


@pytest.mark.parametrize("flag", [True, False])
def test_cond_chooses(flag: bool) -> None:
    def program(pred: Any, x: Any, y: Any) -> Any:
        return cond(pred, lambda: (ops.sin(x) * y, x), lambda: (x * x * x, y))

    check(program, [flag, X, Y], (np.sin(X) * Y, X) if flag else (X**3, Y))


@pytest.mark.parametrize("flag", [True, False])
def test_cond_with_an_operand_in_one_branch_only(flag: bool) -> None:
    def program(pred: Any, x: Any, y: Any) -> Any:
        return cond(pred, lambda: [ops.exp(x)], lambda: [y * y])

    check(program, [flag, X, Y], [np.exp(X) if flag else Y * Y])


@pytest.mark.parametrize("value", [-1.0, 0.5, 2.0])
def test_cond_in_cond(value: float) -> None:
    def program(x: Any, y: Any) -> Any:
        def inner() -> Any:
            return cond(ops.greater(x, 1.0), lambda: [y * x * x], lambda: [ops.exp(x * y)])

        return cond(ops.greater(x, 0.0), inner, lambda: [-x * y])

    expected = Y * value**2 if value > 1 else np.exp(value * Y) if value > 0 else -value * Y
    check(program, [value, Y], [expected])


@pytest.mark.parametrize("flag", [True, False])
def test_cond_of_branches_with_different_shapes(flag: bool) -> None:
    def program(pred: Any, x: Any) -> Any:
        (y,) = cond(pred, lambda: [x * x], lambda: [ops.concatenate(x, ops.sin(x), axis=0)])
        return ops.sum(y * y, axis=(0,), keepdims=False)

    y = X * X if flag else np.concatenate([X, np.sin(X)])
    check(program, [flag, X], [np.sum(y * y)])


def test_cond_whose_branch_is_constant() -> None:
    def program(pred: Any, x: Any) -> Any:
        return cond(pred, lambda: [x * x], lambda: [ops.zeros_as(x)])

    check(program, [False, X], [np.zeros(3)])
    check(program, [True, X], [X * X])


# while_loop


def power_by_loop(x: Any, n: Any) -> Any:
    """x to the power n + 1 by a loop, and how many iterations it took."""
    _, result, trips = while_loop(
        [ops.zeros_as(n), x], lambda s: ops.less(s[0], n), lambda s: [ops.add(s[0], 1), s[1] * x]
    )
    return result, trips


@pytest.mark.parametrize("n", [0, 1, 4])
def test_while_multiplies(n: int) -> None:
    check(power_by_loop, [X, np.array(n)], [X ** (n + 1), n])


def test_while_on_its_own_result() -> None:
    def program(x: Any) -> Any:
        total = ops.sum(x * x, axis=(0,), keepdims=False)
        state = while_loop(
            [x, total],
            lambda s: ops.less(s[1], 50.0),
            lambda s: [s[0] * 1.5, ops.sum(s[0] * s[0] * 2.25, axis=(0,), keepdims=False)],
        )
        return state[0], state[1]

    x = X.copy()
    while np.sum(x * x) < 50:
        x = x * 1.5
    check(program, [X], [x, np.sum(x * x)])


@pytest.mark.parametrize("n", [0, 3])
def test_while_with_stacked_outputs(n: int) -> None:
    def program(x: Any, y: Any, n: Any) -> Any:
        _, last, trips, rows = while_loop(
            [ops.zeros_as(n), x],
            lambda s: ops.less(s[0], n),
            lambda s: [ops.add(s[0], 1), ops.sin(s[1]) * y],
            lambda s: [s[1] * s[1]],
        )
        return last, trips, ops.sum(rows * rows, axis=(0, 1), keepdims=False)

    x, rows = X, []
    for _ in range(n):
        rows.append(x * x)
        x = np.sin(x) * Y
    check(program, [X, Y, np.array(n)], [x, n, np.sum(np.array(rows) ** 2)])


def test_while_with_a_state_that_has_no_gradient() -> None:
    def program(x: Any, y: Any) -> Any:
        _, a, b, _ = while_loop(
            [ops.zeros_as(ops.cast(x, dtype=dtypes.int32)), x, y],
            lambda s: ops.any(ops.less(s[0], 3), axis=(0,), keepdims=False),
            lambda s: [ops.add(s[0], 1), s[2], s[1] * s[2]],
        )
        return a * b

    a, b = X, Y
    for _ in range(3):
        a, b = b, a * b
    check(program, [X, Y], [a * b])


def test_cond_in_while() -> None:
    def program(x: Any, y: Any, n: Any) -> Any:
        def body(s: Any) -> Any:
            even = ops.equal(ops.remainder(s[0], 2), 0)
            (new,) = cond(even, lambda: [ops.sin(s[1]) * y], lambda: [s[1] * s[1] + y])
            return [ops.add(s[0], 1), new]

        return while_loop([ops.zeros_as(n), x], lambda s: ops.less(s[0], n), body)[1]

    x = X
    for i in range(5):
        x = np.sin(x) * Y if i % 2 == 0 else x * x + Y
    check(program, [X, Y, np.array(5)], [x])


def test_while_in_cond() -> None:
    def program(pred: Any, x: Any, n: Any) -> Any:
        return cond(pred, lambda: [power_by_loop(x, n)[0]], lambda: [ops.exp(x)])

    check(program, [True, X, np.array(2)], [X**3])
    check(program, [False, X, np.array(2)], [np.exp(X)])


def test_while_in_while() -> None:
    def program(x: Any, n: Any) -> Any:
        def body(s: Any) -> Any:
            return [ops.add(s[0], 1), power_by_loop(s[1], s[0])[0] * 0.9]

        return while_loop([ops.zeros_as(n), x], lambda s: ops.less(s[0], n), body)[1]

    x = X
    for i in range(3):
        x = x ** (i + 1) * 0.9
    check(program, [X, np.array(3)], [x])


# scan


def recurrent(h: Any, xs: Any, w: Any) -> Callable[..., Any]:
    """The body of a small recurrent network."""

    def body(i: Any, state: Any, rows: Any) -> Any:
        (previous,) = state
        new = ops.tanh(ops.matmul(previous, w) + rows[0])
        return [new], [new * new]

    return body


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("length", [0, 1, 4])
def test_scan_of_a_recurrent_network(length: int, reverse: bool) -> None:
    generator = np.random.default_rng(1)
    h, xs, w = generator.normal(size=(2, 3)), generator.normal(size=(length, 2, 3)), generator.normal(size=(3, 3))

    def program(h: Any, xs: Any, w: Any) -> Any:
        return scan([h], [xs], recurrent(h, xs, w), length, reverse)

    state, rows = h, [np.zeros((2, 3))] * length
    for i in reversed(range(length)) if reverse else range(length):
        state = np.tanh(state @ w + xs[i])
        rows[i] = state * state
    check(program, [h, xs, w], [state, np.array(rows).reshape(length, 2, 3)])


@pytest.mark.parametrize("reverse", [False, True])
def test_scan_reads_its_index(reverse: bool) -> None:
    def program(x: Any) -> Any:
        def body(i: Any, state: Any, rows: Any) -> Any:
            factor = ops.cast(i, dtype=x.dtype) + 1.0
            return [ops.sin(state[0]) * factor], [state[0] * factor * factor]

        return scan([x], [], body, 3, reverse)

    state, rows = X, [X] * 3
    for i in reversed(range(3)) if reverse else range(3):
        rows[i] = state * (i + 1) ** 2
        state = np.sin(state) * (i + 1)
    check(program, [X], [state, np.array(rows)])


def test_scan_of_a_length_that_only_the_run_knows() -> None:
    def program(n: Any, x: Any, y: Any) -> Any:
        def body(i: Any, state: Any, rows: Any) -> Any:
            return [state[0] * ops.sin(y)], [state[0] * y]

        last, rows = scan([x], [], body, n)
        return last, ops.sum(rows, axis=(0,), keepdims=False)

    for n in (0, 3):
        x, total = X, np.zeros(3)
        for _ in range(n):
            total = total + x * Y
            x = x * np.sin(Y)
        check(program, [np.array(n), X, Y], [x, total])


def test_scan_without_state_is_a_map() -> None:
    def program(xs: Any, y: Any) -> Any:
        return scan([], [xs], lambda i, state, rows: ([], [ops.exp(rows[0]) * y]), 2)

    xs = np.stack([X, Y])
    check(program, [xs, Y], [np.exp(xs) * Y])


def test_scan_in_scan() -> None:
    generator = np.random.default_rng(2)
    h, xs, w = generator.normal(size=(3,)), generator.normal(size=(2, 3, 3)), generator.normal(size=(3,))

    def program(h: Any, xs: Any, w: Any) -> Any:
        def outer(i: Any, state: Any, rows: Any) -> Any:
            def inner(j: Any, inner_state: Any, inner_rows: Any) -> Any:
                return [ops.tanh(inner_state[0] * w + inner_rows[0])], [inner_state[0] * state[0]]

            last, stacked = scan([state[0]], [rows[0]], inner, 3, reverse=True)
            return [last], [ops.sum(stacked, axis=(0,), keepdims=False)]

        return scan([h], [xs], outer, 2)

    state, sums = h, []
    for i in range(2):
        inner, total = state, np.zeros(3)
        for j in (2, 1, 0):
            total = total + inner * state
            inner = np.tanh(inner * w + xs[i, j])
        state = inner
        sums.append(total)
    check(program, [h, xs, w], [state, np.array(sums)])


def test_while_and_cond_in_scan() -> None:
    def program(x: Any, xs: Any) -> Any:
        def body(i: Any, state: Any, rows: Any) -> Any:
            result, _ = power_by_loop(state[0], i)
            (chosen,) = cond(ops.equal(i, 1), lambda: [result * rows[0]], lambda: [ops.sin(result) + rows[0]])
            return [chosen], []

        return scan([x], [xs], body, 3)

    xs = np.stack([Y, X + 0.5, Y * 2])
    state = X
    for i in range(3):
        result = state ** (i + 1)
        state = result * xs[i] if i == 1 else np.sin(result) + xs[i]
    check(program, [X, xs], [state])


def test_scan_in_while() -> None:
    def program(x: Any, y: Any, n: Any) -> Any:
        def body(s: Any) -> Any:
            last, _ = scan([s[1]], [], lambda i, state, rows: ([state[0] * y], [state[0]]), 2)
            return [ops.add(s[0], 1), ops.sin(last)]

        return while_loop([ops.zeros_as(n), x], lambda s: ops.less(s[0], n), body)[1]

    x = X
    for _ in range(3):
        x = np.sin(x * Y * Y)
    check(program, [X, Y, np.array(3)], [x])


def test_a_stack_of_which_only_the_shape_is_read() -> None:
    """The first derivative of the sum reads the shape of the inner loop's stack: the second has no cotangent for it."""

    def program(x: Any, n: Any) -> Any:
        def outer(i: Any, state: Any, rows: Any) -> Any:
            _, last, _, stack = while_loop(
                [ops.zeros_as(n), state[0]],
                lambda s: ops.less(s[0], ops.add(n, i)),
                lambda s: [ops.add(s[0], 1), ops.tanh(s[1])],
                lambda s: [ops.sin(s[1])],
            )
            return [last + ops.sum(stack, axis=(0,), keepdims=False)], []

        return scan([x], [], outer, 2)

    x = X
    for i in range(2):
        total = np.zeros(3)
        for _ in range(1 + i):
            total = total + np.sin(x)
            x = np.tanh(x)
        x = x + total
    check(program, [X, np.array(1)], [x])


# What the derivative is made of


def test_only_what_the_rules_read_is_stacked() -> None:
    def program(x: Any, w: Any) -> Any:
        return scan([x], [], lambda i, state, rows: ([ops.sin(state[0]) + w], []), 3)

    graph = record("program", [type_of(X), type_of(X)], program)
    joint, _ = gradient_graph(graph, [0, 1], [0])
    forward = joint.nodes[0]
    assert len(forward.outputs) == 2  # the state, and the states that cos reads
    assert forward.outputs[1].type.shape == (3, 3)


def test_a_loop_linear_in_its_state_saves_nothing() -> None:
    def program(x: Any) -> Any:
        return scan([x], [], lambda i, state, rows: ([state[0] * 0.5], []), 3)

    joint, _ = gradient_graph(record("program", [type_of(X)], program), [0], [0])
    assert len(joint.nodes[0].outputs) == 1


def test_what_does_not_change_is_not_stacked() -> None:
    """A transposed matrix that every iteration reads is computed before the loop, and read from there."""

    def program(h: Any, w: Any) -> Any:
        return scan([h], [], lambda i, s, rows: ([ops.tanh(ops.matmul(s[0], ops.transpose(w, axes=(1, 0))))], []), 3)

    generator = np.random.default_rng(1)
    h, w = generator.normal(size=(2, 3)), generator.normal(size=(3, 3))
    joint, _ = gradient_graph(record("program", [type_of(h), type_of(w)], program), [0, 1], [0])
    (forward, *_) = [node for node in joint.nodes if node.op is ops.scan]
    assert [value.type.shape for value in forward.outputs] == [(2, 3), (3, 2, 3), (3, 2, 3)]
    state = h
    for _ in range(3):
        state = np.tanh(state @ w.T)
    check(program, [h, w], [state])


def test_parts_of_what_is_stacked_are_not_stacked_again() -> None:
    """Slices and reshapes that the rules read are made again from rows, of scanned tensors too."""

    def program(x: Any, ys: Any) -> Any:
        def body(i: Any, state: Any, rows: Any) -> Any:
            whole = ops.tanh(state[0] + rows[0])
            low = ops.reshape(ops.slice(whole, start=(0, 0), stop=(1, 3), step=(1, 1)), shape=(3,))
            high = ops.reshape(ops.slice(whole, start=(1, 0), stop=(2, 3), step=(1, 1)), shape=(3,))
            part = ops.slice(rows[0], start=(0, 0), stop=(1, 3), step=(1, 1))
            return [whole + low * high * ops.reshape(part, shape=(3,))], []

        return scan([x], [ys], body, 3)

    generator = np.random.default_rng(1)
    x, ys = generator.normal(size=(2, 3)), generator.normal(size=(3, 2, 3))
    joint, _ = gradient_graph(record("program", [type_of(x), type_of(ys)], program), [0, 1], [0])
    (forward, *_) = [node for node in joint.nodes if node.op is ops.scan]
    # The state, tanh, and the product of its parts.
    assert sorted(value.type.shape for value in forward.outputs) == [(2, 3), (3, 2, 3), (3, 3)]
    state = x
    for y in ys:
        whole = np.tanh(state + y)
        state = whole + whole[0] * whole[1] * y[0]
    check(program, [x, ys], [state])


def test_errors_name_what_does_not_fit() -> None:
    def carried(x: Any) -> Any:
        return scan([x], [], lambda i, state, rows: ([ops.sum(state[0], axis=(0,), keepdims=False)], []), 3)

    def branches(pred: Any, x: Any) -> Any:
        return cond(pred, lambda: [x], lambda: [ops.equal(x, x)])

    with pytest.raises(TypeError, match=r"should keep its type, but goes from \(f64\[3\]\) to \(f64\[\]\)"):
        record("program", [type_of(X)], carried)
    with pytest.raises(TypeError, match=r"Cannot join f64\[3\] and bool\[3\]"):
        record("program", [type_of(np.array(True)), type_of(X)], branches)
