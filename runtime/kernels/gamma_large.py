"""The incomplete gamma functions of large orders, by Temme's uniform expansion: a normal distribution and corrections.

Series and continued fractions would take some times sqrt(a) steps. The formulas take arrays, or symbols of a graph,
with the functions of either.
"""

from __future__ import annotations

import math
from typing import Any

from ..records import NamedTuple

LARGE_ORDER = 1e4  # from here on the expansion has 10 digits and more
FURTHEST = 1000.0  # that x is above a smaller order where the functions change: ten standard deviations
FIRST = (-1 / 3, 1 / 12, -2 / 135, 1 / 864, 1 / 2835, -139 / 777600, 1 / 25515)  # by powers of eta
SECOND = (-1 / 540, -1 / 288, 1 / 378, -77 / 77760)
RATIO = (1.0, 1 / 3, 1 / 36, -1 / 270, 1 / 4320, 1 / 17010)  # of mu and eta


class Functions(NamedTuple):
    """What the formulas compute with."""

    exp: Any
    log1p: Any
    sqrt: Any
    sign: Any
    minimum: Any
    maximum: Any
    erfc: Any


def _polynomial(coefficients: tuple[float, ...], x: Any) -> Any:
    total = x * coefficients[-1] + coefficients[-2]
    for each in coefficients[-3::-1]:
        total = total * x + each
    return total


def _expansion(a: Any, x: Any, f: Functions) -> tuple[Any, Any, Any]:
    """z, of which erfc gives the normal distribution; eta near 0; and the factor of the corrections."""
    mu = (x - a) / a
    half = f.maximum(mu - f.log1p(mu), 0.0)
    size = f.sqrt(half * 2.0)
    z = f.sign(mu) * f.sqrt(half * a)
    density = f.exp(-(half * a)) / f.sqrt(a * (2.0 * math.pi))
    return z, f.sign(mu) * f.minimum(size, 1.0), density


def _correction(a: Any, eta: Any) -> Any:
    return _polynomial(FIRST, eta) + _polynomial(SECOND, eta) / a


def lower_part(a: Any, x: Any, f: Functions) -> Any:
    """P(a, x)."""
    z, eta, density = _expansion(a, x, f)
    return f.erfc(-z) * 0.5 - density * _correction(a, eta)


def upper_part(a: Any, x: Any, f: Functions) -> Any:
    """Q(a, x)."""
    z, eta, density = _expansion(a, x, f)
    return f.erfc(z) * 0.5 + density * _correction(a, eta)


def slope_by_order(a: Any, x: Any, f: Functions) -> Any:
    """The derivative of P(a, x) by a."""
    _, eta, density = _expansion(a, x, f)
    ratio, correction = _polynomial(RATIO, eta), _correction(a, eta)
    derivative = _polynomial(tuple([n * c for n, c in enumerate(FIRST)][1:]), eta)
    return density * ((eta * 0.5 - ratio) * (eta * correction + 1.0) + (correction * 0.5 + ratio * derivative) / a)
