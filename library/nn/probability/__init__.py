"""`mycel.nn.probability`: distributions, and bijectors that make new ones of them."""

from __future__ import annotations

from . import bijector, distribution

__all__ = ["bijector", "distribution"]
