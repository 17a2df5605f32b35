"""The gamma function: its logarithm and derivatives; the incomplete one, the beta function, Hurwitz's zeta function."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .error_function import erfc
from .gamma_large import FURTHEST, LARGE_ORDER, Functions, lower_part, slope_by_order, upper_part
from .precision import Array, deliver

LARGE = 10.0  # from here on the asymptotic series are good to the last digit

# B(2k) / (2k (2k - 1)) for lgamma, and B(2k) for the others, k = 1, 2, …
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)


def remainder_of_powers(s: Any, inverse: Any, terms: int) -> Any:
    """The sum of (z + k)**-s over k = 0, 1, … for large z, times z**(s - 1), after Euler and Maclaurin: the integral,
    half the first term, and derivatives with Bernoulli's numbers. Of arrays, and of symbols of a graph."""
    factor, result = s, 1.0 / (s - 1.0) + 0.5 * inverse
    square = inverse * inverse
    power = square
    for k, bernoulli in enumerate(BERNOULLI[:terms], 1):
        result = result + power * factor * (bernoulli / math.factorial(2 * k))
        factor, power = factor * ((s + (2 * k - 1.0)) * (s + 2.0 * k)), power * square
    return result


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
        below, part = z < 0, np.where(np.isfinite(z), z - np.rint(z), 0.0)
        result = _powers(n, np.where(below, 1.0, z))
        if below.any():  # the sum over all integers is periodic; the rest of it is a sum that starts at 1 - x
            sign = (-1.0) ** (n + 1)
            every = part ** -(n + 1.0) + _powers(n, 1 + part) + sign * _powers(n, 1 - part)
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
    return total + np.where(np.isinf(z), 0.0, z ** (1 - s) * remainder_of_powers(s, 1 / z, 9))


OF_ARRAYS = Functions(np.exp, np.log1p, np.sqrt, np.sign, np.minimum, np.maximum, erfc)
ROUNDS = 2000
BLOCK = 2048  # elements that are summed at a time


def _wide(*arrays: Array) -> list[Array]:
    return [np.array(array, np.float64) for array in np.broadcast_arrays(*map(np.atleast_1d, arrays))]


def _finish(result: Array, first: Array, *others: Array, out: Array | None) -> Array:
    shape = np.broadcast_shapes(np.shape(first), *map(np.shape, others))
    dtype = np.asarray(first).dtype
    return deliver(result.reshape(shape).astype(dtype), dtype, out)


def _settled(advance: Callable[[int, list[Array]], None], exact: bool, *start: Array) -> Array:
    """The totals of sums, after `advance(step, [total, last term, …])` for as many steps as they change.

    A few elements at a time stay in the cache; those whose terms are too small to count leave.
    """
    result, tolerance = np.empty_like(start[0]), 5e-17 if exact else 1e-11
    for first in range(0, len(result), BLOCK):
        left = np.arange(first, min(first + BLOCK, len(result)))
        state = [np.array(x[first : first + BLOCK]) for x in start]
        for step in range(1, ROUNDS):
            advance(step, state)
            if step % 8:
                continue
            late = np.abs(state[1]) > np.abs(state[0]) * tolerance
            if 4 * np.count_nonzero(late) < 3 * len(left):
                result[left[~late]] = state[0][~late]
                left, state = left[late], [x[late] for x in state]
            if not len(left):
                break
        result[left] = state[0]
    return result


def _lower_series(a: Array, x: Array, exact: bool) -> Array:
    """The lower part divided by its power and its gamma function: the sum of x^n / (a (a + 1) … (a + n))."""

    def advance(step: int, state: list[Array]) -> None:
        total, term, a, x = state
        term *= x
        term /= a + step
        total += term

    return _settled(advance, exact, 1 / a, 1 / a, a, x)


def _upper_fraction(a: Array, x: Array, exact: bool) -> Array:
    """The upper part, divided in the same way, by its continued fraction, as a sum (Steed)."""

    def advance(step: int, state: list[Array]) -> None:
        total, change, d, b, a = state
        b += 2
        d *= (a - step) * step
        d += b
        np.divide(1, d, out=d)
        change *= b * d - 1
        total += change

    b = x + 1 - a
    return _settled(advance, exact, 1 / b, 1 / b, 1 / b, b, a)


