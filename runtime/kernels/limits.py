"""Lower bounds of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

MANY = 1024  # elements from which the quicker function pays for the longer way to it


def at_least(x: Array, number: float, out: Array | None = None) -> Array:
    """The maximum of each element and a number.

    NumPy's `maximum` of an array and a number works element by element. Its `clip` uses vector instructions and is many
    times faster.
    """
    if x.size < MANY or x.dtype.kind != "f":
        return np.maximum(x, number, out=out)
    return np.clip(x, number, np.inf, out=out)


def no_less(x: Array, number: float) -> Array:
    """As `at_least`, but the array itself if no element is less: a check takes less time than a copy."""
    if x.size < MANY:
        return np.maximum(x, number)
    return x if np.minimum.reduce(x, axis=None) >= number else at_least(x, number)
