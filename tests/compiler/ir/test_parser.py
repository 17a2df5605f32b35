"""Graphs as text and back, and errors of the parser."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gradcheck import assert_round_trip
from graphs import LAYER, graphs
from hypothesis import given, strategies as st

from mycel.compiler import ops
from mycel.compiler.cache.structural_hash import structural_hash
from mycel.compiler.ir.equality import same_structure
from mycel.compiler.ir.graph import Graph, copy_graph, freeze, walk
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import Parser, parse
from mycel.compiler.ir.printer import print_graph, show_attr, show_literal
from mycel.compiler.ir.types import (
    TensorType,
    parse_type,
)
from mycel.compiler.ir.values import IRError, Location, Value, literal
from mycel.compiler.ir.verifier import verify
from mycel.compiler.transforms.symbolic import Recorder
from mycel.runtime import dtypes

F32 = TensorType(dtypes.float32, (2, 3))


# Text


def test_text_of_a_layer() -> None:
    graph = verify(parse(LAYER, ops.OPS))
    assert print_graph(graph) == LAYER
    assert str(graph) == LAYER
    assert graph.nodes[0].location == Location("net.py", 7)
    assert graph.outputs[2] == literal(2, dtypes.int32)
    x, w, b = np.ones((8, 4), np.float32), np.ones((4, 3), np.float32), np.array([-9.0, 0.0, 1.0], np.float32)
    y, total, two = interpret(graph, [x, w, b])
    assert y[0].tolist() == [0, 4, 5]
    assert total.tolist() == [0, 32, 40]
    assert two == 2


@given(graphs())
def test_random_graphs_print_and_parse(case: tuple[Graph, list[np.ndarray]]) -> None:
    graph, arguments = case
    assert_round_trip(graph)
    again = verify(parse(print_graph(graph), ops.OPS))
    for got, expected in zip(interpret(again, arguments), interpret(graph, arguments), strict=True):
        np.testing.assert_array_equal(got, expected)
        assert got.dtype == expected.dtype


SCALARS = st.one_of(
    st.integers(-(2**62), 2**62),
    st.floats(),
    st.booleans(),
    st.none(),
    st.text(),
    st.sampled_from([dtype for dtype in dtypes.ALL if dtype is not dtypes.bfloat16]),
    st.complex_numbers(),
)
ARRAYS = st.builds(
    lambda values, dtype: np.array(values).astype(dtype.np),
    st.lists(st.integers(0, 100), max_size=30),
    st.sampled_from([dtypes.float32, dtypes.float16, dtypes.int8, dtypes.bool_, dtypes.complex64]),
)


@given(st.recursive(SCALARS | ARRAYS, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=6))
def test_attributes_print_and_parse(value: Any) -> None:
    parser = Parser(show_attr(value), ops.OPS)
    assert repr(freeze(parser.attr())) == repr(freeze(value))
    assert parser.done


def test_arrays_keep_special_numbers_and_shapes() -> None:
    for array in (
        np.array([[np.nan, -np.inf], [-0.0, 1e-40]], np.float32),
        np.zeros((0, 3)),
        np.array(5, np.int8),
        np.arange(40.0).reshape(2, 20),
        np.array([1 + 2j, complex(np.nan, -np.inf)]),
    ):
        again = Parser(show_attr(array), ops.OPS).attr()
        assert again.dtype == array.dtype
        assert again.shape == array.shape
        np.testing.assert_array_equal(again, array)


@pytest.mark.parametrize(
    ("value", "dtype", "text"),
    [
        (1, dtypes.float32, "1.0"),
        (2, dtypes.int64, "2"),
        (0, dtypes.bool_, "False"),
        (2, dtypes.int32, "2:i32"),
        (0.1, dtypes.float64, "0.1:f64"),
        (float("inf"), dtypes.float32, "inf"),
        (-0.0, dtypes.float32, "-0.0"),
        (1 + 2j, dtypes.complex64, "complex(1.0, 2.0):c64"),
        (300, dtypes.int8, "44:i8"),
        (-1, dtypes.uint8, "255:u8"),
        (2.9, dtypes.int64, "2"),
        (np.float32(0.5), dtypes.float32, "0.5"),
    ],
)
def test_literals(value: Any, dtype: Any, text: str) -> None:
    made = literal(value, dtype)
    assert show_literal(made) == text
    assert made.array.dtype == dtype.np
    assert Parser(text, ops.OPS).operand({}) == made


def test_literals_are_equal_as_they_print() -> None:
    nan, zero = literal(float("nan"), dtypes.float32), literal(0.0, dtypes.float32)
    assert nan == literal(float("nan"), dtypes.float32)
    assert zero != literal(-0.0, dtypes.float32)
    assert zero != literal(0.0, dtypes.float64)
    assert len({zero, literal(0, dtypes.float32), nan}) == 2


def test_names_are_made_unique_and_readable() -> None:
    recorder = Recorder("names")
    with recorder:
        first = recorder.parameter(F32, "self.w")
        second = recorder.parameter(F32, "self.w")
        third = recorder.parameter(F32, "3rd")
        graph = recorder.finish([first + second + third])
    assert print_graph(graph).splitlines()[0] == (
        "graph names(%self_w: f32[2, 3], %self_w_1: f32[2, 3], %v3rd: f32[2, 3]) {"
    )
    assert_round_trip(graph)


def test_notes_are_comments() -> None:
    graph = replace(parse(LAYER, ops.OPS), notes={"source": "net.py"})
    assert print_graph(graph).startswith("# source: net.py\ngraph layer(")
    assert print_graph(parse(print_graph(graph), ops.OPS)) == LAYER


DONATED = """graph step(%x: f32[3], %p: f32[3], %q: f32[3]) {
  %t0: f32[3] = add(%p, %x)
  return %x, %t0 into %q, %p into %p
}"""


def test_donated_outputs_are_part_of_the_graph() -> None:
    """They print and parse, are kept by copies, and tell structures apart."""
    graph = verify(parse(DONATED, ops.OPS))
    assert graph.donated == {1: 2, 2: 1}
    assert print_graph(graph) == DONATED == print_graph(copy_graph(graph))
    other = replace(graph, donated={1: 2})
    assert same_structure(graph, copy_graph(graph))
    assert not same_structure(graph, other)
    assert graph.structure == copy_graph(graph).structure != other.structure
    assert structural_hash(graph) == structural_hash(copy_graph(graph)) != structural_hash(other)


@pytest.mark.parametrize(
    ("donated", "message"),
    [
        ({0: 3}, "no parameter 3"),
        ({3: 0}, "no output 3"),
        ({-1: 0}, "no output -1"),
        ({0: 1, 1: 1}, "two outputs cannot be written to one parameter"),
        ({0: 0}, r"of type f32\[3\] cannot be written to parameter 0 of type f32\[4\]"),
    ],
)
def test_the_verifier_checks_donated_outputs(donated: dict[int, int], message: str) -> None:
    graph = replace(parse(DONATED, ops.OPS), donated=donated)
    if donated == {0: 0}:
        graph = replace(graph, parameters=(Value(parse_type("f32[4]"), "x"), *graph.parameters[1:]))
        graph = replace(graph, outputs=(graph.nodes[0].output, *graph.outputs[1:]))
    with pytest.raises(IRError, match=message):
        verify(graph)


@pytest.mark.parametrize("target", ["%t0", "2.0", "%p"])
def test_the_parser_refuses_donated_outputs(target: str) -> None:
    """Of no parameter, and two of one."""
    with pytest.raises(IRError, match=r"line [34]: (two outputs|an output is written into a parameter)"):
        parse(DONATED.replace("%t0 into %q", f"%t0 into {target}"), ops.OPS)


def test_only_a_whole_program_has_donated_outputs() -> None:
    branch = "graph side(%a: f32[3]) { return %a into %a }"
    node = f"%y: f32[3] = cond(%p, %x) {{ then = {branch} orelse = {branch} }}"
    text = f"graph f(%p: bool[], %x: f32[3]) {{ {node} return %y }}"
    with pytest.raises(IRError, match="within another"):
        parse(text, ops.OPS)
    graph = parse(text.replace(" into %a", ""), ops.OPS)
    (cond,) = graph.nodes
    attrs = {name: replace(inner, donated={0: 0}) for name, inner in cond.blocks.items()}
    with pytest.raises(IRError, match="only a whole program"):
        verify(replace(graph, nodes=(replace(cond, attrs=attrs),)))


def test_sub_graphs_are_indented_blocks() -> None:
    text = """\
