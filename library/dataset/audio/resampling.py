"""Waveforms at another rate of samples."""

from __future__ import annotations

import math

import numpy as np

from ..checks import within
from .base import Array, AudioTransform, one_of, positive
from .choices import ResampleMethod

__all__ = ["Resample"]

KAISER_BETA = 14.769656459379492
MOST_PHASES = 256


class Resample(AudioTransform):
    """A waveform at another rate, by a windowed sinc filter.

    Args:
        orig_freq, new_freq: samples in a second before and after.
        resample_method: the window.
        lowpass_filter_width: how many zeros of the sinc it holds on each side.
        rolloff: the cutoff as a part of the largest frequency.
        beta: of the Kaiser window; None: 14.77.

    Raises:
        ValueError: for values that are not positive, and a `rolloff` above 1.

    Examples:
        >>> audio.Resample(16000, 8000)(np.zeros(64)).shape
        (32,)
    """

    def __init__(
        self, orig_freq: float = 16000, new_freq: float = 16000,
        resample_method: ResampleMethod = ResampleMethod.SINC_INTERPOLATION, lowpass_filter_width: int = 6,
        rolloff: float = 0.99, beta: float | None = None,
    ) -> None:  # fmt: skip
        for name, value in (("orig_freq", orig_freq), ("new_freq", new_freq), ("width", lowpass_filter_width)):
            positive(value, name, "Resample")
        within(rolloff, 0, 1, "rolloff", above=True)
        one_of(resample_method, ResampleMethod, "resample_method")
        common = math.gcd(int(orig_freq), int(new_freq))
        self.old, self.new = int(orig_freq) // common, int(new_freq) // common
        base = min(self.old, self.new) * rolloff
        self.width = math.ceil(lowpass_filter_width * self.old / base)
        # With few phases, one product computes all from a common window; else each reads a window of its own.
        self.starts = np.arange(self.new) * self.old // self.new if self.old > MOST_PHASES else None
        first, length = (0, self.old) if self.starts is None else (self.starts[:, None], 2)
        places = (first + np.arange(-self.width, self.width + length)) / self.old
        times = (places - np.arange(self.new)[:, None] / self.new) * base
        times = np.clip(times, -lowpass_filter_width, lowpass_filter_width)
        if resample_method is ResampleMethod.SINC_INTERPOLATION:
            window = np.cos(times * math.pi / lowpass_filter_width / 2) ** 2
        else:
            shape = KAISER_BETA if beta is None else beta
            window = np.i0(shape * np.sqrt(1 - (times / lowpass_filter_width) ** 2)) / np.i0(shape)
        self.kernels = np.sinc(times) * window * (base / self.old)

    def transform(self, array: Array) -> Array:
        """The waveform."""
        if self.old == self.new:
            return array
        size = array.shape[-1]
        wide = np.pad(array, [(0, 0)] * (array.ndim - 1) + [(self.width, self.width + self.old + 2)])
        windows = np.lib.stride_tricks.sliding_window_view(wide, self.kernels.shape[1], axis=-1)
        count = math.ceil(self.new * size / self.old)
        frames = -(-count // self.new)
        if self.starts is None:
            found = windows[..., : frames * self.old : self.old, :] @ self.kernels.T
        else:
            read = windows[..., np.arange(frames)[:, None] * self.old + self.starts[:count], :]
            found = np.einsum("...fpt,pt->...fp", read, self.kernels[:count])
        return found.reshape(*array.shape[:-1], -1)[..., :count]
