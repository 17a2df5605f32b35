"""Each pass as text: a graph before and after the pass."""

from __future__ import annotations

import re

import pytest

from mycel.compiler import ops
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.printer import print_graph
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes.batch import batch_products
from mycel.compiler.passes.cse import eliminate_common_subexpressions
from mycel.compiler.passes.dce import eliminate_dead_code
from mycel.compiler.passes.lower import divide_by_fixed, lower
from mycel.compiler.passes.masks import select_by_bits
from mycel.compiler.passes.outer_products import sum_outer_products
from mycel.compiler.passes.products import arrange_products
from mycel.compiler.passes.row_products import multiply_rows
from mycel.compiler.passes.rows import join_rows
from mycel.compiler.passes.simplify import simplify
from mycel.compiler.passes.sums import sum_by_products
from mycel.compiler.pipeline import Pass
from mycel.compiler.transforms.loop_invariants import move_invariants


def clean(graph: object) -> str:
    """The text of a graph with its values numbered in order."""
    names: dict[str, str] = {}
    return re.sub(r"%\w+", lambda match: names.setdefault(match.group(), f"%{len(names)}"), print_graph(graph))  # type: ignore[arg-type]


def check(function: Pass, before: str, after: str) -> None:
    """The pass turns one text into the other, up to names."""
    result = verify(eliminate_dead_code(function(verify(parse(f"graph f{before}", ops.OPS)))))
    assert clean(result) == clean(parse(f"graph f{after}", ops.OPS))


