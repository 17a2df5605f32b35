# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from ...frontend.values.tensor import Tensor as Tensor
from ..functions.documentation import Parts as Parts
from .elementwise import in_dtype as in_dtype, tensor_of as tensor_of

ONE_AXIS: str

def fft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """The discrete Fourier transform along an axis."""

def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The discrete Fourier transform over several axes."""

def fftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies of the n elements that `fft` gives, for samples a distance of d apart."""

def fftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """The discrete Fourier transform over several axes."""

def fftshift(x: Any, axes: Any = None) -> Tensor:
    """The array with the zero frequency in the middle of the axes."""

def hfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """The real discrete Fourier transform of a signal of which the first half is given along an axis."""

def hfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The real discrete Fourier transform of a signal of which the first half is given over several axes."""

def hfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """The real discrete Fourier transform of a signal of which the first half is given over several axes."""

def ifft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform along an axis."""

def ifft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform over several axes."""

def ifftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform over several axes."""

def ifftshift(x: Any, axes: Any = None) -> Tensor:
    """The array with the zero frequency at the beginning of the axes: the inverse of `fftshift`."""

def ihfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """The first half of the inverse discrete Fourier transform of real numbers along an axis."""

def ihfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The first half of the inverse discrete Fourier transform of real numbers over several axes."""

def ihfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """The first half of the inverse discrete Fourier transform of real numbers over several axes."""

def irfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """The real numbers of which `rfft` made the input along an axis."""

def irfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The real numbers of which `rfft` made the input over several axes."""

def irfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """The real numbers of which `rfft` made the input over several axes."""

def rfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """The first half, which says all, of the discrete Fourier transform of real numbers along an axis."""

def rfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The first half, which says all, of the discrete Fourier transform of real numbers over several axes."""

def rfftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies of the elements that `rfft` gives for n samples a distance of d apart."""

def rfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """The first half, which says all, of the discrete Fourier transform of real numbers over several axes."""
