"""Elementwise nodes and reductions between transposes: computed without them, with the same numbers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from rewriting import assert_alike

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, make_node
from mycel.compiler.ir.op import Op
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.values import Value
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes import transposes
from mycel.compiler.passes.dce import eliminate_dead_code
from mycel.compiler.passes.transposes import move_transposes
from mycel.runtime.dtypes import float32

NORM = """graph f(%x: f32[2, 3, 4, 5], %g: f32[3]) {
  %t: f32[2, 4, 5, 3] = transpose(%x, axes=(0, 2, 3, 1))
  %s: f32[2, 4, 5] = sum(%t, axis=(3,), keepdims=False)
  %r: f32[2, 4, 5, 1] = reshape(%s, shape=(2, 4, 5, 1))
  %m: f32[2, 4, 5, 1] = max(%t, axis=(3,), keepdims=True)
  %d: f32[2, 4, 5, 3] = subtract(%t, %r)
  %e: f32[2, 4, 5, 3] = subtract(%d, %m)
  %n: f32[2, 4, 5, 3] = multiply(%e, %g)
  %p: f32[2, 4, 5, 3] = multiply(%n, 0.5)
  %y: f32[2, 3, 4, 5] = transpose(%p, axes=(0, 3, 1, 2))
  %h: f32[3] = sum(%p, axis=(0, 1, 2), keepdims=False)
  return %y, %h
}"""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small arrays count."""
    monkeypatch.setattr(transposes, "LEAST_GAIN", 1)


def moved(text: str) -> tuple[Graph, Graph]:
    """A graph, and what the pass makes of it."""
    graph = verify(parse(text, ops.OPS))
    return graph, verify(eliminate_dead_code(move_transposes(graph)))


def count(graph: Graph) -> int:
    """Transposes of a graph."""
    return sum(node.op is ops.transpose for node in graph.nodes)


def test_a_norm_over_channels_has_no_transposes() -> None:
    before, after = moved(NORM)
    assert count(after) == 0
    assert {value.type.shape for node in after.nodes for value in node.outputs if value.type.rank == 4} <= {
        (2, 3, 4, 5), (2, 1, 4, 5), (2, 4, 5, 1), (1, 3, 1, 1),
    }  # fmt: skip
    assert_alike(before, after)


def test_little_is_not_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transposes, "LEAST_GAIN", 2 * 2 * 3 * 4 * 5 + 1)
    graph = verify(parse(NORM, ops.OPS))
    assert [node.op for node in move_transposes(graph).nodes] == [node.op for node in graph.nodes]


@pytest.mark.parametrize(
    "text",
    [
        # what is computed is needed transposed
        "graph f(%x: f32[3, 4]) { %t: f32[4, 3] = transpose(%x, axes=(1, 0)) %y: f32[4, 3] = exp(%t) return %y }",
        # the other operand is not transposed
        """graph f(%x: f32[3, 4], %z: f32[4, 3]) {
             %t: f32[4, 3] = transpose(%x, axes=(1, 0))
             %a: f32[4, 3] = add(%t, %z)
             %y: f32[3, 4] = transpose(%a, axes=(1, 0))
             return %y
        }""",
        # products take transposed operands
        """graph f(%x: f32[3, 4], %z: f32[3, 5]) {
             %t: f32[4, 3] = transpose(%x, axes=(1, 0))
             %e: f32[4, 3] = exp(%t)
             %y: f32[4, 5] = matmul(%e, %z)
             return %y
        }""",
    ],
)
def test_transposes_that_stay(text: str) -> None:
    before, after = moved(text)
    assert [node.op for node in after.nodes] == [node.op for node in before.nodes]


def test_random_graphs_keep_their_numbers() -> None:
    fewer = 0
    for seed in range(200):
        before = drawn(seed)
        after = verify(eliminate_dead_code(move_transposes(before)))
        assert_alike(before, after)
        fewer += count(after) < count(before)
    assert fewer > 40


def drawn(seed: int) -> Graph:
    """A graph of transposes, elementwise nodes and reductions."""
    random = np.random.default_rng(seed)
    rank = int(random.integers(2, 5))
    shape = tuple(int(n) for n in random.permutation([1, 2, 3, 4, 5])[:rank])
    parameters = [
        Value(TensorType(float32, given), f"p{number}") for number, given in enumerate((shape, shape, shape[-1:], ()))
    ]
    values, nodes = list(parameters), []

    def add(op: Op, *inputs: Value, **attrs: object) -> None:
        nodes.append(make_node(op, inputs, attrs))
        values.append(nodes[-1].output)

    for axes in (random.permutation(rank), random.permutation(rank)):
        for value in parameters[:2]:
            add(ops.transpose, value, axes=tuple(int(a) for a in axes))
    for _ in range(12):
        value = values[int(random.integers(len(values)))]
        kind = random.random()
        if kind < 0.25 and value.type.rank > 1:
            orders = list(itertools.permutations(range(value.type.rank)))
            add(ops.transpose, value, axes=orders[int(random.integers(len(orders)))])
        elif kind < 0.45 and value.type.rank:
            axis = tuple(a for a in range(value.type.rank) if random.random() < 0.5)
            add(ops.sum if random.random() < 0.5 else ops.max, value, axis=axis, keepdims=bool(random.random() < 0.6))
        elif kind < 0.6:
            add(ops.tanh, value)
        else:
            fits = [other for other in values if broadcasts(value, other)]
            pair = [value, fits[int(random.integers(len(fits)))]]
            add(ops.add if random.random() < 0.5 else ops.multiply, *(pair if random.random() < 0.5 else pair[::-1]))
    return verify(Graph("f", tuple(parameters), tuple(nodes), tuple(values[-3:])))


def broadcasts(one: Value, other: Value) -> bool:
    """Whether two values can be operands of one node."""
    try:
        np.broadcast_shapes(one.type.static_shape, other.type.static_shape)
    except ValueError:
        return False
    return True
