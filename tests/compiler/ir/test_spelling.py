"""Values in a program's text are numbers, quoted strings and names, and nothing else."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from graphs import graphs
from hypothesis import example, given, strategies as st
from searches import few

from mycel.compiler import ops
from mycel.compiler.codegen.emitter import emit
from mycel.compiler.codegen.python_code import (
    assign,
    call_code,
    function_code,
    method_code,
    name_code,
    print_code,
    value_code,
)
from mycel.compiler.ir.graph import Graph, make_node
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.spelling import (
    SpellingError,
    block_text,
    identifier,
    is_plain,
    numpy_name,
    spell,
)
from mycel.compiler.memory.planner import make_plan
from mycel.compiler.pipeline import Options, compile_graph
from mycel.runtime import dtypes

ATTACKS = ("x; import os", "__import__('os').system('true')", "a b", "", "1a", "x\ny", "x)", "lambda", "x#", "'''")


class Odd(int):
    """A number whose text is code."""

    def __repr__(self) -> str:
        return "__import__('os')"


class Shape(tuple):  # type: ignore[type-arg]
    """A shape whose text is code."""

    def __repr__(self) -> str:
        return "__import__('os')"


PLAIN = st.recursive(
    st.one_of(st.integers(), st.floats(), st.booleans(), st.none(), st.text(), st.complex_numbers()),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=8,
)


@given(PLAIN)
@example(complex(0.0, -0.0))
@example(complex(-0.0, 1.0))
@example(complex(0.0, -1.0))
@example((complex(1.0, -0.0), -0.0))
def test_values_are_written_so_that_they_come_back(value: Any) -> None:
    text = spell(value)
    assert repr(eval(text, {"float": float, "complex": complex, "__builtins__": {}})) == repr(value)
    assert repr(eval(print_code(value_code(value)), {"float": float, "complex": complex})) == repr(value)
    assert is_plain(value) == ("float(" not in text and "complex(" not in text and "j" not in text) or "'" in text


@pytest.mark.parametrize(
    "value",
    [Odd(3), (1, Odd(3)), Shape((1, 2)), np.float64(1.0), np.int64(1), [1], {1}, print, object(), slice(1), b"x"],
    ids=lambda value: type(value).__name__,
)
def test_other_values_are_never_written(value: Any) -> None:
    assert not is_plain(value)
    for write in (spell, value_code):
        with pytest.raises(SpellingError, match="cannot be written into a program"):
            write(value)


@pytest.mark.parametrize("text", ATTACKS)
def test_a_name_is_a_name(text: str) -> None:
    writers = (
        identifier,
        name_code,
        lambda name: assign(name, value_code(1)),
        lambda name: call_code("f", name),
        lambda name: call_code(name),
        lambda name: call_code("f", **{name: value_code(1)}),
        lambda name: method_code("x", name),
        lambda name: function_code(name, [], []),
        lambda name: function_code("f", [name], []),
        lambda name: numpy_name(f"np.{name}"),
    )
    for write in writers:
        with pytest.raises(SpellingError):
            write(text)  # type: ignore[no-untyped-call]
    with pytest.raises(SpellingError):
        numpy_name("np.add.__class__")
    assert numpy_name("np.add.reduce") == "np.add.reduce"


@given(st.text())
def test_lines_of_text_are_one_string(text: str) -> None:
    assert ast.literal_eval(block_text(text)) == f"\n{text}\n"


def test_text_that_is_no_shape_is_not_run() -> None:
    """Even where nothing has checked the attributes: the emitter itself writes no such text."""
    typed = make_node(ops.full, (), {"shape": (2, 3), "value": 1.0, "dtype": dtypes.float32})
    attack = "np.ones((2, 3)) * print('run')"
    for changed in ({"shape": attack}, {"value": Odd(3)}, {"shape": (2, Odd(3))}, {"shape": Shape((2, 3))}):
        node = replace(typed, attrs={**typed.attrs, **changed})
        graph = Graph("f", (), (node,), node.outputs)
        try:
            source = emit(make_plan(graph), "f").source
        except (SpellingError, TypeError):
            continue
        assert "print" not in source
        assert "__import__" not in source


# What programs are made of: every name is bound in the program or one of these.

OUTSIDE = {"np", "arena", "constants", "kernels", "range", "int", "float", "complex", "zip"}
METHODS = {
    "array",
    "arrays",
    "reshape",
    "view",
    "copy",
    "T",
    "transpose",
    "dot",
    "append",
    "push",
    "finish",
    "store",
    "load",
}


def check_source(source: str) -> None:
    """Raise AssertionError where a program's text holds more than assignments, calls, loops and tests of its names."""
    tree = ast.parse(source)
    known = set(OUTSIDE)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            known.add(node.id)
        elif isinstance(node, ast.FunctionDef):
            known |= {node.name, *[argument.arg for argument in node.args.args]}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            assert node.id in known, node.id
        elif isinstance(node, ast.Attribute):
            leads_to_numpy = ast.unparse(node).startswith("np.")
            assert leads_to_numpy or node.attr in METHODS | {"shape"}, ast.unparse(node)
            assert not node.attr.startswith("_")
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            assert ast.unparse(node) == "import numpy as np"
        assert not isinstance(
            node, (ast.Lambda, ast.ClassDef, ast.Global, ast.Await, ast.Yield, ast.NamedExpr, ast.JoinedStr, ast.With)
        )


@few(25)
@given(graphs())
def test_programs_hold_nothing_else(case: tuple[Graph, list[np.ndarray]]) -> None:
    graph, _ = case
    check_source(compile_graph(graph, name="drawn").source)
    check_source(emit(make_plan(graph), "plain").source)


HOSTILE = """graph f(%arena: f32[300, 40], %np: f32[300, 40], %start: f32[40], %stop: f32[], %more: f32[300, 40]) {
  %range: f32[300, 40] = add(%arena, %np)
  %int: f32[300, 40] = exp(%range)
  %kernels: f32[300, 40] = multiply(%int, %start)
  %constants: f32[300, 40] = add(%kernels, %stop)
  %float: f32[300, 40] = multiply(%constants, %more)
  %complex: f32[300] = sum(%float, axis=(1,), keepdims=False)
  %bind: f32[300] = tanh(%complex)
  %lambda: f32[300, 1] = reshape(%bind, shape=(300, 1))
  %print: f32[300, 40] = divide(%float, %lambda)
  return %print, %bind
}"""


@pytest.mark.parametrize("disabled", [(), ("kernels",), ("kernels", "fuse")])
def test_names_that_mean_something_in_programs(disabled: tuple[str, ...]) -> None:

    graph = parse(HOSTILE, ops.OPS)
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=value.type.static_shape).astype(np.float32) for value in graph.parameters]
    compiled = compile_graph(graph, name="range", options=Options(frozenset(disabled), debug=True))
    check_source(compiled.source)
    for found, expected in zip(compiled.run(*arrays), interpret(graph, arrays), strict=True):
        np.testing.assert_allclose(found, expected, rtol=2e-5, atol=1e-5)
