"""Graphs and attributes that the verifier refuses."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from graphs import LAYER

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, Node, copy_graph
from mycel.compiler.ir.op import Op
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.types import (
    TensorType,
)
from mycel.compiler.ir.values import IRError, Literal, Value
from mycel.compiler.ir.verifier import check_type, verify
from mycel.compiler.transforms.symbolic import record
from mycel.runtime import dtypes

F32 = TensorType(dtypes.float32, (2, 3))


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
