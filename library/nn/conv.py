"""Convolution layers of one, two and three dimensions."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.values.dispatch import apply
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from .conv_base import _Conv, _OneAxis, same_padding
from .held import primitives
from .sections import CONVOLUTION, sections

_TAKES_TENSORS = True

__all__ = ["Conv1d", "Conv2d", "Conv3d"]


def _primitive(kind: str) -> Any:
    """How a layer makes the primitive of its convolution."""
    return lambda layer: getattr(ops, kind)(
        layer.out_channels, layer.kernel_size, 1, layer.pad_mode, layer.padding, layer.stride, layer.dilation,
        layer.group, layer.data_format,
    )  # fmt: skip


class _Forward(_Conv):
    """A convolution."""

    def construct(self, x: Any) -> Tensor:
        """The convolution of x with the weight, plus bias."""
        x = self._checked(x)
        padding = self._pairs
        if self.pad_mode == "same":
            padding = same_padding(x._type.shape[2:], self._kernel, self._stride, self._spread, type(self).__name__)
        weight = self._weight(x)
        out = apply(
            prims.conv, x, weight, stride=self._stride, padding=padding, dilation=self._spread, groups=self.group
        )
        return self._finished(out, x)


@sections(**CONVOLUTION)
class Conv1d(_OneAxis, _Forward):
    """Convolution over one dimension: out[n, o, l] = bias[o] + sum over c, k of x[n, c, l·stride + k·dilation] · w[o,
    c, k].

    Args:
        kernel_size: a positive int, how many elements a window has.
        stride: a positive int, how far windows are apart. Default: 1.
        padding: with pad_mode 'pad' how many zeros are added at both ends: an int, or (start, end). Default: 0.
        dilation: a positive int, how far the elements of a window are apart. Default: 1.
        weight_init: initializer of the weight [out_channels, in_channels / group, 1, kernel_size], or a Tensor of
            this shape. Default: None, for HeUniform(sqrt(5)).
        bias_init: initializer of the bias [out_channels]. Default: None, for uniform numbers within ±1 / sqrt(fan),
            where fan = in_channels / group · kernel_size.
        in_channels, out_channels, pad_mode, group, has_bias, dtype: as for `Conv2d`.

    Inputs:
        x: a float tensor of shape [N, in_channels, L].

    Outputs:
        A tensor of the dtype of x, of shape [N, out_channels, L_out]. With `r = (kernel_size - 1) · dilation + 1`,
        L_out is ceil(L / stride) for 'same', and floor((L + padding - r) / stride) + 1 otherwise.

    Examples:
        >>> from mycel import Tensor, nn
        >>> layer = nn.Conv1d(1, 1, 2, pad_mode="valid", weight_init="ones")
        >>> print(layer(Tensor([[[1.0, 2.0, 3.0]]])))
        [[[3. 5.]]]
    """

    _held = primitives("ExpandDims", conv2d=_primitive("Conv2D"), squeeze=lambda layer: ops.Squeeze(2))


@sections(**CONVOLUTION)
class Conv2d(_Forward):
    """Convolution over two dimensions: each output is the sum of a window of x times a kernel, over all channels.

    out[n, o, y, x] = bias[o] + sum over c, i, j of in[n, c, y·stride + i·dilation, x·stride + j·dilation] · w[o, c, i,
    j]

    Args:
        in_channels: a positive int, the channels of the input.
        out_channels: a positive int, the channels of the output.
        kernel_size: a positive int, or (height, width): the size of a window.
        stride: a positive int, or two: how far windows are apart. Default: 1.
        pad_mode: 'same' (the output has ceil(size / stride) positions), 'valid' (no padding) or 'pad'. Default: 'same'.
        padding: with pad_mode 'pad' how many zeros are added at each side: an int, or (top, bottom, left, right).
            Default: 0.
        dilation: a positive int, or two: how far the elements of a window are apart. Default: 1.
        group: an int that divides both numbers of channels: channels of different groups do not mix. Default: 1.
        has_bias: whether a bias is added. Default: False.
        weight_init: initializer of the weight [out_channels, in_channels / group, height, width], or a Tensor of this
            shape. Default: None, for HeUniform(sqrt(5)).
        bias_init: initializer of the bias [out_channels]. Default: None, for uniform numbers within ±1 / sqrt(fan),
            where fan = in_channels / group · height · width.
        data_format: 'NCHW' or 'NHWC', the order of the input's axes. Default: 'NCHW'.
        dtype: the dtype of the Parameters. Default: float32.

    Inputs:
        x: a float tensor of shape [N, in_channels, H, W], or [N, H, W, in_channels] for 'NHWC'.

    Outputs:
        A tensor of the dtype of x, of shape [N, out_channels, H_out, W_out]. For each size and `r = (kernel - 1) ·
        dilation + 1`, the size of the output is ceil(size / stride) for 'same', and floor((size + padding - r) /
        stride) + 1 otherwise.

    Examples:
        >>> from mycel import nn, ops
        >>> layer = nn.Conv2d(1, 2, 3, weight_init="ones")
        >>> print(layer(ops.ones((1, 1, 4, 4))).shape)
        (1, 2, 4, 4)
    """

    _held = primitives(conv2d=_primitive("Conv2D"))


@sections(**CONVOLUTION)
class Conv3d(_Forward):
    """Convolution over three dimensions: each output is the sum of a window of x times a kernel, over all channels.

    Args:
        kernel_size: a positive int, or (depth, height, width): the size of a window.
        stride: a positive int, or three: how far windows are apart. Default: 1.
        padding: with pad_mode 'pad' how many zeros are added at each side: an int, or (front, back, top, bottom, left,
            right). Default: 0.
        dilation: a positive int, or three: how far the elements of a window are apart. Default: 1.
        weight_init: initializer of the weight [out_channels, in_channels / group, depth, height, width], or a Tensor of
            this shape. Default: None, for HeUniform(sqrt(5)).
        bias_init: initializer of the bias [out_channels]. Default: None, for uniform numbers within ±1 / sqrt(fan),
            where fan = in_channels / group · depth · height · width.
        data_format: 'NCDHW' or 'NDHWC', the order of the input's axes. Default: 'NCDHW'.
        in_channels, out_channels, pad_mode, group, has_bias, dtype: as for `Conv2d`.

    Inputs:
        x: a float tensor of shape [N, in_channels, D, H, W], or [N, D, H, W, in_channels] for 'NDHWC'.

    Outputs:
        A tensor of the dtype of x, of shape [N, out_channels, D_out, H_out, W_out], with the sizes of `Conv2d`.

    Examples:
        >>> from mycel import nn, ops
        >>> layer = nn.Conv3d(1, 2, 3, stride=2, weight_init="ones")
        >>> print(layer(ops.ones((1, 1, 4, 4, 4))).shape)
        (1, 2, 2, 2, 2)
    """

    axes = 3
    formats = ("NCDHW", "NDHWC")
    _held = primitives(conv3d=_primitive("Conv3D"), concat=lambda layer: ops.Concat(1))

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "same",
        padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False, weight_init: Any = None,
        bias_init: Any = None, data_format: str = "NCDHW", dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, data_format, dtype,
        )  # fmt: skip
