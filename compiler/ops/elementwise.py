"""Elementwise functions: exponentials, logarithms, powers, trigonometry, rounding and tests of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir import triangles
from ..ir.graph import Node
from ..ir.op import Op, Sample
from ..ir.values import Literal, Operand
from . import infer
from .arithmetic import absolute, absolute_of_parts, maximum, neutral, sqrt, within_range
from .comparison import equal, greater, logical_and, logical_not, select
from .infer import elementwise_op
from .parts import Parts
from .samples import binary_samples, integers, pair, unary_samples


def _function(
    name: str,
    kernel: Callable[..., Any],
    vjp: Callable[..., Any],
    doc: str,
    low: float = -2.0,
    high: float = 2.0,
    **record: Any,
) -> Op:
    """A record for a differentiable function of one floating-point number."""
    return elementwise_op(
        name,
        infer.broadcast_float,
        kernel,
        vjp=vjp,
        native=True,
        samples=unary_samples(low, high),
        doc=doc,
        **record,
    )


def _exponential_of_parts(op: Op, x: Parts) -> Parts:
    """The magnitude by two factors: it may exceed all numbers where the parts do not. An infinite angle gives nan, but
    for the real part of an infinite number, and for what is 0 whatever the angle."""
    a, b = x.real, x.imag
    if b is None:
        return Parts(op(a), None)
    if a is None:
        return Parts(cos(b), sin(b))
    half = op(a * 0.5)
    none = logical_and(equal(absolute(a), math.inf), logical_not(isfinite(b)))
    cosine = select(none, 1.0, cos(b))
    sine = select(logical_and(none, equal(half, 0.0)), 0.0, sin(b))
    return Parts(half * cosine * half, select(equal(b, 0.0), b, half * sine * half))


def _logarithm_of_parts(op: Op, x: Parts) -> Parts:
    near, beyond = within_range(x)
    size = op(absolute_of_parts(absolute, near))
    return Parts(select(beyond, size + math.log(4), size), atan2(*x.filled()[::-1]))


exp = _function(
    "exp",
    np.exp,
    lambda x, out, dout: dout * out,
    "e to the power x.",
    above=triangles.of_exponential,
    parts=_exponential_of_parts,
)
expm1 = _function("expm1", np.expm1, lambda x, out, dout: dout * (out + 1.0), "exp(x) - 1, exact for small x.")
log = _function(
    "log",
    np.log,
    lambda x, out, dout: dout / x,
    "Natural logarithm of x.",
    0.2,
    3.0,
    parts=_logarithm_of_parts,
)
log1p = _function("log1p", np.log1p, lambda x, out, dout: dout / (x + 1.0), "log(1 + x), exact for small x.", -0.8)
log2 = _function("log2", np.log2, lambda x, out, dout: dout * (1 / math.log(2)) / x, "Logarithm to base 2.", 0.2, 3.0)
log10 = _function(
    "log10", np.log10, lambda x, out, dout: dout * (1 / math.log(10)) / x, "Logarithm to base 10.", 0.2, 3.0
)


def _kernel_logit(x: Any, out: Any = None) -> Any:
    return np.log(x / (x.dtype.type(1) - x), out=out)


logit = elementwise_op(
    "logit",
    infer.broadcast_float,
    _kernel_logit,
    vjp=lambda x, out, dout: dout / (x * (1.0 - x)),
    definition=lambda x: log(x / (1.0 - x)),
    samples=unary_samples(0.1, 0.9),
    doc="The x for which sigmoid(x) is the operand: log(x / (1 - x)).",
)

# In machine code these three are right for arguments up to some size only.
sin = _function("sin", np.sin, lambda x, out, dout: dout * cos(x), "Sine of x in radians.")
cos: Op = _function("cos", np.cos, lambda x, out, dout: -dout * sin(x), "Cosine of x in radians.")
tan = _function("tan", np.tan, lambda x, out, dout: dout * (out * out + 1.0), "Tangent of x in radians.", -1.2, 1.2)
asin = _function("asin", np.arcsin, lambda x, out, dout: dout / sqrt(1.0 - x * x), "Inverse sine of x.", -0.8, 0.8)
acos = _function("acos", np.arccos, lambda x, out, dout: -dout / sqrt(1.0 - x * x), "Inverse cosine of x.", -0.8, 0.8)
atan = _function("atan", np.arctan, lambda x, out, dout: dout / (x * x + 1.0), "Inverse tangent of x.")
sinh = _function("sinh", np.sinh, lambda x, out, dout: dout * cosh(x), "Hyperbolic sine of x.")
cosh: Op = _function("cosh", np.cosh, lambda x, out, dout: dout * sinh(x), "Hyperbolic cosine of x.")
tanh = _function("tanh", np.tanh, lambda x, out, dout: dout * (1.0 - out * out), "Hyperbolic tangent of x.")
asinh = _function("asinh", np.arcsinh, lambda x, out, dout: dout / sqrt(x * x + 1.0), "Inverse hyperbolic sine of x.")
acosh = _function(
    "acosh",
    np.arccosh,
    lambda x, out, dout: dout / (sqrt(x - 1.0) * sqrt(x + 1.0) if x.dtype.is_complex else sqrt(x * x - 1.0)),
    "Inverse hyperbolic cosine of x.",
    1.2,
    3.0,
)
atanh = _function(
    "atanh",
    np.arctanh,
    lambda x, out, dout: dout / (1.0 - x * x),
    "Inverse hyperbolic tangent of x.",
    -0.8,
    0.8,
)


def _vjp_atan2(y: Any, x: Any, out: Any, dout: Any) -> tuple[Any, Any]:
    # Squares leave the range of the dtype long before the slope does: a finite longer side has the length 1.
    length = maximum(absolute(x), absolute(y))
    length = select(isfinite(length), length, 1.0)
    x, y = x / length, y / length
    scaled = dout / length / (x * x + y * y)
    return scaled * x, -scaled * y


atan2: Op = elementwise_op(
    "atan2",
    infer.broadcast_float,
    np.arctan2,
    vjp=_vjp_atan2,
    native=True,
    samples=lambda: [
        Sample(pair((3, 4), (3, 4))),
        Sample(pair((2, 1, 4), (3, 1))),
        Sample((np.array([0.0, -0.0, 1.0]), np.array([-1.0, -1.0, 0.0])), gradient=False),
    ],
    doc="The angle of the point (x, y), given y first.",
)


def _whole_already(node: Node) -> Operand | None:
    return node.inputs[0] if node.inputs[0].type.dtype.is_integer else None


_infer_rounding = infer.operands_of("real numbers", lambda dtype: dtype.is_float or dtype.is_integer)


def _rounding(name: str, function: np.ufunc, doc: str) -> Op:
    def kernel(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        # Early versions of NumPy 2 turn integers to floats here.
        return np.positive(x, out=out) if np.asarray(x).dtype.kind in "iu" else function(x, out=out)

    return elementwise_op(
        name,
        _infer_rounding,
        kernel,
        rewrites=(_whole_already,),
        native=True,
        exact=True,
        samples=lambda: [
            Sample((np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.3, -0.7]),), gradient=False),
            Sample(pair((3, 4), low=-9, high=9)),
            Sample(integers((5,))),
        ],
        doc=doc,
    )


floor = _rounding("floor", np.floor, "The largest whole number not above x.")
ceil = _rounding("ceil", np.ceil, "The smallest whole number not below x.")
trunc = _rounding("trunc", np.trunc, "x without its fraction.")
round = _rounding("round", np.rint, "The whole number nearest to x, the even one of two.")


def _test_of_numbers(name: str, function: np.ufunc, doc: str) -> Op:
    return elementwise_op(
        name,
        lambda x: infer.compare(x),
        function,
        native=True,
        cheap=True,
        samples=lambda: [
            Sample((np.array([[1.0, np.nan, np.inf, -np.inf, 0.0]]),)),
            Sample((np.array(np.nan, np.float32),)),
            Sample(integers((5,))),
        ],
        doc=doc,
    )


isnan = _test_of_numbers("isnan", np.isnan, "Whether x is not a number.")
isinf = _test_of_numbers("isinf", np.isinf, "Whether x is infinite.")
isfinite = _test_of_numbers("isfinite", np.isfinite, "Whether x is neither infinite nor nan.")


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
