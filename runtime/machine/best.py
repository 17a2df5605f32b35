"""The best elements of rows, in order, and their positions: in machine code for AVX2."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from .product import machine_function

if TYPE_CHECKING:
    from .executable import Function

MOST_BEST = 128  # elements that are sought in each row
MOST_RANKED = 128  # elements of a row, of which each is compared with each other one


def costs(length: int, count: int) -> tuple[float, float]:
    """About how many ns a row takes: by ranks, and by insertion if the row is in no order."""
    ranked = 0.04 * length**2 + 1.5 * length if length <= MOST_RANKED else math.inf
    return ranked, count * (1 + math.log(length / count)) * (10 + 0.2 * count) + 0.1 * length


@lru_cache(maxsize=64)
def compile_best(dtype: str, positions: str, length: int, count: int, largest: bool, lead: int = 1) -> Function:
    """The function (x, values, positions) for rows of float32 or int32 of a length, of which it finds so many.

    Dtypes are characters; positions are int32 or int64. Of equal elements the first one comes first; nan counts as the
    largest. `lead`: the dimensions before the rows. It returns True; for other arrays it returns False and writes
    nothing.
    """

    def assemble() -> bytes:
        from .best_code import BestCode, RankCode

        ranked, inserted = costs(length, count)
        made = RankCode if ranked < inserted else BestCode
        return made(dtype, positions, length, count, largest, lead).assemble()

    return machine_function(assemble, "best", f"best(x, values, positions): {count} of rows of {length} {dtype}")
