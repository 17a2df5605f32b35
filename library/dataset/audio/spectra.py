"""Spectrograms of waveforms: short-time Fourier transforms, the mel scale, filter banks and cepstral coefficients."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...docstrings import like
from .amplitudes import AmplitudeToDB
from .base import Array, AudioTransform, one_of, positive
from .choices import BorderType, MelType, NormMode, NormType, WindowType

__all__ = [
    "LFCC",
    "MFCC",
    "MelScale",
    "MelSpectrogram",
    "SpectralCentroid",
    "Spectrogram",
    "create_dct",
    "linear_fbanks",
    "melscale_fbanks",
]


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


_STEP, _KNEE, _CURVE = 200 / 3, 1000.0, math.log(6.4) / 27  # of Slaney's scale: linear to 1 kHz, then logarithmic


def _to_mel(frequency: float, kind: MelType) -> float:
    if kind is MelType.HTK:
        return 2595 * math.log10(1 + frequency / 700)
    return frequency / _STEP if frequency < _KNEE else _KNEE / _STEP + math.log(frequency / _KNEE) / _CURVE


def _to_hertz(mels: Array, kind: MelType) -> Array:
    if kind is MelType.HTK:
        return np.asarray(700 * (10 ** (mels / 2595) - 1))
    knee = _KNEE / _STEP
    return np.where(mels < knee, mels * _STEP, _KNEE * np.exp(_CURVE * (mels - knee)))


def _check_range(f_min: float, f_max: float) -> None:
    if f_min >= f_max:
        raise ValueError("f_max should be greater than f_min.")


def _triangles(n_freqs: int, sample_rate: int, corners: Array) -> Array:
    """Triangles over frequencies, (frequency, triangle), each from a corner over the next to the one after."""
    frequencies = np.linspace(0, sample_rate // 2, n_freqs)[:, None]
    widths = np.diff(corners)
    slopes = corners[None, :] - frequencies
    return np.maximum(0, np.minimum(-slopes[:, :-2] / widths[:-1], slopes[:, 2:] / widths[1:]))


def melscale_fbanks(
    n_freqs: int, f_min: float, f_max: float, n_mels: int, sample_rate: int, norm: NormType = NormType.NONE,
    mel_type: MelType = MelType.HTK,
) -> Array:  # fmt: skip
    """Triangles of one width on the mel scale, (frequency, triangle).

    Args:
        n_freqs: the number of frequencies.
        f_min, f_max: where the first triangle begins and the last ends.
        n_mels: the number of triangles.
        sample_rate: samples in a second.
        norm: whether the triangles have one area.
        mel_type: the formula.

    Raises:
        ValueError: if `f_min` is not below `f_max`.

    Examples:
        >>> from mycel.dataset import audio
        >>> audio.melscale_fbanks(9, 0.0, 4000.0, 2, 8000).shape
        (9, 2)
    """
    _check_range(f_min, f_max)
    kind = one_of(mel_type, MelType, "mel_type")
    corners = _to_hertz(np.linspace(_to_mel(f_min, kind), _to_mel(f_max, kind), n_mels + 2), kind)
    found = _triangles(n_freqs, sample_rate, corners)
    if one_of(norm, NormType, "norm") is NormType.SLANEY:
        found = found * (2 / (corners[2:] - corners[:-2]))
    return found.astype(np.float32)


def linear_fbanks(n_freqs: int, f_min: float, f_max: float, n_filter: int, sample_rate: int) -> Array:
    """Triangles of one width, (frequency, triangle). Arguments as for `melscale_fbanks`.

    Examples:
        >>> from mycel.dataset import audio
        >>> audio.linear_fbanks(9, 0.0, 4000.0, 4, 8000).shape
        (9, 4)
    """
    _check_range(f_min, f_max)
    return _triangles(n_freqs, sample_rate, np.linspace(f_min, f_max, n_filter + 2)).astype(np.float32)


def create_dct(n_mfcc: int, n_mels: int, norm: NormMode = NormMode.NONE) -> Array:
    """The matrix (n_mels, n_mfcc) of a cosine transform.

    Args:
        n_mfcc: the number of coefficients.
        n_mels: the number of triangles.
        norm: whether it is orthonormal.

    Examples:
        >>> from mycel.dataset import audio
        >>> audio.create_dct(2, 3).shape
        (3, 2)
    """
    found = np.cos(math.pi / n_mels * (np.arange(n_mels) + 0.5) * np.arange(n_mfcc)[:, None])
    if one_of(norm, NormMode, "norm") is NormMode.NONE:
        return (2 * found.T).astype(np.float32)
    found[0] /= math.sqrt(2)
    return (found.T * math.sqrt(2 / n_mels)).astype(np.float32)


class MelScale(AudioTransform):
    """A spectrogram on the mel scale.

    Args:
        n_mels: the number of its frequencies.
        sample_rate: samples in a second.
        f_min: the least frequency.
        f_max: the largest; None: half of `sample_rate`.
        n_stft: the number of frequencies of the spectrogram.
        norm: whether the triangles have one area.
        mel_type: the formula.

    Examples:
        >>> audio.MelScale(n_mels=4, n_stft=33)(np.ones((33, 5))).shape
        (4, 5)
    """

    axes = 2

    def __init__(
        self, n_mels: int = 128, sample_rate: int = 16000, f_min: float = 0.0, f_max: float | None = None,
        n_stft: int = 201, norm: NormType = NormType.NONE, mel_type: MelType = MelType.HTK,
    ) -> None:  # fmt: skip
        positive(n_mels, "n_mels", "MelScale")
        top = sample_rate // 2 if f_max is None else f_max
        self.banks = melscale_fbanks(n_stft, f_min, top, n_mels, sample_rate, norm, mel_type).astype(np.float64)

    def transform(self, array: Array) -> Array:
        """The spectrogram."""
        return np.asarray(self.banks.T @ array)


class MelSpectrogram(AudioTransform):
    """The spectrogram of a waveform on the mel scale; arguments as for `Spectrogram` and `MelScale`.

    Examples:
        >>> audio.MelSpectrogram(n_fft=64, n_mels=8)(np.zeros(128)).shape
        (8, 5)
    """

    def __init__(
        self, sample_rate: int = 16000, n_fft: int = 400, win_length: int | None = None, hop_length: int | None = None,
        f_min: float = 0.0, f_max: float | None = None, pad: int = 0, n_mels: int = 128,
        window: WindowType = WindowType.HANN, power: float = 2.0, normalized: bool = False, center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT, onesided: bool = True, norm: NormType = NormType.NONE,
        mel_scale: MelType = MelType.HTK,
    ) -> None:  # fmt: skip
        self.spectrogram = Spectrogram(
            n_fft, win_length, hop_length, pad, window, power, normalized, center, pad_mode, onesided
        )
        count = n_fft // 2 + 1 if onesided else n_fft
        self.scale = MelScale(n_mels, sample_rate, f_min, f_max, count, norm, mel_scale)

    def transform(self, array: Array) -> Array:
        """The spectrogram."""
        return self.scale.transform(self.spectrogram.transform(array))


class _Cepstrum(AudioTransform):
    """Cosine transforms of the logarithms of a spectrogram."""

    matrix: Array
    logarithm: bool
    _decibels = AmplitudeToDB()

    def _spectrogram(self, array: Array) -> Array:
        raise NotImplementedError

    def transform(self, array: Array) -> Array:
        """Coefficients (..., coefficient, time)."""
        found = self._spectrogram(array)
        found = np.log(found + 1e-6) if self.logarithm else self._decibels.transform(found)
        return np.asarray(self.matrix.T.astype(np.float64) @ found)


class MFCC(_Cepstrum):
    """Cepstral coefficients on the mel scale.

    Args:
        sample_rate: samples in a second.
        n_mfcc: the number of coefficients.
        dct_type: 2.
        norm: whether the cosine transform is orthonormal.
        log_mels: whether logarithms are taken in place of decibels.
        melkwargs: arguments of `MelSpectrogram`.

    Raises:
        ValueError: for other types, and for more coefficients than triangles.

    Examples:
        >>> audio.MFCC(n_mfcc=4, melkwargs={"n_fft": 64, "n_mels": 8})(np.zeros(128)).shape
        (4, 5)
    """

    def __init__(
        self, sample_rate: int = 16000, n_mfcc: int = 40, dct_type: int = 2, norm: NormMode = NormMode.ORTHO,
        log_mels: bool = False, melkwargs: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        if dct_type != 2:
            raise ValueError("dct_type must be 2.")
        options = dict(melkwargs or {})
        n_mels = options.get("n_mels", 128)
        if n_mfcc > n_mels:
            raise ValueError("The number of mfcc coefficients must be less than or equal to that of mel bins.")
        self._mel = MelSpectrogram(sample_rate, **options)
        self.matrix, self.logarithm = create_dct(n_mfcc, n_mels, norm), log_mels

    def _spectrogram(self, array: Array) -> Array:
        return self._mel.transform(array)


@like(MFCC)
class LFCC(_Cepstrum):
    """Cepstral coefficients of triangles of one width.

    Args:
        sample_rate: samples in a second.
        n_filter: the number of triangles.
        n_lfcc: the number of coefficients.
        f_min, f_max: where the triangles begin and end.
        dct_type: 2.
        norm: whether the cosine transform is orthonormal.
        log_lf: whether logarithms are taken in place of decibels.
        speckwargs: arguments of `Spectrogram`.

    Examples:
        >>> audio.LFCC(n_filter=16, n_lfcc=4, speckwargs={"n_fft": 16})(np.zeros(64)).shape
        (4, 9)
    """

    def __init__(
        self, sample_rate: int = 16000, n_filter: int = 128, n_lfcc: int = 40, f_min: float = 0.0,
        f_max: float | None = None, dct_type: int = 2, norm: NormMode = NormMode.ORTHO, log_lf: bool = False,
        speckwargs: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        if dct_type != 2:
            raise ValueError("dct_type must be 2.")
        if n_lfcc > n_filter:
            raise ValueError("Cannot select more LFCC coefficients than the number of filters.")
        self._plain = Spectrogram(**(speckwargs or {}))
        count = self._plain.n_fft // 2 + 1
        banks = linear_fbanks(count, f_min, sample_rate // 2 if f_max is None else f_max, n_filter, sample_rate)
        self._banks = banks.astype(np.float64)
        self.matrix, self.logarithm = create_dct(n_lfcc, n_filter, norm), log_lf

    def _spectrogram(self, array: Array) -> Array:
        return np.asarray(self._banks.T @ self._plain.transform(array))
