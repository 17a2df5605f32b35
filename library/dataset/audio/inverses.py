"""Waveforms from spectrograms: inverse short-time Fourier transforms, found phases; another pitch, another rate."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import config
from ..checks import within
from .base import Array, AudioTransform, one_of, positive
from .choices import BorderType, MelType, NormType, ResampleMethod, WindowType
from .effects import stretched
from .spectra import MelScale, Spectrogram

__all__ = ["GriffinLim", "InverseMelScale", "InverseSpectrogram", "PitchShift", "Resample"]

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


def inverse(spectra: Array, of: Spectrogram, length: int | None = None) -> Array:
    """The waveform whose windows have these complex spectra (..., freq, time): overlapping windows are added."""
    frames = np.swapaxes(spectra, -1, -2)
    frames = np.fft.irfft(frames, of.n_fft) if of.onesided else np.fft.ifft(frames).real
    count, hop, half = frames.shape[-2], of.hop_length, of.n_fft // 2 if of.center else 0
    wave = np.zeros((*frames.shape[:-2], of.n_fft + hop * (count - 1)))
    weights = np.zeros(wave.shape[-1])
    for place in range(count):
        here = slice(place * hop, place * hop + of.n_fft)
        wave[..., here] += frames[..., place, :] * of.window
        weights[here] += of.window**2
    stop = half + (hop * (count - 1) if length is None else length)
    wave, weights = wave[..., half:stop], weights[half:stop]
    wave = np.divide(wave, weights, out=np.zeros_like(wave), where=weights > 1e-11)
    missing = 0 if length is None else length - wave.shape[-1]
    return np.pad(wave, [(0, 0)] * (wave.ndim - 1) + [(0, max(missing, 0))])


class InverseSpectrogram(AudioTransform):
    """The waveform of a complex spectrogram (..., freq, time, 2).

    Args:
        length: of the waveform; None: all of it.
        n_fft, win_length, hop_length, pad, window, normalized, center, pad_mode, onesided: as for Spectrogram.

    Raises:
        TypeError, ValueError: for other values.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import audio
        >>> spectrum = audio.Spectrogram(8, power=0.0)(np.arange(12.0))
        >>> audio.InverseSpectrogram(12, 8, hop_length=4)(spectrum).round(3)[:4].tolist()
        [0.0, 1.0, 2.0, 3.0]
    """

    axes = 3

    def __init__(
        self, length: int | None = None, n_fft: int = 400, win_length: int | None = None,
        hop_length: int | None = None, pad: int = 0, window: WindowType = WindowType.HANN, normalized: bool = False,
        center: bool = True, pad_mode: BorderType = BorderType.REFLECT, onesided: bool = True,
    ) -> None:  # fmt: skip
        self.length = length
        self.of = Spectrogram(
            n_fft, win_length, hop_length, pad, window, 0.0, normalized, center, pad_mode, onesided
        )  # fmt: skip

    def transform(self, array: Array) -> Array:
        """The waveform."""
        of, spectra = self.of, array[..., 0] + 1j * array[..., 1]
        if of.normalized:
            spectra = spectra * np.sqrt((of.window**2).sum())
        wave = inverse(spectra, of, None if self.length is None else self.length + 2 * of.pad)
        return wave[..., of.pad : wave.shape[-1] - of.pad]


class GriffinLim(AudioTransform):
    """The waveform of a spectrogram (..., freq, time) without phases, which it finds step by step.

    Args:
        n_fft, win_length, hop_length, window_type: as for Spectrogram.
        n_iter: the number of steps.
        power: of the spectrogram.
        momentum: how much of the step before is added.
        length: of the waveform; None: all of it.
        rand_init: whether the first phases are random.

    Raises:
        TypeError, ValueError: for other values.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import audio
        >>> audio.GriffinLim(n_fft=16)(np.ones((9, 6))).shape
        (40,)
    """

    axes = 2

    def __init__(
        self, n_fft: int = 400, n_iter: int = 32, win_length: int | None = None, hop_length: int | None = None,
        window_type: WindowType = WindowType.HANN, power: float = 2.0, momentum: float = 0.99,
        length: int | None = None, rand_init: bool = True,
    ) -> None:  # fmt: skip
        self.of = Spectrogram(n_fft, win_length, hop_length, 0, window_type, 0.0)
        self.steps, self.power = positive(n_iter, "n_iter", "GriffinLim"), positive(power, "power", "GriffinLim")
        if momentum < 0:
            raise ValueError(f"Input momentum should not be negative, but got {momentum} (GriffinLim).")
        # MindSpore divides twice.
        self.momentum, self.length, self.random = momentum / (1 + 2 * momentum), length, rand_init

    def transform(self, array: Array) -> Array:
        """The waveform."""
        sizes = array ** (1 / self.power)
        phases: Any = np.ones(array.shape, complex)
        if self.random:
            draws = config.generator()
            phases = draws.random(array.shape) + 1j * draws.random(array.shape)
        before: Any = 0.0
        for _ in range(self.steps):
            found = self.of.complex(inverse(sizes * phases, self.of))
            phases = found - before * self.momentum
            phases, before = phases / (np.abs(phases) + 1e-16), found
        return inverse(sizes * phases, self.of, self.length)


class InverseMelScale(AudioTransform):
    """A spectrogram (..., n_stft, time) that gives a mel spectrogram (..., n_mels, time), found by descent.

    Args:
        n_stft, n_mels, sample_rate, f_min, f_max, norm, mel_type: as for MelScale.
        max_iter: the largest number of steps.
        tolerance_loss: the error at which it stops.
        tolerance_change: the change of the error at which it stops.
        sgdargs: `{"sgd_lr": 0.1, "sgd_momentum": 0.9}`, or others.

    Raises:
        TypeError, ValueError: for other values.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import audio
        >>> audio.InverseMelScale(20, 3, 16000, 0, 8000, 10)(np.ones((8, 3, 2))).shape
        (8, 20, 2)
    """

    axes = 2

    def __init__(
        self, n_stft: int, n_mels: int = 128, sample_rate: int = 16000, f_min: float = 0.0, f_max: float | None = None,
        max_iter: int = 100000, tolerance_loss: float = 1e-5, tolerance_change: float = 1e-8,
        sgdargs: dict[str, float] | None = None, norm: NormType = NormType.NONE, mel_type: MelType = MelType.HTK,
    ) -> None:  # fmt: skip
        self.banks = MelScale(n_mels, sample_rate, f_min, f_max, n_stft, norm, mel_type).banks
        self.steps = positive(max_iter, "max_iter", "InverseMelScale")
        self.loss = positive(tolerance_loss, "tolerance_loss", "InverseMelScale")
        self.change = positive(tolerance_change, "tolerance_change", "InverseMelScale")
        self.rate, self.momentum = (sgdargs or {}).get("sgd_lr", 0.1), (sgdargs or {}).get("sgd_momentum", 0.9)

    def transform(self, array: Array) -> Array:
        """The spectrogram."""
        wanted = np.swapaxes(array, -1, -2)
        found = config.generator().random((*wanted.shape[:-1], self.banks.shape[0]))
        rows, last, speed = wanted.size // wanted.shape[-1], np.inf, np.zeros_like(found)
        for _ in range(self.steps):
            rest = wanted - found @ self.banks
            loss = float((rest**2).sum()) / rows
            speed = self.momentum * speed - 2 / rows * (rest @ self.banks.T)
            found = np.maximum(found - self.rate * speed, 0)
            if loss < self.loss or abs(last - loss) < self.change:
                break
            last = loss
        return np.swapaxes(found if array.ndim > 2 else found[None], -1, -2)


class PitchShift(AudioTransform):
    """A waveform at another pitch, as long as before.

    Args:
        sample_rate: samples in a second.
        n_steps: by how many steps it rises.
        bins_per_octave: how many steps an octave has.
        n_fft, win_length, hop_length, window: as for Spectrogram; `hop_length` None: a quarter of a window.

    Raises:
        TypeError, ValueError: for other values.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import audio
        >>> audio.PitchShift(16000, 4, n_fft=16)(np.sin(np.arange(64))).shape
        (64,)
    """

    def __init__(
        self, sample_rate: int, n_steps: int, bins_per_octave: int = 12, n_fft: int = 512,
        win_length: int | None = None, hop_length: int | None = None, window: WindowType = WindowType.HANN,
    ) -> None:  # fmt: skip
        if bins_per_octave == 0:
            raise ValueError("Input bins_per_octave should not be 0 (PitchShift).")
        self.sample_rate, self.rate = sample_rate, 2.0 ** (-n_steps / bins_per_octave)
        hop = (n_fft if win_length is None else win_length) // 4 if hop_length is None else hop_length
        self.of = Spectrogram(n_fft, win_length, hop, 0, one_of(window, WindowType, "window"), 0.0)

    def transform(self, array: Array) -> Array:
        """The waveform."""
        size, spectra = array.shape[-1], self.of.transform(array)
        phases = np.linspace(0, np.pi * self.of.hop_length, spectra.shape[-3])[:, None]
        slow = stretched(spectra, self.rate, phases, "PitchShift")
        wave = inverse(slow[..., 0] + 1j * slow[..., 1], self.of, round(size / self.rate))
        wave = Resample(int(self.sample_rate / self.rate), self.sample_rate).transform(wave)[..., :size]
        return np.pad(wave, [(0, 0)] * (wave.ndim - 1) + [(0, size - wave.shape[-1])])
