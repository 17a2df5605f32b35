"""The error function, the gamma function and their kin, elementwise."""

from __future__ import annotations

import math
from collections.abc import Callable

from ...compiler import ops as prims
from ...compiler.op import Op
from ...runtime import dtypes
from ..dispatch import apply, cast
from ..tensor import Tensor
from .operands import need_float, need_tensor, unary

__all__ = ["digamma", "erf", "erfc", "erfinv", "gammaln", "lgamma", "mvlgamma", "polygamma"]


def _special(op: Op, name: str, sentence: str, value: str, result: str) -> Callable[[Tensor], Tensor]:
    return unary(
        op,
        name,
        f"{sentence}\n\n    Raises:\n        TypeError: if `input` is no Tensor, or not of a floating-point dtype.\n\n"
        f"    Examples:\n        >>> from mycel import Tensor, ops\n        >>> print(ops.{name}(Tensor({value})))\n"
        f"        {result}\n    ",
    )


erf = _special(prims.erf, "erf", "The error function of each element.", "[0.0]", "[0.]")
erfc = _special(
    prims.erfc, "erfc", "One less the error function of each element, exact for large ones.", "[0.0]", "[1.]"
)
erfinv = _special(prims.erfinv, "erfinv", "What the error function takes to each element.", "[0.0]", "[0.]")
digamma = _special(prims.digamma, "digamma", "The derivative of `lgamma` at each element.", "[1.0]", "[-0.5772157]")


def lgamma(input: Tensor) -> Tensor:
    """Logarithm of the magnitude of the gamma function of each element; of integers in Float32.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.lgamma(Tensor([3.0])))
        [0.6931472]
    """
    x = need_tensor(input, "lgamma")
    return apply(prims.lgamma, x if x.dtype.is_float else cast(x, dtypes.float32))


def gammaln(input: Tensor) -> Tensor:
    """As `lgamma`."""
    return lgamma(input)


def polygamma(n: int, input: Tensor) -> Tensor:
    """The n-th derivative of `digamma` at each element.

    Raises:
        TypeError: if `input` is not of a floating-point dtype.
        ValueError: if n is negative.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.polygamma(1, Tensor([1.0])))
        [1.644934]
    """
    x = need_float(need_tensor(input, "polygamma"), "polygamma", complex_too=False)
    order = int(n)
    if order < 0:
        raise ValueError(f"polygamma: 'n' should not be negative, but got {order}")
    return apply(prims.digamma, x) if order == 0 else apply(prims.polygamma, x, n=order)


def mvlgamma(input: Tensor, p: int) -> Tensor:
    """Logarithm of the multivariate gamma function of dimension p of each element.

    Raises:
        TypeError: if `input` is not of a floating-point dtype.
        ValueError: if p is below 1.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.mvlgamma(Tensor([3.0]), 2))
        [1.550195]
    """
    x = need_float(need_tensor(input, "mvlgamma"), "mvlgamma", complex_too=False)
    if p < 1:
        raise ValueError(f"mvlgamma: 'p' should be at least 1, but got {p}")
    total = apply(prims.lgamma, x)
    for step in range(1, p):
        total = apply(prims.add, total, apply(prims.lgamma, apply(prims.subtract, x, step / 2)))
    return apply(prims.add, total, p * (p - 1) / 4 * math.log(math.pi))
