"""`mycel.mint.linalg`: inverses, norms and decompositions of matrices."""

from __future__ import annotations

from .table import table

_FUNCTIONS = table(
    {
        "inv(input)": "inverse",
        "norm(A, ord=None, dim=None, keepdim=False, *, dtype=None)": "norm",
        "vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None)": "vector_norm",
        "matrix_norm(A, ord='fro', dim=(-2, -1), keepdim=False, *, dtype=None)": "matrix_norm",
        "qr(A, mode='reduced')": "qr",
    }
)
globals().update(_FUNCTIONS)
__all__ = list(_FUNCTIONS)
