"""Convolution layers of one, two and three dimensions, and what all have: arguments, Parameters and text; padding."""

from __future__ import annotations

import math
from typing import Any

from ...compiler import ops as prims
from ...frontend.errors.classes import not_a_tensor
from ...frontend.values.cell import Cell
from ...frontend.values.dispatch import apply
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from ..functions.nn_conv import Pairs, same_padding as known_padding
from ..initializer import HeUniform, initializer
from .checks import check_bool, check_choice, check_int, check_pair, check_positive_int, check_rank
from .dense import fan_bound, match_dtype
from .held import primitives
from .initial_parameter import initial_parameter
from .sections import CONVOLUTION, sections

__all__ = ["Conv1d", "Conv2d", "Conv3d"]

PAD_MODES = ("same", "valid", "pad")


def pad_pairs(padding: Any, axes: int, owner: str) -> Pairs:
    """`padding` as (low, high) for each axis: an int, an int an axis, or low and high for each axis in turn."""
    if isinstance(padding, (tuple, list)):
        items = [check_int(item, "padding", owner) for item in padding]
    else:
        items = [check_int(padding, "padding", owner)] * (2 * axes)
    if len(items) == axes and axes > 1:
        raise ValueError(f"For '{owner}', the 'padding' should be an int or {2 * axes} ints, but got {padding}")
    if len(items) == 1:
        items *= 2 * axes
    if len(items) != 2 * axes:
        raise ValueError(f"For '{owner}', the 'padding' should be an int or {2 * axes} ints, but got {padding}")
    if min(items) < 0:
        raise ValueError(f"For '{owner}', the 'padding' should not be negative, but got {padding}")
    return tuple((items[2 * axis], items[2 * axis + 1]) for axis in range(axes))


def same_padding(shape: Any, kernel: Any, stride: Any, dilation: Any, owner: str) -> Pairs:
    """Padding with which the output has ceil(size / stride) positions; an odd element goes to the end."""
    if any(size is None and step != 1 for size, step in zip(shape, stride, strict=True)):
        raise ValueError(f"{owner}: pad_mode 'same' with a stride needs a size that is known when compiling")
    # With a stride of 1 the padding is the same for every size.
    return known_padding(tuple(1 if size is None else size for size in shape), kernel, stride, dilation)


def channels_first(x: Any) -> Any:
    """NHWC to NCHW."""
    return ops.transpose(x, (0, x.ndim - 1, *range(1, x.ndim - 1)))


def in_order(x: Any, ranks: tuple[int, ...], layout: str, owner: str) -> tuple[Any, int | None]:
    """The input with the channels in the second place, and their number. ValueError for another rank."""
    check_rank(x, ranks, owner)
    x = channels_first(x) if layout.endswith("C") else x
    return x, x._type.shape[1]


def channels_last(x: Any) -> Any:
    """NCHW to NHWC."""
    return ops.transpose(x, (0, *range(2, x.ndim), 1))


