"""Which arrays are transposed as matrices."""

from __future__ import annotations

import math

Shape = tuple[int, ...]


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
