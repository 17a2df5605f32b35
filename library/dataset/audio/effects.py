"""Effects: waveforms that are distorted or mixed with delayed copies, and spectrograms that are stretched in time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....frontend.values.arguments import need_type
from ..checks import within
from .base import Array, AudioTransform, one_of, positive
from .choices import Interpolation, Modulation

__all__ = ["DBToAmplitude", "Flanger", "Overdrive", "PhaseVocoder", "Phaser", "TimeStretch"]


def _within(value: Any, low: float, high: float, name: str) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"Argument {name} with value {value!r} is not of type [float, int].")
    return within(value, low, high, name)


class DBToAmplitude(AudioTransform):
    """From decibels to power or amplitude: ref · (10 ** (x / 10)) ** power.

    Args:
        ref: the factor.
        power: 1.0 for power, 0.5 for amplitude.

    Raises:
        TypeError: if an argument is no number.

    Examples:
        >>> audio.DBToAmplitude(2.0, 1.0)(np.array([10.0])).tolist()
        [20.0]
    """

    def __init__(self, ref: float, power: float) -> None:
        self.ref, self.power = _within(ref, -math.inf, math.inf, "ref"), _within(power, -math.inf, math.inf, "power")

    def transform(self, array: Array) -> Array:
        """The amplitudes."""
        return self.ref * (10 ** (0.1 * array)) ** self.power


class Overdrive(AudioTransform):
    """A waveform that an amplifier drives too hard.

    Args:
        gain: in decibels, from 0 to 100. Default: 20.0.
        color: how much of even harmonics there is, from 0 to 100. Default: 20.0.

    Raises:
        TypeError: if an argument is no number. ValueError: if it is out of its range.

    Examples:
        >>> audio.Overdrive(20.0, 0.0)(np.array([0.0, 1.0])).round(2).tolist()
        [0.0, 1.0]
    """

    def __init__(self, gain: float = 20.0, color: float = 20.0) -> None:
        self.gain, self.color = _within(gain, 0, 100, "gain"), _within(color, 0, 100, "color")

    def transform(self, array: Array) -> Array:
        """The distorted waveform, in [-1, 1]."""
        driven = np.clip(array * 10 ** (self.gain / 20) + self.color / 200, -1.0, 1.0)
        driven -= driven**3 / 3
        result, last, before = np.empty_like(array), np.zeros(array.shape[:-1]), np.zeros(array.shape[:-1])
        for place in range(array.shape[-1]):
            last = driven[..., place] - before + 0.995 * last
            before = driven[..., place]
            result[..., place] = array[..., place] * 0.5 + last * 0.75
        return np.clip(result, -1.0, 1.0)


def _table(modulation: Modulation, size: int, low: float, high: float, phase: float) -> Array:
    """One period of a wave between two numbers."""
    point = (np.arange(size) + int(phase / math.pi / 2 * size + 0.5)) % size
    if modulation is Modulation.SINUSOIDAL:
        wave = (np.sin(point / size * 2 * math.pi) + 1) / 2
    else:
        quarter = 4 * point // size
        wave = np.choose(quarter, [point * 2 / size + 0.5, *[1.5 - point * 2 / size] * 2, point * 2 / size - 1.5])
    return wave * (high - low) + low


class Phaser(AudioTransform):
    """A waveform mixed with copies of itself whose delay goes up and down.

    Args:
        sample_rate: samples a second.
        gain_in, gain_out: factors before and after, from 0 to 1 and to 1e9. Default: 0.4, 0.74.
        delay_ms: the longest delay, from 0 to 5. Default: 3.0.
        decay: the part of a copy that is delayed again, from 0 to 0.99. Default: 0.4.
        mod_speed: periods a second, from 0.1 to 2. Default: 0.5.
        sinusoidal: whether the delay is a sine of time; else a triangle. Default: True.

    Raises:
        TypeError: if an argument is of another type. ValueError: if it is out of its range.

    Examples:
        >>> audio.Phaser(44100)(np.array([0.0, 1.0])).round(3).tolist()
        [0.0, 0.296]
    """

    def __init__(
        self, sample_rate: int, gain_in: float = 0.4, gain_out: float = 0.74, delay_ms: float = 3.0, decay: float = 0.4,
        mod_speed: float = 0.5, sinusoidal: bool = True,
    ) -> None:  # fmt: skip
        self.sample_rate = positive(sample_rate, "sample_rate", "Phaser")
        self.gain_in, self.gain_out = _within(gain_in, 0, 1, "gain_in"), _within(gain_out, 0, 1e9, "gain_out")
        self.delay_ms, self.decay = _within(delay_ms, 0, 5, "delay_ms"), _within(decay, 0, 0.99, "decay")
        self.mod_speed = _within(mod_speed, 0.1, 2, "mod_speed")
        self.sinusoidal = one_of(sinusoidal, bool, "sinusoidal")

    def transform(self, array: Array) -> Array:
        """The mixed waveform, in [-1, 1]."""
        length = max(1, int(self.delay_ms * 0.001 * self.sample_rate + 0.5))
        period = int(self.sample_rate / self.mod_speed + 0.5)
        kind = Modulation.SINUSOIDAL if self.sinusoidal else Modulation.TRIANGULAR
        delays = (_table(kind, period, 1.0, float(length), math.pi / 2) + 0.5).astype(int)
        kept, result = np.zeros((length, *array.shape[:-1])), np.empty_like(array)
        for place in range(array.shape[-1]):
            mixed = array[..., place] * self.gain_in + kept[(place + delays[place % period]) % length]
            kept[(place + 1) % length] = mixed * self.decay
            result[..., place] = mixed
        return np.clip(result * self.gain_out, -1.0, 1.0)


class Flanger(AudioTransform):
    """A waveform (..., channels, time) mixed with a copy of each channel, whose delay goes up and down.

    Args:
        sample_rate: samples a second.
        delay, depth: the shortest delay, from 0 to 30, and how much longer it gets, to 10 milliseconds. Default: 0, 2.
        regen: the part of the copy that is delayed again, from -95 to 95 percent. Default: 0.
        width: the part of the copy that is added, to 100 percent. Default: 71.
        speed: periods a second, from 0.1 to 10. Default: 0.5.
        phase: by which part of a period each channel comes later, to 100 percent. Default: 25.
        modulation: a `Modulation`. Default: SINUSOIDAL.
        interpolation: an `Interpolation` between samples. Default: LINEAR.

    Raises:
        TypeError: if an argument is of another type. ValueError: if it is out of its range.

    Examples:
        >>> audio.Flanger(44100)(np.ones((1, 2))).round(3).tolist()
        [[1.0, 1.0]]
    """

    axes = 2

    def __init__(
        self, sample_rate: int, delay: float = 0.0, depth: float = 2.0, regen: float = 0.0, width: float = 71.0,
        speed: float = 0.5, phase: float = 25.0, modulation: Modulation = Modulation.SINUSOIDAL,
        interpolation: Interpolation = Interpolation.LINEAR,
    ) -> None:  # fmt: skip
        self.sample_rate = positive(sample_rate, "sample_rate", "Flanger")
        self.delay, self.depth = _within(delay, 0, 30, "delay") / 1000, _within(depth, 0, 10, "depth") / 1000
        self.regen, self.width = _within(regen, -95, 95, "regen") / 100, _within(width, 0, 100, "width") / 100
        self.speed, self.phase = _within(speed, 0.1, 10, "speed"), _within(phase, 0, 100, "phase") / 100
        self.modulation = one_of(modulation, Modulation, "modulation")
        self.interpolation = one_of(interpolation, Interpolation, "interpolation")

    def transform(self, array: Array) -> Array:
        """The mixed waveform, in [-1, 1]."""
        waves = array.reshape(-1, *array.shape[-2:])
        channels = np.arange(waves.shape[1])
        length = int((self.delay + self.depth) * self.sample_rate + 0.5) + 2
        period = int(self.sample_rate / self.speed)
        low = math.floor(self.delay * self.sample_rate + 0.5)
        table = _table(self.modulation, period, low, length - 2.0, 3 * math.pi / 2)
        starts = (channels * period * self.phase + 0.5).astype(int)
        share = self.width / (1 + self.width) * (1 - abs(self.regen))
        kept, last, result = np.zeros((*waves.shape[:2], length)), np.zeros(waves.shape[:2]), np.empty_like(waves)
        for place in range(waves.shape[-1]):
            now = -(place + 1) % length
            kept[..., now] = waves[..., place] + last * self.regen
            delay = table[(place + starts) % period]
            whole = np.floor(delay).astype(int)
            near = [kept[:, channels, (now + whole + step) % length] for step in range(3)]
            last = self._between(near, delay - whole)
            result[..., place] = waves[..., place] / (1 + self.width) + last * share
        return np.clip(result, -1.0, 1.0).reshape(array.shape)

    def _between(self, near: list[Array], part: Array) -> Array:
        first, second = near[1] - near[0], near[2] - near[0]
        if self.interpolation is Interpolation.LINEAR:
            return near[0] + first * part
        bend = second * 0.5 - first
        return near[0] + (bend * part + first * 2 - second * 0.5) * part


def stretched(spectrogram: Array, rate: float, advance: Array, owner: str) -> Array:
    """A complex spectrogram (..., freq, time, 2) at another speed, in which phases go on as they did.

    Raises:
        RuntimeError: if it has another shape, or other frequencies than `advance`.
    """
    if spectrogram.shape[-1] != 2:
        raise RuntimeError(f"{owner} takes a spectrogram (..., freq, time, 2), but got shape {spectrogram.shape}")
    if advance.shape != (spectrogram.shape[-3], 1):
        raise RuntimeError(
            f"{owner} has phases of shape {advance.shape}, but a spectrogram of shape {spectrogram.shape} needs "
            f"{(spectrogram.shape[-3], 1)}: one for each frequency"
        )
    values = spectrogram[..., 0] + 1j * spectrogram[..., 1]
    steps = np.arange(0, values.shape[-1], rate)
    padded = np.concatenate([values, np.zeros((*values.shape[:-1], 2))], -1)
    places, part = steps.astype(int), steps % 1.0
    first, second = padded[..., places], padded[..., places + 1]
    turn = np.angle(second) - np.angle(first) - advance
    turn += advance - 2 * math.pi * np.round(turn / (2 * math.pi))
    phase = np.cumsum(np.concatenate([np.angle(padded[..., :1]), turn[..., :-1]], -1), -1)
    size = part * np.abs(second) + (1 - part) * np.abs(first)
    return np.stack([size * np.cos(phase), size * np.sin(phase)], -1)


class PhaseVocoder(AudioTransform):
    """A complex spectrogram (..., freq, time, 2) faster or slower, without another pitch.

    Args:
        rate: how many times as fast, positive.
        phase_advance: the phase that each frequency gains in a frame, an array of shape (freq, 1).

    Raises:
        TypeError: if an argument is of another type. ValueError: if the rate is not positive.

    Examples:
        >>> audio.PhaseVocoder(2.0, np.zeros((1, 1)))(np.ones((1, 1, 4, 2))).shape
        (1, 1, 2, 2)
    """

    axes = 3

    def __init__(self, rate: float, phase_advance: Any) -> None:
        need_type(phase_advance, np.ndarray, "Input phase_advance should be an array")
        self.rate, self.phase_advance = positive(rate, "rate", "PhaseVocoder"), phase_advance

    def transform(self, array: Array) -> Array:
        """The spectrogram at the other speed."""
        return stretched(array, self.rate, self.phase_advance, "PhaseVocoder")


class TimeStretch(AudioTransform):
    """As PhaseVocoder, with the phases of a Fourier transform.

    Args:
        hop_length: samples between frames. Default: None, for n_freq - 1.
        n_freq: the number of frequencies. Default: 201.
        fixed_rate: how many times as fast. Default: None, for 1.0.

    Raises:
        TypeError: if an argument is no number. ValueError: if it is not positive.

    Examples:
        >>> audio.TimeStretch(4, 9, 0.5)(np.ones((1, 9, 4, 2))).shape
        (1, 9, 8, 2)
    """

    axes = 3

    def __init__(self, hop_length: int | None = None, n_freq: int = 201, fixed_rate: float | None = None) -> None:
        self.n_freq = one_of(positive(n_freq, "n_freq", "TimeStretch"), int, "n_freq")
        self.hop_length = n_freq - 1 if hop_length is None else positive(hop_length, "hop_length", "TimeStretch")
        self.fixed_rate = 1.0 if fixed_rate is None else positive(fixed_rate, "fixed_rate", "TimeStretch")

    def transform(self, array: Array) -> Array:
        """The spectrogram at the other speed."""
        advance = np.linspace(0, math.pi * self.hop_length, self.n_freq)[:, None]
        return stretched(array if array.ndim > 3 else array[None], self.fixed_rate, advance, "TimeStretch")
