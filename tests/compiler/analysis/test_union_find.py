"""Which of several merged things stands for all of them."""

from __future__ import annotations

from mycel.compiler.analysis.union_find import Mergeable


def test_the_root_stands_for_all() -> None:
    first, second, third, apart = (Mergeable() for _ in range(4))
    first.parent = second
    second.parent = third
    assert {each.find() for each in (first, second, third)} == {third}
    assert apart.find() is apart
