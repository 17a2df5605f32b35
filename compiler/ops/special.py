"""Special functions: the logarithm of the gamma function and its derivatives; Bessel functions.

Some are made of simpler ops, for kernels. The logarithm of the gamma function and its derivative are computed in
float64, whatever the dtype. For x below 1/2 the value at 1 - x is reflected. Below 10 the argument is moved up by 10:
with w = x (x + 9), the product of x, x + 1, …, x + 9 is w (w + 8) (w + 14) (w + 18) (w + 20). From 10 on the series are
good to the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.kernels import bessel, gamma_function
from ...runtime.kernels.gamma_function import BERNOULLI, LARGE, remainder_of_powers
from ...runtime.records import NamedTuple
from ..ir.attributes import INT
from ..ir.op import Op, Sample
from ..ir.types import TensorType
from . import infer
from .arithmetic import absolute, minimum, sign, sqrt
from .comparison import equal, less, logical_and, logical_or, select
from .conversion import cast
from .elementwise import cos, exp, isinf, log, round as nearest, sin
from .error_functions import polynomial, samples_between, special_function
from .infer import elementwise_op
from .samples import pair, unary_samples

PRODUCT = (40320.0, 12176.0, 1308.0, 60.0, 1.0)  # (w + 8) (w + 14) (w + 18) (w + 20), lowest power first
_SLOPE = (40320.0, 24352.0, 3924.0, 240.0, 5.0)  # the derivative of w times that
_SQUARES = (  # the sum of (x + k)**-2 over k = 0, …, 9, times the square of w times that
    131681894400.0, 82783088640.0, 24999178752.0, 4547382016.0, 534089520.0, 41415072.0, 2107120.0, 67680.0, 1245.0,
    10.0,
)  # fmt: skip

# sin(πx) / x and π cos(πx) by powers of x².
SINE = tuple((-1) ** k * math.pi ** (2 * k + 1) / math.factorial(2 * k + 1) for k in range(12))
COSINE = tuple((-1) ** k * math.pi ** (2 * k + 1) / math.factorial(2 * k) for k in range(13))
SMALL = 2.0**-80
POSITIVE = 1e-300  # changes no float32 but zero
HUGE = 1e30  # its root is not
FURTHEST = 3.5e38  # above all of float32 but infinity


class Terms(NamedTuple):
    """How many terms make a result good to the last digit: of the series from 10 on, and of sines up to π/2."""

    series: int
    sine: int


TERMS = {"float32": Terms(6, 8), "float64": Terms(9, 12)}


def in_float64(function: Callable[[Any, Terms], Any]) -> Callable[[Any], Any]:
    """A definition of floats of 32 and 64 bits."""

    def definition(x: Any) -> Any:
        terms = TERMS.get(x.dtype.numpy_name)
        return None if terms is None else cast(function(cast(x, dtype=dtypes.float64), terms), dtype=x.dtype)

    return definition


def _sine(fraction: Any, terms: Terms) -> Any:
    """sin(πx) from the distance of x to the nearest integer: exact zeros, no cancellation."""
    return fraction * polynomial(fraction * fraction, SINE[: terms.sine])


def lgamma_in_float64(x: Any, terms: Terms) -> Any:
    """log |Γ(x)|; inf at 0 and at negative integers.

    What is moved and what is reflected share a logarithm. The sine of the smallest number divides a number that is
    small enough for a finite quotient.
    """
    mirrored = less(x, 0.5)
    z = select(mirrored, 1.0 - x, x)
    low, w = less(z, LARGE), z * (z + 9.0)
    product = select(low, w * polynomial(w, PRODUCT), 1.0)
    z = select(low, z + 10.0, z)
    inverse = 1.0 / z
    series = [b / ((2 * k) * (2 * k - 1)) for k, b in enumerate(BERNOULLI[: terms.series], 1)]
    stirling = (z - 0.5) * log(z) - z + 0.5 * math.log(2 * math.pi) + polynomial(inverse * inverse, series) * inverse
    quotient = product * SMALL / _sine(absolute(x - nearest(x)), terms)
    moved = log(select(mirrored, quotient, product))
    value = select(mirrored, (math.log(math.pi) - math.log(SMALL)) - stirling, stirling)
    value = select(mirrored, value + moved, value - moved)
    return select(logical_or(isinf(x), less(x, -(2.0**52))), math.inf, value)  # all of these are whole


def digamma_in_float64(x: Any, terms: Terms) -> Any:
    """The derivative of log Γ; nan at negative integers, infinite at 0.

    What is moved and what is reflected share a division.
    """
    mirrored = less(x, 0.5)
    z = select(mirrored, 1.0 - x, x)
    low, w = less(z, LARGE), z * (z + 9.0)
    slope = select(low, (2.0 * z + 9.0) * polynomial(w, _SLOPE), 0.0)
    product = select(low, w * polynomial(w, PRODUCT), 1.0)
    z = select(low, z + 10.0, z)
    inverse = 1.0 / z
    square = inverse * inverse
    series = [b / (2 * k) for k, b in enumerate(BERNOULLI[: terms.series], 1)]
    fraction = select(less(absolute(x), 0.5), x, x - nearest(x))  # -0.0 stays
    sine = select(mirrored, _sine(fraction, terms), 1.0)
    cosine = select(mirrored, polynomial(fraction * fraction, COSINE[: terms.sine + 1]), 0.0)
    value = log(z) - 0.5 * inverse - square * polynomial(square, series)
    value = value - (slope * sine + cosine * product) / (product * sine)
    return select(logical_and(equal(fraction, 0.0), less(x, -0.5)), math.nan, value)


def trigamma_in_float64(x: Any, terms: Terms) -> Any:
    """The derivative of digamma; infinite at 0 and at negative integers.

    What is moved and what is reflected share a division.
    """
    mirrored = less(x, 0.5)
    z = select(mirrored, 1.0 - x, x)
    low, w = less(z, LARGE), z * (z + 9.0)
    product = select(low, w * polynomial(w, PRODUCT), 1.0)
    moved = select(low, polynomial(w, _SQUARES), 0.0)
    z = select(low, z + 10.0, z)
    inverse = 1.0 / z
    square = inverse * inverse
    series = inverse + square * (0.5 + inverse * polynomial(square, BERNOULLI[: terms.series]))
    sine, product = select(mirrored, _sine(x - nearest(x), terms), 1.0), product * product
    sine = sine * sine
    moved = select(mirrored, math.pi * math.pi * product - moved * sine, moved)
    return moved / (product * sine) + select(mirrored, -series, series)


def _times(x: Any, power: int) -> Any:
    """x to a whole power of at least 1, by products."""
    if power == 1:
        return x
    half = _times(x, power // 2)
    return half * half * x if power % 2 else half * half


def _cotangents(order: int) -> tuple[float, ...]:
    """The sum of (x + k)**-order over all whole k, by powers of cot(πx)."""
    result = [0.0, 1.0]
    for power in range(1, order):
        slope = [k * each for k, each in enumerate(result)][1:]  # that of cot(x) is -(1 + cot(x)²)
        result = [(a + b) / power for a, b in zip([*slope, 0.0, 0.0], [0.0, 0.0, *slope], strict=True)]
    return tuple(each * math.pi**order for each in result)


MOST_DERIVATIVES = 4


def polygamma_in_float64(x: Any, terms: Terms, n: int) -> Any:
    """The n-th derivative of digamma. For x below 1/2 the sum over all integers is known, and the rest is at 1 - x."""
    s, moves = n + 1, (LARGE if terms.series > 6 else 6) + n
    mirrored = less(x, 0.5)
    z = select(mirrored, 1.0 - x, x)
    low, moved = less(z, moves), 0.0
    for k in range(int(moves)):
        moved = moved + _times(1.0 / (z + float(k)), s)
    inverse = 1.0 / select(low, z + moves, z)
    total = _times(inverse, n) * remainder_of_powers(float(s), inverse, terms.series) + select(low, moved, 0.0)
    fraction = select(less(absolute(x), 0.5), x, x - nearest(x))  # -0.0 stays
    cotangent = polynomial(fraction * fraction, COSINE[: terms.sine + 1]) / _sine(fraction, terms) / math.pi
    whole = polynomial(cotangent, _cotangents(s))
    total = select(mirrored, whole - total if s % 2 == 0 else whole + total, total)
    return total * ((-1.0) ** s * math.factorial(n))


lgamma: Op = special_function(
    "lgamma",
    gamma_function.lgamma,
    lambda x, out, dout: dout * digamma(x),
    samples=samples_between(0.2, 9.0, 0.0, -1.0, -0.5, math.inf, math.nan),
    doc="The logarithm of the absolute value of the gamma function of x.",
    native_definition=in_float64(lgamma_in_float64),
)
digamma: Op = special_function(
    "digamma",
    gamma_function.digamma,
    lambda x, out, dout: dout * polygamma(x, n=1),
    samples=samples_between(0.2, 9.0, -0.5, math.inf, math.nan),
    doc="The derivative of lgamma.",
    native_definition=in_float64(digamma_in_float64),
)


def _infer_polygamma(x: TensorType, *, n: int) -> TensorType:
    if n < 1:
        raise ValueError(f"polygamma: n should be at least 1, but got {n}")
    return infer.broadcast_real(x)


def _define_polygamma(x: Any, *, n: int) -> Any:
    if n == 1:
        return in_float64(trigamma_in_float64)(x)
    if n > MOST_DERIVATIVES:
        return None
    return in_float64(lambda x, terms: polygamma_in_float64(x, terms, n))(x)


polygamma: Op = elementwise_op(
    "polygamma",
    _infer_polygamma,
    lambda x, *, n, out=None: gamma_function.polygamma(n, x, out),
    attrs={"n": INT},
    vjp=lambda x, out, dout, *, n: dout * polygamma(x, n=n + 1),
    samples=lambda: [
        Sample(pair((3, 4), low=0.5, high=6.0), {"n": 1}),
        Sample(pair((4,), low=-0.9, high=-0.1), {"n": 2}),
        Sample((np.array([0.0, np.inf, np.nan]),), {"n": 1}, gradient=False),
    ],
    doc="The n-th derivative of digamma.",
    single=True,
    native_definition=_define_polygamma,
)


def _modified_in_kernels(order: int, scaled: bool) -> Callable[[Any], Any]:
    """A definition of the function I, or of I times exp(-|x|): by a polynomial of x², and one of the inverse of large
    numbers."""

    def definition(x: Any) -> Any:
        if x.dtype.numpy_name not in TERMS:
            return None
        single, size = x.dtype is dtypes.float32, absolute(x)
        near, far = bessel.SINGLE_MODIFIED[order] if single else bessel.double_modified(order)
        split = bessel.SINGLE_FAR if single else bessel.DOUBLE_FAR
        inner = polynomial(x * x, near) * (x if order else 1.0)
        # 1 / x of the largest numbers is denormal, and kernels flush that; 16 / x is not.
        sixteen = 16.0 / (size if scaled else minimum(size, HUGE))
        inverse = sixteen * (1 / 16)
        outer = sqrt(sixteen) * (sign(x) if order else 1.0)
        growth = (1.0 if scaled else math.exp(bessel.GROWTH)) / 4
        at = inverse if single else inverse * (2 * split) - 1.0
        outer = outer * polynomial(at, [each * growth for each in far])
        if scaled:
            inner = inner * exp(-size)
        else:
            outer = outer * exp(size - bessel.GROWTH)
        return select(less(size, split), inner, outer)

    return definition


def _waves_in_float32(order: int, second: bool) -> Callable[[Any], Any]:
    """A definition of the function J, or Y, of float32 numbers: by polynomials up to 8, and as a wave beyond."""

    def definition(x: Any) -> Any:
        if x.dtype is not dtypes.float32:
            return None
        first, rest, evens, odds = bessel.SINGLE_WAVES[order]
        x = cast(x, dtype=dtypes.float64)
        size = x + (POSITIVE if order else 0.0) if second else absolute(x)
        square = size * size
        at = minimum(square * (1 / 32), 2.0) - 1.0  # what is beyond stays finite
        inner = polynomial(at, first)
        if second:
            inner = polynomial(at, rest) + inner * log(size) * (2 / math.pi)
        if order:
            inner = inner * x - (2 / math.pi) / size if second else inner * x
        inverse = 128.0 / square - 1.0
        even, odd = polynomial(inverse, evens), polynomial(inverse, odds) / size
        angle = minimum(size, FURTHEST)
        c, s = cos(angle), sin(angle)
        c, s = (s - c, -c - s) if order else (c + s, s - c)
        outer = sqrt((1 / math.pi) / size) * (even * s + odd * c if second else even * c - odd * s)
        if order and not second:
            outer = outer * sign(x)
        return cast(select(less(size, 8.0), inner, outer), dtype=dtypes.float32)

    return definition


def _bessel(name: str, kernel: Any, vjp: Callable[..., Any], low: float = -6.0) -> Op:
    doc = (kernel.__doc__ or "").rstrip(".")
    define = {"i": _modified_in_kernels, "j": _waves_in_float32, "y": _waves_in_float32}.get(name[0])
    modified = define(int(name[1]), name[0] == "y" or name.endswith("e")) if define else None
    return elementwise_op(
        f"bessel_{name}",
        infer.broadcast_real,
        kernel,
        vjp=vjp,
        samples=lambda: [
            *unary_samples(low, 6.0)(),
            Sample((np.array([0.0, 0.5, 30.0, 700.0, np.inf, np.nan]),), gradient=False),
        ],
        doc=f"{doc}.",
        single=modified is not None,
        native_definition=modified,
    )


def _over(value: Any, x: Any) -> Any:
    """A function of order 1 divided by x, whose limit at 0 is 1 / 2."""
    at_zero = equal(x, 0.0)
    return select(at_zero, 0.5, value / select(at_zero, 1.0, x))


bessel_i0: Op = _bessel("i0", bessel.i0, lambda x, out, dout: dout * bessel_i1(x))
bessel_i1: Op = _bessel("i1", bessel.i1, lambda x, out, dout: dout * (bessel_i0(x) - _over(out, x)))
bessel_i0e: Op = _bessel("i0e", bessel.i0e, lambda x, out, dout: dout * (bessel_i1e(x) - sign(x) * out))
bessel_i1e: Op = _bessel("i1e", bessel.i1e, lambda x, out, dout: dout * (bessel_i0e(x) - out * sign(x) - _over(out, x)))
bessel_k0: Op = _bessel("k0", bessel.k0, lambda x, out, dout: -dout * bessel_k1(x), 0.2)
bessel_k1: Op = _bessel("k1", bessel.k1, lambda x, out, dout: -dout * (bessel_k0(x) + out / x), 0.2)
bessel_k0e: Op = _bessel("k0e", bessel.k0e, lambda x, out, dout: dout * (out - bessel_k1e(x)), 0.2)
bessel_k1e: Op = _bessel("k1e", bessel.k1e, lambda x, out, dout: dout * (out * (1.0 - 1.0 / x) - bessel_k0e(x)), 0.2)
bessel_j0: Op = _bessel("j0", bessel.j0, lambda x, out, dout: -dout * bessel_j1(x))
bessel_j1: Op = _bessel("j1", bessel.j1, lambda x, out, dout: dout * (bessel_j0(x) - _over(out, x)))
bessel_y0: Op = _bessel("y0", bessel.y0, lambda x, out, dout: -dout * bessel_y1(x), 0.2)
bessel_y1: Op = _bessel("y1", bessel.y1, lambda x, out, dout: dout * (bessel_y0(x) - out / x), 0.2)


def by_kernel(name: str, vjp: Callable[..., Any] | None, **record: Any) -> Op:
    """An op of real numbers that a kernel of that name computes."""
    return special_function(name, gamma_function.KERNELS[name], vjp, **record)
