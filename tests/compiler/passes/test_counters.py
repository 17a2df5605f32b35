"""Counters of loops in 32 bits: which states are counters, and that the loops mean the same."""

from __future__ import annotations

import numpy as np
import pytest

from mycel.compiler import ops
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.passes.counters import narrow_counters


def loop(start: str, body: str, length: int = 9) -> str:
    """A scan with a counter, as text."""
    return (
        f"graph f(%x: f32[{length}]) {{ %n2: i64[], %m: i64[], %y: f32[{length}] = scan({length}, {start}, 3:i64, %x, "
        f"carried=2, scanned=1, length={length}, reverse=False) {{ body = graph body(%i: i64[], %n: i64[], %k: i64[], "
        f"%r: f32[]) {{ %c: bool[] = less(%r, 0.0) {body} return %z, %k, %s }} }} return %n2, %m, %y }}"
    )


FLOAT = "%s: f32[] = cast(%n, dtype=f32)"
ADDED = "%a: i64[] = add(%n, 2:i64) %z: i64[] = select(%c, %a, %n)"


@pytest.mark.parametrize(
    ("text", "narrow"),
    [
        (loop("5:i64", f"{ADDED} {FLOAT}"), 2),
        (loop("5:i64", f"%a: i64[] = add(%n, 2:i64) %z: i64[] = select(%c, %a, -1:i64) {FLOAT}"), 1),
        (loop(f"{2**31 - 20}:i64", f"{ADDED} {FLOAT}"), 1),
        (loop(f"{2**31 - 21}:i64", f"{ADDED} {FLOAT}"), 2),
        (loop("5:i64", f"%z: i64[] = multiply(%n, 2:i64) {FLOAT}"), 1),
        (loop("5:i64", f"%a: i64[] = add(%n, {2**31 - 9}:i64) %z: i64[] = add(%a, {9 - 2**31}:i64) {FLOAT}"), 1),
    ],
    ids=["counter", "set", "large", "largest", "product", "detour"],
)
def test_counters(text: str, narrow: int) -> None:
    graph = parse(text, ops.OPS)
    found = narrow_counters(graph)
    (node,) = (node for node in found.nodes if node.op is ops.scan)
    assert [value.type.dtype.name for value in node.outputs[:2]].count("Int32") == narrow
    assert found.types == graph.types
    x = np.random.default_rng(0).normal(size=9).astype(np.float32)
    for one, other in zip(interpret(found, [x]), interpret(graph, [x]), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    assert narrow_counters(found) is not None
    again = narrow_counters(found)
    assert [node.op for node in again.nodes] == [node.op for node in found.nodes]


def test_a_counter_that_a_test_limits() -> None:
    """Numbers above the limit, and steps back, are no reason to stop: such states stay as they are."""
    for step, limit, narrow in ((2, 9, True), (-1, 9, False), (2, 2**31, False)):
        text = (
            "graph f(%x: f32[]) { %go: bool[], %n: i64[], %y: f32[], %count: i64[] = while_loop(True, 0:i64, %x, "
            "carried=3) { "
            "test = graph test(%a: bool[], %k: i64[], %z: f32[]) { return %a } "
            "body = graph body(%a: bool[], %k: i64[], %z: f32[]) { "
            f"%m: i64[] = add(%k, {step}:i64) %w: f32[] = multiply(%z, 0.5) %u: bool[] = less(%m, {limit}:i64) "
            "%v: bool[] = greater(%w, 0.1) %b: bool[] = logical_and(%u, %v) %f: f32[] = cast(%m, dtype=f32) "
            "%r: f32[] = add(%w, %f) return %b, %m, %r } } return %n, %y }"
        )
        graph = parse(text, ops.OPS)
        found = narrow_counters(graph)
        (node,) = (node for node in found.nodes if node.op is ops.while_loop)
        assert (node.outputs[1].type.dtype.name == "Int32") == narrow
        if step > 0 and limit < 99:
            for one, other in zip(interpret(found, [np.float32(9)]), interpret(graph, [np.float32(9)]), strict=True):
                assert (one.dtype, one) == (other.dtype, other)


def test_the_last_number_may_be_two_steps_above_the_limit() -> None:
    """Where the test is of the number before, the last one is computed without a test."""
    for step, narrow in ((5 * 10**8, True), (9 * 10**8, False)):
        graph = parse(
            "graph f() { %go: bool[], %n: i64[], %count: i64[] = while_loop(True, 0:i64, carried=2) { "
            "test = graph test(%a: bool[], %k: i64[]) { return %a } body = graph body(%a: bool[], %k: i64[]) { "
            f"%m: i64[] = add(%k, {step}:i64) %b: bool[] = less(%k, {10**9}:i64) return %b, %m }} }} return %n }}",
            ops.OPS,
        )
        found = narrow_counters(graph)
        (node,) = (node for node in found.nodes if node.op is ops.while_loop)
        assert (node.outputs[1].type.dtype.name == "Int32") == narrow
        assert interpret(found, []) == interpret(graph, [])
