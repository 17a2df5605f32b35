"""The short-time Fourier transform."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import choice, cut, whole_number
from ...frontend.values.dispatch import apply, promote
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .array_gather import gather
from .array_pad import pad, pad_with_itself
from .array_shape import swapaxes
from .complex_parts import view_as_real
from .creation import ones
from .documentation import common
from .fourier import fft, rfft
from .math import mul

__all__ = ["stft"]


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
