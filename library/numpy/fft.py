"""MindSpore's `numpy.fft`: Fourier transforms with NumPy's argument names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...frontend.values.tensor import Tensor
from .. import functions as ops
from ..docstrings import docstring as _docstring, like as _like
from ..functions.documentation import Parts
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
    function.__doc__ = _documented(name, {"dim": "axis"} if name in ONE_AXIS.split() else {"dim": "axes"})
    return function


def _documented(name: str, renamed: Mapping[str, str]) -> str:
    """The docstring of the function of `ops`, with the names that arguments have here."""
    parts = Parts(_docstring(getattr(ops, name)))
    parts.example(lambda line: line.replace(f"ops.{name}(", f"fft.{name}("))
    examples = parts.sections["Examples"].replace("ops\n", "numpy\n    >>> fft = numpy.fft\n")
    parts.sections["Examples"] = examples
    operand = "a tensor, or a nested sequence of numbers, of at least one dimension"
    others = {renamed.get(key, key): text for key, text in parts.arguments.items() if key != "input"}
    return parts.text(({"a": operand} if "input" in parts.arguments else {}) | others)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _one(name) for name in ONE_AXIS.split()},
    **{f"{name}2": _several(f"{name}2", (-2, -1)) for name in ONE_AXIS.split()},
    **{f"{name}n": _several(f"{name}n", None) for name in ONE_AXIS.split()},
}
globals().update(_FUNCTIONS)
__all__ = [*_FUNCTIONS, "fftfreq", "fftshift", "ifftshift", "rfftfreq"]


def fftshift(x: Any, axes: Any = None) -> Tensor:
    """The array with the zero frequency in the middle of the axes.

    Args:
        x: a tensor or nested sequence of numbers, of any shape.
        axes: an int or a tuple; None: all.

    Raises:
        ValueError: if an axis is out of range.

    Examples:
        >>> from mycel.numpy import fft
        >>> print(fft.fftshift([0, 1, 2, 3]))
        [2 3 0 1]
    """
    return ops.fftshift(tensor_of(x), axes)


@_like(fftshift)
def ifftshift(x: Any, axes: Any = None) -> Tensor:
    """The array with the zero frequency at the beginning of the axes: the inverse of `fftshift`.

    Examples:
        >>> print(fft.ifftshift([2, 3, 0, 1]))
        [0 1 2 3]
    """
    return ops.ifftshift(tensor_of(x), axes)


def fftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies of the n elements that `fft` gives, for samples a distance of d apart.

    Args:
        n: the number of elements.
        d: the distance between samples.
        dtype: the dtype; None: Float32.

    Raises:
        ValueError: if n is not positive.

    Examples:
        >>> from mycel.numpy import fft
        >>> print(fft.fftfreq(4))
        [ 0.    0.25 -0.5  -0.25]
    """
    return in_dtype(ops.fftfreq(n, d), dtype)


@_like(fftfreq)
def rfftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies of the elements that `rfft` gives for n samples a distance of d apart.

    Examples:
        >>> print(fft.rfftfreq(4))
        [0.   0.25 0.5 ]
    """
    return in_dtype(ops.rfftfreq(n, d), dtype)
