"""The incomplete gamma and beta functions, and their derivatives.

For kernels those of float32 are loops, until no element's terms count any more: of gamma functions a series, or a
continued fraction as a sum, with one division a step for both.

    %total: f64[n], … = while_loop(0.0, true, %total, %change, %d, …) {
        … 8 steps for all elements                return %step, %whether a change counts, %total, %change, %d, …
    }
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.kernels import gamma_function
from ...runtime.kernels.gamma_function import ROUNDS
from ...runtime.kernels.gamma_large import FURTHEST, LARGE_ORDER, Functions, lower_part, slope_by_order, upper_part
from ..ir.attributes import INT
from ..ir.op import ACTIVE, NoDerivative, Op, Sample
from ..ir.types import TensorType
from ..ir.values import literal
from . import infer
from .arithmetic import absolute, maximum, minimum, sign, sqrt
from .comparison import (
    equal,
    greater,
    greater_equal,
    less,
    logical_and,
    logical_not,
    logical_or,
    select,
)
from .control import while_loop
from .conversion import cast
from .elementwise import exp, isfinite, log, log1p
from .error_functions import erfc
from .infer import elementwise_op
from .reduction import any as some
from .samples import pair
from .shape import broadcast_to
from .special import by_kernel, digamma, lgamma, polygamma

STEPS = 8  # of one iteration
COUNTS = 1e-10  # a change of this part of the total
OF_SYMBOLS = Functions(exp, log1p, sqrt, sign, minimum, maximum, erfc)
FINITE = 3.5e38  # above all of float32 but infinity


def _settled(
    advance: Callable[..., Sequence[Any]], start: Sequence[Any], constants: Sequence[Any], least: int | None = None
) -> Any:
    """The totals of sums, after `state = advance(step, *state, *constants)` for as many steps as a total changes,
    at least as many as the constant number `least` says. The state begins with the total and the last change."""
    outer = ACTIVE.recorder
    given = [literal(0.0, dtypes.float64), literal(True, dtypes.bool_), *[outer.lift(x) for x in (*start, *constants)]]
    inner = outer.apart("steps")
    with inner:
        done, _, *values = [
            inner.parameter(each.type, name) for each, name in zip(given, _names(len(given)), strict=True)
        ]
        state, fixed = values[: len(start)], values[len(start) :]
        for step in range(1, STEPS + 1):
            state = list(advance(done + float(step), *state, *fixed))
        axes = tuple(range(state[0].type.rank))
        done = done + float(STEPS)
        counts = greater(absolute(state[1]), absolute(state[0]) * COUNTS)
        if least is not None:
            counts = logical_or(counts, less(done, fixed[least]))
        late = some(counts, axis=axes, keepdims=False)
        body = inner.finish([done, logical_and(late, less(done, float(ROUNDS))), *state])
    test = outer.apart("test")
    with test:
        again = [test.parameter(each.type, name) for each, name in zip(given, _names(len(given)), strict=True)][1]
        condition = test.finish([again])
    attrs = {"test": condition, "body": body, "carried": 2 + len(start)}
    return outer.symbol(outer.append(while_loop, given, attrs).outputs[2])


def if_any(chosen: Any, compute: Callable[..., Any], *constants: Any) -> Any:
    """The result of `compute`, where it is chosen; a loop that runs once, or never if it is chosen nowhere."""
    outer = ACTIVE.recorder
    needed = some(chosen, axis=tuple(range(chosen.type.rank)), keepdims=False)
    given = [outer.lift(x) for x in (needed, constants[0], *constants)]
    inner, test = outer.apart("steps"), outer.apart("test")
    with inner:
        again, _, *values = [inner.parameter(each.type, "x") for each in given]
        body = inner.finish([logical_not(again), compute(*values)])
    with test:
        again, *_ = [test.parameter(each.type, "x") for each in given]
        condition = test.finish([again])
    attrs = {"test": condition, "body": body, "carried": 2}
    return outer.symbol(outer.append(while_loop, given, attrs).outputs[1])


def _names(count: int) -> list[str]:
    return ["step", "late", "total", "change", *["x"] * (count - 4)]


def broadcast_in_float64(compute: Callable[..., Any], double: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """A definition for inputs of float32, or by `double` of float64, and of one known shape."""

    def definition(*inputs: Any) -> Any:
        type = infer.broadcast_real(*[x.type for x in inputs])
        function = {dtypes.float32: compute, dtypes.float64: double}.get(type.dtype)
        if function is None or not type.is_static or not type.size:
            return None
        wide = [cast(broadcast_to(x, shape=type.static_shape), dtype=dtypes.float64) for x in inputs]
        return cast(function(*wide), dtype=type.dtype)

    return definition


def _next_gamma(step: Any, total: Any, change: Any, d: Any, b: Any, a: Any, x: Any, small: Any) -> Sequence[Any]:
    """A term of the series x^n / (a (a + 1) …), or of the continued fraction of the upper part (Steed)."""
    b = b + 2.0
    d = 1.0 / select(small, a + step, (a - step) * step * d + b)
    change = change * select(small, x * d, b * d - 1.0)
    return total + change, change, d, b


def _gamma_part(lower: bool) -> Callable[[Any, Any], Any]:
    def compute(order: Any, at: Any) -> Any:
        good = logical_and(logical_and(greater(order, 0.0), greater_equal(at, 0.0)), isfinite(order + at))
        stepped = logical_and(good, less(order, LARGE_ORDER))
        a, x = select(stepped, order, 1.0), select(stepped, at, 1.0)
        small = less(x, a + 1.0)
        b = x + 1.0 - a
        first = 1.0 / select(small, a, b)
        total = _settled(_next_gamma, (first, first, first, b), (a, x, small))
        part = exp(log(x) * a - x - lgamma(a)) * total
        result = select(small if lower else logical_not(small), part, 1.0 - part)
        result = select(less(0.0, x), result, 0.0 if lower else 1.0)
        large = greater_equal(order, LARGE_ORDER)
        formula = lower_part if lower else upper_part
        result = select(large, if_any(large, lambda a, x: formula(a, x, OF_SYMBOLS), order, at), result)
        endless = logical_and(greater(order, 0.0), greater(at, FINITE))
        result = select(endless, 1.0 if lower else 0.0, result)
        return select(logical_or(good, endless), result, math.nan)

    return compute


def _next_slope(step: Any, total: Any, change: Any, term: Any, psi: Any, a: Any, x: Any, power: Any) -> Sequence[Any]:
    """A term of the derivative of the series by a: that of the power, and of the gamma function below it."""
    change = term * (power - psi)
    inverse = 1.0 / (a + step)
    return total + change, change, term * x * inverse, psi + inverse


def _slope(order: Any, at: Any) -> Any:
    stepped = less(order, LARGE_ORDER)
    a, x = select(stepped, order, 1.0), select(stepped, at, 1.0)
    power = log(x)
    term = exp(a * power - x - lgamma(a + 1.0))
    nothing = term * 0.0
    total = _settled(_next_slope, (nothing, nothing, term, digamma(a + 1.0)), (a, x, power), least=1)
    nowhere = logical_or(equal(x, 0.0), greater(x, a + FURTHEST))
    of_large = if_any(logical_not(stepped), lambda a, x: slope_by_order(a, x, OF_SYMBOLS), order, at)
    return select(stepped, select(nowhere, 0.0, total), of_large)


def _next_beta(step: Any, total: Any, change: Any, d: Any, a: Any, b: Any, x: Any) -> Sequence[Any]:
    """Two terms of the continued fraction, as a sum (Steed)."""
    last = a + step * 2.0
    even = (b - step) * x * step / ((last - 1.0) * last)
    odd = -(a + step) * (a + b + step) * x / (last * (last + 1.0))
    for factor in (even, odd):
        d = 1.0 / (d * factor + 1.0)
        change = change * (d - 1.0)
        total = total + change
    return total, change, d


def _beta_part(first: Any, second: Any, at: Any) -> Any:
    valid = logical_and(greater(first, 0.0), greater(second, 0.0))
    good = logical_and(valid, logical_and(less(0.0, at), less(at, 1.0)))
    good = logical_and(good, isfinite(first + second))
    a, b, x = select(good, first, 1.0), select(good, second, 1.0), select(good, at, 0.5)
    part = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + log(x) * a + log1p(-x) * b)
    low = less(x, (a + 1.0) / (a + b + 2.0))
    one, other, inner = select(low, a, b), select(low, b, a), select(low, x, 1.0 - x)
    d = 1.0 / (1.0 - (one + other) * inner / (one + 1.0))
    part = part * _settled(_next_beta, (d, d - 1.0, d), (one, other, inner)) / one
    edge = select(logical_or(equal(at, 0.0), equal(at, 1.0)), absolute(at), math.nan)
    return select(good, select(low, part, 1.0 - part), select(valid, edge, math.nan))


def _density(a: Any, x: Any) -> Any:
    """The derivative of P(a, x) by x."""
    return exp(log(x) * (a - 1.0) - x - lgamma(a))


def _pair() -> Sample:
    return Sample(pair((3, 4), (3, 4), low=0.3, high=6.0))


def _gamma_samples() -> list[Sample]:
    edge = Sample((np.array([1.0, 2.0, -1.0, np.nan]), np.array([0.0, 50.0, 1.0, 1.0])), gradient=False)
    return [_pair(), Sample(pair((2, 1, 4), (3, 1), low=0.3, high=6.0)), edge]


def _infer_by_order(a: TensorType, x: TensorType, *, times: int) -> TensorType:
    if times not in (1, 2):
        raise ValueError(f"igamma_by_order: times should be 1 or 2, but got {times}")
    return infer.broadcast_real(a, x)


def _vjp_by_order(a: Any, x: Any, out: Any, dout: Any, *, times: int) -> tuple[Any, Any]:
    slope = log(x) - digamma(a)
    if times == 1:
        by_a: Any = dout * igamma_by_order(a, x, times=2)
        return by_a, dout * _density(a, x) * slope
    by_a = NoDerivative("igamma: the third derivative by the first operand is not known; the first two are")
    return by_a, dout * _density(a, x) * (slope * slope - polygamma(a, n=1))


igamma_by_order: Op = elementwise_op(
    "igamma_by_order",
    _infer_by_order,
    gamma_function.igamma_by_order,
    attrs={"times": INT},
    vjp=_vjp_by_order,
    samples=lambda: [
        Sample(_pair().inputs, {"times": 1}, gradient=False),
        Sample(_pair().inputs, {"times": 2}, gradient=False),
    ],
    doc="The first or second derivative of igamma by its first operand.",
    native_definition=lambda a, x, *, times: broadcast_in_float64(_slope)(a, x) if times == 1 else None,
)
igamma: Op = by_kernel(
    "igamma",
    lambda a, x, out, dout: (dout * igamma_by_order(a, x, times=1), dout * _density(a, x)),
    doc="The regularised lower incomplete gamma function P(a, x).",
    samples=_gamma_samples,
    native_definition=broadcast_in_float64(_gamma_part(lower=True)),
)
igammac: Op = by_kernel(
    "igammac",
    lambda a, x, out, dout: (-dout * igamma_by_order(a, x, times=1), -dout * _density(a, x)),
    doc="The regularised upper incomplete gamma function Q(a, x).",
    samples=_gamma_samples,
    native_definition=broadcast_in_float64(_gamma_part(lower=False)),
)


def _beta_density(a: Any, b: Any, x: Any) -> Any:
    """The derivative of the incomplete beta function by x."""
    power = log(x) * (a - 1.0) + log1p(-x) * (b - 1.0)
    return exp(power + lgamma(a + b) - lgamma(a) - lgamma(b))


def _vjp_betainc(a: Any, b: Any, x: Any, out: Any, dout: Any) -> tuple[Any, Any, Any]:
    # The function of (a, b, x) is one less that of (b, a, 1 - x).
    by_a, by_b = betainc_by_order(a, b, x), -betainc_by_order(b, a, 1.0 - x)
    return dout * by_a, dout * by_b, dout * _beta_density(a, b, x)


def _vjp_betainc_by_order(a: Any, b: Any, x: Any, out: Any, dout: Any) -> tuple[Any, Any, Any]:
    unknown = NoDerivative("betainc: second derivatives by a and b are not known; the first ones are")
    return unknown, unknown, dout * _beta_density(a, b, x) * (log(x) + digamma(a + b) - digamma(a))


def _beta_samples() -> list[Sample]:
    inner = np.array([1.5, 2.0, 0.7, 9.0]), np.array([2.0, 3.0, 0.6, 0.4]), np.array([0.2, 0.8, 0.5, 0.9])
    edge = np.array([1.5, 2.0, 0.7]), np.array([2.0, 3.0, 0.6]), np.array([0.0, 1.0, 2.0])
    return [Sample(inner, gradient=False), Sample(edge, gradient=False)]


betainc_by_order: Op = by_kernel(
    "betainc_by_order",
    _vjp_betainc_by_order,
    doc="The derivative of betainc by its first operand.",
    samples=_beta_samples,
)
betainc: Op = by_kernel(
    "betainc",
    _vjp_betainc,
    doc="The regularised incomplete beta function of x.",
    samples=_beta_samples,
    native_definition=broadcast_in_float64(_beta_part),
)
