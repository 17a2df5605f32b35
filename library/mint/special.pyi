# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from .functional import log_softmax as log_softmax

def erfc(input: Any) -> Any:
    """One less the error function of each element, exact for large ones."""

def exp2(input: Any) -> Any:
    """2 to the power of each element; of integers in Float32."""

def expm1(input: Any) -> Any:
    """exp(x) - 1 of each element, exact for small ones."""

def log1p(input: Any) -> Any:
    """log(1 + x) of each element, exact for small ones."""

def round(input: Any, *, decimals: int = 0) -> Any:
    """Each element rounded to `decimals` places after the point, halves to the even neighbour."""

def sinc(input: Any) -> Any:
    """`sin(pi * x) / (pi * x)` of each element, and 1 at 0; of integers in Float32."""
