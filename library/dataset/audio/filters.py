"""Filters of waveforms: second-order filters with the formulas of the audio EQ cookbook, and general ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .base import Array, AudioTransform, positive

__all__ = [
    "AllpassBiquad", "BandBiquad", "BandpassBiquad", "BandrejectBiquad", "BassBiquad", "Biquad", "DeemphBiquad",
    "EqualizerBiquad", "Filtfilt", "HighpassBiquad", "LFilter", "LowpassBiquad", "RiaaBiquad", "TrebleBiquad",
]  # fmt: skip


def filtered(waveform: Array, a: Any, b: Any) -> Array:
    """y with a[0] y[n] = Σ b[k] x[n-k] - Σ a[k] y[n-k]."""
    a, b = np.asarray(a, np.float64) / a[0], np.asarray(b, np.float64) / a[0]
    size = waveform.shape[-1]
    forward = np.zeros_like(waveform)
    for delay, factor in enumerate(b):
        if delay < size:
            forward[..., delay:] += factor * waveform[..., : size - delay]
    result = np.zeros_like(waveform)
    for place in range(size):
        value = forward[..., place]
        for delay in range(1, min(len(a), place + 1)):
            value = value - a[delay] * result[..., place - delay]
        result[..., place] = value
    return result


class LFilter(AudioTransform):
    """A filter given by its coefficients.

    Args:
        a_coeffs: of the output, from the present sample back.
        b_coeffs: of the input, as many.
        clamp: whether the result is cut to [-1, 1].

    Raises:
        ValueError: if there are more of one than of the other, or the first of `a_coeffs` is 0.

    Examples:
        >>> audio.LFilter([1.0, 0.0], [0.5, 0.5])(np.array([0.0, 1.0, 0.0])).tolist()
        [0.0, 0.5, 0.5]
    """

    def __init__(self, a_coeffs: Any, b_coeffs: Any, clamp: bool = True) -> None:
        if len(a_coeffs) != len(b_coeffs) or not a_coeffs or not a_coeffs[0]:
            raise ValueError("a_coeffs and b_coeffs should have one length, and a_coeffs should not begin with 0")
        self.a_coeffs, self.b_coeffs, self.clamp = list(a_coeffs), list(b_coeffs), clamp

    def transform(self, array: Array) -> Array:
        """The filtered waveform."""
        result = filtered(array, self.a_coeffs, self.b_coeffs)
        return np.clip(result, -1, 1) if self.clamp else result


class Filtfilt(LFilter):
    """A filter that runs forward and then backward over the waveform; arguments as for `LFilter`.

    Examples:
        >>> audio.Filtfilt([1.0, 0.0], [0.5, 0.5])(np.array([0.0, 1.0, 0.0])).tolist()
        [0.25, 0.5, 0.25]
    """

    def transform(self, array: Array) -> Array:
        """The filtered waveform."""
        forward = filtered(array, self.a_coeffs, self.b_coeffs)
        result = filtered(forward[..., ::-1], self.a_coeffs, self.b_coeffs)[..., ::-1]
        return np.clip(result, -1, 1) if self.clamp else result


class _Biquad(AudioTransform):
    """A filter of second order, whose result is cut to [-1, 1]."""

    b: tuple[float, float, float]
    a: tuple[float, float, float]

    def transform(self, array: Array) -> Array:
        """The filtered waveform."""
        return np.clip(filtered(array, self.a, self.b), -1, 1)


class Biquad(_Biquad):
    """A filter of second order.

    Args:
        b0, b1, b2: of the input, from the present sample back.
        a0, a1, a2: of the output.

    Raises:
        ValueError: if `a0` is 0.

    Examples:
        >>> audio.Biquad(0.5, 0.5, 0.0, 1.0, 0.0, 0.0)(np.array([0.0, 1.0, 0.0])).tolist()
        [0.0, 0.5, 0.5]
    """

    def __init__(self, b0: float, b1: float, b2: float, a0: float, a1: float, a2: float) -> None:
        if not a0:
            raise ValueError("Input a0 can not be 0.")
        self.b, self.a = (b0, b1, b2), (a0, a1, a2)


class _Around(_Biquad):
    """A filter that works around a frequency."""

    def _angle(self, sample_rate: Any, frequency: Any, Q: float) -> tuple[float, float]:
        """The cosine of the frequency, and half the band's width."""
        owner = type(self).__name__
        if not sample_rate:
            raise ValueError(f"Input sample_rate should not be 0 ({owner}).")
        positive(Q, "Q", owner)
        angle = 2 * math.pi * frequency / sample_rate
        alpha = math.sin(angle) / 2 / Q
        self.a = (1 + alpha, -2 * math.cos(angle), 1 - alpha)
        return math.cos(angle), alpha


