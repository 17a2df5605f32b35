"""Bessel functions, and the incomplete gamma and beta functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...runtime.kernels import bessel, incomplete
from ..ir.attributes import INT
from ..ir.op import NoDerivative, Op, Sample
from ..ir.types import TensorType
from . import infer
from .arithmetic import sign
from .elementwise import exp, log, log1p
from .infer import elementwise_op
from .samples import Samples, pair, unary_samples
from .special import digamma, lgamma, polygamma


def _bessel(name: str, kernel: Any, vjp: Callable[..., Any], low: float = -6.0) -> Op:
    doc = (kernel.__doc__ or "").rstrip(".")
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
    )


bessel_i0: Op = _bessel("i0", bessel.i0, lambda x, out, dout: dout * bessel_i1(x))
bessel_i1: Op = _bessel("i1", bessel.i1, lambda x, out, dout: dout * (bessel_i0(x) - out / x))
bessel_i0e: Op = _bessel("i0e", bessel.i0e, lambda x, out, dout: dout * (bessel_i1e(x) - sign(x) * out))
bessel_i1e: Op = _bessel("i1e", bessel.i1e, lambda x, out, dout: dout * (bessel_i0e(x) - out * (sign(x) + 1.0 / x)))
bessel_k0: Op = _bessel("k0", bessel.k0, lambda x, out, dout: -dout * bessel_k1(x), 0.2)
bessel_k1: Op = _bessel("k1", bessel.k1, lambda x, out, dout: -dout * (bessel_k0(x) + out / x), 0.2)
bessel_k0e: Op = _bessel("k0e", bessel.k0e, lambda x, out, dout: dout * (out - bessel_k1e(x)), 0.2)
bessel_k1e: Op = _bessel("k1e", bessel.k1e, lambda x, out, dout: dout * (out * (1.0 - 1.0 / x) - bessel_k0e(x)), 0.2)
bessel_j0: Op = _bessel("j0", bessel.j0, lambda x, out, dout: -dout * bessel_j1(x))
bessel_j1: Op = _bessel("j1", bessel.j1, lambda x, out, dout: dout * (bessel_j0(x) - out / x))
bessel_y0: Op = _bessel("y0", bessel.y0, lambda x, out, dout: -dout * bessel_y1(x), 0.2)
bessel_y1: Op = _bessel("y1", bessel.y1, lambda x, out, dout: dout * (bessel_y0(x) - out / x), 0.2)


def _density(a: Any, x: Any) -> Any:
    """The derivative of P(a, x) by x."""
    return exp(log(x) * (a - 1.0) - x - lgamma(a))


def _incomplete(name: str, vjp: Callable[..., Any] | None, doc: str, samples: Samples) -> Op:
    return elementwise_op(
        name,
        infer.broadcast_real,
        incomplete.KERNELS[name],
        vjp=vjp,
        samples=samples,
        doc=doc,
    )


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
    incomplete.igamma_by_order,
    attrs={"times": INT},
    vjp=_vjp_by_order,
    samples=lambda: [
        Sample(_pair().inputs, {"times": 1}, gradient=False),
        Sample(_pair().inputs, {"times": 2}, gradient=False),
    ],
    doc="The first or second derivative of igamma by its first operand.",
)
igamma: Op = _incomplete(
    "igamma",
    lambda a, x, out, dout: (dout * igamma_by_order(a, x, times=1), dout * _density(a, x)),
    "The regularised lower incomplete gamma function P(a, x).",
    _gamma_samples,
)
igammac: Op = _incomplete(
    "igammac",
    lambda a, x, out, dout: (-dout * igamma_by_order(a, x, times=1), -dout * _density(a, x)),
    "The regularised upper incomplete gamma function Q(a, x).",
    _gamma_samples,
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


betainc_by_order: Op = _incomplete(
    "betainc_by_order",
    _vjp_betainc_by_order,
    "The derivative of betainc by its first operand.",
    _beta_samples,
)
betainc: Op = _incomplete(
    "betainc",
    _vjp_betainc,
    "The regularised incomplete beta function of x.",
    _beta_samples,
)


def _vjp_zeta_by_order(x: Any, q: Any, out: Any, dout: Any) -> tuple[Any, Any]:
    by_q = -zeta(x + 1.0, q) - x * zeta_by_order(x + 1.0, q)
    return NoDerivative("zeta: the second derivative by the first operand is not known; the first is"), dout * by_q


def _zeta_samples() -> list[Sample]:
    return [Sample((np.array([2.0, 1.5, 3.0, 7.5]), np.array([1.0, 0.5, 2.0, 11.0])), gradient=False)]


zeta_by_order: Op = _incomplete(
    "zeta_by_order",
    _vjp_zeta_by_order,
    "The derivative of zeta by its first operand.",
    _zeta_samples,
)
zeta: Op = _incomplete(
    "zeta",
    lambda x, q, out, dout: (dout * zeta_by_order(x, q), -dout * x * zeta(x + 1.0, q)),
    "Hurwitz's zeta function.",
    lambda: [
        *_zeta_samples(),
        Sample((np.array([2.0, 1.5, 3.0, 1.0, 0.5]), np.array([1.0, 0.5, 2.0, 1.0, 1.0])), gradient=False),
    ],
)
