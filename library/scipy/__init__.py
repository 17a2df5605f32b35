"""MindSpore's `scipy`; it has `linalg`."""

from __future__ import annotations

from . import linalg

__all__ = ["linalg"]
