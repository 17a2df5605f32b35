"""Pooling by p-norms, and the reverse of maximum pooling."""

from __future__ import annotations

import math
from typing import Any

from ...compiler import ops as prims
from ...frontend.values.cell import Cell
from ...frontend.values.dispatch import apply
from ...frontend.values.tensor import Tensor
from .. import ops
from ..docstrings import sections
from .checks import check_bool, check_pair
from .pooling import _Pool

_TAKES_TENSORS = True

__all__ = [
    "LPPool1d", "LPPool2d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d",
]  # fmt: skip


class _PowerPool(_Pool):
    def __init__(self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> None:
        super().__init__()
        self.norm_type = norm_type
        self._set_up(kernel_size, kernel_size if stride is None else stride, "valid", 0)
        self.kernel_size, self.stride = kernel_size, stride
        self.ceil_mode = check_bool(ceil_mode, "ceil_mode", type(self).__name__)

    def construct(self, x: Any) -> Tensor:
        """The p-norm of each window."""
        x, added = self._batched(x)
        powers = apply(
            prims.avg_pool,
            ops.square(x) if self.norm_type == 2 else ops.pow(x, self.norm_type),
            kernel=self._kernel,
            stride=self._stride,
            padding=((0, 0),) * self.axes,
            ceil_mode=self.ceil_mode,
            count_include_pad=True,
            divisor=1,
        )
        total = ops.sqrt(powers) if self.norm_type == 2 else ops.pow(powers, 1.0 / self.norm_type)
        return self._finished(total, added)

    def extend_repr(self) -> str:
        """Nothing, as in MindSpore."""
        return ""


class LPPool1d(_PowerPool):
    """The p-norm of each window of one dimension: (sum of x^p)^(1/p).

    Args:
        norm_type: a number, p. 1: the sum; the larger p, the nearer to the maximum.
        kernel_size: a positive int, how many elements a window has.
        stride: a positive int, how far windows are apart. Default: None, for kernel_size.
        ceil_mode: whether a last window may reach over the end. Default: False.

    Inputs:
        x: a float tensor of shape [N, C, L] or [C, L].

    Outputs:
        A tensor of the dtype of x, of shape [N, C, L_out] or [C, L_out], where L_out is floor((L - kernel_size) /
        stride) + 1.

    Raises:
        TypeError: if an argument has the wrong type, or x is no float Tensor.
        ValueError: if a number is out of range, or x has not 2 or 3 dimensions.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.LPPool1d(2, 2)(Tensor([[[3.0, 4.0, 6.0, 8.0]]])))
        [[[ 5. 10.]]]
    """

    axes = 1


class LPPool2d(_PowerPool):
    """The p-norm of each window of two dimensions: (sum of x^p)^(1/p).

    Args:
        norm_type: a number, p. 1: the sum; the larger p, the nearer to the maximum.
        kernel_size: a positive int, or (height, width): the size of a window.
        stride: a positive int, or two: how far windows are apart. Default: None, for kernel_size.
        ceil_mode: whether a last window may reach over the end. Default: False.

    Inputs:
        x: a float tensor of shape [N, C, H, W] or [C, H, W].

    Outputs:
        A tensor of the dtype of x, of shape [N, C, H_out, W_out] or [C, H_out, W_out], where a size becomes
        floor((size - kernel) / stride) + 1.

    Raises:
        TypeError: if an argument has the wrong type, or x is no float Tensor.
        ValueError: if a number is out of range, or x has not 3 or 4 dimensions.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.LPPool2d(1, 2)(Tensor([[[[3.0, 4.0], [6.0, 8.0]]]])))
        [[[[21.]]]]
    """


class _MaxUnpool(Cell):
    axes = 2

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        owner = type(self).__name__
        self.kernel_size, self.stride, self.padding = kernel_size, stride or kernel_size, padding
        self._kernel = check_pair(kernel_size, self.axes, "kernel_size", owner)
        self._stride = check_pair(self.stride, self.axes, "stride", owner)
        self._pad = check_pair(padding, self.axes, "padding", owner, 0)

    def construct(self, x: Any, indices: Any, output_size: Any = None) -> Tensor:
        """The maxima put back to where they stood; zeros elsewhere."""
        lead = x.shape[: -self.axes]
        if output_size is None:
            spatial = tuple(
                (size - 1) * step - 2 * pad + k
                for size, step, pad, k in zip(x.shape[-self.axes :], self._stride, self._pad, self._kernel, strict=True)
            )
        else:
            spatial = tuple(output_size)[-self.axes :]
        total, count = math.prod(spatial), math.prod(lead)
        flat = ops.zeros((count, total), x.dtype)
        out = ops.scatter(flat, 1, ops.reshape(indices, (count, -1)), ops.reshape(x, (count, -1)))
        return ops.reshape(out, (*lead, *spatial))


_UNPOOLED = {
    "Raises": """
        TypeError: if an argument has the wrong type, or x is no Tensor.
        ValueError: if a number is out of range, or an index is.
    """
}


@sections(**_UNPOOLED)
class MaxUnpool1d(_MaxUnpool):
    """The reverse of `MaxPool1d` with return_indices: puts maxima back to where they stood, with zeros elsewhere.

    Args:
        kernel_size: a positive int, the kernel of the pooling.
        stride: a positive int, the stride of the pooling. Default: None, for kernel_size.
        padding: an int, the padding of the pooling. Default: 0.

    Inputs:
        x: a tensor of numbers of shape [N, C, L] or [C, L], the maxima.
        indices: an int tensor of the same shape, their positions.
        output_size: a tuple, the shape of the result, if sizes do not follow from x. Default: None.

    Outputs:
        A tensor of the dtype of x, of shape [N, C, L_out] or [C, L_out], where L_out is (L - 1) · stride - 2 · padding
        + kernel_size.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.MaxUnpool1d(2)(Tensor([[5.0, 3.0]]), Tensor([[1, 2]])))
        [[0. 5. 3. 0.]]
    """

    axes = 1


@sections(**_UNPOOLED)
class MaxUnpool2d(_MaxUnpool):
    """The reverse of `MaxPool2d` with return_indices: puts maxima back to where they stood, with zeros elsewhere.

    Args:
        kernel_size: a positive int, or two: the kernel of the pooling.
        stride: a positive int, or two: the stride of the pooling. Default: None, for kernel_size.
        padding: an int, or two: the padding of the pooling. Default: 0.

    Inputs:
        x: a tensor of numbers of shape [N, C, H, W] or [C, H, W], the maxima.
        indices: an int tensor of the same shape, their positions within the flattened image.
        output_size: a tuple, the shape of the result, if sizes do not follow from x. Default: None.

    Outputs:
        A tensor of the dtype of x, of shape [N, C, H_out, W_out] or [C, H_out, W_out], where a size becomes (size - 1)
        · stride - 2 · padding + kernel.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.MaxUnpool2d(2)(Tensor([[[5.0]]]), Tensor([[[1]]])))
        [[[0. 5.]
          [0. 0.]]]
    """


@sections(**_UNPOOLED)
class MaxUnpool3d(_MaxUnpool):
    """The reverse of `MaxPool3d` with return_indices: puts maxima back to where they stood, with zeros elsewhere.

    Args:
        kernel_size: a positive int, or three: the kernel of the pooling.
        stride: a positive int, or three: the stride of the pooling. Default: None, for kernel_size.
        padding: an int, or three: the padding of the pooling. Default: 0.

    Inputs:
        x: a tensor of numbers of shape [N, C, D, H, W] or [C, D, H, W], the maxima.
        indices: an int tensor of the same shape, their positions within the flattened volume.
        output_size: a tuple, the shape of the result, if sizes do not follow from x. Default: None.

    Outputs:
        A tensor of the dtype of x, of shape [N, C, D_out, H_out, W_out] or without N, with the sizes of `MaxUnpool2d`.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.MaxUnpool3d(2)(Tensor([[[[5.0]]]]), Tensor([[[[1]]]])).shape)
        (1, 2, 2, 2)
    """

    axes = 3
