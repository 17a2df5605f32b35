"""Batching: how many products, sums and concatenations are left."""

from __future__ import annotations

import pytest
from rewriting import assert_alike

from mycel.compiler import ops
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes.batch import batch_products
from mycel.compiler.passes.dce import eliminate_dead_code

ROWS = "%a: f32[2, 5] = slice(%x, start=(0, 0), stop=(2, 5), step=(1, 1)) "
MORE = "%b: f32[3, 5] = slice(%x, start=(2, 0), stop=(5, 5), step=(1, 1)) "
PRODUCTS = "%p: f32[2, 4] = matmul(%a, %w) %q: f32[3, 4] = matmul(%b, %w) return %p, %q }"
OUTER = (
    "(%x: f32[6, 3], %d: f32[6, 4]) {"
    " %a: f32[2, 3] = slice(%x, start=(0, 0), stop=(2, 3), step=(1, 1))"
    " %b: f32[4, 3] = slice(%x, start=(2, 0), stop=(6, 3), step=(1, 1))"
    " %c: f32[2, 4] = slice(%d, start=(0, 0), stop=(2, 4), step=(1, 1))"
    " %e: f32[4, 4] = slice(%d, start=(2, 0), stop=(6, 4), step=(1, 1))"
    " %at: f32[3, 2] = transpose(%a, axes=(1, 0)) %bt: f32[3, 4] = transpose(%b, axes=(1, 0))"
    " %p: f32[3, 4] = matmul(%at, %c) %q: f32[3, 4] = matmul(%bt, %e) %y: f32[3, 4] = add(%p, %q) return %y"
)
PADS = (
    "(%x: f32[2, 3], %z: f32[4, 3]) { %a: f32[6, 3] = pad(%x, low=(0, 0), high=(4, 0), value=VALUE)"
    " %b: f32[6, 3] = pad(%z, low=(LOW, 0), high=(HIGH, 0), value=0.0) %y: f32[6, 3] = add(%a, %b) return %y }"
)

