"""What a waveform holds: its pitch, where speech begins; and noise against the steps of numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import config
from .base import Array, AudioTransform, one_of, positive
from .choices import DensityFunction, WindowType
from .spectra import window_of

__all__ = ["DetectPitchFrequency", "Dither", "Vad"]


class DetectPitchFrequency(AudioTransform):
    """The pitch of each frame, by the lag at which a frame is most like what follows; medians of frames.

    Args:
        sample_rate: samples in a second.
        frame_time: seconds of a frame.
        win_length: how many frames each median takes.
        freq_low, freq_high: the least and the largest pitch.

    Raises:
        TypeError: if an argument is no number. ValueError: if it is not positive.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import audio
        >>> audio.DetectPitchFrequency(30, 0.1, 3, 5, 25)(np.sin(np.arange(16.0))).shape
        (5,)
    """

    def __init__(
        self, sample_rate: int, frame_time: float = 0.01, win_length: int = 30, freq_low: float = 85,
        freq_high: float = 3400,
    ) -> None:  # fmt: skip
        self.sample_rate = sample_rate
        if sample_rate == 0:
            raise ValueError("Input sample_rate is not within the required interval of non zero.")
        self.frame = math.ceil(sample_rate * positive(frame_time, "frame_time", "DetectPitchFrequency"))
        self.window = positive(win_length, "win_length", "DetectPitchFrequency")
        self.lags = math.ceil(sample_rate / positive(freq_low, "freq_low", "DetectPitchFrequency"))
        self.least = math.ceil(sample_rate / positive(freq_high, "freq_high", "DetectPitchFrequency"))

    def __call__(self, audio: Any) -> Any:
        return super().__call__(audio).astype(np.float32)

    def transform(self, array: Array) -> Array:
        """The pitches."""
        size = array.shape[-1]
        count = math.ceil(size / self.frame)
        length = count * self.frame
        wide = np.pad(array, [(0, 0)] * (array.ndim - 1) + [(0, self.lags + length - size)])
        parts = [wide[..., lag : lag + length].reshape(*array.shape[:-1], count, -1) for lag in range(self.lags + 1)]
        norms = [(1e-9 + np.sqrt((part**2).sum(-1))) ** 2 for part in parts]
        likeness = np.stack(
            [(parts[0] * part).sum(-1) / norms[0] / norm for part, norm in zip(parts[1:], norms[1:], strict=True)], -1
        )
        best = self._largest(likeness, self.lags)
        half = self._largest(likeness, self.lags // 2)
        lags = np.where(half[0] > 0.99 * best[0], half[1], best[1]) + self.least + 1
        before = (self.window - 1) // 2
        lags = np.concatenate([np.repeat(lags[..., :1], before, -1), lags], -1)
        rolls = np.sort(np.lib.stride_tricks.sliding_window_view(lags, self.window, axis=-1), -1)
        found = self.sample_rate / (1e-9 + rolls[..., (self.window - 1) // 2])
        return np.asarray(found)

    def _largest(self, likeness: Array, stop: int) -> tuple[Array, Array]:
        part = likeness[..., self.least : stop]
        return part.max(-1), part.argmax(-1)


class Dither(AudioTransform):
    """A waveform rounded to 16 bits after noise is added.

    Args:
        density_function: the distribution of the noise.
        noise_shaping: whether the error of each number is added to the next.

    Raises:
        TypeError: for other values.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import audio
        >>> audio.Dither()(np.array([0.25, 0.5])).round(3).tolist()
        [0.25, 0.5]
    """

    def __init__(
        self, density_function: DensityFunction = DensityFunction.TPDF, noise_shaping: bool = False
    ) -> None:  # fmt: skip
        self.density, self.shaped = one_of(density_function, DensityFunction, "density_function"), noise_shaping
        if not isinstance(noise_shaping, bool):
            raise TypeError(f"Argument noise_shaping with value {noise_shaping} is not of type [bool].")

    def transform(self, array: Array) -> Array:
        """The rounded waveform."""
        draws, flat = config.generator(), array.reshape(-1)
        noise: Any = np.bartlett(array.shape[-1] + 1)[:-1]
        if self.density is not DensityFunction.TPDF:
            count = 1 if self.density is DensityFunction.RPDF else 7
            noise = sum(flat[draws.integers(flat.size)] for _ in range(count)) - (0.5 if count == 1 else 0.0)
        rounded = np.round(array * (2**15 - 2) + noise) / 2**15
        if self.shaped:
            rounded[..., 1:] += (rounded - array)[..., :-1]
        return np.asarray(rounded)


class Vad(AudioTransform):
    """A waveform without the silence and the quiet sounds before speech begins.

    Args:
        sample_rate: samples in a second.
        trigger_level: the loudness at which speech begins.
        trigger_time: seconds over which loudness is smoothed.
        search_time: seconds before in which quiet speech is searched.
        allowed_gap: seconds of silence between such speech.
        pre_trigger_time: seconds that are kept before it.
        boot_time: seconds that give the first estimate of noise.
        noise_up_time, noise_down_time: seconds in which the estimate rises and falls.
        noise_reduction_amount: how many times the noise is taken away.
        measure_freq: measurements in a second.
        measure_duration: seconds of each; None: twice the time between them.
        measure_smooth_time: seconds over which spectra are smoothed.
        hp_filter_freq, lp_filter_freq: the frequencies between which it listens.
        hp_lifter_freq, lp_lifter_freq: the frequencies of voices.

    Raises:
        TypeError, ValueError: for other values.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import audio
        >>> audio.Vad(600)(np.zeros((2, 1000))).shape
        (2, 660)
    """

    def __init__(
        self, sample_rate: int, trigger_level: float = 7.0, trigger_time: float = 0.25, search_time: float = 1.0,
        allowed_gap: float = 0.25, pre_trigger_time: float = 0.0, boot_time: float = 0.35, noise_up_time: float = 0.1,
        noise_down_time: float = 0.01, noise_reduction_amount: float = 1.35, measure_freq: float = 20.0,
        measure_duration: float | None = None, measure_smooth_time: float = 0.4, hp_filter_freq: float = 50.0,
        lp_filter_freq: float = 6000.0, hp_lifter_freq: float = 150.0, lp_lifter_freq: float = 2000.0,
    ) -> None:  # fmt: skip
        for name, value in list(locals().items())[1:]:
            if name not in ("trigger_level", "measure_duration") and value != 0:
                positive(value, name, "Vad")
        if noise_up_time < noise_down_time:
            raise ValueError("Input noise_up_time should be greater than noise_down_time.")
        self.level, self.reduction = trigger_level, noise_reduction_amount
        self.size = int(sample_rate * (measure_duration or 2 / measure_freq) + 0.5)
        self.transformed = 16
        while self.transformed < self.size:
            self.transformed *= 2
        self.period = int(sample_rate / measure_freq + 0.5)
        self.count = math.ceil(float(np.float32(search_time)) * measure_freq)
        self.gap = int(allowed_gap * measure_freq + 0.5)
        self.kept = int(pre_trigger_time * sample_rate + 0.5) + self.count * self.period + self.size
        self.window = window_of(WindowType.HANN, self.size) * 2 / math.sqrt(self.size)
        scale = self.transformed / sample_rate
        self.start = max(int(hp_filter_freq * scale + 0.5), 1)
        self.stop = min(int(lp_filter_freq * scale + 0.5), self.transformed // 2)
        width = self.stop - self.start
        self.lifter = window_of(WindowType.HANN, width) * 2 / math.sqrt(width)
        self.first = math.ceil(sample_rate * 0.5 / lp_lifter_freq)
        self.last = min(int(sample_rate * 0.5 / hp_lifter_freq), self.transformed // 4)
        times = noise_up_time, noise_down_time, measure_smooth_time, trigger_time
        self.up, self.down, self.smooth, self.slow = (math.exp(-1 / (t * measure_freq)) if t else 0.0 for t in times)
        self.boot = int(boot_time * measure_freq - 0.5)

    def transform(self, array: Array) -> Array:
        """The waveform."""
        waves = array.reshape(-1, array.shape[-1])
        channels, size = waves.shape
        spectrum, noise = np.zeros((2, channels, self.stop - self.start))
        measures, mean = np.zeros((channels, self.count)), np.zeros(channels)
        for step, place in enumerate(range(self.size, size, self.period)):
            booting = step <= self.boot
            mult = step / (1 + step) if booting else self.smooth
            sounds = np.zeros((channels, self.transformed))
            sounds[:, : self.size] = waves[:, place - self.size : place] * self.window
            spectrum = spectrum * mult + np.abs(np.fft.rfft(sounds))[:, self.start : self.stop] * (1 - mult)
            power = spectrum**2
            change = np.where(booting, 0.0, np.where(power > noise, self.up, self.down))
            noise = noise * change + power * (1 - change)
            voice = np.sqrt(np.maximum(0, power - self.reduction * noise)) * self.lifter
            padded = np.zeros((channels, self.transformed // 2))
            padded[:, self.start : self.stop] = voice
            energy = (np.abs(np.fft.rfft(padded))[:, self.first : self.last] ** 2).sum(-1)
            with np.errstate(divide="ignore"):
                loud = np.maximum(0, 21 + np.log(energy / (self.last - self.first)))
            measures[:, step % self.count] = loud
            mean = mean * self.slow + loud * (1 - self.slow)
            if (mean >= self.level).any():
                back = max(self._back(np.roll(row[::-1], step % self.count + 1)) for row in measures)
                begin = place - self.kept + (self.count - back) * self.period
                return np.asarray(array[..., max(begin, 0) :])
        # Without speech the end is left, as in MindSpore.
        return np.asarray(array[..., -self.kept :])

    def _back(self, measures: Array) -> int:
        """How many measurements before the last one belong to speech, the last one first."""
        trigger = zero = len(measures)
        for place, loud in enumerate(measures):
            if loud >= self.level and place <= trigger + self.gap:
                zero = trigger = place
            elif loud == 0 and trigger >= zero:
                zero = place
        return min(len(measures) - 1, zero)
