"""Norms, distances, inverses, determinants and decompositions of matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import insert_axes, many_axes, one_axis, whole_number
from ...frontend.values.dispatch import apply, cast, promote
from ...frontend.values.operands import in_single, need_tensor, widened
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .array_shape import moveaxis, reshape, swapaxes
from .linalg import matmul
from .nn_activation import floating
from .reduce import axes_of
from .table import known_as

__all__ = [
    "cdist", "cholesky", "cholesky_inverse", "cholesky_solve", "cond", "cov", "det", "dist", "eig", "eigh", "eigvals",
    "inverse", "logdet", "lstsq", "matrix_exp", "matrix_norm", "matrix_power", "matrix_solve", "norm", "pdist",
    "pinv", "qr", "renorm", "slogdet", "solve", "svd", "vector_norm",
]  # fmt: skip


def _float(value: Any, function: str, name: str = "input", dtype: Any = None) -> Tensor:
    x = need_tensor(value, function, name)
    if dtype is not None:
        return cast(x, dtypes.as_dtype(dtype))
    return x if x.dtype.is_float or x.dtype.is_complex else cast(x, dtypes.float32)


def _sum(x: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    return apply(prims.sum, x, axis=tuple(sorted(axes)), keepdims=keepdims)


def vector_norm(x: Tensor, ord: Any = 2, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Tensor:
    """The norms of vectors along axes (of all elements, by default).

    Args:
        x: a floating-point tensor of any shape.
        ord: 2, 1, any other power, inf (the largest magnitude), -inf (the smallest) or 0 (how many are not zero).
        axis: the axis, or a tuple of axes; None: all elements.
        keepdims: whether the axes stay as dimensions of size one.
        dtype: the dtype to convert to first.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: if `axis` is out of range.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.vector_norm(Tensor([3.0, 4.0])))
        5.0
    """
    values = _float(x, "vector_norm", "x", dtype)
    axes = tuple(range(values.ndim)) if axis is None else many_axes(axis, values.ndim, "vector_norm")
    axes = tuple(sorted(axes))
    result = _vector_norm(widened(values), ord, axes, keepdims)
    return cast(result, values.dtype) if values.dtype.is_half else result


def _vector_norm(values: Tensor, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    if ord == 2 and values.dtype.is_float:
        return apply(prims.sqrt, _sum(apply(prims.square, values), axes, keepdims))
    size = apply(prims.absolute, values)
    if ord == 2:
        return apply(prims.sqrt, _sum(apply(prims.square, size), axes, keepdims))
    if ord == 1:
        return _sum(size, axes, keepdims)
    if ord == math.inf:
        return apply(prims.max, size, axis=axes, keepdims=keepdims)
    if ord == -math.inf:
        return apply(prims.min, size, axis=axes, keepdims=keepdims)
    if ord == 0:
        return _sum(cast(apply(prims.not_equal, size, 0.0), size.dtype), axes, keepdims)
    if isinstance(ord, str):
        raise ValueError(f"vector_norm: 'ord' should be a number, but got {ord!r}")
    total = _sum(apply(prims.power, size, float(ord)), axes, keepdims)
    return apply(prims.power, total, 1.0 / ord)


def matrix_norm(
    A: Tensor,
    ord: Any = "fro",
    axis: Any = (-2, -1),
    keepdims: bool = False,
    *,
    dtype: Any = None,
) -> Tensor:
    """The norms of matrices over two axes.

    Args:
        A: a floating-point tensor of at least two dimensions.
        ord: "fro" (root of the sum of squares), "nuc" (sum of singular values), inf, -inf (largest, smallest row sum),
            1, -1 (largest, smallest column sum), 2, -2 (largest, smallest singular value).
        axis: the two axes.
        keepdims: whether they stay as dimensions of size one.
        dtype: the dtype to convert to first.

    Raises:
        ValueError: for another order, or not two axes.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.matrix_norm(Tensor([[3.0, 4.0]])))
        5.0
    """
    x = _float(A, "matrix_norm", "A", dtype)
    axes = many_axes(axis, x.ndim, "matrix_norm")
    if len(axes) != 2:
        raise ValueError(f"matrix_norm: 'axis' should name two dimensions, but got {axis}")
    result = _matrix_norm(widened(x), ord, axes, keepdims)
    return cast(result, x.dtype) if x.dtype.is_half else result


def _matrix_norm(x: Tensor, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    if ord == "fro":
        return vector_norm(x, 2, axes, keepdims)
    if ord in (2, -2, "nuc"):
        values = singular_values(moveaxis(x, axes, (-2, -1)))
        op = prims.sum if ord == "nuc" else prims.max if ord == 2 else prims.min
        result = apply(op, values, axis=(values.ndim - 1,), keepdims=False)
        return insert_axes(result, tuple(sorted(axes))) if keepdims else result
    if ord not in (1, -1, math.inf, -math.inf):
        raise ValueError(f"matrix_norm: 'ord' should be 'fro', 'nuc', inf, -inf, 1, -1, 2 or -2, but got {ord!r}")
    rows, columns = axes
    over, best = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = _sum(apply(prims.absolute, x), (over,), True)
    result = apply(prims.max if ord > 0 else prims.min, sums, axis=(best,), keepdims=True)
    if keepdims:
        return result
    kept = tuple(size for place, size in enumerate(result.shape) if place not in axes)
    return reshape(result, kept)


@known_as(method=True)
def norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The norm of a tensor: of all its elements, of vectors along one dimension, or of matrices over two.

    Args:
        A: a floating-point tensor of any shape.
        ord: the order, see `vector_norm` and `matrix_norm`; None: the root of the sum of squares.
        dim: one dimension, or two. None: all elements, or with `ord` the vector or matrix that the tensor is.
        keepdim: whether the dimensions stay with size one.
        dtype: the dtype to convert to first.

    Raises:
        TypeError: if `A` is no Tensor.
        ValueError: if `dim` is out of range, or `ord` does not fit the dimensions.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.norm(ms.Tensor([3.0, 4.0])))
        5.0
    """
    x = _float(A, "norm", "A", dtype)
    if dim is None:
        if ord is None or (ord == 2 and x.ndim != 2):
            return vector_norm(x, 2, None, keepdim)
        if x.ndim > 2:
            raise ValueError(f"norm: with 'ord' and no 'dim' a vector or matrix is expected, but got shape {x.shape}")
        return vector_norm(x, ord, None, keepdim) if x.ndim < 2 else matrix_norm(x, ord, (0, 1), keepdim)
    axes = axes_of(dim, x.ndim, "norm", "dim") if x.ndim == 0 else many_axes(dim, x.ndim, "norm", "dim")
    if ord is None:
        return vector_norm(x, 2, axes, keepdim)
    return matrix_norm(x, ord, axes, keepdim) if len(axes) == 2 else vector_norm(x, ord, axes, keepdim)


