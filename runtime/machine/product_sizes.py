"""The sizes of matrices that machine code multiplies."""

from __future__ import annotations

LEADING = 4
"""The number of dimensions before the last two that arrays have at most."""
ROW_PRODUCTS = 4096
COLUMN_PRODUCTS = 1024
"""The BLAS is faster at more multiplications of a matrix and one row, or at most FEW_COLUMNS columns."""
FEW_COLUMNS = 3
FEWEST_COLUMNS = {4: 8, 8: 4}
"""Columns of a vector of AVX2, by the bytes of an element. Code for AVX2 multiplies no matrices with fewer."""
MOST_TURNED = 1 << 16
"""Rows that a matrix with columns in one piece has at most there."""


def takes(rows: int, depth: int, columns: int, fewest: int = 1) -> bool:
    """Whether the function takes matrices of such sizes; `fewest`: columns that it takes at least.

    Examples:
        >>> takes(64, 100, 32), takes(1, 1000, 1000)
        (True, False)
    """
    if columns < fewest:
        return False
    products = rows * depth * columns
    if not products or (rows == 1 and products > ROW_PRODUCTS):
        return False
    return columns > FEW_COLUMNS or products <= COLUMN_PRODUCTS
