"""The discrete Fourier transform, from which all others are composed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir.attributes import FLAG, INTS
from ..ir.op import Op, Sample
from ..ir.types import TensorType
from .batching import shifted

Array = np.ndarray


def _infer(x: TensorType, *, axes: tuple[int, ...], inverse: bool) -> TensorType:
    if not x.dtype.is_complex:
        raise TypeError(f"dft: complex numbers are needed, but got {x.dtype}")
    if any(not 0 <= axis < x.rank for axis in axes):
        raise ValueError(f"dft: axes should be in [0, {x.rank}), but got {axes}")
    return x


def _kernel(x: Array, *, axes: tuple[int, ...], inverse: bool) -> Array:
    if 0 in x.shape:
        return x.copy()
    # Without a factor: the caller scales the inverse.
    result = np.fft.ifftn(x, axes=axes, norm="forward") if inverse else np.fft.fftn(x, axes=axes)
    return result.astype(x.dtype, copy=False)


def _samples() -> list[Sample]:
    draw = np.random.default_rng(0)

    def numbers(*shape: int) -> Array:
        return draw.uniform(-1, 1, shape) + 1j * draw.uniform(-1, 1, shape)

    return [
        Sample((numbers(2, 5),), {"axes": (1,), "inverse": False}, gradient=False),
        Sample((numbers(3, 2, 4),), {"axes": (0, 2), "inverse": True}, gradient=False),
    ]


def _vjp(x: Any, out: Any, dout: Any, *, axes: tuple[int, ...], inverse: bool) -> Any:
    """The matrix of the transform is symmetric, so the gradient is the same transform."""
    return dft(dout, axes=axes, inverse=inverse)


dft: Op = Op(
    "dft",
    attrs={"axes": INTS, "inverse": FLAG},
    infer=_infer,
    kernel=_kernel,
    vjp=_vjp,
    batch=shifted("axes"),
    samples=_samples,
    doc="The discrete Fourier transform over axes, or the inverse one times the number of elements.",
)
