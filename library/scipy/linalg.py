"""MindSpore's `scipy.linalg`: factorisations and equations of matrices with SciPy's argument names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiler.ops.solving import all_finite
from ...frontend.values.operands import computed_outside
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


def _factored(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A matrix as both its LU factors in one, rows exchanged so that pivots are large, and these exchanges."""
    packed = x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)
    count = min(packed.shape)
    pivots = np.arange(count)
    for step in range(count):
        best = step + int(np.argmax(np.abs(packed[step:, step])))
        pivots[step] = best
        packed[[step, best]] = packed[[best, step]]
        if packed[step, step] != 0:
            packed[step + 1 :, step] /= packed[step, step]
            packed[step + 1 :, step + 1 :] -= np.outer(packed[step + 1 :, step], packed[step, step + 1 :])
    return packed, pivots


def lu_factor(a: Tensor, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Tensor, Tensor]:
    """Both LU factors of a matrix in one, and with which row each row was exchanged (Int32); outside of graphs.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import linalg
        >>> print(*linalg.lu_factor(Tensor([[2.0]])))
        [[2.]] [0]
    """
    matrix = matrices(a, "lu_factor", square=False)
    packed, pivots = _factored(matrix.asnumpy())
    result = Tensor(packed, matrix.dtype), Tensor(pivots, dtypes.int32)
    return tuple(computed_outside(result, [matrix], "lu_factor"))


def lu(a: Tensor, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Tensor, ...]:
    """The factors of a matrix: the order of rows, a lower and an upper triangle; outside of graphs.

    Args:
        permute_l: whether to give the first two as their product.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import linalg
        >>> print(linalg.lu(Tensor([[2.0]]))[2])
        [[2.]]
    """
    matrix = matrices(a, "lu", square=False)
    packed, pivots = _factored(matrix.asnumpy())
    rows, least = packed.shape[0], min(packed.shape)
    order = np.arange(rows)
    for step, other in enumerate(pivots.tolist()):
        order[[step, other]] = order[[other, step]]
    exchanged = np.zeros((rows, rows), np.int32)
    exchanged[order, np.arange(rows)] = 1
    permutation = Tensor(exchanged)  # Int32
    lower, upper = np.tril(packed[:, :least], -1) + np.eye(rows, least), np.triu(packed[:least])
    factors = Tensor(exchanged @ lower if permute_l else lower, matrix.dtype), Tensor(upper, matrix.dtype)
    factors = computed_outside(factors, [matrix], "lu")
    return factors if permute_l else (permutation, *factors)


def lstsq(A: Tensor, B: Tensor, rcond: Any = None, driver: Any = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The least-squares solution of equations, the squared residuals, the rank and the singular values.

    Examples:
        >>> from mycel import Tensor
        >>> from mycel.scipy import linalg
        >>> print(linalg.lstsq(Tensor([[2.0], [2.0]]), Tensor([1.0, 3.0]))[0])
        [1.]
    """
    matrix = matrices(A, "lstsq", square=False)
    solution, missing, rank, singular = np.linalg.lstsq(
        all_finite("lstsq", matrix.asnumpy().astype(np.float64)),
        B.asnumpy(),
        rcond=None if rcond is None else float(rcond),
    )
    result = (
        Tensor(solution, matrix.dtype),
        Tensor(missing, matrix.dtype),
        Tensor(np.array(rank), dtypes.int64),
        Tensor(singular, matrix.dtype),
    )
    return tuple(computed_outside(result, [matrix, B], "lstsq"))
