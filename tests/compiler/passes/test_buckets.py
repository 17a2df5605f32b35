"""Sums over processes share messages and run beside other nodes, and nothing touches the memory of a message
meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from drawn_graphs import Case, assert_same, cases
from hypothesis import HealthCheck, given, settings, strategies as st
from ranks import check_ranks

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, make_node
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.printer import print_graph
from mycel.compiler.ir.values import IRError, Operand, Value
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes.buckets import pack_reductions
from mycel.compiler.passes.overlap import overlap_collectives
from mycel.compiler.pipeline import Options, compile_graph
from mycel.runtime.distributed.communicator import Communicator
from mycel.runtime.distributed.group import WORLD
from mycel.runtime.distributed.machines import SHARED_VARIABLE
from mycel.runtime.distributed.world import JOB

GROUP = "group='world', size=1"


def reduced(graph: str) -> str:
    """The text of a graph in which `R(%x, 64)` is a sum in a bucket of 64 bytes."""
    text = graph
    while "R(" in text:
        before, _, rest = text.partition("R(")
        inside, _, after = rest.partition(")")
        operand, nbytes = inside.split(", ")
        text = f"{before}all_reduce({operand}, {GROUP}, by='sum', bucket={nbytes}){after}"
    return f"graph f{text}"


def names(graph: Graph) -> list[str]:
    return [node.op.name for node in graph.nodes]


def packed(text: str) -> Graph:
    graph = verify(pack_reductions(parse(reduced(text), ops.OPS)))
    assert print_graph(pack_reductions(graph)) == print_graph(graph)
    assert print_graph(parse(print_graph(graph), ops.OPS)) == print_graph(graph)
    return graph


THREE = (
    "(%x: f32[4], %y: f32[2, 2]) { %a: f32[4] = tanh(%x) %b: f32[2, 2] = exp(%y) %c: f32[4] = exp(%x)"
    " %p: f32[4] = R(%a, {0}) %q: f32[2, 2] = R(%b, {0}) %r: f32[4] = R(%c, {0}) return %p, %q, %r }"
)


def test_small_ones_share_a_message_which_begins_when_the_last_is_there() -> None:
    assert names(packed(THREE.replace("{0}", "32"))) == [
        "tanh", "exp", "reshape", "concatenate", "all_reduce_start", "exp", "all_reduce_start",
        "all_reduce_wait", "slice", "slice", "reshape", "all_reduce_wait",
    ]  # fmt: skip


def test_large_ones_are_not_copied() -> None:
    assert names(packed(THREE.replace("{0}", "16"))) == [
        "tanh", "all_reduce_start", "exp", "all_reduce_start", "exp", "all_reduce_start", *["all_reduce_wait"] * 3,
    ]  # fmt: skip


def test_all_in_one_message() -> None:
    assert names(packed(THREE.replace("{0}", "4096"))).count("all_reduce_start") == 1


def test_a_bucket_is_begun_when_one_of_its_sums_is_read() -> None:
    graph = packed(
        "(%x: f32[4]) { %a: f32[4] = tanh(%x) %p: f32[4] = R(%a, 64) %b: f32[4] = exp(%p) %q: f32[4] = R(%b, 64)"
        " return %q }"
    )
    assert names(graph) == ["tanh", "all_reduce_start", "all_reduce_wait", "exp", "all_reduce_start", "all_reduce_wait"]


def test_a_sum_of_a_sum() -> None:
    graph = packed("(%x: f32[4]) { %p: f32[4] = R(%x, 64) %q: f32[4] = R(%p, 64) return %q }")
    assert names(graph) == ["all_reduce_start", "all_reduce_wait"] * 2


def test_other_dtypes_and_reductions_have_buckets_of_their_own_and_short_floats_are_summed_in_32_bits() -> None:
    graph = packed(
        "(%x: f32[4], %y: f16[4], %z: f64[4]) { %p: f32[4] = R(%x, 64) %q: f16[4] = R(%y, 64) %r: f64[4] = R(%z, 64)"
        " return %p, %q, %r }"
    )
    begun = [node.output.type for node in graph.nodes if node.op.begins]
    assert [str(type) for type in begun] == ["f32[8]", "f64[4]"]
    assert names(graph).count("cast") == 2


def test_branches_and_loops_have_buckets_of_their_own() -> None:
    graph = packed(
        "(%p: bool[], %x: f32[4]) { %a: f32[4] = cond(%p, %x) {"
        " then = graph t(%u: f32[4]) { %s: f32[4] = R(%u, 64) return %s }"
        " orelse = graph e(%v: f32[4]) { %t: f32[4] = R(%v, 64) return %t } } return %a }"
    )
    (node,) = graph.nodes
    found = [inner.attrs["number"] for block in node.subgraphs for inner in block.nodes if inner.op.begins]
    assert found == [0, 1]


def test_what_does_not_ask_for_a_bucket_stays() -> None:
    text = f"graph f(%x: f32[4]) {{ %a: f32[4] = all_reduce(%x, {GROUP}, by='sum') return %a }}"
    graph = parse(text, ops.OPS)
    assert pack_reductions(graph) is graph


def test_beginnings_move_up_and_ends_move_down() -> None:
    text = (
        "graph f(%x: f32[4], %y: f32[400, 400]) { %a: f32[4] = tanh(%x) %b: f32[400, 400] = matmul(%y, %y)"
        f" %s: f32[4] = all_reduce_start(%a, {GROUP}, by='sum', number=0)"
        f" %t: f32[4] = all_reduce_wait(%s, {GROUP}, number=0) %c: f32[400, 400] = matmul(%b, %y)"
        " %u: f32[4] = exp(%t) return %c, %u }"
    )
    graph = verify(overlap_collectives(verify(parse(text, ops.OPS))))
    assert names(graph) == [
        "tanh", "all_reduce_start", "matmul", "advance", "matmul", "advance", "all_reduce_wait", "exp",
    ]  # fmt: skip
    assert print_graph(overlap_collectives(graph)) == print_graph(graph)


def test_collectives_keep_their_order() -> None:
    """The reduction of all processes that stands before a beginning stays before it, though it needs it not."""
    text = (
        "graph f(%x: f32[4], %y: f32[4]) { %a: f32[4] = tanh(%x)"
        f" %m: f32[4] = all_reduce(%y, {GROUP}, by='max') %b: f32[4] = exp(%x)"
        f" %s: f32[4] = all_reduce_start(%a, {GROUP}, by='sum', number=0)"
        f" %t: f32[4] = all_reduce_wait(%s, {GROUP}, number=0) return %t, %m, %b }}"
    )
    graph = overlap_collectives(verify(parse(text, ops.OPS)))
    assert names(graph) == ["tanh", "all_reduce", "all_reduce_start", "exp", "all_reduce_wait"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("%y: f32[4] = tanh(%s) %t: f32[4] = W(%s) return %y", "reads what is not complete"),
        ("return %s", "nothing waits for"),
        ("%t: f32[4] = W(%s) %u: f32[4] = W(%s) return %u", "waited for already"),
        ("%t: f32[4] = W(%s) %u: f32[4] = W(%x) return %u", "nothing has begun"),
    ],
)
def test_the_verifier_knows_what_is_not_complete(body: str, message: str) -> None:
    for operand in ("%s", "%x"):
        body = body.replace(f"W({operand})", f"all_reduce_wait({operand}, {GROUP}, number=0)")
    text = f"graph f(%x: f32[4]) {{ %s: f32[4] = all_reduce_start(%x, {GROUP}, by='sum', number=0) {body} }}"
    with pytest.raises(IRError, match=message):
        verify(parse(text, ops.OPS))


def test_short_floats_are_cast_before() -> None:
    text = f"graph f(%x: f16[4]) {{ %s: f16[4] = all_reduce_start(%x, {GROUP}, by='sum', number=0) return %s }}"
    with pytest.raises(Exception, match="Float16 is reduced in Float32: cast it first"):
        parse(text, ops.OPS)


class Slow(Communicator):
    """Writes garbage where a reduction is going on, as MPI may, and its result only when it is waited for."""

    def start_all_reduce(self, x: Any, by: str, number: int, out: Any = None, **options: Any) -> Any:
        result = super().start_all_reduce(x, by, number, out, **options)
        self.going[number] = result, result.copy()
        result.reshape(-1).view(np.uint8).fill(0xA5)
        return result

    def finish_all_reduce(self, x: Any, number: int, out: Any = None, **options: Any) -> Any:
        array, numbers = self.going.pop(number)
        assert (array.reshape(-1).view(np.uint8) == 0xA5).all(), "somebody wrote to what was on its way"
        np.copyto(array, numbers)
        return super().finish_all_reduce(x, number, out, **options)

    going: dict[int, Any]


@pytest.fixture
def slow() -> Iterator[Slow]:
    world = Slow(WORLD, (0,), 0)
    world.going = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(JOB.groups, WORLD, world)
        yield world


@st.composite
def reductions(draw: st.DrawFn) -> Case:
    """A random graph, some of whose values are summed over processes: at once, or later, when others read the sums."""
    case: Case = draw(cases())
    graph = case.graph
    nodes, new, later = [], {}, []
    bucket = draw(st.sampled_from([1, 40, 200, 100_000]))

    def swapped(operand: Operand) -> Operand:
        return new.get(operand, operand)  # type: ignore[call-overload, no-any-return]

    for node in graph.nodes:
        nodes.append(node.with_inputs(map(swapped, node.inputs)))
        # A branch may leave a value undefined that only the backward pass of the other one reads.
        inner = [each for block in node.subgraphs for each in block.all_nodes]
        if any(each.op is ops.undefined for each in (node, *inner)):
            continue
        for value in node.outputs:
            fits = value.type.dtype.is_float and value.type.is_static and value.type.size
            if not fits or not draw(st.booleans()):
                continue
            attrs = {"group": WORLD, "size": 1, "by": "sum", "bucket": bucket}
            reduction = make_node(ops.all_reduce, [value], attrs)
            if draw(st.booleans()):
                nodes.append(reduction)
                new[value] = reduction.output
            else:
                later.append(reduction)
    sums: list[Value] = [node.output for node in later]
    outputs = (*map(swapped, graph.outputs), *sums)
    return Case(replace(graph, nodes=(*nodes, *later), outputs=outputs), case.arrays)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(case=reductions())
def test_what_is_on_its_way_is_neither_read_nor_written(slow: Slow, case: Case) -> None:
    expected = interpret(case.graph, case.arrays)
    for disabled in ((), ("in_place",), ("overlap",), ("kernels", "fuse")):
        compiled = compile_graph(case.graph, name="drawn", options=Options(frozenset(disabled), debug=True))
        for _ in range(2):
            assert_same(compiled.run(*case.arrays), expected)
    assert not slow.going


def test_an_error_between_beginning_and_end_leaves_nothing_under_way(slow: Slow) -> None:
    """The next run uses the same memory, so it first finishes the old message."""
    world = Communicator(WORLD, (0,), 0)
    x = np.ones(4, np.float32)
    world.start_all_reduce(x, "sum", 0)
    world.match(("all_reduce",), ("a.py:1",))
    assert not world._begun
    world.start_all_reduce(x, "sum", 0)
    world.start_all_reduce(x + 1, "sum", 0)
    np.testing.assert_array_equal(world.finish_all_reduce(x + 1, 0), x + 1)


def test_two_processes_show_communication_and_have_the_same_gradients_with_and_without_buckets() -> None:
    assert check_ranks(2, "several.py", "+", "seen.py", "+", "buckets.py").count("is done") == 4


@pytest.mark.slow
@pytest.mark.parametrize("shared", ["", "2", "0"])
def test_gradients_are_the_same_with_and_without_buckets_in_four_processes(shared: str) -> None:
    assert check_ranks(4, "buckets.py", **{SHARED_VARIABLE: shared}).count("is done") == 4
