"""Hurwitz's zeta function, and its derivative by the order.

For kernels it is the sum of the first powers, and what remains after Euler and Maclaurin. For negative numbers q, whose
powers of whole orders s are real, it is computed from others, with f = q - floor(q):

    zeta(s, q) = zeta(s, f) + (-1)**s (zeta(s, 1 - f) - zeta(s, 1 - q))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...runtime.kernels.gamma_function import MOST_STEEP, STEEPEST, remainder_of_powers
from ..ir.op import NoDerivative, Op, Sample
from .arithmetic import minimum
from .comparison import equal, greater, less, logical_and, not_equal, select
from .elementwise import exp, floor, log, power
from .incomplete import broadcast_in_float64, if_any
from .special import by_kernel


class _Zeta:
    """The function for kernels: of float32 by fewer terms, and with powers that are less exact."""

    def __init__(self, single: bool) -> None:
        self.summed, self.following = (3, 8) if single else (7, 9)
        self.power: Callable[[Any, Any], Any] = (lambda q, s: exp(s * log(q))) if single else power

    def of_positive(self, s: Any, q: Any) -> Any:
        """zeta of positive q."""
        total = self.power(q, -s)
        for k in range(1, self.summed):
            total = total + self.power(q + float(k), -s)
        z = q + float(self.summed)
        return total + self.power(z, 1.0 - s) * remainder_of_powers(minimum(s, STEEPEST), 1.0 / z, self.following)

    def beyond(self, s: Any, q: Any) -> Any:
        """What zeta of negative q is more than zeta of q - floor(q)."""
        found = self.of_positive(s, 1.0 - (q - floor(q))) - self.of_positive(s, 1.0 - q)
        return select(equal(floor(s * 0.5) * 2.0, s), found, -found)

    def __call__(self, s: Any, q: Any) -> Any:
        s, below, lower = minimum(s, MOST_STEEP), less(q, 0.0), floor(q)
        value = self.of_positive(s, select(below, q - lower, q))
        value = select(below, value + if_any(below, self.beyond, s, q), value)
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
    native_definition=broadcast_in_float64(_Zeta(single=True), _Zeta(single=False)),
)
