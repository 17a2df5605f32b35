"""MindSpore's `scipy`, of which `linalg` is here."""

from __future__ import annotations

from . import scipy_linalg as linalg

__all__ = ["linalg"]