class AllpassBiquad(_Around):
    """Shifts phases around a frequency.

    Args:
        sample_rate: samples in a second.
        central_freq: the frequency.
        Q: its width.

    Examples:
        >>> audio.AllpassBiquad(8000, 1000.0)(np.zeros(4)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707) -> None:
        cosine, alpha = self._angle(sample_rate, central_freq, Q)
        self.b = (1 - alpha, -2 * cosine, 1 + alpha)


class BandBiquad(_Around):
    """Passes a band. Arguments as for `AllpassBiquad`; `noise` is for sound without pitch.

    Examples:
        >>> audio.BandBiquad(8000, 1000.0)(np.zeros(4)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707, noise: bool = False) -> None:
        cosine, _ = self._angle(sample_rate, central_freq, Q)
        a2 = math.exp(-2 * math.pi * central_freq / Q / sample_rate)
        a1 = -4 * a2 / (1 + a2) * cosine
        b0 = math.sqrt(1 - a1 * a1 / (4 * a2)) * (1 - a2)
        if noise:
            b0 = math.sqrt(((1 + a2) ** 2 - a1 * a1) * (1 - a2) / (1 + a2))
        self.a, self.b = (1.0, a1, a2), (b0, 0.0, 0.0)


class BandpassBiquad(_Around):
    """Passes a band. Arguments as for `AllpassBiquad`; `const_skirt_gain` lets the peak's height be Q.

    Examples:
        >>> audio.BandpassBiquad(8000, 1000.0)(np.zeros(4)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707, const_skirt_gain: bool = False) -> None:
        _, alpha = self._angle(sample_rate, central_freq, Q)
        peak = alpha * Q if const_skirt_gain else alpha
        self.b = (peak, 0.0, -peak)


class BandrejectBiquad(_Around):
    """Removes a band. Arguments as for `AllpassBiquad`.

    Examples:
        >>> audio.BandrejectBiquad(8000, 1000.0)(np.zeros(4)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707) -> None:
        cosine, _ = self._angle(sample_rate, central_freq, Q)
        self.b = (1.0, -2 * cosine, 1.0)


class HighpassBiquad(_Around):
    """Passes frequencies above a limit. Arguments as for `AllpassBiquad`.

    Examples:
        >>> audio.HighpassBiquad(8000, 1000.0)(np.zeros(4)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, sample_rate: int, cutoff_freq: float, Q: float = 0.707) -> None:
        cosine, _ = self._angle(sample_rate, cutoff_freq, Q)
        self.b = ((1 + cosine) / 2, -1 - cosine, (1 + cosine) / 2)


class LowpassBiquad(_Around):
    """Passes frequencies below a limit. Arguments as for `AllpassBiquad`.

    Examples:
        >>> audio.LowpassBiquad(8000, 1000.0)(np.zeros(4)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, sample_rate: int, cutoff_freq: float, Q: float = 0.707) -> None:
        cosine, _ = self._angle(sample_rate, cutoff_freq, Q)
        self.b = ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2)


