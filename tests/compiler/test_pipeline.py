"""The whole back end on random graphs: every pass and the emitted program agree with the interpreter."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from drawn_graphs import FEW, Case, assert_same, cases
from hypothesis import HealthCheck, given, settings
from searches import few

from mycel.compiler import ops
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.printer import print_graph
from mycel.compiler.kernels import blocks
from mycel.compiler.memory.planner import check_plan
from mycel.compiler.options import FORMER_NAMES
from mycel.compiler.passes import fuse
from mycel.compiler.pipeline import PASSES, SWITCHES, Options, compile_graph, optimize

DEBUG = Options(debug=True)


@FEW
@given(cases())
def test_program_agrees_with_interpreter(case: Case) -> None:
    """The emitted program agrees with the interpreter, run after run, and does not change its inputs."""
    graph, arrays = case.graph, case.arrays
    before = [array.copy() for array in arrays]
    expected = interpret(graph, arrays)
    compiled = compile_graph(graph, name="drawn", options=DEBUG)
    for _ in range(2):
        assert_same(compiled.run(*arrays), expected)
    for array, copy in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, copy)


@FEW
@given(cases())
def test_every_stage_agrees_with_interpreter(case: Case) -> None:
    """The graph after each pass means the same, and is text that reads back to the same text."""
    graph, arrays = case.graph, case.arrays
    expected = interpret(graph, arrays)
    read = set()  # most passes change nothing in most graphs
    for name, stage in optimize(graph, DEBUG):
        try:
            assert_same(interpret(stage, arrays), expected)
        except AssertionError as error:
            raise AssertionError(f"after {name}") from error
        text = print_graph(stage)
        if text not in read:
            read.add(text)
            assert print_graph(parse(text, ops.OPS)) == text, name


@few(3, 60)
@given(cases())
def test_every_pass_can_be_left_out(case: Case) -> None:
    """Without any one of the passes the program gives the same."""
    graph, arrays = case.graph, case.arrays
    expected = interpret(graph, arrays)
    for name in [*[name for name, _ in PASSES], "in_place", "threads"]:
        compiled = compile_graph(graph, name="drawn", options=Options(frozenset({name}), debug=True))
        assert name not in compiled.stages
        try:
            assert_same(compiled.run(*arrays), expected)
        except AssertionError as error:
            raise AssertionError(f"without {name}") from error


@FEW
@given(cases())
def test_program_without_any_pass(case: Case) -> None:
    """Memory plan and emission need none of the passes."""
    everything = frozenset(name for name, _ in PASSES)
    compiled = compile_graph(case.graph, name="drawn", options=Options(everything, debug=True))
    check_plan(compiled.plan)
    assert_same(compiled.run(*case.arrays), interpret(case.graph, case.arrays))


@FEW
@given(cases())
def test_passes_are_idempotent(case: Case) -> None:
    """A second run of a pass changes nothing. Dead code goes before the others: they ask who reads a value."""
    (_, eliminate_dead_code), *_ = PASSES
    graph = eliminate_dead_code(case.graph)
    for name, function in PASSES:
        once = function(graph)
        assert print_graph(function(once)) == print_graph(once), name


@pytest.fixture(params=[1, 2], ids=["one thread", "two threads"])
def small_blocks(request: pytest.FixtureRequest, numpy_only: None) -> Iterator[None]:
    """Lets the tiniest graphs run in groups and blocks, on one or two threads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fuse, "SMALLEST_GROUP", 2)
        patch.setattr(blocks, "SMALLEST_FOR_THREADS", 1)
        patch.setattr(blocks, "cache_bytes", lambda: 200)
        patch.setattr(blocks, "thread_count", lambda: request.param)
        yield


def check_groups(case: Case) -> None:
    """Groups that run block by block agree with the interpreter."""
    compiled = compile_graph(case.graph, name="drawn", options=DEBUG)
    expected = interpret(case.graph, case.arrays)
    assert_same(interpret(compiled.stages["fuse"], case.arrays), expected)
    for _ in range(2):
        assert_same(compiled.run(*case.arrays), expected)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=cases())
def test_groups_agree_with_interpreter(small_blocks: None, case: Case) -> None:
    check_groups(case)


@pytest.mark.slow
@settings(max_examples=2000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=cases())
def test_groups_of_many_graphs_agree_with_interpreter(small_blocks: None, case: Case) -> None:
    check_groups(case)


def test_every_pass_is_timed() -> None:
    text = "graph f(%x: f32[64, 64]) { %a: f32[64, 64] = tanh(%x) %b: f32[64, 64] = matmul(%a, %x) return %b }"
    seconds = compile_graph(parse(text, ops.OPS), name="f").seconds
    assert [name for name, _ in PASSES] == [name for name in seconds if name in dict(PASSES)]
    assert all(0 < value < 5 for value in seconds.values())
    without = compile_graph(parse(text, ops.OPS), name="f", options=Options(frozenset({"cse"}))).seconds
    assert set(seconds) - set(without) == {"cse"}


def test_groups_are_drawn(small_blocks: None) -> None:
    """The random graphs above do have groups in them, with sums over the blocks."""
    found: set[str] = set()

    @settings(max_examples=60, database=None, derandomize=True)
    @given(case=cases(nesting=0))
    def search(case: Case) -> None:
        compiled = compile_graph(case.graph, name="drawn", options=DEBUG)
        found.update(line.strip().split("(")[0] for line in compiled.source.splitlines() if "run_blocks(" in line)
        found.update("sum" for planned in compiled.plan.blocks.values() if planned.sums)

    search()
    assert {"run_blocks", "sum"} <= found


@pytest.mark.parametrize(("former", "name"), FORMER_NAMES.items())
def test_former_names_of_passes_are_understood(former: str, name: str) -> None:
    """A pass that a script switches off by an older name stays off."""
    assert name in SWITCHES
    assert former not in SWITCHES
    assert Options(frozenset({former})) == Options(frozenset({name}))
