"""Memoized derivative rules: a rule runs once for nodes of one op, types and attributes, and holds for each of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gradcheck import gradient_graph, type_of

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, attrs_key
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.op import Op
from mycel.compiler.ir.verifier import verify
from mycel.compiler.transforms.differentiate import differentiate
from mycel.compiler.transforms.symbolic import record

X = np.array([0.3, -0.7, 1.1], np.float32)


def gradients(graph: Graph, *arguments: np.ndarray) -> tuple[np.ndarray, ...]:
    """The cotangents of all arguments for cotangents of one."""
    joint, seeds = gradient_graph(graph, range(len(arguments)), range(len(graph.outputs)))
    ones = [np.ones(graph.types[position].static_shape, np.float32) for position in seeds]
    return interpret(verify(joint), [*arguments, *ones])[len(graph.outputs) :]


def counted(op: Op) -> tuple[Op, list[Any]]:
    """An op with the rule of another one, and a list that grows with each run of the rule."""
    runs: list[Any] = []

    def vjp(*arguments: Any, **attrs: Any) -> Any:
        assert op.vjp is not None
        runs.append(attrs)
        return op.vjp(*arguments, **attrs)

    return replace(op, name=f"counted_{op.name}", vjp=vjp), runs


def test_a_rule_runs_once_for_nodes_that_are_alike() -> None:
    tanh, runs = counted(ops.tanh)
    graph = record("f", [type_of(X)], lambda x: tanh(tanh(tanh(x)) * 2.0))
    first, second, third = np.tanh(X), np.tanh(np.tanh(X)), np.tanh(np.tanh(np.tanh(X)) * 2)
    expected = (1 - third**2) * 2 * (1 - second**2) * (1 - first**2)
    for _ in range(2):
        np.testing.assert_allclose(gradients(graph, X)[0], expected, rtol=1e-5)
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("exponents", "count"), [((2.0, 2.0), 1), ((2.0, 3.0), 2), ((0.5, -1.0), 2)]
)  # numbers belong to a template, for the rule looks at them
def test_numbers_and_attributes_tell_templates_apart(exponents: tuple[float, float], count: int) -> None:
    power, runs = counted(ops.power)
    x = np.abs(X)
    one, other = exponents
    graph = record("f", [type_of(x)], lambda x: power(x, one) + power(x, other))
    expected = one * x ** (one - 1) + other * x ** (other - 1)
    np.testing.assert_allclose(gradients(graph, x)[0], expected, rtol=1e-5)
    assert len(runs) == count
    total, runs = counted(ops.sum)
    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
    axes = [(0,), (1,), (0,)]
    graph = record("f", [type_of(matrix)], lambda x: tuple(total(x * x, axis=axis, keepdims=False) for axis in axes))
    np.testing.assert_allclose(gradients(graph, matrix)[0], 6 * matrix)
    assert [each["axis"] for each in runs] == [(0,), (1,)]


def test_attributes_without_a_key_run_the_rule_each_time() -> None:
    assert attrs_key({"axis": 1, "keepdims": True}) != attrs_key({"axis": 1, "keepdims": 1})
    assert attrs_key({"cap": 0.0}) != attrs_key({"cap": -0.0})
    assert attrs_key({"value": X}) is None
    assert attrs_key({"body": record("f", [type_of(X)], lambda x: x)}) is None


def test_only_what_is_wanted_is_recorded() -> None:
    """The product by a number needs neither the number's cotangent nor the input."""
    graph = record("f", [type_of(X)], lambda x: (x * 3.0) * 2.0)
    derivative = differentiate(graph, [0], [0])
    assert [node.op.name for node in derivative.backward.nodes] == ["multiply", "multiply"]
    assert derivative.residuals == ()
    assert [value.name for node in derivative.backward.nodes for value in node.outputs] == ["d_multiply_1", "d_p_1"]


def test_a_cotangent_that_a_rule_leaves_out_is_computed_by_nobody() -> None:
    """What leads to a cotangent that the rule of `floor` does not read is pruned, also from a template."""
    graph = record("f", [type_of(X)], lambda x: ops.floor(x) * 2.0 + x * 3.0)
    derivative = differentiate(graph, [0], [0])
    assert [node.op.name for node in derivative.backward.nodes] == ["multiply"]
    np.testing.assert_allclose(gradients(graph, X)[0], np.full(3, 3.0))
