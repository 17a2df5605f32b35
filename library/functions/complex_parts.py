"""Complex numbers and their parts: real, imag, conj, angle, polar, view_as_real."""

from __future__ import annotations

import math

from ...compiler import ops as prims
from ...frontend.values.dispatch import apply
from ...frontend.values.operands import need_tensor, promoted
from ...frontend.values.tensor import Tensor
from .table import known_as, on_one

__all__ = [
    "angle", "conj", "imag", "polar", "real", "view_as_real",
]  # fmt: skip


@on_one(
    "The real parts of the elements.", "Tensor([1.0]) -> [1.]", takes="any", returns="a real tensor of the same shape",
    mint=True, method=True, primitive="Real RealView",
)  # fmt: skip
def real(x: Tensor) -> Tensor:
    return apply(prims.real, x) if x.dtype.is_complex else x


@on_one(
    "The imaginary parts of the elements.", "Tensor([1.0]) -> [0.]", takes="any",
    returns="a real tensor of the same shape", mint=True, method=True, primitive="Imag ImagView",
)  # fmt: skip
def imag(x: Tensor) -> Tensor:
    return apply(prims.imag, x)


@on_one(
    "The elements with their imaginary parts negated.", "Tensor([1.0]) -> [1.]", takes="any", method=True,
    primitive="Conj",
)  # fmt: skip
def conj(x: Tensor) -> Tensor:
    return apply(prims.conj, x) if x.dtype.is_complex else x


@on_one(
    "The angles of complex numbers, in radians; of real ones 0 or pi.", "Tensor([1.0, -1.0]) -> [0.        3.1415927]",
    takes="to_float", returns="a real tensor of the same shape", method=True, primitive="Angle",
)  # fmt: skip
def angle(x: Tensor) -> Tensor:
    if x.dtype.is_complex:
        return apply(prims.atan2, apply(prims.imag, x), apply(prims.real, x))
    return apply(prims.select, apply(prims.less, x, 0.0), math.pi, apply(prims.multiply, x, 0.0))


@known_as(mint=True, primitive="Polar")
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """Complex numbers of these magnitudes and angles.

    Args:
        abs, angle: floating-point tensors of shapes that can be broadcast together.

    Examples:
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
