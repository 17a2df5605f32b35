"""Norms, distances, inverses, determinants and decompositions of matrices."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.control_flow.conversion import mark_convertible
from ...frontend.values.arguments import insert_axes, need_flags, whole_number
from ...frontend.values.dispatch import apply, cast, promote
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import Shared
from .array_shape import reshape, swapaxes
from .documentation import common
from .linalg import matmul
from .nn_activation import floating
from .overloads import call
from .table import known_as, method

__all__ = [
    "cholesky", "cholesky_inverse", "cholesky_solve", "det", "eig", "eigh", "eigvals", "inverse", "logdet", "lstsq",
    "matrix_exp", "matrix_power", "matrix_solve", "pinv", "qr", "slogdet", "solve", "svd",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        input: a floating-point tensor of shape (..., n, n).
        A: a floating-point or complex tensor of shape (..., n, n).

    Raises:
        ValueError: if the matrices are not square.
    """,
    common,
)


def _float(value: Any, function: str, name: str = "input", dtype: Any = None) -> Tensor:
    x = need_tensor(value, function, name)
    if dtype is not None:
        return cast(x, dtypes.as_dtype(dtype))
    return x if x.dtype.is_float or x.dtype.is_complex else cast(x, dtypes.float32)


def _sum(x: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    return apply(prims.sum, x, axis=tuple(sorted(axes)), keepdims=keepdims)


# Inverses and determinants


@known_as(mint=True, method=True, primitive="MatrixInverseExt", shared=_shared)
def inverse(input: Tensor) -> Tensor:
    """The inverses of square matrices.

    Examples:
        >>> print(ops.inverse(Tensor([[2.0]])))
        [[0.5]]
    """
    return apply(prims.inverse, _float(input, "inverse"))


@known_as("matrix_determinant", method="det matrix_determinant", primitive="MatrixDeterminant", shared=_shared)
def det(input: Tensor) -> Tensor:
    """The determinants of square matrices.

    Examples:
        >>> print(ops.det(Tensor([[1.0, 2.0], [3.0, 5.0]])))
        -1.0
    """
    return apply(prims.determinant, _float(input, "det"))


@known_as(
    "log_matrix_determinant", method="slogdet log_matrix_determinant", primitive="LogMatrixDeterminant", shared=_shared
)
def slogdet(input: Tensor) -> tuple[Tensor, Tensor]:
    """The signs of the determinants of square matrices, and the logarithms of their magnitudes.

    Examples:
        >>> print(*ops.slogdet(Tensor([[2.0]])))
        1.0 0.6931472
    """
    return apply(prims.slogdet, _float(input, "slogdet"))


@known_as(method=True, shared=_shared)
def logdet(input: Tensor) -> Tensor:
    """The logarithms of the determinants of square matrices; nan where they are negative.

    Examples:
        >>> print(ops.logdet(Tensor([[2.0]])))
        0.6931472
    """
    sign, logarithm = slogdet(input)
    return apply(prims.select, apply(prims.less, sign, 0), float("nan"), logarithm)


@_shared
def solve(A: Tensor, B: Tensor) -> Tensor:
    """The x for which A @ x is B, for square matrices A and vectors or matrices B.

    Args:
        A: a floating-point tensor of shape (..., n, n).
        B: a tensor of shape (..., n) or (..., n, k).

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.solve(Tensor([[2.0]]), Tensor([4.0])))
        [2.]
    """
    a, b = promote(_float(A, "solve", "A"), _float(B, "solve", "B"))
    if b.ndim == a.ndim - 1:
        return reshape(apply(prims.solve, a, insert_axes(b, (b.ndim,))), b.shape)
    return apply(prims.solve, a, b)


@_shared
def matrix_solve(matrix: Tensor, rhs: Tensor, adjoint: bool = False) -> Tensor:
    """The x for which matrix @ x is `rhs`; with `adjoint` for the conjugate transpose of the matrix.

    Args:
        matrix: a floating-point tensor of shape (..., n, n).
        rhs: a tensor of shape (..., n, k).
        adjoint: whether to take the conjugate transpose.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.matrix_solve(Tensor([[2.0]]), Tensor([[4.0]])))
        [[2.]]
    """
    a = need_tensor(matrix, "matrix_solve", "matrix")
    return solve(apply(prims.conj, swapaxes(a, -1, -2)) if adjoint else a, rhs)


@known_as(method=True, shared=_shared)
def pinv(x: Tensor, *, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Tensor:
    """The pseudo-inverses of matrices; singular values up to max(atol, rtol * the largest) count as zero.

    Args:
        x: a floating-point tensor of shape (..., n, m).
        atol, rtol: the bounds; None: 0 and one that depends on the size.
        hermitian: whether the matrices are symmetric.

    Raises:
        ValueError: if there are fewer than two dimensions.

    Examples:
        >>> print(ops.pinv(Tensor([[2.0]])))
        [[0.5]]
    """
    need_flags("pinv", hermitian=hermitian)
    matrix = floating(x, "pinv", "x")
    if rtol is None:
        rtol = 0.0 if atol is not None else max(map(int, matrix.shape[-2:])) * float(np.finfo(matrix.dtype.np).eps)
    return apply(prims.pseudo_inverse, matrix, rtol, 0.0 if atol is None else atol)


@known_as(method=True, shared=_shared)
def matrix_power(input: Tensor, n: int) -> Tensor:
    """Square matrices to a whole power; negative powers are those of the inverses.

    Args:
        n: the power, an int.

    Examples:
        >>> print(ops.matrix_power(Tensor([[2.0]]), 3))
        [[8.]]
    """
    x, power = _float(input, "matrix_power"), whole_number(n, "matrix_power", "n")
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"matrix_power: matrices should be square, but got shape {x.shape}")
    if power < 0:
        x, power = inverse(x), -power
    result: Tensor | None = None
    while power:
        if power % 2:
            result = x if result is None else matmul(result, x)
        power //= 2
        x = matmul(x, x) if power else x
    return _identity_like(x) if result is None else result


def _identity_like(x: Tensor) -> Tensor:
    size = int(x.shape[-1])
    eye = Tensor(np.eye(size), x.dtype)
    return apply(prims.broadcast_to, eye, shape=tuple(map(int, x.shape)))


@known_as(primitive="MatrixExp", shared=_shared)
def matrix_exp(input: Tensor) -> Tensor:
    """The exponentials of square matrices, by scaling, a Padé quotient of degree 7, and squaring.

    Examples:
        >>> from mycel import ops
        >>> print(ops.matrix_exp(ops.zeros((2, 2))))
        [[1. 0.]
         [0. 1.]]
    """
    x = _float(input, "matrix_exp")
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"matrix_exp: square matrices are expected, but got shape {x.shape}")
    if not x.size:
        return x
    more = _more_halvings(x)
    scaled = apply(prims.multiply, x, cast(apply(prims.power, 2.0, apply(prims.subtract, -_HALVINGS, more)), x.dtype))
    factors = [1.0]
    for step in range(1, 8):
        factors.append(factors[-1] * (8 - step) / ((15 - step) * step))
    square = matmul(scaled, scaled)
    fourth = matmul(square, square)
    powers = (_identity_like(x), square, fourth, matmul(fourth, square))
    even, odd = (
        functools.reduce(
            lambda total, term: apply(prims.add, total, term),
            (apply(prims.multiply, power, factor) for power, factor in zip(powers, factors[odd::2], strict=True)),
        )
        for odd in (0, 1)
    )
    odd = matmul(scaled, odd)
    result = apply(prims.solve, apply(prims.subtract, even, odd), apply(prims.add, even, odd))
    for _ in range(_HALVINGS):
        result = matmul(result, result)
    squared: Tensor = call(_squared, result, cast(more, dtypes.int32))
    return squared


