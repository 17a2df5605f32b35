"""Transposed convolution layers of one, two and three dimensions."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.values.dispatch import apply
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from ..functions.nn_conv import Pairs
from .checks import check_pair
from .conv import _Conv, _OneAxis, same_padding
from .held import primitives
from .sections import CONVOLUTION, sections

_TAKES_TENSORS = True

__all__ = ["Conv1dTranspose", "Conv2dTranspose", "Conv3dTranspose"]


def _primitive(kind: str) -> Any:
    """How a layer makes the primitive of its transposed convolution, which counts channels from the output."""
    return lambda layer: getattr(ops, kind)(
        layer.in_channels, layer.kernel_size, layer.pad_mode, layer.padding, None, 1, layer.stride, layer.dilation,
        layer.group, "NCHW",
    )  # fmt: skip


def _side(number: int) -> Any:
    """How a layer makes the padding of one side."""
    return lambda layer: layer._pairs[number // 2][number % 2]


class _Transposed(_Conv):
    """A transposed convolution: the gradient of a convolution by its input."""

    transposed = True
    output_padding: Any = 0
    _extra: tuple[int, ...] = (0,)
    _held = primitives(
        is_valid=lambda layer: layer.pad_mode == "valid",
        is_same=lambda layer: layer.pad_mode == "same",
        is_pad=lambda layer: layer.pad_mode == "pad",
    )

    def _set_output_padding(self, output_padding: Any) -> None:
        owner = type(self).__name__
        self.output_padding = output_padding
        self._extra = check_pair(output_padding, self.axes, "output_padding", owner, 0)
        if any(self._extra) and self.pad_mode != "pad":
            raise ValueError(
                f"For '{owner}', the 'output_padding' must be 0 unless 'pad_mode' is 'pad', but got {output_padding}"
            )
        for extra, stride, dilation in zip(self._extra, self._stride, self._spread, strict=True):
            if extra and extra >= max(stride, dilation):
                raise ValueError(
                    f"For '{owner}', the 'output_padding' should be less than the stride or the dilation, but "
                    f"got {output_padding}"
                )

    def _sizes(self, shape: Any) -> tuple[tuple[int, ...], Pairs]:
        """The spatial shape of the output, and the padding of the convolution whose gradient it is."""
        owner = type(self).__name__
        if None in shape:
            raise ValueError(f"{owner} needs a size that is known when compiling, but got {shape}")
        reach = [(k - 1) * spread + 1 for k, spread in zip(self._kernel, self._spread, strict=True)]
        if self.pad_mode == "same":
            sizes = tuple(size * step for size, step in zip(shape, self._stride, strict=True))
            return sizes, same_padding(sizes, self._kernel, self._stride, self._spread, owner)
        if self.pad_mode == "valid":
            sizes = tuple(
                size * step + max(k - step, 0) for size, step, k in zip(shape, self._stride, reach, strict=True)
            )
            return sizes, ((0, 0),) * self.axes
        extra = self._extra if self.axes == 3 else (0,) * self.axes
        sizes = tuple(
            (size - 1) * step - low - high + k + more
            for size, step, (low, high), k, more in zip(shape, self._stride, self._pairs, reach, extra, strict=True)
        )
        return sizes, self._pairs

    def construct(self, x: Any) -> Tensor:
        """The transposed convolution of x with the weight, plus bias."""
        x = self._checked(x)
        sizes, padding = self._sizes(x._type.shape[2:])
        out = apply(
            prims.conv_input_grad,
            x,
            self._weight(x),
            spatial=sizes,
            stride=self._stride,
            padding=padding,
            dilation=self._spread,
            groups=self.group,
        )
        out = self._finished(out, x)
        if self.axes == 2 and any(self._extra):  # as MindSpore on CPU, which adds zeros here
            out = ops.pad(out, (0, self._extra[1], 0, self._extra[0]))
        return out


@sections(**CONVOLUTION)
class Conv1dTranspose(_OneAxis, _Transposed):
    """Transposed convolution over one dimension: the gradient of `Conv1d` by its input.

    Args:
        kernel_size: a positive int, how many outputs each input is spread over.
        stride: a positive int, how far these windows are apart. Default: 1.
        padding: with pad_mode 'pad' how many elements are cut off at both ends: an int, or (start, end). Default: 0.
        weight_init: initializer of the weight [in_channels, out_channels / group, 1, kernel_size]. Default: None, for
            HeUniform(sqrt(5)).
        in_channels, out_channels, pad_mode, dilation, group, has_bias, bias_init, dtype: as for
            `Conv2dTranspose`.

    Inputs:
        x: a float tensor of shape [N, in_channels, L].

    Outputs:
        A tensor of the dtype of x, of shape [N, out_channels, L_out]. With `r = (kernel_size - 1) · dilation + 1`,
        L_out is L · stride for 'same', L · stride + max(r - stride, 0) for 'valid', (L - 1) · stride - padding + r for
        'pad'.

    Examples:
        >>> from mycel import Tensor, nn
        >>> layer = nn.Conv1dTranspose(1, 1, 2, stride=2, pad_mode="valid", weight_init="ones")
        >>> print(layer(Tensor([[[1.0, 2.0]]])))
        [[[1. 1. 2. 2.]]]
    """

    _held = primitives(
        "ExpandDims", conv2d_transpose=_primitive("Conv2DBackpropInput"), squeeze=lambda layer: ops.Squeeze(2)
    )


@sections(**CONVOLUTION)
class Conv2dTranspose(_Transposed):
    """Transposed convolution over two dimensions: the gradient of `Conv2d` by its input.

    Args:
        kernel_size: a positive int, or (height, width): the window of outputs that each input is spread over.
        stride: a positive int, or two: how far these windows are apart. Default: 1.
        pad_mode: 'same', 'valid' or 'pad': see Outputs. Default: 'same'.
        padding: with pad_mode 'pad' how much is cut off at each side: an int, or (top, bottom, left, right). Default:
            0.
        output_padding: with pad_mode 'pad' how many rows and columns of zeros are added at the end, less than stride or
            dilation. Default: 0.
        weight_init: initializer of the weight [in_channels, out_channels / group, height, width]. Default: None, for
            HeUniform(sqrt(5)).
        bias_init: initializer of the bias [out_channels]. Default: None, for uniform numbers within ±1 / sqrt(fan).
        in_channels, out_channels, dilation, group, has_bias, dtype: as for `Conv2d`.

    Inputs:
        x: a float tensor of shape [N, in_channels, H, W].

    Outputs:
        A tensor of the dtype of x, of shape [N, out_channels, H_out, W_out]. For each size and `r = (kernel - 1) ·
        dilation + 1`, the size of the output is size · stride for 'same', size · stride + max(r - stride, 0) for
        'valid', and (size - 1) · stride - padding + r + output_padding for 'pad'.

    Examples:
        >>> from mycel import nn, ops
        >>> layer = nn.Conv2dTranspose(1, 2, 3, stride=2, weight_init="ones")
        >>> print(layer(ops.ones((1, 1, 4, 4))).shape)
        (1, 2, 8, 8)
    """

    _held = primitives(
        conv2d_transpose=_primitive("Conv2DTranspose"),
        **{f"padding_{side}": _side(number) for number, side in enumerate(("top", "bottom", "left", "right"))},
    )

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "same",
        padding: Any = 0, output_padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False,
        weight_init: Any = None, bias_init: Any = None, dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, dtype=dtype,
        )  # fmt: skip
        self._set_output_padding(output_padding)


@sections(**CONVOLUTION)
class Conv3dTranspose(_Transposed):
    """Transposed convolution over three dimensions: the gradient of `Conv3d` by its input.

    Args:
        kernel_size: a positive int, or (depth, height, width): the window of outputs that each input is spread over.
        stride: a positive int, or three: how far these windows are apart. Default: 1.
        padding: with pad_mode 'pad' how much is cut off at each side: an int, or six. Default: 0.
        output_padding: with pad_mode 'pad' how much larger the output is at its end, less than stride or dilation.
            Default: 0.
        weight_init: initializer of the weight [in_channels, out_channels / group, depth, height, width]. Default: None,
            for HeUniform(sqrt(5)).
        data_format: 'NCDHW'. Default: 'NCDHW'.
        in_channels, out_channels, pad_mode, dilation, group, has_bias, bias_init, dtype: as for
            `Conv2dTranspose`.

    Inputs:
        x: a float tensor of shape [N, in_channels, D, H, W].

    Outputs:
        A tensor of the dtype of x, of shape [N, out_channels, D_out, H_out, W_out], with the sizes of
        `Conv2dTranspose`.

    Examples:
        >>> from mycel import nn, ops
        >>> layer = nn.Conv3dTranspose(1, 2, 3, stride=2, weight_init="ones")
        >>> print(layer(ops.ones((1, 1, 2, 2, 2))).shape)
        (1, 2, 4, 4, 4)
    """

    axes = 3
    formats = ("NCDHW",)
    _held = primitives(
        conv3d_transpose=lambda layer: ops.Conv3DTranspose(
            layer.in_channels, layer.out_channels, layer.kernel_size, 1, layer.pad_mode, layer.padding, layer.stride,
            layer.dilation, layer.group, layer.output_padding, layer.data_format,
        )
    )  # fmt: skip

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "same",
        padding: Any = 0, dilation: Any = 1, group: int = 1, output_padding: Any = 0, has_bias: bool = False,
        weight_init: Any = None, bias_init: Any = None, data_format: str = "NCDHW", dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, data_format, dtype,
        )  # fmt: skip
        self._set_output_padding(output_padding)
