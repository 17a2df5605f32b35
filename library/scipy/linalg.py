"""MindSpore's `scipy.linalg`: factorisations and equations of matrices with SciPy's argument names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.dispatch import apply
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..functions.triangular import adjoint, matrices, solve_triangular

__all__ = [
    "block_diag", "cho_factor", "cho_solve", "cholesky", "eigh", "inv", "lstsq", "lu", "lu_factor", "solve_triangular",
]  # fmt: skip


def block_diag(*arrs: Any) -> Tensor:
    """The matrices along the diagonal of a larger one, with zeros elsewhere.

    Examples:
        >>> import mycel as ms
        >>> from mycel.library.scipy.linalg import block_diag
        >>> print(block_diag(ms.Tensor([[1.0]]), ms.Tensor([[2.0, 3.0]])))
        [[1. 0. 0.]
         [0. 2. 3.]]
    """
    blocks = [ops.atleast_2d(item if isinstance(item, Tensor) else Tensor(item)) for item in arrs]
    columns = sum(int(block.shape[1]) for block in blocks)
    rows, before = [], 0
    for block in blocks:
        after = columns - before - int(block.shape[1])
        rows.append(ops.pad(block, (before, after)))
        before += int(block.shape[1])
    return ops.concat(tuple(rows), 0)


def inv(a: Tensor, overwrite_a: bool = False, check_finite: bool = True) -> Tensor:
    """The inverses of square matrices.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import linalg
        >>> print(linalg.inv(Tensor([[4.0]])))
        [[0.25]]
    """
    return ops.inverse(matrices(a, "inv"))


def cholesky(a: Tensor, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Tensor:
    """The triangular factors, upper ones by default, of positive definite matrices.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import linalg
        >>> print(linalg.cholesky(Tensor([[4.0]])))
        [[2.]]
    """
    factor = ops.cholesky(matrices(a, "cholesky"))
    return factor if lower else adjoint(factor)


def cho_factor(
    a: Tensor, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Tensor, bool]:
    """The triangular factor for `cho_solve`, and whether it is the lower one.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import linalg
        >>> print(linalg.cho_factor(Tensor([[4.0]]))[0])
        [[2.]]
    """
    return cholesky(a, lower), lower


def cho_solve(c_and_lower: Any, b: Tensor, overwrite_b: bool = False, check_finite: bool = True) -> Tensor:
    """The solution of equations with a matrix that `cho_factor` has factored.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import linalg
        >>> factor = linalg.cho_factor(Tensor([[4.0]]))
        >>> print(linalg.cho_solve(factor, Tensor([8.0])))
        [2.]
    """
    factor, lower = c_and_lower
    first = solve_triangular(factor, b, 0 if lower else 2, lower)
    return solve_triangular(factor, first, 2 if lower else 0, lower)


def eigh(
    a: Tensor, b: Any = None, lower: bool = True, eigvals_only: bool = False, overwrite_a: bool = False,
    overwrite_b: bool = False, turbo: bool = True, eigvals: Any = None, type: int = 1, check_finite: bool = True,
) -> Any:  # fmt: skip
    """The eigenvalues of symmetric matrices, rising, and their eigenvectors as columns.

    Raises:
        ValueError: if `b` or `eigvals` is given, or `type` is not 1: generalised problems are not supported.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import linalg
        >>> print(linalg.eigh(Tensor([[1.0, 0.0], [0.0, 2.0]]))[0])
        [1. 2.]
    """
    if b is not None or eigvals is not None or type != 1:
        raise ValueError("eigh: only the plain eigenvalue problem is supported: leave 'b', 'eigvals' and 'type' out")
    matrix = matrices(a, "eigh")
    half, inner = (ops.tril(matrix), ops.tril(matrix, -1)) if lower else (ops.triu(matrix), ops.triu(matrix, 1))
    values, vectors = ops.eigh(half + adjoint(inner))
    return values if eigvals_only else (values, vectors)


def _factored(a: Tensor, function: str) -> tuple[Tensor, Tensor]:
    """Matrices as both their LU factors in one, and the order of their rows."""
    packed, order = apply(prims.lu, matrices(a, function, square=False))
    return packed, ops.cast(order, dtypes.int64)


def lu_factor(a: Tensor, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Tensor, Tensor]:
    """Both LU factors of matrices in one, and with which row each row is exchanged in turn (Int32).

    Args:
        a: a tensor of shape (..., m, n).
        overwrite_a, check_finite: accepted.

    Raises:
        ValueError: if `a` holds no matrices.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import linalg
        >>> print(*linalg.lu_factor(Tensor([[2.0]])))
        [[2.]] [0]
    """
    packed, order = _factored(a, "lu_factor")
    return packed, apply(prims.exchanges, order, count=min(map(int, packed.shape[-2:])))


def lu(a: Tensor, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Tensor, ...]:
    """The factors of matrices: the order of rows (Int32), a lower and an upper triangle. Their product is `a`.

    Args:
        a: a tensor of shape (..., m, n).
        permute_l: whether to give the first two as their product.
        overwrite_a, check_finite: accepted.

    Raises:
        ValueError: if `a` holds no matrices.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import linalg
        >>> print(linalg.lu(Tensor([[2.0]]))[2])
        [[2.]]
    """
    packed, order = _factored(a, "lu")
    rows, least = int(packed.shape[-2]), min(map(int, packed.shape[-2:]))
    lower = ops.tril(packed[..., :least], -1) + ops.eye(rows, least, packed.dtype)
    upper = ops.triu(packed[..., :least, :])
    exchanged = ops.equal(ops.expand_dims(ops.arange(rows), 1), ops.expand_dims(order, -2))
    if permute_l:
        return ops.matmul(ops.cast(exchanged, packed.dtype), lower), upper
    return ops.cast(exchanged, dtypes.int32), lower, upper


def lstsq(A: Tensor, B: Tensor, rcond: Any = None, driver: Any = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The x for which |A @ x - B| is smallest, the squared residuals of columns, the rank and the singular values.

    As in MindSpore, the driver says which of the last three results there are; the others are empty. "gelsy" (the
    default) gives the rank, "gels" the residuals, "gelsd" and "gelss" give all. There are residuals only if A has more
    rows than columns.

    Args:
        A: a matrix of shape (m, n).
        B: a tensor of shape (m,) or (m, k).
        rcond: singular values up to this part of the largest count as zero; None: up to one that depends on the size.
        driver: "gels", "gelsy", "gelsd" or "gelss", LAPACK's names of methods.

    Raises:
        ValueError: if the shapes do not fit, or the driver is something else.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import linalg
        >>> print(linalg.lstsq(Tensor([[2.0], [2.0]]), Tensor([1.0, 3.0]))[0])
        [1.]
    """
    if driver not in (None, "gels", "gelsy", "gelsd", "gelss"):
        raise ValueError(f"lstsq: 'driver' should be 'gels', 'gelsy', 'gelsd' or 'gelss', but got {driver!r}")
    matrix = matrices(A, "lstsq", square=False)
    sides = ops.cast(need_tensor(B, "lstsq", "B"), matrix.dtype)
    rows, columns = map(int, matrix.shape)
    if sides.ndim not in (1, 2) or sides.shape[0] != rows:
        raise ValueError(f"lstsq: 'B' should have {rows} rows, as many as 'A', but got shape {sides.shape}")
    bound = max(rows, columns) * float(np.finfo(matrix.dtype.np).eps) if rcond is None else float(rcond)
    solution = ops.matmul(ops.pinv(matrix, rtol=bound), sides)
    missing = singular = ops.zeros((0,), matrix.dtype)
    rank = ops.zeros((0,), dtypes.int64)
    if driver not in (None, "gelsy") and rows > columns:
        missing = ops.reshape(ops.sum(ops.square(ops.matmul(matrix, solution) - sides), 0), (-1,))
    if driver != "gels":
        values = ops.svd(matrix, compute_uv=False)
        rank = ops.cast(ops.greater(values, values.max() * bound), dtypes.int64).sum()
        singular = singular if driver in (None, "gelsy") else values
    return solution, missing, rank, singular
