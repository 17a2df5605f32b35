"""Hurwitz's zeta function, and its derivative by the order.

For kernels that of float32 is the sum of the first powers, and what remains after Euler and Maclaurin. For negative
numbers q, whose powers of whole orders s are real, it is computed from others, with f = q - floor(q):

    zeta(s, q) = zeta(s, f) + (-1)**s (zeta(s, 1 - f) - zeta(s, 1 - q))
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runtime.kernels.gamma_function import MOST_STEEP, STEEPEST, remainder_of_powers
from ..ir.op import NoDerivative, Op, Sample
from .arithmetic import minimum
from .comparison import equal, greater, less, logical_and, not_equal, select
from .elementwise import exp, floor, log
from .incomplete import broadcast_in_float64, if_any
from .special import by_kernel

SUMMED, FOLLOWING = 3, 8  # powers that are added up, and terms that follow: float32 has fewer digits than these give


def _of_positive(s: Any, q: Any) -> Any:
    """zeta of positive q."""
    total = exp(-s * log(q))
    for k in range(1, SUMMED):
        total = total + exp(-s * log(q + float(k)))
    z = q + float(SUMMED)
    return total + exp((1.0 - s) * log(z)) * remainder_of_powers(minimum(s, STEEPEST), 1.0 / z, FOLLOWING)


def _beyond(s: Any, q: Any) -> Any:
    """What zeta of negative q is more than zeta of q - floor(q)."""
    found = _of_positive(s, 1.0 - (q - floor(q))) - _of_positive(s, 1.0 - q)
    return select(equal(floor(s * 0.5) * 2.0, s), found, -found)


def _zeta(s: Any, q: Any) -> Any:
    s, below, lower = minimum(s, MOST_STEEP), less(q, 0.0), floor(q)
    value = _of_positive(s, select(below, q - lower, q))
    value = select(below, value + if_any(below, _beyond, s, q), value)
    value = select(equal(q, lower), select(less(q, 0.5), np.inf, value), value)
    value = select(logical_and(below, logical_and(not_equal(q, lower), not_equal(s, floor(s)))), np.nan, value)
    return select(equal(s, 1.0), np.inf, select(greater(s, 1.0), value, np.nan))


def _vjp_zeta_by_order(x: Any, q: Any, out: Any, dout: Any) -> tuple[Any, Any]:
    by_q = -zeta(x + 1.0, q) - x * zeta_by_order(x + 1.0, q)
    return NoDerivative("zeta: the second derivative by the first operand is not known; the first is"), dout * by_q


def _zeta_samples() -> list[Sample]:
    return [Sample((np.array([2.0, 1.5, 3.0, 7.5]), np.array([1.0, 0.5, 2.0, 11.0])), gradient=False)]


zeta_by_order: Op = by_kernel(
    "zeta_by_order",
    _vjp_zeta_by_order,
    doc="The derivative of zeta by its first operand.",
    samples=_zeta_samples,
)
zeta: Op = by_kernel(
    "zeta",
    lambda x, q, out, dout: (dout * zeta_by_order(x, q), -dout * x * zeta(x + 1.0, q)),
    doc="Hurwitz's zeta function.",
    samples=lambda: [
        *_zeta_samples(),
        Sample((np.array([2.0, 1.5, 3.0, 1.0, 0.5]), np.array([1.0, 0.5, 2.0, 1.0, 1.0])), gradient=False),
    ],
    native_definition=broadcast_in_float64(_zeta),
)
