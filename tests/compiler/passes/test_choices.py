"""Comparisons of choices between numbers: where the rule applies, and that the logic gives the same truths."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from rewriting import assert_fires, assert_stays

from mycel.compiler.passes import choices

NAME = "comparison_of_choice"
COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
NESTED = "%a: i64[3, 4] = select(%p, 1, 0) %c: i64[3, 4] = select(%q, 2, %a)"


def compared(choice: str, comparison: str) -> str:
    """A graph that computes %c from two conditions and some numbers, and compares it."""
    return (
        "(%p: bool[3, 4], %q: bool[3, 4], %x: f32[3, 4], %i: i64[3, 4])"
        f" {{ {choice} %y: bool[3, 4] = {comparison} return %y }}"
    )


@pytest.mark.parametrize("op", COMPARISONS)
def test_one_choice(op: str) -> None:
    for first, second, number in itertools.permutations((-1, 0, 2), 3):
        text = compared(f"%c: i64[3, 4] = select(%p, {first}, {second})", f"{op}(%c, {number})")
        compare = getattr(np, op)
        if compare(first, number) == compare(second, number):
            assert_stays(choices.RULES, NAME, text)  # one truth, which does not have the shape of the result
        else:
            assert_fires(choices.RULES, NAME, text)


@pytest.mark.parametrize("op", COMPARISONS)
@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("order", ["%c, {}", "{}, %c"])
@pytest.mark.parametrize("nested", [NESTED, NESTED.replace("2, %a", "%a, 2")])
def test_a_choice_in_a_choice(op: str, number: int, order: str, nested: str) -> None:
    compare, swapped = getattr(np, op), order.startswith("{")
    truths = {bool(compare(number, value) if swapped else compare(value, number)) for value in (0, 1, 2)}
    text = compared(nested, f"{op}({order.format(number)})")
    (assert_fires if len(truths) == 2 else assert_stays)(choices.RULES, NAME, text)


@pytest.mark.parametrize("op", COMPARISONS)
def test_a_choice_with_nan(op: str) -> None:
    text = compared("%c: f32[3, 4] = select(%p, nan, -0.0)", f"{op}(%c, 0.0)")
    (assert_fires if op in ("equal", "not_equal", "less_equal", "greater_equal") else assert_stays)(
        choices.RULES, NAME, text
    )


@pytest.mark.parametrize(
    ("choice", "comparison"),
    [
        ("%c: f32[3, 4] = select(%p, 1.0, %x)", "less(%c, 2.0)"),  # a choice of what only the run knows
        ("%c: i64[3, 4] = select(%p, 1, 0)", "less(%c, %i)"),  # a comparison with such
        ("%b: bool[] = all(%p, axis=(0, 1), keepdims=False) %a: i64[] = select(%b, 1, 0)", "less(%a, %i)"),
    ],
)
def test_a_near_miss_stays(choice: str, comparison: str) -> None:
    assert_stays(choices.RULES, NAME, compared(choice, comparison))


def test_more_choices_than_pay_stay() -> None:
    steps = " ".join(
        f"%c{n}: i64[3, 4] = select({'%p' if n % 2 else '%q'}, {n}, {f'%c{n - 1}' if n else 90})"
        for n in range(choices.MOST_CHOICES + 1)
    )
    few = compared(steps, f"equal(%c{choices.MOST_CHOICES - 1}, 3)")
    assert_fires(choices.RULES, NAME, few)
    assert_stays(choices.RULES, NAME, compared(steps, f"equal(%c{choices.MOST_CHOICES}, 3)"))


@pytest.mark.parametrize(
    ("numbers", "before", "after", "fires"),
    [
        ("1, 0", "i64", "f32", True),
        ("2.7, nan", "f32", "f64", True),
        ("-2.7, 0.5", "f32", "i32", True),
        ("3, 0", "i64", "bool", True),
        ("1, %i", "i64", "f32", False),
        ("1, 0", "i64", "c64", False),
    ],
)
def test_a_cast_of_a_choice(numbers: str, before: str, after: str, fires: bool) -> None:
    text = (
        f"(%p: bool[3, 4], %i: i64[3, 4]) {{ %c: {before}[3, 4] = select(%p, {numbers})"
        f" %y: {after}[3, 4] = cast(%c, dtype={after}) return %y }}"
    )
    (assert_fires if fires else assert_stays)(choices.RULES, "cast_of_choice", text)
