"""Each rule of sums along axes by itself: graphs on which it fires, and near misses on which it must not.

The result of a rule gives the same numbers. A near miss differs from a case in one condition of the rule: a second
reader, another axis, a dtype, a number out of range.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from rewriting import assert_fires, assert_stays, by_name

from mycel.compiler.passes import axis_sums

X = "%x: f32[3, 4]"

# By the rule's name: graphs on which it fires, and on which it does not.
CASES: dict[str, tuple[Sequence[str], Sequence[str]]] = {
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
    "merge_sums_of_split": (
        [
            "(%x: f32[5, 2, 6]) { %a: f32[5, 6] = sum(%x, axis=(1,), keepdims=False)"
            " %b: f32[5, 3, 2] = reshape(%a, shape=(5, 3, 2)) %y: f32[5, 3] = sum(%b, axis=(2,), keepdims=False)"
            " return %y }",
            "(%x: f32[4, 2, 1, 6]) { %a: f32[1, 6] = sum(%x, axis=(0, 1), keepdims=False)"
            " %b: f32[1, 2, 3] = reshape(%a, shape=(1, 2, 3)) %y: f32[1, 1, 3] = sum(%b, axis=(1,), keepdims=True)"
            " return %y }",
        ],
        [
            "(%x: f32[2, 2, 6]) { %a: f32[2, 6] = sum(%x, axis=(1,), keepdims=False)"
            " %b: f32[3, 4] = reshape(%a, shape=(3, 4)) %y: f32[3] = sum(%b, axis=(1,), keepdims=False) return %y }",
            "(%x: f32[5, 2, 6]) { %a: f32[5, 6] = sum(%x, axis=(1,), keepdims=False)"
            " %b: f32[5, 3, 2] = reshape(%a, shape=(5, 3, 2)) %y: f32[5, 3] = sum(%b, axis=(2,), keepdims=False)"
            " return %y, %b }",
            "(%x: f32[5, 2, 6]) { %a: f32[5, 6] = max(%x, axis=(1,), keepdims=False)"
            " %b: f32[5, 3, 2] = reshape(%a, shape=(5, 3, 2)) %y: f32[5, 3] = sum(%b, axis=(2,), keepdims=False)"
            " return %y }",
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
}


def test_every_rule_has_cases() -> None:
    assert set(CASES) == set(by_name(axis_sums.RULES))
    assert all(fires and stays for fires, stays in CASES.values())


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, (fires, _) in CASES.items() for text in fires])
def test_a_rule_fires(name: str, text: str) -> None:
    assert_fires(axis_sums.RULES, name, text)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, (_, stays) in CASES.items() for text in stays])
def test_a_near_miss_stays(name: str, text: str) -> None:
    assert_stays(axis_sums.RULES, name, text)
