"""The elementary functions that kernels may call, by the names of the ops; each takes a `Builder` and its arguments."""

from __future__ import annotations

from collections.abc import Callable

from .builder import Value
from .exponentials import erf, erfc, exp, expm1, log, log1p, log2, log10, sigmoid
from .hyperbolic import acosh, asinh, atanh, cosh, sinh, tanh
from .powers import power
from .trigonometry import LARGEST, acos, asin, atan, atan2, cos, sin, tan

FUNCTIONS: dict[str, Callable[..., Value]] = {
    function.__name__: function
    for function in (
        *(exp, expm1, log, log1p, log2, log10, power, sigmoid, erf, erfc),
        *(sinh, cosh, tanh, asinh, acosh, atanh, asin, acos, atan, atan2),
    )
}
"""Right for every argument."""

BOUNDED: dict[str, tuple[Callable[..., Value], dict[int, float]]] = {
    function.__name__: (function, LARGEST) for function in (sin, cos, tan)
}
"""Right up to a size of the argument, by the kernel's width: beyond it, a kernel should leave them to NumPy."""
