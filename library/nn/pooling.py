"""Pooling layers: maxima and means over windows, or over as many parts as asked for."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.values.cell import Cell
from ...frontend.values.dispatch import apply
from .. import functions as ops
from .checks import check_bool, check_choice, check_int, check_pair
from .conv import channels_first, channels_last, same_padding

_TAKES_TENSORS = True  # its Cells say which input should be a Tensor; Cell reads this

__all__ = [
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d",
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "LPPool1d",
    "LPPool2d",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool3d",
    "MaxUnpool1d",
    "MaxUnpool2d",
    "MaxUnpool3d",
]

Pairs = tuple[tuple[int, int], ...]


class _Pool(Cell):
    """What max and average pooling share.

    Attributes:
        axes: the number of spatial dimensions.
    """

    axes = 2

    def _set_up(self, kernel_size: Any, stride: Any, pad_mode: str, padding: Any, data_format: str = "NCHW") -> None:
        owner = type(self).__name__
        if not isinstance(pad_mode, str):
            raise TypeError(f"For '{owner}', the 'pad_mode' should be a string, but got {type(pad_mode).__name__}")
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
        self.format = check_choice(data_format, ("NCHW", "NHWC"), "data_format", owner)
        if self.pad_mode != "PAD" and any(map(any, self._pairs)):
            raise ValueError(
                f"For '{owner}', the 'padding' must be 0 unless 'pad_mode' is 'pad', but got {padding} and {pad_mode!r}"
            )

    def _batched(self, x: Any) -> tuple[Any, bool]:
        """x with a batch dimension, and whether it was added."""
        if x.ndim == self.axes + 1:
            return ops.expand_dims(x, 0), True
        if x.ndim != self.axes + 2:
            raise ValueError(
                f"{type(self).__name__} takes inputs of {self.axes + 2} dimensions, but the shape is {x.shape}"
            )
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
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        self._set_up(kernel_size, stride, pad_mode, padding, data_format)
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


class MaxPool1d(_MaxPool):
    """Maxima over windows of one dimension.

    Args:
        kernel_size, stride: positive ints.
        pad_mode: 'valid', 'same' or 'pad'.
        padding, dilation, return_indices, ceil_mode: as for `MaxPool2d`.

    Inputs:
        x: [N, C, L] or [C, L].
    """

    axes = 1


class MaxPool2d(_MaxPool):
    """Maxima over windows of two dimensions; of equal ones the first receives the gradient.

    Args:
        kernel_size, stride: positive ints, or two of them.
        pad_mode: 'valid', 'same' or 'pad'.
        padding: with 'pad', at both ends of a dimension; at most half the kernel. What is added never is a maximum.
        dilation: with 'pad', the distance between the elements of a window.
        return_indices: with 'pad', whether the positions of the maxima are returned as well.
        ceil_mode: with 'pad', whether a last window may reach over the end.
        data_format: 'NCHW' or 'NHWC'.

    Inputs:
        x: [N, C, H, W] or [C, H, W].

    Examples:
        >>> import mycel as ms
        >>> pool = ms.nn.MaxPool2d(2, 2)
        >>> print(pool(ms.Tensor([[[[1.0, 5.0], [7.0, 7.0]]]])))
        [[[[7.]]]]
    """


class MaxPool3d(_MaxPool):
    """Maxima over windows of three dimensions.

    Args:
        kernel_size, stride: positive ints, or three of them.
        pad_mode, padding, dilation, return_indices, ceil_mode: as for `MaxPool2d`.

    Inputs:
        x: [N, C, D, H, W] or [C, D, H, W].
    """

    axes = 3


class _AvgPool(_Pool):
    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
        data_format: str = "NCHW",
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        self._set_up(kernel_size, stride, pad_mode, padding, data_format)
        self.ceil_mode = check_bool(ceil_mode, "ceil_mode", owner)
        self.count_include_pad = check_bool(count_include_pad, "count_include_pad", owner)
        if divisor_override is not None and check_int(divisor_override, "divisor_override", owner) <= 0:
            raise ValueError(f"For '{owner}', the 'divisor_override' should be positive, but got {divisor_override}")
        self.divisor_override = divisor_override

    def construct(self, x: Any) -> Any:
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
    """Means over windows of one dimension.

    Args:
        kernel_size, stride: positive ints.
        pad_mode, padding, ceil_mode, count_include_pad: as for `AvgPool2d`.

    Inputs:
        x: [N, C, L] or [C, L].
    """

    axes = 1

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad)


class AvgPool2d(_AvgPool):
    """Means over windows of two dimensions.

    Args:
        kernel_size, stride: positive ints, or two of them.
        pad_mode: 'valid', 'same' or 'pad'.
        padding: with 'pad', at both ends of a dimension.
        ceil_mode: whether a last window may reach over the end.
        count_include_pad: whether padding counts as elements.
        divisor_override: what sums are divided by, in place of the number of elements.
        data_format: 'NCHW' or 'NHWC'.

    Inputs:
        x: [N, C, H, W] or [C, H, W].
    """


class AvgPool3d(_AvgPool):
    """Means over windows of three dimensions.

    Args:
        kernel_size, stride: positive ints, or three of them.
        pad_mode, padding, ceil_mode, count_include_pad, divisor_override: as for `AvgPool2d`.

    Inputs:
        x: [N, C, D, H, W] or [C, D, H, W].
    """

    axes = 3

    def __init__(
        self,
        kernel_size: Any = 1,
        stride: Any = 1,
        pad_mode: str = "valid",
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad, divisor_override)


class _Adaptive(Cell):
    axes = 2

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def _prepared(self, x: Any) -> tuple[Any, tuple[int, ...], bool]:
        """x with a batch dimension, how many parts each dimension is cut into, and whether the batch was added."""
        owner = type(self).__name__
        added = x.ndim == self.axes + 1
        if not added and x.ndim != self.axes + 2:
            raise ValueError(f"{owner} takes inputs of {self.axes + 2} dimensions, but the shape is {x.shape}")
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
    def construct(self, input: Any) -> Any:
        """The mean of each part."""
        x, sizes, added = self._prepared(input)
        out = apply(prims.adaptive_avg_pool, x, size=sizes)
        return ops.squeeze(out, 0) if added else out


class AdaptiveAvgPool1d(_AdaptiveAvg):
    """Means of a dimension cut into parts.

    Args:
        output_size: how many parts.

    Inputs:
        input: [N, C, L] or [C, L].
    """

    axes = 1


class AdaptiveAvgPool2d(_AdaptiveAvg):
    """Means of two dimensions cut into parts.

    Args:
        output_size: how many parts: an int, or two; None keeps the size.

    Inputs:
        input: [N, C, H, W] or [C, H, W].
    """


class AdaptiveAvgPool3d(_AdaptiveAvg):
    """Means of three dimensions cut into parts.

    Args:
        output_size: how many parts: an int, or three; None keeps the size.

    Inputs:
        input: [N, C, D, H, W] or [C, D, H, W].
    """

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
    """Maxima of a dimension cut into parts.

    Args:
        output_size: how many parts.

    Inputs:
        input: [N, C, L] or [C, L].
    """

    axes = 1

    def __init__(self, output_size: int) -> None:
        super().__init__(output_size)


class AdaptiveMaxPool2d(_AdaptiveMax):
    """Maxima of two dimensions cut into parts.

    Args:
        output_size: how many parts: an int, or two; None keeps the size.
        return_indices: whether the positions of the maxima are returned as well.

    Inputs:
        input: [N, C, H, W] or [C, H, W].
    """


class AdaptiveMaxPool3d(_AdaptiveMax):
    """Maxima of three dimensions cut into parts.

    Args:
        output_size: how many parts: an int, or three; None keeps the size.
        return_indices: whether the positions of the maxima are returned as well.

    Inputs:
        input: [N, C, D, H, W] or [C, D, H, W].
    """

    axes = 3


class _PowerPool(_Pool):
    def __init__(self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> None:
        super().__init__()
        self.norm_type = norm_type
        self._set_up(kernel_size, kernel_size if stride is None else stride, "valid", 0)
        self.ceil_mode = check_bool(ceil_mode, "ceil_mode", type(self).__name__)

    def construct(self, x: Any) -> Any:
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


class LPPool1d(_PowerPool):
    """p-norms over windows of one dimension.

    Args:
        norm_type: p.
        kernel_size: the window. stride: None: as the window. ceil_mode: whether a last window may reach over the end.
    """

    axes = 1


class LPPool2d(_PowerPool):
    """p-norms over windows of two dimensions.

    Args:
        norm_type: p.
        kernel_size: the window. stride: None: as the window. ceil_mode: whether a last window may reach over the end.
    """


class _MaxUnpool(Cell):
    axes = 2

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        owner = type(self).__name__
        self.kernel_size = check_pair(kernel_size, self.axes, "kernel_size", owner)
        self.stride = self.kernel_size if not stride else check_pair(stride, self.axes, "stride", owner)
        self.padding = check_pair(padding, self.axes, "padding", owner, 0)

    def construct(self, x: Any, indices: Any, output_size: Any = None) -> Any:
        """The maxima put back to where they stood; zeros elsewhere."""
        lead = x.shape[: -self.axes]
        if output_size is None:
            spatial = tuple(
                (size - 1) * step - 2 * pad + k
                for size, step, pad, k in zip(
                    x.shape[-self.axes :], self.stride, self.padding, self.kernel_size, strict=True
                )
            )
        else:
            spatial = tuple(output_size)[-self.axes :]
        total, count = 1, 1
        for size in spatial:
            total *= size
        for size in lead:
            count *= size
        flat = ops.zeros((count, total), x.dtype)
        out = ops.scatter(flat, 1, ops.reshape(indices, (count, -1)), ops.reshape(x, (count, -1)))
        return ops.reshape(out, (*lead, *spatial))


class MaxUnpool1d(_MaxUnpool):
    """The reverse of MaxPool1d with return_indices.

    Args:
        kernel_size, stride, padding: of the pooling.

    Inputs:
        x, indices: what the pooling gave. output_size: of the result, if it is not unique.
    """

    axes = 1


class MaxUnpool2d(_MaxUnpool):
    """The reverse of MaxPool2d with return_indices.

    Args:
        kernel_size, stride, padding: of the pooling.

    Inputs:
        x, indices: what the pooling gave. output_size: of the result, if it is not unique.
    """


class MaxUnpool3d(_MaxUnpool):
    """The reverse of MaxPool3d with return_indices.

    Args:
        kernel_size, stride, padding: of the pooling.

    Inputs:
        x, indices: what the pooling gave. output_size: of the result, if it is not unique.
    """

    axes = 3
