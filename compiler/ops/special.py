"""Special functions: the error function and related ones, the logarithm of the gamma function and its derivatives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...runtime.kernels import error_function, gamma_function
from ..ir.attributes import INT
from ..ir.op import Op, Sample
from ..ir.types import TensorType
from . import infer, special_definitions as by_ops
from .elementwise import exp
from .infer import elementwise_op
from .samples import Samples, pair, unary_samples

SLOPE = 2 / math.sqrt(math.pi)  # of erf at 0


def _samples(low: float, high: float, *corners: float) -> Samples:
    return lambda: [*unary_samples(low, high)(), Sample((np.array(corners),), gradient=False)]


def _function(name: str, kernel: Any, vjp: Any, samples: Samples, doc: str, **record: Any) -> Op:
    return elementwise_op(
        name,
        infer.broadcast_real,
        kernel,
        vjp=vjp,
        samples=samples,
        doc=doc,
        **record,
    )


erf: Op = _function(
    "erf",
    error_function.erf,
    lambda x, out, dout: dout * (exp(-x * x) * SLOPE),
    _samples(-3.0, 3.0, 0.0, -0.0, 9.0, -9.0, math.inf, math.nan),
    "The error function of x.",
    native=True,
)
erfc: Op = _function(
    "erfc",
    error_function.erfc,
    lambda x, out, dout: dout * (exp(-x * x) * -SLOPE),
    _samples(-3.0, 3.0, 0.0, 26.0, -9.0, math.inf, math.nan),
    "1 - erf(x), precise where that is tiny.",
    native=True,
)
erfinv: Op = _function(
    "erfinv",
    error_function.erfinv,
    lambda x, out, dout: dout * (exp(out * out) * (1 / SLOPE)),
    _samples(-0.9, 0.9, 0.0, 1.0, -1.0, 2.0, math.nan),
    "The number whose error function is x.",
    native_definition=by_ops.erfinv_in_float32,
)
lgamma: Op = _function(
    "lgamma",
    gamma_function.lgamma,
    lambda x, out, dout: dout * digamma(x),
    _samples(0.2, 9.0, 0.0, -1.0, -0.5, math.inf, math.nan),
    "The logarithm of the absolute value of the gamma function of x.",
    native_definition=by_ops.in_float64(by_ops.lgamma_in_float64),
)
digamma: Op = _function(
    "digamma",
    gamma_function.digamma,
    lambda x, out, dout: dout * polygamma(x, n=1),
    _samples(0.2, 9.0, -0.5, math.inf, math.nan),
    "The derivative of lgamma.",
    native_definition=by_ops.in_float64(by_ops.digamma_in_float64),
)


def _infer_polygamma(x: TensorType, *, n: int) -> TensorType:
    if n < 1:
        raise ValueError(f"polygamma: n should be at least 1, but got {n}")
    return infer.broadcast_real(x)


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
)
