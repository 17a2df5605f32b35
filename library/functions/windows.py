"""Window functions of signal processing, as vectors, and the short-time Fourier transform."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import choice, cut, need_flags, whole_number
from ...frontend.values.dispatch import apply, promote
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import Shared
from .array_gather import gather
from .array_pad import pad, pad_with_itself
from .array_shape import swapaxes
from .creation import constant, number_of, ones
from .documentation import common
from .fourier import fft, rfft
from .math import mul
from .representation import view_as_real

__all__ = ["bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window", "stft"]

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
    need_flags(function, periodic=periodic)
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


@common
def stft(
    x: Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Tensor | None = None,
    center: bool = True, pad_mode: str = "REFLECT", normalized: bool = False, onesided: bool | None = None,
    return_complex: bool | None = None,
) -> Tensor:  # fmt: skip
    """The short-time Fourier transform: the spectra of windows that move over a signal.

    Args:
        x: the signal, of shape (L) or (B, L).
        n_fft: how many numbers each transform takes.
        hop_length: how far the window moves; None: n_fft // 4.
        win_length: the length of the window; None: n_fft. A shorter one has zeros on both sides.
        window: a tensor of shape (win_length), the factors; None: ones.
        center: whether n_fft // 2 numbers are put before and after the signal first.
        pad_mode: which ones: "REFLECT", "SYMMETRIC" or "CONSTANT" (zeros).
        normalized: whether the spectra are divided by the root of n_fft.
        onesided: whether only the first n_fft // 2 + 1 frequencies are given; None: for real signals and windows.
        return_complex: whether the result is complex, or has a last axis for the real and imaginary parts; None: it is
            complex where the signal or the window is.

    Returns:
        A tensor of shape (N, T) or (B, N, T), for N frequencies of T windows.

    Raises:
        ValueError: for shapes or lengths that do not fit.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.stft(ms.Tensor([1.0, 0.0, -1.0, 0.0]), 4, center=False, return_complex=True)[:, 0])
        [0.+0.j 2.+0.j 0.+0.j]
    """
    x, size = need_tensor(x, "stft", "x"), whole_number(n_fft, "stft", "n_fft")
    if x.ndim not in (1, 2):
        raise ValueError(f"stft: 'x' should have one or two dimensions, but has shape {x.shape}")
    length = size if win_length is None else whole_number(win_length, "stft", "win_length")
    hop = size // 4 if hop_length is None else whole_number(hop_length, "stft", "hop_length")
    factors = ones(length, dtypes.float32) if window is None else need_tensor(window, "stft", "window")
    if not 0 < length <= size or hop < 1 or factors.shape != (length,):
        raise ValueError(
            f"stft: 'n_fft' {size}, 'win_length' {length}, 'hop_length' {hop} and a window of shape {factors.shape} do "
            "not fit: the window should have win_length numbers, at most n_fft, and move by at least one"
        )
    is_complex = x.dtype.is_complex or factors.dtype.is_complex
    if center:
        choice(pad_mode, ("REFLECT", "SYMMETRIC", "CONSTANT"), "stft", "pad_mode")
        widths = [(0, 0)] * (x.ndim - 1) + [(size // 2, size // 2)]
        zeros = pad_mode == "CONSTANT"
        x = pad(x, widths[-1]) if zeros else pad_with_itself(x, widths, pad_mode.lower())
    result = windowed_spectra(x, factors, size, hop, normalized, not is_complex if onesided is None else onesided)
    return result if (is_complex if return_complex is None else return_complex) else view_as_real(result)


def windowed_spectra(x: Tensor, window: Tensor, n_fft: int, hop: int, normalized: bool, onesided: bool) -> Tensor:
    """The complex spectra of the windows of a signal, as it is."""
    count = (int(x.shape[-1]) - n_fft) // hop + 1
    if count < 1:
        raise ValueError(f"stft: a signal of {x.shape[-1]} numbers has no window of {n_fft}")
    places = Tensor(np.arange(count)[:, None] * hop + np.arange(n_fft))
    before = (n_fft - int(window.shape[0])) // 2
    window = pad(window, (before, n_fft - int(window.shape[0]) - before))
    x, window = promote(x, window)
    frames = mul(gather(x, places, -1), window)
    if onesided and not frames.dtype.is_complex:
        spectra = rfft(frames)
    else:
        spectra = fft(frames)
        spectra = cut(spectra, spectra.ndim - 1, 0, n_fft // 2 + 1) if onesided else spectra
    if normalized:
        spectra = apply(prims.divide, spectra, float(n_fft) ** 0.5)
    return swapaxes(spectra, -1, -2)


def stft_primitive(self: Any, x: Tensor, window: Tensor) -> Tensor:
    """What the primitive STFT computes."""
    result = windowed_spectra(x, window, self.n_fft, self.hop_length, self.normalized, self.onesided)
    return result if self.return_complex else view_as_real(result)
