"""Equations of triangular matrices, with SciPy's argument names."""

from __future__ import annotations

from typing import Any

from ...frontend.values.arguments import need_type
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .array_shape import expand_dims, squeeze, swapaxes
from .creation_ranges import eye, tril, triu
from .documentation import common
from .linalg_solve import solve_triangle
from .representation import cast, conj


def matrices(value: Any, function: str, square: bool = True) -> Tensor:
    """A tensor of (square) matrices; integers as floats."""
    need_type(value, Tensor, f"{function}: a Tensor is expected")
    if value.ndim < 2 or (square and value.shape[-1] != value.shape[-2]):
        kind = "square matrices" if square else "matrices"
        raise ValueError(f"{function}: {kind} are expected, but got shape {value.shape}")
    if value.dtype.is_integer:
        return cast(value, dtypes.float32 if value.dtype.bits <= 32 else dtypes.float64)
    return value


def adjoint(x: Tensor) -> Tensor:
    """The conjugates of transposed matrices."""
    turned = swapaxes(x, -1, -2)
    return conj(turned) if x.dtype.is_complex else turned


@common
def solve_triangular(
    a: Tensor, b: Tensor, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool = False,
    debug: Any = None, check_finite: bool = True,
) -> Tensor:  # fmt: skip
    """The solution of triangular equations.

    Args:
        a: a tensor of matrices (..., n, n), of which only one half is read.
        b: the right sides, a tensor of shape (..., n) or (..., n, k).
        trans: 0 or "N", 1 or "T" (the transposed matrix), 2 or "C" (its conjugate, too).
        lower: whether the lower half is read.
        unit_diagonal: whether the diagonal counts as ones.
        overwrite_b, debug, check_finite: accepted.

    Raises:
        ValueError: if `a` holds no square matrices, or `trans` is something else.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import linalg
        >>> print(linalg.solve_triangular(Tensor([[2.0, 0.0], [1.0, 1.0]]), Tensor([2.0, 3.0]), lower=True))
        [1. 2.]
    """
    if trans not in (0, 1, 2, "N", "T", "C"):
        raise ValueError(f"solve_triangular: 'trans' should be one of 0, 1, 2, 'N', 'T', 'C', but got {trans!r}")
    matrix = matrices(a, "solve_triangular")
    half = conj(matrix) if trans in (2, "C") and matrix.dtype.is_complex else matrix
    if unit_diagonal:
        beside = tril(half, -1) if lower else triu(half, 1)
        half = beside + eye(int(matrix.shape[-1]), int(matrix.shape[-1]), matrix.dtype)
    right = cast(b, matrix.dtype)
    vector = right.ndim == matrix.ndim - 1
    solved = solve_triangle(half, expand_dims(right, -1) if vector else right, lower, trans not in (0, "N"))
    return squeeze(solved, -1) if vector else solved
