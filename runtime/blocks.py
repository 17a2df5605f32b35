"""Calls of a function on blocks of rows, shared by several threads if that is faster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .threads import share


def run_blocks(
    function: Callable[..., None],
    rows: int,
    piece: int,
    arrays: Sequence[Any],
    scratch: Sequence[Sequence[Any]],
    sums: Sequence[Sequence[Any]] | None = None,
) -> None:
    """Call `function(start, stop, *arrays, *scratch, *sums)` for consecutive blocks of rows that cover all rows.

    Each thread has scratch of its own and takes one block after another. Each block has partial sums of its own, so the
    total does not depend on which thread computed which block.
    """
    if sums is None:
        sums = [()] * -(-rows // piece)
    if len(scratch) == 1:
        for number, start in enumerate(range(0, rows, piece)):
            function(start, min(start + piece, rows), *arrays, *scratch[0], *sums[number])
        return
    own_sums = sums

    def work(number: int, thread: int) -> None:
        start = number * piece
        function(start, min(start + piece, rows), *arrays, *scratch[thread], *own_sums[number])

    share(work, -(-rows // piece), len(scratch))
