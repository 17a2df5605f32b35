"""Fourier transforms in PyTorch."""

from typing import Any

import numpy as np
import torch


def sound_spectrum(x: Any, window: Any) -> Any:
    """The mean magnitude of spectra of moving windows."""
    spectra = torch.stft(x, 512, hop_length=128, window=window, return_complex=True)
    return torch.sqrt(spectra.real**2 + spectra.imag**2 + 1e-6).mean()


def low_pass(x: Any, factors: Any) -> Any:
    """How far signals are from what filters leave of them."""
    return ((torch.fft.irfft(torch.fft.rfft(x) * factors) - x) ** 2).mean()


def convolution(x: Any, kernel: Any) -> Any:
    """The mean square of convolutions by spectra."""
    size = x.shape[-1] + kernel.shape[-1] - 1
    length = 4608
    whole = torch.fft.irfft(torch.fft.rfft(x, length) * torch.fft.rfft(kernel, length), length)
    return (whole[:, :size] ** 2).mean()


def spectral_layer(x: Any, real: Any, imag: Any) -> Any:
    """The mean square of a layer of a Fourier neural operator."""
    modes = real.shape[-1]
    spectrum = torch.fft.rfft2(x)[:, :, :modes, :modes]
    mixed = torch.einsum("bixy,ioxy->boxy", spectrum, torch.complex(real, imag))
    padded = torch.nn.functional.pad(mixed, (0, 33 - modes, 0, 64 - modes))
    return (torch.fft.irfft2(padded) ** 2).mean()


def poisson(density: Any) -> Any:
    """The potential of a density."""
    k = np.fft.fftfreq(256, 1 / 256)
    squares = k[:, None] ** 2 + k**2
    squares[0, 0] = 1.0
    inverse = 1 / squares
    inverse[0, 0] = 0.0
    return torch.fft.ifft2(torch.fft.fft2(density) * torch.from_numpy(inverse.astype(np.float32))).real


def autocorrelation(x: Any) -> Any:
    """The mean of a function of autocorrelations."""
    spectra = torch.fft.rfft(x, 4000)
    sums = torch.fft.irfft(spectra.real**2 + spectra.imag**2)[:, :2000]
    return torch.tanh(sums / sums[:, :1]).mean()


def long(x: Any) -> Any:
    """The power spectrum of a long signal."""
    spectrum = torch.fft.rfft(x)
    return spectrum.real**2 + spectrum.imag**2


def composite(real: Any, imag: Any) -> Any:
    """A signal in which each frequency is turned by its phase."""
    turns = torch.complex(torch.cos(real), torch.sin(real))
    return torch.fft.ifft(torch.fft.fft(torch.complex(real, imag)) * turns).real


prime = long


def wave_packet(real: Any, imag: Any, potential: Any) -> Any:
    """The probabilities after some steps."""
    k = 2 * np.pi * np.fft.fftfreq(1024, 16 / 1024)
    half, whole = 0.005 * potential, torch.from_numpy((-0.01 * k**2 / 2).astype(np.float32))
    kick = torch.complex(torch.cos(half), -torch.sin(half))
    drift = torch.complex(torch.cos(whole), torch.sin(whole))
    wave = torch.complex(real, imag)
    for _ in range(20):
        wave = kick * torch.fft.ifft(drift * torch.fft.fft(kick * wave))
    return wave.real**2 + wave.imag**2