@known_as(method=True)
@in_single(2)
def dist(input: Tensor, other: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm of the difference of two tensors.

    Args:
        input: a floating-point tensor of any shape.
        other: a tensor of a shape that can be broadcast with that of `input`.
        p: the order of the norm.

    Raises:
        TypeError: if `input` or `other` is no Tensor.
        ValueError: if the shapes cannot be broadcast together.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.dist(Tensor([0.0, 0.0]), Tensor([3.0, 4.0])))
        5.0
    """
    x, y = promote(_float(input, "dist"), _float(other, "dist", "other"))
    return vector_norm(apply(prims.subtract, x, y), p)


@in_single(2)
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """The p-norms of the differences of each row of one batch of matrices with each of another.

    Args:
        x1: a floating-point tensor of shape (..., n, d).
        x2: a floating-point tensor of shape (..., m, d).
        p: the order of the norm.

    Raises:
        TypeError: if `x1` or `x2` is no Tensor.
        ValueError: if the shapes do not fit.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.cdist(Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0]])))
        [[5.]]
    """
    x, y = promote(floating(x1, "cdist", "x1"), floating(x2, "cdist", "x2"))
    if x.ndim < 2 or y.ndim < 2 or x.shape[-1] != y.shape[-1]:
        raise ValueError(
            f"cdist: matrices with rows of one length are expected, but got shapes {x.shape} and {y.shape}"
        )
    if p < 0:
        raise ValueError(f"cdist: 'p' should not be negative, but got {p}")
    gaps = apply(prims.subtract, insert_axes(x, (x.ndim - 1,)), insert_axes(y, (y.ndim - 2,)))
    return _safe_norm(gaps, p)


def _safe_norm(x: Tensor, p: float) -> Tensor:
    """The p-norms over the last axis, whose derivative at zero is zero."""
    axis = (x.ndim - 1,)
    if p != 2:
        return vector_norm(x, p, x.ndim - 1)
    squares = _sum(apply(prims.square, x), axis, False)
    zero = apply(prims.equal, squares, 0.0)
    root = apply(prims.sqrt, apply(prims.select, zero, 1.0, squares))
    return apply(prims.select, zero, 0.0, root)


@in_single()
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The p-norms of the differences of each pair of rows of a matrix.

    Args:
        input: a floating-point matrix of shape (n, d).
        p: the order of the norm.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if `p` is negative.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.pdist(Tensor([[0.0, 0.0], [3.0, 4.0]])))
        [5.]
    """
    x = floating(input, "pdist")
    first, second = np.triu_indices(int(x.shape[-2]), 1)
    rows = [apply(prims.take, x, Tensor(places.astype(np.int64)), axis=x.ndim - 2) for places in (first, second)]
    return _safe_norm(apply(prims.subtract, *rows), p)


