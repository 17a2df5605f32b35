"""Fourier transforms in JAX."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def sound_spectrum(x: Any, window: Any) -> Any:
    """The mean magnitude of spectra of moving windows."""
    padded = jnp.pad(x, 256, mode="reflect")
    places = np.arange(1 + x.shape[0] // 128)[:, None] * 128 + np.arange(512)
    spectra = jnp.fft.rfft(padded[places] * window)
    return jnp.sqrt(spectra.real**2 + spectra.imag**2 + 1e-6).mean()


def low_pass(x: Any, factors: Any) -> Any:
    """How far signals are from what filters leave of them."""
    return ((jnp.fft.irfft(jnp.fft.rfft(x) * factors) - x) ** 2).mean()


def convolution(x: Any, kernel: Any) -> Any:
    """The mean square of convolutions by spectra."""
    size = x.shape[-1] + kernel.shape[-1] - 1
    length = 4608
    whole = jnp.fft.irfft(jnp.fft.rfft(x, length) * jnp.fft.rfft(kernel, length), length)
    return (whole[:, :size] ** 2).mean()


def spectral_layer(x: Any, real: Any, imag: Any) -> Any:
    """The mean square of a layer of a Fourier neural operator."""
    modes = real.shape[-1]
    spectrum = jnp.fft.rfft2(x)[:, :, :modes, :modes]
    mixed = jnp.einsum("bixy,ioxy->boxy", spectrum, jax.lax.complex(real, imag))
    rest = ((0, 0), (0, 0), (0, 64 - modes), (0, 33 - modes))
    return (jnp.fft.irfft2(jnp.pad(mixed, rest)) ** 2).mean()


def poisson(density: Any) -> Any:
    """The potential of a density."""
    k = np.fft.fftfreq(256, 1 / 256)
    squares = k[:, None] ** 2 + k**2
    squares[0, 0] = 1.0
    inverse = 1 / squares
    inverse[0, 0] = 0.0
    return jnp.fft.ifft2(jnp.fft.fft2(density) * inverse.astype(np.float32)).real


def autocorrelation(x: Any) -> Any:
    """The mean of a function of autocorrelations."""
    spectra = jnp.fft.rfft(x, 4000)
    sums = jnp.fft.irfft(spectra.real**2 + spectra.imag**2)[:, :2000]
    return jnp.tanh(sums / sums[:, :1]).mean()


def long(x: Any) -> Any:
    """The power spectrum of a long signal."""
    spectrum = jnp.fft.rfft(x)
    return spectrum.real**2 + spectrum.imag**2


def composite(real: Any, imag: Any) -> Any:
    """A signal in which each frequency is turned by its phase."""
    turns = jax.lax.complex(jnp.cos(real), jnp.sin(real))
    return jnp.fft.ifft(jnp.fft.fft(jax.lax.complex(real, imag)) * turns).real


prime = long


def wave_packet(real: Any, imag: Any, potential: Any) -> Any:
    """The probabilities after some steps."""
    k = 2 * np.pi * np.fft.fftfreq(1024, 16 / 1024)
    half, whole = 0.005 * potential, jnp.asarray(-0.01 * k**2 / 2, jnp.float32)
    kick = jax.lax.complex(jnp.cos(half), -jnp.sin(half))
    drift = jax.lax.complex(jnp.cos(whole), jnp.sin(whole))

    def step(_: Any, wave: Any) -> Any:
        return kick * jnp.fft.ifft(drift * jnp.fft.fft(kick * wave))

    wave = jax.lax.fori_loop(0, 20, step, jax.lax.complex(real, imag))
    return wave.real**2 + wave.imag**2
