"""The shapes of the few small matrices that have functions of machine code."""

from __future__ import annotations

Shape = tuple[int, ...]

SIZE = 8
"""Rows and columns of a matrix that is inverted or factored, and columns of right-hand sides, at most."""
PRODUCTS = 128
"""Multiplications of a vector in a product, and elements of its right operand, at most."""
STACKED = 512
"""Elements of each right operand at most, where there are many products."""
VECTOR_BYTES = 1 << 18
"""Bytes of a matrix that is multiplied with a vector at most. The BLAS is as fast with larger ones."""
ROW_BYTES = 64
"""Bytes of a row of the result of a product at most."""


def takes_product(nbytes: int, a: Shape, b: Shape) -> bool:
    """Whether there is a function for operands of such shapes with elements of so many bytes.

    Examples:
        >>> takes_product(4, (2, 4), (4, 4)), takes_product(4, (64, 4), (4, 4))
        (True, False)
        >>> takes_product(4, (99, 3, 3), (99, 3, 3)), takes_product(4, (99, 3, 3), (3, 1))
        (True, True)
        >>> takes_product(4, (16, 16), (16, 1)), takes_product(4, (99, 16, 16), (99, 16, 1))
        (False, True)
    """
    ranks, elements = {len(a), len(b)}, PRODUCTS
    if not (all(a) and all(b)) or min(ranks) < 1 or max(ranks) > 6:
        return False
    if max(ranks) > 2:  # stacks, of which one may be a single matrix
        if min(ranks) < 2 or (min(ranks) > 2 and a[:-2] != b[:-2]):
            return False
        a, b, elements = a[-2:], b[-2:], STACKED
    rows, depth, columns = product_sizes(a, b)
    vectors = -(-columns * nbytes // 32)
    return columns * nbytes <= ROW_BYTES and rows * depth * vectors <= PRODUCTS and depth * columns <= elements


def takes_vector(nbytes: int, a: Shape, b: Shape) -> bool:
    """Whether there is a function for the product of a matrix and a vector, one of which may be a row or a column.

    Examples:
        >>> takes_vector(4, (32,), (32, 64)), takes_vector(4, (64, 32), (32, 1)), takes_vector(4, (2, 32), (32, 64))
        (True, True, False)
    """
    if {len(a), len(b)} - {1, 2}:
        return False
    rows, depth, columns = a[0] if len(a) == 2 else 1, a[-1], b[1] if len(b) == 2 else 1
    result = rows * columns
    return 1 in (rows, columns) and min(result, depth) > 1 and result * depth * nbytes <= VECTOR_BYTES


def product_sizes(a: Shape, b: Shape) -> tuple[int, int, int]:
    """Rows, depth and columns of a product; a single column is computed as a row, from transposed operands."""
    rows, columns = a[0] if len(a) == 2 else 1, b[1] if len(b) == 2 else 1
    return (1, a[-1], rows) if columns == 1 else (rows, a[-1], columns)


def takes_square(a: Shape, *others: Shape) -> bool:
    """Whether there are functions for square matrices of a shape, and others with as many rows."""
    lead = all(shape[:-1] == a[:-1] and 0 < shape[-1] <= SIZE for shape in others)
    return len(a) <= 6 and all(a) and a[-1] == a[-2] <= SIZE and lead
