"""Adaptive pooling layers: maxima and means over as many parts as asked for."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.values.cell import Cell
from ...frontend.values.dispatch import apply
from ...frontend.values.tensor import Tensor
from .. import ops
from .checks import check_bool, check_int, check_rank
from .held import primitives

_TAKES_TENSORS = True

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d",
]  # fmt: skip


class _Adaptive(Cell):
    axes = 2

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def _prepared(self, x: Any) -> tuple[Any, tuple[int, ...], bool]:
        """x with a batch dimension, how many parts each dimension is cut into, and whether the batch was added."""
        owner = type(self).__name__
        added = x.ndim == self.axes + 1
        if not added:
            check_rank(x, (self.axes + 2,), owner)
        wanted = self.output_size if isinstance(self.output_size, (tuple, list)) else (self.output_size,) * self.axes
        if len(wanted) != self.axes:
            raise ValueError(
                f"For '{owner}', the 'output_size' should be an int or {self.axes} of them, but got {self.output_size}"
            )
        sizes = []
        for size, own in zip(wanted, x._type.shape[-self.axes :], strict=True):
            size = own if size is None or size == -1 else check_int(size, "output_size", owner)
            if size is None or size < 1:
                raise ValueError(f"For '{owner}', the 'output_size' should be positive, but got {self.output_size}")
            sizes.append(size)
        return (ops.expand_dims(x, 0) if added else x), tuple(sizes), added


class _AdaptiveAvg(_Adaptive):
    def construct(self, input: Any) -> Tensor:
        """The mean of each part."""
        x, sizes, added = self._prepared(input)
        out = apply(prims.adaptive_avg_pool, x, size=sizes)
        return ops.squeeze(out, 0) if added else out


class AdaptiveAvgPool1d(_AdaptiveAvg):
    """The means of a dimension that is cut into parts of about the same size.

    Part i of n reaches from floor(i · L / n) to ceil((i + 1) · L / n).

    Args:
        output_size: a positive int, how many parts.

    Inputs:
        input: a float tensor of shape [N, C, L] or [C, L].

    Outputs:
        A tensor of the dtype of the input, of shape [N, C, output_size] or [C, output_size].

    Raises:
        TypeError: if output_size is no int, or the input is no float Tensor.
        ValueError: if output_size is not positive, or the input has not 2 or 3 dimensions.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.AdaptiveAvgPool1d(2)(Tensor([[[1.0, 3.0, 5.0, 7.0]]])))
        [[[2. 6.]]]
    """

    _held = primitives("Shape DType", expand="ExpandDims", squeeze=lambda layer: ops.Squeeze(2))

    axes = 1


class AdaptiveAvgPool2d(_AdaptiveAvg):
    """The means of images that are cut into parts of about the same size.

    Args:
        output_size: how many parts: a positive int, or (height, width); None keeps a size.

    Inputs:
        input: a float tensor of shape [N, C, H, W] or [C, H, W].

    Outputs:
        A tensor of the dtype of the input, of shape [N, C, height, width] or [C, height, width].

    Raises:
        TypeError: if output_size is no int, tuple or None, or the input is no float Tensor.
        ValueError: if a size is not positive, or the input has not 3 or 4 dimensions.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.AdaptiveAvgPool2d((1, 2))(Tensor([[[[1.0, 5.0], [7.0, 7.0]]]])))
        [[[[4. 6.]]]]
    """

    _held = primitives(adaptive_avgpool2d=lambda layer: ops.AdaptiveAvgPool2D(layer.output_size))


class AdaptiveAvgPool3d(_AdaptiveAvg):
    """The means of volumes that are cut into parts of about the same size.

    Args:
        output_size: how many parts: a positive int, or (depth, height, width); None keeps a size.

    Inputs:
        input: a float tensor of shape [N, C, D, H, W] or [C, D, H, W].

    Outputs:
        A tensor of the dtype of the input, of shape [N, C, depth, height, width] or without N.

    Raises:
        TypeError: if output_size is no int, tuple or None, or the input is no float Tensor.
        ValueError: if a size is not positive, or the input has not 4 or 5 dimensions.

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.AdaptiveAvgPool3d((1, 2, None))(ops.ones((1, 3, 4, 4, 4))).shape)
        (1, 3, 1, 2, 4)
    """

    _held = primitives(adaptive_avg_pool3d=lambda layer: ops.AdaptiveAvgPool3D(layer.output_size))

    axes = 3


class _AdaptiveMax(_Adaptive):
    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = check_bool(return_indices, "return_indices", type(self).__name__)

    def construct(self, input: Any) -> Any:
        """The maximum of each part (with return_indices: and where it stands)."""
        x, sizes, added = self._prepared(input)
        out = apply(prims.adaptive_max_pool, x, size=sizes)
        result = ops.squeeze(out, 0) if added else out
        if not self.return_indices:
            return result
        indices = apply(prims.adaptive_max_pool_indices, x, out)
        return result, ops.squeeze(indices, 0) if added else indices


class AdaptiveMaxPool1d(_AdaptiveMax):
    """The maxima of a dimension that is cut into parts of about the same size.

    Args:
        output_size: a positive int, how many parts.

    Inputs:
        x: a float tensor of shape [N, C, L] or [C, L].

    Outputs:
        A tensor of the dtype of x, of shape [N, C, output_size] or [C, output_size].

    Raises:
        TypeError: if output_size is no int, or x is no float Tensor.
        ValueError: if output_size is not positive, or x has not 2 or 3 dimensions.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.AdaptiveMaxPool1d(2)(Tensor([[[1.0, 3.0, 5.0, 7.0]]])))
        [[[3. 7.]]]
    """

    _held = primitives("Shape DType", expand="ExpandDims", squeeze=lambda layer: ops.Squeeze(2))

    axes = 1

    def __init__(self, output_size: int) -> None:
        super().__init__(output_size)

    def construct(self, x: Any) -> Any:
        """The maximum of each part."""
        return super().construct(x)


class AdaptiveMaxPool2d(_AdaptiveMax):
    """The maxima of images that are cut into parts of about the same size.

    Args:
        output_size: how many parts: a positive int, or (height, width); None keeps a size.
        return_indices: whether the positions of the maxima are returned as well. Default: False.

    Inputs:
        input: a float tensor of shape [N, C, H, W] or [C, H, W].

    Outputs:
        A tensor of the dtype of the input, of shape [N, C, height, width] or [C, height, width]; with return_indices a
        pair with an int64 tensor of the same shape, the positions within H · W.

    Raises:
        TypeError: if an argument has the wrong type, or the input is no float Tensor.
        ValueError: if a size is not positive, or the input has not 3 or 4 dimensions.

    Examples:
        >>> from mycel import Tensor, nn
        >>> pool = nn.AdaptiveMaxPool2d(1, return_indices=True)
        >>> largest, position = pool(Tensor([[[[1.0, 5.0], [7.0, 2.0]]]]))
        >>> print(largest.item(), position.item())
        7.0 2
    """


class AdaptiveMaxPool3d(_AdaptiveMax):
    """The maxima of volumes that are cut into parts of about the same size.

    Args:
        output_size: how many parts: a positive int, or (depth, height, width); None keeps a size.
        return_indices: whether the positions of the maxima are returned as well. Default: False.

    Inputs:
        input: a float tensor of shape [N, C, D, H, W] or [C, D, H, W].

    Outputs:
        A tensor of the dtype of the input, of shape [N, C, depth, height, width] or without N; with return_indices a
        pair with an int64 tensor of the same shape.

    Raises:
        TypeError: if an argument has the wrong type, or the input is no float Tensor.
        ValueError: if a size is not positive, or the input has not 4 or 5 dimensions.

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.AdaptiveMaxPool3d(2)(ops.ones((1, 3, 4, 4, 4))).shape)
        (1, 3, 2, 2, 2)
    """

    _held = primitives(adaptive_max_pool3d="AdaptiveMaxPool3D")

    axes = 3
