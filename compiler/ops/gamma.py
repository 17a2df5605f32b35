"""The gamma function's logarithm and its derivative by simpler ops, for kernels: in float64, whatever the dtype.

For x below 1/2 the value at 1 - x is reflected. Below 10 the argument is moved up by 10: with w = x (x + 9), the
product of x, x + 1, …, x + 9 is w (w + 8) (w + 14) (w + 18) (w + 20). From 10 on the series are good to the last
digit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ...runtime import dtypes
from ...runtime.kernels.gamma_function import BERNOULLI, LARGE
from .arithmetic import absolute
from .comparison import equal, less, select
from .conversion import cast
from .elementwise import isinf, log, round as nearest, sin, tan

PRODUCT = (40320.0, 12176.0, 1308.0, 60.0, 1.0)  # (w + 8) (w + 14) (w + 18) (w + 20), lowest power first
SLOPE = (40320.0, 24352.0, 3924.0, 240.0, 5.0)  # the derivative of w times that


def in_float64(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A definition of floats of 32 and 64 bits."""

    def definition(x: Any) -> Any:
        if x.dtype not in (dtypes.float32, dtypes.float64):
            return None
        return cast(function(cast(x, dtype=dtypes.float64)), dtype=x.dtype)

    return definition


def _polynomial(x: Any, coefficients: Sequence[float]) -> Any:
    result = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        result = result * x + coefficient
    return result


def lgamma_in_float64(x: Any) -> Any:
    """log |Γ(x)|; inf at 0 and at negative integers."""
    mirrored = less(x, 0.5)
    z = select(mirrored, 1.0 - x, x)
    low, w = less(z, LARGE), z * (z + 9.0)
    product = select(low, w * _polynomial(w, PRODUCT), 1.0)
    z = select(low, z + 10.0, z)
    inverse = 1.0 / z
    terms = [b / ((2 * k) * (2 * k - 1)) for k, b in enumerate(BERNOULLI[:9], 1)]
    stirling = (z - 0.5) * log(z) - z + 0.5 * math.log(2 * math.pi) + _polynomial(inverse * inverse, terms) * inverse
    value = stirling - log(product)
    fraction = absolute(x - nearest(x))  # sin(πx) from the fraction alone: exact zeros, no cancellation
    reflected = math.log(math.pi) - log(sin(math.pi * fraction)) - value
    return select(isinf(x), math.inf, select(mirrored, reflected, value))


def digamma_in_float64(x: Any) -> Any:
    """The derivative of log Γ; nan at negative integers, infinite at 0."""
    mirrored = less(x, 0.5)
    z = select(mirrored, 1.0 - x, x)
    low, w = less(z, LARGE), z * (z + 9.0)
    moved = (2.0 * z + 9.0) * _polynomial(w, SLOPE) / (w * _polynomial(w, PRODUCT))
    moved = select(low, moved, 0.0)
    z = select(low, z + 10.0, z)
    inverse = 1.0 / z
    square = inverse * inverse
    terms = [b / (2 * k) for k, b in enumerate(BERNOULLI[:8], 1)]
    value = log(z) - 0.5 * inverse - square * _polynomial(square, terms) - moved
    fraction = x - nearest(x)
    reflected = select(equal(fraction, 0.0), math.nan, value - math.pi / tan(math.pi * fraction))
    return select(equal(x, 0.0), -1.0 / x, select(mirrored, reflected, value))
