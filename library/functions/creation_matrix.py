"""Identity matrices, triangles, diagonals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import whole_number
from ...frontend.values.dispatch import apply
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..docstrings import Shared, like
from .creation import constant, filled, shape_of
from .documentation import common
from .table import known_as, made

__all__ = [
    "diag", "diagflat", "eye", "tril", "tril_indices", "triu", "triu_indices",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        offset: which diagonal, counted upwards from the main one.
        row, col: the size of the matrix.
        dtype: the dtype.

    Raises:
        TypeError: if a size is no int.
    """,
    common,
)


@known_as(mint=True, primitive="Eye")
def eye(n: Any, m: Any = None, dtype: DType | None = None) -> Tensor:
    """A matrix of n rows and m columns (None: n) with ones on its diagonal and zeros elsewhere.

    Args:
        n, m: the sizes.
        dtype: the dtype; None: Float32.

    Raises:
        ValueError: if n or m is negative.

    Examples:
        >>> from mycel import ops
        >>> print(ops.eye(2))
        [[1. 0.]
         [0. 1.]]
    """
    rows = shape_of(n, "eye", "n")[0]
    columns = rows if m is None else shape_of(m, "eye", "m")[0]
    wanted = dtypes.as_dtype(dtype or dtypes.float32)
    return constant(np.eye(rows, columns, dtype=wanted.np))


@known_as(mint=True, method=True, primitive="TrilExt")
def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangles of matrices, up to a diagonal; zeros above.

    Args:
        input: matrices, a tensor of at least two dimensions.
        diagonal: the last diagonal that stays, counted upwards from the main one.

    Raises:
        ValueError: if there are fewer than two dimensions.

    Examples:
        >>> print(ops.tril(Tensor([[1, 2], [3, 4]])))
        [[1 0]
         [3 4]]
    """
    return apply(prims.tril, need_tensor(input, "tril"), k=whole_number(diagonal, "tril", "diagonal"))


@known_as(mint=True, method=True)
@like(tril)
def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangles of matrices, from a diagonal; zeros below.

    Args:
        input: matrices, a tensor of at least two dimensions.
        diagonal: the first diagonal that stays, counted upwards from the main one.

    Examples:
        >>> print(ops.triu(Tensor([[1, 2], [3, 4]])))
        [[1 2]
         [0 4]]
    """
    return apply(prims.triu, need_tensor(input, "triu"), k=whole_number(diagonal, "triu", "diagonal"))


def _indices_of(name: str, words: str, printed: str) -> Callable[..., Tensor]:
    """`tril_indices` and `triu_indices`."""

    def run(row: int, col: int, offset: int = 0, *, dtype: DType = dtypes.int64) -> Tensor:
        """The rows and columns of the {words} a diagonal: a tensor of shape (2, count).

        Examples:
            >>> from mycel import ops
            >>> print(ops.{name}(2, 2))
            {printed}
        """
        return constant(np.stack(getattr(np, name)(row, offset, col)).astype(dtypes.as_dtype(dtype).np))

    return _shared(made(run, name, words=words, printed=printed))


tril_indices = _indices_of("tril_indices", "lower triangle of a matrix, up to", "[[0 1 1]\n     [0 0 1]]")
triu_indices = _indices_of("triu_indices", "upper triangle of a matrix, from", "[[0 0 1]\n     [0 1 1]]")


@known_as(method=True, shared=_shared)
def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """A matrix of zeros with the elements of a tensor, in order, on a diagonal.

    Raises:
        TypeError: if `input` is no Tensor.

    Examples:
        >>> print(ops.diagflat(Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    x = apply(prims.reshape, need_tensor(input, "diagflat"), shape=(-1,))
    size = x.shape[0] + abs(offset)
    base = filled((size, size), 0, x.dtype)
    return apply(prims.diagonal_scatter, base, x, offset=offset, axis1=0, axis2=1)


@known_as(method=True, primitive="Diag", shared=_shared)
def diag(input: Tensor) -> Tensor:
    """Zeros of the shape of `input` twice over, with its elements where both halves of the index agree.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if there is no dimension.

    Examples:
        >>> print(ops.diag(Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    x = need_tensor(input, "diag")
    return apply(prims.reshape, diagflat(x), shape=(*x.shape, *x.shape))
