"""The gamma function, Bessel functions and their kin, elementwise."""

from __future__ import annotations

import math
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.op import Op
from ...frontend.values.arguments import whole_number
from ...frontend.values.dispatch import apply
from ...frontend.values.operands import need_float, need_tensor
from ...frontend.values.tensor import Tensor
from .table import OfOne, OfTwo, Pair, in_one_dtype, known_as, on_one, on_two, unary

_BESSEL = {  # and what each gives for 1
    "i0": "1.2660658", "i0e": "0.4657596", "i1": "0.5651591", "i1e": "0.20791042", "j0": "0.7651977",
    "j1": "0.44005057", "k0": "0.42102444", "k0e": "1.1444631", "k1": "0.60190725", "k1e": "1.6361535",
    "y0": "0.08825696", "y1": "-0.7812128",
}  # fmt: skip
__all__ = [
    "betainc",
    *[f"bessel_{name}" for name in _BESSEL],
    "digamma",
    "i0",
    "igamma",
    "igammac",
    "lgamma",
    "mvlgamma",
    "polygamma",
    "zeta",
]


digamma = unary(
    "digamma", prims.digamma, "The derivative of `lgamma` at each element.", "Tensor([1.0]) -> [-0.5772157]",
    method=True, primitive="Digamma",
)  # fmt: skip


@on_one(
    "Logarithm of the magnitude of the gamma function of each element; of integers in Float32.",
    "Tensor([3.0]) -> [0.6931472]", takes="to_float", also="gammaln", method=True, primitive="Lgamma",
)  # fmt: skip
def lgamma(x: Tensor) -> Tensor:
    return apply(prims.lgamma, x)


def polygamma(n: int, input: Tensor) -> Tensor:
    """The n-th derivative of `digamma` at each element.

    Args:
        n: the order, an int.
        input: a floating-point tensor of any shape.

    Raises:
        TypeError: if `input` is not of a floating-point dtype.
        ValueError: if n is negative or above 170, from where on the factorial of n is beyond all floats.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.polygamma(1, Tensor([1.0])))
        [1.644934]
    """
    x = need_float(need_tensor(input, "polygamma"), "polygamma", complex_too=False)
    order = whole_number(n, "polygamma", "n")
    if order < 0:
        raise ValueError(f"polygamma: 'n' should not be negative, but got {order}")
    if order > 170:
        raise ValueError(f"polygamma: 'n' should be at most 170, as the factorial of {order} is beyond all floats")
    return apply(prims.digamma, x) if order == 0 else apply(prims.polygamma, x, n=order)


@known_as(method=True)
def mvlgamma(input: Tensor, p: int) -> Tensor:
    """Logarithm of the multivariate gamma function of dimension p of each element.

    Args:
        input: a floating-point tensor of any shape.
        p: the dimension, an int.

    Raises:
        TypeError: if `input` is not of a floating-point dtype.
        ValueError: if p is below 1.

    Examples:
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


def _bessel(name: str) -> OfOne:
    op: Op = getattr(prims, f"bessel_{name}")
    sentence = op.doc.removesuffix(".") + ", of each element."
    example = f"Tensor([1.0]) -> [{_BESSEL[name]}]"
    return unary(f"bessel_{name}", op, sentence, example, argument="x", primitive=f"Bessel{name.capitalize()}")


bessel_i0, bessel_i0e, bessel_i1, bessel_i1e = map(_bessel, ("i0", "i0e", "i1", "i1e"))
bessel_j0, bessel_j1 = map(_bessel, ("j0", "j1"))
bessel_k0, bessel_k0e, bessel_k1, bessel_k1e = map(_bessel, ("k0", "k0e", "k1", "k1e"))
bessel_y0, bessel_y1 = map(_bessel, ("y0", "y1"))


@on_one("As `bessel_i0`, of integers in Float32.", "Tensor([0.0]) -> [1.]", takes="to_float", method=True)
def i0(x: Tensor) -> Tensor:
    return bessel_i0(x)


def _real_floats(input: Any, other: Any, name: str, names: tuple[str, str]) -> tuple[Any, Any]:
    """Two operands in one floating-point dtype, at least one of them a tensor."""
    if not isinstance(input, Tensor) and not isinstance(other, Tensor):
        raise TypeError(f"{name}: at least one operand should be a Tensor")
    x, y = in_one_dtype(input, other, name, names)
    for value in (x, y):
        if isinstance(value, Tensor):
            need_float(value, name, complex_too=False)
    return x, y


_FLOATS = Pair(
    _real_floats,
    "floating-point tensors of shapes that can be broadcast together; one may be a number",
    "if an operand is not of a floating-point dtype, or none is a Tensor.",
)


def _of_floats(op: Op, summary: str, printed: str, primitive: str, **names: Any) -> OfTwo:
    """The function of an op on two floating-point operands."""

    def compute(x: Any, y: Any) -> Tensor:
        return apply(op, x, y)

    compute.__name__ = op.name
    first = "2.0" if op is prims.zeta else "1.0"
    return on_two(summary, f"Tensor([{first}]), Tensor([1.0]) -> [{printed}]", _FLOATS, primitive=primitive, **names)(
        compute
    )


igamma = _of_floats(
    prims.igamma, "The regularised lower incomplete gamma function P(input, other) of each pair of elements.",
    "0.63212055", "Igamma", method=True,
)  # fmt: skip
igammac = _of_floats(
    prims.igammac,
    "The regularised upper incomplete gamma function Q(input, other): 1 less `igamma`, precise where that is tiny.",
    "0.36787945", "Igammac", method=True,
)  # fmt: skip
zeta = _of_floats(
    prims.zeta, "Hurwitz's zeta function: the sum of (other + k) ** -input over k = 0, 1, …, without a gradient.",
    "1.644934", "Zeta",
)  # fmt: skip


@known_as(primitive="Betainc")
def betainc(a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """The regularised incomplete beta function of x in [0, 1] with the parameters a and b; differentiable by x.

    Args:
        a, b, x: floating-point tensors of shapes that can be broadcast together.

    Raises:
        TypeError: if an operand is not a floating-point Tensor.

    Examples:
        >>> print(ops.betainc(Tensor([1.0]), Tensor([1.0]), Tensor([0.5])))
        [0.5]
    """
    operands = [need_float(need_tensor(value, "betainc"), "betainc", complex_too=False) for value in (a, b, x)]
    result: Tensor = apply(prims.betainc, *operands)
    return result
