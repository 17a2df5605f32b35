"""The dtypes and shapes of arrays that machine code takes, and its longest vectors."""

import math

Shape = tuple[int, ...]

SIZES = {
    "float32": 4, "int32": 4, "float64": 8, "int64": 8, "uint32": 4, "uint64": 8, "float16": 2, "uint8": 1, "bool": 1,
}  # fmt: skip
"""The bytes of an element, by the dtype's name."""

LANES = {dtype: max(size, 4) for dtype, size in SIZES.items() if dtype != "bool"}
"""The bytes of a number in a vector: halves are computed as float32, and bytes are only cast. A bool has any size."""

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
