"""Each rule of simplify by itself: graphs on which it fires, and near misses on which it must not.

The result of a rule gives the same numbers. A near miss differs from a case in one condition of the rule: a second
reader, another axis, a dtype, a number out of range.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, Node, verify
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.values import Operand
from mycel.compiler.passes import algebra, products
from mycel.compiler.passes.batch import batch_products
from mycel.compiler.passes.dce import eliminate_dead_code
from mycel.compiler.passes.rewriter import Rewriter, Rule
from mycel.compiler.passes.simplify import simplify
from mycel.compiler.transforms.symbolic import record

X = "%x: f32[3, 4]"

# By the rule's name: graphs on which it fires, and on which it does not.
EVEN_AND_ODD = (
    "%x: f32[7], %a: f32[3], %b: f32[4]) { %z: f32[7] = full(shape=(7,), value=0.0, dtype=f32)"
    " %s: f32[7] = update_slice(%z, %b, start=(0,), stop=(7,), step=(2,))"
    " %t: f32[7] = update_slice(%z, %a, start=(1,), stop=(7,), step=(2,))"
)
LOG_SOFTMAX = (
    "(%x: f32[3, 4]) { %m: f32[3, 1] = max(%x, axis=(1,), keepdims=True) %a: f32[3, 4] = subtract(%x, %m)"
    " %e: f32[3, 4] = exp(%a) %s: f32[3, 1] = sum(%e, axis=(1,), keepdims=True) %o: f32[3, 1] = log(%s)"
    " %l: f32[3, 4] = subtract(%a, %o)"
)
CASES: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "fold": (
        [
            f"({X}) {{ %a: f32[] = add(1.0, 2.0) %y: f32[3, 4] = multiply(%x, %a) return %y }}",
            "() { %a: f32[] = cast(3, dtype=f32) return %a }",
            "() { %a: bool[] = less(nan, 1.0) return %a }",
        ],
        [
            "(%x: f32[]) { %a: f32[] = add(%x, 2.0) return %a }",
            "() { %a: f32[2] = full(shape=(2,), value=1.0, dtype=f32) %b: f32[2] = add(%a, 1.0) return %b }",
        ],
    ),
    "triangle_of_splat": (
        [
            "() { %a: bool[3, 3] = full(shape=(3, 3), value=True, dtype=bool) %y: bool[3, 3] = tril(%a, k=0)"
            " return %y }",
            "() { %a: f32[2, 3, 4] = full(shape=(2, 3, 4), value=2.5, dtype=f32) %y: f32[2, 3, 4] = tril(%a, k=-1)"
            " return %y }",
        ],
        [
            f"({X}) {{ %y: f32[3, 4] = tril(%x, k=0) return %y }}",
            "() { %a: f32[300, 300] = full(shape=(300, 300), value=1.0, dtype=f32)"
            " %y: f32[300, 300] = tril(%a, k=0) return %y }",
        ],
    ),
    "remainder_by_power_of_two": (
        [
            "(%x: i32[5]) { %y: i32[5] = remainder(%x, 8:i32) return %y }",
            "(%x: i64[5]) { %y: i64[5] = remainder(%x, 1:i64) return %y }",
        ],
        [
            "(%x: i32[5]) { %y: i32[5] = remainder(%x, 6:i32) return %y }",
            "(%x: i32[5]) { %y: i32[5] = remainder(%x, -4:i32) return %y }",
            "(%x: i32[5]) { %y: i32[5] = remainder(8:i32, %x) return %y }",
            "(%x: f32[5]) { %y: f32[5] = remainder(%x, 8.0) return %y }",
        ],
    ),
    "exp_of_log_softmax": (
        [f"{LOG_SOFTMAX} %y: f32[3, 4] = exp(%l) return %y }}"],
        [
            f"{LOG_SOFTMAX} %y: f32[3, 4] = tanh(%l) return %y }}",
            f"{LOG_SOFTMAX} %y: f32[3, 4] = exp(%l) return %y }}".replace("max(%x", "min(%x"),
            f"{LOG_SOFTMAX} %y: f32[3, 4] = exp(%l) return %y }}".replace("exp(%a)", "tanh(%a)"),
        ],
    ),
    "sum_of_updates": (
        [
            f"({EVEN_AND_ODD} %y: f32[7] = add(%s, %t) return %y }}",
            f"({EVEN_AND_ODD} %both: f32[7] = add(%s, %t) %u: f32[7] = update_slice(%z, %b, start=(0,), stop=(7,),"
            " step=(2,)) %y: f32[7] = add(%u, %both) return %y }",
            f"({EVEN_AND_ODD} %u: f32[7] = update_slice(%z, %b, start=(0,), stop=(7,), step=(2,))"
            " %y: f32[7] = add(%s, %u) return %y }",
        ],
        [
            f"({EVEN_AND_ODD} %y: f32[7] = add(%s, %t) return %y, %s }}",
            f"({EVEN_AND_ODD} %u: f32[7] = update_slice(%z, %a, start=(0,), stop=(3,), step=(1,))"
            " %y: f32[7] = add(%s, %u) return %y }",
            f"({EVEN_AND_ODD} %u: f32[7] = update_slice(%x, %a, start=(1,), stop=(7,), step=(2,))"
            " %y: f32[7] = add(%s, %u) return %y }",
            f"({EVEN_AND_ODD} %u: f32[7] = update_slice(%z, 1.0, start=(1,), stop=(7,), step=(2,))"
            " %y: f32[7] = add(%s, %u) return %y }",
        ],
    ),
    "view_of_splat": (
        [
            "() { %a: f32[2] = full(shape=(2,), value=1.5, dtype=f32)"
            " %y: f32[2, 1] = reshape(%a, shape=(2, 1)) return %y }",
            "() { %y: f32[3, 2] = broadcast_to(1.5, shape=(3, 2)) return %y }",
        ],
        [
            "() { %a: i64[2] = iota(start=0, step=1, size=2, dtype=i64)"
            " %y: i64[2, 1] = reshape(%a, shape=(2, 1)) return %y }",
            "() { %a: f32[2] = full(shape=(2,), value=1.5, dtype=f32) %y: i32[2] = bitcast(%a, dtype=i32) return %y }",
        ],
    ),
    "absorb_broadcast": (
        [
            f"({X}, %r: f32[4]) {{ %a: f32[3, 4] = broadcast_to(%r, shape=(3, 4))"
            " %y: f32[3, 4] = add(%x, %a) return %y }",
            "(%r: f32[4]) { %a: f32[3, 4] = broadcast_to(%r, shape=(3, 4)) %y: f32[3, 4] = tanh(%a) return %y }",
            f"({X}, %r: f32[4]) {{ %a: f32[1, 4] = reshape(%r, shape=(1, 4)) %y: f32[3, 4] = add(%x, %a) return %y }}",
        ],
        [
            f"({X}, %r: f32[4]) {{ %y: f32[3, 4] = add(%x, %r) return %y }}",
            f"({X}, %r: f32[3]) {{ %a: f32[3, 1] = reshape(%r, shape=(3, 1)) %y: f32[3, 4] = add(%x, %a) return %y }}",
            "(%r: f32[4]) { %a: f32[1, 4] = reshape(%r, shape=(1, 4)) %y: f32[1, 4] = tanh(%a) return %y }",
            "(%x: f32[?], %r: f32[]) { %a: f32[1] = broadcast_to(%r, shape=(1,)) %y: f32[?] = add(%x, %a) return %y }",
        ],
    ),
    "merge_reshapes": (
        [f"({X}) {{ %a: f32[12] = reshape(%x, shape=(12,)) %y: f32[2, 6] = reshape(%a, shape=(2, 6)) return %y }}"],
        [
            f"({X}) {{ %a: f32[4, 3] = transpose(%x, axes=(1, 0))"
            " %y: f32[2, 6] = reshape(%a, shape=(2, 6)) return %y }",
            "(%x: f32[?, 2]) { %a: f32[?] = reshape(%x, shape=(-1,))"
            " %y: f32[?, 2] = reshape(%a, shape=(-1, 2)) return %y }",
        ],
    ),
    "merge_transposes": (
        [
            "(%x: f32[2, 3, 4]) { %a: f32[3, 4, 2] = transpose(%x, axes=(1, 2, 0))"
            " %y: f32[4, 3, 2] = transpose(%a, axes=(1, 0, 2)) return %y }"
        ],
        [
            "(%x: f32[2, 3, 4]) { %a: f32[4, 6] = reshape(%x, shape=(4, 6))"
            " %y: f32[6, 4] = transpose(%a, axes=(1, 0)) return %y }"
        ],
    ),
    "transpose_is_reshape": (
        [
            "(%x: f32[3, 1, 4]) { %y: f32[1, 3, 4] = transpose(%x, axes=(1, 0, 2)) return %y }",
            "(%x: f32[1, 4]) { %y: f32[4, 1] = transpose(%x, axes=(1, 0)) return %y }",
        ],
        [
            "(%x: f32[3, 1, 4]) { %y: f32[4, 1, 3] = transpose(%x, axes=(2, 1, 0)) return %y }",
            "(%x: f32[?, 1]) { %y: f32[1, ?] = transpose(%x, axes=(1, 0)) return %y }",
        ],
    ),
    "transposed_product": (
        [
            f"({X}, %w: f32[4, 5]) {{ %a: f32[3, 5] = matmul(%x, %w)"
            " %y: f32[5, 3] = transpose(%a, axes=(1, 0)) return %y }",
            "(%x: f32[2, 3, 4], %w: f32[2, 4, 5]) { %a: f32[2, 3, 5] = matmul(%x, %w)"
            " %y: f32[2, 5, 3] = transpose(%a, axes=(0, 2, 1)) return %y }",
        ],
        [
            f"({X}, %w: f32[4, 5]) {{ %a: f32[3, 5] = matmul(%x, %w)"
            " %y: f32[5, 3] = transpose(%a, axes=(1, 0)) return %y, %a }",
            "(%x: f32[2, 3, 4], %w: f32[2, 4, 5]) { %a: f32[2, 3, 5] = matmul(%x, %w)"
            " %y: f32[5, 3, 2] = transpose(%a, axes=(2, 1, 0)) return %y }",
            "(%x: f32[2, 3, 4], %w: f32[4, 5]) { %a: f32[2, 3, 5] = matmul(%x, %w)"
            " %y: f32[2, 5, 3] = transpose(%a, axes=(0, 2, 1)) return %y }",
        ],
    ),
    "merge_broadcasts": (
        [
            "(%x: f32[4]) { %a: f32[3, 4] = broadcast_to(%x, shape=(3, 4))"
            " %y: f32[2, 3, 4] = broadcast_to(%a, shape=(2, 3, 4)) return %y }",
            "(%x: f32[4]) { %a: f32[1, 4] = reshape(%x, shape=(1, 4))"
            " %y: f32[3, 4] = broadcast_to(%a, shape=(3, 4)) return %y }",
        ],
        [
            "(%x: f32[4]) { %a: f32[4, 1] = reshape(%x, shape=(4, 1))"
            " %y: f32[4, 3] = broadcast_to(%a, shape=(4, 3)) return %y }",
            "(%x: f32[2, 2]) { %a: f32[1, 4] = reshape(%x, shape=(1, 4))"
            " %y: f32[3, 4] = broadcast_to(%a, shape=(3, 4)) return %y }",
        ],
    ),
    "flatten_product": (
        ["(%x: f32[2, 3, 4], %w: f32[4, 5]) { %y: f32[2, 3, 5] = matmul(%x, %w) return %y }"],
        [
            "(%x: f32[2, 3, 4], %w: f32[2, 4, 5]) { %y: f32[2, 3, 5] = matmul(%x, %w) return %y }",
            "(%x: f32[2, 3, 4], %w: f32[4]) { %y: f32[2, 3] = matmul(%x, %w) return %y }",
            "(%x: f32[?, 3, 4], %w: f32[4, 5]) { %y: f32[?, 3, 5] = matmul(%x, %w) return %y }",
            f"({X}, %w: f32[4, 5]) {{ %y: f32[3, 5] = matmul(%x, %w) return %y }}",
        ],
    ),
    "sum_of_products": (
        [
            "(%x: f32[2, 3, 4], %w: f32[2, 4, 5]) { %a: f32[2, 3, 5] = matmul(%x, %w)"
            " %y: f32[3, 5] = sum(%a, axis=(0,), keepdims=False) return %y }",
            "(%x: f32[2, 3, 4], %w: f32[2, 4, 5]) { %a: f32[2, 3, 5] = matmul(%x, %w)"
            " %y: f32[1, 3, 5] = sum(%a, axis=(0,), keepdims=True) return %y }",
            "(%x: f32[2, 6, 3, 4], %w: f32[2, 6, 4, 5]) { %a: f32[2, 6, 3, 5] = matmul(%x, %w)"
            " %y: f32[3, 5] = sum(%a, axis=(0, 1), keepdims=False) return %y }",
        ],
        [
            # at rank 4: one of the two batch dimensions, the other one, and one that is no batch dimension
            "(%x: f32[2, 6, 3, 4], %w: f32[2, 6, 4, 5]) { %a: f32[2, 6, 3, 5] = matmul(%x, %w)"
            " %y: f32[6, 3, 5] = sum(%a, axis=(0,), keepdims=False) return %y }",
            "(%x: f32[2, 6, 3, 4], %w: f32[2, 6, 4, 5]) { %a: f32[2, 6, 3, 5] = matmul(%x, %w)"
            " %y: f32[2, 3, 5] = sum(%a, axis=(1,), keepdims=False) return %y }",
            "(%x: f32[2, 6, 3, 4], %w: f32[2, 6, 4, 5]) { %a: f32[2, 6, 3, 5] = matmul(%x, %w)"
            " %y: f32[2, 5] = sum(%a, axis=(1, 2), keepdims=False) return %y }",
            # batch dimensions that broadcast, operands of other ranks
            "(%x: f32[1, 6, 3, 4], %w: f32[2, 6, 4, 5]) { %a: f32[2, 6, 3, 5] = matmul(%x, %w)"
            " %y: f32[3, 5] = sum(%a, axis=(0, 1), keepdims=False) return %y }",
            "(%x: f32[6, 3, 4], %w: f32[2, 6, 4, 5]) { %a: f32[2, 6, 3, 5] = matmul(%x, %w)"
            " %y: f32[3, 5] = sum(%a, axis=(0, 1), keepdims=False) return %y }",
            # another axis, no batch, another reader, unknown sizes
            "(%x: f32[2, 3, 4], %w: f32[2, 4, 5]) { %a: f32[2, 3, 5] = matmul(%x, %w)"
            " %y: f32[2, 5] = sum(%a, axis=(1,), keepdims=False) return %y }",
            f"({X}, %w: f32[4, 5]) {{ %a: f32[3, 5] = matmul(%x, %w)"
            " %y: f32[5] = sum(%a, axis=(0,), keepdims=False) return %y }",
            "(%x: f32[2, 3, 4], %w: f32[2, 4, 5]) { %a: f32[2, 3, 5] = matmul(%x, %w)"
            " %y: f32[3, 5] = sum(%a, axis=(0,), keepdims=False) return %y, %a }",
            "(%x: f32[?, 3, 4], %w: f32[?, 4, 5]) { %a: f32[?, 3, 5] = matmul(%x, %w)"
            " %y: f32[3, 5] = sum(%a, axis=(0,), keepdims=False) return %y }",
        ],
    ),
    "sum_without_axes": (
        ["(%x: f32[1, 4, 1]) { %y: f32[4] = sum(%x, axis=(0, 2), keepdims=False) return %y }"],
        [
            "(%x: f32[1, 4, 1]) { %y: f32[1] = sum(%x, axis=(0, 1), keepdims=False) return %y }",
            "(%x: f32[1, ?]) { %y: f32[?] = sum(%x, axis=(0,), keepdims=False) return %y }",
        ],
    ),
    "sum_of_negative": (
        [f"({X}) {{ %a: f32[3, 4] = negative(%x) %y: f32[4] = sum(%a, axis=(0,), keepdims=False) return %y }}"],
        [f"({X}) {{ %a: f32[3, 4] = absolute(%x) %y: f32[4] = sum(%a, axis=(0,), keepdims=False) return %y }}"],
    ),
    "sum_of_broadcast": (
        [
            "(%x: f32[4]) { %a: f32[3, 4] = broadcast_to(%x, shape=(3, 4))"
            " %y: f32[4] = sum(%a, axis=(0,), keepdims=False) return %y }",
            "(%x: f32[3, 1]) { %a: f32[3, 4] = broadcast_to(%x, shape=(3, 4))"
            " %y: f32[4] = sum(%a, axis=(0,), keepdims=False) %z: f32[3] = sum(%a, axis=(1,), keepdims=False)"
            " return %y, %z }",
            "() { %a: f32[3, 4] = full(shape=(3, 4), value=1.5, dtype=f32)"
            " %y: f32[4] = sum(%a, axis=(0,), keepdims=False) return %y }",
        ],
        [
            "() { %a: f16[70000] = full(shape=(70000,), value=0.0, dtype=f16)"
            " %y: f16[] = sum(%a, axis=(0,), keepdims=False) return %y }",
            "(%x: f32[3, 1]) { %a: f32[3, 4] = broadcast_to(%x, shape=(3, 4))"
            " %y: f32[4] = sum(%a, axis=(0,), keepdims=False) return %y }",
            "() { %a: f32[3, 4] = full(shape=(3, 4), value=3e38, dtype=f32)"
            " %y: f32[4] = sum(%a, axis=(0,), keepdims=False) return %y }",
            "(%x: f16[1]) { %a: f16[4096] = broadcast_to(%x, shape=(4096,))"
            " %y: f16[] = sum(%a, axis=(0,), keepdims=False) return %y }",
            "(%x: bool[4]) { %a: bool[3, 4] = broadcast_to(%x, shape=(3, 4))"
            " %y: bool[4] = sum(%a, axis=(0,), keepdims=False) return %y }",
        ],
    ),
    "merge_sums": (
        [
            "(%x: f32[2, 3, 4]) { %a: f32[2, 4] = sum(%x, axis=(1,), keepdims=False)"
            " %y: f32[2] = sum(%a, axis=(1,), keepdims=False) return %y }",
            "(%x: f32[2, 3, 4]) { %a: f32[2, 1, 4] = sum(%x, axis=(1,), keepdims=True)"
            " %y: f32[1, 1, 4] = sum(%a, axis=(0,), keepdims=True) return %y }",
        ],
        [
            "(%x: f32[2, 3, 4]) { %a: f32[2, 4] = sum(%x, axis=(1,), keepdims=False)"
            " %y: f32[1, 4] = sum(%a, axis=(0,), keepdims=True) return %y }",
            "(%x: f32[2, 3, 4]) { %a: f32[2, 4] = sum(%x, axis=(1,), keepdims=False)"
            " %y: f32[2] = sum(%a, axis=(1,), keepdims=False) return %y, %a }",
            "(%x: f32[2, 3, 4]) { %a: f32[2, 4] = max(%x, axis=(1,), keepdims=False)"
            " %y: f32[2] = sum(%a, axis=(1,), keepdims=False) return %y }",
        ],
    ),
    "add_signs": (
        [
            f"({X}, %z: f32[3, 4]) {{ %a: f32[3, 4] = negative(%z) %y: f32[3, 4] = add(%x, %a) return %y }}",
            f"({X}, %z: f32[3, 4]) {{ %a: f32[3, 4] = negative(%z) %y: f32[3, 4] = add(%a, %x) return %y }}",
        ],
        [f"({X}, %z: f32[3, 4]) {{ %a: f32[3, 4] = absolute(%z) %y: f32[3, 4] = add(%x, %a) return %y }}"],
    ),
    "subtract_signs": (
        [f"({X}, %z: f32[3, 4]) {{ %a: f32[3, 4] = negative(%z) %y: f32[3, 4] = subtract(%x, %a) return %y }}"],
        [f"({X}, %z: f32[3, 4]) {{ %a: f32[3, 4] = negative(%z) %y: f32[3, 4] = subtract(%a, %x) return %y }}"],
    ),
    "negative_signs": (
        [
            f"({X}) {{ %a: f32[3, 4] = negative(%x) %y: f32[3, 4] = negative(%a) return %y }}",
            f"({X}) {{ %a: f32[3, 4] = multiply(%x, 2.5) %y: f32[3, 4] = negative(%a) return %y }}",
            f"({X}) {{ %a: f32[3, 4] = multiply(2.5, %x) %y: f32[3, 4] = negative(%a) return %y }}",
        ],
        [
            f"({X}) {{ %a: f32[3, 4] = multiply(%x, 2.5) %y: f32[3, 4] = negative(%a) return %y, %a }}",
            f"({X}) {{ %a: f32[3, 4] = multiply(%x, %x) %y: f32[3, 4] = negative(%a) return %y }}",
            f"({X}) {{ %a: f32[3, 4] = add(%x, 2.5) %y: f32[3, 4] = negative(%a) return %y }}",
        ],
    ),
    "product_signs": (
        [
            f"({X}, %z: f32[3, 4]) {{ %a: f32[3, 4] = negative(%x) %b: f32[3, 4] = negative(%z)"
            " %y: f32[3, 4] = multiply(%a, %b) %q: f32[3, 4] = divide(%a, %b) return %y, %q }",
            f"({X}) {{ %a: f32[3, 4] = negative(%x) %y: f32[3, 4] = multiply(%a, 2.5) return %y }}",
            f"({X}) {{ %a: f32[3, 4] = negative(%x) %y: f32[3, 4] = divide(2.5, %a) return %y }}",
            f"({X}, %z: f32[3, 4]) {{ %a: f32[3, 4] = negative(%x) %y: f32[3, 4] = divide(%z, %a) return %y }}",
            f"({X}) {{ %y: f32[3, 4] = multiply(%x, -1.0) return %y }}",
        ],
        [
            f"({X}) {{ %y: f32[3, 4] = divide(%x, -1.0) return %y }}",
            f"({X}) {{ %y: f32[3, 4] = multiply(%x, -1.5) return %y }}",
            "(%x: u8[3]) { %y: u8[3] = multiply(%x, 255:u8) return %y }",
            f"({X}, %z: f32[3, 4]) {{ %a: f32[3, 4] = absolute(%x) %y: f32[3, 4] = multiply(%a, %z) return %y }}",
        ],
    ),
    "double": (
        [
            f"({X}) {{ %a: f32[3, 4] = multiply(%x, 2.5) %y: f32[3, 4] = add(%a, %a) return %y }}",
            f"({X}) {{ %a: f32[3, 4] = multiply(2.5, %x) %y: f32[3, 4] = add(%a, %a) return %y }}",
        ],
        [
            f"({X}) {{ %a: f32[3, 4] = multiply(%x, 3e38) %y: f32[3, 4] = add(%a, %a) return %y }}",
            f"({X}) {{ %a: f32[3, 4] = multiply(%x, 2.5) %y: f32[3, 4] = add(%a, %a) return %y, %a }}",
            f"({X}) {{ %a: f32[3, 4] = multiply(%x, 2.5) %y: f32[3, 4] = add(%a, %x) return %y }}",
            f"({X}) {{ %a: f32[3, 4] = multiply(%x, %x) %y: f32[3, 4] = add(%a, %a) return %y }}",
        ],
    ),
    "merge_scales": (
        [
            f"({X}) {{ %a: f32[3, 4] = multiply(%x, 2.5) %y: f32[3, 4] = multiply(%a, 0.5) return %y }}",
            "(%x: i32[3]) { %a: i32[3] = multiply(%x, 3:i32) %y: i32[3] = multiply(5:i32, %a) return %y }",
        ],
        [
            f"({X}) {{ %a: f32[3, 4] = multiply(%x, 1e30) %y: f32[3, 4] = multiply(%a, 1e30) return %y }}",
            f"({X}) {{ %a: f32[3, 4] = multiply(%x, 1e-30) %y: f32[3, 4] = multiply(%a, 1e-30) return %y }}",
            f"({X}) {{ %a: f32[3, 4] = multiply(%x, 2.5) %y: f32[3, 4] = multiply(%a, 0.5) return %y, %a }}",
            f"({X}) {{ %a: f32[3, 4] = add(%x, 2.5) %y: f32[3, 4] = multiply(%a, 0.5) return %y }}",
        ],
    ),
    "gather_scales": (
        [
            f"({X}, %z: f32[3, 4]) {{ %a: f32[3, 4] = multiply(%x, 2.5) %b: f32[3, 4] = multiply(%z, 0.5)"
            " %y: f32[3, 4] = multiply(%a, %b) return %y }"
        ],
        [
            f"({X}, %z: f32[3, 4]) {{ %a: f32[3, 4] = multiply(%x, 1e30) %b: f32[3, 4] = multiply(%z, 1e-30)"
            " %y: f32[3, 4] = multiply(%a, %b) return %y }",
            f"({X}, %z: f32[3, 4]) {{ %a: f32[3, 4] = multiply(%x, 2.5) %b: f32[3, 4] = multiply(%z, 0.5)"
            " %y: f32[3, 4] = multiply(%a, %b) return %y, %b }",
            f"({X}) {{ %a: f32[3, 4] = multiply(%x, 2.5) %y: f32[3, 4] = multiply(%a, %a) return %y }}",
            "(%x: i32[3], %z: i32[3]) { %a: i32[3] = multiply(%x, 3:i32) %b: i32[3] = multiply(%z, 5:i32)"
            " %y: i32[3] = multiply(%a, %b) return %y }",
        ],
    ),
    "merge_casts": (
        [
            "(%x: f32[3]) { %a: f64[3] = cast(%x, dtype=f64) %y: f16[3] = cast(%a, dtype=f16) return %y }",
            "(%x: i8[3]) { %a: i32[3] = cast(%x, dtype=i32) %y: f32[3] = cast(%a, dtype=f32) return %y }",
            "(%x: i32[3]) { %a: f64[3] = cast(%x, dtype=f64) %y: i64[3] = cast(%a, dtype=i64) return %y }",
        ],
        [
            "(%x: f64[3]) { %a: f32[3] = cast(%x, dtype=f32) %y: f64[3] = cast(%a, dtype=f64) return %y }",
            "(%x: bool[3]) { %a: i32[3] = cast(%x, dtype=i32) %y: f32[3] = cast(%a, dtype=f32) return %y }",
            "(%x: f32[3]) { %a: i32[3] = cast(%x, dtype=i32) %y: f32[3] = cast(%a, dtype=f32) return %y }",
            "(%x: i64[3]) { %a: f64[3] = cast(%x, dtype=f64) %y: i64[3] = cast(%a, dtype=i64) return %y }",
            "(%x: u64[3]) { %a: f64[3] = cast(%x, dtype=f64) %y: f32[3] = cast(%a, dtype=f32) return %y }",
            "(%x: i32[3]) { %a: f64[3] = cast(%x, dtype=f64) %y: i8[3] = cast(%a, dtype=i8) return %y }",
        ],
    ),
    "crop_is_slice": (
        [f"({X}) {{ %y: f32[1, 3] = pad(%x, low=(-1, 0), high=(-1, -1), value=0.0) return %y }}"],
        [
            f"({X}) {{ %y: f32[3, 4] = pad(%x, low=(-1, 0), high=(1, 0), value=0.0) return %y }}",
            "(%x: f32[?]) { %y: f32[?] = pad(%x, low=(-1,), high=(-1,), value=0.0) return %y }",
        ],
    ),
}
RULES: dict[str, Rule] = {
    rule.__name__: rule for table in (algebra.BY_KIND, algebra.BY_OP) for rules in table.values() for rule in rules
}


@pytest.mark.parametrize(("step", "kept"), [("add(%x, 0.0)", 1), ("add(-0.0, %x)", 0), ("subtract(%x, 0.0)", 0),
                                            ("subtract(%x, -0.0)", 1)])  # fmt: skip
def test_a_zero_that_is_added_makes_zeros_positive(step: str, kept: int) -> None:
    """-0.0 + 0.0 is 0.0, so only the other zero is neutral; among integers there is one."""
    graph = parse(f"graph f(%x: f32[3]) {{ %y: f32[3] = {step} return %y }}", ops.OPS)
    assert len(simplify(graph).nodes) == kept
    (found,) = interpret(simplify(graph), [np.array([-0.0, 0.0, 2.0], np.float32)])
    assert list(np.signbit(found)) == [not kept, False, False]
    whole = parse(
        "graph f(%x: i32[3]) { %y: i32[3] = add(%x, 0:i32) %z: i32[3] = subtract(%y, 0:i32) return %z }", ops.OPS
    )
    assert not simplify(whole).nodes


@pytest.mark.parametrize(
    "text",
    [
        "(%x: f32[3, 1]) { %y: f32[3] = sum(%x, axis=(1,), keepdims=False) return %y }",
        "(%x: f32[3, 1]) { %a: f32[3, 1] = negative(%x) %y: f32[] = sum(%a, axis=(0, 1), keepdims=False) return %y }",
        "(%x: f32[3, 1]) { %a: f32[3, 1] = negative(%x) %y: f32[3] = sum(%a, axis=(1,), keepdims=False) return %y }",
    ],
)
def test_sums_have_the_zeros_of_numpy(text: str) -> None:
    """A sum starts at 0.0: it is -0.0 for no terms."""
    graph = parse(f"graph f{text}", ops.OPS)
    for numbers in ([-0.0, 0.0, 2.0], [1.0, -1.0, -0.0], [-0.0] * 3, [0.0] * 3):
        x = np.array(numbers, np.float32)[:, None]
        (found,), (wanted,) = interpret(simplify(graph), [x]), interpret(graph, [x])
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


def test_every_rule_has_cases() -> None:
    assert set(CASES) == set(RULES)
    assert all(fires and stays for fires, stays in CASES.values())


def test_branches_of_known_conditions_are_chosen_where_their_types_are_the_results() -> None:
    branches = (
        " { then = graph t(%u: f32[THEN]) { %v: f32[THEN] = tanh(%u) return %v }"
        " orelse = graph e(%u: f32[THEN]) { %v: f32[THEN] = exp(%u) return %v } } return %a }"
    )
    for known, name in (("True", "tanh"), ("False", "exp")):
        text = f"graph f(%x: f32[3]) {{ %a: f32[3] = cond({known}, %x)" + branches.replace("THEN", "3")
        result = verify(simplify(verify(parse(text, ops.OPS))))
        assert [node.op.name for node in result.nodes] == [name]
        assert_alike(parse(text, ops.OPS), result)


@pytest.mark.parametrize(("returned", "count"), [("%y", 1), ("%y, %a", 2)])
def test_what_a_chosen_branch_gives_counts_its_readers(returned: str, count: int) -> None:
    """A rule for what is read once fires on it, and does not where something else reads it, too."""
    text = (
        "graph f(%x: f32[3]) { %a: f32[3] = cond(True, %x) {"
        " then = graph t(%u: f32[3]) { %v: f32[3] = multiply(%u, 2.5) return %v }"
        f" orelse = graph e(%u: f32[3]) {{ return %u }} }} %y: f32[3] = multiply(%a, 0.5) return {returned} }}"
    )
    graph = verify(parse(text, ops.OPS))
    result = verify(eliminate_dead_code(simplify(graph)))
    assert [node.op.name for node in result.nodes] == ["multiply"] * count
    assert_alike(graph, result)


@pytest.mark.parametrize(
    ("types", "threads"),
    [
        (("f32[64, 64]", "f32[64, 64]"), 3), (("f64[64, 64]", "f64[64, 64]"), 3),
        (("f32[2, 64, 64]", "f32[64, 64]"), 3),
        (("f16[64, 64]", "f16[64, 64]"), 1), (("f32[64, 64]", "f32[64]"), 1), (("f32[64]", "f32[64, 64]"), 1),
        (("f32[4, 4]", "f32[4, 4]"), 1),
    ],
)  # fmt: skip
def test_large_products_are_shared(types: tuple[str, str], threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "PARALLEL_FLOPS", 2 * 64**3 // 3 - 1)
    monkeypatch.setattr(products.sharing, "threads", lambda: 3, raising=False)
    graph = record_product(*types)
    (node,) = products.share_products(graph).nodes
    assert node.op.name == ("shared_matmul" if threads > 1 else "matmul")
    assert node.attrs.get("threads", 1) == threads
    monkeypatch.setattr(products.sharing, "threads", lambda: 1, raising=False)
    assert products.share_products(graph) is graph


def record_product(a: str, b: str) -> Graph:
    """The graph of one product."""
    types = [parse(f"graph t(%x: {type}) {{ return %x }}", ops.OPS).parameters[0].type for type in (a, b)]
    return record("product", types, lambda x, y: ops.matmul(x, y))


def with_rule(name: str, text: str) -> tuple[Graph, Graph, int]:
    """A graph, its rewriting by one rule alone, and how often the rule fired."""
    graph = verify(parse(f"graph f{text}", ops.OPS))
    fired = 0

    def counted(rewriter: Rewriter, node: Node) -> Operand | None:
        nonlocal fired
        result = RULES[name](rewriter, node)
        fired += result is not None
        return result

    def rules(node: Node) -> Sequence[Rule]:
        own = (*algebra.BY_OP.get(node.op, ()), *algebra.BY_KIND.get(node.op.kind, ()))
        return [counted] if RULES[name] in own else []

    rewriter = Rewriter(graph, rules, lambda inner: inner)
    for node in graph.nodes:
        rewriter.visit(node)
    outputs = tuple(map(rewriter.current, graph.outputs))
    result = verify(eliminate_dead_code(Graph("f", graph.parameters, tuple(rewriter.nodes), outputs)))
    return graph, result, fired


def arguments(graph: Graph) -> list[np.ndarray]:
    """Numbers for a graph's parameters; three for each size that only the run knows."""
    rng = np.random.default_rng(0)
    shapes = [tuple(3 if size is None else size for size in value.type.shape) for value in graph.parameters]
    drawn = [rng.uniform(0.5, 4.0, shape) * rng.choice((-1, 1), shape) for shape in shapes]
    return [array.astype(value.type.dtype.np) for array, value in zip(drawn, graph.parameters, strict=True)]