graph outer(%p: bool[], %x: f32[2]) {
  %t2: f32[2] = cond(%p, %x) {                                # a.py:3
    then = graph then(%x: f32[2]) {
      %t1: f32[2] = negative(%x)
      return %t1
    }
    orelse = graph orelse(%x: f32[2]) {
      return %x
    }
  }
  return %t2
}"""
    graph = verify(parse(text, ops.OPS))
    assert print_graph(graph) == text
    assert graph.count_nodes() == 2
    assert [node.op.name for node in walk(graph)] == ["cond", "negative"]
    assert graph.nodes[0].location == Location("a.py", 3)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("matmul(%x, %w)", "matmul(%x, %nothing)", "line 2: %nothing is read before it is defined"),
        ("add(%t3, %b)", "plus(%t3, %b)", "line 3: there is no op named 'plus'"),
        ("%t4: f32[8, 3] =", "%t3: f32[8, 3] =", "line 3: %t3 is defined twice"),
        ("%w: f32[4, 3]", "%x: f32[4, 3]", "line 1: %x is defined twice"),
        ("%w: f32[4, 3]", "w: f32[4, 3]", "line 1: expected a value such as %x, found 'w'"),
        ("%y: f32[8, 3]", "%y: f31[8, 3]", "line 4: 'f31[8,3]' is no type"),
        ("%y: f32[8, 3]", "%y: f32[8, x]", "line 4: 'f32[8,x]' is no type"),
        ("axis=(0,)", "axis=zero", "line 5: unknown attribute value 'zero'"),
        ("axis=(0,)", "axis=&", "line 5: cannot read '&, keepdims=False)"),
        ("  return %y, %total, 2:i32", "  return %y, 2:zz", "line 6: unknown attribute value 'zz'"),
        ("  return %y, %total, 2:i32", "  return %y, 2:3", "line 6: expected an element type such as f32, found 3"),
        ("add(%t3, %b)", "add(%t3, 'b')", "line 3: expected a value such as %x or a number, found 'b'"),
        ("graph layer", "grap layer", "line 1: expected 'graph', found 'grap'"),
        (") {\n", ")\n", "line 2: expected '{', found '%t3'"),
        ("2:i32\n}", "2:i32\n} graph", "line 7: text after the end of the graph: 'graph'"),
    ],
)
def test_errors_of_the_parser_name_the_line(old: str, new: str, message: str) -> None:
    assert old in LAYER
    with pytest.raises(IRError) as caught:
        parse(LAYER.replace(old, new, 1), ops.OPS)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("end", range(1, len(LAYER) - 1, 7))
def test_a_text_that_ends_early_is_an_error(end: int) -> None:
    with pytest.raises(IRError, match=r"^line \d+: "):
        parse(LAYER[:end], ops.OPS)
