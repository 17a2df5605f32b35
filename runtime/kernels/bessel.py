"""Bessel functions of orders 0 and 1: by their integrals, and for large arguments by asymptotic series."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from .precision import Array, deliver

FAR = 25.0  # from here on the series of J and Y are good to the last digit
VERY_FAR = 500.0  # from here on those of I
EULER = 0.57721566490153286


@cache
def _nodes(count: int) -> tuple[Array, Array]:
    """Nodes and weights of Gauss-Legendre quadrature on [0, 1]."""
    places, weights = np.polynomial.legendre.leggauss(count)
    return (places + 1) / 2, weights / 2


def _hankel(order: int, x: Array) -> tuple[Array, Array]:
    """The even and odd parts of the series in 1 / x that J and Y have for large x."""
    square = 4.0 * order * order
    term, even, odd = np.ones_like(x), np.ones_like(x), np.zeros_like(x)
    for k in range(1, 21):
        term = term * (square - (2 * k - 1) ** 2) / (k * 8 * x)
        if k % 2:
            odd = odd + term * (1 if k % 4 == 1 else -1)
        else:
            even = even + term * (1 if k % 4 == 0 else -1)
    return even, odd


def _waves(order: int, x: Array) -> tuple[Array, Array]:
    """J and Y of x >= FAR."""
    far = np.maximum(x, FAR)
    even, odd = _hankel(order, far)
    phase = x - (2 * order + 1) * math.pi / 4
    height = np.sqrt(2 / (math.pi * far))
    return height * (even * np.cos(phase) - odd * np.sin(phase)), height * (even * np.sin(phase) + odd * np.cos(phase))


def _mean(count: int, of_angle: Callable[[float], Array]) -> Array:
    """The mean of a function over the angles from 0 to π, by the trapezoidal rule."""
    total: Any = sum(of_angle((step + 0.5) * math.pi / count) for step in range(count))
    return total / count


def _j(order: int, x: Array) -> Array:
    """J of x >= 0: the mean of cos(n θ - x sin θ), which the trapezoidal rule computes to full precision."""
    near = np.minimum(x, FAR)
    mean = _mean(80, lambda angle: np.cos(order * angle - near * math.sin(angle)))
    series, _ = _waves(order, x)
    return np.where(x < FAR, mean, np.where(np.isinf(x), 0.0, series))


def _y(order: int, x: Array) -> Array:
    """Y of x > 0."""
    near = np.clip(x, 1e-8, FAR)
    waves, decay = np.zeros_like(x), np.zeros_like(x)
    end = np.arcsinh(745 / near)
    for place, weight in zip(*_nodes(64), strict=True):
        angle = place * math.pi
        waves = waves + weight * np.sin(near * math.sin(angle) - order * angle)
    for place, weight in zip(*_nodes(200), strict=True):
        at = end * place
        factor = np.exp(at) - np.exp(-at) if order else 2.0
        decay = decay + weight * factor * np.exp(-near * np.sinh(at))
    _, series = _waves(order, x)
    tiny = -2 / (math.pi * x) if order else 2 / math.pi * (np.log(x / 2) + EULER)
    result = np.where(x < FAR, waves - decay * end / math.pi, np.where(np.isinf(x), 0.0, series))
    result = np.where(x < 1e-8, tiny, result)
    return np.where(x < 0, np.nan, result)


def _scaled_i(order: int, x: Array) -> Array:
    """I of x >= 0 times exp(-x)."""
    near = np.minimum(x, VERY_FAR)
    mean = _mean(200, lambda angle: np.exp(near * (math.cos(angle) - 1)) * math.cos(order * angle))
    far = np.maximum(x, VERY_FAR)
    term, series = np.ones_like(x), np.ones_like(x)
    for k in range(1, 12):
        term = term * -(4 * order * order - (2 * k - 1) ** 2) / (k * 8 * far)
        series = series + term
    series = series / np.sqrt(2 * math.pi * far)
    return np.where(x < VERY_FAR, mean, np.where(np.isinf(x), 0.0, series))


def _scaled_k(order: int, x: Array) -> Array:
    """K of x > 0 times exp(x)."""
    near = np.where(np.isfinite(x), np.maximum(x, 1e-30), 1.0)
    count = 400
    step = np.arccosh(1 + 745 / near) / count
    total = np.full_like(x, 0.5)
    for index in range(1, count + 1):
        at = step * index
        total = total + np.exp(-near * (np.cosh(at) - 1)) * (np.cosh(at) if order else 1.0)
    tiny = 1 / x if order else -np.log(x / 2) - EULER
    result = np.where(x < 1e-30, tiny, total * step)
    return np.where(x < 0, np.nan, np.where(np.isinf(x), 0.0, result))


def _kernel(compute: Callable[[Array], Array], doc: str) -> Callable[..., Array]:
    def kernel(x: Array, out: Array | None = None) -> Array:
        x = np.asarray(x)
        with np.errstate(all="ignore"):
            wide = np.atleast_1d(x.astype(np.float64))
            result = np.where(np.isnan(wide), np.nan, compute(wide))
        return deliver(result.reshape(x.shape).astype(x.dtype), x.dtype, out)

    kernel.__doc__ = doc
    return kernel


def _odd(x: Array, value: Array) -> Array:
    return np.where(x < 0, -value, value)


j0 = _kernel(lambda x: _j(0, np.abs(x)), "The Bessel function J of order 0.")
j1 = _kernel(lambda x: _odd(x, _j(1, np.abs(x))), "The Bessel function J of order 1.")
y0 = _kernel(lambda x: _y(0, x), "The Bessel function Y of order 0.")
y1 = _kernel(lambda x: _y(1, x), "The Bessel function Y of order 1.")
i0e = _kernel(lambda x: _scaled_i(0, np.abs(x)), "The modified Bessel function I of order 0 times exp(-|x|).")
i1e = _kernel(lambda x: _odd(x, _scaled_i(1, np.abs(x))), "The modified Bessel function I of order 1 times exp(-|x|).")
i0 = _kernel(lambda x: _scaled_i(0, np.abs(x)) * np.exp(np.abs(x)), "The modified Bessel function I of order 0.")
i1 = _kernel(
    lambda x: _odd(x, _scaled_i(1, np.abs(x)) * np.exp(np.abs(x))), "The modified Bessel function I of order 1."
)
k0e = _kernel(lambda x: _scaled_k(0, x), "The modified Bessel function K of order 0 times exp(x).")
k1e = _kernel(lambda x: _scaled_k(1, x), "The modified Bessel function K of order 1 times exp(x).")
k0 = _kernel(lambda x: _scaled_k(0, x) * np.exp(-x), "The modified Bessel function K of order 0.")
k1 = _kernel(lambda x: _scaled_k(1, x) * np.exp(-x), "The modified Bessel function K of order 1.")
