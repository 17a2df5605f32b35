"""Blocks of rows, and the threads that share them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mycel.runtime import blocks


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("rows", "piece"), [(10, 4), (8, 4), (3, 4), (1, 1)])
def test_pieces_make_up_all_rows(rows: int, piece: int, threads: int) -> None:
    """Each row is in one piece; a piece has the scratch of its thread and sums of its own."""
    seen: list[tuple[int, int, Any, Any, Any]] = []
    function: Callable[..., None] = lambda *arguments: seen.append(arguments)  # type: ignore[arg-type]  # noqa: E731
    count = -(-rows // piece)
    scratch = [(f"scratch {thread}",) for thread in range(threads)]
    sums = [(f"sum {number}",) for number in range(count)]
    blocks.run_blocks(function, rows, piece, ("array",), scratch, sums)
    seen.sort()
    assert [(start, stop) for start, stop, *_ in seen] == [
        (i * piece, min(rows, i * piece + piece)) for i in range(count)
    ]
    assert [own for *_, own in seen] == [own for (own,) in sums]
    assert {array for _, _, array, _, _ in seen} == {"array"}
    assert {own for _, _, _, own, _ in seen} <= {own for (own,) in scratch}
    seen.clear()
    blocks.run_blocks(function, rows, piece, (), [()] * threads)
    assert sorted(seen) == [(i * piece, min(rows, i * piece + piece)) for i in range(count)]
