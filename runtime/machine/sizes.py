"""The dtypes and shapes of arrays that machine code takes, and its longest vectors."""

from __future__ import annotations

import math

Shape = tuple[int, ...]

SIZES = {
    "float32": 4, "int32": 4, "float64": 8, "int64": 8, "uint32": 4, "uint64": 8, "float16": 2, "int16": 2, "uint16": 2,
    "int8": 1, "uint8": 1, "bool": 1,
}  # fmt: skip
"""The bytes of an element, by the dtype's name."""

LANES = {dtype: max(size, 4) for dtype, size in SIZES.items() if dtype != "bool"}
"""The bytes of a number in a vector: narrower ones are computed as 32 bits. A bool has any size."""

WIDTH = 64
"""Bytes of a vector of AVX-512."""

NARROW = 32
"""Bytes of a vector of AVX2."""

MOST_ROWS = 8
"""Rows of a kernel of a depthwise convolution whose taps are computed at once."""


def as_matrices(shape: Shape, axes: Shape) -> tuple[int, int, int] | None:
    """How many matrices are transposed, their rows and columns; None for another permutation of dimensions.

    Examples:
        >>> as_matrices((8, 3, 20, 30), (0, 2, 3, 1))
        (8, 3, 600)
        >>> as_matrices((2, 3, 4), (2, 1, 0)) is None
        True
    """
    rank = len(shape)
    lead = next((axis for axis in range(rank) if axes[axis] != axis), rank)
    if lead == rank or axes[lead:] != (*range(axes[lead], rank), *range(lead, axes[lead])):
        return None
    return math.prod(shape[:lead]), math.prod(shape[lead : axes[lead]]), math.prod(shape[axes[lead] :])


LEADING = 4
"""The number of dimensions before the last two that arrays have at most."""
ROW_PRODUCTS = 4096
COLUMN_PRODUCTS = 128
"""The BLAS is faster at more multiplications of a matrix and one row, or at most FEW_COLUMNS columns."""
ROW_NBYTES = 1 << 16
"""With AVX-512 our code is faster for one row and a matrix of at most this many bytes, if its rows are contiguous."""
FEW_COLUMNS = 1
FEWEST_COLUMNS = {4: 8, 8: 4}
"""Columns of a vector of AVX2, by the bytes of an element. Code for AVX2 multiplies no matrices with fewer."""
MOST_TURNED = 1 << 16
"""Rows that a matrix with columns in one piece has at most there."""


def takes(rows: int, depth: int, columns: int, fewest: int = 1, nbytes: int | None = None) -> bool:
    """Whether the function takes matrices of such sizes; `fewest`: columns that it takes at least, more than one for
    AVX2; `nbytes`: of an element, if each row of the second matrix lies in one piece.

    Examples:
        >>> takes(64, 100, 32), takes(1, 1000, 1000)
        (True, False)
        >>> takes(1, 256, 32), takes(1, 256, 32, nbytes=4)
        (False, True)
        >>> takes(10, 10, 1), takes(30, 30, 1)
        (True, False)
    """
    if columns < fewest:
        return False
    products = rows * depth * columns
    most = ROW_PRODUCTS if fewest > 1 or nbytes is None else ROW_NBYTES // nbytes
    if not products or (rows == 1 and products > most):
        return False
    return columns > FEW_COLUMNS or products <= COLUMN_PRODUCTS


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
