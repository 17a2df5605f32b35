"""Bessel functions of orders 0 and 1: by polynomials, and for large and tiny arguments by series.

The polynomials interpolate the functions' integrals, which are computed when a function is first called.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from .precision import Array, deliver

FAR = 25.0  # from here on the series of J and Y are good to the last digit
VERY_FAR = 500.0  # from here on those of I and K
TINY = -14  # below this power of 2 the first terms of the series of K and Y suffice
PIECES, DEGREE = 4, 12  # bits of the pieces of an octave, and the degree of their polynomials
EULER = 0.57721566490153286

# I, good for float32, by order; lowest power first. Of x² up to SINGLE_FAR, of order 1 divided by x: no terms cancel.
# Beyond, of 1 / x: times exp(-x) and the root of x. The largest relative errors of both are as small as may be.
SINGLE_FAR = 5.0
SINGLE_MODIFIED = (
    (
        (
            0.9999999909, 0.2500000764, 0.01562491134, 0.0004340645607, 6.774582117e-06, 6.85290795e-08,
            4.329607362e-10, 3.405840241e-12,
        ),
        (
            0.3989422835, 0.04986596228, 0.02822562745, 0.02324521611, 0.1286547872, -0.2224339733, -3.311347044,
            35.91249722, -79.35733535,
        ),
    ),
    (
        (
            0.4999999998, 0.06250000122, 0.002604163109, 5.425529425e-05, 6.777911521e-07, 5.690232229e-09,
            3.155038551e-11, 2.054410244e-13,
        ),
        (
            0.398942277, -0.1496013997, -0.04693294501, -0.03496077653, -0.1337141447, 0.02293315048, 5.063161866,
            -44.31696942, 92.95477623,
        ),
    ),
)  # fmt: skip
DOUBLE_FAR = 8.0
GROWTH = 5.0
"""exp(x) is exp(x - GROWTH) times a number: this overflows no sooner than I, and the difference is exact."""

# J and Y of x > 0, good for float32, by order; lowest power first. Up to 8, of x² / 32 - 1: J, and Y without its poles
# (1 / x, and the logarithm times J), those of order 1 divided by x. Beyond, of 128 / x² - 1: the even and the odd part
# of the series in 1 / x, the latter times x. They interpolate values of 30 digits at Chebyshev points.
SINGLE_WAVES = (
    (
        (
            0.04582966485981, 0.93030124729585, -0.64846928308718, -0.80808880766926, 1.0383794611437,
            -0.50746804585169, 0.14598884856774, -0.02847271858903, 0.00405807898844, -0.00044354597585,
            3.847319958e-05, -2.71767929e-06, 1.5955884e-07, -7.96195e-09, 3.3785e-10,
        ),
        (
            -0.38225065445942, -0.82843589036043, 1.6470964788745, 0.1441263236921, -1.0775477338216, 0.67217707835311,
            -0.21895747096204, 0.04636704763405, -0.00702574105572, 0.00080615872166, -7.279542262e-05, 5.32116735e-06,
            -3.2184581e-07, 1.649185e-08, -7.1636e-10,
        ),
        (
            0.99945727578821, -0.0005363673192, 6.13741742e-06, -2.0527479e-07, 1.279713e-08, -1.21061e-09, 1.6536e-10,
            -2.722e-11,
        ),
        (
            -0.12444091103585, 0.00054665192788, -1.181711888e-05, 5.6849922e-07, -4.53091e-08, 5.13621e-09,
            -8.2077e-10, 1.5174e-10,
        ),
    ),
    (
        (
            -0.05814382795599, 0.0810586603859, 0.15151665143807, -0.25959486528592, 0.15858376432722, -0.054745818213,
            0.01245681439226, -0.00202903949387, 0.00024949458137, -2.404575038e-05, 1.86845259e-06, -1.1966857e-07,
            6.4312e-09, -2.958e-10, 1.166e-11,
        ),
        (
            0.07075985882118, -0.24337743079193, 0.02336757172099, 0.23507209206667, -0.1963983985993, 0.07854786922275,
            -0.01962875683311, 0.00342249073838, -0.00044381734346, 4.467433389e-05, -3.60099999e-06, 2.3804438e-07,
            -1.315317e-08, 6.2025e-10, -2.499e-11,
        ),
        (
            1.0009070262781, 0.00089880494166, -7.95969615e-06, 2.4536799e-07, -1.470133e-08, 1.35868e-09, -1.8253e-10,
            2.973e-11,
        ),
        (
            0.37421499221931, -0.0007697167057, 1.456962367e-05, -6.6335904e-07, 5.131724e-08, -5.71014e-09, 8.9973e-10,
            -1.648e-10,
        ),
    ),
)  # fmt: skip


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
    even, odd = _hankel(order, x)
    # Cosine and sine, times the root of 2, of the phase x - (2 order + 1) π / 4. The difference itself is not computed:
    # it would be rounded to the spacing of numbers as large as x.
    cos, sin = np.cos(x), np.sin(x)
    cos, sin = (sin - cos, -cos - sin) if order else (cos + sin, sin - cos)
    height = np.sqrt(1 / (math.pi * x))
    return height * (even * cos - odd * sin), height * (even * sin + odd * cos)


@cache
def double_modified(order: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """As SINGLE_MODIFIED, good for float64: up to DOUBLE_FAR the series of I, beyond by powers of 16 / x - 1."""

    at = np.polynomial.chebyshev.chebpts1(200)
    x = 2 * DOUBLE_FAR / (at + 1)
    few = np.minimum(x, 60.0).astype(np.longdouble)  # the series needs few terms
    term = total = (few / 2) ** order
    for k in range(1, 150):
        term = term * (few * few) / (4 * k * (k + order))
        total = total + term
    outer = np.where(x < 60.0, total * np.exp(-few), _of_large(order, x, -1)) * np.sqrt(x)
    near = [0.5**order / (4.0**k * math.factorial(k) * math.factorial(k + order)) for k in range(22)]
    waves = np.polynomial.chebyshev.chebfit(at, outer.astype(np.float64), 20)
    return tuple(near), tuple(np.polynomial.chebyshev.cheb2poly(waves).tolist())


def _in_ranges(x: Array, *ranges: tuple[float, Callable[[Array], Array]]) -> Array:
    """The values of functions, each of which is for numbers from the end of the one before; 0 at infinity."""
    result, low = np.where(np.isposinf(x), 0.0, np.nan), 0.0
    for end, function in ranges:
        chosen = (x >= low) & (x < end)
        if chosen.any():
            result[chosen] = function(np.abs(x[chosen]))
        low = end
    return result


def _tabulated(function: Callable[[Array], Array], low: int, high: int) -> Callable[[Array], Array]:
    """A function by polynomials, on 16 pieces of each octave from 2^low to 2^high, and on all that is below."""
    base = (low + 1023) << PIECES

    @cache
    def table() -> tuple[Array, Array, Array]:
        edges = ((np.arange(((high - low) << PIECES) + 1) + base) << (52 - PIECES)).view(np.float64)
        starts = np.concatenate([[0.0], edges[:-1]])
        middle, half = (starts + edges) / 2, (edges - starts) / 2
        nodes = np.polynomial.chebyshev.chebpts1(DEGREE + 1)
        with np.errstate(all="ignore"):
            values = function((middle + half * nodes[:, None]).reshape(-1)).reshape(DEGREE + 1, -1)
        waves = np.linalg.solve(np.polynomial.chebyshev.chebvander(nodes, DEGREE), values)
        powers = [np.polynomial.chebyshev.cheb2poly(row) for row in np.eye(DEGREE + 1)]
        matrix = np.array([np.pad(row, (0, DEGREE + 1 - len(row))) for row in powers])
        return middle, 1 / half, np.ascontiguousarray(matrix.T @ waves)

    def evaluate(x: Array) -> Array:
        middle, scale, (*others, last) = table()
        piece = np.clip((x.view(np.int64) >> (52 - PIECES)) - base + 1, 0, len(middle) - 1)
        at, result = (x - middle[piece]) * scale[piece], last[piece]
        for coefficients in reversed(others):
            result *= at
            result += coefficients[piece]
        return result

    return evaluate


def _mean(count: int, of_angle: Callable[[float], Array]) -> Array:
    """The mean of a function over the angles from 0 to π, by the trapezoidal rule."""
    total: Any = sum(of_angle((step + 0.5) * math.pi / count) for step in range(count))
    return total / count


def _wave(order: int, x: Array) -> Array:
    """J of x <= 32: the mean of cos(n θ - x sin θ), which the trapezoidal rule computes to full precision."""
    return _mean(80, lambda angle: np.cos(order * angle - x * math.sin(angle)))


def _second(order: int, x: Array) -> Array:
    """Y of x from 2^TINY to 32."""
    waves, decay = np.zeros_like(x), np.zeros_like(x)
    end = np.arcsinh(745 / x)
    for place, weight in zip(*_nodes(64), strict=True):
        angle = place * math.pi
        waves = waves + weight * np.sin(x * math.sin(angle) - order * angle)
    for place, weight in zip(*_nodes(200), strict=True):
        at = end * place
        factor = np.exp(at) - np.exp(-at) if order else 2.0
        decay = decay + weight * factor * np.exp(-x * np.sinh(at))
    return waves - decay * end / math.pi


def _grown(order: int, x: Array) -> Array:
    """I of x <= 512 times exp(-x)."""
    return _mean(200, lambda angle: np.exp(x * (math.cos(angle) - 1)) * math.cos(order * angle))


def _decayed(order: int, x: Array) -> Array:
    """K of x from 2^TINY to 512 times exp(x)."""
    step = np.arccosh(1 + 745 / x) / 160
    total = np.full_like(x, 0.5)
    for index in range(1, 161):
        at = step * index
        total = total + np.exp(-x * (np.cosh(at) - 1)) * (np.cosh(at) if order else 1.0)
    return total * step


def _of_tiny(order: int, x: Array, sign: int) -> Array:
    """K of tiny x, and with the sign -1 Y times -π / 2: the first terms of their series."""
    logarithm = np.log(x) + (EULER - math.log(2))
    if order:
        return 1 / x + np.where(x > 0, sign * x / 2 * (logarithm - 0.5), 0.0)
    return np.where(x > 0, sign * x * x / 4 - logarithm * (1 + sign * x * x / 4), np.inf)


def _of_large(order: int, x: Array, sign: int) -> Array:
    """I of large x times exp(-x), and with the sign 1 K times exp(x) · 2 / π: their asymptotic series."""
    term = series = np.ones_like(x)
    for k in range(1, 12):
        term = term * sign * (4 * order * order - (2 * k - 1) ** 2) / (k * 8 * x)
        series = series + term
    return series / (math.sqrt(2 * math.pi) * np.sqrt(x))


def _by_table(function: Callable[[int, Array], Array], order: int, low: int, high: int) -> Callable[[Array], Array]:
    if order and low > TINY:  # an odd function is x times a smooth one, without relative errors at 0
        table = _tabulated(lambda x: function(order, x) / x, low, high)
        return lambda x: table(x) * x
    return _tabulated(partial(function, order), low, high)


_TABLES = {
    (function, order): _by_table(function, order, low, high)
    for function, low, high in ((_wave, -1, 5), (_second, TINY, 5), (_grown, -1, 9), (_decayed, TINY, 9))
    for order in (0, 1)
}


def _j(order: int, x: Array) -> Array:
    return _in_ranges(x, (FAR, _TABLES[_wave, order]), (math.inf, lambda x: _waves(order, x)[0]))


def _y(order: int, x: Array) -> Array:
    return _in_ranges(
        x,
        (2.0**TINY, lambda x: _of_tiny(order, x, -1) * (-2 / math.pi)),
        (FAR, _TABLES[_second, order]),
        (math.inf, lambda x: _waves(order, x)[1]),
    )


def _scaled_i(order: int, x: Array) -> Array:
    """I of x >= 0 times exp(-x)."""
    return _in_ranges(x, (VERY_FAR, _TABLES[_grown, order]), (math.inf, lambda x: _of_large(order, x, -1)))


def _i(order: int, x: Array) -> Array:
    """I of x >= 0."""
    return np.where(np.isinf(x), x, _scaled_i(order, x) * math.exp(GROWTH) * np.exp(x - GROWTH))


def _scaled_k(order: int, x: Array) -> Array:
    """K of x >= 0 times exp(x)."""
    return _in_ranges(
        x,
        (2.0**TINY, lambda x: _of_tiny(order, x, 1) * np.exp(x)),
        (VERY_FAR, _TABLES[_decayed, order]),
        (math.inf, lambda x: _of_large(order, x, 1) * math.pi),
    )


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
    return np.where(np.signbit(x), -value, value)


j0 = _kernel(lambda x: _j(0, np.abs(x)), "The Bessel function J of order 0.")
j1 = _kernel(lambda x: _odd(x, _j(1, np.abs(x))), "The Bessel function J of order 1.")
y0 = _kernel(lambda x: _y(0, x), "The Bessel function Y of order 0.")
y1 = _kernel(lambda x: _y(1, x), "The Bessel function Y of order 1.")
i0e = _kernel(lambda x: _scaled_i(0, np.abs(x)), "The modified Bessel function I of order 0 times exp(-|x|).")
i1e = _kernel(lambda x: _odd(x, _scaled_i(1, np.abs(x))), "The modified Bessel function I of order 1 times exp(-|x|).")
i0 = _kernel(lambda x: _i(0, np.abs(x)), "The modified Bessel function I of order 0.")
i1 = _kernel(lambda x: _odd(x, _i(1, np.abs(x))), "The modified Bessel function I of order 1.")
k0e = _kernel(lambda x: _scaled_k(0, x), "The modified Bessel function K of order 0 times exp(x).")
k1e = _kernel(lambda x: _scaled_k(1, x), "The modified Bessel function K of order 1 times exp(x).")
k0 = _kernel(lambda x: _scaled_k(0, x) * np.exp(-x), "The modified Bessel function K of order 0.")
k1 = _kernel(lambda x: _scaled_k(1, x) * np.exp(-x), "The modified Bessel function K of order 1.")
