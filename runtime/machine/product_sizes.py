"""The sizes of matrices that machine code multiplies."""

from __future__ import annotations

LEADING = 4
"""The number of dimensions before the last two that arrays have at most."""
ROW_PRODUCTS = 4096
COLUMN_PRODUCTS = 1024
"""The BLAS is faster at more multiplications of a matrix and one row, or at most FEW_COLUMNS columns."""
FEW_COLUMNS = 3


def takes(rows: int, depth: int, columns: int) -> bool:
    """Whether the function takes matrices of such sizes.

    Examples:
        >>> takes(64, 100, 32), takes(1, 1000, 1000)
        (True, False)
    """
    products = rows * depth * columns
    if not products or (rows == 1 and products > ROW_PRODUCTS):
        return False
    return columns > FEW_COLUMNS or products <= COLUMN_PRODUCTS
