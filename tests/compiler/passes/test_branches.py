"""If-conversion in loops: what becomes a choice, and what stays a branch; results are those of eager mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler import ops as prims
from mycel.compiler.ir.graph import verify, walk
from mycel.compiler.ir.parser import parse
from mycel.compiler.passes.branches import choose_in_loops


def _loop(then: str, orelse: str = "return %h", more: str = "") -> str:
    given = "%h: f32[4], %i: i64[], %x: f32[9, 4]"
    return (
        "(%x: f32[9, 4], %p: bool[9], %h: f32[4]) { %y: f32[4] = scan(9, %h, %p, %x, carried=1, scanned=1, length=9,"
        " reverse=False) { body = graph body(%i: i64[], %h: f32[4], %q: bool[], %x: f32[9, 4]) {"
        f" %z: f32[4] = cond(%q, %h, %i, %x) {{ then = graph then({given}) {{ {then} }}"
        f" orelse = graph orelse({given}) {{ {orelse} }} }} return %z }} }} return %y }}"
    )


def _converted(text: str) -> Any:
    return verify(choose_in_loops(verify(parse(f"graph f{text}", prims.OPS))))


def test_both_sides_are_computed() -> None:
    """A small branch becomes a select; a branch inside of a side, too."""
    inner = (
        "%c: bool[] = less(%i, 5) %t: f32[4] = cond(%c, %h) { then = graph a(%h: f32[4]) { %u: f32[4] = tanh(%h)"
        " return %u } orelse = graph b(%h: f32[4]) { return %h } } return %t"
    )
    for then, count in (("%t: f32[4] = tanh(%h) return %t", 1), (inner, 2)):
        found = [node.op for node in walk(_converted(_loop(then)))]
        assert prims.cond not in found
        assert found.count(prims.select) == count


def test_rows_of_an_iteration_are_scanned() -> None:
    """A row that a side takes at the iteration's number becomes a row of the loop; both sides share it."""
    side = "%r: f32[4] = take(%x, %i, axis=0) %t: f32[4] = {}(%h, %r) return %t"
    graph = _converted(_loop(side.format("add"), side.format("multiply")))
    (loop,) = graph.nodes
    assert loop.attrs["scanned"] == 2
    assert {node.op for node in walk(graph)} == {prims.scan, prims.add, prims.multiply, prims.select}


@pytest.mark.parametrize(
    "then",
    [
        "print_(%i, template=(0,)) return %h",
        "%j: i64[] = add(%i, 3) %t: f32[4] = take(%x, %j, axis=0) return %t",  # out of range in some iterations
        "%w: f32[4, 9] = transpose(%x, axes=(1, 0)) %m: f32[4, 4] = matmul(%w, %x)"
        " %t: f32[4] = matmul(%m, %h) return %t",
        "%b: f32[900, 4] = broadcast_to(%h, shape=(900, 4)) %e: f32[900, 4] = exp(%b)"
        " %t: f32[4] = sum(%e, axis=(0,), keepdims=False) return %t",
    ],
)
def test_effects_errors_and_work_stay_in_branches(then: str) -> None:
    """A side stays where it is if it has effects, may raise, or takes long."""
    before = parse(f"graph f{_loop(then)}", prims.OPS)
    assert choose_in_loops(before).structure == before.structure


def test_results_and_gradients() -> None:
    """The converted loop gives the values and gradients of the branches, in numbers where a side is nan as well."""

    def missing(w: Tensor, y: Tensor, seen: Tensor) -> Tensor:
        m = p = total = Tensor(1.0)
        for t in range(20):
            p = p + w
            if seen[t] > 0:
                k = p / (p + 1.0)
                m, p = m + k * (y[t] - m), (1 - k) * p
                total = total + ops.sqrt(y[t])
        return total + m

    generator = np.random.default_rng(0)
    seen = np.array([0, 1] * 10, np.int32)
    y = np.where(seen, generator.random(20), -1.0).astype(np.float32)  # whose roots are nan where nothing is seen
    given = Tensor(0.1), Tensor(y), Tensor(seen)
    kept = ms.jit(ms.value_and_grad(missing), passes_off=["branches"])
    made = ms.jit(ms.value_and_grad(missing))
    for ours, theirs in zip(made(*given), kept(*given), strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.asnumpy(), rtol=1e-5)
        assert np.isfinite(ours.asnumpy()).all()
    assert "cond(" not in str(made.stages(*given).optimized)
    assert "cond(" in str(kept.stages(*given).optimized)
