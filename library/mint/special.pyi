# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from .functional import log_softmax

__all__ = [
    "erfc", "exp2", "expm1", "log1p", "log_softmax", "round", "sinc",
]

def erfc(input: Any) -> Any:
    """As `ops.erfc`."""

def exp2(input: Any) -> Any:
    """As `ops.exp2`."""

def expm1(input: Any) -> Any:
    """As `ops.expm1`."""

def log1p(input: Any) -> Any:
    """As `ops.log1p`."""

def round(input: Any, *, decimals: int = 0) -> Any:
    """As `ops.round`."""

def sinc(input: Any) -> Any:
    """As `ops.sinc`."""
