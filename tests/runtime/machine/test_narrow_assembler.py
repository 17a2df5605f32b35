"""How vectors without masks cover a row."""

from __future__ import annotations

import pytest

from mycel.runtime.machine.narrow_assembler import spans


@pytest.mark.parametrize("lanes", [4, 8, 16])
def test_spans_cover_all_elements_and_no_others(lanes: int) -> None:
    """They are whole vectors and halves; only fewer elements than half a vector are a part of one."""
    for count in range(1, 5 * lanes):
        found = spans(count, lanes)
        covered = [element for first, size in found for element in range(first, first + size)]
        assert sorted(set(covered)) == list(range(count))
        assert {size for _, size in found} <= ({lanes, lanes // 2} if count >= lanes // 2 else {count})
        assert [first for first, _ in found] == sorted(first for first, _ in found)
        assert len(found) <= count // lanes + 2 - (count >= lanes)
