# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any

__all__ = [
    "inv", "matrix_norm", "norm", "qr", "vector_norm",
]

def inv(input: Any) -> Any:
    """As `ops.inverse`."""

def matrix_norm(A: Any, ord: Any = 'fro', dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None) -> Any:
    """As `ops.matrix_norm`."""

def norm(A: Any, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """As `ops.norm`."""

def qr(A: Any, mode: str = 'reduced') -> Any:
    """As `ops.qr`."""

def vector_norm(x: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """As `ops.vector_norm`."""
