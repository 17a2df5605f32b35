"""Loudness: gains, fades, contrast, encodings of samples; and elementwise operations on spectrograms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import config
from ..checks import within
from .base import Array, AudioTransform, one_of, positive
from .choices import BorderType, FadeShape, GainType, ScaleType

__all__ = [
    "AmplitudeToDB", "Angle", "ComplexNorm", "ComputeDeltas", "Contrast", "DCShift", "Fade", "FrequencyMasking", "Gain",
    "Magphase", "MaskAlongAxis", "MaskAlongAxisIID", "MuLawDecoding", "MuLawEncoding", "SlidingWindowCmn",
    "TimeMasking", "Vol",
]  # fmt: skip


class AmplitudeToDB(AudioTransform):
    """Powers or magnitudes in decibels.

    Args:
        stype: what the spectrogram holds.
        ref_value: what 0 decibels are.
        amin: the least value.
        top_db: how far below the largest value a value may be.

    Examples:
        >>> audio.AmplitudeToDB()(np.array([[1.0, 100.0]])).tolist()
        [[0.0, 20.0]]
    """

    axes = 2

    def __init__(
        self, stype: ScaleType = ScaleType.POWER, ref_value: float = 1.0, amin: float = 1e-10, top_db: float = 80.0
    ) -> None:
        self.factor = 10.0 if one_of(stype, ScaleType, "stype") is ScaleType.POWER else 20.0
        self.ref_value = positive(ref_value, "ref_value", "AmplitudeToDB")
        self.amin = positive(amin, "amin", "AmplitudeToDB")
        self.top_db = positive(top_db, "top_db", "AmplitudeToDB")

    def transform(self, array: Array) -> Array:
        """Decibels."""
        found = self.factor * (np.log10(np.maximum(array, self.amin)) - math.log10(max(self.amin, self.ref_value)))
        largest = found.max(axis=tuple(range(max(-3, -found.ndim), 0)), keepdims=True)
        return np.maximum(found, largest - self.top_db)


class Angle(AudioTransform):
    """The angles of complex numbers, whose parts are the last axis.

    Examples:
        >>> audio.Angle()(np.array([[1.0, 0.0]])).tolist()
        [0.0]
    """

    axes = 2

    def transform(self, array: Array) -> Array:
        """Angles in radians."""
        return np.arctan2(array[..., 1], array[..., 0])


class ComplexNorm(AudioTransform):
    """The magnitudes of complex numbers, whose parts are the last axis, to a power.

    Args:
        power: the power.

    Examples:
        >>> audio.ComplexNorm()(np.array([[3.0, 4.0]])).tolist()
        [5.0]
    """

    axes = 2

    def __init__(self, power: float = 1.0) -> None:
        self.power = power

    def transform(self, array: Array) -> Array:
        """Magnitudes."""
        return np.hypot(array[..., 0], array[..., 1]) ** self.power


class Magphase(ComplexNorm):
    """The magnitudes to a power, and the angles, of complex numbers, whose parts are the last axis.

    Examples:
        >>> [part.tolist() for part in audio.Magphase()(np.array([[3.0, 0.0]]))]
        [[3.0], [0.0]]
    """

    def transform(self, array: Array) -> Any:
        """Magnitudes and angles."""
        return super().transform(array), np.arctan2(array[..., 1], array[..., 0])


class ComputeDeltas(AudioTransform):
    """How a spectrogram changes in time.

    Args:
        win_length: of how many columns the slope is taken, at least 3.
        pad_mode: how the spectrogram goes on beyond its ends.

    Examples:
        >>> audio.ComputeDeltas()(np.ones((2, 4))).tolist()
        [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    """

    def __init__(self, win_length: int = 5, pad_mode: BorderType = BorderType.EDGE) -> None:
        if win_length < 3:
            raise ValueError(f"Input win_length is not within the required interval of [3, inf), but got {win_length}.")
        self.reach = (win_length - 1) // 2
        self.pad_mode = one_of(pad_mode, BorderType, "pad_mode")

    def transform(self, array: Array) -> Array:
        """Slopes."""
        n, size = self.reach, array.shape[-1]
        wide = np.pad(array, [(0, 0)] * (array.ndim - 1) + [(n, n)], mode=self.pad_mode.value)
        total = sum(delay * wide[..., n + delay : n + delay + size] for delay in range(-n, n + 1))
        return np.asarray(total / (n * (n + 1) * (2 * n + 1) / 3))


class Contrast(AudioTransform):
    """Makes a waveform sound louder.

    Args:
        enhancement_amount: from 0 to 100.

    Raises:
        ValueError: for another amount.

    Examples:
        >>> audio.Contrast()(np.zeros(4)).tolist()
        [0.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, enhancement_amount: float = 75.0) -> None:
        self.amount = within(enhancement_amount, 0, 100, "enhancement_amount") / 750

    def transform(self, array: Array) -> Array:
        """The waveform."""
        angle = array * (math.pi / 2)
        return np.sin(angle + self.amount * np.sin(4 * angle))


class DCShift(AudioTransform):
    """Shifts a waveform.

    Args:
        shift: from -2 to 2.
        limiter_gain: how steep the waveform is where it would leave [-1, 1]; None: it is cut.

    Raises:
        ValueError: for another shift.

    Examples:
        >>> audio.DCShift(0.5)(np.array([0.0, 0.25])).tolist()
        [0.5, 0.75]
    """

    def __init__(self, shift: float, limiter_gain: float | None = None) -> None:
        self.shift = within(shift, -2.0, 2.0, "shift")
        self.limiter_gain = shift if limiter_gain is None else limiter_gain

    def transform(self, array: Array) -> Array:
        """The waveform."""
        threshold = 1 - (abs(self.shift) - self.limiter_gain)
        result = array + self.shift
        if self.limiter_gain == self.shift:
            return np.clip(result, -1.0, 1.0)
        if self.shift > 0:
            high = array > threshold
            limited = (array[high] - threshold) * self.limiter_gain / (1 - threshold) + threshold + self.shift
            result[high] = np.minimum(limited, threshold)
        elif self.shift < 0:
            low = array < -threshold
            limited = (array[low] + threshold) * self.limiter_gain / (1 - threshold) + threshold + self.shift
            result[low] = np.maximum(limited, -threshold)  # with MindSpore's sign of the threshold
        return np.clip(result, -1.0, 1.0)


class Fade(AudioTransform):
    """Lets a waveform rise from and fall to silence.

    Args:
        fade_in_len, fade_out_len: numbers of samples.
        fade_shape: how.

    Raises:
        ValueError: for negative lengths.
        RuntimeError: at a call, for a waveform that is shorter.

    Examples:
        >>> audio.Fade(2)(np.ones(4)).tolist()
        [0.0, 1.0, 1.0, 1.0]
    """

    def __init__(self, fade_in_len: int = 0, fade_out_len: int = 0, fade_shape: FadeShape = FadeShape.LINEAR) -> None:
        if fade_in_len < 0 or fade_out_len < 0:
            raise ValueError("fade_in_len and fade_out_len should not be negative.")
        self.fade_in_len, self.fade_out_len = fade_in_len, fade_out_len
        self.shape = one_of(fade_shape, FadeShape, "fade_shape")

    def transform(self, array: Array) -> Array:
        """The waveform."""
        size = array.shape[-1]
        if max(self.fade_in_len, self.fade_out_len) > size:
            raise RuntimeError(f"Fade: a waveform of {size} samples is shorter than the fade")
        result = array.copy()
        if self.fade_in_len:
            result[..., : self.fade_in_len] *= self._rising(np.linspace(0, 1, self.fade_in_len))
        if self.fade_out_len:
            result[..., size - self.fade_out_len :] *= self._rising(np.linspace(1, 0, self.fade_out_len))
        return result

    def _rising(self, x: Array) -> Array:
        rises = {
            FadeShape.LINEAR: x, FadeShape.EXPONENTIAL: 2 ** (x - 1) * x, FadeShape.LOGARITHMIC: np.log10(0.1 + x) + 1,
            FadeShape.QUARTER_SINE: np.sin(x * math.pi / 2), FadeShape.HALF_SINE: np.sin((x - 0.5) * math.pi) / 2 + 0.5,
        }  # fmt: skip
        return np.clip(rises[self.shape], 0, 1)


class Gain(AudioTransform):
    """Makes a waveform louder.

    Args:
        gain_db: in decibels.

    Examples:
        >>> audio.Gain(20.0)(np.array([0.0, 0.5])).tolist()
        [0.0, 5.0]
    """

    def __init__(self, gain_db: float = 1.0) -> None:
        self.gain_db = gain_db

    def transform(self, array: Array) -> Array:
        """The waveform."""
        return np.asarray(array * 10 ** (self.gain_db / 20))


class Vol(AudioTransform):
    """Makes a waveform louder, cut to [-1, 1].

    Args:
        gain: how much.
        gain_type: a factor of the amplitude or of the power, or decibels.

    Raises:
        ValueError: for a factor that is too small.

    Examples:
        >>> audio.Vol(2.0)(np.array([0.25, 0.75])).tolist()
        [0.5, 1.0]
    """

    def __init__(self, gain: float, gain_type: GainType = GainType.AMPLITUDE) -> None:
        one_of(gain_type, GainType, "gain_type")
        if (gain_type is GainType.AMPLITUDE and gain < 0) or (gain_type is GainType.POWER and gain <= 0):
            raise ValueError(f"Input gain should be positive, but got {gain}.")
        factors = {GainType.AMPLITUDE: lambda: gain, GainType.POWER: lambda: math.sqrt(gain)}
        self.factor = factors.get(gain_type, lambda: 10 ** (gain / 20))()

    def transform(self, array: Array) -> Array:
        """The waveform."""
        return np.clip(array * self.factor, -1, 1)


class MuLawEncoding(AudioTransform):
    """Codes samples of [-1, 1] as whole numbers by the logarithm of their size.

    Args:
        quantization_channels: how many numbers there are.

    Examples:
        >>> audio.MuLawEncoding()(np.array([-1.0, 0.0, 1.0])).tolist()
        [0, 128, 255]
    """

    def __init__(self, quantization_channels: int = 256) -> None:
        self.top = positive(quantization_channels, "quantization_channels", type(self).__name__) - 1

    def transform(self, array: Array) -> Array:
        """Numbers from 0."""
        code = np.sign(array) * np.log1p(self.top * np.abs(array)) / np.log1p(self.top)
        return ((code + 1) / 2 * self.top + 0.5).astype(np.int32)


class MuLawDecoding(MuLawEncoding):
    """The inverse of `MuLawEncoding`, with the same argument.

    Examples:
        >>> audio.MuLawDecoding()(np.array([0, 255])).round(3).tolist()
        [-1.0, 1.0]
    """

    def transform(self, array: Array) -> Array:
        """Samples."""
        code = array / self.top * 2 - 1
        return np.asarray(np.sign(code) * np.expm1(np.abs(code) * np.log1p(self.top)) / self.top)


class MaskAlongAxis(AudioTransform):
    """Sets rows or columns of a spectrogram to a value.

    Args:
        mask_start: the first.
        mask_width: how many.
        mask_value: the value.
        axis: 1 for frequencies, 2 for times.

    Raises:
        ValueError: for other axes and negative numbers; at a call, for more than there are.

    Examples:
        >>> audio.MaskAlongAxis(0, 1, 9.0, 1)(np.ones((1, 2, 2))).tolist()
        [[[9.0, 9.0], [1.0, 1.0]]]
    """

    axes = 2

    def __init__(self, mask_start: int, mask_width: int, mask_value: float, axis: int) -> None:
        if axis not in (1, 2):
            raise ValueError("Input axis is not within the required interval of [1, 2].")
        if mask_start < 0 or mask_width < 0:
            raise ValueError("mask_start and mask_width should not be negative.")
        self.start, self.width, self.value, self.axis = mask_start, mask_width, mask_value, axis - 3

    def transform(self, array: Array) -> Array:
        """The spectrogram."""
        if self.start + self.width > array.shape[self.axis]:
            raise RuntimeError(f"{type(self).__name__}: the mask ends beyond the {array.shape[self.axis]} of this axis")
        result = array.copy()
        np.moveaxis(result, self.axis, 0)[self.start : self.start + self.width] = self.value
        return result


class _Masking(MaskAlongAxis):
    """A mask of a width that is given, or one of random place and width for each spectrogram of an array."""

    def __init__(self, axis: int, several: bool, width: int, start: int, value: float) -> None:
        super().__init__(start, width, value, axis)
        self.several = several

    def transform(self, array: Array) -> Array:
        """The spectrogram."""
        if not self.several:
            return super().transform(array)
        result, size = array.copy(), array.shape[self.axis]
        for part in result.reshape(-1, *result.shape[-2:]):
            width = int(config.generator().uniform(0, self.width))
            start = int(config.generator().uniform(0, max(size - width, 0)))
            np.moveaxis(part, self.axis, 0)[start : start + width] = self.value
        return result


class MaskAlongAxisIID(_Masking):
    """Masks rows or columns of random place and width in each spectrogram of an array.

    Args:
        mask_param: the largest width.
        mask_value: what stands there then.
        axis: 1 for frequencies, 2 for times.

    Raises:
        ValueError: for other axes and negative numbers.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import audio
        >>> audio.MaskAlongAxisIID(0, 1.0, 2)(np.zeros((1, 2, 2))).tolist()
        [[[0.0, 0.0], [0.0, 0.0]]]
    """

    def __init__(self, mask_param: int, mask_value: float, axis: int) -> None:
        super().__init__(axis, True, mask_param, 0, mask_value)


class FrequencyMasking(_Masking):
    """Masks frequencies.

    Args:
        iid_masks: whether each spectrogram of an array has a mask of random place and width.
        freq_mask_param: the width, or the largest one.
        mask_start: the first frequency, without `iid_masks`.
        mask_value: what stands there then.

    Examples:
        >>> audio.FrequencyMasking(freq_mask_param=1)(np.ones((1, 2, 2))).shape
        (1, 2, 2)
    """

    def __init__(
        self, iid_masks: bool = False, freq_mask_param: int = 0, mask_start: int = 0, mask_value: float = 0.0
    ) -> None:
        super().__init__(1, iid_masks, freq_mask_param, mask_start, mask_value)


class TimeMasking(_Masking):
    """Masks times. Arguments as for `FrequencyMasking`.

    Examples:
        >>> audio.TimeMasking(time_mask_param=1)(np.ones((1, 2, 2))).shape
        (1, 2, 2)
    """

    def __init__(
        self, iid_masks: bool = False, time_mask_param: int = 0, mask_start: int = 0, mask_value: float = 0.0
    ) -> None:
        super().__init__(2, iid_masks, time_mask_param, mask_start, mask_value)


class SlidingWindowCmn(AudioTransform):
    """Subtracts from features (..., time, freq) their mean over a window of time.

    Args:
        cmn_window: how many times it has.
        min_cmn_window: how many it has at least at the start, without `center`.
        center: whether it lies around the time.
        norm_vars: whether the deviation is divided by, too.

    Examples:
        >>> audio.SlidingWindowCmn()(np.ones((2, 3))).tolist()
        [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """

    axes = 2

    def __init__(
        self, cmn_window: int = 600, min_cmn_window: int = 100, center: bool = False, norm_vars: bool = False
    ) -> None:
        self.window = positive(cmn_window, "cmn_window", "SlidingWindowCmn")
        self.least = positive(min_cmn_window, "min_cmn_window", "SlidingWindowCmn")
        self.center, self.norm_vars = center, norm_vars

    def transform(self, array: Array) -> Array:
        """The features."""
        count = array.shape[-2]
        result = np.empty_like(array)
        for time in range(count):
            part = array[..., slice(*self._span(time, count)), :]
            here = array[..., time, :] - part.mean(-2)
            if self.norm_vars:
                here = here / part.std(-2) if part.shape[-2] > 1 else np.zeros_like(here)
            result[..., time, :] = here
        return result

    def _span(self, time: int, count: int) -> tuple[int, int]:
        """The first time of the window, and the one after its last."""
        start = time - self.window // 2 if self.center else time - self.window
        stop = start + self.window if self.center else time + 1
        if start < 0:
            start, stop = 0, stop - start
        if not self.center and stop > time:
            stop = max(time + 1, self.least)
        if stop > count:
            start, stop = max(0, start - (stop - count)), count
        return start, stop
