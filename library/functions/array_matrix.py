"""Array functions on diagonals and triangles of matrices: diag, diagonal, tril, triu, diag_embed, matrix_diag, …"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import one_axis, whole_number
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import Shared
from . import array_bands
from .array_shape import moveaxis
from .documentation import common
from .table import known_as, method

__all__ = [
    "diag_embed", "diagonal", "diagonal_scatter", "fill_diagonal", "matrix_band_part", "matrix_diag",
    "matrix_diag_part", "matrix_set_diag", "trace",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        offset: which diagonal, counted upwards from the main one.
        input: a tensor of at least two dimensions.
        x: matrices, a tensor of at least two dimensions.
        dim1, dim2: the two dimensions.
        k: which diagonal, or a pair: the lowest and the highest of a band.
        align: to which side diagonals above and below are moved in their rows.

    Raises:
        ValueError: if there are fewer than two dimensions.
    """,
    common,
)


@known_as(primitive="Diagonal DiagonalView", shared=_shared)
def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The diagonals of the matrices over two dimensions, as the last dimension.

    Args:
        offset: which diagonal: 0 the main one, positive ones above it, negative ones below.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.diagonal(ms.Tensor([[1, 2], [3, 4]])))
        [1 4]
    """
    x = need_tensor(input, "diagonal")
    if x.ndim < 2:
        raise ValueError(f"diagonal needs at least two dimensions, but got shape {x.shape}")
    first, second = one_axis(dim1, x.ndim, "diagonal", "dim1"), one_axis(dim2, x.ndim, "diagonal", "dim2")
    return apply(prims.diagonal, x, offset=whole_number(offset, "diagonal", "offset"), axis1=first, axis2=second)


@method("diagonal", shared=_shared)
def diagonal_method(
    self: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, *, dim1: int | None = None, dim2: int | None = None
) -> Tensor:
    """The diagonals of the matrices over two dimensions, as the last dimension.

    Args:
        axis1, axis2, dim1, dim2: the two dimensions.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([[1, 2], [3, 4]]).diagonal())
        [1 4]
    """
    return diagonal(self, offset, axis1 if dim1 is None else dim1, axis2 if dim2 is None else dim2)


def _on_diagonal(x: Tensor, offset: int) -> Tensor:
    """Matrices of zeros with the last dimension of x on a diagonal."""
    lead, count = x._type.static_shape[:-1], x._type.static_shape[-1]
    size = count + abs(offset)
    zeros = apply(prims.full, shape=(*lead, size, size), value=False if x.dtype.is_bool else 0, dtype=x.dtype)
    return apply(prims.diagonal_scatter, zeros, x, offset=offset, axis1=x.ndim - 1, axis2=x.ndim)


def numpy_diag(x: Tensor, offset: int = 0) -> Tensor:
    """Of a vector the matrix with it on a diagonal; of a matrix its diagonal (as NumPy has it)."""
    return _on_diagonal(x, offset) if x.ndim == 1 else diagonal(x, offset)


@common
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Matrices, over the dimensions `dim1` and `dim2` of the result, with the last dimension on a diagonal.

    Args:
        offset: which diagonal, counted upwards from the main one.
        dim1, dim2: the two dimensions of the result.

    Examples:
        >>> print(ops.diag_embed(Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    x = need_tensor(input, "diag_embed")
    rank = x.ndim + 1
    places = one_axis(dim1, rank, "diag_embed", "dim1"), one_axis(dim2, rank, "diag_embed", "dim2")
    if places[0] == places[1]:
        raise ValueError(f"diag_embed: 'dim1' and 'dim2' should differ, but both are {dim1}")
    return moveaxis(_on_diagonal(x, offset), (rank - 2, rank - 1), places)


def matrix_diag(
    x: Tensor, k: Any = 0, num_rows: Any = -1, num_cols: Any = -1, padding_value: Any = 0, align: str = "RIGHT_LEFT"
) -> Tensor:
    """Matrices with the last dimension on the k-th diagonal and `padding_value` elsewhere.

    Args:
        x: a tensor of at least one dimension.
        k: a diagonal; or the lowest and the highest of a band of them, which are the rows of the last two dimensions.
        num_rows, num_cols: the size of the matrices; -1: as small as can be, both: square.
        padding_value: the number elsewhere.
        align: on which side of its row a diagonal shorter than others is, above the main one and below it.

    Raises:
        ValueError: if the sizes do not fit the diagonals.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.matrix_diag(Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    x = need_tensor(x, "matrix_diag", "x")
    rows, columns = _number(num_rows, "num_rows"), _number(num_cols, "num_cols")
    limits = array_bands.band(k, align)
    if limits is not None:
        return array_bands.matrices(x, limits, rows, columns, padding_value, align)
    offset = _number(k, "k")
    count = int(x.shape[-1])
    if rows == columns == -1:
        rows = columns = count + abs(offset)
    rows = rows if rows != -1 else max(count - min(offset, 0), 1)
    columns = columns if columns != -1 else count + max(offset, 0)
    fits = min(rows + min(offset, 0), columns - max(offset, 0))
    if fits != count:
        raise ValueError(
            f"matrix_diag: diagonal {offset} of a matrix ({rows}, {columns}) has {fits} places, not {count}"
        )
    value = padding_value.item() if isinstance(padding_value, Tensor) else padding_value
    filled = apply(prims.full, shape=(*x._type.static_shape[:-1], rows, columns), value=value, dtype=x.dtype)
    return apply(prims.diagonal_scatter, filled, x, offset=offset, axis1=x.ndim - 1, axis2=x.ndim)


_number = array_bands.single


@_shared
def matrix_diag_part(x: Tensor, k: Any = 0, padding_value: Any = 0, align: str = "RIGHT_LEFT") -> Tensor:
    """The k-th diagonals of the matrices in the last two dimensions; of a band of diagonals each as a row.

    Args:
        padding_value: the number that fills up shorter diagonals.

    Raises:
        ValueError: if `k` or `align` is not as said.

    Examples:
        >>> print(ops.matrix_diag_part(Tensor([[1, 2], [3, 4]])))
        [1 4]
    """
    limits = array_bands.band(k, align)
    if limits is not None:
        return array_bands.part(need_tensor(x, "matrix_diag_part", "x"), limits, padding_value, align)
    return diagonal(need_tensor(x, "matrix_diag_part", "x"), _number(k, "k"), -2, -1)


@_shared
def matrix_set_diag(x: Tensor, diagonal: Tensor, k: Any = 0, align: str = "RIGHT_LEFT") -> Tensor:
    """The matrices with their k-th diagonals, or a band of them, replaced.

    Args:
        diagonal: the new elements, of the shape that `matrix_diag_part` gives.

    Raises:
        ValueError: if the shape of `diagonal` does not fit.

    Examples:
        >>> print(ops.matrix_set_diag(ops.zeros((2, 2)), Tensor([1.0, 2.0])))
        [[1. 0.]
         [0. 2.]]
    """
    matrices = need_tensor(x, "matrix_set_diag", "x")
    values = cast(need_tensor(diagonal, "matrix_set_diag", "diagonal"), matrices.dtype)
    rank = matrices.ndim
    limits = array_bands.band(k, align)
    if limits is not None:
        return array_bands.put(matrices, values, limits, align)
    return apply(prims.diagonal_scatter, matrices, values, offset=_number(k, "k"), axis1=rank - 2, axis2=rank - 1)


@known_as(method=True, shared=_shared)
def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The tensor with the diagonals over two dimensions replaced by `src`.

    Args:
        src: a tensor of the shape of the diagonals.

    Raises:
        ValueError: if the shape of `src` does not fit.

    Examples:
        >>> print(ops.diagonal_scatter(ops.zeros((2, 2)), Tensor([1.0, 2.0])))
        [[1. 0.]
         [0. 2.]]
    """
    x, values = need_tensor(input, "diagonal_scatter"), need_tensor(src, "diagonal_scatter", "src")
    first, second = one_axis(dim1, x.ndim, "diagonal_scatter"), one_axis(dim2, x.ndim, "diagonal_scatter")
    return apply(prims.diagonal_scatter, x, cast(values, x.dtype), offset=offset, axis1=first, axis2=second)


@known_as(primitive="MatrixBandPart", shared=_shared)
def matrix_band_part(x: Tensor, lower: Any, upper: Any) -> Tensor:
    """The matrices with zeros below the `lower`-th and above the `upper`-th diagonal (negative: none).

    Args:
        lower, upper: how many diagonals stay below and above the main one.

    Examples:
        >>> from mycel import ops
        >>> print(ops.matrix_band_part(ops.ones((2, 2)), 0, 0))
        [[1. 0.]
         [0. 1.]]
    """
    result = need_tensor(x, "matrix_band_part", "x")
    below, above = int(lower), int(upper)
    if below >= 0:
        result = apply(prims.triu, result, k=-below)
    return result if above < 0 else apply(prims.tril, result, k=above)


@known_as(mint=True, primitive="TraceExt", shared=_shared)
def trace(input: Tensor) -> Tensor:
    """The sum of the diagonal of a matrix. ValueError for other shapes.

    Args:
        input: a matrix.

    Raises:
        ValueError: if it is no matrix.

    Examples:
        >>> print(ops.trace(Tensor([[1, 2], [3, 4]])))
        5
    """
    x = need_tensor(input, "trace")
    if x.ndim != 2:
        raise ValueError(f"trace needs a matrix, but got shape {x.shape}")
    return apply(prims.sum, diagonal(x), axis=(0,), keepdims=False)


@method("trace", shared=_shared)
def trace_method(self: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Tensor:
    """The sums of diagonals over two dimensions.

    Args:
        axis1, axis2: the two dimensions.
        dtype: the dtype to sum in; None: that of the tensor, Int64 for integers.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([[1, 2], [3, 4]]).trace())
        5
    """
    values = diagonal(self, offset, axis1, axis2)
    wide = dtypes.int64 if values.dtype.is_integer and values.dtype.bits < 64 else values.dtype
    values = cast(values, wide if dtype is None else dtypes.as_dtype(dtype))
    return apply(prims.sum, values, axis=(values.ndim - 1,), keepdims=False)


@known_as(method=True, inplace=True, shared=_shared)
def fill_diagonal(input: Tensor, fill_value: float, wrap: bool = False) -> Tensor:
    """The tensor with its main diagonal replaced by a number (in tall matrices again after each block, with `wrap`).

    Args:
        fill_value: the number.
        wrap: whether the diagonal begins again below the square block of a tall matrix.

    Examples:
        >>> from mycel import ops
        >>> print(ops.fill_diagonal(ops.zeros((2, 2)), 5.0))
        [[5. 0.]
         [0. 5.]]
    """
    x = need_tensor(input, "fill_diagonal")
    shape = x._type.static_shape
    mask = np.zeros(shape, np.bool_)
    if len(shape) == 2 and wrap:
        mask.reshape(-1)[:: shape[1] + 1] = True
    else:
        mask[tuple(np.arange(min(shape)) for _ in shape)] = True
    value = int(fill_value) if x.dtype.is_integer else fill_value
    return apply(prims.select, Tensor(mask), value, x)
