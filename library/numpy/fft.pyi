# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from ...frontend.values.tensor import Tensor
from .elementwise import in_dtype, tensor_of

__all__ = [
    "ONE_AXIS", "Tensor", "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn", "ifft", "ifft2",
    "ifftn", "ifftshift", "ihfft", "ihfft2", "ihfftn", "in_dtype", "irfft", "irfft2", "irfftn", "rfft", "rfft2",
    "rfftfreq", "rfftn", "tensor_of",
]

ONE_AXIS: str

def fft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """As `ops.fft`, also of sequences."""

def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """As `ops.fft2`, also of sequences."""

def fftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies of the n elements that `fft` gives, for samples a distance of d apart."""

def fftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """As `ops.fftn`, also of sequences."""

def fftshift(x: Any, axes: Any = None) -> Tensor:
    """The array with the zero frequency in the middle of the axes (None: all)."""

def hfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """As `ops.hfft`, also of sequences."""

def hfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """As `ops.hfft2`, also of sequences."""

def hfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """As `ops.hfftn`, also of sequences."""

def ifft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """As `ops.ifft`, also of sequences."""

def ifft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """As `ops.ifft2`, also of sequences."""

def ifftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """As `ops.ifftn`, also of sequences."""

def ifftshift(x: Any, axes: Any = None) -> Tensor:
    """The reverse of `fftshift`."""

def ihfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """As `ops.ihfft`, also of sequences."""

def ihfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """As `ops.ihfft2`, also of sequences."""

def ihfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """As `ops.ihfftn`, also of sequences."""

def irfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """As `ops.irfft`, also of sequences."""

def irfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """As `ops.irfft2`, also of sequences."""

def irfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """As `ops.irfftn`, also of sequences."""

def rfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """As `ops.rfft`, also of sequences."""

def rfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """As `ops.rfft2`, also of sequences."""

def rfftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies of the elements that `rfft` gives for n samples a distance of d apart."""

def rfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """As `ops.rfftn`, also of sequences."""
