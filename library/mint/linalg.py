"""`mycel.mint.linalg`: inverses, norms and decompositions of matrices."""

from __future__ import annotations

from .table import table as _table

_FUNCTIONS = _table(
    {
        "inv(input)": "inverse",
        "norm(A, ord=None, dim=None, keepdim=False, *, dtype=None)": "norm",
        "vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None)": "vector_norm",
        "matrix_norm(A, ord='fro', dim=(-2, -1), keepdim=False, *, dtype=None)": "matrix_norm",
        "qr(A, mode='reduced')": "qr",
    },
    __name__,
)
globals().update(_FUNCTIONS)
__all__ = list(_FUNCTIONS)
