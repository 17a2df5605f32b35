"""Tools for graphs: copies, substitution, uses, and types of nodes."""

from __future__ import annotations

import numpy as np
import pytest
from case_floors import Floor
from graphs import LAYER
from hypothesis import given, settings, strategies as st

from mycel.compiler import ops
from mycel.compiler.ir.graph import copy_graph, freeze, make_node, substitute, uses
from mycel.compiler.ir.op import ACTIVE
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.printer import print_graph
from mycel.compiler.ir.types import (
    TensorType,
    broadcast_shapes,
    normalize_axis,
    parse_type,
)
from mycel.compiler.ir.values import Value, literal
from mycel.compiler.ir.verifier import verify
from mycel.compiler.transforms.symbolic import LeakedSymbolError, Recorder, Symbol, record
from mycel.runtime import dtypes

F32 = TensorType(dtypes.float32, (2, 3))


def test_copies_share_no_values() -> None:
    graph = parse(LAYER, ops.OPS)
    copied = verify(copy_graph(graph))
    assert print_graph(copied) == LAYER
    values = {value for g in (graph, copied) for node in g.nodes for value in node.outputs}
    assert len(values) == 2 * len(graph.nodes)


def test_substitute_and_uses() -> None:
    graph = parse(LAYER, ops.OPS)
    bias = graph.parameters[2]
    assert uses(graph)[graph.nodes[2].output] == 2
    changed_graph = verify(substitute(graph, {bias: literal(1.0, dtypes.float32)}))
    assert bias not in uses(changed_graph)
    assert "add(%t3, 1.0)" in print_graph(changed_graph)


def test_what_a_graph_keeps_of_its_nodes() -> None:
    graph = parse(LAYER, ops.OPS)
    readers = {operand: len(nodes) for operand, nodes in graph.readers.items() if isinstance(operand, Value)}
    assert readers == uses(graph)
    assert [graph.readers[operand][-1] for operand in graph.outputs] == [None] * len(graph.outputs)
    assert list(graph.producers) == [value for node in graph.nodes for value in node.outputs]
    assert list(graph.order.items()) == [(node, position) for position, node in enumerate(graph.nodes)]
    assert graph.value_types == {value.type for value in (*graph.parameters, *graph.producers)}
    assert graph.ops == {node.op for node in graph.nodes}
    assert not graph.holders


def test_frozen_attributes_tell_values_apart() -> None:
    different = [0, 0.0, -0.0, False, None, "0", (0,), [0], np.zeros(1), np.zeros(1, int), float("nan"), dtypes.int32]
    different += [0j, complex(0, -0.0), complex(-0.0, 0)]
    assert len({freeze(value) for value in different}) == len(different)
    assert freeze(np.array([1.0, 2.0])) == freeze(np.array([1.0, 2.0]))
    assert freeze(float("nan")) == freeze(float("nan"))


def test_a_symbol_of_another_trace_is_refused() -> None:
    kept: list[Symbol] = []
    record("first", [F32], lambda x: kept.append(x * 2.0) or x)  # type: ignore[func-returns-value]
    with pytest.raises(LeakedSymbolError, match=r"traced tensor \(f32\[2, 3\]\) is used outside the trace"):
        record("second", [F32], lambda x: x + kept[0])


def test_numbers_take_the_dtype_of_the_first_operand_that_is_no_boolean() -> None:
    recorder = Recorder("numbers")
    with recorder:
        x = recorder.parameter(F32)
        mask = ops.less(x, 1)
        assert ops.select(mask, 0, x).dtype is dtypes.float32
        assert ops.logical_and(mask, True).dtype is dtypes.bool_
        with pytest.raises(TypeError, match="cannot use 'text' as an operand"):
            ops.add(x, "text")
    with pytest.raises(RuntimeError, match="outside a recorder"):
        ops.add(x, x)


def test_nodes_refuse_what_does_not_type() -> None:
    x, y = Value(F32), Value(TensorType(dtypes.int32, (2, 3)))
    with pytest.raises(TypeError, match="different dtypes, Float32 and Int32"):
        make_node(ops.add, (x, y))
    with pytest.raises(ValueError, match=r"shapes \(2, 3\) and \(4,\) cannot be broadcast"):
        make_node(ops.add, (x, Value(TensorType(dtypes.float32, (4,)))))


def test_a_graph_is_inlined_on_arguments_that_fit_only() -> None:
    graph = parse("graph f(%x: f32[4]) { %y: f32[4] = tanh(%x) return %y }", ops.OPS)
    for shape in ((2,), (4, 1), (None,)):
        with pytest.raises(TypeError, match=r"graph f takes %x: f32\[4\], but is given"):
            record("g", [TensorType(dtypes.float32, shape)], lambda x: ACTIVE.recorder.inline(graph, [x]))
    open_graph = parse("graph f(%x: f32[?]) { %y: f32[?] = tanh(%x) return %y }", ops.OPS)
    inlined = record("g", [TensorType(dtypes.float32, (4,))], lambda x: ACTIVE.recorder.inline(open_graph, [x]))
    assert inlined.types == (TensorType(dtypes.float32, (None,)),)


# Types

SIZES = st.lists(st.sampled_from([None, 0, 1, 2, 3]), max_size=4).map(tuple)


@given(SIZES)
def test_types_print_and_parse(shape: tuple[int | None, ...]) -> None:
    type = TensorType(dtypes.float16, shape)
    assert parse_type(str(type)) == type


def test_broadcasting_promises_what_numpy_does() -> None:
    """Whatever sizes the run brings for `?`: where NumPy broadcasts them, the shape is one that was promised."""

    @settings(max_examples=300)
    @given(st.lists(SIZES, min_size=1, max_size=3), st.data())
    def compare(shapes: list[tuple[int | None, ...]], data: st.DataObject) -> None:
        floor.case()
        actual = [tuple(data.draw(st.sampled_from([1, 2, 3])) if s is None else s for s in shape) for shape in shapes]
        try:
            expected = np.broadcast_shapes(*actual)
        except ValueError:
            return
        floor.check()
        promised = broadcast_shapes(*shapes)
        assert len(promised) == len(expected)
        assert all(p is None or p == e for p, e in zip(promised, expected, strict=True))
        if all(None not in shape for shape in shapes):
            assert promised == expected

    with Floor(0.2) as floor:
        compare()


def test_known_sizes_that_do_not_broadcast_are_an_error() -> None:
    with pytest.raises(ValueError, match=r"shapes \(2, \?\) and \(3, 1\) cannot be broadcast together"):
        broadcast_shapes((2, None), (3, 1))


def test_axes_are_counted_from_either_end() -> None:
    assert normalize_axis(-1, 3) == 2
    with pytest.raises(ValueError, match=r"axis should be in \[-2, 2\), but got 2"):
        normalize_axis(2, 2)


def test_sizes_of_types() -> None:
    type = TensorType(dtypes.float16, (2, 3))
    assert (type.rank, type.size, type.nbytes, type.is_static) == (2, 6, 12, True)
    unknown = type.with_shape((2, None)).with_dtype(dtypes.int8)
    assert str(unknown) == "i8[2, ?]"
    assert not unknown.is_static
    with pytest.raises(ValueError, match=r"the shape of i8\[2, \?\] is only known at run time"):
        _ = unknown.size