def assert_alike(before: Graph, after: Graph) -> None:
    arrays = arguments(before)
    for found, expected in zip(interpret(after, arrays), interpret(before, arrays), strict=True):
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=2e-3 if expected.dtype == np.float16 else 1e-5, atol=1e-5)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, (fires, _) in CASES.items() for text in fires])
def test_a_rule_fires(name: str, text: str) -> None:
    before, after, fired = with_rule(name, text)
    assert fired
    assert_alike(before, after)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, (_, stays) in CASES.items() for text in stays])
def test_a_near_miss_stays(name: str, text: str) -> None:
    _, _, fired = with_rule(name, text)
    assert not fired


# Batching: how many products, sums and concatenations are left.

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
    "a sum over columns": (
        "(%a: f32[3, 3], %b: f32[4, 3], %u: f32[5, 5], %v: f32[5, 5], %w: f32[5, 5]) {"
        " %s: f32[3] = sum(%a, axis=(1,), keepdims=False) %t: f32[3] = sum(%b, axis=(0,), keepdims=False)"
        " %y: f32[3] = add(%s, %t) %p: f32[5, 5] = matmul(%u, %v) %q: f32[5, 5] = matmul(%p, %w) return %y, %q }",
        {"sum": 2, "add": 1, "concatenate": 0},
    ),
    "padded parts": (
        PADS.replace("VALUE", "0.0").replace("LOW", "2").replace("HIGH", "0"),
        {"pad": 0, "concatenate": 1, "add": 0, "full": 0},
    ),
    "parts padded with a number": (
        PADS.replace("VALUE", "1.0").replace("LOW", "2").replace("HIGH", "0"),
        {"pad": 1, "concatenate": 0, "add": 0, "index_add": 1},
    ),
    "parts that overlap": (
        PADS.replace("VALUE", "0.0").replace("LOW", "1").replace("HIGH", "1"),
        {"concatenate": 0, "pad": 1, "index_add": 1},
    ),
    "parts that are padded along two axes": (
        "(%x: f32[2, 3], %z: f32[4, 2]) { %a: f32[6, 3] = pad(%x, low=(0, 0), high=(4, 0), value=0.0)"
        " %b: f32[6, 3] = pad(%z, low=(2, 1), high=(0, 0), value=0.0) %y: f32[6, 3] = add(%a, %b) return %y }",
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
    assert_alike(before, after)