BATCHES: dict[str, tuple[str, dict[str, int]]] = {
    "neighbouring rows": ("(%x: f32[5, 5], %w: f32[5, 4]) { " + ROWS + MORE + PRODUCTS, {"matmul": 1}),
    "rows that do not touch": (
        "(%x: f32[6, 5], %w: f32[5, 4]) { "
        + ROWS
        + MORE.replace("(2, 0)", "(3, 0)").replace("(5, 5)", "(6, 5)")
        + PRODUCTS,
        {"matmul": 2},
    ),
    "rows that overlap": (
        "(%x: f32[5, 5], %w: f32[5, 4]) { "
        + ROWS
        + MORE.replace("(2, 0)", "(1, 0)").replace("(5, 5)", "(4, 5)")
        + PRODUCTS,
        {"matmul": 2},
    ),
    "rows with another matrix": (
        "(%x: f32[5, 5], %w: f32[5, 4], %v: f32[5, 4]) { " + ROWS + MORE + PRODUCTS.replace("(%b, %w)", "(%b, %v)"),
        {"matmul": 2},
    ),
    "every other row": (
        "(%x: f32[7, 5], %w: f32[5, 4]) { "
        + ROWS
        + "%b: f32[3, 5] = slice(%x, start=(2, 0), stop=(7, 5), step=(2, 1)) "
        + PRODUCTS,
        {"matmul": 2},
    ),
    "parts of rows": (
        "(%x: f32[4, 10], %w: f32[5, 4]) { "
        + ROWS
        + "%b: f32[2, 5] = slice(%x, start=(1, 0), stop=(3, 5), step=(1, 1)) "
        + PRODUCTS.replace("%q: f32[3, 4]", "%q: f32[2, 4]"),
        {"matmul": 2},
    ),
    "rows that are cut elsewhere": (  # spans begin where no row of five begins
        "(%x: f32[30], %w: f32[5, 4]) {"
        " %r: f32[10] = slice(%x, start=(1,), stop=(11,), step=(1,)) %a: f32[2, 5] = reshape(%r, shape=(2, 5))"
        " %s: f32[15] = slice(%x, start=(11,), stop=(26,), step=(1,)) %b: f32[3, 5] = reshape(%s, shape=(3, 5)) "
        + PRODUCTS,
        {"matmul": 2},
    ),
    "a sum of outer products": (OUTER + " }", {"matmul": 1, "add": 0, "concatenate": 0}),
    "outer products of rows that do not touch": (
        OUTER.replace("f32[6, ", "f32[7, ").replace("start=(2, 0), stop=(6,", "start=(3, 0), stop=(7,") + " }",
        {"matmul": 1, "add": 0, "concatenate": 2},
    ),
    "products of what is computed otherwise": (
        "(%a: f32[3, 2], %c: f32[2, 4], %b: f32[3, 4], %e: f32[4, 4]) {"
        " %at: f32[3, 2] = tanh(%a) %bt: f32[3, 4] = tanh(%b)"
        " %p: f32[3, 4] = matmul(%at, %c) %q: f32[3, 4] = matmul(%bt, %e) %y: f32[3, 4] = add(%p, %q) return %y }",
        {"matmul": 2, "add": 1},
    ),
    "an outer product that is read": (OUTER + ", %p }", {"matmul": 2, "add": 1}),
    "a product of rows that are not transposed": (
        "(%a: f32[3, 2], %c: f32[2, 4], %b: f32[3, 4], %e: f32[4, 4]) {"
        " %p: f32[3, 4] = matmul(%a, %c) %q: f32[3, 4] = matmul(%b, %e) %y: f32[3, 4] = add(%p, %q) return %y }",
        {"matmul": 2, "add": 1},
    ),
    "outer products of other tensors": (
        "(%a: f32[2, 3], %c: f32[2, 4], %b: f32[4, 3], %e: f32[4, 4]) {"
        " %at: f32[3, 2] = transpose(%a, axes=(1, 0)) %bt: f32[3, 4] = transpose(%b, axes=(1, 0))"
        " %p: f32[3, 4] = matmul(%at, %c) %q: f32[3, 4] = matmul(%bt, %e) %y: f32[3, 4] = add(%p, %q) return %y }",
        {"matmul": 1, "concatenate": 2, "add": 0},
    ),
    "outer products whose rows cost more to copy": (
        "(%a: f32[20000, 3], %c: f32[20000, 4], %b: f32[20000, 3], %e: f32[20000, 4]) {"
        " %at: f32[3, 20000] = transpose(%a, axes=(1, 0)) %bt: f32[3, 20000] = transpose(%b, axes=(1, 0))"
        " %p: f32[3, 4] = matmul(%at, %c) %q: f32[3, 4] = matmul(%bt, %e) %y: f32[3, 4] = add(%p, %q) return %y }",
        {"matmul": 2, "concatenate": 0, "add": 1},
    ),
    "sums over rows": (
        "(%a: f32[2, 3], %b: f32[4, 3], %u: f32[5, 5], %v: f32[5, 5], %w: f32[5, 5]) {"
        " %s: f32[3] = sum(%a, axis=(0,), keepdims=False) %t: f32[3] = sum(%b, axis=(0,), keepdims=False)"
        " %y: f32[3] = add(%s, %t) %p: f32[5, 5] = matmul(%u, %v) %q: f32[5, 5] = matmul(%p, %w) return %y, %q }",
        {"sum": 1, "add": 0, "concatenate": 1},
    ),
    "sums over as many rows": (
        "(%a: f32[4, 3], %b: f32[4, 3], %u: f32[5, 5], %v: f32[5, 5], %w: f32[5, 5]) {"
        " %s: f32[3] = sum(%a, axis=(0,), keepdims=False) %t: f32[3] = sum(%b, axis=(0,), keepdims=False)"
        " %y: f32[3] = add(%s, %t) %p: f32[5, 5] = matmul(%u, %v) %q: f32[5, 5] = matmul(%p, %w) return %y, %q }",
        {"sum": 1, "add": 1, "concatenate": 0},
    ),
    "a sum over columns": (
        "(%a: f32[3, 3], %b: f32[4, 3], %u: f32[5, 5], %v: f32[5, 5], %w: f32[5, 5]) {"
        " %s: f32[3] = sum(%a, axis=(1,), keepdims=False) %t: f32[3] = sum(%b, axis=(0,), keepdims=False)"
        " %y: f32[3] = add(%s, %t) %p: f32[5, 5] = matmul(%u, %v) %q: f32[5, 5] = matmul(%p, %w) return %y, %q }",
        {"sum": 2, "add": 1, "concatenate": 0},
    ),
    "products of products": (
        "(%x: f32[6, 4], %w: f32[4, 4], %v: f32[4, 3]) {"
        " %a: f32[2, 4] = slice(%x, start=(0, 0), stop=(2, 4), step=(1, 1)) %p: f32[2, 4] = matmul(%a, %w)"
        " %b: f32[4, 4] = slice(%x, start=(2, 0), stop=(6, 4), step=(1, 1)) %q: f32[4, 4] = matmul(%b, %w)"
        " %y: f32[2, 3] = matmul(%p, %v) %z: f32[4, 3] = matmul(%q, %v) return %y, %z }",
        {"matmul": 2},
    ),
    "padded parts": (
        PADS.replace("VALUE", "0.0").replace("LOW", "2").replace("HIGH", "0"),
        {"pad": 0, "concatenate": 1, "add": 0, "full": 0},
    ),
    "parts padded with a number": (
        PADS.replace("VALUE", "1.0").replace("LOW", "2").replace("HIGH", "0"),
        {"pad": 2, "concatenate": 0, "add": 1, "index_add": 0},
    ),
    "parts that overlap": (
        PADS.replace("VALUE", "0.0").replace("LOW", "1").replace("HIGH", "1"),
        {"concatenate": 0, "pad": 2, "index_add": 0},  # which kernels add with their zeros
    ),
    "parts that are padded along two axes": (
        "(%x: f32[1, 3], %z: f32[2, 2]) { %a: f32[6, 3] = pad(%x, low=(0, 0), high=(5, 0), value=0.0)"
        " %b: f32[6, 3] = pad(%z, low=(4, 1), high=(0, 0), value=0.0) %y: f32[6, 3] = add(%a, %b) return %y }",
        {"concatenate": 0, "index_add": 1},
    ),
}


@pytest.mark.parametrize("name", BATCHES)
def test_batching(name: str) -> None:
    """What is joined is joined, what is not alike is left alone, and the numbers are the same."""
    text, wanted = BATCHES[name]
    before = verify(parse(f"graph f{text}", ops.OPS))
    after = verify(eliminate_dead_code(batch_products(before)))
    found = {op: sum(node.op.name == op for node in after.nodes) for op in wanted}
    assert found == wanted, str(after)
    assert str(eliminate_dead_code(batch_products(after))) == str(after)
    assert_alike(before, after)
