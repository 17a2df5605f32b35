"""Fourier transforms in MindSpore's names."""

from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

COMPLEX = ops.Complex()


def sound_spectrum(x: Any, window: Any) -> Any:
    """The mean magnitude of spectra of moving windows."""
    spectra = ops.stft(x, 512, hop_length=128, window=window, return_complex=True)
    return ops.sqrt(ops.real(spectra) ** 2 + ops.imag(spectra) ** 2 + 1e-6).mean()


def low_pass(x: Any, factors: Any) -> Any:
    """How far signals are from what filters leave of them."""
    return ((ops.irfft(ops.rfft(x) * factors) - x) ** 2).mean()


def convolution(x: Any, kernel: Any) -> Any:
    """The mean square of convolutions by spectra."""
    size = x.shape[-1] + kernel.shape[-1] - 1
    length = 4608
    return (ops.irfft(ops.rfft(x, length) * ops.rfft(kernel, length), length)[:, :size] ** 2).mean()


def spectral_layer(x: Any, real: Any, imag: Any) -> Any:
    """The mean square of a layer of a Fourier neural operator."""
    modes = real.shape[-1]
    spectrum = ops.rfft2(x)[:, :, :modes, :modes]
    mixed = ops.einsum("bixy,ioxy->boxy", spectrum, COMPLEX(real, imag))
    return (ops.irfft2(ops.pad(mixed, (0, 33 - modes, 0, 64 - modes))) ** 2).mean()


def poisson(density: Any) -> Any:
    """The potential of a density."""
    k = np.fft.fftfreq(256, 1 / 256)
    squares = k[:, None] ** 2 + k**2
    squares[0, 0] = 1.0
    inverse = 1 / squares
    inverse[0, 0] = 0.0
    return ops.real(ops.ifft2(ops.fft2(density) * Tensor(inverse, ms.float32)))


def autocorrelation(x: Any) -> Any:
    """The mean of a function of autocorrelations."""
    spectra = ops.rfft(x, 4000)
    power = ops.real(spectra) ** 2 + ops.imag(spectra) ** 2
    sums = ops.irfft(COMPLEX(power, ops.zeros_like(power)))[:, :2000]
    return ops.tanh(sums / sums[:, :1]).mean()


def long(x: Any) -> Any:
    """The power spectrum of a long signal."""
    spectrum = ops.rfft(x)
    return ops.real(spectrum) ** 2 + ops.imag(spectrum) ** 2


def composite(real: Any, imag: Any) -> Any:
    """A signal in which each frequency is turned by its phase."""
    turns = COMPLEX(ops.cos(real), ops.sin(real))
    return ops.real(ops.ifft(ops.fft(COMPLEX(real, imag)) * turns))


prime = long


def wave_packet(real: Any, imag: Any, potential: Any) -> Any:
    """The probabilities after some steps."""
    k = 2 * np.pi * np.fft.fftfreq(1024, 16 / 1024)
    half, whole = 0.005 * potential, Tensor(-0.01 * k**2 / 2, ms.float32)
    kick = COMPLEX(ops.cos(half), -ops.sin(half))
    drift = COMPLEX(ops.cos(whole), ops.sin(whole))
    wave = COMPLEX(real, imag)
    for _ in range(20):
        wave = kick * ops.ifft(drift * ops.fft(kick * wave))
    return ops.real(wave) ** 2 + ops.imag(wave) ** 2
