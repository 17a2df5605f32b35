"""The logarithm of the gamma function and its derivatives."""

from __future__ import annotations

import math

import numpy as np

from .precision import Array, deliver

LARGE = 10.0  # from here on the asymptotic series are good to the last digit

# B(2k) / (2k (2k - 1)) for lgamma, and B(2k) for the others, k = 1, 2, …
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)


def _series(inverse_square: Array, coefficients: list[float]) -> Array:
    result = np.zeros_like(inverse_square)
    for coefficient in reversed(coefficients):
        result = result * inverse_square + coefficient
    return result


def _positive_lgamma(x: Array) -> Array:
    low = x < LARGE
    product = factor = np.where(low, x, 1.0)
    for step in range(1, int(LARGE)):
        product = product * (factor + step)
    product = np.where(low, product, 1.0)
    x = np.where(low, x + int(LARGE), x)
    terms = [b / ((2 * k) * (2 * k - 1)) for k, b in enumerate(BERNOULLI[:9], 1)]
    stirling = (x - 0.5) * np.log(x) - x + 0.5 * math.log(2 * math.pi) + _series(1 / (x * x), terms) / x
    return np.where(np.isinf(x), np.inf, stirling - np.log(product))


def lgamma(x: Array, out: Array | None = None) -> Array:
    """log |Γ(x)|; inf at 0 and at negative integers."""
    x = np.asarray(x)
    with np.errstate(all="ignore"):
        wide = np.atleast_1d(x.astype(np.float64))
        mirrored = wide < 0.5
        value = _positive_lgamma(np.where(mirrored, 1 - wide, wide))
        fraction = np.abs(wide - np.rint(wide))  # sin(πx) from the fraction alone: exact zeros, no cancellation
        reflected = math.log(math.pi) - np.log(np.abs(np.sin(math.pi * fraction))) - value
        result = np.where(mirrored, np.where(fraction == 0, np.inf, reflected), value)
        result = np.where(np.isinf(wide), np.inf, result)
    return deliver(result.reshape(x.shape), x.dtype, out)


def digamma(x: Array, out: Array | None = None) -> Array:
    """The derivative of log Γ; nan at negative integers, infinite at 0."""
    x = np.asarray(x)
    with np.errstate(all="ignore"):
        wide = np.atleast_1d(x.astype(np.float64))
        mirrored = wide < 0.5
        z = np.where(mirrored, 1 - wide, wide)
        moved = np.zeros_like(z)
        for _ in range(int(LARGE)):
            low = z < LARGE
            moved = np.where(low, moved - 1 / z, moved)
            z = np.where(low, z + 1, z)
        terms = [b / (2 * k) for k, b in enumerate(BERNOULLI[:8], 1)]
        inverse = 1 / (z * z)
        value = moved + np.log(z) - 0.5 / z - inverse * _series(inverse, terms)
        fraction = wide - np.rint(wide)
        reflected = value - math.pi / np.tan(math.pi * fraction)
        result = np.where(mirrored, np.where(fraction == 0, np.nan, reflected), value)
        result = np.where(wide == 0, np.copysign(np.inf, -wide), np.where(wide == -np.inf, np.nan, result))
    return deliver(result.reshape(x.shape), x.dtype, out)


def polygamma(n: int, x: Array, out: Array | None = None) -> Array:
    """The n-th derivative of digamma (n >= 1): (-1)^(n + 1) n! times the sum of (x + k)^-(n + 1) over k = 0, 1, …"""
    x = np.asarray(x)
    with np.errstate(all="ignore"):
        z = np.atleast_1d(x.astype(np.float64))
        below, part = z < 0, np.where(np.isfinite(z), z - np.floor(z), 0.0)
        result = _powers(n, np.where(below, 1.0, z))
        if below.any():  # the sum over all integers is periodic; the rest of it is a sum that starts at 1 - x
            sign = (-1.0) ** (n + 1)
            every = _powers(n, part) + sign * _powers(n, 1 - part)
            result = np.where(below, every - sign * _powers(n, np.where(below, 1 - z, 1.0)), result)
        result = (-1.0) ** (n + 1) * (math.gamma(n + 1.0) if n <= 170 else math.inf) * result
        result = np.where(np.isnan(z) | (z == -np.inf), np.nan, result)
    return deliver(result.reshape(x.shape), x.dtype, out)


def _powers(n: int, x: Array) -> Array:
    """The sum of (x + k)^-(n + 1) over k = 0, 1, … for x that are not negative."""
    s, large = n + 1, LARGE + n  # the series needs a larger argument for higher orders
    z, total = x.copy(), np.zeros_like(x)
    while (low := z < large).any():
        total = total + np.where(low, z, np.inf) ** -s
        z = np.where(low, z + 1, z)
    # Euler and Maclaurin: the integral, half the first term, and derivatives with Bernoulli's numbers.
    rest = z ** (1 - s) / (s - 1) + 0.5 * z**-s
    factor = z ** (-s - 1) * s
    for k, bernoulli in enumerate(BERNOULLI[:9], 1):
        rest = rest + factor * (bernoulli / math.factorial(2 * k))
        factor = factor * ((s + 2 * k - 1) * (s + 2 * k)) / (z * z)
    return total + np.where(np.isinf(z), 0.0, rest)
