"""Kernels compute cheap values again, where that takes less memory and reads no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from drawn_graphs import FEW, Case, assert_same, cases
from hypothesis import given

import mycel as ms
from mycel import Tensor, ops as tensors
from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, Node
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.verifier import verify
from mycel.compiler.kernels import eligible
from mycel.compiler.passes import rematerialize as remat
from mycel.compiler.pipeline import Options, compile_graph

pytestmark = pytest.mark.skipif(not eligible.is_available(), reason="no machine code here")

NORM = """
graph f(%x: f32[64, 64], %d: f32[64, 64]) {
  %m: f32[64, 1], %s: f32[64, 64], %n: f32[64, 64], %y: f32[64, 64] = kernel(%x) {
    body = graph block(%x: f32[64, 64]) {
      %m: f32[64, 1] = max(%x, axis=(1,), keepdims=True)
      %s: f32[64, 64] = subtract(%x, %m)
      %n: f32[64, 64] = multiply(%s, %m)
      %y: f32[64, 64] = exp(%n)
      return %m, %s, %n, %y
    }
  }
  %p: f32[64, 64] = matmul(%y, %d)
  %z: f32[64, 64] = kernel(%p, %m, %s, %n) {
    body = graph block(%p: f32[64, 64], %m: f32[64, 1], %s: f32[64, 64], %n: f32[64, 64]) {
      %a: f32[64, 64] = multiply(%p, %m)
      %b: f32[64, 64] = add(%a, %s)
      %z: f32[64, 64] = multiply(%b, %n)
      return %z
    }
  }
  return %z
}
"""

MASK = """
graph f(%x: f32[64, 64], %d: f32[64, 64]) {
  %c: f32[64, 64], %y: f32[64, 64] = kernel(%x, %d) {
    body = graph block(%x: f32[64, 64], %d: f32[64, 64]) {
      %g: bool[64, 64] = greater(%x, %d)
      %c: f32[64, 64] = cast(%g, dtype=f32)
      %e: f32[64, 64] = exp(%x)
      %y: f32[64, 64] = multiply(%c, %e)
      return %c, %y
    }
  }
  %p: f32[64, 64] = matmul(%y, %d)
  %z: f32[64, 64] = kernel(%p, %c) {
    body = graph block(%p: f32[64, 64], %c: f32[64, 64]) {
      %z: f32[64, 64] = multiply(%p, %c)
      return %z
    }
  }
  return %z
}
"""


def stored(graph: Graph) -> list[list[tuple[int, ...]]]:
    """The shapes of what each kernel stores."""
    return [[value.type.static_shape for value in node.outputs] for node in graph.nodes if node.op is ops.kernel]


def arrays_of(graph: Graph) -> list[np.ndarray]:
    random = np.random.default_rng(3)
    return [random.uniform(-1, 1, each.type.static_shape).astype(np.float32) for each in graph.parameters]


def changed(text: str) -> Graph:
    """The graph after the pass, which must compute the same."""
    graph = parse(text, ops.OPS)
    new = remat.rematerialize(graph)
    verify(new)
    arrays = arrays_of(graph)
    for found, wanted in zip(interpret(new, arrays), interpret(graph, arrays), strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert remat.rematerialize(new) is new, "a second run changes nothing"
    bodies = [node.attrs["body"] for node in new.nodes if node.op is ops.kernel]
    made = [value for body in bodies for node in body.nodes for value in node.outputs]
    assert len(made) == len(set(made)), "kernels may become part of one graph"
    return new


def test_values_next_to_what_is_read() -> None:
    """The quotient comes from the difference, and that from x, which lives as long as the program."""
    assert stored(changed(NORM)) == [[(64, 1), (64, 64)], [(64, 64)]]


def test_masks_are_stored_as_bools() -> None:
    """Two floats would be read in place of one; a bool is a fourth of one."""
    new = changed(MASK)
    assert [str(value.type) for value in new.nodes[0].outputs] == ["f32[64, 64]", "bool[64, 64]"]
    assert "cast" in str(new.nodes[-1].attrs["body"])


RESULT = NORM.rstrip().removesuffix("return %z\n}") + "return %z, %n\n}\n"
COSTLY = NORM.replace("multiply(%s, %m)", "tanh(%s)")
SMALL = NORM.replace("64, 64", "32, 32").replace("64, 1", "32, 1")


@pytest.mark.parametrize("text", [RESULT, COSTLY, SMALL])
def test_what_stays(text: str) -> None:
    """Results, what is not cheap, and small values."""
    assert "n" in [value.name for value in changed(text).nodes[0].outputs]


def test_updates_stay() -> None:
    """The kernel of an update reads no more of what it writes to."""
    graph = parse(NORM, ops.OPS)
    given = replace(graph, donated={0: 0})
    assert remat.rematerialize(given) is given


def test_what_machine_code_has_no_form_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a kernel that comes out has none, each one on the way is looked at, and left if it has none."""
    graph = parse(NORM, ops.OPS)
    asked: list[int] = []

    def fits(node: Node) -> bool:
        asked.append(len(node.outputs))
        return len(node.outputs) != 2  # as the first kernel would have in the end

    monkeypatch.setattr(remat, "fits", fits)
    assert stored(verify(remat.rematerialize(graph))) == [[(64, 1), (64, 64), (64, 64)], [(64, 64)]]
    assert len(asked) > 2
    monkeypatch.setattr(remat, "fits", lambda node: False)
    assert remat.rematerialize(graph) is graph


@FEW
@given(cases())
def test_random_graphs(case: Case) -> None:
    """Programs in which all that can be is computed again agree with the interpreter."""
    before, remat.SMALLEST = remat.SMALLEST, 1
    try:
        expected = interpret(case.graph, case.arrays)
        compiled: Any = compile_graph(case.graph, name="drawn", options=Options(debug=True))
        assert_same(compiled.run(*case.arrays), expected)
    finally:
        remat.SMALLEST = before


def test_equal_steps_share_a_kernel() -> None:
    """What a kernel computes again stands where it is read first: a kernel that had it from the start is equal."""

    def f(u: Any, speed: Any) -> Any:
        for _ in range(4):
            left, right = u - tensors.roll(u, 1, 0), tensors.roll(u, -1, 0) - u
            u = u - 0.1 * (tensors.relu(speed) * left - tensors.relu(-speed) * right)
        return u

    x, speed = (Tensor(np.linspace(-1, 1, 1 << 14, dtype=np.float32)) for _ in range(2))
    function = ms.jit(f)
    np.testing.assert_allclose(function(x, speed).asnumpy(), f(x, speed).asnumpy(), rtol=1e-5, atol=1e-6)
    program = function.stages(x, speed).program
    assert (program.count("= compile_kernel('''"), program.count("        kernel(")) == (1, 4)


def test_what_comes_with_several_values_is_computed_once() -> None:
    x = Tensor(np.random.default_rng(0).standard_normal(70001, np.float32))  # whose sum other kernels compute
    function = ms.jit(ms.value_and_grad(lambda x: ((x * (x > 0.5)) ** 2).sum()))
    value, slope = function(x)
    chosen = np.where(x.asnumpy() > 0.5, x.asnumpy(), 0)
    np.testing.assert_allclose(value.asnumpy(), (chosen**2).sum(), 1e-5)
    np.testing.assert_allclose(slope.asnumpy(), 2 * chosen, 1e-5)
    text = function.stages(x).program
    assert text.count("= greater(") == text.count("= cast(") == 1