def _regularised(order: Array, at: Array) -> tuple[Array, Array]:
    """Both regularised parts, P and Q, of orders a > 0 and x >= 0."""
    (a, x), exact = _wide(order, at), _is_exact(order, at)
    good = (a > 0) & (x >= 0) & np.isfinite(a) & np.isfinite(x)
    large = good & (a >= LARGE_ORDER)
    first, second = np.where(good & ~large, a, 1.0), np.where(good & ~large, x, 1.0)
    part, small = np.exp(first * np.log(second) - second - lgamma(first)), second < first + 1
    for chosen, function in ((small, _lower_series), (~small, _upper_fraction)):
        part[chosen] *= function(first[chosen], second[chosen], exact)
    lower = np.where(second == 0, 0.0, np.where(small, part, 1 - part))
    upper = np.where(second == 0, 1.0, np.where(small, 1 - part, part))
    if large.any():
        lower[large] = lower_part(a[large], x[large], OF_ARRAYS)
        upper[large] = upper_part(a[large], x[large], OF_ARRAYS)
    endless = (a > 0) & np.isposinf(x)
    invalid = ~good & ~endless
    return (
        np.where(invalid, np.nan, np.where(endless, 1.0, lower)),
        np.where(invalid, np.nan, np.where(endless, 0.0, upper)),
    )


def _is_exact(*arrays: Array) -> bool:
    """Whether a result has more digits than float32."""
    return np.result_type(*arrays).itemsize > 4


def igamma(a: Array, x: Array, out: Array | None = None) -> Array:
    """The regularised lower incomplete gamma function P(a, x)."""
    with np.errstate(all="ignore"):
        return _finish(_regularised(a, x)[0], a, x, out=out)


def igammac(a: Array, x: Array, out: Array | None = None) -> Array:
    """The regularised upper incomplete gamma function Q(a, x)."""
    with np.errstate(all="ignore"):
        return _finish(_regularised(a, x)[1], a, x, out=out)


def igamma_by_order(a: Array, x: Array, *, times: int = 1, out: Array | None = None) -> Array:
    """The first or second derivative of P(a, x) by a: its series, term by term."""
    with np.errstate(all="ignore"):
        order, at = _wide(a, x)
        large = order >= LARGE_ORDER
        slopes = _slopes_of_large(order[large], at[large], times)
        order[large] = at[large] = 1.0
        power = np.log(at)
        psi, slope = digamma(order + 1), polygamma(1, order + 1)
        term = np.exp(order * power - at - lgamma(order + 1))
        total = np.zeros_like(term)
        for step in range(1, ROUNDS):
            factor = power - psi
            added = term * (factor if times == 1 else factor * factor - slope)
            total = total + added
            if not ((np.abs(added) > 1e-17) | (step < at)).any():
                break
            psi, slope = psi + 1 / (order + step), slope - 1 / (order + step) ** 2
            term = term * at / (order + step)
        total[(at == 0) | (at > order + FURTHEST)] = 0.0
        total[large] = slopes
        return _finish(total, a, x, out=out)


def _slopes_of_large(a: Array, x: Array, times: int) -> Array:
    """The first derivative of P(a, x) by a large order; the second by differences of the first."""
    if times == 1:
        return np.asarray(slope_by_order(a, x, OF_ARRAYS))
    step = 1e-3 * np.sqrt(a)
    before, after = (slope_by_order(each, x, OF_ARRAYS) for each in (a - step, a + step))
    return np.asarray((after - before) / (2 * step))


def _beta_fraction(a: Array, b: Array, x: Array, exact: bool) -> Array:
    """The continued fraction of the incomplete beta function, as a sum (Steed)."""

    def advance(step: int, state: list[Array]) -> None:
        total, change, d, a, b, x = state
        last = a + 2 * step
        even = (b - step) * x * step / ((last - 1) * last)
        odd = (a + step) * (a + b + step) * x / (last * (last + 1))
        for factor in (even, np.negative(odd, out=odd)):
            d *= factor
            d += 1
            np.divide(1, d, out=d)
            change *= d - 1
            total += change

    d = 1 / (1 - (a + b) * x / (a + 1))
    return _settled(advance, exact, d, d - 1, d, a, b, x)


def betainc(a: Array, b: Array, x: Array, out: Array | None = None) -> Array:
    """The regularised incomplete beta function of x in [0, 1]."""
    with np.errstate(all="ignore"):
        first, second, at = _wide(a, b, x)
        part = np.exp(
            lgamma(first + second) - lgamma(first) - lgamma(second) + first * np.log(at) + second * np.log1p(-at)
        )
        low = at < (first + 1) / (first + second + 2)
        one, other, inner = np.where(low, first, second), np.where(low, second, first), np.where(low, at, 1 - at)
        fraction = _beta_fraction(one.reshape(-1), other.reshape(-1), inner.reshape(-1), _is_exact(a, b, x))
        part *= fraction.reshape(part.shape) / one
        result = np.where(at == 0, 0.0, np.where(at == 1, 1.0, np.where(low, part, 1 - part)))
        result = np.where((at < 0) | (at > 1) | ~((first > 0) & (second > 0)), np.nan, result)
        return _finish(result, a, b, x, out=out)