@known_as(method=True)
@in_single()
def renorm(input: Tensor, p: float, axis: int, maxnorm: float) -> Tensor:
    """The tensor with those of its parts along an axis scaled down whose p-norm is above `maxnorm`.

    Args:
        input: a floating-point tensor of at least two dimensions.
        p: the order of the norm.
        axis: the axis; a negative one counts from the end.
        maxnorm: the largest norm.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if `axis` is out of range, or `p` is not positive.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.renorm(Tensor([[3.0, 4.0]]), 2, 0, 1.0))
        [[0.6 0.8]]
    """
    x = floating(input, "renorm")
    place = one_axis(axis, x.ndim, "renorm")
    sizes = vector_norm(x, p, tuple(item for item in range(x.ndim) if item != place), True)
    factor = apply(prims.divide, float(maxnorm), apply(prims.maximum, sizes, float(maxnorm)))
    return apply(prims.multiply, x, factor)


# Inverses and determinants


@known_as(mint=True, method=True, primitive="MatrixInverseExt")
def inverse(input: Tensor) -> Tensor:
    """The inverses of square matrices.

    Args:
        input: a floating-point tensor of shape (..., n, n).

    Raises:
        ValueError: if the matrices are not square.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.inverse(Tensor([[2.0]])))
        [[0.5]]
    """
    return apply(prims.inverse, _float(input, "inverse"))


@known_as("matrix_determinant", method="det matrix_determinant", primitive="MatrixDeterminant")
def det(input: Tensor) -> Tensor:
    """The determinants of square matrices.

    Args:
        input: a floating-point tensor of shape (..., n, n).

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if the matrices are not square.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.det(Tensor([[1.0, 2.0], [3.0, 5.0]])))
        -1.0
    """
    return apply(prims.determinant, _float(input, "det"))


@known_as("log_matrix_determinant", method="slogdet log_matrix_determinant", primitive="LogMatrixDeterminant")
def slogdet(input: Tensor) -> tuple[Tensor, Tensor]:
    """The signs of the determinants of square matrices, and the logarithms of their magnitudes.

    Args:
        input: a floating-point tensor of shape (..., n, n).

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if the matrices are not square.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(*ops.slogdet(Tensor([[2.0]])))
        1.0 0.6931472
    """
    return apply(prims.slogdet, _float(input, "slogdet"))


@known_as(method=True)
def logdet(input: Tensor) -> Tensor:
    """The logarithms of the determinants of square matrices; nan where they are negative.

    Args:
        input: a floating-point tensor of shape (..., n, n).

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if the matrices are not square.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.logdet(Tensor([[2.0]])))
        0.6931472
    """
    sign, logarithm = slogdet(input)
    return apply(prims.select, apply(prims.less, sign, 0), float("nan"), logarithm)


def solve(A: Tensor, B: Tensor) -> Tensor:
    """The x for which A @ x is B, for square matrices A and vectors or matrices B.

    Args:
        A: a floating-point tensor of shape (..., n, n).
        B: a tensor of shape (..., n) or (..., n, k).

    Raises:
        TypeError: if `A` or `B` is no Tensor.
        ValueError: if the shapes do not fit.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.solve(Tensor([[2.0]]), Tensor([4.0])))
        [2.]
    """
    a, b = promote(_float(A, "solve", "A"), _float(B, "solve", "B"))
    if b.ndim == a.ndim - 1:
        return reshape(apply(prims.solve, a, insert_axes(b, (b.ndim,))), b.shape)
    return apply(prims.solve, a, b)


