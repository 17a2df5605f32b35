"""The base of convolution layers: arguments, Parameters and text; the padding that they share with pooling."""

from __future__ import annotations

import math
from typing import Any

from ...frontend.errors.classes import not_a_tensor
from ...frontend.values.cell import Cell
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
