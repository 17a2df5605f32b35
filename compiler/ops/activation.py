"""Activation functions as ops of their own: each with a cheap derivative and a lowered form that fuses."""

from __future__ import annotations

import numpy as np

from ..op import Op, Sample
from . import infer
from .arithmetic import absolute, maximum, minimum
from .comparison import greater, select
from .elementwise import exp, log1p
from .samples import unary_samples, with_integers

Array = np.ndarray


def _fresh(x: Array, out: Array | None) -> Array:
    return np.empty_like(x) if out is None else out


def _wide_samples() -> list[Sample]:
    return [
        *unary_samples(-4.0, 4.0)(),
        Sample((np.array([-800.0, -30.0, -0.0, 0.0, 30.0, 800.0]),), gradient=False),
    ]


def _kernel_sigmoid(x: Array, out: Array | None = None) -> Array:
    # Not .5*tanh(.5*x)+.5: below -17 that has no correct digit in single precision, and its logarithm would be -inf.
    result = _fresh(x, out)
    np.negative(x, out=result)
    np.exp(result, out=result)
    np.add(result, 1, out=result)
    np.true_divide(1, result, out=result)
    return result


sigmoid = Op(
    "sigmoid",
    kind="elementwise",
    infer=infer.broadcast_float,
    kernel=_kernel_sigmoid,
    vjp=lambda x, out, dout: dout * out * (1.0 - out),
    lower=lambda x: 1.0 / (exp(-x) + 1.0),
    writes_out=True,
    samples=_wide_samples,
    doc="1 / (1 + exp(-x)).",
)


def _kernel_softplus(x: Array, out: Array | None = None) -> Array:
    small = np.log1p(np.exp(-np.abs(x)))
    return np.add(np.maximum(x, 0), small, out=out)


def _kernel_log_sigmoid(x: Array, out: Array | None = None) -> Array:
    small = np.log1p(np.exp(-np.abs(x)))
    return np.subtract(np.minimum(x, 0), small, out=out)


softplus = Op(
    "softplus",
    kind="elementwise",
    infer=infer.broadcast_float,
    kernel=_kernel_softplus,
    vjp=lambda x, out, dout: dout * sigmoid(x),
    lower=lambda x: maximum(x, 0) + log1p(exp(-absolute(x))),
    writes_out=True,
    samples=_wide_samples,
    doc="log(1 + exp(x)), without overflow.",
)
log_sigmoid = Op(
    "log_sigmoid",
    kind="elementwise",
    infer=infer.broadcast_float,
    kernel=_kernel_log_sigmoid,
    vjp=lambda x, out, dout: dout * sigmoid(-x),
    lower=lambda x: minimum(x, 0) - log1p(exp(-absolute(x))),
    writes_out=True,
    samples=_wide_samples,
    doc="log(sigmoid(x)), without overflow.",
)


def _kernel_relu(x: Array, out: Array | None = None) -> Array:
    return np.maximum(x, 0, out=out)


relu = Op(
    "relu",
    kind="elementwise",
    infer=infer.broadcast_numeric,
    kernel=_kernel_relu,
    vjp=lambda x, out, dout: select(greater(out, 0), dout, 0),
    lower=lambda x: maximum(x, 0),
    writes_out=True,
    samples=with_integers(unary_samples(), Sample((np.array([0.0, -0.0, np.inf]),), gradient=False)),
    doc="x where it is positive, 0 elsewhere; its derivative at 0 is 0.",
)

