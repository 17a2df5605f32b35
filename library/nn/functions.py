"""Functions as layers: products, ranges, moments, special functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from .checks import check_bool

_TAKES_TENSORS = True  # its Cells say which input should be a Tensor; Cell reads this

__all__ = [
    "DiGamma",
    "IGamma",
    "LBeta",
    "LGamma",
    "MatDet",
    "MatInverse",
    "MatMul",
    "MatrixDiag",
    "MatrixDiagPart",
    "MatrixSetDiag",
    "Moments",
    "Range",
    "ReduceLogSumExp",
]


class MatMul(Cell):
    """The matrix product of two tensors.

    Args:
        transpose_x1, transpose_x2: whether the last two axes are exchanged before.
    """

    def __init__(self, transpose_x1: bool = False, transpose_x2: bool = False) -> None:
        super().__init__()
        self.transpose_x1 = check_bool(transpose_x1, "transpose_x1", "MatMul")
        self.transpose_x2 = check_bool(transpose_x2, "transpose_x2", "MatMul")

    def construct(self, x1: Any, x2: Any) -> Tensor:
        """x1 · x2."""
        if self.transpose_x1 and x1.ndim > 1:
            x1 = ops.swapaxes(x1, -1, -2)
        if self.transpose_x2 and x2.ndim > 1:
            x2 = ops.swapaxes(x2, -1, -2)
        return ops.matmul(x1, x2)


class Range(Cell):
    """The numbers from start to limit (without it) by steps of delta.

    Args:
        start: with only this the numbers go from 0 to it.
        limit: None: see start.
        delta: not zero.
    """

    def __init__(self, start: float, limit: float | None = None, delta: float = 1) -> None:
        super().__init__()
        if delta == 0:
            raise ValueError("For 'Range', the 'delta' should not be 0")
        first, last = (0, start) if limit is None else (start, limit)
        numbers = np.arange(first, last, delta)
        whole = all(isinstance(item, int) for item in (first, last, delta))
        self.result_tensor = Tensor(numbers, dtypes.int32 if whole else dtypes.float32)

    def construct(self) -> Tensor:
        """The numbers."""
        return self.result_tensor


class ReduceLogSumExp(Cell):
    """log(sum(exp(x))) over axes.

    Args:
        axis: an axis or a tuple of axes.
        keep_dims: whether they stay with size one.
    """

    def __init__(self, axis: Any, keep_dims: bool = False) -> None:
        super().__init__()
        self.axis = axis
        self.keep_dims = check_bool(keep_dims, "keep_dims", "ReduceLogSumExp")

    def construct(self, x: Any) -> Tensor:
        """The logarithm."""
        return ops.logsumexp(x, self.axis, self.keep_dims)


class Moments(Cell):
    """The mean and the variance over axes.

    Args:
        axis: an axis or a tuple of axes; None: all.
        keep_dims: whether they stay with size one.
    """

    def __init__(self, axis: Any = None, keep_dims: bool | None = None) -> None:
        super().__init__()
        self.axis = () if axis is None else axis
        self.keep_dims = False if keep_dims is None else check_bool(keep_dims, "keep_dims", "Moments")

    def construct(self, x: Any) -> tuple[Tensor, Tensor]:
        """(mean, variance)."""
        wide = ops.cast(x, dtypes.float32) if x.dtype.is_float and x.dtype.bits == 16 else x
        mean = ops.reduce_mean(wide, self.axis, True)
        variance = ops.reduce_mean(ops.square(wide - mean), self.axis, self.keep_dims)
        mean = mean if self.keep_dims else ops.reduce_mean(wide, self.axis, False)
        return ops.cast(mean, x.dtype), ops.cast(variance, x.dtype)


class LGamma(Cell):
    """The logarithm of the absolute value of the gamma function."""

    def construct(self, x: Any) -> Tensor:
        """log|Γ(x)|."""
        return ops.lgamma(x)


class IGamma(Cell):
    """The regularised lower incomplete gamma function."""

    def construct(self, a: Any, x: Any) -> Tensor:
        """P(a, x)."""
        return ops.igamma(a, x)


class MatrixSetDiag(Cell):
    """Matrices with their main diagonals replaced."""

    def construct(self, input_x: Any, diagonal: Any) -> Tensor:
        """The matrices with the diagonals given."""
        return ops.matrix_set_diag(input_x, diagonal)


class DiGamma(Cell):
    """The derivative of the logarithm of the gamma function."""

    def construct(self, x: Any) -> Tensor:
        """The digamma function of x."""
        return ops.digamma(x)


class LBeta(Cell):
    """The logarithm of the beta function."""

    def construct(self, x: Any, y: Any) -> Tensor:
        """log|B(x, y)|."""
        return ops.lgamma(x) + ops.lgamma(y) - ops.lgamma(x + y)


class MatInverse(Cell):
    """The inverse of matrices."""

    def construct(self, a: Any) -> Tensor:
        """a⁻¹."""
        return ops.inverse(a)


class MatDet(Cell):
    """The determinant of matrices."""

    def construct(self, a: Any) -> Tensor:
        """det(a)."""
        return ops.det(a)


class MatrixDiag(Cell):
    """Diagonal matrices of vectors, [..., N] to [..., N, N]."""

    def construct(self, input_x: Any) -> Tensor:
        """The matrices."""
        size = input_x.shape[-1]
        return ops.expand_dims(input_x, -1) * ops.eye(size, size, input_x.dtype)


class MatrixDiagPart(Cell):
    """The diagonals of matrices, [..., M, N] to [..., min(M, N)]."""

    def construct(self, input_x: Any) -> Tensor:
        """The diagonals."""
        return ops.diagonal(input_x, 0, -2, -1)
