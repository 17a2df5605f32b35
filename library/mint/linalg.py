"""`mycel.mint.linalg`: inverses, norms and decompositions of matrices."""

from __future__ import annotations

from .table import Table as _Table

_TABLE = _Table(
    {
        "inv(input)": "inverse",
        "norm(A, ord=None, dim=None, keepdim=False, *, dtype=None)": "norm",
        "vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None)": "vector_norm",
        "matrix_norm(A, ord='fro', dim=(-2, -1), keepdim=False, *, dtype=None)": "matrix_norm",
        "qr(A, mode='reduced')": "qr",
    },
    __name__,
)
__getattr__ = _TABLE.find
__all__ = list(_TABLE.rows)


def __dir__() -> list[str]:
    return sorted(__all__)
