"""Pooling layers: maxima and means over windows."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.values.cell import Cell
from ...frontend.values.dispatch import apply
from ...frontend.values.tensor import Tensor
from .. import ops
from ..functions.nn_conv import Pairs
from .checks import check_bool, check_choice, check_int, check_pair, check_rank, need_type
from .conv import channels_first, channels_last, same_padding
from .held import primitives

_TAKES_TENSORS = True

__all__ = [
    "AvgPool1d", "AvgPool2d", "AvgPool3d", "MaxPool1d", "MaxPool2d", "MaxPool3d",
]  # fmt: skip


class _Pool(Cell):
    """The base of max and average pooling.

    Attributes:
        axes: the number of spatial dimensions.
    """

    axes = 2
    _held = primitives(use_pad=lambda layer: layer.pad_mode == "PAD")

    def _set_up(self, kernel_size: Any, stride: Any, pad_mode: str, padding: Any) -> None:
        owner = type(self).__name__
        need_type(pad_mode, str, f"For '{owner}', the 'pad_mode' should be a string")
        self.pad_mode = check_choice(pad_mode.upper(), ("VALID", "SAME", "PAD"), "pad_mode", owner)
        self._kernel = check_pair(kernel_size, self.axes, "kernel_size", owner)
        self._stride = check_pair(stride, self.axes, "stride", owner)
        self.kernel_size: Any = kernel_size if self.axes != 1 else (1, *self._kernel)
        self.stride: Any = stride if self.axes != 1 else (1, *self._stride)
        items = check_pair(padding, self.axes, "padding", owner, 0) if not _is_full(padding, self.axes) else padding
        self.padding = padding
        self._pairs: Pairs = (
            tuple((size, size) for size in items)
            if len(items) == self.axes
            else tuple((items[2 * axis], items[2 * axis + 1]) for axis in range(self.axes))
        )
        self.format = "NCHW"
        if self.pad_mode != "PAD" and any(map(any, self._pairs)):
            raise ValueError(
                f"For '{owner}', the 'padding' must be 0 unless 'pad_mode' is 'pad', but got {padding} and {pad_mode!r}"
            )

    def _set_format(self, data_format: str) -> None:
        self.format = check_choice(data_format, ("NCHW", "NHWC"), "data_format", type(self).__name__)

    def _batched(self, x: Any) -> tuple[Any, bool]:
        """x with a batch dimension, and whether it was added."""
        if x.ndim == self.axes + 1:
            return ops.expand_dims(x, 0), True
        check_rank(x, (self.axes + 2,), type(self).__name__)
        return (channels_first(x) if self.format == "NHWC" else x), False

    def _finished(self, out: Any, added: bool) -> Any:
        if added:
            return ops.squeeze(out, 0)
        return channels_last(out) if self.format == "NHWC" else out

    def _padding(self, x: Any, dilation: tuple[int, ...]) -> Pairs:
        if self.pad_mode == "SAME":
            return same_padding(x._type.shape[2:], self._kernel, self._stride, dilation, type(self).__name__)
        return self._pairs

    def extend_repr(self) -> str:
        """Sizes and options."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}"


def _is_full(padding: Any, axes: int) -> bool:
    """Whether low and high are given for each axis."""
    return isinstance(padding, (tuple, list)) and len(padding) == 2 * axes and axes > 1


