"""The elementary functions that kernels may call, by the names of the ops. Each takes a `Builder` and its arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from .builder import LESS, Builder, Value
from .exponentials import erf, erfc, exp, expm1, log, log1p, log2, log10, sigmoid
from .hyperbolic import acosh, asinh, atanh, cosh, sinh, tanh
from .powers import power
from .trigonometry import LARGEST, acos, asin, atan, atan2, cos, sin, tan


def _of_any_size(function: Callable[[Builder, Value], Value]) -> Callable[[Builder, Value], Value]:
    """The function for all arguments: it is right up to a size, and beyond that the C library is called."""

    @wraps(function)
    def whole(b: Builder, x: Value) -> Value:
        amount = b.bit_and_not(b.constant(-0.0, x.dtype), x)
        large = b.compare(b.constant(LARGEST[b.width], x.dtype), amount, LESS)
        name = function.__name__ + ("f" if b.width == 4 else "")
        return b.with_calls(x, large, function(b, x), name)

    return whole


FUNCTIONS: dict[str, Callable[..., Value]] = {
    function.__name__: function
    for function in (
        *(exp, expm1, log, log1p, log2, log10, power, sigmoid, erf, erfc),
        *(sinh, cosh, tanh, asinh, acosh, atanh, asin, acos, atan, atan2),
    )
}
FUNCTIONS |= {function.__name__: _of_any_size(function) for function in (sin, cos, tan)}
