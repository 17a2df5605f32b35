"""Each rule of arithmetic by itself: graphs on which it fires, and near misses on which it must not.

The result of a rule gives the same numbers. A near miss differs from a case in one condition of the rule: a second
reader, another axis, a dtype, a number out of range.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from rewriting import assert_fires, assert_stays, by_name

from mycel.compiler.passes import algebra

X = "%x: f32[3, 4]"
EVEN_AND_ODD = (
    "%x: f32[7], %a: f32[3], %b: f32[4]) { %z: f32[7] = full(shape=(7,), value=0.0, dtype=f32)"
    " %s: f32[7] = update_slice(%z, %b, start=(0,), stop=(7,), step=(2,))"
    " %t: f32[7] = update_slice(%z, %a, start=(1,), stop=(7,), step=(2,))"
)
DIAGONALS = (
    "(%x: f32[3, 4], %a: f32[3], %b: f32[3], %c: f32[2]) { %z: f32[3, 4] = full(shape=(3, 4), value=0.0, dtype=f32)"
    " %s: f32[3, 4] = diagonal_scatter(%z, %a, offset=0, axis1=0, axis2=1)"
    " %t: f32[3, 4] = diagonal_scatter(%z, %b, offset=-1, axis1=1, axis2=0)"
    " %u: f32[3, 4] = diagonal_scatter(%z, %c, offset=-1, axis1=0, axis2=1) %v: f32[3, 4] = add(%s, %t)"
)
LOG_SOFTMAX = (
    "(%x: f32[3, 4]) { %m: f32[3, 1] = max(%x, axis=(1,), keepdims=True) %a: f32[3, 4] = subtract(%x, %m)"
    " %e: f32[3, 4] = exp(%a) %s: f32[3, 1] = sum(%e, axis=(1,), keepdims=True) %o: f32[3, 1] = log(%s)"
    " %l: f32[3, 4] = subtract(%a, %o)"
)
LOGSUMEXP = (
    "(%x: f32[3, 4]) { %m: f32[3, 1] = max(%x, axis=(1,), keepdims=True) %a: f32[3, 4] = subtract(%x, %m)"
    " %e: f32[3, 4] = exp(%a) %s: f32[3, 1] = sum(%e, axis=(1,), keepdims=True) %o: f32[3, 1] = log(%s)"
    " %t: f32[3, 1] = add(%o, %m) %l: f32[3, 4] = subtract(%x, %t)"
)

PRODUCTS = (
    "%x: f32[3, 50], %z: f32[3, 50], %g: f32[3, 3], %c: f32[3, 3]) { %h: f32[3, 3] = transpose(%g, axes=(1, 0))"
    " %a: f32[3, 50] = matmul(%g, %x) %b: f32[3, 50] = matmul(%h, "
)

# By the rule's name: graphs on which it fires, and on which it does not.
CASES: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "product_of_short_integers": (
        [
            "(%x: i8[3, 5], %y: i8[5, 2]) { %a: i32[3, 5] = cast(%x, dtype=i32) %b: i32[5, 2] = cast(%y, dtype=i32)"
            " %z: i32[3, 2] = matmul(%a, %b) return %z }",
            "(%x: bool[3, 5], %y: u8[5, 2]) { %a: i32[3, 5] = cast(%x, dtype=i32) %b: i32[5, 2] = cast(%y, dtype=i32)"
            " %z: i32[3, 2] = matmul(%a, %b) return %z }",
            "(%x: u8[3, 1030], %y: i16[1030, 2]) { %a: i64[3, 1030] = cast(%x, dtype=i64)"
            " %b: i64[1030, 2] = cast(%y, dtype=i64)"
            " %z: i64[3, 2] = matmul(%a, %b) return %z }",
        ],
        [
            "(%x: i16[3, 3], %y: i16[3, 2]) { %a: i32[3, 3] = cast(%x, dtype=i32) %b: i32[3, 2] = cast(%y, dtype=i32)"
            " %z: i32[3, 2] = matmul(%a, %b) return %z }",
            "(%x: bool[3, 5], %y: u8[5, 2]) { %a: i8[3, 5] = cast(%x, dtype=i8) %b: i8[5, 2] = cast(%y, dtype=i8)"
            " %z: i8[3, 2] = matmul(%a, %b) return %z }",
            "(%x: i32[3, 5], %y: i8[5, 2]) { %a: i64[3, 5] = cast(%x, dtype=i64) %b: i64[5, 2] = cast(%y, dtype=i64)"
            " %z: i64[3, 2] = matmul(%a, %b) return %z }",
            "(%x: i8[3, 5], %y: i8[5, 2]) { %a: f32[3, 5] = cast(%x, dtype=f32) %b: f32[5, 2] = cast(%y, dtype=f32)"
            " %z: f32[3, 2] = matmul(%a, %b) return %z }",
        ],
    ),
    "quotient_by_power_of_two": (
        [
            "(%x: f32[5]) { %y: f32[5] = divide(%x, 8.0:f32) return %y }",
            "(%x: f64[5]) { %y: f64[5] = divide(%x, -0.25:f64) return %y }",
        ],
        [
            "(%x: f32[5]) { %y: f32[5] = divide(%x, 3.0:f32) return %y }",
            "(%x: f32[5]) { %y: f32[5] = divide(%x, 4096.0:f32) return %y }",
            "(%x: f32[5]) { %y: f32[5] = divide(8.0:f32, %x) return %y }",
        ],
    ),
    "division_by_power_of_two": (
        [
            "(%x: i32[5]) { %y: i32[5] = floor_divide(%x, 8:i32) return %y }",
            "(%x: u8[5]) { %y: u8[5] = floor_divide(%x, 128:u8) return %y }",
            "(%x: i32[5]) { %y: i32[5] = remainder(%x, 8:i32) return %y }",
            "(%x: i64[5]) { %y: i64[5] = remainder(%x, 1:i64) return %y }",
        ],
        [
            "(%x: i32[5]) { %y: i32[5] = remainder(%x, 6:i32) return %y }",
            "(%x: i32[5]) { %y: i32[5] = remainder(%x, -4:i32) return %y }",
            "(%x: i32[5]) { %y: i32[5] = floor_divide(%x, -4:i32) return %y }",
            "(%x: f32[5]) { %y: f32[5] = floor_divide(%x, 4.0) return %y }",
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
    "exp_less_logsumexp": (
        [
            f"{LOGSUMEXP} %y: f32[3, 4] = exp(%l) return %y }}",
            f"{LOGSUMEXP} %y: f32[3, 4] = exp(%l) return %y }}".replace("add(%o, %m)", "add(%m, %o)"),
        ],
        [
            f"{LOGSUMEXP} %y: f32[3, 4] = tanh(%l) return %y }}",
            f"{LOGSUMEXP} %y: f32[3, 4] = exp(%l) return %y }}".replace("add(%o, %m)", "add(%o, %s)"),
            f"{LOGSUMEXP} %y: f32[3, 4] = exp(%l) return %y }}".replace("subtract(%x, %t)", "subtract(%a, %t)"),
            f"{LOGSUMEXP} %y: f32[3, 4] = exp(%l) return %y }}".replace("exp(%a)", "tanh(%a)"),
        ],
    ),
    "sum_of_updates": (
        [
            f"({EVEN_AND_ODD} %y: f32[7] = add(%s, %t) return %y }}",
            f"({EVEN_AND_ODD} %both: f32[7] = add(%s, %t) %u: f32[7] = update_slice(%z, %b, start=(0,), stop=(7,),"
            " step=(2,)) %y: f32[7] = add(%u, %both) return %y }",
            f"({EVEN_AND_ODD} %u: f32[7] = update_slice(%z, %b, start=(0,), stop=(7,), step=(2,))"
            " %y: f32[7] = add(%s, %u) return %y }",
            f"{DIAGONALS} return %v }}",
            f"{DIAGONALS} %y: f32[3, 4] = add(%v, %u) return %y }}",
            f"{DIAGONALS} %w: f32[3, 4] = diagonal_scatter(%z, %b, offset=0, axis1=0, axis2=1)"
            " %y: f32[3, 4] = add(%w, %v) return %y }",
        ],
        [
            f"{DIAGONALS} return %v, %s }}",
            "(%r: f32[?], %a: f32[2]) { %z: f32[2, 2] = full(shape=(2, 2), value=0.0, dtype=f32)"
            " %d: f32[2, 2] = diagonal_scatter(%z, %a, offset=0, axis1=0, axis2=1)"
            " %u: f32[?] = update_slice(%r, %a, start=(0,), stop=(4,), step=(2,))"
            " %m: f32[2, 2] = reshape(%u, shape=(2, 2)) %y: f32[2, 2] = add(%d, %m) return %y }",
            f"{DIAGONALS.replace('value=0.0', 'value=1.0')} return %v }}",
            f"({EVEN_AND_ODD} %y: f32[7] = add(%s, %t) return %y, %s }}",
            f"({EVEN_AND_ODD} %u: f32[7] = update_slice(%z, %a, start=(0,), stop=(3,), step=(1,))"
            " %y: f32[7] = add(%s, %u) return %y }",
            f"({EVEN_AND_ODD} %u: f32[7] = update_slice(%x, %a, start=(1,), stop=(7,), step=(2,))"
            " %y: f32[7] = add(%s, %u) return %y }",
            f"({EVEN_AND_ODD} %u: f32[7] = update_slice(%z, 1.0, start=(1,), stop=(7,), step=(2,))"
            " %y: f32[7] = add(%s, %u) return %y }",
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
    "add_transposed_products": (
        [
            f"({PRODUCTS}%x) %y: f32[3, 50] = add(%a, %b) return %y }}",
            f"({PRODUCTS}%x) %y: f32[3, 50] = add(%b, %a) return %y }}",
            f"({PRODUCTS}%x) %d: f32[3, 50] = add(%z, %b) %y: f32[3, 50] = add(%a, %d) return %y }}",
            "(%x: f32[3, 50], %g: f32[3, 3]) { %h: f32[3, 3] = transpose(%g, axes=(1, 0))"
            " %e: f32[3, 50] = multiply(%x, 2.0) %a: f32[3, 50] = matmul(%g, %x) %d: f32[3, 50] = multiply(%a, 2.0)"
            " %b: f32[3, 50] = matmul(%h, %e) %y: f32[3, 50] = add(%d, %b) return %y }",
            "(%x: f32[3, 50], %g: f32[3, 3]) { %a: f32[3, 50] = matmul(%g, %x) %b: f32[3, 50] = matmul(%g, %x)"
            " %y: f32[3, 50] = add(%a, %b) return %y }",
            "(%x: f64[2, 50, 3], %g: f64[2, 3, 3]) { %h: f64[2, 3, 3] = transpose(%g, axes=(0, 2, 1))"
            " %a: f64[2, 50, 3] = matmul(%x, %g) %b: f64[2, 50, 3] = matmul(%x, %h)"
            " %y: f64[2, 50, 3] = add(%a, %b) return %y }",
        ],
        [
            f"({PRODUCTS}%z) %y: f32[3, 50] = add(%a, %b) return %y }}",
            f"({PRODUCTS}%x) %y: f32[3, 50] = add(%a, %b) return %y, %a }}",
            f"({PRODUCTS}%x) %d: f32[3, 50] = multiply(%a, 2.0) %y: f32[3, 50] = add(%d, %b) return %y }}",
            f"({PRODUCTS}%x) %y: f32[3, 50] = add(%a, %b) return %y }}".replace("(%g, %x)", "(%c, %x)"),
            f"({PRODUCTS}%x) %y: f32[3, 50] = add(%a, %b) return %y }}".replace("50", "40"),
        ],
    ),
    "transposed_symmetric_sum": (
        [
            "(%x: f32[3, 3]) { %t: f32[3, 3] = transpose(%x, axes=(1, 0)) %a: f32[3, 3] = add(%x, %t)"
            " %b: f32[3, 3] = multiply(%a, 0.5) %y: f32[3, 3] = transpose(%b, axes=(1, 0)) return %y, %b }",
        ],
        [
            "(%x: f32[3, 3]) { %t: f32[3, 3] = transpose(%x, axes=(1, 0)) %a: f32[3, 3] = subtract(%x, %t)"
            " %b: f32[3, 3] = multiply(%a, 0.5) %y: f32[3, 3] = transpose(%b, axes=(1, 0)) return %y, %b }",
            "(%x: f32[2, 3, 3]) { %t: f32[2, 3, 3] = transpose(%x, axes=(0, 2, 1)) %a: f32[2, 3, 3] = add(%x, %t)"
            " %y: f32[3, 2, 3] = transpose(%a, axes=(1, 0, 2)) return %y }",
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
}


def test_every_rule_has_cases() -> None:
    assert set(CASES) == set(by_name(algebra.RULES))
    assert all(fires and stays for fires, stays in CASES.values())


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, (fires, _) in CASES.items() for text in fires])
def test_a_rule_fires(name: str, text: str) -> None:
    assert_fires(algebra.RULES, name, text)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, (_, stays) in CASES.items() for text in stays])
def test_a_near_miss_stays(name: str, text: str) -> None:
    assert_stays(algebra.RULES, name, text)
