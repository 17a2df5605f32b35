"""MindSpore's `scipy`; it has `fft`, `linalg` and `optimize`."""

from __future__ import annotations

from . import fft, linalg, optimize

__all__ = ["fft", "linalg", "optimize"]
