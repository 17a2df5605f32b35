"""Costs of nodes against hand-computed numbers: operations of products and convolutions, bytes read and written."""

from __future__ import annotations

import pytest

from mycel.compiler import ops
from mycel.compiler.analysis.costs import Cost, node_cost
from mycel.compiler.ir.parser import parse
from mycel.compiler.passes.fuse import fuse

CASES: dict[str, tuple[str, Cost]] = {
    "a product": ("(%x: f32[3, 4], %w: f32[4, 5]) { %y: f32[3, 5] = matmul(%x, %w) return %y }", Cost(120, 128, 60)),
    "with itself": ("(%x: f64[4, 4]) { %y: f64[4, 4] = matmul(%x, %x) return %y }", Cost(128, 128, 128)),
    "of a batch": (
        "(%x: f32[2, 3, 4], %w: f32[4, 5]) { %y: f32[2, 3, 5] = matmul(%x, %w) return %y }",
        Cost(240, 96 + 80, 120),
    ),
    "elementwise": ("(%x: f32[3, 4]) { %y: f32[3, 4] = multiply(%x, 2.0) return %y }", Cost(0, 48, 48)),
    "a sum": ("(%x: f32[3, 4]) { %y: f32[3] = sum(%x, axis=(1,), keepdims=False) return %y }", Cost(0, 48, 12)),
    "a view": ("(%x: f32[3, 4]) { %y: f32[4, 3] = transpose(%x, axes=(1, 0)) return %y }", Cost(0, 0, 0)),
    "of unknown size": ("(%x: f32[?]) { %y: f32[?] = tanh(%x) return %y }", Cost(0, 0, 0)),
    "two outputs": (
        "(%x: f32[2, 5]) { %y: f32[2, 3], %i: i64[2, 3] = topk(%x, k=3, axis=1, largest=True, dtype=i64)"
        " return %y, %i }",
        Cost(0, 40, 24 + 48),
    ),
    "a convolution": (
        "(%x: f32[1, 2, 5, 5], %w: f32[3, 2, 2, 2]) { %y: f32[1, 3, 4, 4] = conv(%x, %w, stride=(1, 1), "
        "padding=((0, 0), (0, 0)), dilation=(1, 1), groups=1) return %y }",
        Cost(2 * 48 * 8, 200 + 96, 192),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_costs(name: str) -> None:
    text, cost = CASES[name]
    (node,) = parse(f"graph f{text}", ops.OPS).nodes
    assert node_cost(node) == cost


@pytest.mark.usefixtures("numpy_only")
def test_a_group_costs_what_goes_in_and_out() -> None:
    text = (
        "graph f(%x: f32[512, 256]) { %a: f32[512, 256] = tanh(%x) %b: f32[512, 256] = exp(%a)"
        " %c: f32[512, 256] = add(%a, %b) return %c }"
    )
    (group,) = fuse(parse(text, ops.OPS)).nodes
    assert group.op is ops.fused
    assert node_cost(group) == Cost(0, 512 * 256 * 4, 512 * 256 * 4)
