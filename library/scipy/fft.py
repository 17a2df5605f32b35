"""MindSpore's `scipy.fft`: cosine transforms, orthonormal ones of type 2, by Fourier transforms of half the work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...frontend.values.operands import need_tensor, to_float, widened
from ...frontend.values.tensor import Tensor
from .. import functions as ops
from ..docstrings import like

__all__ = ["dct", "dctn", "idct", "idctn"]


def dct(x: Tensor, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """The discrete cosine transform of type 2 along an axis.

    Args:
        x: a tensor of numbers; halves and integers count as Float32.
        type: 2.
        n: how many elements count: the first ones, or zeros after the last. None: all.
        axis: the axis.
        norm: "ortho", or None, which means the same.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: for another type or norm, or if the axis is out of range.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import fft
        >>> print(fft.dct(Tensor([1.0, 1.0])))
        [1.4142135 0.       ]
    """
    return _along(x, type, n, axis, norm, False, "dct")


@like(dct)
def idct(x: Tensor, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """The inverse of `dct`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import fft
        >>> print(fft.idct(Tensor([2.0, 0.0, 0.0, 0.0])))
        [1. 1. 1. 1.]
    """
    return _along(x, type, n, axis, norm, True, "idct")


@like(dct)
def dctn(
    x: Tensor, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Tensor:
    """`dct` along several axes.

    Args:
        s: how many elements count along each axis; None: all.
        axes: the axes; None: all, or as many of the last ones as `s` has sizes.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import fft
        >>> print(fft.dctn(Tensor([[1.0, 1.0], [1.0, 1.0]])))
        [[2. 0.]
         [0. 0.]]
    """
    return _over(x, type, s, axes, norm, False, "dctn")


@like(dctn)
def idctn(
    x: Tensor, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Tensor:
    """The inverse of `dctn`.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import fft
        >>> print(fft.idctn(Tensor([[2.0, 0.0], [0.0, 0.0]])))
        [[1. 1.]
         [1. 1.]]
    """
    return _over(x, type, s, axes, norm, True, "idctn")


def _over(x: Tensor, type: int, s: Any, axes: Any, norm: str | None, inverse: bool, function: str) -> Tensor:
    rank = need_tensor(x, function, "x").ndim
    axes = tuple(range(-(rank if s is None else len(s)), 0)) if axes is None else axes
    if s is not None and len(s) != len(axes):
        raise ValueError(f"{function}: 's' should hold a size for each of the axes {axes}, but is {s}")
    for axis, size in zip(axes, (None,) * len(axes) if s is None else s, strict=True):
        x = _along(x, type, size, axis, norm, inverse, function)
    return x


def _along(x: Tensor, type: int, n: int | None, axis: int, norm: str | None, inverse: bool, function: str) -> Tensor:
    if type != 2 or norm not in (None, "ortho"):
        raise ValueError(f"{function}: 'type' should be 2 and 'norm' 'ortho', but got {type} and {norm!r}")
    values = ops.moveaxis(widened(to_float(need_tensor(x, function, "x"))), axis, -1)
    if n is not None:
        if n < 1:
            raise ValueError(f"{function}: 'n' should be positive, but got {n}")
        values = ops.pad(values[..., :n], (0, max(n - int(values.shape[-1]), 0)))
    transform = _inverse if inverse else _forward
    if values.dtype.is_complex:
        result = ops.add(transform(ops.real(values)), ops.mul(transform(ops.imag(values)), Tensor(1j, values.dtype)))
    else:
        result = transform(values)
    return ops.moveaxis(result, -1, axis)


def _factors(x: Tensor) -> tuple[Tensor, Tensor]:
    """The scales, and the rotations from the Fourier transform of the even elements before the odd ones backwards."""
    count = int(x.shape[-1])
    scales = np.full(count, np.sqrt(2 / count))
    scales[0] = np.sqrt(1 / count)
    turns = np.exp(-0.5j * np.pi * np.arange(count) / count)
    return Tensor(scales, x.dtype), Tensor(turns.astype(np.result_type(x.dtype.np, np.complex64)))


def _forward(x: Tensor) -> Tensor:
    scales, turns = _factors(x)
    order = ops.concat((x[..., ::2], ops.flip(x[..., 1::2], (-1,))), -1) if x.shape[-1] > 1 else x
    return ops.mul(ops.real(ops.mul(ops.fft(order), turns)), scales)


def _inverse(x: Tensor) -> Tensor:
    scales, turns = _factors(x)
    count = int(x.shape[-1])
    if count == 1:
        return x
    x = ops.div(x, scales)
    mirrored = ops.pad(ops.flip(x[..., 1:], (-1,)), (1, 0))
    spectrum = ops.mul(ops.sub(x, ops.mul(mirrored, Tensor(1j, turns.dtype))), ops.conj(turns))
    order = ops.real(ops.ifft(spectrum))
    half = (count + 1) // 2
    odd = ops.pad(ops.flip(order[..., half:], (-1,)), (0, 2 * half - count))
    together = ops.stack((order[..., :half], odd), -1)
    return ops.reshape(together, (*x.shape[:-1], 2 * half))[..., :count]
