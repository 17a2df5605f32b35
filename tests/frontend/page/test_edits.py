"""Edit scripts of lines."""

from collections.abc import Sequence

from hypothesis import given, strategies as st

from mycel.frontend.page.describe import Edit, edit_script

LINES = st.lists(st.integers(0, 12), max_size=30)


def apply(old: Sequence[int], edits: Sequence[Edit]) -> list[int]:
    """The result of the edits to a stage, as the page applies them."""
    new: list[int] = []
    at = 0
    for kept, removed, added in edits:
        new += old[at : at + kept]
        at += kept + removed
        new += added
    return new + list(old[at:])


@given(LINES, LINES)
def test_edits_lead_to_the_new_lines(old: list[int], new: list[int]) -> None:
    assert apply(old, edit_script(old, new)) == new


def test_unchanged_lines_are_kept() -> None:
    assert edit_script([1, 2, 3, 4], [1, 2, 3, 4]) == [(4, 0, [])]
    assert edit_script([1, 2, 3, 4], [1, 9, 4]) == [(1, 2, [9]), (1, 0, [])]


def test_ten_thousand_lines_take_one_change() -> None:
    old = list(range(10_000))
    new = [*old[:5000], -1, *old[5001:]]
    assert edit_script(old, new) == [(5000, 1, [-1]), (4999, 0, [])]