def _beta_slopes(a: Array, b: Array, x: Array) -> tuple[Array, Array]:
    """The derivatives of the incomplete beta function of x by a and by b, from its series of positive terms."""
    psi = digamma(a + b)
    front = np.exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * np.log(x) + b * np.log1p(-x)) / a
    by_a, by_b = psi - digamma(a) + np.log(x) - 1 / a, psi - digamma(b) + np.log1p(-x)
    term, total_a, total_b = np.ones_like(x), by_a, by_b
    for step in range(1, 10 * ROUNDS):
        above, below = a + b + (step - 1), a + step
        by_a, by_b = by_a + 1 / above - 1 / below, by_b + 1 / above
        term = term * x * above / below
        total_a, total_b = total_a + term * by_a, total_b + term * by_b
        late = (term * np.abs(by_a) > 1e-17 * np.abs(total_a)) | (term * np.abs(by_b) > 1e-17 * np.abs(total_b))
        if not late.any():
            break
    return front * total_a, front * total_b


def betainc_by_order(a: Array, b: Array, x: Array, out: Array | None = None) -> Array:
    """The derivative of the regularised incomplete beta function by a."""
    with np.errstate(all="ignore"):
        first, second, at = _wide(a, b, x)
        low = at < (first + 1) / (first + second + 2)
        by_first, by_second = _beta_slopes(
            np.where(low, first, second), np.where(low, second, first), np.where(low, at, 1 - at)
        )
        result = np.where(low, by_first, -by_second)
        result = np.where((at == 0) | (at == 1), 0.0, result)
        result = np.where((at < 0) | (at > 1) | ~((first > 0) & (second > 0)), np.nan, result)
        return _finish(result, a, b, x, out=out)


def zeta_by_order(x: Array, q: Array, out: Array | None = None) -> Array:
    """The derivative of Hurwitz's zeta function by x, from the derivative of the series and its remainder, as in
    `zeta`."""
    with np.errstate(all="ignore"):
        s, start = _wide(x, q)
        total = np.zeros_like(s)
        for step in range(12):
            total = total - np.log(start + step) * (start + step) ** -s
        z = start + 12
        logarithm = np.log(z)
        tail = z ** (1 - s) / (s - 1)
        rest = -tail * (logarithm + 1 / (s - 1)) - 0.5 * logarithm * z**-s
        factor, slope = z ** (-s - 1) * s, 1 / s - logarithm
        for k, bernoulli in enumerate(BERNOULLI[:9], 1):
            rest = rest + factor * slope * (bernoulli / math.factorial(2 * k))
            factor = factor * ((s + 2 * k - 1) * (s + 2 * k)) / (z * z)
            slope = slope + 1 / (s + 2 * k - 1) + 1 / (s + 2 * k)
        result = np.where((s > 1) & (start > 0), total + rest, np.nan)
        return _finish(result, x, q, out=out)


MOST_STEEP = 1e30  # an order like infinity, without nan
STEEPEST = 1e4
"""For higher orders what remains after some powers is zero beside them. Its terms would overflow."""


def _zeta_of_positive(s: Array, q: Array) -> Array:
    total = np.zeros_like(s)
    for step in range(12):
        total = total + (q + step) ** -s
    return total + (q + 12) ** (1 - s) * remainder_of_powers(np.minimum(s, STEEPEST), 1 / (q + 12), 9)


def zeta(x: Array, q: Array, out: Array | None = None) -> Array:
    """Hurwitz's zeta function: the sum of (q + k)^-x over k = 0, 1, …, for x > 1."""
    with np.errstate(all="ignore"):
        s, start = _wide(x, q)
        s, below, lower = np.minimum(s, MOST_STEEP), start < 0, np.floor(start)
        result = _zeta_of_positive(s, np.where(below, start - lower, start))
        if below.any():  # the sum over all integers is periodic; the rest of it is a sum that starts at 1 - q
            inner = np.where(below, start, 0.0)
            rest = _zeta_of_positive(s, 1 - (inner - np.floor(inner))) - _zeta_of_positive(s, 1 - inner)
            result = np.where(below, result + np.where(s % 2 == 0, rest, -rest), result)
        whole = start == lower
        result = np.where(s == 1, np.inf, np.where(s < 1, np.nan, result))
        result = np.where((start <= 0) & (s > 1), np.where(whole, np.inf, np.where(s == np.floor(s), result, np.nan)),
                          result)  # fmt: skip
        return _finish(result, x, q, out=out)


KERNELS: dict[str, Callable[..., Array]] = {
    "igamma": igamma, "igammac": igammac, "igamma_by_order": igamma_by_order, "betainc": betainc,
    "betainc_by_order": betainc_by_order, "zeta": zeta, "zeta_by_order": zeta_by_order,
}  # fmt: skip
"""The functions by name."""
