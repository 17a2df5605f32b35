"""Transformations of sound: the numbers that MindSpore 2.10 gives, and errors."""

from __future__ import annotations

import json
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
