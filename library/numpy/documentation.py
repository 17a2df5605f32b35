"""What the functions of `mycel.numpy` say alike of their arguments."""

from __future__ import annotations

from ..docstrings import Shared

common = Shared(
    """
    Args:
        a: a tensor or nested sequence of numbers, of any shape.
        x: a tensor or nested sequence of numbers, of any shape.
        b: a tensor or nested sequence of numbers, of any shape.
        m: a tensor or nested sequence of numbers, of any shape.
        arr: a tensor or nested sequence of numbers, of any shape.
        axis: the axis; a negative one counts from the end.
        dtype: the dtype of the result; None: as computed.
        k: which diagonal, counted upwards from the main one.
        shape: the shape, an int or a tuple of ints.
        weights: a weight for each element; None: ones.

    Raises:
        TypeError: if `a` holds no numbers.
        TypeError: if `x` holds no numbers.
        TypeError: if `m` holds no numbers.
        TypeError: if `arr` holds no numbers.
        ValueError: if `axis` is out of range.
    """,
    imports="import mycel.numpy as mnp",
)