THRICE = (
    "(%s: f64[9, 1], %a: f64[9, 9]) { %x: f64[9, 1] = solve(%a, %s) %y: f64[9, 1] = solve(%a, %x)"
    " %z: f64[9, 1] = solve(%a, %y) return %z }"
)
CASES: dict[str, tuple[Pass, str, str]] = {
    "lower a power": (
        lower,
        "(%x: f32[3]) { %y: f32[3] = power(%x, 3.0) return %y }",
        "(%x: f32[3]) { %a: f32[3] = multiply(%x, %x) %y: f32[3] = multiply(%x, %a) return %y }",
    ),
    "the first of two results": (
        eliminate_dead_code,
        "(%x: f32[3]) { %v: f32[3], %p: i32[3] = sort(%x, axis=0, descending=True, dtype=i32) return %v }",
        "(%x: f32[3]) { %v: f32[3] = ordered(%x, axis=0, descending=True) return %v }",
    ),
    "dead code": (
        eliminate_dead_code,
        "(%x: f32[3]) { %a: f32[3] = tanh(%x) %y: f32[3] = exp(%x) print_(%x, template=(0,)) return %y }",
        "(%x: f32[3]) { %y: f32[3] = exp(%x) print_(%x, template=(0,)) return %y }",
    ),
    "what a cond computes for nothing": (
        eliminate_dead_code,
        "(%p: bool[], %x: f32[3], %z: f32[3]) { %a: f32[3], %b: f32[3] = cond(%p, %x, %z) {"
        " then = graph t(%u: f32[3], %v: f32[3]) { %s: f32[3] = tanh(%u) %t: f32[3] = exp(%v) return %s, %t }"
        " orelse = graph e(%u: f32[3], %v: f32[3]) { return %u, %v } } return %a }",
        "(%p: bool[], %x: f32[3], %z: f32[3]) { %a: f32[3] = cond(%p, %x) {"
        " then = graph t(%u: f32[3]) { %s: f32[3] = tanh(%u) return %s }"
        " orelse = graph e(%u: f32[3]) { return %u } } return %a }",
    ),
    "what a loop carries for nothing": (
        eliminate_dead_code,
        "(%x: f32[3], %c: f32[3], %u: f32[3]) {"
        " %a: f32[3], %b: f32[3], %n: i64[], %s: f32[?, 3] = while_loop(%x, %x, %c, %u, carried=2) {"
        " test = graph t(%p: f32[3], %q: f32[3], %k: f32[3], %m: f32[3]) {"
        " %z: f32[] = sum(%p, axis=(0,), keepdims=False) %y: bool[] = less(%z, 5.0) return %y }"
        " body = graph b(%p: f32[3], %q: f32[3], %k: f32[3], %m: f32[3]) { %w: f32[3] = add(%p, %k)"
        " %v: f32[3] = multiply(%q, %m) %r: f32[3] = tanh(%v) return %w, %v, %r } } return %a }",
        "(%x: f32[3], %c: f32[3], %u: f32[3]) { %a: f32[3], %n: i64[] = while_loop(%x, %c, carried=1) {"
        " test = graph t(%p: f32[3], %k: f32[3]) {"
        " %z: f32[] = sum(%p, axis=(0,), keepdims=False) %y: bool[] = less(%z, 5.0) return %y }"
        " body = graph b(%p: f32[3], %k: f32[3]) { %w: f32[3] = add(%p, %k) return %w } } return %a }",
    ),
    "an effect in a loop keeps what it shows": (
        eliminate_dead_code,
        "(%k: i64[], %x: f32[3], %y: f32[3]) {"
        " %a: f32[3], %b: f32[3] = scan(%k, %x, %y, carried=2, scanned=0, length=2, reverse=False) {"
        " body = graph b(%i: i64[], %p: f32[3], %q: f32[3]) { %w: f32[3] = tanh(%p) %v: f32[3] = tanh(%q)"
        " print_(%q, template=(0,)) return %w, %v } } return %x }",
        "(%k: i64[], %x: f32[3], %y: f32[3]) {"
        " %b: f32[3] = scan(%k, %y, carried=1, scanned=0, length=2, reverse=False) {"
        " body = graph b(%i: i64[], %q: f32[3]) { %v: f32[3] = tanh(%q) print_(%q, template=(0,)) return %v } }"
        " return %x }",
    ),
    "common subexpressions, swapped": (
        eliminate_common_subexpressions,
        "(%x: f32[3], %y: f32[3]) { %a: f32[3] = add(%x, %y) %b: f32[3] = add(%y, %x) %c: f32[3] = multiply(%a, %b) "
        "return %c }",
        "(%x: f32[3], %y: f32[3]) { %a: f32[3] = add(%x, %y) %c: f32[3] = multiply(%a, %a) return %c }",
    ),
    "differences are not commutative": (
        eliminate_common_subexpressions,
        "(%x: f32[3], %y: f32[3]) { %a: f32[3] = subtract(%x, %y) %b: f32[3] = subtract(%y, %x) "
        "%c: f32[3] = multiply(%a, %b) return %c }",
        "(%x: f32[3], %y: f32[3]) { %a: f32[3] = subtract(%x, %y) %b: f32[3] = subtract(%y, %x) "
        "%c: f32[3] = multiply(%a, %b) return %c }",
    ),
    "attributes tell nodes of equal inputs apart": (
        eliminate_common_subexpressions,
        "(%x: f32[3, 3]) { %a: f32[3] = sum(%x, axis=(0,), keepdims=False) %b: f32[3] = sum(%x, axis=(1,),"
        " keepdims=False) %c: f32[3] = sum(%x, axis=(0,), keepdims=False) %d: f32[3] = sum(%x, axis=(1,),"
        " keepdims=False) return %a, %b, %c, %d }",
        "(%x: f32[3, 3]) { %a: f32[3] = sum(%x, axis=(0,), keepdims=False) %b: f32[3] = sum(%x, axis=(1,),"
        " keepdims=False) return %a, %b, %a, %b }",
    ),
    "effects are not merged": (
        eliminate_common_subexpressions,
        "(%x: f32[3]) { print_(%x, template=(0,)) print_(%x, template=(0,)) return %x }",
        "(%x: f32[3]) { print_(%x, template=(0,)) print_(%x, template=(0,)) return %x }",
    ),
    "equal branches of two conds": (
        eliminate_common_subexpressions,
        "(%p: bool[], %x: f32[3]) {"
        " %a: f32[3] = cond(%p, %x) { then = graph t(%u: f32[3]) { %v: f32[3] = tanh(%u) return %v }"
        " orelse = graph e(%u: f32[3]) { return %u } }"
        " %b: f32[3] = cond(%p, %x) { then = graph t(%w: f32[3]) { %z: f32[3] = tanh(%w) return %z }"
        " orelse = graph e(%w: f32[3]) { return %w } }"
        " %c: f32[3] = add(%a, %b) return %c }",
        "(%p: bool[], %x: f32[3]) {"
        " %a: f32[3] = cond(%p, %x) { then = graph t(%u: f32[3]) { %v: f32[3] = tanh(%u) return %v }"
        " orelse = graph e(%u: f32[3]) { return %u } }"
        " %c: f32[3] = add(%a, %a) return %c }",
    ),
    "nothing times zero is zero": (
        simplify,
        "(%x: f32[3]) { %y: f32[3] = multiply(%x, 0.0) return %y }",
        "(%x: f32[3]) { %y: f32[3] = multiply(%x, 0.0) return %y }",
    ),
    "numbers fold": (
        simplify,
        "(%x: f32[3]) { %a: f32[] = add(1.0, 2.0) %y: f32[3] = multiply(%x, %a) return %y }",
        "(%x: f32[3]) { %y: f32[3] = multiply(%x, 3.0) return %y }",
    ),
    "filled tensors fold": (
        simplify,
        "(%x: f32[3]) { %o: f32[3] = full(shape=(3,), value=1.0, dtype=f32) %y: f32[3] = multiply(%x, %o) return %y }",
        "(%x: f32[3]) { return %x }",
    ),
    "elementwise ops broadcast by themselves": (
        simplify,
        "(%x: f32[2, 3], %b: f32[3]) { %c: f32[2, 3] = broadcast_to(%b, shape=(2, 3)) %y: f32[2, 3] = add(%x, %c) "
        "return %y }",
        "(%x: f32[2, 3], %b: f32[3]) { %y: f32[2, 3] = add(%x, %b) return %y }",
    ),
    "elementwise ops run before a broadcast": (
        simplify,
        "(%b: f32[3]) { %c: f32[2, 3] = broadcast_to(%b, shape=(2, 3)) %y: f32[2, 3] = exp(%c) return %y }",
        "(%b: f32[3]) { %c: f32[3] = exp(%b) %y: f32[2, 3] = broadcast_to(%c, shape=(2, 3)) return %y }",
    ),
    "reshapes join": (
        simplify,
        "(%x: f32[2, 6]) { %a: f32[12] = reshape(%x, shape=(12,)) %y: f32[3, 4] = reshape(%a, shape=(3, 4)) "
        "return %y }",
        "(%x: f32[2, 6]) { %y: f32[3, 4] = reshape(%x, shape=(3, 4)) return %y }",
    ),
    "transposes cancel": (
        simplify,
        "(%x: f32[2, 3]) { %a: f32[3, 2] = transpose(%x, axes=(1, 0)) %y: f32[2, 3] = transpose(%a, axes=(1, 0)) "
        "return %y }",
        "(%x: f32[2, 3]) { return %x }",
    ),
    "a transposed product": (
        simplify,
        "(%a: f32[2, 3], %b: f32[3, 4]) { %p: f32[2, 4] = matmul(%a, %b) %y: f32[4, 2] = transpose(%p, axes=(1, 0)) "
        "return %y }",
        "(%a: f32[2, 3], %b: f32[3, 4]) { %s: f32[4, 3] = transpose(%b, axes=(1, 0)) "
        "%t: f32[3, 2] = transpose(%a, axes=(1, 0)) %y: f32[4, 2] = matmul(%s, %t) return %y }",
    ),
    "a batch of products with one matrix": (
        simplify,
        "(%a: f32[5, 2, 3], %b: f32[3, 4]) { %y: f32[5, 2, 4] = matmul(%a, %b) return %y }",
        "(%a: f32[5, 2, 3], %b: f32[3, 4]) { %r: f32[10, 3] = reshape(%a, shape=(10, 3)) "
        "%p: f32[10, 4] = matmul(%r, %b) %y: f32[5, 2, 4] = reshape(%p, shape=(5, 2, 4)) return %y }",
    ),
    "a sum of what was broadcast": (
        simplify,
        "(%x: f32[3]) { %b: f32[4, 3] = broadcast_to(%x, shape=(4, 3)) %y: f32[3] = sum(%b, axis=(0,), keepdims=False) "
        "return %y }",
        "(%x: f32[3]) { %y: f32[3] = multiply(%x, 4.0) return %y }",
    ),
    "sums join": (
        simplify,
        "(%x: f32[2, 3, 4]) { %a: f32[2, 4] = sum(%x, axis=(1,), keepdims=False) "
        "%y: f32[4] = sum(%a, axis=(0,), keepdims=False) return %y }",
        "(%x: f32[2, 3, 4]) { %y: f32[4] = sum(%x, axis=(0, 1), keepdims=False) return %y }",
    ),
    "signs": (
        simplify,
        "(%x: f32[3], %y: f32[3]) { %n: f32[3] = negative(%y) %p: f32[3] = multiply(%x, %n) %z: f32[3] = add(%x, %p) "
        "return %z }",
        "(%x: f32[3], %y: f32[3]) { %p: f32[3] = multiply(%x, %y) %z: f32[3] = subtract(%x, %p) return %z }",
    ),
    "factors join": (
        simplify,
        "(%x: f32[3]) { %a: f32[3] = multiply(%x, 2.0) %y: f32[3] = multiply(%a, 4.0) return %y }",
        "(%x: f32[3]) { %y: f32[3] = multiply(%x, 8.0) return %y }",
    ),
    "factors that would overflow do not join": (
        simplify,
        "(%x: f32[3]) { %a: f32[3] = multiply(%x, 1e30) %y: f32[3] = multiply(%a, 1e30) return %y }",
        "(%x: f32[3]) { %a: f32[3] = multiply(%x, 1e30) %y: f32[3] = multiply(%a, 1e30) return %y }",
    ),
    "casts join where the first loses nothing": (
        simplify,
        "(%x: i32[3]) { %a: f64[3] = cast(%x, dtype=f64) %y: i64[3] = cast(%a, dtype=i64) return %y }",
        "(%x: i32[3]) { %y: i64[3] = cast(%x, dtype=i64) return %y }",
    ),
    "casts stay where the first loses digits": (
        simplify,
        "(%x: f64[3]) { %a: f32[3] = cast(%x, dtype=f32) %y: f64[3] = cast(%a, dtype=f64) return %y }",
        "(%x: f64[3]) { %a: f32[3] = cast(%x, dtype=f32) %y: f64[3] = cast(%a, dtype=f64) return %y }",
    ),
    "a known condition": (
        simplify,
        "(%x: f32[3]) { %y: f32[3] = cond(True, %x) { then = graph t(%u: f32[3]) { %v: f32[3] = tanh(%u) return %v }"
        " orelse = graph e(%u: f32[3]) { return %u } } return %y }",
        "(%x: f32[3]) { %y: f32[3] = tanh(%x) return %y }",
    ),
    "a selection with zero": (
        select_by_bits,
        "(%p: bool[3], %x: f32[3]) { %y: f32[3] = select(%p, %x, 0.0) return %y }",
        "(%p: bool[3], %x: f32[3]) { %b: i32[3] = bitcast(%x, dtype=i32) %m: i32[3] = mask_bits(%b, %p) "
        "%y: f32[3] = bitcast(%m, dtype=f32) return %y }",
    ),
    "a selection": (
        select_by_bits,
        "(%p: bool[3], %x: i64[3], %z: i64[3]) { %y: i64[3] = select(%p, %x, %z) return %y }",
        "(%p: bool[3], %x: i64[3], %z: i64[3]) { %d: i64[3] = bitwise_xor(%x, %z) %m: i64[3] = mask_bits(%d, %p) "
        "%y: i64[3] = bitwise_xor(%z, %m) return %y }",
    ),
    "sums over rows and columns": (
        sum_by_products,
        "(%x: f32[2, 3]) { %a: f32[2] = sum(%x, axis=(1,), keepdims=False) "
        "%b: f32[3] = sum(%x, axis=(0,), keepdims=False) return %a, %b }",
        "(%x: f32[2, 3]) { %o: f32[3] = full(shape=(3,), value=1.0, dtype=f32) %a: f32[2] = matmul(%x, %o) "
        "%q: f32[2] = full(shape=(2,), value=1.0, dtype=f32) %b: f32[3] = matmul(%q, %x) return %a, %b }",
    ),
    "sums of integers stay": (
        sum_by_products,
        "(%x: i32[2, 3]) { %a: i32[2] = sum(%x, axis=(1,), keepdims=False) return %a }",
        "(%x: i32[2, 3]) { %a: i32[2] = sum(%x, axis=(1,), keepdims=False) return %a }",
    ),
    "invariants leave a scan": (
        move_invariants,
        "(%n: i64[], %s: f32[3], %c: f32[3]) { %y: f32[3] = scan(%n, %s, %c, carried=1, scanned=0, length=4, "
        "reverse=False) {"
        " body = graph b(%i: i64[], %s: f32[3], %c: f32[3]) { %e: f32[3] = exp(%c) %t: f32[3] = multiply(%s, "
        "%e) return %t }"
        " } return %y }",
        "(%n: i64[], %s: f32[3], %c: f32[3]) { %e: f32[3] = exp(%c)"
        " %y: f32[3] = scan(%n, %s, %e, carried=1, scanned=0, length=4, reverse=False) {"
        " body = graph b(%i: i64[], %s: f32[3], %e: f32[3]) { %t: f32[3] = multiply(%s, %e) return %t }"
        " } return %y }",
    ),
    "what may raise leaves a scan that runs it in any case": (
        move_invariants,
        "(%n: i64[], %s: f32[3, 3], %c: f32[3, 3]) { %y: f32[3, 3] = scan(%n, %s, %c, carried=1, scanned=0, length=4, "
        "reverse=False) { body = graph b(%i: i64[], %s: f32[3, 3], %c: f32[3, 3]) { %e: f32[3, 3] = cholesky(%c)"
        " %t: f32[3, 3] = multiply(%s, %e) return %t } } return %y }",
        "(%n: i64[], %s: f32[3, 3], %c: f32[3, 3]) { %e: f32[3, 3] = cholesky(%c)"
        " %y: f32[3, 3] = scan(%n, %s, %e, carried=1, scanned=0, length=4, reverse=False) {"
        " body = graph b(%i: i64[], %s: f32[3, 3], %e: f32[3, 3]) { %t: f32[3, 3] = multiply(%s, %e) return %t }"
        " } return %y }",
    ),
    **{
        f"what may raise stays in a loop {what}": (move_invariants, text, text)
        for what, text in {
            "that may not run it": "(%n: i64[], %s: f32[3, 3], %c: f32[3, 3]) {"
            " %y: f32[3, 3] = scan(%n, %s, %c, carried=1, scanned=0, length=0, reverse=False) {"
            " body = graph b(%i: i64[], %s: f32[3, 3], %c: f32[3, 3]) { %e: f32[3, 3] = cholesky(%c)"
            " %t: f32[3, 3] = multiply(%s, %e) return %t } } return %y }",
            "that checks before": "(%n: i64[], %s: f32[3, 3], %c: f32[3, 3]) {"
            " %y: f32[3, 3] = scan(%n, %s, %c, carried=1, scanned=0, length=4, reverse=False) {"
            " body = graph b(%i: i64[], %s: f32[3, 3], %c: f32[3, 3]) {"
            " %m: f32[] = max(%s, axis=(0, 1), keepdims=False)"
            ' %b: bool[] = less(%m, 1.0) assert_(%b, template=("large",), exception="ValueError")'
            " %e: f32[3, 3] = cholesky(%c) %t: f32[3, 3] = multiply(%s, %e) return %t } } return %y }",
        }.items()
    },
    "a matrix that is solved for again and again": (
        divide_by_fixed,
        "(%s: f64[9, 1], %a: f64[9, 9]) { %y: f64[9, 1] = scan(8, %s, %a, carried=1, scanned=0, length=8, "
        "reverse=False) { body = graph b(%i: i64[], %s: f64[9, 1], %a: f64[9, 9]) { %t: f64[9, 1] = solve(%a, %s)"
        " return %t } } return %y }",
        "(%s: f64[9, 1], %a: f64[9, 9]) { %y: f64[9, 1] = scan(8, %s, %a, carried=1, scanned=0, length=8, "
        "reverse=False) { body = graph b(%i: i64[], %s: f64[9, 1], %a: f64[9, 9]) { %v: f64[9, 9] = inverse(%a)"
        " %x: f64[9, 1] = matmul(%v, %s) %p: f64[9, 1] = matmul(%a, %x) %d: f64[9, 1] = subtract(%s, %p)"
        " %q: f64[9, 1] = matmul(%v, %d) %t: f64[9, 1] = add(%x, %q) return %t } } return %y }",
    ),
    "a matrix that is solved for thrice": (divide_by_fixed, THRICE, THRICE),
    "unrolled products of rows": (
        batch_products,
        "(%x: f32[2, 3, 4], %w: f32[4, 5]) { %a: f32[1, 3, 4] = slice(%x, start=(0, 0, 0), stop=(1, 3, 4), "
        "step=(1, 1, 1))"
        " %b: f32[3, 4] = reshape(%a, shape=(3, 4)) %p: f32[3, 5] = matmul(%b, %w)"
        " %c: f32[1, 3, 4] = slice(%x, start=(1, 0, 0), stop=(2, 3, 4), step=(1, 1, 1))"
        " %d: f32[3, 4] = reshape(%c, shape=(3, 4)) %q: f32[3, 5] = matmul(%d, %w) return %p, %q }",
        "(%x: f32[2, 3, 4], %w: f32[4, 5]) { %r: f32[6, 4] = reshape(%x, shape=(6, 4)) %m: f32[6, 5] = matmul(%r, %w)"
        " %p: f32[3, 5] = slice(%m, start=(0, 0), stop=(3, 5), step=(1, 1))"
        " %q: f32[3, 5] = slice(%m, start=(3, 0), stop=(6, 5), step=(1, 1)) return %p, %q }",
    ),
    "a sum of products": (
        batch_products,
        "(%a: f32[3, 4], %b: f32[3, 5], %c: f32[3, 4], %d: f32[3, 5]) { %s: f32[4, 3] = transpose(%a, axes=(1, 0))"
        " %p: f32[4, 5] = matmul(%s, %b) %t: f32[4, 3] = transpose(%c, axes=(1, 0)) %q: f32[4, 5] = matmul(%t, %d)"
        " %y: f32[4, 5] = add(%p, %q) return %y }",
        "(%a: f32[3, 4], %b: f32[3, 5], %c: f32[3, 4], %d: f32[3, 5]) { %r: f32[6, 4] = concatenate(%c, %a, axis=0)"
        " %s: f32[6, 5] = concatenate(%d, %b, axis=0) %t: f32[4, 6] = transpose(%r, axes=(1, 0))"
        " %y: f32[4, 5] = matmul(%t, %s) return %y }",
    ),
    "a stack of all rows": (
        join_rows,
        "(%x: f32[3, 2]) { %a: f32[1, 2] = slice(%x, start=(0, 0), stop=(1, 2), step=(1, 1))"
        " %r: f32[2] = reshape(%a, shape=(2,)) %p: f32[1, 2] = reshape(%r, shape=(1, 2))"
        " %q: f32[2, 2] = slice(%x, start=(1, 0), stop=(3, 2), step=(1, 1))"
        " %y: f32[3, 2] = concatenate(%p, %q, axis=0) return %y }",
        "(%x: f32[3, 2]) { return %x }",
    ),
    "rows in reverse, between others": (
        join_rows,
        "(%x: f32[4, 2], %o: f32[1, 2]) { "
        "%a: f32[1, 2] = slice(%x, start=(3, 0), stop=(4, 2), step=(1, 1)) %b: f32[2] = take(%x, 2, axis=0)"
        " %p: f32[1, 2] = reshape(%b, shape=(1, 2)) %q: f32[1, 2] = slice(%x, start=(0, 0), stop=(1, 2), step=(1, 1))"
        " %y: f32[5, 2] = concatenate(%o, %a, %p, %o, %q, axis=0) return %y }",
        "(%x: f32[4, 2], %o: f32[1, 2]) { %q: f32[1, 2] = slice(%x, start=(0, 0), stop=(1, 2), step=(1, 1))"
        " %a: f32[2, 2] = slice(%x, start=(2, 0), stop=(4, 2), step=(1, 1)) %r: f32[2, 2] = reverse(%a, axes=(0,))"
        " %y: f32[5, 2] = concatenate(%o, %r, %o, %q, axis=0) return %y }",
    ),
    "every second row, along another axis": (
        join_rows,
        "(%x: f32[5, 2]) { %a: f32[2] = take(%x, 0, axis=0) %b: f32[2] = take(%x, 2, axis=0)"
        " %c: f32[2] = take(%x, 4, axis=0) %p: f32[2, 1] = reshape(%a, shape=(2, 1))"
        " %q: f32[2, 1] = reshape(%b, shape=(2, 1)) %r: f32[2, 1] = reshape(%c, shape=(2, 1))"
        " %y: f32[2, 3] = concatenate(%p, %q, %r, axis=1) return %y }",
        "(%x: f32[5, 2]) { %a: f32[3, 2] = slice(%x, start=(0, 0), stop=(5, 2), step=(2, 1))"
        " %p: f32[3, 2, 1] = reshape(%a, shape=(3, 2, 1)) %t: f32[2, 3, 1] = transpose(%p, axes=(1, 0, 2))"
        " %y: f32[2, 3] = reshape(%t, shape=(2, 3)) return %y }",
    ),
    "a sum of padded rows of one tensor": (
        join_rows,
        "(%x: f32[3, 2], %o: f32[3, 2]) { %a: f32[1, 2] = slice(%x, start=(0, 0), stop=(1, 2), step=(1, 1))"
        " %p: f32[3, 2] = pad(%a, low=(0, 0), high=(2, 0), value=0)"
        " %b: f32[2, 2] = slice(%x, start=(1, 0), stop=(3, 2), step=(1, 1))"
        " %q: f32[3, 2] = pad(%b, low=(1, 0), high=(0, 0), value=0) %s: f32[3, 2] = add(%q, %o)"
        " %y: f32[3, 2] = add(%s, %p) return %y }",
        "(%x: f32[3, 2], %o: f32[3, 2]) { %y: f32[3, 2] = add(%o, %x) return %y }",
    ),
    "a sum of rows of one tensor that are padded to other places": (
        join_rows,
        "(%x: f32[3, 2]) { %a: f32[1, 2] = slice(%x, start=(1, 0), stop=(2, 2), step=(1, 1))"
        " %p: f32[2, 2] = pad(%a, low=(0, 0), high=(1, 0), value=0) "
        "%b: f32[1, 2] = slice(%x, start=(1, 0), stop=(2, 2), step=(1, 1))"
        " %q: f32[2, 2] = pad(%b, low=(1, 0), high=(0, 0), value=0)"
        " %y: f32[2, 2] = add(%q, %p) return %y }",
        "(%x: f32[3, 2]) { %a: f32[1, 2] = slice(%x, start=(1, 0), stop=(2, 2), step=(1, 1))"
        " %p: f32[2, 2] = pad(%a, low=(0, 0), high=(1, 0), value=0) "
        "%b: f32[1, 2] = slice(%x, start=(1, 0), stop=(2, 2), step=(1, 1))"
        " %q: f32[2, 2] = pad(%b, low=(1, 0), high=(0, 0), value=0)"
        " %y: f32[2, 2] = add(%q, %p) return %y }",
    ),
    "parts of rows, and rows of two tensors": (
        join_rows,
        "(%x: f32[2, 4], %o: f32[2, 2]) { %a: f32[1, 2] = slice(%x, start=(0, 0), stop=(1, 2), step=(1, 1))"
        " %b: f32[1, 2] = slice(%x, start=(1, 0), stop=(2, 2), step=(1, 1))"
        " %c: f32[1, 2] = slice(%o, start=(1, 0), stop=(2, 2), step=(1, 1))"
        " %y: f32[3, 2] = concatenate(%a, %b, %c, axis=0) return %y }",
        "(%x: f32[2, 4], %o: f32[2, 2]) { %a: f32[1, 2] = slice(%x, start=(0, 0), stop=(1, 2), step=(1, 1))"
        " %b: f32[1, 2] = slice(%x, start=(1, 0), stop=(2, 2), step=(1, 1))"
        " %c: f32[1, 2] = slice(%o, start=(1, 0), stop=(2, 2), step=(1, 1))"
        " %y: f32[3, 2] = concatenate(%a, %b, %c, axis=0) return %y }",
    ),
    "a sum of padded parts": (
        batch_products,
        "(%a: f32[2], %b: f32[3]) { %p: f32[6] = pad(%a, low=(0,), high=(4,), value=0)"
        " %q: f32[6] = pad(%b, low=(3,), high=(0,), value=0) %y: f32[6] = add(%p, %q) return %y }",
        "(%a: f32[2], %b: f32[3]) { %z: f32[1] = full(shape=(1,), value=0.0, dtype=f32)"
        " %y: f32[6] = concatenate(%a, %z, %b, axis=0) return %y }",
    ),
    "padded parts that two sums share": (
        batch_products,
        "(%a: f32[2], %b: f32[3], %c: f32[3]) { %p: f32[5] = pad(%a, low=(0,), high=(3,), value=0)"
        " %q: f32[5] = pad(%b, low=(2,), high=(0,), value=0) %r: f32[5] = pad(%c, low=(2,), high=(0,), value=0)"
        " %y: f32[5] = add(%p, %q) %z: f32[5] = add(%p, %r) return %y, %z }",
        "(%a: f32[2], %b: f32[3], %c: f32[3]) { %y: f32[5] = concatenate(%a, %b, axis=0)"
        " %z: f32[5] = concatenate(%a, %c, axis=0) return %y, %z }",
    ),
    "padded parts of which some share a place": (
        batch_products,
        "(%a: f32[2], %b: f32[3], %c: f32[2]) { %p: f32[5] = pad(%a, low=(0,), high=(3,), value=0)"
        " %q: f32[5] = pad(%b, low=(2,), high=(0,), value=0) %r: f32[5] = pad(%c, low=(0,), high=(3,), value=0)"
        " %s: f32[5] = add(%p, %q) %y: f32[5] = add(%s, %r) return %y }",
        "(%a: f32[2], %b: f32[3], %c: f32[2]) { %s: f32[2] = add(%c, %a) %y: f32[5] = concatenate(%s, %b, axis=0)"
        " return %y }",
    ),
    "products of rows with a matrix that stays": (
        multiply_rows,
        "(%s: f32[2, 3], %x: f32[9, 2, 4], %w: f32[4, 3]) {"
        " %y: f32[2, 3] = scan(9, %s, %x, %w, carried=1, scanned=1, length=9, reverse=True) {"
        " body = graph b(%i: i64[], %s: f32[2, 3], %r: f32[2, 4], %w: f32[4, 3]) { %p: f32[2, 3] = matmul(%r, %w)"
        " %t: f32[2, 3] = add(%s, %p) return %t } }"
        " return %y }",
        "(%s: f32[2, 3], %x: f32[9, 2, 4], %w: f32[4, 3]) { %a: f32[18, 4] = reshape(%x, shape=(18, 4))"
        " %b: f32[18, 3] = matmul(%a, %w) %p: f32[9, 2, 3] = reshape(%b, shape=(9, 2, 3))"
        " %y: f32[2, 3] = scan(9, %s, %p, carried=1, scanned=1, length=9, reverse=True) {"
        " body = graph b(%i: i64[], %s: f32[2, 3], %p: f32[2, 3]) { %t: f32[2, 3] = add(%s, %p) return %t } }"
        " return %y }",
    ),
    "functions of rows of one number": (
        multiply_rows,
        "(%s: f32[3], %n: i32[9], %w: f32[]) {"
        " %y: f32[3] = scan(9, %s, %n, %w, carried=1, scanned=1, length=9, reverse=False) {"
        " body = graph b(%i: i64[], %s: f32[3], %k: i32[], %w: f32[]) { %c: f32[] = cast(%k, dtype=f32)"
        " %p: f32[] = multiply(%c, %w) %t: f32[3] = add(%s, %p) return %t } }"
        " return %y }",
        "(%s: f32[3], %n: i32[9], %w: f32[]) { %c: f32[9] = cast(%n, dtype=f32) %p: f32[9] = multiply(%c, %w)"
        " %y: f32[3] = scan(9, %s, %p, carried=1, scanned=1, length=9, reverse=False) {"
        " body = graph b(%i: i64[], %s: f32[3], %p: f32[]) { %t: f32[3] = add(%s, %p) return %t } }"
        " return %y }",
    ),
    "products with the state, and large products of rows": (
        multiply_rows,
        "(%s: f32[2, 3], %x: f32[9, 64, 4], %w: f32[4, 32], %v: f32[3, 3]) {"
        " %y: f32[2, 3], %z: f32[9, 64, 32] = scan(9, %s, %x, %w, %v, carried=1, scanned=1, length=9, reverse=False) {"
        " body = graph b(%i: i64[], %s: f32[2, 3], %r: f32[64, 4], %w: f32[4, 32], %v: f32[3, 3]) {"
        " %t: f32[2, 3] = matmul(%s, %v) %p: f32[64, 32] = matmul(%r, %w) return %t, %p } }"
        " return %y, %z }",
        "(%s: f32[2, 3], %x: f32[9, 64, 4], %w: f32[4, 32], %v: f32[3, 3]) {"
        " %y: f32[2, 3], %z: f32[9, 64, 32] = scan(9, %s, %x, %w, %v, carried=1, scanned=1, length=9, reverse=False) {"
        " body = graph b(%i: i64[], %s: f32[2, 3], %r: f32[64, 4], %w: f32[4, 32], %v: f32[3, 3]) {"
        " %t: f32[2, 3] = matmul(%s, %v) %p: f32[64, 32] = matmul(%r, %w) return %t, %p } }"
        " return %y, %z }",
    ),
    "a transposed matrix that a loop multiplies by": (
        arrange_products,
        "(%s: f32[2, 3], %w: f32[3, 3]) { %t: f32[3, 3] = transpose(%w, axes=(1, 0))"
        " %y: f32[2, 3] = scan(9, %s, %t, carried=1, scanned=0, length=9, reverse=False) {"
        " body = graph b(%i: i64[], %s: f32[2, 3], %t: f32[3, 3]) { %p: f32[2, 3] = matmul(%s, %t) return %p } }"
        " return %y }",
        "(%s: f32[2, 3], %w: f32[3, 3]) { %t: f32[3, 3] = transpose(%w, axes=(1, 0)) %c: f32[3, 3] = copy(%t)"
        " %y: f32[2, 3] = scan(9, %s, %c, carried=1, scanned=0, length=9, reverse=False) {"
        " body = graph b(%i: i64[], %s: f32[2, 3], %t: f32[3, 3]) { %p: f32[2, 3] = matmul(%s, %t) return %p } }"
        " return %y }",
    ),
    "products that a loop adds up": (
        sum_outer_products,
        "(%d: f32[4, 5], %x: f32[9, 2, 4], %z: f32[2, 5]) { %s: f32[2, 5], %y: f32[4, 5] ="
        " scan(9, %z, %d, %x, carried=2, scanned=1, length=9, reverse=True) {"
        " body = graph b(%i: i64[], %z: f32[2, 5], %d: f32[4, 5], %x: f32[2, 4]) { %u: f32[2, 5] = tanh(%z)"
        " %t: f32[4, 2] = transpose(%x, axes=(1, 0)) %p: f32[4, 5] = matmul(%t, %u) %q: f32[4, 5] = add(%d, %p)"
        " return %u, %q } } return %s, %y }",
        "(%d: f32[4, 5], %x: f32[9, 2, 4], %z: f32[2, 5]) { %s: f32[2, 5], %u: f32[9, 2, 5] ="
        " scan(9, %z, carried=1, scanned=0, length=9, reverse=True) {"
        " body = graph b(%i: i64[], %z: f32[2, 5]) { %u: f32[2, 5] = tanh(%z) return %u, %u } }"
        " %a: f32[18, 4] = reshape(%x, shape=(18, 4)) %b: f32[18, 5] = reshape(%u, shape=(18, 5))"
        " %t: f32[4, 18] = transpose(%a, axes=(1, 0)) %p: f32[4, 5] = matmul(%t, %b) %y: f32[4, 5] = add(%d, %p)"
        " return %s, %y }",
    ),
    "products of a batch that a loop adds up": (
        sum_outer_products,
        "(%d: f32[3, 4, 5], %x: f32[9, 3, 2, 4], %z: f32[3, 2, 5]) { %s: f32[3, 2, 5], %y: f32[3, 4, 5] ="
        " scan(9, %z, %d, %x, carried=2, scanned=1, length=9, reverse=True) { body = graph"
        " b(%i: i64[], %z: f32[3, 2, 5], %d: f32[3, 4, 5], %x: f32[3, 2, 4]) { %u: f32[3, 2, 5] = tanh(%z)"
        " %t: f32[3, 4, 2] = transpose(%x, axes=(0, 2, 1)) %p: f32[3, 4, 5] = matmul(%t, %u)"
        " %q: f32[3, 4, 5] = add(%d, %p) return %u, %q } } return %s, %y }",
        "(%d: f32[3, 4, 5], %x: f32[9, 3, 2, 4], %z: f32[3, 2, 5]) { %s: f32[3, 2, 5], %u: f32[9, 3, 2, 5] ="
        " scan(9, %z, carried=1, scanned=0, length=9, reverse=True) {"
        " body = graph b(%i: i64[], %z: f32[3, 2, 5]) { %u: f32[3, 2, 5] = tanh(%z) return %u, %u } }"
        " %e: f32[9, 3, 2, 4] = reshape(%x, shape=(9, 3, 2, 4))"
        " %f: f32[3, 9, 2, 4] = transpose(%e, axes=(1, 0, 2, 3)) %a: f32[3, 18, 4] = reshape(%f, shape=(3, 18, 4))"
        " %g: f32[9, 3, 2, 5] = reshape(%u, shape=(9, 3, 2, 5))"
        " %h: f32[3, 9, 2, 5] = transpose(%g, axes=(1, 0, 2, 3)) %b: f32[3, 18, 5] = reshape(%h, shape=(3, 18, 5))"
        " %t: f32[3, 4, 18] = transpose(%a, axes=(0, 2, 1)) %p: f32[3, 4, 5] = matmul(%t, %b)"
        " %y: f32[3, 4, 5] = add(%d, %p) return %s, %y }",
    ),
    "rows and terms that a loop adds up from zero": (
        sum_outer_products,
        "(%x: f32[9, 2, 4]) { %d: f32[4] = full(shape=(4,), value=0.0, dtype=f32) %e: f32[2, 4] ="
        " full(shape=(2, 4), value=0.0, dtype=f32) %a: f32[4], %b: f32[2, 4] ="
        " scan(9, %d, %e, %x, carried=2, scanned=1, length=9, reverse=False) {"
        " body = graph b(%i: i64[], %d: f32[4], %e: f32[2, 4], %x: f32[2, 4])"
        " { %r: f32[4] = sum(%x, axis=(0,), keepdims=False) %p: f32[4] = add(%r, %d) %u: f32[2, 4] = tanh(%x)"
        " %q: f32[2, 4] = add(%e, %u) return %p, %q } } return %a, %b }",
        "(%x: f32[9, 2, 4]) { %u: f32[9, 2, 4] ="
        " scan(9, %x, carried=0, scanned=1, length=9, reverse=False) {"
        " body = graph b(%i: i64[], %x: f32[2, 4]) { %u: f32[2, 4] = tanh(%x) return %u } }"
        " %a: f32[4] = sum(%x, axis=(0, 1), keepdims=False) %b: f32[2, 4] = sum(%u, axis=(0,), keepdims=False)"
        " return %a, %b }",
    ),
    "what a loop adds up and reads": (
        sum_outer_products,
        "(%x: f32[9, 4], %d: f32[4]) { %a: f32[4] = scan(9, %d, %x, carried=1, scanned=1, length=9, reverse=False) {"
        " body = graph b(%i: i64[], %d: f32[4], %x: f32[4]) { %t: f32[4] = multiply(%x, %d) %p: f32[4] = add(%t, %d)"
        " return %p } } return %a }",
        "(%x: f32[9, 4], %d: f32[4]) { %a: f32[4] = scan(9, %d, %x, carried=1, scanned=1, length=9, reverse=False) {"
        " body = graph b(%i: i64[], %d: f32[4], %x: f32[4]) { %t: f32[4] = multiply(%x, %d) %p: f32[4] = add(%t, %d)"
        " return %p } } return %a }",
    ),
    "a sum over dimensions in the middle": (
        sum_by_products,
        "(%x: f32[4, 5, 6, 7]) { %y: f32[4, 7] = sum(%x, axis=(1, 2), keepdims=False) return %y }",
        "(%x: f32[4, 5, 6, 7]) { %o: f32[30] = full(shape=(30,), value=1.0, dtype=f32)"
        " %r: f32[4, 30, 7] = reshape(%x, shape=(4, 30, 7)) %y: f32[4, 7] = matmul(%o, %r) return %y }",
    ),
    "a sum over dimensions that are not neighbours": (
        sum_by_products,
        "(%x: f32[4, 5, 6, 7]) { %y: f32[5, 7] = sum(%x, axis=(0, 2), keepdims=False) return %y }",
        "(%x: f32[4, 5, 6, 7]) { %y: f32[5, 7] = sum(%x, axis=(0, 2), keepdims=False) return %y }",
    ),
    "small padded parts that overlap": (
        batch_products,
        "(%a: f32[2, 3], %b: f32[2, 2], %c: f32[9, 3]) { %p: f32[9, 3] = pad(%a, low=(1, 0), high=(6, 0), value=0)"
        " %q: f32[9, 3] = pad(%b, low=(0, 1), high=(7, 0), value=0) %s: f32[9, 3] = add(%p, %q)"
        " %y: f32[9, 3] = add(%c, %s) return %y }",
        "(%a: f32[2, 3], %b: f32[2, 2], %c: f32[9, 3]) { %s: f32[9, 3] = index_add(%c, %b, spec=((0, 2, 1), (1, 3, 1)))"
        " %y: f32[9, 3] = index_add(%s, %a, spec=((1, 3, 1), (0, 3, 1))) return %y }",
    ),
    "parts that are padded and cropped": (
        batch_products,
        "(%a: f32[2, 4], %b: f32[2, 2]) { %p: f32[9, 3] = pad(%a, low=(1, -1), high=(6, 0), value=0)"
        " %q: f32[9, 3] = pad(%b, low=(0, 1), high=(7, 0), value=0) %y: f32[9, 3] = add(%p, %q) return %y }",
        "(%a: f32[2, 4], %b: f32[2, 2]) { %p: f32[9, 3] = pad(%a, low=(1, -1), high=(6, 0), value=0)"
        " %y: f32[9, 3] = index_add(%p, %b, spec=((0, 2, 1), (1, 3, 1))) return %y }",
    ),
    "sums in a branch whose other result was for nothing": (
        batch_products,
        "(%c: bool[], %x: f32[6, 4], %w: f32[4, 4], %k: f32[4, 4]) {"
        " %a: f32[2, 4] = slice(%x, start=(0, 0), stop=(2, 4), step=(1, 1)) %p: f32[2, 4] = matmul(%a, %w)"
        " %b: f32[4, 4] = slice(%x, start=(2, 0), stop=(6, 4), step=(1, 1)) %q: f32[4, 4] = matmul(%b, %w)"
        " %y: f32[4], %z: f32[4] = cond(%c, %p, %q, %w, %k) {"
        " then = graph t(%u: f32[2, 4], %v: f32[4, 4], %w: f32[4, 4], %k: f32[4, 4]) {"
        " %l: f32[2, 4] = matmul(%u, %w) %m: f32[4, 4] = matmul(%v, %k)"
        " %s: f32[4] = sum(%l, axis=(0,), keepdims=False) %t: f32[4] = sum(%m, axis=(0,), keepdims=False)"
        " %r: f32[4] = add(%s, %t) return %r, %s }"
        " orelse = graph e(%u: f32[2, 4], %v: f32[4, 4], %w: f32[4, 4], %k: f32[4, 4]) {"
        " %s: f32[4] = sum(%u, axis=(0,), keepdims=False) return %s, %s } } return %y }",
        "(%c: bool[], %x: f32[6, 4], %w: f32[4, 4], %k: f32[4, 4]) { %o: f32[6, 4] = matmul(%x, %w)"
        " %p: f32[2, 4] = slice(%o, start=(0, 0), stop=(2, 4), step=(1, 1))"
        " %q: f32[4, 4] = slice(%o, start=(2, 0), stop=(6, 4), step=(1, 1)) %y: f32[4] = cond(%c, %p, %q, %w, %k) {"
        " then = graph t(%u: f32[2, 4], %v: f32[4, 4], %w: f32[4, 4], %k: f32[4, 4]) {"
        " %l: f32[2, 4] = matmul(%u, %w) %m: f32[4, 4] = matmul(%v, %k)"
        " %q: f32[6, 4] = concatenate(%m, %l, axis=0) %r: f32[4] = sum(%q, axis=(0,), keepdims=False) return %r }"
        " orelse = graph e(%u: f32[2, 4], %v: f32[4, 4], %w: f32[4, 4], %k: f32[4, 4]) {"
        " %s: f32[4] = sum(%u, axis=(0,), keepdims=False) return %s } } return %y }",
    ),
    "padding that only crops": (
        simplify,
        "(%x: f32[4, 5]) { %y: f32[3, 3] = pad(%x, low=(-1, 0), high=(0, -2), value=0) return %y }",
        "(%x: f32[4, 5]) { %y: f32[3, 3] = slice(%x, start=(1, 0), stop=(4, 3), step=(1, 1)) return %y }",
    ),
    "columns times rows": (
        arrange_products,
        "(%x: f32[7, 4, 1], %w: f32[1, 5]) { %y: f32[7, 4, 5] = matmul(%x, %w) return %y }",
        "(%x: f32[7, 4, 1], %w: f32[1, 5]) { %y: f32[7, 4, 5] = multiply(%x, %w) return %y }",
    ),
    "a small column times a row": (
        arrange_products,
        "(%x: f32[4, 1], %w: f32[1, 5]) { %y: f32[4, 5] = matmul(%x, %w) return %y }",
        "(%x: f32[4, 1], %w: f32[1, 5]) { %y: f32[4, 5] = matmul(%x, %w) return %y }",
    ),
    "few rows by a large transposed matrix": (
        arrange_products,
        "(%x: f64[16, 300], %w: f64[400, 300]) { %t: f64[300, 400] = transpose(%w, axes=(1, 0))"
        " %y: f64[16, 400] = matmul(%x, %t) return %y }",
        "(%x: f64[16, 300], %w: f64[400, 300]) { %t: f64[300, 16] = transpose(%x, axes=(1, 0))"
        " %p: f64[400, 16] = matmul(%w, %t) %y: f64[16, 400] = transpose(%p, axes=(1, 0)) return %y }",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_pass(name: str) -> None:
    """The pass turns the first graph into the second."""
    check(*CASES[name])


@pytest.mark.parametrize("name", CASES)
def test_result_stays(name: str) -> None:
    """A pass does not change its own result."""
    function, _, after = CASES[name]
    check(function, after, after)
