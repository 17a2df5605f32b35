"""Graphs as text and back, errors of the parser, and graphs that the verifier refuses."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from case_floors import Floor
from gradcheck import assert_round_trip
from graphs import graphs
from hypothesis import given, settings, strategies as st

from mycel.compiler import ops
from mycel.compiler.cache.structural_hash import structural_hash
from mycel.compiler.ir.equality import same_structure
from mycel.compiler.ir.graph import (
    Graph,
    Node,
    check_type,
    copy_graph,
    freeze,
    make_node,
    substitute,
    uses,
    verify,
    walk,
)
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.op import ACTIVE, Op
from mycel.compiler.ir.parser import Parser, parse
from mycel.compiler.ir.printer import print_graph, show_attr, show_literal
from mycel.compiler.ir.types import (
    TensorType,
    broadcast_shapes,
    normalize_axis,
    parse_type,
)
from mycel.compiler.ir.values import IRError, Literal, Location, Value, literal
from mycel.compiler.passes.cse import structure
from mycel.compiler.transforms.symbolic import LeakedSymbolError, Recorder, Symbol, record
from mycel.runtime import dtypes

F32 = TensorType(dtypes.float32, (2, 3))
LAYER = """\
graph layer(%x: f32[8, 4], %w: f32[4, 3], %b: f32[3]) {
  %t3: f32[8, 3] = matmul(%x, %w)                             # net.py:7
  %t4: f32[8, 3] = add(%t3, %b)
  %y: f32[8, 3] = maximum(%t4, 0.0)
  %total: f32[3] = sum(%y, axis=(0,), keepdims=False)
  return %y, %total, 2:i32
}"""


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
    assert structure(graph) == structure(copy_graph(graph)) != structure(other)
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


# The verifier


def changed(change: Callable[[Graph], Graph]) -> Graph:
    """The layer, changed."""
    return change(parse(LAYER, ops.OPS))


def with_node(graph: Graph, position: int, node: Node) -> Graph:
    """The graph with another node at a position."""
    nodes = list(graph.nodes)
    nodes[position] = node
    return replace(graph, nodes=tuple(nodes))


def cond_graph(branch: Graph) -> Graph:
    """A graph of a cond with this branch twice; types are taken from it unchecked."""
    pred, x = Value(TensorType(dtypes.bool_, ()), "p"), Value(F32, "x")
    outputs = tuple(Value(type) for type in branch.types)
    node = Node(ops.cond, (pred, x), outputs, {"then": branch, "orelse": copy_graph(branch)}, None)
    return Graph("outer", (pred, x), (node,), outputs)


def branch_that_reads_outside() -> Graph:
    """A branch that reads a value that is none of its own."""
    x, outside = Value(F32, "x"), Value(F32, "outside")
    return Graph("branch", (x,), (), (outside,))


MALFORMED: dict[str, tuple[Callable[[], Graph], str]] = {
    "read before defined": (
        lambda: changed(lambda g: replace(g, nodes=g.nodes[::-1])),
        "reads %y: f32[8, 3] before it is defined",
    ),
    "parameter missing": (
        lambda: changed(lambda g: replace(g, parameters=g.parameters[1:])),
        "reads %x: f32[8, 4] before it is defined",
    ),
    "output undefined": (
        lambda: changed(lambda g: replace(g, outputs=(Value(F32, "y"),))),
        "the outputs of graph layer reads %y: f32[2, 3] before it is defined",
    ),
    "defined twice": (
        lambda: changed(lambda g: replace(g, nodes=(*g.nodes, g.nodes[0]))),
        "%t3: f32[8, 3] is defined twice",
    ),
    "parameter twice": (
        lambda: changed(lambda g: replace(g, parameters=(*g.parameters, g.parameters[0]))),
        "%x: f32[8, 4] is defined twice",
    ),
    "wrong type": (
        lambda: changed(lambda g: with_node(g, 0, replace(g.nodes[0], outputs=(Value(F32, "t3"),)))),
        "should have type f32[8, 3]",
    ),
    "wrong number of outputs": (
        lambda: changed(lambda g: with_node(g, 3, replace(g.nodes[3], outputs=()))),
        "should have type f32[3]",
    ),
    "inputs that do not fit": (
        lambda: changed(lambda g: with_node(g, 0, g.nodes[0].with_inputs(g.nodes[0].inputs[::-1]))),
        "inner dimensions differ",
    ),
    "too few inputs": (
        lambda: changed(lambda g: with_node(g, 0, g.nodes[0].with_inputs(g.nodes[0].inputs[:1]))),
        "does not type",
    ),
    "attribute missing": (
        lambda: changed(lambda g: with_node(g, 3, replace(g.nodes[3], attrs={"axis": (0,)}))),
        "does not type",
    ),
    "an operand that is no value": (
        lambda: changed(lambda g: replace(g, outputs=(1.0,))),  # type: ignore[arg-type]
        "has an operand that is no value: 1.0",
    ),
    "a literal with a shape": (
        lambda: changed(lambda g: replace(g, outputs=(Literal(1.0, F32),))),
        "has a malformed literal",
    ),
    "a literal that is no number": (
        lambda: changed(lambda g: replace(g, outputs=(Literal("1", TensorType(dtypes.float32, ())),))),  # type: ignore[arg-type]
        "has a malformed literal",
    ),
    "sub-graph": (lambda: cond_graph(branch_that_reads_outside()), "reads %outside: f32[2, 3] before it is defined"),
    "branches of other types": (
        lambda: cond_graph(parse("graph b(%x: f32[2]) {\n return %x\n}", ops.OPS)),
        "takes (f32[2]), but is given (f32[2, 3])",
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_verifier_refuses(name: str) -> None:
    make, message = MALFORMED[name]
    with pytest.raises(IRError) as caught:
        verify(make())
    assert message in str(caught.value)


def test_verifier_shows_the_graph() -> None:
    with pytest.raises(IRError, match=r"graph layer\(%x: f32\[8, 4\]"):
        verify(changed(lambda g: replace(g, outputs=(Value(F32, "y"),))))


def test_verifier_checks_a_node_once_and_its_place_in_each_graph() -> None:
    graph, checked = parse(LAYER, ops.OPS), set[Node]()
    verify(graph, checked)
    assert checked == set(graph.nodes)
    for misplaced in (graph.nodes[::-1], (*graph.nodes, graph.nodes[0])):
        with pytest.raises(IRError, match=r"before it is defined|is defined twice"):
            verify(replace(graph, nodes=misplaced), checked)
    wrong = replace(graph.nodes[-1], attrs={"none": 1})
    for _ in range(2):
        with pytest.raises(IRError, match="does not type"):
            verify(with_node(graph, len(graph.nodes) - 1, wrong), checked)
    verify(with_node(graph, len(graph.nodes) - 1, wrong), {*checked, wrong})  # it is not checked again


# Tools


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


def test_frozen_attributes_tell_values_apart() -> None:
    different = [0, 0.0, -0.0, False, None, "0", (0,), [0], np.zeros(1), np.zeros(1, int), float("nan"), dtypes.int32]
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


# Attributes


@pytest.mark.parametrize("op", ops.OPS.values(), ids=lambda op: op.name)
def test_ops_declare_their_attributes(op: Op) -> None:
    """Samples have the declared attributes; undeclared ones, and values of another kind, are refused."""
    for sample in op.samples() if op.samples is not None else ():
        op.check_attrs(sample.attrs)
        with pytest.raises(TypeError, match="there is no attribute 'nosuch'"):
            op.check_attrs({**sample.attrs, "nosuch": 1})
        for name, kind in op.attrs.items():
            for wrong in (object(), [1], b"1", np.int64(1), 1 << 70, (object(),)):
                with pytest.raises(TypeError, match=f"{op.name}: the attribute '{name}' should be "):
                    op.check_attrs({**sample.attrs, name: wrong})
            if kind.required:
                with pytest.raises(TypeError, match=f"the attribute '{name}' is missing"):
                    op.check_attrs({key: value for key, value in sample.attrs.items() if key != name})
            else:
                op.check_attrs({key: value for key, value in sample.attrs.items() if key != name})
    taken = {
        parameter.name
        for parameter in inspect.signature(op.infer).parameters.values()
        if parameter.kind == parameter.KEYWORD_ONLY
    }
    assert taken <= set(op.attrs)


def test_the_verifier_checks_attributes_of_inner_graphs() -> None:
    def with_attrs(graph: Graph, **attrs: Any) -> Graph:
        (node,) = graph.nodes
        return replace(graph, nodes=(replace(node, attrs={**node.attrs, **attrs}),))

    text = "graph f(%x: f32[2, 3]) { %y: f32[3] = sum(%x, axis=(0,), keepdims=False) return %y }"
    inner = parse(text, ops.OPS)
    types = tuple(value.type for value in inner.parameters)
    for changed, message in (
        (with_attrs(inner, axis=0), "'axis' should be a tuple of integers"),
        (with_attrs(inner, keepdims=0), "'keepdims' should be True or False"),
        (with_attrs(inner, axes=(0,)), "there is no attribute 'axes'; it has axis, keepdims"),
    ):
        outer = record("g", types, lambda x, body=changed: ops.recomputed(x, body=body))
        with pytest.raises(IRError, match=message):
            verify(outer)
    verify(record("g", types, lambda x: ops.recomputed(x, body=inner)))


def test_sizes_are_those_that_arrays_can_have() -> None:
    for shape in ((-1,), (1,) * 65, (1 << 40, 1 << 40), (1 << 50, 0), (True, 2.5)):
        with pytest.raises(ValueError, match=r"larger than any array|no whole number"):
            check_type(TensorType(dtypes.float32, shape))  # type: ignore[arg-type]
    check_type(TensorType(dtypes.float32, (1 << 40, None, 0)))


def test_a_graph_is_inlined_on_arguments_that_fit_only() -> None:
    graph = parse("graph f(%x: f32[4]) { %y: f32[4] = tanh(%x) return %y }", ops.OPS)
    for shape in ((2,), (4, 1), (None,)):
        with pytest.raises(TypeError, match=r"graph f takes %x: f32\[4\], but is given"):
            record("g", [TensorType(dtypes.float32, shape)], lambda x: ACTIVE.recorder.inline(graph, [x]))
    open_graph = parse("graph f(%x: f32[?]) { %y: f32[?] = tanh(%x) return %y }", ops.OPS)
    inlined = record("g", [TensorType(dtypes.float32, (4,))], lambda x: ACTIVE.recorder.inline(open_graph, [x]))
    assert inlined.types == (TensorType(dtypes.float32, (None,)),)
