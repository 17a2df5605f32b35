"""Numbers that an array's elements are brought up to."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

MANY = 1024  # elements from which the quicker function pays for the longer way to it


def at_least(x: Array, number: float, out: Array | None = None) -> Array:
    """The maximum of each element and a number.

    NumPy's `maximum` takes an array and a number element by element, its `clip` by vectors, which is many times faster.
    """
    if x.size < MANY or x.dtype.kind != "f":
        return np.maximum(x, number, out=out)
    return np.clip(x, number, np.inf, out=out)


def no_less(x: Array, number: float) -> Array:
    """As `at_least`, but the array itself where no element is less, which is quicker to find out than to copy."""
    if x.size < MANY:
        return np.maximum(x, number)
    return x if np.minimum.reduce(x, axis=None) >= number else at_least(x, number)
