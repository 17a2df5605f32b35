"""Functions as layers: products, ranges, moments, special functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from ..docstrings import sections
from .checks import check_bool
from .held import primitives
from .sections import elementwise

_TAKES_TENSORS = True

__all__ = [
    "DiGamma", "IGamma", "LBeta", "LGamma", "MatDet", "MatInverse", "MatMul", "MatrixDiag", "MatrixDiagPart",
    "MatrixSetDiag", "Moments", "Range", "ReduceLogSumExp",
]  # fmt: skip


class MatMul(Cell):
    """The matrix product of two tensors, over the last two axes.

    Args:
        transpose_x1: whether the last two axes of the first input are exchanged before. Default: False.
        transpose_x2: whether the last two axes of the second input are exchanged before. Default: False.

    Inputs:
        x1: a tensor of numbers of shape [..., M, K].
        x2: a tensor of numbers of shape [..., K, N].

    Outputs:
        A tensor of the inputs' dtype, of shape [..., M, N].

    Raises:
        TypeError: if an input is no Tensor.
        ValueError: if the sizes K differ, or the other axes do not broadcast.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.MatMul(transpose_x2=True)(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]])))
        [[11.]]
    """

    _held = primitives(
        shape_op="Shape",
        expand_op="ExpandDims",
        squeeze_left_op=lambda layer: ops.Squeeze(-2),
        squeeze_right_op=lambda layer: ops.Squeeze(-1),
        reduce_sum_op="ReduceSum",
    )

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
    """The numbers from start to limit (without it) by steps of delta, as a tensor.

    Args:
        start: a number; alone it is the limit, and the numbers go from 0 to it.
        limit: a number. Default: None, see start.
        delta: a number that is not zero. Default: 1.

    Outputs:
        An int or float tensor of shape [N].

    Raises:
        ValueError: if delta is zero.

    Examples:
        >>> from mycel import nn
        >>> print(nn.Range(1, 8, 2)())
        [1 3 5 7]
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


_OVER_AXES = {
    "Inputs": "x: a float tensor of any shape.",
    "Raises": """
        TypeError: if x is no float Tensor.
        ValueError: if an axis is out of range.
    """,
}


@sections(**_OVER_AXES)
class ReduceLogSumExp(Cell):
    """log(sum(exp(x))) over axes.

    Args:
        axis: an int or a tuple of ints, the axes.
        keep_dims: whether the axes stay, with size 1. Default: False.

    Outputs:
        A tensor of the dtype of x, of the shape of x without the axes.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.ReduceLogSumExp(0)(Tensor([0.0, 0.0])))
        0.6931472
    """

    def __init__(self, axis: Any, keep_dims: bool = False) -> None:
        super().__init__()
        self.axis = axis
        self.keep_dims = check_bool(keep_dims, "keep_dims", "ReduceLogSumExp")

    def construct(self, x: Any) -> Tensor:
        """The logarithm."""
        return ops.logsumexp(x, self.axis, self.keep_dims)


@sections(**_OVER_AXES)
class Moments(Cell):
    """The mean and the variance over axes.

    Args:
        axis: an int or a tuple of ints, the axes. Default: None, for all.
        keep_dims: whether the axes stay, with size 1. Default: None, for False.

    Outputs:
        A pair of tensors of the dtype of x, of the shape of x without the axes.

    Examples:
        >>> from mycel import Tensor, nn
        >>> mean, variance = nn.Moments()(Tensor([1.0, 3.0]))
        >>> print(mean, variance)
        2.0 1.0
    """

    _held = primitives(
        "Cast",
        reduce_mean=lambda layer: ops.ReduceMean(True),
        square_diff="SquaredDifference",
        squeeze=lambda layer: ops.Squeeze(layer.axis if layer.axis is not None else ()),
    )

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


@elementwise()
class LGamma(Cell):
    """The logarithm of the absolute value of the gamma function.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.LGamma()(Tensor([5.0])))
        [3.1780539]
    """

    def construct(self, x: Any) -> Tensor:
        """log|Γ(x)|."""
        return ops.lgamma(x)


class IGamma(Cell):
    """The regularised lower incomplete gamma function P(a, x).

    Inputs:
        a: a float tensor of any shape, positive numbers.
        x: a float tensor of the same shape, or of one that broadcasts with it, numbers that are not negative.

    Outputs:
        A float tensor of the shape of both inputs broadcast.

    Raises:
        TypeError: if an input is no float Tensor.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.IGamma()(Tensor([1.0]), Tensor([1.0])))
        [0.63212055]
    """

    def construct(self, a: Any, x: Any) -> Tensor:
        """P(a, x)."""
        return ops.igamma(a, x)


