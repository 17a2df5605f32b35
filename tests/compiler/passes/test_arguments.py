"""Large arguments that updates read: compared with the Parameters that are written, and copied where they are views."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn, ops as functions
from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.passes.arguments import LEAST, separate_arguments
from mycel.compiler.pipeline import Options, compile_graph

SIZE = 4 * LEAST
TEXT = f"""graph f(%g: f32[{SIZE}], %p: f32[{SIZE}], %q: f32[{SIZE}]) {{
  %a: f32[{SIZE}] = multiply(%g, 0.5)
  %b: f32[{SIZE}] = add(%q, %a)
  %c: f32[{SIZE}] = multiply(%g, %b)
  %d: f32[{SIZE}] = subtract(%p, %c)
  return %b into %q, %d into %p
}}"""


def _graph(text: str = TEXT) -> Graph:
    """The graph, which writes its results to its last two parameters."""
    return parse(text, ops.OPS)


def _numbers() -> list[np.ndarray]:
    random = np.random.default_rng(1)
    return [random.normal(size=SIZE).astype(np.float32) for _ in range(3)]


def test_updates_read_the_argument_in_place() -> None:
    """Nothing that depends on the argument is computed before the updates."""
    graph = separate_arguments(_graph())
    assert [node.op.name for node in graph.nodes].count("apart") == 1
    assert separate_arguments(graph) is graph
    compiled = compile_graph(_graph(), name="f", options=Options(debug=True))
    assert "multiply" not in compiled.source.partition("commit(")[0].partition("def f(")[2]


def test_small_arguments_stay() -> None:
    """To look at addresses takes longer than to compute a few numbers."""
    graph = _graph(TEXT.replace(str(SIZE), str(LEAST)))
    assert separate_arguments(graph) is graph


@pytest.mark.parametrize("off", [(), ("kernels",), ("arguments",)], ids=["all", "no kernels", "without"])
@pytest.mark.parametrize("case", ["apart", "p", "q", "backwards", "shifted", "gaps"])
def test_views_of_parameters(case: str, off: tuple[str, ...]) -> None:
    """An argument may be a Parameter, or overlap one; results are those of arrays of their own."""
    compiled = compile_graph(_graph(), name="f", options=Options(frozenset(off)))
    for _ in range(2):
        _, p, q = _numbers()
        memory = np.empty(2 * SIZE, np.float32)
        memory[: SIZE + 7] = np.random.default_rng(3).normal(size=SIZE + 7)
        if case == "shifted":
            p = memory[:SIZE]
        memory[SIZE + 7 :] = 0.25
        g = {
            "apart": _numbers()[0], "p": p, "q": q, "backwards": p[::-1], "shifted": memory[7 : SIZE + 7],
            "gaps": memory[::2],
        }[case]  # fmt: skip
        expected = interpret(_graph(), [g.copy(), p.copy(), q.copy()])
        compiled.run(g, p, q)
        np.testing.assert_allclose(q, expected[0], rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(p, expected[1], rtol=1e-6, atol=1e-6)


def test_an_optimizer_that_is_called_with_gradients() -> None:
    """Its program has no pass over the gradients before the updates; a gradient may be the Parameter itself."""
    size = 1 << 17
    weight = np.random.default_rng(0).normal(size=size).astype(np.float32)
    parameter = Parameter(Tensor(weight), name="w")
    optimizer = nn.Momentum([parameter], 0.1, 0.9)
    step = ms.jit(lambda gradient: optimizer((gradient,)))
    for number in range(3):
        step(parameter)
        expected, moment = weight.copy(), np.zeros_like(weight)
        for _ in range(number + 1):
            moment = np.float32(0.9) * moment + expected
            expected = expected - np.float32(0.1) * moment
        np.testing.assert_allclose(parameter.asnumpy(), expected, rtol=1e-4, atol=1e-5)
    gradient = functions.ones(size, ms.float32)
    step(gradient)
    assert "apart(" in step.stages(gradient).program
