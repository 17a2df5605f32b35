"""A run takes the memory that its plan says; the arena is hardly larger than the largest live set."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_graphs import FEW, Case, cases
from hypothesis import given, settings
from memory_use import assert_as_planned

from mycel.compiler import ops
from mycel.compiler.ir.parser import parse
from mycel.compiler.memory.planner import make_plan
from mycel.compiler.pipeline import compile_graph


@FEW
@given(cases())
def test_arena_is_close_to_what_lives_at_once(case: Case) -> None:
    """Within a tenth of the largest live set."""
    usage = compile_graph(case.graph, name="drawn").plan.usage
    assert usage.live <= usage.arena <= 1.1 * usage.live


@settings(max_examples=15)
@given(cases())
def test_random_graphs_take_what_is_planned(case: Case) -> None:
    """Arena and allocations of a run are those of the plan, for random graphs."""
    assert_as_planned(case.graph, case.arrays)


@pytest.mark.slow
@given(cases())
def test_many_random_graphs_take_what_is_planned(case: Case) -> None:
    """The same for many more graphs: tracing what Python allocates is slow."""
    assert_as_planned(case.graph, case.arrays)


TEXTS = {
    "a convolution": (
        "graph f(%x: f32[8, 16, 40, 40], %w: f32[16, 16, 3, 3]) { %a: f32[8, 16, 40, 40] = "
        "conv(%x, %w, stride=(1, 1), padding=((1, 1), (1, 1)), dilation=(1, 1), groups=1) "
        "%b: f32[8, 16, 40, 40] = tanh(%a) %c: f32[8, 16, 40, 40] = multiply(%b, %a) return %c }"
    ),
    "results that NumPy allocates": (
        "graph f(%x: f32[300, 1000]) { %a: f32[300, 1000] = tanh(%x) "
        "%b: f32[300, 1000], %p: i64[300, 1000] = sort(%a, axis=0, descending=False, dtype=i64) return %b }"
    ),
    "a view that is a copy": (
        "graph f(%x: f32[300, 1000]) { %a: f32[300, 1000] = tanh(%x) %t: f32[1000, 300] = transpose(%a, axes=(1, 0)) "
        "%r: f32[300000] = reshape(%t, shape=(300000,)) %b: f32[300000] = exp(%r) return %b }"
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_graphs_take_what_is_planned(name: str) -> None:
    """Scratch is in the arena; copies, results and kernels' own memory are stated."""
    graph = parse(TEXTS[name], ops.OPS)
    random = np.random.default_rng(0)
    assert_as_planned(
        graph, [random.standard_normal(value.type.static_shape).astype(np.float32) for value in graph.parameters]
    )


def test_scratch_of_kernels_is_in_the_arena() -> None:
    """The scratch of a convolution is a buffer that lives while it runs."""
    plan = make_plan(parse(TEXTS["a convolution"], ops.OPS))
    (scratch,) = [buffer for buffer in plan.buffers if buffer.name.endswith("_scratch")]
    assert scratch.first == scratch.last
    assert plan.usage.scratch == scratch.nbytes
    assert plan.usage.scratch_at is not None
    assert plan.usage.scratch_at.op is ops.conv


def test_sizes_that_only_the_run_knows_are_named() -> None:
    """They are in no sum, but counted."""
    plan = make_plan(parse("graph f(%x: f32[?]) { %a: f32[?] = tanh(%x) return %a }", ops.OPS))
    assert plan.usage.unknown
    assert "only the run knows" in str(plan)
