"""Convolution layers of one, two and three dimensions, and their transposes."""

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
from .. import functions as ops
from ..initializer import HeUniform, initializer
from .basic import fan_bound, match_dtype
from .checks import check_bool, check_choice, check_int, check_pair, check_positive_int

_TAKES_TENSORS = True  # its Cells say which input should be a Tensor; Cell reads this

__all__ = [
    "Conv1d",
    "Conv1dTranspose",
    "Conv2d",
    "Conv2dTranspose",
    "Conv3d",
    "Conv3dTranspose",
]

Pairs = tuple[tuple[int, int], ...]
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
    """Padding with which the output has ceil(size / stride) positions; what is odd goes to the end."""
    pairs = []
    for size, k, step, spread in zip(shape, kernel, stride, dilation, strict=True):
        reach = (k - 1) * spread + 1
        if size is None:
            if step != 1:
                raise ValueError(f"{owner}: pad_mode 'same' with a stride needs a size that is known when compiling")
            total = reach - 1
        else:
            total = max((-(-size // step) - 1) * step + reach - size, 0)
        pairs.append((total // 2, total - total // 2))
    return tuple(pairs)


def channels_first(x: Any) -> Any:
    """NHWC to NCHW."""
    return ops.transpose(x, (0, x.ndim - 1, *range(1, x.ndim - 1)))


def channels_last(x: Any) -> Any:
    """NCHW to NHWC."""
    return ops.transpose(x, (0, *range(2, x.ndim), 1))


class _Conv(Cell):
    """What the convolutions share: arguments, Parameters and text.

    Attributes:
        axes: the number of spatial dimensions. transposed: whether it is the gradient of a convolution.
    """

    axes = 2
    transposed = False
    formats: tuple[str, ...] = ("NCHW", "NHWC")

    def _set_up(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        pad_mode: str,
        padding: Any,
        dilation: Any,
        group: int,
        has_bias: bool,
        weight_init: Any,
        bias_init: Any,
        data_format: str,
        dtype: Any,
    ) -> None:
        owner = type(self).__name__
        self.in_channels = check_positive_int(in_channels, "in_channels", owner)
        self.out_channels = check_positive_int(out_channels, "out_channels", owner)
        self.kernel_size = check_pair(kernel_size, self.axes, "kernel_size", owner)
        self.stride = check_pair(stride, self.axes, "stride", owner)
        self.dilation = check_pair(dilation, self.axes, "dilation", owner)
        self.group = check_positive_int(group, "group", owner)
        self.has_bias = check_bool(has_bias, "has_bias", owner)
        self.pad_mode = check_choice(pad_mode, PAD_MODES, "pad_mode", owner)
        self.data_format = check_choice(data_format, self.formats, "data_format", owner)
        self.padding = padding
        self._pairs = pad_pairs(padding, self.axes, owner)
        if pad_mode != "pad" and any(map(any, self._pairs)):
            raise ValueError(
                f"For '{owner}', the 'padding' must be 0 unless 'pad_mode' is 'pad', but got {padding} and {pad_mode!r}"
            )
        if in_channels % group or out_channels % group:
            raise ValueError(
                f"For '{owner}', the 'group' should divide 'in_channels' and 'out_channels', but got {group}, "
                f"{in_channels} and "
                f"{out_channels}"
            )
        first, second = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        self._own_shape = (first, second // group, *self.kernel_size)
        shape = self._weight_shape()
        # The fan of a transposed convolution is, as in MindSpore, that of the weight's second dimension.
        self.weight_init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.weight = Parameter(initializer(_fit_weight(self.weight_init, shape), shape, dtype), name="weight")
        self.bias: Any = None
        self.bias_init = bias_init
        if has_bias:
            if bias_init is None:
                self.bias_init = fan_bound(shape[1] * math.prod(self.kernel_size))
            self.bias = Parameter(initializer(self.bias_init, (out_channels,), dtype), name="bias")

    def _weight_shape(self) -> tuple[int, ...]:
        return self._own_shape

    def _checked(self, x: Any) -> Any:
        owner = type(self).__name__
        if not isinstance(x, Tensor):
            raise not_a_tensor(owner, "x", x)
        if x.ndim != self.axes + 2:
            raise ValueError(f"{owner} takes inputs of {self.axes + 2} dimensions, but the shape is {x.shape}")
        if self.data_format.endswith("C"):
            x = channels_first(x)
        channels = x._type.shape[1]
        if channels is not None and channels != self.in_channels:
            raise RuntimeError(
                f"{owner}: C_in, the number of channels, of the input is {channels} (shape {x.shape}), but in_channels "
                f"is {self.in_channels}"
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
        return match_dtype(x, weight)

    def extend_repr(self) -> str:
        """Sizes and options."""
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}, weight_init={self.weight_init}, "
            f"bias_init={self.bias_init}, "
            f"format={self.data_format}"
        )


def _fit_weight(init: Any, shape: tuple[int, ...]) -> Any:
    """A tensor of one spatial dimension as the weight of Conv1d, which is kept with two."""
    if isinstance(init, Tensor) and init.ndim == len(shape) - 1 == 3:
        return Tensor(init.asnumpy().reshape(*init.shape[:2], 1, init.shape[2]))
    return init


class _Forward(_Conv):
    """A convolution."""

    def construct(self, x: Any) -> Any:
        """The convolution of x with the weight, plus bias."""
        x = self._checked(x)
        padding = self._pairs
        if self.pad_mode == "same":
            padding = same_padding(x._type.shape[2:], self.kernel_size, self.stride, self.dilation, type(self).__name__)
        out = apply(
            prims.conv,
            x,
            self._weight(x),
            stride=self.stride,
            padding=padding,
            dilation=self.dilation,
            groups=self.group,
        )
        return self._finished(out, x)


class Conv1d(_Forward):
    """Convolution over one dimension.

    Args:
        in_channels, out_channels: numbers of channels.
        kernel_size: positive int.
        stride: positive int.
        pad_mode: 'same', 'valid' or 'pad'.
        padding: with 'pad', zeros at both ends; an int or (int, int).
        dilation: distance between the kernel's elements.
        group: divides both numbers of channels.
        has_bias: whether there is a bias.
        weight_init, bias_init: initializers; None: HeUniform(sqrt(5)), and uniform in ±1/sqrt(fan_in).
        dtype: of the Parameters.

    Inputs:
        x: [N, in_channels, L].
    """

    axes = 1

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = dtypes.float32,
    ) -> None:
        super().__init__()
        self._set_up(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, "NCHW", dtype,
        )  # fmt: skip

    def _weight_shape(self) -> tuple[int, ...]:
        # MindSpore keeps the weights of one dimension with two.
        return (*self._own_shape[:2], 1, self._own_shape[2])


class Conv2d(_Forward):
    """Convolution over two dimensions.

    Args:
        in_channels, out_channels: numbers of channels.
        kernel_size: positive int or two of them.
        stride: positive int or two of them.
        pad_mode: 'same' (ceil(size / stride) positions), 'valid' (no padding) or 'pad'.
        padding: with 'pad', zeros at all sides; an int, or (top, bottom, left, right).
        dilation: distance between the kernel's elements.
        group: divides both numbers of channels.
        has_bias: whether there is a bias.
        weight_init: initializer of the weight [out_channels, in_channels/group, height, width]; None:
            HeUniform(sqrt(5)).
        bias_init: initializer of the bias; None: uniform in ±1/sqrt(fan_in).
        data_format: 'NCHW' or 'NHWC'.
        dtype: of the Parameters.

    Inputs:
        x: [N, in_channels, H, W].

    Raises:
        TypeError: for arguments of wrong types.
        ValueError: for numbers out of range, or padding without pad_mode 'pad'.
        RuntimeError: if the input has another number of channels.

    Examples:
        >>> import mycel as ms
        >>> layer = ms.nn.Conv2d(1, 2, 3, weight_init="ones")
        >>> print(layer(ms.ops.ones((1, 1, 4, 4))).shape)
        (1, 2, 4, 4)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCHW",
        dtype: Any = dtypes.float32,
    ) -> None:
        super().__init__()
        self._set_up(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, data_format, dtype,
        )  # fmt: skip


class Conv3d(_Forward):
    """Convolution over three dimensions.

    Args:
        in_channels, out_channels: numbers of channels.
        kernel_size, stride, dilation: positive int or three of them.
        pad_mode: 'same', 'valid' or 'pad'.
        padding: with 'pad', zeros at all sides; an int, or six (front, back, top, bottom, left, right).
        group: divides both numbers of channels.
        has_bias: whether there is a bias.
        weight_init, bias_init: initializers, as for `Conv2d`.
        data_format: 'NCDHW' or 'NDHWC'.
        dtype: of the Parameters.

    Inputs:
        x: [N, in_channels, D, H, W].
    """

    axes = 3
    formats = ("NCDHW", "NDHWC")

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCDHW",
        dtype: Any = dtypes.float32,
    ) -> None:
        super().__init__()
        self._set_up(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, data_format, dtype,
        )  # fmt: skip


class _Transposed(_Conv):
    """A transposed convolution: the gradient of a convolution by its input."""

    transposed = True
    output_padding: Any = 0

    def _set_output_padding(self, output_padding: Any) -> None:
        owner = type(self).__name__
        self.output_padding = output_padding
        self._extra = check_pair(output_padding, self.axes, "output_padding", owner, 0)
        if any(self._extra) and self.pad_mode != "pad":
            raise ValueError(
                f"For '{owner}', the 'output_padding' must be 0 unless 'pad_mode' is 'pad', but got {output_padding}"
            )
        for extra, stride, dilation in zip(self._extra, self.stride, self.dilation, strict=True):
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
        reach = [(k - 1) * spread + 1 for k, spread in zip(self.kernel_size, self.dilation, strict=True)]
        if self.pad_mode == "same":
            sizes = tuple(size * step for size, step in zip(shape, self.stride, strict=True))
            return sizes, same_padding(sizes, self.kernel_size, self.stride, self.dilation, owner)
        if self.pad_mode == "valid":
            sizes = tuple(
                size * step + max(k - step, 0) for size, step, k in zip(shape, self.stride, reach, strict=True)
            )
            return sizes, ((0, 0),) * self.axes
        extra = self._extra if self.axes == 3 else (0,) * self.axes
        sizes = tuple(
            (size - 1) * step - low - high + k + more
            for size, step, (low, high), k, more in zip(shape, self.stride, self._pairs, reach, extra, strict=True)
        )
        return sizes, self._pairs

    def construct(self, x: Any) -> Any:
        """The transposed convolution of x with the weight, plus bias."""
        x = self._checked(x)
        sizes, padding = self._sizes(x._type.shape[2:])
        out = apply(
            prims.conv_input_grad,
            x,
            self._weight(x),
            spatial=sizes,
            stride=self.stride,
            padding=padding,
            dilation=self.dilation,
            groups=self.group,
        )
        out = self._finished(out, x)
        if self.axes == 2 and any(self._extra):  # as MindSpore on CPU, which adds zeros here
            out = ops.pad(out, (0, self._extra[1], 0, self._extra[0]))
        return out


class Conv1dTranspose(_Transposed):
    """Transposed convolution over one dimension.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, dtype: as for `Conv1d`.

    Inputs:
        x: [N, in_channels, L].
    """

    axes = 1

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = dtypes.float32,
    ) -> None:
        super().__init__()
        self._set_up(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, "NCHW", dtype,
        )  # fmt: skip
        self._set_output_padding(0)

    def _weight_shape(self) -> tuple[int, ...]:
        return (*self._own_shape[:2], 1, self._own_shape[2])


class Conv2dTranspose(_Transposed):
    """Transposed convolution over two dimensions.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, dtype: as for `Conv2d`; the weight is [in_channels, out_channels/group, height, width].
        output_padding: with pad_mode 'pad', rows and columns of zeros added to the output at its end.

    Inputs:
        x: [N, in_channels, H, W].

    Outputs:
        size·stride with 'same', size·stride + max(kernel - stride, 0) with 'valid', and with 'pad'
        (size - 1)·stride - padding + kernel + output_padding in each dimension.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        output_padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = dtypes.float32,
    ) -> None:
        super().__init__()
        self._set_up(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, "NCHW", dtype,
        )  # fmt: skip
        self._set_output_padding(output_padding)


class Conv3dTranspose(_Transposed):
    """Transposed convolution over three dimensions.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, data_format, dtype: as for `Conv3d`.
        output_padding: with pad_mode 'pad', added to the output at its end.

    Inputs:
        x: [N, in_channels, D, H, W].
    """

    axes = 3
    formats = ("NCDHW",)

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        output_padding: Any = 0,
        has_bias: bool = False,
        weight_init: Any = None,
        bias_init: Any = None,
        data_format: str = "NCDHW",
        dtype: Any = dtypes.float32,
    ) -> None:
        super().__init__()
        self._set_up(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, data_format, dtype,
        )  # fmt: skip
        self._set_output_padding(output_padding)