class MatrixSetDiag(Cell):
    """Matrices with their main diagonals replaced.

    Inputs:
        input_x: a tensor of numbers of shape [..., M, N].
        diagonal: a tensor of the same dtype, of shape [..., min(M, N)].

    Outputs:
        A tensor of the shape and dtype of the first input.

    Raises:
        TypeError: if an input is no Tensor.
        ValueError: if the diagonal has another shape.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.MatrixSetDiag()(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([8.0, 9.0])))
        [[8. 2.]
         [3. 9.]]
    """

    _held = primitives("DType", matrix_set_diag=lambda layer: ops.matrix_set_diag)

    def construct(self, input_x: Any, diagonal: Any) -> Tensor:
        """The matrices with the diagonals given."""
        return ops.matrix_set_diag(input_x, diagonal)


@elementwise()
class DiGamma(Cell):
    """The derivative of the logarithm of the gamma function.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.DiGamma()(Tensor([1.0])))
        [-0.5772157]
    """

    def construct(self, x: Any) -> Tensor:
        """The digamma function of x."""
        return ops.digamma(x)


class LBeta(Cell):
    """The logarithm of the beta function: log(Γ(x) · Γ(y) / Γ(x + y)).

    Inputs:
        x: a float tensor of any shape, positive numbers.
        y: a float tensor of the same shape.

    Outputs:
        A float tensor of the same shape.

    Raises:
        TypeError: if an input is no float Tensor.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.LBeta()(Tensor([1.0]), Tensor([2.0])))
        [-0.6931472]
    """

    def construct(self, x: Any, y: Any) -> Tensor:
        """log|B(x, y)|."""
        return ops.lgamma(x) + ops.lgamma(y) - ops.lgamma(x + y)


_SQUARE = {
    "Inputs": "a: a float tensor of shape [..., N, N].",
    "Raises": """
        TypeError: if a is no Tensor.
        ValueError: if the matrices are not square.
    """,
}


@sections(**_SQUARE)
class MatInverse(Cell):
    """The inverse of matrices.

    Outputs:
        A float tensor of the same shape.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.MatInverse()(Tensor([[2.0, 0.0], [0.0, 4.0]])))
        [[0.5  0.  ]
         [0.   0.25]]
    """

    def construct(self, a: Any) -> Tensor:
        """a⁻¹."""
        return ops.inverse(a)


@sections(**_SQUARE)
class MatDet(Cell):
    """The determinant of matrices.

    Outputs:
        A float tensor of shape [...].

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.MatDet()(Tensor([[2.0, 0.0], [0.0, 3.0]])))
        6.0
    """

    def construct(self, a: Any) -> Tensor:
        """det(a)."""
        return ops.det(a)


class MatrixDiag(Cell):
    """Matrices with a vector on the main diagonal and zeros elsewhere.

    Inputs:
        input_x: a tensor of numbers of shape [..., N].

    Outputs:
        A tensor of the dtype of the input, of shape [..., N, N].

    Raises:
        TypeError: if the input is no Tensor.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.MatrixDiag()(Tensor([1.0, 2.0])))
        [[1. 0.]
         [0. 2.]]
    """

    _held = primitives("DType", matrix_diag=lambda layer: ops.matrix_diag)

    def construct(self, input_x: Any) -> Tensor:
        """The matrices."""
        size = input_x.shape[-1]
        return ops.expand_dims(input_x, -1) * ops.eye(size, size, input_x.dtype)


class MatrixDiagPart(Cell):
    """The main diagonals of matrices.

    Inputs:
        input_x: a tensor of numbers of shape [..., M, N].

    Outputs:
        A tensor of the dtype of the input, of shape [..., min(M, N)].

    Raises:
        TypeError: if the input is no Tensor.
        ValueError: if it has less than 2 dimensions.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.MatrixDiagPart()(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [1. 4.]
    """

    _held = primitives("DType", matrix_diag_part=lambda layer: ops.matrix_diag_part)

    def construct(self, input_x: Any) -> Tensor:
        """The diagonals."""
        return ops.diagonal(input_x, 0, -2, -1)