_LARGEST_NORM = {32: 3.92, 64: 0.95}
"""The norms of scaled matrices up to which the quotient has all digits, by the bits of the real numbers."""
_HALVINGS = 2
"""How often matrices are halved at least. Only the run knows how much more, which costs more time each."""


def _more_halvings(x: Tensor) -> Tensor:
    """How often matrices are halved beyond `_HALVINGS`, so that the quotient has all digits."""
    size = apply(prims.absolute, apply(prims.stop_gradient, x))
    norm = apply(prims.max, _sum(size, (x.ndim - 2,), False), axis=tuple(range(x.ndim - 1)), keepdims=False)
    least = 2**_HALVINGS * _LARGEST_NORM[size.dtype.bits]
    usual = apply(prims.logical_not, apply(prims.greater, norm, least))  # also of nan
    times = apply(prims.ceil, apply(prims.log2, apply(prims.divide, norm, least)))
    bounded = apply(prims.minimum, times, float(np.finfo(size.dtype.np).maxexp))
    return apply(prims.select, usual, 0.0, bounded)


@mark_convertible
def _squared(x: Tensor, times: Any) -> Tensor:
    for _ in range(times):
        x = matmul(x, x)
    return x


# Decompositions


def singular_values(x: Tensor) -> Tensor:
    """The singular values of matrices, in descending order."""
    return apply(prims.svd, x)[0]


