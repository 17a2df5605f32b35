# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any

def inv(input: Any) -> Any:
    """The inverses of square matrices."""

def matrix_norm(A: Any, ord: Any = 'fro', dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The norms of matrices over two axes."""

def norm(A: Any, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The norm of a tensor: of all its elements, of vectors along one dimension, or of matrices over two."""

def qr(A: Any, mode: str = 'reduced') -> Any:
    """Q with orthonormal columns and upper triangular R: x is Q @ R."""

def vector_norm(x: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The norms of vectors along axes (of all elements, by default)."""
