"""Checks gradients of graphs against central differences, along one random direction, to any order, in float64."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.op import Op
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.printer import print_graph
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.verifier import verify
from mycel.compiler.transforms.differentiate import differentiate
from mycel.compiler.transforms.symbolic import record
from mycel.runtime import dtypes

Array = np.ndarray[Any, np.dtype[Any]]


def type_of(array: Array) -> TensorType:
    """The IR type of an array."""
    return TensorType(dtypes.of_numpy(array.dtype), array.shape)


def with_unknown_sizes(type: TensorType) -> TensorType:
    """The type with every dimension known only at run time."""
    return type.with_shape((None,) * type.rank)


def one_node_graph(op: Op, types: Sequence[TensorType], attrs: Any) -> Graph:
    """A graph of a single use of an op."""

    def apply(*symbols: Any) -> Any:
        result = op(*symbols, **attrs)
        return () if result is None else result

    return verify(record(op.name, types, apply))


def assert_round_trip(graph: Graph) -> None:
    """A graph's text should parse back to a graph with the same text."""
    text = print_graph(graph)
    assert print_graph(parse(text, ops.OPS)) == text


def real_positions(graph: Graph, arguments: Sequence[Array]) -> list[int]:
    """Positions of the float64 parameters."""
    return [position for position, array in enumerate(arguments) if array.dtype == np.float64]


def gradient_graph(graph: Graph, wrt: Sequence[int], outputs: Sequence[int]) -> tuple[Graph, tuple[int, ...]]:
    """The joint graph of `graph` and its backward, verified, and the positions of the outputs that have cotangents."""
    derivative = differentiate(graph, wrt, outputs)
    verify(derivative.forward)
    verify(derivative.backward)
    return verify(derivative.append(wrt)), derivative.seeds


def check_gradients(
    graph: Graph,
    arguments: Sequence[Array],
    wrt: Sequence[int] | None = None,
    order: int = 1,
    seed: int = 0,
    step: float = 1e-6,
    tolerance: float = 1e-5,
) -> None:
    """Compare ⟨vjp(u), v⟩ with the central difference of ⟨u, graph⟩ along v; then the same for the gradient's graph.

    Args:
        graph: the graph to differentiate.
        arguments: its arguments; only float64 ones are varied, and only float64 outputs count.
        wrt: positions of the parameters to differentiate by; all float64 ones where not given.
        order: how many times to differentiate.
        seed: of the random directions u and v.
        step: of the central difference.
        tolerance: relative to the size of the terms that the two sums are made of.
    """
    generator = np.random.default_rng(seed)
    arguments = [np.asarray(argument) for argument in arguments]
    wrt = real_positions(graph, arguments) if wrt is None else wrt
    value = interpret(graph, arguments)
    outputs = [position for position, array in enumerate(value) if array.dtype == np.float64]
    if not wrt or not outputs:
        return
    joint, seeds = gradient_graph(graph, wrt, outputs)
    assert_round_trip(joint)
    cotangents = {position: generator.standard_normal(value[position].shape) for position in outputs}
    directions = {position: generator.standard_normal(arguments[position].shape) for position in wrt}

    results = interpret(joint, [*arguments, *[cotangents[position] for position in seeds]])
    for got, expected in zip(results, value, strict=False):
        np.testing.assert_array_equal(got, expected, err_msg="differentiation changed the forward value")
    gradients = dict(zip(wrt, results[len(graph.outputs) :], strict=True))
    for position, gradient in gradients.items():
        assert gradient.shape == arguments[position].shape
        assert gradient.dtype == arguments[position].dtype

    def moved(amount: float) -> tuple[Array, ...]:
        return interpret(graph, [a + amount * directions[i] if i in directions else a for i, a in enumerate(arguments)])

    ahead, behind = moved(step), moved(-step)
    terms = [np.sum(u * (ahead[position] - behind[position]) / (2 * step)) for position, u in cotangents.items()]
    by_rule = [np.sum(gradients[position] * v) for position, v in directions.items()]
    scale = 1.0 + sum(np.sum(np.abs(gradients[position] * v)) for position, v in directions.items())
    assert np.isfinite(sum(by_rule)), f"the gradient is not finite:\n{joint}"
    error = abs(sum(by_rule) - sum(terms)) / scale
    assert error < tolerance, (
        f"rule: {sum(by_rule)}, difference quotient: {sum(terms)}, relative error {error:.2e}, {order=} to go\n{joint}"
    )
    if order > 1:
        inner = replace(joint, name=f"{graph.name}_d", outputs=joint.outputs[len(graph.outputs) :])
        check_gradients(
            inner,
            [*arguments, *[cotangents[position] for position in seeds]],
            order=order - 1,
            seed=seed + 1,
            step=step,
            tolerance=tolerance,
        )