class _MaxPool(_Pool):
    def __init__(
        self, kernel_size: Any = 1, stride: Any = 1, pad_mode: str = "valid", padding: Any = 0, dilation: Any = 1,
        return_indices: bool = False, ceil_mode: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        owner = type(self).__name__
        self._set_up(kernel_size, stride, pad_mode, padding)
        self._dilation = check_pair(dilation, self.axes, "dilation", owner)
        self.return_indices = check_bool(return_indices, "return_indices", owner)
        self.ceil_mode = check_bool(ceil_mode, "ceil_mode", owner)
        if self.pad_mode != "PAD" and (return_indices or ceil_mode or any(step != 1 for step in self._dilation)):
            raise ValueError(
                f"{owner}'s 'dilation', 'return_indices' and 'ceil_mode' can be set with pad_mode 'pad' only, but "
                "it is "
                f"{pad_mode!r}"
            )
        for (low, high), size in zip(self._pairs, self._kernel, strict=True):
            if max(low, high) > size // 2:
                raise ValueError(
                    f"For '{owner}', the 'padding' should be at most half the kernel, but got {padding} for "
                    f"{kernel_size}"
                )

    def construct(self, x: Any) -> Any:
        """The maximum of each window (with return_indices: and where it stands)."""
        x, added = self._batched(x)
        attrs = {
            "kernel": self._kernel,
            "stride": self._stride,
            "padding": self._padding(x, self._dilation),
            "dilation": self._dilation,
            "ceil_mode": self.ceil_mode,
        }
        out = apply(prims.max_pool, x, **attrs)
        if not self.return_indices:
            return self._finished(out, added)
        return self._finished(out, added), self._finished(apply(prims.max_pool_indices, x, out, **attrs), added)


_FLAT: dict[str, Any] = {
    "reduce_mean": lambda layer: ops.ReduceMean(True), "expand": "ExpandDims", "squeeze": lambda layer: ops.Squeeze(2),
}  # fmt: skip


class MaxPool1d(_MaxPool):
    """The maximum of each window of one dimension.

    Args:
        kernel_size: a positive int, how many elements a window has. Default: 1.
        stride: a positive int, how far windows are apart. Default: 1.
        padding: with pad_mode 'pad' how much is added at both ends, an int; at most half the kernel. What is added
            never is a maximum. Default: 0.
        pad_mode, dilation, return_indices, ceil_mode: as for `MaxPool2d`.

    Inputs:
        x: a float tensor of shape [N, C, L] or [C, L].

    Outputs:
        A tensor of the dtype of x, of shape [N, C, L_out] or [C, L_out]; with return_indices a pair with an int64
        tensor of the same shape.

    Raises:
        TypeError: if an argument has the wrong type, or x is no float Tensor.
        ValueError: if a number is out of range, an option needs pad_mode 'pad', or x has not 2 or 3 dimensions.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.MaxPool1d(2, 2)(Tensor([[[1.0, 5.0, 3.0, 2.0]]])))
        [[[5. 3.]]]
    """

    _held = primitives(
        "Shape",
        max_pool=lambda layer: ops.MaxPool(layer.kernel_size, layer.stride, layer.pad_mode),
        **_FLAT,
    )

    axes = 1


class MaxPool2d(_MaxPool):
    """The maximum of each window of two dimensions. Of equal maxima the first receives the gradient.

    Args:
        kernel_size: a positive int, or (height, width): the size of a window. Default: 1.
        stride: a positive int, or two: how far windows are apart. Default: 1.
        pad_mode: 'valid' (no padding), 'same' (the output has ceil(size / stride) positions) or 'pad'. Default:
            'valid'.
        padding: with pad_mode 'pad' how much is added at both ends of a dimension, an int or two; at most half the
            kernel. What is added never is a maximum. Default: 0.
        dilation: with pad_mode 'pad' how far the elements of a window are apart. Default: 1.
        return_indices: with pad_mode 'pad' whether the positions of the maxima are returned as well. Default: False.
        ceil_mode: with pad_mode 'pad' whether a last window may reach over the end. Default: False.
        data_format: 'NCHW' or 'NHWC', the order of the input's axes. Default: 'NCHW'.

    Inputs:
        x: a float tensor of shape [N, C, H, W] or [C, H, W]; for 'NHWC' of shape [N, H, W, C].

    Outputs:
        A tensor of the dtype of x, of shape [N, C, H_out, W_out] or [C, H_out, W_out]; with return_indices a pair with
        an int64 tensor of the same shape, the positions within H · W. With `r = (kernel - 1) · dilation + 1` a size
        becomes ceil(size / stride) for 'same', and floor((size + 2 · padding - r) / stride) + 1 otherwise.

    Raises:
        TypeError: if an argument has the wrong type, or x is no float Tensor.
        ValueError: if a number is out of range, an option needs pad_mode 'pad', or x has not 3 or 4 dimensions.

    Examples:
        >>> from mycel import Tensor, nn
        >>> pool = nn.MaxPool2d(2, 2)
        >>> print(pool(Tensor([[[[1.0, 5.0], [7.0, 7.0]]]])))
        [[[[7.]]]]
    """

    _held = primitives(
        max_pool=lambda layer: ops.MaxPool(layer.kernel_size, layer.stride, layer.pad_mode, layer.format)
    )

    def __init__(
        self, kernel_size: Any = 1, stride: Any = 1, pad_mode: str = "valid", padding: Any = 0, dilation: Any = 1,
        return_indices: bool = False, ceil_mode: bool = False, data_format: str = "NCHW",
    ) -> None:  # fmt: skip
        super().__init__(kernel_size, stride, pad_mode, padding, dilation, return_indices, ceil_mode)
        self._set_format(data_format)


class MaxPool3d(_MaxPool):
    """The maximum of each window of three dimensions.

    Args:
        kernel_size: a positive int, or (depth, height, width): the size of a window. Default: 1.
        stride: a positive int, or three: how far windows are apart. Default: 1.
        padding: with pad_mode 'pad' how much is added at both ends of a dimension: an int, or three. Default: 0.
        pad_mode, dilation, return_indices, ceil_mode: as for `MaxPool2d`.

    Inputs:
        x: a float tensor of shape [N, C, D, H, W] or [C, D, H, W].

    Outputs:
        A tensor of the dtype of x, of shape [N, C, D_out, H_out, W_out] or without N; with return_indices a pair with
        an int64 tensor of the same shape. The sizes are those of `MaxPool2d`.

    Raises:
        TypeError: if an argument has the wrong type, or x is no float Tensor.
        ValueError: if a number is out of range, an option needs pad_mode 'pad', or x has not 4 or 5 dimensions.

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.MaxPool3d(2, 2)(ops.ones((1, 3, 4, 4, 4))).shape)
        (1, 3, 2, 2, 2)
    """

    _held = primitives(max_pool=lambda layer: ops.MaxPool3D(layer.kernel_size, layer.stride, layer.pad_mode.lower()))

    axes = 3


class _AvgPool(_Pool):
    def __init__(
        self, kernel_size: Any = 1, stride: Any = 1, pad_mode: str = "valid", padding: Any = 0,
        ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        owner = type(self).__name__
        self._set_up(kernel_size, stride, pad_mode, padding)
        self.ceil_mode = check_bool(ceil_mode, "ceil_mode", owner)
        self.count_include_pad = check_bool(count_include_pad, "count_include_pad", owner)
        if divisor_override is not None and check_int(divisor_override, "divisor_override", owner) <= 0:
            raise ValueError(f"For '{owner}', the 'divisor_override' should be positive, but got {divisor_override}")
        self.divisor_override = divisor_override

    def construct(self, x: Any) -> Tensor:
        """The mean of each window."""
        x, added = self._batched(x)
        same = self.pad_mode == "SAME"
        out = apply(
            prims.avg_pool,
            x,
            kernel=self._kernel,
            stride=self._stride,
            padding=self._padding(x, (1,) * self.axes),
            ceil_mode=self.ceil_mode and not same,
            # With 'same' MindSpore counts the padding only in three dimensions.
            count_include_pad=self.count_include_pad and (not same or self.axes == 3),
            divisor=self.divisor_override,
        )
        return self._finished(out, added)


class AvgPool1d(_AvgPool):
    """The mean of each window of one dimension.

    Args:
        kernel_size: a positive int, how many elements a window has. Default: 1.
        stride: a positive int, how far windows are apart. Default: 1.
        padding: with pad_mode 'pad' how many zeros are added at both ends: an int. Default: 0.
        pad_mode, ceil_mode, count_include_pad: as for `AvgPool2d`.

    Inputs:
        x: a float tensor of shape [N, C, L] or [C, L].

    Outputs:
        A tensor of the dtype of x, of shape [N, C, L_out] or [C, L_out].

    Raises:
        TypeError: if an argument has the wrong type, or x is no float Tensor.
        ValueError: if a number is out of range, `padding` is given without pad_mode 'pad', or x has not 2 or 3
            dimensions.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.AvgPool1d(2, 2)(Tensor([[[1.0, 5.0, 3.0, 2.0]]])))
        [[[3.  2.5]]]
    """

    _held = primitives(
        "Slice Shape",
        avg_pool=lambda layer: ops.AvgPool(layer.kernel_size, layer.stride, layer.pad_mode),
        **_FLAT,
    )

    axes = 1

    def __init__(
        self, kernel_size: Any = 1, stride: Any = 1, pad_mode: str = "valid", padding: Any = 0,
        ceil_mode: bool = False, count_include_pad: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad)


class AvgPool2d(_AvgPool):
    """The mean of each window of two dimensions.

    Args:
        kernel_size: a positive int, or (height, width): the size of a window. Default: 1.
        stride: a positive int, or two: how far windows are apart. Default: 1.
        pad_mode: 'valid' (no padding), 'same' (the output has ceil(size / stride) positions) or 'pad'. Default:
            'valid'.
        padding: with pad_mode 'pad' how many zeros are added at both ends of a dimension: an int, or two. Default: 0.
        ceil_mode: whether a last window may reach over the end. Default: False.
        count_include_pad: whether added zeros count as elements of a window. Default: True.
        divisor_override: a positive int that sums are divided by, in place of the number of elements. Default: None.
        data_format: 'NCHW' or 'NHWC', the order of the input's axes. Default: 'NCHW'.

    Inputs:
        x: a float tensor of shape [N, C, H, W] or [C, H, W]; for 'NHWC' of shape [N, H, W, C].

    Outputs:
        A tensor of the dtype of x, of shape [N, C, H_out, W_out] or [C, H_out, W_out]. A size becomes ceil(size /
        stride) for 'same', and floor((size + 2 · padding - kernel) / stride) + 1 otherwise.

    Raises:
        TypeError: if an argument has the wrong type, or x is no float Tensor.
        ValueError: if a number is out of range, `padding` is given without pad_mode 'pad', or x has not 3 or 4
            dimensions.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.AvgPool2d(2)(Tensor([[[[1.0, 5.0], [7.0, 7.0]]]])))
        [[[[5.]]]]
    """

    _held = primitives(
        avg_pool=lambda layer: ops.AvgPool(layer.kernel_size, layer.stride, layer.pad_mode, layer.format)
    )

    def __init__(
        self, kernel_size: Any = 1, stride: Any = 1, pad_mode: str = "valid", padding: Any = 0,
        ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None,
        data_format: str = "NCHW",
    ) -> None:  # fmt: skip
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad, divisor_override)
        self._set_format(data_format)


class AvgPool3d(_AvgPool):
    """The mean of each window of three dimensions.

    Args:
        kernel_size: a positive int, or (depth, height, width): the size of a window. Default: 1.
        stride: a positive int, or three: how far windows are apart. Default: 1.
        padding: with pad_mode 'pad' how many zeros are added at both ends of a dimension: an int, or three. Default: 0.
        pad_mode, ceil_mode, count_include_pad, divisor_override: as for `AvgPool2d`.

    Inputs:
        x: a float tensor of shape [N, C, D, H, W] or [C, D, H, W].

    Outputs:
        A tensor of the dtype of x, of shape [N, C, D_out, H_out, W_out] or without N, with the sizes of `AvgPool2d`.

    Raises:
        TypeError: if an argument has the wrong type, or x is no float Tensor.
        ValueError: if a number is out of range, `padding` is given without pad_mode 'pad', or x has not 4 or 5
            dimensions.

    Examples:
        >>> from mycel import nn, ops
        >>> print(nn.AvgPool3d(2, 2)(ops.ones((1, 3, 4, 4, 4))).shape)
        (1, 3, 2, 2, 2)
    """

    _held = primitives(avg_pool=lambda layer: ops.AvgPool3D(layer.kernel_size, layer.stride, layer.pad_mode.lower()))

    axes = 3
