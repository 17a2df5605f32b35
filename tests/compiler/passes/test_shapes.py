"""Each rule of shapes by itself: graphs on which it fires, and near misses on which it must not.

The result of a rule gives the same numbers. A near miss differs from a case in one condition of the rule: a second
reader, another axis, a dtype, a number out of range.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from rewriting import assert_alike, assert_fires, assert_stays, by_name, with_rule

from mycel.compiler.passes import shapes

X = "%x: f32[3, 4]"
CUT = "%s: f32[1, 3, 4] = slice(%x, start=(1, 0, 0), stop=(2, 3, 4), step=(1, 1, 1))"
TURNED = " ".join(f"%v{number + 1}: i64[2, 2] = transpose(%v{number}, axes=(1, 0))" for number in range(1000))

# By the rule's name: graphs on which it fires, and on which it does not.
CASES: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "transposed_outer_product": (
        [
            "(%x: f32[20, 1], %b: f32[9]) { %a: f32[20, 9] = multiply(%x, %b)"
            " %y: f32[9, 20] = transpose(%a, axes=(1, 0)) return %y }",
            "(%x: f64[3, 9, 1], %b: f64[20], %c: f64[]) { %m: bool[3, 9, 20] = less(%x, %b)"
            " %y: bool[20, 3, 9] = transpose(%m, axes=(2, 0, 1)) return %y, %c }",
            "(%x: f32[20, 1], %b: f32[9, 1, 1]) { %a: f32[9, 20, 1] = power(%x, %b)"
            " %y: f32[1, 20, 9] = transpose(%a, axes=(2, 1, 0)) return %y }",
        ],
        [
            "(%x: f32[20, 1], %b: f32[9]) { %a: f32[20, 9] = multiply(%x, %b)"
            " %y: f32[9, 20] = transpose(%a, axes=(1, 0)) return %y, %a }",
            "(%x: f32[20, 1], %b: f32[20, 9]) { %a: f32[20, 9] = multiply(%x, %b)"
            " %y: f32[9, 20] = transpose(%a, axes=(1, 0)) return %y }",
        ],
    ),
    "reduction_is_reshape": (
        [
            "(%x: f32[3, 1, 1]) { %y: f32[3] = sum(%x, axis=(1, 2), keepdims=False) return %y }",
            "(%x: i8[3, 1, 4]) { %y: i8[3, 1, 4] = max(%x, axis=(1,), keepdims=True) return %y }",
            "(%x: bool[1, 2]) { %y: bool[2] = any(%x, axis=(0,), keepdims=False) return %y }",
        ],
        ["(%x: f32[3, 1, 2]) { %y: f32[3] = sum(%x, axis=(1, 2), keepdims=False) return %y }"],
    ),
    "drop_leading_ones_before": (
        [
            f"(%x: f32[2, 3, 4], %b: f32[4]) {{ {CUT} %a: f32[1, 3, 4] = exp(%s) %c: f32[1, 3, 4] = add(%a, %b)"
            " %y: f32[3, 4] = reshape(%c, shape=(3, 4)) return %y }",
            "(%x: u8[1, 3, 4]) { %s: u8[1, 1, 4] = slice(%x, start=(0, 1, 0), stop=(1, 2, 4), step=(1, 1, 1))"
            " %a: f32[1, 1, 4] = cast(%s, dtype=f32) %c: f32[1, 1, 4] = add(%a, 1.0)"
            " %y: f32[4] = reshape(%c, shape=(4,)) return %y }",
        ],
        [
            f"(%x: f32[2, 3, 4]) {{ {CUT} %a: f32[1, 3, 4] = exp(%s) %y: f32[3, 4] = reshape(%a, shape=(3, 4))"
            " return %a, %y }",
            f"(%x: f32[2, 3, 4]) {{ {CUT} %a: f32[1, 3, 4] = exp(%s)"
            " %y: f32[12] = reshape(%a, shape=(12,)) return %y }",
            f"(%x: f32[2, 3, 4]) {{ {CUT} %y: f32[3, 4] = reshape(%s, shape=(3, 4)) return %y }}",
            "(%x: f32[5, 3]) { %m: f32[1, 3] = max(%x, axis=(0,), keepdims=True) %a: f32[1, 3] = exp(%m)"
            " %y: f32[3] = reshape(%a, shape=(3,)) return %y }",
            "(%x: f32[1, 3]) { %a: f32[1, 3] = exp(%x) %y: f32[3] = reshape(%a, shape=(3,)) return %y }",
        ],
    ),
    "only_position": (
        ["(%x: f32[3, 1]) { %y: i64[3] = argmax(%x, axis=1, dtype=i64) return %y }"],
        ["(%x: f32[3, 1]) { %y: i64[1] = argmin(%x, axis=0, dtype=i64) return %y }"],
    ),
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
    "fold_numbers": (
        [
            "() { %a: i64[4] = iota(start=0, step=1, size=4, dtype=i64) %b: i64[4, 1] = reshape(%a, shape=(4, 1))"
            " %c: f32[4] = full(shape=(4,), value=2.0, dtype=f32) %d: f32[4, 1] = cast(%b, dtype=f32)"
            " %y: f32[4, 4] = multiply(%d, %c) return %y }",
            "() { %a: f32[2] = constant(value=array(f32[2], [1.0, 2.0])) %y: f32[2] = cos(%a) return %y }",
            "() { %a: i64[4] = iota(start=0, step=1, size=4, dtype=i64) %v0: i64[2, 2] = reshape(%a, shape=(2, 2))"
            f" {TURNED}"
            " %y: i64[2, 2] = multiply(%v1000, 3) return %y }",  # more views than Python's calls may be deep
        ],
        [
            "(%x: i64[4]) { %a: i64[4] = iota(start=0, step=1, size=4, dtype=i64) %y: i64[4] = add(%a, %x) return %y }",
            "() { %a: i64[16385] = iota(start=0, step=1, size=16385, dtype=i64)"
            " %y: i64[16385] = multiply(%a, %a) return %y }",
            "() { %a: i64[16385] = iota(start=0, step=1, size=16385, dtype=i64)"
            " %b: i64[2] = slice(%a, start=(3,), stop=(5,), step=(1,)) %y: i64[2] = multiply(%b, %b) return %y }",
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
    "slice_of_all_is_reverse": (
        [
            f"({X}) {{ %y: f32[3, 4] = slice(%x, start=(2, 0), stop=(None, 4), step=(-1, 1)) return %y }}",
            f"({X}) {{ %y: f32[3, 4] = slice(%x, start=(2, 3), stop=(None, None), step=(-1, -1)) return %y }}",
        ],
        [
            f"({X}) {{ %y: f32[2, 4] = slice(%x, start=(1, 0), stop=(None, 4), step=(-1, 1)) return %y }}",
            f"({X}) {{ %y: f32[2, 4] = slice(%x, start=(2, 0), stop=(None, 4), step=(-2, 1)) return %y }}",
            "(%x: f32[?]) { %y: f32[?] = slice(%x, start=(None,), stop=(None,), step=(-1,)) return %y }",
        ],
    ),
    "merge_reverses": (
        [
            f"({X}) {{ %a: f32[3, 4] = reverse(%x, axes=(0,)) %y: f32[3, 4] = reverse(%a, axes=(0, 1)) return %y }}",
            f"({X}) {{ %a: f32[3, 4] = reverse(%x, axes=(0,)) %y: f32[3, 4] = reverse(%a, axes=(0,)) return %y }}",
        ],
        [f"({X}) {{ %a: f32[3, 4] = multiply(%x, 2.0) %y: f32[3, 4] = reverse(%a, axes=(0,)) return %y }}"],
    ),
    "mirror_after_transpose": (
        [
            "(%x: f32[2, 3, 4]) { %a: f32[2, 3, 4] = reverse(%x, axes=(0, 2))"
            " %y: f32[3, 4, 2] = transpose(%a, axes=(1, 2, 0)) return %y }",
        ],
        [
            f"({X}) {{ %a: f32[4, 3] = transpose(%x, axes=(1, 0)) %y: f32[4, 3] = reverse(%a, axes=(0,)) return %y }}",
            f"({X}) {{ %a: f32[3, 4] = reverse(%x, axes=(0,)) %y: f32[4, 3] = transpose(%a, axes=(1, 0))"
            " return %y, %a }",
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
        [
            "(%x: f32[2, 3, 4], %w: f32[4, 5]) { %y: f32[2, 3, 5] = matmul(%x, %w) return %y }",
            "(%x: f32[2, 3, 4], %w: f32[4]) { %y: f32[2, 3] = matmul(%x, %w) return %y }",
        ],
        [
            "(%x: f32[2, 3, 4], %w: f32[2, 4, 5]) { %y: f32[2, 3, 5] = matmul(%x, %w) return %y }",
            "(%x: f32[?, 3, 4], %w: f32[4, 5]) { %y: f32[?, 3, 5] = matmul(%x, %w) return %y }",
            f"({X}, %w: f32[4, 5]) {{ %y: f32[3, 5] = matmul(%x, %w) return %y }}",
        ],
    ),
    "join_right_sides": (
        [
            "(%a: f32[3, 3], %x: f32[2, 4, 3, 5]) { %y: f32[2, 4, 3, 5] = solve(%a, %x, transposed=True) return %y }",
            "(%a: f64[3, 3], %x: f64[4, 3, 1])"
            " { %y: f64[4, 3, 1] = solve_triangle(%a, %x, lower=True, transposed=False) return %y }",
        ],
        [
            "(%a: f32[4, 3, 3], %x: f32[4, 3, 1]) { %y: f32[4, 3, 1] = solve(%a, %x) return %y }",
            "(%a: f32[3, 3], %x: f32[3, 2]) { %y: f32[3, 2] = solve(%a, %x) return %y }",
            "(%a: f32[3, 3], %x: f32[?, 3, 2]) { %y: f32[?, 3, 2] = solve(%a, %x) return %y }",
            "(%a: f32[3, 3], %x: f32[0, 3, 2]) { %y: f32[0, 3, 2] = solve(%a, %x) return %y }",
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
    "transposed_rounded_product": (
        [
            "(%x: f32[3, 4], %w: f32[4, 5]) { %a: f32[3, 5] = matmul(%x, %w) %b: f16[3, 5] = cast(%a, dtype=f16)"
            " %y: f16[5, 3] = transpose(%b, axes=(1, 0)) return %y }",
        ],
        [
            "(%x: f32[3, 4], %w: f32[4, 5]) { %a: f32[3, 5] = matmul(%x, %w) %b: f64[3, 5] = cast(%a, dtype=f64)"
            " %y: f64[5, 3] = transpose(%b, axes=(1, 0)) return %y }",
            "(%x: f32[3, 5]) { %b: f16[3, 5] = cast(%x, dtype=f16)"
            " %y: f16[5, 3] = transpose(%b, axes=(1, 0)) return %y }",
        ],
    ),
    "widen_before_transpose": (
        [
            "(%x: f16[3, 5]) { %a: f16[5, 3] = transpose(%x, axes=(1, 0))"
            " %y: f32[5, 3] = cast(%a, dtype=f32) return %y }",
        ],
        [
            "(%x: f16[3, 5]) { %a: f16[5, 3] = transpose(%x, axes=(1, 0))"
            " %y: f64[5, 3] = cast(%a, dtype=f64) return %y }",
            "(%x: f32[3, 5]) { %a: f32[5, 3] = transpose(%x, axes=(1, 0))"
            " %y: f64[5, 3] = cast(%a, dtype=f64) return %y }",
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


def test_every_rule_has_cases() -> None:
    assert set(CASES) == set(by_name(shapes.RULES))
    assert all(fires and stays for fires, stays in CASES.values())


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, (fires, _) in CASES.items() for text in fires])
def test_a_rule_fires(name: str, text: str) -> None:
    assert_fires(shapes.RULES, name, text)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, (_, stays) in CASES.items() for text in stays])
def test_a_near_miss_stays(name: str, text: str) -> None:
    assert_stays(shapes.RULES, name, text)


def test_what_others_read_is_widened_once() -> None:
    """The transpose is a view of the wider tensor, if there is one."""
    text = (
        "(%x: f16[3, 5]) { %w: f32[3, 5] = cast(%x, dtype=f32) %a: f16[5, 3] = transpose(%x, axes=(1, 0))"
        " %z: f32[5, 3] = cast(%a, dtype=f32) %y: f32[3, 3] = matmul(%w, %z) return %y }"
    )
    before, after, fired = with_rule(shapes.RULES, "widen_before_transpose", text)
    assert (fired, [node.op.name for node in after.nodes]) == (1, ["cast", "transpose", "matmul"])
    assert_alike(before, after)
