"""Integer division: quotients rounded down, and the remainders of both kinds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir.op import Sample
from .arithmetic import infer_real
from .elementwise import round as round_
from .infer import elementwise_op
from .samples import integers


def _rest_samples() -> list[Sample]:
    divisors = np.array([2.0, -2.0, 3.0, -3.0])
    values = np.array([[7.3, 7.3, -7.3, -7.3], [0.4, -0.4, 1.5, -1.5]])
    return [
        Sample((values, divisors)),
        Sample((np.array(5.5), divisors)),
        Sample((np.array([7, 7, -7, -7], np.int32), np.array([2, -2, 2, -2], np.int32)), gradient=False),
        Sample((*integers((3, 4), low=0, high=99, dtype=np.uint8), np.array(7, np.uint8)), gradient=False),
    ]


floor_divide = elementwise_op(
    "floor_divide",
    infer_real,
    np.floor_divide,
    native=True,
    samples=_rest_samples,
    doc="The quotient of x and y rounded down.",
)


def _vjp_remainder(x: Any, y: Any, out: Any, dout: Any) -> tuple[Any, Any]:
    return dout, -dout * floor_divide(x, y)


def _vjp_fmod(x: Any, y: Any, out: Any, dout: Any) -> tuple[Any, Any]:
    # (x - out) is y times the truncated quotient, which in floating point is whole up to rounding.
    quotient = floor_divide(x - out, y) if x.dtype.is_integer else round_((x - out) / y)
    return dout, -dout * quotient


remainder = elementwise_op(
    "remainder",
    infer_real,
    np.remainder,
    vjp=_vjp_remainder,
    native=True,
    samples=_rest_samples,
    doc="x minus y times the quotient rounded down: the rest has the sign of y, as Python's %.",
)


fmod = elementwise_op(
    "fmod",
    infer_real,
    np.fmod,
    vjp=_vjp_fmod,
    native=True,
    samples=_rest_samples,
    doc="x minus y times the quotient rounded towards zero: the rest has the sign of x, as C's fmod.",
)
