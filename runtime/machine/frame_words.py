"""The frame of products and of what else works on arrays of any strides."""

from __future__ import annotations

from functools import cache

from .assembler import RSP, Memory
from .sizes import LEADING


class FrameWords:
    """The numbers of the 8-byte words from the stack pointer up.

    Of the leading dimensions LEAD has the sizes, A_LEAD, B_LEAD and C_LEAD the distances, and COUNT the positions: each
    has LEADING words, for the last dimensions.
    """

    A, B, C, A_ROWS, A_COLUMNS, B_ROWS, B_COLUMNS, C_ROWS, M, N, K = range(11)
    LEAD, A_LEAD, B_LEAD, C_LEAD, COUNT = (11 + LEADING * i for i in range(5))
    PACKING, SCRATCH, BLOCK, MOST_DEPTHS, MOST_COLUMNS = range(COUNT + LEADING, COUNT + LEADING + 5)
    COLUMN, COLUMNS, DEPTH, DEPTHS, VECTORS, VECTORS_LEFT = range(MOST_COLUMNS + 1, MOST_COLUMNS + 7)
    TAIL_MASK, COLUMNS_LEFT, PANEL_LEFT, PLACE = range(VECTORS_LEFT + 1, VECTORS_LEFT + 5)
    ROWS, ROWS_LEFT, SOURCE, TARGET, A_ROW, C_ROW = range(PLACE + 1, PLACE + 7)
    WORK, ARGUMENTS, ADDS, STARTS, RELEASED, THREAD_STATE, HELD = range(C_ROW + 1, C_ROW + 8)
    COLUMN_STEP, PACKED, AHEAD, AHEAD_LEFT, AHEAD_STEP, GIVEN, KEPT, RUN = range(HELD + 4, HELD + 12)
    IS_NEAR, NEAR, COPIES, COPY, FIRST_SCRATCH, DEPTHS_LEFT, LATER, DOTS = range(RUN + 1, RUN + 9)
    NBYTES = 8 * (DOTS + 1)

    @staticmethod
    @cache
    def at(number: int, index: int | None = None) -> Memory:
        """The memory of a word, or of the word whose distance from it is in the register `index`."""
        return Memory(RSP, 8 * number, index, 1 if index is None else 8)
