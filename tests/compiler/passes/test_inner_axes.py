"""Short axes in the middle that are reduced more than once: they become the last ones, with the same numbers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from rewriting import assert_alike

import mycel as ms
from mycel import Tensor, ops as functions
from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes.dce import eliminate_dead_code
from mycel.compiler.passes.inner_axes import interchange_axes
from mycel.runtime.machine import executable

pytestmark = pytest.mark.skipif(executable.unavailable() is not None, reason="no machine code")

CENTRED = """graph f(%x: f32[6, 5, 7], %t: f32[5, 1], %c: f32[]) {
  %s: f32[6, 5, 7] = add(%x, %t)
  %m: f32[6, 1, 7] = max(%s, axis=(1,), keepdims=True)
  %d: f32[6, 5, 7] = subtract(%s, %m)
  %e: f32[6, 5, 7] = multiply(%d, %c)
  %y: f32[6, 7] = sum(%e, axis=(1,), keepdims=False)
  return %y, %m
}"""


def moved(text: str) -> tuple[Graph, Graph]:
    """A graph, and what the pass makes of it."""
    graph = verify(parse(text, ops.OPS))
    return graph, verify(eliminate_dead_code(interchange_axes(graph)))


def reduced(graph: Graph) -> set[tuple[int, ...]]:
    """The axes of all reductions."""
    return {node.attrs["axis"] for node in graph.nodes if node.op.kind == "reduction"}


def test_the_axis_is_the_last_one() -> None:
    before, after = moved(CENTRED)
    assert reduced(after) == {(2,)}
    assert_alike(before, after)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return %y, %m", "return %y, %e"),  # whole values are read
        ("subtract(%s, %m)", "subtract(%s, 1.0)"),  # no value depends on what is reduced
        ("7]", "70]"),  # long rows
        ("5,", "15,"),  # a long axis
        ("%y: f32[6, 7] = sum(%e, axis=(1,)", "%y: f32[5, 7] = sum(%e, axis=(0,)"),  # several axes
    ],
)
def test_other_graphs_stay(old: str, new: str) -> None:
    before, after = moved(CENTRED.replace(old, new))
    assert after is before or str(after) == str(eliminate_dead_code(before))


def test_two_regions_one_after_the_other() -> None:
    text = CENTRED.replace("return %y, %m", "%z: f32[6, 1, 7] = reshape(%y, shape=(6, 1, 7))\n" + "\n".join(
        line.replace("%s", "%s2").replace("%m", "%m2").replace("%d", "%d2").replace("%e", "%e2").replace("%y", "%y2")
        for line in CENTRED.replace("add(%x, %t)", "add(%x, %z)").splitlines()[1:-2]
    ) + "\n  return %y2")  # fmt: skip
    before, after = moved(text)
    assert reduced(after) == {(2,)}
    assert_alike(before, after)


@pytest.mark.parametrize(("batch", "size", "columns"), [*itertools.product((1, 5, 33), (2, 4, 7, 9), (4, 7, 16))])
def test_numbers(batch: int, size: int, columns: int) -> None:
    generator = np.random.default_rng(batch * 100 + size * 10 + columns)
    x = generator.standard_normal((batch, size)).astype(np.float32)
    t = generator.standard_normal((size, columns)).astype(np.float32)
    t[generator.random(t.shape) < 0.2] = 0.5  # equal ones

    @ms.jit
    def f(x: Tensor, t: Tensor) -> tuple[Tensor, ...]:
        s = x.expand_dims(2) + t
        return s.max(axis=1), s.argmax(axis=1), functions.logsumexp(s, 1)

    s = x[:, :, None] + t
    best, place, total = (each.asnumpy() for each in f(Tensor(x), Tensor(t)))
    np.testing.assert_array_equal(best, s.max(1))
    np.testing.assert_array_equal(place, s.argmax(1))
    np.testing.assert_allclose(total, np.log(np.exp(s.astype(float)).sum(1)), rtol=1e-5, atol=1e-5)
    x[0, 1] = np.nan
    assert (f(Tensor(x), Tensor(t))[1].asnumpy()[0] == 1).all()


def test_loops_over_states() -> None:
    generator = np.random.default_rng(0)
    x, t = (generator.standard_normal(shape).astype(np.float32) for shape in ((30, 4, 6), (6, 6)))

    @ms.jit
    def best(x: Tensor, t: Tensor) -> tuple[Tensor, Tensor]:
        score, places = x[0], []
        for row in x[1:]:
            s = score.expand_dims(2) + t
            places.append(s.argmax(axis=1))
            score = s.max(axis=1) + row
        return score, functions.stack(places)

    score, places = x[0], []
    for row in x[1:]:
        s = score[:, :, None] + t
        places.append(s.argmax(1))
        score = s.max(1) + row
    found = best(Tensor(x), Tensor(t))
    np.testing.assert_allclose(found[0].asnumpy(), score, rtol=1e-5)
    np.testing.assert_array_equal(found[1].asnumpy(), np.stack(places))
    kernels = [node for node in best.stages(Tensor(x), Tensor(t)).optimized.all_nodes if node.op is ops.kernel]
    assert sum(any(each.op is ops.max for each in node.attrs["body"].nodes) for node in kernels) == 1
