"""Definitions of ops for kernels: the same numbers as from NumPy, without a call of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gradcheck import type_of

import mycel as ms
from mycel import Tensor
from mycel.compiler import ops
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.values import Value
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes.lower import lower, narrow_sums
from mycel.compiler.pipeline import compile_graph
from mycel.compiler.transforms.symbolic import record
from mycel.runtime import dtypes
from mycel.runtime.machine.executable import unavailable

Array = np.ndarray[Any, np.dtype[Any]]
DTYPES = ("float32", "float64", "int32", "int64")
EXTREME = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0])


def run(function: Any, *arrays: Array) -> tuple[Array, str]:
    """The result of a function on symbols, by kernels, and its program."""
    graph = verify(record("f", [type_of(array) for array in arrays], function))
    compiled = compile_graph(graph, name="f")
    return compiled.run(*arrays)[0], compiled.source


def numbers(dtype: str, shape: tuple[int, ...], seed: int) -> Array:
    """Numbers with many equal ones; every third array of floats has special ones."""
    rng = np.random.default_rng(seed)
    found = rng.integers(-3, 4, shape).astype(dtype)
    if dtype.startswith("float") and seed % 3 == 0:
        found = rng.choice(EXTREME.astype(dtype), shape)
    return found


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_positions_are_the_first_of_extrema(name: str, dtype: str) -> None:
    for seed, (shape, axis) in enumerate(
        [
            ((5,), 0),
            ((1, 7), 1),
            ((9, 4), 0),
            ((9, 4), 1),
            ((3, 1), 1),
            ((2, 5, 3), 1),
            ((2, 3, 70), 1),
            ((500, 2, 30), 1),
            ((60, 80), 0),
            ((5000, 3), 0),  # a longer axis than one whose neighbours lie side by side may be
        ]
    ):
        x = numbers(dtype, shape, seed)
        found, source = run(lambda x, axis=axis: getattr(ops, name)(x, axis=axis, dtype=dtypes.int32), x)
        assert found.dtype == np.int32
        np.testing.assert_array_equal(found, getattr(np, name)(x, axis))
        if unavailable() is None and shape[axis] > 1:
            assert name not in source.split("def bind")[1].replace(f"{name}_", "")


@pytest.mark.parametrize("name", ["equal", "less", "greater_equal"])
def test_integers_are_compared_before_they_are_cast(name: str) -> None:
    """A position of 64 bits with numbers of 32: none of these is copied."""
    limits = np.iinfo(np.int32)
    x, y = np.array([limits.min, -1, 0, 1, 2, 3, limits.max], np.int32), np.array([0, 3, 9, 9], np.float32)

    def function(x: Any, y: Any) -> Any:
        wide = ops.cast(x, dtype=dtypes.int64)
        return getattr(ops, name)(wide, ops.argmax(y, axis=0, dtype=dtypes.int64))

    found, source = run(function, x, y)
    np.testing.assert_array_equal(found, getattr(np, name)(x, 2))
    if unavailable() is None:
        assert "int64" not in source


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("axes", [(0, 1), (1, 0)])
def test_diagonals_are_replaced_by_a_choice(axes: tuple[int, int], dtype: str) -> None:
    for seed, (lead, size, given) in enumerate([((), 1, (1,)), ((), 4, (4,)), ((3,), 5, (5,)), ((3,), 5, (3, 5))]):
        x, value = numbers(dtype, (*lead, size, size), seed), numbers(dtype, given, seed + 1)
        place = {"offset": 0, "axis1": len(lead) + axes[0], "axis2": len(lead) + axes[1]}
        found, source = run(lambda x, value, place=place: ops.diagonal_scatter(x, value, **place), x, value)
        wanted = x.copy()
        wanted[..., range(size), range(size)] = value
        np.testing.assert_array_equal(found, wanted)
        if unavailable() is None:
            assert "diagonal_scatter(" not in source


@pytest.mark.parametrize("offset", [-2, 1])
def test_other_diagonals_are_left_to_numpy(offset: int) -> None:
    x, value = numbers("float32", (4, 6), 1), numbers("float32", (2,) if offset == -2 else (4,), 2)
    place = {"offset": offset, "axis1": 0, "axis2": 1}
    found, _ = run(lambda x, value: ops.diagonal_scatter(x, value, **place), x, value)
    wanted = x.copy()
    rows = np.arange(len(value))
    wanted[rows + max(-offset, 0), rows + max(offset, 0)] = value
    np.testing.assert_array_equal(found, wanted)


def test_definitions_are_copied_for_equal_types_alone() -> None:
    """Nodes of one op: on the same value twice, on other values, numbers, types and attributes."""
    x, y = np.array([[1.0, 2.0, 3.0]], np.float32), np.array([[2.0, 0.5, -1.0]], np.float32)

    def function(x: Any, y: Any) -> list[Any]:
        wide = ops.cast(x, dtype=dtypes.float64)
        powers = [ops.power(*given) for given in [(x, 2.0), (y, 2.0), (x, 3.0), (x, x), (x, y), (wide, 2.0)]]
        means = [ops.mean(z, axis=axes, keepdims=False) for z in (x, y) for axes in ((1,), (0,))]
        return [*powers, *means, *[ops.softmax(z, axis=1) for z in (x, y)]]

    graph = verify(record("f", [type_of(x), type_of(y)], function))
    lowered = verify(lower(graph))
    assert {node.op for node in lowered.nodes}.isdisjoint([ops.mean, ops.softmax])
    values = [value for node in lowered.nodes for value in node.outputs]
    assert len(values) == len(set(values)) > 20
    for found, wanted in zip(interpret(lowered, [x, y]), interpret(graph, [x, y]), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_copies_of_definitions_have_lines_and_names_of_their_own() -> None:
    graph = parse(
        """
