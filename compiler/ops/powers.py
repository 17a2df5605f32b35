"""Powers, with their derivatives by base and exponent."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..ir.op import Sample
from ..ir.values import Literal
from . import infer
from .arithmetic import absolute, neutral, sqrt
from .comparison import equal, greater, select
from .elementwise import log
from .infer import elementwise_op
from .samples import binary_samples, pair

Array = np.ndarray


def _root_power(x: Array, out: Array | None) -> Array:
    """x to the power 0.5, from the square root, which differs at -0.0 and -inf."""
    endless = x == -np.inf
    result = np.asarray(np.sqrt(x, out=out))
    np.absolute(result, out=result)
    if endless.any():
        np.copyto(result, np.inf, where=endless)
    return result


def _kernel_power(x: Array, y: Array, out: Array | None = None) -> Array:
    x, y = np.asarray(x), np.asarray(y)
    if y.ndim == 0 and x.dtype.kind == "f" and y == 0.5:
        return _root_power(x, out)
    if x.dtype.kind != "i" or not (y < 0).any():
        return np.power(x, y, out=out)
    # NumPy refuses integers to negative powers. The exact result rounded to zero: only 1 and -1 have one; 0 has none.
    odd = np.where(y % 2 == 0, x.dtype.type(1), x)
    root = np.where(np.abs(x) == 1, odd, np.where(x == 0, np.iinfo(x.dtype).min, 0))
    result = np.where(y < 0, root, np.power(x, np.maximum(y, 0))).astype(x.dtype)
    if out is None:
        return result
    np.copyto(out, result)
    return out


def _vjp_power(x: Any, y: Any, out: Any, dout: Any) -> tuple[Any, Any]:
    if isinstance(y.operand, Literal):
        exponent = y.operand.value
        if exponent == 0:
            return None, None
        if exponent == 1:
            return dout, None
        factor = x if exponent == 2 else power(x, exponent - 1)
        return dout * (factor * exponent), None
    # Where y is 0 the power is 1 for every x, so the derivative is 0, not 0 * x**-1. The logarithm is taken of what is
    # positive only, so that neither this nor the next derivative meets its pole.
    lowered = select(equal(y, 0), 1, y - 1)
    dx = dout * (y * power(x, lowered))
    if not x.dtype.is_float:
        return dx, None
    positive = greater(x, 0)
    dy = select(positive, dout * out * log(select(positive, x, 1)), 0)
    return dx, dy


def _power_definition(x: Any, y: Any) -> Any:
    if not isinstance(y.operand, Literal) or isinstance(y.operand.value, (bool, complex)):
        return None
    exponent = y.operand.value
    halves = x.dtype.is_float and exponent == exponent and 2 * abs(exponent)
    if exponent < 0 and halves and halves <= 16 and halves == int(halves):
        return 1.0 / (x if exponent == -1 else power(x, -exponent))
    if halves and halves < 16 and halves % 2 == 1:
        # Unlike its square root, the power of -0.0 is that of 0.0, and the power of -inf that of inf.
        root = select(equal(x, -math.inf), math.inf, absolute(sqrt(x)))
        return root if halves == 1 else absolute((x if halves == 3 else power(x, halves // 2)) * root)
    if not 1 < exponent <= 8 or exponent != int(exponent):
        return None
    result, base, left = None, x, int(exponent)
    while left:  # by squaring; NumPy's power is many times slower than these few products
        if left % 2:
            result = base if result is None else result * base
        left //= 2
        if left:
            base = base * base
    return result


def _power_samples() -> list[Sample]:
    return [
        *binary_samples(0.3, 2.0)(),
        Sample((*pair((5,), low=0.3), np.array(2.0))),
        Sample((np.array([-1.5, -1.5, 0.0, 0.0, 2.0]), np.array([2.0, 3.0, 0.0, 2.0, -1.0])), gradient=False),
        Sample((np.array([2, 1, -1, 3, -3], np.int32), np.array([-1, -2, -3, 2, 3], np.int32)), gradient=False),
        Sample((np.array([2, 3], np.uint8), np.array([2, 3], np.uint8)), gradient=False),
    ]


power = elementwise_op(
    "power",
    infer.broadcast_numeric,
    _kernel_power,
    vjp=_vjp_power,
    definition=_power_definition,
    native=True,
    rewrites=neutral(1, 1),
    samples=_power_samples,
    doc="x to the power y; the derivative by y is 0 where x is not positive.",
)
