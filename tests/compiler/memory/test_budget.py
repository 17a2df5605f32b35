"""Memory limits: plans that fit give the same numbers; otherwise the error lists the largest buffers."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from drawn_graphs import Case, cases
from hypothesis import given, strategies as st
from memory_use import measured
from searches import few

from mycel.compiler import ops
from mycel.compiler.ir.parser import parse
from mycel.compiler.memory import budget
from mycel.compiler.memory.limits import MemoryLimitError, as_bytes
from mycel.compiler.pipeline import Options, compile_graph
from mycel.runtime.program import Program

# %a is read at both ends, while %b to %e live: computed again, it is not kept over them.
KEPT = """graph kept(%x: f32[100, 100], %y: f32[1, 100]) {
  %a: f32[100, 100] = tanh(%x)
  %a1: f32[100, 100] = matmul(%a, %x)
  %b: f32[100, 100] = matmul(%x, %a1)
  %c: f32[100, 100] = matmul(%b, %a1)
  %d: f32[100, 100] = matmul(%c, %b)
  %e: f32[100, 100] = matmul(%c, %d)
  %f: f32[1, 100] = matmul(%y, %e)
  %g: f32[1, 100] = matmul(%f, %a)
  %h: f32[1, 100] = matmul(%g, %b)
  return %h
}"""

# Everything is read at once: nothing helps. (A sum over all axes would take a buffer of NumPy's own before NumPy 2.3.)
STUCK = """graph stuck(%x: f32[100, 100]) {
  %a: f32[100, 100] = tanh(%x)
  %b: f32[100, 100] = matmul(%x, %a)
  %c: f32[100, 100] = matmul(%a, %b)
  %d: f32[100] = sum(%c, axis=(0,), keepdims=False)
  return %d
}"""


def within(limit: int) -> Options:
    """Options with a limit; every pass and the plan are verified."""
    return Options(debug=True, memory_limit=limit)


@few(12, 200)
@given(cases(), st.sampled_from([0.95, 0.8, 0.6, 0.4]))
def test_random_graphs_within_a_limit(case: Case, share: float) -> None:
    """The plan fits, or the error gives a limit that one fits; the numbers are the same bit by bit."""
    free = compile_graph(case.graph, name="free")
    limit = max(1, int(free.plan.usage.peak * share))
    try:
        limited = compile_graph(case.graph, name="limited", options=within(limit))
    except MemoryLimitError as error:
        found = re.search(r"takes (\d+) bytes in a run", str(error))
        assert found is not None
        assert int(found[1]) > limit
        limit = int(found[1])
        limited = compile_graph(case.graph, name="limited", options=within(limit))
    assert limited.plan.usage.peak <= limit
    for ours, theirs in zip(limited.run(*case.arrays), free.run(*case.arrays), strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)


def test_values_are_computed_again() -> None:
    """A value that is live across the peak is dropped, and computed again from values that still exist."""
    graph = parse(KEPT, ops.OPS)
    free = compile_graph(graph, name="free")
    limit = free.plan.usage.peak - 40000
    limited = compile_graph(graph, name="limited", options=within(limit))
    assert limited.plan.usage.peak <= limit
    assert limited.nodes_after > free.nodes_after
    assert list(limited.stages)[-1] == "memory"
    arrays = [np.random.default_rng(0).standard_normal((100, 100)).astype(np.float32) / 10, np.ones((1, 100), "f4")]
    np.testing.assert_array_equal(limited.run(*arrays)[0], free.run(*arrays)[0])
    made = limited.program
    program = Program("again", made.source, made.arena_bytes, made.constants, made.kernels)
    assert measured(lambda: program.run(*arrays)) < free.plan.usage.peak


def test_a_limit_that_holds_changes_nothing() -> None:
    """With enough room the program is the one without a limit."""
    graph = parse(KEPT, ops.OPS)
    assert compile_graph(graph, name="kept", options=within(1 << 30)).source == (
        compile_graph(graph, name="kept").source
    )


def test_what_does_not_fit_is_an_error() -> None:
    """The error names the smallest peak, the node and the largest buffers."""
    graph = parse(STUCK, ops.OPS)
    with pytest.raises(MemoryLimitError) as caught:
        compile_graph(graph, name="stuck", options=within(100_000))
    text = str(caught.value)
    assert re.search(
        r"the smallest plan found for 'stuck' takes 1\d{5} bytes in a run, more than its memory limit of ", text
    )
    assert ": an arena of 120000, and " in text
    assert "at matmul" in text
    assert text.count("40000 bytes: f32[100, 100]") == 3


@pytest.mark.parametrize(
    ("text", "nbytes"),
    [
        (7, 7),
        ("7", 7),
        ("2KB", 2048),
        ("1.5 MB", 3 << 19),
        ("3g", 3 << 30),
        ("10kb", 10240),
        ("5B", 5),
        ("5 b", 5),
        ("3MB", 3 << 20),
        ("1GB", 1 << 30),
        ("2tb", 1 << 41),
        ("2T", 1 << 41),
        (" 9 ", 9),
    ],
)
def test_bytes_as_text(text: int | str, nbytes: int) -> None:
    """Units are of 1024, in either case."""
    assert as_bytes(text) == nbytes


def test_effects_stay_in_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    """When nodes move to save memory, prints stay in order."""
    text = """graph moved(%x: f32[100, 100], %y: f32[1, 100]) {
      %a: f32[100, 100] = matmul(%x, %x)
      %b: f32[100, 100] = matmul(%a, %x)
      %c: f32[100, 100] = matmul(%b, %x)
      %r: f32[1, 100] = matmul(%y, %a)
      %s: f32[1, 100] = matmul(%y, %b)
      %t: f32[1, 100] = matmul(%y, %c)
      print_(template=("begins\\n",))
      print_(%t, template=("t\\n",))
      print_(%s, template=("s\\n",))
      print_(%r, template=("r\\n",))
      %u: f32[1, 100] = add(%r, %s)
      return %u
    }"""
    graph = parse(text, ops.OPS)
    free = compile_graph(graph, name="free")
    limited = compile_graph(graph, name="limited", options=within(free.plan.usage.peak - 30000))
    matrices = [node.output.type.shape[0] for node in limited.plan.graph.nodes if node.op is ops.matmul]
    assert matrices != [100, 100, 100, 1, 1, 1]
    arrays = [np.random.default_rng(0).standard_normal((100, 100)).astype(np.float32) / 10, np.ones((1, 100), "f4")]
    for compiled in (free, limited):
        (result,) = compiled.run(*arrays)
        assert capsys.readouterr().out == "begins\nt\ns\nr\n"
        np.testing.assert_array_equal(result, free.run(*arrays)[0])
        capsys.readouterr()


@pytest.mark.parametrize("text", ["", "many", "-3MB", "3 apples", 0, -1])
def test_malformed_numbers_of_bytes(text: int | str) -> None:
    """A ValueError that shows the argument."""
    with pytest.raises(ValueError, match="memory_limit"):
        as_bytes(text)


@pytest.mark.parametrize("value", [1.5, True, None])
def test_what_is_no_number_of_bytes(value: object) -> None:
    """TypeError, that names the type."""
    with pytest.raises(TypeError, match="memory_limit"):
        as_bytes(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("peaks", "reached"),
    [
        ({768: 768}, 768),
        ({768: 832, 832: 832}, 832),  # what one search found, another does not
        ({768: 832, 832: 768}, 832),  # it does with more room only
        ({768: 832, 832: 800, 800: 800}, 800),
        ({768: 832, 832: 896, 896: 896}, 896),
    ],
)
def test_the_limit_of_an_error_can_be_met(monkeypatch: pytest.MonkeyPatch, peaks: dict[int, int], reached: int) -> None:
    """It is one within which a plan was found: searches depend on their limits."""

    class Searched:
        def __init__(self, limit: int, make: Any) -> None:
            self.limit, self.make, self.smallest = limit, make, None

        def run(self, graph: Any) -> Any:
            peak = peaks[self.limit]
            self.smallest = SimpleNamespace(usage=SimpleNamespace(peak=peak), fits=peak <= self.limit)
            return self.smallest

    monkeypatch.setattr(budget, "_Search", Searched)
    first = Searched(512, None)
    first.smallest = SimpleNamespace(usage=SimpleNamespace(peak=768), fits=False)
    assert budget._reached(first, None)[0] == reached
