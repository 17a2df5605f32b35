"""Calls of a function on blocks of rows, shared by several threads if that is faster; the best size of a block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from .threads import share

DEFAULT_CACHE = 1 << 20


@cache
def cache_bytes(index: int = 2, default: int = DEFAULT_CACHE) -> int:
    """The size of the level-2 cache of a core, or of the shared cache (index 3); a default if the system does not
    say."""
    try:
        with open(f"/sys/devices/system/cpu/cpu0/cache/index{index}/size", encoding="ascii") as file:
            text = file.read().strip()
    except OSError:
        return default
    units = {"K": 1 << 10, "M": 1 << 20}
    if text[-1:] in units and text[:-1].isdigit():
        return int(text[:-1]) * units[text[-1]]
    return int(text) if text.isdigit() else default


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
