"""Norms of vectors and matrices, distances, condition numbers, covariances."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import insert_axes, many_axes, need_flags, one_axis
from ...frontend.values.dispatch import apply, cast, promote
from ...frontend.values.operands import in_single, widened
from ...frontend.values.tensor import Tensor
from .array_shape import moveaxis, reshape, swapaxes
from .documentation import common
from .linalg import matmul
from .linalg_solve import _float, _sum, inverse, singular_values
from .nn_activation import floating
from .reduce import axes_of
from .table import known_as

__all__ = [
    "cdist", "cond", "cov", "dist", "matrix_norm", "norm", "pdist", "renorm", "vector_norm",
]  # fmt: skip


@common
def vector_norm(x: Tensor, ord: Any = 2, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Tensor:
    """The norms of vectors along axes (of all elements, by default).

    Args:
        x: a floating-point tensor of any shape.
        ord: 2, 1, any other power, inf (the largest magnitude), -inf (the smallest) or 0 (how many are not zero).
        axis: the axis, or a tuple of axes; None: all elements.
        keepdims: whether the axes stay as dimensions of size one.
        dtype: the dtype to convert to first.

    Examples:
        >>> print(ops.vector_norm(Tensor([3.0, 4.0])))
        5.0
    """
    values = _float(x, "vector_norm", "x", dtype)
    axes = tuple(range(values.ndim)) if axis is None else many_axes(axis, values.ndim, "vector_norm")
    axes = tuple(sorted(axes))
    result = _vector_norm(widened(values), ord, axes, keepdims)
    return cast(result, values.dtype) if values.dtype.is_half else result


def _vector_norm(values: Tensor, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    need_flags("vector_norm", keepdims=keepdims)
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
    A: Tensor, ord: Any = "fro", axis: Any = (-2, -1), keepdims: bool = False, *, dtype: Any = None
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
    need_flags("matrix_norm", keepdims=keepdims)
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
        ValueError: if the shapes cannot be broadcast together.

    Examples:
        >>> print(ops.dist(Tensor([0.0, 0.0]), Tensor([3.0, 4.0])))
        5.0
    """
    x, y = promote(_float(input, "dist"), _float(other, "dist", "other"))
    return vector_norm(apply(prims.subtract, x, y), p)


@common
@in_single(2)
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """The p-norms of the differences of each row of one batch of matrices with each of another.

    Args:
        x1: a floating-point tensor of shape (..., n, d).
        x2: a floating-point tensor of shape (..., m, d).
        p: the order of the norm.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
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


@common
@in_single()
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The p-norms of the differences of each pair of rows of a matrix.

    Args:
        input: a floating-point matrix of shape (n, d).
        p: the order of the norm.

    Raises:
        ValueError: if `p` is negative.

    Examples:
        >>> print(ops.pdist(Tensor([[0.0, 0.0], [3.0, 4.0]])))
        [5.]
    """
    x = floating(input, "pdist")
    if x.ndim < 2:
        raise ValueError(f"pdist: a matrix is expected, but got shape {x.shape}")
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
        maxnorm: the largest norm.

    Raises:
        ValueError: if `axis` is out of range, or `p` is not positive.

    Examples:
        >>> print(ops.renorm(Tensor([[3.0, 4.0]]), 2, 0, 1.0))
        [[0.6 0.8]]
    """
    x = floating(input, "renorm")
    place = one_axis(axis, x.ndim, "renorm")
    sizes = vector_norm(x, p, tuple(item for item in range(x.ndim) if item != place), True)
    factor = apply(prims.divide, float(maxnorm), apply(prims.maximum, sizes, float(maxnorm)))
    return apply(prims.multiply, x, factor)


@common
def cond(A: Tensor, p: Any = None) -> Tensor:
    """The condition numbers of matrices: the norm times that of the inverse; None for the ratio of singular values.

    Args:
        A: a floating-point tensor of shape (..., n, m).
        p: the norm: None, "fro", "nuc", inf, -inf, 1, -1, 2 or -2.

    Raises:
        ValueError: if there are fewer than two dimensions.

    Examples:
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


@known_as(method=True)
@in_single()
def cov(input: Tensor, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Tensor:
    """The covariances of variables, the rows, whose observations are the columns; a scalar for one variable.

    Args:
        input: a tensor of at most two dimensions, (variables, observations).
        correction: what is subtracted from the number of observations.
        fweights, aweights: how often each observation was made; how much each counts.

    Raises:
        ValueError: if there are more dimensions, or the weights do not fit.

    Examples:
        >>> print(ops.cov(Tensor([[1.0, 3.0]])))
        2.0
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
    return reshape(result, ()) if rows.shape[0] == 1 else result
