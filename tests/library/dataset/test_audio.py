"""Transformations of sound: the numbers that MindSpore 2.10 gives, and errors."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms

A = ms.dataset.audio
RANDOM = np.random.RandomState(0)
w = RANDOM.uniform(-0.9, 0.9, (2, 64)).astype(np.float32)
s = np.abs(RANDOM.randn(1, 8, 6)).astype(np.float32)
c = RANDOM.randn(1, 4, 3, 2).astype(np.float32)

# Of each result its shape, dtype and every sixth part of its elements.
RECORDED = json.loads((Path(__file__).parents[2] / "recorded" / "audio.json").read_text("utf-8"))


@pytest.mark.parametrize(("expression", "expected"), RECORDED)
def test_recorded(expression: str, expected: Any) -> None:
    found = eval(expression)
    found = found if isinstance(found, tuple) else (found,)
    for result, (shape, dtype, numbers) in zip(found, expected, strict=True):
        assert (result.shape, str(result.dtype)) == (tuple(shape), dtype)
        np.testing.assert_allclose(result.ravel()[:: max(1, result.size // 6)], numbers, rtol=2e-3, atol=2e-4)


def test_cepstral_coefficients() -> None:
    mel = A.MFCC(1000, 4, melkwargs={"n_fft": 16, "hop_length": 8, "f_max": 500.0, "n_mels": 6})
    np.testing.assert_allclose(mel(w).ravel()[::12], [-17.6884, -1.1372, -1.3566, -0.9673, -8.3552, 7.3342], rtol=2e-3)
    linear = A.LFCC(1000, 8, 4, speckwargs={"n_fft": 16, "hop_length": 8})
    np.testing.assert_allclose(
        linear(w).ravel()[::12], [-25.2129, -1.6216, -0.4144, -4.1808, -7.2001, 9.0214], rtol=2e-3
    )


def test_in_a_pipeline() -> None:
    data = ms.dataset.NumpySlicesDataset({"sound": w}, shuffle=False)
    data = data.map([A.Spectrogram(n_fft=16), A.MelScale(n_mels=4, sample_rate=1000, n_stft=9)], "sound")
    (first, second) = data.create_dict_iterator(output_numpy=True, num_epochs=1)
    assert first["sound"].shape == second["sound"].shape == (4, 9)


def test_random_masks() -> None:
    ms.dataset.config.set_seed(3)
    masked = A.FrequencyMasking(True, 4)(np.ones((5, 8, 6), np.float32))
    assert set(np.unique(masked)) <= {0, 1}
    assert len({tuple(part[:, 0]) for part in masked}) > 1


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: A.Spectrogram(n_fft=0), ValueError, "n_fft is not within"),
        (lambda: A.Spectrogram(n_fft=4, win_length=8), ValueError, "at least win_length"),
        (lambda: A.Spectrogram(window="hann"), TypeError, "window"),
        (lambda: A.Gain()([1.0]), TypeError, "should be NumPy audio"),
        (lambda: A.Fade(100, 0)(w), RuntimeError, "shorter than the fade"),
        (lambda: A.LowpassBiquad(44100, 100, 0), ValueError, "Q is not within"),
        (lambda: A.RiaaBiquad(1000), ValueError, "sample_rate should be one of"),
        (lambda: A.MFCC(n_mfcc=200), ValueError, "less than or equal"),
        (lambda: A.FrequencyMasking(False, 9)(s), RuntimeError, "ends beyond the 8"),
        (lambda: A.Biquad(1, 1, 1, 0, 1, 1), ValueError, "a0 can not be 0"),
        (lambda: A.Contrast(200), ValueError, "enhancement_amount"),
        (lambda: A.melscale_fbanks(9, 5.0, 5.0, 4, 100), ValueError, "greater than f_min"),
    ],
)
def test_errors(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


SINE = (np.sin(np.arange(40) / 3) * 0.9).astype(np.float32)[None]
BOTH = np.concatenate([SINE, SINE * 0.5])


def spectrum(seed: int) -> Any:
    return np.random.RandomState(seed).rand(9, 6, 2).astype(np.float32)


# Of each result its shape and every seventh element.
EFFECTS = [
    ("A.Flanger(1000)(SINE)", (1, 40), [0.0, 0.6508, -0.899, 0.5911, 0.0826, -0.7052]),
    (
        "A.Flanger(1000, 5.0, 4.0, -20.0, 50.0, 2.0, 70.0, A.Modulation.TRIANGULAR, A.Interpolation.QUADRATIC)(BOTH)",
        (2, 40),
        [0.0, 0.5749, -0.5845, 0.1928, 0.3147, -0.6129, 0.1855, 0.108, -0.2252, 0.184, -0.0182, -0.1682],
    ),
    ("A.Phaser(44100)(SINE)", (1, 40), [0.0, 0.3563, -0.4058, 0.2044, 0.1234, -0.3748]),
    ("A.Phaser(1000, 0.3, 0.6, 2.0, 0.3, 1.5, False)(SINE)", (1, 40), [0.0, 0.1815, -0.2203, 0.1229, 0.0505, -0.1927]),
    ("A.Overdrive(10.0)(SINE)", (1, 40), [0.0748, 0.8102, -0.9617, 0.7924, 0.279, -0.8591]),
    (
        "A.Overdrive(30.0, 50.0)(BOTH)",
        (2, 40),
        [0.1836, 0.8097, -0.9621, 0.7908, 0.5192, -0.8612, 0.6357, 0.5112, -0.6904, 0.7113, -0.6441, -0.5557],
    ),
    (
        "A.PhaseVocoder(1.3, np.linspace(0, np.pi * 4, 9)[:, None].astype(np.float32))(spectrum(0)[None])",
        (1, 9, 5, 2),
        [0.5488, 0.9272, 0.0251, 0.6399, 0.3094, 0.4993, 0.6354, 0.1523, 0.8359, 0.0323, 0.5666, 0.6583],
    ),
    (
        "A.TimeStretch(4, 9, 1.2)(spectrum(1)[None])",
        (1, 9, 5, 2),
        [0.417, 0.4916, 0.3085, 0.8946, 0.7231, 0.6511, 0.0174, 0.2106, 0.7927, 0.2083, 0.2699, 0.8163],
    ),
    (
        "A.TimeStretch(None, 9)(spectrum(1))",
        (1, 9, 6, 2),
        [0.417, 0.3456, 0.0274, 0.9683, 0.1698, 0.3155, 0.2804, 0.13, 0.5741, 0.4142, 0.9034, 0.3478],
    ),
    ("A.DBToAmplitude(2.0, 0.5)(SINE)", (1, 40), [2.0, 2.1556, 1.8033, 2.1409, 2.019, 1.8441]),
]


@pytest.mark.parametrize(("expression", "shape", "numbers"), EFFECTS)
def test_effects(expression: str, shape: Any, numbers: Any) -> None:
    result = eval(expression)
    assert (result.shape, str(result.dtype)) == (shape, "float32")
    np.testing.assert_allclose(result.ravel()[::7][: len(numbers)], numbers, atol=2e-4)


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        ((0.1,), [-1.0, -1.0, -0.9, -0.85, -0.4, 0.1, 0.6, 1.0, 1.0, 1.0, 1.0]),
        ((0.1, 0.02), [-1.0, -1.0, -0.9, -0.85, -0.4, 0.1, 0.6, 0.92, 0.92, 0.92, 0.92]),
        ((-0.1,), [-1.0, -1.0, -1.0, -1.0, -0.6, -0.1, 0.4, 0.85, 0.9, 1.0, 1.0]),
        ((-0.1, 0.02), [0.55, 0.75, 0.8, 0.8125, -0.6, -0.1, 0.4, 0.85, 0.9, 1.0, 1.0]),
        ((0.5, 0.3), [-1.0, -0.7, -0.5, -0.45, 0.0, 0.5, 1.0, 0.8, 0.8, 0.8, 0.8]),
        ((1.5,), [-0.5, 0.3, 0.5, 0.55, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]),
        ((-0.3, 0.1), [-0.1, 0.3, 0.4, 0.425, -0.8, -0.3, 0.2, 0.65, 0.7, 0.9, 1.0]),
        ((0.0,), [-1.0, -1.0, -1.0, -0.95, -0.5, 0.0, 0.5, 0.95, 1.0, 1.0, 1.0]),
    ],
)
def test_shifts_stay_in_range(options: Any, numbers: Any) -> None:
    wave = np.array([-2.0, -1.2, -1.0, -0.95, -0.5, 0.0, 0.5, 0.95, 1.0, 1.2, 2.0], np.float32)
    np.testing.assert_allclose(A.DCShift(*options)(wave), numbers, atol=1e-4)


def test_effects_refuse_wrong_arguments() -> None:
    with pytest.raises(ValueError, match=r"Input gain is not within the required interval of \[0, 100\]"):
        A.Overdrive(101)
    with pytest.raises(TypeError, match="Argument delay_ms with value 'x'"):
        A.Phaser(1000, delay_ms="x")
    with pytest.raises(TypeError, match="Argument modulation"):
        A.Flanger(1000, modulation="sine")
    with pytest.raises(TypeError, match="phase_advance should be an array"):
        A.PhaseVocoder(1.0, 2.0)
    with pytest.raises(ValueError, match="rate is not within"):
        A.TimeStretch(fixed_rate=-1.0)
    with pytest.raises(TypeError, match="Argument sinusoidal with value 'sine'"):
        A.Phaser(1000, sinusoidal="sine")
    with pytest.raises(TypeError, match=r"Argument n_freq with value 9\.0"):
        A.TimeStretch(n_freq=9.0)


def test_the_shortest_delay_is_a_sample() -> None:
    """MindSpore allows a `delay_ms` of 0, for which there is no delayed copy."""
    sound = np.array([0.5, -0.25, 0.125])
    np.testing.assert_allclose(A.Phaser(1000, delay_ms=0.0)(sound), A.Phaser(1000, delay_ms=1.0)(sound))


@pytest.mark.parametrize(
    ("transform", "shape", "message"),
    [
        (lambda: A.PhaseVocoder(2.0, np.zeros((3, 1))), (1, 4, 5, 2), r"phases of shape \(3, 1\).* \(4, 1\)"),
        (lambda: A.PhaseVocoder(2.0, np.zeros((4, 1))), (1, 4, 5, 3), r"\(\.\.\., freq, time, 2\), but got"),
        (lambda: A.TimeStretch(4, 8), (1, 9, 5, 2), r"TimeStretch has phases of shape \(8, 1\).* \(9, 1\)"),
    ],
)
def test_spectrograms_fit_the_phases(transform: Any, shape: tuple[int, ...], message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        transform()(np.ones(shape))


@pytest.mark.parametrize(("old", "new"), [(5, 4), (160, 147), (999, 1000), (1000, 999), (20158, 16000)])
def test_a_sample_at_another_rate_is_a_sum_of_sincs(old: int, new: int) -> None:
    """With few phases and with many, of which each reads what lies around its place."""
    x = np.random.default_rng(0).normal(size=50)
    found = A.Resample(old, new)(x)
    rate = min(1, new / old) * 0.99
    away = (np.arange(50) - np.arange(len(found))[:, None] * old / new) * rate
    inside = np.clip(away, -6, 6)
    weights = np.sinc(inside) * np.cos(inside * np.pi / 12) ** 2 * rate
    assert len(found) == math.ceil(50 * new / old)
    np.testing.assert_allclose(found, weights @ x, rtol=1e-9, atol=1e-12)


def test_many_phases_take_little_memory() -> None:
    """A third of an octave has 8,000 phases, and each of them its own few numbers."""
    assert A.PitchShift(16000, 4)(np.sin(np.arange(16000))).shape == (16000,)
    assert A.Resample(20158, 16000).kernels.size < 200_000
