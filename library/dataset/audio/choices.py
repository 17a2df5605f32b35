"""The choices that transformations of sound offer, as enumerations."""

from __future__ import annotations

from enum import Enum

__all__ = [
    "BorderType", "DensityFunction", "FadeShape", "GainType", "Interpolation", "MelType", "Modulation", "NormMode",
    "NormType", "ResampleMethod", "ScaleType", "WindowType",
]  # fmt: skip


class BorderType(str, Enum):
    """How a signal is continued beyond its ends."""

    CONSTANT, EDGE, REFLECT, SYMMETRIC = "constant", "edge", "reflect", "symmetric"


class DensityFunction(str, Enum):
    """The distribution of dither."""

    TPDF, RPDF, GPDF = "TPDF", "RPDF", "GPDF"


class FadeShape(str, Enum):
    """How loudness rises and falls."""

    QUARTER_SINE, HALF_SINE, LINEAR = "quarter_sine", "half_sine", "linear"
    LOGARITHMIC, EXPONENTIAL = "logarithmic", "exponential"


class GainType(str, Enum):
    """The unit of a gain."""

    AMPLITUDE, POWER, DB = "amplitude", "power", "db"


class Interpolation(str, Enum):
    """How a value between two samples is found."""

    LINEAR, QUADRATIC = "linear", "quadratic"


class MelType(str, Enum):
    """The formula of the mel scale."""

    HTK, SLANEY = "htk", "slaney"


class Modulation(str, Enum):
    """The shape of a modulation."""

    SINUSOIDAL, TRIANGULAR = "sinusoidal", "triangular"


class NormMode(str, Enum):
    """Whether a cosine transform is orthonormal."""

    ORTHO, NONE = "ortho", "none"


class NormType(str, Enum):
    """Whether the triangles of a filter bank have one area."""

    SLANEY, NONE = "slaney", "none"


class ResampleMethod(str, Enum):
    """The window of the filter that resamples."""

    SINC_INTERPOLATION, KAISER_WINDOW = "sinc_interpolation", "kaiser_window"


class ScaleType(str, Enum):
    """The unit of a spectrogram."""

    POWER, MAGNITUDE = "power", "magnitude"


class WindowType(str, Enum):
    """The window of a short-time Fourier transform."""

    BARTLETT, BLACKMAN, HAMMING, HANN, KAISER = "bartlett", "blackman", "hamming", "hann", "kaiser"
