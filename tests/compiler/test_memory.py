"""The memory plan: no two live buffers overlap, the peak is the arena's size, memory is shared where it can be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from drawn_graphs import Case, cases
from hypothesis import given, strategies as st

from mycel.compiler import ops
from mycel.compiler.ir import IRError
from mycel.compiler.layout import ALIGNMENT, aligned, lay_out
from mycel.compiler.memory import check_plan, make_plan
from mycel.compiler.pipeline import Options, compile_graph
from mycel.compiler.plan import ARENA, Home, Plan
from mycel.compiler.text import parse
from mycel.compiler.types import TensorType
from mycel.runtime import dtypes
from mycel.runtime.arena import Arena


def plan_of(text: str) -> Plan:
    """The checked plan of a graph."""
    return check_plan(make_plan(parse(text, ops.OPS)))


@given(cases())
def test_plans_have_no_overlaps(case: Case) -> None:
    """The plan of every graph, as it is and optimised, passes the check."""
    check_plan(make_plan(case.graph))
    compiled = compile_graph(case.graph, name="drawn", options=Options(debug=True))
    check_plan(compiled.plan)
    assert compiled.program.arena_bytes == compiled.plan.nbytes


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 20), st.integers(0, 8)), max_size=20))
def test_layout_never_overlaps(items: list[tuple[int, int, int]]) -> None:
    """Homes of any size and life get bytes of their own, at most as many as all of them together."""
    homes = []
    for size, first, length in items:
        home = Home(ARENA, TensorType(dtypes.uint8, (size,)), "", first)
        home.last = first + length
        homes.append(home)
    total = lay_out(homes)
    assert total <= sum(aligned(size) for size, _, _ in items)
    needed = [sum(aligned(h.type.nbytes) for h in homes if h.first <= time <= h.last) for time in range(30)]
    assert total >= max(needed)
    for i, a in enumerate(homes):
        assert a.offset % ALIGNMENT == 0
        for b in homes[:i]:
            if a.first <= b.last and b.first <= a.last:
                assert a.offset + a.type.nbytes <= b.offset or b.offset + b.type.nbytes <= a.offset


def test_overlaps_are_seen() -> None:
    """The check finds buffers that overlap, lie askew, or end beyond the peak."""
    plan = plan_of("graph f(%x: f32[100]) { %a: f32[100] = tanh(%x) %b: f32[100] = exp(%x) %c: f32[100] = add(%a, %b) "
                   "%d: f32[] = sum(%c, axis=(0,), keepdims=False) return %d }")  # fmt: skip
    first, second = plan.buffers
    with pytest.raises(IRError, match="overlap while both live"):
        check_plan(replace(plan, buffers=(first, replace(second, offset=first.offset))))
    with pytest.raises(IRError, match="not aligned"):
        check_plan(replace(plan, buffers=(first, replace(second, offset=second.offset + 4))))
    with pytest.raises(IRError, match="the arena has"):
        check_plan(replace(plan, nbytes=plan.nbytes + 64))


def test_elementwise_chain_needs_no_memory() -> None:
    """A chain runs in place, in the array of its result."""
    plan = plan_of("graph f(%x: f32[100]) { %a: f32[100] = tanh(%x) %b: f32[100] = exp(%a) %c: f32[100] = add(%b, 1.0) "
                   "return %c }")  # fmt: skip
    assert plan.buffers == ()


def test_in_place_can_be_switched_off() -> None:
    """Without it every value has bytes of its own while it lives."""
    graph = parse("graph f(%x: f32[100]) { %a: f32[100] = tanh(%x) %b: f32[100] = exp(%a) return %b }", ops.OPS)
    assert len(check_plan(make_plan(graph, disabled={"in_place"})).buffers) == 1


def test_a_value_that_is_read_later_is_not_overwritten() -> None:
    """Of two values that live at the same time each has a buffer."""
    plan = plan_of("graph f(%x: f32[100]) { %a: f32[100] = tanh(%x) %b: f32[100] = exp(%a) %c: f32[100] = add(%b, %a) "
                   "%d: f32[] = sum(%c, axis=(0,), keepdims=False) return %d }")  # fmt: skip
    assert len(plan.buffers) == 2
    assert plan.nbytes == 2 * aligned(400)


def test_views_live_with_their_base() -> None:
    """A view keeps its base alive and takes no bytes."""
    plan = plan_of("graph f(%x: f32[100]) { %a: f32[100] = tanh(%x) %v: f32[10, 10] = reshape(%a, shape=(10, 10)) "
                   "%b: f32[100] = exp(%x) %w: f32[10, 10] = reshape(%b, shape=(10, 10)) "
                   "%c: f32[10, 10] = matmul(%v, %w) %d: f32[] = sum(%c, axis=(0, 1), keepdims=False) return %d "
                   "}")  # fmt: skip
    assert [buffer.nbytes for buffer in plan.buffers] == [400, 400, 400]
    assert plan.buffers[0].last == plan.buffers[1].last == plan.buffers[2].first


def test_concatenated_values_are_computed_in_place() -> None:
    """What is joined along the first axis is computed right where it goes."""
    plan = plan_of("graph f(%x: f32[100]) { %a: f32[100] = tanh(%x) %b: f32[100] = exp(%x) "
                   "%c: f32[200] = concatenate(%a, %b, axis=0) "
                   "%d: f32[] = sum(%c, axis=(0,), keepdims=False) return %d "
                   "}")  # fmt: skip
    assert [buffer.nbytes for buffer in plan.buffers] == [800]


def test_run_time_shapes_are_left_to_the_run() -> None:
    """A value with `?` in its shape has no buffer."""
    plan = plan_of("graph f(%x: f32[?]) { %a: f32[?] = tanh(%x) return %a }")
    assert plan.buffers == ()
    assert plan.nbytes == 0


def test_plan_prints_as_a_table() -> None:
    """Every buffer with its type, bytes, offset and life, and what a run takes."""
    plan = plan_of("graph f(%x: f32[3, 5]) { %t: f32[3, 5] = tanh(%x) %s: f32[3] = sum(%t, axis=(1,), keepdims=False) "
                   "return %s }")  # fmt: skip
    assert str(plan).splitlines() == [
        "buffer  type       bytes  offset  first  last",
        "t       f32[3, 5]     60       0      1     2",
        "arena: 64 bytes in 1 buffers",
        "largest live set: 64 bytes, at tanh",
        "scratch: 0 of these bytes at most",
        "results: 12 bytes",
        "constants: 0 bytes",
        "allocated in a run: 12 bytes at most",
        "peak: 76 bytes",
    ]


def test_arena_is_aligned() -> None:
    """The arena starts at a cache line; arrays of no elements need no bytes."""
    arena = Arena(256)
    assert arena.array(64, (3,), np.float32).ctypes.data % ALIGNMENT == 0
    assert arena.array(256, (0, 3), np.float32).shape == (0, 3)
