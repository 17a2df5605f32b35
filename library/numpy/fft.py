"""MindSpore's `numpy.fft`: Fourier transforms with NumPy's argument names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...frontend.values.tensor import Tensor
from .. import functions as ops
from .elementwise import in_dtype, tensor_of

ONE_AXIS = "fft ifft rfft irfft hfft ihfft"


def _one(name: str) -> Callable[..., Tensor]:
    def transform(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
        return getattr(ops, name)(tensor_of(a), n, axis, norm)

    return _named(transform, name)


def _several(name: str, default: Any) -> Callable[..., Tensor]:
    def transform(a: Any, s: Any = None, axes: Any = default, norm: str | None = None) -> Tensor:
        return getattr(ops, name)(tensor_of(a), s, axes, norm)

    return _named(transform, name)


def _named(function: Callable[..., Tensor], name: str) -> Callable[..., Tensor]:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"As `ops.{name}`, also of sequences."
    return function


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _one(name) for name in ONE_AXIS.split()},
    **{f"{name}2": _several(f"{name}2", (-2, -1)) for name in ONE_AXIS.split()},
    **{f"{name}n": _several(f"{name}n", None) for name in ONE_AXIS.split()},
}
globals().update(_FUNCTIONS)
__all__ = [*_FUNCTIONS, "fftfreq", "fftshift", "ifftshift", "rfftfreq"]


def fftshift(x: Any, axes: Any = None) -> Tensor:
    """The array with the zero frequency in the middle of the axes (None: all)."""
    return ops.fftshift(tensor_of(x), axes)


def ifftshift(x: Any, axes: Any = None) -> Tensor:
    """The reverse of `fftshift`."""
    return ops.ifftshift(tensor_of(x), axes)


def fftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies of the n elements that `fft` gives, for samples a distance of d apart."""
    return in_dtype(ops.fftfreq(n, d), dtype)


def rfftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies of the elements that `rfft` gives for n samples a distance of d apart."""
    return in_dtype(ops.rfftfreq(n, d), dtype)
