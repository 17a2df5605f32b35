"""Gated linear units."""

from __future__ import annotations

from ...compiler import ops as prims
from ...frontend.values.arguments import one_axis
from ...frontend.values.dispatch import apply
from ...frontend.values.operands import floating
from ...frontend.values.tensor import Tensor
from .array_split import split
from .documentation import common
from .nn_activation import silu
from .table import known_as

__all__ = ["glu", "swiglu"]


def _halves(x: Tensor, axis: int, function: str) -> tuple[Tensor, ...]:
    place = one_axis(axis, x.ndim, function)
    length = int(x.shape[place])
    if length % 2:
        raise ValueError(f"{function}: dimension {place} of shape {x.shape} should be even")
    return split(x, length // 2, place)


@common
def glu(x: Tensor, axis: int = -1) -> Tensor:
    """The first half along an axis times the sigmoid of the second. ValueError if it is of odd size.

    Args:
        x: a floating-point tensor of any shape.

    Raises:
        ValueError: if `axis` is out of range, or the axis is of odd size.

    Examples:
        >>> print(ops.glu(Tensor([1.0, 0.0])))
        [0.5]
    """
    first, second = _halves(floating(x, "glu", "x"), axis, "glu")
    return apply(prims.multiply, first, apply(prims.sigmoid, second))


@known_as(primitive="Swiglu", shared=common)
def swiglu(input: Tensor, dim: int = -1) -> Tensor:
    """The silu of the first half along a dimension times the second half.

    Args:
        input: a floating-point tensor of any shape.
        dim: the dimension; a negative one counts from the end.

    Raises:
        ValueError: if `dim` is out of range, or the dimension is of odd size.

    Examples:
        >>> print(ops.swiglu(Tensor([1.0, 2.0])))
        [1.4621172]
    """
    first, second = _halves(floating(input, "swiglu"), dim, "swiglu")
    return apply(prims.multiply, silu(first), second)
