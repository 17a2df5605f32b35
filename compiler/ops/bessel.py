"""Bessel functions, and the incomplete gamma and beta functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...runtime.kernels import bessel, incomplete
from ..op import Op, Sample
from ..types import TensorType
from . import infer
from .arithmetic import sign
from .elementwise import exp, log, log1p
from .samples import pair, unary_samples
from .special import lgamma


def _infer_real(*types: TensorType) -> TensorType:
    for each in types:
        if not each.dtype.is_float:
            raise TypeError(f"operands should be real floating-point numbers, but got {each.dtype}")
    return infer.broadcast_float(*types)


def _bessel(name: str, kernel: Any, vjp: Callable[..., Any], low: float = -6.0) -> Op:
    doc = (kernel.__doc__ or "").rstrip(".")
    return Op(
        f"bessel_{name}",
        kind="elementwise",
        infer=_infer_real,
        kernel=kernel,
        vjp=vjp,
        writes_out=True,
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


def _incomplete(name: str, vjp: Callable[..., Any] | None, doc: str, *corners: Sample) -> Op:
    return Op(
        name,
        kind="elementwise",
        infer=_infer_real,
        kernel=incomplete.KERNELS[name],
        vjp=vjp,
        writes_out=True,
        samples=lambda: [*corners],
        doc=doc,
    )


_PAIR = Sample(pair((3, 4), (3, 4), low=0.3, high=6.0))
_ROWS = Sample(pair((2, 1, 4), (3, 1), low=0.3, high=6.0))
_EDGE = Sample((np.array([1.0, 2.0, -1.0, np.nan]), np.array([0.0, 50.0, 1.0, 1.0])), gradient=False)

igamma_by_order: Op = _incomplete(
    "igamma_by_order",
    None,
    "The derivative of igamma by its first operand.",
    Sample(_PAIR.inputs, gradient=False),
)
igamma: Op = _incomplete(
    "igamma",
    lambda a, x, out, dout: (dout * igamma_by_order(a, x), dout * _density(a, x)),
    "The regularised lower incomplete gamma function P(a, x).",
    _PAIR,
    _ROWS,
    _EDGE,
)
igammac: Op = _incomplete(
    "igammac",
    lambda a, x, out, dout: (-dout * igamma_by_order(a, x), -dout * _density(a, x)),
    "The regularised upper incomplete gamma function Q(a, x).",
    _PAIR,
    _ROWS,
    _EDGE,
)


def _vjp_betainc(a: Any, b: Any, x: Any, out: Any, dout: Any) -> tuple[Any, Any, Any]:
    power = log(x) * (a - 1.0) + log1p(-x) * (b - 1.0)
    return None, None, dout * exp(power + lgamma(a + b) - lgamma(a) - lgamma(b))


betainc: Op = _incomplete(
    "betainc",
    _vjp_betainc,
    "The regularised incomplete beta function of x; differentiable by x.",
    Sample((np.array([1.5, 2.0, 0.7]), np.array([2.0, 3.0, 0.6]), np.array([0.2, 0.8, 0.5])), gradient=False),
)
zeta: Op = _incomplete(
    "zeta",
    None,
    "Hurwitz's zeta function.",
    Sample((np.array([2.0, 1.5, 3.0, 1.0, 0.5]), np.array([1.0, 0.5, 2.0, 1.0, 1.0])), gradient=False),
)
