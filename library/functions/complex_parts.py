"""Complex numbers and their parts: real, imag, conj, angle, polar, view_as_real."""

from __future__ import annotations

import math

from ...compiler import ops as prims
from ...frontend.values.dispatch import apply
from ...frontend.values.operands import (
    need_tensor,
    promoted,
    to_float,
)
from ...frontend.values.tensor import Tensor
from .documentation import common
from .table import known_as

__all__ = [
    "angle", "conj", "imag", "polar", "real", "view_as_real",
]  # fmt: skip


@known_as(mint=True, method=True, primitive="Real RealView")
@common
def real(input: Tensor) -> Tensor:
    """The real parts of the elements.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.real(Tensor([1.0])))
        [1.]
    """
    x = need_tensor(input, "real")
    return apply(prims.real, x) if x.dtype.is_complex else x


@known_as(mint=True, method=True, primitive="Imag ImagView")
@common
def imag(input: Tensor) -> Tensor:
    """The imaginary parts of the elements.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.imag(Tensor([1.0])))
        [0.]
    """
    return apply(prims.imag, need_tensor(input, "imag"))


@known_as(method=True, primitive="Conj")
@common
def conj(input: Tensor) -> Tensor:
    """The elements with their imaginary parts negated.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.conj(Tensor([1.0])))
        [1.]
    """
    x = need_tensor(input, "conj")
    return apply(prims.conj, x) if x.dtype.is_complex else x


@known_as(method=True, primitive="Angle")
@common
def angle(input: Tensor) -> Tensor:
    """The angles of complex numbers, in radians; of real ones 0 or pi.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.angle(Tensor([1.0, -1.0])))
        [0.        3.1415927]
    """
    x = to_float(need_tensor(input, "angle"))
    if x.dtype.is_complex:
        return apply(prims.atan2, apply(prims.imag, x), apply(prims.real, x))
    return apply(prims.select, apply(prims.less, x, 0.0), math.pi, apply(prims.multiply, x, 0.0))


@known_as(mint=True, primitive="Polar")
@common
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """Complex numbers of these magnitudes and angles.

    Args:
        abs, angle: floating-point tensors of shapes that can be broadcast together.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.polar(Tensor([2.0]), Tensor([0.0])))
        [2.+0.j]
    """
    radius, turn = promoted(need_tensor(abs, "polar", "abs"), need_tensor(angle, "polar", "angle"))
    x = apply(prims.multiply, radius, apply(prims.cos, turn))
    y = apply(prims.multiply, radius, apply(prims.sin, turn))
    return apply(prims.complex, x, y)


def view_as_real(input: Tensor) -> Tensor:
    """Complex numbers as pairs of real and imaginary part along a new last dimension.

    Args:
        input: a complex tensor of any shape.

    Raises:
        TypeError: if `input` is not complex.

    Examples:
        >>> import numpy as np
        >>> from mycel import Tensor, ops
        >>> print(ops.view_as_real(Tensor(np.array([1 + 2j], np.complex64))))
        [[1. 2.]]
    """
    x = need_tensor(input, "view_as_real")
    if not x.dtype.is_complex:
        raise TypeError(f"view_as_real: 'input' should be complex, but its dtype is {x.dtype}")
    parts = []
    for op in (prims.real, prims.imag):
        part = apply(op, x)
        step, attrs = prims.insert_axes_step(part._type, (part.ndim,))
        parts.append(apply(step, part, **attrs))
    return apply(prims.concatenate, *parts, axis=x.ndim)
