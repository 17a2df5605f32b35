"""Elementwise functions of a tensor: exponentials, logarithms, trigonometry, rounding, tests, casts, complex parts."""

from __future__ import annotations

import builtins
import math
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.op import Op
from ...frontend.values.arguments import need_type
from ...frontend.values.dispatch import apply, as_tensor, cast as cast_tensor
from ...frontend.values.operands import as_number, need_float, need_tensor, promoted, to_float
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import Shared
from .documentation import common
from .table import PROMOTED, OfOne, known_as, on_one, on_two, unary

__all__ = [
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "cos", "cosh", "deg2rad", "exp",
    "exp2", "expm1", "floor", "frac", "heaviside", "inv", "isfinite", "isinf", "isnan", "isneginf", "isposinf",
    "log", "log1p", "log2", "log10", "logit", "nan_to_num", "neg", "rad2deg", "reciprocal", "round", "rsqrt", "sgn",
    "sign", "signbit", "sin", "sinc", "sinh", "sqrt", "square", "tan", "tanh", "trunc",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        x: a floating-point tensor of any shape.
    """,
    common,
)


_BOOL = "a Bool tensor of the same shape"

exp = unary(
    "exp", prims.exp, "e to the power of each element.", "Tensor([0.0]) -> [1.]", also="tensor_exp", inplace=True,
    everywhere=True,
)  # fmt: skip
expm1 = unary(
    "expm1", prims.expm1, "exp(x) - 1 of each element, exact for small ones.", "Tensor([0.0]) -> [0.]",
    also="tensor_expm1", everywhere=True,
)  # fmt: skip
log = unary(
    "log", prims.log, "Natural logarithm of each element.", "Tensor([1.0, 4.0]) -> [0.        1.3862944]",
    inplace=True, everywhere=True,
)  # fmt: skip
log1p = unary(
    "log1p", prims.log1p, "log(1 + x) of each element, exact for small ones.", "Tensor([0.0]) -> [0.]", everywhere=True
)
log2 = unary(
    "log2", prims.log2, "Logarithm to base 2 of each element.", "Tensor([1.0, 8.0]) -> [0. 3.]", everywhere=True
)
log10 = unary("log10", prims.log10, "Logarithm to base 10 of each element.", "Tensor([1.0]) -> [0.]", everywhere=True)
rsqrt = unary(
    "rsqrt", prims.rsqrt, "One over the square root of each element.", "Tensor([1.0, 4.0]) -> [1.  0.5]", mint=True,
    method=True, primitive="Rsqrt",
)  # fmt: skip
sin = unary("sin", prims.sin, "Sine of each element, in radians.", "Tensor([0.0]) -> [0.]", everywhere=True)
cos = unary("cos", prims.cos, "Cosine of each element, in radians.", "Tensor([0.0]) -> [1.]", everywhere=True)
tan = unary("tan", prims.tan, "Tangent of each element, in radians.", "Tensor([0.0]) -> [0.]", everywhere=True)
asin = unary(
    "asin", prims.asin, "Inverse sine of each element.", "Tensor([0.0]) -> [0.]", mint=True, numpy="arcsin",
    method="asin arcsin", primitive="Asin AsinExt",
)  # fmt: skip
sinh = unary("sinh", prims.sinh, "Hyperbolic sine of each element.", "Tensor([0.0]) -> [0.]", everywhere=True)
cosh = unary("cosh", prims.cosh, "Hyperbolic cosine of each element.", "Tensor([0.0]) -> [1.]", everywhere=True)
tanh = unary(
    "tanh", prims.tanh, "Hyperbolic tangent of each element.", "Tensor([0.0]) -> [0.]", functional=True, inplace=True,
    everywhere=True,
)  # fmt: skip


def _inverse(name: str, op: Op, what: str, example: str, primitive: str) -> OfOne:
    """The inverse of a trigonometric or hyperbolic function: `acos` is `arccos`, too, and only that in `numpy`."""
    arc = f"arc{name[1:]}"
    return unary(
        name, op, f"Inverse {what} of each element.", example, also=arc, mint=f"{name} {arc}", numpy=arc,
        method=f"{name} {arc}", primitive=primitive,
    )  # fmt: skip


acos = _inverse("acos", prims.acos, "cosine", "Tensor([1.0]) -> [0.]", "ACos AcosExt")
atan = _inverse("atan", prims.atan, "tangent", "Tensor([0.0]) -> [0.]", "Atan AtanExt")
asinh = _inverse("asinh", prims.asinh, "hyperbolic sine", "Tensor([0.0]) -> [0.]", "Asinh AsinhExt")
acosh = _inverse("acosh", prims.acosh, "hyperbolic cosine", "Tensor([1.0]) -> [0.]", "Acosh AcoshExt")
atanh = _inverse("atanh", prims.atanh, "hyperbolic tangent", "Tensor([0.0]) -> [0.]", "Atanh")


sqrt = unary(
    "sqrt", prims.sqrt, "Square root of each element; nan where an element is negative.",
    "Tensor([1.0, 4.0]) -> [1. 2.]", takes="to_float", argument="x", numpy=True, method=True, inplace=True,
    primitive="Sqrt",
)  # fmt: skip
reciprocal = unary(
    "reciprocal", prims.reciprocal, "One over each element; of integers and booleans in Float32.",
    "Tensor([2, 4]) -> [0.5  0.25]", takes="to_float", mint=True, method=True, primitive="Reciprocal",
)  # fmt: skip
square = unary(
    "square", prims.square, "Square of each element.", "Tensor([-3, 2]) -> [9 4]", takes="any", everywhere=True
)
neg = unary(
    "neg", prims.negative, "The elements negated.", "Tensor([-3, 2]) -> [ 3 -2]", takes="any", also="negative",
    mint="neg negative", numpy="negative", method="neg negative", inplace=True, primitive="Neg",
)  # fmt: skip
sign = unary(
    "sign", prims.sign, "-1, 0 or 1 as the element is negative, zero or positive.", "Tensor([-3.0, 0.0]) -> [-1.  0.]",
    takes="any", inplace=True, everywhere=True,
)  # fmt: skip
floor = unary(
    "floor", prims.floor, "The largest whole number not above each element.", "Tensor([1.7]) -> [1.]", takes="any",
    inplace=True, everywhere=True,
)  # fmt: skip
ceil = unary(
    "ceil", prims.ceil, "The smallest whole number not below each element.", "Tensor([1.2]) -> [2.]", takes="any",
    everywhere=True,
)  # fmt: skip
trunc = unary(
    "trunc", prims.trunc, "The elements without their fractions.", "Tensor([-1.7]) -> [-1.]", takes="any",
    numpy="trunc fix", everywhere=True,
)  # fmt: skip
isnan = unary(
    "isnan", prims.isnan, "Whether each element is not a number.", "Tensor([1.0]) -> [False]", takes="any",
    returns=_BOOL, numpy=True, method=True, primitive="IsNan",
)  # fmt: skip
isinf = unary(
    "isinf", prims.isinf, "Whether each element is infinite.", "Tensor([1.0]) -> [False]", takes="any", returns=_BOOL,
    everywhere="IsInf",
)  # fmt: skip
isfinite = unary(
    "isfinite", prims.isfinite, "Whether each element is neither infinite nor nan.", "Tensor([1.0]) -> [ True]",
    takes="any", returns=_BOOL, everywhere="IsFinite",
)  # fmt: skip


@known_as("absolute", numpy="abs absolute fabs", method="abs absolute", inplace=True, everywhere=True, shared=_shared)
def abs(input: Tensor) -> Tensor:
    """Magnitude of each element; the derivative at 0 is 0.

    Args:
        input: a tensor of any shape and dtype, or a number.

    Examples:
        >>> print(ops.abs(Tensor([-1.5, 2.0])))
        [1.5 2. ]
    """
    x = need_tensor(input, "abs")
    return as_number(x if x.dtype.is_bool else apply(prims.absolute, x), input)


@on_one(
    "2 to the power of each element; of integers in Float32.", "Tensor([0.0, 3.0]) -> [1. 8.]", takes="to_float",
    mint=True, numpy=True, primitive="Exp2",
)  # fmt: skip
def exp2(x: Tensor) -> Tensor:
    return apply(prims.power, 2.0, x)


@on_two(
    "The angle of the point (other, input), elementwise with broadcasting; of integers in Float32.",
    "Tensor([0.0, 1.0]), Tensor([1.0, 1.0]) -> [0.        0.7853981]", PROMOTED, also="arctan2", mint="atan2 arctan2",
    numpy="arctan2", method="atan2 arctan2", primitive="Atan2 Atan2Ext",
)  # fmt: skip
def atan2(x: Any, y: Any) -> Tensor:
    return apply(prims.atan2, *(to_float(item) if isinstance(item, Tensor) else item for item in (x, y)))


@known_as(mint=True, numpy="rint", primitive="Rint", shared=_shared)
def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    """Each element rounded to `decimals` places after the point, halves to the even neighbour.

    Args:
        decimals: the number of places; negative ones count before the point.

    Raises:
        TypeError: if `input` is no Tensor, or `decimals` is no int.

    Examples:
        >>> print(ops.round(Tensor([0.5, 1.5, 2.4])))
        [0. 2. 2.]
    """
    x = need_tensor(input, "round")
    need_type(decimals, int, "round: 'decimals' should be an int")
    if x.dtype.is_integer and decimals >= 0:
        return x
    if decimals == 0:
        return apply(prims.round, x)
    scale = 10.0 ** builtins.abs(decimals)
    first, second = (prims.multiply, prims.divide) if decimals > 0 else (prims.divide, prims.multiply)
    scaled = apply(first, to_float(x), scale)
    return cast_tensor(apply(second, apply(prims.round, scaled), scale), x.dtype)


@on_one(
    "The fraction of each element, with its sign.", "Tensor([1.5, -2.25]) -> [ 0.5  -0.25]", takes="any", argument="x",
    method=True,
)  # fmt: skip
def frac(x: Tensor) -> Tensor:
    return apply(prims.subtract, x, apply(prims.trunc, x))


@on_one(
    "As `sign`; of complex numbers the number over its magnitude.", "Tensor([3 + 4j, 0j]) -> [0.6+0.8j 0. +0.j ]",
    takes="any", method=True,
)  # fmt: skip
def sgn(x: Tensor) -> Tensor:
    if not x.dtype.is_complex:
        return sign(x)
    size = apply(prims.absolute, x)
    size = apply(prims.select, apply(prims.equal, size, 0), 1, size)
    return apply(prims.divide, x, apply(prims.cast, size, dtype=x.dtype))


@on_one(
    "Whether the sign bit of each element is set (it is for -0.0).",
    "Tensor([-1.0, 2.0, -0.0]) -> [ True False  True]", takes="any", returns=_BOOL, numpy=True, method=True,
)  # fmt: skip
def signbit(x: Tensor) -> Tensor:
    if not x.dtype.is_float:
        return apply(prims.less, x, 0)
    # The angle of (1, x) has the sign of x, that of a zero too, which the quotient by it makes visible.
    zero = apply(prims.equal, x, 0.0)
    shown = apply(prims.select, zero, apply(prims.divide, 1.0, x), x)
    return apply(prims.less, shown, 0.0)


@on_one(
    "`sin(pi * x) / (pi * x)` of each element, and 1 at 0; of integers in Float32.",
    "Tensor([0.0, 0.5]) -> [1.         0.63661975]", takes="to_float", mint=True, method=True, primitive="Sinc",
)  # fmt: skip
def sinc(x: Tensor) -> Tensor:
    angle = apply(prims.multiply, x, math.pi)
    zero = apply(prims.equal, angle, 0.0)  # in kernels also where x is next to 0
    angle = apply(prims.select, zero, 1.0, angle)
    return apply(prims.select, zero, 1.0, apply(prims.divide, apply(prims.sin, angle), angle))


@on_one("Degrees in radians.", "Tensor([180.0]) -> [3.1415927]", argument="x", method=True)
def deg2rad(x: Tensor) -> Tensor:
    return apply(prims.multiply, x, math.pi / 180)


@on_one("Radians in degrees.", "Tensor([0.5]) -> [28.64789]", argument="x", method=True)
def rad2deg(x: Tensor) -> Tensor:
    return apply(prims.multiply, x, 180 / math.pi)


@known_as(method=True)
def logit(input: Tensor, eps: float | None = None) -> Tensor:
    """`log(x / (1 - x))` of each element, which with `eps` is first clamped to [eps, 1 - eps].

    Args:
        input: a floating-point tensor of any shape.
        eps: the bound; None: none.

    Raises:
        TypeError: if `input` is no Tensor, or the dtype is not a floating-point one.

    Examples:
        >>> print(ops.logit(Tensor([0.5])))
        [0.]
    """
    x = need_float(need_tensor(input, "logit"), "logit")
    if eps is not None:
        x = apply(prims.clip, x, float(eps), 1.0 - eps)
    return apply(prims.logit, x)


@known_as(numpy=True, method=True, primitive="Heaviside", shared=_shared)
def heaviside(input: Tensor, values: Tensor) -> Tensor:
    """0 where `input` is negative, `values` where it is 0, 1 where it is positive.

    Args:
        values: a tensor that can be broadcast with `input`.

    Examples:
        >>> print(ops.heaviside(Tensor([-1.0, 0.0, 2.0]), Tensor([0.5])))
        [0.  0.5 1. ]
    """
    x, y = promoted(need_tensor(input, "heaviside"), need_tensor(values, "heaviside", "values"))
    zero = as_tensor(0, x.dtype)
    step = apply(prims.select, apply(prims.greater, x, 0), as_tensor(1, x.dtype), zero)
    return apply(prims.select, apply(prims.equal, x, 0), y, step)


@on_one(
    "Whether each element is positive infinity.", 'Tensor([float("inf"), 1.0]) -> [ True False]', takes="any",
    returns=_BOOL, numpy=True, method=True,
)  # fmt: skip
def isposinf(x: Tensor) -> Tensor:
    return apply(prims.logical_and, apply(prims.isinf, x), apply(prims.greater, x, 0))


@on_one(
    "Whether each element is negative infinity.", 'Tensor([float("-inf"), 1.0]) -> [ True False]', takes="any",
    returns=_BOOL, everywhere="IsNegInf",
)  # fmt: skip
def isneginf(x: Tensor) -> Tensor:
    return apply(prims.logical_and, apply(prims.isinf, x), apply(prims.less, x, 0))


@known_as(mint=True, method=True, primitive="NanToNumExt", shared=_shared)
def nan_to_num(
    input: Tensor, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Tensor:
    """The elements with numbers in place of nan and infinities.

    Args:
        nan: in place of nan; None: 0.
        posinf: in place of inf; None: the largest number of the dtype.
        neginf: in place of -inf; None: the lowest number of the dtype.

    Examples:
        >>> print(ops.nan_to_num(Tensor([float("nan"), 1.0]), 9.0))
        [9. 1.]
    """
    x = need_tensor(input, "nan_to_num")
    if not x.dtype.is_float:
        return x
    limits = dtypes.limits(x.dtype)
    high = float(limits.max) if posinf is None else float(posinf)
    low = float(limits.min) if neginf is None else float(neginf)
    result = apply(prims.select, apply(prims.isnan, x), 0.0 if nan is None else float(nan), x)
    result = apply(prims.select, isposinf(x), high, result)
    return apply(prims.select, isneginf(x), low, result)


inv = unary(
    "inv", prims.reciprocal, "One over each element; `inverse` inverts matrices.",
    "Tensor([2, 4]) -> [0.5  0.25]", takes="to_float", argument="x",
    method=True, primitive="Inv",
)  # fmt: skip
