"""MindSpore's `scipy`, of which `linalg` is here."""

from __future__ import annotations

from . import linalg

__all__ = ["linalg"]
