"""Activation functions as ops of their own: each with a cheap derivative and a lowered form that fuses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...runtime.kernels.limits import at_least, no_less
from ...runtime.kernels.precision import deliver, widen
from ..ir.attributes import TEXT
from ..ir.op import Sample
from ..ir.types import TensorType
from . import infer
from .arithmetic import absolute, infer_real, maximum, minimum
from .comparison import greater, select
from .elementwise import exp, log1p
from .infer import elementwise_op
from .samples import pair, unary_samples, with_integers

Array = np.ndarray
SQRT_HALF = math.sqrt(0.5)
TANH_SCALE = math.sqrt(2 / math.pi)
TANH_CUBIC = 0.044715
FLAT = 100.0  # gelu is 0 below -100, also at -inf: its factors would be 0 and -inf


def _fresh(x: Array, out: Array | None) -> Array:
    return np.empty_like(x) if out is None else out


def _wide_samples() -> list[Sample]:
    return [
        *unary_samples(-4.0, 4.0)(),
        Sample((np.array([-800.0, -30.0, -0.0, 0.0, 30.0, 800.0]),), gradient=False),
    ]


def _kernel_sigmoid(x: Array, out: Array | None = None) -> Array:
    # Not .5*tanh(.5*x)+.5: below -17 that has no correct digit in single precision, and its logarithm would be -inf.
    wide = widen(x)
    result = _fresh(x, out) if wide is x else wide
    np.negative(wide, out=result)
    np.exp(result, out=result)
    np.add(result, 1, out=result)
    np.true_divide(1, result, out=result)
    return result if wide is x else deliver(result, x.dtype, out)


sigmoid = elementwise_op(
    "sigmoid",
    infer.broadcast_float,
    _kernel_sigmoid,
    vjp=lambda x, out, dout: dout * out * (1.0 - out),
    definition=lambda x: 1.0 / (exp(-x) + 1.0),
    single=True,
    samples=_wide_samples,
    doc="1 / (1 + exp(-x)).",
)


def _kernel_softplus(x: Array, out: Array | None = None) -> Array:
    return _with_tail(np.add, np.maximum, x, out)


def _kernel_log_sigmoid(x: Array, out: Array | None = None) -> Array:
    return _with_tail(np.subtract, np.minimum, x, out)


def _with_tail(combine: np.ufunc, part: np.ufunc, x: Array, out: Array | None) -> Array:
    """The positive or the negative part of x, with log(1 + exp(-|x|)) added or subtracted."""
    wide = widen(x)
    small = np.log1p(np.exp(-np.abs(wide)))
    if wide is x:
        found: Array = combine(part(x, 0), small, out=out)
        return found
    return deliver(combine(part(wide, 0), small), x.dtype, out)


softplus = elementwise_op(
    "softplus",
    infer.broadcast_real,
    _kernel_softplus,
    vjp=lambda x, out, dout: dout * sigmoid(x),
    definition=lambda x: maximum(0, x) + log1p(exp(-absolute(x))),
    single=True,
    samples=_wide_samples,
    doc="log(1 + exp(x)), without overflow.",
)
log_sigmoid = elementwise_op(
    "log_sigmoid",
    infer.broadcast_real,
    _kernel_log_sigmoid,
    vjp=lambda x, out, dout: dout * sigmoid(-x),
    definition=lambda x: minimum(x, 0) - log1p(exp(-absolute(x))),
    single=True,
    samples=_wide_samples,
    doc="log(sigmoid(x)), without overflow.",
)


def _kernel_relu(x: Array, out: Array | None = None) -> Array:
    result = at_least(x, 0, out)
    # Of 0.0 and -0.0 the maximum is either.
    return np.absolute(result, out=result) if isinstance(result, np.ndarray) else np.absolute(result)


relu = elementwise_op(
    "relu",
    infer_real,
    _kernel_relu,
    vjp=lambda x, out, dout: select(greater(out, 0), dout, 0),
    # A kernel's maximum is quicker with the number first, and is -0.0 for -0.0 then.
    definition=lambda x: absolute(maximum(0, x)) if x.dtype.is_float else maximum(0, x),
    samples=with_integers(unary_samples(), Sample((np.array([0.0, -0.0, np.inf]),), gradient=False)),
    doc="x where it is positive, 0 elsewhere; its derivative at 0 is 0.",
)


def _infer_gelu(x: TensorType, *, approximate: str) -> TensorType:
    if approximate not in ("none", "tanh"):
        raise ValueError(f"gelu: approximate should be 'none' or 'tanh', but got {approximate!r}")
    return infer.broadcast_real(x)


def _kernel_gelu(x: Array, *, approximate: str, out: Array | None = None) -> Array:
    dtype, x = x.dtype, widen(x)
    if approximate == "tanh":
        factor = _kernel_sigmoid((x * x * (2 * TANH_CUBIC * TANH_SCALE) + 2 * TANH_SCALE) * x)
    else:
        from .error_functions import erf  # late: relu needs no such functions

        factor = (erf.kernel(x * SQRT_HALF) + 1) * 0.5
    return deliver(factor * no_less(x, -FLAT), dtype, out)


def _factor(x: Any, approximate: str) -> Any:
    """The factor of x in gelu. `(1 + tanh(u)) / 2` is `sigmoid(2 u)`, which is faster
    and loses no digits of small results."""
    if approximate == "tanh":
        return sigmoid((x * x * (2 * TANH_CUBIC * TANH_SCALE) + 2 * TANH_SCALE) * x)
    from .error_functions import erf  # late, as above

    return (erf(x * SQRT_HALF) + 1.0) * 0.5


def _vjp_gelu(x: Any, out: Any, dout: Any, *, approximate: str) -> Any:
    factor = _factor(x, approximate)  # as forward
    x = minimum(maximum(x, -FLAT), FLAT)  # where the slope ends to change; the products below would overflow
    if approximate == "tanh":
        slope = factor * (1.0 - factor) * (x * x * (6 * TANH_CUBIC * TANH_SCALE) + 2 * TANH_SCALE)
    else:
        slope = exp(x * x * -0.5) * (1 / math.sqrt(2 * math.pi))
    return dout * (factor + x * slope)


gelu = elementwise_op(
    "gelu",
    _infer_gelu,
    _kernel_gelu,
    attrs={"approximate": TEXT},
    vjp=_vjp_gelu,
    definition=lambda x, *, approximate: _factor(x, approximate) * maximum(x, -FLAT),
    single=True,
    samples=lambda: [
        Sample(pair((3, 4), low=-4, high=4), {"approximate": "none"}),
        Sample(pair((3, 4), low=-4, high=4), {"approximate": "tanh"}),
        Sample(pair(()), {"approximate": "tanh"}),
    ],
    doc="x times the probability that a standard normal number is below x; `approximate='tanh'` is the usual estimate.",
)
