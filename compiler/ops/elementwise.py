"""Elementwise functions: exponentials, logarithms, trigonometry, rounding and tests of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir import triangles
from ..ir.graph import Node
from ..ir.op import Op, Sample
from ..ir.values import Operand
from . import infer
from .arithmetic import sqrt
from .infer import elementwise_op
from .samples import integers, pair, unary_samples


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


exp = _function("exp", np.exp, lambda x, out, dout: dout * out, "e to the power x.", above=triangles.of_exponential)
expm1 = _function("expm1", np.expm1, lambda x, out, dout: dout * (out + 1.0), "exp(x) - 1, exact for small x.")
log = _function("log", np.log, lambda x, out, dout: dout / x, "Natural logarithm of x.", 0.2, 3.0)
log1p = _function("log1p", np.log1p, lambda x, out, dout: dout / (x + 1.0), "log(1 + x), exact for small x.", -0.8)
log2 = _function("log2", np.log2, lambda x, out, dout: dout / (x * math.log(2)), "Logarithm to base 2.", 0.2, 3.0)
log10 = _function("log10", np.log10, lambda x, out, dout: dout / (x * math.log(10)), "Logarithm to base 10.", 0.2, 3.0)

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
    scaled = dout / (x * x + y * y)
    return scaled * x, -scaled * y


atan2 = elementwise_op(
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
