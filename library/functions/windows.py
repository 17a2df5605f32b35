"""Window functions of signal processing, as vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import Shared
from .creation import constant, number_of
from .documentation import common

__all__ = ["bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window"]

_shared = Shared(
    """
    Args:
        window_length: the length, an int.
        periodic: whether the window is one period.
        dtype: the dtype; None: Float32.

    Raises:
        ValueError: if the length is negative.
    """,
    common,
)


def _window(
    values: Callable[[int], np.ndarray], length: Any, periodic: bool, dtype: Any, usual: dtypes.DType, function: str
) -> Tensor:
    """A symmetric window, or one period of it: the symmetric window of one more element, without the last."""
    size = number_of(length, function, "window_length")
    if isinstance(size, (bool, float)):
        raise TypeError(f"{function}: 'window_length' should be an int, but got {size!r}")
    if size < 0:
        raise ValueError(f"{function}: 'window_length' should not be negative, but got {size}")
    wanted = dtypes.as_dtype(dtype) if dtype is not None else usual
    array = values(size + 1)[:-1] if periodic and size > 1 else values(size)
    return constant(array.astype(wanted.np))


@_shared
def bartlett_window(window_length: Any, periodic: bool = True, *, dtype: Any = None) -> Tensor:
    """The triangular window.

    Args:
        window_length: how many elements, an int or a tensor of one.
        periodic: whether it is one period, in place of symmetric.

    Raises:
        TypeError: if `window_length` is no int.
        ValueError: if it is negative.

    Examples:
        >>> from mycel import ops
        >>> print(ops.bartlett_window(5, periodic=False))
        [0.  0.5 1.  0.5 0. ]
    """
    return _window(np.bartlett, window_length, periodic, dtype, dtypes.float32, "bartlett_window")


@_shared
def blackman_window(window_length: Any, periodic: bool = True, *, dtype: Any = None) -> Tensor:
    """The Blackman window, Float32 without `dtype`; arguments and errors as for `bartlett_window`.

    Examples:
        >>> from mycel import ops
        >>> print(ops.blackman_window(5).shape)
        (5,)
    """

    def values(size: int) -> np.ndarray:
        return np.maximum(np.blackman(size), 0)  # rounding leaves -1e-17 at the ends

    return _window(values, window_length, periodic, dtype, dtypes.float32, "blackman_window")


@_shared
def hamming_window(
    window_length: Any, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, *, dtype: Any = None
) -> Tensor:
    """The window `alpha - beta * cos`, Float32 without `dtype`; arguments and errors as for `bartlett_window`.

    Args:
        alpha, beta: the coefficients.

    Examples:
        >>> from mycel import ops
        >>> print(ops.hamming_window(5).shape)
        (5,)
    """

    def values(size: int) -> np.ndarray:
        if size == 1:
            return np.ones(1)
        return np.asarray(alpha - beta * np.cos(2 * np.pi * np.arange(size) / max(size - 1, 1)))

    return _window(values, window_length, periodic, dtype, dtypes.float32, "hamming_window")


@_shared
def hann_window(window_length: Any, periodic: bool = True, *, dtype: Any = None) -> Tensor:
    """The Hann window, Float64 without `dtype`; arguments and errors as for `bartlett_window`.

    Args:
        dtype: the dtype; None: Float64.

    Examples:
        >>> from mycel import ops
        >>> print(ops.hann_window(5).shape)
        (5,)
    """
    return _window(np.hanning, window_length, periodic, dtype, dtypes.float64, "hann_window")


@_shared
def kaiser_window(window_length: Any, periodic: bool = True, beta: float = 12.0, *, dtype: Any = None) -> Tensor:
    """The Kaiser window of a shape `beta`, Float64 without `dtype`; arguments and errors as for `bartlett_window`.

    Args:
        beta: the shape of the window.
        dtype: the dtype; None: Float64.

    Examples:
        >>> from mycel import ops
        >>> print(ops.kaiser_window(5).shape)
        (5,)
    """
    return _window(lambda size: np.kaiser(size, beta), window_length, periodic, dtype, dtypes.float64, "kaiser_window")