def _completed(vectors: Tensor) -> Tensor:
    """The square matrices whose first columns are these, which are orthonormal."""
    beyond = apply(prims.complement, apply(prims.stop_gradient, vectors))
    return apply(prims.concatenate, vectors, beyond, axis=vectors.ndim - 1)


@known_as(method=True, shared=_shared)
def svd(input: Tensor, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """The singular values of matrices, and matrices U and V with orthonormal columns: x is U @ diag(s) @ V.T.

    With `full_matrices` U and V are square; no gradient flows through the columns that this adds.

    Args:
        input: a floating-point tensor of shape (..., n, m).
        full_matrices: whether U and V are square.
        compute_uv: whether to give U and V.

    Raises:
        ValueError: if there are fewer than two dimensions.

    Examples:
        >>> print(ops.svd(Tensor([[2.0]]), compute_uv=False))
        [2.]
    """
    need_flags("svd", full_matrices=full_matrices, compute_uv=compute_uv)
    x = floating(input, "svd")
    if not compute_uv:
        return singular_values(x)
    values, u, vt = apply(prims.svd, x)
    v = swapaxes(vt, -1, -2)
    if full_matrices and int(x.shape[-1]) > int(x.shape[-2]):
        v = _completed(v)
    elif full_matrices and int(x.shape[-1]) < int(x.shape[-2]):
        u = _completed(u)
    return values, u, v


@known_as()
def qr(input: Tensor, mode: str = "reduced") -> tuple[Tensor, Tensor]:
    """Q with orthonormal columns and upper triangular R: x is Q @ R.

    With the mode "complete" Q is square; no gradient flows through the columns that this adds.

    Args:
        input: a floating-point tensor of shape (..., n, m).
        mode: "reduced", or "complete" for a square Q.

    Raises:
        ValueError: for a mode that is neither "reduced" nor "complete".

    Examples:
        >>> print(ops.qr(Tensor([[2.0]]))[1].shape)
        (1, 1)
    """
    x = floating(input, "qr")
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr: 'mode' should be 'reduced' or 'complete', but got {mode!r}")
    r, q = apply(prims.qr_factors, x)
    rows, columns = int(x.shape[-2]), int(x.shape[-1])
    if mode == "complete" and rows > columns:
        q = _completed(q)
        zeros = apply(prims.full, shape=(*x.shape[:-2], rows - columns, columns), value=0.0, dtype=x.dtype)
        r = apply(prims.concatenate, r, zeros, axis=x.ndim - 2)
    return q, r


@method("qr")
def qr_method(self: Tensor, some: Any = True, *, mode: str = "reduced") -> tuple[Tensor, Tensor]:
    """Q with orthonormal columns and upper triangular R; see `ops.qr`.

    Args:
        some: whether Q has as many columns as R has rows; False: Q is square. A text is a mode.
        mode: "reduced", or "complete" for a square Q.

    Raises:
        ValueError: for a mode that is neither "reduced" nor "complete".

    Examples:
        >>> print(Tensor([[2.0], [1.0]]).qr(some=False)[0].shape)
        (2, 2)
    """
    return qr(self, some if isinstance(some, str) else mode if some else "complete")


@_shared
def eig(A: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors, in columns, of square matrices: both complex.

    The eigenvalues are differentiable where they differ from each other, the eigenvectors are not.

    Raises:
        TypeError: if the dtype is none of Float32, Float64, Complex64 and Complex128.

    Examples:
        >>> values, vectors = ops.eig(Tensor([[2.0, 0.0], [0.0, 3.0]]))
        >>> print(values)
        [2.+0.j 3.+0.j]
    """
    result: tuple[Tensor, Tensor] = apply(prims.eig, need_tensor(A, "eig", "A"))
    return result


@known_as(method=True, shared=_shared)
def eigvals(A: Tensor) -> Tensor:
    """The eigenvalues of square matrices, complex; errors as for `eig`.

    Examples:
        >>> print(ops.eigvals(Tensor([[2.0, 0.0], [0.0, 3.0]])))
        [2.+0.j 3.+0.j]
    """
    result: Tensor = apply(prims.eig, need_tensor(A, "eigvals", "A"))[0]
    return result


@_shared
def eigh(input: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvalues, in ascending order, and eigenvectors, in columns, of symmetric matrices.

    Args:
        input: symmetric matrices of shape (..., n, n).

    Examples:
        >>> print(ops.eigh(Tensor([[2.0, 0.0], [0.0, 1.0]]))[0])
        [1. 2.]
    """
    return apply(prims.eigh, floating(input, "eigh"))


@known_as(method=True, shared=_shared)
def cholesky(input_x: Tensor, upper: bool = False) -> Tensor:
    """The lower (or upper) triangular factors of positive definite matrices.

    Args:
        input_x: positive definite matrices of shape (..., n, n).
        upper: whether to give the upper factor.

    Examples:
        >>> print(ops.cholesky(Tensor([[4.0]])))
        [[2.]]
    """
    lower = apply(prims.cholesky, floating(input_x, "cholesky", "input_x"))
    return swapaxes(lower, -1, -2) if upper else lower


def solve_triangle(a: Tensor, b: Tensor, lower: bool, transposed: bool) -> Tensor:
    """The x for which a @ x is b, where only the lower or the upper triangle of a counts; or its transpose."""
    return apply(prims.solve_triangle, a, b, lower=lower, transposed=transposed)


@known_as(method=True, shared=_shared)
def cholesky_inverse(input_x: Tensor, upper: bool = False) -> Tensor:
    """The inverses of the matrices that have these Cholesky factors.

    Args:
        input_x: triangular matrices of shape (..., n, n); the other triangle is not read.
        upper: whether they are upper ones.

    Raises:
        ValueError: if there are no square matrices.

    Examples:
        >>> print(ops.cholesky_inverse(Tensor([[2.0]])))
        [[0.25]]
    """
    factor = floating(input_x, "cholesky_inverse", "input_x")
    shape = tuple(factor.shape)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise ValueError(f"cholesky_inverse: 'input_x' should hold square matrices, but got shape {shape}")
    inverted = solve_triangle(factor, _identity_like(factor), not upper, False)
    other = swapaxes(apply(prims.conj, inverted) if factor.dtype.is_complex else inverted, -1, -2)
    return matmul(inverted, other) if upper else matmul(other, inverted)


@known_as(method=True, shared=_shared)
def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False) -> Tensor:
    """The x for which a @ x is `input`, where `input2` holds the Cholesky factors of a.

    Args:
        input: a tensor of shape (..., n, k).
        input2: triangular matrices of shape (..., n, n); the other triangle is not read.
        upper: whether they are upper ones.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.cholesky_solve(Tensor([[8.0]]), Tensor([[2.0]])))
        [[2.]]
    """
    factor, right = floating(input2, "cholesky_solve", "input2"), floating(input, "cholesky_solve")
    return solve_triangle(factor, solve_triangle(factor, right, not upper, upper), not upper, not upper)


@known_as(method=True, shared=_shared)
def lstsq(input: Tensor, A: Tensor) -> Tensor:
    """The x for which |input @ x - A| is smallest.

    Args:
        input: a floating-point matrix of shape (m, n).
        A: a vector or matrix with m rows.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.lstsq(Tensor([[2.0]]), Tensor([[4.0]])))
        [[2.]]
    """
    return matmul(pinv(floating(input, "lstsq")), A)
