"""MindSpore's `scipy`; it has `fft` and `linalg`."""

from __future__ import annotations

from . import fft, linalg

__all__ = ["fft", "linalg"]