class EqualizerBiquad(_Around):
    """Raises or lowers a band.

    Args:
        sample_rate: samples in a second.
        center_freq: the frequency.
        gain: in decibels.
        Q: the band's width.

    Examples:
        >>> audio.EqualizerBiquad(8000, 1000.0, 6.0)(np.zeros(4)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, sample_rate: int, center_freq: float, gain: float, Q: float = 0.707) -> None:
        cosine, alpha = self._angle(sample_rate, center_freq, Q)
        factor = 10 ** (gain / 40)
        self.b = (1 + alpha * factor, -2 * cosine, 1 - alpha * factor)
        self.a = (1 + alpha / factor, -2 * cosine, 1 - alpha / factor)


class _Shelf(_Around):
    """Raises or lowers all on one side of a frequency."""

    def _shelf(self, factor: float, cosine: float, alpha: float, side: int) -> None:
        slope, near, far = 2 * math.sqrt(factor) * alpha, (factor - 1) * cosine, (factor + 1) * cosine
        self.b = (
            factor * (factor + 1 + side * near + slope),
            -2 * side * factor * (factor - 1 + side * far) if side > 0 else 2 * factor * (factor - 1 - far),
            factor * (factor + 1 + side * near - slope),
        )
        self.a = (
            factor + 1 - side * near + slope,
            2 * side * (factor - 1 - side * far) if side > 0 else -2 * (factor - 1 + far),
            factor + 1 - side * near - slope,
        )


class BassBiquad(_Shelf):
    """Raises or lowers deep tones. Arguments as for `EqualizerBiquad`.

    Examples:
        >>> audio.BassBiquad(8000, 6.0)(np.zeros(4)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, sample_rate: int, gain: float, central_freq: float = 100.0, Q: float = 0.707) -> None:
        self._shelf(10 ** (gain / 40), *self._angle(sample_rate, central_freq, Q), side=-1)


class TrebleBiquad(_Shelf):
    """Raises or lowers high tones. Arguments as for `EqualizerBiquad`.

    Examples:
        >>> audio.TrebleBiquad(8000, 6.0)(np.zeros(4)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, sample_rate: int, gain: float, central_freq: float = 3000, Q: float = 0.707) -> None:
        self._shelf(10 ** (gain / 40), *self._angle(sample_rate, central_freq, Q), side=1)


_DEEMPHASIS = {44100: (5283, 0.4845, -9.477), 48000: (5356, 0.479, -9.62)}


class DeemphBiquad(_Shelf):
    """Undoes the emphasis of compact discs.

    Args:
        sample_rate: 44100 or 48000.

    Raises:
        ValueError: for another rate.

    Examples:
        >>> audio.DeemphBiquad(44100)(np.zeros(4)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, sample_rate: int) -> None:
        if sample_rate not in _DEEMPHASIS:
            raise ValueError("Argument sample_rate should be 44100 or 48000.")
        frequency, slope, gain = _DEEMPHASIS[sample_rate]
        factor = 10 ** (gain / 40)
        cosine, _ = self._angle(sample_rate, frequency, 1.0)
        width = math.sqrt((factor + 1 / factor) * (1 / slope - 1) + 2)
        alpha = math.sin(2 * math.pi * frequency / sample_rate) / 2 * width
        self._shelf(factor, cosine, alpha, side=1)


_RIAA = {
    44100: ((-0.2014898, 0.9233820), (0.7083149, 0.9924091)),
    48000: ((-0.1766069, 0.9321590), (0.7396325, 0.9931330)),
    88200: ((-0.1168735, 0.9648312), (0.8590646, 0.9964002)),
    96000: ((-0.1141486, 0.9676817), (0.8699137, 0.9966946)),
}


class RiaaBiquad(_Biquad):
    """Plays records: the curve of the RIAA.

    Args:
        sample_rate: 44100, 48000, 88200 or 96000.

    Raises:
        ValueError: for another rate.

    Examples:
        >>> audio.RiaaBiquad(44100)(np.zeros(4)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, sample_rate: int) -> None:
        if sample_rate not in _RIAA:
            raise ValueError("sample_rate should be one of [44100, 48000, 88200, 96000].")
        zeros, poles = _RIAA[sample_rate]
        b, a = ((1.0, -sum(roots), roots[0] * roots[1]) for roots in (zeros, poles))
        turn = np.exp(-2j * math.pi * 1000 / sample_rate * np.arange(3))
        gain = float(abs(np.dot(a, turn)) / abs(np.dot(b, turn)))  # so that a tone of 1 kHz stays
        self.b, self.a = (b[0] * gain, b[1] * gain, b[2] * gain), a
