"""Programs of Fourier transforms, from spectra of sound to differential equations, with their gradients."""

import numpy as np
from programs import Program, normal


def _waves(generator: np.random.Generator) -> list[np.ndarray]:
    """Points of a line, a wave packet (real and imaginary part) and a potential there."""
    x = np.linspace(-8, 8, 1024, endpoint=False)
    packet = np.exp(-((x + 2) ** 2)) * np.exp(2j * x)
    return [each.astype(np.float32) for each in (packet.real, packet.imag, 0.5 * x**2)]


PROGRAMS = {
    "sound_spectrum": Program("the magnitude of the stft of 16,000 samples, windows of 512", normal((16000,), (512,))),
    "low_pass": Program("rfft, a factor for each frequency, irfft of 64 x 1024", normal((64, 1024), (513,)), 2),
    "convolution": Program("16 signals of 4096 with a kernel of 500, by rfft", normal((16, 4096), (500,)), 2),
    "spectral_layer": Program(
        "12 x 12 modes of rfft2 of 4 x 16 images of 64 x 64, mixed by complex weights",
        normal((4, 16, 64, 64), (16, 16, 12, 12), (16, 16, 12, 12)),
        3,
    ),
    "poisson": Program("Poisson's equation on a torus of 256 x 256, by fft2", normal((256, 256)), 0),
    "autocorrelation": Program("autocorrelations of 32 signals of 2000 by their power spectra", normal((32, 2000))),
    "long": Program("the power spectrum of 2^18 numbers", normal((2**18,)), 0),
    "composite": Program("fft of 100,000 complex numbers, phases turned, and back", normal((100_000,), (100_000,)), 0),
    "prime": Program("the power spectrum of 10,007 numbers", normal((10_007,)), 0),
    "wave_packet": Program("20 steps of Schroedinger's equation on 1024 points, split-step", _waves, 0),
}