graph f(%x: f32[3], %y: f32[3]) {
  %a: f32[3] = sigmoid(%x)  # a.py:1
  %b: f32[3] = sigmoid(%y)  # a.py:2
  return %a, %b
}
""",
        ops.OPS,
    )
    lowered = lower(graph)
    half = len(lowered.nodes) // 2
    first, second = lowered.nodes[:half], lowered.nodes[half:]
    assert [node.op for node in first] == [node.op for node in second]
    assert {str(node.location) for node in first} == {"a.py:1"}
    assert {str(node.location) for node in second} == {"a.py:2"}
    assert [each.name for each in lowered.outputs if isinstance(each, Value)] == ["a", "b"]


def test_equal_reductions_of_definitions_are_merged_at_once() -> None:
    """Also those in copies of what a definition gave before: a second run would merge them otherwise."""

    def body(x: Any) -> list[Any]:
        return [ops.mean(x, axis=(0,), keepdims=keep) + ops.power(x, 0.5) for keep in (False, True, False)]

    lowered = lower(record("f", [type_of(np.ones(3, np.float32))], body))
    assert [node.op.name for node in lowered.nodes].count("sum") == 1
    assert str(lower(lowered)) == str(lowered)


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
def test_a_maximum_is_computed_once_for_values_and_positions() -> None:
    def both(x: Any) -> Any:
        y = x * 2
        return ms.ops.amax(y, 1), y.argmax(1), (y + 1).argmax(1), (y + 1).argmin(1)

    x = np.random.default_rng(0).standard_normal((5, 11, 7)).astype(np.float32)
    compiled = ms.jit(both)
    nodes = compiled.stages(Tensor(x)).passes["lower_for_kernels"].nodes
    assert [node.op.name for node in nodes].count("max") == 2
    y = x * np.float32(2)
    expected = y.max(1), y.argmax(1), (y + 1).argmax(1), (y + 1).argmin(1)
    for found, wanted in zip(compiled(Tensor(x)), expected, strict=True):
        np.testing.assert_array_equal(found.asnumpy(), wanted)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16"])
def test_many_rows_of_narrow_integers_are_reduced_as_fewer_longer_ones(dtype: str) -> None:
    draw = np.random.default_rng(0)
    for shape, axis, longer in (
        ((512, 640), (0,), True),
        ((30, 40, 300), (0, 1), True),
        ((509, 640), (0,), False),  # of which no rows are one
        ((90, 300), (0,), False),  # few
        ((40, 4, 900), (1,), False),
    ):
        x = draw.integers(-99, 99, shape).astype(dtype)
        for reduce, name in ((ops.max, "max"), (ops.min, "min")):
            for keep in (False, True):
                found, _ = run(lambda x, keep=keep, reduce=reduce, axis=axis: reduce(x, axis=axis, keepdims=keep), x)
                np.testing.assert_array_equal(found, getattr(x, name)(axis, keepdims=keep))
        graph = narrow_sums(record("f", [type_of(x)], lambda x, axis=axis: ops.max(x, axis=axis, keepdims=True)))
        assert [node.op.name for node in graph.nodes].count("max") == 1 + longer
        assert str(narrow_sums(graph)) == str(graph)