class _Conv(Cell):
    """The base of convolutions: arguments, Parameters and text.

    Attributes:
        axes: the number of spatial dimensions.
        formats: the layouts that `data_format` may name.
        transposed: whether the weight's first dimension is that of the input's channels.
    """

    axes = 2
    formats: tuple[str, ...] = ("NCHW", "NHWC")
    transposed = False
    _held = primitives("Shape", bias_add=lambda layer: ops.BiasAdd(layer.data_format))

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "same",
        padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False, weight_init: Any = None,
        bias_init: Any = None, data_format: str = "NCHW", dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__()
        owner = type(self).__name__
        self.in_channels = check_positive_int(in_channels, "in_channels", owner)
        self.out_channels = check_positive_int(out_channels, "out_channels", owner)
        self._kernel = check_pair(kernel_size, self.axes, "kernel_size", owner)
        self._stride = check_pair(stride, self.axes, "stride", owner)
        self._spread = check_pair(dilation, self.axes, "dilation", owner)
        self.group = check_positive_int(group, "group", owner)
        self.has_bias = check_bool(has_bias, "has_bias", owner)
        self.pad_mode = check_choice(pad_mode, PAD_MODES, "pad_mode", owner)
        self.data_format = check_choice(data_format, self.formats, "data_format", owner)
        self._pairs = pad_pairs(padding, self.axes, owner)
        if pad_mode != "pad" and any(map(any, self._pairs)):
            raise ValueError(
                f"For '{owner}', the 'padding' must be 0 unless 'pad_mode' is 'pad', but got {padding} and {pad_mode!r}"
            )
        if in_channels % group or out_channels % group:
            raise ValueError(
                f"For '{owner}', the 'group' should divide 'in_channels' and 'out_channels', but got {group}, "
                f"{in_channels} and {out_channels}"
            )
        flat = self.axes == 1  # MindSpore keeps the sizes and weights of one dimension with two
        self.kernel_size, self.stride, self.dilation = (
            (1, *sizes) if flat else sizes for sizes in (self._kernel, self._stride, self._spread)
        )
        self.padding = (0, 0, *self._pairs[0]) if flat else padding
        first, second = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        self._own_shape = (first, second // group, *self._kernel)
        self._make_parameters((*self._own_shape[:2], *self.kernel_size), weight_init, bias_init, dtype)

    def _make_parameters(self, shape: tuple[int, ...], weight_init: Any, bias_init: Any, dtype: Any) -> None:
        # The fan of a transposed convolution is, as in MindSpore, that of the weight's second dimension.
        self.weight_init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.weight = initial_parameter(_fit_weight(self.weight_init, shape), shape, dtype, "weight")
        self.bias: Any = None
        self.bias_init = bias_init
        if self.has_bias:
            if bias_init is None:
                self.bias_init = fan_bound(shape[1] * math.prod(self._kernel))
            self.bias = Parameter(initializer(self.bias_init, (self.out_channels,), dtype), name="bias")

    def _checked(self, x: Any) -> Any:
        owner = type(self).__name__
        if not isinstance(x, Tensor):
            raise not_a_tensor(owner, "x", x)
        x, channels = in_order(x, (self.axes + 2,), self.data_format, owner)
        if channels is not None and channels != self.in_channels:
            last = x.shape[-1] == self.in_channels and self.data_format.startswith("NC")
            fix = ", as the last axis: put it second, with ops.movedim(x, -1, 1)" if last else ""
            raise RuntimeError(
                f"{owner}: C_in, the number of channels, of the input is {channels} (shape {x.shape}), but in_channels "
                f"is {self.in_channels}{fix}"
            )
        return x

    def _finished(self, out: Any, x: Any) -> Any:
        if self.bias is not None:
            bias = match_dtype(x, self.bias)
            out = out + ops.reshape(bias, (self.out_channels, *[1] * self.axes))
        return channels_last(out) if self.data_format.endswith("C") else out

    def _weight(self, x: Any) -> Any:
        """The weight as the convolution takes it."""
        weight: Any = self.weight
        if weight._type.shape != self._own_shape:
            weight = ops.reshape(weight, self._own_shape)
        return match_dtype(x, weight, self)

    def extend_repr(self) -> str:
        """Sizes and options."""
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}, weight_init={self.weight_init}, "
            f"bias_init={self.bias_init}, format={self.data_format}"
        )


def _fit_weight(init: Any, shape: tuple[int, ...]) -> Any:
    """A tensor of one spatial dimension as the weight of Conv1d, which is kept with two."""
    if isinstance(init, Tensor) and init.ndim == len(shape) - 1 == 3:
        return Tensor(init.asnumpy().reshape(*init.shape[:2], 1, init.shape[2]))
    return init


class _OneAxis(_Conv):
    """The arguments of convolutions over one dimension, which have one layout."""

    axes = 1

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "same",
        padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False, weight_init: Any = None,
        bias_init: Any = None, dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, dtype=dtype,
        )  # fmt: skip


_TAKES_TENSORS = True


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
