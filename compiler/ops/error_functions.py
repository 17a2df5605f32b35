"""The error function, and related ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.kernels import error_function
from ...runtime.kernels.error_function import INVERSE_TAIL, SINGLE_INVERSE_MIDDLE, SINGLE_INVERSE_TAIL
from ..ir.op import Op, Sample
from . import infer
from .arithmetic import absolute, sign, sqrt
from .comparison import equal, greater, greater_equal, select
from .elementwise import exp, log
from .infer import elementwise_op
from .samples import Samples, unary_samples


def polynomial(x: Any, coefficients: Sequence[float]) -> Any:
    """The polynomial with these coefficients, the last one of the highest power."""
    result = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        result = result * x + coefficient
    return result


def erfinv_in_kernels(x: Any) -> Any:
    """The number whose error function is x; infinite at -1 and 1. In float64 a step of Halley follows."""
    if x.dtype not in (dtypes.float32, dtypes.float64):
        return None
    single, size = x.dtype is dtypes.float32, absolute(x)
    w = -log((1.0 - x) * (1.0 + x))
    middle = polynomial(w - 2.5, SINGLE_INVERSE_MIDDLE)
    tail = polynomial(sqrt(w) - (3.0 if single else 4.0), SINGLE_INVERSE_TAIL if single else INVERSE_TAIL)
    factor, ends = select(greater_equal(w, 5.0), tail, middle), equal(size, 1.0)
    if single:
        return x * select(ends, math.inf, factor)
    found = x * factor
    missing = select(greater(size, 0.5), sign(x) * ((1.0 - size) - erfc(absolute(found))), erf(found) - x)
    step = missing * exp(found * found) * (1 / SLOPE)
    return select(ends, x * math.inf, found - step / (1.0 + found * step))


SLOPE = 2 / math.sqrt(math.pi)  # of erf at 0


def samples_between(low: float, high: float, *corners: float) -> Samples:
    """Samples of an op of one number, and of these numbers, where it may have no slope."""
    return lambda: [*unary_samples(low, high)(), Sample((np.array(corners),), gradient=False)]


def special_function(name: str, kernel: Any, vjp: Any, **record: Any) -> Op:
    """An op of real floating-point numbers, which a kernel computes."""
    single = "native_definition" in record
    return elementwise_op(name, infer.broadcast_real, kernel, vjp=vjp, single=single, **record)


erf: Op = special_function(
    "erf",
    error_function.erf,
    lambda x, out, dout: dout * (exp(-x * x) * SLOPE),
    samples=samples_between(-3.0, 3.0, 0.0, -0.0, 9.0, -9.0, math.inf, math.nan),
    doc="The error function of x.",
    native=True,
)
erfc: Op = special_function(
    "erfc",
    error_function.erfc,
    lambda x, out, dout: dout * (exp(-x * x) * -SLOPE),
    samples=samples_between(-3.0, 3.0, 0.0, 26.0, -9.0, math.inf, math.nan),
    doc="1 - erf(x), precise where that is tiny.",
    native=True,
)
erfinv: Op = special_function(
    "erfinv",
    error_function.erfinv,
    lambda x, out, dout: dout * (exp(out * out) * (1 / SLOPE)),
    samples=samples_between(-0.9, 0.9, 0.0, 1.0, -1.0, 2.0, math.nan),
    doc="The number whose error function is x.",
    native_definition=erfinv_in_kernels,
)
