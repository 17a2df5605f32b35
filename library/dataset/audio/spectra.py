"""Spectrograms of waveforms: short-time Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from .base import Array, AudioTransform, one_of, positive
from .choices import BorderType, WindowType

__all__ = ["SpectralCentroid", "Spectrogram"]


def window_of(kind: WindowType, size: int) -> Array:
    """A periodic window."""
    makers: dict[WindowType, Any] = {
        WindowType.BARTLETT: np.bartlett, WindowType.BLACKMAN: np.blackman, WindowType.HAMMING: np.hamming,
        WindowType.HANN: np.hanning, WindowType.KAISER: lambda n: np.kaiser(n, 12.0),
    }  # fmt: skip
    return np.asarray(makers[kind](size + 1)[:size])


class Spectrogram(AudioTransform):
    """The powers of frequencies (..., freq, time) of a waveform.

    Args:
        n_fft: the size of the Fourier transforms.
        win_length: the size of the window; None: `n_fft`.
        hop_length: how many samples lie between windows; None: half a window.
        pad: how many zeros are put at both ends.
        window: its kind.
        power: 1 for magnitudes, 2 for powers; 0 for complex numbers, with their parts as the last axis.
        normalized: whether the magnitudes are divided by the window's.
        center: whether the first window lies around the first sample.
        pad_mode: how the waveform goes on beyond its ends then.
        onesided: whether negative frequencies are left out.

    Raises:
        TypeError, ValueError: for other values.

    Examples:
        >>> audio.Spectrogram(n_fft=16)(np.zeros(64)).shape
        (9, 9)
    """

    def __init__(
        self, n_fft: int = 400, win_length: int | None = None, hop_length: int | None = None, pad: int = 0,
        window: WindowType = WindowType.HANN, power: float = 2.0, normalized: bool = False, center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT, onesided: bool = True,
    ) -> None:  # fmt: skip
        self.n_fft = positive(n_fft, "n_fft", type(self).__name__)
        self.win_length = n_fft if win_length is None else positive(win_length, "win_length", type(self).__name__)
        self.hop_length = self.win_length // 2 if hop_length is None else positive(hop_length, "hop_length", "")
        if self.win_length > n_fft:
            raise ValueError(f"n_fft should be at least win_length, but got {n_fft} and {self.win_length}")
        self.pad, self.power, self.normalized, self.center = pad, power, normalized, center
        self.pad_mode, self.onesided = one_of(pad_mode, BorderType, "pad_mode"), onesided
        rest = n_fft - self.win_length
        self.window = np.pad(
            window_of(one_of(window, WindowType, "window"), self.win_length), (rest // 2, rest - rest // 2)
        )

    def transform(self, array: Array) -> Array:
        """The spectrogram."""
        found = self.complex(array)
        if not self.power:
            return np.stack([found.real, found.imag], -1)
        return np.abs(found) ** self.power

    def complex(self, array: Array) -> Any:
        """The spectrogram as complex numbers."""
        ends = [(0, 0)] * (array.ndim - 1)
        wide = np.pad(array, [*ends, (self.pad, self.pad)])
        if self.center:
            half = self.n_fft // 2
            wide = np.pad(wide, [*ends, (half, half)], mode=self.pad_mode.value)
        frames = np.lib.stride_tricks.sliding_window_view(wide, self.n_fft, axis=-1)[..., :: self.hop_length, :]
        transform = np.fft.rfft if self.onesided else np.fft.fft
        found = np.swapaxes(transform(frames * self.window, axis=-1), -1, -2)
        return found / np.sqrt((self.window**2).sum()) if self.normalized else found


class SpectralCentroid(AudioTransform):
    """The mean frequency of each time.

    Args:
        sample_rate: samples in a second.
        n_fft, win_length, hop_length, pad, window: of the spectrogram.

    Examples:
        >>> audio.SpectralCentroid(8000, n_fft=16)(np.ones(64)).shape
        (1, 9)
    """

    def __init__(
        self, sample_rate: int, n_fft: int = 400, win_length: int | None = None, hop_length: int | None = None,
        pad: int = 0, window: WindowType = WindowType.HANN,
    ) -> None:  # fmt: skip
        positive(sample_rate, "sample_rate", "SpectralCentroid")
        self.frequencies = np.linspace(0, sample_rate // 2, 1 + n_fft // 2)[:, None]
        self.spectrogram = Spectrogram(n_fft, win_length, hop_length, pad, window, power=1.0)

    def transform(self, array: Array) -> Array:
        """Frequencies (..., 1, time)."""
        found = self.spectrogram.transform(array)
        return np.asarray((self.frequencies * found).sum(-2, keepdims=True) / found.sum(-2, keepdims=True))
