"""Differentiation of whole graphs: random graphs against finite differences, and the form of the results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gradcheck import assert_round_trip, check_gradients, gradient_graph, type_of
from graphs import graphs
from hypothesis import given
from searches import few

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, walk
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.op import Op
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.values import Location
from mycel.compiler.ir.verifier import verify
from mycel.compiler.transforms.differentiate import differentiate
from mycel.compiler.transforms.symbolic import Recorder, record
from mycel.runtime import dtypes

X = np.array([0.3, -0.7, 1.1])
Y = np.array([0.9, 0.4, -0.2])


@given(graphs(smooth=True))
def test_gradients_of_random_graphs(case: tuple[Graph, list[np.ndarray]]) -> None:
    graph, arguments = case
    assert_round_trip(graph)
    check_gradients(graph, arguments)


@few(25)
@given(graphs(smooth=True, nesting=1))
def test_second_derivatives_of_random_graphs(case: tuple[Graph, list[np.ndarray]]) -> None:
    graph, arguments = case
    check_gradients(graph, arguments, order=2)


@few(25)
@given(graphs())
def test_any_graph_differentiates_and_keeps_its_value(case: tuple[Graph, list[np.ndarray]]) -> None:
    """Rounding, integers and booleans cut the gradient; they never break it."""
    graph, arguments = case
    outputs = [position for position, type in enumerate(graph.types) if type.dtype.is_float]
    wrt = range(len(arguments))
    joint, seeds = gradient_graph(graph, wrt, outputs)
    values = interpret(graph, arguments)
    results = interpret(joint, [*arguments, *[np.ones_like(values[position]) for position in seeds]])
    for got, expected in zip(results, values, strict=False):
        np.testing.assert_array_equal(got, expected)
    for gradient, argument in zip(results[len(values) :], arguments, strict=True):
        assert type_of(gradient) == type_of(argument)


def gradients(function: Any, *arguments: np.ndarray) -> tuple[np.ndarray, ...]:
    """The cotangents of all arguments for cotangents of one."""
    graph = verify(record("program", map(type_of, arguments), function))
    joint, seeds = gradient_graph(graph, range(len(arguments)), range(len(graph.outputs)))
    ones = [np.ones(graph.types[position].static_shape, graph.types[position].dtype.np) for position in seeds]
    return interpret(joint, [*arguments, *ones])[len(graph.outputs) :]


def assert_gradients(function: Any, arguments: list[Any], expected: list[Any]) -> None:
    """Compare the cotangents for cotangents of one with known numbers."""
    arrays = [np.asarray(argument) for argument in arguments]
    for got, want in zip(gradients(function, *arrays), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)


# Where the mathematical derivative leaves a choice, MindSpore's


LOG_2 = np.log(2.0)
KINKS = np.array([-1.0, 0.0, 1.0])


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (ops.relu, [KINKS], [[0, 0, 1]]),
        (ops.absolute, [KINKS], [[-1, 0, 1]]),
        (ops.sign, [KINKS], [[0, 0, 0]]),
        (ops.floor, [KINKS], [[0, 0, 0]]),
        (ops.sqrt, [np.array([0.0, 4.0])], [[np.inf, 0.25]]),
        (ops.maximum, [KINKS, np.zeros(3)], [[0, 0.5, 1], [1, 0.5, 0]]),
        (ops.minimum, [KINKS, np.zeros(3)], [[1, 0.5, 0], [0, 0.5, 1]]),
        (lambda x: ops.clip(x, -1.0, 1.0), [np.array([-2.0, -1.0, 0.0, 1.0, 2.0])], [[0, 0.5, 1, 0.5, 0]]),
        (lambda x: ops.max(x, axis=(0,), keepdims=False), [np.array([1.0, 3, 3, 3])], [[0, 1 / 3, 1 / 3, 1 / 3]]),
        (lambda x: ops.min(x, axis=(0,), keepdims=True), [np.array([3.0, 1, 1])], [[0, 0.5, 0.5]]),
        (lambda x: ops.prod(x, axis=(0,), keepdims=False), [np.array([2.0, 0, 3])], [[0, 6, 0]]),
        (lambda x: ops.prod(x, axis=(0,), keepdims=False), [np.array([2.0, 0, 0])], [[0, 0, 0]]),
        (ops.power, [np.array([0.0, 0, -2, 2]), np.array([0.0, 2, 3, -1])], [[0, 0, 12, -1 / 4], [0, 0, 0, LOG_2 / 2]]),
        (lambda x: ops.power(x, 2.0), [KINKS], [[-2, 0, 2]]),
        (lambda x: ops.power(x, 1), [KINKS], [[1, 1, 1]]),
        (lambda x: ops.power(x, 0), [KINKS], [[0, 0, 0]]),
        (ops.remainder, [np.array([-7.0, 7, 5]), np.array([2.0, -2, 3])], [[1, 1, 1], [4, 4, -1]]),
        (ops.fmod, [np.array([-7.0, 7, 5]), np.array([2.0, -2, 3])], [[1, 1, 1], [3, 3, -1]]),
        (ops.stop_gradient, [KINKS], [[0, 0, 0]]),
        (lambda x: x * ops.stop_gradient(x), [KINKS], [KINKS]),
        (ops.assign, [X, Y], [np.ones(3), np.zeros(3)]),
    ],
)
def test_choices(function: Any, arguments: list[Any], expected: list[Any]) -> None:
    assert_gradients(function, arguments, expected)


def test_integers_and_booleans() -> None:
    """Integer inputs have integer gradients; booleans have boolean zeros."""
    x, flags = np.array([1, 2, 3], np.int32), np.array([True, False])
    (dx,) = gradients(lambda x: x * x, x)
    assert dx.dtype == np.int32
    assert dx.tolist() == [2, 4, 6]
    (dx,) = gradients(lambda x: ops.cast(x, dtype=dtypes.float32) * 2.5, x)
    assert dx.dtype == np.int32
    assert dx.tolist() == [2, 2, 2]
    (dflags,) = gradients(lambda b: ops.cast(b, dtype=dtypes.float32), flags)
    assert dflags.dtype == np.bool_
    assert not dflags.any()


def test_cast_to_a_narrower_type_and_back() -> None:
    (dx,) = gradients(lambda x: ops.cast(ops.cast(x, dtype=dtypes.float16), dtype=dtypes.float64) * 3.0, X)
    assert dx.dtype == np.float64
    assert dx.tolist() == [3, 3, 3]


# Form


def test_backward_reads_only_what_its_rules_read() -> None:
    """Of x + y nothing is saved, of tanh its own result, of a product the other factor."""

    def program(x: Any, y: Any) -> Any:
        return ops.tanh(x + y) * y

    graph = record("program", [type_of(X)] * 2, program)
    derivative = differentiate(graph, [0], [0])
    saved = [graph.nodes[1].output, graph.parameters[1]]
    assert sorted(map(id, derivative.residuals)) == sorted(map(id, saved))
    assert derivative.forward.nodes == graph.nodes
    assert len(derivative.backward.parameters) == 3


def test_what_depends_on_nothing_gives_zeros() -> None:
    graph = record("program", [type_of(X)] * 2, lambda x, y: (x * x, ops.equal(y, y)))
    derivative = differentiate(graph, [0, 1], [0, 1])
    assert derivative.seeds == (0,)
    assert derivative.gradients == (0, None)
    joint = verify(derivative.append([0, 1]))
    *_, dx, dy = interpret(joint, [X, Y, np.ones(3)])
    np.testing.assert_allclose(dx, 2 * X)
    np.testing.assert_array_equal(dy, np.zeros(3))


def test_an_output_that_is_a_parameter_or_given_twice() -> None:
    graph = record("program", [type_of(X)], lambda x: (x, x, ops.sin(x)))
    check_gradients(graph, [X], order=2)
    joint, seeds = gradient_graph(graph, [0], [0, 1, 2])
    assert seeds == (0, 1, 2)
    assert len(joint.outputs) == 4


def test_unrequested_outputs_have_no_cotangent() -> None:
    graph = record("program", [type_of(X)], lambda x: (ops.sin(x), ops.exp(x)))
    joint, seeds = gradient_graph(graph, [0], [1])
    assert seeds == (1,)
    dx = interpret(joint, [X, np.ones(3)])[-1]
    np.testing.assert_allclose(dx, np.exp(X))


def test_backward_nodes_carry_the_forward_line() -> None:
    recorder = Recorder("program", locate=lambda: Location("net.py", 7))
    with recorder:
        x = recorder.parameter(type_of(X), "x")
        graph = recorder.finish([ops.tanh(x) * x])
    derivative = differentiate(graph, [0], [0])
    assert {str(node.location) for node in walk(derivative.backward)} == {"net.py:7"}


def test_effects_of_the_forward_stay_in_the_joint_graph(capsys: pytest.CaptureFixture[str]) -> None:
    def program(x: Any) -> Any:
        y = ops.sin(x)
        ops.print_(y, template=("once\n",))
        return y

    joint, _ = gradient_graph(record("program", [type_of(X)], program), [0], [0])
    interpret(joint, [X, np.ones(3)])
    assert capsys.readouterr().out == "once\n"


def test_a_rule_of_the_wrong_form_is_reported() -> None:
    def broken(vjp: Any) -> Graph:
        op = Op("broken", kind="opaque", infer=lambda x: x, kernel=np.array, vjp=vjp)
        return record("program", [type_of(X)], lambda x: op(x))

    with pytest.raises(TypeError, match="the vjp of broken gave 2 cotangents for 1 inputs"):
        differentiate(broken(lambda x, out, dout: (dout, dout)), [0], [0])
    with pytest.raises(TypeError, match=r"the vjp of broken gave a cotangent f32\[3\] for an input f64\[3\]"):
        differentiate(broken(lambda x, out, dout: ops.cast(dout, dtype=dtypes.float32)), [0], [0])


def test_sizes_that_only_the_run_knows() -> None:
    """The derivative of a graph with `?` sizes is that of the same graph with known ones."""

    def program(x: Any, w: Any) -> Any:
        y = ops.tanh(ops.matmul(x, w)) + ops.sum(x, axis=(0,), keepdims=False)
        return ops.mean(y * y, axis=(0, 1), keepdims=False)

    x, w = np.random.default_rng(0).normal(size=(4, 3)), np.random.default_rng(1).normal(size=(3, 3))
    known = record("known", [type_of(x), type_of(w)], program)
    open_ended = record("open", [TensorType(dtypes.float64, (None, 3)), type_of(w)], program)
    results = [interpret(gradient_graph(graph, [0, 1], [0])[0], [x, w, np.ones(())]) for graph in (known, open_ended)]
    for a, b in zip(*results, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)