def matrix_solve(matrix: Tensor, rhs: Tensor, adjoint: bool = False) -> Tensor:
    """The x for which matrix @ x is `rhs`; with `adjoint` for the conjugate transpose of the matrix.

    Args:
        matrix: a floating-point tensor of shape (..., n, n).
        rhs: a tensor of shape (..., n, k).
        adjoint: whether to take the conjugate transpose.

    Raises:
        TypeError: if `matrix` or `rhs` is no Tensor.
        ValueError: if the shapes do not fit.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.matrix_solve(Tensor([[2.0]]), Tensor([[4.0]])))
        [[2.]]
    """
    a = need_tensor(matrix, "matrix_solve", "matrix")
    return solve(apply(prims.conj, swapaxes(a, -1, -2)) if adjoint else a, rhs)


@known_as(method=True)
def pinv(x: Tensor, *, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Tensor:
    """The pseudo-inverses of matrices; singular values up to max(atol, rtol * the largest) count as zero.

    Args:
        x: a floating-point tensor of shape (..., n, m).
        atol, rtol: the bounds; None: 0 and one that depends on the size.
        hermitian: whether the matrices are symmetric.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: if there are fewer than two dimensions.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.pinv(Tensor([[2.0]])))
        [[0.5]]
    """
    matrix = floating(x, "pinv", "x")
    u, values, vt = apply(prims.svd, matrix)
    if rtol is None:
        rtol = 0.0 if atol is not None else max(map(int, matrix.shape[-2:])) * float(np.finfo(matrix.dtype.np).eps)
    largest = apply(prims.max, values, axis=(values.ndim - 1,), keepdims=True)
    bound = apply(prims.maximum, apply(prims.multiply, largest, rtol), 0.0 if atol is None else atol)
    large = apply(prims.greater, values, bound)
    inverted = apply(prims.select, large, apply(prims.divide, 1.0, apply(prims.select, large, values, 1.0)), 0.0)
    scaled = apply(prims.multiply, swapaxes(vt, -1, -2), insert_axes(inverted, (inverted.ndim - 1,)))
    return matmul(scaled, swapaxes(u, -1, -2))


@known_as(method=True)
def matrix_power(input: Tensor, n: int) -> Tensor:
    """Square matrices to a whole power; negative powers are those of the inverses.

    Args:
        input: a floating-point tensor of shape (..., n, n).
        n: the power, an int.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if the matrices are not square.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.matrix_power(Tensor([[2.0]]), 3))
        [[8.]]
    """
    x, power = _float(input, "matrix_power"), whole_number(n, "matrix_power", "n")
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


@known_as(primitive="MatrixExp")
def matrix_exp(input: Tensor) -> Tensor:
    """The exponentials of square matrices, by scaling, a Padé quotient of degree 7, and squaring.

    Args:
        input: a floating-point tensor of shape (..., n, n).

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if the matrices are not square.

    Examples:
        >>> from mycel import ops
        >>> print(ops.matrix_exp(ops.zeros((2, 2))))
        [[1. 0.]
         [0. 1.]]
    """
    x = _float(input, "matrix_exp")
    halvings = 6  # fits norms up to about 250 in single precision
    scaled = apply(prims.multiply, x, 0.5**halvings)
    even, odd, power, factor = _identity_like(x), apply(prims.multiply, scaled, 0.5), scaled, 0.5
    for step in range(2, 8):
        power = matmul(power, scaled)
        factor *= (8 - step) / ((15 - step) * step)
        term = apply(prims.multiply, power, factor)
        even, odd = (apply(prims.add, even, term), odd) if step % 2 == 0 else (even, apply(prims.add, odd, term))
    result = apply(prims.solve, apply(prims.subtract, even, odd), apply(prims.add, even, odd))
    for _ in range(halvings):
        result = matmul(result, result)
    return result


def cond(A: Tensor, p: Any = None) -> Tensor:
    """The condition numbers of matrices: the norm times that of the inverse; None for the ratio of singular values.

    Args:
        A: a floating-point tensor of shape (..., n, m).
        p: the norm: None, "fro", "nuc", inf, -inf, 1, -1, 2 or -2.

    Raises:
        TypeError: if `A` is no Tensor.
        ValueError: if there are fewer than two dimensions.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.cond(Tensor([[2.0, 0.0], [0.0, 1.0]])))
        2.0
    """
    x = _float(A, "cond", "A")
    if p is None or p in (2, -2):
        values = singular_values(x)
        last = values.ndim - 1
        largest = apply(prims.max, values, axis=(last,), keepdims=False)
        smallest = apply(prims.min, values, axis=(last,), keepdims=False)
        return apply(prims.divide, *((smallest, largest) if p == -2 else (largest, smallest)))
    return apply(prims.multiply, matrix_norm(x, p), matrix_norm(inverse(x), p))


# Decompositions


def singular_values(x: Tensor) -> Tensor:
    """The singular values of matrices, in descending order."""
    return apply(prims.svd, x)[1]


def _completed(vectors: Tensor) -> Tensor:
    """The square matrices whose first columns are these, which are orthonormal."""
    beyond = apply(prims.complement, apply(prims.stop_gradient, vectors))
    return apply(prims.concatenate, vectors, beyond, axis=vectors.ndim - 1)


@known_as(method=True)
def svd(input: Tensor, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """The singular values of matrices, and matrices U and V with orthonormal columns: x is U @ diag(s) @ V.T.

    With `full_matrices` U and V are square; no gradient flows through the columns that this adds.

    Args:
        input: a floating-point tensor of shape (..., n, m).
        full_matrices: whether U and V are square.
        compute_uv: whether to give U and V.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if there are fewer than two dimensions.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.svd(Tensor([[2.0]]), compute_uv=False))
        [2.]
    """
    x = floating(input, "svd")
    if not compute_uv:
        return singular_values(x)
    u, values, vt = apply(prims.svd, x)
    v = swapaxes(vt, -1, -2)
    if full_matrices and int(x.shape[-1]) > int(x.shape[-2]):
        v = _completed(v)
    elif full_matrices and int(x.shape[-1]) < int(x.shape[-2]):
        u = _completed(u)
    return values, u, v


@known_as(method=True)
def qr(input: Tensor, mode: str = "reduced") -> tuple[Tensor, Tensor]:
    """Q with orthonormal columns and upper triangular R: x is Q @ R.

    With the mode "complete" Q is square; no gradient flows through the columns that this adds.

    Args:
        input: a floating-point tensor of shape (..., n, m).
        mode: "reduced", or "complete" for a square Q.

    Raises:
        ValueError: for a mode that is neither "reduced" nor "complete".

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.qr(Tensor([[2.0]]))[1].shape)
        (1, 1)
    """
    x = floating(input, "qr")
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr: 'mode' should be 'reduced' or 'complete', but got {mode!r}")
    q, r = apply(prims.qr, x)
    rows, columns = int(x.shape[-2]), int(x.shape[-1])
    if mode == "complete" and rows > columns:
        q = _completed(q)
        zeros = apply(prims.full, shape=(*x.shape[:-2], rows - columns, columns), value=0.0, dtype=x.dtype)
        r = apply(prims.concatenate, r, zeros, axis=x.ndim - 2)
    return q, r


def eig(A: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors, in columns, of square matrices: both complex.

    The eigenvalues are differentiable where they differ from each other, the eigenvectors are not.

    Args:
        A: a floating-point or complex tensor of shape (..., n, n).

    Raises:
        TypeError: if the dtype is none of Float32, Float64, Complex64 and Complex128.
        ValueError: if the matrices are not square.

    Examples:
        >>> from mycel import Tensor, ops
        >>> values, vectors = ops.eig(Tensor([[2.0, 0.0], [0.0, 3.0]]))
        >>> print(values)
        [2.+0.j 3.+0.j]
    """
    result: tuple[Tensor, Tensor] = apply(prims.eig, need_tensor(A, "eig", "A"))
    return result


@known_as(method=True)
def eigvals(A: Tensor) -> Tensor:
    """The eigenvalues of square matrices, complex; errors as for `eig`.

    Args:
        A: a floating-point or complex tensor of shape (..., n, n).

    Raises:
        TypeError: if `A` is no Tensor.
        ValueError: if the matrices are not square.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.eigvals(Tensor([[2.0, 0.0], [0.0, 3.0]])))
        [2.+0.j 3.+0.j]
    """
    result: Tensor = apply(prims.eig, need_tensor(A, "eigvals", "A"))[0]
    return result


def eigh(input: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvalues, in ascending order, and eigenvectors, in columns, of symmetric matrices.

    Args:
        input: symmetric matrices of shape (..., n, n).

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if the matrices are not square.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.eigh(Tensor([[2.0, 0.0], [0.0, 1.0]]))[0])
        [1. 2.]
    """
    return apply(prims.eigh, floating(input, "eigh"))


@known_as(method=True)
def cholesky(input_x: Tensor, upper: bool = False) -> Tensor:
    """The lower (or upper) triangular factors of positive definite matrices.

    Args:
        input_x: positive definite matrices of shape (..., n, n).
        upper: whether to give the upper factor.

    Raises:
        TypeError: if `input_x` is no Tensor.
        ValueError: if the matrices are not square.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.cholesky(Tensor([[4.0]])))
        [[2.]]
    """
    lower = apply(prims.cholesky, floating(input_x, "cholesky", "input_x"))
    return swapaxes(lower, -1, -2) if upper else lower


def _factored(factor: Tensor, upper: bool) -> Tensor:
    """The matrices of which these are the Cholesky factors."""
    other = swapaxes(factor, -1, -2)
    return matmul(other, factor) if upper else matmul(factor, other)


@known_as(method=True)
def cholesky_inverse(input_x: Tensor, upper: bool = False) -> Tensor:
    """The inverses of the matrices that have these Cholesky factors.

    Args:
        input_x: triangular matrices of shape (..., n, n).
        upper: whether they are upper ones.

    Raises:
        TypeError: if `input_x` is no Tensor.
        ValueError: if the matrices are not square.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.cholesky_inverse(Tensor([[2.0]])))
        [[0.25]]
    """
    return inverse(_factored(floating(input_x, "cholesky_inverse", "input_x"), upper))


@known_as(method=True)
def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False) -> Tensor:
    """The x for which a @ x is `input`, where `input2` holds the Cholesky factors of a.

    Args:
        input: a tensor of shape (..., n, k).
        input2: triangular matrices of shape (..., n, n).
        upper: whether they are upper ones.

    Raises:
        TypeError: if `input` or `input2` is no Tensor.
        ValueError: if the shapes do not fit.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.cholesky_solve(Tensor([[8.0]]), Tensor([[2.0]])))
        [[2.]]
    """
    factor = floating(input2, "cholesky_solve", "input2")
    first = apply(prims.solve, swapaxes(factor, -1, -2) if upper else factor, floating(input, "cholesky_solve"))
    return apply(prims.solve, factor if upper else swapaxes(factor, -1, -2), first)


@known_as(method=True)
def lstsq(input: Tensor, A: Tensor) -> Tensor:
    """The x for which |input @ x - A| is smallest.

    Args:
        input: a floating-point matrix of shape (m, n).
        A: a vector or matrix with m rows.

    Raises:
        TypeError: if `input` or `A` is no Tensor.
        ValueError: if the shapes do not fit.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.lstsq(Tensor([[2.0]]), Tensor([[4.0]])))
        [[2.]]
    """
    return matmul(pinv(floating(input, "lstsq")), A)


@known_as(method=True)
@in_single()
def cov(input: Tensor, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Tensor:
    """The covariances of variables, the rows, whose observations are the columns.

    Args:
        input: a tensor of at most two dimensions, (variables, observations).
        correction: what is subtracted from the number of observations.
        fweights, aweights: how often each observation was made; how much each counts.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if there are more dimensions, or the weights do not fit.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.cov(Tensor([[1.0, 3.0]])))
        [[2.]]
    """
    x = _float(input, "cov")
    if x.ndim > 2:
        raise ValueError(f"cov: a vector or a matrix is expected, but got shape {x.shape}")
    rows = insert_axes(x, (0,)) if x.ndim == 1 else reshape(x, (1, 1)) if x.ndim == 0 else x
    weights: Any = None
    for given in (fweights, aweights):
        if given is not None:
            factor = cast(given, rows.dtype)
            weights = factor if weights is None else apply(prims.multiply, weights, factor)
    if weights is None:
        count: Any = float(rows.shape[1])
        mean = apply(prims.mean, rows, axis=(1,), keepdims=True)
        centred = apply(prims.subtract, rows, mean)
        other, rest = centred, max(count - correction, 0.0)
    else:
        total = _sum(weights, (0,), False)
        mean = apply(prims.divide, _sum(apply(prims.multiply, rows, weights), (1,), True), total)
        centred = apply(prims.subtract, rows, mean)
        other = apply(prims.multiply, centred, weights)
        if aweights is None:
            lost: Any = float(correction)
        else:
            scaled = apply(prims.multiply, weights, cast(aweights, rows.dtype))
            lost = apply(prims.multiply, apply(prims.divide, _sum(scaled, (0,), False), total), float(correction))
        rest = apply(prims.maximum, apply(prims.subtract, total, lost), 0.0)
    result = apply(prims.divide, matmul(other, swapaxes(centred, 0, 1)), rest)
    return reshape(result, ()) if x.ndim < 2 else result
